"""The data source `textcodec`: writing."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import pyarrow
import pyarrow.compute
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

import textcodec.arrow
from textcodec.spark._files import Folder, is_hidden
from textcodec.spark._options import WriteOptions

_BLOCK = 8 << 20
# Its functions are made at run time.
_compute: Any = pyarrow.compute


@dataclass
class Written(WriterCommitMessage):
    """The file of a task."""

    name: str


class TextWriter(DataSourceArrowWriter):
    """Writes files, which get their names at the end of the job.

    Tasks write to a directory of the job, whose name Spark and the data source hide from readers. A task that runs twice writes
    two files, of which one is named. The directory is the state of the job: while it exists, the job has not succeeded. Spark
    calls `commit` and `abort` in processes of their own, so they know no more than what they find.
    """

    def __init__(self, options: WriteOptions, overwrite: bool) -> None:
        self.options = options
        self.overwrite = overwrite
        self.job = uuid.uuid4().hex
        self.temporary = f"_temporary-{self.job}"
        self.creates_folder = not Folder(options.path).exists()

    def write(self, iterator: Iterator[pyarrow.RecordBatch]) -> Written:
        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        name = f"part-{number:05}-{self.job}-{uuid.uuid4().hex[:8]}.txt"
        with Folder(self.options.path).create(f"{self.temporary}/{name}") as file:
            file.write(self.options.head)
            for batch in iterator:
                # Memory stays constant, however large Spark's batches are.
                for column in _slices(batch.column(0)):
                    file.write(self._encode(column))
        return Written(name)

    def _encode(self, column: pyarrow.Array) -> bytes:
        """Returns the lines of a column. Each one is encoded separately, so it ends in the initial state of ISO-2022-JP."""
        text = _compute.fill_null(column, "")
        encoded = textcodec.arrow.encode(text, self.options.encoding, errors=cast("textcodec.arrow.EncodeErrors", self.options.errors))
        separator = pyarrow.scalar(self.options.line_separator, encoded.type)
        joined = _compute.binary_join_element_wise(encoded, separator, pyarrow.scalar(b"", encoded.type))
        # Without a slice or nulls, the bytes of all rows are adjacent, and begin with the buffer.
        return bytes(joined.buffers()[2].to_pybytes())

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        folder = Folder(self.options.path)
        written = [message.name for message in messages if isinstance(message, Written)]
        if not set(written) <= set(folder.names(self.temporary)):
            raise FileNotFoundError(
                f"the driver does not see the files that tasks wrote to {self.options.path}: it is a local path on another machine. "
                "Use a path that all machines share"
            )
        earlier = [name for name in folder.names() if not is_hidden(name)] if self.overwrite else []
        for name in written:
            folder.rename(f"{self.temporary}/{name}", name)
        # The job has succeeded when this directory is gone. Object stores have no empty directories.
        if self.temporary in folder.names():
            folder.remove(self.temporary)
        for name in earlier:
            try:
                folder.remove(name)
            except OSError as error:
                message = f"all new files are in {self.options.path}, but the earlier file {name} cannot be removed: {error}"
                raise OSError(message) from error
        folder.create("_SUCCESS").close()

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        folder = Folder(self.options.path)
        names = folder.names()
        if self.temporary in names:
            for name in names:
                if name.startswith("part-") and f"-{self.job}-" in name:
                    folder.remove(name)
            folder.remove(self.temporary)
        if self.creates_folder:
            folder.remove_empty()


def _slices(column: pyarrow.Array) -> Iterator[pyarrow.Array]:
    rows = max(1, len(column) * _BLOCK // max(1, column.nbytes))
    for start in range(0, len(column), rows):
        yield column.slice(start, rows)
