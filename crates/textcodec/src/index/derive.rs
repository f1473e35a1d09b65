//! Derives the lookup tables of the codecs from the indexes: at first use, or in `cargo xtask tables`, which writes them to the
//! files in `tables/` for builds without `std`. `docs/design/tables.md` has the reasons for their form.

use core::ops::{Range, RangeInclusive};

/// The offset of the index in a decoding table.
pub(crate) const INDEX: usize = 256;
/// A cell that is not a character. No index has surrogates.
const UNMAPPED: u16 = 0xDFFF;

/// Completes a decoding table, in which 0 means unmapped: a cell for each byte as a single-byte character, then an index by pointer,
/// then an unmapped cell for invalid pointers.
///
/// `singles` are the single-byte characters above ASCII: ranges of bytes, each with the code point of its first byte.
#[inline(never)]
fn complete(cells: &mut [u16], singles: &[(RangeInclusive<u8>, u16)]) {
    cells.iter_mut().filter(|cell| **cell == 0).for_each(|cell| *cell = UNMAPPED);
    for (range, first) in [(0..=0x7F, 0)].iter().chain(singles) {
        for (byte, unit) in range.clone().zip(*first..) {
            cells[usize::from(byte)] = unit;
        }
    }
}

/// Completes the decoding table of index jis0208, which serves three encodings. The unused pointers 8836 to 10715 are the
/// user-defined characters of Shift_JIS. Pointers from 11280 on are an additional row: the half-width katakana of EUC-JP.
pub(crate) fn jis0208_cells(cells: &mut [u16]) {
    for (pointers, first) in [(8836..=10_715, 0xE000), (11_280..=11_342, 0xFF61)] {
        for (pointer, unit) in pointers.zip(first..) {
            cells[INDEX + pointer] = unit;
        }
    }
    complete(cells, &[(0x80..=0x80, 0x80), (0xA1..=0xDF, 0xFF61)]);
}

/// Returns the cells of JIS X 0208. JIS X 0212 has none of these characters.
pub(crate) fn jis0208(cells: &[u16]) -> &[u16] {
    &cells[INDEX..][..84 * 94]
}

/// Completes the decoding table of EUC-KR or Big5. In that of Big5, surrogates refer to a list of the characters of plane 2.
pub(crate) fn euc_kr_or_big5_cells(cells: &mut [u16]) {
    complete(cells, &[]);
}

pub(crate) fn gb18030_cells(cells: &mut [u16]) {
    complete(cells, &[(0x80..=0x80, 0x20AC)]);
}

/// The number of code points in a block.
pub(crate) const BLOCK: usize = 64;
/// The number of code points in a row, which is four blocks.
const ROW: usize = 4 * BLOCK;
/// By the upper ten bits of a code point: the start of its block.
type Stages = [u16; 0x10000 / BLOCK];

/// A two-stage table from a code point of the BMP to its bytes, for `E` encodings that share blocks with `N` entries in total.
/// The functions that derive it begin with an empty one, and return how many entries they need.
///
/// The upper byte of an entry is the lead byte, and the lower one the trail byte, or 0 for a single-byte character. The entry 0 is
/// unmapped.
pub(crate) struct TwoStages<const E: usize, const X: usize, const N: usize> {
    pub(crate) stages: [Stages; E],
    /// For gb18030 and Big5, what the functions that derive their tables say.
    pub(crate) extra: [u16; X],
    pub(crate) blocks: [u16; N],
}

impl<const E: usize, const X: usize, const N: usize> TwoStages<E, X, N> {
    pub(crate) const EMPTY: Self = Self { stages: [[0; 0x10000 / BLOCK]; E], extra: [0; X], blocks: [0; N] };
}

/// Whether most text needs a row: Latin-1, punctuation, kana, ideographs, full-width characters.
fn is_common_row(row: usize) -> bool {
    matches!(row, 0x00 | 0x20 | 0x30 | 0x4E..=0x9F | 0xFF)
}

/// The rows of Hangul.
const HANGUL: Range<usize> = 0xAC..0xD8;

/// A table that is being derived.
///
/// The first block is empty. Common rows begin at multiples of their length and follow each other, so that kernels compute the
/// number of an entry. Other blocks have their places in the order in which they are first needed.
struct Builder<'a> {
    stages: &'a mut Stages,
    blocks: &'a mut [u16],
    /// The start of the next block.
    next: usize,
    /// The rows whose blocks follow each other.
    rows: Range<usize>,
}

impl<'a> Builder<'a> {
    /// Begins with the places of common rows.
    #[inline(never)]
    fn new(stages: &'a mut Stages, blocks: &'a mut [u16], with_hangul: bool) -> Self {
        let mut end = ROW;
        for is_for_hangul in [false, true] {
            for row in 0..0x100 {
                let is_common = if is_for_hangul { with_hangul && HANGUL.contains(&row) } else { is_common_row(row) };
                if is_common {
                    for (n, start) in stages[4 * row..][..4].iter_mut().enumerate() {
                        *start = (end + n * BLOCK) as u16;
                    }
                    end += ROW;
                }
            }
        }
        Self { stages, blocks, next: BLOCK, rows: ROW..end }
    }

    /// Copies a row of the table, for an encoding that differs from it there.
    fn fork_row(&mut self, stages: &mut Stages, row: usize) {
        self.next = self.next.next_multiple_of(ROW).max(self.rows.end);
        let first = usize::from(stages[4 * row]);
        self.blocks.copy_within(first..first + ROW, self.next);
        for (n, start) in stages[4 * row..][..4].iter_mut().enumerate() {
            *start = (self.next + n * BLOCK) as u16;
        }
        self.next += ROW;
    }

    fn get(&self, unit: u16) -> u16 {
        self.blocks[usize::from(self.stages[usize::from(unit) / BLOCK]) + usize::from(unit) % BLOCK]
    }

    /// Sets a character's entry.
    #[inline]
    fn put(&mut self, unit: u16, entry: u16) {
        let slot = usize::from(unit) / BLOCK;
        let mut start = usize::from(self.stages[slot]);
        if start == 0 {
            start = self.add();
            self.stages[slot] = start as u16;
        }
        self.blocks[start + usize::from(unit) % BLOCK] = entry;
    }

    /// Adds a block, and returns its start.
    fn add(&mut self) -> usize {
        if self.next == self.rows.start {
            self.next = self.rows.end;
        }
        self.next += BLOCK;
        self.next - BLOCK
    }

    /// Sets the entries of some rows of an index, from the last pointer to the first, because *index pointer* is the first pointer of
    /// a character.
    #[inline(never)]
    fn put_index(&mut self, cells: &[u16], rows: Range<usize>, grid: Grid) {
        for row in rows.rev() {
            let cells = &cells[INDEX + row * grid.width..][..grid.width];
            for (column, &unit) in cells.iter().enumerate().rev() {
                if !matches!(unit, 0xD800..=0xDFFF) {
                    self.put(unit, grid.bytes(row, column));
                }
            }
        }
    }

    /// Sets the entries of the characters from `first` to `last`: `entry`, increased by `step` for each.
    #[inline(never)]
    fn put_range(&mut self, first: u16, last: u16, entry: u16, step: u16) {
        for unit in first..=last {
            self.put(unit, entry + (unit - first) * step);
        }
    }

    /// Sets the entries of U+0001 to U+007F. The entry of U+0000 would equal that of an unmapped character.
    fn put_ascii(&mut self) {
        self.put_range(1, 0x7F, 0x100, 0x100);
    }
}

/// How the pointers of an index become bytes.
#[derive(Clone, Copy)]
struct Grid {
    /// The number of pointers in a row.
    width: usize,
    /// The lead byte of row 0. Every row has the next one.
    leading: u16,
    /// The trail byte of column 0.
    trailing: u16,
    /// How many values trail bytes skip from 0x7F on.
    gap: u16,
}

impl Grid {
    #[inline]
    fn bytes(self, row: usize, column: usize) -> u16 {
        let trailing = column as u16 + self.trailing;
        (row as u16 + self.leading) << 8 | if trailing < 0x7F { trailing } else { trailing + self.gap }
    }
}

/// Derives the encoding tables of EUC-JP and ISO-2022-JP. The latter has only pairs, with the upper bits set, and maps half-width
/// katakana by `katakana`.
pub(crate) fn jis0208_bytes<const N: usize>(cells: &[u16], katakana: &[u16], table: &mut TwoStages<2, 0, N>) -> usize {
    let [euc_jp, iso_2022_jp] = &mut table.stages;
    let mut builder = Builder::new(euc_jp, &mut table.blocks, false);
    builder.put_index(cells, 0..94, Grid { width: 94, leading: 0xA1, trailing: 0xA1, gap: 0 });
    builder.put(0x2212, builder.get(0xFF0D));
    *iso_2022_jp = *builder.stages;
    for row in [0x00, 0x20, 0xFF] {
        builder.fork_row(iso_2022_jp, row);
    }
    builder.put_ascii();
    builder.put(0xA5, 0x5C00);
    builder.put(0x203E, 0x7E00);
    builder.put_range(0xFF61, 0xFF9F, 0x8EA1, 1);
    builder.stages = iso_2022_jp;
    for (unit, &full_width) in (0xFF61..).zip(katakana) {
        builder.put(unit, builder.get(full_width));
    }
    builder.next
}

pub(crate) fn shift_jis_bytes<const N: usize>(cells: &[u16], table: &mut TwoStages<1, 0, N>) -> usize {
    let mut builder = Builder::new(&mut table.stages[0], &mut table.blocks, false);
    let low = Grid { width: 188, leading: 0x81, trailing: 0x40, gap: 1 };
    let high = Grid { leading: 0xC1, ..low };
    for (rows, grid) in [(57..60, high), (0x1F..44, high), (0..0x1F, low)] {
        builder.put_index(cells, rows, grid);
    }
    builder.put(0x2212, builder.get(0xFF0D));
    builder.put_ascii();
    builder.put(0x80, 0x8000);
    builder.put(0xA5, 0x5C00);
    builder.put(0x203E, 0x7E00);
    builder.put_range(0xFF61, 0xFF9F, 0xA100, 0x100);
    builder.next
}

pub(crate) fn euc_kr_bytes<const N: usize>(cells: &[u16], table: &mut TwoStages<1, 0, N>) -> usize {
    let mut builder = Builder::new(&mut table.stages[0], &mut table.blocks, true);
    builder.put_index(cells, 0..126, Grid { width: 190, leading: 0x81, trailing: 0x41, gap: 0 });
    builder.put_ascii();
    builder.next
}

/// GB18030-2022: code points that are no longer in index gb18030, but still encode to the same bytes.
const GB18030_2022_SIDE_TABLE: [(u16, u16); 18] = [
    (0xE78D, 0xA6D9),
    (0xE78E, 0xA6DA),
    (0xE78F, 0xA6DB),
    (0xE790, 0xA6DC),
    (0xE791, 0xA6DD),
    (0xE792, 0xA6DE),
    (0xE793, 0xA6DF),
    (0xE794, 0xA6EC),
    (0xE795, 0xA6ED),
    (0xE796, 0xA6F3),
    (0xE81E, 0xFE59),
    (0xE826, 0xFE61),
    (0xE82B, 0xFE66),
    (0xE82C, 0xFE67),
    (0xE832, 0xFE6D),
    (0xE843, 0xFE7E),
    (0xE854, 0xFE90),
    (0xE864, 0xFEA0),
];

/// Derives the encoding tables of GBK and gb18030, with the side table of GB18030-2022. `extra` has the base of each block.
///
/// An entry below 0x100 is a four-byte character: its pointer is the base of the block plus the entry. A character whose
/// pointer is too far from the base has no entry. GBK treats these entries as unmapped. `ranges` are pairs of pointer and code
/// point.
pub(crate) fn gb18030_bytes<const N: usize>(cells: &[u16], ranges: &[u16], table: &mut TwoStages<2, 1024, N>) -> usize {
    let [gbk, gb18030] = &mut table.stages;
    let mut builder = Builder::new(gb18030, &mut table.blocks, false);
    builder.put_index(cells, 0..126, Grid { width: 190, leading: 0x81, trailing: 0x40, gap: 1 });
    for (unit, bytes) in GB18030_2022_SIDE_TABLE {
        builder.put(unit, bytes);
    }
    builder.put_ascii();

    // Blocks of four-byte characters only are one.
    let four_byte_block = builder.add();
    for (entry, rank) in builder.blocks[four_byte_block..][..BLOCK].iter_mut().zip(1..) {
        *entry = rank;
    }
    // A pointer that is an exception, then the ranges. Each ends where the next one starts.
    let mut four_bytes = |pointer: u16, units: Range<usize>| {
        let (first, mut from) = (units.start, units.start);
        while from < units.end {
            let slot = from / BLOCK;
            let to = units.end.min((slot + 1) * BLOCK);
            let pointer = pointer + (from - first) as u16;
            let (stage, base) = (&mut builder.stages[slot], &mut table.extra[slot]);
            if *stage == 0 {
                (*stage, *base) = (four_byte_block as u16, pointer.wrapping_sub(1));
            } else if usize::from(*stage) != four_byte_block {
                let entries = &mut builder.blocks[usize::from(*stage) + from % BLOCK..][..to - from];
                for (pointer, entry) in (pointer..).zip(entries).filter(|(_, entry)| **entry == 0) {
                    if *base == 0 {
                        *base = pointer.wrapping_sub(1);
                    }
                    let rank = pointer.wrapping_sub(*base);
                    if rank < 0x100 {
                        *entry = rank;
                    }
                }
            }
            from = to;
        }
    };
    four_bytes(7457, 0xE7C7..0xE7C8);
    let ranges = ranges.as_chunks::<2>().0;
    for (n, &[pointer, first]) in ranges.iter().enumerate() {
        let end = ranges.get(n + 1).map_or(39_420, |next| next[0]);
        four_bytes(pointer, first.into()..usize::from(first) + usize::from(end - pointer));
    }
    *gbk = *builder.stages;
    builder.fork_row(gbk, 0x20);
    builder.stages = gbk;
    builder.put(0x20AC, 0x8000);
    builder.next
}

/// Derives the encoding table of Big5. `extra` is *index Big5 pointer* for code points above the BMP.
///
/// It starts with 257 numbers: where the entries start for each upper byte of the lower 16 bits of a code point. The
/// entries follow, as pairs of the lower byte and the Big5 bytes.
pub(crate) fn big5_bytes<const N: usize>(
    cells: &[u16],
    plane2: &[u16],
    table: &mut TwoStages<1, { 257 + 2 * 291 }, N>,
) -> usize {
    // Lower rows are the HKSCS extension.
    const ROWS: Range<usize> = 0xA1 - 0x81..126;
    const GRID: Grid = Grid { width: 157, leading: 0x81, trailing: 0x40, gap: 0x22 };
    let mut builder = Builder::new(&mut table.stages[0], &mut table.blocks, false);
    builder.put_index(cells, ROWS, GRID);
    builder.put_ascii();

    let (starts, entries) = table.extra.split_at_mut(257);
    // The code points above the BMP, and their bytes.
    let (mut all, mut count) = ([[0; 2]; 291], 0);
    for row in ROWS {
        for (column, &cell) in cells[INDEX + row * GRID.width..][..GRID.width].iter().enumerate() {
            match cell {
                // For these code points, the standard uses the last pointer.
                0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345 => builder.put(cell, GRID.bytes(row, column)),
                0xD800..UNMAPPED => {
                    let code = plane2[usize::from(cell - 0xD800)];
                    all[count] = [code, GRID.bytes(row, column)];
                    count += 1;
                    starts[1 + usize::from(code >> 8)] += 1;
                }
                _ => {}
            }
        }
    }
    for upper in 1..starts.len() {
        starts[upper] += starts[upper - 1];
    }
    for [code, bytes] in all {
        let first = usize::from(starts[usize::from(code >> 8)]);
        // The first entry without bytes is free.
        if let Some(entry) = entries[2 * first..].as_chunks_mut::<2>().0.iter_mut().find(|entry| entry[1] == 0) {
            *entry = [code & 0xFF, bytes];
        }
    }
    builder.next
}

/// Sets the numbers of the blocks of a single-byte encoding, and returns how many blocks there are. Block 0 is empty. 0 is unmapped
/// in `index`, which has the code points of the bytes from 0x80 on.
pub(crate) fn single_byte_stages(index: &[u16; 128], stages: &mut [u8; 1024]) -> usize {
    let mut count = 1;
    for &unit in index.iter().filter(|&&unit| unit != 0) {
        let stage = &mut stages[usize::from(unit) / BLOCK];
        if *stage == 0 {
            *stage = count;
            count += 1;
        }
    }
    count.into()
}

/// Sets the bytes in the blocks of a single-byte encoding.
pub(crate) fn single_byte_blocks(index: &[u16; 128], stages: &[u8; 1024], blocks: &mut [[u8; BLOCK]]) {
    // In reverse, so that the first byte of a character remains.
    for (&unit, byte) in index.iter().zip(0x80..=0xFF).rev().filter(|entry| *entry.0 != 0) {
        blocks[usize::from(stages[usize::from(unit) / BLOCK])][usize::from(unit) % BLOCK] = byte;
    }
}

/// Returns the rows of 128 code points with the most characters of a single-byte encoding: two rows below U+0800, then two rows
/// from there on. Among equals, the lower row. Kernels cannot tell rows from U+3F80 to U+C07F apart: none of these is returned.
pub(crate) fn single_byte_rows(index: &[u16; 128]) -> [u16; 4] {
    let mut counts = [0_u8; 512];
    for unit in index {
        counts[usize::from(unit >> 7)] += 1;
    }
    counts[0] = 0;
    counts[0x3F80 >> 7..=0xC07F >> 7].fill(0);
    [0..16, 0..16, 16..512, 16..512].map(|rows| {
        let best = rows.rev().max_by_key(|&row| counts[row]).filter(|&row| counts[row] > 0).unwrap_or(0);
        counts[best] = 0;
        best as u16
    })
}
