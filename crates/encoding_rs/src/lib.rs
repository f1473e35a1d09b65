//! The API of [encoding_rs](https://docs.rs/encoding_rs/0.8.44) 0.8.44 on top of textcodec: for programs whose dependencies ask
//! for encoding_rs, and which then run on textcodec without a change.
//!
//! ```toml
//! [patch.crates-io]
//! encoding_rs = { path = "…/crates/encoding_rs" }
//! ```
//!
//! The same text, bytes, errors, and lengths of malformed sequences, compared with the real crate over every encoding
//! (`difftest`). What differs:
//!
//! * A destination is used up to the last character that fits, so a call that ends with [`OutputFull`](CoderResult::OutputFull)
//!   may have read and written more than that of encoding_rs.
//! * Where there is no room for U+FFFD for a malformed sequence, for a character that began in an earlier chunk, or for an escape
//!   sequence of ISO-2022-JP, what it stands for is read, an error is said, and it is written by the next call.
//! * The `max_*_length` queries give bounds of this library. They keep the same promise: with so much room a call does not
//!   end with [`OutputFull`](CoderResult::OutputFull).
//! * [`latin1_byte_compatible_up_to`](Decoder::latin1_byte_compatible_up_to) of a single-byte encoding counts the ASCII at the
//!   end, as its documentation says.
//! * Where EF and BB come in chunks of their own and no byte order mark follows, BB is counted as a byte that is read behind the
//!   malformed EF.
//! * The features `simd-accel`, `fast-legacy-encode` and the like are there and change nothing: SIMD is chosen at run time, and
//!   encoders are fast in every build.
//! * [`Encoding`]'s `Hash` is that of which encoding it is, not of an address.
#![no_std]
#![forbid(unsafe_code)]
#![expect(clippy::must_use_candidate, reason = "encoding_rs has none, and a client's build may deny warnings")]

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
