"""Compares `textcodec.webencodings` with the package `webencodings`, on texts of 100 bytes: `python bench/web.py --corpus DIR`.

Needs webencodings. Each cell first compares the results, then times both in turn, and reports the ratio of the medians of CPU time:
above 1, this package is faster.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import text
import webencodings

import textcodec.webencodings as ours

SIZE = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, help="a folder with UTF-8 texts: ja.txt, ru.txt, …")
    options = parser.parse_args()
    found = text.texts(options.corpus)
    print(f"CPython {sys.version.split()[0]}, webencodings {webencodings.VERSION}\n")
    print("| | text | decode | encode |\n|---|---|---:|---:|")
    ratios: tuple[list[float], list[float]] = ([], [])
    # Of the encodings with several codecs, the first, which is the one that webencodings uses.
    cells = {label: (python, name) for _, label, python, name in reversed(text.CODECS)}
    for label, (python, name) in reversed(cells.items()):
        piece = text.cut(text.common(found[name], label, python), python, SIZE)
        data = piece.encode(python)
        assert ours.decode(data, label)[0] == webencodings.decode(data, label)[0] == piece
        assert ours.encode(piece, label) == webencodings.encode(piece, label) == data
        _, _, decoding = text.ratio(lambda: ours.decode(data, label), lambda: webencodings.decode(data, label), 25)
        _, _, encoding = text.ratio(lambda: ours.encode(piece, label), lambda: webencodings.encode(piece, label), 25)
        ratios[0].append(decoding)
        ratios[1].append(encoding)
        print(f"| {label} | {name} | {decoding:.2f} | {encoding:.2f} |", flush=True)
    print(f"| geometric mean | | {statistics.geometric_mean(ratios[0]):.2f} | {statistics.geometric_mean(ratios[1]):.2f} |")


if __name__ == "__main__":
    main()
