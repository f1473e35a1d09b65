//! `textcodec inspect`: a character in all encodings, or bytes in one or all of them.

use std::{
    collections::HashSet,
    io::{self, Write},
};

use clap::Args;
use serde::{Serialize, Serializer as _};
use textcodec::{Encoding, ISO_2022_JP, REPLACEMENT, oem};

use crate::{
    Outcome, Stop,
    characters::{self, hex},
    charset::Charset,
    convert::decode_reason,
    items::{self, Item, ItemKind},
    narrow::{self, Narrow},
    print,
    screen::Screen,
    table::{Names, Tables},
    terminal::{counted, print_message},
};

/// Show the bytes of a character in every encoding, or the text that bytes decode to
///
/// For each character of TEXT, prints its code point, its name and its bytes in every encoding, grouped by bytes. With --bytes
/// and --from, prints the characters that the bytes decode to, one by one. With --bytes alone, prints the text that they
/// decode to in each encoding.
#[derive(Debug, Args)]
#[command(after_help = "Examples and exit status: textcodec inspect --help", after_long_help = AFTER)]
#[command(override_usage = USAGE)]
pub(crate) struct Arguments {
    /// Bytes in hexadecimal, such as "82 A0", 82a0, '\x82\xA0' or %82%A0
    #[arg(short, long, value_name = "HEX", num_args = 1.., allow_hyphen_values = false)]
    bytes: Vec<String>,

    /// Encoding of the bytes [default: all encodings]
    ///
    /// A byte order mark does not override this option; it is shown as a character.
    #[arg(short, long, value_name = "LABEL", requires = "bytes", conflicts_with = "text")]
    from: Option<String>,

    /// Show only the bytes in this encoding; can be repeated
    ///
    /// If a character is missing in one of these encodings, the exit status is 1. That includes the encoding that a label
    /// names, where it means a wider one, as `ascii` and `latin1` do.
    #[arg(short, long, value_name = "LABEL", conflicts_with = "bytes")]
    to: Vec<String>,

    #[command(flatten)]
    tables: Tables,

    /// Also accept `utf_16` and `utf16`, names of Python for UTF-16 with a byte order mark, unlike the label utf-16
    #[arg(long)]
    aliases: bool,

    /// Print JSON: an array of characters, or with --bytes an array with the text in each encoding
    #[arg(long)]
    json: bool,

    /// Characters, or a single one written as U+20AC, \u20AC, \u{20AC}, &#8364; or &#x20AC;
    #[arg(value_name = "TEXT", required_unless_present = "bytes", conflicts_with = "bytes")]
    text: Vec<String>,
}

const USAGE: &str = "\
textcodec inspect [OPTIONS] <TEXT>...
       textcodec inspect [OPTIONS] --bytes <HEX>...";

const AFTER: &str = "\
Examples:
  Show a character, typed or by its code point:
      textcodec inspect é
      textcodec inspect U+200B
  Show its bytes in two encodings only:
      textcodec inspect -t windows-1252 -t iso-8859-15 '€'
  Decode bytes as Shift_JIS:
      textcodec inspect --bytes '82 A0 FF' -f shift_jis
  Decode bytes in every encoding, to find the right one:
      textcodec inspect --bytes 82A0
  Decode the eight bytes at offset 159 of a file:
      od -An -tx1 -j159 -N8 broken.log | xargs textcodec inspect -f utf-8 -b

Exit status:
  0  the characters or the bytes were shown
  1  a character is missing in an encoding given with -t
  2  wrong usage
  3  the output could not be written";

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let names = Names::new(&arguments.tables, arguments.aliases)?;
    let find = |option, label: &String| names.find(option, label).map(|(charset, _)| charset);
    if !arguments.bytes.is_empty() {
        let bytes = parse_bytes(&arguments.bytes).map_err(Stop::Usage)?;
        let from = arguments.from.as_ref().map(|label| find("--from", label)).transpose()?;
        let Some(from) = from else {
            let all = all(&names);
            names.check(all.iter().copied())?;
            let all = all.into_iter().filter(|&encoding| encoding != REPLACEMENT);
            // One at a time: all of them would need kilobytes for each byte.
            print(|out| {
                if arguments.json {
                    json_list(all.map(|encoding| Reading::new(encoding, &bytes)), out)
                } else {
                    print_summary(all.map(|encoding| Decoded::new(encoding, &bytes)), out)
                }
            })?;
            return Ok(Outcome::Clean);
        };
        names.check([from])?;
        let reading = Reading::new(from, &bytes);
        print(|out| if arguments.json { json(&[&reading], out) } else { reading.print(out) })?;
        if let Some(label) = &arguments.from
            && let Some(narrow) = narrow::find(label)
        {
            let outside = reading.count_outside(narrow);
            let advice = narrow.advice(label);
            if outside > 0 {
                let are = counted(outside, "character is", "characters are");
                print_message(format_args!("{are} not in {}; {advice}", narrow.name));
            }
        }
        return Ok(Outcome::Clean);
    }
    let to: Vec<_> = match arguments.to.as_slice() {
        [] => {
            let encoders = all(&names).into_iter().filter(|encoding| encoding.has_encoder());
            encoders.map(|encoding| (encoding, None)).collect()
        }
        labels => {
            let with_narrow = |label| find("--to", label).map(|encoding| (encoding, narrow::find(label)));
            labels.iter().map(with_narrow).collect::<Result<_, _>>()?
        }
    };
    names.check(to.iter().map(|(to, _)| *to))?;
    let text: String =
        arguments.text.iter().map(|text| parse_text(text)).collect::<Result<_, _>>().map_err(Stop::Usage)?;
    if text.is_empty() {
        return Err(Stop::Usage("TEXT is empty; for a space, write ' ' or U+0020".to_owned()));
    }
    // Each character is shown once.
    let mut seen = HashSet::new();
    let characters = text.chars().filter(|&character| seen.insert(character));
    let entries: Vec<_> = characters.map(|character| Entry::new(character, &to)).collect();
    print(|out| {
        if arguments.json {
            return json(&entries, out);
        }
        entries.iter().enumerate().try_for_each(|(n, entry)| {
            if n > 0 {
                writeln!(out)?;
            }
            entry.print(out)
        })
    })?;
    for label in &arguments.to {
        if let Some(narrow) = narrow::find(label).filter(|narrow| entries.iter().any(|entry| entry.lacks(narrow))) {
            print_message(narrow.advice(label));
        }
    }
    let is_missing = !arguments.to.is_empty() && entries.iter().any(|entry| !entry.not_in.is_empty());
    Ok(if is_missing { Outcome::Losses } else { Outcome::Clean })
}

/// Returns all encodings of the library, as the command line says what their names mean.
fn all(names: &Names) -> Vec<Charset> {
    let all = Encoding::ALL.iter().chain(Encoding::EXTRA).chain(oem::ALL);
    all.map(|&encoding| names.meaning(encoding)).collect()
}

fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Like [`json`], for a list whose elements are made one by one.
fn json_list(values: impl Iterator<Item = impl Serialize>, out: &mut dyn Write) -> io::Result<()> {
    serde_json::Serializer::pretty(&mut *out).collect_seq(values)?;
    writeln!(out)
}

/// Returns the text itself, or the character that it denotes, such as `U+20AC`.
fn parse_text(text: &str) -> Result<String, String> {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = |digits: &str| u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
    let number = if let Some(digits) = lower.strip_prefix("u+") {
        hexadecimal(digits)
    } else if let Some(digits) = lower.strip_prefix("\\u{").and_then(|rest| rest.strip_suffix('}')) {
        hexadecimal(digits)
    } else if let Some(digits) = lower.strip_prefix("\\u") {
        let number = hexadecimal(digits);
        if number.is_some() && digits.len() < 4 {
            return Err(format!(
                "'{text}' has fewer than four hexadecimal digits; write \\u{digits:0>4} or \\u{{{digits}}}"
            ));
        }
        number
    } else if let Some(digits) = lower.strip_prefix("&#x").and_then(|rest| rest.strip_suffix(';')) {
        hexadecimal(digits)
    } else if let Some(digits) = lower.strip_prefix("&#").and_then(|rest| rest.strip_suffix(';')) {
        digits.parse().ok()
    } else {
        None
    };
    match number {
        None => Ok(text.to_owned()),
        Some(surrogate @ 0xD800..=0xDFFF) => {
            Err(format!("U+{surrogate:04X} is a surrogate of UTF-16, not a character"))
        }
        Some(number) => char::from_u32(number)
            .map(String::from)
            .ok_or_else(|| format!("U+{number:04X} is not a character; the last code point is U+10FFFF")),
    }
}

/// Parses hexadecimal bytes in any common notation. The two digits of a byte may be in two arguments.
fn parse_bytes<S: AsRef<str>>(arguments: &[S]) -> Result<Vec<u8>, String> {
    let no_bytes = |text: &str| format!("--bytes: '{text}' is not a list of hexadecimal bytes, such as \"82 A0\"");
    let all = || arguments.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
    let mut values = Vec::new();
    for text in arguments.iter().map(AsRef::as_ref) {
        let mut digits = text.replace("\\x", "").replace("0x", "");
        digits.retain(|c| !(c.is_ascii_whitespace() || matches!(c, '%' | ',' | ':' | '-')));
        let of_text: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
        values.extend(of_text.ok_or_else(|| no_bytes(text))?);
    }
    match values.len() {
        0 => return Err(no_bytes(&all())),
        n if n % 2 == 1 => {
            return Err(format!(
                "--bytes: '{}' has an odd number of hexadecimal digits ({n}); write two for each byte",
                all()
            ));
        }
        _ => {}
    }
    Ok(values.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// A character and its bytes in each encoding.
#[derive(Serialize)]
struct Entry {
    character: char,
    code_point: String,
    name: String,
    encodings: Vec<Encoded>,
    /// Encodings, and narrower encodings that labels name.
    not_in: Vec<&'static str>,
}

#[derive(Serialize)]
struct Encoded {
    encoding: &'static str,
    bytes: String,
    /// The text that the bytes decode to, if it differs from the character.
    #[serde(skip_serializing_if = "Option::is_none")]
    comes_back_as: Option<String>,
}

impl Entry {
    /// Encodes a character in these encodings. Their labels may name narrower ones.
    fn new(character: char, to: &[(Charset, Option<&'static Narrow>)]) -> Self {
        let text = character.to_string();
        let (mut encodings, mut not_in) = (Vec::new(), Vec::new());
        for (encoding, narrow) in to {
            let Ok(bytes) = encoding.encode(&text) else {
                not_in.push(encoding.label());
                continue;
            };
            not_in.extend(narrow.filter(|narrow| !narrow.contains(character)).map(|narrow| narrow.name));
            let comes_back_as = Some(encoding.decode(&bytes)).filter(|back| *back != text);
            encodings.push(Encoded { encoding: encoding.label(), bytes: hex(&bytes), comes_back_as });
        }
        let (code_point, name) = (characters::code_point(character), characters::name(character));
        Self { character, code_point, name, encodings, not_in }
    }

    /// Returns whether the character is missing in a narrower encoding, but not in the one that the label means.
    fn lacks(&self, narrow: &Narrow) -> bool {
        self.not_in.contains(&narrow.name)
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", characters::describe(self.character))?;
        let mut groups = Vec::new();
        for Encoded { encoding, bytes, comes_back_as } in &self.encodings {
            let other = comes_back_as.as_ref().and_then(|text| text.chars().next());
            let note = other.map(|c| format!(" (decodes to {})", characters::describe(c))).unwrap_or_default();
            add_to_group(&mut groups, (bytes.clone(), note), encoding);
        }
        if !self.not_in.is_empty() {
            groups.push((("not in".to_owned(), String::new()), self.not_in.clone()));
        }
        let rows: Vec<_> =
            groups.into_iter().map(|((bytes, note), encodings)| [bytes, encodings.join(", ") + &note]).collect();
        writeln!(out, "{}", screen().table(&rows, 2, [2, 0]))
    }
}

/// Adds an encoding to the group with the same key.
fn add_to_group<K: PartialEq>(groups: &mut Vec<(K, Vec<&'static str>)>, key: K, encoding: &'static str) {
    match groups.iter_mut().find(|(other, _)| *other == key) {
        Some((_, encodings)) => encodings.push(encoding),
        None => groups.push((key, vec![encoding])),
    }
}

/// Returns the screen. Lists of encodings are long, so they are wrapped even if it has no width.
fn screen() -> Screen {
    Screen::stdout().or_width(100)
}

/// The result of decoding bytes in an encoding.
#[derive(Serialize)]
struct Reading {
    encoding: &'static str,
    /// The text, with U+FFFD for each malformed sequence.
    text: String,
    malformed: usize,
    items: Vec<Read>,
}

#[derive(Serialize)]
struct Read {
    start: u64,
    end: u64,
    bytes: String,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Kind {
    Character { character: char, code_point: String, name: String },
    Malformed { reason: String },
    Nothing { reason: &'static str },
}

impl Read {
    /// Formats the offsets of the first and the last byte.
    fn offsets(&self) -> String {
        let last = self.end - 1;
        if self.start == last { last.to_string() } else { format!("{}-{last}", self.start) }
    }
}

impl Reading {
    fn new(encoding: Charset, bytes: &[u8]) -> Self {
        let mut reading = Self { encoding: encoding.label(), text: String::new(), malformed: 0, items: Vec::new() };
        items::decode(&mut items::decoder(encoding), bytes, true, |Item { range, kind }| {
            let kind = match kind {
                ItemKind::Character(character) => {
                    reading.text.push(character);
                    let (code_point, name) = (characters::code_point(character), characters::name(character));
                    Kind::Character { character, code_point, name }
                }
                ItemKind::Malformed(error) => {
                    reading.text.push('\u{FFFD}');
                    reading.malformed += 1;
                    Kind::Malformed { reason: decode_reason(&error) }
                }
                ItemKind::NoOutput if encoding == ISO_2022_JP => Kind::Nothing { reason: "escape sequence" },
                ItemKind::NoOutput => Kind::Nothing { reason: "not decoded" },
            };
            let item_bytes = bytes.get(range.start as usize..range.end as usize).unwrap_or_default();
            reading.items.push(Read { start: range.start, end: range.end, bytes: hex(item_bytes), kind });
        });
        reading
    }

    /// Returns the number of characters that a narrower encoding lacks.
    fn count_outside(&self, narrow: &Narrow) -> u64 {
        let is_outside =
            |item: &&Read| matches!(item.kind, Kind::Character { character, .. } if !narrow.contains(character));
        self.items.iter().filter(is_outside).count() as u64
    }

    /// Prints a line for each item, such as `0-1  82 A0  U+3042 'あ' HIRAGANA LETTER A`.
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let offsets: Vec<_> = self.items.iter().map(Read::offsets).collect();
        let width = offsets.iter().map(String::len).max().unwrap_or_default();
        let rows = self.items.iter().zip(offsets).map(|(item, offsets)| {
            let what = match &item.kind {
                Kind::Character { character, .. } => characters::describe(*character),
                Kind::Malformed { reason } => format!("malformed: {reason}"),
                Kind::Nothing { reason } => (*reason).to_owned(),
            };
            [format!("{offsets:>width$}"), item.bytes.clone(), what]
        });
        writeln!(out, "{}", Screen::stdout().table(&rows.collect::<Vec<_>>(), 0, [2, 2, 0]))
    }
}

/// The text that bytes decode to in an encoding.
struct Decoded {
    encoding: &'static str,
    /// The text, with U+FFFD for each malformed sequence.
    text: String,
    malformed: usize,
}

impl Decoded {
    fn new(encoding: Charset, bytes: &[u8]) -> Self {
        let mut decoded = Self { encoding: encoding.label(), text: String::new(), malformed: 0 };
        items::decode(&mut items::decoder(encoding), bytes, true, |Item { kind, .. }| match kind {
            ItemKind::Character(character) => decoded.text.push(character),
            ItemKind::Malformed(_) => {
                decoded.text.push('\u{FFFD}');
                decoded.malformed += 1;
            }
            ItemKind::NoOutput => {}
        });
        decoded
    }
}

/// Prints each text that the bytes decode to, with the encodings.
///
/// Results without malformed sequences come first, and among these the ones with the fewest invisible characters.
fn print_summary(all: impl Iterator<Item = Decoded>, out: &mut dyn Write) -> io::Result<()> {
    let mut groups = Vec::new();
    for Decoded { encoding, text, malformed } in all {
        add_to_group(&mut groups, (malformed, text), encoding);
    }
    let hidden = |text: &str| text.chars().filter(|&character| characters::printable(character).is_none()).count();
    groups.sort_by_cached_key(|((malformed, text), _)| (*malformed, hidden(text)));
    let screen = screen();
    for ((malformed, text), encodings) in groups {
        let malformed = match malformed {
            0 => String::new(),
            n => format!(" with {}", counted(n as u64, "malformed sequence", "malformed sequences")),
        };
        writeln!(out, "'{}'{malformed}", escaped(&text))?;
        writeln!(out, "    {}", screen.wrap(&encodings.join(", "), 4, 4))?;
    }
    Ok(())
}

/// Escapes invisible characters. A combining mark gets a dotted circle only at the start.
fn escaped(text: &str) -> String {
    let show = |(n, character): (usize, char)| match characters::printable(character) {
        Some(_) if n > 0 => character.to_string(),
        Some(shown) => shown,
        None => character.escape_default().to_string(),
    };
    text.chars().enumerate().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_can_be_given_by_its_code_point() {
        for text in ["é", "U+E9", "u+00e9", "\\u00E9", "\\u{e9}", "&#233;", "&#xE9;"] {
            assert_eq!(parse_text(text).as_deref(), Ok("é"), "{text}");
        }
        for text in ["U+", "U", "U+XYZ", "U++1", "&#;", "&#x;", "\\u{}", "&amp;", ""] {
            assert_eq!(parse_text(text).as_deref(), Ok(text));
        }
        assert_eq!(
            parse_text("\\u00e").unwrap_err(),
            "'\\u00e' has fewer than four hexadecimal digits; write \\u000e or \\u{00e}"
        );
        assert!(parse_text("U+D83D").unwrap_err().contains("is a surrogate of UTF-16"));
        assert!(parse_text("U+110000").unwrap_err().contains("the last code point is U+10FFFF"));
    }

    #[test]
    fn bytes_can_be_given_in_any_common_notation() {
        for text in ["82 A0", "82a0", "\\x82\\xA0", "0x82 0xA0", "0x82,0xA0", "%82%A0", "82:A0", "82-a0"] {
            assert_eq!(parse_bytes(&[text]), Ok(vec![0x82, 0xA0]), "{text}");
        }
        assert!(parse_bytes(&["82", "A"]).unwrap_err().contains("'82 A' has an odd number of hexadecimal digits (3)"));
        assert!(parse_bytes(&["82", "é"]).unwrap_err().contains("'é' is not a list of hexadecimal bytes"));
        assert_eq!(parse_bytes(&["82", "A", "0"]), Ok(vec![0x82, 0xA0]));
        for text in ["", " ", "xyz", "é"] {
            assert!(parse_bytes(&[text]).unwrap_err().contains("is not a list of hexadecimal bytes"), "{text}");
        }
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(escaped("e\u{301}\u{202E}\n\u{1B}"), "e\u{301}\\u{202e}\\n\\u{1b}");
        assert_eq!(escaped("\u{301}"), "\u{25CC}\u{301}");
    }
}
