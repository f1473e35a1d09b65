//! Random inputs.

use std::ops::Range;

use fastrand::Rng;

use crate::trio::Trio;

/// Boundary bytes of some encoding.
const INTERESTING: &[u8] =
    b"\x00\x0E\x0F\x1B $(@BIJ\x5C\x7E\x7F\x80\x81\x84\x87\x8E\x8F\x90\x95\x9F\xA0\xA1\xA8\xBC\xC0\xC2\
    \xC6\xC7\xC8\xD8\xDC\xE0\xE3\xED\xEF\xBB\xBF\xF0\xF4\xF5\xFC\xFD\xFE\xFF0129";

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

/// Random text for an encoding.
#[derive(Debug)]
pub(crate) struct Texts {
    trio: Trio,
    repertoire: Vec<char>,
}

impl Texts {
    /// Creates random text for an encoding.
    pub(crate) fn new(trio: Trio) -> Self {
        Self { trio, repertoire: trio.library.output_encoding().repertoire().flatten().collect() }
    }

    fn len(rng: &mut Rng) -> usize {
        match rng.u8(..8) {
            0 => rng.usize(..6),
            1..=5 => rng.usize(..40),
            6 => rng.usize(..120),
            _ => rng.usize(..300),
        }
    }

    /// Returns text that is mostly in the encoding's repertoire, with runs of ASCII and of other characters.
    pub(crate) fn text(&self, rng: &mut Rng) -> String {
        let len = Self::len(rng);
        let mut text = String::new();
        while text.len() < len {
            let run = rng.usize(1..=24);
            match rng.u8(..8) {
                0..=2 => (0..run).for_each(|_| text.push(char::from(rng.u8(0x20..0x7F)))),
                3..=5 => (0..run).for_each(|_| text.push(self.repertoire[rng.usize(..self.repertoire.len())])),
                6 => text.push(CHARACTERS[rng.usize(..CHARACTERS.len())]),
                _ => text.push(rng.char(..)),
            }
        }
        text
    }

    /// Returns UTF-16 that may be ill-formed.
    pub(crate) fn units(&self, rng: &mut Rng) -> Vec<u16> {
        let mut units: Vec<u16> = self.text(rng).encode_utf16().collect();
        for _ in 0..rng.usize(..3) {
            units.insert(rng.usize(..=units.len()), rng.u16(0xD800..0xE000));
        }
        units
    }

    /// Returns bytes to decode, which may be malformed and may start with a byte order mark.
    pub(crate) fn bytes(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = match rng.u8(..8) {
            0 => (0..Self::len(rng)).map(|_| rng.u8(..)).collect(),
            1 => (0..Self::len(rng)).map(|_| INTERESTING[rng.usize(..INTERESTING.len())]).collect(),
            _ => {
                let text = self.text(rng);
                match self.trio.library {
                    textcodec::UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                    textcodec::UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                    _ => self.trio.witness.encode(&text).0.into_owned(),
                }
            }
        };
        for _ in 0..rng.usize(..4) {
            let at = rng.usize(..=bytes.len());
            match rng.u8(..4) {
                0 if at < bytes.len() => bytes[at] = INTERESTING[rng.usize(..INTERESTING.len())],
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(..8),
                _ => bytes.insert(at, INTERESTING[rng.usize(..INTERESTING.len())]),
            }
        }
        let mark: &[u8] = match rng.u8(..16) {
            0 => b"\xEF\xBB\xBF",
            1 => b"\xFE\xFF",
            2 => b"\xFF\xFE",
            _ => b"",
        };
        [mark, &bytes].concat()
    }
}

/// Cuts a length into random chunks, some of which may be empty.
pub(crate) fn chunks(len: usize, rng: &mut Rng) -> Vec<Range<usize>> {
    let longest = [1, 2, 3, 8, 40, 400][rng.usize(..6)];
    let (mut chunks, mut from) = (Vec::new(), 0);
    while from < len {
        let to = (from + rng.usize(..=longest)).min(len);
        chunks.push(from..to);
        from = to;
    }
    if chunks.is_empty() || rng.bool() {
        chunks.push(len..len);
    }
    chunks
}
