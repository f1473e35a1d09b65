"""The SQL functions for DuckDB."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

duckdb: Any = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
import textcodec.duckdb  # noqa: E402


@pytest.fixture
def con() -> Any:
    connection = duckdb.connect()
    textcodec.duckdb.register(connection)
    return connection


def value(con: Any, expression: str) -> Any:
    return con.execute(f"SELECT {expression}").fetchone()[0]


def test_decode(con: Any) -> None:
    assert value(con, r"whatwg_decode('\x93\xFA\x96{'::BLOB, 'shift_jis')") == "日本"
    assert value(con, r"typeof(whatwg_decode('a'::BLOB, 'shift_jis'))") == "VARCHAR"
    assert value(con, r"whatwg_decode('a\xFF'::BLOB, 'utf-8', 'replace')") == "a\ufffd"
    assert value(con, r"whatwg_decode('a\xFF'::BLOB, 'utf-8', 'ignore')") == "a"
    assert value(con, r"whatwg_decode('a\xFF'::BLOB, 'utf-8', 'null')") is None
    # What duckdb's own `encodings` gets wrong: ㈱, and backslashes.
    assert value(con, r"whatwg_decode('\x87\x8A\x5C~'::BLOB, 'shift_jis')") == "㈱\\~"


def test_encode(con: Any) -> None:
    assert value(con, "whatwg_encode('日本', 'euc-jp')") == b"\xc6\xfc\xcb\xdc"
    assert value(con, "typeof(whatwg_encode('a', 'euc-jp'))") == "BLOB"
    assert value(con, "whatwg_encode('да 字', 'koi8-r', 'xmlcharrefreplace')") == b"\xc4\xc1 &#23383;"
    assert value(con, "whatwg_decode(whatwg_encode('😀', 'utf-16le'), 'utf-16le')") == "😀"


@pytest.mark.parametrize(
    "arguments", ["NULL, 'gbk'", "'a'::BLOB, NULL", "'a'::BLOB, 'gbk', NULL", "NULL::BLOB, NULL::VARCHAR", "NULL::BLOB, 'gbk', 'null'"]
)
def test_nulls(con: Any, arguments: str) -> None:
    try:
        assert value(con, f"whatwg_decode({arguments})") is None
    except duckdb.NotImplementedException:
        pytest.skip("this version of duckdb cannot pass a NULL without a type")


def test_columns(con: Any) -> None:
    con.execute(r"CREATE TABLE rows AS SELECT CASE WHEN i % 7 = 0 THEN NULL ELSE '\xD6\xD0'::BLOB END AS data, i FROM range(50000) t(i)")
    assert con.execute("SELECT count(*), count(text), min(text), max(text) FROM (SELECT whatwg_decode(data, 'gbk') AS text FROM rows)").fetchone() == (
        50_000,
        50_000 - 7_143,
        "中",
        "中",
    )
    labels = "CASE i % 3 WHEN 0 THEN 'gbk' WHEN 1 THEN 'koi8-r' ELSE NULL END"
    counts = con.execute(f"SELECT whatwg_decode(data, {labels}) AS text, count(*) FROM rows GROUP BY text ORDER BY text").fetchall()
    assert [text for text, _ in counts] == ["жп", "中", None]
    assert sum(count for _, count in counts) == 50_000
    assert con.execute("SELECT whatwg_decode(data, 'gbk') FROM rows WHERE false").fetchall() == []
    assert con.execute("SELECT count(*) FROM rows WHERE whatwg_encode(whatwg_decode(data, 'gbk'), 'gbk') = data").fetchone() == (42_857,)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (r"whatwg_decode('a\xFF'::BLOB, 'utf-8')", "0xff in position 1"),
        ("whatwg_decode('a'::BLOB, 'utf-88')", "utf-88"),
        ("whatwg_decode('a'::BLOB, 'utf-8', 'strange')", "errors must be one of"),
        ("whatwg_decode('a', 'utf-8')", "decode needs binary"),
        ("whatwg_encode('a'::BLOB, 'utf-8')", "encode needs string"),
        ("whatwg_decode('a'::BLOB)", "whatwg_decode takes two or three arguments, not 1"),
        ("whatwg_encode('a', 'b', 'c', 'd')", "whatwg_encode takes two or three arguments, not 4"),
        ("count(whatwg_decode('a'::BLOB, 'gbk', CASE i WHEN 0 THEN 'null' ELSE 'ignore' END)) FROM range(2) t(i)", "must be the same"),
    ],
)
def test_errors(con: Any, expression: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message):
        value(con, expression)


def test_register_again(con: Any) -> None:
    textcodec.duckdb.register(con)
    assert value(con, "whatwg_decode('a'::BLOB, 'gbk')") == "a"


def test_examples() -> None:
    results = doctest.testmod(textcodec.duckdb)
    assert results.attempted > 0 and results.failed == 0
