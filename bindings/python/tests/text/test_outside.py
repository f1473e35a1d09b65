"""The encodings outside the standard: their names, their codecs, CPython's codecs of the same name, and tables of one's own."""

from __future__ import annotations

import codecs
import copy
import io
import pickle
import random
import unicodedata
from collections.abc import Callable
from encodings import cp037, cp437
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textcodec
import textcodec.web
from support import chunked, examples
from textcodec import OEM_ENCODINGS, Encoding, SingleByte, Utf8Reader, webencodings

OUTSIDE = [*OEM_ENCODINGS, textcodec.ISOMORPHIC, textcodec.STRICT_ASCII]
PAGES = [encoding for encoding in OEM_ENCODINGS if encoding.is_single_byte]
EBCDIC = [encoding for encoding in PAGES if not encoding.is_ascii_compatible and encoding.encode("a") == b"\x81"]
HANDLERS = ["replace", "ignore", "backslashreplace", "surrogateescape", "test.mark"]
REPOSITORY = Path(__file__).resolve().parents[4]

codecs.register_error("test.mark", lambda error: (f"<{error.end - error.start}>", error.end))


def outcome(call: Callable[[], Any]) -> Any:
    """Returns the result of a call, or the class and the arguments of its exception."""
    try:
        return call()
    except UnicodeError as error:
        return type(error), error.args


@cache
def characters(encoding: Encoding) -> str:
    """Returns characters that an encoding maps: all of a page."""
    everything = [c for first, last in encoding.repertoire() for c in range(first, last + 1)]
    return "".join(map(chr, everything if len(everything) <= 256 else random.Random(encoding.name).sample(everything, 300)))


# Names.


def test_the_groups_of_encodings() -> None:
    assert len(OEM_ENCODINGS) == len(set(OEM_ENCODINGS)) >= 99
    assert set(OEM_ENCODINGS).isdisjoint(textcodec.ENCODINGS)
    assert len(EBCDIC) >= 30
    for encoding in OUTSIDE:
        assert encoding.labels == ()
        assert pickle.loads(pickle.dumps(encoding)) == copy.copy(encoding) == encoding


@pytest.mark.parametrize("encoding", OUTSIDE, ids=str)
def test_every_name_means_the_encoding_everywhere(encoding: Encoding) -> None:
    names = [*encoding.aliases, encoding.name] if encoding in OEM_ENCODINGS else encoding.aliases
    text = "text"
    data = encoding.encode(text)
    for name in names:
        for spelled in (name, name.upper(), f" {name.replace('-', '_')}\n"):
            assert textcodec.get_encoding(spelled) is textcodec.get_encoding(spelled, aliases=True) is encoding
        assert textcodec.decode(data, name, bom="keep") == text
        assert textcodec.encode(text, name) == data
        assert textcodec.decode_report(data, name).encoding == encoding
        assert textcodec.transcode(data, name) == text.encode()
        assert textcodec.transcode(text.encode(), "utf-8", name) == data
        assert Utf8Reader(io.BytesIO(data), name).read() == text.encode()
        codec = f"textcodec-{name}"
        for spelled in (codec, codec.upper(), codec.replace("-", "_")):
            assert codecs.lookup(spelled).name == encoding.codec_name
        assert text.encode(codec) == data


def test_the_names_are_those_of_the_library() -> None:
    lists = [REPOSITORY / "crates/textcodec-oem/encodings.txt", REPOSITORY / "crates/textcodec/encodings.txt"]
    if not lists[0].exists():
        pytest.skip("SKIPPED: the lists of encodings are not part of the source distribution")
    listed = {}
    for file in lists:
        for line in file.read_text("utf-8").splitlines():
            fields = [field.strip() for field in line.split("|")]
            if len(fields) == 5 and not line.startswith("#"):
                listed[fields[1].removesuffix("*")] = set(fields[4].split())
    for encoding in OEM_ENCODINGS:
        assert listed[encoding.name] <= set(encoding.aliases) | {encoding.name.lower()}, encoding


def test_labels_keep_their_meaning() -> None:
    for name, meaning in [("iso-8859-9", "windows-1254"), ("tis-620", "windows-874"), ("iso-2022-kr", "replacement")]:
        assert textcodec.get_encoding(name).name == textcodec.get_encoding(name, aliases=True).name == meaning
    for name, meaning in [("hz-gb-2312", "replacement"), ("ibm866", "IBM866"), ("latin1", "windows-1252"), ("koi8-u", "KOI8-U")]:
        assert textcodec.get_encoding(name).name == meaning
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            assert textcodec.get_encoding(label) is encoding
    # Only with `aliases`: it resembles a label of the standard.
    assert textcodec.get_encoding("tis620", aliases=True).name == "windows-874"
    with pytest.raises(LookupError, match="windows-874"):
        textcodec.get_encoding("tis620")


def test_codecs_of_the_two_prefixes_have_no_name_in_common() -> None:
    for name in ("cp437", "ibm037", "utf-7", "utf-32", "johab", "isomorphic", "true-hz"):
        for wrong in (f"whatwg-{name}", f"whatwg-{name}-bom", f"textcodec-{name}-bom", f"textcodec-{name}-x", f"textcodec{name}"):
            with pytest.raises(LookupError):
                codecs.lookup(wrong)
    for encoding in textcodec.ENCODINGS:
        for label in encoding.labels:
            with pytest.raises(LookupError):
                codecs.lookup(f"textcodec-{label}")
    for wrong in ("textcodec", "textcodec-", "textcodec-\udc80", "textcodec-cp\N{KELVIN SIGN}"):
        with pytest.raises((LookupError, UnicodeEncodeError)):
            codecs.lookup(wrong)


def test_the_web_knows_only_labels() -> None:
    for name in ("cp437", "IBM037", "utf-7", "UTF-32", "CESU-8", "true-hz", "cp850"):
        assert webencodings.lookup(name) is None
        with pytest.raises(LookupError):
            webencodings.decode(b"a", name)
        assert textcodec.web.prescan(f"<meta charset={name}>".encode()) is None
        page = f"<meta charset={name}>a".encode()
        assert textcodec.web.html_to_unicode(f"text/html; charset={name}", page)[0] == "whatwg-utf-8"
        with pytest.raises(LookupError):
            textcodec.web.html_to_unicode(None, b"a", default_encoding=f"whatwg-{name}")
    # The caller may name any encoding.
    assert textcodec.web.html_to_unicode(None, b"\x81", default_encoding="cp437") == ("textcodec-ibm437", "\xfc")


def test_properties() -> None:
    found = textcodec.get_encoding("cp037")
    assert (found.name, found.code_page, found.mime_name, found.codec_name) == ("IBM037", 37, "IBM037", "textcodec-ibm037")
    assert (found.is_single_byte, found.is_total, found.is_ascii_compatible) == (True, True, False)
    assert found.output_encoding == found
    assert "ebcdic-cp-us" in found.aliases
    for encoding in PAGES:
        is_ascii = all(encoding.decode(bytes([byte]), "replace") == chr(byte) for byte in range(128))
        is_total = "\ufffd" not in encoding.decode(bytes(range(256)), "replace", bom="keep")
        assert (encoding.is_ascii_compatible, encoding.is_total) == (is_ascii, is_total), encoding
    for name in ("UTF-32", "UTF-7", "GSM-03.38", "true-ucs-2le"):
        assert textcodec.get_encoding(name).output_encoding.name == "UTF-8"
    # Properties that are new for the standard's encodings, too.
    shift_jis = textcodec.get_encoding("sjis")
    assert (shift_jis.code_page, shift_jis.mime_name, shift_jis.is_total) == (932, "Shift_JIS", False)
    assert "cp932" in shift_jis.aliases


# Codecs.


@pytest.mark.parametrize("encoding", OUTSIDE, ids=str)
def test_all_entry_points_agree(encoding: Encoding) -> None:
    codec = encoding.codec_name
    chance = random.Random(codec)
    mapped = characters(encoding)
    text = "".join(chance.choices(mapped, k=500))
    data = encoding.encode(text)
    assert data == text.encode(codec) == codecs.encode(text, codec)
    text = data.decode(codec)
    assert text == codecs.decode(data, codec) == encoding.decode(data, bom="keep")
    assert textcodec.transcode(data, encoding, bom="keep") == text.encode("utf-8")
    noise = bytes(chance.choices(range(256), k=400)) + data[:40]
    foreign = "".join(chance.choices(mapped + "\ud800\udc80\U0001f600\u0416\xe9\u6f22\x00~", k=300))
    for errors in HANDLERS:
        decoded = outcome(lambda: noise.decode(codec, errors))
        assert outcome(lambda: encoding.decode(noise, errors, bom="keep")) == decoded
        if isinstance(decoded, str) and errors in ("replace", "ignore"):
            assert textcodec.transcode(noise, encoding, errors=errors, bom="keep") == decoded.encode()
    for errors in ("replace", "ignore", "backslashreplace", "xmlcharrefreplace", "surrogateescape", "namereplace"):
        encoded = outcome(lambda: foreign.encode(codec, errors))
        assert outcome(lambda: encoding.encode(foreign, errors)) == encoded
        encoder = codecs.getincrementalencoder(codec)(errors)
        parts = list(chunked(foreign, chance))
        in_chunks = outcome(lambda: b"".join([*(encoder.encode(part) for part in parts), encoder.encode("", True)]))
        assert in_chunks == encoded or (isinstance(encoded, tuple) and in_chunks[0] is encoded[0])
    stream = io.BytesIO(data)
    assert "".join(codecs.getreader(codec)(stream)) == text
    stream = io.BytesIO()
    writer = codecs.getwriter(codec)(stream)
    for part in chunked(text, chance, 20):
        writer.write(part)
    writer.reset()
    assert stream.getvalue().decode(codec) == text


@pytest.mark.parametrize("encoding", OUTSIDE, ids=str)
def test_files(encoding: Encoding, tmp_path: Path) -> None:
    codec = encoding.codec_name
    path = tmp_path / "file"
    text = "".join(c for c in characters(encoding) * 10 if c not in "\r\n")
    # `open` does not end the text, and UTF-7-IMAP has line feeds in base64.
    lines = [text[at : at + 50] + "\n" for at in range(0, len(text), 50)] + ["last"]
    with open(path, "w", encoding=codec, newline="") as file:
        file.writelines(lines)
    assert path.read_bytes().decode(codec) == "".join(lines)
    with open(path, encoding=codec, newline="") as file:
        assert file.readlines() == lines
    with open(path, encoding=codec, newline="") as file:
        places = []
        while True:
            places.append(file.tell())
            if not file.readline():
                break
        for number in random.Random(codec).sample(range(len(lines)), min(len(lines), 8)):
            file.seek(places[number])
            assert file.readline() == lines[number]
    with open(path, "a", encoding=codec, newline="") as file:
        file.write("end")
    assert path.read_bytes().decode(codec) == "".join(lines) + "end"


@examples(500)
@given(
    st.sampled_from(OUTSIDE),
    st.one_of(st.binary(max_size=40), st.lists(st.sampled_from(b"\x00\xd8\xdc+-&/AZaz09~{}\x0e\x0f\x1b$)C\xed\xa0\xb0\x80\xfe\xff\n"), max_size=40).map(bytes)),
    st.sampled_from(HANDLERS),
    st.lists(st.integers(0, 5), max_size=30),
)
def test_any_chunks_decode_to_the_whole(encoding: Encoding, data: bytes, errors: str, sizes: list[int]) -> None:
    codec = encoding.codec_name
    whole = outcome(lambda: data.decode(codec, errors))

    def in_chunks(keep: bool) -> str:
        decoder = codecs.getincrementaldecoder(codec)(errors)
        parts, at = [], 0
        for size in [*sizes, len(data)]:
            parts.append(decoder.decode(data[at : at + size]))
            at += size
            if keep:
                # The state is all that the rest depends on.
                state = decoder.getstate()
                decoder = codecs.getincrementaldecoder(codec)(errors)
                decoder.setstate(state)
        return "".join(parts) + decoder.decode(b"", True)

    for keep in (False, True):
        split = outcome(lambda: in_chunks(keep))
        assert split == whole if isinstance(whole, str) else split[0] is whole[0]


@examples(500)
@given(st.sampled_from(OUTSIDE), st.data(), st.sampled_from(["replace", "ignore", "backslashreplace", "xmlcharrefreplace"]))
def test_any_chunks_encode_to_the_whole(encoding: Encoding, data: st.DataObject, errors: str) -> None:
    codec = encoding.codec_name
    piece = st.one_of(st.text(max_size=3), st.text(characters(encoding), max_size=5), st.sampled_from(["+", "&", "~", "\n", "\ud800", "\U0001f600"]))
    parts = data.draw(st.lists(piece, max_size=12))
    whole = outcome(lambda: "".join(parts).encode(codec, errors))

    def in_chunks() -> bytes:
        encoder = codecs.getincrementalencoder(codec)(errors)
        encoded = []
        for part in parts:
            encoded.append(encoder.encode(part))
            state = encoder.getstate()
            encoder = codecs.getincrementalencoder(codec)(errors)
            encoder.setstate(state)
        return b"".join(encoded) + encoder.encode("", True)

    assert outcome(in_chunks) == whole


@pytest.mark.parametrize("encoding", PAGES, ids=str)
def test_errors_have_the_offset(encoding: Encoding) -> None:
    codec = encoding.codec_name
    before = encoding.encode("abc")
    for byte in range(256):
        data = before + bytes([byte]) + before
        if encoding.decode(bytes([byte]), "replace", bom="keep") != "\ufffd":
            data.decode(codec)
            continue
        with pytest.raises(UnicodeDecodeError) as raised:
            data.decode(codec)
        error = raised.value
        assert (error.encoding, error.object, error.start, error.end) == (encoding.name.lower(), data, 3, 4)
        assert data.decode(codec, "backslashreplace") == f"abc\\x{byte:02x}abc"
        if byte >= 0x80:
            escaped = data.decode(codec, "surrogateescape")
            assert escaped == f"abc{chr(0xDC00 + byte)}abc"
            assert escaped.encode(codec, "surrogateescape") == data
    with pytest.raises(UnicodeEncodeError) as failed:
        "abc\U0001f600d".encode(codec)
    assert (failed.value.encoding, failed.value.start, failed.value.end) == (encoding.name.lower(), 3, 4)
    for errors, expected in [("xmlcharrefreplace", "&#128512;"), ("backslashreplace", "\\U0001f600"), ("ignore", "")]:
        if expected.isascii() and all(map(encoding.can_encode, expected)):
            assert "a\U0001f600b".encode(codec, errors).decode(codec) == f"a{expected}b"


def test_the_bytes_of_a_byte_order_mark_are_text_in_ebcdic() -> None:
    for encoding in EBCDIC:
        for data in (b"\xef\xbb\xbf\x81", b"\xfe\xff\x81", b"\xff\xfe\x81"):
            kept = encoding.decode(data, "replace", bom="keep")
            assert textcodec.decode(data, encoding, "replace") == kept
            assert textcodec.decode_report(data, encoding.name) == (kept, encoding, False, kept.count("\ufffd"), textcodec.decode_report(data, encoding).errors)
            assert kept[-1] == "a"


def test_a_replacement_character_of_the_text_is_not_ignored() -> None:
    for name in ("UTF-7", "UTF-7-IMAP", "UTF-32", "UTF-32BE", "UTF-32LE", "true-ucs-2be", "true-ucs-2le", "CESU-8"):
        encoding = textcodec.get_encoding(name)
        malformed = {"UTF-7": b"\xff", "UTF-7-IMAP": b"\xff", "CESU-8": b"\xff", "UTF-32LE": b"\x00\xd8\x00\x00", "true-ucs-2le": b"\x00\xd8", "true-ucs-2be": b"\xd8\x00"}.get(name, b"\x00\x00\xd8\x00")
        data = encoding.encode("a\ufffd") + malformed * 2 + encoding.encode("\ufffdb").removeprefix(b"\0\0\xfe\xff")
        assert data.decode(encoding.codec_name, "ignore") == "a\ufffd\ufffdb", name


# CPython's codecs.

# The bytes that `docs/design/code-pages.md` lists, with what CPython decodes them to.
DIFFERENT = {
    "IBM273": {0xBC: "\u203e"},
    "IBM424": {0xB3: "\xb7", 0xBC: "\xaf"},
    "IBM875": dict.fromkeys([0xDC, 0xE1, 0xEC, 0xED, 0xFC, 0xFD], "\x1a"),
    # CPython passes unassigned bytes on.
    "true-tis-620": {byte: chr(byte) for byte in range(0x80, 0xA1) if byte != 0xA0},
}


def python_codec(encoding: Encoding) -> str | None:
    """Returns CPython's codec with a name of an encoding."""
    for name in (encoding.name.removeprefix("true-"), *encoding.aliases):
        try:
            return codecs.lookup(name).name
        except LookupError:
            continue
    return None


def test_single_byte_codecs_of_python() -> None:
    compared = 0
    for encoding in PAGES:
        other = python_codec(encoding)
        if other is None:
            continue
        compared += 1
        different = {}
        for byte in range(256):
            ours, theirs = (bytes([byte]).decode(codec, "ignore") for codec in (encoding.codec_name, other))
            if ours != theirs:
                different[byte] = theirs
        assert different == DIFFERENT.get(encoding.name, {}), encoding
        for code_point in range(0x10000):
            ours, theirs = (chr(code_point).encode(codec, "ignore") for codec in (encoding.codec_name, other))
            # Python writes the last of several bytes.
            assert ours == theirs or not {*ours, *theirs}.isdisjoint(different), (encoding, hex(code_point))
    assert compared >= 33


def test_other_codecs_of_python() -> None:
    assert {e.name for e in OEM_ENCODINGS if e not in PAGES and python_codec(e)} == {
        "UTF-7", "UTF-32", "UTF-32BE", "UTF-32LE", "true-hz", "true-iso-2022-kr", "JOHAB",
    }  # fmt: skip
    bmp = [chr(code_point) for code_point in range(0x10000) if not 0xD800 <= code_point < 0xE000]
    for name in ("UTF-32BE", "UTF-32LE", "JOHAB"):
        other = python_codec(textcodec.get_encoding(name))
        assert other is not None
        text = "".join(bmp) + "\U00010000\U0010ffff"
        assert text.encode(f"textcodec-{name}", "ignore") == text.encode(other, "ignore")
    for name, expected in [
        # Two characters of GB 2312 for which Python has another table than the standard.
        ("true-hz", {"\u2015": "\u2014", "\u30fb": "\xb7"}),
        ("true-iso-2022-kr", {}), ("UTF-7", {}), ("UTF-32", {}), ("JOHAB", {}),
    ]:  # fmt: skip
        encoding = textcodec.get_encoding(name)
        other = python_codec(encoding)
        assert other is not None
        different = {}
        for character in bmp:
            data = character.encode(other, "ignore")
            decoded = data.decode(encoding.codec_name, "replace")
            if data and decoded != character == data.decode(other, "replace"):
                different[character] = decoded
        assert different == expected, name
    # Python decodes what the encoders of this package write.
    for name in ("UTF-7", "UTF-32", "true-iso-2022-kr"):
        encoding = textcodec.get_encoding(name)
        for character in characters(encoding):
            if character not in "\x0e\x0f\x1b":
                assert f"a{character}b".encode(encoding.codec_name).decode(python_codec(encoding) or "") == f"a{character}b"


# Tables of one's own.


def test_a_table_is_an_encoding() -> None:
    upper = "\u2665\u2666\u2663\u2660" + "\ufffd" * 4 + cp437.decoding_table[136:]
    table = SingleByte("icons", upper)
    assert (table.name, repr(table)) == ("icons", "<SingleByte icons>")
    assert table.characters == "".join(map(chr, range(128))) + upper
    for copied in (copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table)), SingleByte("icons", table.characters)):
        assert copied == table and hash(copied) == hash(table)
    for other in (SingleByte("others", upper), SingleByte("icons", upper[::-1]), "icons", None):
        assert table != other
    assert table.decode(b"I \x80 you") == "I \u2665 you"
    assert table.encode("\u2660!") == b"\x83!"
    for bad in (b"ab\x84", b"ab\x84" * 2000):
        with pytest.raises(UnicodeDecodeError) as raised:
            table.decode(bad)
        assert (raised.value.encoding, raised.value.start, raised.value.end) == ("icons", 2, 3)
    assert table.decode(b"a\x84b", "replace") == "a\ufffdb"
    assert table.decode(b"a\x84b", "ignore") == "ab"
    assert table.decode(b"a\x84b", "surrogateescape").encode("utf-8", "surrogatepass") == b"a\xed\xb2\x84b"
    assert table.encode("a\udc84b", "surrogateescape") == b"a\x84b"
    for text in ("ab\u0416", "ab\u0416" * 2000):
        with pytest.raises(UnicodeEncodeError) as failed:
            table.encode(text)
        assert (failed.value.encoding, failed.value.start, failed.value.end) == ("icons", 2, 3)
    for errors, expected in [("replace", b"a?b"), ("ignore", b"ab"), ("xmlcharrefreplace", b"a&#1046;b"), ("backslashreplace", b"a\\u0416b")]:
        assert table.encode("a\u0416b", errors) == expected


def test_the_table_of_a_codec_of_python() -> None:
    everything = bytes(range(256))
    table = SingleByte("mine", cp037.decoding_table)
    assert table.decode(everything) == everything.decode("cp037")
    assert table.encode(everything.decode("cp037")) == everything
    # EBCDIC whose lines end with 15, as in Unix on mainframes.
    swapped = list(textcodec.get_encoding("ibm1047").decode(everything))
    swapped[0x15], swapped[0x25] = "\n", "\x85"
    lines = SingleByte("ibm1047 with newlines", swapped)
    assert lines.decode(b"\xc1\x15\xc2\x15") == "A\nB\n"
    assert lines.encode("A\n") == b"\xc1\x15"


@pytest.mark.parametrize("kind", ["all", "upper", "holes"])
def test_any_table(kind: str) -> None:
    for seed in range(30):
        chance = random.Random(f"{kind}{seed}")
        possible = [chr(c) for c in range(0x80, 0xFFFD) if not 0xD800 <= c < 0xE000]
        chosen: list[str | None] = list(chance.sample(possible, 256))
        if kind == "holes":
            chosen = [None if chance.random() < 0.2 else character for character in chosen]
        if kind == "upper":
            chosen = chosen[128:]
        table = SingleByte(f"{kind}{seed}", chosen)
        every = [*map(chr, range(256 - len(chosen))), *chosen]
        assert table.characters == "".join(character or "\ufffd" for character in every)
        for length in (1, 3, 200, 5000):
            data = bytes(chance.choices(range(256), k=length))
            assert table.decode(data, "replace") == "".join(every[byte] or "\ufffd" for byte in data)
            text = table.decode(data, "ignore")
            assert table.encode(text) == bytes(byte for byte in data if every[byte] is not None)
    # If several bytes have the same character, the first one is written.
    assert SingleByte("same", ["x"] * 256).encode("xx") == b"\0\0"


def test_wrong_tables() -> None:
    for wrong in ("", "a" * 127, "a" * 255, ["a"] * 129):
        with pytest.raises(ValueError, match="128"):
            SingleByte("wrong", wrong)
    for above in ("\U0001f600", "\uffff"):
        with pytest.raises(ValueError, match="byte 81"):
            SingleByte("wrong", "a" + above + "b" * 126)
    for items in ([1] * 128, ["ab"] * 128, [b"a"] * 128, ["\ud800"] * 128):
        with pytest.raises((TypeError, ValueError)):
            SingleByte("wrong", items)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SingleByte("wrong", 128)  # type: ignore[arg-type]
    characters = [chr(0x400 + number) for number in range(128)]
    for unordered in (set(characters), frozenset(characters), dict.fromkeys(characters)):
        with pytest.raises((TypeError, KeyError)):
            SingleByte("wrong", unordered)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="64 bytes"):
        SingleByte("x" * 65, "a" * 128)
    SingleByte("x" * 64, [None] * 128).decode(b"\x80", "replace")


def test_normalization_of_names_is_that_of_python() -> None:
    # `codecs.lookup` replaces what is no letter, digit or dot, as in pc-multilingual-850+euro.
    assert codecs.lookup("textcodec-PC multilingual 850+euro").name == "textcodec-ibm00858"
    assert unicodedata.normalize("NFC", b"\xd5".decode("textcodec-cp858")) == "\u20ac"
