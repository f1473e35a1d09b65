"""Error handlers: those that are built in, those that move, and those that misbehave."""

from __future__ import annotations

import codecs
import gc
import random
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import support
import textcodec
from support import codec, some_bytes, some_string

BUILT_IN = ["strict", "replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape"]
OTHER = ["namereplace", "surrogatepass"]


def outcome(call: Callable[[], Any]) -> Any:
    """Returns the result of a call, or what its exception says."""
    try:
        return call()
    except (UnicodeDecodeError, UnicodeEncodeError) as error:
        # `args` are those of the first error, because one exception is used for all calls of a handler, as in CPython.
        return (type(error), error.encoding, error.object, error.start, error.end, error.reason)
    except Exception as error:
        return (type(error), str(error))


@pytest.fixture(autouse=True, scope="module")
def called_handlers() -> None:
    """Makes the registered handlers available under names that are not built in."""
    for handler in BUILT_IN + OTHER:
        codecs.register_error(f"test.{handler}", codecs.lookup_error(handler))


def handler(function: Callable[[Any], Any]) -> str:
    """Registers a handler, and returns its name."""
    codecs.register_error("test.handler", function)
    return "test.handler"


@pytest.mark.parametrize("errors", BUILT_IN)
def test_decoding_equals_the_registered_handler(name: str, errors: str) -> None:
    for length, count in [(1, 10), (4, 40), (40, 20), (400, 2), (5000, 1)]:
        for seed in range(count):
            data = some_bytes(name, length, seed)
            ours = outcome(lambda: data.decode(codec(name), errors))
            called = outcome(lambda: data.decode(codec(name), f"test.{errors}"))
            assert ours == called, data


@pytest.mark.parametrize("errors", BUILT_IN)
def test_encoding_equals_the_registered_handler(name: str, errors: str) -> None:
    for length, count in [(1, 10), (4, 40), (40, 20), (400, 2), (5000, 1)]:
        for seed in range(count):
            text = some_string(name, length, seed)
            ours = outcome(lambda: text.encode(codec(name), errors))
            called = outcome(lambda: text.encode(codec(name), f"test.{errors}"))
            assert ours == called, text


@pytest.mark.parametrize("errors", ["namereplace", "surrogatepass"])
def test_other_handlers_are_called(name: str, errors: str) -> None:
    for seed in range(20):
        data, text = some_bytes(name, 30, seed), some_string(name, 30, seed)
        assert outcome(lambda: data.decode(codec(name), errors)) == outcome(lambda: data.decode(codec(name), f"test.{errors}"))
        assert outcome(lambda: text.encode(codec(name), errors)) == outcome(lambda: text.encode(codec(name), f"test.{errors}"))


@pytest.mark.parametrize("encoding", textcodec.OEM_ENCODINGS, ids=str)
def test_built_in_handlers_outside_the_standard(encoding: textcodec.Encoding) -> None:
    text = "a\x0e\uac00\x0f\u6f22\x1b~\xe9\ud800+\U0001f600\n\ufffd"
    for errors in BUILT_IN + OTHER:
        expected = outcome(lambda: text.encode(encoding.codec_name, f"test.{errors}"))
        assert outcome(lambda: text.encode(encoding.codec_name, errors)) == expected
    data = bytes(range(256)) + b"+AGE-\x0e0!\x0f~{VP~}~\xff\xd8\0\0"
    for errors in BUILT_IN:
        expected = outcome(lambda: data.decode(encoding.codec_name, f"test.{errors}"))
        assert outcome(lambda: data.decode(encoding.codec_name, errors)) == expected


def test_surrogateescape_keeps_bytes(name: str) -> None:
    """Malformed bytes return, if the others are mapped both ways and nothing joins into another character."""
    if name in [*support.UTF_16, "ISO-2022-JP", "replacement"]:
        pytest.skip("not a superset of ASCII")
    singles = [bytes([byte]) for byte in range(256)]
    malformed = [single for single in singles if isinstance(outcome(lambda: single.decode(codec(name))), tuple)]
    data = b"a".join(malformed if textcodec.get_encoding(name).is_single_byte else [b"\xff", b"\xff"])
    text = data.decode(codec(name), "surrogateescape")
    assert text.encode(codec(name), "surrogateescape") == data
    if textcodec.get_encoding(name).is_single_byte:
        data = bytes(range(256))
        assert data.decode(codec(name), "surrogateescape").encode(codec(name), "surrogateescape") == data


@pytest.mark.parametrize("name", ["utf-32", "utf-32be", "utf-32le"])
def test_surrogatepass_writes_utf_32_in_the_order_of_the_text(name: str) -> None:
    text = "a\ud800b\udfff\U0001f600"
    mark = "\ufeff" if name == "utf-32" else ""
    expected = (mark + text).encode("utf-32le" if name == "utf-32le" else "utf-32be", "surrogatepass")
    assert text.encode(f"textcodec-{name}", "surrogatepass") == expected
    encoder = codecs.getincrementalencoder(f"textcodec-{name}")("surrogatepass")
    assert b"".join(encoder.encode(character) for character in text) + encoder.encode("", True) == expected


@pytest.mark.parametrize("label", ["utf-8", "utf-16le", "utf-16be"])
def test_surrogatepass_is_that_of_cpython(label: str) -> None:
    """The handler learns the encoding from the exception."""
    text = "a\ud800b\udfff\udbff\udc00c\U0001f600"
    data = text.encode(label, "surrogatepass")
    assert text.encode(codec(label), "surrogatepass") == data
    assert data.decode(codec(label), "surrogatepass") == data.decode(label, "surrogatepass")
    decoder = codecs.getincrementaldecoder(codec(label))("surrogatepass")
    python = codecs.getincrementaldecoder(label)("surrogatepass")
    ours = "".join(decoder.decode(data[at : at + 1]) for at in range(len(data))) + decoder.decode(b"", True)
    assert ours == "".join(python.decode(data[at : at + 1]) for at in range(len(data))) + python.decode(b"", True)


# What exceptions say.


@pytest.mark.parametrize(
    ("label", "data", "start", "end"),
    [
        ("utf-8", b"ab\xff", 2, 3),
        ("utf-8", b"ab\xe2\x82", 2, 4),
        ("utf-8", b"\xf0\x9f\x98a", 0, 3),
        ("utf-8", b"a\xed\xa0\x80", 1, 2),
        ("shift_jis", b"a\x81", 1, 2),
        ("shift_jis", b"a\x81 b", 1, 2),
        ("shift_jis", b"a\x85\xfe", 1, 3),
        ("gb18030", b"\x81\x30\x81", 0, 3),
        ("gb18030", b"\x81\x30\x81a", 0, 1),
        ("utf-16le", b"a\0b", 2, 3),
        ("utf-16le", b"\0\xd8a\0", 0, 2),
        ("windows-1253", b"a\xd2", 1, 2),
        ("iso-2022-jp", b"a\x80", 1, 2),
        ("big5", b"\x80", 0, 1),
        ("euc-kr", b"ok\xff", 2, 3),
        ("euc-jp", b"\x8f\xa1", 0, 2),
    ],
)
def test_decode_error(label: str, data: bytes, start: int, end: int) -> None:
    for buffer in (data, bytearray(data), memoryview(data)):
        for call in (lambda: codecs.decode(buffer, codec(label)), lambda: textcodec.decode(buffer, label)):
            with pytest.raises(UnicodeDecodeError) as raised:
                call()
            error = raised.value
            assert error.encoding == textcodec.get_encoding(label).name.lower()
            assert type(error.object) is bytes and error.object == data
            assert (error.start, error.end) == (start, end)
            assert error.reason
            assert error.encoding in str(error) and error.reason in str(error)


@pytest.mark.parametrize(
    ("label", "text", "start"),
    [
        ("shift_jis", "ab\U0001f600c", 2),
        ("windows-1252", "\u0100", 0),
        ("windows-1252", "\xe9\x81\x80", 2),
        ("utf-8", "a\ud800", 1),
        ("utf-8", "\U0001f600\udc00", 1),
        ("utf-16le", "\ud83d\ude00", 0),
        ("gb18030", "\ue5e5", 0),
        ("gbk", "a\U0001f600", 1),
        ("iso-2022-jp", "\u65e5\x1b", 1),
        ("iso-2022-jp", "\x0e", 0),
        ("replacement", "abc", 0),
    ],
)
def test_encode_error(label: str, text: str, start: int) -> None:
    for call in (lambda: text.encode(codec(label)), lambda: textcodec.encode(text, label)):
        with pytest.raises(UnicodeEncodeError) as raised:
            call()
        error = raised.value
        assert error.encoding == textcodec.get_encoding(label).name.lower()
        assert error.object is text
        assert (error.start, error.end) == (start, start + 1)
        assert error.reason
        assert error.encoding in str(error) and error.reason in str(error)


def test_each_surrogate_of_a_string_is_one_error() -> None:
    for label in support.WITH_ENCODER:
        for text in ("\ud83d\ude00", "\ud83d\ude00\U0001f600", "\ude00\ud83d", "x\ud800" * 3000):
            places: list[int] = []

            def note(error: UnicodeEncodeError) -> tuple[str, int]:
                if "\ud800" <= error.object[error.start] <= "\udfff":
                    places.append(error.start)
                return "?", error.end

            text.encode(codec(label), handler(note))
            assert places == [at for at, c in enumerate(text) if "\ud800" <= c <= "\udfff"], (label, text[:9])


def test_an_exception_begins_with_the_pending_bytes() -> None:
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")()
    assert decoder.decode(b"ok\xf0\x9f") == "ok"
    with pytest.raises(UnicodeDecodeError) as raised:
        decoder.decode(b"\x98a")
    assert (raised.value.object, raised.value.start, raised.value.end) == (b"\xf0\x9f\x98a", 0, 3)
    # The decoder is in the state before the call.
    assert decoder.getstate() == (b"\xf0\x9f", 0)
    assert decoder.decode(b"\x98\x80") == "\U0001f600"

    decoder = codecs.getincrementaldecoder("whatwg-gb18030")()
    assert decoder.decode(b"\x81\x30\x81") == ""
    with pytest.raises(UnicodeDecodeError) as raised:
        decoder.decode(b"", True)
    assert (raised.value.object, raised.value.start, raised.value.end) == (b"\x81\x30\x81", 0, 3)
    seen = []

    def note(error: UnicodeDecodeError) -> tuple[str, int]:
        seen.append((error.object, error.start, error.end))
        return "!", error.end

    decoder = codecs.getincrementaldecoder("whatwg-gb18030")(handler(note))
    assert decoder.decode(b"\x81\x30") + decoder.decode(b"\x81") + decoder.decode(b"a\xff") == "!0\u4e64!"
    assert seen == [(b"\x81\x30\x81a\xff", 0, 1), (b"\x81\x30\x81a\xff", 4, 5)]


@pytest.mark.parametrize(
    ("label", "good", "bad"),
    [
        ("utf-8", b"a\xef\xbf\xbdb", b"\xff"),
        ("gbk", b"a\x84\x31\xa4\x37b", b"\xff"),
        ("gb18030", b"a\x84\x31\xa4\x37b", b"\xff"),
        ("utf-16le", b"a\0\xfd\xffb\0", b"\0\xdc"),
        ("utf-16be", b"\0a\xff\xfd\0b", b"\xdc\0"),
        ("shift_jis", b"ab", b"\xff"),
    ],
)
def test_ignore_keeps_replacement_characters_of_the_input(label: str, good: bytes, bad: bytes) -> None:
    """Only malformed bytes are left out, wherever chunks end."""
    for pieces in ([bad], [bad, good], [good, bad], [bad, good, bad], [good, bad, bad, good] * 50, [bad, good[:-1]]):
        data = b"".join(pieces)
        expected = data.decode(codec(label), "test.ignore")
        assert expected.count("\ufffd") == (data.count(good[:-1]) if label != "shift_jis" else 0)
        for bom in ("", "-bom"):
            assert data.decode(codec(label) + bom, "ignore") == expected
            for chunk in range(1, 10):
                decoder = codecs.getincrementaldecoder(codec(label) + bom)("ignore")
                parts = [decoder.decode(data[at : at + chunk]) for at in range(0, len(data), chunk)]
                assert "".join(parts) + decoder.decode(b"", True) == expected, (bom, chunk)


@pytest.mark.parametrize("label", ["utf-8", "gb18030"])
def test_surrogateescape_beside_pairs(label: str) -> None:
    for text in ("\U0001f600\udcff\U0001f601", "\udcff\U0001f600", "\U0001f600\udcff\udcff", "\udcff\u3042", "\udcff" * 3000 + "\U0001f600"):
        data = text.encode(codec(label), "surrogateescape")
        assert data.decode(codec(label), "surrogateescape") == data.decode(codec(label), "test.surrogateescape") == text


# Handlers that move.


@pytest.mark.parametrize("label", ["utf-8", "shift_jis", "windows-1253", "gb18030", "euc-jp", "utf-16le"])
def test_decoding_continues_where_the_handler_says(label: str) -> None:
    good = "0123456789".encode(codec(label))
    unit = len(good) // 10
    bad = b"\x00\xdc" if unit == 2 else b"\xff"
    if label == "gb18030":
        assert bad.decode(codec(label), "ignore") == ""
    data = good + bad + good
    at = len(good)

    def decode(position: Callable[[UnicodeDecodeError], int]) -> str:
        return data.decode(codec(label), handler(lambda error: ("<>", position(error))))

    digits = "0123456789"
    assert decode(lambda error: error.end) == f"{digits}<>{digits}"
    assert decode(lambda error: error.end + 3 * unit) == f"{digits}<>{digits[3:]}"
    assert decode(lambda error: len(data)) == f"{digits}<>"
    assert decode(lambda error: -unit) == f"{digits}<>9"
    assert decode(lambda error: -5 * unit) == f"{digits}<>{digits[5:]}"
    for wrong in (len(data) + 1, -len(data) - 1, 2**31, 2**62, -(2**62)):
        with pytest.raises(IndexError, match=f"position {wrong} from error handler out of bounds"):
            decode(lambda error: wrong)
    for wrong in (2**64, -(2**64), 2**200):
        with pytest.raises((OverflowError, IndexError)):
            decode(lambda error: wrong)

    calls = 0

    def backwards(error: UnicodeDecodeError) -> int:
        nonlocal calls
        calls += 1
        assert error.start == at
        return 7 * unit if calls < 3 else error.end

    assert decode(backwards) == f"{digits}<>789<>789<>{digits}"


def test_decoding_may_continue_within_the_malformed_bytes() -> None:
    def one(error: UnicodeDecodeError) -> tuple[str, int]:
        return f"[{error.object[error.start]:02x}]", error.start + 1

    assert b"\xf0\x9f\x98a".decode("whatwg-utf-8", handler(one)) == "[f0][9f][98]a"
    assert b"\x81\x30\x81".decode("whatwg-gb18030", handler(one)) == "[81]0[81]"
    assert b"\x85\xfea".decode("whatwg-shift_jis", handler(one)) == "[85][fe]a"


def test_a_move_keeps_the_character_set_of_iso_2022_jp() -> None:
    data = b"\x1b$B\x46\x7c\xff\x46\x7c\x1b(Ba\xffb"
    assert data.decode("whatwg-iso-2022-jp", handler(lambda error: ("!", error.end))) == "\u65e5!\u65e5a!b"
    places = []

    def back(error: UnicodeDecodeError) -> tuple[str, int]:
        places.append(error.start)
        return "!", 3 if len(places) == 1 else error.end

    # The second time, the bytes before the error are decoded in the character set that was selected.
    assert data.decode("whatwg-iso-2022-jp", handler(back)) == "\u65e5!\u65e5!\u65e5a!b"
    assert places == [5, 5, 12]


@pytest.mark.parametrize("label", support.WITH_ENCODER)
def test_encoding_continues_where_the_handler_says(label: str) -> None:
    digits = "0123456789"
    text = f"{digits}\ud800{digits}"
    at = len(digits)

    def encode(position: Callable[[UnicodeEncodeError], int], replacement: str | bytes = "xy") -> str:
        return text.encode(codec(label), handler(lambda error: (replacement, position(error)))).decode(codec(label))

    if label == "x-user-defined" or "a".encode(codec(label)):
        assert encode(lambda error: error.end) == f"{digits}xy{digits}"
    assert encode(lambda error: error.end + 3) == f"{digits}xy{digits[3:]}"
    assert encode(lambda error: len(text)) == f"{digits}xy"
    assert encode(lambda error: -1) == f"{digits}xy9"
    assert encode(lambda error: -5, "xy".encode(codec(label))) == f"{digits}xy{digits[5:]}"
    for wrong in (len(text) + 1, -len(text) - 1, 2**31, 2**62, -(2**62)):
        with pytest.raises(IndexError, match=f"position {wrong} from error handler out of bounds"):
            encode(lambda error: wrong)
    for wrong in (2**64, -(2**64)):
        with pytest.raises((OverflowError, IndexError)):
            encode(lambda error: wrong)
    calls = 0

    def backwards(error: UnicodeEncodeError) -> int:
        nonlocal calls
        calls += 1
        assert error.start == at
        return 7 if calls < 3 else error.end

    assert encode(backwards) == f"{digits}xy789xy789xy{digits}"


def test_positions_may_be_any_integer() -> None:
    class Index:
        def __index__(self) -> int:
            return 2

    assert b"a\xffb".decode("whatwg-utf-8", handler(lambda error: ("!", Index()))) == "a!b"
    assert "a\ud800b".encode("whatwg-utf-8", handler(lambda error: ("!", Index()))) == b"a!b"


def test_random_moves_end_and_do_not_crash(name: str) -> None:
    chance = random.Random(name)
    for seed in range(60):
        data, text = some_bytes(name, 20, seed), some_string(name, 20, seed)
        calls = 0

        def jump(error: UnicodeError) -> tuple[str, int]:
            nonlocal calls
            calls += 1
            size = len(error.object)  # type: ignore[attr-defined]
            assert 0 <= error.start < error.end <= size  # type: ignore[attr-defined]
            if calls > 8:
                return "x", size
            return chance.choice(["", "x", "\U0001f600", "\udc80", "\xe9" * 300]), chance.randint(-size, size)

        assert isinstance(outcome(lambda: data.decode(codec(name), handler(jump))), str)
        calls = 0
        assert type(outcome(lambda: text.encode(codec(name), handler(jump)))) in (bytes, tuple)


# Handlers that return nonsense or raise.

DECODE_NONSENSE = [None, 42, "x", (), ("x",), ("x", 1, 2), (b"x", 1), (1, "x"), (None, 1), ("x", None), ("x", "y"), ("x", 1.5), ["x", 1], object()]
ENCODE_NONSENSE = [None, 42, "x", (), ("x",), ("x", 1, 2), (1, "x"), (None, 1), (bytearray(b"x"), 1), ("x", None), ("x", "y"), ("x", 1.5), ["x", 1]]


@pytest.mark.parametrize("answer", DECODE_NONSENSE, ids=repr)
def test_nonsense_from_a_decoding_handler(answer: object) -> None:
    for label in ("utf-8", "shift_jis", "windows-1253"):
        with pytest.raises(TypeError, match=r"^decoding error handler must return \(str, int\) tuple$"):
            textcodec.decode(b"a\xff\xd2", label, handler(lambda error: answer))


@pytest.mark.parametrize("answer", ENCODE_NONSENSE, ids=repr)
def test_nonsense_from_an_encoding_handler(answer: object) -> None:
    for label in ("utf-8", "shift_jis", "windows-1253"):
        with pytest.raises(TypeError, match=r"^encoding error handler must return \(str/bytes, int\) tuple$"):
            textcodec.encode("a\ud800", label, handler(lambda error: answer))


def test_subclasses_are_right_answers() -> None:
    class Text(str):
        pass

    class Data(bytes):
        pass

    class Pair(tuple):
        pass

    assert b"a\xff".decode("whatwg-utf-8", handler(lambda error: Pair((Text("x"), 2)))) == "ax"
    assert "a\ud800".encode("whatwg-utf-8", handler(lambda error: Pair((Data(b"x"), 2)))) == b"ax"
    assert "a\ud800".encode("whatwg-utf-8", handler(lambda error: (Text("x"), 2))) == b"ax"


class Stop(BaseException):
    pass


@pytest.mark.parametrize("exception", [Stop, KeyError, MemoryError, KeyboardInterrupt, RecursionError])
def test_exceptions_of_handlers_pass(exception: type[BaseException]) -> None:
    def fail(error: UnicodeError) -> tuple[str, int]:
        raise exception("from the handler")

    for name in support.NAMES:
        if name != "replacement":
            with pytest.raises(exception, match="from the handler"):
                "\ud800".encode(codec(name), handler(fail))
    with pytest.raises(exception, match="from the handler"):
        b"a\xff".decode("whatwg-utf-8", handler(fail))
    decoder = codecs.getincrementaldecoder("whatwg-utf-8")(handler(fail))
    decoder.decode(b"\xe2")
    with pytest.raises(exception, match="from the handler"):
        decoder.decode(b"a")
    assert decoder.getstate() == (b"\xe2", 0)
    assert decoder.decode(b"\x82\xac") == "\u20ac"
    encoder = codecs.getincrementalencoder("whatwg-iso-2022-jp")(handler(fail))
    assert encoder.encode("\u65e5") == b"\x1b$B\x46\x7c"
    state = encoder.getstate()
    with pytest.raises(exception, match="from the handler"):
        encoder.encode("a\ud800")
    assert encoder.getstate() == state
    assert encoder.encode("\u65e5", True) == b"\x46\x7c\x1b(B"


def test_unknown_handlers() -> None:
    """They are looked up at the first error, as in CPython."""
    assert b"abc".decode("whatwg-utf-8", "test.unknown") == "abc"
    assert "abc".encode("whatwg-utf-8", "test.unknown") == b"abc"
    for call in (
        lambda: b"\xff".decode("whatwg-utf-8", "test.unknown"),
        lambda: "\ud800".encode("whatwg-utf-8", "test.unknown"),
        lambda: textcodec.decode(b"\xff", "utf-8", "test.unknown"),
        lambda: textcodec.encode("\ud800", "utf-8", "test.unknown"),
        lambda: textcodec.transcode(b"\xff", "utf-8", "shift_jis", "test.unknown"),
        lambda: codecs.getincrementaldecoder("whatwg-utf-8")("test.unknown").decode(b"\xff"),
    ):
        with pytest.raises(LookupError, match="unknown error handler name 'test.unknown'"):
            call()


@pytest.mark.parametrize("errors", ["", "a\0b", "\udc80", "\U0001f600", "x" * 10_000])
def test_strange_names_of_handlers(errors: str) -> None:
    for call in (
        lambda: textcodec.decode(b"\xff", "utf-8", errors),
        lambda: textcodec.encode("\ud800", "utf-8", errors),
        lambda: codecs.getincrementaldecoder("whatwg-utf-8")(errors).decode(b"\xff"),
        lambda: codecs.getincrementalencoder("whatwg-utf-8")(errors).encode("\ud800"),
    ):
        with pytest.raises((LookupError, ValueError)):
            call()


# What handlers return when encoding.


def test_bytes_are_written_unchanged() -> None:
    answer = handler(lambda error: (b"\xfe\x80", error.end))
    for label in support.WITH_ENCODER:
        before, after = "a".encode(codec(label)), "b".encode(codec(label))
        assert "a\ud800b".encode(codec(label), answer) == before + b"\xfe\x80" + after
    # ISO-2022-JP returns to ASCII first.
    assert "\u65e5\ud800\u65e5".encode("whatwg-iso-2022-jp", answer) == b"\x1b$BF|\x1b(B\xfe\x80\x1b$BF|\x1b(B"
    # The byte order mark comes first.
    assert "\ud800b".encode("whatwg-utf-16le-bom", answer) == b"\xff\xfe\xfe\x80b\0"
    encoder = codecs.getincrementalencoder("whatwg-utf-8-bom")(answer)
    assert encoder.encode("\ud800b") + encoder.encode("\ud800") == b"\xef\xbb\xbf\xfe\x80b\xfe\x80"
    # Two escape sequences in a row would be malformed.
    nothing = handler(lambda error: (b"", error.end))
    assert "\u65e5\ud800\u65e5".encode("whatwg-iso-2022-jp", nothing) == b"\x1b$BF|F|\x1b(B"


def test_text_is_encoded_in_the_same_state() -> None:
    answer = handler(lambda error: ("\u672c", error.end))
    assert "\u65e5\ud800\u65e5".encode("whatwg-iso-2022-jp", answer) == "\u65e5\u672c\u65e5".encode("whatwg-iso-2022-jp")
    assert "\ud800".encode("whatwg-iso-2022-jp", answer) == "\u672c".encode("whatwg-iso-2022-jp")
    assert "a\ud800".encode("whatwg-utf-16be", answer) == "a\u672c".encode("whatwg-utf-16be")


def test_an_unmappable_answer_raises_the_first_error() -> None:
    for replacement in ("\ud800", "ok\u0100", "\U0001f600"):
        text = "ab\u0416c"
        with pytest.raises(UnicodeEncodeError) as raised:
            text.encode("whatwg-windows-1252", handler(lambda error: (replacement, error.end)))
        error = raised.value
        assert error.object is text
        assert (error.start, error.end, error.encoding) == (2, 3, "windows-1252")


def test_long_answers() -> None:
    for replacement in ("x" * 100_000, "\u20ac" * 100_000):
        answer = handler(lambda error: (replacement, error.end))
        text = "a\ud800b\ud800"
        assert text.encode("whatwg-utf-8", answer) == text.replace("\ud800", replacement).encode()
        assert b"a\xffb\xff".decode("whatwg-utf-8", answer) == text.replace("\ud800", replacement)
    data = b"\xfe\xff" * 100_000
    assert "a\ud800".encode("whatwg-utf-8", handler(lambda error: (data, error.end))) == b"a" + data


def test_answers_with_surrogates_stay_apart() -> None:
    """Two surrogates that would be a pair in UTF-16, from different calls and from decoded text."""
    halves = iter(["\ud83d", "\ude00"] * 4)
    text = b"\xff\xffa\xff\xff\xf0\x9f\x98\x80\xff\xff".decode("whatwg-utf-8", handler(lambda error: (next(halves), error.end)))
    assert text == "\ud83d\ude00a\ud83d\ude00\U0001f600\ud83d\ude00"
    assert len(text) == 8
    assert [hex(ord(c)) for c in text[:2]] == ["0xd83d", "0xde00"]


# The object of the exception.


def test_a_new_object_is_read() -> None:
    def shorter(error: UnicodeDecodeError) -> tuple[str, int]:
        error.object = b"\xffxyz"
        return "!", 1

    assert b"ab\xffcd".decode("whatwg-utf-8", handler(shorter)) == "ab!xyz"
    assert b"ab\xffcd".decode("whatwg-shift_jis", handler(shorter)) == "ab!xyz"

    def longer(error: UnicodeDecodeError) -> tuple[str, int]:
        error.object = b"0123456789" * 5000
        return "!", -7

    assert b"ab\xffcd".decode("whatwg-utf-8", handler(longer)) == "ab!3456789"

    def empty(error: UnicodeDecodeError) -> tuple[str, int]:
        error.object = b""
        return "!", 0

    assert b"ab\xffcd".decode("whatwg-utf-8", handler(empty)) == "ab!"

    def outside(error: UnicodeDecodeError) -> tuple[str, int]:
        error.object = b"x"
        return "!", 3

    with pytest.raises(IndexError):
        b"ab\xffcd".decode("whatwg-utf-8", handler(outside))

    def not_bytes(error: UnicodeDecodeError) -> tuple[str, int]:
        error.object = "text"  # type: ignore[assignment]
        return "!", 1

    with pytest.raises(TypeError):
        b"ab\xffcd".decode("whatwg-utf-8", handler(not_bytes))

    # Chunks, and the next error in the new object.
    def again(error: UnicodeDecodeError) -> tuple[str, int]:
        if len(error.object) > 3:
            error.object = b"\xffz\xff"
            return "1", 0
        return "2", error.end

    decoder = codecs.getincrementaldecoder("whatwg-utf-8")(handler(again))
    assert decoder.decode(b"ab\xffcd") + decoder.decode(b"e", True) == "ab12z2e"


def test_handlers_may_change_every_attribute() -> None:
    def change(error: Any) -> tuple[str, int]:
        end = error.end
        error.start, error.end, error.reason, error.encoding = 100, -100, "changed", "changed"
        return "!", end

    assert b"a\xffb\xff".decode("whatwg-utf-8", handler(change)) == "a!b!"
    assert "a\ud800b\ud800".encode("whatwg-utf-8", handler(change)) == b"a!b!"

    def replace_text(error: UnicodeEncodeError) -> tuple[str, int]:
        error.object = "another text"
        return "!", error.end

    assert "a\ud800b\ud800".encode("whatwg-utf-8", handler(replace_text)) == b"a!b!"


def test_each_error_has_its_own_place_and_reason() -> None:
    seen = []

    def note(error: UnicodeDecodeError) -> tuple[str, int]:
        seen.append((error.object, error.start, error.end, error.reason))
        return "", error.end

    data = b"\xffa\xe2\x82b\xc3"
    assert data.decode("whatwg-utf-8", handler(note)) == "ab"
    assert [place[:3] for place in seen] == [(data, 0, 1), (data, 2, 4), (data, 5, 6)]
    report = textcodec.decode_report(data, "utf-8")
    assert [error.reason for error in report.errors] == [place[3] for place in seen]


# Handlers that interfere.


def test_handlers_may_use_other_decoders_and_the_same_codec() -> None:
    def recurse(error: UnicodeDecodeError) -> tuple[str, int]:
        if len(error.object) == 1:
            return "!", 1
        return b"\xff".decode("whatwg-utf-8", "test.handler") + textcodec.decode(b"\x82\xa0", "shift_jis"), error.end

    assert b"a\xffb\xff".decode("whatwg-utf-8", handler(recurse)) == "a!\u3042b!\u3042"


def test_handlers_that_recurse_without_end() -> None:
    def recurse(error: UnicodeDecodeError) -> tuple[str, int]:
        return b"\xff".decode("whatwg-utf-8", "test.handler"), error.end

    with pytest.raises(RecursionError):
        b"\xff".decode("whatwg-utf-8", handler(recurse))


def test_a_handler_changes_the_bytearray() -> None:
    """The text is of the bytes before the change, or after it, but whole; and the array cannot be resized."""
    for label in ("utf-8", "shift_jis", "windows-1253", "iso-2022-jp", "gb18030"):
        for size in (10, 5000, 100_000):
            data = bytearray(b"a" * size + b"\xff\xd2" + b"b" * size)

            def change(error: UnicodeDecodeError) -> tuple[str, int]:
                for at in range(len(data)):
                    data[at] = ord("z")
                with pytest.raises(BufferError):
                    data.clear()
                with pytest.raises(BufferError):
                    data.extend(b"more")
                assert set(error.object) <= set(b"a\xff\xd2bz")
                return "!", error.end

            before = codecs.decode(bytes(data), codec(label), "replace").replace("\ufffd", "!")
            assert codecs.decode(data, codec(label), handler(change)) == before
            data.clear()
            data.extend(b"\xffab")
            decoder = codecs.getincrementaldecoder(codec(label))(handler(change))
            if label != "windows-1253":
                assert decoder.decode(data) == "!ab"
                assert bytes(data) == b"zzz"


def test_a_handler_releases_the_memoryview() -> None:
    view = memoryview(bytearray(b"a\xffb"))

    def release(error: UnicodeDecodeError) -> tuple[str, int]:
        with pytest.raises(BufferError):
            view.release()
        return "!", error.end

    assert textcodec.decode(view, "utf-8", handler(release)) == "a!b"
    view.release()


def test_a_handler_keeps_the_exception() -> None:
    kept: list[Any] = []

    def keep(error: UnicodeError) -> tuple[str, int]:
        kept.append(error)
        return "!", error.end  # type: ignore[attr-defined]

    assert b"a\xffb\xff".decode("whatwg-utf-8", handler(keep)) == "a!b!"
    assert kept[0].object == b"a\xffb\xff"
    assert "a\ud800".encode("whatwg-utf-8", handler(keep)) == b"a!"
    kept.clear()
    gc.collect()


def test_a_handler_raises_the_exception_it_got() -> None:
    def same(error: UnicodeError) -> tuple[str, int]:
        raise error

    for label in ("utf-8", "shift_jis", "gb18030"):
        with pytest.raises(UnicodeDecodeError) as raised:
            b"a\xff".decode(codec(label), handler(same))
        assert (raised.value.object, raised.value.start, raised.value.end) == (b"a\xff", 1, 2)


def test_a_handler_that_is_unregistered_or_replaced_while_it_runs() -> None:
    def replace(error: UnicodeDecodeError) -> tuple[str, int]:
        codecs.register_error("test.handler", lambda error: ("2", error.end))
        return "1", error.end

    assert b"\xffa\xff".decode("whatwg-utf-8", handler(replace)) == "1a1"
    assert b"\xffa\xff".decode("whatwg-utf-8", "test.handler") == "2a2"


def test_no_reference_to_the_handler_stays() -> None:
    class Handler:
        def __call__(self, error: UnicodeDecodeError) -> tuple[str, int]:
            return "!", error.end

    function = Handler()
    codecs.register_error("test.weak", function)
    b"\xff".decode("whatwg-utf-8", "test.weak")
    weak = weakref.ref(function)
    del function
    codecs.register_error("test.weak", lambda error: ("", error.end))
    gc.collect()
    assert weak() is None


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "surrogateescape", "test.handler"])
def test_handlers_in_a_transcoder(errors: str) -> None:
    codecs.register_error("test.handler", lambda error: ("!", error.end))
    for name in support.NAMES:
        for seed in range(20):
            data = some_bytes(name, 20, seed)
            expected = outcome(lambda: textcodec.decode(data, name, errors).encode("utf-8", errors))
            got = outcome(lambda: textcodec.transcode(data, name, "utf-8", errors))
            assert (got[0] if isinstance(got, tuple) else got) == (expected[0] if isinstance(expected, tuple) else expected)
            expected = outcome(lambda: textcodec.encode(textcodec.decode(data, name, errors), "windows-1252", errors))
            assert outcome(lambda: textcodec.transcode(data, name, "windows-1252", errors)) == expected
