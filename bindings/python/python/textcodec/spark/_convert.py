"""Conversions that the reader and the writer need."""

from __future__ import annotations

import pyarrow

import textcodec.arrow


def encode_text(text: str, encoding: str) -> bytes:
    """Encodes a short text. Raises UnicodeEncodeError."""
    encoded: bytes = textcodec.arrow.encode(pyarrow.array([text]), encoding)[0].as_py()
    return encoded
