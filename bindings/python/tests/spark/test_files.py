"""Finding, reading and writing files, in the process of the test: what Spark calls on the driver and in tasks."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="SKIPPED: pyspark is not installed")
fsspec = pytest.importorskip("fsspec", reason="SKIPPED: fsspec is not installed")

from fsspec.implementations.memory import MemoryFileSystem
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql.types import StructType

from textcodec.spark import TextSource, _files, _source


class Hosts(MemoryFileSystem):  # type: ignore[misc]
    """Addresses as those of hdfs: names have no host, and each host has its own files."""

    protocol = "hosts"
    cachable = False
    stores: dict[str, dict[str, Any]] = {}

    def __init__(self, host: str = "", **named: Any) -> None:
        super().__init__(**named)
        self.store = self.stores.setdefault(host, {})
        self.pseudo_dirs = [""]

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        without = path.removeprefix("hosts://")
        return "/" + without.partition("/")[2].rstrip("/") if without != path else path.rstrip("/")

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        return {"host": path.removeprefix("hosts://").partition("/")[0]}


fsspec.register_implementation("hosts", Hosts)


@pytest.fixture(autouse=True)
def no_remote_files() -> None:
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]
    Hosts.stores.clear()


def reader(path: Path | str, encoding: str = "shift_jis", columns: str = "_file value", **options: str) -> Any:
    source = TextSource(CaseInsensitiveDict({"path": str(path), "encoding": encoding, **options}))
    source.schema()
    schema = StructType()
    for name in columns.split():
        schema.add(name, "long" if name == "_offset" else "string")
    return source.reader(schema)


def read(path: Path | str, *arguments: str, **options: str) -> list[tuple[Any, ...]]:
    """The rows of a path, as tasks read them."""
    found = reader(path, *arguments, **options)
    partitions = pickle.loads(pickle.dumps(found.partitions()))
    batches = [batch for partition in partitions for batch in found.read(partition)]
    return [row for batch in batches for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)]


def make(folder: Path, *names: str) -> None:
    """Makes files that contain their names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def values(path: Path | str) -> list[str]:
    return sorted(value for _, value in read(path))


# Finding


def test_globs_leave_hidden_names_out(tmp_path: Path) -> None:
    make(tmp_path, "out/a/b.txt", "out/_meta", "out/.crc", "out/_temporary-1/c.txt", "out/a/_d/e.txt", "out/f")
    assert values(tmp_path / "out") == ["out/a/b.txt", "out/f"]
    assert values(tmp_path / "out" / "*") == ["out/a/b.txt", "out/f"]
    assert values(tmp_path / "out" / "**") == ["out/a/b.txt", "out/f"]
    assert values(tmp_path / "out" / "**" / "*.txt") == ["out/a/b.txt"]
    # The literal start of a glob, and a path, may have them.
    assert values(tmp_path / "out" / "_temporary-1" / "*.txt") == ["out/_temporary-1/c.txt"]
    assert values(tmp_path / "out" / "_meta") == ["out/_meta"]
    with pytest.raises(FileNotFoundError, match="there is no file or directory"):
        reader(tmp_path / "out" / "_t*")


def test_globs_of_other_file_systems_leave_hidden_names_out() -> None:
    files = fsspec.filesystem("memory")
    for name in "a/b.txt", "_meta", "_temporary-1/c.txt", "f":
        files.pipe(f"/out/{name}", name.encode())
    for path in "memory://out", "memory://out/", "memory://out/*", "memory://out/**":
        assert values(path) == ["a/b.txt", "f"], path
    assert values("memory://out/_temporary-1/*") == ["_temporary-1/c.txt"]
    assert read("memory://out/f") == [("memory://out/f", "f")]
    with pytest.raises(FileNotFoundError, match="there is no file or directory"):
        reader("memory://out/missing*")


def test_a_link_to_its_own_directory_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path, "in/a.txt", "in/sub/b.txt")
    (tmp_path / "in" / "sub" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "again").symlink_to(tmp_path / "in" / "sub")
    make(tmp_path, "elsewhere/c.txt")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "elsewhere")
    assert values(tmp_path / "in") == ["elsewhere/c.txt", "in/a.txt", "in/sub/b.txt"]


def test_a_directory_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.txt", "sub/b.txt")
    scan = os.scandir

    def fail(path: Any) -> Any:
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", fail)
    with pytest.raises(PermissionError, match="sub"):
        reader(tmp_path).partitions()


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.txt")
    try:
        Path(os.fsdecode(path)).write_bytes(b"a\n\xff\n")
    except OSError:
        pytest.skip("the file system has only names in UTF-8")
    name = f"{tmp_path}/caf\\xe9.txt"
    assert read(tmp_path) == [(name, "a"), (name, "\ufffd")]
    with pytest.raises(UnicodeDecodeError) as caught:
        read(tmp_path, errors="strict")
    assert caught.value.reason.endswith(f"in the line at byte 2 of the file {name}")


def test_relative_paths_are_absolute_in_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "in/a.txt")
    monkeypatch.chdir(tmp_path)
    for path in "in", "./in/*.txt", "file:in":
        found = reader(path)
        assert [split.file.name for part in found.partitions() for split in part.splits] == [f"{tmp_path}/in/a.txt"], path
    assert reader(f"file://{tmp_path}/in").partitions()
    write = TextSource(CaseInsensitiveDict({"path": "out", "encoding": "gbk"})).writer(StructType().add("value", "string"), False)
    assert write.options.path == f"{tmp_path}/out"


def test_addresses_keep_their_host() -> None:
    for host in "one:8020", "two:8020":
        fsspec.filesystem("hosts", host=host).pipe("/data/x/a.txt", host.encode())
    for path in "data/x", "data/x/", "data/*/a.txt", "data/x/a.txt", "", "*":
        for host in "one:8020", "two:8020":
            address = f"hosts://{host}/{path}"
            assert read(address) == [(f"hosts://{host}/data/x/a.txt", host)], address
            # What a row names can be read.
            assert read(f"hosts://{host}/data/x/a.txt")[0][1] == host


def test_listing_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    files = fsspec.filesystem("memory")
    for number in range(100):
        files.pipe(f"/in/{number}.txt", b"a")
    calls = []
    for name in "exists", "info", "find", "ls":
        original = getattr(MemoryFileSystem, name)
        monkeypatch.setattr(
            MemoryFileSystem, name, lambda *all, _name=name, _original=original, **named: calls.append(_name) or _original(*all, **named)
        )
    assert len(values("memory://in/*.txt")) == 100
    assert len(calls) < 20, calls


def test_files_of_unknown_length(monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec.filesystem("memory").pipe("/a.txt", b"a\nb\n")
    info = MemoryFileSystem.info
    monkeypatch.setattr(MemoryFileSystem, "info", lambda *all, **named: {**info(*all, **named), "size": None})
    assert [value for _, value in read("memory://a.txt", splitSize="1")] == ["a", "b"]


def test_too_many_partitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.txt", "b.txt")
    (tmp_path / "large").write_bytes(b"")
    os.truncate(tmp_path / "large", 10 << 30)
    with pytest.raises(ValueError, match="splitSize 1024, there are more than 100000 partitions"):
        reader(tmp_path, splitSize="1k").partitions()
    assert len(reader(tmp_path, splitSize="1m").partitions()) == (10 << 10) + 2
    monkeypatch.setattr(_source, "_MOST_PARTITIONS", 2)
    assert len(reader(tmp_path / "?.txt", splitSize="5").partitions()) == 2


def test_an_empty_schema_is_refused(tmp_path: Path) -> None:
    make(tmp_path, "a.txt")
    with pytest.raises(ValueError, match="the schema has no column"):
        TextSource(CaseInsensitiveDict({"path": str(tmp_path), "encoding": "gbk"})).reader(StructType([]))


def test_malformed_lines_of_utf_16_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("a\n\ud800b\nc".encode("utf-16-le", "surrogatepass"))
    assert read(path, "utf-16", "_offset value", mode="DROPMALFORMED") == [(0, "a"), (10, "c")]
    assert read(path, "utf-16", "_offset value", mode="DROPMALFORMED", splitSize="3") == [(0, "a"), (10, "c")]


# Compressed files

COMPRESS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_files(tmp_path: Path, suffix: str) -> None:
    whole = b"".join(b"%d\n" % number for number in range(10_000))
    compressed = COMPRESS[suffix](whole)
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(compressed)
    rows = read(path, "shift_jis", "_offset value", splitSize="10")
    assert rows[9999] == (len(whole) - 5, "9999") and len(rows) == 10_000
    fsspec.filesystem("memory").pipe(f"/a{suffix}", compressed)
    assert len(read(f"memory://a{suffix}")) == 10_000
    # A file that was cut, one with a changed byte, and one that is something else.
    changed = bytearray(compressed)
    changed[len(changed) // 2] ^= 0xFF
    for damaged in compressed[: len(compressed) // 2], bytes(changed), b"not compressed":
        path.write_bytes(damaged)
        with pytest.raises(OSError, match=f"cannot read {path}: ") as caught:
            read(path)
        assert caught.type is OSError


def test_files_that_cannot_be_decompressed(tmp_path: Path) -> None:
    make(tmp_path, "a/b.zip", "c/d.zst")
    with pytest.raises(ValueError, match=r"b\.zip is compressed .* leave it out with a glob$"):
        reader(tmp_path / "a").partitions()
    with pytest.raises(ValueError, match=r"d\.zst is compressed .* with a glob, or read it with textcodec\.spark\.read_text$"):
        reader(tmp_path / "c").partitions()
    with pytest.raises(OSError, match="cannot read /missing/a: "), _files.open_input(_files.File("/missing/a", "/missing/a", 1)):
        pass
