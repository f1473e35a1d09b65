//! HZ of RFC 1843, `true-hz`. In the standard, the labels of this encoding mean `replacement`.
//!
//! `~{` selects GB 2312, `~}` selects ASCII, `~~` is a tilde in ASCII, and a tilde before a line feed continues a line. The pairs of GB 2312
//! are those of index gb18030 with both high bits set, in rows 0x21 to 0x77 and columns 0x21 to 0x7E: all that HZ can express.
//! The encoder writes the pairs that gb18030's encoder writes.
//!
//! In GB 2312, a line feed selects ASCII again, as RFC 1843 requires text lines to end in ASCII. Without this rule, one lost
//! `~}` would hide all that follows.
//!
//! | malformed | error | state |
//! |---|---|---|
//! | `~` and any other byte | the `~`; the byte is decoded again | unchanged |
//! | `~{~}`, which could hide that a word is interrupted | `~}` | ASCII |
//! | a byte from 0x80 on; in GB 2312, a byte that starts no pair | the byte | unchanged |
//! | the first byte of a pair, and a byte outside of 0x21 to 0x7E | the first byte; the other is decoded again | unchanged |
//! | a pair without a character | both bytes | unchanged |
//!
//! In GB 2312, the bytes 0x21 to 0x7E are not ASCII, so an error of both bytes hides no ASCII.

use core::mem::take;

use super::{EncodeHandler, EncodeStep, Handler, Replay, Step, ascii_run, one, pair_run};
use crate::{
    codec::{index_code_point, sink::Unit},
    error::DecodeReason,
    index,
    kernel::{Kernels, Out},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Ascii,
    /// GB 2312, directly after `~{`.
    Empty,
    Gb2312,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    mode: Mode,
    /// The first byte of a pair, or a tilde.
    leading: u8,
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
            _ => Mode::Gb2312,
        };
    }

    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let run = match self.mode {
                Mode::Ascii => ascii_run(kernels, [b'~'; 3], rest, out),
                Mode::Empty | Mode::Gb2312 => pair_run(0x21..=0x77, pair, rest, out),
            };
            if run > 0 && self.mode == Mode::Empty {
                self.mode = Mode::Gb2312;
            }
            read += run;
            self.mode = match (self.mode, &src[read..]) {
                (Mode::Ascii, [b'~', b'{', ..]) => Mode::Empty,
                (Mode::Gb2312, [b'~', b'}', ..]) => Mode::Ascii,
                _ => return read,
            };
            read += 2;
        }
    }

    /// The byte after a tilde.
    fn escape(&mut self, byte: u8, queue: &mut Replay) -> Step {
        let before = self.mode;
        match (before, byte) {
            (Mode::Ascii, b'~') => return Step::Emit('~'),
            (Mode::Ascii, b'\n') => return Step::Continue,
            (Mode::Ascii, b'{') => {
                self.mode = Mode::Empty;
                return Step::Continue;
            }
            (Mode::Empty | Mode::Gb2312, b'}') => {
                self.mode = Mode::Ascii;
                return if before == Mode::Empty { Step::Error(DecodeReason::EmptyEscape) } else { Step::Continue };
            }
            _ => {}
        }
        if before == Mode::Empty {
            self.mode = Mode::Gb2312;
        }
        queue.restore(&[byte]);
        Step::Error(DecodeReason::UnknownEscape)
    }
}

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let leading = take(&mut self.leading);
        let Some(byte) = byte else {
            return if leading == 0 { Step::Finished } else { Step::Error(DecodeReason::Incomplete) };
        };
        if leading == b'~' {
            return self.escape(byte, queue);
        }
        if leading != 0 {
            self.mode = Mode::Gb2312;
            if !matches!(byte, 0x21..=0x7E) {
                queue.restore(&[byte]);
                return Step::Error(DecodeReason::Interrupted);
            }
            return pair(leading, byte).map_or(Step::Error(DecodeReason::Unmapped), Step::Emit);
        }
        match (self.mode, byte) {
            (_, b'~') | (Mode::Empty | Mode::Gb2312, 0x21..=0x77) => {
                self.leading = byte;
                Step::Continue
            }
            (Mode::Ascii, 0x00..=0x7F) => Step::Emit(byte.into()),
            (_, b'\n') => {
                self.mode = Mode::Ascii;
                Step::Emit('\n')
            }
            (mode, _) => {
                if mode == Mode::Empty {
                    self.mode = Mode::Gb2312;
                }
                Step::Error(DecodeReason::InvalidByte)
            }
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0
    }
}

/// The character of a pair. Both bytes are from 0x21 on.
fn pair(leading: u8, byte: u8) -> Option<char> {
    let pointer = (usize::from(leading) + 0x80 - 0x81) * 190 + usize::from(byte) + 0x80 - 0x41;
    index_code_point(&index::GB18030, pointer)
}

/// The pair of a character.
fn encode_pair(character: char) -> Option<[u8; 2]> {
    let pair = index::encode::GB18030.pair(character.into())?;
    matches!(pair, [0xA1..=0xF7, 0xA1..=0xFE]).then(|| pair.map(|byte| byte & 0x7F))
}

/// See [`Encode::unmappable`](super::Encode::unmappable).
pub(super) fn unmappable(character: char) -> Option<char> {
    (!character.is_ascii() && encode_pair(character).is_none()).then_some(character)
}

/// Returns to ASCII before an unmappable character.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoder {
    is_gb2312: bool,
}

impl Encoder {
    pub(super) fn selected(&self) -> u8 {
        self.is_gb2312.into()
    }

    pub(super) fn select(&mut self, selected: u8) {
        self.is_gb2312 = selected > 0;
    }

    fn shift(&mut self, is_gb2312: bool) -> EncodeStep {
        self.is_gb2312 = is_gb2312;
        EncodeStep::emit(if is_gb2312 { *b"~{" } else { *b"~}" })
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
            '~' => None,
            '\0'..='\x7F' => Some(one(character as u8)).filter(|_| !self.is_gb2312),
            _ if self.is_gb2312 => Some((encode_pair(character)?, 2)),
            _ => None,
        }
    }

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else {
            return if self.is_gb2312 { self.shift(false) } else { EncodeStep::Finished };
        };
        let pair = if character.is_ascii() { None } else { encode_pair(character) };
        if pair.is_some() != self.is_gb2312 {
            *queue = Some(character);
            return self.shift(pair.is_some());
        }
        match (pair, character) {
            (Some(pair), _) => EncodeStep::emit(pair),
            (None, '~') => EncodeStep::emit(*b"~~"),
            (None, '\0'..='\x7F') => EncodeStep::emit([character as u8]),
            (None, _) => EncodeStep::Error(character),
        }
    }
}
