//! All tables against the oracle.

use std::collections::BTreeMap;

use spec_model::Encoding;
use unicode_normalization::UnicodeNormalization as _;

use crate::{
    library::{Descriptor, Iconv},
    oracle::{self, EILSEQ},
};

/// Compares all encodings. Panics at the first difference.
pub(crate) fn run(library: &Iconv, quick: bool) {
    let mut total = 0;
    for &encoding in Encoding::all().iter().filter(|&&encoding| encoding != Encoding::REPLACEMENT) {
        // In iconv, KOI8-U is the table of glibc.
        let name = if encoding.name() == "KOI8-U" { "KOI8-RU" } else { encoding.name() };
        let mut decoder = library.open("UTF-8", name).unwrap_or_else(|| panic!("{name} is unknown"));
        let mut encoder = library.open(name, "UTF-8").unwrap_or_else(|| panic!("{name} is unknown"));
        let (sequences, readable) = decode_all(encoding, &mut decoder, quick);
        let characters = encode_all(encoding, &mut encoder, &mut decoder, &readable, quick);
        println!("{name}: {sequences} sequences, {characters} scalar values");
        total += sequences + characters;
    }
    println!("{total} conversions: all results equal the oracle's");
}

/// The characters that the decoder has, with the first sequence of each.
type Readable = BTreeMap<char, Vec<u8>>;

/// Compares how sequences of bytes are decoded. Returns their number, and the characters.
fn decode_all(encoding: Encoding, decoder: &mut Descriptor<'_>, quick: bool) -> (u64, Readable) {
    let mut count = 0;
    let mut readable = Readable::new();
    let mut compare = |bytes: &[u8]| {
        let expected = oracle::decode(encoding, bytes);
        let result = decoder.convert(bytes);
        let equal =
            result.bytes == expected.text.as_bytes() && result.read == expected.read && result.error == expected.error;
        assert!(equal, "{}: {bytes:02X?} gives {result:02X?} instead of {expected:?}", encoding.name());
        count += 1;
        let mut characters = expected.text.chars();
        // The decoder of GBK is that of gb18030, but other programs that read GBK do not know its four bytes.
        let is_written = encoding != Encoding::GBK || bytes.len() <= 2;
        if let (true, 0, Some(character), None) = (is_written, expected.error, characters.next(), characters.next()) {
            readable.entry(character).or_insert_with(|| bytes.to_vec());
        }
        expected.error
    };
    for first in 0..=255 {
        compare(&[first]);
    }
    if !encoding.is_single_byte() {
        for pair in (0..=u16::MAX).map(u16::to_be_bytes) {
            compare(&pair);
        }
        // In a quick run, a step that meets all values of each byte with some of the others. All of EUC-JP's three bytes, for
        // its characters.
        let step = if quick { 61 } else { 1 };
        for triple in (0..1_u32 << 24).step_by(step) {
            let [_, first, second, third] = triple.to_be_bytes();
            compare(&[first, second, third]);
        }
        if encoding == Encoding::EUC_JP && quick {
            for pair in (0..=u16::MAX).map(u16::to_be_bytes) {
                compare(&[0x8F, pair[0], pair[1]]);
            }
        }
    }
    if encoding == Encoding::GB18030 || encoding == Encoding::GBK {
        let step = if quick { 31 } else { 1 };
        for number in (0..128_u32 * 12 * 128 * 12).step_by(step) {
            // Each byte's range, and the bytes before and after it.
            let bytes = [
                0x80 + (number / (12 * 128 * 12)) as u8,
                0x2F + (number / (128 * 12) % 12) as u8,
                0x80 + (number / 12 % 128) as u8,
                0x2F + (number % 12) as u8,
            ];
            compare(&bytes);
        }
    }
    (count, readable)
}

/// Compares how scalar values are encoded. Returns their number.
fn encode_all(
    encoding: Encoding,
    encoder: &mut Descriptor<'_>,
    decoder: &mut Descriptor<'_>,
    readable: &Readable,
    quick: bool,
) -> u64 {
    let name = encoding.name();
    let mut count = 0;
    for character in '\0'..=char::MAX {
        if quick && character > '\u{2FFFF}' && !u32::from(character).is_multiple_of(251) {
            continue;
        }
        count += 1;
        let mut utf8 = [0; 4];
        let utf8 = character.encode_utf8(&mut utf8).as_bytes();
        let result = encoder.convert(utf8);
        let standard = oracle::encode(encoding, character);
        // What only the decoder has is written, too.
        if let Some(bytes) = standard.as_ref().or_else(|| readable.get(&character)) {
            let equal = result.error == 0 && result.read == utf8.len() && result.bytes == bytes;
            assert!(equal, "{name}: {character:?} gives {result:02X?} instead of {bytes:02X?}");
        } else if result.error == 0 {
            let read = oracle::decode(encoding, result.bytes).text;
            assert!(is_other_form(character, &read), "{name}: {character:?} is written as {read:?}");
        } else {
            let equal = result.error == EILSEQ && result.read == 0 && result.bytes.is_empty();
            assert!(equal, "{name}: {character:?} gives {result:02X?} instead of EILSEQ");
        }
        // The standard's encoder of ISO-2022-JP writes half-width katakana as full-width.
        let is_lost = encoding == Encoding::ISO_2022_JP && ('\u{FF61}'..='\u{FF9F}').contains(&character);
        if readable.contains_key(&character) && !is_lost {
            let bytes = result.bytes.to_vec();
            assert_eq!(decoder.convert(&bytes).bytes, utf8, "{name}: {character:?} is not read again");
        }
    }
    count
}

/// Returns whether text is equivalent to a character, or its full-width form. What iconv of glibc writes in another form is written,
/// too.
fn is_other_form(character: char, text: &str) -> bool {
    const FULL_WIDTH: [&str; 8] = ["¢￠", "£￡", "¥￥", "₩￦", "¬￢", "—―", "‖∥", "〜～"];

    FULL_WIDTH.contains(&format!("{character}{text}").as_str()) || text.nfc().eq(character.to_string().nfc())
}
