"""What `textcodec.chardet` answers: candidates of a detection, and their names."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from textcodec import STRICT_ASCII, Detection, Detector, Encoding, get_encoding
from textcodec._python_names import python_name

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_MINIMUM_THRESHOLD = 0.2
"""The confidence above which an encoding is likely."""


class Filter:
    """The encodings that may be answers."""

    def __init__(self, include: Iterable[str] | None, exclude: Iterable[str] | None) -> None:
        self._include = None if include is None else _encodings(include)
        self._exclude = _encodings(exclude or ())

    def detector(self, declarations: bool = True) -> Detector:
        return Detector(candidates=self._include, declarations=declarations)

    def allows(self, encoding: Encoding, is_ascii: bool) -> bool:
        meant = {encoding, STRICT_ASCII} if is_ascii else {encoding}
        return not meant & self._exclude and (self._include is None or bool(meant & self._include))


def _encodings(names: Iterable[str]) -> set[Encoding]:
    """Returns the encodings with labels or names of Python's codecs."""
    if isinstance(names, str):
        raise TypeError("the names of encodings must be a list, not a str")
    found = set()
    for name in names:
        try:
            codec = codecs.lookup(name).name
        except LookupError:
            codec = ""
        if codec == "ascii":
            found.add(STRICT_ASCII)
        elif codec == "utf-16":
            found |= {get_encoding("utf-16le"), get_encoding("utf-16be")}
        else:
            found.add(get_encoding(name, aliases=True))
    return found


class Match(NamedTuple):
    """An encoding that data may have."""

    encoding: Encoding
    name: str
    confidence: float
    language: str
    has_bom: bool


def matches(detection: Detection, data: bytes, allowed: Filter) -> Iterator[Match]:
    """Returns the answer, and the other candidates that decode the data. Their names are found when they are used."""
    is_ascii = detection.evidence == "ascii"
    names = set()
    for number, candidate in enumerate(detection.candidates if detection.confidence != "none" else ()):
        encoding, is_answer = candidate.encoding, number == 0
        if not allowed.allows(encoding, is_ascii) or not is_answer and (candidate.malformed or not candidate.is_complete):
            continue
        has_bom = is_answer and detection.evidence == "bom"
        name = "ascii" if is_ascii else python_name(encoding, data, has_bom)
        # GBK and gb18030 have one name.
        if name not in names:
            names.add(name)
            # What makes the answer uncertain makes the others so, too.
            confidence = detection.probability if is_answer else min(candidate.probability, detection.probability)
            language = detection.language if is_answer else None
            yield Match(encoding, name, confidence, language or "", has_bom)


def likely(found: Iterator[Match]) -> list[Match]:
    """Returns the matches that are likely, or all if none is."""
    everything = list(found)
    return [match for match in everything if match.confidence > _MINIMUM_THRESHOLD] or everything


def to_bytes(data: ReadableBuffer) -> bytes:
    """Copies a buffer, unless it is `bytes`."""
    return data if type(data) is bytes else memoryview(data).tobytes()
