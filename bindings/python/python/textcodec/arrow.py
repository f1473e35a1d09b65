"""Decodes and encodes columns: Arrow arrays of pyarrow, polars, pandas, and every library with the Arrow PyCapsule interface.

The functions take what has ``__arrow_c_array__`` or ``__arrow_c_stream__``, and return an object of the same library where it
is pyarrow (``Array``, ``ChunkedArray``), polars (``Series``) or pandas (``Series``, extension arrays): so names, indexes and
chunks are kept. For any other library they return an :class:`Array` or a :class:`ChunkedArray`, which it can take without a copy.

>>> import pyarrow as pa
>>> import textcodec.arrow
>>> textcodec.arrow.decode(pa.array([b"\\x93\\xfa\\x96{", None]), "shift_jis").to_pylist()
['日本', None]

=======================================  ==============================
``decode`` takes, ``encode`` returns      ``decode`` returns, ``encode`` takes
=======================================  ==============================
``binary``, ``fixed_size_binary``         ``string``
``large_binary``                          ``large_string``
``binary_view``                           ``string_view``
a dictionary of these                     a dictionary of these
=======================================  ==============================

(``encode`` never returns ``fixed_size_binary``.) Each distinct value of a dictionary is converted once.

**Nulls.** A null row stays null.

**Byte order marks** are kept, as U+FEFF, because a field of a column is not a file. The codecs ``whatwg-…`` do the same.

**An encoding for each row.** ``encoding`` can be an array of labels that is as long as the column. A row whose label is null
becomes null. A dictionary then becomes an array of its values' type, because one value can have rows with different encodings.

**The rows of errors.** Exceptions for one row have an attribute ``row``: its number from the start of the column, over all
chunks. From Python 3.11 on, a note says it, too.

**Malformed arrays.** Offsets, views, keys, lengths and the UTF-8 of text are checked before they are used. ``ValueError`` says
what is wrong.

The GIL is released during conversion.
"""

from __future__ import annotations

import sys
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
"""What has ``__arrow_c_array__`` or ``__arrow_c_stream__``. Any, because stubs of libraries do not always say so."""

DecodeErrors: TypeAlias = Literal["strict", "replace", "ignore", "null"]
EncodeErrors: TypeAlias = Literal["strict", "replace", "ignore", "null", "xmlcharrefreplace"]


def decode(array: Column, encoding: str | Encoding | Column, *, errors: DecodeErrors = "strict") -> Any:
    """Decodes a column of bytes.

    :param array: ``binary``, ``large_binary``, ``binary_view``, ``fixed_size_binary`` or a dictionary of these.
    :param encoding: a label, an ``Encoding``, or a column of labels, one for each row.
    :param errors: what happens to malformed bytes: ``"strict"`` raises an exception, ``"replace"`` writes U+FFFD for each
        malformed sequence, ``"ignore"`` leaves it out, and ``"null"`` makes the row null.
    :returns: ``string``, ``large_string``, ``string_view`` or a dictionary of these, of the library of ``array``.
    :raises UnicodeDecodeError: with ``"strict"``: a row is malformed. ``object`` is the row's bytes, ``start`` and ``end`` are
        offsets in it, ``encoding`` is the standard's name in small letters, and ``row`` the row's number.
    :raises LookupError: a label is unknown. With ``"null"``, a row with an unknown label becomes null.
    :raises ValueError: ``encoding`` has another length than ``array``, an array is not valid, or ``errors`` is unknown.
    :raises TypeError: ``array`` has another type, or ``encoding`` is not one.
    :raises OverflowError: a chunk of ``string`` would hold more than 2 GiB of text. Cast the column to ``large_binary`` first.

    >>> decode(pa.array([b"\\xe4", b"\\xd4"]), pa.array(["windows-1252", "koi8-r"])).to_pylist()
    ['ä', 'т']
    """
    return _convert(array, encoding, lambda column, encodings: _decode(column, encodings, errors))


def encode(array: Column, encoding: str | Encoding | Column, *, errors: EncodeErrors = "strict") -> Any:
    """Encodes a column of text.

    :param array: ``string``, ``large_string``, ``string_view`` or a dictionary of these.
    :param encoding: a label, an ``Encoding``, or a column of labels, one for each row. UTF-16 is encoded as UTF-16.
    :param errors: what happens to characters that the encoding lacks: ``"strict"`` raises an exception, ``"replace"`` writes
        ``?``, ``"ignore"`` leaves them out, ``"null"`` makes the row null, and ``"xmlcharrefreplace"`` writes ``&#…;``.
    :returns: ``binary``, ``large_binary``, ``binary_view`` or a dictionary of these, of the library of ``array``.
    :raises UnicodeEncodeError: with ``"strict"``: a character is unmappable. ``object`` is the row's text, ``start`` and
        ``end`` are positions in it, and ``row`` is the row's number. The encoding ``replacement`` encodes no character, so
        ``"replace"`` and ``"xmlcharrefreplace"`` raise it, too.
    :raises LookupError: a label is unknown. With ``"null"``, a row with an unknown label becomes null.
    :raises ValueError: ``encoding`` has another length than ``array``, an array is not valid, or ``errors`` is unknown.
    :raises TypeError: ``array`` has another type, or ``encoding`` is not one.
    :raises OverflowError: a chunk of ``binary`` would hold more than 2 GiB. Cast the column to ``large_string`` first.

    >>> encode(pa.array(["日本"]), "euc-jp").to_pylist()
    [b'\\xc6\\xfc\\xcb\\xdc']
    """
    return _convert(array, encoding, lambda column, encodings: _encode(column, encodings, errors))


def count_errors(array: Column, encoding: str | Encoding | Column) -> Any:
    """Counts the malformed sequences of each row: how many U+FFFD ``decode`` would write for them with ``"replace"``.

    :param array: the same as for :func:`decode`.
    :param encoding: the same as for :func:`decode`. A row whose label is null becomes null.
    :returns: ``uint32``, of the library of ``array``. A null row stays null.
    :raises LookupError: a label is unknown.
    :raises ValueError: ``encoding`` has another length than ``array``, or an array is not valid.
    :raises TypeError: ``array`` has another type, or ``encoding`` is not one.

    >>> count_errors(pa.array([b"ok", b"\\xff \\xff"]), "utf-8").to_pylist()
    [0, 2]
    """
    return _convert(array, encoding, _count_errors)


def _convert(array: Any, encoding: Any, convert: Callable[[Any, Any], Array | ChunkedArray]) -> Any:
    # Libraries are looked up among those that are loaded: whoever has an array of one has loaded it.
    modules = sys.modules
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
        if isinstance(array, pandas.api.extensions.ExtensionArray):
            return _to_pandas(convert(_from_pandas(array), encoding))
    return convert(array, encoding)


def _to_pyarrow(result: Array | ChunkedArray) -> Any:
    import pyarrow

    return pyarrow.array(result) if isinstance(result, Array) else pyarrow.chunked_array(result)


def _from_polars(series: Any) -> Any:
    import polars

    if series.dtype in (polars.Categorical, polars.Enum):
        # Polars has no dictionaries of binary.
        series = series.cast(polars.String)
    # Polars before 1.3 has no PyCapsule interface.
    return series if hasattr(series, "__arrow_c_stream__") else series.to_arrow()


def _to_polars(result: Array | ChunkedArray) -> Any:
    import polars

    return result if hasattr(polars.Series, "__arrow_c_stream__") else polars.from_arrow(_to_pyarrow(result))


def _from_pandas(values: Any) -> Any:
    import pyarrow

    # A Series has no PyCapsule interface before pandas 3.
    return pyarrow.array(values, from_pandas=True)


def _to_pandas(result: Array | ChunkedArray) -> Any:
    import pandas

    return pandas.arrays.ArrowExtensionArray(_to_pyarrow(result))
