//! UTF-8 in: validation, and conversion to UTF-16.

pub(crate) mod scalar;
