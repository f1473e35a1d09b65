"""Incremental and stream codecs: chunks, states, files."""

from __future__ import annotations

import codecs
import io
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import support
import textcodec
from support import chunked, codec, examples, inputs, repertoire, some_bytes, strings

HANDLERS = ["replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "test.mark"]
codecs.register_error("test.mark", lambda error: (f"<{error.end - error.start}>", error.end))

names = st.sampled_from(support.NAMES)
suffixes = st.sampled_from(["", "-bom"])
cuts = st.lists(st.integers(0, 5), max_size=30)


def cut(data: Any, sizes: list[int]) -> list[Any]:
    """Splits bytes or a string into chunks of these sizes, and the rest."""
    parts, at = [], 0
    for size in sizes:
        parts.append(data[at : at + size])
        at += size
    return [*parts, data[at:]]


def result(call: Any) -> Any:
    """Returns the result of a call, or the type of its exception."""
    try:
        return call()
    except (UnicodeError, TypeError) as error:
        return type(error)


@pytest.mark.parametrize("final", [0, 1, None, [], "x", 2**70])
def test_final_has_a_truth_value(final: Any) -> None:
    decoded = [codecs.getincrementaldecoder("whatwg-gbk")("replace").decode(b"a\x81", value) for value in (final, bool(final))]
    assert decoded[0] == decoded[1]
    encoded = [codecs.getincrementalencoder("whatwg-iso-2022-jp")().encode("\u3042", value) for value in (final, bool(final))]
    assert encoded[0] == encoded[1]


def test_an_exception_of_the_truth_value_of_final_is_passed_on() -> None:
    class Raises:
        def __bool__(self) -> bool:
            raise KeyError("final")

    final: Any = Raises()
    with pytest.raises(KeyError):
        codecs.getincrementaldecoder("whatwg-gbk")().decode(b"a", final)
    with pytest.raises(KeyError):
        codecs.getincrementalencoder("whatwg-gbk")().encode("a", final)


# Decoders.


@examples(500)
@given(names.flatmap(lambda name: st.tuples(st.just(name), inputs(name))), suffixes, st.sampled_from(HANDLERS), cuts)
def test_any_chunks_decode_to_the_whole(case: tuple[str, bytes], suffix: str, errors: str, sizes: list[int]) -> None:
    name, data = case
    label = codec(name) + suffix
    whole = result(lambda: codecs.decode(data, label, errors))

    def in_chunks() -> str:
        decoder = codecs.getincrementaldecoder(label)(errors)
        return "".join(decoder.decode(part) for part in cut(data, sizes)) + decoder.decode(b"", True)

    assert result(in_chunks) == whole
    if whole is not UnicodeDecodeError:
        assert "".join(codecs.iterdecode(cut(data, sizes), label, errors)) == whole


@examples(150)
@given(names.flatmap(lambda name: st.tuples(st.just(name), inputs(name))), suffixes, cuts)
def test_strict_reports_the_same_error_in_chunks(case: tuple[str, bytes], suffix: str, sizes: list[int]) -> None:
    name, data = case
    label = codec(name) + suffix
    decoder = codecs.getincrementaldecoder(label)()
    text, at = "", 0
    try:
        for part in [*cut(data, sizes), None]:
            before = decoder.getstate()
            text += decoder.decode(b"", True) if part is None else decoder.decode(part)
            at += len(part or b"")
    except UnicodeDecodeError as error:
        assert decoder.getstate() == before
        pending = len(before[0])
        assert error.object == before[0] + (part or b"")
        with pytest.raises(UnicodeDecodeError) as raised:
            codecs.decode(data, label)
        assert (at - pending + error.start, at - pending + error.end) == (raised.value.start, raised.value.end)
        assert (error.reason, error.encoding) == (raised.value.reason, raised.value.encoding)
    else:
        assert text == codecs.decode(data, label)


@examples(250)
@given(names.flatmap(lambda name: st.tuples(st.just(name), inputs(name))), suffixes, st.sampled_from(HANDLERS))
def test_states_of_decoders(case: tuple[str, bytes], suffix: str, errors: str) -> None:
    """At each place, the state continues in another decoder, and the int tells where no text is lost without it."""
    name, data = case
    label = codec(name) + suffix
    whole = result(lambda: codecs.decode(data, label, errors))
    if isinstance(whole, type):
        return
    create = codecs.getincrementaldecoder(label)
    decoder, other = create(errors), create(errors)
    text = ""
    for at in range(len(data) + 1):
        state = decoder.getstate()
        pending, number = state
        assert type(pending) is bytes and type(number) is int and number >= 0
        # What is pending is the end of what was read.
        assert data[:at].endswith(pending)
        result(lambda: other.decode(b"\x1b$B\xf0\x9f"))
        other.setstate(state)
        assert other.getstate() == state
        assert text + other.decode(data[at:], True) == whole
        # TextIOWrapper gives the pending bytes again.
        other.setstate((b"", number))
        assert text + other.decode(pending + data[at:], True) == whole
        if number == 0:
            fresh = codecs.getincrementaldecoder(codec(name))(errors)
            if not (suffix and at == 0):
                assert text + fresh.decode(pending + data[at:], True) == whole
        text += decoder.decode(data[at : at + 1])


def test_the_state_is_zero_only_at_rest() -> None:
    decoder = codecs.getincrementaldecoder("whatwg-iso-2022-jp")()
    assert decoder.getstate() == (b"", 0)
    decoder.decode(b"a\x1b$BF|")
    assert decoder.getstate()[0] == b"" and decoder.getstate()[1] != 0
    decoder.decode(b"F")
    assert decoder.getstate()[0] == b"F" and decoder.getstate()[1] != 0
    decoder.decode(b"|\x1b(B")
    # An escape sequence after another one, without text, is an error. So the state is not that of the start.
    assert decoder.getstate()[1] != 0
    decoder.decode(b"a")
    assert decoder.getstate() == (b"", 0)
    for name in support.NAMES:
        assert codecs.getincrementaldecoder(codec(name))().getstate() == (b"", 0)
        assert codecs.getincrementaldecoder(codec(name) + "-bom")().getstate()[1] != 0


@pytest.mark.parametrize("state", [6, 7, 8, 16, 100, 255])
def test_impossible_states(state: int) -> None:
    for name in support.NAMES:
        decoder = codecs.getincrementaldecoder(codec(name))()
        with pytest.raises(ValueError):
            decoder.setstate((b"", state))
        assert decoder.getstate() == (b"", 0)


@pytest.mark.parametrize(
    "state", [None, 0, (), (b"",), (b"", 0, 0), ("", 0), (b"", "0"), (b"", -1), (b"", 256), (b"", 2**70), (b"", 1.5), [b"", 0], (None, None)]
)
def test_states_of_the_wrong_type(state: Any) -> None:
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")()
    decoder.decode(b"\xe2")
    with pytest.raises((TypeError, ValueError, OverflowError)):
        decoder.setstate(state)
    assert decoder.getstate() == (b"\xe2", 0)


def test_any_state_of_any_decoder_is_restored_or_refused(name: str) -> None:
    for suffix in ("", "-bom"):
        for number in range(256):
            decoder = codecs.getincrementaldecoder(codec(name) + suffix)("replace")
            for pending in (b"", b"\xe2", b"\x81\x30\x81", b"\x1b$", b"abcdefgh", b"\xff" * 40):
                try:
                    decoder.setstate((pending, number))
                except ValueError:
                    continue
                # Without "-bom", the start of an input is like any other place.
                assert decoder.getstate() in [(pending, number), (pending, 0)]
                assert isinstance(decoder.decode(b"a\x1b(Bb\xff\0"), str)
                assert isinstance(decoder.decode(b"", True), str)


def test_reset(name: str) -> None:
    for suffix in ("", "-bom"):
        label = codec(name) + suffix
        decoder = codecs.getincrementaldecoder(label)("replace")
        start = decoder.getstate()
        for seed in range(20):
            data = some_bytes(name, 20, seed)
            decoder.decode(data)
            decoder.reset()
            assert decoder.getstate() == start
            assert decoder.decode(data, True) == codecs.decode(data, label, "replace")
            decoder.reset()


def test_after_the_end_another_part_can_follow(name: str) -> None:
    """`final` ends characters and modes; the encoding of a byte order mark stays."""
    decoder = codecs.getincrementaldecoder(codec(name))("replace")
    for seed in range(20):
        data = some_bytes(name, 20, seed)
        assert decoder.decode(data, True) == data.decode(codec(name), "replace")
        assert decoder.getstate()[0] == b""
    decoder = codecs.getincrementaldecoder(codec(name) + "-bom")("replace")
    if name != "replacement":
        assert decoder.decode(b"\xef\xbb\xbf\xc3", True) == "\ufffd"
        assert decoder.decode(b"\xc3\xa9\xef\xbb\xbf", True) == "\xe9\ufeff"
        assert decoder.decode(b"\xc3\xa9") == "\xe9"
        other = codecs.getincrementaldecoder(codec(name) + "-bom")("replace")
        other.setstate(decoder.getstate())
        assert other.decode(b"\xc3\xa9") == "\xe9"


def test_errors_can_change_between_chunks() -> None:
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")()
    assert decoder.errors == "strict"
    for errors, expected in [("replace", "\ufffd"), ("ignore", ""), ("backslashreplace", "\\xff"), ("test.mark", "<1>"), ("surrogateescape", "\udcff")]:
        decoder.errors = errors
        assert decoder.errors == errors
        assert decoder.decode(b"a\xff") == "a" + expected
    decoder.errors = "strict"
    with pytest.raises(UnicodeDecodeError):
        decoder.decode(b"\xff")
    with pytest.raises(TypeError):
        decoder.errors = None
    with pytest.raises((TypeError, AttributeError)):
        del decoder.errors
    assert decoder.errors == "strict"
    encoder = codecs.getincrementalencoder("whatwg-windows-1252")()
    for errors, data in [("replace", b"?"), ("ignore", b""), ("xmlcharrefreplace", b"&#1046;"), ("namereplace", rb"\N{CYRILLIC CAPITAL LETTER ZHE}")]:
        encoder.errors = errors
        assert encoder.errors == errors
        assert encoder.encode("\u0416") == data


def test_a_surrogate_in_utf_8_in_chunks() -> None:
    """Its first two bytes stay pending for handlers that may know it."""
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")("surrogatepass")
    assert [decoder.decode(part) for part in (b"a\xed", b"\xa0", b"\x80b")] == ["a", "", "\ud800b"]
    assert decoder.decode(b"\xed\xa0") == ""
    assert decoder.getstate() == (b"\xed\xa0", 0)
    other = codecs.getincrementaldecoder("whatwg-utf-8")("surrogatepass")
    other.setstate(decoder.getstate())
    assert other.decode(b"\x80") == decoder.decode(b"\x80") == "\ud800"
    with pytest.raises(UnicodeDecodeError) as raised:
        decoder.decode(b"\xed\xa0", True)
    assert (raised.value.object, raised.value.start, raised.value.end) == (b"\xed\xa0", 0, 1)


# Encoders.


@examples(350)
@given(
    names.flatmap(lambda name: st.tuples(st.just(name), strings(name))),
    suffixes,
    st.sampled_from(["replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape", "surrogatepass"]),
    cuts,
)
def test_any_chunks_encode_to_the_whole(case: tuple[str, str], suffix: str, errors: str, sizes: list[int]) -> None:
    name, text = case
    label = codec(name) + suffix
    whole = result(lambda: codecs.encode(text, label, errors))
    parts = cut(text, sizes)
    create = codecs.getincrementalencoder(label)

    def in_chunks() -> bytes:
        encoder = create(errors)
        return b"".join(encoder.encode(part) for part in parts) + encoder.encode("", True)

    assert result(in_chunks) == whole
    if isinstance(whole, bytes):
        assert b"".join(codecs.iterencode(parts, label, errors)) == whole
        # The state continues in another encoder.
        data = b""
        encoder = create(errors)
        for part in parts:
            state = encoder.getstate()
            assert type(state) is int and state >= 0
            encoder = create(errors)
            encoder.encode("\u65e5x" if name in ("ISO-2022-JP", "UTF-8") else "")
            encoder.setstate(state)
            assert encoder.getstate() == state
            data += encoder.encode(part)
        assert data + encoder.encode("", True) == whole
        # An error of `strict` leaves the state as it was.
        encoder = create("strict")
        for part in parts:
            state = encoder.getstate()
            try:
                encoder.encode(part)
            except UnicodeEncodeError as error:
                assert error.object == part
                assert encoder.getstate() == state


def test_the_state_of_encoders() -> None:
    encoder = codecs.getincrementalencoder("whatwg-iso-2022-jp")()
    assert encoder.getstate() == 0
    assert encoder.encode("\u65e5") == b"\x1b$BF|"
    assert encoder.getstate() != 0
    assert encoder.encode("", True) == b"\x1b(B"
    assert encoder.getstate() == 0
    encoder.encode("\xa5")
    encoder.reset()
    assert encoder.getstate() == 0
    assert encoder.encode("a", True) == b"a"
    for label, mark in [("utf-8", b"\xef\xbb\xbf"), ("utf-16le", b"\xff\xfe"), ("utf-16be", b"\xfe\xff")]:
        encoder = codecs.getincrementalencoder(f"whatwg-{label}-bom")()
        assert encoder.getstate() != 0
        assert encoder.encode("a") == mark + "a".encode(label)
        assert encoder.getstate() == 0
        assert encoder.encode("a", True) == "a".encode(label)
        # `final` ends the text, and the file continues: no other mark.
        assert encoder.encode("a") == "a".encode(label)
        encoder.reset()
        assert encoder.encode("a") == mark + "a".encode(label)
        assert codecs.getincrementalencoder(f"whatwg-{label}")().getstate() == 0
    for name in support.NAMES:
        encoder = codecs.getincrementalencoder(codec(name))()
        for state in range(256):
            try:
                encoder.setstate(state)
            except ValueError:
                continue
            if name != "replacement":
                assert isinstance(encoder.encode("a", True), bytes)
        for wrong in (-1, 256, 2**70, None, "0", b"", 1.5):
            with pytest.raises((TypeError, ValueError, OverflowError)):
                encoder.setstate(wrong)


# Byte order marks.

MARKS = {"UTF-8": b"\xef\xbb\xbf", "UTF-16BE": b"\xfe\xff", "UTF-16LE": b"\xff\xfe"}


@pytest.mark.parametrize("marked", MARKS)
def test_bom_codecs(name: str, marked: str) -> None:
    if name == "replacement":
        # The standard's "decode" sniffs before the encoding is asked.
        assert (MARKS[marked] + "a\u20ac".encode(marked)).decode("whatwg-replacement-bom") == "a\u20ac"
        return
    data = MARKS[marked] + "a\u20ac\U0001f600".encode(marked)
    assert data.decode(codec(name) + "-bom") == "a\u20ac\U0001f600"
    for longest in (1, 2, 3):
        decoder = codecs.getincrementaldecoder(codec(name) + "-bom")()
        assert "".join(map(decoder.decode, chunked(data, random.Random(longest), longest))) + decoder.decode(b"", True) == "a\u20ac\U0001f600"
    # The mark of another encoding is text, or malformed, without "-bom".
    assert data.decode(codec(name), "replace") != "a\u20ac\U0001f600"
    if name == marked:
        assert data.decode(codec(name)) == "\ufeffa\u20ac\U0001f600"
    # The second mark is text.
    assert (MARKS[marked] + data).decode(codec(name) + "-bom") == "\ufeffa\u20ac\U0001f600"
    # Less than a mark is none.
    for length in range(len(MARKS[marked])):
        start = MARKS[marked][:length]
        assert start.decode(codec(name) + "-bom", "replace") == start.decode(codec(name), "replace")


def test_bom_codecs_write_marks(name: str) -> None:
    text = "" if name == "replacement" else "a"
    data = text.encode(codec(name) + "-bom")
    assert data == MARKS.get(name, b"") + text.encode(codec(name))
    assert data.decode(codec(name) + "-bom") == text
    assert codecs.lookup(codec(name) + "-bom").name == codec(name).lower() + "-bom"


# Files.

FILES = [codec(name) + suffix for name in support.WITH_ENCODER for suffix in ("", "-bom") if name != "x-user-defined"]


def content(label: str, length: int, seed: object = 0) -> str:
    """Returns text with line ends that an encoding keeps."""
    name = codecs.lookup(label).name.removeprefix("whatwg-").removesuffix("-bom")
    mapped = [c for c in repertoire(name) if c not in "\r\x85\u2028\u2029\x1c\x1d\x1e\x0b\x0c\ufeff" and c.encode(label).decode(label) == c]
    chance = random.Random(f"{label} {length} {seed}")
    return "".join(chance.choices([*mapped, "\n", "\n"] + ["\n"] * (len(mapped) // 20), k=length))


@pytest.mark.parametrize("label", FILES)
def test_text_files(label: str, tmp_path: Path) -> None:
    """Write, read, lines, tell and seek with `open`."""
    path = tmp_path / "file"
    text = content(label, 700)
    with open(path, "w", encoding=label, newline="") as file:
        for part in chunked(text, random.Random(label), 90):
            file.write(part)
    if label.startswith("whatwg-ISO-2022"):
        # TextIOWrapper never ends the text.
        assert path.read_bytes() == text.encode(label).removesuffix(b"\x1b(B")
    else:
        assert path.read_bytes() == text.encode(label)
    assert path.read_text(label) == text
    chance = random.Random(label)
    for newline in ("", None):
        with open(path, encoding=label, newline=newline) as file:
            assert file.readlines() == text.splitlines(keepends=True)
            file.seek(0)
            file._CHUNK_SIZE = 32  # type: ignore[attr-defined]
            places = [(file.tell(), 0)]
            at = 0
            while True:
                part = file.readline(20) if chance.random() < 0.3 else file.read(chance.randrange(1, 40))
                if not part:
                    break
                assert text.startswith(part, at)
                at += len(part)
                places.append((file.tell(), at))
            assert at == len(text)
            for _ in range(25):
                cookie, at = chance.choice(places)
                assert file.seek(cookie) == cookie
                size = chance.randrange(60)
                assert file.read(size) == text[at : at + size]
                file.tell()
            cookie, at = chance.choice(places)
            file.seek(cookie)
            assert file.readline() == text[at:].splitlines(keepends=True)[0] if text[at:] else True
            file.seek(0, os.SEEK_END)
            assert file.read() == ""


@pytest.mark.parametrize("label", FILES)
def test_append_and_overwrite(label: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    # Files in ISO-2022-JP must begin and end with ASCII: an escape sequence after another one is malformed.
    first, second = (f"a{content(label, 50, number)}z" for number in (1, 2))
    path.write_bytes(first.encode(label))
    with open(path, "a", encoding=label, newline="") as file:
        file.write(second)
    # No byte order mark is in the middle.
    assert path.read_bytes().decode(label) == first + second
    with open(path, "r+", encoding=label, newline="") as file:
        assert file.read() == first + second
        file.seek(0)
        file.truncate()
        file.write(second)
        file.seek(0)
        assert file.read() == second
        end = file.tell()
        file.seek(end)
        file.write(first)
        file.seek(0)
        assert file.read() == second + first
    assert path.read_bytes().decode(label) == second + first
    with open(path, "w+", encoding=label, newline="") as file:
        file.write(first)
        file.seek(0)
        assert file.read() == first


@examples(150)
@given(st.sampled_from(FILES), st.integers(0, 10**6), st.lists(st.tuples(st.sampled_from(["read", "line", "tell", "seek"]), st.integers(0, 60)), max_size=30))
def test_text_io_wrapper_at_random_places(label: str, seed: int, steps: list[tuple[str, int]]) -> None:
    text = content(label, 120, seed % 7)
    file = io.TextIOWrapper(io.BytesIO(text.encode(label)), label, newline="")
    file._CHUNK_SIZE = 1 + seed % 50  # type: ignore[attr-defined]
    places, at = [(0, 0)], 0
    for step, number in steps:
        if step == "read":
            assert file.read(number) == text[at : at + number]
            at = min(at + number, len(text))
        elif step == "line":
            line = text[at:].split("\n")[0] + "\n" if "\n" in text[at:] else text[at:]
            assert file.readline() == line
            at += len(line)
        elif step == "tell":
            places.append((file.tell(), at))
        else:
            cookie, at = places[number % len(places)]
            file.seek(cookie)
    assert file.read() == text[at:]


@examples(80)
@given(names.flatmap(lambda name: st.tuples(st.just(name), inputs(name))), suffixes, st.integers(1, 40))
def test_text_io_wrapper_with_errors(case: tuple[str, bytes], suffix: str, chunk: int) -> None:
    name, data = case
    label = codec(name) + suffix
    whole = codecs.decode(data, label, "replace")
    file = io.TextIOWrapper(io.BytesIO(data), label, "replace", newline="")
    file._CHUNK_SIZE = chunk  # type: ignore[attr-defined]
    text, places = "", []
    while True:
        places.append((file.tell(), len(text)))
        part = file.read(1)
        if not part:
            break
        text += part
    assert text == whole
    for cookie, at in places:
        file.seek(cookie)
        assert file.read() == whole[at:]


@pytest.mark.parametrize("label", FILES)
def test_stream_readers(label: str) -> None:
    """`read`, `readline`, `readlines` with any sizes, and `seek`."""
    text = content(label, 500)
    data = text.encode(label)
    lines = text.splitlines(keepends=True)
    create = codecs.getreader(label)
    assert create(io.BytesIO(data)).read() == text
    assert create(io.BytesIO(data)).readlines() == lines
    assert create(io.BytesIO(data)).readlines(10) == lines
    assert create(io.BytesIO(data)).readlines(keepends=False) == text.splitlines()
    assert list(create(io.BytesIO(data))) == lines
    with create(io.BytesIO(data)) as reader:
        for line in lines:
            assert reader.readline() == line
        assert reader.readline() == reader.read() == reader.read(5) == ""
        reader.seek(0)
        assert [reader.readline(keepends=False) for _ in lines] == text.splitlines()
        reader.seek(0)
        chance = random.Random(label)
        parts = []
        while True:
            what = chance.randrange(4)
            size = chance.randrange(1, 30)
            if what == 0:
                part = reader.read(size)
            elif what == 1:
                part = reader.read(size, chance.randrange(1, 20))
            elif what == 2:
                part = reader.readline(size)
            else:
                part = reader.readline()
                assert part.count("\n") <= 1
            if not part:
                break
            parts.append(part)
        assert "".join(parts) + reader.read() == text
        assert reader.read(0) == ""
        reader.seek(0)
        assert reader.read(chars=7) == text[:7]
        assert reader.read(size=-1, chars=3) == text[7:10]
        assert reader.read() == text[10:]


def test_stream_readers_return_the_text_before_an_error() -> None:
    reader = codecs.getreader("whatwg-shift_jis")(io.BytesIO(b"one\ntwo\nthree \xff\nfour\n"))
    assert [reader.readline(), reader.readline()] == ["one\n", "two\n"]
    for _ in range(2):
        with pytest.raises(UnicodeDecodeError):
            reader.readline()
    # Nothing is lost.
    reader.errors = "replace"
    assert list(reader) == ["three \ufffd\n", "four\n"]
    reader = codecs.getreader("whatwg-utf-8")(io.BytesIO(b"one\n\xff\ntwo\n"), "replace")
    assert reader.readlines() == ["one\n", "\ufffd\n", "two\n"]


STREAM_READS: list[Callable[[Any], str]] = [
    lambda reader: reader.read(),
    lambda reader: reader.read(10),
    lambda reader: reader.read(10, 30),
    lambda reader: reader.read(-1, 7),
    lambda reader: reader.readline(),
    lambda reader: reader.readline(50),
    lambda reader: "".join(reader.readlines()),
    lambda reader: next(reader, ""),
]


def read_on(reader: Any, reads: list[Callable[[Any], str]], errors: str | None = None) -> tuple[list[str], int]:
    """Calls the functions in turn, to the end. After an exception, sets `errors`, and calls the same one again. Returns what they
    return, and how often they failed."""
    parts: list[str] = []
    failures = 0
    while not parts or parts[-1]:
        try:
            parts.append(reads[len(parts) % len(reads)](reader))
        except (UnicodeDecodeError, TimeoutError):
            failures += 1
            reader.errors = errors or reader.errors
    return parts, failures


@pytest.mark.parametrize("name", ["UTF-8", "Shift_JIS", "ISO-2022-JP", "UTF-16LE", "gb18030", "windows-1252"])
def test_stream_readers_lose_nothing_at_an_error(name: str) -> None:
    """The errors are near the places where `readline` reads further: after 72 bytes, 144 bytes more, and so on."""
    label = codec(name)
    bad = b"\x81" if name == "windows-1252" else "\udc00".encode("utf-16le", "surrogatepass") if name == "UTF-16LE" else b"\xff"
    handler = "test.mark" if name != "windows-1252" else "replace"
    sizes = [0, 1, 71, 72, 73, 100, 215, 216, 217, 503, 504, 505, 1000, 9000]
    chance = random.Random(name)
    for size in sizes:
        for end in ("\n", "\r\n", "\r"):
            for fill in ("a", "\u6f22" if name != "windows-1252" else "\xe9"):
                data = [(fill * (size // len(fill.encode(label)))).encode(label), bad, f"{'b' * 20}{end}next{end}".encode(label)]
                data = [f"one{end}".encode(label), *data, data[0], f"{end}{end}".encode(label), bad, bad]
                whole = b"".join(data)
                for read in STREAM_READS:
                    expected, _ = read_on(codecs.getreader(label)(io.BytesIO(whole), handler), [read])
                    reader = codecs.getreader(label)(io.BytesIO(whole))
                    parts, failures = read_on(reader, [read], handler)
                    assert "".join(parts) == "".join(expected) == whole.decode(label, handler)
                    assert failures == (name != "windows-1252")
                    if STREAM_READS.index(read) != 5:
                        assert parts == expected, (size, end, STREAM_READS.index(read))
                reader = codecs.getreader(label)(io.BytesIO(whole))
                parts, _ = read_on(reader, [chance.choice(STREAM_READS) for _ in range(5)], handler)
                assert "".join(parts) == whole.decode(label, handler)


def test_stream_readers_lose_nothing_if_the_stream_fails() -> None:
    class Failing(io.BytesIO):
        calls = 0

        def read(self, size: int | None = -1) -> bytes:
            self.calls += 1
            if self.calls in failures:
                raise TimeoutError
            return super().read(100 if size is None or size < 0 else min(size, 100))

    text = "a" * 250 + "\r\n" + "\u6f22" * 200 + "\r\rend"
    for failures in (*({call} for call in range(1, 15)), range(1, 200, 2)):
        for read in STREAM_READS:
            stream = Failing(text.encode("gbk"))
            parts, count = read_on(codecs.getreader("whatwg-gbk")(stream), [read])
            assert "".join(parts) == text, (failures, STREAM_READS.index(read))
            assert count > 0 or stream.calls < min(failures)
            if STREAM_READS.index(read) in (4, 7):
                assert parts == [*text.splitlines(keepends=True), ""]


@pytest.mark.parametrize("label", FILES)
def test_a_temporary_end(label: str) -> None:
    """At each place within a text, a stream may end for a while, and a drained reader continues."""
    mark = "\ufeff" if label.endswith("-bom") and label[7:-4] in MARKS else ""
    text = f"a{content(label, 12)}\nz\n"
    data = (mark + text).encode(label.removesuffix("-bom"))
    drains: list[Callable[[Any], list[str]]] = [
        lambda reader: [reader.read()],
        lambda reader: [reader.read(None)],
        lambda reader: list(iter(lambda: reader.read(3), "")),
        lambda reader: list(iter(lambda: reader.read(-1, 2), "")),
        lambda reader: list(iter(reader.readline, "")),
        lambda reader: list(iter(lambda: reader.readline(2), "")),
        lambda reader: reader.readlines(None),
        lambda reader: list(reader),
    ]
    for errors in ("strict", "replace", "test.mark"):
        for at in range(len(data)):
            for drain in drains:
                stream = io.BytesIO(data[:at])
                reader = codecs.getreader(label)(stream, errors)
                # The second time, there is nothing new. Nor is there the third time, and the stream does not block.
                parts = drain(reader) + drain(reader)
                stream.read = lambda *_: None  # type: ignore[method-assign]
                parts += drain(reader)
                del stream.read
                stream.write(data[at:])
                stream.seek(at)
                assert "".join(parts + drain(reader) + drain(reader)) == text
            decoder = codecs.getincrementaldecoder(label)(errors)
            assert decoder.decode(data[:at]) + decoder.decode(b"") + decoder.decode(data[at:], True) == text
            recoder = codecs.StreamRecoder(io.BytesIO(data[:at]), codecs.lookup("utf-8").encode, codecs.lookup("utf-8").decode, codecs.getreader(label), codecs.getwriter(label))
            read = recoder.read() + recoder.read()
            recoder.stream.write(data[at:])
            recoder.stream.seek(at)
            assert (read + recoder.read()).decode() == text


def test_a_temporary_end_of_other_readers() -> None:
    """For these, the end of a file is the end of the text."""
    raw = io.BytesIO(b"a\xe2\x82")
    with pytest.raises(UnicodeDecodeError):
        open_text = io.TextIOWrapper(raw, "whatwg-utf-8")
        open_text.read()
    for read in ("read", "readline", "readall"):
        with pytest.raises(UnicodeDecodeError):
            reader = textcodec.Utf8Reader(io.BytesIO(b"a\xe2\x82"), "utf-8")
            while getattr(reader, read)():
                pass


@pytest.mark.parametrize("label", FILES)
def test_stream_writers(label: str) -> None:
    text = content(label, 300)
    stream = io.BytesIO()
    writer = codecs.getwriter(label)(stream)
    for part in chunked(text, random.Random(label), 30):
        writer.write(part)
    writer.writelines(["x", "y"])
    assert stream.getvalue() == (text + "xy").encode(label)
    writer.reset()
    writer.write("z")
    assert stream.getvalue().decode(label).replace("\ufeff", "") == (text + "xyz").replace("\ufeff", "")


def test_a_stream_writer_ends_iso_2022_jp() -> None:
    stream = io.BytesIO()
    writer = codecs.getwriter("whatwg-iso-2022-jp")(stream)
    writer.write("\u65e5")
    writer.write("\u672c")
    assert stream.getvalue() == b"\x1b$BF|K\\"
    writer.reset()
    writer.reset()
    assert stream.getvalue() == b"\x1b$BF|K\\\x1b(B"
    writer.write("a\u8a9e")
    assert stream.getvalue().decode("whatwg-iso-2022-jp") == "\u65e5\u672ca\u8a9e"


def test_a_stream_writer_at_the_start_overwrites_nothing() -> None:
    """`seek(0)` moves the stream before it resets the writer."""
    for create in (
        lambda stream: codecs.getwriter("whatwg-iso-2022-jp")(stream),
        lambda stream: codecs.StreamReaderWriter(stream, codecs.getreader("whatwg-iso-2022-jp"), codecs.getwriter("whatwg-iso-2022-jp")),
    ):
        stream = io.BytesIO()
        file = create(stream)
        file.write("\u65e5\u672c")
        file.seek(0)
        assert stream.getvalue().decode("whatwg-iso-2022-jp") == "\u65e5\u672c"
        file.write("abc")
        assert stream.getvalue() == b"abcF|K\\"

    class Pipe:
        data = b""

        def write(self, data: bytes) -> None:
            self.data += data

    pipe = Pipe()
    writer = codecs.getwriter("whatwg-iso-2022-jp")(pipe)
    writer.write("\u65e5")
    writer.reset()
    assert pipe.data == b"\x1b$BF|\x1b(B"


def test_errors_of_streams_can_change() -> None:
    reader = codecs.getreader("whatwg-utf-8")(io.BytesIO(b"\xffa\xffb"))
    with pytest.raises(UnicodeDecodeError):
        reader.read(1)
    reader.errors = "replace"
    assert reader.read() == "\ufffda\ufffdb"
    stream = io.BytesIO()
    writer = codecs.getwriter("whatwg-windows-1252")(stream)
    with pytest.raises(UnicodeEncodeError):
        writer.write("\u0416")
    writer.errors = "xmlcharrefreplace"
    writer.write("\u0416")
    assert stream.getvalue() == b"&#1046;"


@pytest.mark.parametrize("label", FILES)
def test_codecs_open(label: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    text, more = (f"a{content(label, 100, number)}z" for number in (1, 2))
    with codecs.open(str(path), "w", label) as file:
        file.write(text)
    with codecs.open(str(path), "r", label) as file:
        assert file.read() == text
        file.seek(0)
        assert list(file) == text.splitlines(keepends=True)
    with codecs.open(str(path), "w+", label) as file:
        file.write(text)
        file.seek(0)
        assert file.read() == text
        file.seek(0)
        assert file.readline() == text.splitlines(keepends=True)[0]
    with codecs.open(str(path), "a", label) as file:
        file.write(more)
    assert path.read_bytes().decode(label).replace("\ufeff", "") == text + more


@pytest.mark.parametrize("label", FILES)
def test_stream_recoder_and_encoded_file(label: str) -> None:
    text = content(label, 300)
    backend = io.BytesIO(text.encode(label))
    recoder = codecs.EncodedFile(backend, "utf-8", label)
    assert recoder.read() == text.encode()
    recoder.seek(0)
    assert recoder.readline() == text.splitlines(keepends=True)[0].encode()
    recoder.seek(0)
    assert b"".join(recoder) == text.encode()
    recoder.seek(0)
    assert recoder.readlines() == text.encode().splitlines(keepends=True)
    backend = io.BytesIO()
    recoder = codecs.EncodedFile(backend, "utf-8", label)
    recoder.write(text.encode())
    recoder.writelines([b"x", b"y"])
    assert backend.getvalue() == (text + "xy").encode(label)
    # The other way: UTF-8 in the file, our encoding for the program.
    info = codecs.lookup(label)
    utf_8 = codecs.lookup("utf-8")
    backend = io.BytesIO(text.encode())
    other = codecs.StreamRecoder(backend, info.encode, info.decode, utf_8.streamreader, utf_8.streamwriter)
    assert other.read() == text.encode(label)
    other.seek(0)
    other.write(text.encode(label))
    assert backend.getvalue() == text.encode()


def test_a_csv_file_with_all_line_ends(tmp_path: Path) -> None:
    for label in FILES:
        path = tmp_path / "file"
        path.write_bytes("a\r\nb\rc\n\r\n".encode(label))
        assert path.read_text(label) == "a\nb\nc\n\n"
        with open(path, encoding=label, newline="\r\n") as file:
            assert list(file) == ["a\r\n", "b\rc\n\r\n"]
        with open(path, "w", encoding=label, newline="\r\n") as file:
            file.write("a\nb")
        assert path.read_bytes() == "a\r\nb".encode(label)


def test_standard_streams_can_be_reconfigured() -> None:
    file = io.TextIOWrapper(io.BytesIO(), "utf-8")
    file.reconfigure(encoding="whatwg-shift_jis", errors="xmlcharrefreplace")
    file.write("\u6f22\U0001f600")
    file.flush()
    assert file.buffer.getvalue() == b"\x8a\xbf&#128512;"  # type: ignore[attr-defined]


def test_the_whole_text_of_long_files(tmp_path: Path) -> None:
    for name in ("Shift_JIS", "gb18030", "ISO-2022-JP", "UTF-16LE", "UTF-8", "windows-1251", "EUC-JP", "Big5", "EUC-KR"):
        label = codec(name)
        text = content(label, 60_000)
        path = tmp_path / "file"
        path.write_bytes(text.encode(label))
        with open(path, encoding=label, newline="") as file:
            assert file.read() == text
        with open(path, encoding=label, newline="") as file:
            assert "".join(iter(lambda: file.read(1000), "")) == text
        assert "".join(codecs.getreader(label)(path.open("rb"))) == text
