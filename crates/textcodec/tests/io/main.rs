//! `textcodec::io`: whatever pieces come in, whatever room there is and whatever fails in between, the result is that of one call.
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
