//! Runs of ASCII.

pub(crate) mod scalar;
