"""The functions of `chardet`, and those of `charset_normalizer` that are used most: `import textcodec.chardet as chardet`.

`detect`, `detect_all` and `UniversalDetector` are those of `chardet`. `from_bytes`, `from_fp`, `from_path` and `is_binary` are those of
`charset_normalizer`. Arguments that tune the algorithms of these packages do not exist here, and raise `TypeError`.

The names of encodings are those of Python's codecs where Python's codec decodes the data to the same text, and otherwise those of the
codecs that `import textcodec` registers, such as `whatwg-euc-jp`. So `data.decode(name)` is the text that browsers show, unless the
data is damaged. The confidence is the probability that the encoding is right. `textcodec.detect` says more about it.

>>> detect("\u041f\u0440\u0438\u0432\u0435\u0442, \u043a\u0430\u043a \u0434\u0435\u043b\u0430?".encode("cp1251"))["encoding"]
'Windows-1251'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypedDict

from textcodec import Detector
from textcodec._answers import Filter, Match, likely, matches, to_bytes
from textcodec._charset_normalizer import CharsetMatch, CharsetMatches, from_bytes, from_fp, from_path, is_binary

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from typing_extensions import Self

__all__ = [
    "CharsetMatch",
    "CharsetMatches",
    "Result",
    "UniversalDetector",
    "detect",
    "detect_all",
    "from_bytes",
    "from_fp",
    "from_path",
    "is_binary",
]

_CHECKED = 1 << 20
"""The number of bytes that `UniversalDetector` keeps, to find a name."""


class Result(TypedDict):
    """A detected encoding."""

    encoding: str | None
    """A name for `bytes.decode`. `None` if the data is not text."""
    confidence: float
    """How likely it is that the encoding is right, from 0 to 1."""
    language: str
    """The language in English, such as `French`, or an empty string."""


def _result(match: Match | None) -> Result:
    if match is None:
        return {"encoding": None, "confidence": 0.0, "language": ""}
    return {"encoding": match.name, "confidence": match.confidence, "language": match.language}


def _limit(max_bytes: int | None) -> int | None:
    if max_bytes is not None and max_bytes < 1:
        raise ValueError(f"max_bytes must be positive, not {max_bytes}")
    return max_bytes


def _examine(byte_str: ReadableBuffer, max_bytes: int | None, allowed: Filter) -> Iterator[Match]:
    data = to_bytes(byte_str)
    start = data[: _limit(max_bytes)]
    detector = allowed.detector()
    detector.feed(start)
    return matches(detector.finish(partial=len(start) < len(data)), start, allowed)


def detect(
    byte_str: ReadableBuffer,
    should_rename_legacy: bool = False,
    *,
    max_bytes: int | None = None,
    prefer_superset: bool = False,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
) -> Result:
    """Detects the encoding of bytes, as `chardet.detect` does.

    At most `max_bytes` bytes are examined; the default is all. The encoding is one of `include_encodings`, and none of
    `exclude_encodings`, or `None`. Names are always those of supersets, so `should_rename_legacy` and `prefer_superset` change nothing.

    Raises `LookupError` for an unknown name of an encoding.
    """
    return _result(next(_examine(byte_str, max_bytes, Filter(include_encodings, exclude_encodings)), None))


def detect_all(
    byte_str: ReadableBuffer,
    ignore_threshold: bool = False,
    should_rename_legacy: bool = False,
    *,
    max_bytes: int | None = None,
    prefer_superset: bool = False,
    include_encodings: Iterable[str] | None = None,
    exclude_encodings: Iterable[str] | None = None,
) -> list[Result]:
    """Detects all encodings that bytes may have, the likeliest first, as `chardet.detect_all` does.

    Those with a confidence of 0.2 or less are left out, unless there are no others, or `ignore_threshold` is set. The other arguments
    are those of `detect`.
    """
    found = _examine(byte_str, max_bytes, Filter(include_encodings, exclude_encodings))
    chosen = list(found) if ignore_threshold else likely(found)
    return [_result(match) for match in chosen] or [_result(None)]


class UniversalDetector:
    """Detects the encoding of text that comes in chunks, as `chardet.UniversalDetector` does. The arguments are those of `detect`.

    All of the text is examined. The name is found with its first MiB. A `with` block closes the detector.

    >>> with UniversalDetector() as detector:
    ...     detector.feed(b"na\\xc3\\xafve")
    >>> detector.result["encoding"]
    'utf-8'
    """

    def __init__(
        self,
        *,
        should_rename_legacy: bool = False,
        max_bytes: int | None = None,
        prefer_superset: bool = False,
        include_encodings: Iterable[str] | None = None,
        exclude_encodings: Iterable[str] | None = None,
    ) -> None:
        self._max_bytes = _limit(max_bytes)
        self._filter = Filter(include_encodings, exclude_encodings)
        self.reset()

    def reset(self) -> None:
        """Starts again with another text."""
        self._detector: Detector | None = self._filter.detector()
        self._start = bytearray()
        self._count = 0
        self._is_cut = False
        self._result: Result = _result(None)

    def feed(self, byte_str: ReadableBuffer) -> None:
        """Adds a chunk of the text. Raises `ValueError` after `close`."""
        if self._detector is None:
            raise ValueError("feed() called after close(): call reset() for another text")
        data = to_bytes(byte_str)
        if self._max_bytes is not None:
            rest = self._max_bytes - self._count
            self._is_cut = self._is_cut or len(data) > rest
            data = data[:rest]
        self._detector.feed(data)
        self._count += len(data)
        self._start += data[: _CHECKED - len(self._start)]

    def close(self) -> Result:
        """Ends the text and returns the result."""
        if self._detector is not None:
            detection = self._detector.finish(self._is_cut)
            self._detector = None
            self._result = _result(next(matches(detection, bytes(self._start), self._filter), None))
        return self.result

    @property
    def done(self) -> bool:
        """Whether more text will not change the result."""
        return self._detector is None or self._detector.is_decided or self._count == self._max_bytes

    @property
    def result(self) -> Result:
        """The result of `close`. Before that, its encoding is `None`."""
        return self._result.copy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
