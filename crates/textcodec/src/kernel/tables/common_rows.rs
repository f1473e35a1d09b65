//! The characters of an encoding that vectors look up.

use super::Upper;

/// The rows of 128 code points that most characters of an encoding are in: two of those with two bytes in UTF-8, two of those
/// with three.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "other levels use one row, or none")
)]
#[derive(Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct CommonRows {
    /// Each code point's byte; 0 is unmapped.
    pub(crate) rows: [[u8; 128]; 4],
    /// [`Upper::identity_from`].
    pub(crate) identity_from: i8,
    /// The row that most are in.
    pub(crate) main: usize,
    /// The rows' numbers, which are their code points without the lower seven bits, as signed ones of eight bits. Rows from
    /// U+3F80 to U+C07F, where no encoding has anything, would not fit.
    pub(crate) numbers: [i8; 4],
    /// The bytes of UTF-8 that all code points of a row begin with, each without a bit that differs: one or two.
    pub(crate) leads: [[u8; 4]; 2],
}

impl CommonRows {
    /// The rows of these numbers; 0 is none. Of a code point's bytes, the first counts.
    pub(crate) const fn new(numbers: [u16; 4], upper: &Upper) -> Self {
        let mut common = Self {
            rows: [[0; 128]; 4],
            identity_from: upper.identity_from,
            main: 0,
            numbers: [0; 4],
            leads: [[0; 4]; 2],
        };
        let (mut row, mut most) = (0, 0);
        while row < 4 {
            let number = numbers[row];
            common.numbers[row] = ((number << 7).cast_signed() >> 7) as i8;
            if row < 2 {
                common.leads[0][row] = 0xC0 | (number << 1) as u8;
            } else {
                common.leads[0][row] = 0xE0 | (number >> 5) as u8;
                common.leads[1][row] = 0x80 | (number << 1) as u8 & 0x3F;
            }
            let mut count = 0;
            let mut n = 128;
            while n > 0 {
                n -= 1;
                let unit = upper.get(n);
                if unit >> 7 == number && unit != 0 {
                    count += 1;
                    common.rows[row][unit as usize & 0x7F] = 0x80 + n as u8;
                }
            }
            if count > most {
                (common.main, most) = (row, count);
            }
            row += 1;
        }
        common
    }
}
