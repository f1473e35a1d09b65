"""The interface of the package `webencodings` on the codecs of the standard.

    import textcodec.webencodings as webencodings

Names, labels and byte order marks are the same. Text that CPython's codecs decode differently from browsers is decoded as
browsers do, and `codec_info` is that of a codec `whatwg-LABEL`.
"""

from __future__ import annotations

import codecs
from _thread import RLock
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from textcodec import _native
from textcodec._codecs import search

__all__ = [
    "CACHE",
    "LABELS",
    "UTF8",
    "VERSION",
    "Encoding",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "ascii_lower",
    "decode",
    "encode",
    "iter_decode",
    "iter_encode",
    "lookup",
]

VERSION = __version__ = "0.6.1"
"""The version of webencodings whose interface this is."""


class Encoding:
    """An encoding: its `name` in small letters, and its codec as `codec_info`."""

    def __init__(self, name: str, codec_info: codecs.CodecInfo) -> None:
        self.name = name
        self.codec_info = codec_info

    def __repr__(self) -> str:
        return f"<Encoding {self.name}>"


def _create(encoding: _native.Encoding) -> Encoding:
    info = search(encoding.codec_name)
    assert info is not None, "every encoding of the standard has a codec"
    return Encoding(encoding.name.lower(), info)


CACHE: dict[str, Encoding] = {encoding.name.lower(): _create(encoding) for encoding in _native.encodings()[0]}
"""The encodings by name."""

LABELS: dict[str, str] = {
    label: encoding.name.lower() for encoding in _native.encodings()[0] for label in encoding.labels
}
"""The names of encodings by label."""

_BY_LABEL = {label: CACHE[name] for label, name in LABELS.items()}


def ascii_lower(string: str) -> str:
    """Maps A to Z to small letters, and no other characters."""
    return string.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def lookup(label: str) -> Encoding | None:
    """Gets an encoding from a label, or `None`."""
    return _BY_LABEL.get(label) or _BY_LABEL.get(ascii_lower(label.strip("\t\n\f\r ")))


def _get_encoding(encoding_or_label: Encoding | str) -> Encoding:
    if isinstance(encoding_or_label, str):
        encoding = lookup(encoding_or_label)
        if encoding is None:
            raise LookupError(f"Unknown encoding label: {encoding_or_label!r}")
        return encoding
    # Like webencodings, this accepts objects of other classes.
    if not hasattr(encoding_or_label, "codec_info"):
        raise TypeError(f"an encoding must be a label or an Encoding, not {type(encoding_or_label).__name__}")
    return encoding_or_label


UTF8: Encoding = CACHE["utf-8"]
"""UTF-8. New content should use it."""

_MARKS = ((b"\xff\xfe", CACHE["utf-16le"]), (b"\xfe\xff", CACHE["utf-16be"]), (b"\xef\xbb\xbf", UTF8))


def _detect_bom(input: bytes) -> tuple[Encoding | None, bytes]:
    """Returns the encoding of a byte order mark, and the input without it."""
    # Most inputs begin with ASCII.
    if input[:1] > b"\xee":
        for mark, encoding in _MARKS:
            if input.startswith(mark):
                return encoding, input[len(mark) :]
    return None, input


def decode(input: bytes, fallback_encoding: Encoding | str, errors: str = "replace") -> tuple[str, Encoding]:
    """Decodes bytes, by the encoding of their byte order mark or `fallback_encoding`. Returns the text and the encoding.

    Raises `LookupError` for an unknown label.

    >>> decode(b"\\x8a\\xbf", "sjis")
    ('\u6f22', <Encoding shift_jis>)
    """
    encoding = _get_encoding(fallback_encoding)
    if input[:1] > b"\xee":
        mark, input = _detect_bom(input)
        encoding = mark or encoding
    return encoding.codec_info.decode(input, errors)[0], encoding


def encode(input: str, encoding: Encoding | str = UTF8, errors: str = "strict") -> bytes:
    """Encodes text. Raises `LookupError` for an unknown label."""
    return _get_encoding(encoding).codec_info.encode(input, errors)[0]


def iter_decode(
    input: Iterable[bytes], fallback_encoding: Encoding | str, errors: str = "replace"
) -> tuple[Iterator[str], Encoding]:
    """Decodes chunks. Reads as many as it needs to know the encoding, and the others on demand."""
    decoder = IncrementalDecoder(fallback_encoding, errors)
    chunks = iter(input)
    first = ""
    for chunk in chunks:
        first = decoder.decode(chunk)
        if first:
            break
    else:
        first = decoder.decode(b"", final=True)
        chunks = iter(())
    assert decoder.encoding is not None
    return _decode_rest(first, chunks, decoder), decoder.encoding


def _decode_rest(first: str, chunks: Iterator[bytes], decoder: IncrementalDecoder) -> Iterator[str]:
    if first:
        yield first
    for chunk in chunks:
        text = decoder.decode(chunk)
        if text:
            yield text
    text = decoder.decode(b"", final=True)
    if text:
        yield text


def iter_encode(
    input: Iterable[str], encoding: Encoding | str = UTF8, errors: str = "strict"
) -> Iterator[bytes]:
    """Encodes chunks on demand."""
    # An unknown label must not wait for the first chunk.
    return _encode_chunks(input, IncrementalEncoder(encoding, errors))


def _encode_chunks(input: Iterable[str], encoder: IncrementalEncoder) -> Iterator[bytes]:
    for chunk in input:
        data = encoder.encode(chunk)
        if data:
            yield data
    data = encoder.encode("", final=True)
    if data:
        yield data


class IncrementalDecoder:
    """Decodes chunks, by the encoding of their byte order mark or `fallback_encoding`.

    `encoding` is the encoding in use, or `None` as long as a byte order mark is neither found nor ruled out.
    """

    def __init__(self, fallback_encoding: Encoding | str, errors: str = "replace") -> None:
        self._fallback = _get_encoding(fallback_encoding)
        self._errors = errors
        self._start = b""
        self._decode: Any = None
        self._lock = RLock()
        self.encoding: Encoding | None = None

    def decode(self, input: bytes, final: bool = False) -> str:
        """Decodes a chunk. `final` means that the input ends with it."""
        with self._lock:
            if self._decode is None:
                mark, rest = _detect_bom(self._start + input)
                if mark is None and len(rest) < 3 and not final:
                    self._start = rest
                    return ""
                self.encoding = mark or self._fallback
                create = self.encoding.codec_info.incrementaldecoder
                self._decode, input = create(self._errors).decode, rest
        text: str = self._decode(input, final)
        return text

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        # A copy would share the decoder.
        raise TypeError(f"cannot copy or pickle an {type(self).__name__}")


class IncrementalEncoder:
    """Encodes chunks. `encode(input, final=False)` encodes one."""

    def __init__(self, encoding: Encoding | str = UTF8, errors: str = "strict") -> None:
        self.encode = _get_encoding(encoding).codec_info.incrementalencoder(errors).encode

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        # A copy would share the encoder.
        raise TypeError(f"cannot copy or pickle an {type(self).__name__}")
