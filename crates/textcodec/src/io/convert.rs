//! [`Convert`]: bytes to bytes, whichever way. What readers and writers have in common; it knows nothing of them.

use std::io;

use crate::{
    Bom, DecodeError, DecodeOptions, DecodeProgress, DecodeStatus, Decoder, EncodeProgress, EncodeStatus, Encoder,
    Encoding, Malformed, Reason, UTF_8, UTF_16BE, UTF_16LE, target, utf,
};

/// Bytes to UTF-8 by a [`Decoder`], or UTF-8 to bytes by a [`FromUtf8`].
pub(super) trait Convert {
    /// Converts a chunk. `last` says that the input has ended; the chunk is empty then. A destination of [`MIN_ROOM`] bytes
    /// always gets on.
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step;
}

/// A destination with which each call gets on.
pub(super) const MIN_ROOM: usize = Decoder::MIN_UTF8_ROOM;

/// What a call did.
pub(super) struct Step {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) stop: Stop,
}

/// Why it ended.
pub(super) enum Stop {
    /// All of the chunk is read and written, a begun character aside.
    InputEmpty,
    /// There is more to write.
    OutputFull,
    /// Malformed or unmappable. What comes before is written.
    Error(io::Error),
}

/// A decoder that has finished begins a new input at its next call. To tell where in that it is, it has to do so before.
pub(super) fn at_input(mut decoder: Decoder) -> Decoder {
    let mut next = decoder.clone();
    let _ = next.decode_to_utf8(&[], &mut [], false);
    if next.position() == 0 {
        decoder.reset();
    }
    decoder
}

impl Convert for Decoder {
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

/// An [`Encoder`] for UTF-8 that is not yet checked, and cut anywhere.
#[derive(Debug)]
pub(super) struct FromUtf8 {
    pub(super) encoder: Encoder,
    /// A byte order mark that is still to be written.
    mark: &'static [u8],
    /// A mark or text came: it is too late for a mark.
    has_begun: bool,
    /// A begun character: three bytes at most.
    begun: ([u8; 4], usize),
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    Text,
    /// The text was malformed. What is before it is being completed.
    Failing(DecodeError),
    /// It is completed; each further call gives the error.
    Failed(DecodeError),
}

impl FromUtf8 {
    pub(super) fn new(mut encoder: Encoder) -> Self {
        // As `at_input`.
        let mut next = encoder.clone();
        let _ = next.encode_from_utf8("", &mut [], false);
        if next.position() == 0 {
            encoder.reset();
        }
        Self { encoder, mark: b"", has_begun: false, begun: ([0; 4], 0), phase: Phase::Text }
    }

    /// Begins with a byte order mark, where the encoding has one and nothing came yet. It does not go through the encoder, so
    /// it does not count in the positions of errors.
    pub(super) fn ask_for_bom(&mut self) {
        if !self.has_begun {
            self.mark = mark(self.encoder.encoding());
        }
    }

    /// [`convert`](Convert::convert) for what is known to be UTF-8.
    pub(super) fn convert_str(&mut self, src: &str, dst: &mut [u8]) -> Step {
        if self.begun.1 > 0 || !matches!(self.phase, Phase::Text) {
            // That is an error.
            return self.convert(src.as_bytes(), dst, false);
        }
        let written = self.begin(src.as_bytes(), dst, false);
        self.encode(src, &mut dst[written..], false).behind(0, written)
    }

    /// Writes the mark. It always has room: nothing precedes it.
    fn begin(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> usize {
        let mark = core::mem::take(&mut self.mark);
        dst[..mark.len()].copy_from_slice(mark);
        self.has_begun |= last || !src.is_empty() || !mark.is_empty();
        mark.len()
    }

    fn encode(&mut self, src: &str, dst: &mut [u8], last: bool) -> Step {
        let EncodeProgress { read, written, status } = self.encoder.encode_from_utf8(src, dst, last);
        let stop = match status {
            EncodeStatus::InputEmpty => Stop::InputEmpty,
            EncodeStatus::OutputFull => Stop::OutputFull,
            EncodeStatus::Unmappable(error) => Stop::Error(error.into()),
        };
        Step { read, written, stop }
    }

    /// Converts what is valid at the front of `src`, or one character that is begun, or says what is wrong. Where that was not
    /// yet all, the second answer is true.
    fn step(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> (Step, bool) {
        match &self.phase {
            Phase::Text => {}
            Phase::Failing(error) => {
                let error = error.clone();
                // ISO-2022-JP's way back to ASCII.
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
        // What hardly fits is not looked at: it would be again, in the next call.
        let window = &src[..src.len().min(dst.len().saturating_add(64))];
        let is_begun = self.begun.1 > 0 && (last || !src.is_empty());
        let valid = if is_begun { "" } else { target::utf8(&window[..utf::utf8_valid_up_to(window)]) };
        if is_begun || valid.is_empty() && !src.is_empty() {
            return (self.one(src, dst, last), true);
        }
        (self.encode(valid, dst, last), valid.len() < src.len())
    }

    /// Converts a character that is begun, or begins here and is not whole, or not one.
    fn one(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut bytes, begun) = self.begun;
        let len = (begun + src.len()).min(4);
        bytes[begun..len].copy_from_slice(&src[..len - begun]);
        let bytes = &bytes[..len];
        if let Some(first) = target::utf8(&bytes[..utf::utf8_valid_up_to(bytes)]).chars().next() {
            let step = self.encode(first.encode_utf8(&mut [0; 4]), dst, false);
            if step.read == 0 {
                return step;
            }
            self.begun.1 = 0;
            return Step { read: first.len_utf8() - begun, ..step };
        }
        if !last && core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none()) {
            self.begun.0[..len].copy_from_slice(bytes);
            self.begun.1 = len;
            return Step { read: len - begun, written: 0, stop: Stop::InputEmpty };
        }
        self.phase = Phase::Failing(malformed(self.encoder.position(), bytes));
        Step { read: 0, written: 0, stop: Stop::InputEmpty }
    }
}

impl Convert for FromUtf8 {
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut read, mut written) = (0, self.begin(src, dst, last));
        loop {
            let (step, goes_on) = self.step(&src[read..], &mut dst[written..], last);
            let step = step.behind(read, written);
            if !goes_on || !matches!(step.stop, Stop::InputEmpty) {
                return step;
            }
            (read, written) = (step.read, step.written);
        }
    }
}

impl Step {
    fn behind(self, read: usize, written: usize) -> Self {
        Self { read: read + self.read, written: written + self.written, ..self }
    }
}

/// What is malformed at the front of `bytes`, which are at a position of the text: what the decoder of UTF-8 says.
fn malformed(position: u64, bytes: &[u8]) -> DecodeError {
    let mut decoder = Decoder::utf_8(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail));
    let (len, reason) = match decoder.decode_to_utf8(bytes, &mut [0; MIN_ROOM], true).status {
        DecodeStatus::Malformed(error) => (error.bytes().len(), error.reason()),
        DecodeStatus::InputEmpty | DecodeStatus::OutputFull => (bytes.len(), Reason::InvalidByte),
    };
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    DecodeError::new(UTF_8, position..position + len as u64, four, reason)
}

fn mark(encoding: Encoding) -> &'static [u8] {
    match encoding {
        UTF_8 => b"\xEF\xBB\xBF",
        UTF_16LE => b"\xFF\xFE",
        UTF_16BE => b"\xFE\xFF",
        _ => b"",
    }
}
