"""What several test files use: encodings, random input, and the test vectors of the oracle."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import settings, strategies

import textcodec

NAMES = [encoding.name for encoding in textcodec.ENCODINGS]
WITH_ENCODER = [name for name in NAMES if name != "replacement"]
UTF_16 = ["UTF-16BE", "UTF-16LE"]

# The first and last bytes of byte classes in the standard's multi-byte encodings, and escape sequences.
BOUNDARIES = bytes.fromhex("00 1b 24 28 2f 30 39 3a 40 42 49 4a 7f 80 81 84 8e 8f 9f a0 a1 bf c2 d8 dc df e2 ed ef f0 f4 fe ff")
PIECES = [b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B", b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe", b"\xed\xa0\x80", b"\r\n"]


MORE_EXAMPLES = int(os.environ.get("TEXTCODEC_EXAMPLES", "1"))
"""How many times as many examples Hypothesis tries."""


def examples(count: int) -> settings:
    return settings(max_examples=count * MORE_EXAMPLES)


def codec(name: str) -> str:
    return f"whatwg-{name}"


@cache
def repertoire(name: str) -> str:
    """Returns a sample of the characters that an encoding maps."""
    everything = [c for first, last in textcodec.get_encoding(name).repertoire() for c in range(first, last + 1)]
    sample = random.Random(name).sample(everything, min(len(everything), 300))
    return "".join(map(chr, sample)) + "abc 0\n\r"


@cache
def words(name: str) -> list[bytes]:
    """Returns short texts of an encoding."""
    if name == "replacement":
        return [b"?"]
    chance = random.Random(name)
    return ["".join(chance.choices(repertoire(name), k=chance.randrange(1, 9))).encode(codec(name)) for _ in range(200)]


@cache
def some_text(name: str, length: int, seed: object = 0) -> str:
    """Returns text that an encoding maps."""
    if name == "replacement":
        return ""
    return "".join(random.Random(f"{name} {length} {seed}").choices(repertoire(name), k=length))


@cache
def some_bytes(name: str, length: int, seed: object = 0) -> bytes:
    """Returns about `length` bytes of text with errors."""
    chance = random.Random(f"{name} {length} {seed}")
    data = bytearray()
    while len(data) < length:
        what = chance.randrange(8)
        if what == 0:
            data.append(chance.randrange(256))
        elif what == 1:
            data.append(chance.choice(BOUNDARIES))
        elif what == 2:
            data += chance.choice(PIECES)
        elif what == 3:
            data += b"ASCII text"[: chance.randrange(10)]
        elif what == 4:
            data += chance.choice(words(name))[: chance.randrange(1, 4)]
        else:
            data += chance.choice(words(name))
    return bytes(data)


@cache
def some_string(name: str, length: int, seed: object = 0) -> str:
    """Returns a string with characters that an encoding does not map, and surrogates."""
    chance = random.Random(f"{name} {length} {seed}")
    mapped = repertoire(name) if name != "replacement" else "x"
    parts: list[str] = []
    while len(parts) < length:
        what = chance.randrange(8)
        if what == 0:
            parts.append(chr(chance.randrange(0xD800, 0xE000)))
        elif what == 1:
            parts.append(chr(chance.randrange(0x110000)))
        elif what == 2:
            parts.append(chance.choice("\x0e\x1b\\~\x7f\x80\xa5\xe9\u203e\u2212\ue5e5\uf780\uff61\U0001f600"))
        else:
            parts.append(chance.choice(mapped))
    return "".join(parts)


def chunked(data: Any, chance: random.Random, longest: int = 5) -> Iterator[Any]:
    """Splits bytes or a string."""
    at = 0
    while at < len(data):
        end = at + chance.randrange(longest + 1)
        yield data[at:end]
        at = end


def inputs(name: str) -> strategies.SearchStrategy[bytes]:
    """Generates bytes that are interesting for an encoding."""
    piece = strategies.one_of(
        strategies.sampled_from(PIECES),
        strategies.sampled_from(BOUNDARIES).map(lambda byte: bytes([byte])),
        strategies.binary(max_size=4),
        strategies.text(repertoire(name), min_size=1, max_size=4).map(lambda text: text.encode(codec(name), "ignore"))
        if name != "replacement"
        else strategies.just(b"?"),
    )
    return strategies.lists(piece, max_size=12).map(b"".join)


def strings(name: str) -> strategies.SearchStrategy[str]:
    """Generates strings that are interesting for an encoding."""
    piece = strategies.one_of(
        strategies.text(strategies.characters(), max_size=3),
        strategies.integers(0xD800, 0xDFFF).map(chr),
        strategies.text(repertoire(name) if name != "replacement" else "x", min_size=1, max_size=4),
    )
    return strategies.lists(piece, max_size=10).map("".join)


class Vectors:
    """The test vectors of the oracle. `bindings/js/vectors/src/main.rs` documents the format."""

    def __init__(self, file: Path) -> None:
        loaded = json.loads(file.read_text("utf-8"))
        self.pool: list[str] = loaded["pool"]
        self.encodings: dict[str, dict[str, Any]] = {encoding["name"]: encoding for encoding in loaded["encodings"]}

    def bytes(self, index: int) -> bytes:
        return bytes.fromhex(self.pool[index])

    def grid(self, grid: dict[str, Any]) -> Iterator[tuple[bytes, str, int]]:
        """Returns the inputs of a grid, with the text and the number of errors."""
        symbols = [bytes.fromhex(symbol) for symbol in grid["symbols"]]
        inputs = [b""]
        for _ in range(grid["length"]):
            inputs = [before + symbol for before in inputs for symbol in symbols]
        number = 0
        for texts, units, errors in ([self.pool[index] for index in row] for row in grid["rows"]):
            # The lengths are in code units of UTF-16.
            wide = texts.encode("utf-16-le")
            at = 0
            for count, error in zip(units, errors, strict=True):
                end = at + 2 * int(count, 36)
                yield inputs[number], wide[at:end].decode("utf-16-le"), int(error, 36)
                at = end
                number += 1
        assert number == len(inputs)
