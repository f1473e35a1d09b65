//! Random inputs: bytes from small sets of boundary bytes, text of an encoding, and damaged text.

use std::collections::HashMap;

use fastrand::Rng;
use textcodec::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_16BE, UTF_16LE, Unmappable};

/// Boundary bytes of some encoding.
const INTERESTING: &[u8] =
    b"\x00\x0E\x0F\x1B $(@BIJ\x5C\x7E\x7F\x80\x81\x84\x87\x8E\x8F\x90\x95\x9F\xA0\xA1\xA8\xBC\xC0\xC2\
    \xC6\xC7\xC8\xD8\xDC\xE0\xE3\xED\xEF\xBB\xBF\xF0\xF4\xF5\xFC\xFD\xFE\xFF0129";

/// Escape sequences of ISO-2022-JP, parts of them, and other bytes.
const ESCAPES: &[&[u8]] =
    &[b"\x1B$B", b"\x1B$@", b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B", b"$", b"(", b"B", b"!!", b"\x80"];

/// Characters that some encoder treats specially.
const CHARACTERS: &[char] = &[
    '\u{E}',
    '\u{F}',
    '\u{1B}',
    '\\',
    '~',
    '¥',
    '‾',
    '−',
    '－',
    'ｱ',
    'ﾞ',
    '\u{80}',
    '\u{FFFD}',
    '\u{E5E5}',
    '€',
    'あ',
    '字',
    '한',
    'ж',
    '😀',
    '\u{10FFFF}',
    '\u{FEFF}',
    '\u{F780}',
    '\u{3000}',
    '═',
    '十',
    '\u{E7C7}',
    '\u{1E3F}',
    '\u{FFFF}',
];

/// Random text. Caches the repertoire of each encoding.
#[derive(Debug, Default)]
pub struct Texts {
    repertoires: HashMap<Encoding, Vec<char>>,
}

impl Texts {
    fn character(&mut self, encoding: Encoding, rng: &mut Rng) -> char {
        let of = |encoding: Encoding| encoding.repertoire().flatten().collect();
        let repertoire = self.repertoires.entry(encoding).or_insert_with(|| of(encoding));
        if repertoire.is_empty() { 'a' } else { repertoire[rng.usize(..repertoire.len())] }
    }

    /// Returns a random length, mostly short, sometimes longer than any kernel's block.
    pub(crate) fn len(rng: &mut Rng) -> usize {
        match rng.u8(..16) {
            0..=3 => rng.usize(..6),
            4..=10 => rng.usize(..40),
            11..=14 => rng.usize(..200),
            _ => rng.usize(..1200),
        }
    }

    /// Returns text in runs: ASCII, the encoding's repertoire, neighbouring code points, or any characters.
    pub(crate) fn text(&mut self, encoding: Encoding, rng: &mut Rng) -> String {
        let len = Self::len(rng);
        let mut text = String::new();
        while text.len() < len {
            let longest = [2, 8, 70][rng.usize(..3)];
            let run = rng.usize(1..=longest);
            match rng.u8(..10) {
                0..=2 => (0..run).for_each(|_| text.push(char::from(rng.u8(0x20..0x7F)))),
                3..=5 => (0..run).for_each(|_| text.push(self.character(encoding, rng))),
                6 | 7 => {
                    let first = u32::from(self.character(encoding, rng)) & !0x3F;
                    (0..run).for_each(|_| text.extend(char::from_u32(first + rng.u32(..0x40))));
                }
                8 => text.push(CHARACTERS[rng.usize(..CHARACTERS.len())]),
                _ => text.push(rng.char(..)),
            }
        }
        text
    }

    /// Returns UTF-16 that may be ill-formed.
    pub(crate) fn units(&mut self, encoding: Encoding, rng: &mut Rng) -> Vec<u16> {
        let mut units: Vec<u16> = self.text(encoding, rng).encode_utf16().collect();
        for _ in 0..[0, 0, 1, 2, 9][rng.usize(..5)] {
            units.insert(rng.usize(..=units.len()), rng.u16(0xD800..0xE000));
        }
        units
    }

    /// Returns bytes to decode, which may be malformed and may start with a byte order mark.
    pub(crate) fn bytes(&mut self, encoding: Encoding, rng: &mut Rng) -> Vec<u8> {
        let mut bytes: Vec<u8> = match rng.u8(..10) {
            0 => (0..Self::len(rng)).map(|_| rng.u8(..)).collect(),
            1 if encoding == ISO_2022_JP => {
                (0..rng.usize(..12)).flat_map(|_| ESCAPES[rng.usize(..ESCAPES.len())]).copied().collect()
            }
            1 => {
                let few: Vec<u8> = (0..rng.usize(1..6)).map(|_| INTERESTING[rng.usize(..INTERESTING.len())]).collect();
                (0..Self::len(rng)).map(|_| few[rng.usize(..few.len())]).collect()
            }
            2 => (0..Self::len(rng)).map(|_| INTERESTING[rng.usize(..INTERESTING.len())]).collect(),
            _ => Self::valid(encoding, &self.text(encoding, rng)),
        };
        for _ in 0..[0, 0, 1, 2, 5][rng.usize(..5)] {
            let at = rng.usize(..=bytes.len());
            match rng.u8(..5) {
                0 if at < bytes.len() => bytes[at] = INTERESTING[rng.usize(..INTERESTING.len())],
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(..8),
                3 => bytes.truncate(at),
                _ => bytes.insert(at, INTERESTING[rng.usize(..INTERESTING.len())]),
            }
        }
        let marks: [&[u8]; 6] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE", b"\xEF\xBB", b"\xEF", b"\xFE"];
        if rng.u8(..8) == 0 {
            bytes.splice(..0, marks[rng.usize(..marks.len())].iter().copied());
        }
        bytes
    }

    /// Encodes text. Skips unmappable characters.
    fn valid(encoding: Encoding, text: &str) -> Vec<u8> {
        match encoding {
            UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            REPLACEMENT => text.into(),
            _ => encoding.encode_with(text, Unmappable::Skip).map(|encoded| encoded.bytes.into()).unwrap_or_default(),
        }
    }
}
