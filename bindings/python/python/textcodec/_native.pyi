# The extension module. `textcodec` re-exports what is public.

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias, final

from _typeshed import ReadableBuffer
from typing_extensions import Self

__all__ = [
    "Array",
    "ChunkedArray",
    "Codec",
    "Detector",
    "Encoding",
    "IncrementalDecoder",
    "IncrementalEncoder",
    "Line",
    "LineReader",
    "Mixed",
    "SingleByte",
    "Transcoder",
    "__version__",
    "arrow_count_errors",
    "arrow_decode",
    "arrow_encode",
    "decode",
    "decode_report",
    "encode",
    "encodings",
    "for_bom",
    "get_encoding",
    "prescan",
    "sniff_html",
    "transcode",
]

_Bom: TypeAlias = Literal["sniff", "strip", "keep"]
_Per: TypeAlias = Literal["line", "sequence"]
_Errors: TypeAlias = Literal["strict", "replace", "ignore", "backslashreplace"]
_Candidate: TypeAlias = tuple[Encoding, float, int, int, int, bool]
_Declaration: TypeAlias = tuple[Encoding | None, str, str, int, str]
_Detection: TypeAlias = tuple[
    Encoding,
    str,
    float,
    str,
    str | None,
    Encoding | None,
    list[_Candidate],
    list[_Declaration],
    list[tuple[str, int, str]],
    int,
    str,
]
_MixedPart: TypeAlias = tuple[Encoding, int, list[tuple[Encoding, int, int, int]]]

__version__: Final[str]

@final
class Encoding:
    """An encoding: one of the 40 of the standard, or one outside the standard."""

    @property
    def name(self) -> str:
        """The name, such as `Shift_JIS` or `IBM037`."""
    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in small letters. Empty for encodings outside the standard."""
    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names, in small letters, which the standard does not have.

        Those of an encoding outside the standard mean it wherever an encoding is named.
        """
    @property
    def code_page(self) -> int | None:
        """The number of the code page of Windows or IBM."""
    @property
    def mime_name(self) -> str | None:
        """The name in MIME: the preferred one that is registered with IANA."""
    @property
    def codec_name(self) -> str:
        """The name for all that uses Python's codecs, such as `whatwg-shift_jis` or `textcodec-ibm037`."""
    @property
    def is_single_byte(self) -> bool:
        """Whether each byte is one character."""
    @property
    def is_ascii_compatible(self) -> bool:
        """Whether text in ASCII has the same bytes. False for UTF-16, ISO-2022-JP and EBCDIC."""
    @property
    def is_total(self) -> bool:
        """Whether all bytes decode without an error."""
    @property
    def output_encoding(self) -> Encoding:
        """The encoding that forms and URLs use instead: UTF-8 for UTF-16 and replacement, else this one."""
    def can_encode(self, character: str) -> bool:
        """Returns whether the encoder maps a character."""
    def repertoire(self) -> list[tuple[int, int]]:
        """Returns the scalar values that the encoder maps, as ascending pairs of first and last."""
    def decode(self, data: ReadableBuffer, errors: str = "strict", *, bom: _Bom = "sniff") -> str:
        """Decodes bytes. See `textcodec.decode`."""
    def encode(self, text: str, errors: str = "strict", *, bom: bool = False) -> bytes:
        """Encodes text. See `textcodec.encode`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, tuple[str]]: ...

def encodings() -> tuple[tuple[Encoding, ...], tuple[Encoding, Encoding], tuple[Encoding, ...]]: ...
def get_encoding(label: str, *, aliases: bool = False) -> Encoding:
    """Gets an encoding from a label, or from a name of an encoding outside the standard, such as `cp437`.

    With `aliases`, also from a name that the standard does not have for one of its encodings, such as `cp932`.

    Raises `LookupError` for an unknown name.
    """

def for_bom(data: ReadableBuffer) -> tuple[Encoding, int] | None:
    """Returns the encoding of a byte order mark, and its length in bytes."""

def decode(data: ReadableBuffer, encoding: str | Encoding, errors: str = "strict", *, bom: _Bom = "sniff") -> str:
    """Decodes bytes.

    With `bom="sniff"`, a byte order mark decides the encoding; it is removed. With `"strip"`, only a mark of `encoding` itself
    is removed. With `"keep"`, it is text. `errors` is the name of an error handler. Memory that another process may change
    meanwhile must be copied first, with `bytes`.

    Raises `UnicodeDecodeError`, and `LookupError` for an unknown label.
    """

def encode(text: str, encoding: str | Encoding, errors: str = "strict", *, bom: bool = False) -> bytes:
    """Encodes text. With `bom`, UTF-8 and UTF-16 begin with a byte order mark. `errors` is the name of an error handler.

    Raises `UnicodeEncodeError`, and `LookupError` for an unknown label.
    """

def transcode(
    data: ReadableBuffer,
    source: str | Encoding,
    target: str | Encoding = "utf-8",
    errors: str = "strict",
    *,
    bom: _Bom = "sniff",
) -> bytes:
    """Converts bytes from one encoding to another, without a `str` in between for `strict`, `replace` and `ignore`.

    Raises `UnicodeDecodeError`, `UnicodeEncodeError`, and `LookupError` for an unknown label.
    """

def decode_report(
    data: ReadableBuffer, encoding: str | Encoding, bom: _Bom, limit: int
) -> tuple[str, Encoding, bool, int, list[tuple[int, int, bytes, str]]]: ...
class Detector:
    """Detects the encoding of text that comes in chunks. `textcodec.Detector` adds `finish`."""

    def __new__(
        cls,
        *,
        candidates: Iterable[str | Encoding] | None = None,
        languages: Iterable[str] | None = None,
        tld: str | None = None,
        declarations: bool = True,
        guess: bool = True,
        content_type: str | None = None,
        transport: str | Encoding | None = None,
        fallback: str | Encoding | None = None,
    ) -> Self: ...
    def feed(self, data: ReadableBuffer) -> None:
        """Adds a chunk of the text. Raises `ValueError` after the end."""
    @property
    def is_decided(self) -> bool:
        """Whether more text will not change the result: after 64 KiB of text with a byte order mark, and after the end."""
    def end(self, partial: bool) -> _Detection: ...

class Mixed:
    """Decodes text in which several encodings are mixed. `textcodec.Mixed` adds the rest."""

    def __new__(cls, encodings: Iterable[str | Encoding], *, per: _Per | None = None, errors: _Errors = "strict") -> Self: ...
    def convert(self, data: ReadableBuffer, last: bool) -> str: ...
    @property
    def per(self) -> _Per:
        """The unit: `line` or `sequence`."""
    def summary_fields(self) -> tuple[list[_MixedPart], int, tuple[Encoding, int, int, int, bytes, str] | None]: ...

def prescan(data: ReadableBuffer) -> Encoding | None:
    """Returns the encoding that an HTML document declares in its first 1024 bytes: the prescan of the HTML standard."""

def sniff_html(content_type: str | None, data: ReadableBuffer) -> Encoding | None: ...
@final
class Codec:
    """The functions of a `codecs.CodecInfo`."""

    def __new__(cls, encoding: str | Encoding, bom: bool) -> Codec: ...
    @property
    def name(self) -> str: ...
    @property
    def encoding(self) -> Encoding: ...
    def decode(self, input: ReadableBuffer, errors: str | None = None, /) -> tuple[str, int]: ...
    def encode(self, input: str, errors: str | None = None, /) -> tuple[bytes, int]: ...
    def incremental_decoder(self, errors: str = "strict") -> IncrementalDecoder: ...
    def incremental_encoder(self, errors: str = "strict") -> IncrementalEncoder: ...

class IncrementalDecoder:
    """Decodes chunks, as `codecs.IncrementalDecoder` does. Subclasses define `codec`."""

    codec: Codec
    errors: str
    def __new__(cls, errors: str = "strict") -> Self: ...
    def decode(self, input: ReadableBuffer, final: bool = False) -> str: ...
    def reset(self) -> None: ...
    def getstate(self) -> tuple[bytes, int]: ...
    def setstate(self, state: tuple[ReadableBuffer, int]) -> None: ...

class IncrementalEncoder:
    """Encodes chunks, as `codecs.IncrementalEncoder` does. Subclasses define `codec`."""

    codec: Codec
    errors: str
    def __new__(cls, errors: str = "strict") -> Self: ...
    def encode(self, input: str, final: bool = False) -> bytes: ...
    def reset(self) -> None: ...
    def getstate(self) -> int: ...
    def setstate(self, state: int) -> None: ...

@final
class Transcoder:
    """Converts chunks of one input to UTF-8."""

    def __new__(cls, encoding: str | Encoding, errors: str, bom: _Bom) -> Transcoder: ...
    def transcode(self, input: ReadableBuffer, final: bool) -> bytes: ...

@final
class SingleByte:
    """An encoding in which each byte is a character, by a table.

    `characters` has the characters of all 256 bytes, or of those from 0x80 on if the others are ASCII: a string, or a sequence of
    strings of one character. `None`, U+FFFD and U+FFFE stand for a byte without a character, so the tables of Python's own codecs
    fit. All characters are below U+FFFF. If several bytes have the same character, it encodes to the first one.

    Raises `ValueError` for other characters. A table is never freed. Equal ones with the same name are kept once.

    >>> table = SingleByte("half", "".join(map(chr, range(128))))
    >>> table.decode(b"\xe1"), table.encode("a")
    ('a', b'a')
    """

    def __new__(cls, name: str, characters: Sequence[str | None]) -> SingleByte: ...
    @property
    def name(self) -> str:
        """The name, for exceptions."""
    @property
    def characters(self) -> str:
        """The characters of all bytes, with U+FFFD for a byte without a character."""
    def decode(self, data: ReadableBuffer, errors: str = "strict") -> str:
        """Decodes bytes. `errors` is the name of an error handler. Byte order marks are text."""
    def encode(self, text: str, errors: str = "strict") -> bytes:
        """Encodes text. `errors` is the name of an error handler."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[SingleByte], tuple[str, str]]: ...

# Columns. `textcodec.arrow` makes objects of other libraries of their results.

@final
class Array:
    """An Arrow array. Every library with the Arrow PyCapsule interface can take it without a copy."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object:
        """Returns the type as a capsule."""
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Returns the type and the array as capsules. Never casts to `requested_schema`, as the interface allows."""

@final
class ChunkedArray:
    """An Arrow array in chunks. Every library with the Arrow PyCapsule interface can take it without a copy."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object:
        """Returns the type as a capsule."""
    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the chunks as a capsule of a stream. Never casts to `requested_schema`, as the interface allows."""

def arrow_decode(array: object, encoding: object, errors: str = "strict", limit: int | None = None) -> Array | ChunkedArray:
    """Decodes a column of bytes. `limit` is the maximum length of a text buffer; tests lower it."""

def arrow_encode(array: object, encoding: object, errors: str = "strict", limit: int | None = None) -> Array | ChunkedArray:
    """Encodes a column of text. `limit` is the maximum length of a buffer of bytes; tests lower it."""

def arrow_count_errors(array: object, encoding: object) -> Array | ChunkedArray:
    """Counts the malformed sequences of each row."""

# For `textcodec.lines`.
@final
class Line:
    """A line of a file: its text, its offset in bytes, and its bytes if it is malformed."""

    __match_args__ = ("text", "offset", "corrupt")
    def __new__(cls, text: str | None, offset: int, corrupt: bytes | None = None) -> Line: ...
    @property
    def text(self) -> str | None: ...
    @property
    def offset(self) -> int: ...
    @property
    def corrupt(self) -> bytes | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self) -> tuple[type[Line], tuple[str | None, int, bytes | None]]: ...

@final
class LineReader:
    def __new__(
        cls, encoding: str | Encoding, errors: str, start: int, end: int | None, bom: str, line_reset: bool
    ) -> LineReader: ...
    @property
    def reads_from_start(self) -> bool: ...
    def begin(self, head: bytes) -> int: ...
    def push(self, data: bytes) -> None: ...
    @property
    def done(self) -> bool: ...
    def lines(self, limit: int) -> list[Line] | None: ...
    def batch(self, limit: int, others: int) -> Array | None: ...

