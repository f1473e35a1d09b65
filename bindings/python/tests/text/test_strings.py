"""Strings: the right kind, any length, and threads."""

from __future__ import annotations

import codecs
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import support
import textcodec
from support import codec, some_bytes, some_string, some_text

SIZES = [0, 1, 2, 7, 8, 15, 16, 63, 64, 255, 256, 257, 4095, 4096, 4097, 16383, 16384, 16385, 40_000]

# One character of each kind of string, and the encodings that have it.
KINDS = {
    "ASCII": ("a", support.WITH_ENCODER),
    "U+0080": ("\x80", ["UTF-8", "UTF-16LE", "UTF-16BE", "ISO-8859-2", "gb18030"]),
    "Latin-1": ("\xe9", ["UTF-8", "UTF-16LE", "UTF-16BE", "windows-1252", "ISO-8859-2", "gb18030"]),
    "U+00FF": ("\xff", ["UTF-8", "UTF-16LE", "UTF-16BE", "windows-1252", "windows-1254", "gb18030"]),
    "U+0100": ("\u0100", ["UTF-8", "UTF-16LE", "UTF-16BE", "windows-1257", "ISO-8859-4", "gb18030"]),
    "BMP": ("\u6f22", ["UTF-8", "UTF-16LE", "UTF-16BE", "Shift_JIS", "EUC-JP", "ISO-2022-JP", "GBK", "gb18030", "Big5", "EUC-KR"]),
    "U+FFFF": ("\uffff", ["UTF-8", "UTF-16LE", "UTF-16BE", "gb18030"]),
    "U+10000": ("\U00010000", ["UTF-8", "UTF-16LE", "UTF-16BE", "gb18030"]),
    "Big5, astral": ("\U00020547", ["Big5"]),
    "U+10FFFF": ("\U0010ffff", ["UTF-8", "UTF-16LE", "UTF-16BE", "gb18030"]),
}


def literal(text: str) -> str:
    """Makes a string with Python's own code, which finds the kind."""
    return "".join(list(text))


def same(text: str, expected: str) -> None:
    """Compares strings, their kinds and their hashes."""
    expected = literal(expected)
    assert text == expected
    assert len(text) == len(expected)
    assert type(text) is str
    assert hash(text) == hash(expected)
    assert {expected: 1}[text] == 1
    # Python shares strings of one character below U+0100, and they may contain their UTF-8, too.
    if len(text) != 1 or text >= "\u0100":
        assert sys.getsizeof(text) == sys.getsizeof(expected)
    assert text.isascii() == expected.isascii()
    assert text[-1:] == expected[-1:]
    assert text + "\U0010ffff" == expected + "\U0010ffff"
    assert text.encode("utf-8", "surrogatepass") == expected.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    character, names = KINDS[kind]
    for name in names:
        for size in SIZES:
            only = character * size
            for text in {only, "a" * size + character, character + "a" * size, "a" * (size // 2) + character + "b" * (size // 2)}:
                data = text.encode(codec(name))
                assert data == codecs.getincrementalencoder(codec(name))().encode(text, True)
                same(data.decode(codec(name)), text)
                same(textcodec.decode(data, name), text)
                same(textcodec.decode_report(data, name).text, text)
                same(codecs.getincrementaldecoder(codec(name))().decode(data, True), text)
                same(data.decode(codec(name), "test.unknown"), text)


@pytest.mark.parametrize("size", SIZES)
def test_all_encodings_at_all_sizes(size: int) -> None:
    for name in support.WITH_ENCODER:
        text = some_text(name, size)
        data = text.encode(codec(name))
        # Some characters are decoded as others of the same look.
        decoded = data.decode(codec(name))
        same(decoded, decoded)
        assert len(decoded) == len(text)
        same(codecs.getincrementaldecoder(codec(name))().decode(data, True), decoded)
        assert decoded.encode(codec(name)).decode(codec(name)) == decoded
        noise = some_bytes(name, size)
        for errors in ("replace", "ignore", "backslashreplace"):
            text = noise.decode(codec(name), errors)
            same(text, text)


@pytest.mark.parametrize("size", [1, 100, 300, 20_000])
def test_malformed_utf_8_in_latin_1(size: int) -> None:
    for text in ["\xe9" * size, "a" * size + "\xff", "\x80" + "a" * size]:
        good = text.encode()
        for bad in [b"\x80", b"\xc3", b"\xc3a", b"\xc0\x80", b"\xc1\xbf", b"\xc3\xc3\xa9", b"\xe0\x80\x80", b"\xff"]:
            for data in [bad + good, good + bad, good + bad + good]:
                same(data.decode(codec("UTF-8"), "replace"), data.decode("utf-8", "replace"))
                with pytest.raises(UnicodeDecodeError) as raised:
                    data.decode(codec("UTF-8"))
                with pytest.raises(UnicodeDecodeError) as expected:
                    data.decode("utf-8")
                error, other = raised.value, expected.value
                assert (error.object, error.start, error.end) == (data, other.start, other.end)


def test_text_after_an_error_has_the_right_kind() -> None:
    """The first error ends the fast way, in which the memory of the string is written."""
    for size in SIZES:
        for character in ("a", "\xe9", "\u6f22", "\U0001f600"):
            before, after = "a" * size, character * size
            data = before.encode() + b"\xff" + after.encode()
            same(data.decode("whatwg-utf-8", "ignore"), before + after)
            same(data.decode("whatwg-utf-8", "replace"), f"{before}\ufffd{after}")
            same(data.decode("whatwg-utf-8", "backslashreplace"), f"{before}\\xff{after}")
            same(data.decode("whatwg-utf-8", "surrogateescape"), f"{before}\udcff{after}")


@pytest.mark.parametrize("replacement", ["", "x", "\xe9", "\u20ac", "\ud800", "\udcff", "\U0001f600", "\ud83d\ude00", "a\ud83d"])
def test_the_kind_of_answers(replacement: str) -> None:
    codecs.register_error("test.answer", lambda error: (replacement, error.end))
    for around in ("", "a", "\xe9", "\u6f22", "\U0001f600", "a" * 5000, "\xe9" * 20_000):
        data = around.encode() + b"\xff\xff" + around.encode() + b"\xff"
        same(data.decode("whatwg-utf-8", "test.answer"), f"{around}{replacement * 2}{around}{replacement}")


def test_surrogates_of_surrogatepass() -> None:
    for text in ("\ud800", "\udfff", "\ud83d\ude00", "a\ud800\xe9", "\udc00\ud800", "\ud800\U0001f600\udc00", "\ud800" * 20_000):
        for name in ("utf-8", "utf-16le", "utf-16be"):
            data = text.encode(name, "surrogatepass")
            expected = data.decode(name, "surrogatepass")
            same(data.decode(codec(name), "surrogatepass"), expected)


def test_all_one_byte_results() -> None:
    """CPython shares the strings of one character below U+0100."""
    for name in support.NAMES:
        for byte in range(256):
            text = bytes([byte]).decode(codec(name), "replace")
            same(text, text)


def test_encoding_results_are_bytes() -> None:
    for size in (0, 1, 2, 255, 257, 4097, 16385):
        for name in support.WITH_ENCODER:
            data = some_string(name, size).encode(codec(name), "replace")
            assert type(data) is bytes
            assert hash(data) == hash(bytes(bytearray(data)))
            assert sys.getsizeof(data) == sys.getsizeof(bytes(bytearray(data)))
    assert sys.getsizeof("".encode("whatwg-utf-8")) == sys.getsizeof(b"")


def test_substrings_and_subclasses_are_encoded() -> None:
    class Text(str):
        pass

    for text in ("abc", "\xe9\xe8", "\u6f22\u5b57", "\U0001f600", "a" * 5000, "\u6f22" * 20_000):
        for name in ("utf-8", "gb18030", "utf-16le"):
            expected = text.encode(codec(name))
            assert Text(text).encode(codec(name)) == expected
            assert textcodec.encode(Text(text), name) == expected
            assert textcodec.encode((text + "x\u6f22")[: len(text)], name) == expected


# Threads.

LONG = [
    ("decode", "Shift_JIS", "\u6f22\u5b57\u304b\u306a"),
    ("decode", "gb18030", "\U0001f600"),
    ("decode", "windows-1251", "\u0442\u0435\u043a\u0441\u0442"),
    ("encode", "Shift_JIS", "\u6f22\u5b57\u304b\u306a"),
    ("encode", "gb18030", "\U0001f600"),
    ("encode", "EUC-KR", "\ud55c\uae00"),
]


def lets_others_run(work: Callable[[], object]) -> bool:
    """Returns whether another thread ran while the work ran. On a busy machine, that takes several attempts."""
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0)

    thread = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    # Python itself never takes the GIL away.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        deadline = time.perf_counter() + 20
        while (start := time.perf_counter()) < deadline:
            work()
            end = time.perf_counter()
            if any(start < tick < end for tick in ticks):
                return True
            ticks.clear()
        return False
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()


@pytest.mark.parametrize(("direction", "name", "text"), LONG)
def test_long_inputs_release_the_gil(direction: str, name: str, text: str) -> None:
    text *= 8 << 20 >> (len(text) - 1)
    data = text.encode(codec(name))
    if direction == "decode":
        # Not `bytes.decode`: it hides the object, whose memory could change, from the codec.
        calls = [
            lambda: codecs.decode(data, codec(name)),
            lambda: textcodec.decode(data, name),
            lambda: textcodec.decode(memoryview(data), name),
            lambda: textcodec.decode_report(data, name),
            lambda: textcodec.transcode(data, name),
        ]
    else:
        calls = [lambda: text.encode(codec(name)), lambda: textcodec.encode(text, name)]
    for number, call in enumerate(calls):
        assert lets_others_run(call), number


def test_subclasses_with_methods_of_their_own() -> None:
    class Text(str):
        def __len__(self) -> int:
            return 100

        def isascii(self) -> bool:
            return True

    class Fails(str):
        def __len__(self) -> int:
            raise RuntimeError

    assert codecs.lookup(codec("Shift_JIS")).encode(Text("\u6f22a")) == (b"\x8a\xbfa", 2)
    assert textcodec.encode(Text("\xe9"), "windows-1252") == b"\xe9"
    assert codecs.lookup(codec("UTF-8")).encode(Fails("ab")) == (b"ab", 2)

    def far(error: UnicodeError) -> tuple[str, int]:
        return "", 50

    codecs.register_error("test.far", far)
    with pytest.raises(IndexError, match="position 50 from error handler out of bounds"):
        textcodec.encode(Text("a\u6f22b"), "windows-1252", "test.far")


class Long(bytes):
    def __len__(self) -> int:
        return 1000


@pytest.mark.parametrize("delete", [False, True])
def test_the_object_of_an_exception_has_its_real_length(delete: bool) -> None:
    def change(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        if delete:
            del error.object
        else:
            error.object = Long(b"abc")
        return "", 500

    codecs.register_error("test.change", change)
    with pytest.raises(TypeError if delete else IndexError):
        b"a\xff".decode(codec("UTF-8"), "test.change")


def test_long_chunks_release_the_gil() -> None:
    data = b"\x8a\xbf" * (8 << 20)
    decoder = codecs.getincrementaldecoder("whatwg-shift_jis")()
    assert lets_others_run(lambda: decoder.decode(data))


def test_a_bytearray_is_decoded_without_releasing_the_gil() -> None:
    """Its memory could change. It may be copied instead, but the result must not be torn."""
    data = bytearray(b"a" * (1 << 20))
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            data[:] = b"\xe9" * len(data)
            data[:] = b"a" * len(data)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        for _ in range(60):
            text = codecs.decode(data, "whatwg-windows-1252")
            assert text in ("a" * len(data), "\xe9" * len(data))
            same(text[:10], text[:10])
    finally:
        stop.set()
        thread.join()


def test_eight_threads() -> None:
    texts = {name: some_string(name, 30_000).replace("\x1b", "") for name in support.WITH_ENCODER}
    data = {name: text.encode(codec(name), "xmlcharrefreplace") for name, text in texts.items()}
    expected = {name: value.decode(codec(name), "replace") for name, value in data.items()}
    barrier = threading.Barrier(8)

    def work(number: int) -> int:
        barrier.wait()
        names = support.WITH_ENCODER[number:] + support.WITH_ENCODER[:number]
        for name in names:
            assert data[name].decode(codec(name), "replace") == expected[name]
            assert texts[name].encode(codec(name), "xmlcharrefreplace") == data[name]
            assert data[name].decode(codec(name), "surrogateescape") is not None
            decoder = codecs.getincrementaldecoder(codec(name))("replace")
            parts = [decoder.decode(data[name][at : at + 20_000]) for at in range(0, len(data[name]), 20_000)]
            assert "".join(parts) + decoder.decode(b"", True) == expected[name]
        return len(names)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [39] * 8


def test_eight_threads_look_up_codecs() -> None:
    def work(number: int) -> int:
        found = 0
        for encoding in textcodec.ENCODINGS[number:] + textcodec.ENCODINGS[:number]:
            for label in encoding.labels:
                assert textcodec.get_encoding(label) is encoding
                assert codecs.lookup(f"WHATWG {label}").name == encoding.codec_name
                found += 1
        return found

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(8))) == {228}


@pytest.mark.parametrize("direction", ["decode", "encode"])
def test_one_incremental_codec_in_two_threads(direction: str) -> None:
    """Calls at the same time give a result or RuntimeError."""
    text = "\u6f22\u5b57" * 40_000
    data = text.encode(codec("shift_jis"))
    decoder = codecs.getincrementaldecoder("whatwg-shift_jis")()
    encoder = codecs.getincrementalencoder("whatwg-shift_jis")()
    barrier = threading.Barrier(2)

    def work(_: int) -> set[str]:
        seen = set()
        barrier.wait()
        for _ in range(100):
            try:
                if direction == "decode":
                    assert decoder.decode(data) == text
                    decoder.getstate()
                else:
                    assert encoder.encode(text) == data
                    encoder.getstate()
                seen.add("result")
            except RuntimeError as error:
                assert "borrowed" in str(error)
                seen.add("RuntimeError")
        return seen

    with ThreadPoolExecutor(2) as pool:
        seen = set.union(*pool.map(work, range(2)))
    assert "result" in seen
    assert decoder.decode(data, True) == text
    assert encoder.encode(text, True) == data
