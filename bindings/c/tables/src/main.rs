//! Compares the tables of a library's `iconv()` with the standard's algorithms.
//!
//! `iconv-tables check LIBRARY [--quick]` decodes all sequences of one to three bytes, and of four in gb18030, and encodes all scalar
//! values. What can be read must be written, and read again as the same.
//!
//! `iconv-tables conflicts LIBRARY OTHER` lists where another library's tables differ, as a table for `docs/c.md`. Names come
//! from standard input. `iconv-tables identical LIBRARY OTHER` fails if a table differs in characters that the other library has.

mod check;
mod conflicts;
mod library;
mod oracle;

use library::Iconv;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments.as_slice() {
        ["check", library] => check::run(&Iconv::load(library), false),
        ["check", library, "--quick"] => check::run(&Iconv::load(library), true),
        ["conflicts", library, other] => conflicts::run(&Iconv::load(library), &Iconv::load(other), false),
        ["identical", library, other] => conflicts::run(&Iconv::load(library), &Iconv::load(other), true),
        _ => {
            eprintln!("usage: iconv-tables check LIBRARY [--quick] | iconv-tables conflicts|identical LIBRARY OTHER");
            std::process::exit(2);
        }
    }
}
