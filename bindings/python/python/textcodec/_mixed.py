"""`decode_mixed` and `Mixed`, with the objects of their summaries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from textcodec import _native
from textcodec._native import Encoding

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["Mixed", "MixedError", "MixedPart", "MixedSummary", "MixedText", "Place", "decode_mixed"]


class Place(NamedTuple):
    """Where a line or sequence is that was not decoded with the first encoding."""

    encoding: Encoding
    """The encoding that was used."""
    line: int
    """The number of the line, from 1."""
    start: int
    """The offset of its first byte."""
    end: int
    """The offset after its last byte. Of a line of more than 1 MiB, that of its start."""


class MixedPart(NamedTuple):
    """What one encoding has decoded."""

    encoding: Encoding
    """The encoding."""
    decoded: int
    """The number of lines or sequences. It is 0 for the first encoding with `per="sequence"`."""
    places: tuple[Place, ...]
    """Where the first 16 of them are. Empty for the first encoding."""


class MixedError(NamedTuple):
    """A sequence that fits no encoding."""

    encoding: Encoding
    """The encoding that was tried last."""
    line: int
    """The number of the line, from 1."""
    start: int
    """The offset of its first byte."""
    end: int
    """The offset after its last byte."""
    bytes: bytes
    """Its bytes."""
    reason: str
    """Why it is malformed in the encoding."""


class MixedSummary(NamedTuple):
    """What was decoded, apart from the text."""

    parts: tuple[MixedPart, ...]
    """What each encoding has decoded, in the order of the list."""
    error_count: int
    """The number of sequences that fit no encoding, which the error handler has replaced or left out."""
    first_error: MixedError | None
    """The first of them."""

    @property
    def is_mixed(self) -> bool:
        """Whether any part was not decoded with the first encoding."""
        return any(part.decoded for part in self.parts[1:])


class MixedText(NamedTuple):
    """The result of `decode_mixed`."""

    text: str
    """The text."""
    summary: MixedSummary
    """Which encodings have decoded what, and where."""


class Mixed(_native.Mixed):
    """Decodes text in which several known encodings are mixed, in chunks. The arguments are those of `decode_mixed`.

    The text, the errors and the summary do not depend on the chunks. The start of a line, at most 1 MiB, or of a character is kept until
    the rest is known. Threads may share an object.

    >>> mixed = Mixed(["utf-8", "gbk"], per="line")
    >>> mixed.push(b"\\xe4\\xbd\\xa0\\n\\xc4"), mixed.push(b"\\xe3\\n"), mixed.finish()
    ('\u4f60\\n', '\u4f60\\n', '')
    >>> mixed.summary.parts[1].places
    (Place(encoding=<Encoding GBK>, line=2, start=4, end=7),)
    """

    __slots__ = ()

    def push(self, data: ReadableBuffer) -> str:
        """Decodes a chunk. With `strict`, raises `UnicodeDecodeError` for bytes that fit no encoding, and again in each further call."""
        return self.convert(data, False)

    def finish(self) -> str:
        """Ends the text, and returns the rest of it. Raises like `push`, and `ValueError` if the text has ended before."""
        return self.convert(b"", True)

    @property
    def summary(self) -> MixedSummary:
        """What was decoded so far. A line whose end is not known yet is not included."""
        parts, error_count, first_error = self.summary_fields()
        return MixedSummary(
            tuple(
                MixedPart(encoding, decoded, tuple(Place(*place) for place in places)) for encoding, decoded, places in parts
            ),
            error_count,
            None if first_error is None else MixedError(*first_error),
        )


def decode_mixed(
    data: ReadableBuffer,
    encodings: Iterable[str | Encoding],
    *,
    per: Literal["line", "sequence"] | None = None,
    errors: Literal["strict", "replace", "ignore", "backslashreplace"] = "strict",
) -> MixedText:
    """Decodes text in which several known encodings are mixed. Nothing is guessed.

    With `per="line"`, each line is decoded with the first encoding of the list in which it is well-formed. With `per="sequence"`,
    well-formed characters of the first encoding stay, and the bytes of each malformed sequence are decoded with the first other
    encoding that has them. That is the default if all encodings after the first are single-byte encodings, and impossible otherwise.

    UTF-16 may be in the list for lines: a line with zero bytes is UTF-16 if that is the more likely text. Byte order marks are
    decoded to U+FEFF, because joined files can have them anywhere.

    `errors` says what happens to bytes that fit no encoding: malformed in the last one. A `UnicodeDecodeError` has the attributes
    `line`, from 1, and `offset`, of the first malformed byte in the text.

    Raises `UnicodeDecodeError`, `LookupError` for an unknown label, and `ValueError` for encodings that cannot be mixed.

    >>> decode_mixed(b"\\xc3\\xa9 \\xe9", ["utf-8", "windows-1252"]).text
    '\xe9 \xe9'
    """
    mixed = Mixed(encodings, per=per, errors=errors)
    return MixedText(mixed.convert(data, True), mixed.summary)
