"""Compares decoding of malformed input with CPython's codecs, 1 MiB each: `python bench/malformed.py --corpus DIR`.

Each cell first compares the result, with CPython's for UTF-8 and with that of the registered handler for the other encodings, whose
tables differ. Then it times both in turn, and reports the ratio of the medians of CPU time: above 1, this package is faster.
"""

from __future__ import annotations

import argparse
import codecs
import random
import sys
from pathlib import Path

import text

import textcodec

SIZE = 1 << 20
HANDLERS = ["replace", "ignore", "backslashreplace", "surrogateescape"]
LEGACY = [
    ("shift_jis", "cp932"),
    ("euc-kr", "cp949"),
    ("gbk", "gbk"),
    ("big5", "big5"),
    ("windows-1253", "cp1253"),
    ("utf-16le", "utf_16_le"),
]


def inputs(folder: Path) -> list[tuple[str, str, str, bytes]]:
    """Returns the name, the label, CPython's codec and the bytes of each input."""
    found = text.texts(folder)
    noise = random.Random(1).randbytes(SIZE)
    utf_8 = {
        "all malformed": b"\xff" * SIZE,
        "every second byte": b"\xffa" * (SIZE // 2),
        "German in ISO-8859-1": text.cut(found["latin-1"], "latin-1", SIZE).encode("latin-1"),
        "characters cut off": "日本".encode()[:5] * (SIZE // 5),
        "random": noise,
    }
    cells = [(name, "utf-8", "utf_8", data) for name, data in utf_8.items()]
    cells += [("random", label, python, noise) for label, python in LEGACY]
    return [*cells, ("all malformed", "shift_jis", "cp932", b"\xff" * SIZE)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, required=True, help="a folder with UTF-8 texts: ja.txt, ru.txt, …")
    arguments = parser.parse_args()
    print(f"CPython {sys.version.split()[0]}, textcodec {textcodec.__version__}\n")
    print("| | input | " + " | ".join(HANDLERS) + " |\n|---|---|" + "---:|" * len(HANDLERS))
    for name, label, python, data in inputs(arguments.corpus):
        codec, row = "whatwg-" + label, []
        for handler in HANDLERS:
            # CPython's handler does not escape in UTF-16.
            if (handler, label) == ("surrogateescape", "utf-16le"):
                row.append("–")
                continue
            codecs.register_error("bench.called", codecs.lookup_error(handler))
            expected = data.decode(python, handler) if label == "utf-8" else data.decode(codec, "bench.called")
            assert data.decode(codec, handler) == expected
            _, _, times = text.ratio(lambda: data.decode(codec, handler), lambda: data.decode(python, handler), 9)
            row.append(f"{times:.2f}")
        print(f"| {label} | {name} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
