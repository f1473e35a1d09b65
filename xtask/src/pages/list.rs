//! The list of a crate's encodings: `encodings.txt`.
//!
//! ```text
//! IBM273 | IBM273* | 20273 273 | German, EBCDIC | cp273 ibm-273 csibm273
//! ```
//!
//! A line has an encoding's constant, its name, its code pages, a phrase about it, and its other names. A name with `*` is
//! registered with IANA. Empty lines, and lines that start with `#`, are comments.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};

/// An encoding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The constant in Rust.
    pub(crate) constant: String,
    /// The canonical name.
    pub(crate) name: String,
    /// Whether the name is registered with IANA.
    pub(crate) is_registered: bool,
    /// The numbers of code pages. The first one is the encoding's own.
    pub(crate) code_pages: Vec<u16>,
    /// A phrase for the documentation.
    pub(crate) about: String,
    /// Other names, in lower case.
    pub(crate) aliases: Vec<String>,
}

/// Parses a list. Fails if two encodings have a constant, a name or a number in common.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entries = lines.map(|line| entry(line).with_context(|| format!("not an encoding: {line:?}")));
    let entries = entries.collect::<Result<Vec<_>>>()?;
    let (mut constants, mut names, mut numbers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for entry in &entries {
        ensure!(constants.insert(&entry.constant), "two encodings have the constant {}", entry.constant);
        for name in entry.aliases.iter().chain([&entry.name]) {
            ensure!(names.insert(normalized(name)), "two encodings have the name {name}");
        }
        for number in &entry.code_pages {
            ensure!(numbers.insert(number), "two encodings have the number {number}");
        }
    }
    Ok(entries)
}

/// Returns a name in the form in which names are compared.
pub(crate) fn normalized(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', ' '], "-")
}

fn entry(line: &str) -> Result<Entry> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[constant, name, code_pages, about, aliases] = fields.as_slice() else {
        anyhow::bail!("{} fields instead of five", fields.len());
    };
    let is_constant = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    ensure!(!constant.is_empty() && constant.bytes().all(is_constant), "not a constant: {constant:?}");
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_graphic()) && name.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let is_registered = name.ends_with('*');
    let name = name.trim_end_matches('*');
    ensure!(is_name(name) && !about.is_empty(), "no name, or no phrase");
    let aliases: Vec<String> = aliases.split_whitespace().map(str::to_owned).collect();
    for alias in &aliases {
        ensure!(is_name(alias) && *alias == alias.to_ascii_lowercase(), "not a name in lower case: {alias:?}");
    }
    Ok(Entry {
        constant: constant.to_owned(),
        name: name.to_owned(),
        is_registered,
        code_pages: code_pages.split_whitespace().map(str::parse).collect::<Result<_, _>>()?,
        about: about.to_owned(),
        aliases,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_separated_by_bars() {
        let entries = parse("# a\n\nX_Y | X-Y* | 20001 1 | One, two | x y\nZ | z | | Three |\n").unwrap();
        let [first, second] = entries.as_slice() else { panic!("{entries:?}") };
        assert!(first.is_registered && first.name == "X-Y" && first.constant == "X_Y" && first.about == "One, two");
        assert_eq!((first.code_pages.as_slice(), first.aliases.len()), (&[20001, 1][..], 2));
        assert!(!second.is_registered && second.code_pages.is_empty() && second.aliases.is_empty());
    }

    #[test]
    fn what_two_encodings_share_is_rejected() {
        for line in
            ["X | b | | c |", "B | x_y | | c |", "B | b | 1 | c |", "B | b | | c | x-y", "B | b | | c | 12", "B"]
        {
            assert!(parse(&format!("X | x-y | 1 | d |\n{line}\n")).is_err(), "{line}");
        }
    }
}
