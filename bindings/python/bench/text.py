"""Compares the codecs with CPython's of the same name: `python bench/text.py --corpus DIR`.

Each cell first compares the results, then times both in turn, and reports the ratio of the medians of CPU time: above 1, this
package is faster. Only characters that both codecs map to the same bytes are in the texts.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import textcodec

SIZES = {"100 B": 100, "4 KiB": 4 << 10, "1 MiB": 1 << 20}

# Group, label, CPython's codec, text.
CODECS = [
    ("single-byte", "windows-1251", "cp1251", "ru"),
    ("single-byte", "koi8-r", "koi8_r", "ru"),
    ("single-byte", "iso-8859-5", "iso8859_5", "ru"),
    ("single-byte", "windows-1252", "cp1252", "de"),
    ("single-byte", "windows-1252", "cp1252", "en"),
    ("single-byte", "windows-1253", "cp1253", "el"),
    ("single-byte", "windows-1256", "cp1256", "ar"),
    ("double-byte", "shift_jis", "shift_jis", "ja"),
    ("double-byte", "shift_jis", "cp932", "ja"),
    ("double-byte", "euc-jp", "euc_jp", "ja"),
    ("double-byte", "iso-2022-jp", "iso2022_jp", "ja"),
    ("double-byte", "gbk", "gbk", "zh_cn"),
    ("double-byte", "gb18030", "gb18030", "zh_cn"),
    ("double-byte", "gb18030", "gb18030", "emoji"),
    ("double-byte", "gb18030", "gb18030", "mixed"),
    ("double-byte", "gb18030", "gb18030", "ru"),
    ("double-byte", "big5", "big5", "zh_tw"),
    ("double-byte", "euc-kr", "euc_kr", "ko"),
    ("double-byte", "euc-kr", "cp949", "ko"),
    *(("UTF-8", "utf-8", "utf_8", text) for text in ["en", "de", "latin-1", "ru", "ar", "ja", "zh_cn", "ko", "emoji", "mixed"]),
    ("UTF-16", "utf-16le", "utf_16_le", "ru"),
    ("UTF-16", "utf-16le", "utf_16_le", "ja"),
    ("UTF-16", "utf-16be", "utf_16_be", "ja"),
    ("UTF-16", "utf-16le", "utf_16_le", "mixed"),
]


def texts(folder: Path) -> dict[str, str]:
    names = ["en", "de", "ru", "ar", "el", "ja", "zh_cn", "zh_tw", "ko"]
    found = {name: (folder / f"{name}.txt").read_text("utf-8") for name in names}
    # The texts in English and German have a few characters, such as quotation marks, that are not Latin-1.
    found["latin-1"] = found["de"].encode("latin-1", "ignore").decode("latin-1")
    found["emoji"] = "".join(chr(0x1F300 + i % 0x200) for i in range(1 << 18))
    # A character of plane 1 in each sentence, so that strings have four bytes a character.
    found["mixed"] = "\U0001f600\u3002".join(found["zh_cn"].split("\u3002"))
    return found


def generated() -> dict[str, str]:
    """Makes texts without a corpus: the characters of a script in turn."""
    scripts = {
        "en": range(0x20, 0x7F),
        "de": range(0x20, 0x100),
        "latin-1": range(0x20, 0x100),
        "ru": range(0x400, 0x460),
        "ar": range(0x620, 0x650),
        "el": range(0x386, 0x3CF),
        "ja": range(0x3040, 0x4F00),
        "zh_cn": range(0x4E00, 0x9000),
        "zh_tw": range(0x4E00, 0x9000),
        "ko": range(0xAC00, 0xD7A0),
        "emoji": range(0x1F300, 0x1F500),
        "mixed": [0x4E2D, 0x1F600, 0x41],
    }
    return {name: "".join(map(chr, script)) for name, script in scripts.items()}


def common(text: str, label: str, python: str) -> str:
    """Removes the characters that the two codecs map differently."""

    def same(character: str) -> bool:
        try:
            data = character.encode(python)
            return character.encode("whatwg-" + label) == data and data.decode("whatwg-" + label) == character
        except UnicodeError:
            return False

    bad = {ord(character): None for character in set(text) if not same(character)}
    return text.translate(bad)


def cut(text: str, python: str, size: int) -> str:
    """Returns a part of the text that has about `size` bytes."""
    while len(text.encode(python)) < size:
        text += text
    low, high = 0, min(len(text), size)
    while low < high:
        middle = (low + high + 1) // 2
        if len(text[:middle].encode(python)) <= size:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def ratio(ours: Callable[[], object], theirs: Callable[[], object], passes: int) -> tuple[float, float, float]:
    """Returns the times in ns of both, and how many times as fast the first is."""
    loops = 1
    while True:
        start = time.thread_time_ns()
        for _ in range(loops):
            theirs()
        if time.thread_time_ns() - start > 2_000_000 or loops >= 1 << 16:
            break
        loops *= 2
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(passes):
        for function, into in zip((ours, theirs), times):
            start = time.thread_time_ns()
            for _ in range(loops):
                function()
            into.append((time.thread_time_ns() - start) / loops)
    a, b = (statistics.median(values) for values in times)
    return a, b, b / a


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--corpus", type=Path, help="a folder with UTF-8 texts: ja.txt, ru.txt, …")
    source.add_argument("--smoke", action="store_true", help="only compare the results, of generated texts")
    parser.add_argument("--passes", type=int, default=15)
    parser.add_argument("--cells", action="store_true", help="print every cell")
    parser.add_argument("--only", default="", help="only cells whose name contains this")
    arguments = parser.parse_args()
    found = generated() if arguments.smoke else texts(arguments.corpus)
    rows: dict[tuple[str, str], dict[str, list[float]]] = {}
    for group, label, python, name in CODECS:
        text = common(found[name], label, python)
        for size_name, size in SIZES.items():
            piece = cut(text, python, size)
            data, codec = piece.encode(python), "whatwg-" + label
            assert piece.encode(codec) == data and data.decode(codec) == data.decode(python) == piece
            if arguments.smoke:
                continue
            for direction, ours, theirs in [
                ("decode", lambda: data.decode(codec), lambda: data.decode(python)),
                ("encode", lambda: piece.encode(codec), lambda: piece.encode(python)),
            ]:
                cell = f"{direction} {label} {python} {name} {size_name}"
                if arguments.only not in cell:
                    continue
                a, b, times = ratio(ours, theirs, arguments.passes)
                rows.setdefault((direction, group), {}).setdefault(size_name, []).append(times)
                if arguments.cells or times < 0.95:
                    print(f"{cell}: {a:.0f} ns, CPython {b:.0f} ns, {times:.2f}")
    if arguments.smoke:
        print("the codecs agree with CPython's on the characters that both map alike")
        return
    print(f"\nCPython {sys.version.split()[0]}, textcodec {textcodec.__version__}\n")
    print("| | " + " | ".join(SIZES) + " |\n|---|" + "---:|" * len(SIZES))
    for (direction, group), sizes in rows.items():
        means = [math.exp(statistics.fmean(map(math.log, sizes[size]))) if size in sizes else 0 for size in SIZES]
        print(f"| {direction} {group} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")


if __name__ == "__main__":
    main()
