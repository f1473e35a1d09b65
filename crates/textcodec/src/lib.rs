//! textcodec
