"""What a job of the data source leaves: the order in which Spark calls the writer, in the process of the test."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="SKIPPED: pyspark is not installed")

import pyarrow
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql.types import StructType

from textcodec.spark import TextSource
from textcodec.spark._files import Folder


def job(path: Path | str, mode: str = "append", **options: str) -> Any:
    options = {"path": str(path), "encoding": "shift_jis", **options}
    writer = TextSource(CaseInsensitiveDict(options)).writer(StructType().add("value", "string"), mode == "overwrite")
    # Spark sends it to each process.
    return pickle.loads(pickle.dumps(writer))


def task(writer: Any, *values: str | None) -> Any:
    return pickle.loads(pickle.dumps(writer)).write(iter([pyarrow.record_batch([pyarrow.array(values, "string")], ["value"])]))


def save(path: Path | str, *values: str, mode: str = "append") -> None:
    writer = job(path, mode)
    writer.commit([task(writer, value) for value in values])


def contents(path: Path) -> list[str]:
    """The contents of the files in a directory, apart from hidden ones."""
    return sorted(file.read_text("shift_jis") for file in path.iterdir() if not file.name.startswith(("_", ".")))


def failing(monkeypatch: pytest.MonkeyPatch, method: str, fails: Callable[[int], bool]) -> None:
    """Makes some calls of a method of `Folder` fail."""
    original, calls = getattr(Folder, method), [0]

    def call(self: Folder, *arguments: str) -> Any:
        calls[0] += 1
        if fails(calls[0]):
            raise OSError("disk full")
        return original(self, *arguments)

    monkeypatch.setattr(Folder, method, call)


def test_a_job(tmp_path: Path) -> None:
    path = tmp_path / "out"
    save(path, "日", "b")
    assert contents(path) == ["b\n", "日\n"]
    assert sorted(name for name in os.listdir(path) if name.startswith("_")) == ["_SUCCESS"]
    save(path, "c")
    assert contents(path) == ["b\n", "c\n", "日\n"]
    (path / "sub").mkdir()
    save(path, "d", mode="overwrite")
    assert contents(path) == ["d\n"]
    save(path, mode="overwrite")
    assert contents(path) == []


@pytest.mark.parametrize("mode", ["append", "overwrite"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_rename_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, number: int) -> None:
    save(tmp_path, "old")
    before = sorted(os.listdir(tmp_path))
    writer = job(tmp_path, mode)
    messages = [task(writer, value) for value in "abc"]
    failing(monkeypatch, "rename", lambda call: call == number)
    with pytest.raises(OSError, match="disk full"):
        writer.commit(messages)
    assert "old\n" in contents(tmp_path)
    # In another process.
    pickle.loads(pickle.dumps(writer)).abort(messages)
    assert sorted(os.listdir(tmp_path)) == before


def test_a_missing_file_changes_nothing(tmp_path: Path) -> None:
    save(tmp_path, "old")
    before = sorted(os.listdir(tmp_path))
    writer = job(tmp_path, "overwrite")
    messages = [task(writer, value) for value in "abc"]
    (tmp_path / writer.temporary / messages[2].name).unlink()
    with pytest.raises(FileNotFoundError, match="the driver does not see the files .* Use a path that all machines share"):
        writer.commit(messages)
    assert contents(tmp_path) == ["old\n"]
    writer.abort(messages)
    assert sorted(os.listdir(tmp_path)) == before


def test_the_new_files_remain_if_an_earlier_one_cannot_be_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, "old")
    writer = job(tmp_path, "overwrite")
    messages = [task(writer, value) for value in "ab"]
    failing(monkeypatch, "remove", lambda call: call == 2)
    with pytest.raises(OSError, match="all new files are in .* earlier file part-00000-.* disk full"):
        writer.commit(messages)
    writer.abort(messages)
    assert contents(tmp_path) == ["a\n", "b\n", "old\n"]


def test_a_job_that_fails_leaves_no_directory(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for tasks in 0, 1:
        writer = job(path)
        writer.abort([task(writer, "a") for _ in range(tasks)])
        assert not path.exists()
    # One that was there stays.
    path.mkdir()
    writer = job(path)
    task(writer, "a")
    writer.abort([])
    assert path.exists() and not os.listdir(path)


def test_a_task_that_ran_twice_is_written_once(tmp_path: Path) -> None:
    writer = job(tmp_path)
    first = task(writer, "a")
    # It is killed before it reports, and runs again. Its file is not a part of the result.
    assert first.name != (second := task(writer, "a")).name
    writer.commit([second, None])
    assert contents(tmp_path) == ["a\n"]


def test_other_file_systems() -> None:
    files = pytest.importorskip("fsspec").filesystem("memory")
    save("memory://out", "a", "b")
    assert len(files.glob("/out/part-*")) == 2 and files.exists("/out/_SUCCESS")
    save("memory://out", "c", mode="overwrite")
    assert [files.cat(name) for name in files.glob("/out/part-*")] == [b"c\n"]
    assert not files.glob("/out/_temporary*")
    writer = job("memory://out")
    message = task(writer, "d")
    files.mv(f"/out/{writer.temporary}/{message.name}", f"/out/{message.name}")
    task(writer, "e")
    writer.abort([message])
    assert len(files.ls("/out")) == 2
    writer = job("memory://new")
    task(writer, "a")
    writer.abort([])
    assert not files.exists("/new")


def test_a_file_whose_write_returns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # As paramiko's, and in need of bytes.
    class Silent:
        data = b""

        def __enter__(self) -> Silent:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def write(self, data: bytes) -> None:
            Silent.data += data

    monkeypatch.setattr(Folder, "create", lambda *_: Silent())
    task(job("memory://out", encoding="utf-16", bom="true"), "a", None)
    assert Silent.data == "\ufeffa\n\n".encode("utf-16-le")
