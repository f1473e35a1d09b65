//! `cargo xtask tables`: the binary tables that the library includes, made from `indexes/`.
//!
//! All numbers are little-endian `u16` where not said otherwise. ARCHITECTURE.md, "Tables", says why they look so.

use std::{collections::HashSet, fmt::Write as _, fs, iter};

use anyhow::{Context as _, Result, ensure};

use crate::{
    import::write_or_check,
    index::{Index, Labels},
    root,
};

/// The single-byte indexes in the order of section 9; the library's rows have the same order.
const SINGLE_BYTE: [&str; 27] = [
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
];

/// GB18030-2022: code points that lost their place in index gb18030 and keep their bytes when encoded.
const GB18030_2022_SIDE_TABLE: [Pair; 18] = [
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

/// The code points for which the Big5 encoder takes the last pointer.
const BIG5_LAST: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];

/// How many code points share a block of a two-stage table.
const BLOCK: usize = 64;

/// Rewrites `crates/textcodec/tables`; with `check`, fails where something would change.
pub(crate) fn run(check: bool) -> Result<()> {
    let mut files = Files::default();
    files.single_byte()?;
    files.japanese()?;
    files.euc_kr()?;
    files.gb18030()?;
    files.big5()?;
    files.labels()?;
    let total: usize = files.0.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{} tables, {total} bytes", files.0.len());
    write_or_check(&root().join("crates/textcodec/tables"), &files.0, check)
}

#[derive(Default)]
struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.0.push((name.to_owned(), bytes));
    }

    fn add_units(&mut self, name: &str, units: &[u16]) {
        self.add(name, units.iter().flat_map(|unit| unit.to_le_bytes()).collect());
    }

    /// Decoding: 128 code points an index, 0 for unmapped.
    /// Encoding: `u8`s. 1,024 block numbers an index, then all blocks; an index's own numbers count from its first block,
    /// which is empty. Where each index's blocks start is in a third table.
    fn single_byte(&mut self) -> Result<()> {
        let (mut decode, mut stages, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bases, mut near) = (Vec::new(), Vec::new());
        for name in SINGLE_BYTE {
            let index = read(name)?;
            decode.extend(bmp(&index.dense(128))?);
            let mut pairs: Vec<(u32, u8)> = index.entries.iter().map(|&(p, c)| (c, p as u8 + 0x80)).collect();
            keep_first(&mut pairs);
            let mut own = Vec::new();
            let stage = two_stages(&pairs, &mut own);
            bases.push((blocks.len() / BLOCK) as u16);
            stages.extend(stage.iter().map(|&number| number as u8));
            blocks.extend(own);
            let (two, three): (Vec<u16>, Vec<u16>) =
                pairs.iter().map(|pair| (pair.0 >> 7) as u16).partition(|&row| row < 16);
            near.extend(most_frequent(&two));
            near.extend(most_frequent(&three));
        }
        self.add_units("single-byte.bin", &decode);
        self.add("single-byte-encode-stages.bin", stages);
        self.add("single-byte-encode-blocks.bin", blocks);
        self.add_units("single-byte-encode-bases.bin", &bases);
        self.add_units("single-byte-encode-near.bin", &near);
        Ok(())
    }

    /// jis0208 serves three encodings. Pointers 8836 to 10715, which no index entry uses, carry Shift_JIS's user-defined
    /// characters; pointers from 11280 on are EUC-JP's half-width katakana, as a row of their own.
    fn japanese(&mut self) -> Result<()> {
        let index = read("jis0208")?;
        let mut decode = index.dense(11_280);
        ensure!(decode.len() == 11_280 && decode[8836..=10_715].iter().all(|&c| c == 0), "jis0208 has grown");
        for pointer in 8836..=10_715 {
            decode[pointer as usize] = 0xE000 - 8836 + pointer;
        }
        decode.extend((0xFF61..=0xFF9F).chain([0; 31]));
        let singles: Vec<(u8, u32)> = iter::once((0x80, 0x80)).chain((0xA1..=0xDF).zip(0xFF61..)).collect();
        self.add_cells("jis0208.bin", &singles, &decode)?;
        self.add_units("jis0212.bin", &bmp(&read("jis0212")?.dense(94 * 94))?);
        self.add_units("iso-2022-jp-katakana.bin", &bmp(&read("iso-2022-jp-katakana")?.dense(63))?);

        let jis = |p: u32| ((p / 94 + 0xA1) << 8 | (p % 94 + 0xA1)) as u16;
        let mut jis: Vec<_> = index.entries.iter().map(|&(p, c)| (c, jis(p))).collect();
        add_alias(&mut jis, 0x2212, 0xFF0D);
        let mut iso_2022_jp = jis.clone();
        for (pointer, full_width) in read("iso-2022-jp-katakana")?.entries {
            add_alias(&mut iso_2022_jp, 0xFF61 + pointer, full_width);
        }
        let mut euc_jp = with_ascii(jis);
        euc_jp.extend([(0xA5, 0x5C00), (0x203E, 0x7E00)]);
        euc_jp.extend((0..63).map(|n| (0xFF61 + u32::from(n), 0x8EA1 + n)));
        self.add_encode("jis0208-encode.bin", vec![euc_jp, iso_2022_jp], &[])?;

        let shift_jis = index.entries.iter().filter(|&&(p, _)| !(8272..=8835).contains(&p)).map(|&(p, c)| {
            let (leading, trailing) = (p / 188, p % 188);
            let leading = leading + if leading < 0x1F { 0x81 } else { 0xC1 };
            let trailing = trailing + if trailing < 0x3F { 0x40 } else { 0x41 };
            (c, (leading << 8 | trailing) as u16)
        });
        let mut shift_jis = with_ascii(shift_jis.collect());
        add_alias(&mut shift_jis, 0x2212, 0xFF0D);
        shift_jis.extend([(0x80, 0x8000), (0xA5, 0x5C00), (0x203E, 0x7E00)]);
        shift_jis.extend((0..63).map(|n| (0xFF61 + u32::from(n), (0xA1 + n) << 8)));
        self.add_encode("shift_jis-encode.bin", vec![shift_jis], &[])
    }

    fn euc_kr(&mut self) -> Result<()> {
        let index = read("euc-kr")?;
        self.add_cells("euc-kr.bin", &[], &index.dense(126 * 190))?;
        let bytes = index.entries.iter().map(|&(p, c)| (c, ((p / 190 + 0x81) << 8 | (p % 190 + 0x41)) as u16));
        self.add_encode("euc-kr-encode.bin", vec![with_ascii(bytes.collect())], &[])
    }

    /// The encoder's side table is part of the two stages: of GBK first, then of gb18030. Entries below 0x100 are characters of four
    /// bytes: added to their block's base they give the pointer. The bases follow the block numbers. The ranges are pairs of pointer and code point, without the
    /// last one: it is above the BMP and pure arithmetic.
    fn gb18030(&mut self) -> Result<()> {
        let index = read("gb18030")?;
        self.add_cells("gb18030.bin", &[(0x80, 0x20AC)], &index.dense(126 * 190))?;
        let mut pairs: Vec<Pair> = GB18030_2022_SIDE_TABLE.to_vec();
        pairs.extend(index.entries.iter().map(|&(p, c)| {
            let trailing = p % 190;
            let trailing = trailing + if trailing < 0x3F { 0x40 } else { 0x41 };
            (c, ((p / 190 + 0x81) << 8 | trailing) as u16)
        }));
        let mut pairs = with_ascii(pairs);
        keep_first(&mut pairs);
        let (bases, ranks) = four_bytes(&pairs)?;
        pairs.extend(ranks);
        let mut gbk = pairs.clone();
        gbk.insert(0, (0x20AC, 0x8000));
        self.add_encode("gb18030-encode.bin", vec![gbk, pairs], &bases)?;

        let mut ranges = read("gb18030-ranges")?.entries;
        ensure!(ranges.pop() == Some((189_000, 0x10000)), "the last range is no longer plane 1 and above");
        self.add_units(
            "gb18030-ranges.bin",
            &ranges.iter().flat_map(|&(pointer, code)| [pointer as u16, code as u16]).collect::<Vec<_>>(),
        );
        Ok(())
    }

    /// Decoding: an entry in the surrogates' range, 0xD800 + n, stands for U+20000 plus the n-th number of `big5-plane2`.
    /// Encoding plane 2: for each upper byte of the code point's lower 16 bits, where its entries start (257 numbers); then
    /// pairs of lower byte and Big5 bytes.
    fn big5(&mut self) -> Result<()> {
        let index = read("big5")?;
        let mut plane2 = Vec::new();
        let mut decode = index.dense(126 * 157);
        for code in decode.iter_mut().filter(|code| **code > 0xFFFF) {
            ensure!(*code >> 16 == 2, "U+{code:X} is in neither plane 0 nor plane 2");
            plane2.push(*code as u16);
            *code = 0xD800 + plane2.len() as u32 - 1;
        }
        ensure!(plane2.len() < 0x800, "more entries above U+FFFF than surrogates to stand for them");
        self.add_cells("big5.bin", &[], &decode)?;
        self.add_units("big5-plane2.bin", &plane2);

        let mut pairs: Vec<Pair> = Vec::new();
        for &(pointer, code) in index.entries.iter().filter(|entry| entry.0 >= (0xA1 - 0x81) * 157) {
            let trailing = pointer % 157;
            let trailing = trailing + if trailing < 0x3F { 0x40 } else { 0x62 };
            let bytes = ((pointer / 157 + 0x81) << 8 | trailing) as u16;
            if BIG5_LAST.contains(&code) {
                pairs.retain(|pair| pair.0 != code);
            }
            pairs.push((code, bytes));
        }
        let (mut above, bmp): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|pair| pair.0 > 0xFFFF);
        self.add_encode("big5-encode.bin", vec![with_ascii(bmp)], &[])?;
        keep_first(&mut above);
        let start = |upper: u32| above.partition_point(|pair| pair.0 - 0x20000 < upper << 8) as u16;
        let mut units: Vec<u16> = (0..=256).map(start).collect();
        units.extend(above.iter().flat_map(|&(code, bytes)| [(code & 0xFF) as u16, bytes]));
        self.add_units("big5-plane2-encode.bin", &units);
        Ok(())
    }

    /// What decoders of pairs look up: for each byte what it is alone, itself for ASCII; then an index by pointer; then an
    /// unmapped entry, for pointers that are none. 0xDFFF, a surrogate, is unmapped.
    fn add_cells(&mut self, name: &str, singles: &[(u8, u32)], index: &[u32]) -> Result<()> {
        const UNMAPPED: u32 = 0xDFFF;
        let mut cells: Vec<u32> = (0..0x80).chain([UNMAPPED; 0x80]).collect();
        for &(byte, code) in singles {
            cells[usize::from(byte)] = code;
        }
        cells.extend(index.iter().map(|&code| if code == 0 { UNMAPPED } else { code }).chain([UNMAPPED]));
        self.add_units(name, &bmp(&cells)?);
        Ok(())
    }

    /// Two stages from a BMP code point to its bytes, for each of several encodings that share blocks: the leading byte in
    /// the upper half, and 0 in the lower half where it stands alone; 0 for unmapped. The first entry of a code point counts.
    /// `more` stands between the block numbers and the blocks.
    fn add_encode(&mut self, name: &str, encodings: Vec<Vec<Pair>>, more: &[u16]) -> Result<()> {
        let (mut units, mut blocks) = (Vec::new(), Vec::new());
        for mut entries in encodings {
            keep_first(&mut entries);
            ensure!(entries.iter().all(|entry| entry.0 <= 0xFFFF), "{name}: not in the BMP");
            units.extend(two_stages(&entries, &mut blocks));
        }
        units.extend(more);
        units.extend(blocks);
        self.add_units(name, &units);
        Ok(())
    }

    /// The label table as Rust source: names, labels by encoding, and labels sorted.
    fn labels(&mut self) -> Result<()> {
        let text = fs::read_to_string(root().join("indexes/labels.txt"))?;
        let Labels(table) = Labels::parse(&text)?;
        let mut sorted = Vec::new();
        let mut source = format!(
            "// Made by `cargo xtask tables` from indexes/labels.txt.\n\
             // SHA-256 of the labels: {}\n\n\
             /// The encodings' names, in the order of the standard.\n\
             pub(super) static NAMES: [&str; {}] = [\n",
            crate::index::header(&text, "SHA-256")?,
            table.len(),
        );
        for (name, _) in &table {
            writeln!(source, "    {name:?},")?;
        }
        let len = table.len();
        write!(source, "];\n\n/// Each encoding's labels, in the order of the standard.\n")?;
        writeln!(source, "pub(super) static LABELS: [&[&str]; {len}] = [")?;
        for (place, (_, labels)) in table.iter().enumerate() {
            writeln!(source, "    &{labels:?},")?;
            sorted.extend(labels.iter().map(|label| (label, place)));
        }
        sorted.sort();
        let len = sorted.len();
        write!(source, "];\n\n/// All labels in byte order, each with its encoding's place above.\n")?;
        writeln!(source, "pub(super) static SORTED: [(&str, u8); {len}] = [")?;
        for (label, place) in sorted {
            writeln!(source, "    ({label:?}, {place}),")?;
        }
        source += "];\n";
        self.add("labels.rs", source.into_bytes());
        Ok(())
    }
}

/// Block numbers for the 1,024 blocks of the BMP. Blocks that are not yet there are added to `blocks`; block 0 is empty.
fn two_stages<T: Copy + Default + PartialEq>(entries: &[(u32, T)], blocks: &mut Vec<T>) -> Vec<u16> {
    let mut flat: Vec<T> = iter::repeat_n(T::default(), 0x10000).collect();
    for &(code, value) in entries {
        flat[code as usize] = value;
    }
    if blocks.is_empty() {
        blocks.resize(BLOCK, T::default());
    }
    let stage = flat.chunks(BLOCK).map(|block| {
        let known = blocks.chunks(BLOCK).position(|other| other == block);
        let number = known.unwrap_or(blocks.len() / BLOCK);
        if known.is_none() {
            blocks.extend(block);
        }
        number as u16
    });
    stage.collect()
}

/// A code point and the bytes that it becomes.
type Pair = (u32, u16);

/// For gb18030: each block's base, and the entries of the characters with four bytes. Where the pointers of a block's
/// characters are too far from each other, the later ones get no entry.
fn four_bytes(pairs: &[Pair]) -> Result<(Vec<u16>, Vec<Pair>)> {
    let ranges = read("gb18030-ranges")?.entries;
    let mut bases = vec![0_u16; 0x10000 / BLOCK];
    let mut ranks: Vec<Pair> = Vec::new();
    let mapped: HashSet<u32> = pairs.iter().map(|pair| pair.0).collect();
    for code in (0x80..0x10000).filter(|code| !mapped.contains(code) && !matches!(code, 0xD800..=0xDFFF | 0xE5E5)) {
        let &(offset, first) = ranges.iter().rfind(|range| range.1 <= code).context("a code point below all ranges")?;
        let pointer = if code == 0xE7C7 { 7457 } else { (offset + code - first) as u16 };
        let base = &mut bases[code as usize / BLOCK];
        if ranks.last().is_none_or(|last| last.0 as usize / BLOCK != code as usize / BLOCK) {
            *base = pointer.wrapping_sub(1);
        }
        let rank = pointer.wrapping_sub(*base);
        if (1..0x100).contains(&rank) {
            ranks.push((code, rank));
        }
    }
    Ok((bases, ranks))
}

/// With U+0001 to U+007F, which stand for themselves. The entry of U+0000 would be the one of what is unmapped.
fn with_ascii(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.extend((1..0x80).map(|byte| (u32::from(byte), byte << 8)));
    pairs
}

/// Adds `code` with the bytes of `other`.
fn add_alias(pairs: &mut Vec<Pair>, code: u32, other: u32) {
    let bytes = pairs.iter().find(|pair| pair.0 == other).map(|pair| pair.1);
    pairs.extend(bytes.map(|bytes| (code, bytes)));
}

/// The two most frequent of ascending numbers, the lower ones of those that are equally frequent.
fn most_frequent(numbers: &[u16]) -> [u16; 2] {
    let mut runs: Vec<&[u16]> = numbers.chunk_by(|a, b| a == b).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    [0, 1].map(|n| runs.get(n).map_or(0, |run| run[0]))
}

/// Sorts by code point and keeps each one's first pair: *index pointer* is the first pointer.
fn keep_first<T>(pairs: &mut Vec<(u32, T)>) {
    pairs.sort_by_key(|pair| pair.0);
    pairs.dedup_by_key(|pair| pair.0);
}

fn bmp(code_points: &[u32]) -> Result<Vec<u16>> {
    code_points.iter().map(|&code| u16::try_from(code).context("a code point above U+FFFF")).collect()
}

fn read(name: &str) -> Result<Index> {
    let path = root().join("indexes").join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Index::parse(name, &text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_stages_share_equal_blocks() {
        let mut blocks = Vec::new();
        let stage = two_stages(&[(0x40, 7_u16), (0x80, 7), (0xFFFF, 9)], &mut blocks);
        assert_eq!((stage.len(), blocks.len()), (1024, 3 * BLOCK));
        assert_eq!((stage[0], stage[1], stage[2], stage[1023]), (0, 1, 1, 2));
        assert_eq!(blocks[2 * BLOCK + 63], 9);
    }

    #[test]
    fn the_first_pair_of_a_code_point_counts() {
        let mut pairs = vec![(5, 'b'), (3, 'a'), (5, 'c')];
        keep_first(&mut pairs);
        assert_eq!(pairs, [(3, 'a'), (5, 'b')]);
    }
}
