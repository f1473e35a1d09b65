#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod decode;
mod encode;

use core::{error::Error, fmt};

pub use decode::{TextDecoder, TextDecoderOptions, TextDecoderStream};
pub use encode::{EncodeIntoResult, TextEncoder, TextEncoderStream};

/// JavaScript's `RangeError`: the label is unknown, a label of `replacement`, or a label of an encoding that this build cannot
/// decode ([`Encoding::is_available`](textcodec::Encoding::is_available)).
///
/// ```
/// use textcodec_web::TextDecoder;
///
/// let error = TextDecoder::new("utf-7", Default::default()).unwrap_err();
/// assert_eq!(error.to_string(), "the label does not name an encoding that can be decoded");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeError(());

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the label does not name an encoding that can be decoded")
    }
}

impl Error for RangeError {}

/// JavaScript's `TypeError`: the bytes are malformed, and the error mode is "fatal".
///
/// ```
/// use textcodec_web::{TextDecoder, TextDecoderOptions};
///
/// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions { fatal: true, ignore_bom: false })?;
/// assert_eq!(decoder.decode(b"\xFF", false).unwrap_err().to_string(), "the encoded data was not valid");
/// # Ok::<(), textcodec_web::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeError(());

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the encoded data was not valid")
    }
}

impl Error for TypeError {}
