"""Every decoder and encoder against the oracle."""

from __future__ import annotations

import codecs
import random

import pytest

import support
import textcodec
from support import Vectors, chunked, codec


@pytest.fixture(params=[name for name in support.NAMES if name != "replacement"])
def vector(request: pytest.FixtureRequest, vectors: Vectors) -> tuple[str, dict]:
    return request.param, vectors.encodings[request.param]


def test_the_vectors_are_of_all_encodings(vectors: Vectors) -> None:
    assert set(vectors.encodings) == set(support.NAMES) - {"replacement"}
    for name, vector in vectors.encodings.items():
        assert tuple(vector["labels"]) == textcodec.get_encoding(name).labels


def test_grids(vector: tuple[str, dict], vectors: Vectors) -> None:
    """All strings of some bytes: whole, the number of errors, and in two chunks."""
    name, members = vector
    label = codec(name)
    errors_seen = 0

    def count(error: UnicodeDecodeError) -> tuple[str, int]:
        nonlocal errors_seen
        errors_seen += 1
        return "\ufffd", error.end

    codecs.register_error("test.count", count)
    decoder = codecs.getincrementaldecoder(label)("replace")
    for grid in members["decode"]:
        for number, (data, text, errors) in enumerate(vectors.grid(grid)):
            if data.decode(label, "replace") != text:
                assert data.decode(label, "replace") == text, data
            if errors:
                with pytest.raises(UnicodeDecodeError) if number % 64 == 0 else pytest.raises(ValueError):
                    data.decode(label)
            elif data.decode(label) != text:
                pytest.fail(f"{data!r} has no error")
            if number % 3 == 0:
                errors_seen = 0
                if data.decode(label, "test.count") != text or errors_seen != errors:
                    pytest.fail(f"{data!r} has {errors} errors, not {errors_seen}")
            if number % 2 == 0:
                at = number // 2 % (len(data) + 1)
                both = decoder.decode(data[:at]) + decoder.decode(data[at:], True)
                if both != text:
                    assert both == text, (data, at)


def test_texts(vector: tuple[str, dict], vectors: Vectors) -> None:
    """Random texts with errors: the text, the places of the errors, and any chunks."""
    name, members = vector
    label = codec(name)
    chance = random.Random(name)
    for data_index, text_index, errors in members["texts"]:
        data, text = vectors.bytes(data_index), vectors.pool[text_index]
        places: list[list[int]] = []

        def note(error: UnicodeDecodeError) -> tuple[str, int]:
            assert error.object == data
            places.append([error.start, error.end])
            return "\ufffd", error.end

        codecs.register_error("test.note", note)
        assert data.decode(label, "replace") == text
        assert data.decode(label, "test.note") == text
        assert places == errors
        report = textcodec.decode_report(data, name, bom="keep", limit=len(errors) + 1)
        assert (report.text, report.error_count) == (text, len(errors))
        assert [[error.start, error.end] for error in report.errors] == errors
        assert all(error.bytes == data[error.start : error.end] for error in report.errors)
        assert textcodec.transcode(data, name, errors="replace", bom="keep") == text.encode()
        if errors:
            with pytest.raises(UnicodeDecodeError) as raised:
                data.decode(label)
            assert [raised.value.start, raised.value.end] == errors[0]
        else:
            assert data.decode(label) == text
        for longest in (1, 5, 100):
            decoder = codecs.getincrementaldecoder(label)("replace")
            parts = [decoder.decode(chunk) for chunk in chunked(data, chance, longest)]
            assert "".join(parts) + decoder.decode(b"", True) == text


def test_scalar_values(vector: tuple[str, dict], vectors: Vectors) -> None:
    """Each scalar value alone, and those that an encoding maps in one text."""
    name, members = vector
    if name in support.UTF_16:
        # The standard has no encoders for UTF-16. Those of this package are compared with CPython's.
        for first in range(0, 0x110000, 0x800):
            if first != 0xD800:
                text = "".join(map(chr, range(first, first + 0x800)))
                assert text.encode(codec(name)) == text.encode(name)
        return
    label = codec(name)
    for block, bytes_index, lengths_index in members["encode"]:
        data, lengths = vectors.bytes(bytes_index), vectors.pool[lengths_index]
        at, mapped, unmapped = 0, [], []
        for code_point, length in zip(range(block << 8, (block + 1) << 8), lengths, strict=True):
            end = at + int(length, 36)
            if end == at:
                unmapped.append(code_point)
            else:
                mapped.append(chr(code_point))
                if chr(code_point).encode(label) != data[at:end]:
                    assert chr(code_point).encode(label) == data[at:end], hex(code_point)
            at = end
        if name != "ISO-2022-JP":
            assert "".join(mapped).encode(label) == data
        for number, code_point in enumerate(unmapped):
            if chr(code_point).encode(label, "ignore") not in (b"", b"\x1b(B"):
                pytest.fail(f"{code_point:#x} is encoded")
            if number % 16 == 0:
                with pytest.raises(UnicodeEncodeError) as raised:
                    chr(code_point).encode(label)
                assert (raised.value.start, raised.value.end) == (0, 1)


def test_strings(vector: tuple[str, dict], vectors: Vectors) -> None:
    """Random strings with unmappable characters and unpaired surrogates."""
    name, members = vector
    chance = random.Random(name)
    for units_index, bytes_index, errors in members.get("strings", []):
        # Pairs of surrogates become characters, and other surrogates become U+FFFD, as in JavaScript.
        text = vectors.bytes(units_index).decode("utf-16-be", "surrogatepass")
        scalars = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
        data = vectors.bytes(bytes_index)
        expected = [chr(code_point) for _, code_point in errors]
        found: list[str] = []

        def note(error: UnicodeEncodeError) -> tuple[str, int]:
            character = error.object[error.start]
            found.append(character)
            # Encoders of ISO-2022-JP report three control characters as U+FFFD.
            number = 0xFFFD if character in "\x0e\x0f\x1b" else ord(character)
            return f"&#{number};", error.end

        codecs.register_error("test.note", note)
        assert scalars.encode(codec(name), "test.note") == data
        assert ["\ufffd" if c in "\x0e\x0f\x1b" else c for c in found] == expected
        encoder = codecs.getincrementalencoder(codec(name))("test.note")
        parts = [encoder.encode(chunk) for chunk in chunked(scalars, chance, 40)]
        assert b"".join(parts) + encoder.encode("", True) == data


def test_replacement() -> None:
    assert b"".decode("whatwg-replacement") == ""
    assert "".encode("whatwg-replacement") == b""
    for data in (b"a", b"abc", b"\xff" * 20_000):
        assert data.decode("whatwg-replacement", "replace") == "\ufffd"
        assert data.decode("whatwg-replacement", "ignore") == ""
        with pytest.raises(UnicodeDecodeError) as decoding:
            data.decode("whatwg-replacement")
        assert (decoding.value.start, decoding.value.end) == (0, 1)
    with pytest.raises(UnicodeEncodeError):
        "a".encode("whatwg-replacement", "replace")
