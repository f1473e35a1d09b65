"""The encoding of web pages."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from textcodec import _native
from textcodec._native import Encoding, prescan

__all__ = ["html_to_unicode", "prescan"]


def html_to_unicode(
    content_type_header: str | None,
    html_body_str: bytes,
    default_encoding: str = "utf8",
    auto_detect_fun: Callable[[bytes], str | None] | None = None,
) -> tuple[str, str]:
    """Decodes a web page, with the arguments and the order of `w3lib.encoding.html_to_unicode`.

    The encoding is that of the byte order mark, of the header, of a declaration in the page (the standard's prescan), the
    answer of `auto_detect_fun`, or `default_encoding`: the first that is known. Returns the name of a codec and the text,
    without a byte order mark and with U+FFFD for malformed bytes. The name works with `bytes.decode`, `str.encode` and
    all else that uses Python's codecs.

    `default_encoding` and the answer of `auto_detect_fun` are labels, names of Python's codecs, or what `textcodec.detect`
    returns as `encoding.name`. Raises `LookupError` if `default_encoding` is unknown.

    >>> html_to_unicode("text/html; charset=gb2312", b"\\xc4\\xe3")
    ('whatwg-gbk', '\u4f60')
    """
    # A header may contain anything, and a label is ASCII.
    header = None if content_type_header is None else content_type_header.encode("ascii", "replace").decode()
    encoding = _native.sniff_html(header, html_body_str)
    if encoding is not None:
        return _decode(encoding, html_body_str)
    answer = auto_detect_fun(html_body_str) if auto_detect_fun is not None else None
    if answer is not None:
        try:
            return _decode_by_name(answer, html_body_str)
        except (LookupError, ValueError):
            pass
    return _decode_by_name(default_encoding, html_body_str)


def _decode(encoding: Encoding, data: bytes) -> tuple[str, str]:
    return encoding.codec_name, encoding.decode(data, "replace", bom="strip")


def _decode_by_name(name: str, data: bytes) -> tuple[str, str]:
    is_codec = name[:7].lower() == "whatwg-"
    try:
        encoding = _native.get_encoding(name[7:] if is_codec else name, aliases=True)
        if is_codec and not encoding.labels:
            raise LookupError(name)
    except LookupError:
        python = codecs.lookup(name).name
        return python, bytes(data).decode(python, "replace")
    return _decode(encoding, data)
