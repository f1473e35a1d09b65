//! How most bytes of a single-byte encoding become code points without a look-up for each.

/// Maps the bytes 0x80 to 0xFF to code points by additions. The few bytes for which that is wrong are the irregular ones.
#[derive(Debug)]
pub(crate) struct Regular {
    pub(crate) kind: Kind,
    /// By the upper four bits of a byte: what to add for the lower byte of its code point. 0 for ASCII.
    pub(crate) offsets: [u8; 16],
    /// With [`Kind::ByLetter`], the same for each byte from 0xC0 on.
    pub(crate) letters: [[u8; 16]; 4],
    /// By the upper four bits of a byte: the upper byte of its code point.
    pub(crate) high: [u8; 16],
    /// By the lower four bits of a byte: a bit for each row of 16 bytes from 0x80 on, which is set if the byte of this row is
    /// irregular or unmapped.
    pub(crate) irregular: [u8; 16],
    /// By the upper four bits of a byte: the first byte of UTF-8. With [`Kind::ByLetter`], the lowest two bits are missing.
    pub(crate) first: [u8; 16],
    /// The same as `irregular`, with the bytes for which `first` is wrong.
    pub(crate) irregular_utf8: [u8; 16],
    /// Whether few letters have another first byte of UTF-8.
    pub(crate) is_regular_utf8: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters are in the order of Unicode, at least within rows: windows-1251, windows-1252.
    ByRow,
    /// Letters from 0xC0 on are in another order, as in KOI8-U, or mixed with letters of another alphabet, as in windows-1256.
    ByLetter,
    /// Too many letters are irregular.
    None,
}

/// The maximum number of irregular letters. KOI8-U has 18, x-mac-cyrillic 40, windows-1250 56.
const MAX_IRREGULAR: usize = 40;

impl Regular {
    /// Creates the table for code points. 0 is unmapped.
    pub(crate) const fn new(code_points: &[u16; 128]) -> Self {
        let (by_row, by_letter) = (Self::by_row(code_points), Self::by_letter(code_points));
        let [rows, letters] =
            [count_letters(&by_row.irregular, code_points), count_letters(&by_letter.irregular, code_points)];
        // Latin alphabets have letters from two blocks, so none of them is regular by letter.
        let is_latin = by_letter.high[0xF] <= 1;
        let mut regular = if !is_latin && letters + 10 <= rows { by_letter } else { by_row };
        if count_letters(&regular.irregular, code_points) > MAX_IRREGULAR {
            regular.kind = Kind::None;
        }
        regular.is_regular_utf8 = count_letters(&regular.irregular_utf8, code_points) <= MAX_IRREGULAR;
        regular
    }

    /// Adds the most frequent difference of each row.
    const fn by_row(code_points: &[u16; 128]) -> Self {
        let mut regular = Self::empty(Kind::ByRow);
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
                    (regular.offsets[row], regular.high[row]) = (offset, high);
                }
                n += 1;
            }
            row += 1;
        }
        regular.with_irregular(code_points)
    }

    /// Looks the lower byte up from 0xC0 on. The upper byte is the one that most of these bytes have. Other bytes are
    /// their own code points.
    const fn by_letter(code_points: &[u16; 128]) -> Self {
        let mut regular = Self::empty(Kind::ByLetter);
        let (mut main, mut most, mut n) = (0, 0, 64);
        while n < 128 {
            let high = code_points[n] >> 8;
            let (mut count, mut other) = (0, 64);
            while other < 128 {
                if code_points[other] != 0 && code_points[other] >> 8 == high {
                    count += 1;
                }
                other += 1;
            }
            if count > most {
                (main, most) = (high as u8, count);
            }
            regular.letters[n / 16 - 4][n % 16] = (code_points[n] as u8).wrapping_sub(0x80 + n as u8);
            n += 1;
        }
        let mut row = 0xC;
        while row < 16 {
            regular.high[row] = main;
            row += 1;
        }
        regular.with_irregular(code_points)
    }

    const fn empty(kind: Kind) -> Self {
        Self {
            kind,
            offsets: [0; 16],
            letters: [[0; 16]; 4],
            high: [0; 16],
            irregular: [0; 16],
            first: [0; 16],
            irregular_utf8: [0; 16],
            is_regular_utf8: false,
        }
    }

    const fn with_irregular(mut self, code_points: &[u16; 128]) -> Self {
        let mut n = 0;
        while n < 128 {
            let (row, bit) = (8 + n / 16, 1 << (n / 16));
            if code_points[n] == 0 || code_points[n] != self.get(n) {
                self.irregular[n % 16] |= bit;
                self.irregular_utf8[n % 16] |= bit;
            } else {
                let lead = match code_points[n] {
                    unit if unit >= 0x800 => 0,
                    unit => 0xC0 | (unit >> 6) as u8,
                };
                let lead = if matches!(self.kind, Kind::ByLetter) { lead & !3 } else { lead };
                if self.first[row] == 0 {
                    self.first[row] = lead;
                }
                if lead == 0 || self.first[row] != lead {
                    self.irregular_utf8[n % 16] |= bit;
                }
            }
            n += 1;
        }
        self
    }

    /// Returns the code point of byte `0x80 + n`, which is wrong if the byte is irregular.
    const fn get(&self, n: usize) -> u16 {
        let offset = match self.kind {
            Kind::ByLetter if n >= 64 => self.letters[n / 16 - 4][n % 16],
            _ => self.offsets[8 + n / 16],
        };
        u16::from_le_bytes([(0x80 + n as u8).wrapping_add(offset), self.high[8 + n / 16]])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index;

    #[test]
    fn regular_bytes_have_their_code_points() {
        for row in 0..27 {
            let upper = &index::SINGLE_BYTE[row];
            for n in 0..128 {
                let is_irregular = upper.regular.irregular[n % 16] >> (n / 16) & 1 == 1;
                assert!(is_irregular || upper.regular.get(n) == upper.get(n));
                if upper.regular.kind == Kind::ByRow && upper.regular.irregular_utf8[n % 16] >> (n / 16) & 1 == 0 {
                    let first = upper.regular.first[8 + n / 16];
                    let last = 0x80 | upper.regular.get(n) as u8 & 0x3F;
                    assert_eq!([first, last, 0], upper.utf8().each_ref().map(|plane| plane[n]));
                }
            }
        }
    }
}
