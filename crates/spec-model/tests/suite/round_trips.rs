//! Encodes every scalar value with every encoder and decodes it again. Lists all asymmetries.

use spec_model::{Bom, Decoded, EncodeMode, Encoded, Encoding, Mode, decode_into, encode_into};

/// Returns the code point that `code_point` decodes to after it was encoded.
fn round_trip(encoding: Encoding, code_point: char) -> char {
    let u = u32::from(code_point);
    let japanese = [Encoding::EUC_JP, Encoding::ISO_2022_JP, Encoding::SHIFT_JIS].contains(&encoding);
    let chinese = [Encoding::GBK, Encoding::GB18030].contains(&encoding);
    match code_point {
        '\u{A5}' if japanese && encoding != Encoding::ISO_2022_JP => '\\',
        '\u{203E}' if japanese && encoding != Encoding::ISO_2022_JP => '~',
        '\u{2212}' if japanese => '\u{FF0D}',
        '\u{FF61}'..='\u{FF9F}' if encoding == Encoding::ISO_2022_JP => {
            spec_model::indexes::ISO_2022_JP_KATAKANA.code_point(u - 0xFF61).unwrap()
        }
        // GB18030-2022
        '\u{E78D}' if chinese => '\u{FE10}',
        '\u{E78E}' if chinese => '\u{FE12}',
        '\u{E78F}' if chinese => '\u{FE11}',
        '\u{E790}'..='\u{E796}' if chinese => char::from_u32(u - 0xE790 + 0xFE13).unwrap(),
        '\u{E81E}' if chinese => '\u{9FB4}',
        '\u{E826}' if chinese => '\u{9FB5}',
        '\u{E82B}' if chinese => '\u{9FB6}',
        '\u{E82C}' if chinese => '\u{9FB7}',
        '\u{E832}' if chinese => '\u{9FB8}',
        '\u{E843}' if chinese => '\u{9FB9}',
        '\u{E854}' if chinese => '\u{9FBA}',
        '\u{E864}' if chinese => '\u{9FBB}',
        _ => code_point,
    }
}

#[test]
fn every_encodable_scalar_value_round_trips() {
    let mut encoded = Encoded::default();
    let mut decoded = Decoded::default();
    for &encoding in Encoding::all().iter().filter(|encoding| encoding.encoder().is_some()) {
        for code_point in '\0'..=char::MAX {
            encode_into(&mut encoded, encoding, [code_point], EncodeMode::Fatal);
            if encoded.errors.is_empty() {
                decode_into(&mut decoded, encoding, &encoded.bytes, Bom::Keep, Mode::Fatal);
                assert_eq!(decoded.errors, [], "{} {code_point:?}", encoding.name());
                let expected = round_trip(encoding, code_point);
                assert!(decoded.text.chars().eq([expected]), "{} {code_point:?}: {:?}", encoding.name(), decoded.text);
            }
        }
    }
}
