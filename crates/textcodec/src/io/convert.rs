//! [`Convert`]: conversion of bytes to bytes, in either direction, for readers and writers.

use std::io;

use crate::{
    Bom, DecodeError, DecodeOptions, DecodeProgress, DecodeReason, DecodeStatus, Decoder, EncodeProgress, EncodeStatus,
    Encoder, Malformed, UTF_8, target,
};

/// A conversion from bytes to UTF-8 ([`Decoder`]), or from UTF-8 to bytes ([`FromUtf8`]).
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
#[inline]
pub(super) fn at_input_start(mut decoder: Decoder) -> Decoder {
    if decoder.is_finished() {
        decoder.reset();
    }
    decoder
}

impl Convert for Decoder {
    #[inline]
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let DecodeProgress { read, written, status } = self.decode_to_utf8(src, dst, last);
        let stop = match status {
            DecodeStatus::InputEmpty => Stop::InputEmpty,
            DecodeStatus::OutputFull => Stop::OutputFull,
            DecodeStatus::Malformed(error) => Stop::Error(error.into()),
        };
        Step { read, written, stop }
    }
}

/// An [`Encoder`] for unvalidated UTF-8, in chunks that can end within a character.
#[derive(Debug)]
pub(super) struct FromUtf8 {
    pub(super) encoder: Encoder,
    /// The bytes of an incomplete character, at most three, and their number.
    pending: ([u8; 4], usize),
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Text,
    /// The text is malformed, and the output before the error is not completely written.
    Failing(DecodeError),
    /// All output before the error is written. Each further call returns the error.
    Failed(DecodeError),
}

impl FromUtf8 {
    #[inline]
    pub(super) fn new(mut encoder: Encoder) -> Self {
        // Like `at_input_start`.
        if encoder.is_fresh() {
            encoder.reset();
        }
        Self { encoder, pending: ([0; 4], 0), phase: Phase::Text }
    }

    /// Like [`convert`](Convert::convert), for text that is known to be valid.
    #[inline]
    pub(super) fn convert_str(&mut self, src: &str, dst: &mut [u8]) -> Step {
        if self.pending.1 > 0 || !matches!(self.phase, Phase::Text) {
            // Malformed: a pending incomplete character cannot continue in a `str`.
            return self.convert(src.as_bytes(), dst, false);
        }
        self.encode(src, dst, false)
    }

    #[inline]
    fn encode(&mut self, src: &str, dst: &mut [u8], last: bool) -> Step {
        let EncodeProgress { read, written, status } = self.encoder.encode_from_utf8(src, dst, last);
        let stop = match status {
            EncodeStatus::InputEmpty => Stop::InputEmpty,
            EncodeStatus::OutputFull => Stop::OutputFull,
            EncodeStatus::Unmappable(error) => Stop::Error(error.into()),
        };
        Step { read, written, stop }
    }

    /// Converts the valid prefix of `src`, or completes one incomplete character, or returns the error. Also returns whether
    /// more of `src` remains to be converted.
    #[inline]
    fn step(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> (Step, bool) {
        match &self.phase {
            Phase::Text => {}
            Phase::Failing(error) => {
                let error = error.clone();
                // Writes the escape sequence with which ISO-2022-JP returns to ASCII.
                let mut end = self.encode("", dst, true);
                if let Stop::InputEmpty = end.stop {
                    end.stop = Stop::Error(error.clone().into());
                    self.phase = Phase::Failed(error);
                }
                return (end, false);
            }
            Phase::Failed(error) => {
                return (Step { read: 0, written: 0, stop: Stop::Error(error.clone().into()) }, false);
            }
        }
        // Limited, because the next call would validate again what does not fit now.
        let window = &src[..src.len().min(dst.len().saturating_add(64))];
        let is_incomplete = self.pending.1 > 0 && (last || !src.is_empty());
        let valid = if is_incomplete { "" } else { target::utf8_prefix(window) };
        if is_incomplete || valid.is_empty() && !src.is_empty() {
            return (self.convert_one(src, dst, last), true);
        }
        (self.encode(valid, dst, last), valid.len() < src.len())
    }

    /// Converts one character that is pending, incomplete or malformed.
    #[inline]
    fn convert_one(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut bytes, pending) = self.pending;
        let len = (pending + src.len()).min(4);
        bytes[pending..len].copy_from_slice(&src[..len - pending]);
        let bytes = &bytes[..len];
        if let Some(first) = target::utf8_prefix(bytes).chars().next() {
            let step = self.encode(first.encode_utf8(&mut [0; 4]), dst, false);
            if step.read == 0 {
                return step;
            }
            self.pending.1 = 0;
            return Step { read: first.len_utf8() - pending, ..step };
        }
        if !last && core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none()) {
            self.pending.0[..len].copy_from_slice(bytes);
            self.pending.1 = len;
            return Step { read: len - pending, written: 0, stop: Stop::InputEmpty };
        }
        self.phase = Phase::Failing(malformed(self.encoder.position(), bytes));
        Step { read: 0, written: 0, stop: Stop::InputEmpty }
    }
}

impl Convert for FromUtf8 {
    #[inline]
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        loop {
            let (step, has_more) = self.step(&src[read..], &mut dst[written..], last);
            let step = step.after(read, written);
            if !has_more || !matches!(step.stop, Stop::InputEmpty) {
                return step;
            }
            (read, written) = (step.read, step.written);
        }
    }
}

impl Step {
    /// Adds what was read and written before this step.
    #[inline]
    fn after(self, read: usize, written: usize) -> Self {
        Self { read: read + self.read, written: written + self.written, ..self }
    }
}

/// Returns the decoder's error for malformed UTF-8 at the front of `bytes`. `position` is their offset in the text.
#[inline]
fn malformed(position: u64, bytes: &[u8]) -> DecodeError {
    let mut decoder = Decoder::utf_8(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail));
    let (len, reason) = match decoder.decode_to_utf8(bytes, &mut [0; MIN_DST_LEN], true).status {
        DecodeStatus::Malformed(error) => (error.bytes().len(), error.reason()),
        DecodeStatus::InputEmpty | DecodeStatus::OutputFull => (bytes.len(), DecodeReason::InvalidByte),
    };
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    DecodeError::new(UTF_8, position..position + len as u64, four, reason)
}
