//! Double-byte encodings: ASCII, single bytes, and pairs.

pub(crate) mod decode;
pub(crate) mod decode_utf8;
pub(crate) mod encode;
