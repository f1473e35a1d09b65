//! Derives the lookup tables of the codecs from the indexes. `cargo xtask tables` writes them to the files in `tables/`. Small
//! builds derive them at first use. `docs/design/tables.md` has the reasons for their form.

use alloc::{vec, vec::Vec};
use core::ops::{Range, RangeInclusive};

/// The offset of the index in a decoding table.
const INDEX: usize = 256;
/// A cell that is not a character. No index has surrogates.
const UNMAPPED: u16 = 0xDFFF;

/// Makes a decoding table: a cell for each byte as a single-byte character, then the index by pointer, then an unmapped cell
/// for invalid pointers.
///
/// In `index`, 0 means unmapped. `singles` are the single-byte characters above ASCII: ranges of bytes, each with the code
/// point of its first byte.
fn cells(singles: &[(RangeInclusive<u8>, u16)], index: &[u32]) -> Vec<u16> {
    let mut cells = vec![UNMAPPED; INDEX + index.len() + 1];
    for (range, first) in [(0..=0x7F, 0)].iter().chain(singles) {
        for (byte, unit) in range.clone().zip(*first..) {
            cells[usize::from(byte)] = unit;
        }
    }
    for (cell, &code) in cells[INDEX..].iter_mut().zip(index).filter(|entry| *entry.1 != 0) {
        *cell = code as u16;
    }
    cells
}

/// Makes the decoding table of index jis0208, which serves three encodings. The unused pointers 8836 to 10715 are the
/// user-defined characters of Shift_JIS. Pointers from 11280 on are an additional row: the half-width katakana of EUC-JP.
pub(crate) fn jis0208_cells(mut index: Vec<u32>) -> Vec<u16> {
    for (entry, code) in index[8836..=10_715].iter_mut().zip(0xE000..) {
        *entry = code;
    }
    index.extend((0xFF61..=0xFF9F).chain([0; 31]));
    cells(&[(0x80..=0x80, 0x80), (0xA1..=0xDF, 0xFF61)], &index)
}

/// Returns the cells of JIS X 0208. JIS X 0212 has none of these characters.
pub(crate) fn jis0208(cells: &[u16]) -> &[u16] {
    &cells[INDEX..][..84 * 94]
}

pub(crate) fn euc_kr_cells(index: &[u32]) -> Vec<u16> {
    cells(&[], index)
}

pub(crate) fn gb18030_cells(index: &[u32]) -> Vec<u16> {
    cells(&[(0x80..=0x80, 0x20AC)], index)
}

/// Makes the decoding table of Big5, and a list of its characters of plane 2 as offsets from U+20000. A surrogate 0xD800 + n in
/// the table refers to entry n of the list.
pub(crate) fn big5_cells(mut index: Vec<u32>) -> (Vec<u16>, Vec<u16>) {
    let mut plane2 = Vec::new();
    for code in index.iter_mut().filter(|code| **code > 0xFFFF) {
        plane2.push(*code as u16);
        *code = 0xD800 + plane2.len() as u32 - 1;
    }
    (cells(&[], &index), plane2)
}

/// The number of code points in a block.
pub(crate) const BLOCK: usize = 64;

/// A two-stage table from a code point of the BMP to its bytes, for several encodings that share blocks.
pub(crate) struct TwoStages {
    /// For each encoding, by the upper ten bits of a code point: the start of its block.
    pub(crate) stages: Vec<[u16; 0x10000 / BLOCK]>,
    /// The blocks. The first one is empty. The upper byte of an entry is the lead byte, and the lower one the trail byte, or 0
    /// for a single-byte character. The entry 0 is unmapped.
    pub(crate) blocks: Vec<u16>,
}

// Not inlined, for the code size of small builds.
impl TwoStages {
    /// Creates a table for one encoding, without characters.
    #[inline(never)]
    fn new() -> Self {
        Self { stages: vec![[0; 1024]], blocks: vec![0; BLOCK] }
    }

    /// Adds an encoding with the characters of the first one.
    fn fork(&mut self) {
        self.stages.push(self.stages[0]);
    }

    #[inline(never)]
    fn get(&self, encoding: usize, unit: u16) -> u16 {
        self.blocks[usize::from(self.stages[encoding][usize::from(unit) / BLOCK]) + usize::from(unit) % BLOCK]
    }

    /// Sets a character's entry.
    #[inline(never)]
    fn put(&mut self, encoding: usize, unit: u16, entry: u16) {
        let slot = usize::from(unit) / BLOCK;
        let start = self.stages[encoding][slot];
        let is_shared = self.stages.iter().filter(|stage| stage[slot] == start).count() > 1;
        if start == 0 || is_shared {
            self.stages[encoding][slot] = self.blocks.len() as u16;
            self.blocks.extend_from_within(usize::from(start)..usize::from(start) + BLOCK);
        }
        self.blocks[usize::from(self.stages[encoding][slot]) + usize::from(unit) % BLOCK] = entry;
    }

    /// Sets the entries of the first encoding for a range of pointers of an index. Keeps existing entries, because *index
    /// pointer* is the first pointer of a character. `bytes` converts a pointer to bytes.
    #[inline(never)]
    fn put_index(&mut self, cells: &[u16], pointers: Range<u16>, bytes: fn(u16) -> u16) {
        for (pointer, unit) in entries(cells, pointers) {
            if self.get(0, unit) == 0 {
                self.put(0, unit, bytes(pointer));
            }
        }
    }

    /// Sets the entries of the first encoding for the characters from `first` to `last`: `entry`, increased by `step` for each.
    #[inline(never)]
    fn put_range(&mut self, first: u16, last: u16, entry: u16, step: u16) {
        for unit in first..=last {
            self.put(0, unit, entry + (unit - first) * step);
        }
    }

    /// Sets the entries of U+0001 to U+007F. The entry of U+0000 would equal that of an unmapped character.
    fn put_ascii(&mut self) {
        self.put_range(1, 0x7F, 0x100, 0x100);
    }
}

/// Returns the pointers of a range that map to a code point of the BMP, with the code point.
fn entries(cells: &[u16], pointers: Range<u16>) -> impl Iterator<Item = (u16, u16)> {
    let is_mapped = |entry: &(u16, u16)| !matches!(entry.1, 0xD800..=0xDFFF);
    pointers.map(|pointer| (pointer, cells[INDEX + usize::from(pointer)])).filter(is_mapped)
}

/// Converts a pointer to bytes. A row has `row` pointers. Trail bytes start at `first` and skip `gap` values from 0x7F on. Lead
/// bytes start at `leading`.
fn bytes(pointer: u16, row: u16, leading: u16, first: u16, gap: u16) -> u16 {
    let trailing = pointer % row + first;
    (pointer / row + leading) << 8 | if trailing < 0x7F { trailing } else { trailing + gap }
}

/// Makes the encoding tables of EUC-JP and ISO-2022-JP. The latter has only pairs, with the upper bits set, and maps half-width
/// katakana by `katakana`.
pub(crate) fn jis0208_bytes(cells: &[u16], katakana: &[u16]) -> TwoStages {
    let mut table = TwoStages::new();
    table.put_index(cells, 0..94 * 94, |pointer| bytes(pointer, 94, 0xA1, 0xA1, 0));
    table.put(0, 0x2212, table.get(0, 0xFF0D));
    table.fork();
    table.put_ascii();
    table.put(0, 0xA5, 0x5C00);
    table.put(0, 0x203E, 0x7E00);
    table.put_range(0xFF61, 0xFF9F, 0x8EA1, 1);
    for (unit, &full_width) in (0xFF61..).zip(katakana) {
        table.put(1, unit, table.get(1, full_width));
    }
    table
}

pub(crate) fn shift_jis_bytes(cells: &[u16]) -> TwoStages {
    let mut table = TwoStages::new();
    for pointers in [0..8272, 10_716..11_280] {
        table.put_index(cells, pointers, |pointer| {
            bytes(pointer, 188, if pointer < 0x1F * 188 { 0x81 } else { 0xC1 }, 0x40, 1)
        });
    }
    table.put(0, 0x2212, table.get(0, 0xFF0D));
    table.put_ascii();
    table.put(0, 0x80, 0x8000);
    table.put(0, 0xA5, 0x5C00);
    table.put(0, 0x203E, 0x7E00);
    table.put_range(0xFF61, 0xFF9F, 0xA100, 0x100);
    table
}

pub(crate) fn euc_kr_bytes(cells: &[u16]) -> TwoStages {
    let mut table = TwoStages::new();
    table.put_index(cells, 0..126 * 190, |pointer| bytes(pointer, 190, 0x81, 0x41, 0));
    table.put_ascii();
    table
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

/// Makes the encoding tables of GBK and gb18030, with the side table of GB18030-2022, and the base of each block.
///
/// An entry below 0x100 is a four-byte character: its pointer is the base of the block plus the entry. A character whose
/// pointer is too far from the base has no entry. `ranges` are pairs of pointer and code point.
pub(crate) fn gb18030_bytes(cells: &[u16], ranges: &[u16]) -> (TwoStages, [u16; 1024]) {
    let mut table = TwoStages::new();
    // Ranges that consist of four-byte characters only share a block.
    let four_byte_block = table.blocks.len() as u16;
    table.blocks.extend(1..=64);
    for (unit, bytes) in GB18030_2022_SIDE_TABLE {
        table.put(0, unit, bytes);
    }
    table.put_index(cells, 0..126 * 190, |pointer| bytes(pointer, 190, 0x81, 0x40, 1));
    table.put_ascii();

    let mut bases = [0; 1024];
    let mut ranges = ranges.as_chunks::<2>().0.iter().peekable();
    let mut offset = 0_u16;
    for (slot, base) in bases.iter_mut().enumerate() {
        let is_four_byte_only = table.stages[0][slot] == 0;
        for unit in (0..64).map(|n| (slot * BLOCK) as u16 + n) {
            while let Some([pointer, first]) = ranges.next_if(|range| range[1] <= unit) {
                offset = pointer.wrapping_sub(*first);
            }
            if matches!(unit, 0..0x80 | 0xD800..=0xDFFF | 0xE5E5) || table.get(0, unit) != 0 {
                continue;
            }
            let pointer = if unit == 0xE7C7 { 7457 } else { unit.wrapping_add(offset) };
            if *base == 0 {
                *base = pointer.wrapping_sub(1);
            }
            if is_four_byte_only {
                table.stages[0][slot] = four_byte_block;
                break;
            }
            let rank = pointer.wrapping_sub(*base);
            if rank < 0x100 {
                table.put(0, unit, rank);
            }
        }
    }
    table.fork();
    // The first encoding is GBK. It treats entries below 0x100 as unmapped.
    table.put(0, 0x20AC, 0x8000);
    (table, bases)
}

/// Makes the encoding table of Big5, and *index Big5 pointer* for code points above the BMP.
///
/// The latter starts with 257 numbers: where the entries start for each upper byte of the lower 16 bits of a code point. The
/// entries follow, as pairs of the lower byte and the Big5 bytes.
pub(crate) fn big5_bytes(cells: &[u16], plane2: &[u16]) -> (TwoStages, Vec<u16>) {
    // Lower pointers are the HKSCS extension.
    const POINTERS: Range<u16> = (0xA1 - 0x81) * 157..126 * 157;
    let bytes = |pointer| bytes(pointer, 157, 0x81, 0x40, 0x22);
    let mut table = TwoStages::new();
    table.put_index(cells, POINTERS, bytes);
    for (pointer, unit) in entries(cells, POINTERS) {
        // For these code points, the standard uses the last pointer.
        if let 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345 = unit {
            table.put(0, unit, bytes(pointer));
        }
    }
    table.put_ascii();

    let mut above: Vec<(u16, u16)> = Vec::new();
    for pointer in POINTERS {
        if let cell @ 0xD800..UNMAPPED = cells[INDEX + usize::from(pointer)] {
            let code = plane2[usize::from(cell - 0xD800)];
            let position = above.iter().take_while(|entry| entry.0 < code).count();
            if above.get(position).is_none_or(|entry| entry.0 != code) {
                above.insert(position, (code, bytes(pointer)));
            }
        }
    }
    let mut units = vec![0; 257];
    for (code, bytes) in above {
        let upper = usize::from(code >> 8);
        units[upper + 1..257].iter_mut().for_each(|start| *start += 1);
        units.extend([code & 0xFF, bytes]);
    }
    (table, units)
}

/// Makes the encoding table of a single-byte encoding, whose entries are the bytes. `index` has the code points of the bytes
/// from 0x80 on, 0 for unmapped.
pub(crate) fn single_byte_bytes(index: &[u16]) -> TwoStages {
    let mut table = TwoStages::new();
    // In reverse, so that the first byte of a character remains.
    for (&unit, byte) in index.iter().zip(0x80..0x100).rev().filter(|entry| *entry.0 != 0) {
        table.put(0, unit, byte);
    }
    table
}

/// Returns the rows of 128 code points with the most characters of a single-byte encoding: two rows below U+0800, then two rows
/// from there on. Among equals, the lower row. Kernels cannot tell rows from U+3F80 to U+C07F apart: none of these is returned.
pub(crate) fn single_byte_rows(index: &[u16]) -> [u16; 4] {
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
