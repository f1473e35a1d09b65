//! The characters of a single-byte encoding that vectors look up.

use super::UpperHalf;

/// The four rows of 128 code points that contain most characters of an encoding: two rows whose characters have two bytes in
/// UTF-8, and two whose characters have three.
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small))),
    allow(dead_code, reason = "other levels use one row, or none")
)]
#[derive(Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct CommonRows {
    /// The byte of each code point. 0 is unmapped.
    pub(crate) rows: [[u8; 128]; 4],
    /// [`UpperHalf::identity_from`].
    pub(crate) identity_from: i8,
    /// The row that contains most characters.
    pub(crate) main: usize,
    /// The number of each row: its code points, shifted right by seven as signed numbers. Kernels narrow such numbers to eight
    /// bits with saturation, so they cannot tell rows from U+3F80 to U+C07F apart. No encoding has characters there.
    pub(crate) numbers: [i8; 4],
    /// The first byte in UTF-8 of the characters of a row, and the second one if they have three bytes. The lowest bit of the
    /// last of these differs within a row, and is 0 here.
    pub(crate) leads: [[u8; 4]; 2],
}

impl CommonRows {
    pub(crate) const EMPTY: Self =
        Self { rows: [[0; 128]; 4], identity_from: 0, main: 0, numbers: [0; 4], leads: [[0; 4]; 2] };

    /// Creates the table of the rows with these numbers; 0 is none. If several bytes map to a code point, the first one counts.
    pub(crate) const fn new(numbers: [u16; 4], upper: &UpperHalf) -> Self {
        let mut common = Self { identity_from: upper.identity_from, ..Self::EMPTY };
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
