"""Memory, reference counts, and exceptions that must not be."""

from __future__ import annotations

import codecs
import gc
import io
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import support
import textcodec
import textcodec.chardet
from support import codec, examples, inputs, some_bytes, strings


def quietly(call: Callable[[], Any]) -> None:
    try:
        call()
    except (UnicodeError, TypeError, ValueError, LookupError, BufferError, RuntimeError):
        pass


def fail(error: UnicodeError) -> tuple[str, int]:
    raise KeyError("from the handler")


codecs.register_error("test.leak", lambda error: ("\U0001f600", error.end))
codecs.register_error("test.leak.raise", fail)
codecs.register_error("test.leak.nonsense", lambda error: None)
codecs.register_error("test.leak.bytes", lambda error: (b"\xfe" * 300, error.end))
codecs.register_error("test.leak.outside", lambda error: ("x", 10**9))

ERRORS = ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "namereplace", "surrogateescape", "surrogatepass"]
ERRORS += ["test.leak", "test.leak.raise", "test.leak.nonsense", "test.leak.bytes", "test.leak.outside", "test.leak.unknown"]

TEXTS = ["", "a", "abc" * 200, "\xe9" * 20, "\U0001f600a", "a\ud800", "\ud83d\ude00" * 20, "\u6f22" * 20_000 + "\ud800"]


def calls(errors: str) -> list[Callable[[], Any]]:
    """Returns calls of everything that handles errors."""
    result: list[Callable[[], Any]] = []

    def incremental(label: str, data: bytes) -> None:
        decoder = codecs.getincrementaldecoder(label)(errors)
        for at in range(0, len(data), 17):
            decoder.decode(data[at : at + 17])
            decoder.setstate(decoder.getstate())
        decoder.decode(b"", True)
        decoder.reset()

    def encoding(label: str, text: str) -> None:
        encoder = codecs.getincrementalencoder(label)(errors)
        encoder.encode(text)
        encoder.setstate(encoder.getstate())
        encoder.encode(text, True)
        encoder.reset()

    for name in ("UTF-8", "windows-1253", "gb18030", "ISO-2022-JP"):
        for length in (3, 80):
            data = some_bytes(name, length)
            for buffer in (data, bytearray(data), memoryview(data)):
                result.append(lambda name=name, buffer=buffer: codecs.decode(buffer, codec(name), errors))
                result.append(lambda name=name, buffer=buffer: textcodec.transcode(buffer, name, "gbk", errors))
            result.append(lambda name=name, data=data: textcodec.decode(data, name, errors))
            result.append(lambda name=name, data=data: textcodec.decode_report(data, name))
            result.append(lambda name=name, data=data: textcodec.detect(data))
            result.append(lambda name=name, data=data: textcodec.Utf8Reader(io.BytesIO(data), name, errors).read())
            result.append(lambda name=name, data=data: incremental(codec(name) + "-bom", data))
            result.append(lambda name=name, data=data: codecs.getreader(codec(name))(io.BytesIO(data), errors).readlines())
        for text in TEXTS[:-1]:
            result.append(lambda name=name, text=text: textcodec.encode(text, name, errors))
            result.append(lambda name=name, text=text: text.encode(codec(name) + "-bom", errors))
            result.append(lambda name=name, text=text: encoding(codec(name), text))
    long = TEXTS[-1].encode("utf-8", "surrogatepass")
    result.append(lambda: textcodec.encode(TEXTS[-1], "gb18030", errors))
    result.append(lambda: textcodec.decode(long, "utf-8", errors))
    for wrong in ("no such label", "\ud800", None, 5):
        result.append(lambda wrong=wrong: textcodec.get_encoding(wrong))
        result.append(lambda wrong=wrong: textcodec.decode(wrong, wrong))
    result.append(lambda: textcodec.get_encoding("gbk").labels)
    result.append(lambda: textcodec.for_bom(b"\xef\xbb\xbf"))
    result.append(lambda: repr(textcodec.ISOMORPHIC))
    return result


def guarded(call: Callable[[], Any]) -> None:
    try:
        quietly(call)
    except KeyError as error:
        assert error.args == ("from the handler",)


REPEATS = 20


def stops_growing(measure: Callable[[], int], limit: int, everything: list[Callable[[], Any]]) -> bool:
    """Returns whether a number grows by less than a limit while each function is called `REPEATS` times.

    Caches and free lists fill at first, so one of several rounds is enough. A leak is in all of them.
    """
    before = None
    for _ in range(10):
        for call in everything:
            for _ in range(REPEATS):
                guarded(call)
        gc.collect()
        after = measure()
        if before is not None and after - before < limit:
            return True
        before = after
    return False


@pytest.mark.parametrize("errors", ERRORS)
def test_memory_does_not_grow(errors: str) -> None:
    """Blocks of Python's allocator, which have the strings, bytes, exceptions and tuples."""
    # If one of the calls loses one object, there are `REPEATS` more.
    assert stops_growing(sys.getallocatedblocks, REPEATS, calls(errors))


@pytest.mark.parametrize("errors", ["strict", "test.leak"])
def test_tracemalloc_finds_nothing_that_stays(errors: str) -> None:
    tracemalloc.start()
    try:
        # The size of an empty string.
        assert stops_growing(lambda: tracemalloc.get_traced_memory()[0], 49 * REPEATS, calls(errors))
    finally:
        tracemalloc.stop()


def detection_calls() -> list[Callable[[], Any]]:
    """Returns calls of everything that detects, and of mixed text."""

    def detection(data: bytes) -> None:
        detector = textcodec.Detector(candidates=["gbk", textcodec.ISOMORPHIC], languages=["de"], transport="koi8-r")
        detector.feed(data)
        detector.finish(True)
        detector.feed(data)

    def mixed(data: bytes, errors: Any) -> None:
        decoder = textcodec.Mixed(["utf-8", "gbk"], errors=errors)
        for at in range(0, len(data), 17):
            decoder.push(data[at : at + 17])
        assert decoder.summary
        decoder.finish()

    result: list[Callable[[], Any]] = []
    for name in ("UTF-8", "windows-1253", "gb18030"):
        data = some_bytes(name, 80)
        result.append(lambda data=data: detection(data))
        result.append(lambda data=data: textcodec.chardet.detect_all(data, ignore_threshold=True))
        result.append(lambda data=data: textcodec.chardet.from_bytes(data).best())
        for errors in ("strict", "replace", "backslashreplace", "nonsense"):
            result.append(lambda data=data, errors=errors: mixed(data, errors))
            result.append(lambda data=data, errors=errors: textcodec.decode_mixed(data, ["utf-8", "cp1252"], errors=errors))
    for wrong in ("no such label", "\ud800", None, 5, ["gbk", None], ["gbk", "\ud800"]):
        result.append(lambda wrong=wrong: textcodec.detect(b"", candidates=wrong))
        result.append(lambda wrong=wrong: textcodec.detect(b"", languages=wrong))
        result.append(lambda wrong=wrong: textcodec.Mixed(wrong, per=wrong))
    return result


def test_detection_keeps_nothing() -> None:
    assert stops_growing(sys.getallocatedblocks, REPEATS, detection_calls())


def test_a_lost_reference_would_be_found() -> None:
    lost: list[str] = []
    leaking = [*calls("replace")[:20], lambda: lost.append(textcodec.decode(b"\xe9" * 3, "latin1"))]
    assert not stops_growing(sys.getallocatedblocks, REPEATS, leaking)


def test_reference_counts_of_arguments() -> None:
    data, text, errors = bytes(range(256)) * 3, "a\ud800\u6f22" * 100, "".join(["test.", "leak"])
    mutable = bytearray(data)
    encoding = textcodec.get_encoding("shift_jis")
    label = "".join(["shift", "_jis"])
    objects = [data, text, errors, mutable, encoding, label, None, True, (), "", b""]

    def everything() -> None:
        for handler in (errors, "replace", "strict", "test.leak.raise", "test.leak.nonsense"):
            for call in (
                lambda: textcodec.decode(data, label, handler),
                lambda: textcodec.decode(mutable, encoding, handler),
                lambda: textcodec.encode(text, encoding, handler),
                lambda: textcodec.transcode(data, label, encoding, handler),
                lambda: codecs.getincrementaldecoder("whatwg-shift_jis")(handler).decode(data),
                lambda: codecs.getincrementalencoder("whatwg-shift_jis")(handler).encode(text),
                lambda: encoding.decode(data, handler),
                lambda: (encoding.output_encoding, encoding.name),
                lambda: textcodec.decode_report(data, encoding),
                lambda: textcodec.get_encoding(label),
            ):
                guarded(call)

    everything()
    gc.collect()
    before = [sys.getrefcount(item) for item in objects]
    for _ in range(200):
        everything()
    gc.collect()
    after = [sys.getrefcount(item) for item in objects]
    for number, item in enumerate(objects):
        # Those shared by all of Python vary a little; 200 rounds would show a leak.
        assert abs(after[number] - before[number]) < (100 if number >= 6 else 1), type(item)


def test_results_have_one_owner() -> None:
    for text in ("abc" * 100, "\u6f22\u5b57" * 100, "\U0001f600" * 100, "\xe9" * 100):
        data = text.encode()
        for call in (
            lambda: textcodec.decode(data, "utf-8"),
            lambda: textcodec.decode(data + b"\xff", "utf-8", "ignore"),
            lambda: textcodec.transcode(data, "utf-8", "utf-16le"),
            lambda: textcodec.encode(text, "utf-8"),
            lambda: textcodec.encode(text, "gb18030"),
            lambda: codecs.getincrementaldecoder("whatwg-utf-8")().decode(data),
        ):
            result = call()
            # The variable, and the argument of getrefcount.
            assert sys.getrefcount(result) <= 2


def test_exceptions_hold_their_object_only() -> None:
    data = b"ok\xff" * 1000
    gc.collect()
    before = sys.getrefcount(data)
    with pytest.raises(UnicodeDecodeError) as raised:
        textcodec.decode(data, "utf-8")
    assert raised.value.object is data
    del raised
    gc.collect()
    assert sys.getrefcount(data) == before


# Random arguments.

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.integers(),
    st.floats(),
    st.binary(max_size=8),
    st.text(st.characters(), max_size=8),
    st.sampled_from(["\ud800", "utf-8", "shift_jis", "x" * 300, "strict", "replace", "keep", *ERRORS]),
    st.builds(bytearray, st.binary(max_size=8)),
    st.builds(lambda data: memoryview(data)[::2], st.binary(max_size=8)),
    st.tuples(st.binary(max_size=4), st.integers(-2, 20)),
    st.just([]),
    st.just(object()),
    st.just(textcodec.ISOMORPHIC),
    st.just(io.BytesIO(b"abc\xff")),
)
data = st.sampled_from(support.NAMES).flatmap(inputs) | anything
text = st.sampled_from(support.NAMES).flatmap(strings) | anything
encoding = st.sampled_from([*textcodec.ENCODINGS, textcodec.ISOMORPHIC, textcodec.STRICT_ASCII, *support.NAMES]) | anything
errors = st.sampled_from(ERRORS) | anything
bom = st.sampled_from(["sniff", "strip", "keep", True, False]) | anything
limit = st.integers(-1, 10) | anything
final = st.booleans() | anything

DOCUMENTED = (UnicodeError, TypeError, ValueError, LookupError, BufferError, OverflowError, AttributeError, FileNotFoundError)


def permitted(call: Callable[[], Any]) -> Any:
    """Calls, and lets the documented exceptions pass. `PanicException` is a `BaseException`, so it fails the test."""
    try:
        return call()
    except KeyError as error:
        assert error.args == ("from the handler",) or "\\ud" in repr(error)
    except DOCUMENTED:
        pass
    return None


@examples(250)
@given(data, text, encoding, encoding, errors, bom, limit, final)
def test_random_arguments(
    data: Any, text: Any, encoding: Any, target: Any, errors: Any, bom: Any, limit: Any, final: Any
) -> None:
    native = textcodec._native
    permitted(lambda: textcodec.decode(data, encoding, errors, bom=bom))
    permitted(lambda: textcodec.decode_report(data, encoding, bom=bom, limit=limit))
    permitted(lambda: textcodec.encode(text, encoding, errors, bom=bom))
    permitted(lambda: textcodec.transcode(data, encoding, target, errors, bom=bom))
    permitted(lambda: textcodec.get_encoding(encoding, aliases=final))
    permitted(lambda: textcodec.for_bom(data))
    permitted(lambda: textcodec.detect(data, tld=text))
    permitted(lambda: textcodec.detect(data, candidates=[encoding, target], languages=[text], guess=final, partial=final))
    permitted(lambda: textcodec.detect(data, content_type=text, transport=encoding, fallback=target, candidates=data))
    permitted(lambda: textcodec.decode_mixed(data, [encoding, target], per=text, errors=errors))
    mixed = permitted(lambda: textcodec.Mixed([encoding, target], errors=errors))
    permitted(lambda: (mixed.push(data), mixed.convert(data, final), mixed.summary, mixed.finish()))
    permitted(lambda: textcodec.chardet.detect_all(data, include_encodings=[text, encoding], max_bytes=limit))
    permitted(lambda: textcodec.chardet.from_bytes(data, cp_exclusion=text).best())
    permitted(lambda: native.prescan(data))
    permitted(lambda: encoding.decode(data, errors, bom=bom))
    permitted(lambda: encoding.encode(text, errors, bom=bom))
    permitted(lambda: encoding.can_encode(text))
    permitted(lambda: encoding == target and encoding.name)
    transcoder = permitted(lambda: native.Transcoder(encoding, errors, bom))
    for last in (False, final, True):
        permitted(lambda: transcoder.transcode(data, last))
    made = permitted(lambda: native.Codec(encoding, final))
    permitted(lambda: made.decode(data, errors))
    permitted(lambda: made.encode(text, errors))
    decoder, encoder = permitted(lambda: made.incremental_decoder(errors)), permitted(lambda: made.incremental_encoder(errors))
    for state in (data, text, limit, (data, limit)):
        permitted(lambda: decoder.decode(data, final))
        permitted(lambda: decoder.setstate(state))
        permitted(lambda: decoder.getstate())
        permitted(lambda: encoder.encode(text, final))
        permitted(lambda: encoder.setstate(state))
        permitted(lambda: encoder.getstate())
    permitted(lambda: setattr(decoder, "errors", text))
    permitted(lambda: decoder.decode(data))
    permitted(lambda: decoder.reset())


@examples(150)
@given(
    st.sampled_from(support.NAMES).flatmap(lambda name: st.tuples(st.just(name), inputs(name))),
    st.booleans(),
    st.lists(st.tuples(st.sampled_from(["decode", "final", "get", "set", "reset", "errors"]), st.integers(0, 10), st.binary(max_size=5)), max_size=20),
)
def test_random_use_of_an_incremental_decoder(case: tuple[str, bytes], bom: bool, steps: list[tuple[str, int, bytes]]) -> None:
    name, data = case
    decoder = textcodec._native.Codec(name, bom).incremental_decoder("replace")
    states = [decoder.getstate()]
    for step, number, extra in steps:
        if step == "decode":
            permitted(lambda: decoder.decode(data[number:] + extra))
        elif step == "final":
            permitted(lambda: decoder.decode(extra, True))
        elif step == "get":
            states.append(decoder.getstate())
        elif step == "set":
            permitted(lambda: decoder.setstate((extra, number) if number % 3 == 0 else states[number % len(states)]))
        elif step == "reset":
            decoder.reset()
        else:
            decoder.errors = ERRORS[number]
        pending, _ = decoder.getstate()
        assert isinstance(pending, bytes)
    decoder.errors = "replace"
    assert isinstance(decoder.decode(b"", True), str)
    assert decoder.getstate()[0] == b""
    decoder.reset()
    assert decoder.getstate() == states[0]
    whole = codecs.decode(data, codec(name) + ("-bom" if bom else ""), "replace")
    assert decoder.decode(data, True) == whole
