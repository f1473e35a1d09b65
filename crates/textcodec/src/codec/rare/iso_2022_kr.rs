//! ISO-2022-KR of RFC 1557, `true-iso-2022-kr`. In the standard, the labels of this encoding mean `replacement`.
//!
//! The header `ESC $ ) C` is at the start of the text. SO selects KS X 1001, and SI selects ASCII. The pairs are those of index EUC-KR with
//! both high bits set. The encoder writes the header before any text, also an empty one, as glibc does.
//!
//! The decoder does not require the header, because parts of a text lack it, and accepts it between any two characters, because texts
//! are concatenated. A shift to the state that is already selected has no effect. Python, glibc and ICU do the same. A line feed selects
//! ASCII, as RFC 1557 requires lines to end in ASCII. Without this rule, one lost SI would hide all that follows.
//!
//! | malformed | error | state |
//! |---|---|---|
//! | an escape byte that starts no header | the escape byte; those after it are decoded again | unchanged |
//! | SO before SI, without a character between them | SI | ASCII |
//! | a byte from 0x80 on; in KS X 1001, a byte that starts no pair | the byte | unchanged |
//! | the first byte of a pair, and a byte outside of 0x21 to 0x7E | the first byte; the other is decoded again | unchanged |
//! | a pair without a character | both bytes | unchanged |
//!
//! In KS X 1001, the bytes 0x21 to 0x7E are not ASCII, so an error of both bytes hides no ASCII.

use super::{EncodeHandler, EncodeStep, Handler, Replay, Step, ascii_run, one, pair_run};
use crate::{
    codec::{index_code_point, sink::Unit},
    error::DecodeReason,
    index,
    kernel::{Kernels, Out},
};

pub(super) const HEADER: [u8; 4] = *b"\x1B$)C";
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Ascii,
    /// KS X 1001, directly after SO.
    Empty,
    Ksx1001,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    mode: Mode,
    /// The first byte of a pair, or 0.
    leading: u8,
    /// How many bytes of a header were read.
    header: u8,
}

impl Decoder {
    /// The state before the incomplete sequence as a number: 0 to 2.
    pub(super) fn selected(&self) -> u8 {
        self.mode as u8
    }

    pub(super) fn select(&mut self, selected: u8) {
        self.mode = match selected {
            0 => Mode::Ascii,
            1 => Mode::Empty,
            _ => Mode::Ksx1001,
        };
    }

    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let run = match self.mode {
                Mode::Ascii => ascii_run(kernels, [SO, SI, 0x1B], rest, out),
                Mode::Empty | Mode::Ksx1001 => pair_run(0x21..=0x7E, pair, rest, out),
            };
            if run > 0 && self.mode == Mode::Empty {
                self.mode = Mode::Ksx1001;
            }
            read += run;
            self.mode = match (self.mode, src.get(read)) {
                (Mode::Ascii, Some(&SO)) => Mode::Empty,
                (Mode::Ksx1001, Some(&SI)) => Mode::Ascii,
                _ => return read,
            };
            read += 1;
        }
    }

    /// A byte after the first `read` bytes of a header.
    fn header(&mut self, read: usize, byte: Option<u8>, queue: &mut Replay) -> Step {
        self.header = 0;
        if byte == Some(HEADER[read]) {
            self.header = (read as u8 + 1) % HEADER.len() as u8;
            return Step::Continue;
        }
        if let Some(byte) = byte {
            queue.restore(&[byte]);
        }
        queue.restore(&HEADER[1..read]);
        self.error(DecodeReason::UnknownEscape)
    }

    fn error(&mut self, reason: DecodeReason) -> Step {
        if self.mode == Mode::Empty {
            self.mode = Mode::Ksx1001;
        }
        Step::Error(reason)
    }
}

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        if self.header > 0 {
            return self.header(self.header.into(), byte, queue);
        }
        let leading = core::mem::take(&mut self.leading);
        let Some(byte) = byte else {
            return if leading == 0 { Step::Finished } else { self.error(DecodeReason::Incomplete) };
        };
        if leading != 0 {
            self.mode = Mode::Ksx1001;
            if !matches!(byte, 0x21..=0x7E) {
                queue.restore(&[byte]);
                return Step::Error(DecodeReason::Interrupted);
            }
            return pair(leading, byte).map_or(Step::Error(DecodeReason::Unmapped), Step::Emit);
        }
        match (self.mode, byte) {
            (_, b'\n') => {
                self.mode = Mode::Ascii;
                Step::Emit('\n')
            }
            (_, 0x1B) => {
                self.header = 1;
                Step::Continue
            }
            (Mode::Ascii, SO) => {
                self.mode = Mode::Empty;
                Step::Continue
            }
            (Mode::Empty, SI) => {
                self.mode = Mode::Ascii;
                Step::Error(DecodeReason::EmptyEscape)
            }
            (Mode::Ksx1001 | Mode::Ascii, SI) => {
                self.mode = Mode::Ascii;
                Step::Continue
            }
            (Mode::Empty | Mode::Ksx1001, SO) => Step::Continue,
            (Mode::Ascii, 0x00..=0x7F) => Step::Emit(byte.into()),
            (Mode::Empty | Mode::Ksx1001, 0x21..=0x7E) => {
                self.leading = byte;
                Step::Continue
            }
            _ => self.error(DecodeReason::InvalidByte),
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0 && self.header == 0
    }
}

/// The character of a pair. Both bytes are from 0x21 on.
fn pair(leading: u8, byte: u8) -> Option<char> {
    let pointer = (usize::from(leading) + 0x80 - 0x81) * 190 + usize::from(byte) + 0x80 - 0x41;
    index_code_point(&index::EUC_KR, pointer)
}

/// The pair of a character.
fn encode_pair(character: char) -> Option<[u8; 2]> {
    let pair = index::encode::EUC_KR.pair(character.into())?;
    matches!(pair, [0xA1..=0xFE, 0xA1..=0xFE]).then(|| pair.map(|byte| byte & 0x7F))
}

/// See [`Encode::unmappable`](super::Encode::unmappable). The code point of the error is U+FFFD for the bytes that change the state, as
/// in ISO-2022-JP.
pub(super) fn unmappable(character: char) -> Option<char> {
    match character {
        '\u{E}' | '\u{F}' | '\u{1B}' => Some(char::REPLACEMENT_CHARACTER),
        '\0'..='\x7F' => None,
        _ => encode_pair(character).is_none().then_some(character),
    }
}

/// Returns to ASCII before an unmappable character.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoder {
    is_ksx1001: bool,
}

impl Encoder {
    pub(super) fn selected(&self) -> u8 {
        self.is_ksx1001.into()
    }

    pub(super) fn select(&mut self, selected: u8) {
        self.is_ksx1001 = selected > 0;
    }

    fn shift(&mut self, is_ksx1001: bool) -> EncodeStep {
        self.is_ksx1001 = is_ksx1001;
        EncodeStep::emit([if is_ksx1001 { SO } else { SI }])
    }
}

impl EncodeHandler for Encoder {
    fn saved(&self) -> u8 {
        self.selected()
    }

    fn restore(&mut self, saved: u8) {
        self.select(saved);
    }

    fn unchanged(&self, character: char) -> Option<([u8; 2], usize)> {
        match character {
            '\u{E}' | '\u{F}' | '\u{1B}' => None,
            '\0'..='\x7F' => Some(one(character as u8)).filter(|_| !self.is_ksx1001),
            _ if self.is_ksx1001 => Some((encode_pair(character)?, 2)),
            _ => None,
        }
    }

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else {
            return if self.is_ksx1001 { self.shift(false) } else { EncodeStep::Finished };
        };
        let pair = if character.is_ascii() { None } else { encode_pair(character) };
        if pair.is_some() != self.is_ksx1001 {
            *queue = Some(character);
            return self.shift(pair.is_some());
        }
        match (pair, unmappable(character)) {
            (Some(pair), _) => EncodeStep::emit(pair),
            (None, Some(code_point)) => EncodeStep::Error(code_point),
            (None, None) => EncodeStep::emit([character as u8]),
        }
    }
}
