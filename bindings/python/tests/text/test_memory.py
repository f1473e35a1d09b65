"""Every entry point with too little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ENTRY_POINTS = Path(__file__).resolve().parents[1] / "entry_points.py"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="SKIPPED: limits of memory are tested on Linux")


def unexpected(kind: str, every: int) -> list[str]:
    """Returns what has happened other than a result or a `MemoryError`."""
    command = [sys.executable, str(ENTRY_POINTS), kind, str(every)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *lines, summary = done.stdout.splitlines()
    counts = json.loads(summary)
    # The limits are real: of all calls, some fail and some do not.
    assert min(counts["memory"], counts["returned"]) > counts["calls"] / 10
    return lines


def test_too_little_memory_is_an_error() -> None:
    assert unexpected("text", 29) == []


@pytest.mark.slow
def test_too_little_memory_for_any_entry_point() -> None:
    assert unexpected("text", 1) == []
