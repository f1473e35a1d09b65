"""Lines that Spark's text source has found, decoded as in the whole file."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("pyspark", reason="SKIPPED: pyspark is not installed")

import pyarrow

import textcodec
from textcodec.spark._columns import _by_row, _decode_line


@pytest.mark.parametrize("kind", ["binary", "large_binary"])
@pytest.mark.parametrize("label", ["gbk", "gb18030"])
def test_a_line_decodes_as_in_the_whole_file(label: str, kind: str) -> None:
    source = random.Random(1)
    lines = [bytes(source.choices(b"\x81\x30\x39\xfe\x41\xff\x80", k=source.randrange(6))) for _ in range(2000)]
    column = pyarrow.array([*lines, None, b"\x81\x30"], kind)
    for errors in "replace", "ignore":
        decoded = _decode_line(column, label, errors=errors)  # type: ignore[arg-type]
        assert decoded.type == (pyarrow.large_string() if kind == "large_binary" else pyarrow.string())
        expected = [textcodec.decode(line + b"\n", label, errors, bom="keep")[:-1] for line in lines]
        assert decoded.to_pylist() == [*expected, None, "\ufffd0" if errors == "replace" else "0"]
    assert _decode_line(column[-3:], label, errors="null").to_pylist()[1:] == [None, None]
    with pytest.raises(UnicodeDecodeError):
        _decode_line(column, label, errors="strict")
    assert _decode_line(pyarrow.array([b"a", None], kind), label, errors="ignore").to_pylist() == ["a", None]


def test_errors_of_a_column_in_sql() -> None:
    decode = _by_row(textcodec.arrow.decode, "replace")
    column, labels = pyarrow.array([b"a", b"b"]), pyarrow.array(["gbk", "gbk"])
    assert decode(column, labels, pyarrow.array(["null", "null"])).to_pylist() == ["a", "b"]
    with pytest.raises(ValueError, match='errors must be one of "strict", .*, not "NULL"'):
        decode(column, labels, pyarrow.array([None, None], "string"))
    with pytest.raises(ValueError, match="errors must be the same in all rows, not 'null', 'NULL'"):
        decode(column, labels, pyarrow.array(["null", None], "string"))
