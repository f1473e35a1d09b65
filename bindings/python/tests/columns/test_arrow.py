"""Columns. The reference are the codecs, one row at a time."""

from __future__ import annotations

import codecs
import doctest
import gc
import os
import random
import resource
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

import textcodec
from textcodec import _native, arrow

OEM = ["IBM437", "IBM864", "IBM037", "IBM875", "JOHAB", "CESU-8", "UTF-32BE", "UTF-7", "true-hz", "true-iso-2022-kr", "GSM-03.38"]
ENCODINGS = [*textcodec.ENCODINGS, *map(textcodec.get_encoding, OEM)]
NAMES = [encoding.name for encoding in ENCODINGS]
LABELS = {encoding.name: (*encoding.labels, encoding.name)[0] for encoding in ENCODINGS}
LAYOUTS: list[pa.DataType] = [pa.binary(), pa.large_binary(), pa.binary_view()]
TEXTS = {pa.binary(): pa.string(), pa.large_binary(): pa.large_string(), pa.binary_view(): pa.string_view()}
DECODE_ERRORS = ["strict", "replace", "ignore", "null"]
ENCODE_ERRORS = [*DECODE_ERRORS, "xmlcharrefreplace"]
Rows = Sequence["bytes | None"]


def one(convert: Callable[..., Any], value: Any, kind: pa.DataType, encoding: str, errors: str) -> Any:
    """Converts a value with a codec. Returns the result, or what an exception says."""
    method = value.decode if convert is arrow.decode else value.encode
    try:
        return method(textcodec.get_encoding(encoding).codec_name, "strict" if errors == "null" else errors)
    except UnicodeError as error:
        return None if errors == "null" else (type(error), error.args)


def expect(
    convert: Callable[..., Any], column: Any, rows: Sequence[Any], kind: pa.DataType, encodings: Sequence[Any], errors: str
) -> None:
    """Checks that a column with `rows` is converted as each row by itself."""
    assert column.to_pylist() == list(rows)
    results = [
        None if row is None or encoding is None else one(convert, row, kind, encoding, errors)
        for row, encoding in zip(rows, encodings)
    ]
    constant = encodings[0] if len(set(encodings)) == 1 and encodings[0] is not None else pa.array(encodings, pa.string())
    failed = next((row for row, result in enumerate(results) if isinstance(result, tuple)), None)
    if failed is None:
        result = convert(column, constant, errors=errors)
        result.validate(full=True)
        assert result.to_pylist() == results
        assert result.null_count == sum(value is None for value in results)
    else:
        with pytest.raises(UnicodeError) as info:
            convert(column, constant, errors=errors)
        assert (type(info.value), info.value.args) == results[failed]
        assert info.value.row == failed  # type: ignore[attr-defined]


def layouts(rows: Rows, seed: int = 0) -> list[Any]:
    """Returns the rows as columns of every layout: whole, as slices of slices, in chunks, and as dictionaries."""
    rng = random.Random(seed)
    before, after = [b"\xff\x81", None, b"in front"], [None, b"\x81", b"past the end of it", b""]
    columns: list[Any] = []
    for kind in LAYOUTS:
        columns.append(pa.array(rows, kind))
        columns.append(pa.array([*before, *rows, *after], kind).slice(1).slice(2, len(rows)))
        cuts = sorted(rng.randrange(len(rows) + 1) for _ in range(3))
        parts = [rows[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)])]
        columns.append(pa.chunked_array([pa.array(part, kind) for part in parts], kind))
        columns.append(pa.DictionaryArray.from_arrays(*dictionary(rows, kind)))
    return columns


def dictionary(rows: Sequence[Any], kind: pa.DataType) -> tuple[pa.Array, pa.Array]:
    """Returns the keys and values of a dictionary. Some values have no row."""
    values = [*dict.fromkeys(row for row in rows if row is not None), b"\xff\x81" if kind in LAYOUTS else "\u5b57"]
    return pa.array([None if row is None else values.index(row) for row in rows], pa.int8()), pa.array(values, kind)


SAMPLES: list[bytes | None] = [
    b"", b"plain", None, b"\x93\xfa\x96{", b"\xc4\xe3\xba\xc3", b"\x81", b"\x81\x30", b"\x81\x30\x81", b"\x81\x30\x81\x30",
    b"\xe3\x81\x82", b"\xe3\x81", b"\x82\xe3", b"\x1b$B$\"", b"\x1b$B$\"\x1b(B", b"\x1b", b"a\x00b\x00", b"a\x00b", b"\x00\xd8",
    b"\xff\xfea\x00", b"\xef\xbb\xbfbom", b"\x8e", b"\x8f\xa2", b"\x8f\xa2\xaf", b"\xa4\x62", b"\x88\x62", b"\x80", b"\xa0\xff",
    b"\x02separator\x02", b"\x81\x02", b"\x02", b"long " * 40, b"\x93\xfa" * 300, b"twelve bytes", b"thirteen byte", None,
]  # fmt: skip


@pytest.mark.parametrize("errors", DECODE_ERRORS)
@pytest.mark.parametrize("name", NAMES)
def test_layouts(name: str, errors: str) -> None:
    label = LABELS[name]
    for rows in [SAMPLES, [row for row in SAMPLES if row is None or one(arrow.decode, row, pa.binary(), label, "null") is not None]]:
        for column in layouts(rows):
            expect(arrow.decode, column, rows, pa.binary(), [label] * len(rows), errors)


@pytest.mark.parametrize("name", NAMES)
def test_every_pair(name: str) -> None:
    label = LABELS[name]
    step = 0x55 if textcodec.get_encoding(label).is_single_byte else 3
    rows = [bytes([lead, trail]) for lead in range(0x100) for trail in range(0, 0x100, step)]
    column = pa.array(rows, pa.binary())
    text = pa.concat_arrays([arrow.decode(column.slice(row, 1), label, errors="null") for row in range(len(rows))])
    assert arrow.decode(column, label, errors="null").equals(text)
    rows_of_text = text.to_pylist()
    if codecs_agree(name):
        for row, decoded in zip(rows, rows_of_text):
            try:
                assert row.decode(codecs_agree(name)) == decoded
            except UnicodeDecodeError:
                assert decoded is None


def codecs_agree(name: str) -> str:
    """Returns the codec of CPython that maps the same bytes to the same text, if it has one."""
    same = ["UTF-8", "UTF-16LE", "UTF-16BE", "IBM866", "KOI8-R", "ISO-8859-2", "ISO-8859-5", "ISO-8859-15", "ISO-8859-16"]
    return codecs.lookup(name).name if name in same else ""


@pytest.mark.parametrize("width", [0, 1, 2, 7, 40])
def test_fixed_size(width: int) -> None:
    rows = [bytes([n % 256] * width) if n % 5 else None for n in range(300)]
    column = pa.array([None, *rows, b"\0" * width], pa.binary(width)).slice(1, len(rows))
    for errors in DECODE_ERRORS:
        for label in ["windows-1252", "utf-8", "gb18030", "utf-16le"]:
            expect(arrow.decode, column, rows, pa.binary(), [label] * len(rows), errors)
    assert arrow.decode(column, "gbk", errors="replace").type == pa.string()


@pytest.mark.parametrize("kind", LAYOUTS)
def test_types(kind: pa.DataType) -> None:
    column = pa.array([b"a", None], kind)
    text = arrow.decode(column, "utf-8")
    assert text.type == TEXTS[kind]
    assert arrow.encode(text, "utf-8").equals(column)
    for keys in [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]:
        coded = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 0], keys), column, ordered=True)
        text = arrow.decode(coded, "utf-8")
        assert text.type == pa.dictionary(keys, TEXTS[kind], ordered=True)
        assert arrow.encode(text, "utf-8").equals(coded)
    assert arrow.decode(pa.chunked_array([], kind), "utf-8").type == TEXTS[kind]
    assert arrow.decode(pa.array([], kind), "utf-8").equals(pa.array([], TEXTS[kind]))
    assert arrow.decode(pa.array([None], kind), "utf-8").equals(pa.array([None], TEXTS[kind]))


def bytes_rows(size: int = 40) -> st.SearchStrategy[list[bytes | None]]:
    pieces = st.sampled_from([row for row in SAMPLES if row and len(row) < 20] + [bytes([byte]) for byte in range(256)])
    row = st.lists(pieces, max_size=6).map(b"".join) | st.text(max_size=9).map(str.encode) | st.binary(max_size=size)
    return st.lists(st.none() | row, max_size=30)


@settings(max_examples=200, deadline=None)
@given(bytes_rows(), st.sampled_from(NAMES), st.sampled_from(DECODE_ERRORS), st.integers(0, 11))
def test_decode_fuzzed(rows: list[bytes | None], name: str, errors: str, layout: int) -> None:
    expect(arrow.decode, layouts(rows, layout)[layout], rows, pa.binary(), [LABELS[name]] * max(len(rows), 1), errors)


@settings(max_examples=150, deadline=None)
@given(st.data(), bytes_rows(), st.sampled_from(DECODE_ERRORS), st.integers(0, 11))
def test_labels_fuzzed(data: st.DataObject, rows: list[bytes | None], errors: str, layout: int) -> None:
    some = st.none() | st.sampled_from([LABELS[name] for name in NAMES])
    labels = data.draw(st.lists(some, min_size=len(rows), max_size=len(rows)) | some.map(lambda label: [label] * len(rows)))
    expect(arrow.decode, layouts(rows, layout)[layout], rows, pa.binary(), labels or ["utf-8"], errors)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.none() | st.text(st.sampled_from("aé字日한д😀\u02dc\x02\x0e~¥") | st.characters(exclude_categories=["Cs"]), max_size=20)),
    st.sampled_from(NAMES),
    st.sampled_from(ENCODE_ERRORS),
    st.sampled_from(list(TEXTS.values())),
    st.booleans(),
)
def test_encode_fuzzed(rows: list[str | None], name: str, errors: str, kind: pa.DataType, coded: bool) -> None:
    column = pa.array([None, "字é", *rows, ""], kind).slice(1).slice(1, len(rows))
    if coded:
        column = pa.DictionaryArray.from_arrays(*dictionary(rows, kind))
    expect(arrow.encode, column, rows, pa.string(), [LABELS[name]] * max(len(rows), 1), errors)


@pytest.mark.parametrize("name", NAMES)
def test_long_columns(name: str) -> None:
    """Several blocks, with rows longer than a block."""
    rng = random.Random(1)
    label = LABELS[name]
    rows: list[bytes | None] = []
    for n in range(3000):
        row = rng.choice(SAMPLES)
        rows.append(row if row is None or n % 500 else row * 9000)
    for errors in ["replace", "null"]:
        known: dict[bytes | None, Any] = {None: None}
        for row in rows:
            if row not in known:
                known[row] = one(arrow.decode, row, pa.binary(), label, errors)
        for kind in LAYOUTS:
            result = arrow.decode(pa.array(rows, kind), label, errors=errors)
            result.validate(full=True)
            assert result.to_pylist() == [known[row] for row in rows]


def test_errors_say_where() -> None:
    column = pa.chunked_array([[b"ok", None], [], [b"\x93\xfa\x93", b"\x93"]])
    with pytest.raises(UnicodeDecodeError) as info:
        arrow.decode(column, "Shift_JIS")
    error = info.value
    assert error.args == ("shift_jis", b"\x93\xfa\x93", 2, 3, "the input ends within a character")
    assert error.row == 2  # type: ignore[attr-defined]
    if sys.version_info >= (3, 11):
        assert error.__notes__ == ["in row 2 of the column"]
    with pytest.raises(UnicodeEncodeError) as encode_info:
        arrow.encode(pa.array(["да", "да 字😀!"]), "koi8-r")
    assert encode_info.value.args[:4] == ("koi8-r", "да 字😀!", 3, 4)
    assert encode_info.value.row == 1  # type: ignore[attr-defined]
    with pytest.raises(UnicodeEncodeError) as encode_info:
        arrow.encode(pa.array(["да😀!"]), "koi8-r")
    assert encode_info.value.args[2:4] == (2, 3)


def test_replacement() -> None:
    column = pa.array([b"", b"ab", None])
    assert arrow.decode(column, "iso-2022-kr", errors="replace").to_pylist() == ["", "\ufffd", None]
    with pytest.raises(UnicodeDecodeError) as info:
        arrow.decode(column, "iso-2022-kr")
    assert (info.value.encoding, info.value.start, info.value.end) == ("replacement", 0, 1)
    text = pa.array(["", "ab", None])
    assert arrow.encode(text, "iso-2022-kr", errors="null").to_pylist() == [b"", None, None]
    for errors in ENCODE_ERRORS:
        for column in [text, text.dictionary_encode()]:
            expect(arrow.encode, column, text.to_pylist(), pa.string(), ["iso-2022-kr"] * 3, errors)
    with pytest.raises(UnicodeEncodeError) as encode_info:
        arrow.encode(text, "iso-2022-kr", errors="replace")
    assert (encode_info.value.encoding, encode_info.value.start, encode_info.value.end) == ("replacement", 0, 1)


@pytest.mark.parametrize(("encoding", "header"), [("iso-2022-jp", b""), ("true-iso-2022-kr", b"\x1b$)C")])
def test_references_of_shifts(encoding: str, header: bytes) -> None:
    """References of characters that the encoding forbids, and not of U+FFFD as in HTML."""
    rows = ["\x0e日\x0f本\x1b", "😀日", "a", "日\x0e"]
    expect(arrow.encode, pa.array(rows), rows, pa.string(), [encoding] * 4, "xmlcharrefreplace")
    assert arrow.encode(pa.array(["\x0e"]), encoding, errors="xmlcharrefreplace").to_pylist() == [header + b"&#14;"]


def test_byte_order_marks_are_kept() -> None:
    marks = [b"\xef\xbb\xbfa", b"\xff\xfea\0", b"\xfe\xff\0a"] * 20
    assert arrow.decode(pa.array(marks[0::3]), "utf-8").to_pylist() == ["\ufeffa"] * 20
    assert arrow.decode(pa.array(marks[1::3]), "utf-16le").to_pylist() == ["\ufeffa"] * 20
    assert arrow.decode(pa.array(marks[2::3]), "utf-16be").to_pylist() == ["\ufeffa"] * 20
    assert arrow.decode(pa.array(marks[:1]), "windows-1252").to_pylist() == ["ï»¿a"]
    assert arrow.encode(pa.array(["a"]), "utf-16le").to_pylist() == [b"a\0"]


def test_labels() -> None:
    data = [b"\xe4", None, b"\xd4", b"\xe4", b"\xd6\xd0"]
    labels = ["latin1", "koi8-r", " KOI8-R ", None, "gbk"]
    expected = ["ä", None, "т", None, "中"]
    for kind in [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]:
        column: Any = pa.array(labels, kind)
        assert arrow.decode(pa.array(data), column).to_pylist() == expected
        chunks = pa.chunked_array([column.slice(0, 2), column.slice(2, 0), column.slice(2)])
        assert arrow.decode(pa.chunked_array([data[:1], data[1:4], data[4:]]), chunks).to_pylist() == expected
    coded = pa.array(data).dictionary_encode()
    result = arrow.decode(coded, pa.array(labels))
    assert (result.type, result.to_pylist()) == (pa.string(), expected)
    assert arrow.encode(pa.array(expected), pa.array(labels)).to_pylist() == [b"\xe4", None, b"\xd4", None, b"\xd6\xd0"]
    assert arrow.count_errors(pa.array([b"\xff", b"\xff", None]), pa.array(["utf-8", None, "x"])).to_pylist() == [1, None, None]


def test_unknown_labels() -> None:
    data = pa.array([b"a", None, b"b", b"c"])
    labels = pa.chunked_array([["gbk"], ["nothing", "utf-9", "gbk"]])
    for convert, column in [(arrow.decode, data), (arrow.encode, data.cast(pa.string())), (arrow.count_errors, data)]:
        # The null row needs no label.
        with pytest.raises(LookupError, match="utf-9") as info:
            convert(column, labels)
        assert info.value.row == 2  # type: ignore[attr-defined]
    assert arrow.decode(data, labels, errors="null").to_pylist() == ["a", None, None, "c"]
    assert arrow.encode(data.cast(pa.string()), labels, errors="null").to_pylist() == [b"a", None, None, b"c"]
    with pytest.raises(LookupError, match='did you mean "utf8"'):
        arrow.decode(data, "utf8-")
    # The first wrong row counts, whatever is wrong with it.
    with pytest.raises(UnicodeDecodeError):
        arrow.decode(pa.array([b"\xff", b"a"]), pa.array(["utf-8", "utf-9"]))


def test_dictionary_values_without_rows_are_no_errors() -> None:
    coded = pa.DictionaryArray.from_arrays(pa.array([1, 1, None], pa.int8()), pa.array([b"\xff", b"a", None]))
    assert arrow.decode(coded, "utf-8").to_pylist() == ["a", "a", None]
    coded = pa.DictionaryArray.from_arrays(pa.array([1, 2, 0, 0, 1], pa.int8()), pa.array([b"\xff", b"a", None]))
    with pytest.raises(UnicodeDecodeError) as info:
        arrow.decode(coded, "utf-8")
    assert info.value.row == 2  # type: ignore[attr-defined]
    result = arrow.decode(coded, "utf-8", errors="null")
    # The keys say that rows are null, not the values alone.
    assert result.to_pylist() == ["a", None, None, None, "a"]
    assert result.indices.null_count == 2
    assert arrow.decode(pa.chunked_array([coded, coded]), "utf-8", errors="replace").to_pylist() == ["a", None, "\ufffd", "\ufffd", "a"] * 2


def test_count_errors() -> None:
    rows = [b"ok", b"\xff \xff", None, b"", b"\xe3\x81", b"\x81" * 5000]
    for column in layouts(rows):
        result = arrow.count_errors(column, "utf-8")
        assert (result.type, result.to_pylist()) == (pa.uint32(), [0, 2, None, 0, 1, 5000])
    assert arrow.count_errors(pa.array([b"\x82", b"\x82\xa0", None]), "shift_jis").to_pylist() == [1, 0, None]
    for name in NAMES:
        column = pa.array(SAMPLES, pa.binary())
        assert [0 if count is None else count for count in arrow.count_errors(column, LABELS[name]).to_pylist()] == [
            0 if row is None else arrow.count_errors(pa.array([row]), LABELS[name])[0].as_py() for row in SAMPLES
        ]


def test_columns_of_nulls() -> None:
    """A column without a value can have the type null, such as one of a library that infers types."""
    labels = pa.array(["gbk", "nothing", None])
    for column in [pa.nulls(3), pa.nulls(9).slice(3, 3), pa.chunked_array([pa.nulls(1), pa.nulls(0), pa.nulls(2)])]:
        for encoding in ["gbk", labels, column]:
            for convert, kind in [(arrow.decode, pa.string()), (arrow.encode, pa.binary()), (arrow.count_errors, pa.uint32())]:
                result = convert(column, encoding)
                result.validate(full=True)
                assert (result.type, result.to_pylist(), result.null_count) == (kind, [None] * 3, 3)
        assert arrow.decode(pa.array([b"a", b"\xff", None]), column).to_pylist() == [None] * 3
        assert arrow.encode(pa.array(["a", "b", None]), column).to_pylist() == [None] * 3
        assert arrow.count_errors(pa.array([b"a", b"\xff", None]), column).to_pylist() == [None] * 3
    assert arrow.decode(pa.nulls(0), "gbk").equals(pa.array([], pa.string()))
    # More than one block.
    assert arrow.decode(pa.nulls(5000), "gbk").null_count == 5000
    coded = pa.DictionaryArray.from_arrays(pa.array([0, None, 0], pa.int8()), pa.nulls(1))
    assert arrow.encode(coded, "gbk").to_pylist() == [None] * 3
    assert arrow.encode(coded, "gbk").type == pa.dictionary(pa.int8(), pa.binary())
    with pytest.raises(ValueError, match="array has 3 rows, but encoding has 2"):
        arrow.decode(pa.nulls(3), pa.nulls(2))


def test_lengths_must_be_equal() -> None:
    for labels in [pa.array(["gbk"]), pa.chunked_array([["gbk"], ["gbk", "gbk"]]), pa.array([], pa.string())]:
        with pytest.raises(ValueError, match="array has 2 rows, but encoding has [013]"):
            arrow.decode(pa.array([b"", b""]), labels)


def test_wrong_arguments() -> None:
    good = pa.array([b"a"])
    for wrong in [[b"a"], b"a", None, 1]:
        with pytest.raises(TypeError, match="array must be an Arrow array"):
            arrow.decode(wrong, "utf-8")
    for kind in ["string", "int64", "a dictionary of string", "struct", "list", "bool"]:
        columns = {
            "string": pa.array(["a"]),
            "int64": pa.array([1]),
            "a dictionary of string": pa.array(["a"]).dictionary_encode(),
            "struct": pa.array([{"a": 1}]),
            "list": pa.array([[b"a"]]),
            "bool": pa.array([True]),
        }
        with pytest.raises(TypeError, match=f"^decode needs binary, .*, not {kind}$"):
            arrow.decode(columns[kind], "utf-8")
    with pytest.raises(TypeError, match="^count_errors needs binary"):
        arrow.count_errors(pa.array(["a"]), "utf-8")
    with pytest.raises(TypeError, match="^encode needs string, .*, not binary$"):
        arrow.encode(good, "utf-8")
    with pytest.raises(TypeError, match="not struct"):
        arrow.decode(pa.table({"a": good}), "utf-8")
    with pytest.raises(TypeError, match="array of encodings needs string, .*, not int64"):
        arrow.decode(good, pa.array([1]))
    for wrong in [["utf-8"], 1, None, b"utf-8"]:
        with pytest.raises(TypeError, match=f"^encoding must be a label, an Encoding or an Arrow array of labels, not {type(wrong).__name__}$"):
            arrow.decode(good, wrong)
    with pytest.raises(ValueError, match='errors must be one of "strict", .* not "surrogateescape"'):
        arrow.decode(good, "utf-8", errors="surrogateescape")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='"xmlcharrefreplace"'):
        arrow.encode(pa.array(["a"]), "utf-8", errors="backslashreplace")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [pa.binary(), pa.binary_view()])
def test_limit(kind: pa.DataType) -> None:
    """With a limit of 100 bytes instead of 2 GiB."""
    column = pa.array([b"\xe4" * 30] * 3, kind)
    convert = _native.arrow_decode
    if kind == pa.binary():
        with pytest.raises(OverflowError, match="large_binary") as info:
            convert(column, "latin1", "strict", 100)
        assert info.value.row == 1  # type: ignore[attr-defined]
        assert len(convert(column.slice(0, 1), "latin1", "strict", 60)) == 1
        # Each chunk has a limit of its own.
        assert len(convert(pa.chunked_array([column.slice(0, 1)] * 3), "latin1", "strict", 60)) == 3
    else:
        # Views use several buffers. One row is too long for any.
        for count in [3, 5000]:
            column = pa.array([b"\xe4" * 30, b"short"] * count, kind)
            result = pa.array(convert(column, "latin1", "strict", 70_000))
            result.validate(full=True)
            assert result.to_pylist() == ["ä" * 30, "short"] * count
        with pytest.raises(OverflowError, match="large_binary"):
            convert(pa.array([b"a", b"\xe4" * 40_000]), "latin1", "strict", 70_000)
    # In a dictionary, the number is that of a value: no row.
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 0, 0, 1], pa.int8()), pa.array([b"a", b"\xe4" * 40_000], kind))
    with pytest.raises(OverflowError, match="^value 1 of the dictionary: .* cast the column to large_binary first$") as info:
        convert(coded, "latin1", "strict", 70_000)
    assert not hasattr(info.value, "row")
    assert len(convert(pa.array([b"\xe4" * 30], pa.large_binary()), "latin1", "strict", 10)) == 1
    with pytest.raises(OverflowError, match="large_string"):
        _native.arrow_encode(pa.array(["aé"] * 9), "utf-16le", "strict", 20)


@pytest.mark.skipif("TEXTCODEC_SLOW" not in os.environ, reason="needs 8 GiB and half a minute: set TEXTCODEC_SLOW")
def test_more_than_2_gib() -> None:
    data = pa.py_buffer(b"\xe4" * (1 << 20))
    offsets = pa.array(range(0, (1 << 20) + 1, 1 << 10), pa.int32()).buffers()[1]
    part = pa.Array.from_buffers(pa.binary(), 1 << 10, [None, offsets, data])
    column = pa.concat_arrays([part] * 1100)
    with pytest.raises(OverflowError, match="large_binary"):
        arrow.decode(column, "latin1")
    result = arrow.decode(column.cast(pa.large_binary()), "latin1")
    assert result.type == pa.large_string()
    assert result[len(column) - 1].as_py() == "ä" * 1024
    views = pa.chunked_array([pa.array([b"\xe4" * (1 << 20)] * 100, pa.binary_view())] * 11)
    assert arrow.decode(views, "latin1")[1099].as_py() == "ä" * (1 << 20)


def test_gil_is_released() -> None:
    column = pa.array([b"\x93\xfa\x96{" * 500] * 10_000, pa.large_binary())
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0002)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        start = time.perf_counter()
        arrow.decode(column, "shift_jis")
        end = time.perf_counter()
    finally:
        stop.set()
        thread.join()
    margin = (end - start) / 10
    assert any(start + margin < moment < end - margin for moment in ticks)


def test_threads() -> None:
    column = pa.array([b"\x93\xfa\x96{", b"\x93", None] * 1000)
    expected = arrow.decode(column, "shift_jis", errors="null")
    results: list[bool] = []

    def run() -> None:
        results.extend(arrow.decode(column, "shift_jis", errors="null").equals(expected) for _ in range(50))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 400


def test_no_leaks() -> None:
    column = pa.chunked_array([[b"\x93\xfa\x96{" * 20, b"\x93", None] * 500] * 2)
    coded = column.dictionary_encode()
    labels = pa.array(["shift_jis"] * len(column))

    def call() -> None:
        result = arrow.decode(column, "shift_jis", errors="replace")
        arrow.encode(result, labels, errors="ignore")
        arrow.decode(coded, "shift_jis", errors="null")
        arrow.count_errors(coded, labels)
        # A result that nobody takes, and one that is taken in part.
        capsule = _native.arrow_decode(column, "shift_jis", "ignore").__arrow_c_stream__()
        _native.arrow_decode(column.chunk(0), "shift_jis", "ignore").__arrow_c_array__()
        next(iter(pa.chunked_array(_native.arrow_decode(column, "shift_jis", "ignore")).chunks))
        del capsule
        with pytest.raises(UnicodeDecodeError):
            arrow.decode(column, "shift_jis")
        with pytest.raises(LookupError):
            arrow.decode(column, pa.array(["x"] * len(column)))

    for _ in range(100):
        call()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    allocated, references = pa.total_allocated_bytes(), sys.getrefcount(column)
    for _ in range(1000):
        call()
    gc.collect()
    assert sys.getrefcount(column) == references
    assert pa.total_allocated_bytes() == allocated
    # One leaked result in each call would be more than 100 MiB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 << 10


def test_results_without_a_library() -> None:
    class Foreign:
        def __init__(self, column: Any) -> None:
            self.column = column

        def __arrow_c_array__(self, requested_schema: object = None) -> Any:
            return self.column.__arrow_c_array__(requested_schema)

    result = arrow.decode(Foreign(pa.array([b"a", None])), "utf-8")
    assert isinstance(result, arrow.Array) and len(result) == 2
    assert repr(result) == "<textcodec.arrow.Array of Utf8, 2 rows>"
    assert pa.array(result).to_pylist() == pa.array(result).to_pylist() == ["a", None]
    # A result is a column, too.
    assert pa.array(arrow.encode(result, "utf-16be")).to_pylist() == [b"\0a", None]
    assert pa.DataType._import_from_c_capsule(result.__arrow_c_schema__()) == pa.string()
    chunks = _native.arrow_decode(pa.chunked_array([[b"a"], [b"b", None]]), "utf-8", "strict")
    assert isinstance(chunks, arrow.ChunkedArray) and len(chunks) == 3
    assert repr(chunks) == "<textcodec.arrow.ChunkedArray of Utf8, 3 rows in 2 chunks>"
    assert pa.chunked_array(chunks).to_pylist() == ["a", "b", None]
    assert pa.chunked_array(arrow.encode(chunks, "utf-8")).num_chunks == 2
    with pytest.raises(ValueError, match="read before|released"):
        capsules = pa.array([b"a"]).__arrow_c_array__()
        again = type("Again", (), {"__arrow_c_array__": lambda self, requested_schema=None: capsules})()
        arrow.decode(again, "utf-8")
        arrow.decode(again, "utf-8")


def test_nanoarrow() -> None:
    nanoarrow = pytest.importorskip("nanoarrow")
    column = nanoarrow.Array([b"\x93\xfa", None, b""], nanoarrow.binary())
    assert nanoarrow.Array(arrow.decode(column, "shift_jis")).to_pylist() == ["日", None, ""]
    column = nanoarrow.Array(pa.chunked_array([[b"\x93\xfa"], [None, b""]]))
    assert nanoarrow.Array(arrow.decode(column, "shift_jis")).to_pylist() == ["日", None, ""]
    column = nanoarrow.c_array([b"\x93\xfa", None], nanoarrow.binary())
    assert nanoarrow.Array(arrow.decode(column, "shift_jis")).to_pylist() == ["日", None]


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [b"\x93\xfa", None, b""]
    for dtype in [object, pandas.ArrowDtype(pa.binary())]:
        series = pandas.Series(rows, index=[3, 1, 2], name="x", dtype=dtype)
        result = arrow.decode(series, "shift_jis")
        assert isinstance(result, pandas.Series)
        assert (result.name, result.index.to_list(), result.dtype) == ("x", [3, 1, 2], pandas.ArrowDtype(pa.string()))
        assert result.array.__arrow_array__().to_pylist() == ["日", None, ""]
        labels = pandas.Series(["shift_jis", "gbk", "utf-8"])
        assert arrow.encode(result, labels).array.__arrow_array__().to_pylist() == rows
    array = pandas.array(rows, dtype=pandas.ArrowDtype(pa.binary()))
    assert type(arrow.decode(array, "shift_jis")) is type(array)
    index = pandas.Index(rows, name="x")
    result = arrow.decode(index, pandas.Index(["shift_jis", "gbk", "utf-8"]))
    assert isinstance(result, pandas.Index)
    assert (result.name, result.dtype) == ("x", pandas.ArrowDtype(pa.string()))
    assert result.array.__arrow_array__().to_pylist() == ["日", None, ""]
    # Pandas infers no type.
    nothing = pandas.Series([None, None], index=[2, 1], dtype=object)
    result = arrow.decode(nothing, "shift_jis")
    assert (result.dtype, result.index.to_list(), result.isna().all()) == (pandas.ArrowDtype(pa.string()), [2, 1], True)


def test_examples() -> None:
    results = doctest.testmod(arrow, globs={**vars(arrow), "pa": pa})
    assert results.attempted > 0 and results.failed == 0
