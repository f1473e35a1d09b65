"""Columns with too little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ENTRY_POINTS = Path(__file__).resolve().parents[1] / "entry_points.py"


@pytest.mark.skipif(sys.platform != "linux", reason="SKIPPED: limits of memory are tested on Linux")
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_too_little_memory_is_an_error(every: int) -> None:
    done = subprocess.run([sys.executable, str(ENTRY_POINTS), "columns", str(every)], capture_output=True, text=True, check=True)
    *unexpected, summary = done.stdout.splitlines()
    assert unexpected == []
    assert json.loads(summary)["memory"] > json.loads(summary)["calls"] / 10
