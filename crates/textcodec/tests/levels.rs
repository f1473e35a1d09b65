//! The parts of the API that choose the kernel level themselves: one-shot calls, `utf`.
//!
//! The test sets the level of the whole process, so it is the only one in its program.

use std::str::from_utf8;

use testkit::{
    levels,
    oracle::{self, Decoded},
    texts,
};
use textcodec::{Bom, DecodeOptions, Encoding, LATIN1, US_ASCII, Unmappable, utf};

#[test]
fn every_level_gives_the_same_results() {
    // `replacement` has an empty repertoire, so '?' is added.
    let repertoire = |encoding: Encoding| encoding.repertoire().flatten().chain(['?']).collect::<Vec<char>>();
    let repertoires: Vec<_> = Encoding::ALL.iter().map(|&encoding| (encoding, repertoire(encoding))).collect();
    for &level in levels() {
        level.make_best();
        let mut random = fastrand::Rng::with_seed(3);
        for len in (0..40).chain([63, 64, 65, 100, 200, 2000, 5000]) {
            for _ in 0..4 {
                forms(&mut random, len);
                for (encoding, repertoire) in &repertoires {
                    let text: String = (0..len).map(|_| repertoire[random.usize(..repertoire.len())]).collect();
                    one_shot(*encoding, &text, &mut random);
                }
            }
        }
    }
}

/// Returns random text of at least `len` bytes: characters of one range or of all, mixed with ASCII.
fn text(random: &mut fastrand::Rng, len: usize) -> String {
    let ranges =
        [0..0x80, 0x80..0x100, 0x80..0x800, 0x800..0xD800, 0xE000..0x1_0000, 0x1_0000..0x11_0000, 0..0x11_0000];
    let range = ranges[random.usize(..ranges.len())].clone();
    let (mut text, ascii) = (String::new(), random.u8(..8));
    while text.len() < len {
        let code_point = if random.u8(..8) < ascii { random.u32(..0x80) } else { random.u32(range.clone()) };
        text.extend(char::from_u32(code_point));
    }
    text
}

fn forms(random: &mut fastrand::Rng, len: usize) {
    let text = text(random, len);
    let bytes = if random.bool() { texts::damage(text.as_bytes(), random) } else { text.clone().into_bytes() };
    let valid = from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
    assert_eq!(utf::utf8_valid_up_to(&bytes), valid, "{bytes:02X?}");
    let ascii = bytes.iter().take_while(|byte| byte.is_ascii()).count();
    assert_eq!(utf::ascii_valid_up_to(&bytes), ascii, "{bytes:02X?}");

    let expected: Vec<u16> = from_utf8(&bytes[..valid]).unwrap().encode_utf16().collect();
    let mut units = vec![0; bytes.len()];
    let progress = utf::utf8_to_utf16(&bytes, &mut units);
    assert_eq!((progress.read, &units[..progress.written]), (valid, &expected[..]), "{bytes:02X?}");
    let capacity = random.usize(..=expected.len());
    let progress = utf::utf8_to_utf16(&bytes, &mut units[..capacity]);
    assert!(progress.written + 1 >= capacity, "capacity {capacity}: {bytes:02X?}");
    assert_eq!(units[..progress.written], expected[..progress.written]);
    let read = from_utf8(&bytes[..progress.read]).unwrap();
    assert_eq!(read.encode_utf16().count(), progress.written);

    let mut units: Vec<u16> = text.encode_utf16().collect();
    if random.bool() && !units.is_empty() {
        let at = random.usize(..units.len());
        units[at] = random.u16(0xD800..0xE000);
    }
    let well_formed: Vec<char> = char::decode_utf16(units.iter().copied()).map_while(Result::ok).collect();
    let valid = well_formed.iter().map(|c| c.len_utf16()).sum();
    let expected: String = well_formed.iter().collect();
    assert_eq!(utf::utf16_valid_up_to(&units), valid, "{units:04X?}");
    let mut bytes = vec![0; 3 * units.len()];
    let progress = utf::utf16_to_utf8(&units, &mut bytes);
    assert_eq!((progress.read, &bytes[..progress.written]), (valid, expected.as_bytes()), "{units:04X?}");
    let capacity = random.usize(..=expected.len());
    let progress = utf::utf16_to_utf8(&units, &mut bytes[..capacity]);
    assert!(progress.written + 3 >= capacity, "capacity {capacity}: {units:04X?}");
    assert!(expected.starts_with(from_utf8(&bytes[..progress.written]).unwrap()));

    latin1(&text, &units, random);
    utf32(&units, valid, &well_formed, random);
}

/// `units` are UTF-16, of which the first `valid` are `well_formed`.
fn utf32(units: &[u16], valid: usize, well_formed: &[char], random: &mut fastrand::Rng) {
    let mut code_points = vec![0; units.len()];
    let progress = utf::utf16_to_utf32(units, &mut code_points);
    code_points.truncate(progress.written);
    assert_eq!(progress.read, valid, "{units:04X?}");
    assert!(code_points.iter().copied().eq(well_formed.iter().map(|&c| u32::from(c))), "{units:04X?}");
    assert_eq!(utf::utf32_valid_up_to(&code_points), code_points.len());
    let mut back = vec![0; 2 * code_points.len()];
    let progress = utf::utf32_to_utf16(&code_points, &mut back);
    assert_eq!((progress.read, &back[..progress.written]), (code_points.len(), &units[..valid]), "{units:04X?}");
    if !code_points.is_empty() {
        let at = random.usize(..code_points.len());
        code_points[at] = random.u32(0xD800..0xE000);
        assert_eq!(utf::utf32_valid_up_to(&code_points), at);
        assert_eq!(utf::utf32_to_utf16(&code_points, &mut back).read, at);
    }
    let surrogate_free = units.iter().take_while(|&&unit| char::from_u32(unit.into()).is_some()).count();
    assert_eq!(utf::surrogate_free_up_to(units), surrogate_free, "{units:04X?}");
    assert_eq!(utf::max_unit(units), units.iter().copied().max().unwrap_or(0), "{units:04X?}");
}

fn latin1(text: &str, units: &[u16], random: &mut fastrand::Rng) {
    let dense = random.bool();
    let byte = |_| if dense || random.u8(..4) == 0 { random.u8(..) } else { random.u8(..0x80) };
    let bytes: Vec<u8> = (0..units.len()).map(byte).collect();
    let as_text: String = bytes.iter().copied().map(char::from).collect();
    let as_units: Vec<u16> = bytes.iter().copied().map(u16::from).collect();
    let (mut to_utf8, mut to_utf16) = (vec![0; 2 * bytes.len()], vec![0; bytes.len()]);
    assert_eq!(utf::latin1_to_utf8(&bytes, &mut to_utf8).written, as_text.len());
    assert_eq!(&to_utf8[..as_text.len()], as_text.as_bytes());
    assert_eq!(utf::latin1_to_utf16(&bytes, &mut to_utf16).read, bytes.len());
    assert_eq!(to_utf16, as_units);

    for text in [text, &as_text] {
        let expected: Vec<u8> = text.chars().map_while(|c| u8::try_from(c).ok()).collect();
        let mut back = vec![0; text.len()];
        let progress = utf::utf8_to_latin1(text, &mut back);
        assert_eq!(back[..progress.written], expected, "{text:?}");
        assert_eq!(text[..progress.read].chars().count(), progress.written);
    }
    for units in [units, &as_units] {
        let expected: Vec<u8> = units.iter().map_while(|&unit| u8::try_from(unit).ok()).collect();
        let mut back = vec![0; units.len()];
        let progress = utf::utf16_to_latin1(units, &mut back);
        assert_eq!((progress.read, &back[..progress.written]), (expected.len(), &expected[..]), "{units:04X?}");
    }
    assert_eq!(LATIN1.decode_with(&bytes, DecodeOptions::new().bom(Bom::Keep)).unwrap().text, as_text);
    assert_eq!(US_ASCII.decode_strict(&bytes).is_ok(), bytes.is_ascii());
}

fn one_shot(encoding: Encoding, text: &str, random: &mut fastrand::Rng) {
    let encoded = encoding.encode_with(text, Unmappable::Html).map_or(vec![0xFF], |encoded| encoded.bytes.into_owned());
    let bytes = if random.bool() { texts::damage(&encoded, random) } else { encoded };
    let (model, mut expected) = (oracle::encoding(encoding), Decoded::default());
    oracle::decode(&mut expected, model, &bytes, Bom::Sniff, false);
    let decoded = encoding.decode(&bytes);
    assert_eq!(decoded.text, expected.text, "{encoding}: {bytes:02X?}");
    assert_eq!(decoded.errors.count(), expected.errors.len() as u64, "{encoding}: {bytes:02X?}");
    let units = encoding.decode_to_utf16(&bytes);
    assert!(units.text.iter().copied().eq(expected.text.encode_utf16()), "{encoding}: {bytes:02X?}");

    let original: Vec<char> = text.chars().collect();
    if let Some(expected) = oracle::encode(model, &original)
        && encoding.output_encoding() == encoding
    {
        let html = encoding.encode_with(text, Unmappable::Html).unwrap();
        assert_eq!(*html.bytes, expected.html, "{encoding}: {text:?}");
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(
            *encoding.encode_from_utf16_with(&units, Unmappable::Html).unwrap().bytes,
            expected.html,
            "{encoding}: {text:?}"
        );
    }
}
