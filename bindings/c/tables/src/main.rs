//! Compares the tables of a library's `iconv()` with the standard's algorithms.
//!
//! `iconv-tables check LIBRARY [--quick]` decodes all sequences of one to three bytes, and of four in gb18030, and encodes all scalar
//! values. What can be read must be written, and read again as the same.
//!
//! `iconv-tables conflicts LIBRARY OTHER TABLE NAMES` writes where another library's tables differ to the file TABLE, for `docs/c.md`,
//! and the names of these to the file NAMES. Names come from standard input. `iconv-tables identical LIBRARY OTHER [--quick]` fails
//! if one of them differs.

mod check;
mod conflicts;
mod library;
mod oracle;

use std::fs;

use library::Iconv;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let quick = arguments.last() == Some(&"--quick");
    arguments.truncate(arguments.len() - usize::from(quick));
    match *arguments.as_slice() {
        ["check", library] => check::run(&Iconv::load(library), quick),
        ["conflicts", library, other, table, names] => {
            let (text, differing) = conflicts::tables(&Iconv::load(library), &Iconv::load(other), quick);
            for (file, text) in [(table, text), (names, differing)] {
                fs::write(file, text).unwrap_or_else(|error| panic!("{file}: {error}"));
            }
        }
        ["identical", library, other] => conflicts::identical(&Iconv::load(library), &Iconv::load(other), quick),
        _ => {
            eprintln!(
                "usage: iconv-tables check LIBRARY [--quick] | iconv-tables conflicts LIBRARY OTHER TABLE NAMES | \
                 iconv-tables identical LIBRARY OTHER [--quick]"
            );
            std::process::exit(2);
        }
    }
}
