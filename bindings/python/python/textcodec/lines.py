"""Lines of files of any size, whole or in parts, in any encoding.

A large file can be read in parts by separate processes: each line belongs to exactly one part, the one in which it begins.

>>> import io
>>> file = io.BytesIO("日本\\r\\n語\\n".encode("shift_jis"))
>>> [line.text for line in read_lines(file, "shift_jis")]
['日本', '語']
>>> [line.text for line in read_lines(file, "shift_jis", 0, 3)], [line.text for line in read_lines(file, "shift_jis", 3)]
(['日本'], ['語'])

Lines end with LF, CRLF or CR, as in Spark's text source. A file that ends with a line end has no empty line after it. The text
is that of ``textcodec.decode`` for the whole file: a byte order mark at the start of the file is removed and selects its
encoding, unless ``bom`` says otherwise.

Memory does not depend on the length of the file or of the part, but a line is held as a whole: a file without line ends needs
memory for all of it.

ISO-2022-JP cannot be split, because its escape sequences affect all following bytes. Each part is read from the start of the
file, and lines before the part are left out. If every line of the file starts in the initial state, as in mail, ``line_reset``
makes parts independent. ``replacement`` has no text, so it is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Literal, Protocol, cast

from textcodec._native import Encoding, Line, LineReader

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Line", "read_batches", "read_lines"]

_BLOCK = 8 << 20
_BATCH = 8 << 20
# Objects of Python are made for about this many bytes at a time.
_LINES = 64 << 10
# Reading continues in small blocks after the end of the part, to the end of its last line.
_TAIL = 64 << 10
_HEAD = 3

Errors = Literal["replace", "null", "strict"]
Bom = Literal["sniff", "strip", "keep"]


class BinaryFile(Protocol):
    """A file that is open for reading bytes. ``seek`` is needed for parts that do not start at 0."""

    def read(self, size: int, /) -> bytes | None: ...
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

    ``file`` is a path, an address with a scheme that fsspec knows, or a file that is open for reading bytes. An open file is
    read from ``start`` of the file, wherever it was, and is not closed.

    Each ``Line`` has ``text`` without its line end, ``offset``, the position in the file of its first byte, and ``corrupt``: the
    bytes of the line if something in them is malformed, else None. ``errors`` decides about the text of such lines: with
    ``"replace"`` it has U+FFFD, with ``"null"`` it is None. With ``"strict"`` the first one raises UnicodeDecodeError, after all
    lines before it.

    The first line begins at 0. If it has a byte order mark, its ``offset`` is that of the first byte after the mark.

    Raises LookupError for an unknown label, ValueError for other arguments that are wrong, and what opening and reading the file
    raises. The file is opened when the first line is read.
    """
    reader = _reader(encoding, start, end, errors, bom, line_reset)
    return _read_lines(file, reader, end)


def read_batches(
    file: str | os.PathLike[str] | BinaryFile,
    encoding: str | Encoding,
    start: int = 0,
    end: int | None = None,
    errors: Errors | Literal["drop"] = "replace",
    *,
    bom: Bom = "sniff",
    line_reset: bool = False,
    columns: Sequence[str] = ("value", "_offset", "_corrupt"),
    row_size: int = 0,
) -> Iterator[pyarrow.RecordBatch]:
    """Returns the lines of ``read_lines`` as batches of Arrow, for pyarrow.

    The columns are ``value`` (string), ``_offset`` (int64) and ``_corrupt`` (binary), or those of them in ``columns``. A batch has
    at most 8 MiB, unless a single line is longer. ``row_size`` is the number of bytes of a row in columns that the caller will
    add. With the errors ``"drop"``, malformed lines are left out.

    Also raises OverflowError for a line of more than 2 GiB, which does not fit into a column of strings.
    """
    for column in columns:
        if column not in ("value", "_offset", "_corrupt"):
            raise ValueError(f"columns must be among value, _offset and _corrupt, not {column!r}")
    reader = _reader(encoding, start, end, errors, bom, line_reset)
    return _read_batches(file, reader, end, list(columns), row_size)


def _reader(encoding: str | Encoding, start: int, end: int | None, errors: str, bom: str, line_reset: bool) -> LineReader:
    if start < 0 or (end is not None and end < 0):
        raise ValueError(f"start and end must not be negative: {start}, {end}")
    if end is not None and end > 1 << 63:
        end = None
    return LineReader(encoding, errors, start, end, bom, line_reset)


def _read_lines(file: str | os.PathLike[str] | BinaryFile, reader: LineReader, end: int | None) -> Iterator[Line]:
    with _open(file) as opened:
        for _ in _push_blocks(opened, reader, end):
            while (lines := reader.lines(_LINES)) is not None:
                yield from lines


def _read_batches(
    file: str | os.PathLike[str] | BinaryFile,
    reader: LineReader,
    end: int | None,
    columns: list[str],
    row_size: int,
) -> Iterator[pyarrow.RecordBatch]:
    import pyarrow

    with _open(file) as opened:
        for _ in _push_blocks(opened, reader, end):
            while (batch := reader.batch(_BATCH, row_size)) is not None:
                yield pyarrow.record_batch(batch).select(columns)


def _push_blocks(file: BinaryFile, reader: LineReader, end: int | None) -> Iterator[None]:
    """Gives blocks of the file to the reader, until it is done."""
    seek = getattr(file, "seekable", None)
    if seek is None or seek():
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
        file.seek(position)
    while not reader.done:
        wanted = _BLOCK if end is None else min(_BLOCK, max(end - position, _TAIL))
        block = _read(file, wanted)
        position += len(block)
        reader.push(block)
        yield


def _read(file: BinaryFile, size: int) -> bytes:
    block = file.read(size)
    if block is None:
        raise BlockingIOError("the file has no bytes now, and does not wait for them")
    if isinstance(block, str):
        raise TypeError("the file is open for text: open it for bytes, with the mode 'rb'")
    return block


def _open(file: str | os.PathLike[str] | BinaryFile) -> AbstractContextManager[BinaryFile]:
    if isinstance(file, (str, os.PathLike)):
        return open_file(os.fspath(file))
    return nullcontext(file)


def open_file(path: str) -> AbstractContextManager[BinaryFile]:
    """Opens a path, or an address with a scheme that fsspec knows, for reading bytes."""
    if "://" in path:
        import fsspec

        return cast("AbstractContextManager[BinaryFile]", fsspec.open(path, "rb"))
    # Blocks are large, so a buffer would only copy them.
    return cast("AbstractContextManager[BinaryFile]", open(path, "rb", buffering=0))
