//! `cargo xtask tables`: generates the library's binary tables from `indexes/`.
//!
//! All numbers are little-endian `u16` unless stated otherwise. `crates/textcodec/src/index/derive.rs` derives them from the
//! indexes and describes them. The library also contains that code, for its packed tables.

use std::{fmt::Write as _, fs};

use anyhow::{Context as _, Result, ensure};

use crate::{
    derive::{self, BLOCK, TwoStages},
    import::write_or_check,
    index::{Index, Labels},
    list::{self, Lists},
    pack::pack,
    root, shuffles,
    unpack::{Walk, unpack},
    upper_half,
};

/// The single-byte indexes in the order of section 9, which is also the order of the library's rows.
pub(crate) const SINGLE_BYTE: [&str; 27] = [
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

/// Rewrites `crates/textcodec/tables`. With `check`, fails if a file would change.
pub(crate) fn run(check: bool) -> Result<()> {
    let mut files = Files::default();
    files.single_byte()?;
    files.japanese()?;
    files.euc_kr()?;
    files.gb18030()?;
    files.big5()?;
    files.shuffles();
    files.labels()?;
    files.encodings()?;
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

    /// Adds a two-stage table that `derive` makes.
    fn add_stages<const E: usize, const X: usize>(
        &mut self,
        name: &str,
        derive: impl FnOnce(&mut TwoStages<E, X, 0x10000>) -> usize,
    ) {
        let mut table = Box::new(TwoStages::EMPTY);
        let len = derive(&mut table);
        self.add_units(name, &[table.stages.as_flattened(), &table.extra, &table.blocks[..len]].concat());
    }

    /// Adds the packed form of an index, and checks that it unpacks to the index.
    fn add_packed(&mut self, name: &str, walk: &Walk, known: &[u16], index: &[u32]) -> Result<()> {
        let packed = pack(walk, known, index);
        let (mut unpacked, mut above) = (bmp(index).unwrap_or_else(|_| vec![0; index.len()]), [0; 0x800]);
        let pointers = || walk.parts.iter().flat_map(|part| part.pointers(walk.width));
        pointers().for_each(|pointer| unpacked[pointer] = 0);
        unpack(&packed, walk, known, &mut unpacked, &mut above);
        let equals = |pointer: usize| index[pointer] == code_point(unpacked[pointer], &above);
        ensure!((0..index.len()).all(equals), "{name}: the packed index does not unpack to itself");
        self.add(name, packed);
        Ok(())
    }

    /// Adds the tables of the single-byte encodings.
    ///
    /// Decoding: see [`upper_half`]. After the indexes follows x-user-defined.
    ///
    /// Encoding, in `u8`: 1,024 block numbers for each index, and a second table with all blocks. The numbers count from the
    /// index's first block, which is empty. A third table has the number of each index's first block.
    fn single_byte(&mut self) -> Result<()> {
        let (mut decode, mut stages, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bases, mut rows) = (Vec::new(), Vec::new());
        let x_user_defined = (0xF780..=0xF7FF).collect();
        let indexes = SINGLE_BYTE.iter().map(|name| bmp(&read(name)?.dense(128)));
        for index in indexes.chain([Ok(x_user_defined)]) {
            let index: [u16; 128] = *index?.first_chunk().context("a single-byte index has 128 entries")?;
            bases.push((blocks.len() / BLOCK) as u16);
            let mut numbers = [0; 1024];
            let mut own = vec![[0; BLOCK]; derive::single_byte_stages(&index, &mut numbers)];
            derive::single_byte_blocks(&index, &numbers, &mut own);
            stages.extend(numbers);
            blocks.extend(own.as_flattened());
            rows.extend(derive::single_byte_rows(&index));
            decode.extend(index);
        }
        let uppers = decode.as_chunks().0.iter().flat_map(upper_half::file).collect();
        self.add("single-byte.bin", uppers);
        self.add("single-byte-encode-stages.bin", stages);
        self.add("single-byte-encode-blocks.bin", blocks);
        self.add_units("single-byte-encode-bases.bin", &bases);
        self.add_units("single-byte-encode-rows.bin", &rows);
        let with_latin1: Vec<u32> = (0x80..0x100).chain(decode[..27 * 128].iter().map(|&unit| unit.into())).collect();
        self.add_packed("single-byte.packed", &Walk::SINGLE_BYTE, &[], &with_latin1)
    }

    fn japanese(&mut self) -> Result<()> {
        let index = read("jis0208")?.dense(11_280);
        ensure!(
            index.len() == 11_280 && index[8836..=10_715].iter().all(|&c| c == 0),
            "jis0208 has pointers outside the expected ranges"
        );
        let mut cells = cells(&bmp(&index)?, 94);
        derive::jis0208_cells(&mut cells);
        self.add_units("jis0208.bin", &cells);
        self.add_packed("jis0208.packed", &Walk::JIS0208, &[], &index)?;

        let jis0212 = read("jis0212")?.dense(94 * 94);
        self.add_units("jis0212.bin", &bmp(&jis0212)?);
        self.add_packed("jis0212.packed", &Walk::JIS0212, derive::jis0208(&cells), &jis0212)?;
        let katakana = bmp(&read("iso-2022-jp-katakana")?.dense(63))?;
        self.add_units("iso-2022-jp-katakana.bin", &katakana);

        self.add_stages("jis0208-encode.bin", |table| derive::jis0208_bytes(&cells, &katakana, table));
        self.add_stages("shift_jis-encode.bin", |table| derive::shift_jis_bytes(&cells, table));
        Ok(())
    }

    fn euc_kr(&mut self) -> Result<()> {
        let index = read("euc-kr")?.dense(126 * 190);
        let mut cells = cells(&bmp(&index)?, 0);
        derive::euc_kr_or_big5_cells(&mut cells);
        self.add_units("euc-kr.bin", &cells);
        self.add_packed("euc-kr.packed", &Walk::EXTENDED, &[], &index)?;
        self.add_stages("euc-kr-encode.bin", |table| derive::euc_kr_bytes(&cells, table));
        Ok(())
    }

    fn gb18030(&mut self) -> Result<()> {
        let index = read("gb18030")?.dense(126 * 190);
        let mut cells = cells(&bmp(&index)?, 0);
        derive::gb18030_cells(&mut cells);
        self.add_units("gb18030.bin", &cells);
        self.add_packed("gb18030.packed", &Walk::EXTENDED, &[], &index)?;

        let mut ranges = read("gb18030-ranges")?.entries;
        ensure!(ranges.pop() == Some((189_000, 0x10000)), "the last range of gb18030 is not plane 1 and above");
        let ranges: Vec<u16> = ranges.iter().flat_map(|&(pointer, code)| [pointer as u16, code as u16]).collect();
        self.add_units("gb18030-ranges.bin", &ranges);
        self.add_stages("gb18030-encode.bin", |table| derive::gb18030_bytes(&cells, &ranges, table));
        Ok(())
    }

    fn big5(&mut self) -> Result<()> {
        let index = read("big5")?.dense(126 * 157);
        let above = index.iter().filter(|&&code| code > 0xFFFF);
        ensure!(above.clone().all(|code| code >> 16 == 2), "Big5: a code point is in neither plane 0 nor plane 2");
        ensure!(
            above.count() < 0x7FF,
            "Big5 has more entries above U+FFFF than there are surrogates to represent them"
        );
        // Surrogates refer to a list of the characters of plane 2, which are in the order in which they are unpacked.
        let mut plane2 = Vec::new();
        let mut units: Vec<u16> = index.iter().map(|&code| code as u16).collect();
        for pointer in Walk::BIG5.parts.iter().flat_map(|part| part.pointers(Walk::BIG5.width)) {
            if index[pointer] > 0xFFFF {
                units[pointer] = 0xD800 + plane2.len() as u16;
                plane2.push(index[pointer] as u16);
            }
        }
        let mut cells = cells(&units, 0);
        derive::euc_kr_or_big5_cells(&mut cells);
        self.add_units("big5.bin", &cells);
        self.add_units("big5-plane2.bin", &plane2);
        self.add_packed("big5.packed", &Walk::BIG5, &[], &index)?;
        self.add_stages("big5-encode.bin", |table| derive::big5_bytes(&cells, &plane2, table));
        Ok(())
    }

    fn shuffles(&mut self) {
        let mut bytes = Vec::new();
        for table in [shuffles::units, shuffles::pairs, shuffles::triples, shuffles::sequences, shuffles::orders] {
            bytes.extend(table().as_flattened());
        }
        bytes.extend(shuffles::bytes().as_flattened());
        self.add("shuffles.bin", bytes);
    }

    /// Adds the list of encodings as Rust source.
    fn encodings(&mut self) -> Result<()> {
        let Lists { core, coded, pages } = Lists::read()?;
        let labels = Labels::parse(&fs::read_to_string(root().join("indexes/labels.txt"))?)?;
        self.add("encodings.rs", list::rust(&core, &coded, &pages, &labels)?.into_bytes());
        self.add("oem.rs", list::oem(&coded, &pages)?.into_bytes());
        Ok(())
    }

    /// Adds the label table as Rust source: names, labels by encoding, and sorted labels.
    fn labels(&mut self) -> Result<()> {
        let text = fs::read_to_string(root().join("indexes/labels.txt"))?;
        let Labels(table) = Labels::parse(&text)?;
        let mut sorted = Vec::new();
        let mut source = format!(
            "// Generated by `cargo xtask tables` from indexes/labels.txt.\n\
             // SHA-256 of the labels: {}\n\n\
             /// The names of the encodings, in the order of the standard.\n\
             pub(super) static NAMES: [&str; {}] = [\n",
            crate::index::header(&text, "SHA-256")?,
            table.len(),
        );
        for (name, _) in &table {
            writeln!(source, "    {name:?},")?;
        }
        let len = table.len();
        write!(source, "];\n\n/// The labels of each encoding, in the order of the standard.\n")?;
        writeln!(source, "pub(super) static LABELS: [&[&str]; {len}] = [")?;
        for (index, (_, labels)) in table.iter().enumerate() {
            writeln!(source, "    &{labels:?},")?;
            sorted.extend(labels.iter().map(|label| (label, index)));
        }
        sorted.sort();
        write!(
            source,
            "];\n\n/// All labels in byte order, without separators: references to strings would be larger.\n"
        )?;
        let text: String = sorted.iter().map(|(label, _)| label.as_str()).collect();
        writeln!(source, "pub(super) static SORTED_TEXT: &str = {text:?};")?;
        write!(
            source,
            "\n/// For each label in `SORTED_TEXT`: its start, its length, and the index in `NAMES` of its encoding.\n"
        )?;
        writeln!(source, "pub(super) static SORTED: [(u16, u8, u8); {}] = [", sorted.len())?;
        let mut start = 0;
        for (label, index) in &sorted {
            writeln!(source, "    ({start}, {}, {index}), // {label}", label.len())?;
            start += label.len();
        }
        writeln!(source, "];")?;
        self.add("labels.rs", source.into_bytes());
        Ok(())
    }
}

/// Returns the code point of an entry of an unpacked index.
pub(crate) fn code_point(entry: u16, above: &[u16]) -> u32 {
    match entry {
        0xD800..=0xDFFF => 0x20000 | u32::from(above[usize::from(entry - 0xD800)]),
        _ => entry.into(),
    }
}

/// Returns an index with cells for single bytes before it, and cells for `more` pointers and one for invalid pointers after it.
fn cells(index: &[u16], more: usize) -> Vec<u16> {
    [&[0; derive::INDEX], index, &vec![0; more + 1]].concat()
}

fn bmp(code_points: &[u32]) -> Result<Vec<u16>> {
    code_points.iter().map(|&code| u16::try_from(code).context("a code point above U+FFFF")).collect()
}

fn read(name: &str) -> Result<Index> {
    let path = root().join("indexes").join(format!("{name}.txt"));
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Index::parse(name, &text).with_context(|| path.display().to_string())
}
