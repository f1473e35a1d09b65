"""Compares `textcodec.arrow.decode` with what people write today. Prints a table in Markdown.

    python bench/arrow.py --corpus DIR

DIR has plain text in UTF-8: ru.txt, ja.txt, zh_cn.txt and ko.txt. Needs pyarrow and pandas.

Each cell is a ratio of medians: how many times faster `decode` is. All functions first return equal results; then they run in
turns, so that a slow moment of the machine meets all of them.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import statistics
import sys
import time
from collections.abc import Callable

import pandas
import pyarrow

import textcodec
from textcodec import arrow

# The label, CPython's codec of the same encoding, and the text.
ENCODINGS = [
    ("windows-1251", "cp1251", "ru"),
    ("shift_jis", "cp932", "ja"),
    ("gbk", "gbk", "zh_cn"),
    ("euc-kr", "cp949", "ko"),
    ("utf-8", "utf-8", "ru"),
]
LENGTHS = [10, 400]


def rows(text: str, label: str, codec: str, length: int, total: int) -> list[bytes]:
    """Returns rows of `length` characters, `total` characters together, in which both codecs agree."""
    known: dict[str, bool] = {}
    kept = []
    for character in text:
        if character not in known:
            known[character] = agrees(character, label, codec)
        if known[character]:
            kept.append(character)
    text = "".join(kept)
    parts = [text[at : at + length].encode(codec) for at in range(0, len(text) - length, length)]
    count = total // length
    return (parts * (count // len(parts) + 1))[:count]


def agrees(character: str, label: str, codec: str) -> bool:
    try:
        data = character.encode(codec)
        column = pyarrow.array([data])
        return data.decode(codec) == character and arrow.decode(column, label).to_pylist() == [character]
    except UnicodeError:
        return False


def measure(functions: list[Callable[[], object]], rounds: int) -> list[float]:
    """Returns the median time of each function in seconds."""
    times: list[list[float]] = [[] for _ in functions]
    gc.disable()
    for _ in range(rounds):
        for function, list_of_times in zip(functions, times):
            start = time.perf_counter()
            result = function()
            list_of_times.append(time.perf_counter() - start)
            del result
        gc.collect()
    gc.enable()
    return [statistics.median(list_of_times) for list_of_times in times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, required=True, help="a folder with ru.txt, ja.txt, zh_cn.txt, ko.txt")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--characters", type=int, default=2_000_000, help="of each column")
    options = parser.parse_args()

    version = sys.version.split()[0]
    print(f"Python {version}, pyarrow {pyarrow.__version__}, pandas {pandas.__version__}, {options.characters} characters a column\n")
    print("| encoding | characters a row | ns a row | GB/s | × list of `bytes.decode` | × pandas `str.decode` |")
    print("|---|---:|---:|---:|---:|---:|")
    ratios: dict[int, tuple[list[float], list[float]]] = {length: ([], []) for length in LENGTHS}
    for label, codec, file in ENCODINGS:
        text = (options.corpus / f"{file}.txt").read_text(encoding="utf-8")
        for length in LENGTHS:
            data = rows(text, label, codec, length, options.characters)
            column = pyarrow.array(data, pyarrow.binary())
            objects = pandas.Series(data, dtype=object)
            series = pandas.Series(pandas.arrays.ArrowExtensionArray(column))
            encoding = textcodec.get_encoding(label)

            def ours() -> pyarrow.Array:
                return arrow.decode(column, encoding)

            def as_list() -> pyarrow.Array:
                return pyarrow.array([value.decode(codec) for value in column.to_pylist()], pyarrow.string())

            def ours_pandas() -> pandas.Series:
                return arrow.decode(series, encoding)

            def with_pandas() -> pandas.Series:
                return objects.str.decode(codec)

            assert ours().equals(as_list()), label
            assert ours_pandas().to_list() == with_pandas().to_list(), label
            fast, slow, fast_pandas, slow_pandas = measure([ours, as_list, ours_pandas, with_pandas], options.rounds)
            size = sum(map(len, data))
            ratios[length][0].append(slow / fast)
            ratios[length][1].append(slow_pandas / fast_pandas)
            print(
                f"| {label} | {length} | {fast / len(data) * 1e9:.1f} | {size / fast / 1e9:.2f} "
                f"| {slow / fast:.1f} | {slow_pandas / fast_pandas:.1f} |",
                flush=True,
            )
    for length, (lists, pandas_) in ratios.items():
        print(f"| geometric mean | {length} | | | {statistics.geometric_mean(lists):.1f} | {statistics.geometric_mean(pandas_):.1f} |")


if __name__ == "__main__":
    main()
