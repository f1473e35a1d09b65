"""The namespace `whatwg` of polars."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

import textcodec

pl: Any = pytest.importorskip("polars")
import textcodec.polars  # noqa: E402, F401
from textcodec import arrow  # noqa: E402

ROWS = [b"\xc4\xe3\xba\xc3", None, b"", b"\x81", b"ok"]


def frame() -> Any:
    labels = ["gbk", "gbk", None, "utf-8", "utf-16le"]
    return pl.DataFrame({"data": ROWS, "label": labels}, schema={"data": pl.Binary, "label": pl.String})


def test_expressions() -> None:
    decoded = frame().select(pl.col("data").whatwg.decode("gbk", errors="replace"))
    assert decoded.schema == {"data": pl.String}
    assert decoded["data"].to_list() == ["你好", None, "", "\ufffd", "ok"]
    encoded = decoded.select(pl.col("data").whatwg.encode(textcodec.get_encoding("big5"), errors="xmlcharrefreplace"))
    assert encoded.schema == {"data": pl.Binary}
    assert encoded["data"].to_list() == [b"\xa7A\xa6n", None, b"", b"&#65533;", b"ok"]


def test_labels_of_rows() -> None:
    expression = pl.col("data").whatwg.decode(pl.col("label"), errors="replace")
    expected = ["你好", None, None, "\ufffd", "\u6b6f"]
    assert frame().select(expression)["data"].to_list() == expected
    assert frame().with_columns(text=expression)["text"].to_list() == expected
    assert frame().select(pl.col("data").whatwg.decode(pl.lit("gbk"), errors="ignore"))["data"].to_list() == ["你好", None, "", "", "ok"]
    # The column of labels is the text, too.
    encoded = frame().select(pl.col("label").whatwg.encode(pl.col("label")))["label"].to_list()
    assert encoded == [b"gbk", b"gbk", None, b"utf-8", "utf-16le".encode("utf-16le")]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_queries(engine: str) -> None:
    big = pl.concat([frame()] * 20_000)
    query = big.lazy().select(pl.col("data").whatwg.decode("gbk", errors="null").alias("text")).filter(pl.col("text") == "你好")
    try:
        result = query.collect(engine=engine)
    except TypeError:
        pytest.skip("this version of polars has no engines")
    assert result.height == 20_000
    assert query.collect_schema() == {"text": pl.String}


def test_groups() -> None:
    """Elementwise: the same within groups."""
    result = frame().select(pl.col("data").whatwg.decode("gbk", errors="replace").over("label"))
    assert result["data"].to_list() == ["你好", None, "", "\ufffd", "ok"]


def test_errors() -> None:
    with pytest.raises(pl.exceptions.ComputeError, match=r"0x81 in position 0: .* \(in row 3 of the batch\)"):
        frame().select(pl.col("data").whatwg.decode("gbk"))
    # Other exceptions for a row have it, too.
    with pytest.raises(pl.exceptions.ComputeError, match=r"utf-9.* \(in row 4 of the batch\)"):
        labels = pl.Series(["gbk", "nothing", "gbk", "big5", "utf-9"])
        frame().with_columns(label=labels).select(pl.col("data").whatwg.decode(pl.col("label"), errors="ignore"))
    with pytest.raises((pl.exceptions.ComputeError, LookupError), match="gbkk"):
        frame().select(pl.col("data").whatwg.decode("gbkk"))


def test_series() -> None:
    series = pl.Series("name", ROWS, dtype=pl.Binary)
    text = series.whatwg.decode("gbk", errors="null")
    assert (text.name, text.dtype, text.to_list()) == ("name", pl.String, ["你好", None, "", None, "ok"])
    assert text.whatwg.encode("gbk").to_list() == [ROWS[0], None, b"", None, b"ok"]
    assert series.whatwg.decode(pl.Series(["gbk", "x", None, "gbk", "gbk"]), errors="null").to_list() == ["你好", None, None, None, "ok"]
    with pytest.raises(UnicodeDecodeError) as info:
        series.whatwg.decode("gbk")
    assert info.value.row == 3  # type: ignore[attr-defined]
    counts = arrow.count_errors(series, "gbk")
    assert (counts.name, counts.dtype, counts.to_list()) == ("name", pl.UInt32, [0, None, 0, 1, 0])


def test_chunks_and_slices() -> None:
    series = pl.concat([pl.Series("x", ROWS, dtype=pl.Binary)] * 3, rechunk=False).slice(1, 12)
    expected = [None if row is None else row.decode("gbk", "replace") for row in (ROWS * 3)[1:13]]
    assert arrow.decode(series, "gbk", errors="replace").to_list() == expected
    assert arrow.decode(series.clear(), "gbk").to_list() == []
    assert arrow.decode(pl.Series("x", [None], dtype=pl.Binary), "gbk").to_list() == [None]


def test_columns_of_nulls() -> None:
    series = pl.Series("x", [None, None])
    assert series.dtype == pl.Null
    for result, dtype in [(series.whatwg.decode("gbk"), pl.String), (series.whatwg.encode("gbk"), pl.Binary)]:
        assert (result.name, result.dtype, result.to_list()) == ("x", dtype, [None, None])
    text = pl.DataFrame({"x": [None, None]}).select(pl.col("x").whatwg.decode(pl.lit(None)))
    assert (text.schema, text["x"].to_list()) == ({"x": pl.String}, [None, None])


def test_categories() -> None:
    for dtype in [pl.Categorical, pl.Enum(["一", "b"])]:
        series = pl.Series("x", ["一", "b", None, "一"], dtype=dtype)
        assert series.whatwg.encode("gbk").to_list() == [b"\xd2\xbb", b"b", None, b"\xd2\xbb"]


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="decode needs binary"):
        pl.Series([1]).whatwg.decode("gbk")
    with pytest.raises(TypeError, match="encode needs string"):
        pl.Series([b"a"]).whatwg.encode("gbk")


def test_examples() -> None:
    results = doctest.testmod(textcodec.polars)
    assert results.attempted > 0 and results.failed == 0
