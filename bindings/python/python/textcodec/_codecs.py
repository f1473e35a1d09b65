"""The codecs `whatwg-LABEL` and `whatwg-LABEL-bom`, for everything that takes an `encoding=`."""

from __future__ import annotations

import codecs
import re
from typing import Any, cast

from textcodec._native import Codec, encodings

_PREFIX = "whatwg_"
_BOM = "_bom"


def _normalize(name: str) -> str:
    """Normalizes a name as `codecs.lookup` does: `ISO-8859-1:1987` becomes `iso_8859_1_1987`."""
    return re.sub("[^a-z0-9.]+", "_", name.lower()).strip("_")


_ENCODINGS = {_normalize(label): encoding for encoding in encodings()[:40] for label in encoding.labels}


def search(name: str) -> codecs.CodecInfo | None:
    """Returns the codec for a name that begins with `whatwg`. `codecs.lookup` calls this once for each name."""
    name = _normalize(name)
    if not name.startswith(_PREFIX):
        return None
    label = name.removeprefix(_PREFIX)
    encoding = _ENCODINGS.get(label)
    bom = encoding is None
    if encoding is None and label.endswith(_BOM):
        encoding = _ENCODINGS.get(label.removesuffix(_BOM))
    return None if encoding is None else _info(Codec(encoding, bom))


def _info(codec: Codec) -> codecs.CodecInfo:
    members = {"codec": codec}
    # `codecs` calls these with `errors` alone, so they need not be classes.
    create = cast(Any, codecs.CodecInfo)
    info = create(
        name=codec.name,
        encode=codec.encode,
        decode=codec.decode,
        incrementalencoder=codec.incremental_encoder,
        incrementaldecoder=codec.incremental_decoder,
        streamreader=type("StreamReader", (_StreamReader,), members),
        streamwriter=type("StreamWriter", (_StreamWriter,), members),
    )
    assert isinstance(info, codecs.CodecInfo)
    return info


class _StreamReader(codecs.StreamReader):
    """Reads text from a stream of bytes.

    An incomplete character is kept until the next read, and is malformed when a read returns nothing.
    """

    codec: Codec
    # The base class reads lines with these.
    bytebuffer: bytes
    charbuffer: str
    linebuffer: list[str] | None

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        self._decoder = self.codec.incremental_decoder(errors)
        super().__init__(stream, errors)

    def decode(self, input: Any, errors: str = "strict") -> tuple[str, int]:
        return self.codec.decode(input, errors)

    def read(self, size: int = -1, chars: int = -1, firstline: bool = False) -> str:
        """Reads text.

        `size` is the approximate number of bytes to read at a time, all if negative. `chars` is the number of characters
        to return; if it is negative, `size` is. With `firstline`, an error after the first line is left for the next call.
        """
        if self.linebuffer:
            self.charbuffer = "".join(self.linebuffer)
            self.linebuffer = None
        if chars < 0:
            chars = size
        while chars < 0 or len(self.charbuffer) < chars:
            data = self.stream.read() if size < 0 else self.stream.read(size)
            # Text before an incomplete character at the end is returned first, unless the caller wants everything.
            ended = not data
            final = ended and (size < 0 or not self.charbuffer)
            self.charbuffer += self._decode(self.bytebuffer + data, final, firstline)
            # The bytes from an error after the first line on are left for the next call.
            if ended or self.bytebuffer:
                break
        if chars < 0:
            text, self.charbuffer = self.charbuffer, ""
        else:
            text, self.charbuffer = self.charbuffer[:chars], self.charbuffer[chars:]
        return text

    def _decode(self, data: bytes, final: bool, firstline: bool) -> str:
        self._decoder.errors = self.errors
        # After an error, the bytes are decoded again: the caller may have changed `errors`.
        self.bytebuffer = data
        try:
            text = self._decoder.decode(data, final)
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
        self.bytebuffer = b""
        return text

    def reset(self) -> None:
        """Discards what was read and not returned."""
        super().reset()
        self._decoder.reset()


class _StreamWriter(codecs.StreamWriter):
    """Writes text to a stream of bytes."""

    codec: Codec

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        self._encoder = self.codec.incremental_encoder(errors)
        super().__init__(stream, errors)

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        return self.codec.encode(input, errors)

    def write(self, object: str) -> None:
        """Writes text."""
        self._encoder.errors = self.errors
        self.stream.write(self._encoder.encode(object))

    def reset(self) -> None:
        """Ends the text, so that another one can follow. ISO-2022-JP returns to ASCII."""
        start = self.codec.incremental_encoder().getstate()
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
