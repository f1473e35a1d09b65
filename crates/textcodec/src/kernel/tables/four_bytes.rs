//! The four-byte sequences of gb18030, which are numbered by pointers: 126 × 10 × 126 × 10 of them.

/// The pointer of U+10000. The pointers of the following code points ascend with them.
pub(crate) const ABOVE_BMP: u32 = 189_000;

/// Returns the sequence of a pointer.
#[inline(always)]
pub(crate) fn four_bytes(pointer: u32) -> [u8; 4] {
    let digit = |n: u32| (n % 10) as u8 + 0x30;
    let upper = |n: u32| (n % 126) as u8 + 0x81;
    [upper(pointer / (10 * 126 * 10)), digit(pointer / (10 * 126)), upper(pointer / 10), digit(pointer)]
}

/// The number of values of the first two bytes, and of the last two.
pub(crate) const HALVES: u16 = 126 * 10;
/// The last pointer in the BMP.
const LAST_IN_BMP: u16 = 39_419;

/// Maps pointers to code points of the BMP.
#[derive(Debug)]
pub(crate) struct FourByteRuns {
    /// In ascending order.
    runs: [Run; RUNS],
    /// Indexed by the upper bits of a pointer: the last run that starts at or before the first pointer with these bits.
    jump: [u8; (LAST_IN_BMP >> JUMP) as usize + 1],
    /// The longest runs. They contain most scripts.
    pub(crate) longest: [Run; LONG],
    /// The code points of the pointers before the first of the longest runs: Latin, in short runs.
    #[cfg(not(textcodec_small))]
    pub(crate) lowest: [u16; LOWEST],
}

/// A range of pointers that maps to a range of code points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u16,
    pub(crate) len: u16,
    pub(crate) code_point: u16,
}

/// The number of runs. Index gb18030 ranges has two fewer below U+10000; one pointer that is an exception splits a range.
pub(crate) const RUNS: usize = 208;
/// U+0452 to U+1E3E, U+2643 to U+2E80, U+9FA6 to U+D7FF, U+E865 to U+F92B.
const LONG: usize = 4;
const JUMP: u32 = 5;
/// U+0080 to U+0451.
#[cfg(not(textcodec_small))]
pub(crate) const LOWEST: usize = 820;

impl FourByteRuns {
    pub(crate) const fn new(runs: &[Run; RUNS]) -> Self {
        let mut table = Self {
            runs: *runs,
            jump: [0; _],
            longest: [Run { first: 0, len: 0, code_point: 0 }; LONG],
            #[cfg(not(textcodec_small))]
            lowest: [0; _],
        };
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
        #[cfg(not(textcodec_small))]
        {
            let mut pointer = 0;
            while pointer < LOWEST {
                table.lowest[pointer] = table.search(pointer as u16);
                pointer += 1;
            }
        }
        table
    }

    /// Inserts a run into `longest`, if it is one of them.
    const fn add(&mut self, mut run: Run) {
        let mut n = 0;
        while n < LONG {
            if run.len > self.longest[n].len {
                (self.longest[n], run) = (run, self.longest[n]);
            }
            n += 1;
        }
    }

    /// Returns the code point of a pointer in the BMP.
    pub(crate) const fn get(&self, pointer: u32) -> Option<u16> {
        if pointer > LAST_IN_BMP as u32 {
            return None;
        }
        #[cfg(not(textcodec_small))]
        if pointer < LOWEST as u32 {
            return Some(self.lowest[pointer as usize]);
        }
        Some(self.search(pointer as u16))
    }

    /// Returns the code point of a pointer of a run.
    const fn search(&self, pointer: u16) -> u16 {
        let mut at = self.jump[(pointer >> JUMP) as usize] as usize;
        while at + 1 < RUNS && self.runs[at + 1].first <= pointer {
            at += 1;
        }
        self.runs[at].code_point + (pointer - self.runs[at].first)
    }
}
