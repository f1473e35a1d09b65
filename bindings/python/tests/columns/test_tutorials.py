"""Runs the tutorials in `docs/python`: each block of Python, and the values that its comments after `print` promise."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[4] / "docs" / "python"


@pytest.mark.parametrize("page", ["pandas", "polars"])
def test_tutorial(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = DOCS / f"{page}.md"
    if not file.exists():
        pytest.skip("SKIPPED: the tutorials are not part of the source distribution")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", file.read_text("utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    code = "\n".join(blocks)
    expected = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(code, str(file), "exec"), {})
    assert expected
    assert output.getvalue().splitlines() == expected
