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

pub(super) const HEADER: [u8; 4] = *b"\x1B$)C";
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    mode: Mode,
    /// The first byte of a pair, or 0.
    leading: u8,
    /// How many bytes of a header were read.
    header: u8,
}

impl Decoder {
    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let run = match self.mode {
                Mode::Ascii => ascii_run(kernels, [SO, SI, 0x1B], rest, out),
                Mode::Empty | Mode::Pairs => pair_run(0x21..=0x7E, pair, rest, out),
            };
            if run > 0 {
                self.mode = self.mode.after_other();
            }
            read += run;
            self.mode = match (self.mode, src.get(read)) {
                (Mode::Ascii, Some(&SO)) => Mode::Empty,
                (Mode::Pairs, Some(&SI)) => Mode::Ascii,
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
        self.mode = self.mode.after_other();
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
            self.mode = Mode::Pairs;
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
            (Mode::Pairs | Mode::Ascii, SI) => {
                self.mode = Mode::Ascii;
                Step::Continue
            }
            (Mode::Empty | Mode::Pairs, SO) => Step::Continue,
            (Mode::Ascii, 0x00..=0x7F) => Step::Emit(byte.into()),
            (Mode::Empty | Mode::Pairs, 0x21..=0x7E) => {
                self.leading = byte;
                Step::Continue
            }
            _ => self.error(DecodeReason::InvalidByte),
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0 && self.header == 0
    }

    /// 0 to 2.
    fn selected(&self) -> u8 {
        self.mode as u8
    }

    fn select(&mut self, selected: u8) {
        *self = Self { mode: Mode::of(selected), leading: 0, header: 0 };
    }
}

/// The character of a pair. Both bytes are from 0x21 on.
fn pair(leading: u8, trailing: u8) -> Option<char> {
    shifts::character(&index::EUC_KR, leading, trailing)
}

/// The encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso2022Kr;

impl Shifts for Iso2022Kr {
    const SHIFTS: ([[u8; 2]; 2], usize) = ([[SI, 0], [SO, 0]], 1);

    fn pair(character: char) -> Option<[u8; 2]> {
        shifts::pair(&index::encode::EUC_KR, character, 0x7E)
    }

    fn ascii(ascii: u8) -> Option<([u8; 2], usize)> {
        (!matches!(ascii, SO | SI | 0x1B)).then(|| one(ascii))
    }
}
