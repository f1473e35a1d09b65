"""The data source `textcodec`: reading."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from typing import cast

import pyarrow
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceWriter, InputPartition
from pyspark.sql.types import BinaryType, DataType, LongType, StringType, StructType

from textcodec import lines
from textcodec._native import LineReader
from textcodec.spark import _files
from textcodec.spark._options import ReadOptions, read_options, write_options
from textcodec.spark._writer import TextWriter

_TYPES: dict[str, tuple[DataType, pyarrow.DataType]] = {
    "value": (StringType(), pyarrow.string()),
    "_file": (StringType(), pyarrow.string()),
    "_offset": (LongType(), pyarrow.int64()),
    "_corrupt": (BinaryType(), pyarrow.binary()),
}
# The cost of opening a file, in bytes that could be read in the same time: the default of spark.sql.files.openCostInBytes.
_OPEN = 4 << 20
# The driver holds all partitions, and Spark sends them to it one by one.
_MOST_PARTITIONS = 100_000


class TextSource(DataSource):
    """Text files in any encoding, read and written by line. :func:`textcodec.spark.register` registers it as ``textcodec``.

    Reading gives a row for each line:

    ==============  ========  ==================================================================
    ``value``       string    the text, without its line end (LF, CRLF or CR)
    ``_file``       string    the file
    ``_offset``     bigint    the offset in bytes of the line in the file
    ``_corrupt``    binary    the bytes of the line, if something in them is malformed, else null
    ==============  ========  ==================================================================

    Each column costs time. A schema of some of them, such as ``.schema("value string")``, leaves the others out.

    ==============  =============  ================================================================================
    option          default        meaning
    ==============  =============  ================================================================================
    ``encoding``    none           a label, or a name of an encoding outside the standard; it is required
    ``path``        none           files, directories and globs. With a scheme, such as ``s3a://``, fsspec opens them;
                                   without, they are local files. Directories are read with all directories in them.
                                   Names that begin with ``_`` or ``.`` are left out, also where a glob matches them.
                                   A directory that links lead to several times is read once
    ``mode``        PERMISSIVE     malformed lines: PERMISSIVE keeps them, DROPMALFORMED leaves them out, and FAILFAST
                                   fails the task
    ``errors``      replace        the text of malformed lines that are kept: ``replace`` has U+FFFD, ``null`` is null;
                                   ``strict`` is the mode FAILFAST
    ``splitSize``   128m           the length in bytes of a partition: 1000000, 64k, 128m, 1g. There can be
                                   100,000 partitions
    ``lineReset``   false          with ISO-2022-JP: each line starts in the initial state, so files can be split
    ``bom``         sniff          byte order marks: ``sniff`` removes any and uses its encoding, ``strip`` removes that
                                   of the encoding, ``keep`` keeps all
    ==============  =============  ================================================================================

    Without ``lineReset``, a file in ISO-2022-JP is never split, nor one in UTF-7, ``true-hz``, ``true-iso-2022-kr`` or
    ``GSM-03.38``, and neither is a compressed file (.gz, .bz2, .xz), whose offsets
    are those in the decompressed bytes. A line is held in memory as a whole. Everything else takes constant memory.

    Writing takes a frame with one column of strings, and the modes append and overwrite. Null is an empty line. A value that
    contains LF or CR is written unchanged, and is read back as several lines.

    ==============  =============  ================================================================================
    ``encoding``    none           as above
    ``path``        none           a directory, which gets one file for each partition
    ``errors``      strict         unmappable characters: ``strict`` fails the task, ``replace`` writes ``?``, ``ignore``
                                   nothing, ``xmlcharrefreplace`` a reference such as ``&#165;``
    ``lineSep``     LF             the end of each line
    ``bom``         false          whether files begin with a byte order mark
    ==============  =============  ================================================================================

    Tasks write their files to a directory ``_temporary-JOB``. The driver renames them when all tasks have succeeded. ``overwrite``
    then removes the earlier files. If a task fails, the earlier files remain. A job that is killed leaves ``_temporary-JOB``,
    which readers ignore. Remove it when no job is running.

    Options, labels and paths are checked on the driver, before a task starts.
    """

    @classmethod
    def name(cls) -> str:
        return "textcodec"

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)

    def schema(self) -> str:
        for path in read_options(self.options).paths:
            _files.check(path)
        return "value STRING, _file STRING, _offset BIGINT, _corrupt BINARY"

    def reader(self, schema: StructType) -> DataSourceReader:
        if not schema.fields:
            raise ValueError("the schema has no column. Leave it out, or name one, such as value string")
        for field in schema.fields:
            known = _TYPES.get(field.name)
            if known is None or known[0] != field.dataType:
                raise ValueError(
                    f"the data source textcodec has no column {field.name} {field.dataType.simpleString()}. "
                    "Its columns are value string, _file string, _offset bigint, _corrupt binary"
                )
        options = read_options(self.options)
        return TextReader(options, [(field.name, field.nullable) for field in schema.fields])

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        if len(schema) != 1 or not isinstance(schema[0].dataType, StringType):
            raise ValueError(
                f"files are written from one column of strings, not from {schema.simpleString()}. Select one, such as value"
            )
        return TextWriter(write_options(self.options), overwrite)


@dataclass(frozen=True)
class Split:
    """A part of a file."""

    file: _files.File
    start: int
    end: int | None


class Partition(InputPartition):
    """Parts of files that a task reads."""

    def __init__(self, splits: list[Split]) -> None:
        super().__init__(None)
        self.splits = splits


class TextReader(DataSourceReader):
    """Reads lines as batches of Arrow."""

    def __init__(self, options: ReadOptions, columns: list[tuple[str, bool]]) -> None:
        self.options = options
        self.columns = columns

    def partitions(self) -> list[InputPartition]:
        # Paths can overlap.
        files = {(file.name, file.path): file for path in self.options.paths for file in _files.find(path)}
        found: list[InputPartition] = []
        for partition in _partitions(list(files.values()), self.options):
            if len(found) == _MOST_PARTITIONS:
                size = self.options.split_size
                raise ValueError(f"with splitSize {size}, there are more than {_MOST_PARTITIONS} partitions. Set a larger one")
            found.append(partition)
        return found

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        # If there are no files, Spark creates a placeholder partition.
        for split in partition.splits if isinstance(partition, Partition) else []:
            yield from self._read(split)

    def _read(self, split: Split) -> Iterator[pyarrow.RecordBatch]:
        schema = pyarrow.schema([pyarrow.field(name, _TYPES[name][1], nullable) for name, nullable in self.columns])
        wanted = [name for name in schema.names if name != "_file"]
        # The name, and its offset.
        row_size = len(split.file.name.encode()) + 4 if "_file" in schema.names else 0
        try:
            with _files.open_input(split.file) as file:
                batches = lines.read_batches(
                    file,
                    self.options.encoding,
                    split.start,
                    split.end,
                    cast("lines.Errors", self.options.errors),
                    bom=cast("lines.Bom", self.options.bom),
                    line_reset=self.options.line_reset,
                    columns=wanted,
                    row_size=row_size,
                )
                for batch in batches:
                    named = {name: batch.column(name) for name in wanted}
                    if row_size:
                        named["_file"] = pyarrow.repeat(pyarrow.scalar(split.file.name, pyarrow.string()), batch.num_rows)
                    yield pyarrow.RecordBatch.from_arrays([named[name] for name in schema.names], schema=schema)
        except UnicodeDecodeError as error:
            reason = f"{error.reason} {split.file.name}"
            raise UnicodeDecodeError(error.encoding, error.object, error.start, error.end, reason) from None
        except OverflowError as error:
            raise OverflowError(f"{split.file.name}: {error}") from None


def _partitions(files: list[_files.File], options: ReadOptions) -> Iterator[Partition]:
    """Splits large files, and puts small ones together."""
    whole = LineReader(options.encoding, "replace", 0, None, "keep", options.line_reset).reads_from_start
    splits: list[Split] = []
    total = 0
    for file in files:
        if file.size == 0:
            continue
        # A file of unknown length is not split.
        size = options.split_size if file.size is None else file.size
        cannot = whole or _files.is_compressed(file.path)
        step = size if cannot else options.split_size
        for start in range(0, size, step):
            length = min(step, size - start)
            if splits and total + length > options.split_size:
                yield Partition(splits)
                splits, total = [], 0
            # The last part has no end: a decompressed file is longer.
            splits.append(Split(file, start, None if start + length == size else start + length))
            total += length + _OPEN
    if splits:
        yield Partition(splits)
