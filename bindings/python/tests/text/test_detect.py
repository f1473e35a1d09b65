"""`textcodec.detect` and `Detector`: results, options, errors and threads."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

import support
import textcodec
from support import codec, some_text
from textcodec import Candidate, Declaration, Detection, Detector, detect

MARKS = {"UTF-8": b"\xef\xbb\xbf", "UTF-16BE": b"\xfe\xff", "UTF-16LE": b"\xff\xfe"}
FRENCH = "La for\xeat est calme et l'\xe9l\xe8ve r\xeave d\xe9j\xe0 de l'\xe9t\xe9."
RUSSIAN = "\u042d\u0442\u043e \u0440\u0443\u0441\u0441\u043a\u0438\u0439 \u0442\u0435\u043a\u0441\u0442 \u0434\u043b\u044f \u043f\u0440\u043e\u0432\u0435\u0440\u043a\u0438"
JAPANESE = "\u6f22\u5b57\u3068\u304b\u306a\u306e\u6587\u7ae0\u3067\u3059\u3002"
LEVELS = {"certain": 1.0, "high": 0.999, "medium": 0.98, "low": 0.0, "none": 0.0}


def in_chunks(data: bytes, sizes: list[int], partial: bool = False, **options: Any) -> Detection:
    detector = Detector(**options)
    at = 0
    while at < len(data):
        for size in sizes:
            detector.feed(data[at : at + size])
            at += size
    return detector.finish(partial)


@pytest.mark.parametrize(
    ("name", "text"),
    [("Shift_JIS", JAPANESE), ("UTF-8", RUSSIAN), ("windows-1251", RUSSIAN), ("ISO-2022-JP", JAPANESE), ("IBM850", FRENCH)],
)
def test_encodings(name: str, text: str) -> None:
    found = detect(textcodec.encode(text, name))
    assert found.encoding is textcodec.get_encoding(name)
    assert found.confidence == "high" and found.probability >= 0.999


def test_all_fields() -> None:
    data = textcodec.encode(FRENCH, "windows-1252")
    found = detect(data)
    assert isinstance(found, Detection)
    assert (found.encoding.name, found.confidence, found.evidence, found.language) == ("windows-1252", "high", "guess", "French")
    assert (found.declarations, found.charsets, found.bytes) == ((), (), len(data))
    assert found.reason == "guessed from 8 non-ASCII characters, with letters as in French"
    assert found.candidates[0] == Candidate(found.encoding, found.probability, 0, 8, 0, True)
    utf_8 = found.candidates[-1]
    assert (utf_8.encoding.name, utf_8.probability, utf_8.malformed) == ("UTF-8", 0.0, 8)
    page = detect(b"<meta charset=ibm437><?xml encoding='GBK'?>" + b"x")
    assert page.declarations == (
        Declaration(None, "meta", "ibm437", 0, '<meta charset="ibm437"> at byte 0'),
    )
    mail = b"From a\nContent-Type: text/plain; charset=koi8-r\n\n\xde\xc1\xca\n\nFrom b\nSubject: tea\n\n\x93\xfa\n"
    assert detect(mail).charsets == (("KOI8-R", 1, "message 1, line 4"), ("no charset", 1, "message 2, line 9"))
    wide = detect('<?xml version="1.0" encoding="utf-16"?>'.encode("utf-16-le"))
    assert [declaration.form for declaration in wide.declarations] == ["wide-xml"]


def test_every_evidence() -> None:
    inputs = {
        "empty": b"",
        "bom": b"\xfe\xff\0a",
        "declaration": b"@charset \"gbk\";",
        "structure": RUSSIAN.encode(),
        "ascii": b"abc",
        "guess": RUSSIAN.encode("cp1251"),
        "none": bytes(100),
    }
    for evidence, data in inputs.items():
        assert detect(data).evidence == evidence
    assert detect(b"caf\xe9", guess=False).evidence == "fallback"
    for name, mark in MARKS.items():
        found = detect(mark + "text".encode(name))
        assert (found.encoding.name, found.evidence, found.confidence) == (name, "bom", "certain")
        assert found.candidates[0].probability == found.probability == 1
    png = detect(b"\x89PNG\r\n\x1a\n" + bytes(50))
    assert (png.confidence, png.probability, png.evidence) == ("none", 0, "none") and "PNG" in png.reason


def test_results_are_values() -> None:
    found = detect(RUSSIAN.encode("cp1251"))
    assert found == detect(RUSSIAN.encode("cp1251")) != detect(RUSSIAN.encode())
    assert hash(found) == hash(copy.deepcopy(found))
    assert pickle.loads(pickle.dumps(found)) == found == copy.copy(found)
    assert repr(found).startswith("Detection(encoding=<Encoding windows-1251>, confidence='high', probability=0.99")
    for name in ("encoding", "probability", "anything"):
        with pytest.raises(AttributeError):
            setattr(found, name, 1)


def test_the_probability_fits_the_confidence() -> None:
    for name in support.WITH_ENCODER:
        for length in (1, 3, 30):
            found = detect(some_text(name, length).encode(codec(name)))
            assert LEVELS[found.confidence] <= found.probability <= 1
            assert found.candidates[0].encoding is found.encoding
            assert all(0 <= candidate.probability <= 1 for candidate in found.candidates)


def test_a_guess_decodes() -> None:
    """Without errors, if the text has none."""
    for name in support.WITH_ENCODER:
        for length in (1, 10, 100):
            data = some_text(name, length).encode(codec(name))
            found = detect(data)
            assert textcodec.decode_report(data, found.encoding).error_count == 0, (data, found)


# Options.


def test_candidates() -> None:
    data = b"Dne\xb9 sv\xedt\xed slunce."
    iso, windows = textcodec.get_encoding("iso-8859-2"), textcodec.get_encoding("windows-1250")
    for candidates in (["iso-8859-2"], (windows, "iso-8859-2"), {iso, windows}, iter(["windows-1250", iso])):
        assert detect(data, candidates=candidates).encoding is iso
    german = textcodec.encode("F\xfc\xdfe", "cp850")
    assert detect(german, candidates=["windows-1252", "cp850"]).encoding.name == "IBM850"
    assert detect(data, candidates=[]) == detect(data)
    # Unlikely in all of them.
    assert (detect(data, candidates=["koi8-r"]).evidence, detect(data, candidates=["koi8-r"]).confidence) == ("fallback", "low")
    # Other evidence is stronger.
    assert detect(RUSSIAN.encode(), candidates=["koi8-r"]).encoding.name == "UTF-8"


def test_languages_and_domains() -> None:
    lithuanian = b"E\xfeeras dar neu\xf0\xe0l\xe6s."
    for languages in (["lt"], ["Lithuanian"], ("LT-lt",), {"lt", "lv"}):
        found = detect(lithuanian, languages=languages)
        assert (found.encoding.name, found.language) == ("windows-1257", "Lithuanian")
    word = b"\xcf\xf0\xe8\xe2\xe5\xf2"
    assert detect(word, tld="ru").encoding.name == "windows-1251"
    assert detect(word, tld="gr").probability != detect(word, tld="ru").probability
    assert detect(b"", tld="jp").evidence == "empty"
    for wrong in ("", "\0", "JP", "no such domain", "x" * 1000, "\u65e5\u672c"):
        assert detect(b"abc \xe9", tld=wrong).encoding in textcodec.ENCODINGS


def test_declarations_and_hints() -> None:
    page = "<meta charset=koi8-r>".encode() + RUSSIAN.encode("cp1251")
    assert detect(page).encoding.name == "KOI8-R"
    assert detect(page, declarations=False).encoding.name == "windows-1251"
    word = b"\xf4\xc5\xcb\xd3\xd4"
    for hint in ({"content_type": "text/plain; charset=koi8-r"}, {"transport": "koi8-r"}, {"transport": textcodec.get_encoding("koi8-r")}):
        found = detect(word, **hint)  # type: ignore[arg-type]
        assert (found.encoding.name, found.evidence, found.declarations[0].form) == ("KOI8-R", "declaration", "transport")
        # The bytes contradict the header.
        assert detect(RUSSIAN.encode(), **hint).encoding.name == "UTF-8"  # type: ignore[arg-type]
    both = detect(word, content_type="text/plain; charset=gbk", transport="koi8-r")
    assert both.encoding.name == "KOI8-R"
    for header in ("", "text/plain", "text/plain; charset=unknown", "\u65e5\u672c", ";" * 100_000):
        assert detect(word, content_type=header) == detect(word)


def test_fallback() -> None:
    assert detect(b"caf\xe9", guess=False).encoding.name == "windows-1252"
    for fallback in ("koi8-r", textcodec.get_encoding("koi8-r")):
        found = detect(b"caf\xe9", guess=False, fallback=fallback)
        assert (found.encoding.name, found.evidence, found.confidence) == ("KOI8-R", "fallback", "low")
    assert detect(FRENCH.encode("cp1252"), fallback="koi8-r").encoding.name == "windows-1252"


def test_partial() -> None:
    start = JAPANESE.encode()[:-1]
    assert detect(start, partial=True).candidates[0].malformed == 0
    assert detect(start, partial=True).reason.endswith(f"; only the first {len(start)} bytes were examined")
    whole = detect(start)
    assert whole.encoding.name != "UTF-8" or whole.candidates[0].malformed == 1


@pytest.mark.parametrize(
    ("option", "value", "error", "message"),
    [
        ("candidates", ["x"], LookupError, '"x" is not a label'),
        ("candidates", "gbk", TypeError, "candidates must be a list, not a str"),
        ("candidates", 5, TypeError, "not iterable"),
        ("candidates", [None], TypeError, "an encoding must be a label or an Encoding, not NoneType"),
        ("languages", ["tlh"], LookupError, 'unknown language "tlh"; known are en, de, '),
        ("languages", ["\ud800" * 1000], LookupError, "unknown language"),
        ("languages", "lt", TypeError, "languages must be a list, not a str"),
        ("languages", [b"lt"], TypeError, "bytes"),
        ("tld", 5, TypeError, "'int' object is not an instance of 'str'"),
        ("content_type", b"text/html", TypeError, "'bytes' object is not an instance of 'str'"),
        ("transport", "x", LookupError, '"x" is not a label'),
        ("fallback", 5, TypeError, "an encoding must be a label or an Encoding, not int"),
        ("guess", "yes", TypeError, "'str' object is not an instance of 'bool'"),
        ("declarations", None, TypeError, "is not an instance of 'bool'"),
        ("anything", 1, TypeError, "anything"),
    ],
)
def test_wrong_options(option: str, value: Any, error: type[Exception], message: str) -> None:
    for call in (lambda: detect(b"", **{option: value}), lambda: Detector(**{option: value})):
        with pytest.raises(error, match=message):
            call()


def test_an_iterator_that_raises() -> None:
    def candidates() -> Any:
        yield "gbk"
        raise KeyError("from the iterator")

    with pytest.raises(KeyError, match="from the iterator"):
        detect(b"", candidates=candidates())


# Chunks.


def test_chunks_do_not_change_the_result() -> None:
    chance = random.Random(5)
    for name in support.WITH_ENCODER:
        for length in (0, 1, 40, 700):
            data = some_text(name, length).encode(codec(name))
            sizes = [chance.randrange(1, 20) for _ in range(5)]
            assert in_chunks(data, sizes) == detect(data), (name, length)
    long = (FRENCH * 5000).encode("cp1252")
    for sizes in ([1 << 16], [65_535, 2, 0, 65_537], [len(long)]):
        assert in_chunks(long, sizes) == detect(long)
        assert in_chunks(long, sizes, True, guess=False, tld="fr") == detect(long, partial=True, guess=False, tld="fr")


def test_a_detector_has_an_end() -> None:
    detector = Detector(transport="gbk")
    detector.feed(memoryview(b"ab"))
    detector.feed(bytearray(b"c"))
    assert not detector.is_decided
    assert detector.finish().bytes == 3
    assert detector.is_decided
    for call in (detector.finish, lambda: detector.feed(b"a"), lambda: detector.finish(True)):
        with pytest.raises(ValueError, match="the detector has finished: create another one for another text"):
            call()
    marked = Detector()
    marked.feed(MARKS["UTF-8"])
    assert not marked.is_decided
    marked.feed(b"a" * 65_536)
    assert marked.is_decided
    assert marked.finish().bytes == 65_536


def test_wrong_chunks() -> None:
    detector = Detector()
    for wrong in ("text", None, 5, [97]):
        with pytest.raises(TypeError, match="a bytes-like object is required"):
            detector.feed(wrong)  # type: ignore[arg-type]
    with pytest.raises(BufferError):
        detector.feed(memoryview(b"abcd")[::2])
    released = memoryview(b"a")
    released.release()
    with pytest.raises(ValueError):
        detector.feed(released)
    detector.feed(b"\xc3\xa9 \xc3\xa8")
    assert (detector.finish().bytes, detector.is_decided) == (5, True)


def test_detectors_can_be_derived_from() -> None:
    class Counting(Detector):
        count = 0

        def feed(self, data: Any) -> None:
            self.count += len(data)
            super().feed(data)

    detector = Counting(tld="ru")
    detector.feed(b"abc")
    assert (detector.count, detector.finish().evidence) == (3, "ascii")


def in_threads(count: int, call: Callable[[], object]) -> list[BaseException]:
    """Calls in several threads at once, and returns the exceptions."""
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run() -> None:
        start.wait()
        try:
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return errors


def test_threads_share_a_detector() -> None:
    detector = Detector()
    line = (FRENCH * 100).encode("cp1252") + b"\n"
    mutable = bytearray(line)

    def feed() -> None:
        for _ in range(20):
            detector.feed(line * 10)
            detector.feed(mutable)
            assert not detector.is_decided

    assert in_threads(8, feed) == []
    assert detector.finish() == detect(line * (8 * 20 * 11))
    # One of them ends it.
    detector = Detector()
    detector.feed(line * 100)
    errors = in_threads(8, detector.finish)
    assert len(errors) == 7 and {type(error) for error in errors} == {ValueError}


def test_other_threads_run_meanwhile() -> None:
    data = (FRENCH * 100_000).encode("cp1252")
    assert len(data) > 4 << 20
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1

    counting = threading.Thread(target=count)
    counting.start()
    before = turns
    for _ in range(3):
        detect(data)
    during = turns - before
    done.set()
    counting.join()
    assert during > 1000
