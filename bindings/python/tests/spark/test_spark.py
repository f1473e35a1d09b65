"""`textcodec.spark` on a cluster with two executors."""

from __future__ import annotations

import bz2
import glob
import gzip
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="SKIPPED: pyspark is not installed")

from pyspark.errors import AnalysisException, PySparkException, PythonException
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql import functions as F

import textcodec
from textcodec import spark as whatwg
from textcodec.lines import read_lines
from textcodec.spark._options import read_options, write_options

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Encodings for the long run only.
LATER = [pytest.param(label, marks=pytest.mark.slow) for label in ("gb18030", "iso-2022-jp", "utf-16be", "euc-jp")]

NIHON = b"\x93\xfa\x96{"


def column(frame: DataFrame) -> list[Any]:
    return [row[0] for row in frame.collect()]


def source(session: SparkSession, path: Path | list[str] | str, encoding: str, **options: str) -> DataFrame:
    reader = session.read.format("textcodec").option("encoding", encoding)
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(path if isinstance(path, list) else str(path))


def rows(frame: DataFrame) -> list[tuple[str | None, int, bytes | None]]:
    found = frame.select("_file", "_offset", "value", "_corrupt").collect()
    found.sort()
    return [(row.value, row._offset, row._corrupt and bytes(row._corrupt)) for row in found]


def expected(path: Path, encoding: str, **named: Any) -> list[tuple[str | None, int, bytes | None]]:
    return [(line.text, line.offset, line.corrupt) for line in read_lines(path, encoding, **named)]


def test_the_executors_use_the_shipped_package(session: SparkSession) -> None:
    def where(_: Iterator[int]) -> Iterator[tuple[int, str, str]]:
        import textcodec.spark

        yield os.getpid(), os.getcwd(), textcodec._native.__file__

    found = session.sparkContext.parallelize(range(4), 4).mapPartitions(where).collect()
    assert len({folder for _, folder, _ in found}) == 2
    for process, folder, file in found:
        assert process != os.getpid()
        assert os.path.realpath(file).startswith(os.path.realpath(folder))


# Columns


def test_decode(session: SparkSession) -> None:
    frame = session.createDataFrame([(NIHON, "shift_jis"), (b"\xe4", "windows-1252"), (None, "gbk"), (b"a", None)], "b binary, e string")
    found = frame.select(whatwg.decode("b", "shift_jis"), whatwg.decode(frame.b, frame.e)).collect()
    assert [row[0] for row in found] == ["日本", "\ufffd", None, "a"]
    assert [row[1] for row in found] == ["日本", "ä", None, None]


def test_errors_of_decode(session: SparkSession) -> None:
    frame = session.createDataFrame([(b"\xffa",)], "b binary")
    found = frame.select(*[whatwg.decode("b", "gbk", errors) for errors in ("replace", "null", "ignore")]).first()
    assert found is not None and tuple(found) == ("\ufffda", None, "a")
    with pytest.raises(PythonException, match="UnicodeDecodeError"):
        frame.select(whatwg.decode("b", "gbk", "strict")).collect()
    # Before a task.
    with pytest.raises(LookupError, match="shift_jiss"):
        whatwg.decode("b", "shift_jiss")
    with pytest.raises(ValueError, match="errors must be"):
        whatwg.decode("b", "gbk", "oops")  # type: ignore[arg-type]


def test_encode(session: SparkSession) -> None:
    frame = session.createDataFrame([("日本¥",), (None,), ("",)], "t string")
    found = frame.select(
        whatwg.encode("t", "utf-16le"),
        whatwg.encode("t", "windows-1252", "xmlcharrefreplace"),
        whatwg.encode("t", "windows-1252", "null"),
    ).collect()
    assert [row[0] and bytes(row[0]) for row in found] == ["日本¥".encode("utf-16le"), None, b""]
    assert bytes(found[0][1]) == b"&#26085;&#26412;\xa5" and found[0][2] is None
    with pytest.raises(PythonException, match="UnicodeEncodeError"):
        frame.select(whatwg.encode("t", "windows-1252")).collect()
    with pytest.raises(ValueError, match="errors must be"):
        whatwg.encode("t", "gbk", "oops")  # type: ignore[arg-type]


def test_sql(session: SparkSession) -> None:
    row = session.sql(
        "SELECT whatwg_decode(X'93FA96FF', 'shift_jis'), whatwg_decode(X'FF', 'gbk', 'null'), whatwg_decode(X'61', NULL), "
        "whatwg_decode(NULL, 'gbk'), whatwg_encode(NULL, 'gbk'), "
        "whatwg_encode('日', 'euc-jp'), whatwg_encode('日', 'windows-1252', 'replace')"
    ).first()
    assert row is not None
    assert tuple(row) == ("日\ufffd", None, None, None, None, b"\xc6\xfc", b"?")
    with pytest.raises(PythonException, match="oops"):
        session.sql("SELECT whatwg_decode(X'61', 'oops')").collect()


# read_text


def test_read_text(session: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(NIHON + b"\r\n\xff\nb\r")
    with gzip.open(tmp_path / "b.txt.gz", "wb") as file:
        file.write(NIHON + b"\n")
    frame = whatwg.read_text(session, str(tmp_path), "shift_jis")
    assert frame.columns == ["value"]
    assert sorted(column(frame)) == sorted(["日本", "\ufffd", "b", "日本"])
    assert None in column(whatwg.read_text(session, str(tmp_path), "shift_jis", "null"))


@pytest.mark.parametrize("label", ["utf-16", "utf-16be", "iso-2022-jp", "replacement"])
def test_read_text_refuses_encodings_whose_lines_it_cannot_find(session: SparkSession, label: str) -> None:
    with pytest.raises(ValueError, match="textcodec" if label != "replacement" else "no text"):
        whatwg.read_text(session, "missing", label)


def test_read_text_has_the_lines_of_the_whole_file(session: SparkSession, tmp_path: Path) -> None:
    # Lines of gb18030 that end within a sequence of four bytes.
    source = random.Random(1)
    path = tmp_path / "hostile"
    path.write_bytes(b"".join(bytes(source.choices(b"\x81\x30\x39\xfe\x41\n", k=5)) for _ in range(1000)))
    with_data_source = [text for text, _, _ in expected(path, "gb18030")]
    assert column(whatwg.read_text(session, str(path), "gb18030")) == with_data_source
    session.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        ignored = column(whatwg.read_text(session, str(path), "gb18030", "ignore"))
    finally:
        session.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")
    assert "\n".join(ignored) == textcodec.decode(path.read_bytes(), "gb18030", "ignore").removesuffix("\n")


# The data source


@pytest.mark.parametrize("label", ["shift_jis", "utf-16", *LATER])
def test_partitions_have_each_line_once(session: SparkSession, tmp_path: Path, label: str) -> None:
    generator = random.Random(label)
    path = tmp_path / "a.txt"
    lines = ["".join(generator.choices("aあ日本語~\\", k=generator.randrange(20))) for _ in range(3000)]
    path.write_bytes(textcodec.encode("\r\n".join([*lines, ""]), label))
    frame = source(session, path, label, splitSize="5k")
    partitions = frame.rdd.getNumPartitions()
    assert partitions == 1 if label == "iso-2022-jp" else partitions > 5
    found = rows(frame)
    assert found == expected(path, label)
    assert [text for text, _, _ in found] == lines


def test_line_reset_splits_iso_2022_jp(session: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("日本\n".encode("iso-2022-jp") * 1000)
    frame = source(session, path, "iso-2022-jp", splitSize="4096", lineReset="true")
    assert frame.rdd.getNumPartitions() > 2
    assert rows(frame) == expected(path, "iso-2022-jp")


def test_modes(session: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a\n\xff" + NIHON + b"\nb\n")
    malformed = b"\xff" + NIHON
    assert rows(source(session, path, "shift_jis")) == [("a", 0, None), ("\ufffd日本", 2, malformed), ("b", 8, None)]
    assert rows(source(session, path, "shift_jis", errors="null"))[1] == (None, 2, malformed)
    dropped = source(session, path, "shift_jis", mode="dropmalformed")
    assert rows(dropped) == [("a", 0, None), ("b", 8, None)]
    for options in {"mode": "FAILFAST"}, {"errors": "strict"}:
        with pytest.raises(PySparkException) as caught:
            source(session, path, "shift_jis", **options).collect()
        assert f"in the line at byte 2 of the file {path}" in str(caught.value)


def test_files(session: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    files = {"a.txt": b"a", "sub/b.txt": b"b", "_SUCCESS": b"no", ".hidden": b"no", "empty.txt": b"", "c.csv": b"c"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "d.txt.bz2").write_bytes(bz2.compress(b"d\ne"))
    frame = source(session, tmp_path, "gbk")
    # Small files are read by one task.
    assert frame.rdd.getNumPartitions() == 1
    assert sorted(column(frame.select("value"))) == ["a", "b", "c", "d", "e"]
    assert sorted(column(source(session, tmp_path / "*.txt", "gbk"))) == ["a"]
    several = source(session, [str(tmp_path / "a.txt"), f"file://{tmp_path}/sub"], "gbk").select("value", "_file").collect()
    assert sorted(map(tuple, several)) == [("a", f"{tmp_path}/a.txt"), ("b", f"{tmp_path}/sub/b.txt")]
    assert source(session, tmp_path / "empty.txt", "gbk").collect() == []


def test_relative_paths_are_those_of_the_driver(session: SparkSession, working: Path) -> None:
    frame = session.createDataFrame([("日",)], "value string").coalesce(1)
    frame.write.format("textcodec").option("encoding", "shift_jis").mode("append").save("relative/out")
    assert written(working / "relative" / "out") == ["日\n".encode("shift_jis")]
    assert column(source(session, "relative/*", "shift_jis").select("value")) == ["日"]


def test_names_that_are_not_utf_8(session: SparkSession, tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_bytes(b"a\n")
    except OSError:
        pytest.skip("the file system has only names in UTF-8")
    found = source(session, tmp_path, "gbk").select("_file", "value").collect()
    assert list(map(tuple, found)) == [(f"{tmp_path}/caf\\xe9.txt", "a")]


def test_a_schema_leaves_columns_out(session: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(NIHON)
    reader = session.read.format("textcodec").option("encoding", "shift_jis")
    assert [tuple(row) for row in reader.schema("_offset bigint, value string").load(str(path)).collect()] == [(0, "日本")]
    assert reader.schema("value string").load(str(path)).count() == 1
    with pytest.raises(AnalysisException, match="no column value int"):
        reader.schema("value int").load(str(path)).collect()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "the option encoding is missing"),
        ({"encoding": "shift_jiss"}, "shift_jiss"),
        ({"encoding": "replacement"}, "no text"),
        ({"encoding": "gbk", "errors": "oops"}, "the option errors must be one of replace, null, strict"),
        ({"encoding": "gbk", "mode": "oops"}, "the option mode must be one of"),
        ({"encoding": "gbk", "mode": "PERMISSIVE", "errors": "strict"}, "Set one of them"),
        ({"encoding": "gbk", "splitSize": "0"}, "splitSize must be a number"),
        ({"encoding": "gbk", "splitSize": "12q"}, "splitSize must be a number"),
        ({"encoding": "gbk", "lineReset": "true"}, "lineReset is for ISO-2022-JP"),
        ({"encoding": "gbk", "lineReset": "maybe"}, "lineReset must be one of"),
        ({"encoding": "gbk", "bom": "true"}, "the option bom must be one of"),
        ({"encoding": "gbk", "splitsice": "1"}, "Did you mean splitSize?"),
    ],
)
def test_wrong_options(options: dict[str, str], message: str) -> None:
    with pytest.raises((ValueError, LookupError)) as caught:
        read_options(CaseInsensitiveDict({"path": "a", **options}))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoding": "shift_jiss"}, "shift_jiss"),
        ({"encoding": "gbk", "path": "/missing/file"}, "there is no file or directory '/missing/file'"),
        pytest.param({"encoding": "gbk", "path": "/missing/*.txt"}, "there is no file or directory", marks=pytest.mark.slow),
    ],
)
def test_load_reports_what_is_wrong(session: SparkSession, tmp_path: Path, options: dict[str, str], message: str) -> None:
    (tmp_path / "a.txt").write_bytes(b"a")
    reader = session.read.format("textcodec").options(**{"path": str(tmp_path), **options})
    # Nothing is collected: no task has started.
    with pytest.raises(AnalysisException) as caught:
        reader.load()
    assert message in str(caught.value)


# Writing


def written(path: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted(path.glob("part-*"))]


@pytest.mark.parametrize("label", ["shift_jis", *LATER])
def test_what_is_written_is_read_back(session: SparkSession, tmp_path: Path, label: str) -> None:
    generator = random.Random(label)
    texts = ["".join(generator.choices("aあ日本語~", k=generator.randrange(9))) for _ in range(500)]
    frame = session.createDataFrame([(text,) for text in texts], "value string").repartition(3)
    frame.write.format("textcodec").option("encoding", label).mode("append").save(str(tmp_path / "out"))
    assert sorted(os.listdir(tmp_path / "out"))[0] == "_SUCCESS" and len(os.listdir(tmp_path / "out")) == 4
    assert sorted(column(source(session, tmp_path / "out", label).select("value"))) == sorted(texts)


def test_options_of_the_writer(session: SparkSession, tmp_path: Path) -> None:
    out = tmp_path / "out"
    frame = session.createDataFrame([("日",), (None,), ("¥",)], "value string").coalesce(1)

    def write(mode: str, **options: str) -> None:
        frame.write.format("textcodec").options(**options).mode(mode).save(str(out))

    write("append", encoding="iso-2022-jp", lineSep="\r\n")
    # Each line ends in the initial state.
    assert written(out) == [b"\x1b$BF|\x1b(B\r\n\r\n\x1b(J\\\x1b(B\r\n"]
    write("overwrite", encoding="utf-16", bom="true")
    assert written(out) == ["\ufeff日\n\n¥\n".encode("utf-16le")]
    write("append", encoding="windows-1252", errors="replace")
    assert sorted(written(out)) == [b"?\n\n\xa5\n", "\ufeff日\n\n¥\n".encode("utf-16le")]
    write("overwrite", encoding="windows-1252", errors="ignore")
    assert written(out) == [b"\n\n\xa5\n"]
    # A task that fails changes nothing, and leaves nothing.
    with pytest.raises(PySparkException, match="UnicodeEncodeError"):
        write("overwrite", encoding="windows-1252")
    assert written(out) == [b"\n\n\xa5\n"] and len(os.listdir(out)) == 2


@pytest.mark.slow
def test_a_task_that_is_repeated_writes_once(session: SparkSession, tmp_path: Path) -> None:
    def fail_once(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        yield from batches
        context = TaskContext.get()
        assert context is not None and context.attemptNumber() > 0

    frame = session.createDataFrame([("a",), ("b",)], "value string").repartition(2).mapInArrow(fail_once, "value string")
    frame.write.format("textcodec").option("encoding", "gbk").mode("append").save(str(tmp_path))
    assert sorted(b"".join(written(tmp_path)).split()) == [b"a", b"b"]
    assert [name for name in os.listdir(tmp_path) if not name.startswith("part-")] == ["_SUCCESS"]


@pytest.mark.parametrize("mode", ["overwrite", pytest.param("append", marks=pytest.mark.slow)])
def test_a_commit_that_fails_changes_nothing(session: SparkSession, tmp_path: Path, mode: str) -> None:
    (tmp_path / "old.txt").write_bytes(b"old\n")
    temporary = f"{tmp_path}/_temporary-*/part-00000-*"

    def sabotage(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        for batch in batches:
            yield batch
        if context.partitionId() == 1:
            deadline = time.monotonic() + 30
            while not (found := glob.glob(temporary)) and time.monotonic() < deadline:
                time.sleep(0.05)
            os.remove(found[0])

    frame = session.range(0, 2, 1, 2).selectExpr("cast(id AS string) AS value").mapInArrow(sabotage, "value string")
    with pytest.raises(PySparkException, match="the driver does not see the files"):
        frame.write.format("textcodec").option("encoding", "gbk").mode(mode).save(str(tmp_path))
    assert os.listdir(tmp_path) == ["old.txt"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "the option encoding is missing"),
        ({"encoding": "oops"}, "oops"),
        ({"encoding": "gbk", "mode": "FAILFAST"}, "has no option 'mode' here"),
        ({"encoding": "gbk", "errors": "null"}, "the option errors must be one of"),
        ({"encoding": "gbk", "bom": "true"}, "has no byte order mark"),
        ({"encoding": "gbk", "lineSep": ""}, "must not be empty"),
        ({"encoding": "windows-1252", "lineSep": "日"}, "can't encode"),
    ],
)
def test_wrong_options_of_the_writer(options: dict[str, str], message: str) -> None:
    with pytest.raises((ValueError, LookupError)) as caught:
        write_options(CaseInsensitiveDict({"path": "a", **options}))
    assert message in str(caught.value)


def test_save_reports_what_is_wrong(session: SparkSession, tmp_path: Path) -> None:
    frame = session.createDataFrame([("a",)], "value string")
    with pytest.raises(AnalysisException, match="oops"):
        frame.write.format("textcodec").option("encoding", "oops").mode("append").save(str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_writer_takes_one_column_of_strings(session: SparkSession, tmp_path: Path) -> None:
    for frame in session.createDataFrame([("a", "b")], "a string, b string"), session.range(1):
        with pytest.raises(AnalysisException, match="one column of strings"):
            frame.write.format("textcodec").option("encoding", "gbk").mode("append").save(str(tmp_path / "out"))


@pytest.mark.parametrize("name", ["cp037", "ibm1047", "UTF-32LE", "true-hz", "cp437"])
def test_encodings_outside_the_standard(session: SparkSession, tmp_path: Path, name: str) -> None:
    lines = [f"line {number}, \xe7" if "hz" not in name else f"line {number}, \u6c49" for number in range(300)]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "file.txt").write_bytes(textcodec.encode("\n".join(lines), name))
    reader = session.read.format("textcodec").option("encoding", name).option("splitSize", "1k")
    frame = reader.load(str(folder))
    assert sorted(row.value for row in frame.collect()) == sorted(lines)
    assert frame.rdd.getNumPartitions() == 1 if name == "true-hz" else frame.rdd.getNumPartitions() > 1
    output = tmp_path / "out"
    frame.select("value").write.format("textcodec").option("encoding", name).mode("append").save(str(output))
    again = session.read.format("textcodec").option("encoding", name).load(str(output))
    assert sorted(row.value for row in again.collect()) == sorted(lines)


def test_what_is_refused_for_encodings_outside_the_standard(session: SparkSession, tmp_path: Path) -> None:
    frame = session.createDataFrame([("a",)], "value string")
    with pytest.raises(Exception, match="UTF-32BE or UTF-32LE"):
        frame.write.format("textcodec").option("encoding", "UTF-32").mode("append").save(str(tmp_path / "out"))
    with pytest.raises(ValueError, match="cannot find the lines of IBM037"):
        textcodec.spark.read_text(session, str(tmp_path), "cp037")
