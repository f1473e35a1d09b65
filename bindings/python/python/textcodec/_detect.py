"""`detect` and `Detector`, with the objects of their results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from textcodec import _native
from textcodec._native import Encoding

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["Candidate", "Declaration", "Detection", "Detector", "MailCharset", "detect"]


class Candidate(NamedTuple):
    """An encoding that the text could be in."""

    encoding: Encoding
    """The encoding."""
    probability: float
    """How likely it is, from 0 to 1. Encodings in which the text is the same share their probability."""
    malformed: int
    """The number of malformed sequences."""
    non_ascii: int
    """The number of non-ASCII characters."""
    unlikely: int
    """How many of these rarely occur in text: C1 controls, private use, unassigned code points."""
    is_complete: bool
    """Whether all bytes were decoded. Otherwise another encoding was clearly better, and the numbers are lower bounds."""


class Declaration(NamedTuple):
    """A declaration of an encoding in the text, or of the transport layer."""

    encoding: Encoding | None
    """The encoding that it means. `None` if its label is unknown."""
    form: str
    """Its syntax: `meta`, `pragma`, `xml`, `css`, `comment`, `po`, `mail`, `transport`, …."""
    label: str
    """The label as written."""
    offset: int
    """The offset of its first byte."""
    text: str
    """What is written and where, for messages."""


class MailCharset(NamedTuple):
    """The parts of a mail or mailbox that have the same charset."""

    charset: str
    """The name of the encoding, an unknown charset in quotes, or `no charset`."""
    parts: int
    """The number of parts."""
    first: str
    """The place of the first part, for messages."""


class Detection(NamedTuple):
    """The result of `detect` and `Detector.finish`. Later versions may add fields."""

    encoding: Encoding
    """The encoding. It decodes the bytes without an error, unless they are damaged text. If the confidence is `none`, it is only a last
    resort."""
    confidence: str
    """The level of the probability: `certain`, `high` (0.999 or more), `medium` (0.98 or more), `low` or `none`. `none` means that the
    bytes are not text, or are text in an encoding that is not supported."""
    probability: float
    """How likely it is that the text decodes rightly, from 0 to 1."""
    evidence: str
    """The kind of evidence: `empty`, `bom`, `declaration`, `structure`, `ascii`, `guess`, `fallback` or `none`."""
    language: str | None
    """The language of a guess, in English, such as `French`. `None` if there was no guess, or if no known language fits well."""
    mixed_with: Encoding | None
    """The encoding in which some words of a guessed text seem to be, if that is another one. `Mixed` and `decode_mixed` decode text in
    both."""
    candidates: tuple[Candidate, ...]
    """The encoding, followed by other likely ones, the likeliest first. Those without malformed sequences come before all others."""
    declarations: tuple[Declaration, ...]
    """The declarations that were found, in order of precedence, whether the bytes contradict them or not."""
    charsets: tuple[MailCharset, ...]
    """The charsets of a mail or mailbox whose parts have several, so that no encoding is right for all of it. Else empty."""
    bytes: int
    """The number of bytes that were examined: all, or at most 64 KiB if there is a byte order mark."""
    reason: str
    """The evidence in one line, for people. It may change in any release."""


class Detector(_native.Detector):
    """Detects the encoding of text that comes in chunks.

    The arguments are those of `detect`. The result depends only on the bytes, not on the chunks. All of the text is examined, in less
    than 1 MiB of memory. To examine less, feed less, and finish with `partial=True`. Threads may share a detector.

    >>> detector = Detector()
    >>> for chunk in (b"caf", b"\\xc3", b"\\xa9 na\\xc3\\xafve"):
    ...     detector.feed(chunk)
    >>> detector.finish().reason
    'valid UTF-8, with 2 non-ASCII characters'
    """

    __slots__ = ()

    def finish(self, partial: bool = False) -> Detection:
        """Ends the text and returns the result. With `partial`, more text could follow: its last character may be incomplete.

        Raises `ValueError` if the detector has finished before.
        """
        fields = self.end(partial)
        encoding, confidence, probability, evidence, language, mixed_with, candidates, declarations, charsets, count, reason = fields
        return Detection(
            encoding,
            confidence,
            probability,
            evidence,
            language,
            mixed_with,
            tuple(Candidate(*candidate) for candidate in candidates),
            tuple(Declaration(*declaration) for declaration in declarations),
            tuple(MailCharset(*charset) for charset in charsets),
            count,
            reason,
        )


def detect(
    data: ReadableBuffer,
    *,
    candidates: Iterable[str | Encoding] | None = None,
    languages: Iterable[str] | None = None,
    tld: str | None = None,
    declarations: bool = True,
    guess: bool = True,
    content_type: str | None = None,
    transport: str | Encoding | None = None,
    fallback: str | Encoding | None = None,
    partial: bool = False,
) -> Detection:
    """Detects the encoding of text: by its byte order mark, its declaration, its structure, or a guess.

    - `candidates`: the encodings of which the guess is one. If the text is unlikely in all of them, nothing is guessed. Other evidence
      may still lead to another encoding.
    - `languages`: tags such as `"ja"` or `"pt-BR"`, or English names, of languages that the text probably is in, for the guess.
    - `tld`: the top-level domain that the text is from, such as `"jp"`, for the guess.
    - `declarations`: whether declarations in the text are evidence. Use `False` for text that may have been converted since.
    - `guess`: whether to guess from the statistics of text.
    - `content_type`: the value of a header `Content-Type`. Its charset is a declaration, which the bytes may contradict. An unknown
      charset is ignored.
    - `transport`: the encoding of the transport layer, instead of `content_type`.
    - `fallback`: the encoding if nothing else is found and nothing is guessed. The default is windows-1252.
    - `partial`: whether the data is the start of a longer text, so that its last character may be incomplete.

    A guess with a confidence below `high` may be wrong; `reason` says what it is based on.

    Raises `LookupError` for an unknown label or language.

    >>> detect("\\u0442\\u0435\\u043a\\u0441\\u0442".encode("utf-8")).encoding
    <Encoding UTF-8>
    >>> detect(b"<meta charset=gbk>").reason
    'declared by <meta charset="gbk"> at byte 0'
    """
    detector = Detector(
        candidates=candidates,
        languages=languages,
        tld=tld,
        declarations=declarations,
        guess=guess,
        content_type=content_type,
        transport=transport,
        fallback=fallback,
    )
    detector.feed(data)
    return detector.finish(partial)
