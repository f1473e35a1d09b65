//! Converts text between Unicode and the 40 encodings of the [Encoding Standard](https://encoding.spec.whatwg.org/), exactly as
//! browsers do.
//!
//! Look up an [`Encoding`] by its label, or use a constant such as [`UTF_8`] or [`SHIFT_JIS`]:
//!
//! ```
//! use textcodec::{Encoding, SHIFT_JIS, Unmappable};
//!
//! // A label from an HTTP header or an HTML page.
//! assert_eq!(Encoding::for_label("sjis"), Some(SHIFT_JIS));
//!
//! // Decoding replaces malformed bytes with U+FFFD, and counts them.
//! let decoded = SHIFT_JIS.decode(b"\x93\xFA\x96{\x8C\xEA");
//! assert_eq!(decoded.text, "日本語");
//! assert!(decoded.errors.is_empty());
//!
//! // Encoding fails at characters that the encoding cannot represent. `encode_with` can replace them instead.
//! assert_eq!(*SHIFT_JIS.encode("日本語")?, *b"\x93\xFA\x96{\x8C\xEA");
//! assert!(SHIFT_JIS.encode("한국어").is_err());
//! assert_eq!(*SHIFT_JIS.encode_with("한", Unmappable::Html)?.bytes, *b"&#54620;");
//! # Ok::<(), textcodec::EncodeError>(())
//! ```
//!
//! # Overview
//! * For a whole input in memory, use [`Encoding::decode`], [`decode_strict`](Encoding::decode_strict),
//!   [`encode`](Encoding::encode), and their variants with options.
//! * For an input in chunks, use [`Decoder`] and [`Encoder`]. They write to growable buffers, or to slices without allocation.
//!   The result does not depend on the size of the chunks, and the offsets of errors count from the start of the input.
//! * To convert bytes from one encoding to another, use [`Transcoder`]: a decoder and an encoder, with the offsets of all errors
//!   in the input.
//! * For files and streams, use the readers and writers of [`io`], which are synchronous or asynchronous.
//! * To validate UTF-8, UTF-16 or UTF-32, or to convert between them and Latin-1 without a decoder, use [`utf`].
//! * To continue from an offset without the input before it, use [`DecoderState`].
//! * For wide strings of Windows and strings of JavaScript, which may be ill-formed UTF-16, use [`wtf8`].
//! * For the line and column of an error, use [`LineIndex`] or [`io::Lines`].
//! * For names of encodings outside the standard, such as `latin_1`, use [`Alias`]; for the numbers of Windows code pages,
//!   [`Encoding::for_code_page`]; for mail, [`Encoding::for_mime_name`] and [`Encoding::first_that_encodes`].
//! * For encodings that the standard leaves out, and for tables of your own, enable feature `oem`.
//! * For text in an unknown encoding, and for the declarations of HTML, XML and CSS, use the crate `textcodec-detect`.
//! * To convert the parts of a large file in parallel, use [`Encoding::split_point`].
//! * To implement another standard, use [`hooks`] (section 6 of the standard). For section 7, `TextDecoder` and its relatives in
//!   JavaScript, use the crate `textcodec-web`.
//!
//! # Cargo features
//! These features are enabled by default:
//!
//! * `std`: the module [`io`]. It enables `alloc`.
//! * `alloc`: everything that allocates. Without it, decoders and encoders only write to slices.
//! * `single-byte`, `japanese`, `korean`, `chinese`: the families of encodings that need tables. Other encodings are available
//!   in every build. Using an encoding that a build lacks is an error, which names the feature: [`DecodeReason::Unavailable`],
//!   [`EncodeReason::Unavailable`]. See [`Encoding::is_available`].
//! * `all-encodings`: the four families, and the functions that have no way to fail without one of them: [`Encoding::decode`] and
//!   [`decode_to_utf16`](Encoding::decode_to_utf16). Libraries that need only some of the encodings use
//!   [`decode_with`](Encoding::decode_with) or a [`decoder`](Encoding::decoder) instead.
//! * `encoders`: the encoders of the enabled families. The encoders of other encodings need no feature. See
//!   [`Encoding::has_encoder`].
//!
//! These features are disabled by default:
//!
//! * `oem`: encodings that the standard leaves out, such as code pages of MS-DOS and EBCDIC, UTF-7, UTF-32, HZ and GSM 03.38, in the
//!   module `oem`, and single-byte encodings by a table of one's own, in the module `custom`. It enables `alloc`, `encoders`, and
//!   the families whose tables it needs.
//! * `serde`: serializes an [`Encoding`] as its name.
//! * `packed-tables`: smaller programs. Decoding tables are packed, and each is unpacked when it is first used, which takes about
//!   a millisecond. The results are the same. It enables `std`.
//! * `tokio`: implements tokio's traits for the types of [`io`]. The crate `textcodec-tokio` has streams and codecs.
//!
//! # Small builds
//! `RUSTFLAGS="--cfg textcodec_small"` reduces the size of a program. Decoding tables are packed as by feature
//! `packed-tables`, one loop serves all encodings, and there are no kernels for AVX2 and AVX-512. The results are the same. This needs
//! feature `std`.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(clippy::trivially_copy_pass_by_ref, reason = "the sizes of codecs depend on the features of a build")]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// Whether a special path is compiled: always, except where `cargo xtask bench --ablate NAME` measures what it gains.
/// `bench/paths.csv` lists the paths, and the cells that each is for.
macro_rules! path {
    ($name:tt) => {
        cfg!(not(textcodec_ablate = $name))
    };
}

#[cfg(feature = "oem")]
mod beyond;
mod codec;
mod conversion;
mod index;
#[cfg(feature = "std")]
pub mod io;
mod kernel;
mod names;
mod once;
#[cfg(feature = "__levels")]
#[doc(hidden)]
pub mod testing;
#[cfg(not(feature = "__levels"))]
mod testing;
mod text;

#[cfg(feature = "oem")]
pub use beyond::{custom, oem};
pub use conversion::*;
pub use names::*;
pub use text::*;

/// Tests the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
