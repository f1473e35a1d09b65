"""`textcodec.detect` has the results of the program `textcodec detect`, for many texts."""

from __future__ import annotations

import json
import random
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import textcodec
from textcodec import ENCODINGS, OEM_ENCODINGS, Detection, detect

ROOT = Path(__file__).resolve().parents[4]
CASES = ROOT / "crates" / "textcodec-detect" / "tests" / "cases"

HEADS = [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"<meta charset=gbk>", b"# coding: cp850\n", b"<?xml version='1.0' encoding='koi8-r'?>"]


def unescape(literal: str) -> str:
    literal = re.sub(r"\\u\{([0-9A-Fa-f]+)\}", lambda match: chr(int(match[1], 16)), literal)
    literal = re.sub(r"\\x([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), literal)
    return literal.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t")


@cache
def inputs() -> list[bytes]:
    """The texts of the crate's test cases and the samples, in encodings that have them, some with declarations and damage."""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "samples").glob("*.utf-8.txt"))]
    for path in sorted(CASES.glob("*.rs")):
        texts += map(unescape, re.findall(r'(?<!b)"((?:[^"\\]|\\.){8,})"', path.read_text("utf-8")))
    chance = random.Random(1)
    result = [b"", bytes(200), b"\x7fELF\x02\x01\x01\0", bytes(range(256))]
    for text in texts:
        encoded: list[bytes] = []
        for encoding in chance.sample([*ENCODINGS, *OEM_ENCODINGS], 40):
            try:
                encoded.append(textcodec.encode(text, encoding))
            except UnicodeEncodeError:
                continue
        for data in encoded[:3]:
            if chance.randrange(4) == 0:
                data = chance.choice(HEADS) + data
            if chance.randrange(4) == 0:
                at = chance.randrange(len(data) + 1)
                data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
            result.append(data)
    assert len(result) > 300
    return result


def fields(found: Detection) -> dict[str, Any]:
    """Returns what the program prints."""
    candidates = [
        {
            "encoding": candidate.encoding.name,
            "probability": candidate.probability,
            "malformed": candidate.malformed,
            "complete": candidate.is_complete,
            "beyond_ascii": candidate.non_ascii,
            "unlikely": candidate.unlikely,
        }
        for candidate in found.candidates
    ]
    return {
        "encoding": None if found.confidence == "none" else found.encoding.name,
        "bom": found.evidence == "bom",
        "confidence": found.confidence,
        "probability": found.probability,
        "evidence": "guess" if found.evidence == "fallback" else found.evidence,
        "reason": found.reason,
        "bytes": found.bytes,
        "candidates": candidates,
        **({"language": found.language} if found.language else {}),
        **({"mixed_with": found.mixed_with.name} if found.mixed_with else {}),
        **({"charsets": [charset._asdict() for charset in found.charsets]} if found.charsets else {}),
    }


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--partial"], {"partial": True}),
        (["--candidates", "windows-1252,ibm850,koi8-r", "--language", "fr"], {"candidates": ["cp1252", "cp850", "koi8-r"], "languages": ["fr"]}),
    ],
)
def test_results_of_the_program(program: str, tmp_path: Path, arguments: list[str], options: dict[str, Any]) -> None:
    files = []
    for number, data in enumerate(inputs()):
        files.append(tmp_path / f"{number}")
        files[-1].write_bytes(data)
    command = [program, "detect", "--json", *arguments, *map(str, files)]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(files)
    seen = set()
    for data, line in zip(inputs(), lines, strict=True):
        del line["path"]
        found = detect(data, **options)
        assert line == fields(found), data[:100]
        seen |= {found.evidence, found.confidence}
    assert seen >= {"bom", "declaration", "structure", "guess", "none", "low", "medium", "high", "certain"}
