"""Runs the Python of docs/python/spark.md."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import textcodec

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = Path(__file__).parents[4] / "docs" / "python" / "spark.md"

TEXTS = {
    "shift_jis": "日本語の文字をテストします。これは十分に長い文章です。",
    "gbk": "这是一个用来测试的中文句子，它应该足够长才能被识别出来。",
    "utf-16le": "Grüße aus München, und noch etwas mehr Text.",
    "iso-2022-jp": "日本語の文字をテストします。",
}


@pytest.mark.slow
def test_mixed_files_become_parquet(session: SparkSession, tmp_path: Path) -> None:
    folder, output = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    expected = []
    generator = random.Random(1)
    for label, text in TEXTS.items():
        for number in range(2):
            lines = ["".join(text[: generator.randrange(5, len(text))]) for _ in range(50)]
            mark = "\ufeff" if label == "utf-16le" else ""
            (folder / f"{label}-{number}.txt").write_bytes(textcodec.encode(mark + "\n".join(lines), label))
            expected += lines
    # It is malformed, and found in step 3.
    with open(folder / "shift_jis-0.txt", "ab") as file:
        file.write(b"\n\xff!")
    expected.append("\ufffd!")

    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 5
    variables: dict[str, Any] = {"folder": str(folder), "output": str(output), "__name__": "__main__"}
    for block in blocks[:4]:
        exec(compile(block, str(PAGE), "exec"), variables)
    written = variables["written"]
    assert sorted(row.value for row in written.select("value").collect()) == sorted(expected)
    malformed = [(Path(row._file).name, row._corrupt) for row in written.where("_corrupt IS NOT NULL").collect()]
    assert [(name, bytes(data)) for name, data in malformed] == [("shift_jis-0.txt", b"\xff!")]
    assert variables["again"].collect()[0].value is None

    variables["frame"] = written.where("value LIKE '%中文%'")
    exec(compile(blocks[4].replace('"out"', f'"{tmp_path}/legacy"'), str(PAGE), "exec"), variables)
    assert (tmp_path / "legacy" / "_SUCCESS").exists()
