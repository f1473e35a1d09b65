"""`textcodec.chardet`, in the place of chardet and charset_normalizer."""

from __future__ import annotations

import codecs
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import support
import textcodec
from support import codec, some_text
from textcodec import ENCODINGS, OEM_ENCODINGS, _python_names, chardet
from textcodec._python_names import python_name
from textcodec.chardet import UniversalDetector, detect, detect_all, from_bytes, from_fp, from_path, is_binary

FRENCH = "La for\xeat est calme et l'\xe9l\xe8ve r\xeave d\xe9j\xe0 de l'\xe9t\xe9."
RUSSIAN = "\u042d\u0442\u043e \u0440\u0443\u0441\u0441\u043a\u0438\u0439 \u0442\u0435\u043a\u0441\u0442 \u0434\u043b\u044f \u043f\u0440\u043e\u0432\u0435\u0440\u043a\u0438"
JAPANESE = "\u6f22\u5b57\u3068\u304b\u306a\u306e\u6587\u7ae0\u3067\u3059\u3002"
BINARY = [bytes(100), bytes(range(256)) * 4, b"\x89PNG\r\n\x1a\n" + bytes(50)]
NOTHING = {"encoding": None, "confidence": 0.0, "language": ""}

# What chardet 5.2.0 and 7.7.0, and charset_normalizer 3.5.3 return: the keys of a result, and the types of their values.
KEYS = ["encoding", "confidence", "language"]
NAMES = {
    "ascii": b"plain text",
    "utf-8": RUSSIAN.encode(),
    "UTF-8-SIG": RUSSIAN.encode("utf-8-sig"),
    "UTF-16": RUSSIAN.encode("utf-16"),
    "Windows-1251": RUSSIAN.encode("cp1251"),
    "Windows-1252": FRENCH.encode("cp1252"),
    "MacCyrillic": RUSSIAN.encode("mac-cyrillic"),
    "KOI8-R": RUSSIAN.encode("koi8-r"),
    "IBM866": RUSSIAN.encode("cp866"),
    "ISO-8859-5": RUSSIAN.encode("iso8859-5"),
    "CP932": JAPANESE.encode("cp932"),
    "EUC-JP": JAPANESE.encode("euc_jp"),
    "ISO-2022-JP": JAPANESE.encode("iso2022_jp"),
    "GB18030": ("\u4eca\u5929\u65e9\u4e0a\u4e0b\u96e8\uff0c\u4f46\u662f\u665a\u4e0a\u5c31\u653e\u6674\u4e86\u3002" * 3).encode("gbk"),
    "Big5": ("\u4eca\u5929\u65e9\u4e0a\u4e0b\u96e8\uff0c\u4f46\u662f\u665a\u4e0a\u5c31\u653e\u6674\u4e86\u3002" * 3).encode("big5"),
    "EUC-KR": "\uc624\ub298 \uc544\uce68\uc5d0\ub294 \ube44\uac00 \uc654\uc9c0\ub9cc \uc800\ub141\uc5d0\ub294 \ud558\ub298\uc774 \ub9d1\uc558\ub2e4".encode("euc_kr"),
}


# Names.


@pytest.mark.parametrize("name", NAMES)
def test_the_names_of_chardet(name: str) -> None:
    data = NAMES[name]
    found = detect(data)
    assert found["encoding"] == name
    assert data.decode(name) == textcodec.decode(data, textcodec.detect(data).encoding)


def test_python_without_this_package_knows_the_names() -> None:
    names = [*NAMES, *(name for names in _python_names._NAMES.values() for name in names)]
    code = f"import codecs\nfor name in {names}: codecs.lookup(name)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("encoding", [e for e in (*ENCODINGS, *OEM_ENCODINGS) if e.is_single_byte], ids=lambda encoding: encoding.name)
def test_names_of_single_byte_encodings(encoding: textcodec.Encoding) -> None:
    """The name of each byte decodes it, and that of most bytes is Python's if it has the encoding."""
    whatwg = 0
    for byte in range(256):
        data = b"a" + bytes([byte])
        try:
            text = encoding.decode(data, bom="keep")
        except UnicodeDecodeError:
            continue
        name = python_name(encoding, data, False)
        assert data.decode(name) == text
        whatwg += name == encoding.codec_name
    python = [name for name in _python_names._NAMES.get(encoding.name, (encoding.name,)) if is_known(name)]
    assert whatwg < 25 if python else whatwg > 0


def is_known(name: str) -> bool:
    try:
        return bool(codecs.lookup(name))
    except LookupError:
        return False


def test_a_name_always_decodes() -> None:
    for name in support.WITH_ENCODER:
        for length in (1, 3, 10, 100, 3000):
            for data in (some_text(name, length).encode(codec(name)), some_text(name, length).encode(codec(name) + "-bom")):
                found = textcodec.detect(data)
                if found.confidence == "none" or found.candidates[0].malformed:
                    continue
                for result in [detect(data), *detect_all(data, ignore_threshold=True)]:
                    assert result["encoding"] is not None
                    text = data.decode(result["encoding"])
                assert data.decode(str(detect(data)["encoding"])).removeprefix("\ufeff") == textcodec.decode(data, found.encoding)


def test_names_where_codecs_of_python_differ() -> None:
    # Python's EUC-JP has U+301C for these bytes, and no circled digits; its windows-1252 lacks five bytes.
    for text, name in (("\uff5e" + JAPANESE, "euc-jp"), (JAPANESE + "\u2460", "euc-jp"), (FRENCH + "\x81", "windows-1252")):
        data = textcodec.encode(text * 3, name)
        assert detect(data)["encoding"] == f"whatwg-{name}"
        assert data.decode(f"whatwg-{name}") == text * 3
    # Others of Python's codecs have these.
    encoding = textcodec.get_encoding("big5")
    assert [python_name(encoding, c.encode("cp950"), False) for c in ("\u2027", "\u6f22")] == ["CP950", "Big5"]
    encoding = textcodec.get_encoding("euc-kr")
    assert [python_name(encoding, c.encode("cp949"), False) for c in ("\ub620", "\uac00")] == ["CP949", "EUC-KR"]
    # The end of the first chunk is within a character.
    data = b"a" + ("\u6f22" * 700_000).encode("cp932")
    assert len(data) > 1 << 20 and python_name(textcodec.get_encoding("shift_jis"), data, False) == "CP932"
    data = b"a" + ("\u6f22" * 700_000).encode("euc_jp")
    assert python_name(textcodec.get_encoding("euc-jp"), data, False) == "EUC-JP"
    assert python_name(textcodec.get_encoding("euc-jp"), data + b"\xad\xa1", False) == "whatwg-euc-jp"
    # In damaged text, a name that decodes is not to be found.
    assert python_name(textcodec.get_encoding("euc-jp"), b"\xad", False) == "EUC-JP"
    assert python_name(textcodec.get_encoding("euc-jp"), b"\xff" + data, False) == "EUC-JP"


# chardet.


@pytest.mark.parametrize("data", [b"", *NAMES.values(), *BINARY])
def test_the_shape_of_results(data: bytes) -> None:
    for result in [detect(data), *detect_all(data)]:
        assert list(result) == KEYS
        assert result["encoding"] is None or isinstance(result["encoding"], str)
        assert isinstance(result["confidence"], float) and 0 <= result["confidence"] <= 1
        assert isinstance(result["language"], str)
    assert detect_all(data)[0] == detect(data) == detect(bytearray(data)) == detect(memoryview(data))


def test_results() -> None:
    found = detect(NAMES["Windows-1252"])
    assert found == {
        "encoding": "Windows-1252",
        "confidence": textcodec.detect(NAMES["Windows-1252"]).probability,
        "language": "French",
    }
    # Both of today's packages say UTF-8; chardet 5 had no answer.
    assert detect(b"") == {"encoding": "utf-8", "confidence": 1.0, "language": ""}
    for data in BINARY:
        assert detect(data) == NOTHING and detect_all(data) == [NOTHING]


def test_detect_all() -> None:
    everything = detect_all(NAMES["Windows-1252"], ignore_threshold=True)
    likely = detect_all(NAMES["Windows-1252"])
    names = [result["encoding"] for result in everything]
    assert len(names) == len(set(names)) and likely == everything[: len(likely)]
    assert all(result["confidence"] > 0.2 for result in likely)
    confidences = [result["confidence"] for result in everything]
    assert confidences == sorted(confidences, reverse=True)


def test_options() -> None:
    data = b"Dne\xb9 sv\xedt\xed slunce."
    assert detect(data, include_encodings=["cp1250", "iso8859_2"])["encoding"] == "ISO-8859-2"
    assert detect(data, exclude_encodings=["iso8859_2"])["encoding"] != "ISO-8859-2"
    assert detect(RUSSIAN.encode(), include_encodings=["cp1251"]) == NOTHING
    assert detect(RUSSIAN.encode(), exclude_encodings=["utf_8"])["encoding"] != "utf-8"
    for include in (["ascii"], ["us-ascii", "cp1252"], ["utf-8"]):
        assert detect(b"plain", include_encodings=include)["encoding"] == "ascii"
    assert detect(b"plain", include_encodings=["koi8-r"]) == detect(b"plain", exclude_encodings=["ascii"]) == NOTHING
    assert detect(RUSSIAN.encode(), include_encodings=["ascii"]) == NOTHING
    for order in ("utf-16le", "utf-16be"):
        wide = ("\ufeff" + RUSSIAN).encode(order)
        assert detect(wide, include_encodings=["utf_16"])["encoding"] == "UTF-16"
    assert detect(b"plain" + RUSSIAN.encode("cp1251"), max_bytes=5)["encoding"] == "ascii"
    assert detect(JAPANESE.encode(), max_bytes=4)["encoding"] == "utf-8"
    assert detect(data, True, prefer_superset=True) == detect_all(data, False, True, prefer_superset=True)[0] == detect(data)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"max_bytes": 0}, ValueError),
        ({"max_bytes": "5"}, TypeError),
        ({"include_encodings": ["no such name"]}, LookupError),
        ({"exclude_encodings": "utf-8"}, TypeError),
        ({"include_encodings": [5]}, TypeError),
        ({"chunk_size": 5}, TypeError),
        ({"encoding_era": 1}, TypeError),
        ({"anything": 1}, TypeError),
    ],
)
def test_wrong_options(options: dict[str, Any], error: type[Exception]) -> None:
    for call in (lambda: detect(b"", **options), lambda: detect_all(b"", **options), lambda: UniversalDetector(**options)):
        with pytest.raises(error):
            call()


@pytest.mark.parametrize("wrong", ["text", None, 5, [97], object()])
def test_wrong_data(wrong: Any) -> None:
    for call in (detect, detect_all, from_bytes, UniversalDetector().feed):
        with pytest.raises(TypeError, match="bytes-like object is required"):
            call(wrong)


@pytest.mark.parametrize("data", [b"", *NAMES.values(), *BINARY])
def test_universal_detector(data: bytes) -> None:
    detector = UniversalDetector()
    assert (detector.done, detector.result) == (False, NOTHING)
    for _ in range(2):
        for at in range(0, len(data), 7):
            detector.feed(data[at : at + 7])
        assert detector.result == NOTHING
        assert detector.close() == detector.close() == detector.result == detect(data)
        assert detector.done
        with pytest.raises(ValueError, match=r"call reset\(\) for another text"):
            detector.feed(b"a")
        detector.reset()
    with UniversalDetector(max_bytes=10) as detector:
        detector.feed(data)
        assert detector.done == (len(data) >= 10)
        detector.feed(data)
    assert detector.result == detect(data * 2, max_bytes=10)


def test_a_universal_detector_may_stop_early() -> None:
    detector = UniversalDetector()
    count = 0
    while not detector.done:
        detector.feed(b"\xef\xbb\xbf" + b"a" * 1000)
        count += 1
    assert count == 66 and detector.close()["encoding"] == "UTF-8-SIG"
    detector.result["encoding"] = "changed"
    assert detector.result["encoding"] == "UTF-8-SIG"
    long = UniversalDetector()
    for _ in range(30):
        long.feed(NAMES["Windows-1251"] * 2000)
    assert long.close()["encoding"] == "Windows-1251" and len(long._start) == 1 << 20


# charset_normalizer.


def test_matches() -> None:
    data = NAMES["Windows-1251"]
    matches = from_bytes(data)
    best = matches.best()
    assert best is not None and best is matches[0] is matches.first() is next(iter(matches))
    assert bool(matches) and len(matches) == len(list(matches)) > 1
    assert (best.encoding, best.raw, str(best), best.language) == ("cp1251", data, RUSSIAN, "Russian")
    assert (best.output(), best.output("koi8_r")) == (RUSSIAN.encode(), RUSSIAN.encode("koi8_r"))
    assert best.output("ascii") == RUSSIAN.encode("ascii", "replace")
    assert (best.languages, best.bom, best.confidence) == (["Russian"], False, textcodec.detect(data).probability)
    assert repr(best) == "<CharsetMatch 'cp1251'>"
    for match in matches:
        assert match.raw.decode(match.encoding) == str(match)
    with pytest.raises(IndexError):
        matches[100]


@pytest.mark.parametrize(
    ("data", "encoding", "bom"),
    [
        (b"", "utf_8", False),
        (b"plain", "ascii", False),
        (RUSSIAN.encode(), "utf_8", False),
        (RUSSIAN.encode("utf-8-sig"), "utf_8", True),
        (RUSSIAN.encode("utf-16"), "utf_16", True),
        (RUSSIAN.encode("mac-cyrillic"), "mac_cyrillic", False),
        (FRENCH.encode("cp1252") + b"\x81", "whatwg-windows-1252", False),
    ],
)
def test_encodings_of_matches(data: bytes, encoding: str, bom: bool) -> None:
    """They are those of charset_normalizer."""
    best = from_bytes(data).best()
    assert best is not None and (best.encoding, best.bom, best.byte_order_mark) == (encoding, bom, bom)
    assert not str(best).startswith("\ufeff")
    if not bom:
        assert data.decode(encoding) == str(best)


def test_what_is_not_text_has_no_match(tmp_path: Path) -> None:
    for data in BINARY:
        matches = from_bytes(data)
        assert (matches.best(), matches.first(), list(matches), len(matches), bool(matches)) == (None, None, [], 0, False)
        file = tmp_path / "binary"
        file.write_bytes(data)
        for argument in (data, bytearray(data), io.BytesIO(data), str(file), file):
            assert is_binary(argument)
    for text in (b"", b"plain", RUSSIAN.encode("utf-16"), RUSSIAN.encode("cp1251")):
        assert not is_binary(text) and not is_binary(io.BytesIO(text))


def test_damaged_text_has_replacements() -> None:
    data = (JAPANESE * 3).encode()
    best = from_bytes(data[:-1]).best()
    assert best is not None and best.encoding == "utf_8"
    assert str(best) == (JAPANESE * 3)[:-1] + "\ufffd"


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes(NAMES["Windows-1251"])
    for path in (file, str(file), str(file).encode()):
        assert str(from_path(path).best()) == RUSSIAN
    with file.open("rb") as fp:
        assert str(from_fp(fp).best()) == RUSSIAN
    with pytest.raises(FileNotFoundError):
        from_path(tmp_path / "missing")
    with file.open("r", encoding="cp1251") as text, pytest.raises(TypeError, match="bytes-like object is required"):
        from_fp(text)  # type: ignore[arg-type]


def test_options_of_matches() -> None:
    data = b"Dne\xb9 sv\xedt\xed slunce."
    assert [match.encoding for match in from_bytes(data, cp_isolation=["iso8859_2"])] == ["iso8859_2"]
    assert "iso8859_2" not in [match.encoding for match in from_bytes(data, cp_exclusion=["iso8859_2"])]
    page = b"<meta charset=koi8-r>" + NAMES["Windows-1251"]
    assert from_bytes(page)[0].encoding == "koi8_r"
    assert from_bytes(page, preemptive_behaviour=False)[0].encoding == "cp1251"
    assert from_fp(io.BytesIO(page), preemptive_behaviour=False)[0].encoding == "cp1251"
    for name in ("steps", "chunk_size", "threshold", "explain", "anything"):
        with pytest.raises(TypeError):
            from_bytes(data, **{name: 1})


def test_public_names() -> None:
    for name in chardet.__all__:
        assert getattr(chardet, name) is not None
