"""`Utf8Reader`: a file as UTF-8."""

from __future__ import annotations

import io
import os
from typing import IO, Any, Literal

from textcodec._native import Encoding, Transcoder

_BLOCK = 1 << 20


class Utf8Reader(io.RawIOBase):
    """A file in any encoding, as bytes of UTF-8: for readers of CSV and JSON that accept UTF-8 alone.

    `file` is a path, or an object with a method `read` that returns bytes. A file that was opened here is closed with the
    reader. `errors` and `bom` are as for `textcodec.decode`; with the handlers `strict`, `replace` and `ignore`, no text is
    created in between. Errors are raised by the read that meets them, with the offset in the file in a note. Later reads
    raise `ValueError`.

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
        self._ready = b""
        self._at = 0
        self._ended = False
        self._failure: str | None = None
        self.name = getattr(self._file, "name", None)

    def readable(self) -> bool:
        return True

    def _fill(self, size: int) -> bool:
        """Makes sure that bytes are ready, unless the file has ended. Returns whether there are any."""
        if self._failure is not None:
            raise ValueError(f"an earlier read of the file failed: {self._failure}")
        while self._at == len(self._ready) and not self._ended:
            block = self._file.read(size)
            if block is None:
                raise BlockingIOError("the file has no bytes at the moment")
            try:
                self._ready, self._at = self._transcoder.transcode(block, not block), 0
            except Exception as error:
                # The bytes after the error are lost, which must not look like the end of the file.
                self._failure = str(error)
                raise
            self._ended = not block
        return self._at < len(self._ready)

    def read(self, size: int | None = -1) -> bytes:
        """Reads at most `size` bytes, all if it is negative. Returns nothing at the end."""
        self._check()
        if size is None or size < 0:
            return self.readall()
        # Encodings other than UTF-8 have fewer bytes than their UTF-8 in most texts, so this often suffices.
        if size == 0 or not self._fill(max(size, _BLOCK)):
            return b""
        block = self._ready[self._at : self._at + size]
        self._at += len(block)
        return block

    def readall(self) -> bytes:
        """Reads the rest."""
        self._check()
        parts = []
        try:
            while self._fill(8 * _BLOCK):
                parts.append(self._ready[self._at :])
                self._at = len(self._ready)
        except BlockingIOError:
            # The next read returns what is here so far.
            self._ready, self._at = b"".join(parts), 0
            raise
        return b"".join(parts)

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
