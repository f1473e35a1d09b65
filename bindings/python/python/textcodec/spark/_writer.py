"""The data source `textcodec`: writing."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

import pyarrow
import pyarrow.compute
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

import textcodec.arrow
from textcodec.spark._files import Folder
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
    two files, of which one is named.
    """

    def __init__(self, options: WriteOptions, overwrite: bool) -> None:
        self.options = options
        self.overwrite = overwrite
        self.job = uuid.uuid4().hex
        self.temporary = f"_temporary-{self.job}"

    def write(self, iterator: Iterator[pyarrow.RecordBatch]) -> Written:
        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        name = f"part-{number:05}-{self.job}-{uuid.uuid4().hex[:8]}.txt"
        with Folder(self.options.path).create(f"{self.temporary}/{name}") as file:
            self._write(file, self.options.head)
            for batch in iterator:
                # Memory stays constant, however large Spark's batches are.
                for column in _slices(batch.column(0)):
                    self._write(file, self._encode(column))
        return Written(name)

    def _write(self, file: BinaryIO, data: bytes | pyarrow.Buffer) -> None:
        # A file without a buffer may write less than it gets.
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        while len(view):
            written = file.write(view)
            view = view[written:]

    def _encode(self, column: pyarrow.Array) -> pyarrow.Buffer:
        """Returns the lines of a column. Each one is encoded separately, so it ends in the initial state of ISO-2022-JP."""
        text = _compute.fill_null(column, "")
        encoded = textcodec.arrow.encode(text, self.options.encoding, errors=cast("textcodec.arrow.EncodeErrors", self.options.errors))
        separator = pyarrow.scalar(self.options.line_separator, encoded.type)
        joined = _compute.binary_join_element_wise(encoded, separator, pyarrow.scalar(b"", encoded.type))
        # Without a slice or nulls, the bytes of all rows are adjacent, and begin with the buffer.
        return pyarrow.py_buffer(b"") if not len(joined) else joined.buffers()[2]

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        folder = Folder(self.options.path)
        if self.overwrite:
            for name in folder.names():
                folder.remove(name)
        for message in messages:
            if isinstance(message, Written):
                folder.rename(f"{self.temporary}/{message.name}", message.name)
        folder.remove(self.temporary)
        folder.create("_SUCCESS").close()

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        Folder(self.options.path).remove(self.temporary)


def _slices(column: pyarrow.Array) -> Iterator[pyarrow.Array]:
    rows = max(1, len(column) * _BLOCK // max(1, column.nbytes))
    for start in range(0, len(column), rows):
        yield column.slice(start, rows)
