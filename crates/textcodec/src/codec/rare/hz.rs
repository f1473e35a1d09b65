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

use super::{
    Handler, Replay, Step, ascii_run, pair_run,
    shifts::{self, Mode, Shifts, one},
};
use crate::{
    codec::sink::Unit,
    conversion::DecodeReason,
    index,
    kernel::{Kernels, Out},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    mode: Mode,
    /// The first byte of a pair, or a tilde.
    leading: u8,
}

impl Decoder {
    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let run = match self.mode {
                Mode::Ascii => ascii_run(kernels, [b'~'; 3], rest, out),
                Mode::Empty | Mode::Pairs => pair_run(0x21..=0x77, pair, rest, out),
            };
            if run > 0 {
                self.mode = self.mode.after_other();
            }
            read += run;
            self.mode = match (self.mode, &src[read..]) {
                (Mode::Ascii, [b'~', b'{', ..]) => Mode::Empty,
                (Mode::Pairs, [b'~', b'}', ..]) => Mode::Ascii,
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
            (Mode::Empty | Mode::Pairs, b'}') => {
                self.mode = Mode::Ascii;
                return if before == Mode::Empty { Step::Error(DecodeReason::EmptyEscape) } else { Step::Continue };
            }
            _ => {}
        }
        self.mode = before.after_other();
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
            self.mode = Mode::Pairs;
            if !matches!(byte, 0x21..=0x7E) {
                queue.restore(&[byte]);
                return Step::Error(DecodeReason::Interrupted);
            }
            return pair(leading, byte).map_or(Step::Error(DecodeReason::Unmapped), Step::Emit);
        }
        match (self.mode, byte) {
            (_, b'~') | (Mode::Empty | Mode::Pairs, 0x21..=0x77) => {
                self.leading = byte;
                Step::Continue
            }
            (Mode::Ascii, 0x00..=0x7F) => Step::Emit(byte.into()),
            (_, b'\n') => {
                self.mode = Mode::Ascii;
                Step::Emit('\n')
            }
            (mode, _) => {
                self.mode = mode.after_other();
                Step::Error(DecodeReason::InvalidByte)
            }
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0
    }

    /// 0 to 2.
    fn selected(&self) -> u8 {
        self.mode as u8
    }

    fn select(&mut self, selected: u8) {
        *self = Self { mode: Mode::of(selected), leading: 0 };
    }
}

/// The character of a pair. Both bytes are from 0x21 on.
fn pair(leading: u8, trailing: u8) -> Option<char> {
    shifts::character(&index::GB18030, leading, trailing)
}

/// The encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hz;

impl Shifts for Hz {
    const SHIFTS: ([[u8; 2]; 2], usize) = ([*b"~}", *b"~{"], 2);

    fn pair(character: char) -> Option<[u8; 2]> {
        shifts::pair(&index::encode::GB18030, character, 0x77)
    }

    fn ascii(ascii: u8) -> Option<([u8; 2], usize)> {
        Some(if ascii == b'~' { (*b"~~", 2) } else { one(ascii) })
    }
}
