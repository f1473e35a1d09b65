//! The sizes of the shared libraries, in docs/c.md.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use project::root;

use super::{
    Arguments,
    build::{self, DETECT, ENCODING_C, ICONV, Library, Profile, TEXTCODEC},
};

/// The document, and the command that writes the table in it.
const DOCUMENT: &str = "docs/c.md";
const COMMAND: &str = "c sizes --record";

/// The libraries, in the order of the table, with their headers and what they are.
const ROWS: [(&Library, &str, &str); 4] = [
    (&TEXTCODEC, "`textcodec.h`, `textcodec.hpp`", "the Encoding Standard for C11 and C++17 to C++23"),
    (&DETECT, "`textcodec_detect.h`, `textcodec_detect.hpp`", "finds the encoding of text"),
    (&ICONV, "`textcodec/iconv.h`", "iconv(3), to link or to preload"),
    (&ENCODING_C, "`encoding_rs.h` and five others", "the functions of encoding_c 0.9.8 and encoding_c_mem 0.2.6"),
];

/// How much a recorded size may differ, in percent, because compilers differ.
const TOLERANCE: u64 = 5;

/// Prints the table; `is_recorded` writes it to the document.
pub(super) fn run(is_recorded: bool) -> Result<()> {
    let mut rows =
        vec!["| library | header | what it is | bytes of the `.so` |".to_owned(), "|---|---|---|--:|".to_owned()];
    let libraries = ROWS.map(|(library, ..)| library);
    let folder = build::build(Profile::Release, &libraries)?;
    for (library, headers, what) in ROWS {
        let size = fs::metadata(folder.join(library.soname()))?.len();
        rows.push(format!("| `lib{}` | {headers} | {what} | {} |", library.name, grouped(size)));
    }
    let table = rows.join("\n") + "\n";
    println!("{table}");
    if is_recorded { project::replace(DOCUMENT, COMMAND, &table) } else { Ok(()) }
}

/// Fails if the document has other sizes.
pub(super) fn check(_: &Arguments) -> Result<()> {
    let document = fs::read_to_string(root().join(DOCUMENT))?;
    let folder = build::build(Profile::Release, &ROWS.map(|(library, ..)| library))?;
    for (library, ..) in ROWS {
        let start = format!("| `lib{}` |", library.name);
        let row = document.lines().find(|line| line.starts_with(&start)).context(start.clone())?;
        let recorded = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        let recorded: u64 = recorded.replace([' ', ','], "").parse().with_context(|| row.to_owned())?;
        let size = fs::metadata(folder.join(library.soname()))?.len();
        ensure!(
            size.abs_diff(recorded) * 100 <= recorded * TOLERANCE,
            "{DOCUMENT} says that lib{} has {recorded} bytes, but it has {size}: run `cargo xtask {COMMAND}`",
            library.name
        );
    }
    println!("{DOCUMENT}: the sizes are right to within {TOLERANCE} %");
    Ok(())
}

/// Writes a number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
