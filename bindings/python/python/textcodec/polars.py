"""The namespace `whatwg` of polars' expressions and Series.

`import textcodec.polars` registers it.

>>> import polars as pl
>>> import textcodec.polars
>>> frame = pl.DataFrame({"name": [b"\\xc4\\xe3\\xba\\xc3", None]})
>>> frame.select(pl.col("name").whatwg.decode("gbk"))["name"].to_list()
['你好', None]

Conversions are elementwise, so they work in lazy and streaming queries. An expression raises `polars.exceptions.ComputeError`
instead of `UnicodeDecodeError`, `UnicodeEncodeError` or another exception for a row, which polars cannot pass on. Its message
counts rows from the start of the batch that polars passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from textcodec import arrow
from textcodec._native import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable

    from textcodec.arrow import DecodeErrors, EncodeErrors

__all__ = ["WhatwgExpr", "WhatwgSeries"]


@pl.api.register_expr_namespace("whatwg")
class WhatwgExpr:
    """`pl.Expr.whatwg`: encodings of the web."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def decode(self, encoding: str | Encoding | pl.Expr, *, errors: DecodeErrors = "strict") -> pl.Expr:
        """Decodes binary to strings.

        `encoding` is a label, an `Encoding`, or an expression of labels, one for each row, such as `pl.col("label")`. For
        `errors`, see `textcodec.arrow.decode`.

        >>> frame = pl.DataFrame({"data": [b"\\xe4", b"\\xd4"], "label": ["windows-1252", "koi8-r"]})
        >>> frame.select(pl.col("data").whatwg.decode(pl.col("label")))["data"].to_list()
        ['ä', 'т']
        """
        return self._map(encoding, lambda data, label: arrow.decode(data, label, errors=errors), pl.String())

    def encode(self, encoding: str | Encoding | pl.Expr, *, errors: EncodeErrors = "strict") -> pl.Expr:
        """Encodes strings to binary.

        `encoding` is a label, an `Encoding`, or an expression of labels, one for each row, such as `pl.col("label")`. For
        `errors`, see `textcodec.arrow.encode`.

        >>> pl.select(pl.lit("日本").whatwg.encode("euc-jp")).item()
        b'\\xc6\\xfc\\xcb\\xdc'
        """
        return self._map(encoding, lambda data, label: arrow.encode(data, label, errors=errors), pl.Binary())

    def _map(
        self, encoding: str | Encoding | pl.Expr, convert: Callable[[pl.Series, Any], pl.Series], dtype: pl.DataType
    ) -> pl.Expr:
        def convert_series(data: pl.Series, labels: str | Encoding | pl.Series) -> pl.Series:
            try:
                return convert(data, labels)
            except Exception as error:
                row = getattr(error, "row", None)
                if row is None:
                    raise
                raise pl.exceptions.ComputeError(f"{error} (in row {row} of the batch)") from error

        if not isinstance(encoding, pl.Expr):
            constant = encoding
            return self._expr.map_batches(lambda data: convert_series(data, constant), dtype, is_elementwise=True)

        def convert_struct(both: pl.Series) -> pl.Series:
            data, labels = (both.struct.field(name) for name in both.struct.fields)
            return convert_series(data, labels)

        # The result has the name of the first field. The name of the second must be another one.
        both = pl.struct(self._expr, encoding.alias("textcodec.polars: encoding"))
        return both.map_batches(convert_struct, dtype, is_elementwise=True)


@pl.api.register_series_namespace("whatwg")
class WhatwgSeries:
    """`pl.Series.whatwg`: encodings of the web."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def decode(self, encoding: str | Encoding | pl.Series, *, errors: DecodeErrors = "strict") -> pl.Series:
        """Decodes binary to strings.

        `encoding` is a label, an `Encoding`, or a Series of labels, one for each row. For `errors` and exceptions, see
        `textcodec.arrow.decode`.

        >>> pl.Series([b"\\xc7\\xd1\\xb1\\xdb"]).whatwg.decode("euc-kr").to_list()
        ['한글']
        """
        result: pl.Series = arrow.decode(self._series, encoding, errors=errors)
        return result

    def encode(self, encoding: str | Encoding | pl.Series, *, errors: EncodeErrors = "strict") -> pl.Series:
        """Encodes strings to binary.

        `encoding` is a label, an `Encoding`, or a Series of labels, one for each row. For `errors` and exceptions, see
        `textcodec.arrow.encode`.

        >>> pl.Series(["한글"]).whatwg.encode("euc-kr").to_list()
        [b'\\xc7\\xd1\\xb1\\xdb']
        """
        result: pl.Series = arrow.encode(self._series, encoding, errors=errors)
        return result
