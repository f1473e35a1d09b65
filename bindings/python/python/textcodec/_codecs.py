"""The codecs `whatwg-LABEL`, `whatwg-LABEL-bom` and `textcodec-NAME`, for everything that looks up Python's codecs."""

from __future__ import annotations

import codecs
import re
from _thread import RLock, get_ident
from functools import cache
from typing import Any, NoReturn

from textcodec._native import Codec, Encoding, IncrementalDecoder, IncrementalEncoder, encodings

_PREFIX = "whatwg_"
_OUTSIDE_PREFIX = "textcodec_"
_BOM = "_bom"


def _normalize(name: str) -> str:
    """Normalizes a name as `codecs.lookup` does: `ISO-8859-1:1987` becomes `iso_8859_1_1987`."""
    return re.sub("[^a-z0-9.]+", "_", name.lower()).strip("_")


_STANDARD, *_OUTSIDE = encodings()
_ENCODINGS = {_normalize(label): encoding for encoding in _STANDARD for label in encoding.labels}


@cache
def _outside() -> dict[str, Encoding]:
    """Returns the encodings outside the standard by their names that are not labels."""
    named = ((name, encoding) for group in _OUTSIDE for encoding in group for name in (encoding.name, *encoding.aliases))
    return {name: encoding for text, encoding in named if (name := _normalize(text)) not in _ENCODINGS}


def search(name: str) -> codecs.CodecInfo | None:
    """Returns the codec for a name that begins with `whatwg` or `textcodec`. `codecs.lookup` calls this once for each name."""
    name = _normalize(name)
    if name.startswith(_OUTSIDE_PREFIX):
        encoding = _outside().get(name.removeprefix(_OUTSIDE_PREFIX))
        return None if encoding is None else _info(Codec(encoding, False))
    if not name.startswith(_PREFIX):
        return None
    label = name.removeprefix(_PREFIX)
    encoding = _ENCODINGS.get(label)
    bom = encoding is None
    if encoding is None and label.endswith(_BOM):
        encoding = _ENCODINGS.get(label.removesuffix(_BOM))
    return None if encoding is None else _info(Codec(encoding, bom))


def _info(codec: Codec) -> codecs.CodecInfo:
    def create(base: type[Any]) -> Any:
        return type(base.__name__.removeprefix("_"), (base,), {"codec": codec, "__doc__": base.__doc__})

    return codecs.CodecInfo(
        name=codec.name,
        encode=codec.encode,
        decode=codec.decode,
        incrementalencoder=create(_IncrementalEncoder),
        incrementaldecoder=create(_IncrementalDecoder),
        streamreader=create(_StreamReader),
        streamwriter=create(_StreamWriter),
    )


class _IncrementalDecoder(IncrementalDecoder, codecs.IncrementalDecoder):
    """Decodes chunks of bytes. Threads may share it."""

    def __init__(self, errors: str = "strict") -> None:
        """`__new__` has set `errors`."""


class _IncrementalEncoder(IncrementalEncoder, codecs.IncrementalEncoder):  # type: ignore[misc]  # `setstate(state: str)`
    """Encodes chunks of text. Threads may share it."""

    def __init__(self, errors: str = "strict") -> None:
        """`__new__` has set `errors`."""


class _StreamReader(codecs.StreamReader):
    """Reads text from a stream of bytes. Threads may share it.

    The stream may grow, so an incomplete character at its end is never malformed: it is kept for the next read. `open` reports
    it.
    """

    codec: Codec
    # The base class reads lines with these.
    bytebuffer: bytes
    charbuffer: str
    linebuffer: list[str] | None

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        self._decoder = self.codec.incremental_decoder(errors)
        self._lock = RLock()
        self._decoding = False
        # What `read` has returned to the `readline` that runs, if one does.
        self._line: list[str] | None = None
        super().__init__(stream, errors)

    def decode(self, input: Any, errors: str = "strict") -> tuple[str, int]:
        return self.codec.decode(input, errors)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        # In some versions of Python, copying the base class recurses without end.
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}")

    def read(self, size: int | None = -1, chars: int | None = -1, firstline: bool = False) -> str:
        """Reads text.

        `size` is the approximate number of bytes to read at a time, all if negative or `None`. `chars` is the number of characters
        to return; if it is negative or `None`, `size` is. With `firstline`, an error after the first line is left for the next call.
        """
        with self._lock:
            self._check()
            try:
                text = self._read(-1 if size is None else size, -1 if chars is None else chars, firstline)
            except BaseException:
                # `readline` drops the start of the line. It is left for the next call.
                self.charbuffer = "".join([*(self._line or ()), self.charbuffer])
                raise
            if self._line is not None:
                self._line.append(text)
            return text

    def readline(self, size: int | None = None, keepends: bool = True) -> str:
        """Reads a line."""
        with self._lock:
            self._check()
            self._line = []
            try:
                return super().readline(size, keepends)
            finally:
                self._line = None

    def seek(self, offset: int, whence: int = 0) -> None:
        """Moves the stream, and discards what was read and not returned."""
        with self._lock:
            super().seek(offset, whence)

    def _check(self) -> None:
        if self._decoding:
            raise RuntimeError("an error handler must not read from the stream reader that has called it")

    def _read(self, size: int, chars: int, firstline: bool) -> str:
        if self.linebuffer:
            self.charbuffer = "".join(self.linebuffer)
            self.linebuffer = None
        if chars < 0:
            chars = size
        while chars < 0 or len(self.charbuffer) < chars:
            # A stream that does not block returns None if it has nothing at the moment.
            data = (self.stream.read() if size < 0 else self.stream.read(size)) or b""
            self.charbuffer += self._decode(self.bytebuffer + data, firstline)
            # The bytes from an error after the first line on are left for the next call.
            if not data or self.bytebuffer:
                break
        if chars < 0:
            text, self.charbuffer = self.charbuffer, ""
        else:
            text, self.charbuffer = self.charbuffer[:chars], self.charbuffer[chars:]
        return text

    def _decode(self, data: bytes, firstline: bool) -> str:
        self._decoder.errors = self.errors
        self._decoding = True
        # After an error, the bytes are decoded again: the caller may have changed `errors`.
        self.bytebuffer = data
        try:
            text = self._decoder.decode(data)
        except UnicodeDecodeError as error:
            if not firstline:
                raise
            # The decoder is in the state before the call. The object begins with its pending bytes.
            state = self._decoder.getstate()
            before = max(error.start - len(state[0]), 0)
            text = self._decoder.decode(data[:before])
            if len(text.splitlines()) <= 1:
                self._decoder.setstate(state)
                raise
            self.bytebuffer = data[before:]
            return text
        finally:
            self._decoding = False
        self.bytebuffer = b""
        return text

    def reset(self) -> None:
        """Discards what was read and not returned."""
        with self._lock:
            super().reset()
            self._decoder.reset()


# Handlers that are not called, because what they do is built in.
_BUILT_IN = {"strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogateescape"}

# How often a writer tries again because its own error handler has changed its state.
_LIMIT = 10


class _StreamWriter(codecs.StreamWriter):
    """Writes text to a stream of bytes. Threads may share it."""

    codec: Codec

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        self._encoder = self.codec.incremental_encoder(errors)
        self._lock = RLock()
        # The thread that has written last.
        self._changed_by = 0
        super().__init__(stream, errors)

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        return self.codec.encode(input, errors)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        # In some versions of Python, copying the base class recurses without end.
        raise TypeError(f"cannot copy or pickle a {type(self).__name__}")

    def write(self, object: str) -> None:
        """Writes text."""
        if self.errors in _BUILT_IN:
            with self._lock:
                self._encoder.errors = self.errors
                self.stream.write(self._encoder.encode(object))
            return
        # Without the lock: the handler may wait for a thread that writes.
        encoder = self.codec.incremental_encoder(self.errors)
        own_changes = 0
        while own_changes < _LIMIT:
            state = self._encoder.getstate()
            encoder.setstate(state)
            data = encoder.encode(object)
            with self._lock:
                if self._encoder.getstate() == state:
                    self._encoder.setstate(encoder.getstate())
                    self._changed_by = get_ident()
                    self.stream.write(data)
                    return
                # Another thread or the handler has written meanwhile.
                own_changes += self._changed_by == get_ident()
        raise RuntimeError("the error handler changes the state of the stream writer that has called it")

    def reset(self) -> None:
        """Ends the text, so that another one can follow. ISO-2022-JP returns to ASCII."""
        start = self.codec.incremental_encoder().getstate()
        with self._lock:
            if self._encoder.getstate() not in (0, start) and not self._is_at_start():
                self.stream.write(self._encoder.encode("", True))
            self._encoder.reset()

    def _is_at_start(self) -> bool:
        """Whether the stream was moved to its start. `seek(0)` does that before it calls `reset`."""
        try:
            stream: Any = self.stream  # not every stream has a position
            return bool(stream.tell() == 0)
        except (AttributeError, OSError):
            return False


def register() -> None:
    """Makes the codecs available. `import textcodec` has called this."""
    global _registered
    if not _registered:
        codecs.register(search)
        _registered = True


def unregister() -> None:
    """Removes the codecs. Decoders and encoders that exist still work."""
    global _registered
    if _registered:
        codecs.unregister(search)
        _registered = False


_registered = False
