//! ASCII, some single bytes, and pairs of a leading and a trailing byte: what Shift_JIS, EUC-JP, EUC-KR, GBK and Big5 have
//! in common, and the pairs of ISO-2022-JP.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod decode_avx512;
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

/// A byte pair is a place in a grid: its leading byte gives the row, its trailing byte the column. The grid's cells are in a
/// table, behind those of bytes that are characters alone: each character is one cell.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// 256 cells by byte, then the grid, and what else there is. A cell is a code point of the BMP. A surrogate is none: it is
    /// unmapped, or stands for something that the codec knows.
    cells: &'static [u16],
    /// How many columns a row has.
    width: u16,
    /// Whether ASCII bytes stand for themselves, and leading bytes are above them. Otherwise leading bytes are ASCII bytes, and
    /// nothing is above them.
    ascii: bool,
    /// By leading byte: the row's first cell. [`Pairs::ALONE`] for a character alone, [`Pairs::NO_ROW`] where a byte is nothing.
    rows: [u16; 256],
    /// By trailing byte: the column; [`Pairs::NONE`] where the byte ends no pair.
    columns: [u8; 256],
    /// By the lower seven bits of a leading byte: the row's number. [`Pairs::SINGLE`] for a character alone, [`Pairs::NONE`] where
    /// a byte is nothing. Which half of the bytes it is about, [`Pairs::ascii`] says.
    row_numbers: [u8; 128],
    /// The same in ranges, of which there are one or two each; where there is only one, both are it.
    leading: [Range; 2],
    trailing: [Range; 2],
    singles: [Range; 2],
    /// The first cell of what gb18030's four bytes stand for in the BMP; 0 where there are no four bytes.
    four: u16,
}

/// Bytes `first` to `last` have the numbers from `number` on.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u8,
    last: u8,
    number: u8,
}

/// Up to two ranges, in ascending order.
const fn add(ranges: &mut [Range; 2], range: Range) {
    if ranges[0].first > ranges[0].last {
        *ranges = [range; 2];
    } else {
        assert!(ranges[0].last < range.first && ranges[1].last == ranges[0].last, "no more than two");
        ranges[1] = range;
    }
}

impl Pairs {
    /// More than any cell's number.
    const NO_ROW: u16 = 0xFFFF;
    /// In [`Pairs::rows`]: a character alone.
    const ALONE: u16 = 0xFFFE;
    /// In [`Pairs::row_numbers`]: a character alone.
    const SINGLE: u8 = 0x80;
    /// No row, no column.
    const NONE: u8 = 0xFF;
    /// A cell that is unmapped where there are four bytes: byte 0xFF.
    const UNMAPPED: u16 = 0xFF;
    /// Cells before the grid.
    const GRID: u16 = 256;

    /// A grid without rows and columns. Leading bytes will be ASCII bytes.
    pub(crate) const fn new(cells: &'static [u16], width: u16) -> Self {
        assert!(cells.len() > Self::GRID as usize && cells.len() < Self::ALONE as usize, "what pointers can be");
        let none = [Range { first: 1, last: 0, number: 0 }; 2];
        Self {
            cells,
            width,
            ascii: false,
            rows: [Self::NO_ROW; 256],
            columns: [Self::NONE; 256],
            row_numbers: [Self::NONE; 128],
            leading: none,
            trailing: none,
            singles: none,
            four: 0,
        }
    }

    /// ASCII bytes are characters; leading bytes will be above them.
    pub(crate) const fn with_ascii(mut self) -> Self {
        self.ascii = true;
        let mut byte = 0;
        while byte < 0x80 {
            self.rows[byte] = Self::ALONE;
            byte += 1;
        }
        self
    }

    /// Bytes `from` to `to`, above ASCII, are characters alone.
    pub(crate) const fn with_singles(mut self, from: u8, to: u8) -> Self {
        add(&mut self.singles, Range { first: from, last: to, number: from });
        let mut byte = from;
        while byte <= to {
            self.rows[byte as usize] = Self::ALONE;
            self.row_numbers[byte as usize & 0x7F] = Self::SINGLE;
            byte += 1;
        }
        self
    }

    /// Bytes `from` to `to` lead the rows from the `row`-th on.
    pub(crate) const fn with_rows(mut self, from: u8, to: u8, row: u8) -> Self {
        assert!(self.ascii == (from >= 0x80), "leading bytes are in the other half");
        add(&mut self.leading, Range { first: from, last: to, number: row });
        let mut n = 0;
        while n <= to - from {
            self.rows[(from + n) as usize] = Self::GRID + (row + n) as u16 * self.width;
            self.row_numbers[(from + n) as usize & 0x7F] = row + n;
            n += 1;
        }
        self
    }

    /// Bytes `from` to `to` end pairs, in columns from `column` on.
    pub(crate) const fn with_columns(mut self, from: u8, to: u8, column: u8) -> Self {
        add(&mut self.trailing, Range { first: from, last: to, number: column });
        let mut n = 0;
        while n <= to - from {
            self.columns[(from + n) as usize] = column + n;
            n += 1;
        }
        self
    }

    /// Two pairs of a leading byte and a digit are a character: a cell from `first` on.
    pub(crate) const fn with_four_bytes(self, first: usize) -> Self {
        assert!(is_surrogate(self.cells[Self::UNMAPPED as usize]), "a byte that is nothing");
        Self { four: first as u16, ..self }
    }

    /// The code point of a pair; none where the table has none.
    #[inline(always)]
    pub(crate) fn get(&self, leading: u8, trailing: u8) -> Option<u16> {
        let (row, column) = (self.rows[usize::from(leading)], self.columns[usize::from(trailing)]);
        if column == Self::NONE {
            return None;
        }
        let &cell = self.cells.get(usize::from(row) + usize::from(column))?;
        (!is_surrogate(cell)).then_some(cell)
    }
}

/// Four bytes are two halves, each a leading byte and a digit; a half has a number below 1,260.
mod four {
    /// Numbers of a second half.
    pub(super) const HALVES: u16 = 126 * 10;
    /// The last number of a first half in the BMP.
    pub(super) const LAST_HALF: u16 = 39_419 / HALVES;
    /// The last pointer in the BMP.
    pub(super) const LAST: u16 = 39_419;

    /// Of halves, by the places of their leading bytes, the first ones: every second one of each run.
    #[inline(always)]
    pub(super) fn firsts(halves: u64) -> u64 {
        let bytes = halves | halves << 1;
        let begins = bytes & !(bytes << 1);
        let mut firsts = 0;
        for places in [0x1111_1111_1111_1111, 0x2222_2222_2222_2222, 0x4444_4444_4444_4444, 0x8888_8888_8888_8888_u64] {
            // As in `leading`, for the runs that begin at one of these places.
            firsts |= bytes & !bytes.wrapping_add(begins & places) & places;
        }
        firsts
    }
}

const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Of bytes that can lead a pair, those that do: every second one of each run, from its first on. What follows a run of odd
/// length is its last pair's trailing byte. The first byte begins a character.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn leading(capable: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let begins = capable & !(capable << 1);
    // The carry of an addition runs through a run and clears it.
    let from_even = capable & !capable.wrapping_add(begins & EVEN);
    capable & (from_even ^ !EVEN)
}

/// The places before `place`, which is at most 64.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn below(place: usize) -> u64 {
    u64::MAX.checked_shr(64 - place as u32).unwrap_or(0)
}
