"""Lines of files of any size, whole or in parts, in any encoding.

A large file can be read in parts by separate processes: each line belongs to exactly one part, the one in which it begins.

>>> import io
>>> file = io.BytesIO("日本\\r\\n語\\n".encode("shift_jis"))
>>> [line.text for line in read_lines(file, "shift_jis")]
['日本', '語']
>>> [line.text for line in read_lines(file, "shift_jis", 0, 3)], [line.text for line in read_lines(file, "shift_jis", 3)]
(['日本'], ['語'])

Lines end with LF, CRLF or CR, as in Spark's text source. In EBCDIC, these are the bytes 25 and 0D; 15 is U+0085, which is text. A file that ends with a line end has no empty line after it. The text
is that of ``textcodec.decode`` for the whole file: a byte order mark at the start of the file is removed and selects its
encoding, unless ``bom`` says otherwise.

Memory does not depend on the length of the file or of the part, but a line is held as a whole: a file without line ends needs
memory for all of it.

ISO-2022-JP cannot be split, because its escape sequences affect all following bytes, and neither can UTF-7, ``true-hz``,
``true-iso-2022-kr`` and ``GSM-03.38``. Each part is read from the start of the
file, and lines before the part are left out. If every line of the file starts in the initial state, as in mail, ``line_reset``
makes parts independent. ``replacement`` has no text, and UTF-7-IMAP has line ends in base64, so they
are refused.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from textcodec._native import Encoding, Line, LineReader, get_encoding
from textcodec._reader import is_path

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Line", "read_batches", "read_lines"]

_BLOCK = 8 << 20
_BATCH = 8 << 20
# Objects of Python are made for about this many bytes at a time.
_LINES = 64 << 10
# Reading continues in small blocks after the end of the part, to the end of its last line.
_TAIL = 64 << 10
_HEAD = 4
_LARGEST = (1 << 63) - 1

Errors = Literal["replace", "null", "drop", "strict"]
Bom = Literal["sniff", "strip", "keep"]


class BinaryFile(Protocol):
    """A file that is open for reading bytes. ``seek`` is needed only for parts that do not start at 0."""

    def read(self, size: int, /) -> bytes | bytearray | memoryview | None: ...
    def seek(self, offset: int, /) -> object: ...


def read_lines(
    file: str | os.PathLike[str] | BinaryFile,
    encoding: str | Encoding,
    start: int = 0,
    end: int | None = None,
    errors: Errors = "replace",
    *,
    bom: Bom = "sniff",
    line_reset: bool = False,
) -> Iterator[Line]:
    """Returns an iterator over the lines of a file that begin in the part from ``start`` to ``end``, in bytes.

    ``file`` is a path, an address with a scheme that fsspec knows, or a file that is open for reading bytes. The current
    position of an open file is ignored if it can seek. It is not closed.

    Each ``Line`` has ``text`` without its line end, ``offset``, the position in the file of its first byte, and ``corrupt``: the
    bytes of the line if something in them is malformed, else None. ``errors`` decides about the text of such lines: with
    ``"replace"`` it has U+FFFD, with ``"null"`` it is None. ``"drop"`` leaves such lines out. With ``"strict"``, the first one
    raises UnicodeDecodeError, after all lines before it.

    The first line begins at 0. If it has a byte order mark, its ``offset`` is that of the first byte after the mark.

    Raises LookupError for an unknown label, TypeError for other files, ValueError for other invalid arguments, and any exception
    from opening or reading the file. It is opened when the first line is read. Raises OverflowError for a line whose text and
    malformed bytes are longer than 2 GiB together, and for a ``start`` that no file has.
    """
    reader = _reader(file, encoding, start, end, errors, bom, line_reset)
    return _read_lines(file, reader, start, end)


def read_batches(
    file: str | os.PathLike[str] | BinaryFile,
    encoding: str | Encoding,
    start: int = 0,
    end: int | None = None,
    errors: Errors = "replace",
    *,
    bom: Bom = "sniff",
    line_reset: bool = False,
    columns: Sequence[str] = ("value", "_offset", "_corrupt"),
    row_size: int = 0,
) -> Iterator[pyarrow.RecordBatch]:
    """Returns the lines of ``read_lines`` as batches of Arrow, for pyarrow.

    The columns are ``value`` (string), ``_offset`` (int64) and ``_corrupt`` (binary), or those of them in ``columns``. A batch has
    at most 8 MiB, unless a single line is longer. ``row_size`` is the number of bytes of a row in columns that the caller will
    add.

    Raises the same exceptions, and ValueError for other columns.
    """
    for column in columns:
        if column not in ("value", "_offset", "_corrupt"):
            raise ValueError(f"columns must be among value, _offset and _corrupt, not {column!r}")
    reader = _reader(file, encoding, start, end, errors, bom, line_reset)
    return _read_batches(file, reader, start, end, list(columns), row_size)


def _reader(
    file: object, encoding: str | Encoding, start: int, end: int | None, errors: str, bom: str, line_reset: bool
) -> LineReader:
    is_path(file)
    if line_reset:
        name = (encoding if isinstance(encoding, Encoding) else get_encoding(encoding)).name
        if name != "ISO-2022-JP":
            raise ValueError(f"line_reset is for ISO-2022-JP, not for {name}")
    if start < 0 or (end is not None and end < 0):
        raise ValueError(f"start and end must not be negative: {start}, {end}")
    if end is not None and end > 1 << 63:
        end = None
    return LineReader(encoding, errors, start, end, bom, line_reset)


def _read_lines(
    file: str | os.PathLike[str] | BinaryFile, reader: LineReader, start: int, end: int | None
) -> Iterator[Line]:
    with _open(file) as opened:
        for _ in _push_blocks(opened, reader, start, end):
            while (lines := reader.lines(_LINES)) is not None:
                yield from lines


def _read_batches(
    file: str | os.PathLike[str] | BinaryFile,
    reader: LineReader,
    start: int,
    end: int | None,
    columns: list[str],
    row_size: int,
) -> Iterator[pyarrow.RecordBatch]:
    import pyarrow

    with _open(file) as opened:
        for _ in _push_blocks(opened, reader, start, end):
            while (batch := reader.batch(_BATCH, row_size)) is not None:
                yield pyarrow.record_batch(batch).select(columns)


def _push_blocks(file: BinaryFile, reader: LineReader, start: int, end: int | None) -> Iterator[None]:
    """Gives blocks of the file to the reader, until it is done."""
    seekable = getattr(file, "seekable", None)
    if start > 0 if seekable is None else seekable():
        file.seek(0)
    head = b""
    while len(head) < _HEAD and (block := _read(file, _HEAD - len(head))):
        head += block
    position = reader.begin(head)
    if reader.done:
        return
    if position <= len(head):
        block, position = head[position:], len(head)
        if block:
            reader.push(block)
    else:
        try:
            file.seek(position)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            raise OverflowError(f"start is greater than the length of any file on this file system: {start}") from error
    while not reader.done:
        wanted = _BLOCK if end is None else min(_BLOCK, max(end - position, _TAIL))
        # Systems refuse to read beyond the largest position, even where a file has no bytes.
        block = _read(file, min(wanted, _LARGEST - position))
        position += len(block)
        reader.push(block)
        yield


def _read(file: BinaryFile, size: int) -> bytes:
    block = file.read(size)
    if block is None:
        raise BlockingIOError("the file has no bytes now, and does not wait for them")
    if isinstance(block, str):
        raise TypeError("the file is open for text: open it for bytes, with the mode 'rb'")
    return block if isinstance(block, bytes) else bytes(memoryview(block))


def _open(file: str | os.PathLike[str] | BinaryFile) -> AbstractContextManager[BinaryFile]:
    if not isinstance(file, (str, os.PathLike)):
        return nullcontext(file)
    path = os.fsdecode(file)
    if "://" in path:
        files, path = file_system(path)
        return cast("AbstractContextManager[BinaryFile]", files.open(path, "rb"))
    # Blocks are large, so a buffer would only copy them.
    return cast("AbstractContextManager[BinaryFile]", open(path, "rb", buffering=0))


def file_system(address: str) -> tuple[Any, str]:
    """Returns the file system of fsspec for an address with a scheme, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"fsspec is needed for {address}: pip install fsspec") from error
    files, path = url_to_fs(address)
    return files, path
