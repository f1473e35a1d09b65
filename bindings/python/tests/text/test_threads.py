"""Objects with a state that threads share, and error handlers that use the coder that has called them."""

from __future__ import annotations

import codecs
import io
import itertools
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import textcodec
from support import codec
from textcodec import _native, webencodings
from textcodec.lines import read_lines

THREADS = 4
# Encodings with a state, of each kind, and one of single bytes.
NAMES = ["Shift_JIS", "EUC-JP", "ISO-2022-JP", "Big5", "EUC-KR", "gb18030", "UTF-8", "UTF-16LE", "windows-1251"]
# Inputs from 16 KiB on are converted while other threads run.
LONG = 20_000


@pytest.fixture(autouse=True)
def many_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def in_threads(call: Callable[[int], Any]) -> list[Any]:
    """Calls a function in each of some threads, at about the same time, and returns the results."""
    start = threading.Barrier(THREADS)

    def run(number: int) -> Any:
        start.wait(60)
        return call(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS), timeout=300))


@cache
def text_of(name: str) -> str:
    """Returns characters that an encoding has, which are not ASCII if possible."""
    text = {"x-user-defined": "\uf780", "UTF-8": "\u6f22\u0436", "gb18030": "\u6f22\U0001f600"}.get(name)
    if text is None:
        repertoire = textcodec.get_encoding(name).repertoire()
        text = "".join(chr(last) for first, last in repertoire if first > 0xA0)[:2]
    return text


def replace_by_number(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, (UnicodeEncodeError, UnicodeDecodeError))
    return f"<{error.end - error.start}>", error.end


codecs.register_error("test.number", replace_by_number)
ENCODERS = ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape", "namereplace", "test.number"]
DECODERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "test.number"]


def with_error(errors: str) -> str:
    """Returns characters that make an encoder call a handler, if it does not raise an exception for them."""
    return {"strict": "", "surrogateescape": "\udcff"}.get(errors, "\ufdd0" if errors != "namereplace" else "\u200d")


def lines_of(name: str, errors: str, length: int) -> list[list[str]]:
    """Returns the lines that each thread writes."""
    text, error = text_of(name), with_error(errors)
    fill = (text + "a") * (length // 3)
    return [[f"{thread}.{number} {fill}{error}{text}\n" for number in range(4)] for thread in range(THREADS)]


def decoded(name: str, errors: str, lines: list[list[str]]) -> Counter[str]:
    """Returns the lines as a decoder reads them."""
    encode = textcodec.get_encoding(name).encode
    return Counter(textcodec.decode(encode(line, errors), name, "replace", bom="keep") for part in lines for line in part)


@pytest.mark.parametrize("errors", ENCODERS)
@pytest.mark.parametrize("length", [100, LONG])
def test_a_text_file_that_threads_write(errors: str, length: int, tmp_path: Path) -> None:
    """The coder loses nothing. Python's text files do, whatever the codec, if short lines fill their buffer; these do not."""
    for name in NAMES:
        if errors == "surrogateescape" and name.startswith("UTF-16"):
            continue  # a byte is half a code unit
        for suffix in ("", "-bom"):
            lines = lines_of(name, errors, length)
            with open(tmp_path / "file", "w", encoding=codec(name) + suffix, errors=errors, newline="") as file:
                in_threads(lambda number: [file.write(line) for line in lines[number]])
            text = textcodec.decode((tmp_path / "file").read_bytes(), name, "replace")
            assert Counter(text.splitlines(keepends=True)) == decoded(name, errors, lines), (name, suffix)


@pytest.mark.parametrize("name", ["Shift_JIS", "ISO-2022-JP"])
def test_print_from_a_pool_of_threads(name: str, tmp_path: Path) -> None:
    lines = lines_of(name, "backslashreplace", LONG)
    with open(tmp_path / "file", "w", encoding=codec(name), errors="backslashreplace", newline="") as file:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(lambda line: print(line, end="", file=file, flush=True), sum(lines, [])))
    text = textcodec.decode((tmp_path / "file").read_bytes(), name, "replace")
    assert Counter(text.splitlines(keepends=True)) == decoded(name, "backslashreplace", lines)


@pytest.mark.parametrize("errors", DECODERS)
def test_incremental_decoders(errors: str) -> None:
    """Each chunk is a whole text, so the results do not depend on the order."""
    for name in NAMES:
        # In UTF-16, an unpaired low surrogate. In ISO-2022-JP, text ends in ASCII.
        bad = {"strict": b"", "surrogatepass": b"\xed\xa0\x80" if name == "UTF-8" else b""}.get(errors, b"\xff")
        if name.startswith("UTF-16"):
            bad = b"" if errors in ("strict", "surrogateescape") else "\udc00".encode(name, "surrogatepass")
        data = textcodec.encode(text_of(name) * 6000, name) + bad + textcodec.encode("\n", name)
        decoder = codecs.getincrementaldecoder(codec(name))(errors)
        expected = data.decode(codec(name), errors)
        for results in in_threads(lambda number: [decoder.decode(data, number % 2 == 0) for _ in range(4)]):
            assert set(results) == {expected}, name


@pytest.mark.parametrize("errors", ENCODERS)
def test_incremental_encoders(errors: str) -> None:
    for name in NAMES:
        # ISO-2022-JP is in ASCII again after the text.
        text = text_of(name) * 6000 + with_error(errors) + "a"
        encoder = codecs.getincrementalencoder(codec(name))(errors)
        expected = text.encode(codec(name), errors)
        for results in in_threads(lambda number: [encoder.encode(text, number % 2 == 0) for _ in range(4)]):
            assert set(results) == {expected}, name


def test_characters_that_are_split_between_threads() -> None:
    """Some order of the chunks explains the results: no byte is lost, and none is used twice."""
    decoder = codecs.getincrementaldecoder("whatwg-iso-2022-jp")("replace")
    decoder.decode(b"\x1b$B")
    results = in_threads(lambda _: [decoder.decode(b"\x24\x22\x24") for _ in range(101)])
    text = "".join("".join(part) for part in results) + decoder.decode(b"", True)
    # 606 bytes are 606 characters of two bytes in all: two of three bytes are lead bytes only in some orders.
    assert 2 * len(text) - (THREADS * 303) in (0, 1)


@pytest.mark.parametrize("errors", ["replace", "test.number"])
def test_reading_a_text_file_in_threads(errors: str, tmp_path: Path) -> None:
    """Python's text files promise nothing about the order, but a read does not fail."""
    path = tmp_path / "file"
    path.write_bytes("\u6f22\u5b57".encode("shift_jis") * 200_000)
    with open(path, encoding="whatwg-shift_jis", errors=errors) as file:
        file._CHUNK_SIZE = 1 << 16  # type: ignore[attr-defined]
        in_threads(lambda _: [file.read(50_000) for _ in range(10)])


def test_streams_that_threads_share() -> None:
    for name in ("Shift_JIS", "ISO-2022-JP", "UTF-16LE", "UTF-8"):
        lines = lines_of(name, "test.number", LONG)
        stream = io.BytesIO()
        writer = codecs.getwriter(codec(name))(stream, "test.number")
        in_threads(lambda number: [writer.write(line) for line in lines[number]])
        data = stream.getvalue()
        expected = decoded(name, "test.number", lines)
        assert Counter(data.decode(codec(name)).splitlines(keepends=True)) == expected
        reader = codecs.getreader(codec(name))(io.BytesIO(data))
        assert Counter(sum(in_threads(lambda _: list(iter(reader.readline, ""))), [])) == expected
        utf8 = textcodec.Utf8Reader(io.BytesIO(data), name, "test.number")
        assert Counter(line.decode() for part in in_threads(lambda _: list(utf8)) for line in part) == expected
        utf8 = textcodec.Utf8Reader(io.BytesIO(data), name)
        size = sum(len(part) for parts in in_threads(lambda _: list(iter(lambda: utf8.read(9_999), b""))) for part in parts)
        assert size == sum(len(line.encode()) for line in expected.elements())


def test_a_byte_order_mark_in_threads() -> None:
    decoder = webencodings.IncrementalDecoder("shift_jis")
    text = "".join(map("".join, in_threads(lambda _: [decoder.decode(b"a") for _ in range(50)]))) + decoder.decode(b"", True)
    assert text == "a" * 50 * THREADS


def test_transcoders_and_readers_of_lines() -> None:
    data = "\u6f22\u5b57\n".encode("shift_jis") * 10_000
    transcoder = _native.Transcoder("shift_jis", "strict", "keep")
    results = in_threads(lambda _: [transcoder.transcode(data, False) for _ in range(5)])
    assert {part for parts in results for part in parts} == {data.decode("shift_jis").encode()}
    reader = _native.LineReader("shift_jis", "strict", 0, None, "keep", False)
    with pytest.raises(RuntimeError, match="begin"):
        reader.push(b"a")
    reader.begin(data[:3])

    def read(number: int) -> list[int]:
        found = []
        while not reader.done:
            reader.push(data if number == 0 and not found else b"" if number == 0 else b"\x8a\xbf\n")
            while lines := reader.lines(1000):
                found += [line.offset for line in lines]
        return found

    offsets = sorted(sum(in_threads(read), []))
    assert len(offsets) >= 10_000 and len(set(offsets)) == len(offsets)


def test_an_iterator_over_lines_in_threads() -> None:
    """As every generator of Python, it is for one thread at a time, and says so."""
    data = "\u6f22\u5b57\n".encode("shift_jis") * 20_000
    lines = read_lines(io.BytesIO(data), "shift_jis")

    def read(_: int) -> list[int]:
        found = []
        while True:
            try:
                found.append(next(lines).offset)
            except StopIteration:
                return found
            except ValueError as error:
                assert "generator already executing" in str(error)

    assert sorted(sum(in_threads(read), [])) == list(range(0, len(data), 5))


# Handlers that use their own coder.


def handler(function: Callable[[Any], Any]) -> str:
    codecs.register_error("test.handler", function)
    return "test.handler"


def within_seconds(call: Callable[[], Any]) -> Any:
    """Returns the result of a call, which must not wait for ever."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(call()), daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive(), "a deadlock"
    return results[0]


@pytest.mark.parametrize("label", ["utf-8", "shift_jis", "iso-2022-jp", "iso-2022-jp-bom", "utf-16le", "gb18030"])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_handler_uses_its_decoder(label: str, elsewhere: bool) -> None:
    """The inner call comes first, and the outer one continues from its state."""
    inner: list[str] = []
    calls = []

    def use(error: UnicodeDecodeError) -> tuple[str, int]:
        calls.append(error.object)
        if len(calls) == 1:
            call = lambda: decoder.decode("x".encode(codec(label)))  # noqa: E731
            inner.append(within_seconds(call) if elsewhere else call())
        assert decoder.errors == "test.handler"
        decoder.setstate(decoder.getstate())
        return "!", error.end

    decoder = codecs.getincrementaldecoder(codec(label))(handler(use))
    # After a character, because FF at the start could become a byte order mark.
    bad = b"a\0\0\xdc" if label == "utf-16le" else b"a\xff"
    assert decoder.decode(bad) + decoder.decode(b"", True) == "a!"
    assert inner == ["x"]
    assert decoder.decode("ok".encode(codec(label)), True) == "ok"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_handler_changes_the_state_of_its_coder(elsewhere: bool) -> None:
    inner: list[Any] = []

    def once(call: Callable[[], Any]) -> Callable[[Any], tuple[str, int]]:
        calls = []

        def use(error: Any) -> tuple[str, int]:
            calls.append(error)
            if len(calls) == 1:
                inner.append(within_seconds(call) if elsewhere else call())
            return "!", error.end

        return use

    encoder = codecs.getincrementalencoder("whatwg-iso-2022-jp")(handler(once(lambda: encoder.encode("\u65e5"))))
    data = encoder.encode("\u672c\ud800")
    # The outer text begins where the inner one has ended, in the other character set.
    assert (inner.pop(), data) == (b"\x1b$BF|", b"K\\\x1b(B!")
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")(handler(once(lambda: decoder.decode(b"\xe2\x82"))))
    text = decoder.decode(b"\xac\xff")
    assert (inner.pop(), text) == ("", "\u20ac!")
    decoder = codecs.getincrementaldecoder("whatwg-utf-8-bom")(handler(once(lambda: decoder.reset())))
    assert decoder.decode(b"a\xff") == "a!"


def test_a_handler_writes_to_its_file(tmp_path: Path) -> None:
    for label in ("whatwg-shift_jis", "whatwg-iso-2022-jp", "whatwg-utf-16le-bom"):
        noted = []

        def note(error: UnicodeEncodeError) -> tuple[str, int]:
            if not noted:
                noted.append(error.start)
                file.write(f"\u65e5 {error.start}\n")
            return "?", error.end

        with open(tmp_path / "file", "w", encoding=label, errors=handler(note), newline="") as file:
            file.write("\u672c\ud800\u672c\n")
        assert (tmp_path / "file").read_bytes().decode(label) == "\u65e5 1\n\u672c?\u672c\n"
        noted.clear()
        stream = io.BytesIO()
        file = codecs.getwriter(label)(stream, "test.handler")
        file.write("\u672c\ud800\u672c\n")
        assert stream.getvalue().decode(label) == "\u65e5 1\n\u672c?\u672c\n"


def test_a_handler_that_always_changes_the_state() -> None:
    def use(error: Any) -> tuple[str, int]:
        encoder.setstate(1 - min(encoder.getstate(), 1))
        return "!", error.end

    encoder = codecs.getincrementalencoder("whatwg-utf-8-bom")(handler(use))
    with pytest.raises(RuntimeError, match="the error handler changes the state of the coder that has called it"):
        encoder.encode("\ud800")
    texts = itertools.cycle(["\u65e5", "a"])
    answer = handler(lambda error: (writer.write(next(texts)), ("!", error.end))[1])
    writer = codecs.getwriter("whatwg-iso-2022-jp")(io.BytesIO(), answer)
    with pytest.raises(RuntimeError, match="the error handler changes the state of the stream writer"):
        writer.write("\ud800")
    count = iter(range(10**6))
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")(handler(lambda error: (decoder.setstate((b"%d" % next(count), 0)), ("!", error.end))[1]))
    with pytest.raises(RuntimeError, match="the error handler changes the state of the coder that has called it"):
        decoder.decode(b"\xff")
    # Not because of other threads, however many.
    encoder = codecs.getincrementalencoder("whatwg-iso-2022-jp")("test.number")
    texts = ["\u65e5\ud800\u65e5", "a\ud800", "\xa5", "\u65e5"]
    in_threads(lambda number: [encoder.encode(texts[number]) for _ in range(3000)])


def test_a_handler_reads_from_its_stream() -> None:
    def read(_: Any) -> tuple[str, int]:
        return reader.read(1), 0

    for reader in (
        codecs.getreader("whatwg-utf-8")(io.BytesIO(b"a\xffb"), handler(read)),
        textcodec.Utf8Reader(io.BytesIO(b"a\xffb"), "utf-8", "test.handler"),
    ):
        with pytest.raises(RuntimeError, match="an error handler must not read from the"):
            reader.read()


def test_a_handler_waits_for_a_lock_of_another_writer(tmp_path: Path) -> None:
    """Two locks in two orders: a thread that logs holds the lock of the log and writes, and a handler logs."""
    log = threading.Lock()

    def note(error: UnicodeEncodeError) -> tuple[str, int]:
        with log:
            return "?", error.end

    errors = handler(note)
    streams = {name: io.BytesIO() for name in ("shift_jis", "iso-2022-jp")}
    writers = [codecs.getwriter(codec(name))(stream, errors) for name, stream in streams.items()]
    with open(tmp_path / "file", "w", encoding="whatwg-iso-2022-jp", errors=errors, newline="") as file:

        def write(number: int) -> None:
            for _ in range(300):
                for output in (file, *writers):
                    if number % 2:
                        output.write("\u672c\ud800\n")
                    else:
                        with log:
                            output.write("\u65e5\n")

        in_threads(write)
    # CPython's text files lose short lines that threads write, or write other memory, with every codec. So only what the writers
    # have written is known.
    for name, stream in streams.items():
        assert Counter(stream.getvalue().decode(codec(name)).splitlines()) == {"\u672c?": 600, "\u65e5": 600}
