//! `textcodec list`: the encodings, their names, and the characters that each can represent.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    ops::RangeInclusive,
};

use clap::Args;
use serde::Serialize;
use textcodec::{Bom, DecodeOptions, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, oem};

use crate::{
    Outcome, Stop,
    charset::Charset,
    labels, narrow,
    pages::{self, Page},
    print,
    screen::Screen,
};

/// List the encodings, their labels, and the characters that each can represent
///
/// Without LABEL, prints a table of all encodings. With LABEL, prints the details of these encodings: labels, aliases, the
/// number of bytes in a character, and the number of characters by script.
#[derive(Debug, Args)]
#[command(after_help = "Examples: textcodec list --help", after_long_help = AFTER)]
#[command(override_usage = "textcodec list [OPTIONS] [LABEL]...")]
pub(crate) struct Arguments {
    /// List the labels of the Encoding Standard, one encoding per line
    #[arg(long)]
    labels: bool,

    /// List the names outside the standard that all commands accept, one encoding per line
    #[arg(long)]
    aliases: bool,

    /// Print the details as a JSON array of objects
    #[arg(long, conflicts_with_all = ["labels", "aliases"])]
    json: bool,

    /// Only these encodings; aliases are accepted
    #[arg(value_name = "LABEL")]
    encodings: Vec<String>,
}

const AFTER: &str = "\
Two encodings have no labels, because on the web the labels iso-8859-1 and ascii mean \
windows-1252: isomorphic, which is true ISO-8859-1, and strict-ascii. Their names are accepted wherever a label is. If a \
label names less than it means, as latin1, ascii, gb2312 and ks_c_5601-1987 do, convert and check report text that is \
outside the encoding it names.

The encodings in the second part of the table are outside the standard: code pages of MS-DOS, EBCDIC and classic Mac OS, UTF-7, \
UTF-32 and others. Their names are accepted wherever a label is, and so are their aliases, such as cp850. A name that is also a \
label means what the label means.

Examples:
  List all encodings:
      textcodec list
  Show the labels and the characters of Shift_JIS:
      textcodec list shift_jis
  List all names, as iconv -l does:
      textcodec list --labels --aliases
  Find the encoding called cp1251:
      textcodec list cp1251
  Find the encoding with the number 437:
      textcodec list 437
  Export all details for other programs:
      textcodec list --json > encodings.json";

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let named = |label: &String| {
        let of_number = || label.parse().ok().and_then(Encoding::for_code_page).ok_or(());
        let found = labels::find(label, true).map(|named| named.encoding);
        found.or_else(|problem| of_number().map_err(|()| Stop::Usage(problem)))
    };
    let encodings: Vec<_> = match arguments.encodings.as_slice() {
        [] => Encoding::ALL.iter().chain(Encoding::EXTRA).chain(oem::ALL).copied().collect(),
        labels => labels.iter().map(named).collect::<Result<_, _>>()?,
    };
    print(|out| {
        if arguments.json {
            let all: Vec<_> = encodings.iter().map(|&encoding| EncodingDetails::new(encoding)).collect();
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)
        } else if arguments.labels || arguments.aliases {
            encodings.iter().try_for_each(|&encoding| print_names(encoding, arguments, out))
        } else if arguments.encodings.is_empty() {
            print_table(&encodings, out)
        } else {
            encodings.iter().enumerate().try_for_each(|(n, &encoding)| {
                if n > 0 {
                    writeln!(out)?;
                }
                print_details(&EncodingDetails::new(encoding), out)
            })
        }
    })?;
    Ok(Outcome::Clean)
}

/// Prints a line such as `EUC-JP: cseucpkdfmtjapanese euc-jp x-euc-jp`.
fn print_names(encoding: Encoding, arguments: &Arguments, out: &mut dyn Write) -> io::Result<()> {
    let labels = encoding.labels().iter().copied().filter(|_| arguments.labels);
    let aliases = aliases(encoding).filter(|_| arguments.aliases);
    let names: Vec<_> = labels.chain(aliases).collect();
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", Screen::stdout().wrap(&format!("{}: {}", labels::name(encoding), names.join(" ")), 0, 4))
}

fn print_table(encodings: &[Encoding], out: &mut dyn Write) -> io::Result<()> {
    let (outside, others): (Vec<_>, Vec<_>) = encodings.iter().partition(|encoding| oem::ALL.contains(encoding));
    print_rows(&others, out)?;
    writeln!(out, "\nOutside the standard:\n")?;
    print_rows(&outside, out)
}

fn print_rows(encodings: &[Encoding], out: &mut dyn Write) -> io::Result<()> {
    let mut rows = vec![["NAME", "CHARACTERS", "BYTES", "FOR"].map(str::to_owned)];
    rows.extend(encodings.iter().map(|&encoding| {
        let (bytes, characters, about) = description(encoding);
        [
            labels::name(encoding).to_owned(),
            format!("{:>10}", thousands(characters)),
            bytes.to_owned(),
            about.to_owned(),
        ]
    }));
    writeln!(out, "{}", Screen::stdout().table(&rows, 0, [2, 2, 1, 0]))
}

fn print_details(details: &EncodingDetails, out: &mut dyn Write) -> io::Result<()> {
    let or_none = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(" ") };
    let mut rows = vec![
        ["for", details.about].map(str::to_owned),
        ["labels".to_owned(), or_none(&details.labels)],
        ["aliases".to_owned(), or_none(&details.aliases)],
    ];
    for (n, (name, labels)) in details.narrower.iter().enumerate() {
        let heading = if n == 0 { "narrower" } else { "" };
        rows.push([heading.to_owned(), format!("{name}, named by {}", labels.join(" "))]);
    }
    if details.encoder {
        let ascii = if details.ascii_compatible { "ASCII-compatible" } else { "not ASCII-compatible" };
        let state = if details.stateful { "; stateful, with escape sequences" } else { "" };
        rows.push(["bytes".to_owned(), format!("{} per character; {ascii}{state}", details.bytes)]);
        rows.push(["characters".to_owned(), thousands(details.characters)]);
    } else {
        rows.push(["characters", "none can be encoded or decoded"].map(str::to_owned));
    }
    let screen = Screen::stdout();
    writeln!(out, "{}", details.name)?;
    writeln!(out, "{}", screen.table(&rows, 2, [2, 0]))?;
    // A table of its own, so that the counts stay aligned where names are wrapped.
    let scripts = SCRIPTS.iter().map(|(script, _)| *script).chain([OTHERS]);
    let counts: Vec<_> = scripts
        .filter_map(|script| {
            let count = *details.scripts.get(script)?;
            let name = if count == 1 { script.replacen("characters", "character", 1) } else { script.to_owned() };
            Some([format!("{:>6}", thousands(count)), name])
        })
        .collect();
    if counts.is_empty() {
        return Ok(());
    }
    // Below the second column, unless the terminal is narrow.
    let indent = if screen.width().is_some_and(|width| width < 40) { 4 } else { 14 };
    writeln!(out, "{}", screen.table(&counts, indent, [1, 0]))
}

/// Formats a number as `1,112,064`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn aliases(encoding: Encoding) -> impl Iterator<Item = &'static str> {
    pages::find(encoding).into_iter().flat_map(Page::aliases)
}

/// The details of an encoding.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are members of a JSON object")]
struct EncodingDetails {
    name: &'static str,
    about: &'static str,
    labels: Vec<&'static str>,
    aliases: Vec<&'static str>,
    /// Encodings with fewer characters, and the labels and aliases above that name them.
    narrower: BTreeMap<&'static str, Vec<&'static str>>,
    /// The number of bytes in a character.
    bytes: &'static str,
    single_byte: bool,
    ascii_compatible: bool,
    stateful: bool,
    encoder: bool,
    /// The number of characters that the encoder can represent.
    characters: u64,
    /// The number of these characters by script. Empty if the encoding covers Unicode.
    scripts: BTreeMap<&'static str, u64>,
}

impl EncodingDetails {
    fn new(encoding: Encoding) -> Self {
        let (bytes, _, about) = description(encoding);
        let characters = repertoire(encoding);
        let mut scripts = BTreeMap::new();
        if !covers_unicode(encoding) {
            for character in characters.clone().flatten() {
                *scripts.entry(script(character)).or_default() += 1;
            }
        }
        Self {
            name: labels::name(encoding),
            about,
            labels: encoding.labels().to_vec(),
            aliases: aliases(encoding).collect(),
            narrower: narrow::named_by_labels_of(encoding).collect(),
            bytes,
            single_byte: encoding.is_single_byte(),
            ascii_compatible: encoding.is_ascii_compatible(),
            stateful: Charset::from(encoding).is_stateful(),
            encoder: encoding.has_encoder(),
            characters: characters.map(|range| range.count() as u64).sum(),
            scripts,
        }
    }
}

fn covers_unicode(encoding: Encoding) -> bool {
    matches!(encoding, UTF_8 | UTF_16BE | UTF_16LE | GB18030)
        || oem::ALL.contains(&encoding) && (encoding.name().starts_with("UTF-") || encoding.name() == "CESU-8")
}

/// Returns [`Encoding::repertoire`], with shortcuts that avoid trying each code point.
fn repertoire(encoding: Encoding) -> std::vec::IntoIter<RangeInclusive<char>> {
    let ranges: Vec<_> = match encoding {
        UTF_8 | UTF_16BE | UTF_16LE => vec!['\0'..=char::MAX],
        // The only scalar value without a mapping is U+E5E5.
        GB18030 => vec!['\0'..='\u{E5E4}', '\u{E5E6}'..=char::MAX],
        _ if covers_unicode(encoding) => vec!['\0'..=char::MAX],
        _ if encoding.is_single_byte() => (0..=0xFF)
            .filter_map(|byte| {
                let bytes = [byte];
                let decoded = encoding.decode_with(&bytes, DecodeOptions::new().bom(Bom::Keep)).ok()?;
                let character = decoded.text.chars().next().filter(|_| decoded.errors.is_empty())?;
                Some(character)
            })
            // Some have several bytes for a character.
            .collect::<BTreeSet<_>>()
            .into_iter()
            .map(|character| character..=character)
            .collect(),
        _ => encoding.repertoire().collect(),
    };
    ranges.into_iter()
}

fn script(character: char) -> &'static str {
    let name = SCRIPTS.iter().find(|(_, ranges)| ranges.iter().any(|range| range.contains(&character)));
    name.map_or(OTHERS, |(name, _)| name)
}

const OTHERS: &str = "symbols, punctuation and others";

/// Scripts, roughly by Unicode block. They show which languages an encoding is for.
const SCRIPTS: &[(&str, &[RangeInclusive<char>])] = &[
    ("ASCII", &['\0'..='\x7F']),
    ("Latin beyond ASCII", &['À'..='Ö', 'Ø'..='ö', 'ø'..='\u{24F}', '\u{1E00}'..='\u{1EFF}', 'Ａ'..='Ｚ', 'ａ'..='ｚ']),
    ("Greek", &['\u{370}'..='\u{3FF}']),
    ("Cyrillic", &['\u{400}'..='\u{52F}']),
    ("Hebrew", &['\u{590}'..='\u{5FF}']),
    ("Arabic", &['\u{600}'..='\u{6FF}']),
    ("Thai", &['\u{E01}'..='\u{E3A}', '\u{E40}'..='\u{E5B}']),
    ("kana", &['\u{3040}'..='\u{30FF}', '\u{FF66}'..='\u{FF9F}']),
    ("Bopomofo", &['\u{3100}'..='\u{312F}']),
    ("Hangul", &['\u{AC00}'..='\u{D7A3}', '\u{3130}'..='\u{318F}']),
    ("Han", &['\u{3400}'..='\u{4DBF}', '\u{4E00}'..='\u{9FFF}', '\u{F900}'..='\u{FAFF}', '\u{20000}'..='\u{3FFFF}']),
    ("box drawing and blocks", &['\u{2500}'..='\u{259F}']),
    ("control characters (C1)", &['\u{80}'..='\u{9F}']),
    ("private use", &['\u{E000}'..='\u{F8FF}']),
];

/// Returns the number of bytes in a character, the number of characters, and the purpose of the encoding.
fn description(encoding: Encoding) -> (&'static str, u64, &'static str) {
    let about = pages::find(encoding).map_or("", |page| page.about);
    let (bytes, characters) = if encoding.is_single_byte() { ("1", single_bytes(encoding)) } else { forms(encoding) };
    (bytes, characters, about)
}

/// Returns the number of characters of a single-byte encoding.
fn single_bytes(encoding: Encoding) -> u64 {
    let bytes: Vec<u8> = (0..=0xFF).collect();
    let text = Charset::from(encoding).decode(&bytes);
    text.chars().filter(|&c| c != char::REPLACEMENT_CHARACTER).collect::<BTreeSet<_>>().len() as u64
}

/// Returns the number of bytes in a character, and of characters, of an encoding with longer characters.
///
/// To count the characters of all encodings would take a hundred milliseconds.
fn forms(encoding: Encoding) -> (&'static str, u64) {
    match encoding.name() {
        "UTF-8" => ("1 to 4", 1_112_064),
        "GBK" => ("1 or 2", 24_085),
        "gb18030" => ("1, 2 or 4", 1_112_063),
        "Big5" => ("1 or 2", 14_781),
        "EUC-JP" => ("1 to 3", 7_520),
        "ISO-2022-JP" => ("1 or 2", 7_517),
        "Shift_JIS" => ("1 or 2", 7_521),
        "EUC-KR" => ("1 or 2", 17_176),
        "replacement" => ("none", 0),
        "UTF-16BE" | "UTF-16LE" => ("2 or 4", 1_112_064),
        "UTF-7" | "UTF-7-IMAP" => ("1 or more", 1_112_064),
        "UTF-32" | "UTF-32BE" | "UTF-32LE" => ("4", 1_112_064),
        "CESU-8" => ("1 to 6", 1_112_064),
        "true-ucs-2be" | "true-ucs-2le" => ("2", 63_488),
        "true-hz" => ("1 or 2", 8_316),
        "true-iso-2022-kr" => ("1 or 2", 8_351),
        "JOHAB" => ("1 or 2", 17_176),
        "GSM-03.38" => ("1 or 2", 137),
        // Counting takes milliseconds.
        _ => ("1 or more", encoding.repertoire().map(|range| range.count() as u64).sum()),
    }
}

#[cfg(test)]
mod tests {
    use textcodec::ISO_2022_JP;

    use super::*;

    #[test]
    fn every_encoding_has_a_description_and_the_right_repertoire() {
        for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA).chain(oem::ALL) {
            let (bytes, count, about) = description(encoding);
            assert!(!bytes.is_empty() && !about.is_empty() && about.chars().count() < 90, "{encoding}");
            let mut characters: Vec<_> = repertoire(encoding).flatten().filter(|_| encoding.has_encoder()).collect();
            characters.sort_unstable();
            let repertoire: Vec<_> = encoding.repertoire().flatten().collect();
            assert!(characters == repertoire, "{encoding}");
            assert_eq!(repertoire.len() as u64, count, "{encoding}");
        }
    }

    #[test]
    fn the_number_of_bytes_in_a_character_is_right() {
        for &encoding in Encoding::ALL.iter().filter(|encoding| encoding.has_encoder()) {
            let lengths: std::collections::BTreeSet<_> = ['a', '\u{A2}', 'é', 'я', '漢', '한', '\u{10FFFF}']
                .iter()
                .filter_map(|c| encoding.encode(&c.to_string()).ok().map(|bytes| bytes.len()))
                // Without the escape sequences before and after the character.
                .map(|len| if encoding == ISO_2022_JP && len > 2 { len - 6 } else { len })
                .collect();
            let expected: &[usize] = match description(encoding).0 {
                "1" => &[1],
                "1 to 4" => &[1, 2, 3, 4],
                // Sequences of three bytes are decoded only.
                "1 or 2" | "1 to 3" => &[1, 2],
                "2 or 4" => &[2, 4],
                "1, 2 or 4" => &[1, 2, 4],
                other => panic!("{encoding}: {other}"),
            };
            assert!(lengths.iter().eq(expected), "{encoding} {lengths:?}");
        }
    }

    #[test]
    fn numbers_have_commas_between_thousands() {
        assert_eq!([0, 128, 1000, 1_112_064].map(thousands), ["0", "128", "1,000", "1,112,064"]);
    }
}
