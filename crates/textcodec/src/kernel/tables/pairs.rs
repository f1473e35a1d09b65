//! What decoders look pairs up in.

/// A byte pair is a place in a grid: its leading byte gives the row, its trailing byte the column. The grid's cells are in a
/// table, behind those of bytes that are characters alone: each character is one cell.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// 256 cells by byte, then the grid. A cell is a code point of the BMP. A surrogate is none: it is
    /// unmapped, or stands for something that the codec knows.
    pub(crate) cells: &'static [u16],
    /// How many columns a row has.
    pub(crate) width: u16,
    /// Whether ASCII bytes stand for themselves, and leading bytes are above them. Otherwise leading bytes are ASCII bytes, and
    /// nothing is above them.
    pub(crate) ascii: bool,
    /// By leading byte: the row's first cell. [`Pairs::ALONE`] for a character alone, [`Pairs::NO_ROW`] where a byte is nothing.
    pub(crate) rows: [u16; 256],
    /// By trailing byte: the column; [`Pairs::NONE`] where the byte ends no pair.
    pub(crate) columns: [u8; 256],
    /// By the lower seven bits of a leading byte: the row's number. [`Pairs::SINGLE`] for a character alone, [`Pairs::NONE`] where
    /// a byte is nothing. Which half of the bytes it is about, [`Pairs::ascii`] says.
    pub(crate) row_numbers: [u8; 128],
    /// The same in ranges, of which there are one or two each; where there is only one, both are it.
    pub(crate) leading: [Range; 2],
    pub(crate) trailing: [Range; 2],
    pub(crate) singles: Option<[Range; 2]>,
}

/// What a byte is at the start of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alone {
    /// A character: a code point of the BMP.
    Character(u16),
    /// The leading byte of a pair.
    Leads,
    /// No character begins with it.
    Nothing,
}

/// Bytes `first` to `last` have the numbers from `number` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) first: u8,
    pub(crate) last: u8,
    pub(crate) number: u8,
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
    pub(crate) const ALONE: u16 = 0xFFFE;
    /// In [`Pairs::row_numbers`]: a character alone.
    const SINGLE: u8 = 0x80;
    /// No row, no column.
    pub(crate) const NONE: u8 = 0xFF;
    /// Cells before the grid.
    pub(crate) const GRID: u16 = 256;

    /// A grid without rows and columns. Leading bytes will be ASCII bytes.
    #[inline(never)]
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
            singles: None,
        }
    }

    /// ASCII bytes are characters; leading bytes will be above them.
    #[inline(never)]
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
    #[inline(never)]
    pub(crate) const fn with_singles(mut self, from: u8, to: u8) -> Self {
        let range = Range { first: from, last: to, number: from };
        match &mut self.singles {
            Some(ranges) => add(ranges, range),
            None => self.singles = Some([range; 2]),
        }
        let mut byte = from;
        while byte <= to {
            self.rows[byte as usize] = Self::ALONE;
            self.row_numbers[byte as usize & 0x7F] = Self::SINGLE;
            byte += 1;
        }
        self
    }

    /// Bytes `from` to `to` lead the rows from the `row`-th on.
    #[inline(never)]
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
    #[inline(never)]
    pub(crate) const fn with_columns(mut self, from: u8, to: u8, column: u8) -> Self {
        add(&mut self.trailing, Range { first: from, last: to, number: column });
        let mut n = 0;
        while n <= to - from {
            self.columns[(from + n) as usize] = column + n;
            n += 1;
        }
        self
    }

    /// What a byte is at the start of a character.
    #[inline(always)]
    pub(crate) fn alone(&self, byte: u8) -> Alone {
        match self.rows[usize::from(byte)] {
            Self::ALONE => Alone::Character(self.cells[usize::from(byte)]),
            Self::NO_ROW => Alone::Nothing,
            _ => Alone::Leads,
        }
    }

    /// The code point of a pair; none where the table has none.
    #[inline(always)]
    pub(crate) fn get(&self, leading: u8, trailing: u8) -> Option<u16> {
        self.cell(leading, trailing).filter(|&cell| !is_surrogate(cell))
    }

    /// The cell of a pair, which may be a surrogate; none where the bytes are no pair.
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
