"""`textcodec.decode_mixed` and `Mixed`."""

from __future__ import annotations

import pickle
import random
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec
from support import examples
from textcodec import Mixed, MixedPart, MixedSummary, MixedText, Place, decode_mixed, get_encoding

UTF_8, GBK, LATIN = get_encoding("utf-8"), get_encoding("gbk"), get_encoding("windows-1252")
HELLO = "\u4f60\u597d"


def by_lines(data: bytes, first: str, second: str) -> str:
    """A model of two encodings per line."""
    parts = []
    for line in data.splitlines(keepends=True) if b"\r" not in data else [data]:
        try:
            parts.append(line.decode(f"whatwg-{first}"))
        except UnicodeDecodeError:
            parts.append(line.decode(f"whatwg-{second}", "replace"))
    return "".join(parts)


def test_lines() -> None:
    data = f"// {HELLO}\n".encode() + b"// \xc4\xe3\xba\xc3\nend"
    text, summary = decode_mixed(data, ["utf-8", "gbk"])
    assert text == f"// {HELLO}\n// {HELLO}\nend"
    assert summary == MixedSummary(
        (MixedPart(UTF_8, 2, ()), MixedPart(GBK, 1, (Place(GBK, 2, 10, 18),))), 0, None
    )
    assert summary.is_mixed and not decode_mixed(b"a", ["utf-8", "gbk"]).summary.is_mixed
    assert by_lines(data, "utf-8", "gbk") == text


def test_sequences() -> None:
    text, summary = decode_mixed(b"\xd0 \x92\n\xd0\x92", [UTF_8, "cp1252"])
    assert text == "\xd0 \u2019\n\u0412"
    assert summary.parts[0].decoded == 0
    assert summary.parts[1].places == (Place(LATIN, 1, 0, 1), Place(LATIN, 1, 2, 3))
    assert decode_mixed(b"\xd0 \x92\n\xd0\x92", [UTF_8, "cp1252"], per="line").text == "\xd0 \u2019\n\u0412"
    assert Mixed(["utf-8", "cp1252"]).per == "sequence" and Mixed(["utf-8", "gbk"]).per == "line"


def test_utf_16_in_a_log() -> None:
    data = b"ready\r\n" + "done\r\n".encode("utf-16-le")
    assert decode_mixed(data, ["utf-8", "utf-16le"]).text == "ready\r\ndone\r\n"


def test_byte_order_marks_stay() -> None:
    assert decode_mixed(b"\xef\xbb\xbfa\n\xef\xbb\xbfb", ["utf-8", "gbk"]).text == "\ufeffa\n\ufeffb"


def test_results_are_values() -> None:
    result = decode_mixed(b"a\xe9", ["utf-8", "cp1252"])
    assert isinstance(result, MixedText)
    assert pickle.loads(pickle.dumps(result)) == result
    assert "Place(encoding=<Encoding windows-1252>, line=1, start=1, end=2)" in repr(result)


# Errors.

BROKEN = b"a\nb\n\xc4\xe3 \xff\nc\xff"


@pytest.mark.parametrize(
    ("errors", "text"), [("replace", "\ufffd"), ("ignore", ""), ("backslashreplace", "\\xff")]
)
def test_handlers(errors: Any, text: str) -> None:
    found, summary = decode_mixed(BROKEN, ["utf-8", "gbk"], errors=errors)
    assert found == f"a\nb\n\u4f60 {text}\nc{text}"
    assert summary.error_count == 2 and summary.first_error is not None
    assert summary.first_error[:5] == (GBK, 3, 7, 8, b"\xff")


def test_strict() -> None:
    for data in (BROKEN, bytearray(BROKEN), memoryview(BROKEN)):
        with pytest.raises(UnicodeDecodeError) as raised:
            decode_mixed(data, ["utf-8", "gbk"])
        error: Any = raised.value
        assert (error.encoding, error.object, error.start, error.end) == ("gbk", BROKEN, 7, 8)
        assert (error.line, error.offset) == (3, 7)
        assert error.reason == "this byte cannot start a character, in line 3 at byte 7 of the text; no encoding of the list fits"


def test_strict_in_chunks() -> None:
    mixed = Mixed(["utf-8", "gbk"])
    assert mixed.push(BROKEN[:3]) == "a\n"
    with pytest.raises(UnicodeDecodeError) as raised:
        mixed.push(BROKEN[3:])
    error: Any = raised.value
    assert (error.object, error.start, error.end, error.line, error.offset) == (BROKEN[3:], 4, 5, 3, 7)
    # The bytes were in an earlier chunk.
    mixed = Mixed(["utf-8", "gbk"])
    assert mixed.push(b"\n\xc4\xe3 \xff") == "\n"
    for _ in range(2):
        with pytest.raises(UnicodeDecodeError) as raised:
            mixed.push(b"\nx")
        error = raised.value
        assert (error.object, error.start, error.end, error.line, error.offset) == (b"\xff", 0, 1, 2, 4)
    with pytest.raises(UnicodeDecodeError):
        mixed.finish()
    assert mixed.summary.parts[0].decoded == 1


@pytest.mark.parametrize(
    ("encodings", "options", "error", "message"),
    [
        (["utf-8"], {}, ValueError, "mixed text needs at least two encodings"),
        ([], {}, ValueError, "mixed text needs at least two encodings"),
        (["utf-8", "utf8"], {}, ValueError, "UTF-8 is in the list twice"),
        (["utf-8", "gbk"], {"per": "sequence"}, ValueError, "GBK is not a single-byte encoding"),
        (["utf-8", "iso-2022-jp"], {}, ValueError, "ISO-2022-JP cannot be mixed with others"),
        (["utf-8", "x"], {}, LookupError, '"x" is not a label'),
        (["utf-8", 5], {}, TypeError, "an encoding must be a label or an Encoding, not int"),
        ("utf-8", {}, TypeError, "encodings must be a list, not a str"),
        (5, {}, TypeError, "not iterable"),
        (["utf-8", "gbk"], {"per": "word"}, ValueError, "per must be 'line' or 'sequence', not 'word'"),
        (["utf-8", "gbk"], {"errors": "x" * 1000}, ValueError, "errors must be 'strict', 'replace', 'ignore' or"),
        (["utf-8", "gbk"], {"errors": None}, TypeError, "is not an instance of 'str'"),
        (["utf-8", "gbk"], {"anything": 1}, TypeError, "anything"),
    ],
)
def test_wrong_arguments(encodings: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    for call in (lambda: decode_mixed(b"", encodings, **options), lambda: Mixed(encodings, **options)):
        with pytest.raises(error, match=message):
            call()


def test_wrong_chunks() -> None:
    mixed = Mixed(["utf-8", "gbk"])
    for wrong in ("text", None, 5, [97]):
        with pytest.raises(TypeError, match="a bytes-like object is required"):
            mixed.push(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a bytes-like object is required"):
            decode_mixed(wrong, ["utf-8", "gbk"])  # type: ignore[arg-type]
    with pytest.raises(BufferError):
        mixed.push(memoryview(b"abcd")[::2])
    assert mixed.push(memoryview(b"a\nb")) + mixed.finish() == "a\nb"


def test_a_text_has_an_end() -> None:
    mixed = Mixed(["utf-8", "gbk"])
    assert (mixed.push(b"\xc4\xe3"), mixed.finish()) == ("", "\u4f60")
    assert mixed.summary.parts[1].decoded == 1
    for call in (mixed.finish, lambda: mixed.push(b"a")):
        with pytest.raises(ValueError, match="the text has ended: create another Mixed for another text"):
            call()
    assert Mixed(["utf-8", "gbk"]).finish() == ""


# Chunks.

pieces = st.sampled_from([b"a", b"\n", b"\r\n", b"\xc4\xe3", HELLO.encode(), b"\xe4\xbd", b"\xff", b"\x80", b"\0", b"\xe9", b"\xef\xbb\xbf"])
lists = st.sampled_from(
    [["utf-8", "gbk"], ["utf-8", "windows-1252"], ["shift_jis", "utf-8", "koi8-r"], ["utf-8", "utf-16le", "utf-16be"], ["big5", "cp437"]]
)


@examples(200)
@given(lists, st.lists(pieces, max_size=30).map(b"".join), st.lists(st.integers(0, 9), max_size=10), st.sampled_from(["replace", "ignore"]))
def test_chunks_do_not_change_the_result(encodings: list[str], data: bytes, sizes: list[int], errors: Any) -> None:
    whole = decode_mixed(data, encodings, errors=errors)
    mixed, at, text = Mixed(encodings, errors=errors), 0, ""
    for size in sizes:
        text += mixed.push(bytearray(data[at : at + size]))
        at += size
    text += mixed.push(data[at:]) + mixed.finish()
    assert MixedText(text, mixed.summary) == whole
    if encodings == ["utf-8", "gbk"] and errors == "replace":
        assert text == by_lines(data.replace(b"\r", b""), "utf-8", "gbk") or b"\r" in data


def test_long_lines() -> None:
    chance = random.Random(3)
    line = HELLO.encode("gbk") * 400_000
    data = b"a\n" + line + b"\n" + HELLO.encode() * 400_000
    assert len(line) > 1 << 20
    text, summary = decode_mixed(data, ["utf-8", "gbk"])
    assert text == f"a\n{HELLO * 400_000}\n{HELLO * 400_000}"
    assert summary.parts[1].decoded == 1
    mixed, at, parts = Mixed(["utf-8", "gbk"]), 0, []
    while at < len(data):
        size = chance.randrange(300_000)
        parts.append(mixed.push(data[at : at + size]))
        at += size
    assert "".join(parts) + mixed.finish() == text


def test_at_most_sixteen_places() -> None:
    summary = decode_mixed(b"\xe9\n" * 100, ["utf-8", "cp1252"]).summary
    assert (summary.parts[1].decoded, len(summary.parts[1].places)) == (100, 16)


def test_threads_share_a_decoder() -> None:
    mixed = Mixed(["utf-8", "gbk"])
    parts: list[str] = []
    block = (b"\xc4\xe3\xba\xc3\n" + HELLO.encode() + b"\n") * 5000

    def run() -> None:
        for _ in range(10):
            parts.append(mixed.push(block))
            parts.append(mixed.push(bytearray(b"a\n")))
            assert mixed.summary.error_count == 0

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert mixed.finish() == "" and sum(map(len, parts)) == 60 * (6 * 5000 + 2)
    assert mixed.summary.parts[1].decoded == 60 * 5000


def test_public_names() -> None:
    for name in ("Mixed", "MixedError", "MixedPart", "MixedSummary", "MixedText", "Place", "decode_mixed"):
        assert name in textcodec.__all__
