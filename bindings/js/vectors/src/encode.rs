//! Test vectors of the encoders.

use std::fmt::Write as _;

use spec_model::{EncodeMode, Encoding, scalar_values};

use crate::{
    decode::digit,
    pool::{Pool, hex, list},
    random::Random,
};

/// The tested blocks outside the BMP. Big5 is also tested with all other blocks of CJK Unified Ideographs Extension B.
const BLOCKS: [u32; 9] = [0x100, 0x1F6, 0x200, 0x2A6, 0x2FF, 0x300, 0xE00, 0xFFF, 0x10FF];

/// Returns the blocks of the BMP, and some blocks outside it.
pub(crate) fn blocks(encoding: Encoding, pool: &mut Pool) -> String {
    let mut numbers: Vec<u32> = (0..0x100).chain(BLOCKS).collect();
    if encoding == Encoding::BIG5 {
        numbers.extend(0x201..0x2A6);
    }
    let blocks = numbers.into_iter().map(|number| {
        let (mut bytes, mut lengths) = (Vec::new(), String::new());
        for code_point in number << 8..(number + 1) << 8 {
            let encoded = char::from_u32(code_point).and_then(|character| {
                let encoded = spec_model::encode(encoding, [character], EncodeMode::Fatal)?;
                encoded.errors.is_empty().then_some(encoded.bytes)
            });
            let encoded = encoded.unwrap_or_default();
            lengths.push(digit(encoded.len()));
            bytes.extend(encoded);
        }
        list([number.to_string(), pool.index(hex(bytes)), pool.index(lengths)])
    });
    list(blocks.collect::<Vec<_>>())
}

/// Returns the code points for which the encoder's error has a different code point.
pub(crate) fn answers(encoding: Encoding) -> String {
    let answers = ('\0'..='\u{FFFF}').filter_map(|character| {
        let errors = spec_model::encode(encoding, [character], EncodeMode::Fatal)?.errors;
        let &(_, answer) = errors.first()?;
        (answer != character).then(|| format!("[{},{}]", u32::from(character), u32::from(answer)))
    });
    list(answers.collect::<Vec<_>>())
}

/// Returns a sample of the characters that an encoding can represent.
pub(crate) fn repertoire(encoding: Encoding) -> Vec<char> {
    if encoding.encoder().is_none() || encoding == Encoding::UTF_8 {
        return "aZ0 \n\u{7F}\u{80}\u{E9}\u{7FF}\u{800}\u{20AC}\u{65E5}\u{672C}\u{D7FF}\u{E000}\u{FEFF}\u{FFFD}\u{FFFF}\u{10000}\u{1F600}\u{10FFFF}"
            .chars()
            .collect();
    }
    let characters = ('\0'..='\u{FFFF}').filter(|&character| {
        u32::from(character) % 7 == 0
            && spec_model::encode(encoding, [character], EncodeMode::Fatal)
                .is_some_and(|encoded| encoded.errors.is_empty())
    });
    characters.chain("a0\n\u{1F600}".chars().filter(|_| encoding != Encoding::X_USER_DEFINED)).collect()
}

/// Encodes characters. Supports UTF-16, for which the standard has no encoder.
pub(crate) fn bytes(encoding: Encoding, text: &[char]) -> Vec<u8> {
    let units = || text.iter().collect::<String>().encode_utf16().collect::<Vec<_>>();
    match encoding {
        Encoding::UTF_16BE => units().into_iter().flat_map(u16::to_be_bytes).collect(),
        Encoding::UTF_16LE => units().into_iter().flat_map(u16::to_le_bytes).collect(),
        _ => {
            let encoded = spec_model::encode(encoding, text.iter().copied(), EncodeMode::Html);
            encoded.expect("the encoding has an encoder").bytes
        }
    }
}

/// Returns random strings with unmappable characters and unpaired surrogates.
pub(crate) fn strings(encoding: Encoding, pool: &mut Pool) -> String {
    let mut random = Random::new(encoding.name());
    let repertoire = repertoire(encoding);
    let strings =
        (0..24).map(|number| {
            let length = 1 << random.below(if number < 16 { 5 } else { 10 });
            let mut units = Vec::new();
            while units.len() < length {
                match random.below(16) {
                    0 => units.push(0xD800 + random.below(0x800) as u16),
                    1 => units
                        .extend(random.of(&['\u{1F600}', '\u{20000}', '\u{10FFFF}']).encode_utf16(&mut [0; 2]).iter()),
                    2 => units
                        .push(random.of(&[0x0E, 0x0F, 0x1B, 0x5C, 0x7E, 0xA5, 0x203E, 0x2212, 0xE5E5, 0xF780, 0xFF61])),
                    3 => units.push(random.below(0xD800) as u16),
                    4 => units.extend((0..random.below(40)).map(|_| 0x20 + random.below(0x5F) as u16)),
                    _ => units.extend(random.of(&repertoire).encode_utf16(&mut [0; 2]).iter()),
                }
            }
            let scalars = scalar_values(&units);
            let encoded = spec_model::encode(encoding, scalars.iter().copied(), EncodeMode::Html)
                .expect("the encoding has an encoder");
            list([pool.index(units_hex(&units)), pool.index(hex(encoded.bytes)), error_list(&scalars, &encoded.errors)])
        });
    list(strings.collect::<Vec<_>>())
}

/// Returns code units as hexadecimal digits.
pub(crate) fn units_hex(units: &[u16]) -> String {
    units.iter().fold(String::new(), |mut hex, unit| {
        let _ = write!(hex, "{unit:04x}"); // infallible for a String
        hex
    })
}

/// Returns errors as JSON, with indexes in code units.
pub(crate) fn error_list(scalars: &[char], errors: &[(usize, char)]) -> String {
    list(errors.iter().map(|&(position, code_point)| {
        let index: usize = scalars[..position].iter().map(|scalar| scalar.len_utf16()).sum();
        format!("[{index},{}]", u32::from(code_point))
    }))
}
