//! From indexes to the tables that codecs look up. `cargo xtask tables` makes the files of them in `tables/`; where tables are
//! packed, the library makes them when they are first used. ARCHITECTURE.md, "Tables", says why they look so.

use std::{vec, vec::Vec};

/// Where an index begins in the cells of decoders.
const INDEX: usize = 256;
/// A cell that is no character. No index has surrogates.
const UNMAPPED: u16 = 0xDFFF;

/// What decoders of pairs look up: for each byte what it is alone, itself for ASCII; then an index by pointer, 0 for unmapped;
/// then an unmapped cell, for pointers that are none.
fn cells(singles: impl Iterator<Item = (u8, u16)>, index: impl Iterator<Item = u16>) -> Vec<u16> {
    let mut cells: Vec<u16> = (0..0x80).chain([UNMAPPED; 0x80]).collect();
    for (byte, unit) in singles {
        cells[usize::from(byte)] = unit;
    }
    cells.extend(index.map(|unit| if unit == 0 { UNMAPPED } else { unit }));
    cells.push(UNMAPPED);
    cells
}

/// Index jis0208 serves three encodings. Pointers 8836 to 10715, which no index entry uses, carry Shift_JIS's user-defined
/// characters; pointers from 11280 on are EUC-JP's half-width katakana, as a row of their own.
pub(crate) fn jis0208_cells(index: &[u32]) -> Vec<u16> {
    let with_user_defined = index.iter().zip(0_u16..).map(|(&code, pointer)| match pointer {
        8836..=10_715 => 0xE000 - 8836 + pointer,
        _ => code as u16,
    });
    let katakana = (0xFF61..=0xFF9F).chain([0; 31]);
    cells([(0x80, 0x80)].into_iter().chain((0xA1..=0xDF).zip(0xFF61..)), with_user_defined.chain(katakana))
}

/// The part of the cells that JIS X 0208 is: what JIS X 0212 does not have.
pub(crate) fn jis0208(cells: &[u16]) -> &[u16] {
    &cells[INDEX..][..84 * 94]
}

pub(crate) fn euc_kr_cells(index: &[u32]) -> Vec<u16> {
    cells([].into_iter(), index.iter().map(|&code| code as u16))
}

pub(crate) fn gb18030_cells(index: &[u32]) -> Vec<u16> {
    cells([(0x80, 0x20AC)].into_iter(), index.iter().map(|&code| code as u16))
}

/// The cells of Big5 and its plane 2: the surrogate 0xD800 + n stands for U+20000 plus the n-th number there.
pub(crate) fn big5_cells(index: &[u32]) -> (Vec<u16>, Vec<u16>) {
    let mut plane2 = Vec::new();
    let index = index.iter().map(|&code| {
        if code <= 0xFFFF {
            return code as u16;
        }
        plane2.push(code as u16);
        0xD800 + plane2.len() as u16 - 1
    });
    (cells([].into_iter(), index.collect::<Vec<_>>().into_iter()), plane2)
}

/// How many code points share a block.
pub(crate) const BLOCK: usize = 64;

/// Two stages from a code point of the BMP to its bytes, for each of some encodings that share blocks.
pub(crate) struct TwoStages<T> {
    /// For each encoding, by the upper ten bits of a code point: where its block starts.
    pub(crate) stages: Vec<[u16; 0x10000 / BLOCK]>,
    /// The first block is empty. An entry has the leading byte in its upper half, and 0 in the lower half where a byte stands
    /// alone; 0 is unmapped.
    pub(crate) blocks: Vec<T>,
}

impl<T: Copy + Default + PartialEq> TwoStages<T> {
    /// One encoding, without characters.
    fn new() -> Self {
        Self { stages: vec![[0; 1024]], blocks: vec![T::default(); BLOCK] }
    }

    /// Another encoding, which is as the first one until it gets characters of its own.
    fn fork(&mut self) {
        self.stages.push(self.stages[0]);
    }

    fn get(&self, encoding: usize, unit: u16) -> T {
        self.blocks[usize::from(self.stages[encoding][usize::from(unit) / BLOCK]) + usize::from(unit) % BLOCK]
    }

    /// Sets a character's entry.
    fn put(&mut self, encoding: usize, unit: u16, entry: T) {
        let place = usize::from(unit) / BLOCK;
        let start = self.stages[encoding][place];
        let is_shared = self.stages.iter().filter(|stage| stage[place] == start).count() > 1;
        if start == 0 || is_shared {
            self.stages[encoding][place] = self.blocks.len() as u16;
            self.blocks.extend_from_within(usize::from(start)..usize::from(start) + BLOCK);
        }
        self.blocks[usize::from(self.stages[encoding][place]) + usize::from(unit) % BLOCK] = entry;
    }

    /// Sets the entries of characters that have none. *Index pointer* is the first pointer, so the first entry counts.
    fn put_first(&mut self, encoding: usize, entries: impl Iterator<Item = (u16, T)>) {
        for (unit, entry) in entries {
            if self.get(encoding, unit) == T::default() {
                self.put(encoding, unit, entry);
            }
        }
    }
}

impl TwoStages<u16> {
    /// Adds U+0001 to U+007F, which stand for themselves. The entry of U+0000 would be the one of what is unmapped.
    fn put_ascii(&mut self, encoding: usize) {
        self.put_first(encoding, (1..0x80).map(|byte| (byte, byte << 8)));
    }
}

/// The pointers, from the index's start on, and code points of cells that have one of the BMP.
fn entries(cells: &[u16]) -> impl Iterator<Item = (u16, u16)> {
    (0..)
        .zip(&cells[INDEX..])
        .filter(|(_, unit)| !matches!(unit, 0xD800..=0xDFFF))
        .map(|(pointer, &unit)| (pointer, unit))
}

/// The bytes of a pointer, where a row has so many trailing bytes from `first` on, without those of the gap.
fn bytes(pointer: u16, row: u16, leading: u16, first: u16, gap: u16) -> u16 {
    let trailing = pointer % row + first;
    (pointer / row + leading) << 8 | if trailing < 0x7F { trailing } else { trailing + gap }
}

/// EUC-JP and ISO-2022-JP; for the latter, pairs alone, with their upper bits set. Half-width `katakana` become others there.
pub(crate) fn jis0208_bytes(cells: &[u16], katakana: &[u16]) -> TwoStages<u16> {
    let mut table = TwoStages::new();
    let pairs = entries(cells).take_while(|&(pointer, _)| pointer < 94 * 94);
    table.put_first(0, pairs.map(|(pointer, unit)| (unit, bytes(pointer, 94, 0xA1, 0xA1, 0))));
    table.put(0, 0x2212, table.get(0, 0xFF0D));
    table.fork();
    table.put_ascii(0);
    table.put_first(0, [(0xA5, 0x5C00), (0x203E, 0x7E00)].into_iter().chain((0xFF61..=0xFF9F).zip(0x8EA1..)));
    for (unit, &full_width) in (0xFF61..).zip(katakana) {
        table.put(1, unit, table.get(1, full_width));
    }
    table
}

pub(crate) fn shift_jis_bytes(cells: &[u16]) -> TwoStages<u16> {
    let mut table = TwoStages::new();
    let pairs = entries(cells).filter(|(pointer, _)| matches!(pointer, 0..=8271 | 10_716..=11_279));
    table.put_first(
        0,
        pairs.map(|(pointer, unit)| {
            let leading = if pointer / 188 < 0x1F { 0x81 } else { 0xC1 };
            (unit, bytes(pointer, 188, leading, 0x40, 1))
        }),
    );
    table.put(0, 0x2212, table.get(0, 0xFF0D));
    table.put_ascii(0);
    let singles = [(0x80, 0x8000), (0xA5, 0x5C00), (0x203E, 0x7E00)].into_iter();
    table.put_first(0, singles.chain((0xFF61..=0xFF9F).zip((0xA1..).map(|byte| byte << 8))));
    table
}

pub(crate) fn euc_kr_bytes(cells: &[u16]) -> TwoStages<u16> {
    let mut table = TwoStages::new();
    table.put_first(0, entries(cells).map(|(pointer, unit)| (unit, bytes(pointer, 190, 0x81, 0x41, 0))));
    table.put_ascii(0);
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

/// *Index gb18030 ranges* as pairs of pointer and code point, both ascending; without the last one, which is above the BMP and
/// pure arithmetic. They are the code points that have no two bytes in GB 18030-2000.
pub(crate) fn gb18030_ranges(cells: &[u16]) -> Vec<u16> {
    let mut has_two_bytes = vec![false; 0x10000];
    for (_, unit) in entries(cells) {
        // All but these have had them since then.
        has_two_bytes[usize::from(unit)] = !matches!(unit, 0x1E3F | 0x9FB4..=0x9FBB | 0xFE10..=0xFE19);
    }
    for unit in GB18030_2022_SIDE_TABLE.map(|entry| entry.0).into_iter().chain([0xE5E5, 0xE7C7]).chain(0xD800..=0xDFFF)
    {
        has_two_bytes[usize::from(unit)] = true;
    }
    let mut ranges = Vec::new();
    let (mut pointer, mut before) = (0, true);
    for (unit, &has_two_bytes) in (0..=0xFFFF_u16).zip(&has_two_bytes).skip(0x80) {
        if before && !has_two_bytes {
            ranges.extend([pointer, unit]);
        }
        pointer += u16::from(!has_two_bytes);
        before = has_two_bytes;
    }
    ranges
}

/// GBK and gb18030, with the side table of GB18030-2022. Entries below 0x100 are characters of four bytes: added to their
/// block's base, which is the second result, they give the pointer. Where the pointers of a block's characters are too far from
/// each other, the later ones get no entry.
pub(crate) fn gb18030_bytes(cells: &[u16], ranges: &[u16]) -> (TwoStages<u16>, [u16; 1024]) {
    let mut table = TwoStages::new();
    // Places with nothing but characters of four bytes share a block.
    let whole = table.blocks.len() as u16;
    table.blocks.extend(1..=64);
    table.put_first(0, GB18030_2022_SIDE_TABLE.into_iter());
    table.put_first(0, entries(cells).map(|(pointer, unit)| (unit, bytes(pointer, 190, 0x81, 0x40, 1))));
    table.put_ascii(0);

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
pub(crate) fn big5_bytes(cells: &[u16], plane2: &[u16]) -> (TwoStages<u16>, Vec<u16>) {
    // The pointers before are HKSCS's.
    const FIRST: u16 = (0xA1 - 0x81) * 157;
    let bytes = |pointer| bytes(pointer, 157, 0x81, 0x40, 0x22);
    let mut table = TwoStages::new();
    let pairs = entries(cells).skip_while(|&(pointer, _)| pointer < FIRST);
    for (unit, bytes) in pairs.map(|(pointer, unit)| (unit, bytes(pointer))) {
        // For these, the last pointer counts.
        if matches!(unit, 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345) || table.get(0, unit) == 0 {
            table.put(0, unit, bytes);
        }
    }
    table.put_ascii(0);

    let above =
        (0..).zip(&cells[INDEX..]).filter(|&(pointer, cell)| pointer >= FIRST && matches!(cell, 0xD800..UNMAPPED));
    let mut above: Vec<(u16, u16)> =
        above.map(|(pointer, cell)| (plane2[usize::from(cell - 0xD800)], bytes(pointer))).collect();
    above.sort_unstable();
    above.dedup_by_key(|entry| entry.0);
    let start = |upper: usize| above.partition_point(|entry| usize::from(entry.0 >> 8) < upper) as u16;
    let mut units: Vec<u16> = (0..=256).map(start).collect();
    units.extend(above.iter().flat_map(|&(code, bytes)| [code & 0xFF, bytes]));
    (table, units)
}

/// A single-byte encoding, from the code points of its bytes from 0x80 on, 0 for unmapped.
pub(crate) fn single_byte_bytes(index: &[u16]) -> TwoStages<u8> {
    let mut table = TwoStages::new();
    table.put_first(0, index.iter().copied().zip(0x80..=0xFF).filter(|entry| entry.0 != 0));
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
