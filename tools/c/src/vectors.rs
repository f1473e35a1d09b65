//! Test vectors of the C library, from the oracle.
//!
//! Each line is one, with fields separated by spaces. Strings are hexadecimal, `-` if empty.
//!
//! - `D`: the label; the policy for byte order marks as a number of the header; the bytes; the text in UTF-8; the name of the
//!   encoding that was used; 1 if a mark was removed; the number of errors; the start and the end of each.
//! - `E`: the label; the text in UTF-16, four digits a unit; the bytes with `&#…;` for unmappable characters; the number of
//!   errors; for each, the index of its unit, and the code point of the standard's error.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::{Context as _, Result};
use project::root;
use spec_model::{Bom, EncodeMode, Encoding, Mode};

/// Bytes at the limits of the classes of bytes in the standard.
const BOUNDARIES: &[u8] = &[
    0x00, 0x0E, 0x1B, 0x24, 0x28, 0x30, 0x39, 0x40, 0x42, 0x49, 0x4A, 0x7E, 0x7F, 0x80, 0x81, 0x82, 0x8E, 0x8F, 0x9F,
    0xA0, 0xA1, 0xB0, 0xBB, 0xBF, 0xC4, 0xD8, 0xDC, 0xE0, 0xE2, 0xEF, 0xF0, 0xF4, 0xFD, 0xFE, 0xFF,
];

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn new(seed: &str) -> Self {
        let seed = seed
            .bytes()
            .fold(0x9E37_79B9_7F4A_7C15_u64, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
        Self(seed | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Writes the vectors.
pub(super) fn write(file: &Path) -> Result<()> {
    let mut lines = String::new();
    for &encoding in Encoding::all() {
        let mut random = Random::new(encoding.name());
        let repertoire = repertoire(encoding);
        for number in 0..24 {
            let length = if number < 20 { random.below(22) } else { 200 << random.below(5) };
            let bytes = bytes(encoding, &mut random, &repertoire, length);
            decoded(&mut lines, encoding, number % 3, &bytes)?;
        }
        for number in 0..16 {
            let length = if number < 13 { random.below(12) } else { 100 << random.below(5) };
            let units = units(&mut random, &repertoire, length);
            encoded(&mut lines, encoding, &units)?;
        }
    }
    samples(&mut lines)?;
    fs::write(file, lines).with_context(|| file.display().to_string())
}

/// The files in `samples` that have the label of an encoding in their names.
fn samples(lines: &mut String) -> Result<()> {
    let mut paths: Vec<_> =
        fs::read_dir(root().join("samples"))?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
        let mut parts = name.split('.');
        if let Some(encoding) = parts.nth(1).and_then(spec_model::get_an_encoding) {
            decoded(lines, encoding, 0, &fs::read(path)?)?;
        }
    }
    Ok(())
}

/// Characters that the encoding decodes.
fn repertoire(encoding: Encoding) -> Vec<char> {
    let mut characters: Vec<char> = "aB9 \n~\\\u{E9}\u{3042}\u{65E5}\u{AC00}\u{20AC}\u{1F600}".chars().collect();
    if encoding.is_single_byte() {
        let all: Vec<u8> = (0..=0xFF).collect();
        let text = spec_model::decode(encoding, &all, Bom::Keep, Mode::Replacement).text;
        characters.extend(text.chars().filter(|&c| c > '\u{7F}'));
    }
    characters.extend((0..64).filter_map(|n| char::from_u32(0x3041 + n * 5)));
    characters.extend((0..64).filter_map(|n| char::from_u32(0x4E00 + n * 97)));
    characters.extend((0..32).filter_map(|n| char::from_u32(0xAC00 + n * 131)));
    characters
}

fn bytes(encoding: Encoding, random: &mut Random, repertoire: &[char], length: usize) -> Vec<u8> {
    let mut bytes = match random.below(8) {
        0 => b"\xEF\xBB\xBF".to_vec(),
        1 => b"\xFF\xFE".to_vec(),
        2 => b"\xFE\xFF".to_vec(),
        3 => b"\xEF\xBB".to_vec(),
        _ => Vec::new(),
    };
    while bytes.len() < length {
        match random.below(6) {
            0 => bytes.push(random.of(BOUNDARIES)),
            1 => bytes.push(random.below(0x100) as u8),
            2 if encoding.name() == "ISO-2022-JP" => {
                bytes.extend(random.of(&[&b"\x1B$B"[..], b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@"]));
            }
            2 => bytes.extend((0..random.below(12)).map(|_| 0x20 + random.below(0x5F) as u8)),
            // Pairs of Big5 that are two characters.
            3 if encoding.name() == "Big5" => bytes.extend(random.of(&[[0x88, 0x62], [0x88, 0xA3], [0x87, 0x40]])),
            _ => {
                let text: Vec<char> = (0..=random.below(4)).map(|_| random.of(repertoire)).collect();
                match encoding.name() {
                    "UTF-16LE" => bytes.extend(utf16(&text).into_iter().flat_map(u16::to_le_bytes)),
                    "UTF-16BE" => bytes.extend(utf16(&text).into_iter().flat_map(u16::to_be_bytes)),
                    _ => {
                        let encoded = spec_model::encode(encoding, text.iter().copied(), EncodeMode::Html);
                        bytes.extend(encoded.map(|encoded| encoded.bytes).unwrap_or_default());
                    }
                }
            }
        }
    }
    bytes
}

fn utf16(text: &[char]) -> Vec<u16> {
    text.iter().collect::<String>().encode_utf16().collect()
}

/// Returns text with ill-formed parts.
fn units(random: &mut Random, repertoire: &[char], length: usize) -> Vec<u16> {
    let mut units = Vec::new();
    while units.len() < length {
        match random.below(12) {
            0 => units.push(0xD800 + random.below(0x800) as u16),
            1 => units.extend(random.of(&['\u{1F600}', '\u{20000}', '\u{10FFFF}']).encode_utf16(&mut [0; 2]).iter()),
            2 => units.push(random.of(&[0x0E, 0x0F, 0x1B, 0x5C, 0x7E, 0xA5, 0x203E, 0x2212, 0xE5E5, 0xF780, 0xFF61])),
            3 => units.push(random.below(0xD800) as u16),
            4 => units.extend((0..random.below(20)).map(|_| 0x20 + random.below(0x5F) as u16)),
            _ => units.extend(random.of(repertoire).encode_utf16(&mut [0; 2]).iter()),
        }
    }
    units
}

fn decoded(lines: &mut String, encoding: Encoding, bom: usize, bytes: &[u8]) -> Result<()> {
    let policy = [Bom::Sniff, Bom::StripOwn, Bom::Keep][bom];
    let decoded = spec_model::decode(encoding, bytes, policy, Mode::Replacement);
    let (text, used) = (hex(decoded.text.bytes()), decoded.encoding.name());
    write!(lines, "D {} {bom} {} {text} {used} ", encoding.name(), hex(bytes.iter().copied()))?;
    write!(lines, "{} {}", u8::from(decoded.bom), decoded.errors.len())?;
    for error in decoded.errors {
        write!(lines, " {} {}", error.start, error.end)?;
    }
    Ok(writeln!(lines)?)
}

fn encoded(lines: &mut String, encoding: Encoding, units: &[u16]) -> Result<()> {
    let scalars = spec_model::scalar_values(units);
    let Some(encoded) = spec_model::encode(encoding, scalars.iter().copied(), EncodeMode::Html) else { return Ok(()) };
    let units = hex(units.iter().flat_map(|unit| unit.to_be_bytes()));
    write!(lines, "E {} {units} {} {}", encoding.name(), hex(encoded.bytes), encoded.errors.len())?;
    for (position, code_point) in encoded.errors {
        let index: usize = scalars[..position].iter().map(|scalar| scalar.len_utf16()).sum();
        write!(lines, " {index} {}", u32::from(code_point))?;
    }
    Ok(writeln!(lines)?)
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    let hex = bytes.into_iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}"); // infallible for a String
        hex
    });
    if hex.is_empty() { "-".to_owned() } else { hex }
}
