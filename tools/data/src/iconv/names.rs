//! What names of iconv mean, as far as they are names of single-byte encodings: `crates/iconv/names.txt`.
//!
//! `cargo xtask import-names` writes the file with what glibc reads and writes by each of its names. `cargo xtask tables` makes
//! `names.rs` of it and of the lists of encodings, without glibc.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};
use project::{GLIBC, is_known_glibc, root, skip};
use textcodec::{Encoding, X_USER_DEFINED, oem};

use crate::{
    import::write_or_check_some,
    list::{Entry, Lists},
    pages,
};

const FILE: &str = "crates/iconv/names.txt";

const HEADER: &str = "\
# What names of iconv mean, as far as they are names of single-byte encodings. `cargo xtask import-names` writes this file.
#
#     ENCODING = NAME …       names of glibc 2.36 for exactly this table
#     ENCODING ! NAME …       names that the library has for the encoding, and glibc or libiconv for another table
#     ENCODING > XXXX=XXXX …  characters that glibc writes as another one of the encoding
";

/// The characters of a single-byte encoding by byte.
type Characters = [Option<u16>; 256];

/// What the file says.
#[derive(Default)]
struct Names {
    /// The names of each encoding in glibc, by the encoding's name.
    same: BTreeMap<String, BTreeSet<String>>,
    /// Names of an encoding that mean another table elsewhere.
    other: BTreeMap<String, BTreeSet<String>>,
    /// Characters that are written as another one.
    written: BTreeMap<String, Vec<(char, char)>>,
}

/// Rewrites the file. With `check`, fails if it would change.
pub(crate) fn import(check: bool) -> Result<()> {
    if !is_known_glibc()? {
        return skip("names of iconv", &format!("iconv is not that of {GLIBC}"));
    }
    let text = Names::read_glibc()?.to_text();
    write_or_check_some(root(), &[(FILE.to_owned(), text)], check)
}

impl Names {
    /// Compares what glibc reads and writes with the encodings of the library.
    fn read_glibc() -> Result<Self> {
        let program = root().join("tools/data/src/iconv/glibc.py");
        let output = Command::new("python3").arg(program).output().context("cannot run python3")?;
        ensure!(output.status.success(), "python3: {}", String::from_utf8_lossy(&output.stderr));
        let encodings = Encoding::ALL.iter().chain(Encoding::EXTRA).chain(oem::ALL).copied();
        let encodings: Vec<_> = encodings
            .filter(|&encoding| encoding.is_single_byte() && encoding != X_USER_DEFINED)
            .map(|encoding| (encoding, characters(encoding)))
            .collect();
        let (mut names, mut tables) = (Self::default(), BTreeMap::new());
        for line in String::from_utf8(output.stdout)?.lines() {
            let &[name, codes, written] = line.split('\t').collect::<Vec<_>>().as_slice() else {
                bail!("not a table: {line:?}")
            };
            let code = |code: &str| u16::from_str_radix(code, 16).ok();
            let codes = Characters::try_from(codes.split(' ').map(code).collect::<Vec<_>>());
            let codes = codes.ok().with_context(|| format!("{name}: not 256 code points"))?;
            let name = folded(name);
            ensure!(tables.insert(name.clone(), codes).is_none_or(|other| other == codes), "{name} has two meanings");
            let Some((encoding, _)) = encodings.iter().find(|(_, characters)| *characters == codes) else { continue };
            let pair = |pair: &str| {
                let (from, byte) = pair.split_once('=')?;
                let to = codes[usize::from_str_radix(byte, 16).ok()?]?;
                Some((char::from_u32(code(from)?.into())?, char::from_u32(to.into())?))
            };
            let written: Vec<_> = written.split_whitespace().filter_map(pair).collect();
            let encoding = encoding.name().to_owned();
            if !oem::ALL.iter().any(|page| page.name() == encoding) {
                // The encoders of the standard are exact.
                if written.is_empty() {
                    names.same.entry(encoding).or_default().insert(name);
                }
                continue;
            }
            names.same.entry(encoding.clone()).or_default().insert(name);
            let before = names.written.insert(encoding.clone(), written.clone());
            ensure!(before.is_none_or(|before| before == written), "{encoding}: names of glibc write other characters");
        }
        names.written.retain(|_, written| !written.is_empty());
        let libiconv = pages::names_with_other_tables("libiconv")?;
        let Lists { coded, pages, .. } = Lists::read()?;
        for entry in coded.into_iter().chain(pages) {
            let encoding = oem::ALL.iter().find(|encoding| encoding.name() == entry.name);
            let encoding = encoding.with_context(|| format!("this program was compiled without {}", entry.name))?;
            let own = characters(*encoding);
            // In encodings of several bytes, the bytes that are characters in both are compared.
            let is_same = |(own, other): (&Option<u16>, &Option<u16>)| {
                own == other || !encoding.is_single_byte() && (own.is_none() || matches!(other, None | Some(0xFFFF)))
            };
            let is_other = |name: &String| tables.get(name).is_some_and(|other| !own.iter().zip(other).all(is_same));
            let mut other: BTreeSet<String> = own_names(&entry).into_iter().filter(is_other).collect();
            let name = libiconv.get(&entry.name).map(|name| folded(name));
            other.extend(name.filter(|name| !tables.contains_key(name)));
            if !other.is_empty() {
                names.other.insert(encoding.name().to_owned(), other);
            }
        }
        Ok(names)
    }

    fn parse(text: &str) -> Result<Self> {
        let mut names = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split(' ');
            let (Some(encoding), Some(sign)) = (words.next(), words.next()) else { bail!("not a line: {line:?}") };
            let encoding = encoding.to_owned();
            let known = match sign {
                "=" => names.same.insert(encoding, words.map(str::to_owned).collect()).is_some(),
                "!" => names.other.insert(encoding, words.map(str::to_owned).collect()).is_some(),
                ">" => {
                    let character = |code: &str| char::from_u32(u32::from_str_radix(code, 16).ok()?);
                    let pair = |pair: &str| {
                        let (from, to) = pair.split_once('=')?;
                        Some((character(from)?, character(to)?))
                    };
                    let pairs = words.map(|word| pair(word).with_context(|| format!("not a pair: {word:?}")));
                    names.written.insert(encoding, pairs.collect::<Result<_>>()?).is_some()
                }
                _ => bail!("not a line: {line:?}"),
            };
            ensure!(!known, "two lines: {line:?}");
        }
        Ok(names)
    }

    fn to_text(&self) -> String {
        let mut text = HEADER.to_owned();
        let mut lines = |sign: char, words: &BTreeMap<String, Vec<String>>| {
            for (encoding, words) in words {
                // A `String` accepts everything.
                let _ = writeln!(text, "{encoding} {sign} {}", words.join(" "));
            }
        };
        let of = |sets: &BTreeMap<String, BTreeSet<String>>| {
            sets.iter().map(|(encoding, names)| (encoding.clone(), names.iter().cloned().collect())).collect()
        };
        lines('=', &of(&self.same));
        lines('!', &of(&self.other));
        let pair = |&(from, to): &(char, char)| format!("{:04X}={:04X}", u32::from(from), u32::from(to));
        let written = self.written.iter();
        lines('>', &written.map(|(name, pairs)| (name.clone(), pairs.iter().map(pair).collect())).collect());
        text
    }
}

/// The characters of a single-byte encoding.
fn characters(encoding: Encoding) -> Characters {
    std::array::from_fn(|byte| {
        let text = encoding.decode_strict(&[byte as u8]).ok()?.into_owned();
        text.encode_utf16().next()
    })
}

/// A name as iconv compares names: in lower case, without the characters that names do not have.
fn folded(name: &str) -> String {
    let counts = |c: &char| c.is_ascii_alphanumeric() || "-_.,:/".contains(*c);
    name.chars().filter(counts).collect::<String>().to_ascii_lowercase()
}

/// The names of an encoding in its list.
fn own_names(entry: &Entry) -> Vec<String> {
    [&entry.name].into_iter().chain(&entry.aliases).map(|name| folded(name)).collect()
}

/// Returns `names.rs`.
pub(super) fn source() -> Result<String> {
    let Names { same, other, written } = Names::parse(&fs::read_to_string(root().join(FILE))?).context(FILE)?;
    let lists = Lists::read()?;
    // The names that are left to the lists, and not to glibc.
    let taken: BTreeSet<&String> = same.values().chain(other.values()).flatten().collect();
    let own = |entry: &Entry| {
        let names: Vec<_> = own_names(entry).into_iter().filter(|name| !taken.contains(name)).collect();
        (!names.is_empty()).then(|| (entry.name.clone(), names))
    };
    let own: BTreeMap<_, _> = lists.pages.iter().filter_map(own).collect();
    let names = |names: &BTreeMap<String, BTreeSet<String>>| {
        names.iter().map(|(encoding, names)| (encoding.clone(), names.iter().cloned().collect())).collect()
    };
    let mut source =
        "// Generated by `cargo xtask tables` from names.txt and the lists of encodings.\n\nuse textcodec::Encoding;\n"
            .to_owned();
    let constant = |name: &str| {
        let entry = lists.all().find(|entry| entry.name == name);
        entry.map(Entry::path).with_context(|| format!("{name} is in no list"))
    };
    for (about, list, names) in [
        ("The names of glibc for tables of single-byte encodings.", "GLIBC", names(&same)),
        ("Other names of code pages.", "PAGES", own.clone()),
        ("Names of code pages that mean another table in glibc or libiconv.", "OTHER", names(&other)),
    ] {
        let names: BTreeMap<String, Vec<String>> = names;
        writeln!(source, "\n/// {about}\npub(crate) const {list}: &[(Encoding, &[&str])] = &[")?;
        for (encoding, names) in &names {
            writeln!(source, "    ({}, &{names:?}),", constant(encoding)?)?;
        }
        source += "];\n";
    }
    // What a name means: first in glibc, then as a label, then in the lists.
    let means = |name: &str, of: &str| {
        let name = folded(name);
        let glibc = same.iter().find(|(_, names)| names.contains(&name)).map(|(encoding, _)| encoding.as_str());
        let label = || Encoding::for_label(&name).map(Encoding::name);
        let page = || own.iter().find(|(_, names)| names.contains(&name)).map(|(encoding, _)| encoding.as_str());
        glibc.or_else(label).or_else(page) == Some(of)
    };
    source += "\n/// Encodings whose own names mean something else in iconv, or are shorter there.\n";
    source += "pub(crate) const RENAMED: &[(Encoding, &str)] = &[\n";
    for entry in lists.core.iter().filter(|entry| entry.name != "replacement").chain(&lists.pages) {
        let labels = Encoding::for_label(&entry.name).map(Encoding::labels).unwrap_or_default();
        let short = entry.name.strip_prefix("true-").map(str::to_ascii_uppercase);
        let names = short.into_iter().chain([entry.name.clone()]);
        let others = labels.iter().map(|label| label.to_ascii_uppercase());
        let aliases = entry.aliases.iter().map(|alias| alias.to_ascii_uppercase());
        let name = names.chain(others).chain(aliases).find(|name| means(name, &entry.name));
        // Forms of Unicode are not in these lists.
        let Some(name) = name.filter(|name| *name != entry.name) else { continue };
        writeln!(source, "    ({}, {name:?}),", constant(&entry.name)?)?;
    }
    source += "];\n";
    source += "\n/// Characters that glibc writes as the one after them.\n";
    source += "pub(crate) const WRITTEN: &[(Encoding, &str)] = &[\n";
    for (encoding, pairs) in &written {
        let pairs: String = pairs.iter().flat_map(|&(from, to)| [from, to]).collect();
        writeln!(source, "    ({}, \"{}\"),", constant(encoding)?, pairs.escape_unicode())?;
    }
    Ok(source + "];\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_what_is_written() {
        let text = fs::read_to_string(root().join(FILE)).unwrap();
        assert_eq!(Names::parse(&text).unwrap().to_text(), text);
    }

    #[test]
    fn other_lines_are_rejected() {
        for line in ["", "A", "A + b", "A > 0041", "A > 41=x", "A = b\nA = c"] {
            assert!(Names::parse(line).is_err() || line.is_empty(), "{line}");
        }
    }
}
