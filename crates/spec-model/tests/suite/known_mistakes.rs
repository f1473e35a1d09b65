//! Known mistakes of real decoders and encoders.

use spec_model::{Encoding, web::TextDecoder, web::TextDecoderOptions};

use crate::{decodes, encode_fails, encodes};

#[test]
fn ascii_after_a_bad_trailing_byte_is_restored() {
    decodes(Encoding::BIG5, "81 40", "\u{FFFD}@", &[0..1]);
    decodes(Encoding::EUC_KR, "41 C7 41", "A\u{FFFD}A", &[1..2]);
    decodes(Encoding::GB18030, "81 30 21 21 21", "\u{FFFD}0!!!", &[0..1]);
    decodes(Encoding::GB18030, "81 30 21 21", "\u{FFFD}0!!", &[0..1]);
}

#[test]
fn four_pointers_of_big5_give_two_code_points() {
    decodes(Encoding::BIG5, "88 62 88 64", "\u{CA}\u{304}\u{CA}\u{30C}", &[]);
    decodes(Encoding::BIG5, "88 A3 88 A5", "\u{EA}\u{304}\u{EA}\u{30C}", &[]);
}

#[test]
fn gb18030_four_bytes() {
    for encoding in [Encoding::GB18030, Encoding::GBK] {
        decodes(encoding, "FF 39 FE 39", "\u{FFFD}9\u{FFFD}", &[0..1, 2..4]);
        decodes(encoding, "81 31", "\u{FFFD}", &[0..2]);
        decodes(encoding, "81 35 F4 37", "\u{E7C7}", &[]);
        decodes(encoding, "A8 BC", "\u{1E3F}", &[]);
        decodes(encoding, "84 31 A4 37", "\u{FFFD}", &[]);
        decodes(encoding, "84 31 A5 30", "\u{FFFD}", &[0..4]);
        decodes(encoding, "E3 32 9A 35", "\u{10FFFF}", &[]);
        decodes(encoding, "E3 32 9A 36", "\u{FFFD}", &[0..4]);
    }
}

#[test]
fn iso_2022_jp_escapes() {
    decodes(Encoding::ISO_2022_JP, "1B 24", "\u{FFFD}$", &[0..1]);
    let oddity = "1B 28 4A 5C 1B 28 42 1B 28 4A 5C 1B 28 42";
    decodes(Encoding::ISO_2022_JP, oddity, "\u{A5}\u{FFFD}\u{A5}", &[7..10]);
}

#[test]
fn euc_jp_8e_8e_is_one_error() {
    decodes(Encoding::EUC_JP, "8E 8E", "\u{FFFD}", &[0..2]);
}

#[test]
fn shift_jis_80_is_u_0080() {
    decodes(Encoding::SHIFT_JIS, "80", "\u{80}", &[]);
}

#[test]
fn single_byte_80_at_positions_1_to_33() {
    for &encoding in Encoding::all().iter().filter(|encoding| encoding.is_single_byte()) {
        let code_point = spec_model::indexes::single_byte(encoding).code_point(0).unwrap();
        for position in 1..=33 {
            let hex = "41 ".repeat(position) + "80";
            decodes(encoding, &hex, &("A".repeat(position) + &code_point.to_string()), &[]);
        }
    }
}

#[test]
fn windows_125x_decodes_c1_controls() {
    decodes(Encoding::WINDOWS_1252, "81 8D 8F 90 9D", "\u{81}\u{8D}\u{8F}\u{90}\u{9D}", &[]);
    decodes(Encoding::WINDOWS_1250, "81 83 88 90 98", "\u{81}\u{83}\u{88}\u{90}\u{98}", &[]);
    encodes(Encoding::WINDOWS_1252, "\u{81}\u{8D}\u{8F}\u{90}\u{9D}", "81 8D 8F 90 9D");
    encode_fails(Encoding::WINDOWS_1252, "\u{80}", "", (0, '\u{80}'));
}

#[test]
fn koi8_u_has_the_letter_short_u() {
    decodes(Encoding::KOI8_U, "AE BE", "\u{45E}\u{40E}", &[]);
    decodes(Encoding::KOI8_R, "AE BE", "\u{255D}\u{256C}", &[]);
}

#[test]
fn utf_8_maximal_subparts() {
    decodes(Encoding::UTF_8, "F0 90 80", "\u{FFFD}", &[0..3]);
    decodes(Encoding::UTF_8, "F0 80 80", "\u{FFFD}\u{FFFD}\u{FFFD}", &[0..1, 1..2, 2..3]);
    decodes(Encoding::UTF_8, "F0 C3 80 2A 2A", "\u{FFFD}\u{C0}**", &[0..1]);
}

#[test]
fn utf_16_cut_off_after_a_leading_surrogate_is_one_error() {
    decodes(Encoding::UTF_16LE, "00 D8 00", "\u{FFFD}", &[0..3]);
    decodes(Encoding::UTF_16BE, "D8 00 00", "\u{FFFD}", &[0..3]);
}

/// `decodes` passes an empty chunk at every split.
#[test]
fn empty_chunks_between_the_bytes_of_a_character() {
    for (encoding, hex, text) in [
        (Encoding::UTF_8, "C3 80", "\u{C0}"),
        (Encoding::GBK, "81 40", "\u{4E02}"),
        (Encoding::GB18030, "81 30 81 30", "\u{80}"),
        (Encoding::BIG5, "A1 40", "\u{3000}"),
        (Encoding::EUC_JP, "8F A2 AF", "\u{2D8}"),
        (Encoding::ISO_2022_JP, "1B 24 42 21 21", "\u{3000}"),
        (Encoding::SHIFT_JIS, "81 40", "\u{3000}"),
        (Encoding::EUC_KR, "81 41", "\u{AC02}"),
        (Encoding::UTF_16BE, "D8 00 DC 00", "\u{10000}"),
        (Encoding::UTF_16LE, "00 D8 00 DC", "\u{10000}"),
    ] {
        decodes(encoding, hex, text, &[]);
    }
}

#[test]
fn encoders() {
    encode_fails(Encoding::BIG5, "\u{43F0}", "", (0, '\u{43F0}'));
    for (text, hex) in [
        ("\u{2550}", "F9 F9"),
        ("\u{255E}", "F9 E9"),
        ("\u{2561}", "F9 EB"),
        ("\u{256A}", "F9 EA"),
        ("\u{5341}", "A4 51"),
        ("\u{5345}", "A4 CA"),
    ] {
        encodes(Encoding::BIG5, text, hex);
    }
    encodes(Encoding::SHIFT_JIS, "\u{7E8A}", "FA 5C");
    encode_fails(Encoding::EUC_JP, "\u{2D8}", "", (0, '\u{2D8}'));
    encode_fails(Encoding::GB18030, "\u{E5E5}", "", (0, '\u{E5E5}'));
    encodes(Encoding::SHIFT_JIS, "\u{2212}", "81 7C");
    encodes(Encoding::EUC_JP, "\u{2212}", "A1 DD");
    encodes(Encoding::ISO_2022_JP, "\u{2212}", "1B 24 42 21 5D 1B 28 42");
    for control in ["\u{E}", "\u{F}", "\u{1B}"] {
        encode_fails(Encoding::ISO_2022_JP, control, "", (0, '\u{FFFD}'));
    }
    encodes(Encoding::SHIFT_JIS, "\u{FF71}", "B1");
    encodes(Encoding::EUC_JP, "\u{FF71}", "8E B1");
    encodes(Encoding::ISO_2022_JP, "\u{FF71}", "1B 24 42 25 22 1B 28 42");
}

#[test]
fn reuse_after_the_end_equals_a_fresh_decoder() {
    for &encoding in Encoding::all().iter().filter(|&&encoding| encoding != Encoding::REPLACEMENT) {
        let mut decoder = TextDecoder::new(encoding.name(), TextDecoderOptions::default()).unwrap();
        for input in [&b"\xE0"[..], b"\x1B$B!", b"\x8F\xA1", b"\xEF\xBB\xBFa", b"\xFF\xFEa", b"ab"] {
            let mut fresh = TextDecoder::new(encoding.name(), TextDecoderOptions::default()).unwrap();
            let options = spec_model::web::TextDecodeOptions::default();
            assert_eq!(decoder.decode(Some(input), options), fresh.decode(Some(input), options));
        }
    }
}
