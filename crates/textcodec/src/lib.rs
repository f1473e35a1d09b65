//! The [Encoding Standard](https://encoding.spec.whatwg.org/): bytes of any of the web's 40 encodings to Unicode text and
//! back, exactly as browsers do it.
//!
//! ```
//! use textcodec::{Encoding, SHIFT_JIS, Unmappable};
//!
//! // Bytes to text: malformed bytes become U+FFFD, and are counted.
//! let decoded = SHIFT_JIS.decode(b"\x93\xFA\x96{\x8C\xEA");
//! assert_eq!(decoded.text, "日本語");
//! assert!(decoded.errors.is_empty());
//!
//! // Text to bytes: nothing is lost without a word.
//! assert_eq!(*SHIFT_JIS.encode("日本語")?, *b"\x93\xFA\x96{\x8C\xEA");
//! assert!(SHIFT_JIS.encode("한국어").is_err());
//! assert_eq!(*SHIFT_JIS.encode_with("한", Unmappable::Html)?.bytes, *b"&#54620;");
//!
//! // Labels as they come in HTTP headers and HTML.
//! assert_eq!(Encoding::for_label("sjis"), Some(SHIFT_JIS));
//! # Ok::<(), textcodec::EncodeError>(())
//! ```
//!
//! * Whole inputs: [`Encoding::decode`], [`decode_strict`](Encoding::decode_strict), [`encode`](Encoding::encode) and their
//!   variants with options.
//! * Chunks: [`Decoder`] and [`Encoder`], into buffers that grow, or into slices without allocation. However the input is
//!   cut, the result is the same, and so are the positions of errors.
//! * Readers and writers, synchronous and asynchronous: [`io`].
//! * UTF-8, UTF-16 and Latin-1 in slices, without a decoder: [`utf`].
//! * For implementers of other standards: [`hooks`] (section 6) and [`web`] (section 7).
//! * Names from outside the standard: [`Alias`].
//!
//! # Features
//! On by default:
//! * `std` and `alloc`: without both, the fixed-buffer level is left, and nothing allocates. `std` is for [`io`].
//! * `single-byte`, `japanese`, `korean`, `chinese`: the families of encodings that need tables. What a build lacks is an error
//!   ([`Reason::Unavailable`], [`EncodeError::Unavailable`]), never another encoding; [`Encoding::is_available`] tells before.
//! * `all-encodings`: the four, and the calls that cannot fail then: [`Encoding::decode`], [`decoder`](Encoding::decoder),
//!   [`decoder_with`](Encoding::decoder_with), [`hooks::decode`]. A library that is content with some encodings uses
//!   [`try_decoder`](Encoding::try_decoder) and [`decode_with`](Encoding::decode_with).
//! * `encoders`: encoders for the families that are on; see [`Encoding::has_encoder`]. Those of UTF-8 and UTF-16 need none.
//!
//! Off by default:
//! * `serde`: [`Encoding`] as its name.
//! * `tokio` and `futures-io`: `io` for the asynchronous traits of these crates.
//! * `tokio-util`: codecs for its frames, `io::codec`.
//!
//! # Small programs
//! `RUSTFLAGS="--cfg textcodec_small"` makes a program that has the tables in 53 KB instead of 534, unpacked when they are first used, and
//! one loop for all encodings. It converts the same, and needs feature `std`.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod alias;
mod bom;
mod codec;
mod constants;
mod decoder;
mod encoder;
mod encoding;
mod error;
#[cfg(feature = "alloc")]
mod growth;
pub mod hooks;
mod index;
#[cfg(feature = "std")]
pub mod io;
mod kernel;
mod label;
mod length;
#[cfg(feature = "alloc")]
mod one_shot;
mod options;
mod table;
#[cfg(feature = "alloc")]
mod target;
#[doc(hidden)]
pub mod testing;
pub mod utf;
#[cfg(feature = "alloc")]
pub mod web;

pub use alias::Alias;
pub use constants::*;
pub use decoder::{DecodeProgress, DecodeStatus, DecodeSummary, Decoder};
pub use encoder::{EncodeProgress, EncodeStatus, EncodeSummary, Encoder};
pub use encoding::{Encoding, UnknownLabel};
pub use error::{DecodeError, EncodeError, Errors, Reason};
#[cfg(feature = "alloc")]
pub use one_shot::{Decoded, Encoded};
pub use options::{Bom, DecodeOptions, Malformed, Unmappable};
#[cfg(feature = "alloc")]
pub use target::DecodeTarget;

/// The README's example runs, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
