//! Four bytes from a pointer: 126 × 10 × 126 × 10 of them.

/// The pointer of U+10000; what follows it is in order.
pub(crate) const ABOVE_BMP: u32 = 189_000;

#[inline(always)]
pub(crate) fn four_bytes(pointer: u32) -> [u8; 4] {
    let digit = |n: u32| (n % 10) as u8 + 0x30;
    let upper = |n: u32| (n % 126) as u8 + 0x81;
    [upper(pointer / (10 * 126 * 10)), digit(pointer / (10 * 126)), upper(pointer / 10), digit(pointer)]
}

/// Two bytes of four, a leading one and a digit, are one of so many halves.
pub(crate) const HALVES: u16 = 126 * 10;
/// The last pointer in the BMP.
const LAST_IN_BMP: u16 = 39_419;

/// From pointers to code points of the BMP.
#[derive(Debug)]
pub(crate) struct FourByteRuns {
    /// Ascending.
    runs: [Run; RUNS],
    /// By the upper bits of a pointer, the last run that starts at or before the first pointer with these bits.
    jump: [u8; (LAST_IN_BMP >> JUMP) as usize + 1],
    /// Those in which most scripts are.
    pub(crate) longest: [Run; LONG],
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

impl FourByteRuns {
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
