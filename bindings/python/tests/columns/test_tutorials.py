"""Runs the tutorials in `docs/python` and the README, each as a program: its blocks of Python, and the values that comments after
`print` promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2]
DOCS = PACKAGE.parents[1] / "docs" / "python"


def run(code: str, folder: Path) -> str:
    """Runs a program, and returns its output."""
    (folder / "page.py").write_text(code, "utf-8")
    command = [sys.executable, "-X", "utf8", "page.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def blocks(text: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))


@pytest.mark.parametrize("page", ["pandas", "polars", "mainframe", "detection"])
def test_tutorial(page: str, tmp_path: Path) -> None:
    file = DOCS / f"{page}.md"
    if not file.exists():
        pytest.skip("SKIPPED: the tutorials are not part of the source distribution")
    # The tests of Spark run that section.
    code = blocks(re.sub(r"\n## With Spark\n.*?(?=\n## )", "", file.read_text("utf-8"), flags=re.DOTALL))
    expected = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
    assert len(expected) >= 3
    assert run(code, tmp_path).splitlines() == expected


@pytest.mark.parametrize(
    ("door", "result", "expected"),
    [
        ("Text", 'table.to_dict("list")', {"店": ["髙島屋"], "品": [1]}),
        ("Detection", "[text, name, found.encoding.name, found.confidence]", ["你\n你\n", "CP932", "Shift_JIS", "low"]),
        ("Columns", 'frame["name"].to_list()', ["你好", None]),
    ],
)
def test_readme(door: str, result: str, expected: object, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_bytes("店,品\n髙島屋,1\n".encode("cp932"))
    section = (PACKAGE / "README.md").read_text("utf-8").split(f"\n## {door}\n")[1].split("\n## ")[0]
    assert run(f"{blocks(section)}\nprint({result})", tmp_path) == f"{expected}\n"
