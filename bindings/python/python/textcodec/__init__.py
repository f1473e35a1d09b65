"""The encodings of the web, as browsers decode and encode them."""

from textcodec._native import Encoding, encodings as _encodings, for_bom, get_encoding

_all = _encodings()
ENCODINGS: tuple[Encoding, ...] = tuple(_all[:40])
ISOMORPHIC, STRICT_ASCII = _all[40:]


def _encoding_by_name(name: str) -> Encoding:
    """Returns the encoding with a name, for pickle."""
    return next(encoding for encoding in _all if encoding.name == name)
