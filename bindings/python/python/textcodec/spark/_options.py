"""Options of the data source, checked on the driver before a task starts."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from textcodec import encode, get_encoding
from textcodec.spark import _files

_READ = ("encoding", "errors", "mode", "splitSize", "lineReset", "bom", "path", "paths")
_WRITE = ("encoding", "errors", "lineSep", "bom", "path", "paths")
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "kb": 1 << 10, "m": 1 << 20, "mb": 1 << 20, "g": 1 << 30, "gb": 1 << 30}


@dataclass(frozen=True)
class ReadOptions:
    """How files are read."""

    paths: tuple[str, ...]
    encoding: str
    errors: str
    """What `read_batches` does with malformed lines."""
    split_size: int
    line_reset: bool
    bom: str


@dataclass(frozen=True)
class WriteOptions:
    """How files are written."""

    path: str
    encoding: str
    errors: str
    line_separator: bytes
    head: bytes
    """The bytes before the first line."""


def read_options(options: Mapping[str, str]) -> ReadOptions:
    """Checks the options for reading."""
    _check_names(options, _READ)
    encoding = _encoding(options)
    mode = _one_of(options, "mode", "PERMISSIVE", ("PERMISSIVE", "DROPMALFORMED", "FAILFAST"), fold=str.upper)
    errors = _one_of(options, "errors", "replace", ("replace", "null", "strict"))
    if mode == "FAILFAST":
        errors = "strict"
    elif errors == "strict" and "mode" in options:
        raise ValueError(f"the option errors is \"strict\", but mode is {mode}. Set one of them")
    elif mode == "DROPMALFORMED":
        errors = "drop"
    size = _size(options.get("splitSize", "128m"))
    line_reset = _boolean(options, "lineReset")
    if line_reset and get_encoding(encoding).name != "ISO-2022-JP":
        raise ValueError(f"the option lineReset is for ISO-2022-JP, not for {encoding}")
    bom = _one_of(options, "bom", "sniff", ("sniff", "strip", "keep"))
    return ReadOptions(_paths(options), encoding, errors, size, line_reset, bom)


def write_options(options: Mapping[str, str]) -> WriteOptions:
    """Checks the options for writing."""
    _check_names(options, _WRITE)
    encoding = _encoding(options)
    errors = _one_of(options, "errors", "strict", ("strict", "replace", "ignore", "xmlcharrefreplace"))
    paths = _paths(options)
    if len(paths) != 1:
        raise ValueError(f"files are written to one path, not to {len(paths)}")
    separator = options.get("lineSep", "\n")
    if not separator:
        raise ValueError("the option lineSep must not be empty")
    end = encode(separator, encoding)
    if encode(2 * separator, encoding) != 2 * end:
        name = get_encoding(encoding).name
        other = ": name UTF-32BE or UTF-32LE" if name == "UTF-32" else ""
        raise ValueError(f"files in {name} begin with a header, so they cannot be written line by line{other}")
    head = b""
    if _boolean(options, "bom"):
        if get_encoding(encoding).name not in ("UTF-8", "UTF-16BE", "UTF-16LE"):
            raise ValueError(f"the option bom is for UTF-8 and UTF-16: {encoding} has no byte order mark")
        head = encode("\ufeff", encoding)
    return WriteOptions(paths[0], encoding, errors, end, head)


def _check_names(options: Mapping[str, str], known: tuple[str, ...]) -> None:
    small = {name.lower(): name for name in known}
    for name in options:
        if name.lower() not in small:
            near = difflib.get_close_matches(name.lower(), small, 1)
            hint = f" Did you mean {small[near[0]]}?" if near else ""
            raise ValueError(f"the data source textcodec has no option {name!r} here.{hint} It has {', '.join(known[:-1])}")


def _encoding(options: Mapping[str, str]) -> str:
    label = options.get("encoding")
    if label is None:
        raise ValueError('the option encoding is missing, such as .option("encoding", "shift_jis")')
    if get_encoding(label).name == "replacement":
        raise ValueError(f'the encoding of the label "{label}" is replacement, which has no text')
    return label


def _one_of(
    options: Mapping[str, str],
    name: str,
    default: str,
    known: tuple[str, ...],
    fold: Callable[[str], str] = str.lower,
) -> str:
    value = options.get(name, default)
    folded = fold(value)
    if folded not in known:
        raise ValueError(f"the option {name} must be one of {', '.join(known)}, not {value!r}")
    return folded


def _boolean(options: Mapping[str, str], name: str) -> bool:
    return _one_of(options, name, "false", ("true", "false")) == "true"


def _size(value: str) -> int:
    digits = value.rstrip("bBkKmMgG")
    unit = _UNITS.get(value[len(digits) :].lower())
    if unit is None or not digits.isascii() or not digits.isdigit() or int(digits) == 0:
        raise ValueError(f"the option splitSize must be a number of bytes, or such as 64m, not {value!r}")
    return int(digits) * unit


def _paths(options: Mapping[str, str]) -> tuple[str, ...]:
    # `load` with more than one path gives JSON.
    several = options.get("paths")
    paths = json.loads(several) if several else []
    if path := options.get("path"):
        paths.append(path)
    if not paths:
        raise ValueError("the path is missing: load(path) or save(path)")
    return tuple(_files.absolute(path) for path in paths)
