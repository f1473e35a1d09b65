"""Names of encodings for those who use Python's own codecs."""

from __future__ import annotations

import codecs

from textcodec._native import Encoding

_NAMES = {
    "Big5": ("Big5", "CP950", "Big5-HKSCS"),
    "DOS-720": ("CP720",),
    "EUC-KR": ("EUC-KR", "CP949"),
    "GBK": ("GB18030",),
    "gb18030": ("GB18030",),
    "IBM00858": ("CP858",),
    "IBM01140": ("CP1140",),
    "IBM737": ("CP737",),
    "IBM808": ("CP866",),
    "IBM875": ("CP875",),
    "ISO-8859-8-I": ("ISO-8859-8",),
    "JOHAB": ("Johab",),
    "macintosh": ("MacRoman",),
    "Shift_JIS": ("CP932",),
    "true-hz": ("HZ-GB-2312",),
    "true-iso-2022-kr": ("ISO-2022-KR",),
    "true-iso-8859-9": ("ISO-8859-9",),
    "true-iso-8859-11": ("ISO8859-11",),
    "true-koi8-u": ("KOI8-U",),
    "true-tis-620": ("TIS-620",),
    "windows-874": ("CP874",),
    "x-mac-ce": ("MacLatin2",),
    "x-mac-croatian": ("Mac-Croatian",),
    "x-mac-cyrillic": ("MacCyrillic",),
    "x-mac-greek": ("MacGreek",),
    "x-mac-icelandic": ("MacIceland",),
    "x-mac-romanian": ("Mac-Romanian",),
    "x-mac-turkish": ("MacTurkish",),
}
"""The names of Python's codecs for encodings whose own name means no codec or another one, as `chardet` writes them."""

_CHUNK = 1 << 20


def python_name(encoding: Encoding, data: bytes, has_bom: bool) -> str:
    """Returns a name with which `bytes.decode` decodes data to the same text as the encoding.

    It is that of one of Python's codecs if possible, and otherwise that of the codec that this package registers. `data` may be the start
    of a text. If it is damaged, Python's codec need not fail at the same byte.
    """
    if encoding.name == "UTF-8":
        return "UTF-8-SIG" if has_bom else "utf-8"
    if has_bom and encoding.name.startswith("UTF-16"):
        return "UTF-16"
    name = encoding.name
    # `chardet` has capitals here.
    names = _NAMES.get(name, (f"W{name[1:]}" if name.startswith("windows-") else name,))
    return next((name for name in names if _is_same(name, encoding.codec_name, data)), encoding.codec_name)


def _is_same(name: str, own_name: str, data: bytes) -> bool:
    """Returns whether Python's codec with a name decodes to the same text as a codec of this package."""
    try:
        python, own = codecs.getincrementaldecoder(name)(), codecs.getincrementaldecoder(own_name)()
    except LookupError:
        return False
    by_python = by_own = ""
    for at in range(0, len(data), _CHUNK):
        chunk = data[at : at + _CHUNK]
        try:
            by_own += own.decode(chunk)
        except UnicodeDecodeError:
            # Damaged text.
            return True
        try:
            by_python += python.decode(chunk)
        except UnicodeDecodeError:
            return False
        # At the end of a chunk, one of them may wait for the rest of a character.
        common = min(len(by_python), len(by_own))
        if by_python[:common] != by_own[:common]:
            return False
        by_python, by_own = by_python[common:], by_own[common:]
    return True
