//! The API of [encoding_rs](https://docs.rs/encoding_rs/0.8.44) 0.8.44 on top of textcodec. Programs whose dependencies use
//! encoding_rs run on textcodec without changes to their code.
//!
//! ```toml
//! [patch.crates-io]
//! encoding_rs = { path = "…/crates/encoding_rs" }
//! ```
//!
//! Text, bytes, errors and lengths of malformed sequences are the same. `difftest` compares them with the real crate for every
//! encoding. The differences are:
//!
//! * A destination is filled up to the last character that fits. So a call that ends with
//!   [`OutputFull`](CoderResult::OutputFull) may read and write more than with encoding_rs.
//! * U+FFFD for a malformed sequence, a character that started in an earlier chunk, or an escape sequence of ISO-2022-JP may
//!   not fit into the destination. Its input is then read and its error counted by this call, and the next call writes it.
//! * The `max_*_length` methods return the bounds of this library. They keep the same promise: with a destination of that
//!   length, a call does not end with [`OutputFull`](CoderResult::OutputFull).
//! * [`latin1_byte_compatible_up_to`](Decoder::latin1_byte_compatible_up_to) of a single-byte encoding counts the ASCII at the
//!   end, as its documentation says.
//! * If EF and BB are in separate chunks and do not start a byte order mark, BB counts as a byte that was read after the
//!   malformed EF.
//! * The features `simd-accel`, `fast-legacy-encode` and similar ones exist, but have no effect: SIMD is chosen at run time,
//!   and encoders are fast in every build.
//! * The `Hash` of [`Encoding`] does not depend on its address.
#![no_std]
#![forbid(unsafe_code)]
#![expect(
    clippy::must_use_candidate,
    reason = "encoding_rs does not have the attribute, and a client may deny warnings"
)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod decoder;
mod encoder;
mod encoding;
pub mod mem;
mod statics;

pub use decoder::{CoderResult, Decoder, DecoderResult};
pub use encoder::{Encoder, EncoderResult};
pub use encoding::Encoding;
pub use statics::*;

/// Ends the process as `Vec` does if there is no memory, because no function of this crate returns that error. `len` is the
/// length of the input.
#[cfg(feature = "alloc")]
#[cold]
fn out_of_memory(len: usize) -> ! {
    use alloc::alloc::{Layout, handle_alloc_error};

    handle_alloc_error(Layout::array::<u8>(len).unwrap_or(Layout::new::<u8>()))
}
