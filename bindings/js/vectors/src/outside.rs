//! Vectors of the encodings outside of the standard that have an algorithm.
//!
//! The result has `encodings` and `pool`, like the vectors of the standard's encodings. The models of `spec_model::outside` compute them. An
//! encoding has these members:
//!
//! - `name`, and `replacement`, a character that it can represent.
//! - `decode`, `encode` and `answers`: as in the standard's encodings.
//! - `texts`: input, text, and errors (pairs of offsets): random sequences of bytes that start, continue, end or interrupt characters, and
//!   text with errors.
//! - `strings`: code units, their bytes with `&#…;` for unmappable characters, errors (index in code units, code point), the bytes
//!   without these characters, and those with `replacement` in their place.

use spec_model::{
    Bom, EncodeMode, Encoding, Mode,
    outside::{BOUNDARIES, alphabet},
    scalar_values,
};

use crate::{
    decode::{self, error_ranges},
    encode,
    pool::{Pool, hex, list, object, string},
    random::Random,
};

/// Returns the vectors as JSON.
pub(crate) fn vectors() -> String {
    let mut pool = Pool::default();
    let encodings = Encoding::outside().map(|encoding| {
        object([
            ("name", string(encoding.name())),
            ("replacement", string(&replacement(encoding).to_string())),
            ("decode", grids(encoding, &mut pool)),
            ("texts", list([sequences(encoding, &mut pool), damaged(encoding, &mut pool)].concat())),
            ("encode", encode::blocks(encoding, &mut pool)),
            ("answers", encode::answers(encoding)),
            ("strings", list(strings(encoding, &mut pool))),
        ])
    });
    let encodings = list(encodings.collect::<Vec<_>>());
    object([("encodings", encodings), ("pool", pool.json())])
}

/// All strings of one byte, of two bytes, and of four parts.
fn grids(encoding: Encoding, pool: &mut Pool) -> String {
    let every: Vec<_> = (0..=0xFF).map(|byte| vec![byte]).collect();
    let parts: Vec<_> = alphabet(encoding.name()).iter().map(|part| part.to_vec()).collect();
    list([
        decode::grid(encoding, &every, 1, pool),
        decode::grid(encoding, &every, 2, pool),
        decode::grid(encoding, &parts, 4, pool),
    ])
}

fn vector(encoding: Encoding, bytes: &[u8], pool: &mut Pool) -> String {
    let decoded = spec_model::decode(encoding, bytes, Bom::Keep, Mode::Replacement);
    list([pool.index(hex(bytes.iter().copied())), pool.index(decoded.text), error_ranges(&decoded.errors)])
}

/// Random sequences of parts and of boundary bytes.
fn sequences(encoding: Encoding, pool: &mut Pool) -> Vec<String> {
    let mut random = Random::new(&format!("sequences of {}", encoding.name()));
    let alphabet = alphabet(encoding.name());
    let sequences = (0..1500).map(|number| {
        let length = 1 + random.below(10);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            match number % 3 {
                0 => bytes.push(random.of(BOUNDARIES)),
                _ => bytes.extend(random.of(alphabet)),
            }
        }
        vector(encoding, &bytes, pool)
    });
    sequences.collect()
}

/// Text with some bytes changed.
fn damaged(encoding: Encoding, pool: &mut Pool) -> Vec<String> {
    let mut random = Random::new(&format!("texts of {}", encoding.name()));
    let repertoire = encode::repertoire(encoding);
    let texts = (0..60).map(|number| {
        let length = 1 << random.below(10);
        let text: Vec<_> = (0..length).map(|_| random.of(&repertoire)).collect();
        let mut bytes = encode::bytes(encoding, &text);
        for _ in 0..random.below(1 + bytes.len() / 8) * (number % 3) {
            let at = random.below(bytes.len());
            bytes[at] = random.of(BOUNDARIES);
        }
        vector(encoding, &bytes, pool)
    });
    texts.collect()
}

/// Characters that change the state of an encoder, or are unmappable in some of the encodings.
const SPECIAL: &[char] = &[
    '+',
    '-',
    '&',
    '~',
    '/',
    'a',
    ' ',
    '\n',
    '\u{E}',
    '\u{F}',
    '\u{1B}',
    '\\',
    '{',
    'é',
    '€',
    'ㄱ',
    '가',
    '字',
    '\u{E5E5}',
    '\u{E78D}',
    '\u{FFFD}',
    '\u{1F600}',
    '\u{10FFFF}',
];

/// Encodes characters that may be unmappable.
fn encoded(encoding: Encoding, text: impl IntoIterator<Item = char>) -> spec_model::Encoded {
    spec_model::encode(encoding, text, EncodeMode::Html).expect("the encoding has an encoder")
}

/// Returns a character that is not ASCII and that an encoding can represent.
fn replacement(encoding: Encoding) -> char {
    let can_encode = |&character: &char| encoded(encoding, [character]).errors.is_empty();
    ['字', '가', 'é'].into_iter().find(can_encode).expect("each has one of these")
}

/// Random strings.
fn strings(encoding: Encoding, pool: &mut Pool) -> Vec<String> {
    let mut random = Random::new(&format!("strings of {}", encoding.name()));
    let repertoire = encode::repertoire(encoding);
    let replacement = replacement(encoding);
    let strings = (0..200).map(|number| {
        let length = random.below(if number < 180 { 12 } else { 1000 });
        let mut units = Vec::new();
        while units.len() < length {
            match random.below(8) {
                0 => units.push(0xD800 + random.below(0x800) as u16),
                1..4 => units.extend(random.of(SPECIAL).encode_utf16(&mut [0; 2]).iter()),
                _ => units.extend(random.of(&repertoire).encode_utf16(&mut [0; 2]).iter()),
            }
        }
        let scalars = scalar_values(&units);
        let html = encoded(encoding, scalars.iter().copied());
        // Unmappable characters change no state if nothing is written for them.
        let mut replaced_by = |other: Option<char>| {
            let is_unmappable = |at: usize| html.errors.iter().any(|&(position, _)| position == at);
            let text = scalars.iter().enumerate();
            let text = text.filter_map(|(at, &scalar)| if is_unmappable(at) { other } else { Some(scalar) });
            pool.index(hex(encoded(encoding, text).bytes))
        };
        let [skipped, replaced] = [None, Some(replacement)].map(&mut replaced_by);
        list([
            pool.index(encode::units_hex(&units)),
            pool.index(hex(html.bytes)),
            encode::error_list(&scalars, &html.errors),
            skipped,
            replaced,
        ])
    });
    strings.collect()
}
