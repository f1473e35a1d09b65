//! Where another library's tables differ: in what is read, and in what is written.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, BufRead as _},
};

use crate::{
    library::{Descriptor, Iconv, Result},
    oracle::EINVAL,
};

/// Compares all names of standard input, as `iconv -l` prints them, and panics if one of them differs.
pub(crate) fn identical(library: &Iconv, other: &Iconv, quick: bool) {
    let mut count = 0;
    for_each_name(library, other, true, quick, |name, [reading, writing]| {
        if let Some((key, (theirs, ours))) = reading.0.iter().chain(&writing.0).next() {
            panic!("{name}: {key} is {theirs} there, and {ours} here");
        }
        count += 1;
    });
    println!("{count} names are identical");
}

/// Returns two tables for `docs/c.md`, of reading and of writing, and the names that differ. Names with the same differences share
/// a row.
pub(crate) fn tables(library: &Iconv, other: &Iconv, quick: bool) -> (String, String) {
    let mut tables = [Table::default(), Table::default()];
    let mut names = Vec::new();
    for_each_name(library, other, false, quick, |name, both| {
        if both.iter().any(|differences| !differences.0.is_empty()) {
            names.push(name.to_ascii_lowercase());
        }
        for (table, differences) in tables.iter_mut().zip(both) {
            table.add(name, &differences);
        }
    });
    names.sort();
    let [reading, writing] = tables;
    let mut text = String::new();
    let _ = writeln!(text, "| reading: names | glibc only | changed | added | bytes, glibc → here |");
    reading.write(&mut text, "sequences");
    let _ = writeln!(text, "| writing: names | glibc only | changed | added | characters, glibc → here |");
    writing.write(&mut text, "characters");
    (text.trim_end().to_owned() + "\n", names.join("\n") + "\n")
}

/// What something is to the other library and to this one, by its name, in order.
#[derive(Default)]
struct Differences(BTreeMap<String, (String, String)>);

/// What is malformed or unmappable.
const NOTHING: &str = "error";

impl Differences {
    fn add(&mut self, key: String, theirs: Option<String>, ours: Option<String>) {
        let text = |text: Option<String>| text.unwrap_or_else(|| NOTHING.to_owned());
        self.0.insert(key, (text(theirs), text(ours)));
    }

    /// Returns the number of those that are only there, changed, and only here.
    fn counts(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for (theirs, ours) in self.0.values() {
            counts[if ours == NOTHING { 0 } else { 1 + usize::from(theirs == NOTHING) }] += 1;
        }
        counts
    }
}

/// The rows of a table, with the names of each.
#[derive(Default)]
struct Table(BTreeMap<([usize; 3], String), Vec<String>>);

impl Table {
    fn add(&mut self, name: &str, differences: &Differences) {
        if differences.0.is_empty() {
            return;
        }
        let mut examples: Vec<_> = differences.0.iter().collect();
        // Changed characters are the most dangerous ones.
        examples.sort_by_key(|(_, (theirs, ours))| (theirs == NOTHING, ours == NOTHING));
        // All that are changed, unless they are many.
        let [_, changed, _] = differences.counts();
        let count = if changed <= 20 { changed.max(4) } else { 4 };
        let examples: Vec<String> =
            examples.iter().take(count).map(|(key, (theirs, ours))| format!("{key} {theirs} → {ours}")).collect();
        self.0.entry((differences.counts(), examples.join("; "))).or_default().push(name.to_owned());
    }

    /// Writes the rows after their title. Where nothing is lost or changed, the counts of all names are in a sentence.
    fn write(&self, text: &mut String, what: &str) {
        text.push_str("|---|--:|--:|--:|---|\n");
        let mut more = Vec::new();
        for (([theirs, changed, ours], examples), names) in &self.0 {
            if theirs + changed == 0 {
                let shortest = names.iter().min_by_key(|name| (name.len(), *name)).map_or("", String::as_str);
                more.push(format!("{shortest} {ours}"));
            } else {
                let _ = writeln!(text, "| {} | {theirs} | {changed} | {ours} | {examples} |", names.join(" "));
            }
        }
        more.sort();
        let _ = writeln!(text, "\nOther tables only have more {what} here: {}.\n", more.join(", "));
    }
}

/// Calls a function for each name that both libraries have, with the differences in reading and in writing.
fn for_each_name(
    library: &Iconv,
    other: &Iconv,
    tags: bool,
    quick: bool,
    mut then: impl FnMut(&str, [Differences; 2]),
) {
    for line in io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        for name in line.split_whitespace().map(|name| name.trim_end_matches('/')) {
            let both = |to, from| Some((library.open(to, from)?, other.open(to, from)?));
            if let (Some((mut ours, mut theirs)), Some((mut our_writer, mut their_writer))) =
                (both("UTF-8", name), both(name, "UTF-8"))
            {
                let reading = compare_reading(&mut ours, &mut theirs);
                let writing = compare_writing(&mut our_writer, &mut their_writer, tags, quick);
                then(name, [reading, writing]);
            }
        }
    }
}

/// Compares all sequences of one or two bytes, and those of EUC-JP of three. If two bytes are two characters, they are compared,
/// too, because some libraries compose a letter and a combining mark.
fn compare_reading(ours: &mut Descriptor<'_>, theirs: &mut Descriptor<'_>) -> Differences {
    let singles = (0..=255).map(|byte| vec![byte]);
    let pairs = (0..=u16::MAX).map(|pair| pair.to_be_bytes().to_vec());
    let starts = [0x8F, 0xB0];
    let has_triples = ours.convert(&starts).error == EINVAL || theirs.convert(&starts).error == EINVAL;
    let triples = (0..if has_triples { u16::MAX } else { 0 }).map(|pair| [&[0x8F], &pair.to_be_bytes()[..]].concat());
    let mut differences = Differences::default();
    for bytes in singles.chain(pairs).chain(triples) {
        let text = |result: Result<'_>| {
            let is_whole = result.error == 0 && result.read == bytes.len();
            is_whole.then(|| result.bytes.to_vec())
        };
        let (ours, theirs) = (text(ours.convert(&bytes)), text(theirs.convert(&bytes)));
        // What starts or ends with another difference is not counted again.
        let is_known = || {
            let parts = (1..bytes.len()).flat_map(|len| [&bytes[..len], &bytes[len..]]);
            parts.map(hexadecimal).any(|part| differences.0.contains_key(&part))
        };
        if ours != theirs && !is_known() {
            let text = |text: Option<Vec<u8>>| text.map(|text| code_points(&String::from_utf8_lossy(&text)));
            differences.add(hexadecimal(&bytes), text(theirs), text(ours));
        }
    }
    differences
}

/// Compares all characters of planes 0 to 2, or of plane 0, and a part of the others, which only forms of Unicode and gb18030 have.
/// `tags` includes tag characters, which glibc drops in every encoding that lacks them.
fn compare_writing(ours: &mut Descriptor<'_>, theirs: &mut Descriptor<'_>, tags: bool, quick: bool) -> Differences {
    let mut differences = Differences::default();
    for character in '\0'..=char::MAX {
        let is_tag = matches!(character, '\u{E0000}'..='\u{E007F}');
        let is_first = character <= if quick { '\u{FFFF}' } else { '\u{2FFFF}' };
        if if is_tag { !tags } else { !is_first && !u32::from(character).is_multiple_of(61) } {
            continue;
        }
        let mut utf8 = [0; 4];
        let utf8 = character.encode_utf8(&mut utf8).as_bytes();
        let (ours, theirs) = (ours.convert(utf8), theirs.convert(utf8));
        if ours != theirs {
            let bytes = |result: Result<'_>| (result.error == 0).then(|| hexadecimal(result.bytes));
            differences.add(code_points(&character.to_string()), bytes(theirs), bytes(ours));
        }
    }
    differences
}

fn hexadecimal(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}

fn code_points(text: &str) -> String {
    let points: Vec<String> = text.chars().map(|character| format!("U+{:04X}", u32::from(character))).collect();
    points.join(" ")
}
