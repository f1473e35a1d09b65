"""Runs the Python of docs/python/spark.md, and what docs/python/mainframe.md has for Spark."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import textcodec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

README = Path(__file__).resolve().parents[2] / "README.md"
PAGE = README.parents[2] / "docs" / "python" / "spark.md"

TEXTS = {
    "shift_jis": "日本語の文字をテストします。これは十分に長い文章です。",
    "gbk": "这是一个用来测试的中文句子，它应该足够长才能被识别出来。",
    "utf-16le": "Grüße aus München, und noch etwas mehr Text.",
    "iso-2022-jp": "日本語の文字をテストします。",
}


@pytest.mark.slow
def test_mixed_files_become_parquet(session: SparkSession, working: Path, tmp_path: Path) -> None:
    folder, output = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    expected = []
    generator = random.Random(1)
    for label, text in TEXTS.items():
        for number in range(2):
            lines = ["".join(text[: generator.randrange(5, len(text))]) for _ in range(50)]
            if (label, number) == ("shift_jis", 0):
                lines *= (1 << 20) // (50 * 10)
            mark = "\ufeff" if label == "utf-16le" else ""
            (folder / f"{label}-{number}.txt").write_bytes(textcodec.encode(mark + "\n".join(lines), label))
            expected += lines
    # It is malformed, after the part that step 1 looks at, and found in step 3.
    stray = "文字コードの違う日本語".encode("euc-jp")
    with open(folder / "shift_jis-0.txt", "ab") as file:
        file.write(b"\n" + stray)
    expected.append(textcodec.decode(stray, "shift_jis", "replace"))

    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 5
    variables: dict[str, Any] = {"folder": str(folder), "output": str(output), "__name__": "__main__"}
    for block in blocks[:4]:
        exec(compile(block, str(PAGE), "exec"), variables)
    written = variables["written"]
    assert sorted(row.value for row in written.select("value").collect()) == sorted(expected)
    malformed = [(Path(row._file).name, row._corrupt) for row in written.where("_corrupt IS NOT NULL").collect()]
    assert [(name, bytes(data)) for name, data in malformed] == [("shift_jis-0.txt", stray)]
    assert [row.value for row in variables["again"].collect()] == ["文字コードの違う日本語"]

    exec(compile(blocks[4], str(PAGE), "exec"), variables)
    assert (working / "out" / "_SUCCESS").exists()

    # The limit of step 1 cuts a character, which alone would look like another encoding.
    cut = folder / "cut.txt"
    line = textcodec.encode(TEXTS["gbk"] + "\n", "gbk")
    cut.write_bytes(line * ((1 << 20) // len(line)) + textcodec.encode(TEXTS["gbk"] * 2, "gbk"))
    data = cut.read_bytes()
    ends = [end for end in range(1 << 20, (1 << 20) - 4, -1) if textcodec.detect(data[:end]).encoding.name != "GBK"]
    cut.write_bytes(b"a" * ((1 << 20) - ends[0]) + data)
    assert textcodec.detect(cut.read_bytes()[: 1 << 20]).encoding.name == "gb18030"
    assert variables["detect"](str(cut)) == ("GBK", str(cut))
    variables["folder"] = str(tmp_path / "out")
    with pytest.raises(SystemExit, match="has no .txt files"):
        exec(compile(blocks[0], str(PAGE), "exec"), variables)


def test_records_of_a_mainframe_become_parquet(session: SparkSession, tmp_path: Path) -> None:
    page = PAGE.with_name("mainframe.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page.split("\n## With Spark\n")[1].split("\n## ")[0], re.DOTALL)
    names = [f"José {number}" for number in range(1000)]
    records = [f"{number:06}{name:24}{'Zürich':20}{'':30}".encode("cp037") for number, name in enumerate(names)]
    path, output = tmp_path / "customers.dat", tmp_path / "out"
    path.write_bytes(b"".join(records))
    variables: dict[str, Any] = {"session": session, "path": str(path), "output": str(output), "__name__": "__main__"}
    exec(compile(code, str(PAGE), "exec"), variables)
    rows = session.read.parquet(str(output)).sort("number").collect()
    assert [(row.number, row.name, row.city) for row in rows] == [(number, name, "Zürich") for number, name in enumerate(names)]
    assert bytes(rows[0].balance) == b"\x40" * 5
    # As the page says, Spark refuses a record that is cut off.
    path.write_bytes(b"".join(records)[:-1])
    with pytest.raises(Exception, match="(?i)partial record|job aborted|task"):
        exec(compile(code, str(PAGE), "exec"), variables)


def test_the_readme_writes_parquet(session: SparkSession, working: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(working)
    (working / "logs").mkdir()
    for label, text in TEXTS.items():
        mark = "\ufeff" if label == "utf-16le" else ""
        (working / "logs" / f"{label}.txt").write_bytes(textcodec.encode(mark + text + "\n" + text, label))
    section = README.read_text("utf-8").split("\n## Spark\n")[1]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    exec(compile(blocks[0], str(README), "exec"), {"spark": session})
    rows = session.read.parquet("lines").collect()
    assert sorted((Path(row._file).stem, row.value) for row in rows) == sorted(list(TEXTS.items()) * 2)
