//! `textcodec::io`: for any chunks, buffer sizes and failures in between, the result is that of a single call.
#![cfg(feature = "all-encodings")]

mod cases;
mod dropping;
mod faulty;
mod lines;
mod readers;
mod reports;
#[cfg(feature = "tokio")]
mod tokio;
mod writers;
