"""Every function that takes a name, with every label in several spellings and strings that are similar to labels.

The oracle says what they mean: `bindings/js/vectors/src/main.rs` documents the file.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import textcodec
import textcodec.web
import textcodec.webencodings as webencodings
from textcodec import __main__ as program

DATA = bytes(range(0x80, 0x100)) + b"abc"
TEXT = "abc"

Names = list[tuple[str, "str | None"]]


@pytest.fixture(scope="module")
def names(request: pytest.FixtureRequest) -> Names:
    """Strings, each with the name of its encoding, or `None`."""
    file = request.config.getoption("--vectors")
    if not file:
        pytest.skip("SKIPPED: the names need --vectors FILE or TEXTCODEC_VECTORS")
    loaded = [(text, name) for text, name in json.loads(Path(file).read_text("utf-8"))["names"]]
    assert len(loaded) > 5000
    spaces = " " * 100_000
    return [*loaded, (f"{spaces}gbk{spaces}", "GBK"), (f"{spaces}gbk{spaces}x", None), ("k" * 100_000, None), ("\ud800", None)]


def iterated(parts: Iterable[str | bytes]) -> list[str | bytes]:
    return list(parts)


# What each function makes of a label. Those of the first group name the encoding.
NAMING: dict[str, Callable[[str], object]] = {
    "get_encoding": lambda label: textcodec.get_encoding(label).name,
    "decode_report": lambda label: textcodec.decode_report(DATA, label).encoding.name,
    "webencodings.lookup": lambda label: found(webencodings.lookup(label)).name,
    "webencodings.decode": lambda label: webencodings.decode(DATA, label)[1].name,
    "webencodings.iter_decode": lambda label: webencodings.iter_decode([DATA], label)[1].name,
}
OTHERS: dict[str, Callable[[str], object]] = {
    "decode": lambda label: textcodec.decode(DATA, label, "replace"),
    "encode": lambda label: textcodec.encode(TEXT, label),
    "transcode, from": lambda label: textcodec.transcode(DATA, label, "utf-8", "replace"),
    "transcode, to": lambda label: textcodec.transcode(b"abc", "utf-8", label),
    "webencodings.encode": lambda label: webencodings.encode(TEXT, label),
    "webencodings.iter_encode": lambda label: iterated(webencodings.iter_encode([TEXT], label)),
    "webencodings.IncrementalDecoder": lambda label: webencodings.IncrementalDecoder(label).decode(DATA, True),
    "webencodings.IncrementalEncoder": lambda label: webencodings.IncrementalEncoder(label).encode(TEXT, True),
}


def found(encoding: webencodings.Encoding | None) -> webencodings.Encoding:
    if encoding is None:
        raise LookupError
    return encoding


def outcome(call: Callable[[str], object], label: str) -> object:
    """Returns the result of a call, or the class of its exception: messages contain the label."""
    try:
        return call(label)
    except (LookupError, UnicodeError) as error:
        return type(error)


@pytest.mark.parametrize("function", [*NAMING, *OTHERS])
def test_labels(function: str, names: Names) -> None:
    call = NAMING.get(function) or OTHERS[function]
    named: dict[str, object] = {}
    for text, name in names:
        actual = outcome(call, text)
        if name is None:
            assert actual is LookupError, text
            continue
        if name not in named:
            named[name] = outcome(call, name)
            if function in NAMING:
                assert str(named[name]).lower() == name.lower()
        assert actual == named[name], text


def test_aliases(names: Names) -> None:
    """With `aliases`, labels mean the same, and other strings what Rust's `Alias` says, which is tested there."""
    for text, name in names:
        if name is not None:
            assert textcodec.get_encoding(text, aliases=True).name == name
        else:
            answer = outcome(lambda label: textcodec.get_encoding(label, aliases=True), text)
            assert answer is LookupError or isinstance(answer, textcodec.Encoding), text
    assert textcodec.get_encoding(" CP932\t", aliases=True).name == "Shift_JIS"
    for text in ["__class__", "\u212aoi8-r", "k" * 100_000, "cp932\0", ""]:
        with pytest.raises(LookupError) as raised:
            textcodec.get_encoding(text, aliases=True)
        assert len(str(raised.value)) < 200


def test_codecs(names: Names) -> None:
    """The name of a codec may have other separators than the label, as in Python: `whatwg-shift jis`."""

    def normalized(name: str) -> str:
        return re.sub("[^A-Za-z0-9.]+", "_", name).strip("_").lower()

    labels = {normalized(label): encoding for encoding in textcodec.ENCODINGS for label in encoding.labels}
    calls: dict[str, Callable[[str], object]] = {
        "lookup": lambda name: codecs.lookup(name).name,
        "encode": lambda name: TEXT.encode(name),
        "decode": lambda name: DATA.decode(name, "replace"),
        "incremental": lambda name: codecs.getincrementaldecoder(name)("replace").decode(DATA, True),
        "reader": lambda name: codecs.getreader(name)(io.BytesIO(DATA), "replace").read(),
        "open": lambda name: io.TextIOWrapper(io.BytesIO(DATA), name, "replace", newline="").read(),
    }
    for function, call in calls.items():
        named: dict[str, object] = {}
        for text, name in names:
            if "\0" in text or "\ud800" in text:  # Python refuses them
                with pytest.raises((ValueError, LookupError)):
                    call(f"whatwg-{text}")
                continue
            # A string that ends with an alias of the codecs that remove byte order marks is not in the file.
            encoding = labels.get(normalized(text))
            actual = outcome(call, f"whatwg-{text}")
            if encoding is None:
                assert actual is LookupError, (function, text)
                continue
            assert name in (None, encoding.name), text
            if encoding.name not in named:
                named[encoding.name] = outcome(call, encoding.codec_name)
                if function == "lookup":
                    assert named[encoding.name] == f"whatwg-{encoding.name.lower()}"
            assert actual == named[encoding.name], (function, text)


def test_web_pages(names: Names) -> None:
    for text, name in names:
        if name is None:
            continue
        expected = f"whatwg-{name.lower()}"
        # In headers, the value of a parameter contains no controls but tabs.
        if text.isprintable():
            header, other = f'text/html; charset="{text}"', "koi8-r" if name == "UTF-8" else "utf-8"
            assert textcodec.web.html_to_unicode(header, b"abc", default_encoding=other)[0] == expected
        assert textcodec.web.html_to_unicode(None, b"abc", default_encoding=text)[0] == expected
        declared = {"UTF-16LE": "UTF-8", "UTF-16BE": "UTF-8", "x-user-defined": "windows-1252"}.get(name, name)
        page = f'<meta charset="{text}">'.encode()
        if len(page) > 1024:
            continue
        assert str(textcodec.web.prescan(page)) == declared, text
    # Only ASCII letters have a case.
    with pytest.raises(LookupError):
        textcodec.web.html_to_unicode(None, b"abc", default_encoding="\u212aoi8-r")
    assert textcodec.web.html_to_unicode(None, b"abc", default_encoding="WhatWG-koi8-r")[0] == "whatwg-koi8-r"


def test_the_program(names: Names, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").write_bytes(DATA)
    arguments = ["-e", "replace", "-o", str(tmp_path / "out"), str(tmp_path / "in")]
    for text, name in names[::40]:
        status = program.main(["convert", f"--from={text}", *arguments])
        known = outcome(lambda label: textcodec.get_encoding(label, aliases=True), text)
        assert status == (1 if known is LookupError and text else 0), text
        if name is not None:
            assert (tmp_path / "out").read_bytes() == textcodec.decode(DATA, name, "replace").encode()
    assert "Traceback" not in capfd.readouterr().err
