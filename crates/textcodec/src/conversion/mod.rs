//! Decoders and encoders as programs call them: whole inputs, chunks, options, results and errors. `codec` has the encodings.

pub(crate) mod bom;
mod decoder;
mod destination;
mod encoder;
pub(crate) mod error;
#[cfg(feature = "alloc")]
pub(crate) mod growth;
pub mod hooks;
pub(crate) mod length;
#[cfg(feature = "alloc")]
mod one_shot;
mod options;
mod result;
pub(crate) mod state;
#[cfg(feature = "alloc")]
pub(crate) mod target;
mod transcoder;

pub use decoder::Decoder;
pub use destination::Destination;
pub use encoder::Encoder;
pub use error::{DecodeError, DecodeReason, EncodeError, EncodeReason, ErrorTally, TextUnit};
pub use options::{Bom, DecodeOptions, EncodeOptions, Malformed, Unmappable};
#[cfg(feature = "alloc")]
pub use result::{Decoded, Encoded};
pub use result::{Progress, Status};
pub use state::{DecoderState, EncoderState, InvalidState, PendingBytes};
#[cfg(feature = "alloc")]
pub use target::DecodeTarget;
pub use transcoder::{TranscodeError, Transcoder};
