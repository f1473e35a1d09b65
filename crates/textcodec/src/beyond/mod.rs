//! Encodings beyond the standard: those of `oem` by name, and single bytes by a table.

pub mod custom;
pub mod oem;
pub(crate) mod page;
