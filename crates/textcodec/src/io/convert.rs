//! [`Convert`]: conversion of bytes to bytes, in either direction, for readers and writers.

use std::io;

use crate::conversion::{
    Bom, DecodeOptions, Decoder, Encoder, Malformed, Progress, Status, TranscodeError, Transcoder,
};

/// A conversion from bytes to UTF-8 ([`Decoder`]), or from UTF-8 to bytes ([`Transcoder`]).
pub(super) trait Convert {
    /// Converts a chunk. `last` means that the input has ended; the chunk must be empty then. A destination of [`MIN_DST_LEN`]
    /// bytes always makes progress.
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step;
}

/// The smallest destination in bytes with which each call makes progress.
pub(super) const MIN_DST_LEN: usize = Decoder::MIN_UTF8_BUFFER_LEN;

/// The result of a call.
pub(super) struct Step {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) stop: Stop,
}

/// Why a call returned.
pub(super) enum Stop {
    /// The whole chunk was read, and its output written, except for an incomplete character at its end.
    InputEmpty,
    /// The destination is full.
    OutputFull,
    /// The input is malformed or unmappable. The output before the error was written.
    Error(io::Error),
}

/// Resets a decoder that has finished an input. Otherwise the next call would reset it, and [`Decoder::position`] before and
/// after that call could not be compared.
pub(super) fn at_input_start(mut decoder: Decoder) -> Decoder {
    if decoder.is_finished() {
        decoder.reset();
    }
    decoder
}

impl Convert for Decoder {
    #[inline]
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let Progress { read, written, status } = self.decode_to_utf8(src, dst, last);
        let stop = match status {
            Status::InputEmpty => Stop::InputEmpty,
            Status::OutputFull => Stop::OutputFull,
            Status::Error(error) => Stop::Error(error.into()),
        };
        Step { read, written, stop }
    }
}

impl Convert for Transcoder {
    #[inline]
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let before = self.position();
        let mut step: Step = self.transcode(src, dst, last).into();
        if let Some(TranscodeError::Decode(error)) = self.failure() {
            // A writer accepts the text before malformed bytes, and then fails.
            step.read = step.read.min(error.range().start.saturating_sub(before) as usize);
        }
        step
    }
}

impl From<Progress<TranscodeError>> for Step {
    #[inline]
    fn from(progress: Progress<TranscodeError>) -> Self {
        let Progress { read, written, status } = progress;
        let stop = match status {
            Status::InputEmpty => Stop::InputEmpty,
            Status::OutputFull => Stop::OutputFull,
            Status::Error(error) => Stop::Error(error.into()),
        };
        Self { read, written, stop }
    }
}

/// Creates an encoder for unvalidated UTF-8, in chunks that can end within a character. Offsets count from the encoder's position.
#[inline]
pub(super) fn from_utf8(mut encoder: Encoder) -> Transcoder {
    // Like `at_input_start`.
    if encoder.is_fresh() {
        encoder.reset();
    }
    let mut decoder = Decoder::utf_8(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail));
    decoder.skip(encoder.position() as usize);
    Transcoder::new(decoder, encoder)
}
