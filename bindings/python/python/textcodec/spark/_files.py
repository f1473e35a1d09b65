"""The file systems of the data source: local files, and what fsspec knows."""

from __future__ import annotations

import bz2
import glob
import gzip
import lzma
import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, BinaryIO, cast

from textcodec.lines import open_file

# As Spark's own sources: such names are markers, temporary files and metadata.
_HIDDEN = ("_", ".")

_COMPRESSED: dict[str, Callable[[BinaryIO], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_UNSUPPORTED = (".zst", ".lz4", ".snappy", ".deflate", ".zip", ".br")


def local(path: str) -> str | None:
    """Returns a path without its scheme, if it is that of local files."""
    if path.startswith("file://"):
        return path.removeprefix("file://")
    if path.startswith("file:"):
        return path.removeprefix("file:")
    return None if "://" in path else path


def is_compressed(path: str) -> bool:
    """Returns whether a file is decompressed while it is read. It cannot be split."""
    return os.path.splitext(path)[1].lower() in _COMPRESSED


def open_input(path: str) -> AbstractContextManager[BinaryIO]:
    """Opens a file for reading, decompressed."""
    suffix = os.path.splitext(path)[1].lower()
    opened = cast("AbstractContextManager[BinaryIO]", open_file(path))
    return _Decompressed(opened, _COMPRESSED[suffix]) if suffix in _COMPRESSED else opened


class _Decompressed(AbstractContextManager[BinaryIO]):
    def __init__(self, inner: AbstractContextManager[BinaryIO], decompress: Callable[[Any], Any]) -> None:
        self.inner = inner
        self.decompress = decompress

    def __enter__(self) -> BinaryIO:
        return cast(BinaryIO, self.decompress(self.inner.__enter__()))

    def __exit__(self, *error: Any) -> None:
        self.inner.__exit__(*error)


def find(path: str) -> list[tuple[str, int]]:
    """Returns the files of a path, a glob, or everything in a directory, with their lengths in bytes.

    Raises FileNotFoundError if there are none, and ValueError for compressed files that cannot be read.
    """
    bare = local(path)
    files = _find_local(bare) if bare is not None else _find_remote(path)
    if files is None:
        raise FileNotFoundError(f"there is no file or directory {path!r}")
    for name, _ in files:
        if name.lower().endswith(_UNSUPPORTED):
            raise ValueError(f"{name} is compressed in a format that the data source cannot read. textcodec.spark.read_text can")
    return sorted(files)


def _find_local(path: str) -> list[tuple[str, int]] | None:
    matches = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) and not os.path.exists(path) else [path]
    found: list[tuple[str, int]] = []
    for match in matches:
        if os.path.isdir(match):
            for folder, folders, names in os.walk(match, followlinks=True):
                folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
                paths = [os.path.join(folder, name) for name in names if not name.startswith(_HIDDEN)]
                found += [(path, os.path.getsize(path)) for path in paths if os.path.isfile(path)]
        elif os.path.exists(match):
            found.append((match, os.path.getsize(match)))
        else:
            return None
    return found if matches else None


def _find_remote(path: str) -> list[tuple[str, int]] | None:
    files, bare = _remote(path)
    matches = sorted(files.glob(bare)) if glob.has_magic(bare) and not files.exists(bare) else [bare]
    found: dict[str, int] = {}
    for match in matches:
        if not files.exists(match):
            return None
        for name, info in files.find(match, detail=True).items():
            inside = name[len(match.rstrip("/")) :].split("/")
            if not any(part.startswith(_HIDDEN) for part in inside):
                found[files.unstrip_protocol(name)] = info["size"]
    return list(found.items()) if matches else None


def _remote(path: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"fsspec is needed for {path}: pip install fsspec") from error
    files, bare = url_to_fs(path)
    return files, bare


class Folder:
    """A directory to write to."""

    def __init__(self, path: str) -> None:
        bare = local(path)
        self.path = bare if bare is not None else path
        self._remote = bare is None

    def _files(self) -> tuple[Any, str]:
        return _remote(self.path)

    def create(self, name: str) -> BinaryIO:
        """Creates a file, and the directories to it."""
        if self._remote:
            files, bare = self._files()
            files.makedirs(os.path.dirname(f"{bare}/{name}"), exist_ok=True)
            return cast(BinaryIO, files.open(f"{bare}/{name}", "wb"))
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return open(path, "wb", buffering=0)

    def rename(self, name: str, to: str) -> None:
        """Renames a file."""
        if self._remote:
            files, bare = self._files()
            files.mv(f"{bare}/{name}", f"{bare}/{to}")
        else:
            os.replace(os.path.join(self.path, name), os.path.join(self.path, to))

    def names(self) -> list[str]:
        """Returns the names of the files and directories in it, apart from hidden ones and markers."""
        if self._remote:
            files, bare = self._files()
            names = [os.path.basename(path.rstrip("/")) for path in files.ls(bare, detail=False)] if files.exists(bare) else []
        else:
            names = os.listdir(self.path) if os.path.isdir(self.path) else []
        return sorted(name for name in names if not name.startswith(_HIDDEN))

    def remove(self, name: str) -> None:
        """Removes a file or a directory, if it exists."""
        if self._remote:
            files, bare = self._files()
            if files.exists(f"{bare}/{name}"):
                files.rm(f"{bare}/{name}", recursive=True)
            return
        path = os.path.join(self.path, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.remove(path)
