//! Where another library's tables differ.

use std::{
    collections::BTreeMap,
    io::{self, BufRead as _},
};

use crate::library::{Descriptor, Iconv, Result};

/// What a sequence of bytes means to the other library and to this one; `None` if it is malformed.
type Differences = BTreeMap<Vec<u8>, (Option<String>, Option<String>)>;

/// Reads names from standard input, as `iconv -l` prints them, and prints how the tables differ. Names with the same differences
/// share a row. With `identical`, panics if a name has characters there that it does not have here.
pub(crate) fn run(library: &Iconv, other: &Iconv, identical: bool) {
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        for name in line.split_whitespace().map(|name| name.trim_end_matches('/')) {
            if let (Some(mut ours), Some(mut theirs)) = (library.open("UTF-8", name), other.open("UTF-8", name)) {
                let differences = compare(&mut ours, &mut theirs);
                let conflicts = differences.values().filter(|(theirs, _)| theirs.is_some()).count();
                assert!(!identical || conflicts == 0, "{name} differs in {conflicts} characters");
                if !differences.is_empty() {
                    rows.entry(row(&differences)).or_default().push(name.to_owned());
                }
            }
        }
    }
    println!("| names | only there | only here | changed | examples |\n|---|---|---|---|---|");
    for (row, names) in rows {
        println!("| {} | {row}", names.join(" "));
    }
}

/// Compares all sequences of one or two bytes.
fn compare(ours: &mut Descriptor<'_>, theirs: &mut Descriptor<'_>) -> Differences {
    let singles = (0..=255).map(|byte| vec![byte]);
    let pairs = (0x80..=255).flat_map(|first| (0..=255).map(move |second| vec![first, second]));
    let mut differences = Differences::new();
    let mut is_character = [false; 256];
    for bytes in singles.chain(pairs) {
        // Two sequences of one byte were compared before.
        if bytes.len() == 2 && is_character[usize::from(bytes[0])] {
            continue;
        }
        let text = |result: &Result<'_>| {
            let is_whole = result.error == 0 && result.read == bytes.len();
            is_whole.then(|| String::from_utf8_lossy(result.bytes).into_owned())
        };
        let (ours, theirs) = (text(&ours.convert(&bytes)), text(&theirs.convert(&bytes)));
        if bytes.len() == 1 {
            is_character[usize::from(bytes[0])] = ours.is_some() || theirs.is_some();
        }
        if ours != theirs {
            differences.insert(bytes, (theirs, ours));
        }
    }
    differences
}

/// Returns the counts, and examples of what the other library has.
fn row(differences: &Differences) -> String {
    let count =
        |is: fn(&(Option<String>, Option<String>)) -> bool| differences.values().filter(|pair| is(pair)).count();
    let (theirs, ours) = (count(|pair| pair.1.is_none()), count(|pair| pair.0.is_none()));
    let changed = differences.len() - theirs - ours;
    let mut examples: Vec<_> = differences.iter().collect();
    // Changed characters are the most dangerous ones.
    examples.sort_by_key(|(_, pair)| (pair.0.is_none(), pair.1.is_none()));
    let examples: Vec<String> = examples
        .iter()
        .take(4)
        .map(|(bytes, (theirs, ours))| {
            let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("{} {} → {}", bytes.join(" "), code_points(theirs.as_deref()), code_points(ours.as_deref()))
        })
        .collect();
    format!("{theirs} | {ours} | {changed} | {} |", examples.join("; "))
}

fn code_points(text: Option<&str>) -> String {
    let Some(text) = text else { return "malformed".to_owned() };
    let points: Vec<String> = text.chars().map(|character| format!("U+{:04X}", u32::from(character))).collect();
    points.join(" ")
}
