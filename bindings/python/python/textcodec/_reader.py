"""`Utf8Reader`: a file as UTF-8."""

from __future__ import annotations

import io
import os
from _thread import RLock
from typing import IO, Any, Literal

from textcodec._native import Encoding, Transcoder

_BLOCK = 1 << 20


class Utf8Reader(io.RawIOBase):
    """A file in any encoding, as bytes of UTF-8: for readers of CSV and JSON that accept UTF-8 alone.

    `file` is a path, or an object with a method `read` that returns bytes. A file that was opened here is closed with the
    reader. `errors` and `bom` are as for `textcodec.decode`; with the handlers `strict`, `replace` and `ignore`, no text is
    created in between. Errors are raised by the read that meets them, with the offset in the file in a note. Later reads
    raise `ValueError`. The input ends when the file returns no bytes for the first time; `None`, from a file that does not block, is
    a `BlockingIOError`. Threads may share a reader.

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
        self._file: Any = open(file, "rb", buffering=0) if isinstance(file, (str, os.PathLike)) else file
        self._owned = isinstance(file, (str, os.PathLike))
        self._lock = RLock()
        self._converting = False
        self._ready = b""
        self._at = 0
        self._ended = False
        self._failure: str | None = None
        self.name = getattr(self._file, "name", None)

    def readable(self) -> bool:
        return True

    def _fill(self, size: int) -> bool:
        """Makes sure that bytes are ready, unless the file has ended. Returns whether there are any. The lock is held."""
        if self._converting:
            raise RuntimeError("an error handler must not read from the reader that has called it")
        if self._failure is not None:
            raise ValueError(f"an earlier read of the file failed: {self._failure}")
        while self._at == len(self._ready) and not self._ended:
            block = self._file.read(size)
            if block is None:
                raise BlockingIOError("the file has no bytes at the moment")
            self._converting = True
            try:
                self._ready, self._at = self._transcoder.transcode(block, not block), 0
            except BaseException as error:
                # The bytes after the error are lost, which must not look like the end of the file.
                self._failure = str(error) or type(error).__name__
                raise
            finally:
                self._converting = False
            self._ended = not block
        return self._at < len(self._ready)

    def read(self, size: int | None = -1) -> bytes:
        """Reads at most `size` bytes, all if it is negative. Returns nothing at the end."""
        self._check()
        if size is None or size < 0:
            return self.readall()
        with self._lock:
            # Encodings other than UTF-8 have fewer bytes than their UTF-8 in most texts, so this often suffices.
            if size == 0 or not self._fill(max(size, _BLOCK)):
                return b""
            return self._take(size)

    def readall(self) -> bytes:
        """Reads the rest."""
        return self._read_until(None, None)

    def readline(self, size: int | None = -1, /) -> bytes:
        """Reads up to the end of a line, and at most `size` bytes, unless it is negative."""
        return self._read_until(b"\n", None if size is None or size < 0 else size)

    def _read_until(self, end: bytes | None, limit: int | None) -> bytes:
        """Reads up to `end`, and at most `limit` bytes."""
        self._check()
        parts: list[bytes] = []
        with self._lock:
            try:
                while (limit is None or limit > 0) and self._fill(_BLOCK if end else 8 * _BLOCK):
                    size = len(self._ready) - self._at if limit is None else limit
                    found = -1 if end is None else self._ready.find(end, self._at, self._at + size)
                    part = self._take(size if found < 0 else found + 1 - self._at)
                    if found >= 0 and not parts:
                        return part
                    parts.append(part)
                    if found >= 0:
                        break
                    limit = None if limit is None else limit - len(part)
            except BlockingIOError:
                # The next read returns what is here so far.
                self._ready, self._at = b"".join(parts), 0
                raise
        return b"".join(parts)

    def _take(self, size: int) -> bytes:
        """Returns at most `size` bytes that are ready."""
        block = self._ready[self._at : self._at + size]
        self._at += len(block)
        return block

    def readinto(self, buffer: Any) -> int:
        """Reads bytes into a buffer. Returns their number, 0 at the end."""
        with memoryview(buffer).cast("B") as view:
            block = self.read(len(view))
            view[: len(block)] = block
            return len(block)

    def close(self) -> None:
        """Closes the reader, and the file if the reader has opened it."""
        if not self.closed and self._owned:
            self._file.close()
        super().close()

    def _check(self) -> None:
        if self.closed:
            raise ValueError("read of closed file")
