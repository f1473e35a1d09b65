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
//! * Where there is no room for the next character, it is read all the same, and kept until there is. So with
//!   [`OutputFull`](CoderResult::OutputFull) more may be read and written than encoding_rs does, and a destination is used up
//!   to its last unit; a loop with a small destination always ends.
//! * The `max_*_length` queries give bounds of this library. They keep the same promise: with so much room a call does not
//!   end with [`OutputFull`](CoderResult::OutputFull).
//! * The features `simd-accel`, `fast-legacy-encode` and the like are there and change nothing: SIMD is chosen at run time, and
//!   encoders are fast in every build.
//! * [`Encoding`]'s `Hash` is that of which encoding it is, not of an address.
#![no_std]
#![forbid(unsafe_code)]

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
