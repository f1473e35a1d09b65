//! For any chunks and interruptions, the result is that of a single call.

#[path = "../../../textcodec/tests/io/cases.rs"]
mod cases;
mod codec;
mod futures_io;
mod stream;
