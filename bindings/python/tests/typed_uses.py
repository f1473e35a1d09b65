"""Uses of the package that mypy and pyright must accept, with the types that they must find. It is checked, never run."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import textcodec
import textcodec.chardet
import textcodec.web
import textcodec.webencodings

if TYPE_CHECKING:
    from typing_extensions import assert_type

    assert_type(textcodec.decode(b"", "utf-8"), str)
    assert_type(textcodec.decode(bytearray(), textcodec.ISOMORPHIC, "replace", bom="keep"), str)
    assert_type(textcodec.encode("", "gbk", bom=True), bytes)
    assert_type(textcodec.transcode(memoryview(b""), "gbk", "big5"), bytes)
    assert_type(textcodec.decode_report(b"", "gbk").errors, tuple[textcodec.Malformed, ...])
    assert_type(textcodec.detect(b"", candidates={"gbk", textcodec.ISOMORPHIC}, tld="jp").encoding, textcodec.Encoding)
    assert_type(textcodec.detect(b"").candidates[0].probability, float)
    assert_type(textcodec.detect(b"").declarations[0].encoding, textcodec.Encoding | None)
    assert_type(textcodec.Detector(languages=("de",)).finish(partial=True), textcodec.Detection)
    assert_type(textcodec.Detector().is_decided, bool)
    assert_type(textcodec.Mixed(["utf-8", "gbk"], per="line", errors="ignore").push(b""), str)
    assert_type(textcodec.decode_mixed(b"", ["utf-8", "gbk"]).summary.parts[0].places, tuple[textcodec.Place, ...])
    assert_type(textcodec.chardet.detect(b"")["encoding"], str | None)
    assert_type(textcodec.chardet.from_bytes(b"").best(), textcodec.chardet.CharsetMatch | None)
    assert_type(textcodec.get_encoding("sjis").labels, tuple[str, ...])
    assert_type(textcodec.OEM_ENCODINGS[0].code_page, int | None)
    assert_type(textcodec.get_encoding("cp037").aliases, tuple[str, ...])
    assert_type(textcodec.SingleByte("half", [None, "a"] * 64).decode(b""), str)
    assert_type(textcodec.SingleByte("half", "a" * 256).encode("", "replace"), bytes)
    assert_type(textcodec.for_bom(b""), tuple[textcodec.Encoding, int] | None)
    assert_type(textcodec.Utf8Reader(io.BytesIO(), "gbk").read(), bytes)
    assert_type(textcodec.web.html_to_unicode(None, b""), tuple[str, str])
    assert_type(textcodec.webencodings.decode(b"", "gbk")[0], str)

    textcodec.decode("", "utf-8")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    textcodec.decode(b"", "utf-8", bom="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    textcodec.detect(b"", candidates=[5])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    textcodec.decode_mixed(b"", ["utf-8", "gbk"], errors="surrogateescape")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
