"""Runs the recipes of docs/python/recipes.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pyarrow = pytest.importorskip("pyarrow", reason="SKIPPED: pyarrow is not installed")

RECIPES = Path(__file__).parents[4] / "docs" / "python" / "recipes.md"
LINES = 50_000


@pytest.fixture
def folder(tmp_path: Path) -> str:
    import pyarrow.parquet

    bodies = [b"\x93\xfa", b"\xe4", None, b"\xff"]
    charsets = ["shift_jis", "windows-1252", "gbk", "utf-8"]
    table = pyarrow.table({"body": pyarrow.array(bodies, "binary"), "charset": charsets})
    pyarrow.parquet.write_table(table, tmp_path / "messages.parquet")
    (tmp_path / "large.txt").write_bytes(b"".join(b"\x93\xfa%d\n" % number for number in range(LINES)))
    return str(tmp_path)


def run(name: str, folder: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Runs a block, and returns what it prints. Parts are small, so that there are some."""
    blocks = re.findall(rf"```python\n# {name}\n(.*?)```", RECIPES.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 1
    code = blocks[0].replace("64 << 20", "64 << 10")
    assert "lines" not in name or code != blocks[0]
    capsys.readouterr()
    variables: dict[str, Any] = {"folder": folder, "__name__": "__main__"}
    exec(compile(code, f"{RECIPES}: {name}", "exec"), variables)
    return capsys.readouterr().out


def texts(folder: str) -> list[str | None]:
    import pyarrow.parquet

    found: list[str | None] = pyarrow.parquet.read_table(folder)["text"].to_pylist()
    return found


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    library = pytest.importorskip("ray", reason="SKIPPED: ray is not installed")
    library.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    library.data.DataContext.get_current().enable_progress_bars = False
    yield
    library.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_ray(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    run("ray: column", folder, capsys)
    assert texts(f"{folder}/ray") == ["日", "ä", None, "\ufffd"]
    assert run("ray: lines", folder, capsys).split()[-1] == str(LINES)


def test_dask(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("dask.dataframe", reason="SKIPPED: dask is not installed")
    run("dask: column", folder, capsys)
    assert texts(f"{folder}/dask") == ["日", "ä", None, "\ufffd"]
    assert run("dask: lines", folder, capsys).split()[-1] == str(LINES)
