//! What can be wrong with two bytes in a row, a bit each. The upper half of the first, its lower half and the upper half of
//! the second each give those that they allow; it is wrong where all three do.
//!
//! The method is that of Keiser and Lemire, arXiv 2010.03090.

/// A sequence begins, and no continuation follows.
const CUT: u8 = 1 << 0;
/// A continuation after ASCII.
const STRAY: u8 = 1 << 1;
/// E0 80..9F.
const OVERLONG_3: u8 = 1 << 2;
/// F4 and above with 90.. behind.
const TOO_LARGE: u8 = 1 << 3;
/// ED A0..BF.
const SURROGATE: u8 = 1 << 4;
/// C0, C1.
const OVERLONG_2: u8 = 1 << 5;
/// F0 80..8F, and F5 and above with the same behind.
const OVERLONG_4: u8 = 1 << 6;
/// Two continuations; wrong unless a lead of three or four bytes stands before.
pub(crate) const CONTINUATIONS: u8 = 1 << 7;

pub(crate) const FIRST_HIGH: [u8; 16] = {
    let mut row = [STRAY; 16];
    [row[0x8], row[0x9], row[0xA], row[0xB]] = [CONTINUATIONS; 4];
    row[0xC] = CUT | OVERLONG_2;
    row[0xD] = CUT;
    row[0xE] = CUT | OVERLONG_3 | SURROGATE;
    row[0xF] = CUT | TOO_LARGE | OVERLONG_4;
    row
};

pub(crate) const FIRST_LOW: [u8; 16] = {
    let mut row = [CUT | STRAY | CONTINUATIONS; 16];
    row[0x0] |= OVERLONG_2 | OVERLONG_3 | OVERLONG_4;
    row[0x1] |= OVERLONG_2;
    row[0x4] |= TOO_LARGE;
    let mut low = 5;
    while low < 16 {
        row[low] |= TOO_LARGE | OVERLONG_4;
        low += 1;
    }
    row[0xD] |= SURROGATE;
    row
};

pub(crate) const SECOND_HIGH: [u8; 16] = {
    const CONTINUATION: u8 = STRAY | OVERLONG_2 | CONTINUATIONS;
    let mut row = [CUT; 16];
    row[0x8] = CONTINUATION | OVERLONG_3 | OVERLONG_4;
    row[0x9] = CONTINUATION | OVERLONG_3 | TOO_LARGE;
    row[0xA] = CONTINUATION | SURROGATE | TOO_LARGE;
    row[0xB] = row[0xA];
    row
};

/// The same row for every 128 bits of a vector.
pub(crate) const fn repeated<const N: usize>(row: [u8; 16]) -> [u8; N] {
    let mut all = [0; N];
    let mut n = 0;
    while n < N {
        all[n] = row[n % 16];
        n += 1;
    }
    all
}

/// How many bytes at the end are a sequence that is not finished there, where all before them is well-formed.
#[inline]
pub(crate) fn pending(src: &[u8]) -> usize {
    let byte = |back: usize| src.len().checked_sub(back).map_or(0, |at| src[at]);
    match () {
        () if byte(1) >= 0xC0 => 1,
        () if byte(2) >= 0xE0 => 2,
        () if byte(3) >= 0xF0 => 3,
        () => 0,
    }
}

#[inline]
pub(crate) fn ends_in_ascii(src: &[u8]) -> bool {
    src.last().is_none_or(u8::is_ascii)
}
