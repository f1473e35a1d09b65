"""Times reading a CSV file in Shift_JIS, with each reader's own way and through `textcodec.Utf8Reader`.

    python bench/tables.py --corpus DIR

DIR has ja.txt in UTF-8, from which a file of 52 MiB is made: a number, three short texts and a sentence in each row. Needs pyarrow,
polars and pandas. All ways first give equal tables; then they run in turns. Prints medians of the elapsed time: pyarrow and polars
parse with all cores.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pyarrow.csv

from textcodec import Utf8Reader

NAMES = ["number", "first", "second", "third", "sentence"]


def write(corpus: Path, path: Path, size: int) -> None:
    """Writes rows until the file has `size` bytes."""
    text = (corpus / "ja.txt").read_text("utf-8").encode("cp932", "ignore").decode("cp932")
    # Characters that CPython's codec and the standard's map alike, and no quotes.
    text = "".join(
        character
        for character in text
        if character not in ',"\r' and character.encode("cp932").decode("whatwg-shift_jis") == character
    )
    lines = [line for line in text.split("\n") if len(line) > 40]
    with path.open("wb") as file:
        file.write(",".join(NAMES).encode() + b"\n")
        for number, line in enumerate(itertools.cycle(lines)):
            if file.tell() >= size:
                break
            row = [str(number), line[:4], line[4:10], line[10:18], line[18:60]]
            file.write(",".join(row).encode("cp932") + b"\n")


def ways(path: Path) -> dict[str, dict[str, Callable[[], Any]]]:
    """Returns the ways of each reader; the first is its own."""

    def pyarrow_with(encoding: str) -> Any:
        return pyarrow.csv.read_csv(path, read_options=pyarrow.csv.ReadOptions(encoding=encoding))

    def pandas_with(encoding: str) -> Any:
        return pandas.read_csv(path, encoding=encoding)

    return {
        "pyarrow": {
            'encoding="cp932"': lambda: pyarrow_with("cp932"),
            'encoding="whatwg-shift_jis"': lambda: pyarrow_with("whatwg-shift_jis"),
            "Utf8Reader": lambda: pyarrow.csv.read_csv(Utf8Reader(path, "shift_jis")),
        },
        "polars": {
            'encoding="cp932"': lambda: polars.read_csv(path, encoding="cp932"),
            "Utf8Reader": lambda: polars.read_csv(Utf8Reader(path, "shift_jis")),
            "Utf8Reader, scan_csv": lambda: polars.scan_csv(Utf8Reader(path, "shift_jis")).collect(),
        },
        "pandas": {
            'encoding="cp932"': lambda: pandas_with("cp932"),
            'encoding="whatwg-shift_jis"': lambda: pandas_with("whatwg-shift_jis"),
            "Utf8Reader": lambda: pandas.read_csv(Utf8Reader(path, "shift_jis")),
        },
    }


def elapsed(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder with ja.txt")
    parser.add_argument("--size", type=int, default=52, help="of the file, in MiB")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write(options.corpus, path, options.size << 20)
        versions = ", ".join(f"{module.__name__} {module.__version__}" for module in (pyarrow, polars, pandas))
        print(f"Python {sys.version.split()[0]}, {versions}, {options.size} MiB\n")
        print("| reader | way | ms | × its own way |\n|---|---|---:|---:|")
        for reader, functions in ways(path).items():
            own, *others = (function() for function in functions.values())
            assert all(own.equals(other) for other in others), reader
            times: dict[str, list[float]] = {way: [] for way in functions}
            for _ in range(options.rounds):
                for way, function in functions.items():
                    times[way].append(elapsed(function))
            medians = {way: statistics.median(values) for way, values in times.items()}
            first = next(iter(medians.values()))
            for way, median in medians.items():
                print(f"| {reader} | {way} | {median * 1e3:.0f} | {first / median:.2f} |", flush=True)


if __name__ == "__main__":
    main()
