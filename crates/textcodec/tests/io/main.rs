//! `textcodec::io`: for any chunks, buffer sizes and failures in between, the result is that of a single call.
#![cfg(feature = "all-encodings")]

mod cases;
#[cfg(feature = "tokio-util")]
mod codec;
mod dropping;
mod faulty;
#[cfg(feature = "futures-io")]
mod futures_io;
mod lines;
mod readers;
mod reports;
#[cfg(feature = "tokio")]
mod tokio;
mod writers;
