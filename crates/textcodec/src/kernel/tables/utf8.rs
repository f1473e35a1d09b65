//! Tables of UTF-8 validation, by the method of Keiser and Lemire (arXiv 2010.03090).
//!
//! Each bit is an error of two consecutive bytes. The high nibble of the first byte, its low nibble and the high nibble of the
//! second byte each have a set of errors that they are compatible with. The bytes have an error if it is in all three sets.

/// A lead byte that is not followed by a continuation byte.
const CUT: u8 = 1 << 0;
/// A continuation byte after ASCII.
const STRAY: u8 = 1 << 1;
/// E0, then 80 to 9F.
const OVERLONG_3: u8 = 1 << 2;
/// F4 or above, then 90 or above.
const TOO_LARGE: u8 = 1 << 3;
/// ED, then A0 to BF.
const SURROGATE: u8 = 1 << 4;
/// C0 or C1.
const OVERLONG_2: u8 = 1 << 5;
/// F0, or F5 or above, then 80 to 8F.
const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes. An error unless a lead byte of three or four bytes precedes them.
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

/// Repeats a row for each 16 bytes of a vector.
pub(crate) const fn repeated<const N: usize>(row: [u8; 16]) -> [u8; N] {
    let mut rows = [0; N];
    let mut n = 0;
    while n < N {
        rows[n] = row[n % 16];
        n += 1;
    }
    rows
}

/// Returns the length of an incomplete sequence at the end. The bytes before it must be well-formed.
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
