"""The file systems of the data source: local files, and file systems that fsspec supports."""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

from textcodec.lines import file_system

_COMPRESSED: dict[str, Callable[[BinaryIO], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_SPARK_READS = (".zst", ".lz4", ".snappy", ".deflate")
_UNSUPPORTED = (*_SPARK_READS, ".zip", ".br", ".7z")

_MAGIC = re.compile(r"[*?[]")


@dataclass(frozen=True)
class File:
    """A file to read."""

    name: str
    """The path or the address for people. Bytes of a local name that are not UTF-8 are escaped."""
    path: str
    """The path in its file system."""
    size: int | None
    """The length in bytes, if it is known."""
    system: Any = None
    """The file system of fsspec, or None for local files. A task gets it with host, account and everything else."""


def absolute(path: str) -> str:
    """Returns the path of a local file, which tasks need to be absolute, or an address of another file system."""
    if path.startswith("file:"):
        path = path.removeprefix("file:").removeprefix("//")
    return path if "://" in path else os.path.abspath(path)


def is_hidden(path: str) -> bool:
    """Returns whether a path has a name that Spark's own sources leave out: markers, temporary files and metadata."""
    return any(name.startswith(("_", ".")) for name in path.replace(os.sep, "/").split("/"))


def is_compressed(path: str) -> bool:
    """Returns whether a file is decompressed while it is read. It cannot be split."""
    return os.path.splitext(path)[1].lower() in _COMPRESSED


@contextmanager
def open_input(file: File) -> Iterator[BinaryIO]:
    """Opens a file for reading, decompressed. Raises OSError with the name of a file that cannot be read."""
    decompress = _COMPRESSED.get(os.path.splitext(file.path)[1].lower())
    try:
        # Blocks are large, so a buffer would only copy them.
        with file.system.open(file.path, "rb") if file.system else open(file.path, "rb", buffering=0) as opened:
            if decompress is None:
                yield opened
            else:
                with decompress(opened) as decompressed:
                    yield decompressed
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise OSError(f"cannot read {file.name}: {error}") from error


def check(path: str) -> None:
    """Raises FileNotFoundError if there is no file or directory for a path or a glob."""
    if not (_remote_roots(*file_system(path)) if "://" in path else _local_roots(path)):
        raise FileNotFoundError(f"there is no file or directory {path!r}")


def find(path: str) -> list[File]:
    """Returns the files of a path, a glob, or everything in a directory.

    Raises FileNotFoundError if there is no file or directory, and ValueError for compressed files that cannot be read.
    """
    found = _find_remote(path) if "://" in path else _find_local(path)
    if found is None:
        raise FileNotFoundError(f"there is no file or directory {path!r}")
    for file in found:
        suffix = os.path.splitext(file.path)[1].lower()
        if suffix in _UNSUPPORTED:
            other = ", or read it with textcodec.spark.read_text" if suffix in _SPARK_READS else ""
            raise ValueError(
                f"{file.name} is compressed in a format that the data source cannot read. Unpack it, leave it out with a glob{other}"
            )
    return sorted(found, key=lambda file: file.path)


def _literal_length(pattern: str) -> int:
    """Returns the length of the directories before the first magic character of a glob. They may have hidden names."""
    magic = _MAGIC.search(pattern)
    return len(os.path.dirname(pattern[: magic.start()])) if magic else len(pattern)


def _local_roots(path: str) -> list[str]:
    if os.path.exists(path):
        return [path]
    matches = glob.iglob(path, recursive=True) if _MAGIC.search(path) else ()
    return sorted(match for match in matches if not is_hidden(match[_literal_length(path) :]))


def _find_local(path: str) -> list[File] | None:
    roots = _local_roots(path)
    paths: set[str] = set()
    # Links can lead to a directory again, and to one that contains them.
    visited: set[tuple[int, int]] = set()
    for root in roots:
        if os.path.isfile(root):
            paths.add(root)
            continue
        for folder, folders, names in os.walk(root, onerror=_fail, followlinks=True):
            status = os.stat(folder)
            if (status.st_dev, status.st_ino) in visited:
                folders.clear()
                continue
            visited.add((status.st_dev, status.st_ino))
            folders[:] = sorted(name for name in folders if not is_hidden(name))
            inside = [os.path.join(folder, name) for name in names if not is_hidden(name)]
            paths.update(path for path in inside if os.path.isfile(path))
    found = [File(os.fsencode(path).decode("utf-8", "backslashreplace"), path, os.path.getsize(path)) for path in paths]
    return found if roots else None


def _fail(error: OSError) -> NoReturn:
    raise error


def _remote_roots(system: Any, bare: str) -> dict[str, dict[str, Any]]:
    """Returns the files and directories of a path or a glob, and what is known about each."""
    if not _MAGIC.search(bare) or system.exists(bare):
        with suppress(FileNotFoundError):
            return {bare: system.info(bare)}
        return {}
    matches: dict[str, dict[str, Any]] = system.glob(bare, detail=True)
    return {name: info for name, info in matches.items() if not is_hidden(name[_literal_length(bare) :])}


def _find_remote(path: str) -> list[File] | None:
    system, bare = file_system(path)
    roots = _remote_roots(system, bare)
    found: dict[str, File] = {}
    for root, info in roots.items():
        inside = system.find(root, detail=True) if info["type"] == "directory" else {root: info}
        for name, about in inside.items():
            if not is_hidden(name[len(root.rstrip("/")) :]):
                found[name] = File(_address(path, bare, name, system), name, about.get("size"), system)
    return list(found.values()) if roots else None


def _address(path: str, bare: str, name: str, system: Any) -> str:
    """Returns the address of a file that was found at `path`, with its host and account, which fsspec leaves out of names."""
    if "::" in path:
        return str(system.unstrip_protocol(name))
    if bare.rstrip("/"):
        path, bare = path.rstrip("/"), bare.rstrip("/")
    same = len(os.path.commonprefix([path[::-1], bare[::-1]]))
    return path[: len(path) - same] + name[len(bare) - same :]


class Folder:
    """A directory to write to."""

    def __init__(self, path: str) -> None:
        self.system: Any = None
        self.path = path
        if "://" in path:
            self.system, self.path = file_system(path)

    def _path(self, name: str) -> str:
        return os.path.join(self.path, name) if self.system is None else f"{self.path}/{name}".rstrip("/")

    def exists(self) -> bool:
        """Returns whether the directory exists."""
        return bool(self.system.exists(self.path)) if self.system else os.path.exists(self.path)

    def create(self, name: str) -> Any:
        """Creates a file, and the directories to it. The result is a file that is open for writing bytes."""
        path = self._path(name)
        if self.system:
            self.system.makedirs(os.path.dirname(path), exist_ok=True)
            return self.system.open(path, "wb")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return open(path, "wb")

    def rename(self, name: str, to: str) -> None:
        """Renames a file."""
        if self.system:
            self.system.mv(self._path(name), self._path(to))
        else:
            os.replace(self._path(name), self._path(to))

    def names(self, name: str = "") -> list[str]:
        """Returns the names in the directory, or in a directory in it. If it does not exist, there are none."""
        path = self._path(name)
        try:
            if not self.system:
                return sorted(os.listdir(path))
            # Other processes have written to it.
            self.system.invalidate_cache()
            inside = (found.rstrip("/") for found in self.system.ls(path, detail=False))
            # Some object stores list the directory, too.
            return sorted(os.path.basename(found) for found in inside if found != path)
        except FileNotFoundError:
            return []

    def remove(self, name: str) -> None:
        """Removes a file or a directory."""
        path = self._path(name)
        if self.system:
            self.system.rm(path, recursive=True)
        elif os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)

    def remove_empty(self) -> None:
        """Removes the directory, if it is empty."""
        if self.exists() and not self.names():
            (self.system or os).rmdir(self.path)
