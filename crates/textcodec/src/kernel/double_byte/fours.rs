//! What gb18030's characters of four bytes are decoded with, and one a step.
//!
//! A table of 39,420 code points instead, behind the pairs' grid and looked up like them, took 77 KiB and twice as long.

use super::four_bytes::ABOVE_BMP;
use crate::kernel::{Out, ascii};

/// Two bytes of four, a leading one and a digit, are one of so many halves.
pub(super) const HALVES: u16 = 126 * 10;
/// The last pointer in the BMP.
const LAST_IN_BMP: u16 = 39_419;

/// From pointers to code points of the BMP.
#[derive(Debug)]
pub(crate) struct Fours {
    /// Ascending.
    runs: [Run; RUNS],
    /// By the upper bits of a pointer, the last run that starts at or before the first pointer with these bits.
    jump: [u8; (LAST_IN_BMP >> JUMP) as usize + 1],
    /// Those in which most scripts are.
    pub(super) longest: [Run; LONG],
}

/// Pointers and code points that go up together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u16,
    pub(crate) len: u16,
    pub(crate) code_point: u16,
}

/// Two more than index gb18030 ranges has below U+10000: one pointer is an exception.
pub(crate) const RUNS: usize = 208;
/// U+0452 to U+1E3E, U+2643 to U+2E80, U+9FA6 to U+D7FF, U+E865 to U+F92B.
const LONG: usize = 4;
const JUMP: u32 = 5;

impl Fours {
    pub(crate) const fn new(runs: &[Run; RUNS]) -> Self {
        let mut table = Self { runs: *runs, jump: [0; _], longest: [Run { first: 0, len: 0, code_point: 0 }; LONG] };
        let (mut upper, mut at) = (0, 0);
        while upper < table.jump.len() {
            while at + 1 < RUNS && runs[at + 1].first as usize <= upper << JUMP {
                at += 1;
            }
            table.jump[upper] = at as u8;
            upper += 1;
        }
        let mut n = 0;
        while n < RUNS {
            table.add(runs[n]);
            n += 1;
        }
        table
    }

    /// Puts a run among the longest, if it is one.
    const fn add(&mut self, mut run: Run) {
        let mut n = 0;
        while n < LONG {
            if run.len > self.longest[n].len {
                (self.longest[n], run) = (run, self.longest[n]);
            }
            n += 1;
        }
    }

    /// The code point of a pointer; none above the BMP.
    pub(crate) const fn get(&self, pointer: u32) -> Option<u16> {
        if pointer > LAST_IN_BMP as u32 {
            return None;
        }
        let pointer = pointer as u16;
        let mut at = self.jump[(pointer >> JUMP) as usize] as usize;
        while at + 1 < RUNS && self.runs[at + 1].first <= pointer {
            at += 1;
        }
        Some(self.runs[at].code_point + (pointer - self.runs[at].first))
    }
}

pub(crate) fn to_utf16(table: &Fours, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    loop {
        let taken = match src[read..] {
            [0x00..=0x7F, ..] => ascii::scalar::to_utf16(&src[read..], out),
            _ => character(table, &src[read..], out),
        };
        if taken == 0 {
            return read;
        }
        read += taken;
    }
}

/// One character of four bytes.
pub(super) fn character(table: &Fours, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let [first @ 0x81..=0xFE, second @ b'0'..=b'9', third @ 0x81..=0xFE, fourth @ b'0'..=b'9', ..] = *src else {
        return 0;
    };
    let half = |leading: u8, digit: u8| u32::from(leading - 0x81) * 10 + u32::from(digit - b'0');
    let pointer = half(first, second) * u32::from(HALVES) + half(third, fourth);
    let fits = match (table.get(pointer), pointer.checked_sub(ABOVE_BMP).and_then(|n| char::from_u32(0x10000 + n))) {
        (Some(unit), _) => out.push(unit),
        (None, Some(above)) => out.extend(above.encode_utf16(&mut [0; 2])),
        (None, None) => false,
    };
    if fits { 4 } else { 0 }
}
