"""Functions for columns, and for SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow
import pyarrow.compute
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import textcodec.arrow
from textcodec import get_encoding
from textcodec.arrow import DecodeErrors, EncodeErrors
from textcodec.spark._source import TextSource

if TYPE_CHECKING:
    from pyspark.sql._typing import UserDefinedFunctionLike

_Convert = Callable[..., pyarrow.Array]
# Its functions are made at run time.
_compute: Any = pyarrow.compute


def decode(col: Column | str, encoding: str | Column, errors: DecodeErrors = "replace") -> Column:
    """Decodes a column of binary to string.

    ``encoding`` is a label, or a column with the label of each row. ``errors`` decides about malformed bytes: ``"replace"`` gives
    U+FFFD, ``"null"`` makes the row null, ``"ignore"`` leaves them out, and ``"strict"`` fails the task. Null stays null.

    Raises LookupError for an unknown label, and ValueError for other ``errors``, before a task starts.

    >>> frame.select(decode("body", "shift_jis"), decode(frame.body, frame.charset, "null"))   # doctest: +SKIP
    """
    return _apply(col, encoding, errors, "string", textcodec.arrow.decode)


def encode(col: Column | str, encoding: str | Column, errors: EncodeErrors = "strict") -> Column:
    """Encodes a column of string to binary.

    ``errors`` decides about characters that the encoding lacks: ``"strict"`` fails the task, ``"replace"`` writes ``?``,
    ``"ignore"`` nothing, ``"xmlcharrefreplace"`` a reference such as ``&#165;``, and ``"null"`` makes the row null.

    Raises LookupError for an unknown label, and ValueError for other ``errors``, before a task starts.

    >>> frame.select(encode("name", "gb18030"))                                    # doctest: +SKIP
    """
    return _apply(col, encoding, errors, "binary", textcodec.arrow.encode)


def register(session: SparkSession) -> None:
    """Registers the SQL functions ``whatwg_decode`` and ``whatwg_encode``, and the data source ``textcodec``.

    ``whatwg_decode(binary, encoding [, errors])`` and ``whatwg_encode(string, encoding [, errors])`` are :func:`decode` and
    :func:`encode`, with the same defaults. Each row has its own label. A null label gives null. ``errors`` is a constant.

    >>> session.sql("SELECT whatwg_decode(X'93FA', 'shift_jis')").first()[0]       # doctest: +SKIP
    '日'
    """
    session.dataSource.register(TextSource)
    decode_row = _by_row(textcodec.arrow.decode, "replace")
    encode_row = _by_row(textcodec.arrow.encode, "strict")
    session.udf.register("whatwg_decode", _udf(decode_row, "string", "whatwg_decode"))
    session.udf.register("whatwg_encode", _udf(encode_row, "binary", "whatwg_encode"))


def read_text(
    session: SparkSession, path: str | list[str], encoding: str, errors: DecodeErrors = "replace"
) -> DataFrame:
    """Reads text files as a frame with a column ``value``, of one row for each line.

    Spark's text source finds, splits and decompresses the files, and keeps the bytes of their lines. So ``path`` may be
    everything that ``session.read.text`` takes. ``errors`` is as in :func:`decode`.

    A byte order mark of UTF-8 at the start of a file is removed. It does not change the encoding.

    Raises ValueError for UTF-16, ISO-2022-JP, EBCDIC and others that are not compatible with ASCII. Their lines cannot be found without decoding: use the data source
    ``textcodec``. Raises LookupError for an unknown label.

    >>> read_text(session, "logs/*.txt.gz", "windows-1252").write.parquet("logs.parquet")  # doctest: +SKIP
    """
    found = get_encoding(encoding)
    name = found.name
    if not found.is_ascii_compatible:
        advice = (
            f'. Use the data source: session.read.format("textcodec").option("encoding", "{encoding}").load(path)'
            if name != "replacement"
            else ", because it decodes to no text"
        )
        raise ValueError(f"read_text cannot find the lines of {name}{advice}")
    source = session.read.text(path).select(F.col("value").cast("binary"))
    convert: _Convert = textcodec.arrow.decode
    # Only in their sequences of four bytes does a line end give bytes back.
    if name in ("GBK", "gb18030"):
        convert = _decode_line
    return source.select(_apply("value", encoding, errors, "string", convert).alias("value"))


def _apply(col: Column | str, encoding: str | Column, errors: str, to: str, convert: _Convert) -> Column:
    name = f"whatwg_{convert.__name__}"
    # Checks the arguments.
    convert(_typed(pyarrow.nulls(0), convert), encoding if isinstance(encoding, str) else "utf-8", errors=errors)
    if isinstance(encoding, str):
        return _udf(_by_label(convert, encoding, errors), to, name)(col)
    return _udf(_by_row(convert, errors), to, name)(col, encoding)


def _by_label(convert: _Convert, encoding: str, errors: str) -> _Convert:
    def convert_column(column: pyarrow.Array) -> pyarrow.Array:
        return convert(_typed(column, convert), encoding, errors=errors)

    return convert_column


def _by_row(convert: _Convert, default: str) -> _Convert:
    def convert_rows(
        column: pyarrow.Array, encodings: pyarrow.Array, *errors: pyarrow.Array
    ) -> pyarrow.Array:
        distinct = ["NULL" if value is None else value for value in errors[0].unique().to_pylist()] if errors else []
        if len(distinct) > 1:
            raise ValueError(f"errors must be the same in all rows, not {', '.join(map(repr, distinct))}")
        labels = encodings.cast(pyarrow.string()) if pyarrow.types.is_null(encodings.type) else encodings
        return convert(_typed(column, convert), labels, errors=distinct[0] if distinct else default)

    return convert_rows


def _typed(column: pyarrow.Array, convert: _Convert) -> pyarrow.Array:
    """Gives a type to the literal NULL."""
    if not pyarrow.types.is_null(column.type):
        return column
    return column.cast(pyarrow.string() if convert is textcodec.arrow.encode else pyarrow.binary())


def _decode_line(column: pyarrow.Array, encoding: str, *, errors: DecodeErrors) -> pyarrow.Array:
    """Decodes lines whose line ends were removed.

    The result is that of decoding the whole file. A line end interrupts a sequence of four bytes such as 81 30, and gives the
    digit back. At the end of an input, all of it is malformed.
    """
    if errors in ("strict", "null"):
        return textcodec.arrow.decode(column, encoding, errors=errors)
    text = textcodec.arrow.decode(column, encoding, errors="null")
    if text.null_count == column.null_count:
        return text
    malformed = _compute.and_(_compute.is_null(text), _compute.is_valid(column))
    end = pyarrow.scalar(b"\n", column.type)
    lines = _compute.binary_join_element_wise(column.filter(malformed), end, pyarrow.scalar(b"", column.type))
    decoded = textcodec.arrow.decode(lines, encoding, errors=errors)
    return _compute.replace_with_mask(text, malformed, _compute.utf8_slice_codeunits(decoded, 0, -1))


_decode_line.__name__ = "decode"


def _udf(convert: _Convert, to: str, name: str) -> UserDefinedFunctionLike:
    """Makes a function of Spark from one of Arrow arrays."""
    convert.__name__ = name
    functions: Any = F
    made: UserDefinedFunctionLike = functions.arrow_udf(convert, to)
    return made
