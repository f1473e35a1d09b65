//! Encodings of the command line that need more than a label: a table, and EBCDIC with other line ends.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
};

use anyhow::anyhow;
use clap::{Args, ValueHint};
use textcodec::{Encoding, custom::SingleByte};

use crate::{Stop, charset::Charset, descriptors, errors::reason, labels, screen::shown};

/// The part of a command line that says what labels mean.
#[derive(Debug, Args)]
pub(crate) struct Tables {
    /// A table of characters, which is the encoding that the label `table` means
    ///
    /// One of three forms: lines such as `80: 00C7 00FC ----`, with the first byte in hexadecimal and the code points of this and
    /// the next bytes, for 128 bytes from 80 or for all 256, as `textcodec index IBM850` prints them; `0x80 0x00C7`, as in the mapping
    /// tables of Unicode; or the index of a single-byte encoding, as `textcodec index windows-1252` prints it. Without the bytes below
    /// 80, these are ASCII. A character that has several bytes is written as the first one.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) table: Option<PathBuf>,

    /// In EBCDIC, byte 15 is a line feed, and byte 25 is next line (U+0085)
    ///
    /// In the encodings as IBM defines them, it is the other way round. Text files of z/OS and of its Unix services have 15 at the
    /// end of lines.
    #[arg(long)]
    newline_at_15: bool,
}

/// The meaning of the labels of a command line.
pub(crate) struct Names {
    aliases: bool,
    table: Option<&'static SingleByte>,
    newline_at_15: bool,
}

/// The label of the table.
const LABEL: &str = "table";

impl Names {
    /// Reads the table.
    pub(crate) fn new(tables: &Tables, aliases: bool) -> Result<Self, Stop> {
        let table = tables.table.as_deref().map(read).transpose()?;
        Ok(Self { aliases, table, newline_at_15: tables.newline_at_15 })
    }

    /// Returns whether the names of `--aliases` are accepted.
    pub(crate) fn aliases(&self) -> bool {
        self.aliases
    }

    /// Returns the encoding of a label, and whether an output begins with a byte order mark.
    pub(crate) fn find(&self, option: &str, label: &str) -> Result<(Charset, bool), Stop> {
        if label.trim().eq_ignore_ascii_case(LABEL) {
            let table = self.table.ok_or_else(|| Stop::Usage(format!("{option}: '{LABEL}' requires --table FILE")))?;
            return Ok((Charset::of_table(table), false));
        }
        let named = labels::for_option(option, label, self.aliases)?;
        Ok((self.meaning(named.encoding), named.bom))
    }

    /// Returns an encoding with the line ends that the options say.
    pub(crate) fn meaning(&self, encoding: Encoding) -> Charset {
        let swapped = if self.newline_at_15 { with_newline_at_15(encoding) } else { None };
        swapped.unwrap_or(encoding.into())
    }

    /// Fails if an option has no effect with these encodings.
    pub(crate) fn check(&self, used: impl IntoIterator<Item = Charset>) -> Result<(), Stop> {
        let used: Vec<Charset> = used.into_iter().collect();
        if self.table.is_some_and(|table| !used.contains(&Charset::of_table(table))) {
            return Err(Stop::Usage(format!("--table: neither -f nor -t is {LABEL}; write -f {LABEL} or -t {LABEL}")));
        }
        let is_swapped = |charset: &Charset| {
            charset.is_table() && self.table.is_none_or(|table| *charset != Charset::of_table(table))
        };
        if self.newline_at_15 && !used.iter().any(is_swapped) {
            let names: Vec<_> = used.iter().map(ToString::to_string).collect();
            let names = if names.is_empty() { "UTF-8".to_owned() } else { names.join(" and ") };
            return Err(Stop::Usage(format!(
                "--newline-at-15: {names}: not EBCDIC; use it with -f or -t and an encoding such as IBM1047"
            )));
        }
        Ok(())
    }
}

/// Returns a page of EBCDIC with byte 15 as line feed.
fn with_newline_at_15(encoding: Encoding) -> Option<Charset> {
    let table = SingleByte::with_newline_at_15(encoding)?;
    // Once for each label of the command line.
    Some(Charset::of_table(Box::leak(Box::new(table))))
}

/// Returns whether an encoding is EBCDIC: byte 15 is U+0085, and byte 25 is a line feed.
pub(crate) fn is_ebcdic(charset: Charset) -> bool {
    charset.is_single_byte() && charset.decode(&[0x15, 0x25]) == "\u{85}\n"
}

/// The maximum length of a file with a table.
const MAX_LEN: u64 = 1024 * 1024;

fn read(path: &Path) -> Result<&'static SingleByte, Stop> {
    let shown = shown(path);
    let failed = |what: String| Stop::Failed(anyhow!("{shown}: {what}"));
    let mut bytes = Vec::new();
    let len = descriptors::check_path(path)
        .and_then(|()| File::open(path)?.take(MAX_LEN + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(reason(&error)))?;
    if len as u64 > MAX_LEN {
        return Err(failed("is longer than 1 MiB, so it is not a table of 256 characters".to_owned()));
    }
    // Only comments are not ASCII.
    let characters = parse(&String::from_utf8_lossy(&bytes)).map_err(failed)?;
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let table = SingleByte::new(name.leak(), &characters).map_err(|error| failed(error.to_string()))?;
    Ok(Box::leak(Box::new(table)))
}

/// Parses a table. An error has the number of the line.
fn parse(text: &str) -> Result<[Option<char>; 256], String> {
    let text = text.trim_start_matches('\u{FEFF}');
    if text.trim_start().starts_with(['{', '[']) {
        return Err("is JSON; a table is text, as textcodec index prints without --format".to_owned());
    }
    let is_index = text.starts_with("# Index ");
    // `Some(None)` is a byte without a character.
    let mut entries = [None; 256];
    let mut may_have_gaps = is_index;
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() || line == "\u{1A}" {
            continue;
        }
        let at = |what: String| format!("line {}: {what}", n + 1);
        let is_mapping = line.starts_with("0x") || line.starts_with("0X");
        let entry = entry_of_index(line);
        may_have_gaps |= is_mapping || entry.is_some();
        let parsed = match entry {
            Some(entry) => entry,
            None if is_mapping => mapping(line),
            None => row(line, is_index),
        };
        let (first, characters) = parsed.map_err(at)?;
        for (byte, character) in (first..).zip(characters) {
            let entry = entries.get_mut(byte).ok_or_else(|| at("has an entry after byte FF".to_owned()))?;
            if entry.is_some() {
                return Err(at(format!("byte {byte:02X} has an entry already")));
            }
            *entry = Some(character);
        }
    }
    let count = entries.iter().flatten().count();
    let [lower, upper] = [&entries[..0x80], &entries[0x80..]];
    let is_ascii_below = lower.iter().all(Option::is_none);
    let missing = upper.iter().position(Option::is_none).map(|at| at + 0x80);
    let missing = if is_ascii_below { missing } else { entries.iter().position(Option::is_none) };
    match missing {
        _ if count == 0 => return Err("has no entries; a line is such as '80: 00C7 00FC 00E9'".to_owned()),
        Some(byte) if !may_have_gaps => {
            return Err(format!(
                "has {count} entries instead of 128 or 256: byte {byte:02X} is missing; write ---- for a byte without a \
                 character"
            ));
        }
        _ => {}
    }
    Ok(std::array::from_fn(|byte| match entries[byte] {
        Some(character) => character,
        None if is_ascii_below && byte < 0x80 => Some(char::from(byte as u8)),
        None => None,
    }))
}

/// The first byte of a line, and the characters of this and the next bytes.
type Row = (usize, Vec<Option<char>>);

/// Parses `80: 00C7 00FC ----`. In an index, the position is a decimal number, counted from byte 80.
fn row(line: &str, is_index: bool) -> Result<Row, String> {
    let example = if is_index { "'0: 00C7 00FC 00E9'" } else { "'80: 00C7 00FC 00E9' or '0x80 0x00C7'" };
    let (position, rest) = line.split_once(':').ok_or_else(|| format!("is not a row of a table, such as {example}"))?;
    let number = if is_index { position.parse().ok() } else { number(position) };
    let offset = if is_index { 0x80 } else { 0 };
    let first = number.map(|number: u32| number as usize + offset).filter(|&first| first < 256);
    let first = first.ok_or_else(|| format!("'{position}' is not the position of a byte, as in {example}"))?;
    let characters = rest.split_whitespace().map(|value| match value {
        "----" => Ok(None),
        value => character(value).map(Some),
    });
    Ok((first, characters.collect::<Result<_, _>>()?))
}

/// Parses `0 TAB 0x20AC TAB € (EURO SIGN)`, as in the files of the standard's indexes. The pointer is a decimal number, counted from
/// byte 80. Returns `None` if the line has another form.
fn entry_of_index(line: &str) -> Option<Result<Row, String>> {
    let mut columns = line.split('\t');
    let (pointer, code_point) = (columns.next()?.trim(), columns.next()?.trim().strip_prefix("0x")?);
    if pointer.is_empty() || !pointer.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(match pointer.parse() {
        Ok(pointer @ 0..0x80_usize) => character(code_point).map(|character| (pointer + 0x80, vec![Some(character)])),
        _ => Err(format!("pointer {pointer}: only the index of a single-byte encoding is a table")),
    })
}

/// Parses `0x80 0x00C7`. Without a second column, the byte has no character.
fn mapping(line: &str) -> Result<Row, String> {
    let columns: Vec<_> = line.split_whitespace().collect();
    let hexadecimal = |value: &str| number(value.get(2..).unwrap_or_default());
    let byte = hexadecimal(columns[0]).filter(|&byte| byte < 256);
    let byte = byte.ok_or_else(|| format!("'{}' is not a single byte, such as 0x80", columns[0]))?;
    let character = match columns[1..] {
        [] => None,
        [value] if value.starts_with("0x") || value.starts_with("0X") => Some(character(&value[2..])?),
        _ => return Err("is not a byte and its code point, such as '0x80 0x00C7'".to_owned()),
    };
    Ok((byte as usize, vec![character]))
}

fn character(value: &str) -> Result<char, String> {
    let number = number(value).ok_or_else(|| {
        format!("'{value}' is not a code point, such as 00C7, nor ---- for a byte without a character")
    })?;
    let character = char::from_u32(number).ok_or_else(|| match number {
        0x11_0000.. => format!("U+{number:04X} is beyond U+10FFFF, the last code point"),
        _ => format!("U+{number:04X} is a surrogate, not a character"),
    })?;
    if number >= 0xFFFF {
        return Err(format!("U+{number:04X}: a table has characters below U+FFFF"));
    }
    Ok(character)
}

/// Parses a hexadecimal number of at most six digits.
fn number(digits: &str) -> Option<u32> {
    let is_number = (1..=6).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use textcodec::{Bom, DecodeOptions, Malformed, WINDOWS_1253};

    use super::*;

    fn parsed(text: &str) -> String {
        parse(text).unwrap_err()
    }

    #[test]
    fn the_files_of_this_project_are_tables() {
        let index = parse(include_str!("../indexes/windows-1253.txt")).unwrap();
        let options = DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Fail);
        let character = |encoding: Encoding, byte| {
            encoding.decode_with(&[byte], options).ok().and_then(|decoded| decoded.text.chars().next())
        };
        for byte in 0..=0xFF_u8 {
            assert_eq!(index[usize::from(byte)], character(WINDOWS_1253, byte), "{byte:02X}");
        }
        for (name, page) in [
            ("IBM437", include_str!("../../textcodec-oem/pages/ibm437.txt")),
            ("IBM1047", include_str!("../../textcodec-oem/pages/ibm1047.txt")),
            ("IBM864", include_str!("../../textcodec-oem/pages/ibm864.txt")),
        ] {
            let encoding: Encoding = name.parse().unwrap();
            for (byte, found) in parse(page).unwrap().into_iter().enumerate() {
                assert_eq!(found, character(encoding, byte as u8), "{name} {byte:02X}");
            }
        }
    }

    #[test]
    fn mapping_tables_of_unicode_are_tables() {
        let table =
            parse("#\tName: test\r\n0x41\t0x0042\t#\tB\r\n0x81      \t#UNDEFINED\n0xFF\t0x00e9\n\u{1A}").unwrap();
        assert_eq!((table[0x41], table[0x81], table[0xFF], table[0x40]), (Some('B'), None, Some('é'), None));
        let upper = parse("0x80 0x20AC").unwrap();
        assert_eq!((upper[0x41], upper[0x80], upper[0x81]), (Some('A'), Some('€'), None));
    }

    #[test]
    fn errors_have_the_number_of_the_line() {
        let row = ["0041"; 16].join(" ");
        for (text, message) in [
            ("", "has no entries; a line is such as '80: 00C7 00FC 00E9'"),
            ("\n\nabc", "line 3: is not a row of a table, such as '80: 00C7 00FC 00E9' or '0x80 0x00C7'"),
            ("# Index x\n1", "line 2: is not a row of a table, such as '0: 00C7 00FC 00E9'"),
            ("{\"name\":1}", "is JSON; a table is text, as textcodec index prints without --format"),
            ("# x\n128\t0x4E02\t丂 (x)", "line 2: pointer 128: only the index of a single-byte encoding is a table"),
            ("0\t0xD800", "line 1: U+D800 is a surrogate, not a character"),
            ("0\t0x0041\n0\t0x0042", "line 2: byte 80 has an entry already"),
            ("xy: 0041", "line 1: 'xy' is not the position of a byte, as in '80: 00C7 00FC 00E9' or '0x80 0x00C7'"),
            ("100: 0041", "line 1: '100' is not the position of a byte, as in '80: 00C7 00FC 00E9' or '0x80 0x00C7'"),
            ("# Index x\n128: 41", "line 2: '128' is not the position of a byte, as in '0: 00C7 00FC 00E9'"),
            ("80: 00C7 é", "line 1: 'é' is not a code point, such as 00C7, nor ---- for a byte without a character"),
            ("80: D800", "line 1: U+D800 is a surrogate, not a character"),
            ("80: 110000", "line 1: U+110000 is beyond U+10FFFF, the last code point"),
            ("0x80 0xFFFFFF", "line 1: U+FFFFFF is beyond U+10FFFF, the last code point"),
            ("80: 1F600", "line 1: U+1F600: a table has characters below U+FFFF"),
            ("80: FFFF", "line 1: U+FFFF: a table has characters below U+FFFF"),
            ("80: +041", "line 1: '+041' is not a code point, such as 00C7, nor ---- for a byte without a character"),
            (&format!("80: {row}\n8F: 0041"), "line 2: byte 8F has an entry already"),
            (&format!("F8: {row}"), "line 1: has an entry after byte FF"),
            (
                &format!("80: {row}"),
                "has 16 entries instead of 128 or 256: byte 90 is missing; write ---- for a byte without a character",
            ),
            (
                &format!("00: {row}"),
                "has 16 entries instead of 128 or 256: byte 10 is missing; write ---- for a byte without a character",
            ),
            ("0x8140 0x4E02", "line 1: '0x8140' is not a single byte, such as 0x80"),
            ("0x80 41", "line 1: is not a byte and its code point, such as '0x80 0x00C7'"),
            ("0x80 0x41 0x42", "line 1: is not a byte and its code point, such as '0x80 0x00C7'"),
            ("0x80 0x41\n0x80 0x42", "line 2: byte 80 has an entry already"),
        ] {
            assert_eq!(parsed(text), message, "{text}");
        }
    }
}
