"""SQL functions for DuckDB.

>>> import duckdb
>>> import textcodec.duckdb
>>> con = duckdb.connect()
>>> textcodec.duckdb.register(con)
>>> con.execute("SELECT whatwg_decode('\\\\x93\\\\xFA\\\\x96{'::BLOB, 'shift_jis')").fetchone()
('日本',)

| function | result |
|---|---|
| `whatwg_decode(BLOB, VARCHAR[, VARCHAR])` | VARCHAR |
| `whatwg_encode(VARCHAR, VARCHAR[, VARCHAR])` | BLOB |

The second argument is a label of the Encoding Standard. Rows can have different labels. The third argument is what happens to
errors, as in `textcodec.arrow.decode` and `textcodec.arrow.encode`. It must be the same in all rows; without it, an error ends
the query. If an argument is NULL, the result is NULL. (DuckDB 1.0 cannot pass a NULL that has no type, such as a literal.)

DuckDB passes rows as arrays of pyarrow, which must be installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from textcodec import arrow

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

__all__ = ["register"]


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Creates the functions `whatwg_decode` and `whatwg_encode` in a connection, or replaces them there.

    For the default connection of the module, pass `duckdb.default_connection()`.
    """
    import duckdb

    pyarrow: Any = import_module("pyarrow")

    def decode(*arguments: Any) -> Any:
        return _convert("whatwg_decode", arrow.decode, arguments, pyarrow.string())

    def encode(*arguments: Any) -> Any:
        return _convert("whatwg_encode", arrow.encode, arguments, pyarrow.binary())

    for name, function, result in [("whatwg_decode", decode, "VARCHAR"), ("whatwg_encode", encode, "BLOB")]:
        try:
            connection.remove_function(name)
        except duckdb.InvalidInputException:
            pass  # There is none yet.
        # Without types of parameters, a function can have two or three. `special`: NULL arrives as a null row.
        options: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
        connection.create_function(name, function, None, result, **options)


def _convert(name: str, convert: Callable[..., Any], arguments: tuple[Any, ...], result: Any) -> Any:
    pyarrow: Any = import_module("pyarrow")
    if len(arguments) not in (2, 3):
        raise TypeError(f"{name} takes two or three arguments, not {len(arguments)}")
    data, labels = arguments[:2]
    errors = "strict"
    if len(arguments) == 3:
        names = arguments[2].unique().to_pylist()
        if names == [None]:
            return pyarrow.nulls(len(data), result)
        if len(names) > 1:
            raise ValueError(f"{name}: the third argument must be the same in all rows, not {names}")
        errors = (names or ["strict"])[0]
    return convert(data, labels, errors=errors)
