"""Converts and detects encodings: `python -m textcodec`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import textcodec
from textcodec._native import Codec, Transcoder

_BLOCK = 1 << 20


class _Progress:
    """Shows on a terminal how far a long conversion is."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._start = self._next = time.monotonic()
        self._shown = False

    def add(self, count: int) -> None:
        self._done += count
        now = time.monotonic()
        # Short conversions show nothing.
        if now < self._next + (0.2 if self._shown else 1) or not sys.stderr.isatty():
            return
        self._next, self._shown = now, True
        rate = self._done / (now - self._start) / 1e6
        part = f"{100 * self._done / self._total:5.1f} %, " if self._total else ""
        print(f"\r{part}{self._done / 1e6:,.0f} MB, {rate:,.0f} MB/s ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print(file=sys.stderr)


def _size(file: IO[bytes]) -> int | None:
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


@contextmanager
def _output(path: Path | None) -> Iterator[IO[bytes]]:
    """Opens a file that replaces `path` when all is written, a pipe or a device, or standard output."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    # The file that a link leads to is replaced, and not the link.
    path = path.resolve()
    if path.exists() and not path.is_file():
        # A pipe, or a device.
        with path.open("wb") as file:
            yield file
        return
    descriptor, name = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            yield file
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def _input(name: str) -> Iterator[IO[bytes]]:
    """Opens a file, or standard input. Adds the name to errors."""
    try:
        if name == "-":
            yield sys.stdin.buffer
        else:
            with open(name, "rb") as file:
                yield file
    except BrokenPipeError:
        raise
    except (OSError, ValueError, TypeError) as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        text = f"{error}{f' ({notes})' if notes else ''}"
        # The errors of opening a file have its name.
        raise _Failure(text if getattr(error, "filename", None) else f"{name}: {text}") from error


class _Failure(Exception):
    """An error with the name of a file."""


def _guess(file: IO[bytes], start: bytes) -> textcodec.Encoding:
    """Detects an encoding from `start`. If that is all ASCII, uses the first block that is not, if the file can be read twice."""
    found = textcodec.detect(start, partial=len(start) == _BLOCK)
    if not start.isascii() or found.evidence == "declaration" or not file.seekable():
        return found.encoding
    position = file.tell()
    while block := file.read(_BLOCK):
        if not block.isascii():
            found = textcodec.detect(block, partial=len(block) == _BLOCK)
            break
    file.seek(position)
    return found.encoding


def _convert(arguments: argparse.Namespace) -> int:
    source = textcodec.get_encoding(arguments.source, aliases=True) if arguments.source else None
    target = textcodec.get_encoding(arguments.target, aliases=True)
    with _output(arguments.output) as output:
        for name in arguments.files or ["-"]:
            with _input(name) as file:
                start, used = file.read(_BLOCK), source
                if used is None:
                    used = _guess(file, start)
                progress = _Progress(_size(file))
                to_utf8 = Transcoder(used, arguments.errors, "sniff")
                decoder = Codec("utf-8", False).incremental_decoder()
                encoder = Codec(target, False).incremental_encoder(arguments.errors)
                block = start
                while True:
                    data = to_utf8.transcode(block, not block)
                    if target.name != "UTF-8":
                        data = encoder.encode(decoder.decode(data, not block), not block)
                    output.write(data)
                    progress.add(len(block))
                    if not block:
                        break
                    block = file.read(_BLOCK)
                progress.end()
    return 0


def _detect(arguments: argparse.Namespace) -> int:
    status = 0
    for name in arguments.files or ["-"]:
        try:
            with _input(name) as file:
                found = textcodec.detect(file.read(), tld=arguments.tld)
        except _Failure as failure:
            # The other files are examined all the same.
            status = _report(failure)
            continue
        print(f"{name}: {found.encoding.name} ({found.confidence}: {found.evidence})")
    return status


def _encodings(arguments: argparse.Namespace) -> int:
    for encoding in textcodec.ENCODINGS:
        print(f"{encoding.name}: {', '.join(encoding.labels)}")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the program. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m textcodec", description=__doc__)
    parser.add_argument("--version", action="version", version=f"textcodec {textcodec.__version__}")
    commands = parser.add_subparsers(required=True)
    convert = commands.add_parser("convert", help="convert files to another encoding")
    convert.add_argument("-f", "--from", dest="source", metavar="LABEL", help="the files' encoding; default: detected in 1 MiB of each")
    convert.add_argument("-t", "--to", dest="target", metavar="LABEL", default="utf-8", help="default: utf-8")
    convert.add_argument("-e", "--errors", default="strict", help="an error handler: strict, replace, ignore, …")
    convert.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: standard output")
    convert.add_argument("files", nargs="*", metavar="FILE", help="default: standard input")
    convert.set_defaults(run=_convert)
    detect = commands.add_parser("detect", help="detect the encoding of files")
    detect.add_argument("--tld", help="the top-level domain that they are from")
    detect.add_argument("files", nargs="*", metavar="FILE", help="default: standard input")
    detect.set_defaults(run=_detect)
    commands.add_parser("encodings", help="list encodings and labels").set_defaults(run=_encodings)
    parsed = parser.parse_args(arguments)
    try:
        status: int = parsed.run(parsed)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except (_Failure, OSError, LookupError) as error:
        return _report(error)
    return status


def _report(error: Exception) -> int:
    print(f"textcodec: {error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
