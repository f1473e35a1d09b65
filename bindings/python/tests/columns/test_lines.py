"""`textcodec.lines` against the text of the whole file."""

from __future__ import annotations

import io
import itertools
import os
import pickle
import random
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

import textcodec
from textcodec import lines
from textcodec.lines import Line, read_batches, read_lines

WITH_STATE = ["UTF-7", "true-hz", "true-iso-2022-kr", "GSM-03.38"]
OEM = ["IBM437", "IBM864", "IBM037", "IBM1047", "IBM875", "JOHAB", "CESU-8", "UTF-32", "UTF-32BE", "UTF-32LE", "true-ucs-2be", "true-ucs-2le"]
SPLITTABLE = [e.name for e in textcodec.ENCODINGS if e.name not in ("ISO-2022-JP", "replacement")] + OEM
BYTES = [name for name in SPLITTABLE if not name.startswith(("UTF-16", "UTF-32", "true-ucs-2"))]


def split(text: str) -> list[str]:
    """The lines of a text, which end with LF, CRLF or CR."""
    parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return parts[:-1] if parts[-1] == "" else parts


def texts(data: bytes, *arguments: object, **named: object) -> list[str | None]:
    return [line.text for line in read_lines(io.BytesIO(data), *arguments, **named)]  # type: ignore[arg-type]


class Trickle(io.BytesIO):
    """A file that returns few bytes at a time, as a socket may."""

    def __init__(self, data: bytes, sizes: Iterator[int]) -> None:
        super().__init__(data)
        self.sizes = sizes

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, next(self.sizes)))


def hostile(source: random.Random, length: int) -> bytes:
    """Bytes in which line ends, lead bytes, trail bytes and digits meet."""
    alphabet = [0x0A, 0x0D, 0x0A, 0x0D, 0x00, 0x20, 0x30, 0x39, 0x41, 0x5C, 0x7E, 0x80, 0x81, 0x8F, 0x93, 0xA4, 0xD8, 0xDC, 0xE3, 0xFA, 0xFE, 0xFF]
    return bytes(source.choice(alphabet) for _ in range(length))


def test_a_part_that_ends_after_an_undecided_line_end() -> None:
    # The CR at 2 may become CRLF, and the part ends with half of the next code unit.
    for cut in range(6):
        parts = [*read_lines(io.BytesIO(b"\0\n\0\r\x8f"), "utf-16be", 0, cut), *read_lines(io.BytesIO(b"\0\n\0\r\x8f"), "utf-16be", cut)]
        assert parts == [Line("", 0), Line("", 2), Line("\ufffd", 4, b"\x8f")], cut


def interesting(source: random.Random, name: str) -> bytes:
    """Text with line ends, and characters of which a byte is that of a line end."""
    pool = "ab\n\r\n\r\x85\u0a0d\u0d0a\u0a00\u000a\u6f22\ud55c+~{\f\ufeff\U0001f600"
    text = "".join(source.choices(pool, k=source.randrange(20)))
    return textcodec.encode(text, name, "ignore") + hostile(source, source.randrange(4))


@pytest.mark.parametrize("name", [*SPLITTABLE, *WITH_STATE])
def test_parts_have_the_lines_of_the_whole_file(name: str) -> None:
    source = random.Random(name)
    for number in range(40):
        data = interesting(source, name) if number % 2 and name in (*OEM, *WITH_STATE) else hostile(source, source.randrange(60))
        whole = split(textcodec.decode(data, name, "replace"))
        expected = list(read_lines(io.BytesIO(data), name))
        assert [line.text for line in expected] == whole, data
        for _ in range(5):
            cuts = [0, *sorted(source.randrange(len(data) + 2) for _ in range(source.randrange(4))), None]
            parts = [read_lines(io.BytesIO(data), name, start or 0, end) for start, end in itertools.pairwise(cuts)]
            assert list(itertools.chain.from_iterable(parts)) == expected, (data, cuts)


@pytest.mark.parametrize("name", [*SPLITTABLE, "ISO-2022-JP", *WITH_STATE])
def test_short_reads_change_nothing(name: str) -> None:
    source = random.Random(name)
    for number in range(40):
        data = interesting(source, name) if number % 2 and name in (*OEM, *WITH_STATE) else hostile(source, source.randrange(60))
        start, end = sorted(source.randrange(60) for _ in range(2))
        expected = list(read_lines(io.BytesIO(data), name, start, end))
        for sizes in itertools.repeat(1), (source.randrange(1, 4) for _ in itertools.count()):
            assert list(read_lines(Trickle(data, sizes), name, start, end)) == expected, (data, start, end)


@pytest.mark.parametrize("name", SPLITTABLE)
def test_offsets_and_malformed_bytes(name: str) -> None:
    source = random.Random(name)
    malformed = 0
    for _ in range(40):
        data = hostile(source, source.randrange(60))
        for line, following in itertools.pairwise([*read_lines(io.BytesIO(data), name, bom="keep"), None]):
            assert line is not None
            content = data[line.offset : following.offset if following else None]
            lf, cr = (textcodec.encode(end, "UTF-32BE" if name == "UTF-32" else name) for end in "\n\r")
            bare = content.removesuffix(lf) if content.endswith(lf) else content
            bare = bare.removesuffix(cr)
            if line.corrupt is not None:
                assert line.corrupt == bare
                malformed += 1
            else:
                # Well-formed lines decode alone.
                assert textcodec.decode(bare, name, bom="keep") == line.text
    assert malformed > 0 or textcodec.get_encoding(name).name in TOTAL


TOTAL = {"IBM866", "KOI8-R", "KOI8-U", "macintosh", "x-mac-cyrillic", "x-user-defined"} | {
    e.name for e in (*textcodec.ENCODINGS, *textcodec.OEM_ENCODINGS) if e.is_single_byte
}


def test_an_interrupted_sequence_gives_its_digit_back() -> None:
    # The whole file decodes to U+FFFD, 0, LF. The line alone would lose the digit.
    assert texts(b"\x81\x30\nb", "gb18030") == ["\ufffd0", "b"]


def test_errors() -> None:
    data = b"a\n\x93\xfa\xff\nb\n"
    replaced = [Line("a", 0), Line("日\ufffd", 2, b"\x93\xfa\xff"), Line("b", 6)]
    assert list(read_lines(io.BytesIO(data), "shift_jis")) == replaced
    assert list(read_lines(io.BytesIO(data), "shift_jis", errors="null"))[1] == Line(None, 2, b"\x93\xfa\xff")
    assert list(read_lines(io.BytesIO(data), "shift_jis", errors="drop")) == [replaced[0], replaced[2]]
    strict = read_lines(io.BytesIO(data), "shift_jis", errors="strict")
    assert next(strict) == Line("a", 0)
    with pytest.raises(UnicodeDecodeError) as caught:
        next(strict)
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("shift_jis", b"\x93\xfa\xff", 2, 3)
    assert "in the line at byte 2 of the file" in error.reason
    assert list(strict) == []
    # A part after the malformed line is well-formed.
    assert list(read_lines(io.BytesIO(data), "shift_jis", 3, errors="strict")) == [Line("b", 6)]


def test_a_replacement_character_in_the_file_is_not_an_error() -> None:
    assert list(read_lines(io.BytesIO("\ufffd".encode()), "utf-8", errors="strict")) == [Line("\ufffd", 0)]


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"\xef\xbb\xbfa\nb", "utf-8", [Line("a", 3), Line("b", 5)]),
        (b"\xef\xbb\xbfa\nb", "windows-1252", [Line("a", 3), Line("b", 5)]),
        (b"\xff\xfea\0\n\0b\0", "windows-1252", [Line("a", 2), Line("b", 6)]),
        (b"\xfe\xff\0a\0\r\0\n\0b", "utf-16le", [Line("a", 2), Line("b", 8)]),
        (b"\xef\xbb\xbf", "utf-8", []),
        (b"\xef\xbb", "utf-8", [Line("\ufffd", 0, b"\xef\xbb")]),
        (b"\xef\xbb\xbf\n", "utf-8", [Line("", 3)]),
        (b"\xff\xfe", "utf-16", []),
        (b"", "utf-8", []),
        (b"\n", "utf-8", [Line("", 0)]),
        (b"a", "utf-8", [Line("a", 0)]),
        (b"a\n\xef\xbb\xbfb", "utf-8", [Line("a", 0), Line("\ufeffb", 2)]),
    ],
)
def test_byte_order_marks(data: bytes, name: str, expected: list[Line]) -> None:
    assert list(read_lines(io.BytesIO(data), name)) == expected
    # Each line is in one part, whatever the parts.
    for cut in range(len(data) + 2):
        parts = [*read_lines(io.BytesIO(data), name, 0, cut), *read_lines(io.BytesIO(data), name, cut)]
        assert parts == expected, cut


def test_marks_that_are_text() -> None:
    data = b"\xef\xbb\xbfa"
    assert texts(data, "windows-1252", bom="strip") == ["ï»¿a"]
    assert texts(data, "utf-8", bom="strip") == ["a"]
    assert texts(data, "utf-8", bom="keep") == ["\ufeffa"]


JIS = "日本\n語\r\nabc\rア\n".encode("iso-2022-jp")


def test_iso_2022_jp_is_read_from_the_start_of_the_file() -> None:
    expected = list(read_lines(io.BytesIO(JIS), "iso-2022-jp"))
    assert [line.text for line in expected] == ["日本", "語", "abc", "ア"]
    for cut in range(len(JIS) + 2):
        parts = [*read_lines(io.BytesIO(JIS), "iso-2022-jp", 0, cut), *read_lines(io.BytesIO(JIS), "iso-2022-jp", cut)]
        assert parts == expected, cut


def test_a_line_of_iso_2022_jp_may_continue_the_state_of_the_line_before() -> None:
    # Roman letters continue after a line end: 5C is the yen sign.
    data = b"\x1b(J\\\n\\\n"
    assert texts(data, "iso-2022-jp") == ["¥", "¥"]
    assert texts(data, "iso-2022-jp", 4) == ["¥"]
    assert texts(data, "iso-2022-jp", line_reset=True) == ["¥", "\\"]
    # A line end among characters of two bytes is malformed, and ends no line.
    data = b"\x1b$BF|\nK\\\x1b(B\n"
    assert texts(data, "iso-2022-jp") == split(textcodec.decode(data, "iso-2022-jp", "replace"))
    assert [line.corrupt for line in read_lines(io.BytesIO(data), "iso-2022-jp")] == [data[:-1]]
    with pytest.raises(UnicodeDecodeError) as caught:
        list(read_lines(io.BytesIO(b"a\n" + data), "iso-2022-jp", errors="strict"))
    assert (caught.value.object, caught.value.start) == (data[:-1], 5)


def test_iso_2022_jp_against_the_whole_file() -> None:
    source = random.Random(0)
    pieces = [b"\x1b(B", b"\x1b(J", b"\x1b$B", b"\x1b(I", b"\x1b", b"\n", b"\r\n", b"\r", b"F|", b"a", b"\\", b"\xff"]
    for _ in range(2000):
        data = b"".join(source.choice(pieces) for _ in range(source.randrange(12)))
        whole = split(textcodec.decode(data, "iso-2022-jp", "replace"))
        expected = list(read_lines(io.BytesIO(data), "iso-2022-jp"))
        assert [line.text for line in expected] == whole, data
        cuts = [0, *sorted(source.randrange(len(data) + 2) for _ in range(2)), None]
        parts = [read_lines(io.BytesIO(data), "iso-2022-jp", start or 0, end) for start, end in itertools.pairwise(cuts)]
        assert list(itertools.chain.from_iterable(parts)) == expected, (data, cuts)
        found = list(read_lines(Trickle(data, itertools.repeat(1)), "iso-2022-jp"))
        assert [line.text for line in found] == whole, data


def test_an_escape_sequence_at_the_end_is_not_a_line() -> None:
    for line_reset in False, True:
        assert texts(b"a\n\x1b(B", "iso-2022-jp", line_reset=line_reset) == ["a"]
        assert texts(b"a\n\x1b(B\n", "iso-2022-jp", line_reset=line_reset) == ["a", ""]


def test_line_reset_splits_iso_2022_jp() -> None:
    expected = list(read_lines(io.BytesIO(JIS), "iso-2022-jp"))
    for cut in range(len(JIS) + 2):
        file = io.BytesIO(JIS)
        parts = [*read_lines(file, "iso-2022-jp", 0, cut, line_reset=True), *read_lines(file, "iso-2022-jp", cut, line_reset=True)]
        assert parts == expected, cut


def test_batches_have_the_same_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    data = b"".join(b"line %d \x93\xfa\n%s" % (number, b"\xff\r" * (number % 100 == 0)) for number in range(300_000))
    expected = list(read_lines(io.BytesIO(data), "shift_jis"))
    monkeypatch.setattr(lines, "_BATCH", 1 << 20)
    batches = list(read_batches(io.BytesIO(data), "shift_jis"))
    assert len(batches) > 4
    assert all(batch.nbytes <= 1 << 20 for batch in batches)
    table = pyarrow.Table.from_batches(batches)
    assert table.column_names == ["value", "_offset", "_corrupt"]
    columns = [table.column(name).to_pylist() for name in table.column_names]
    assert [Line(*row) for row in zip(*columns, strict=True)] == expected
    table.validate(full=True)
    # The batch leaves memory for other columns.
    wide = list(read_batches(io.BytesIO(data), "shift_jis", columns=["value"], row_size=1000))
    assert max(batch.num_rows for batch in wide) <= (1 << 20) // 1000
    assert sum(batch.num_rows for batch in wide) == len(expected)
    dropped = pyarrow.Table.from_batches(read_batches(io.BytesIO(data), "shift_jis", errors="drop"))
    assert dropped.num_rows == 300_000


def test_empty_lines_do_not_exceed_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(lines, "_BATCH", 1 << 16)
    batches = list(read_batches(io.BytesIO(b"\n" * 100_000), "gbk"))
    assert sum(batch.num_rows for batch in batches) == 100_000
    assert max(batch.nbytes for batch in batches) <= 1 << 16


def test_a_long_line_is_whole() -> None:
    data = b"\x93\xfa" * 500_000 + b"\nb"
    assert texts(data, "shift_jis") == ["日" * 500_000, "b"]
    assert texts(data, "shift_jis", 1, 1_000_000) == []
    assert texts(data, "shift_jis", 1) == ["b"]


def test_memory_does_not_depend_on_the_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Memory of the extension is not traced. That it keeps no more than a block follows from the blocks that it asks for.
    monkeypatch.setattr(lines, "_BLOCK", 1 << 16)
    path = tmp_path / "large"
    path.write_bytes(b"0123456789abcde\n" * (1 << 17))

    def peak(end: int) -> int:
        tracemalloc.start()
        count = sum(1 for _ in read_lines(path, "shift_jis", 0, end))
        result = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count == end // 16
        return result

    small = peak(1 << 17)
    assert peak(1 << 21) < small * 1.5


def test_a_part_reads_only_its_bytes() -> None:
    class Counting(io.BytesIO):
        total = 0

        def read(self, size: int | None = -1, /) -> bytes:
            block = super().read(size)
            self.total += len(block)
            return block

    file = Counting(b"0123456789abcde\n" * (1 << 17))
    assert sum(1 for _ in read_lines(file, "shift_jis", 1 << 20, (1 << 20) + (1 << 16))) == 1 << 12
    assert file.total < (1 << 17) + 100
    # A part within one long line.
    file = Counting(b"a" * (1 << 21))
    assert list(read_lines(file, "shift_jis", 1 << 20, (1 << 20) + (1 << 16))) == []
    assert file.total < (1 << 17) + 100


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "é.txt"
    path.write_bytes(b"\x93\xfa\n")
    assert list(read_lines(path, "shift_jis")) == [Line("日", 0)]
    assert list(read_lines(str(path), "shift_jis")) == [Line("日", 0)]
    pytest.importorskip("fsspec")
    assert list(read_lines(path.as_uri().replace("%C3%A9", "é"), "shift_jis")) == [Line("日", 0)]
    with pytest.raises(FileNotFoundError):
        list(read_lines(tmp_path / "missing", "shift_jis"))


def test_addresses_need_fsspec(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(ImportError, match="fsspec is needed for memory://a.txt: pip install fsspec"):
        list(read_lines("memory://a.txt", "gbk"))


def test_a_file_that_cannot_seek(tmp_path: Path) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.data = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1, /) -> bytes:
            return self.data.read(size)

    assert [line.text for line in read_lines(Pipe(b"\xef\xbb\xbfa\nb\n"), "gbk")] == ["a", "b"]
    with pytest.raises(io.UnsupportedOperation):
        list(read_lines(Pipe(b"a\nbcdef\n"), "gbk", 6))


def test_a_file_with_nothing_but_read() -> None:
    class OnlyRead:
        def __init__(self, data: bytes) -> None:
            self.data = io.BytesIO(data)

        def read(self, size: int, /) -> bytearray:
            return bytearray(self.data.read(size))

    class AndSeek(OnlyRead):
        def seek(self, offset: int, /) -> object:
            return self.data.seek(offset)

    assert list(read_lines(OnlyRead(b"a\nb"), "gbk")) == [Line("a", 0), Line("b", 2)]  # type: ignore[arg-type]
    assert list(read_lines(AndSeek(b"a\nb"), "gbk", 1)) == [Line("b", 2)]
    with pytest.raises(AttributeError, match="seek"):
        list(read_lines(OnlyRead(b"a\nb"), "gbk", 1))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["shift_jis", "utf-16be", "gb18030", "iso-2022-jp"])
def test_lines_across_pieces_and_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Line ends and sequences of several bytes around multiples of 64 KiB, the length of a piece, and of a block.
    for block in 8 << 20, 1 << 16, (1 << 16) + 1:
        monkeypatch.setattr(lines, "_BLOCK", block)
        for length in range((1 << 16) - 6, (1 << 16) + 2):
            data = textcodec.encode("日" * (length // 9) + "a" * (length % 9), name) + b"a" * (length % 5)
            data = (data + textcodec.encode("\r\n", name)) * 3 + textcodec.encode("日\r", name) + b"\x81"
            whole = split(textcodec.decode(data, name, "replace"))
            found = list(read_lines(io.BytesIO(data), name))
            assert [line.text for line in found] == whole
            cut = read_lines(io.BytesIO(data), name, 0, length), read_lines(io.BytesIO(data), name, length)
            assert [*cut[0], *cut[1]] == found
        data = textcodec.encode("\n".join("日" * (number % 70) for number in range(6000)) + "\r\n", name)
        assert len(data) > 1 << 18
        assert texts(data, name) == split(textcodec.decode(data, name))


def test_wrong_arguments(tmp_path: Path) -> None:
    file = io.BytesIO(b"a")
    with pytest.raises(LookupError, match="shift_jiss"):
        read_lines(file, "shift_jiss")
    with pytest.raises(ValueError, match="replacement"):
        read_lines(file, "replacement")
    with pytest.raises(ValueError, match='errors must be "replace", "null", "drop" or "strict", not "oops"'):
        read_lines(file, "gbk", errors="oops")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="line_reset is for ISO-2022-JP, not for GBK"):
        read_lines(file, "gbk", line_reset=True)
    with pytest.raises(ValueError, match="line_reset is for ISO-2022-JP, not for GBK"):
        read_batches(file, textcodec.get_encoding("gbk"), line_reset=True)
    for wrong, kind in (b"a.txt", "bytes"), (1, "int"):
        with pytest.raises(TypeError, match=f"file must be a path .* not {kind}. For data: io.BytesIO"):
            read_lines(wrong, "gbk")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bom must be"):
        read_lines(file, "gbk", bom="oops")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="negative"):
        read_lines(file, "gbk", -1)
    with pytest.raises(ValueError, match="columns"):
        read_batches(file, "gbk", columns=["oops"])
    with pytest.raises(OverflowError):
        read_lines(file, "gbk", 1 << 63)
    with pytest.raises(OverflowError):
        read_lines(file, "gbk", 1 << 70)
    assert texts(b"a\nb", "gbk", 0, 1 << 70) == ["a", "b"]
    assert texts(b"a\nb", "gbk", (1 << 63) - 1) == []
    assert texts(b"a\nb", "utf-16", (1 << 63) - 1) == []
    path = tmp_path / "file"
    path.write_bytes(b"a\nb")
    for start in (5, 1 << 31, (1 << 63) - (8 << 20), (1 << 63) - 2, (1 << 63) - 1):
        for name in ("gbk", "utf-16"):
            # Few file systems have positions so large.
            try:
                assert list(read_lines(path, name, start)) == []
            except OverflowError as error:
                assert start > 1 << 31 and str(error).endswith(f"any file on this file system: {start}")

    class BytesPath:
        def __fspath__(self) -> bytes:
            return os.fsencode(path)

    assert [line.text for line in read_lines(BytesPath(), "gbk")] == ["a", "b"]  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="open for text"):
        list(read_lines(io.StringIO("a"), "gbk"))  # type: ignore[arg-type]


def test_lines_are_values() -> None:
    line = Line("a", 1, b"b")
    assert pickle.loads(pickle.dumps(line)) == line == Line("a", 1, b"b")
    assert line != Line("a", 1) and line != "a" and hash(line) == hash(Line("a", 1, b"b"))
    assert repr(line) == "Line(text='a', offset=1, corrupt=b'b')"
    with pytest.raises(AttributeError):
        line.text = "b"  # type: ignore[misc]
    match line:
        case Line(text, offset, corrupt):
            assert (text, offset, corrupt) == ("a", 1, b"b")


def test_a_reader_that_has_not_begun_is_an_error() -> None:
    reader = textcodec._native.LineReader("gbk", "replace", 0, None, "sniff", False)
    with pytest.raises(RuntimeError):
        reader.push(b"a")
    assert reader.begin(b"") == 0
    with pytest.raises(ValueError):
        reader.lines(0)
    assert not reader.done
