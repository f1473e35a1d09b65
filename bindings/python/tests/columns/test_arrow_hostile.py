"""Arrow arrays from producers that break the rules: an exception, and never a crash."""

from __future__ import annotations

import ctypes
import gc
import signal
import struct
import threading
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import textcodec
from textcodec import arrow

PyCapsule_New = ctypes.pythonapi.PyCapsule_New
PyCapsule_New.restype = ctypes.py_object
PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Schema(ctypes.Structure):
    """`struct ArrowSchema`"""


Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class Array(ctypes.Structure):
    """`struct ArrowArray`"""


Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]


class Stream(ctypes.Structure):
    """`struct ArrowArrayStream`"""

    _fields_ = [
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


class Hostile:
    """An array with any lengths and buffers. A buffer is bytes, or None for a null pointer."""

    def __init__(
        self,
        format: bytes | None,
        buffers: list[bytes | None] | None,
        length: int = 1,
        *,
        offset: int = 0,
        null_count: int = 0,
        n_buffers: int | None = None,
        dictionary: Hostile | None = None,
        schema_dictionary: bool = True,
    ) -> None:
        self.released = 0
        self.release_array = Release(self._release_array)
        self.release_schema = Release(lambda pointer: setattr(Schema.from_address(pointer), "release", None))
        self.memory = [None if buffer is None else ctypes.create_string_buffer(buffer, max(len(buffer), 1)) for buffer in buffers or []]
        pointers = [None if memory is None else ctypes.addressof(memory) for memory in self.memory]
        self.pointers = (ctypes.c_void_p * max(len(pointers), 1))(*pointers)
        self.array = Array(
            length=length,
            null_count=null_count,
            offset=offset,
            n_buffers=len(pointers) if n_buffers is None else n_buffers,
            release=ctypes.cast(self.release_array, ctypes.c_void_p),
        )
        self.schema = Schema(format=format, flags=2, release=ctypes.cast(self.release_schema, ctypes.c_void_p))
        if buffers is not None:
            self.array.buffers = ctypes.cast(self.pointers, ctypes.POINTER(ctypes.c_void_p))
        self.dictionary = dictionary
        if dictionary is not None:
            self.array.dictionary = ctypes.pointer(dictionary.array)
        if dictionary is not None and schema_dictionary:
            self.schema.dictionary = ctypes.pointer(dictionary.schema)

    def _release_array(self, pointer: int) -> None:
        Array.from_address(pointer).release = None
        self.released += 1

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[Any, Any]:
        schema = PyCapsule_New(ctypes.addressof(self.schema), b"arrow_schema", None)
        return schema, PyCapsule_New(ctypes.addressof(self.array), b"arrow_array", None)


def i32(*numbers: int) -> bytes:
    return struct.pack(f"={len(numbers)}i", *numbers)


def i64(*numbers: int) -> bytes:
    return struct.pack(f"={len(numbers)}q", *numbers)


def view(length: int, buffer: int, offset: int, start: bytes = b"0123") -> bytes:
    return struct.pack("=i4sii", length, start, buffer, offset)


LONG = b"0123456789abcdefghij"


def test_the_helper() -> None:
    """What is not broken is decoded."""
    cases: list[tuple[Callable[[], Hostile], list[str | None]]] = [
        (lambda: Hostile(b"z", [None, i32(0, 1, 3), b"abc"], 2), ["a", "bc"]),
        (lambda: Hostile(b"z", [b"\x04", i32(0, 1, 1, 3), b"abc"], 2, offset=1, null_count=-1), [None, "bc"]),
        (lambda: Hostile(b"Z", [b"\x01", i64(0, 1, 3), b"abc"], 2, null_count=1), ["a", None]),
        (lambda: Hostile(b"w:2", [None, b"abcd"], 2), ["ab", "cd"]),
        (lambda: Hostile(b"vz", [None, struct.pack("=i12s", 2, b"ab") + view(20, 0, 1), b"!" + LONG, i64(21)], 2), ["ab", LONG.decode()]),
        # An empty array may have null pointers, and no offsets.
        (lambda: Hostile(b"z", [None, None, None], 0), []),
        (lambda: Hostile(b"z", [None, i32(0, 0), None], 1), [""]),
        (lambda: Hostile(b"vz", [None, None, None], 0), []),
        (lambda: Hostile(b"w:3", [None, None], 0), []),
        (lambda: Hostile(b"w:0", [None, None], 3), ["", "", ""]),
        (lambda: Hostile(b"n", None, 2, null_count=2), [None, None]),
        (lambda: Hostile(b"n", [None], 3, offset=9, null_count=-1), [None] * 3),
        # What a null row has does not matter.
        (lambda: Hostile(b"vz", [b"\x02", view(-1, 9, 9) + struct.pack("=i12s", 1, b"a"), i64()], 2, null_count=1), [None, "a"]),
        (lambda: Hostile(b"c", [b"\x01", b"\0\x63"], 2, null_count=1, dictionary=Hostile(b"z", [None, i32(0, 1), b"a"])), ["a", None]),
    ]
    for make, rows in cases:
        for convert in [arrow.decode, arrow.count_errors]:
            column = make()
            result = pa.array(convert(column, "utf-8"))
            result.validate(full=True)
            assert len(result) == len(rows) and (convert is arrow.count_errors or result.to_pylist() == rows)
            assert column.released == 1


BROKEN: dict[str, Callable[[], Hostile]] = {
    "negative length": lambda: Hostile(b"z", [None, i32(0, 1), b"a"], -1),
    "negative offset": lambda: Hostile(b"z", [None, i32(0, 1), b"a"], 1, offset=-1),
    "long": lambda: Hostile(b"z", [None, i32(0, 1), b"a"], 2**63 - 1),
    "long and far": lambda: Hostile(b"z", [None, i32(0, 1), b"a"], 2**62, offset=2**62),
    "long of a fixed size": lambda: Hostile(b"w:2147483647", [None, b"a"], 2**50),
    "no buffers": lambda: Hostile(b"z", None, n_buffers=3),
    "zero buffers": lambda: Hostile(b"z", [], n_buffers=0),
    "buffers of nulls": lambda: Hostile(b"n", [None, None]),
    "negative number of nulls": lambda: Hostile(b"n", [], -1),
    "two buffers": lambda: Hostile(b"z", [None, i32(0, 1)]),
    "three buffers of a fixed size": lambda: Hostile(b"w:1", [None, b"a", b"b"]),
    "negative number of buffers": lambda: Hostile(b"z", [None, i32(0, 1), b"a"], n_buffers=-3),
    "views with two buffers": lambda: Hostile(b"vz", [None, view(1, 0, 0)]),
    "nulls without a bitmap": lambda: Hostile(b"z", [None, i32(0, 1), b"a"], null_count=1),
    "no offsets": lambda: Hostile(b"z", [None, None, b"a"]),
    "no data": lambda: Hostile(b"z", [None, i32(0, 1), None]),
    "no data of a fixed size": lambda: Hostile(b"w:1", [None, None]),
    "no views": lambda: Hostile(b"vz", [None, None, i64()]),
    "no lengths of buffers": lambda: Hostile(b"vz", [None, view(20, 0, 0), LONG, None]),
    "no buffer of data": lambda: Hostile(b"vz", [None, view(20, 0, 0), None, i64(20)]),
    "negative length of a buffer": lambda: Hostile(b"vz", [None, view(20, 0, 0), LONG, i64(-20)]),
    "negative last offset": lambda: Hostile(b"z", [None, i32(0, -1), b"a"]),
    "negative last large offset": lambda: Hostile(b"Z", [None, i64(0, -1), b"a"]),
    "negative first offset": lambda: Hostile(b"z", [None, i32(-1, 1), b"a"]),
    "negative first large offset": lambda: Hostile(b"Z", [None, i64(-(2**63), 1), b"a"]),
    "decreasing offsets": lambda: Hostile(b"z", [None, i32(0, 3, 1, 3), b"abc"], 3),
    "decreasing large offsets": lambda: Hostile(b"Z", [None, i64(0, 3, 1, 3), b"abc"], 3),
    "offset outside": lambda: Hostile(b"z", [None, i32(0, 9, 3), b"abc"], 2),
    "large offset outside": lambda: Hostile(b"Z", [None, i64(0, 2**62, 3), b"abc"], 2),
    "negative view": lambda: Hostile(b"vz", [None, view(-1, 0, 0), LONG, i64(20)]),
    "view of no buffer": lambda: Hostile(b"vz", [None, view(20, 1, 0), LONG, i64(20)]),
    "view of a negative buffer": lambda: Hostile(b"vz", [None, view(20, -1, 0), LONG, i64(20)]),
    "view outside": lambda: Hostile(b"vz", [None, view(20, 0, 1), LONG, i64(20)]),
    "view at a negative offset": lambda: Hostile(b"vz", [None, view(13, 0, -1), LONG, i64(20)]),
    "view far outside": lambda: Hostile(b"vz", [None, view(2**31 - 1, 0, 2**31 - 1), LONG, i64(20)]),
    "key outside": lambda: Hostile(b"c", [None, b"\1"], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"])),
    "negative key": lambda: Hostile(b"c", [None, b"\xff"], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"])),
    "long key": lambda: Hostile(b"L", [None, b"\xff" * 8], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"])),
    "no dictionary": lambda: _without_dictionary(Hostile(b"c", [None, b"\0"], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"]))),
    "broken dictionary": lambda: Hostile(b"c", [None, b"\0"], dictionary=Hostile(b"z", [None, i32(0, 2, 1), b"a"], 2)),
    "no keys": lambda: Hostile(b"c", [None, None], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"])),
    "no format": lambda: Hostile(None, [None, i32(0, 1), b"a"]),
    "a format that is not UTF-8": lambda: Hostile(b"\xff", [None, i32(0, 1), b"a"]),
}


def _without_dictionary(column: Hostile) -> Hostile:
    column.array.dictionary = None
    return column


@pytest.mark.parametrize("name", BROKEN)
def test_broken_arrays(name: str) -> None:
    for convert in [lambda column: arrow.decode(column, "gbk", errors="replace"), lambda column: arrow.count_errors(column, "gbk")]:
        column = BROKEN[name]()
        with pytest.raises(ValueError, match="array is not a valid Arrow array: "):
            convert(column)
        gc.collect()
        # Taken, so it must be released. A schema that cannot be read leaves the array with its capsule.
        assert column.released == (0 if "format" in name else 1)


def test_broken_labels() -> None:
    good = pa.array([b"a"])
    for labels in [Hostile(b"u", [None, i32(0, 9, 3), b"gbk"], 1, offset=1), Hostile(b"u", [None, i32(0, -3), b"gbk"])]:
        with pytest.raises(ValueError, match="encoding is not a valid Arrow array: "):
            arrow.decode(good, labels)
    # Labels need not be UTF-8.
    with pytest.raises(LookupError):
        arrow.decode(good, Hostile(b"u", [None, i32(0, 1), b"\xff"]))


@pytest.mark.parametrize(
    ("data", "offsets"),
    [(b"a\xff", (0, 1, 2)), (b"\xe3\x81\x82\xe3", (0, 3, 4)), (b"\xe3\x81\x82b", (0, 1, 4)), (b"\xed\xa0\x80", (0, 0, 3))],
)
def test_text_must_be_utf_8(data: bytes, offsets: tuple[int, ...]) -> None:
    for label in ["utf-8", "gbk", "utf-16le"]:
        for format, pack in [(b"u", i32), (b"U", i64)]:
            with pytest.raises(ValueError, match="row [01]: the text is not UTF-8"):
                arrow.encode(Hostile(format, [None, pack(*offsets), data], 2), label)
        values = Hostile(b"u", [None, i32(*offsets), data], 2)
        with pytest.raises(ValueError, match="value [01] of the dictionary: the text is not UTF-8"):
            arrow.encode(Hostile(b"c", [None, b"\0"], dictionary=values), label)
    with pytest.raises(ValueError, match="row 0: the text is not UTF-8"):
        arrow.encode(Hostile(b"vu", [None, struct.pack("=i12s", 1, b"\xff"), i64()]), "gbk")
    # A null row may hold anything.
    column = Hostile(b"u", [b"\x01", i32(0, 1, 2), b"a\xff"], 2, null_count=1)
    assert pa.array(arrow.encode(column, "gbk")).to_pylist() == [b"a", None]


@pytest.mark.parametrize(
    ("bitmap", "offsets"),
    # The rows are as long as the memory from the first offset to the last, because two null rows cancel.
    [(b"\x15", (0, 6, 7, 9, 8, 11)), (b"\x02", (5, 2, 8, 11)), (b"\x0a", (0, 3, 9, 6, 9))],
)
def test_null_rows_with_bytes(bitmap: bytes, offsets: tuple[int, ...]) -> None:
    data = b"aaaaa\xc3\xa9aaaa"
    rows = [None if not bitmap[0] >> n & 1 else data[start:end] for n, (start, end) in enumerate(zip(offsets, offsets[1:]))]
    for format, pack in [(b"z", i32), (b"Z", i64)]:
        for label in ["utf-8", "windows-1252", "gbk"]:
            column = Hostile(format, [bitmap, pack(*offsets), data], len(rows), null_count=-1)
            result = pa.array(arrow.decode(column, label, errors="replace"))
            result.validate(full=True)
            assert result.to_pylist() == [None if row is None else textcodec.decode(row, label, "replace", bom="keep") for row in rows]


def test_types_that_are_refused() -> None:
    for column in [
        Hostile(b"w:-1", [None, b"a"]),
        Hostile(b"w:99999999999999999999", [None, b"a"]),
        Hostile(b"w:", [None, b"a"]),
        Hostile(b"", [None, b"a"]),
        Hostile(b"f", [None, b"\0"], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"])),
        Hostile(b"c", [None, b"\0"], dictionary=Hostile(b"c", [None, b"\0"], dictionary=Hostile(b"z", [None, i32(0, 1), b"a"]))),
    ]:
        with pytest.raises(TypeError, match="^decode needs binary"):
            arrow.decode(column, "utf-8")


def test_wrong_capsules() -> None:
    good = pa.array([b"a"]).__arrow_c_array__()
    schema, array = good
    for result in [None, (), (schema,), (array, schema), (1, 2), schema, [schema, array]]:
        wrong = type("Wrong", (), {"__arrow_c_array__": lambda self, requested_schema=None, result=result: result})()
        with pytest.raises((TypeError, ValueError, IndexError)):
            arrow.decode(wrong, "utf-8")
    for result in [None, array, 1]:
        wrong = type("Wrong", (), {"__arrow_c_stream__": lambda self, requested_schema=None, result=result: result})()
        with pytest.raises((TypeError, ValueError)):
            arrow.decode(wrong, "utf-8")

    class Raises:
        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        arrow.decode(Raises(), "utf-8")


GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
GetLastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


class HostileStream:
    """A stream that fails in the call `fails`, with the text `error`."""

    def __init__(self, fails: str, error: bytes | None) -> None:
        self.source = Hostile(b"z", [None, i32(0, 1), b"a"])
        self.error = ctypes.create_string_buffer(error) if error is not None else None
        self.released = 0
        self.get_schema = GetSchema(lambda stream, out: 5 if fails == "get_schema" else self._move(self.source.schema, out))
        self.get_next = GetSchema(lambda stream, out: 5 if fails == "get_next" else self._move(self.source.array, out))
        self.get_last_error = GetLastError(lambda stream: ctypes.addressof(self.error) if self.error else None)
        self.release = Release(self._release)
        callbacks = {
            name: ctypes.cast(getattr(self, name), ctypes.c_void_p)
            for name in ["get_schema", "get_next", "get_last_error", "release"]
            if fails != f"no {name}"
        }
        self.stream = Stream(**callbacks)

    @staticmethod
    def _move(structure: ctypes.Structure, out: int) -> int:
        ctypes.memmove(out, ctypes.addressof(structure), ctypes.sizeof(structure))
        structure.release = None  # type: ignore[attr-defined]
        return 0

    def _release(self, pointer: int) -> None:
        Stream.from_address(pointer).release = None
        self.released += 1

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return PyCapsule_New(ctypes.addressof(self.stream), b"arrow_array_stream", None)


@pytest.mark.parametrize("fails", ["get_schema", "get_next"])
def test_streams_that_fail(fails: str) -> None:
    for error, message in [(b"no disk", "no disk"), (None, "the stream failed"), (b"\xff", "\ufffd")]:
        stream = HostileStream(fails, error)
        with pytest.raises(ValueError, match=f"array is not a valid Arrow array: {message}"):
            arrow.decode(stream, "utf-8")
        assert stream.released == 1


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
@pytest.mark.parametrize("waits", ["get_schema", "get_next"])
def test_streams_that_wait_for_threads(waits: str) -> None:
    """A callback in C ends when a thread of Python sends a signal, for which the thread needs the GIL. Else, an alarm ends it."""
    stream = HostileStream("", None)
    setattr(stream.stream, waits, ctypes.cast(ctypes.CDLL(None).pause, ctypes.c_void_p))
    main, done, alarms = threading.get_ident(), threading.Event(), []

    def send() -> None:
        while not done.wait(0.05):
            signal.pthread_kill(main, signal.SIGUSR1)

    before = [signal.signal(signal.SIGUSR1, lambda *_: None), signal.signal(signal.SIGALRM, lambda *_: alarms.append(True))]
    thread = threading.Thread(target=send)
    signal.alarm(10)
    thread.start()
    try:
        with pytest.raises(ValueError, match="the stream failed"):
            arrow.decode(stream, "utf-8")
    finally:
        signal.alarm(0)
        done.set()
        thread.join()
        signal.signal(signal.SIGUSR1, before[0])
        signal.signal(signal.SIGALRM, before[1])
    assert alarms == []


def test_streams_without_callbacks() -> None:
    for fails in ["no get_schema", "no get_next", "no release"]:
        with pytest.raises(ValueError, match="read before"):
            arrow.decode(HostileStream(fails, None), "utf-8")
    with pytest.raises(ValueError, match="the stream failed"):
        stream = HostileStream("get_next", None)
        stream.stream.get_last_error = None
        arrow.decode(stream, "utf-8")
    good = HostileStream("", None)
    assert pa.chunked_array(arrow.decode(good, "utf-8")).to_pylist() == ["a"]


def test_buffers_without_alignment() -> None:
    offsets, keys = b"!" + i32(0, 1, 3), b"!" + i32(1, 0)
    column = Hostile(b"z", [None, offsets, b"abc"], 2)
    column.pointers[1] += 1
    coded = Hostile(b"i", [None, keys], 2, dictionary=column)
    coded.pointers[1] += 1
    result = pa.array(arrow.decode(coded, "utf-8"))
    result.validate(full=True)
    assert result.to_pylist() == ["bc", "a"]
