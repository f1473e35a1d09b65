"""`python -m textcodec`."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import textcodec

BLOCK = 1 << 20


def program(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "textcodec", *map(str, arguments)]
    return subprocess.run(command, input=data, capture_output=True, check=False)


def convert(*arguments: str | Path, data: bytes = b"") -> bytes:
    done = program("convert", *arguments, data=data)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def failure(*arguments: str | Path, data: bytes = b"") -> str:
    done = program("convert", *arguments, data=data)
    assert done.returncode == 1
    message = done.stderr.decode()
    assert message.startswith("textcodec: ")
    assert "Traceback" not in message
    return message


def test_conversion_of_files_and_standard_input(tmp_path: Path) -> None:
    for name, text in {"a": "漢字\n", "b": "かな\n"}.items():
        (tmp_path / name).write_bytes(text.encode("whatwg-shift_jis"))
    assert convert("-f", "sjis", tmp_path / "a", tmp_path / "b").decode() == "漢字\nかな\n"
    assert convert("-f", "sjis", "-t", "euc-jp", tmp_path / "a") == "漢字\n".encode("whatwg-euc-jp")
    assert convert("-f", "koi8-r", data="да".encode("koi8-r")).decode() == "да"
    # Standard input ends once.
    assert convert("-f", "koi8-r", "-", "-", data="да".encode("koi8-r")).decode() == "да"
    assert convert("-f", "utf-8", "-e", "replace", data=b"a\xff").decode() == "a\ufffd"
    long = "漢字" * BLOCK
    assert convert("-f", "sjis", data=long.encode("whatwg-shift_jis")).decode() == long


@pytest.mark.parametrize("at", [1, BLOCK - 1, BLOCK, 3 * BLOCK - 1])
def test_the_encoding_of_a_file_is_detected_where_it_is_not_ascii(tmp_path: Path, at: int) -> None:
    text = "a" * at + "é, or not"
    (tmp_path / "text").write_bytes(text.encode())
    assert convert(tmp_path / "text").decode() == text
    if at < BLOCK:
        assert convert(data=text.encode()).decode() == text


def test_a_declaration_is_found_before_other_bytes(tmp_path: Path) -> None:
    page = '<meta charset="windows-1251">' + " " * BLOCK + "да"
    (tmp_path / "page").write_bytes(page.encode("cp1251"))
    assert convert(tmp_path / "page").decode() == page


def test_the_start_of_a_text_is_detected() -> None:
    start = ("a" * 100 + "é").encode()[:-1]
    assert textcodec.detect(start, partial=True).encoding.name == "UTF-8"
    assert textcodec.detect(start).encoding.name != "UTF-8"


def test_the_output_replaces_a_file_at_the_end(tmp_path: Path) -> None:
    output, link = tmp_path / "output", tmp_path / "link"
    output.write_text("earlier")
    output.chmod(0o640)
    link.symlink_to(output)
    failure("-f", "utf-8", "-o", link, data=b"a\xff")
    assert output.read_text() == "earlier"
    convert("-f", "utf-8", "-o", link, data=b"later")
    assert (output.read_text(), link.is_symlink(), output.stat().st_mode & 0o777) == ("later", True, 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "output"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="SKIPPED: no named pipes")
def test_the_output_may_be_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    convert("-f", "utf-8", "-o", pipe, data=b"text")
    reader.join(30)
    assert read == [b"text"]
    assert pipe.is_fifo()


def test_errors_name_the_file_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(b"a")
    (tmp_path / "bad").write_bytes(b"a" * (2 * BLOCK) + b"\xff")
    message = failure("-f", "utf-8", tmp_path / "good", tmp_path / "bad")
    assert f"{tmp_path / 'bad'}: " in message
    # Exceptions have notes from Python 3.11 on.
    assert f"at byte {2 * BLOCK} of the file" in message or sys.version_info < (3, 11)
    assert str(tmp_path / "missing") in failure("-f", "utf-8", tmp_path / "missing")
    assert "shift-jis" in failure("-f", "shift-jsi", data=b"a")
    assert "-: " in failure("-f", "utf-8", "-e", "xmlcharrefreplace", data=b"\xff")
    assert "surrogateescape" in failure("-f", "utf-8", "-e", "surrogateescape", data=b"\xff")
    assert "-: 'windows-1252' codec can't encode character '\\u6f22'" in failure("-f", "utf-8", "-t", "windows-1252", data="漢".encode())


def test_detection_and_the_list_of_encodings(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("日本".encode())
    done = program("detect", tmp_path / "text", "-", data=b"\xef\xbb\xbfa")
    first, second = done.stdout.decode().splitlines()
    assert first.startswith(f"{tmp_path / 'text'}: UTF-8 (")
    assert second == "-: UTF-8 (certain: bom)"
    assert "Shift_JIS: csshiftjis, ms932" in program("encodings").stdout.decode()


def test_detection_continues_after_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("日本".encode())
    (tmp_path / "b").write_bytes(b"\xfe\xff\0a")
    done = program("detect", tmp_path / "a", tmp_path / "missing", tmp_path, tmp_path / "b")
    assert [line.split(" (")[0] for line in done.stdout.decode().splitlines()] == [f"{tmp_path / 'a'}: UTF-8", f"{tmp_path / 'b'}: UTF-16BE"]
    missing, folder = done.stderr.decode().splitlines()
    assert missing.startswith("textcodec: ") and str(tmp_path / "missing") in missing
    assert folder.startswith("textcodec: ") and str(tmp_path) in folder
    assert done.returncode == 1
