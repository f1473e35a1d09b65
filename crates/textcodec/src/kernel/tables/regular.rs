//! How most bytes of a single-byte encoding become code points without a look-up for each.

use super::single_byte::take;

/// Maps the bytes 0x80 to 0xFF to code points by additions. The few bytes for which that is wrong are the irregular ones.
#[derive(Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct Regular {
    /// Whether few letters are irregular: those in the order of Unicode, at least within rows, as in windows-1251 and 1252, not
    /// KOI8-U and windows-1256.
    pub(crate) suits_utf16: bool,
    /// By the upper four bits of a byte: what to add for the lower byte of its code point. 0 for ASCII.
    pub(crate) offsets: [u8; 16],
    /// By the upper four bits of a byte: the upper byte of its code point.
    pub(crate) high: [u8; 16],
    /// By the lower four bits of a byte: a bit for each row of 16 bytes from 0x80 on, which is set if the byte of this row is
    /// irregular or unmapped.
    pub(crate) irregular: [u8; 16],
    /// The first byte of UTF-8 if regular bytes become three, as in windows-874. 0 if they become two.
    pub(crate) lead: u8,
    /// By the upper four bits of a byte: the last but one byte of UTF-8.
    pub(crate) last_but_one: [u8; 16],
    /// The same as `irregular`, with the bytes for which `lead` or `last_but_one` is wrong.
    pub(crate) irregular_utf8: [u8; 16],
    /// Whether few letters have another last but one byte of UTF-8.
    pub(crate) suits_utf8: bool,
    /// The most frequent upper byte of code points, except 0.
    #[allow(dead_code, reason = "only for pages in another order")]
    pub(crate) frequent_high: u8,
}

/// The maximum number of irregular letters. Windows-1251 has 10, x-mac-cyrillic 40, windows-1256 43, KOI8-U 56.
const MAX_IRREGULAR: usize = 40;

impl Regular {
    /// Creates the table for code points. 0 is unmapped.
    pub(crate) const fn new(code_points: &[u16; 128]) -> Self {
        let mut regular = Self::EMPTY;
        // Most alphabets have their letters from 0xC0 on.
        regular.lead = Self::lead(code_points[0x40]);
        regular = regular.by_row(code_points);
        regular.suits_utf16 = count_letters(&regular.irregular, code_points) <= MAX_IRREGULAR;
        regular.suits_utf8 = count_letters(&regular.irregular_utf8, code_points) <= MAX_IRREGULAR;
        regular.frequent_high = frequent_high(code_points);
        regular
    }

    /// Reads a table from the file that `cargo xtask tables` generates: the fields in this order.
    pub(super) const fn read(mut file: &[u8]) -> Self {
        let file = &mut file;
        Self {
            offsets: take(file),
            high: take(file),
            irregular: take(file),
            last_but_one: take(file),
            irregular_utf8: take(file),
            lead: take::<1>(file)[0],
            frequent_high: take::<1>(file)[0],
            suits_utf16: take::<1>(file)[0] != 0,
            suits_utf8: take::<1>(file)[0] != 0,
        }
    }

    /// Adds the most frequent difference of each row.
    const fn by_row(mut self, code_points: &[u16; 128]) -> Self {
        let mut row = 8;
        while row < 16 {
            let (mut most, mut n) = (0, 0);
            while n < 16 {
                let [low, high] = code_points[16 * (row - 8) + n].to_le_bytes();
                let byte = (16 * row + n) as u8;
                let (offset, mut count, mut other) = (low.wrapping_sub(byte), 0, 0);
                while other < 16 {
                    let [other_low, other_high] = code_points[16 * (row - 8) + other].to_le_bytes();
                    let byte = (16 * row + other) as u8;
                    if other_low == byte.wrapping_add(offset) && other_high == high {
                        count += 1;
                    }
                    other += 1;
                }
                if count > most {
                    most = count;
                    (self.offsets[row], self.high[row]) = (offset, high);
                }
                n += 1;
            }
            row += 1;
        }
        self.with_irregular(code_points)
    }

    const EMPTY: Self = Self {
        suits_utf16: false,
        offsets: [0; 16],
        high: [0; 16],
        irregular: [0; 16],
        lead: 0,
        last_but_one: [0; 16],
        irregular_utf8: [0; 16],
        suits_utf8: false,
        frequent_high: 0,
    };

    const fn with_irregular(mut self, code_points: &[u16; 128]) -> Self {
        let mut n = 0;
        while n < 128 {
            let (row, bit) = (8 + n / 16, 1 << (n / 16));
            if code_points[n] == 0 || code_points[n] != self.get(n) {
                self.irregular[n % 16] |= bit;
                self.irregular_utf8[n % 16] |= bit;
            } else {
                let unit = code_points[n];
                let last_but_one = if Self::lead(unit) != self.lead {
                    0
                } else if self.lead == 0 {
                    0xC0 | (unit >> 6) as u8
                } else {
                    0x80 | (unit >> 6) as u8 & 0x3F
                };
                if self.last_but_one[row] == 0 {
                    self.last_but_one[row] = last_but_one;
                }
                if last_but_one == 0 || self.last_but_one[row] != last_but_one {
                    self.irregular_utf8[n % 16] |= bit;
                }
            }
            n += 1;
        }
        self
    }

    /// Returns the first of three bytes of UTF-8, or 0 if there are fewer.
    const fn lead(unit: u16) -> u8 {
        if unit >= 0x800 { 0xE0 | (unit >> 12) as u8 } else { 0 }
    }

    /// Returns the code point of byte `0x80 + n`, which is wrong if the byte is irregular.
    pub(crate) const fn get(&self, n: usize) -> u16 {
        let row = 8 + n / 16;
        u16::from_le_bytes([(0x80 + n as u8).wrapping_add(self.offsets[row]), self.high[row]])
    }
}

/// Counts the characters in a set other than symbols, which have code points from U+2000 on.
const fn count_letters(set: &[u8; 16], code_points: &[u16; 128]) -> usize {
    let (mut count, mut n) = (0, 0);
    while n < 128 {
        if set[n % 16] >> (n / 16) & 1 == 1 && matches!(code_points[n], 1..0x2000) {
            count += 1;
        }
        n += 1;
    }
    count
}

/// Returns the most frequent upper byte of code points, except 0.
const fn frequent_high(code_points: &[u16; 128]) -> u8 {
    let (mut counts, mut frequent, mut n) = ([0_u8; 256], 0, 0);
    while n < 128 {
        let high = code_points[n] >> 8;
        counts[high as usize] += 1;
        if high != 0 && (frequent == 0 || counts[high as usize] > counts[frequent as usize]) {
            frequent = high;
        }
        n += 1;
    }
    frequent as u8
}
