"""`Utf8Reader`: a file as UTF-8."""

from __future__ import annotations

import io
import os
from _thread import RLock
from typing import IO, Any, Literal, NoReturn, TypeGuard

from textcodec._native import Encoding, Transcoder

_BLOCK = 1 << 20


def is_path(file: object) -> TypeGuard[str | os.PathLike[str]]:
    """Returns whether a file is a path, and not an open file. Raises `TypeError` if it is neither."""
    if isinstance(file, (str, os.PathLike)):
        return True
    if hasattr(file, "read"):
        return False
    kind = type(file).__name__
    raise TypeError(f"file must be a path as str or os.PathLike, or an open file, not {kind}. For data: io.BytesIO(data)")


class Utf8Reader(io.RawIOBase):
    """A file in any encoding, as bytes of UTF-8: for readers of CSV and JSON that accept UTF-8 alone.

    `file` is a path, or an object with a method `read` that returns bytes. A file that was opened here is closed with the
    reader. `errors` and `bom` are as for `textcodec.decode`; with the handlers `strict`, `replace` and `ignore`, no text is
    created in between. Errors are raised by the read that meets them, with the offset in the file in a note. The input ends when
    the file returns no bytes for the first time; `None`, from a file that does not block, is a `BlockingIOError`. Threads may share
    a reader.

    A read that fails loses nothing: the next one begins with what it had collected, and goes on. But no read goes on after a
    malformed sequence or another error of the conversion: that is a `ValueError`.

    >>> import io
    >>> Utf8Reader(io.BytesIO(b"\\x8a\\xbf\\x8e\\x9a"), "shift_jis").read().decode()
    '\u6f22\u5b57'
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | IO[bytes] | Any,
        encoding: str | Encoding,
        errors: str = "strict",
        *,
        bom: Literal["sniff", "strip", "keep"] = "sniff",
    ) -> None:
        # `close` is called for a reader whose constructor has failed, too.
        self._owned = False
        self._transcoder = Transcoder(encoding, errors, bom)
        self._file: Any = open(file, "rb", buffering=0) if is_path(file) else file
        self._owned = self._file is not file
        self._lock = RLock()
        self._filling = False
        # A block of the file that is not converted yet.
        self._block: Any = None
        # Blocks of UTF-8 that are not returned yet, from `_at` in the first one on. None is empty.
        self._ready: list[bytes] = []
        self._at = 0
        self._ended = False
        self._failure: str | None = None
        self.name = getattr(self._file, "name", None)

    def readable(self) -> bool:
        return True

    def _fill(self, size: int) -> bool:
        """Adds a block to those that are ready, unless the file has ended. Returns whether it did. The lock is held."""
        if self._failure is not None:
            raise ValueError(f"an earlier read of the file failed: {self._failure}")
        self._filling = True
        try:
            while not self._ended:
                if self._block is None:
                    self._block = self._file.read(size)
                    if self._block is None:
                        raise BlockingIOError("the file has no bytes at the moment")
                block = self._convert(self._block)
                self._ended, self._block = not self._block, None
                if block:
                    self._ready.append(block)
                    return True
            return False
        finally:
            self._filling = False

    def _convert(self, block: Any) -> bytes:
        try:
            return self._transcoder.transcode(block, not block)
        except MemoryError:
            # The next read converts the block again.
            raise
        except BaseException as error:
            # The bytes after the error are lost, which must not look like the end of the file.
            self._failure = str(error) or type(error).__name__
            raise

    def read(self, size: int | None = -1) -> bytes:
        """Reads at most `size` bytes, all if it is negative. Returns nothing at the end."""
        if size is None or size < 0:
            return self.readall()
        with self._lock:
            self._check()
            # Encodings other than UTF-8 have fewer bytes than their UTF-8 in most texts, so this often suffices.
            if size == 0 or not (self._ready or self._fill(max(size, _BLOCK))):
                return b""
            return self._take(min(size, len(self._ready[0]) - self._at))

    def readall(self) -> bytes:
        """Reads the rest."""
        return self._read_until(None, None)

    def readline(self, size: int | None = -1, /) -> bytes:
        """Reads up to the end of a line, and at most `size` bytes, unless it is negative."""
        return self._read_until(b"\n", None if size is None or size < 0 else size)

    def readlines(self, hint: int | None = -1, /) -> list[bytes]:
        """Reads lines: all, or about `hint` bytes of them if it is positive."""
        lines: list[bytes] = []
        size = 0
        with self._lock:
            try:
                while (hint is None or hint <= 0 or size < hint) and (line := self.readline()):
                    lines.append(line)
                    size += len(line)
            except BaseException:
                if lines:
                    self._ready[:1] = [b"".join([*lines, *(block[self._at :] for block in self._ready[:1])])]
                    self._at = 0
                raise
        return lines

    def _read_until(self, end: bytes | None, limit: int | None) -> bytes:
        """Reads up to `end`, and at most `limit` bytes."""
        with self._lock:
            self._check()
            # The number of bytes in the first `index` blocks.
            size = index = 0
            while limit is None or size < limit:
                if index == len(self._ready) and not self._fill(_BLOCK if end else 8 * _BLOCK):
                    break
                block, start = self._ready[index], 0 if index else self._at
                stop = None if limit is None else start + limit - size
                found = -1 if end is None else block.find(end, start, stop)
                if found >= 0:
                    size += found + 1 - start
                    break
                size += len(block) - start
                index += 1
            return self._take(size if limit is None else min(size, limit))

    def _take(self, size: int) -> bytes:
        """Returns the first `size` bytes that are ready. They are removed last, so that no exception loses them."""
        start, end, index = self._at, self._at + size, 0
        if self._ready and end < len(self._ready[0]):
            # Most lines are within a block.
            taken = self._ready[0][start:end]
            self._at = end
            return taken
        parts = []
        while end:
            block = self._ready[index]
            parts.append(block[start:end])
            if end < len(block):
                break
            start, end, index = 0, end - len(block), index + 1
        taken = parts[0] if len(parts) == 1 else b"".join(parts)
        self._at = end
        del self._ready[:index]
        return taken

    def readinto(self, buffer: Any) -> int:
        """Reads bytes into a buffer. Returns their number, 0 at the end."""
        with memoryview(buffer).cast("B") as view:
            if view.readonly:
                raise TypeError("the buffer is read-only")
            block = self.read(len(view))
            view[: len(block)] = block
            return len(block)

    def close(self) -> None:
        """Closes the reader, and the file if the reader has opened it."""
        if not self.closed and self._owned:
            self._file.close()
        super().close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        # A copy would share the file, and close it.
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}")

    def _check(self) -> None:
        if self.closed:
            raise ValueError("read of closed file")
        if self._filling:
            raise RuntimeError("an error handler must not read from the reader that has called it")
