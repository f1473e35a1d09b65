"""Arrays that are larger than memory: `MemoryError`, and never the end of the process."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_AS and /proc")

PRELUDE = """
import resource
import pyarrow as pa
from textcodec import _native, arrow

MIB = 1 << 20
def used(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(name))
def leave(size):
    resource.setrlimit(resource.RLIMIT_AS, (used("VmSize:") + size, resource.RLIM_INFINITY))
def zeros(size):
    return pa.py_buffer(bytes(size))
# Starts the threads that there are.
arrow.decode(pa.array([b"a"]), "gbk")
"""


def run(program: str) -> str:
    result = subprocess.run([sys.executable, "-c", PRELUDE + program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


# Programs that must end with `MemoryError`: with less memory than for the keys, the bitmap, or one that the result needs.
PROGRAMS = {
    "keys of a dictionary": """
keys = pa.Array.from_buffers(pa.int64(), 8 * MIB, [None, zeros(64 * MIB)])
column = pa.DictionaryArray.from_arrays(keys, pa.array([b"a"]))
leave(32 * MIB)
arrow.decode(column, "gbk")
""",
    "bitmap of the column": """
column = pa.Array.from_buffers(pa.binary(0), 8 * 64 * MIB, [zeros(64 * MIB), zeros(0)], 8 * 64 * MIB)
leave(32 * MIB)
arrow.count_errors(column, "gbk")
""",
    "bitmap of the result": """
column = pa.Array.from_buffers(pa.binary(0), 1024 * MIB, [None, zeros(0)], 0)
labels = pa.DictionaryArray.from_arrays(pa.Array.from_buffers(pa.int8(), 1024 * MIB, [None, zeros(1024 * MIB)]), pa.array([None], "string"))
leave(4096 * MIB + 64 * MIB)
arrow.count_errors(column, labels)
""",
    "views of the next buffer": """
column = pa.array([b"a" * 40 * MIB, b"b" * 40 * MIB], pa.binary_view())
leave(40 * MIB * 7 // 2)
_native.arrow_decode(column, "utf-8", "strict", 60 * MIB)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_memory_errors(name: str) -> None:
    *before, call = PROGRAMS[name].strip().splitlines()
    lines = [*before, "try:", f"    {call}", "except MemoryError as error:", "    print(error)"]
    assert run("\n".join(lines)) == "not enough memory for the result\n"


@pytest.mark.parametrize("kind", ["binary", "large_binary", "binary_view"])
def test_reserved_memory_is_limited(kind: str) -> None:
    """A long first row says little about the others. At first, 2 GiB are reserved at most."""
    program = f"""
column = pa.array([b"a" * MIB] + [b"b"] * 4000, pa.{kind}())
before = used("VmPeak:")
assert len(arrow.decode(column, "gbk")) == 4001
print((used("VmPeak:") - before) // MIB)
"""
    assert int(run(program)) < 2500
