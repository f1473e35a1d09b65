//! Double-byte encodings: ASCII, single bytes, and pairs.

pub(crate) mod decode;
pub(crate) mod encode;

// As fast as vectors of 64 bytes: docs/design/kernel-levels.md.
pub(crate) use super::super::avx2::double_byte::decode_utf8;
