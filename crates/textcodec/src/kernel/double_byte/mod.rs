//! ASCII, some single bytes, and pairs of a leading and a trailing byte: what Shift_JIS, EUC-JP, EUC-KR, GBK and Big5 have
//! in common, and the pairs of ISO-2022-JP.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod encode_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod encode_avx512;
pub(crate) mod encode_scalar;
pub(crate) mod escaped;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod escaped_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod escaped_avx512;
mod four_bytes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod four_bytes_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod four_bytes_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod look_up;
pub(crate) mod scalar;
mod to_bytes;

pub(crate) use to_bytes::{Stages, ToBytes};

/// A byte pair is a place in a grid: its leading byte gives where a row starts, its trailing byte the column.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// By leading byte: the row's first pointer; [`Pairs::NONE`] where the byte leads no pair.
    pub(crate) rows: [u16; 256],
    /// By trailing byte: the column; 0xFF where the byte ends no pair.
    pub(crate) columns: [u8; 256],
    /// Whether ASCII bytes stand for themselves.
    pub(crate) ascii: bool,
    /// By byte: the code point of a byte above ASCII that is a character alone; 0 where it is none.
    pub(crate) singles: [u16; 256],
    /// By pointer: a code point of the BMP; 0 is unmapped, and a surrogate stands for something that the codec knows.
    pub(crate) code_points: &'static [u16],
}

impl Pairs {
    /// Leads no pair.
    pub(crate) const NONE: u16 = u16::MAX;

    /// A grid without rows and columns.
    pub(crate) const fn new(code_points: &'static [u16]) -> Self {
        Self { rows: [Self::NONE; 256], columns: [0xFF; 256], ascii: false, singles: [0; 256], code_points }
    }

    /// ASCII bytes are characters.
    pub(crate) const fn with_ascii(self) -> Self {
        Self { ascii: true, ..self }
    }

    /// Bytes `from` to `to` are the characters from `code_point` on.
    pub(crate) const fn with_singles(mut self, from: u8, to: u8, code_point: u16) -> Self {
        let mut n = 0;
        while n <= to - from {
            self.singles[(from + n) as usize] = code_point + n as u16;
            n += 1;
        }
        self
    }

    /// Bytes `from` to `to` lead rows of `width` from `pointer` on.
    pub(crate) const fn with_rows(mut self, from: u8, to: u8, pointer: u16, width: u16) -> Self {
        let mut n = 0;
        while n <= to - from {
            self.rows[(from + n) as usize] = pointer + n as u16 * width;
            n += 1;
        }
        self
    }

    /// Bytes `from` to `to` end pairs, in columns from `column` on.
    pub(crate) const fn with_columns(mut self, from: u8, to: u8, column: u8) -> Self {
        let mut n = 0;
        while n <= to - from {
            self.columns[(from + n) as usize] = column + n;
            n += 1;
        }
        self
    }

    /// The table's entry of a pair; 0 where there is none.
    #[inline(always)]
    pub(crate) fn get(&self, leading: u8, trailing: u8) -> u16 {
        let (row, column) = (self.rows[usize::from(leading)], self.columns[usize::from(trailing)]);
        if row == Self::NONE || column == 0xFF {
            return 0;
        }
        self.code_points.get(usize::from(row) + usize::from(column)).copied().unwrap_or(0)
    }
}
