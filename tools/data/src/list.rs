//! The lists of encodings of `textcodec` and `textcodec-oem`, and what is generated from them: `encodings.txt`.
//!
//! ```text
//! IBM273 | IBM273* | 20273 273 | German, EBCDIC | cp273 ibm-273 csibm273
//! ```
//!
//! A line has an encoding's constant, its name, its code pages, a phrase about it, and its other names. A name with `*` is
//! registered with IANA. Text in one of the other names with `+bom` should start with a byte order mark. Empty lines, and lines that
//! start with `#`, are comments.

use std::{collections::BTreeSet, fmt::Write as _, fs};

use anyhow::{Context as _, Result, ensure};
use project::root;
use textcodec::Encoding;

use crate::index::Labels;

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
    /// Those of them whose text should start with a byte order mark.
    with_bom: BTreeSet<String>,
}

impl Entry {
    /// The path of the constant in the library.
    pub(crate) fn path(&self) -> String {
        let mut in_root = Encoding::ALL.iter().chain(Encoding::EXTRA);
        let module = if in_root.any(|encoding| encoding.name() == self.name) { "textcodec" } else { "textcodec::oem" };
        format!("{module}::{}", self.constant)
    }

    /// The name of the variant for the constant: `ISO_8859_8_I` is `Iso8859_8I`.
    pub(crate) fn variant(&self) -> String {
        let mut variant = String::new();
        for word in self.constant.split('_') {
            let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
            if is_digit(variant.chars().last()) && is_digit(word.chars().next()) {
                variant.push('_');
            }
            variant.push_str(&word[..1]);
            variant.push_str(&word[1..].to_ascii_lowercase());
        }
        variant
    }
}

/// The lists of all encodings.
pub(crate) struct Lists {
    /// Those of every build.
    pub(crate) core: Vec<Entry>,
    /// Those of feature `oem` without a table.
    pub(crate) coded: Vec<Entry>,
    /// The pages of `textcodec-oem`.
    pub(crate) pages: Vec<Entry>,
}

impl Lists {
    pub(crate) fn read() -> Result<Self> {
        let read = |folder: &str| fs::read_to_string(root().join("crates").join(folder).join("encodings.txt"));
        let core = read("textcodec")?;
        let (core, coded) = core.split_once("[oem]\n").context("no section [oem]")?;
        Ok(Self { core: parse(core)?, coded: parse(coded)?, pages: parse(&read("textcodec-oem")?)? })
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Entry> {
        self.core.iter().chain(&self.coded).chain(&self.pages)
    }
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
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    let is_registered = name.ends_with('*');
    let name = name.trim_end_matches('*');
    ensure!(is_name(name) && !about.is_empty(), "no name, or no phrase");
    let words = || aliases.split_whitespace();
    let with_bom = words().filter_map(|word| word.strip_suffix("+bom")).map(str::to_owned).collect();
    let aliases: Vec<String> = words().map(|word| word.trim_end_matches("+bom").to_owned()).collect();
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
        with_bom,
    })
}

/// The list of the library as Rust source. `coded` are the encodings of feature `oem` without a table, and `pages` those of
/// `textcodec-oem`.
pub(crate) fn rust(entries: &[Entry], coded: &[Entry], pages: &[Entry], Labels(labels): &Labels) -> Result<String> {
    ensure!(
        entries.iter().zip(labels).all(|(entry, (name, _))| entry.name == *name),
        "the list does not begin with the standard's encodings in the order of the standard"
    );
    let (standard, extra) = entries.split_at(labels.len());
    let mut source = String::from(
        "// Generated by `cargo xtask tables` from encodings.txt.\n\nuse crate::names::{Alias, Encoding};\n\n",
    );
    source += "/// The number of an encoding: first the rows of the standard's table.\n";
    source += "#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n#[repr(u8)]\n#[non_exhaustive] // Other crates must not match all: features add encodings.\npub(crate) enum Id {\n";
    for entry in entries {
        writeln!(source, "    {},", entry.variant())?;
    }
    source += "    /// By a table of one's own.\n    #[cfg(feature = \"oem\")]\n    Custom,\n";
    for page in coded.iter().chain(pages) {
        writeln!(source, "    {OEM}\n    {},", page.variant())?;
    }
    source += "}\n\n";
    for (n, entry) in entries.iter().enumerate() {
        let Entry { constant, name, about, .. } = entry;
        let anchor = name.to_ascii_lowercase();
        let mut aliases: Vec<&str> = Vec::new();
        if let Some((_, labels)) = labels.get(n) {
            writeln!(source, "/// [{name}](https://encoding.spec.whatwg.org/#{anchor}): {about}")?;
            aliases.extend(labels.iter().map(String::as_str));
        } else {
            writeln!(source, "/// {about}\n///")?;
            writeln!(
                source,
                "/// It is not an encoding of the standard and has no label: its name, {name:?}, is a label of"
            )?;
            writeln!(source, "/// [`WINDOWS_1252`].")?;
            aliases.push(name);
        }
        aliases.extend(entry.aliases.iter().map(String::as_str));
        writeln!(source, "#[doc(alias({}))]", quoted(&aliases))?;
        writeln!(source, "pub const {constant}: Encoding = Encoding(Id::{});", entry.variant())?;
    }
    source += "\n";
    list(&mut source, "The encodings of the standard, in the order of its table.", "STANDARD", standard)?;
    list(&mut source, "Those that are not in the standard and in every build.", "EXTRA", extra)?;
    source += "/// Windows code pages. The first number of an encoding is its own.\n";
    source += "pub(crate) const CODE_PAGES: &[(u16, Encoding)] = &[\n";
    for entry in entries {
        for number in &entry.code_pages {
            writeln!(source, "    ({number}, {}),", entry.constant)?;
        }
    }
    for entry in coded {
        for number in &entry.code_pages {
            writeln!(source, "    {OEM}\n    ({number}, crate::beyond::oem::{}),", entry.constant)?;
        }
    }
    source +=
        "];\n\n/// Whether the name is registered with IANA.\npub(crate) const fn is_registered(id: Id) -> bool {\n";
    let unregistered = |entries: &[Entry]| {
        let ids = entries.iter().filter(|entry| !entry.is_registered).map(|entry| format!("Id::{}", entry.variant()));
        ids.collect::<Vec<_>>().join(" | ")
    };
    writeln!(source, "    {OEM}\n    if matches!(id, {}) {{\n        return false;\n    }}", unregistered(coded))?;
    writeln!(source, "    !matches!(id, {})\n}}\n", unregistered(entries))?;
    source += "/// Names outside of the standard.\npub(crate) const ALIASES: &[Alias] = &[\n";
    for entry in entries {
        for name in &entry.aliases {
            let bom = if entry.with_bom.contains(name) { ".with_bom()" } else { "" };
            writeln!(source, "    Alias::new({name:?}, {}){bom},", entry.constant)?;
        }
    }
    for entry in coded {
        for name in &entry.aliases {
            writeln!(source, "    {OEM}\n    Alias::new({name:?}, crate::beyond::oem::{}),", entry.constant)?;
        }
    }
    source += "];\n";
    Ok(source)
}

/// The attribute of what only feature `oem` has.
const OEM: &str = "#[cfg(feature = \"oem\")]";

/// The constants of feature `oem` as Rust source.
pub(crate) fn oem(coded: &[Entry], pages: &[Entry]) -> Result<String> {
    let mut source = String::from(
        "// Generated by `cargo xtask tables` from encodings.txt and the list in textcodec-oem.\n\nuse crate::names::{Encoding, encodings::Id};\n\n",
    );
    for page in coded.iter().chain(pages) {
        let Entry { constant, name, about, aliases, .. } = page;
        let aliases: Vec<_> = aliases.iter().map(String::as_str).collect();
        writeln!(source, "/// {name}: {}.", about.trim_end_matches('.'))?;
        if !aliases.is_empty() {
            writeln!(source, "#[doc(alias({}))]", quoted(&aliases))?;
        }
        writeln!(source, "pub const {constant}: Encoding = Encoding(Id::{});", page.variant())?;
    }
    source += "\n";
    writeln!(source, "/// All encodings of this module.\npub const ALL: &[Encoding] = &[")?;
    for entry in coded.iter().chain(pages) {
        writeln!(source, "    {},", entry.constant)?;
    }
    let names: Vec<_> = coded.iter().map(|entry| entry.name.as_str()).collect();
    writeln!(source, "];\n\n/// The names of those that are not pages, which come first.")?;
    writeln!(source, "pub(crate) const NAMES: [&str; {}] = [{}];", coded.len(), quoted(&names))?;
    Ok(source)
}

/// Writes a list of constants.
fn list(source: &mut String, doc: &str, name: &str, entries: &[Entry]) -> Result<()> {
    writeln!(source, "/// {doc}\npub(crate) const {name}: &[Encoding] = &[")?;
    for entry in entries {
        writeln!(source, "    {},", entry.constant)?;
    }
    source.push_str("];\n\n");
    Ok(())
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
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
        for line in ["X | b | | c |", "B | x_y | | c |", "B | b | 1 | c |", "B | b | | c | x-y", "B"] {
            assert!(parse(&format!("X | x-y | 1 | d |\n{line}\n")).is_err(), "{line}");
        }
    }
}
