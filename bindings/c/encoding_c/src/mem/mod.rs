//! The functions of `encoding_c_mem`.

mod check;
mod convert;
