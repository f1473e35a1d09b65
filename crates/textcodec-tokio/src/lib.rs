#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod codec;
mod convert;
mod stream;

pub use codec::{DecodeCodec, EncodeCodec, End};
pub use stream::{DecodeStream, EncodeStream, StreamError};
