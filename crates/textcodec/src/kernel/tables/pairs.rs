//! The tables of double-byte decoders.

/// Maps single bytes and pairs to characters. Each character is one cell of a table.
///
/// The table begins with 256 cells for single bytes. A grid of cells for pairs follows: the lead byte selects the row, the
/// trail byte the column.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// See [`cells`](Self::cells).
    cells: &'static [u16],
    /// The number of columns.
    pub(crate) width: u16,
    /// Whether ASCII bytes are characters and lead bytes are above them. Otherwise lead bytes are ASCII bytes, and all others
    /// are invalid.
    pub(crate) ascii: bool,
    /// Indexed by the first byte of a character: the first cell of the row. [`Pairs::SINGLE_ROW`] for a single byte,
    /// [`Pairs::NO_ROW`] for an invalid one.
    pub(crate) rows: [u16; 256],
    /// Indexed by trail byte: the column, or [`Pairs::NONE`].
    pub(crate) columns: [u8; 256],
    /// Indexed by the lower seven bits of the first byte of a character: the number of the row. [`Pairs::SINGLE_ROW_NUMBER`]
    /// for a single byte, [`Pairs::NONE`] for an invalid one. [`Pairs::ascii`] decides which half of the bytes it describes.
    pub(crate) row_numbers: [u8; 128],
    /// The lead bytes, the trail bytes and the single bytes above ASCII as ranges. If there is only one, it is repeated.
    pub(crate) leading: [Range; 2],
    pub(crate) trailing: [Range; 2],
    pub(crate) singles: Option<[Range; 2]>,
    /// How vectors compute the numbers of cells.
    #[cfg(not(textcodec_small))]
    pub(crate) grid: Grid,
}

/// Constants for lanes of a lead byte and a trail byte.
#[cfg(not(textcodec_small))]
#[cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(dead_code, reason = "other levels look up rows and columns")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The first bytes of both ranges. Lead bytes have their high bit set here, even if they are ASCII bytes.
    pub(crate) first: [[u8; 2]; 2],
    /// The number of bytes in each range after the first one.
    pub(crate) following: [[u8; 2]; 2],
    /// The number of bytes between the ranges that have no numbers. To be subtracted from a byte in the second range.
    pub(crate) gap: [u8; 2],
    /// The number of the cell of the first lead byte and the first trail byte.
    pub(crate) origin: u16,
}

/// The meaning of a byte at the start of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstByte {
    /// A character: a code point of the BMP.
    Single(u16),
    /// The lead byte of a pair.
    Lead,
    Invalid,
}

/// The bytes `first` to `last` have the numbers from `number` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) first: u8,
    pub(crate) last: u8,
    pub(crate) number: u8,
}

/// Adds a range. Ranges are in ascending order, and there are at most two.
const fn add(ranges: &mut [Range; 2], range: Range) {
    if ranges[0].first > ranges[0].last {
        *ranges = [range; 2];
    } else {
        assert!(ranges[0].last < range.first && ranges[1].last == ranges[0].last, "more than two ranges");
        ranges[1] = range;
    }
}

/// Returns the number of bytes between two ranges that have no numbers.
#[cfg(not(textcodec_small))]
const fn gap([low, high]: [Range; 2]) -> u8 {
    high.first.wrapping_sub(high.number).wrapping_sub(low.first.wrapping_sub(low.number))
}

impl Pairs {
    /// In [`Pairs::rows`]: an invalid byte. Greater than the index of any cell.
    const NO_ROW: u16 = 0xFFFF;
    /// In [`Pairs::rows`]: a single byte.
    pub(crate) const SINGLE_ROW: u16 = 0xFFFE;
    /// In [`Pairs::row_numbers`]: a single byte.
    const SINGLE_ROW_NUMBER: u8 = 0x80;
    /// In [`Pairs::row_numbers`] and [`Pairs::columns`]: no row, no column.
    pub(crate) const NONE: u8 = 0xFF;
    /// The number of cells before the grid.
    pub(crate) const GRID: u16 = 256;

    /// Creates a grid without rows and columns. Lead bytes are ASCII bytes.
    #[inline(never)]
    pub(crate) const fn new(cells: &'static [u16], width: u16) -> Self {
        assert!(
            cells.len() > Self::GRID as usize && cells.len() < Self::SINGLE_ROW as usize,
            "indices of cells are less than `SINGLE_ROW`"
        );
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
            singles: None,
            #[cfg(not(textcodec_small))]
            grid: Grid { first: [[0; 2]; 2], following: [[0; 2]; 2], gap: [0; 2], origin: 0 },
        }
    }

    #[cfg(textcodec_small)]
    const fn with_grid(self) -> Self {
        self
    }

    /// Updates `grid`.
    #[cfg(not(textcodec_small))]
    const fn with_grid(mut self) -> Self {
        let mark = if self.ascii { 0 } else { 0x80 };
        let mut n = 0;
        while n < 2 {
            let [lead, trail] = [self.leading[n], self.trailing[n]];
            self.grid.first[n] = [lead.first | mark, trail.first];
            self.grid.following[n] = [lead.last.wrapping_sub(lead.first), trail.last.wrapping_sub(trail.first)];
            n += 1;
        }
        self.grid.gap = [gap(self.leading), gap(self.trailing)];
        self.grid.origin = Self::GRID + self.leading[0].number as u16 * self.width;
        self
    }

    /// Makes ASCII bytes characters. Lead bytes are above them.
    #[inline(never)]
    pub(crate) const fn with_ascii(mut self) -> Self {
        self.ascii = true;
        let mut byte = 0;
        while byte < 0x80 {
            self.rows[byte] = Self::SINGLE_ROW;
            byte += 1;
        }
        self
    }

    /// Adds the single bytes `from` to `to`, which are above ASCII.
    #[inline(never)]
    pub(crate) const fn with_singles(mut self, from: u8, to: u8) -> Self {
        let range = Range { first: from, last: to, number: from };
        match &mut self.singles {
            Some(ranges) => add(ranges, range),
            None => self.singles = Some([range; 2]),
        }
        let mut byte = from;
        while byte <= to {
            assert!(self.cells[byte as usize] & 0xF800 != 0xD800, "single bytes are mapped");
            self.rows[byte as usize] = Self::SINGLE_ROW;
            self.row_numbers[byte as usize & 0x7F] = Self::SINGLE_ROW_NUMBER;
            byte += 1;
        }
        self
    }

    /// Adds the lead bytes `from` to `to`, for the rows from `row` on.
    #[inline(never)]
    pub(crate) const fn with_rows(mut self, from: u8, to: u8, row: u8) -> Self {
        assert!(self.ascii == (from >= 0x80), "lead bytes are above ASCII if ASCII bytes are characters");
        add(&mut self.leading, Range { first: from, last: to, number: row });
        let mut n = 0;
        while n <= to - from {
            self.rows[(from + n) as usize] = Self::GRID + (row + n) as u16 * self.width;
            self.row_numbers[(from + n) as usize & 0x7F] = row + n;
            n += 1;
        }
        self.with_grid()
    }

    /// Adds the trail bytes `from` to `to`, for the columns from `column` on.
    #[inline(never)]
    pub(crate) const fn with_columns(mut self, from: u8, to: u8, column: u8) -> Self {
        add(&mut self.trailing, Range { first: from, last: to, number: column });
        let mut n = 0;
        while n <= to - from {
            self.columns[(from + n) as usize] = column + n;
            n += 1;
        }
        assert!(self.trailing[0].number == 0, "the first column is 0");
        self.with_grid()
    }

    /// Returns the code points of the BMP. A surrogate is unmapped (U+DFFF), or has a meaning that the codec knows.
    ///
    /// Kernels rely on this for safety: there are more than [`GRID`](Self::GRID) cells.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &'static [u16] {
        self.cells
    }

    /// Returns the meaning of a byte at the start of a character.
    #[inline(always)]
    pub(crate) fn first_byte(&self, byte: u8) -> FirstByte {
        match self.rows[usize::from(byte)] {
            Self::SINGLE_ROW => FirstByte::Single(self.cells[usize::from(byte)]),
            Self::NO_ROW => FirstByte::Invalid,
            _ => FirstByte::Lead,
        }
    }

    /// Returns the code point of a pair.
    #[inline(always)]
    pub(crate) fn get(&self, leading: u8, trailing: u8) -> Option<u16> {
        self.cell(leading, trailing).filter(|&cell| !is_surrogate(cell))
    }

    /// Returns the cell of a pair, which may be a surrogate.
    #[inline(always)]
    pub(crate) fn cell(&self, leading: u8, trailing: u8) -> Option<u16> {
        let (row, column) = (self.rows[usize::from(leading)], self.columns[usize::from(trailing)]);
        if column == Self::NONE {
            return None;
        }
        self.cells.get(usize::from(row) + usize::from(column)).copied()
    }
}

const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}
