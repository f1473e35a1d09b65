"""The functions and classes of the package."""

from __future__ import annotations

import array
import codecs
import copy
import csv
import gc
import io
import mmap
import os
import pickle
import random
import sys
import tempfile
import weakref
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import pytest

import support
import textcodec
from support import codec, some_bytes, some_string, some_text
from textcodec import Utf8Reader, webencodings
from textcodec._native import LineReader, Transcoder
from textcodec.lines import read_lines

SHIFT_JIS = b"\x8a\xbf\x8e\x9a"
MARKS = {"UTF-8": b"\xef\xbb\xbf", "UTF-16BE": b"\xfe\xff", "UTF-16LE": b"\xff\xfe"}


# Encodings.


def test_encodings() -> None:
    assert len(textcodec.ENCODINGS) == 40
    assert len({encoding.name for encoding in textcodec.ENCODINGS}) == 40
    labels = [label for encoding in textcodec.ENCODINGS for label in encoding.labels]
    assert len(labels) == len(set(labels)) == 228
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            assert textcodec.get_encoding(label) is encoding
            assert textcodec.get_encoding(f"\t\n\f\r {label.upper()} ") is encoding
        assert encoding.codec_name == f"whatwg-{encoding.name.lower()}"
        assert codecs.lookup(encoding.codec_name).name == encoding.codec_name
        assert repr(encoding) == f"<Encoding {encoding.name}>"
        assert str(encoding) == encoding.name
        unusual = encoding.name in ("replacement", "UTF-16BE", "UTF-16LE")
        assert encoding.output_encoding.name == ("UTF-8" if unusual else encoding.name)
    single = {encoding.name for encoding in textcodec.ENCODINGS if encoding.is_single_byte}
    assert {"IBM866", "windows-1252", "macintosh", "x-mac-cyrillic"} < single
    assert single.isdisjoint({"UTF-8", "GBK", "gb18030", "Big5", "EUC-JP", "EUC-KR", "Shift_JIS", "ISO-2022-JP", "replacement", "UTF-16LE"})


@pytest.mark.parametrize("encoding", [*textcodec.ENCODINGS, textcodec.ISOMORPHIC, textcodec.STRICT_ASCII], ids=str)
def test_an_encoding_is_a_value(encoding: textcodec.Encoding) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(encoding, protocol)) == encoding
    assert copy.copy(encoding) == copy.deepcopy(encoding) == encoding
    assert hash(copy.deepcopy(encoding)) == hash(encoding)
    everything = [*textcodec.ENCODINGS, textcodec.ISOMORPHIC, textcodec.STRICT_ASCII]
    assert [other == encoding for other in everything].count(True) == 1
    assert len(set(everything)) == 42
    assert encoding != encoding.name
    assert not encoding == None  # noqa: E711
    for attribute in ("name", "labels", "new"):
        with pytest.raises(AttributeError):
            setattr(encoding, attribute, "x")
    with pytest.raises(TypeError):
        encoding < encoding  # type: ignore[operator]
    with pytest.raises(TypeError):
        type(encoding)()
    with pytest.raises(TypeError):
        type("Subclass", (textcodec.Encoding,), {})


def test_repertoires(encodable: str) -> None:
    encoding = textcodec.get_encoding(encodable)
    ranges = encoding.repertoire()
    previous = -2
    for first, last in ranges:
        assert previous + 1 < first <= last <= 0x10FFFF or (previous, first) == (0xD7FF, 0xE000)
        assert not (first <= 0xDFFF and last >= 0xD800)
        previous = last
    # Some encodings have thousands of ranges.
    for first, last in random.Random(encodable).sample(ranges, min(len(ranges), 100)):
        for code_point in {first, last, (first + last) // 2}:
            assert encoding.can_encode(chr(code_point))
            assert encoding.encode(chr(code_point))
        for code_point in {first - 1, last + 1} - {-1, 0x110000}:
            if not 0xD800 <= code_point <= 0xDFFF:
                assert not encoding.can_encode(chr(code_point))
                with pytest.raises(UnicodeEncodeError):
                    encoding.encode(chr(code_point))
    chance = random.Random(encodable)
    for code_point in chance.sample(range(0xD800), 300):
        is_within = any(first <= code_point <= last for first, last in ranges)
        assert encoding.can_encode(chr(code_point)) == is_within


def test_can_encode_wants_one_character() -> None:
    encoding = textcodec.get_encoding("utf-8")
    assert textcodec.get_encoding("replacement").repertoire() == []
    assert not textcodec.get_encoding("replacement").can_encode("a")
    # A surrogate is a character of a str, and no encoder maps it.
    assert [encoding.can_encode(character) for character in ("a", "\U0010ffff", "\ud800")] == [True, True, False]
    for wrong in ("", "ab", None, 65, b"a"):
        with pytest.raises((TypeError, ValueError)):
            encoding.can_encode(wrong)  # type: ignore[arg-type]


def test_the_encodings_outside_the_standard() -> None:
    everything = bytes(range(256))
    assert textcodec.decode(everything, textcodec.ISOMORPHIC) == everything.decode("latin-1")
    assert textcodec.encode(everything.decode("latin-1"), textcodec.ISOMORPHIC) == everything
    assert textcodec.ISOMORPHIC.decode(b"\xe9\x80") == "\xe9\x80"
    assert textcodec.decode(b"abc", textcodec.STRICT_ASCII) == "abc"
    for byte in range(128, 256):
        with pytest.raises(UnicodeDecodeError) as raised:
            textcodec.decode(b"a" + bytes([byte]), textcodec.STRICT_ASCII)
        assert (raised.value.start, raised.value.end) == (1, 2)
    with pytest.raises(UnicodeEncodeError):
        textcodec.encode("\x80", textcodec.STRICT_ASCII)
    with pytest.raises(UnicodeEncodeError):
        textcodec.encode("\u0100", textcodec.ISOMORPHIC)
    assert textcodec.decode(b"\xef\xbb\xbfa", textcodec.ISOMORPHIC) == "a"
    assert textcodec.decode(b"\xef\xbb\xbfa", textcodec.ISOMORPHIC, bom="keep") == "\xef\xbb\xbfa"
    assert "abc" == pickle.loads(pickle.dumps(textcodec.STRICT_ASCII)).decode(b"abc")


def test_aliases() -> None:
    assert textcodec.get_encoding("cp932", aliases=True).name == "Shift_JIS"
    with pytest.raises(LookupError):
        textcodec.get_encoding("cp932")
    with pytest.raises(LookupError):
        textcodec.get_encoding("no such thing", aliases=True)


@pytest.mark.parametrize("label", ["", "utf8x", "shift-jiss", "\ud800", "utf-8\0", "\u212aoi8-r", "x" * 100_000, "latin1 latin1", "cp43", "IBM+850"])
def test_unknown_labels(label: str) -> None:
    for call in (
        lambda: textcodec.get_encoding(label),
        lambda: textcodec.decode(b"a", label),
        lambda: textcodec.decode_report(b"a", label),
        lambda: textcodec.encode("a", label),
        lambda: textcodec.transcode(b"a", label),
        lambda: textcodec.transcode(b"a", "utf-8", label),
        lambda: Utf8Reader(io.BytesIO(b"a"), label),
    ):
        with pytest.raises(LookupError):
            call()


def test_suggestions() -> None:
    for wrong, right in [("shift-jiss", "shift-jis"), ("utf-88", "utf-8"), ("eucjp", "EUC-JP")]:
        with pytest.raises(LookupError, match=right):
            textcodec.decode(b"", wrong)


@pytest.mark.parametrize("encoding", [None, 1, b"utf-8", object(), ["utf-8"]])
def test_encodings_of_the_wrong_type(encoding: Any) -> None:
    for call in (
        lambda: textcodec.get_encoding(encoding),
        lambda: textcodec.decode(b"a", encoding),
        lambda: textcodec.decode_report(b"a", encoding),
        lambda: textcodec.encode("a", encoding),
        lambda: textcodec.transcode(b"a", encoding),
        lambda: Utf8Reader(io.BytesIO(b"a"), encoding),
    ):
        with pytest.raises(TypeError):
            call()


# The registered codecs.


def test_codecs_have_all_names_of_labels() -> None:
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            for name in (f"whatwg-{label}", f"WHATWG_{label}", f"whatwg {label.upper()}"):
                assert codecs.lookup(name).name == encoding.codec_name
                assert codecs.lookup(f"{name}-bom").name == encoding.codec_name + "-bom"
    for name in ("whatwg", "whatwg-", "whatwg-bom", "whatwg-utf-8-bom-bom", "whatwg-x", "textcodec", "whatwg-utf\ud800"):
        with pytest.raises((LookupError, UnicodeEncodeError)):
            codecs.lookup(name)
    assert codecs.lookup("shift_jis").name == "shift_jis"


def test_codec_info() -> None:
    for name in support.NAMES:
        info = codecs.lookup(codec(name))
        assert isinstance(info, codecs.CodecInfo)
        assert info.decode(b"") == ("", 0)
        assert info.encode("") == (b"", 0)
        assert info._is_text_encoding  # type: ignore[attr-defined]
        for function in info[:2]:
            with pytest.raises(TypeError):
                function()
            with pytest.raises(TypeError):
                function(None)
            with pytest.raises(TypeError):
                function(1, "strict")
    info = codecs.lookup("whatwg-shift_jis")
    assert info.decode(SHIFT_JIS) == ("\u6f22\u5b57", 4)
    assert info.decode(SHIFT_JIS + b"\xff", "ignore") == ("\u6f22\u5b57", 5)
    assert info.encode("\u6f22\u5b57") == (SHIFT_JIS, 2)
    assert info.encode("a\U0001f600", "ignore") == (b"a", 2)
    assert info.decode(memoryview(SHIFT_JIS), None) == ("\u6f22\u5b57", 4)


def test_unregister() -> None:
    decoder = codecs.getincrementaldecoder("whatwg-shift_jis")()
    textcodec.unregister()
    try:
        with pytest.raises(LookupError):
            b"a".decode("whatwg-shift_jis")
        assert decoder.decode(SHIFT_JIS) == textcodec.decode(SHIFT_JIS, "shift_jis")
        textcodec.unregister()
    finally:
        textcodec.register()
    textcodec.register()
    assert SHIFT_JIS.decode("whatwg-shift_jis") == "\u6f22\u5b57"
    textcodec.unregister()
    try:
        with pytest.raises(LookupError):
            codecs.lookup("whatwg-utf-8")
    finally:
        textcodec.register()


# Functions.


def test_decode_and_encode_equal_the_codecs(name: str) -> None:
    encoding = textcodec.get_encoding(name)
    for seed in range(30):
        data, text = some_bytes(name, 60, seed), some_string(name, 60, seed)
        for errors in ("replace", "ignore", "backslashreplace"):
            kept = data.decode(codec(name), errors)
            sniffed = data.decode(codec(name) + "-bom", errors)
            assert textcodec.decode(data, name, errors, bom="keep") == kept
            assert textcodec.decode(data, name, errors) == textcodec.decode(data, encoding, errors, bom="sniff") == sniffed
            assert encoding.decode(data, errors) == sniffed
            assert encoding.decode(data, errors, bom="keep") == kept
            assert textcodec.transcode(data, encoding, errors=errors, bom="keep") == kept.encode()
        report = textcodec.decode_report(data, name)
        assert report.text == data.decode(codec(name) + "-bom", "replace")
        if name != "replacement":
            assert textcodec.encode(text, name, "replace") == encoding.encode(text, "replace") == text.encode(codec(name), "replace")
            assert textcodec.encode(text, name, "ignore", bom=True) == text.encode(codec(name) + "-bom", "ignore")


def test_byte_order_marks() -> None:
    for name, mark in MARKS.items():
        assert textcodec.for_bom(mark + b"a") == (textcodec.get_encoding(name), len(mark))
        assert textcodec.for_bom(bytearray(mark)) == textcodec.for_bom(memoryview(mark)) == (textcodec.get_encoding(name), len(mark))
        data = mark + "a\u20ac".encode(name)
        for label in ("utf-8", "utf-16le", "utf-16be", "shift_jis", "windows-1252", "replacement"):
            assert textcodec.decode(data, label) == "a\u20ac"
            report = textcodec.decode_report(data, label)
            assert (report.text, report.encoding.name, report.bom_removed, report.error_count) == ("a\u20ac", name, True, 0)
            assert textcodec.transcode(data, label) == "a\u20ac".encode()
        assert textcodec.decode(data, name, bom="strip") == "a\u20ac"
        assert textcodec.decode(data, name, bom="keep") == "\ufeffa\u20ac"
        assert textcodec.decode_report(data, name, bom="keep").bom_removed is False
        assert textcodec.decode(data, "windows-1252", bom="strip") == textcodec.decode(data, "windows-1252", bom="keep")
        assert textcodec.encode("a\u20ac", name, bom=True) == data
    assert textcodec.encode("a", "windows-1252", bom=True) == b"a"
    for data in (b"", b"\xef", b"\xef\xbb", b"\xff", b"a\xff\xfe"):
        assert textcodec.for_bom(data) is None
    for wrong in ("SNIFF", "", "sniff\0", "\ud800"):
        with pytest.raises(ValueError):
            textcodec.decode(b"", "utf-8", bom=wrong)  # type: ignore[arg-type]
    for wrong_type in (None, True, b"sniff"):
        with pytest.raises(TypeError):
            textcodec.decode(b"", "utf-8", bom=wrong_type)  # type: ignore[arg-type]


def test_decode_report() -> None:
    data = b"a\xffb\xe2\x82c" + b"\xff" * 200
    report = textcodec.decode_report(data, "utf-8")
    assert report.text == "a\ufffdb\ufffdc" + "\ufffd" * 200
    assert (report.encoding, report.bom_removed, report.error_count, len(report.errors)) == (textcodec.get_encoding("utf-8"), False, 202, 100)
    assert report.errors[1][:3] == (3, 5, b"\xe2\x82")
    assert report.errors[1].reason
    for limit, count in [(0, 0), (1, 1), (202, 202), (10**9, 202), (sys.maxsize, 202)]:
        assert len(textcodec.decode_report(data, "utf-8", limit=limit).errors) == count
    for wrong in (-1, 2**64, 2**200):
        with pytest.raises((OverflowError, ValueError)):
            textcodec.decode_report(data, "utf-8", limit=wrong)
    assert textcodec.decode_report(b"", "utf-8") == ("", textcodec.get_encoding("utf-8"), False, 0, ())
    marked = textcodec.decode_report(b"\xef\xbb\xbfa\xff", "shift_jis")
    assert marked.errors[0].start == 4
    assert pickle.loads(pickle.dumps(report)) == report
    long = textcodec.decode_report(b"x\xff" * 50_000, "utf-8", limit=2)
    assert (long.error_count, [error.start for error in long.errors]) == (50_000, [1, 3])


def test_transcode(name: str) -> None:
    encoding = textcodec.get_encoding(name)
    for length in (0, 1, 10, 300, 20_000, 100_000):
        text = some_text(name, length)
        data = text.encode(codec(name))
        text = data.decode(codec(name))
        assert textcodec.transcode(data, name, bom="keep") == text.encode()
        for target in ("utf-16le", "gb18030", "utf-8"):
            assert textcodec.transcode(data, encoding, target, bom="keep") == text.encode(codec(target))
            if name != "replacement":
                assert textcodec.transcode(text.encode(codec(target)), target, encoding, bom="keep") == text.encode(codec(name))
    noise = some_bytes(name, 3000)
    for target in ("windows-1252", "iso-2022-jp", "utf-16be"):
        for errors in ("replace", "ignore", "backslashreplace"):
            text = noise.decode(codec(name), errors)
            assert textcodec.transcode(noise, name, target, errors, bom="keep") == text.encode(codec(target), errors)
    if name != "replacement":
        with pytest.raises(UnicodeEncodeError):
            textcodec.transcode("\U0001f600".encode(), "utf-8", "windows-1252")
    with pytest.raises(UnicodeEncodeError):
        textcodec.transcode(b"a", "utf-8", "replacement")


# Inputs.


def everything_that_takes_bytes() -> list[Callable[[Any], Any]]:
    return [
        lambda data: textcodec.decode(data, "utf-8"),
        lambda data: textcodec.decode_report(data, "utf-8").text,
        lambda data: textcodec.transcode(data, "utf-8").decode(),
        lambda data: textcodec.get_encoding("utf-8").decode(data),
        lambda data: codecs.decode(data, "whatwg-utf-8"),
        lambda data: codecs.getincrementaldecoder("whatwg-utf-8")().decode(data, True),
        lambda data: textcodec.for_bom(data) and "",
        lambda data: textcodec.detect(data) and "",
        lambda data: Utf8Reader(io.BytesIO(data), "utf-8").read().decode(),
        lambda data: textcodec.Detector().feed(data),
        lambda data: textcodec.decode_mixed(data, ["utf-8", "gbk"]).text,
    ]


@pytest.mark.parametrize("size", [0, 1, 5, 300, 20_000])
def test_buffers(size: int) -> None:
    data = ("\u20ac" * size).encode()
    with tempfile.TemporaryFile() as file:
        file.write(data or b"x")
        file.flush()
        mapped = mmap.mmap(file.fileno(), 0)
        buffers: list[Any] = [
            data,
            bytearray(data),
            memoryview(data),
            memoryview(bytearray(b"ab" + data + b"cd"))[2:-2],
            memoryview(b"ab" + data + b"cd")[2:-2],
            memoryview(data).cast("b"),
            memoryview(data).cast("B", [len(data) // 3, 3]) if data else data,
            array.array("B", data),
            array.array("b", data),
            type("Subclass", (bytes,), {})(data),
            *([mapped] if data else []),
        ]
        for buffer in buffers:
            for call in everything_that_takes_bytes():
                assert call(buffer) in ("\u20ac" * size, "", None)
            assert textcodec.decode(buffer, "utf-8") == "\u20ac" * size
        # Nothing holds the memory.
        for buffer in buffers:
            if isinstance(buffer, memoryview):
                buffer.release()
            elif isinstance(buffer, bytearray):
                buffer.append(0)
        mapped.close()


def test_wide_items_are_bytes_in_memory() -> None:
    assert textcodec.decode(array.array("H", [0x20AC, 0x61]), "utf-16le" if sys.byteorder == "little" else "utf-16be") == "\u20aca"


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    data = numpy.frombuffer("\u20aca".encode(), numpy.uint8)
    for call in everything_that_takes_bytes()[:6]:
        assert call(data) == "\u20aca"
        with pytest.raises((BufferError, ValueError)):
            call(data[::2])
        with pytest.raises((BufferError, ValueError)):
            call(numpy.asfortranarray(numpy.zeros((3, 4), numpy.uint8)))


def test_strided_and_released_views() -> None:
    for call in everything_that_takes_bytes()[:8]:
        for view in (memoryview(b"abcdef")[::2], memoryview(b"abcdef")[::-1], memoryview(bytes(100_000))[::2]):
            with pytest.raises(BufferError):
                call(view)
        view = memoryview(b"abc")
        view.release()
        with pytest.raises(ValueError):
            call(view)
        closed = mmap.mmap(-1, 10)
        closed.close()
        with pytest.raises(ValueError):
            call(closed)


@pytest.mark.parametrize("wrong", ["text", None, 5, 1.5, [97], ("a",), object(), int])
def test_inputs_of_the_wrong_type(wrong: Any) -> None:
    for call in everything_that_takes_bytes()[:8]:
        with pytest.raises(TypeError):
            call(wrong)


@pytest.mark.parametrize("wrong", [b"bytes", bytearray(b"x"), None, 5, ["a"], object()])
def test_texts_of_the_wrong_type(wrong: Any) -> None:
    for call in (
        lambda: textcodec.encode(wrong, "utf-8"),
        lambda: textcodec.get_encoding("utf-8").encode(wrong),
        lambda: codecs.encode(wrong, "whatwg-utf-8"),
        lambda: codecs.getincrementalencoder("whatwg-utf-8")().encode(wrong),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("wrong", [b"strict", 1, True, object()])
def test_errors_of_the_wrong_type(wrong: Any) -> None:
    for call in (
        lambda: textcodec.decode(b"", "utf-8", wrong),
        lambda: textcodec.encode("", "utf-8", wrong),
        lambda: textcodec.transcode(b"", "utf-8", "utf-8", wrong),
        lambda: codecs.lookup("whatwg-utf-8").decode(b"", wrong),
        lambda: codecs.getincrementaldecoder("whatwg-utf-8")(wrong),
        lambda: Utf8Reader(io.BytesIO(), "utf-8", wrong),
    ):
        with pytest.raises(TypeError):
            call()


# Utf8Reader.


class Trickle(io.RawIOBase):
    """A stream that returns few bytes at a time, and has no name."""

    def __init__(self, data: bytes) -> None:
        self.stream = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self.stream.read(min(size, 3) if size >= 0 else -1)


def test_reader(name: str) -> None:
    chance = random.Random(name)
    for data in (some_bytes(name, 500), some_bytes(name, 3), b""):
        expected = data.decode(codec(name) + "-bom", "replace").encode()
        assert Utf8Reader(io.BytesIO(data), name, "replace").read() == expected
        assert Utf8Reader(io.BytesIO(data), textcodec.get_encoding(name), "replace").readall() == expected
        assert Utf8Reader(Trickle(data), name, "replace").read() == expected
        assert Utf8Reader(io.BytesIO(data), name, "replace", bom="keep").read() == data.decode(codec(name), "replace").encode()
        assert io.BufferedReader(Utf8Reader(Trickle(data), name, "replace")).read() == expected
        text = io.TextIOWrapper(io.BufferedReader(Utf8Reader(io.BytesIO(data), name, "replace")), "utf-8", newline="")
        assert text.read().encode() == expected
        reader, parts = Utf8Reader(Trickle(data), name, "replace"), []
        while part := reader.read(chance.randrange(1, 9)):
            parts.append(part)
        assert b"".join(parts) == expected
        reader, parts = Utf8Reader(Trickle(data), name, "replace"), []
        buffer = bytearray(7)
        while count := reader.readinto(buffer):
            parts.append(bytes(buffer[:count]))
        assert b"".join(parts) == expected
        assert reader.read() == reader.read(5) == b""
        assert reader.readinto(buffer) == 0
        for errors in ("ignore", "backslashreplace", "test.reader"):
            codecs.register_error("test.reader", lambda error: ("<>", error.end))
            assert Utf8Reader(Trickle(data), name, errors, bom="keep").read() == data.decode(codec(name), errors).encode()


def test_reader_with_csv_and_pandas(tmp_path: Path) -> None:
    rows = [["\u6f22\u5b57", "1"], ["\u304b\u306a, \u8868", "2"], ["", "3"]]
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    path = tmp_path / "table.csv"
    path.write_bytes(text.getvalue().encode("whatwg-shift_jis"))
    with Utf8Reader(path, "shift_jis") as reader:
        assert list(csv.reader(io.TextIOWrapper(io.BufferedReader(reader), "utf-8", newline=""))) == rows
    with Utf8Reader(str(path), "shift_jis") as reader:
        assert [line.decode() for line in reader] == text.getvalue().splitlines(keepends=True)
    pandas = pytest.importorskip("pandas")
    for frame in (
        pandas.read_csv(Utf8Reader(path, "shift_jis"), header=None, keep_default_na=False),
        pandas.read_csv(path, encoding="whatwg-shift_jis", header=None, keep_default_na=False),
    ):
        assert frame.astype(str).values.tolist() == rows


def test_the_files_of_a_reader(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(SHIFT_JIS)
    with Utf8Reader(path, "shift_jis") as reader:
        opened = reader._file
        assert reader.name == str(path) or reader.name == path
        assert reader.readable() and not reader.writable() and not reader.seekable() and not reader.closed
        assert reader.read(2) + reader.read() == "\u6f22\u5b57".encode()
    assert reader.closed and opened.closed
    reader.close()
    for use in (lambda: reader.read(), lambda: reader.read(1), lambda: reader.read(0), lambda: reader.readall(), lambda: reader.readinto(bytearray(1))):
        with pytest.raises(ValueError):
            use()
    # Only what was opened here is closed.
    stream = io.BytesIO(SHIFT_JIS)
    with Utf8Reader(stream, "shift_jis"):
        pass
    assert not stream.closed
    with pytest.raises(FileNotFoundError):
        Utf8Reader(tmp_path / "missing", "utf-8")
    with pytest.raises(LookupError):
        Utf8Reader(tmp_path / "missing", "no such thing")
    for wrong in (None, 3, b"file", bytearray(b"file"), os.fsencode(path), object()):
        with pytest.raises(TypeError, match=f"file must be a path .* not {type(wrong).__name__}. For data: io.BytesIO"):
            Utf8Reader(wrong, "utf-8")
    with pytest.raises(TypeError):
        Utf8Reader(io.StringIO("text"), "utf-8").read()

    class BytesPath:
        def __fspath__(self) -> bytes:
            return os.fsencode(path)

    with Utf8Reader(BytesPath(), "shift_jis") as reader:  # type: ignore[arg-type]
        assert reader.read() == "\u6f22\u5b57".encode()
    with pytest.raises((io.UnsupportedOperation, OSError)):
        Utf8Reader(io.BytesIO(), "utf-8").seek(0)
    reader = Utf8Reader(io.BytesIO(b"x"), "utf-8")
    with pytest.raises(TypeError):
        reader.readinto(b"read-only")
    assert reader.read() == b"x"


def test_readers_that_could_not_be_made_are_closed_silently(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ignored: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    for file, label in [(tmp_path / "missing", "utf-8"), (tmp_path, "utf-8"), (io.BytesIO(), "no such thing")]:
        with pytest.raises((OSError, LookupError)):
            Utf8Reader(file, label)
        # What `__del__` does, whose exceptions are only shown in the development mode of some versions.
        reader = Utf8Reader.__new__(Utf8Reader)
        with pytest.raises((OSError, LookupError)):
            reader.__init__(file, label)  # type: ignore[misc]
        reader.close()
        assert reader.closed
    assert not ignored


def test_a_reader_that_would_block() -> None:
    class Empty:
        def read(self, size: int) -> None:
            return None

    with pytest.raises(BlockingIOError):
        Utf8Reader(Empty(), "utf-8").read(1)


@pytest.mark.parametrize("errors", ["strict", "surrogatepass", "test.fail"])
def test_errors_of_a_reader_have_the_offset(errors: str) -> None:
    def fail(error: UnicodeDecodeError) -> Any:
        raise error

    codecs.register_error("test.fail", fail)
    for before in (0, 10, 3 << 20):
        reader = Utf8Reader(io.BytesIO(b"a" * before + b"\xff tail"), "utf-8", errors)
        with pytest.raises(UnicodeDecodeError) as raised:
            while reader.read(1 << 16):
                pass
        if sys.version_info >= (3, 11):
            assert f"at byte {before} of the file" in raised.value.__notes__
    reader = Utf8Reader(Trickle(b"abcd\xe2\x82"), "utf-8", errors)
    with pytest.raises(UnicodeDecodeError) as raised:
        reader.read()
    if sys.version_info >= (3, 11):
        assert "at byte 4 of the file" in raised.value.__notes__


def test_reading_all_of_a_file_that_blocks_loses_nothing() -> None:
    class Slow:
        blocks = [b"abc", None, b"def", b""]

        def read(self, size: int) -> bytes | None:
            return self.blocks.pop(0)

    reader = Utf8Reader(Slow(), "windows-1252")
    with pytest.raises(BlockingIOError):
        reader.read()
    assert reader.read() == b"abcdef"


class Failing:
    """A file that returns at most 100 bytes at a time, and fails in the calls `failures` instead."""

    def __init__(self, data: bytes, failures: Container[int], error: type[BaseException]) -> None:
        self.stream = io.BytesIO(data)
        self.failures = failures
        self.error = error
        self.calls = 0

    def read(self, size: int) -> bytes:
        self.calls += 1
        if self.calls in self.failures:
            raise self.error
        return self.stream.read(min(size, 100))


def read_into(reader: Utf8Reader, size: int) -> bytes:
    buffer = bytearray(size)
    return bytes(buffer[: reader.readinto(buffer)])


READS: list[Callable[[Utf8Reader], bytes]] = [
    lambda reader: reader.read(),
    lambda reader: reader.readall(),
    lambda reader: reader.read(1),
    lambda reader: reader.read(150),
    lambda reader: reader.readline(),
    lambda reader: reader.readline(150),
    lambda reader: next(reader, b""),
    lambda reader: b"".join(reader.readlines()),
    lambda reader: b"".join(reader.readlines(300)),
    lambda reader: read_into(reader, 7),
    lambda reader: read_into(reader, 1000),
]


def read_again_and_again(reader: Utf8Reader, reads: list[Callable[[Utf8Reader], bytes]], error: type[BaseException]) -> tuple[list[bytes], int]:
    """Calls the functions in turn, each until it does not fail, to the end. Returns what they return, and how often they failed."""
    parts: list[bytes] = []
    failures = 0
    while not parts or parts[-1]:
        try:
            parts.append(reads[len(parts) % len(reads)](reader))
        except error:
            failures += 1
    return parts, failures


@pytest.mark.parametrize("error", [TimeoutError, KeyboardInterrupt, MemoryError])
def test_a_reader_loses_nothing_if_its_file_fails(error: type[BaseException]) -> None:
    text = "\u6f22a\n" + "\u6f22" * 170 + "\n\n" + "b" * 230 + "\nend"
    data = text.encode("shift_jis")
    calls = len(data) // 100 + 2
    for failures in (*({call} for call in range(1, calls + 1)), {2, 3, 5, 7, 8}, range(1, 100, 2)):
        for read in READS:
            whole, _ = read_again_and_again(Utf8Reader(io.BytesIO(data), "shift_jis"), [read], error)
            parts, count = read_again_and_again(Utf8Reader(Failing(data, failures, error), "shift_jis"), [read], error)
            assert b"".join(parts) == text.encode() and count > 0, (failures, READS.index(read))
            # Lines are whole.
            if READS.index(read) in (0, 1, 4, 5, 6, 7, 8):
                assert parts == whole, (failures, READS.index(read))
        chance = random.Random(str(failures))
        for _ in range(20):
            mixed = [chance.choice(READS) for _ in range(7)]
            parts, _ = read_again_and_again(Utf8Reader(Failing(data, failures, error), "shift_jis"), mixed, error)
            assert b"".join(parts) == text.encode()


def test_a_reader_loses_nothing_without_memory_for_a_conversion() -> None:
    text = "a" * 130 + "\u6f22\n" + "b" * 250
    data = text.encode("iso-2022-jp")

    class Scarce:
        """A transcoder that fails in one call."""

        def __init__(self, failure: int) -> None:
            self.transcoder = Transcoder("iso-2022-jp", "strict", "sniff")
            self.left = failure

        def transcode(self, block: bytes, final: bool) -> bytes:
            self.left -= 1
            if self.left == 0:
                raise MemoryError
            return self.transcoder.transcode(block, final)

    for read in READS:
        for failure in range(1, 6):
            reader = Utf8Reader(Failing(data, (), MemoryError), "iso-2022-jp")
            reader._transcoder = Scarce(failure)  # type: ignore[assignment]
            parts, count = read_again_and_again(reader, [read], MemoryError)
            assert (b"".join(parts), count) == (text.encode(), 1), (failure, READS.index(read))


def test_what_a_reader_had_collected_before_a_malformed_sequence_is_left() -> None:
    data = b"a" * 250 + b"\xff" + b"b" * 100
    for read in ("read", "readline", "readlines", "readall"):
        reader = Utf8Reader(Failing(data, (), OSError), "utf-8")
        with pytest.raises(UnicodeDecodeError):
            getattr(reader, read)()
        with pytest.raises(ValueError, match="an earlier read of the file failed"):
            getattr(reader, read)()
        assert [reader.read(150), reader.read(150)] == [b"a" * 100] * 2
        with pytest.raises(ValueError, match="an earlier read of the file failed"):
            reader.read(150)


def test_a_handler_that_reads_from_its_reader_takes_nothing() -> None:
    refused: list[RuntimeError] = []

    def read(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        for call in READS:
            with pytest.raises(RuntimeError) as raised:
                call(reader)
            refused.append(raised.value)
        return "?", error.end

    codecs.register_error("test.read", read)
    for call in READS:
        reader = Utf8Reader(Failing(b"a" * 250 + b"\xff" + b"b" * 100, (), OSError), "utf-8", "test.read")
        parts, _ = read_again_and_again(reader, [call], OSError)
        assert b"".join(parts) == b"a" * 250 + b"?" + b"b" * 100
    assert len(refused) == len(READS) ** 2


def test_what_holds_a_file_or_a_state_cannot_be_copied(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(SHIFT_JIS)
    reader = Utf8Reader(path, "shift_jis")
    info = codecs.lookup("whatwg-shift_jis")
    for item in (
        reader,
        info.incrementaldecoder(),
        info.incrementalencoder(),
        info.streamreader(io.BytesIO()),
        info.streamwriter(io.BytesIO()),
        webencodings.IncrementalDecoder("sjis"),
        webencodings.IncrementalEncoder("sjis"),
        Transcoder("sjis", "strict", "sniff"),
        LineReader("sjis", "replace", 0, None, "sniff", False),
        read_lines(path, "sjis"),
    ):
        for call in (copy.copy, copy.deepcopy, *(lambda item, p=p: pickle.dumps(item, p) for p in range(pickle.HIGHEST_PROTOCOL + 1))):
            with pytest.raises(TypeError):
                call(item)  # type: ignore[operator]
    gc.collect()
    assert reader.read() == "\u6f22\u5b57".encode()
    reader.close()


def test_the_offset_after_a_handler_has_moved() -> None:
    def again(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        calls.append(error.start)
        if len(calls) == 3:
            raise error
        return "?", 0 if len(calls) == 1 else error.end

    calls: list[int] = []
    codecs.register_error("test.again", again)
    data = b"a" * 100 + b"\xff\xff" + b"b" * 8
    reader = Utf8Reader(io.BytesIO(data), "utf-8", "test.again")
    with pytest.raises(UnicodeDecodeError) as raised:
        reader.read()
    assert calls == [100, 100, 101]
    assert getattr(raised.value, "__notes__", ["at byte 101 of the file"]) == ["at byte 101 of the file"]
    with pytest.raises(ValueError, match="surrogateescape"):
        Utf8Reader(io.BytesIO(b""), "utf-8", "surrogateescape")


def test_a_reader_after_an_error_does_not_pretend_the_end() -> None:
    """What follows an error must not look like a file without it."""
    reader = Utf8Reader(io.BytesIO(b"good\xffbad"), "utf-8")
    with pytest.raises(UnicodeDecodeError):
        reader.read(100)
    for _ in range(2):
        with pytest.raises(ValueError, match="an earlier read of the file failed: 'utf-8' codec can't decode byte 0xff"):
            reader.read(100)


def test_the_documented_names_exist() -> None:
    for name in textcodec.__all__:
        assert getattr(textcodec, name) is not None
    assert textcodec.__version__


def test_incremental_coders_are_classes() -> None:
    for name in ("Shift_JIS", "UTF-8", "ISO-2022-JP", "replacement"):
        for suffix in ("", "-bom"):
            info = codecs.lookup(codec(name) + suffix)
            for create, base in ((info.incrementaldecoder, codecs.IncrementalDecoder), (info.incrementalencoder, codecs.IncrementalEncoder)):
                assert isinstance(create, type) and issubclass(create, base)
                assert create.__name__ == base.__name__ and create.codec.name == info.name  # type: ignore[attr-defined]
                assert isinstance(create(), base) and create().errors == "strict"
                assert create("replace").errors == create(errors="ignore").errors.replace("ignore", "replace") == "replace"
                with pytest.raises(TypeError):
                    create(1)  # type: ignore[arg-type]

                class Counting(create):  # type: ignore[misc, valid-type]
                    calls = 0

                    def reset(self) -> None:
                        self.calls += 1
                        super().reset()

                coder = Counting("replace")
                coder.reset()
                assert (coder.calls, coder.errors) == (1, "replace")
    decoder = codecs.getincrementaldecoder("whatwg-shift_jis")
    assert decoder("replace").decode(b"\x8a\xbf\xff", True) == "\u6f22\ufffd"
    gone = weakref.ref(decoder())
    gc.collect()
    assert gone() is None


def test_a_reader_of_utf8_has_lines() -> None:
    text = "\u6f22\u5b57\n\na\r\n" * 300 + "\u6f22" * 5000 + "\nend"
    data = text.encode("shift_jis")
    expected = io.BytesIO(text.encode()).readlines()
    assert list(textcodec.Utf8Reader(io.BytesIO(data), "shift_jis")) == expected
    reader = textcodec.Utf8Reader(io.BytesIO(data), "shift_jis")
    other = io.BytesIO(text.encode())
    for size in (None, -1, 0, 1, 2, 5, 100, 10**9) * 50:
        assert reader.readline(size) == other.readline(-1 if size is None else size)
        assert reader.read(3) == other.read(3)
    assert reader.readlines(100) == other.readlines(100)
    assert reader.readall() == other.read()
    assert reader.readline() == b""
    with pytest.raises(ValueError):
        reader.close()
        reader.readline()

    class Slow(io.RawIOBase):
        parts = [b"ab", None, b"c\nd", None, b"\ne", b"", b""]

        def read(self, size: int = -1) -> bytes | None:
            return self.parts.pop(0)

    reader = textcodec.Utf8Reader(Slow(), "shift_jis")
    lines = []
    while not lines or lines[-1]:
        try:
            lines.append(reader.readline())
        except BlockingIOError:
            pass
    assert lines == [b"abc\n", b"d\n", b"e", b""]

    class Counted(textcodec.Utf8Reader):
        calls = 0

        def read(self, size: int | None = -1) -> bytes:
            self.calls += 1
            return super().read(size)

    # A call for each byte takes a hundred times as long.
    counted = Counted(io.BytesIO(data), "shift_jis")
    assert list(counted) == expected and counted.calls == 0
