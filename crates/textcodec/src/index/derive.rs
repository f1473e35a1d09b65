//! From indexes to the tables that codecs look up. `cargo xtask tables` makes the files of them in `tables/`; where tables are
//! packed, the library makes them when they are first used. ARCHITECTURE.md, "Tables", says why they look so.

use std::{
    ops::{Range, RangeInclusive},
    vec,
    vec::Vec,
};

/// Where an index begins in the cells of decoders.
const INDEX: usize = 256;
/// A cell that is no character. No index has surrogates.
const UNMAPPED: u16 = 0xDFFF;

/// What decoders of pairs look up: for each byte what it is alone, itself for ASCII; then an index by pointer, 0 for unmapped;
/// then an unmapped cell, for pointers that are none. Bytes above ASCII come as ranges, each with its first code point.
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

/// Index jis0208 serves three encodings. Pointers 8836 to 10715, which no index entry uses, carry Shift_JIS's user-defined
/// characters; pointers from 11280 on are EUC-JP's half-width katakana, as a row of their own.
pub(crate) fn jis0208_cells(mut index: Vec<u32>) -> Vec<u16> {
    for (entry, code) in index[8836..=10_715].iter_mut().zip(0xE000..) {
        *entry = code;
    }
    index.extend((0xFF61..=0xFF9F).chain([0; 31]));
    cells(&[(0x80..=0x80, 0x80), (0xA1..=0xDF, 0xFF61)], &index)
}

/// The part of the cells that JIS X 0208 is: what JIS X 0212 does not have.
pub(crate) fn jis0208(cells: &[u16]) -> &[u16] {
    &cells[INDEX..][..84 * 94]
}

pub(crate) fn euc_kr_cells(index: &[u32]) -> Vec<u16> {
    cells(&[], index)
}

pub(crate) fn gb18030_cells(index: &[u32]) -> Vec<u16> {
    cells(&[(0x80..=0x80, 0x20AC)], index)
}

/// The cells of Big5 and its plane 2: the surrogate 0xD800 + n stands for U+20000 plus the n-th number there.
pub(crate) fn big5_cells(mut index: Vec<u32>) -> (Vec<u16>, Vec<u16>) {
    let mut plane2 = Vec::new();
    for code in index.iter_mut().filter(|code| **code > 0xFFFF) {
        plane2.push(*code as u16);
        *code = 0xD800 + plane2.len() as u32 - 1;
    }
    (cells(&[], &index), plane2)
}

/// How many code points share a block.
pub(crate) const BLOCK: usize = 64;

/// Two stages from a code point of the BMP to its bytes, for each of some encodings that share blocks.
pub(crate) struct TwoStages {
    /// For each encoding, by the upper ten bits of a code point: where its block starts.
    pub(crate) stages: Vec<[u16; 0x10000 / BLOCK]>,
    /// The first block is empty. An entry has the leading byte in its upper half, and 0 in the lower half where a byte stands
    /// alone; 0 is unmapped.
    pub(crate) blocks: Vec<u16>,
}

// Not inlined: where tables are packed, programs are to be small.
impl TwoStages {
    /// One encoding, without characters.
    #[inline(never)]
    fn new() -> Self {
        Self { stages: vec![[0; 1024]], blocks: vec![0; BLOCK] }
    }

    /// Another encoding, which is as the first one until it gets characters of its own.
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
        let place = usize::from(unit) / BLOCK;
        let start = self.stages[encoding][place];
        let is_shared = self.stages.iter().filter(|stage| stage[place] == start).count() > 1;
        if start == 0 || is_shared {
            self.stages[encoding][place] = self.blocks.len() as u16;
            self.blocks.extend_from_within(usize::from(start)..usize::from(start) + BLOCK);
        }
        self.blocks[usize::from(self.stages[encoding][place]) + usize::from(unit) % BLOCK] = entry;
    }

    /// Sets the entries of the first encoding's characters that have none: *index pointer* is the first pointer. Of some
    /// pointers of an index, as cells; `bytes` makes bytes of a pointer.
    #[inline(never)]
    fn put_index(&mut self, cells: &[u16], pointers: Range<u16>, bytes: fn(u16) -> u16) {
        for (pointer, unit) in entries(cells, pointers) {
            if self.get(0, unit) == 0 {
                self.put(0, unit, bytes(pointer));
            }
        }
    }

    /// Sets those of characters from `first` to `last`, from `entry` on by steps.
    #[inline(never)]
    fn put_range(&mut self, first: u16, last: u16, entry: u16, step: u16) {
        for unit in first..=last {
            self.put(0, unit, entry + (unit - first) * step);
        }
    }

    /// Sets those of U+0001 to U+007F, which stand for themselves. The entry of U+0000 would be the one of what is unmapped.
    fn put_ascii(&mut self) {
        self.put_range(1, 0x7F, 0x100, 0x100);
    }
}

/// Those of some pointers that have a code point of the BMP, and it.
fn entries(cells: &[u16], pointers: Range<u16>) -> impl Iterator<Item = (u16, u16)> {
    let is_mapped = |entry: &(u16, u16)| !matches!(entry.1, 0xD800..=0xDFFF);
    pointers.map(|pointer| (pointer, cells[INDEX + usize::from(pointer)])).filter(is_mapped)
}

/// The bytes of a pointer, where a row has so many trailing bytes from `first` on, without those of the gap.
fn bytes(pointer: u16, row: u16, leading: u16, first: u16, gap: u16) -> u16 {
    let trailing = pointer % row + first;
    (pointer / row + leading) << 8 | if trailing < 0x7F { trailing } else { trailing + gap }
}

/// EUC-JP and ISO-2022-JP; for the latter, pairs alone, with their upper bits set. Half-width `katakana` become others there.
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

/// GB18030-2022: code points that lost their place in index gb18030 and keep their bytes when encoded.
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

/// GBK and gb18030, with the side table of GB18030-2022. Entries below 0x100 are characters of four bytes: added to their
/// block's base, which is the second result, they give the pointer. `ranges` are pairs of pointer and code
/// point. Where the pointers of a block's characters are too far from each other, the later ones get no entry.
pub(crate) fn gb18030_bytes(cells: &[u16], ranges: &[u16]) -> (TwoStages, [u16; 1024]) {
    let mut table = TwoStages::new();
    // Places with nothing but characters of four bytes share a block.
    let whole = table.blocks.len() as u16;
    table.blocks.extend(1..=64);
    for (unit, bytes) in GB18030_2022_SIDE_TABLE {
        table.put(0, unit, bytes);
    }
    table.put_index(cells, 0..126 * 190, |pointer| bytes(pointer, 190, 0x81, 0x40, 1));
    table.put_ascii();

    let mut bases = [0; 1024];
    let mut ranges = ranges.as_chunks::<2>().0.iter().peekable();
    let mut offset = 0_u16;
    for (place, base) in bases.iter_mut().enumerate() {
        let is_whole = table.stages[0][place] == 0;
        for unit in (0..64).map(|n| (place * BLOCK) as u16 + n) {
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
            if is_whole {
                table.stages[0][place] = whole;
                break;
            }
            let rank = pointer.wrapping_sub(*base);
            if rank < 0x100 {
                table.put(0, unit, rank);
            }
        }
    }
    table.fork();
    // The first one is GBK, where the entries below 0x100 are unmapped.
    table.put(0, 0x20AC, 0x8000);
    (table, bases)
}

/// Big5, and *index Big5 pointer* above the BMP: for each upper byte of the code point's lower 16 bits, where its entries start
/// (257 numbers); then pairs of lower byte and Big5 bytes.
pub(crate) fn big5_bytes(cells: &[u16], plane2: &[u16]) -> (TwoStages, Vec<u16>) {
    // The pointers before are HKSCS's.
    const POINTERS: Range<u16> = (0xA1 - 0x81) * 157..126 * 157;
    let bytes = |pointer| bytes(pointer, 157, 0x81, 0x40, 0x22);
    let mut table = TwoStages::new();
    table.put_index(cells, POINTERS, bytes);
    for (pointer, unit) in entries(cells, POINTERS) {
        // For these, the last pointer counts.
        if let 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345 = unit {
            table.put(0, unit, bytes(pointer));
        }
    }
    table.put_ascii();

    let mut above: Vec<(u16, u16)> = Vec::new();
    for pointer in POINTERS {
        if let cell @ 0xD800..UNMAPPED = cells[INDEX + usize::from(pointer)] {
            let code = plane2[usize::from(cell - 0xD800)];
            let place = above.iter().take_while(|entry| entry.0 < code).count();
            if above.get(place).is_none_or(|entry| entry.0 != code) {
                above.insert(place, (code, bytes(pointer)));
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

/// A single-byte encoding, from the code points of its bytes from 0x80 on, 0 for unmapped. Its entries are the bytes.
pub(crate) fn single_byte_bytes(index: &[u16]) -> TwoStages {
    let mut table = TwoStages::new();
    // The first byte of a character counts.
    for (&unit, byte) in index.iter().zip(0x80..0x100).rev().filter(|entry| *entry.0 != 0) {
        table.put(0, unit, byte);
    }
    table
}

/// The rows of 128 code points that most characters of a single-byte encoding are in, the lower ones of equals: two of those below
/// U+0800, then two of those above.
pub(crate) fn single_byte_rows(index: &[u16]) -> [u16; 4] {
    let mut counts = [0_u8; 512];
    for unit in index {
        counts[usize::from(unit >> 7)] += 1;
    }
    counts[0] = 0;
    [0..16, 0..16, 16..512, 16..512].map(|rows| {
        let most = rows.rev().max_by_key(|&row| counts[row]).filter(|&row| counts[row] > 0).unwrap_or(0);
        counts[most] = 0;
        most as u16
    })
}
