"""Functions of `charset_normalizer`, for `textcodec.chardet`."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING

from textcodec import Detector
from textcodec._answers import Filter, Match, likely, matches, to_bytes

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class CharsetMatch:
    """An encoding that bytes may have, as `charset_normalizer.CharsetMatch`."""

    def __init__(self, match: Match, raw: bytes) -> None:
        self._match = match
        self._raw = raw
        self._text: str | None = None

    @property
    def encoding(self) -> str:
        """The name of the codec, with underscores if it is Python's own: `utf_8`, `cp1251`, …."""
        name = codecs.lookup(self._match.name).name
        if self._match.has_bom:
            name = name.removesuffix("-sig")
        return name if name.startswith(("whatwg-", "textcodec-")) else name.replace("-", "_")

    @property
    def confidence(self) -> float:
        """How likely it is that the encoding is right, from 0 to 1. `charset_normalizer` has no such number."""
        return self._match.confidence

    @property
    def language(self) -> str:
        """The language in English, such as `French`, or `Unknown`."""
        return self._match.language or "Unknown"

    @property
    def languages(self) -> list[str]:
        """A list of the language, which is empty if it is unknown."""
        return [self._match.language] if self._match.language else []

    @property
    def bom(self) -> bool:
        """Whether the bytes start with a byte order mark."""
        return self._match.has_bom

    @property
    def byte_order_mark(self) -> bool:
        """The same as `bom`."""
        return self.bom

    @property
    def raw(self) -> bytes:
        """The bytes."""
        return self._raw

    def output(self, encoding: str = "utf_8") -> bytes:
        """Encodes the text, with `?` for what the encoding does not have. Declarations in the text stay as they are."""
        return str(self).encode(encoding, "replace")

    def __str__(self) -> str:
        """The text, without a byte order mark, and with U+FFFD for damaged parts."""
        if self._text is None:
            self._text = self._match.encoding.decode(self._raw, "replace", bom="strip")
        return self._text

    def __repr__(self) -> str:
        return f"<CharsetMatch {self.encoding!r}>"


class CharsetMatches:
    """The encodings that bytes may have, the likeliest first, as `charset_normalizer.CharsetMatches`. Empty for what is not text."""

    def __init__(self, matches: Iterable[CharsetMatch] = ()) -> None:
        self._matches = list(matches)

    def best(self) -> CharsetMatch | None:
        """Returns the first match, or `None`."""
        return self._matches[0] if self._matches else None

    def first(self) -> CharsetMatch | None:
        """The same as `best`."""
        return self.best()

    def __iter__(self) -> Iterator[CharsetMatch]:
        return iter(self._matches)

    def __getitem__(self, item: int) -> CharsetMatch:
        return self._matches[item]

    def __len__(self) -> int:
        return len(self._matches)


def from_bytes(
    sequences: ReadableBuffer,
    *,
    cp_isolation: Iterable[str] | None = None,
    cp_exclusion: Iterable[str] | None = None,
    preemptive_behaviour: bool = True,
) -> CharsetMatches:
    """Detects all encodings that bytes may have, as `charset_normalizer.from_bytes` does.

    The encodings are of `cp_isolation`, and none of `cp_exclusion`. `preemptive_behaviour` says whether declarations in the text are
    evidence.

    >>> str(from_bytes(b"na\\xc3\\xafve").best())
    'naïve'
    """
    data, allowed = to_bytes(sequences), Filter(cp_isolation, cp_exclusion)
    detector = allowed.detector(preemptive_behaviour)
    detector.feed(data)
    return CharsetMatches(CharsetMatch(match, data) for match in likely(matches(detector.finish(), data, allowed)))


def from_fp(
    fp: IO[bytes],
    *,
    cp_isolation: Iterable[str] | None = None,
    cp_exclusion: Iterable[str] | None = None,
    preemptive_behaviour: bool = True,
) -> CharsetMatches:
    """Reads a binary file to its end, and detects as `from_bytes` does."""
    return from_bytes(
        fp.read(), cp_isolation=cp_isolation, cp_exclusion=cp_exclusion, preemptive_behaviour=preemptive_behaviour
    )


def from_path(
    path: str | bytes | os.PathLike[str] | os.PathLike[bytes],
    *,
    cp_isolation: Iterable[str] | None = None,
    cp_exclusion: Iterable[str] | None = None,
    preemptive_behaviour: bool = True,
) -> CharsetMatches:
    """Reads the file with a path, and detects as `from_bytes` does."""
    with open(path, "rb") as fp:
        return from_fp(
            fp, cp_isolation=cp_isolation, cp_exclusion=cp_exclusion, preemptive_behaviour=preemptive_behaviour
        )


def is_binary(fp_or_path_or_payload: IO[bytes] | str | os.PathLike[str] | bytes | bytearray) -> bool:
    """Returns whether a binary file, the file with a path, or bytes are something else than text."""
    data: bytes | bytearray
    if isinstance(fp_or_path_or_payload, (str, os.PathLike)):
        with open(fp_or_path_or_payload, "rb") as fp:
            data = fp.read()
    elif isinstance(fp_or_path_or_payload, (bytes, bytearray)):
        data = fp_or_path_or_payload
    else:
        data = fp_or_path_or_payload.read()
    detector = Detector()
    detector.feed(data)
    return detector.finish().confidence == "none"
