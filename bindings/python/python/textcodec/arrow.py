"""Decodes and encodes columns: Arrow arrays of pyarrow, polars, pandas, and every library with the Arrow PyCapsule interface.

>>> import pyarrow as pa
>>> import textcodec.arrow
>>> textcodec.arrow.decode(pa.array([b"\\x93\\xfa\\x96{", None]), "shift_jis").to_pylist()
['日本', None]

The functions take objects that have `__arrow_c_array__` or `__arrow_c_stream__`. They return an object of the same library for
pyarrow (`Array`, `ChunkedArray`), polars (`Series`) and pandas (`Series`, `Index`, extension arrays), with the same name, index
and chunks. For other libraries they return an `Array` or a `ChunkedArray` of this module, which those can take without a copy.

| `decode` takes, `encode` returns | `decode` returns, `encode` takes |
|---|---|
| binary (`decode` also takes fixed_size_binary) | string |
| large_binary | large_string |
| binary_view | string_view |
| a dictionary of these | a dictionary of these; each of its values is converted once |

A null row stays null. A column of the type null, in which all rows are null, becomes one of string or binary.

Byte order marks are kept as U+FEFF, as the codecs `whatwg-LABEL` do, because a row is a field and not a file.

`encoding` can be an array of labels that is as long as the column. A row whose label is null becomes null. The result of a
dictionary is then an array of its values' type, because rows with the same value can have different encodings.

An exception for a row has an attribute `row`: the number of the row from the start of the column, over all chunks. From Python
3.11 on, a note has it too.

Offsets, views, keys, lengths and the UTF-8 of text are checked before they are used. If they are wrong, `ValueError` says how.

The GIL is released during conversion. As the Arrow C data interface requires, the memory of a column and of its labels must not
change during a call: for example, another thread must not write to a NumPy array whose memory an Arrow array uses.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from textcodec._native import (
    Array,
    ChunkedArray,
    Encoding,
    arrow_count_errors as _count_errors,
    arrow_decode as _decode,
    arrow_encode as _encode,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Array", "ChunkedArray", "count_errors", "decode", "encode"]


class _HasArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


class _HasStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Column: TypeAlias = "_HasArray | _HasStream | Any"
"""An object with `__arrow_c_array__` or `__arrow_c_stream__`. `Any`, because the stubs of some libraries lack these."""

DecodeErrors: TypeAlias = Literal["strict", "replace", "ignore", "null"]
EncodeErrors: TypeAlias = Literal["strict", "replace", "ignore", "null", "xmlcharrefreplace"]


def decode(array: Column, encoding: str | Encoding | Column, *, errors: DecodeErrors = "strict") -> Any:
    """Decodes a column of bytes to text.

    `array` is binary, large_binary, binary_view, fixed_size_binary or a dictionary of these. `encoding` is a label, an
    `Encoding`, or a column of labels, one for each row. `errors` is what happens to malformed bytes:

    - `"strict"` raises `UnicodeDecodeError`. Its `object` is the bytes of the row, `start` and `end` are offsets in it, and
      `row` is the number of the row.
    - `"replace"` writes U+FFFD for each malformed sequence.
    - `"ignore"` writes nothing for it.
    - `"null"` makes the row null. A row whose label is unknown becomes null, too.

    Raises `LookupError` for an unknown label, `ValueError` if `encoding` has another length than `array`, if an array is not
    valid or `errors` is unknown, and `TypeError` for columns of other types. Raises `OverflowError` if a chunk of string would
    hold more than 2 GiB of text: cast the column to large_binary first.

    >>> decode(pa.array([b"\\xe4", b"\\xd4"]), pa.array(["windows-1252", "koi8-r"])).to_pylist()
    ['ä', 'т']
    """
    return _convert(array, encoding, lambda column, encodings: _decode(column, encodings, errors))


def encode(array: Column, encoding: str | Encoding | Column, *, errors: EncodeErrors = "strict") -> Any:
    """Encodes a column of text to bytes.

    `array` is string, large_string, string_view or a dictionary of these. `encoding` is a label, an `Encoding`, or a column of
    labels, one for each row. UTF-16 is encoded as UTF-16. `errors` is what happens to characters that the encoding lacks:

    - `"strict"` raises `UnicodeEncodeError`. Its `object` is the text of the row, `start` and `end` are positions in it, and
      `row` is the number of the row.
    - `"replace"` writes `?`.
    - `"ignore"` writes nothing.
    - `"null"` makes the row null. A row whose label is unknown becomes null, too.
    - `"xmlcharrefreplace"` writes a reference such as `&#23383;`.

    The encoding `replacement` encodes nothing: all but `"null"` raise `UnicodeEncodeError`, as its codec does.

    Raises `LookupError` for an unknown label, `ValueError` if `encoding` has another length than `array`, if an array is not
    valid or `errors` is unknown, and `TypeError` for columns of other types. Raises `OverflowError` if a chunk of binary would
    hold more than 2 GiB: cast the column to large_string first.

    >>> encode(pa.array(["日本"]), "euc-jp").to_pylist()
    [b'\\xc6\\xfc\\xcb\\xdc']
    """
    return _convert(array, encoding, lambda column, encodings: _encode(column, encodings, errors))


def count_errors(array: Column, encoding: str | Encoding | Column) -> Any:
    """Counts the malformed sequences of each row: the U+FFFD that `decode` would write for them with `"replace"`.

    The arguments are the same as for `decode`. Returns a column of uint32. A null row stays null, and a row whose label is null
    becomes null. Raises `LookupError`, `ValueError` and `TypeError` like `decode`.

    >>> count_errors(pa.array([b"ok", b"\\xff \\xff"]), "utf-8").to_pylist()
    [0, 2]
    """
    return _convert(array, encoding, _count_errors)


def _convert(array: Any, encoding: Any, convert: Callable[[Any, Any], Array | ChunkedArray]) -> Any:
    # Libraries are looked up among those that are loaded: whoever has an array of one has loaded it.
    modules: dict[str, Any] = sys.modules
    pandas = modules.get("pandas")
    if pandas is not None and not isinstance(encoding, (str, Encoding)):
        if isinstance(encoding, (pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)):
            encoding = _from_pandas(encoding)
    polars = modules.get("polars")
    if polars is not None:
        if isinstance(encoding, polars.Series):
            encoding = _from_polars(encoding)
        if isinstance(array, polars.Series):
            return polars.Series(array.name, _to_polars(convert(_from_polars(array), encoding)))
    pyarrow = modules.get("pyarrow")
    if pyarrow is not None and isinstance(array, (pyarrow.Array, pyarrow.ChunkedArray)):
        return _to_pyarrow(convert(array, encoding))
    if pandas is not None:
        if isinstance(array, pandas.Series):
            values = _to_pandas(convert(_from_pandas(array), encoding))
            return pandas.Series(values, index=array.index, name=array.name, copy=False)
        if isinstance(array, pandas.Index):
            return pandas.Index(_to_pandas(convert(_from_pandas(array), encoding)), name=array.name)
        if isinstance(array, pandas.api.extensions.ExtensionArray):
            return _to_pandas(convert(_from_pandas(array), encoding))
    return convert(array, encoding)


def _to_pyarrow(result: Array | ChunkedArray) -> Any:
    pyarrow: Any = import_module("pyarrow")
    return pyarrow.array(result) if isinstance(result, Array) else pyarrow.chunked_array(result)


def _from_polars(series: Any) -> Any:
    polars: Any = import_module("polars")
    if series.dtype in (polars.Categorical, polars.Enum):
        # Polars has no dictionaries of binary.
        series = series.cast(polars.String)
    # Polars before 1.3 has no PyCapsule interface.
    return series if hasattr(series, "__arrow_c_stream__") else series.to_arrow()


def _to_polars(result: Array | ChunkedArray) -> Any:
    polars: Any = import_module("polars")
    return result if hasattr(polars.Series, "__arrow_c_stream__") else polars.from_arrow(_to_pyarrow(result))


def _from_pandas(values: Any) -> Any:
    # A Series has no PyCapsule interface before pandas 3.
    pyarrow: Any = import_module("pyarrow")
    return pyarrow.array(values, from_pandas=True)


def _to_pandas(result: Array | ChunkedArray) -> Any:
    pandas: Any = import_module("pandas")
    return pandas.arrays.ArrowExtensionArray(_to_pyarrow(result))
