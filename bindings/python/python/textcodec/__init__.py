"""The encodings of the web, as browsers decode and encode them.

`import textcodec` registers a codec `whatwg-LABEL` for each label of the Encoding Standard, for `open`, `str.encode`,
`bytes.decode`, pandas and all else that uses Python's codecs. `whatwg-LABEL` keeps byte order marks, `whatwg-LABEL-bom` removes and
writes them. `textcodec-NAME` is a codec for each name of an encoding outside the standard, such as `textcodec-cp437`.

>>> import textcodec
>>> "\u6f22\u5b57".encode("whatwg-shift_jis")
b'\\x8a\\xbf\\x8e\\x9a'
>>> textcodec.decode(b"\\x8a\\xbf\\x8e\\x9a", "shift_jis")
'\u6f22\u5b57'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from textcodec import _native
from textcodec._codecs import register, unregister
from textcodec._detect import Candidate, Declaration, Detection, Detector, MailCharset, detect
from textcodec._mixed import Mixed, MixedError, MixedPart, MixedSummary, MixedText, Place, decode_mixed
from textcodec._native import Encoding, SingleByte, decode, encode, for_bom, get_encoding, transcode
from textcodec._reader import Utf8Reader

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = [
    "ENCODINGS",
    "ISOMORPHIC",
    "OEM_ENCODINGS",
    "STRICT_ASCII",
    "Candidate",
    "Declaration",
    "Decoded",
    "Detection",
    "Detector",
    "Encoding",
    "MailCharset",
    "Malformed",
    "Mixed",
    "MixedError",
    "MixedPart",
    "MixedSummary",
    "MixedText",
    "Place",
    "SingleByte",
    "Utf8Reader",
    "__version__",
    "decode",
    "decode_mixed",
    "decode_report",
    "detect",
    "encode",
    "for_bom",
    "get_encoding",
    "register",
    "transcode",
    "unregister",
]

__version__ = _native.__version__

ENCODINGS: tuple[Encoding, ...]
"""The encodings of the standard, in the order of its table."""

OEM_ENCODINGS: tuple[Encoding, ...]
"""Encodings that the standard leaves out: code pages of MS-DOS, EBCDIC and classic Mac OS, UTF-7, UTF-32 and others."""

ISOMORPHIC: Encoding
"""True ISO-8859-1: byte n is U+0000 plus n. The label "latin1" means windows-1252."""

STRICT_ASCII: Encoding
"""ASCII, where all other bytes are malformed. The label "ascii" means windows-1252."""

ENCODINGS, (ISOMORPHIC, STRICT_ASCII), OEM_ENCODINGS = _native.encodings()


class Malformed(NamedTuple):
    """A malformed sequence."""

    start: int
    """The offset of its first byte."""
    end: int
    """The offset after its last byte."""
    bytes: bytes
    """Its bytes."""
    reason: str
    """Why it is malformed."""


class Decoded(NamedTuple):
    """The result of `decode_report`."""

    text: str
    """The text, with U+FFFD for each malformed sequence."""
    encoding: Encoding
    """The encoding that was used: the requested one, or that of the byte order mark."""
    bom_removed: bool
    """Whether a byte order mark was removed."""
    error_count: int
    """The number of malformed sequences."""
    errors: tuple[Malformed, ...]
    """The first malformed sequences, at most `limit`."""


def decode_report(
    data: ReadableBuffer,
    encoding: str | Encoding,
    *,
    bom: Literal["sniff", "strip", "keep"] = "sniff",
    limit: int = 100,
) -> Decoded:
    """Decodes bytes, replaces malformed sequences by U+FFFD, and reports them.

    >>> decode_report(b"a\\xffb", "utf-8").errors
    (Malformed(start=1, end=2, bytes=b'\\xff', reason='this byte cannot start a character'),)
    """
    text, used, bom_removed, count, errors = _native.decode_report(data, encoding, bom, limit)
    return Decoded(text, used, bom_removed, count, tuple(Malformed(*error) for error in errors))


def _encoding_by_name(name: str) -> Encoding:
    """Returns the encoding with a name, for pickle."""
    for encoding in (*ENCODINGS, ISOMORPHIC, STRICT_ASCII, *OEM_ENCODINGS):
        if encoding.name == name:
            return encoding
    raise LookupError(f"no encoding is named {name!r}")


register()
