//! ASCII, single bytes, and pairs of a lead byte and a trail byte.

pub(crate) mod decode;
pub(crate) mod decode_utf8;
pub(crate) mod encode;
