//! The project's text form of the standard's indexes, in `indexes/`.
//!
//! ```text
//! # Index big5 of the Encoding Standard
//! # Identifier: 8dfc…
//! # Date: 2024-09-18
//! # SHA-256: …
//! 942: 43F0 4C32
//! 944: 4603 45A6 …
//! ```
//!
//! A line contains the first pointer (decimal), a colon, and the code points (hexadecimal) of consecutive pointers. A line
//! never crosses a multiple of 16 and never spans a gap, so a changed entry changes one line.
//!
//! The SHA-256 covers the lines `pointer TAB code point LF` of all entries in order. The pointer is in decimal, the code
//! point is `0x` and at least four upper-case hexadecimal digits.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail, ensure};
use sha2::{Digest as _, Sha256};

/// The maximum number of pointers in a line.
const LINE: u32 = 16;

/// An index of section 5: its header and its entries by ascending pointer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) name: String,
    pub(crate) identifier: String,
    pub(crate) date: String,
    pub(crate) entries: Vec<(u32, u32)>,
}

impl Index {
    /// Parses the standard's form: `pointer TAB 0xCODE TAB character (name)`.
    pub(crate) fn parse_standard(name: &str, text: &str) -> Result<Self> {
        let mut entries = Vec::new();
        for line in text.split('\n') {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut columns = line.split('\t');
            let entry = || -> Option<(u32, u32)> {
                let pointer = columns.next()?.trim().parse().ok()?;
                let code_point = columns.next()?.trim().strip_prefix("0x")?;
                Some((pointer, u32::from_str_radix(code_point, 16).ok()?))
            }();
            entries.push(entry.with_context(|| format!("not an entry: {line:?}"))?);
        }
        Self::checked(name, text, entries)
    }

    /// Parses the project's form and checks its SHA-256.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self> {
        let mut entries = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (first, code_points) =
                line.split_once(": ").with_context(|| format!("not a line of entries: {line:?}"))?;
            for (pointer, code_point) in (first.parse()?..).zip(code_points.split(' ')) {
                entries.push((pointer, u32::from_str_radix(code_point, 16)?));
            }
        }
        let index = Self::checked(name, text, entries)?;
        ensure!(header(text, "SHA-256")? == index.sha256(), "the entries do not match the SHA-256");
        Ok(index)
    }

    fn checked(name: &str, text: &str, entries: Vec<(u32, u32)>) -> Result<Self> {
        ensure!(!entries.is_empty(), "no entries");
        ensure!(entries.is_sorted_by(|a, b| a.0 < b.0), "pointers do not ascend");
        if let Some((pointer, _)) = entries.iter().find(|(_, code)| char::from_u32(*code).is_none_or(|c| c == '\0')) {
            bail!("pointer {pointer} has no scalar value above U+0000");
        }
        Ok(Self {
            name: name.to_owned(),
            identifier: header(text, "Identifier")?.to_owned(),
            date: header(text, "Date")?.to_owned(),
            entries,
        })
    }

    /// Writes the project's form.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# Index {} of the Encoding Standard\n# Identifier: {}\n# Date: {}\n# SHA-256: {}",
            self.name,
            self.identifier,
            self.date,
            self.sha256(),
        );
        let mut next = None;
        for &(pointer, code_point) in &self.entries {
            if next == Some(pointer) && pointer % LINE != 0 {
                let _ = write!(text, " {code_point:04X}");
            } else {
                let _ = write!(text, "\n{pointer}: {code_point:04X}");
            }
            next = Some(pointer + 1);
        }
        text.push('\n');
        text
    }

    /// Returns the SHA-256 for the header.
    pub(crate) fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (pointer, code_point) in &self.entries {
            hash.update(format!("{pointer}\t0x{code_point:04X}\n"));
        }
        format!("{:x}", hash.finalize())
    }

    /// Returns the code points by pointer, for at least `len` pointers. Unmapped pointers have 0.
    pub(crate) fn dense(&self, len: usize) -> Vec<u32> {
        let mut code_points = vec![0; len];
        for &(pointer, code_point) in &self.entries {
            let pointer = pointer as usize;
            if pointer >= code_points.len() {
                code_points.resize(pointer + 1, 0);
            }
            code_points[pointer] = code_point;
        }
        code_points
    }
}

/// The label table: names and labels in the order of the standard.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Labels(pub(crate) Vec<(String, Vec<String>)>);

impl Labels {
    /// Parses the standard's `encodings.json`.
    pub(crate) fn parse_standard(text: &str) -> Result<Self> {
        let json: serde_json::Value = serde_json::from_str(text)?;
        let string = |value: &serde_json::Value| value.as_str().map(str::to_owned).context("not a string");
        let array = |value: &serde_json::Value| value.as_array().cloned().context("not an array");
        let mut table = Vec::new();
        for group in array(&json)? {
            for encoding in array(&group["encodings"])? {
                let labels = array(&encoding["labels"])?.iter().map(string).collect::<Result<_>>()?;
                table.push((string(&encoding["name"])?, labels));
            }
        }
        Ok(Self(table))
    }

    /// Parses the project's form: `name: label label …`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let mut table = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, labels) = line.split_once(": ").with_context(|| format!("no name: {line:?}"))?;
            table.push((name.to_owned(), labels.split(' ').map(str::to_owned).collect()));
        }
        let labels = Self(table);
        ensure!(header(text, "SHA-256")? == labels.sha256(), "the labels do not match the SHA-256");
        Ok(labels)
    }

    /// Writes the project's form.
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!(
            "# Names and labels of the Encoding Standard, section 4.2: each line has an encoding's name and its labels\n\
             # SHA-256: {}\n",
            self.sha256()
        );
        for (name, labels) in &self.0 {
            let _ = writeln!(text, "{name}: {}", labels.join(" "));
        }
        text
    }

    /// Returns the SHA-256 of the lines `label TAB name LF`, in the order of the standard.
    fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (name, labels) in &self.0 {
            for label in labels {
                hash.update(format!("{label}\t{name}\n"));
            }
        }
        format!("{:x}", hash.finalize())
    }
}

/// Returns the value of the header line `# KEY: value`.
pub(crate) fn header<'t>(text: &'t str, key: &str) -> Result<&'t str> {
    text.lines()
        .find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "))
        .with_context(|| format!("no header line {key:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STANDARD: &str = "# Identifier: abc\n# Date: 2024-09-18\n\n  14\t0x00A5\tx\n  15\t0x00A6\ty\n  16\t0x203E\tz\n 940\t0x27267\tw\n";

    #[test]
    fn text_form_round_trips() {
        let index = Index::parse_standard("test", STANDARD).unwrap();
        let text = index.to_text();
        assert!(text.ends_with("\n14: 00A5 00A6\n16: 203E\n940: 27267\n"), "{text}");
        assert_eq!(Index::parse("test", &text).unwrap(), index);
    }

    #[test]
    fn a_changed_entry_does_not_match_the_hash() {
        let text = Index::parse_standard("test", STANDARD).unwrap().to_text();
        assert!(Index::parse("test", &text.replace("203E", "203F")).is_err());
    }

    #[test]
    fn pointers_out_of_order_are_rejected() {
        assert!(Index::parse_standard("test", &STANDARD.replace("  14", "  17")).is_err());
    }
}
