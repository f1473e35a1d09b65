//! Sections 4.1, 9, 14.1 and 14.5: error modes, the single-byte encodings, replacement and x-user-defined.

use spec_model::{Bom, EncodeMode, Encoding, Mode, decode, encode};

use crate::{decodes, encode_fails, encodes};

#[test]
fn html_mode_writes_the_shortest_decimal_reference() {
    let encoded = encode(Encoding::WINDOWS_1252, "a\u{1F4A9}\u{100}b".chars(), EncodeMode::Html).unwrap();
    assert_eq!(encoded.bytes, b"a&#128169;&#256;b");
    assert_eq!(encoded.errors, [(1, '\u{1F4A9}'), (2, '\u{100}')]);
}

#[test]
fn html_mode_of_iso_2022_jp_writes_a_reference_to_u_fffd() {
    let encoded = encode(Encoding::ISO_2022_JP, "\u{1B}".chars(), EncodeMode::Html).unwrap();
    assert_eq!(encoded.bytes, b"&#65533;");
    assert_eq!(encoded.errors, [(0, '\u{FFFD}')]);
}

#[test]
fn three_encodings_have_no_encoder() {
    for &encoding in Encoding::all() {
        let without = [Encoding::REPLACEMENT, Encoding::UTF_16BE, Encoding::UTF_16LE].contains(&encoding);
        assert_eq!(encode(encoding, [], EncodeMode::Html).is_none(), without);
    }
}

#[test]
fn single_byte_decoder() {
    decodes(Encoding::WINDOWS_1253, "", "", &[]); // 1.
    decodes(Encoding::WINDOWS_1253, "00 7F", "\0\u{7F}", &[]); // 2.
    decodes(Encoding::WINDOWS_1253, "80 C1", "\u{20AC}\u{391}", &[]); // 3., 5.
    decodes(Encoding::WINDOWS_1253, "41 AA 41", "A\u{FFFD}A", &[1..2]); // 4.
}

#[test]
fn single_byte_encoder() {
    encodes(Encoding::WINDOWS_1253, "", ""); // 1.
    encodes(Encoding::WINDOWS_1253, "\0\u{7F}", "00 7F"); // 2.
    encodes(Encoding::WINDOWS_1253, "\u{20AC}\u{391}", "80 C1"); // 3., 5.
    encode_fails(Encoding::WINDOWS_1253, "A\u{AA}", "41", (1, '\u{AA}')); // 4.
}

#[test]
fn every_single_byte_encoding_preserves_ascii() {
    let ascii: Vec<u8> = (0..0x80).collect();
    for &encoding in Encoding::all().iter().filter(|encoding| encoding.is_single_byte()) {
        let decoded = decode(encoding, &ascii, Bom::Keep, Mode::Fatal);
        assert!(decoded.text.bytes().eq(0..0x80));
        assert_eq!(encode(encoding, decoded.text.chars(), EncodeMode::Fatal).unwrap().bytes, ascii);
    }
}

#[test]
fn replacement_decoder() {
    decodes(Encoding::REPLACEMENT, "", "", &[]); // 1.
    decodes(Encoding::REPLACEMENT, "41", "\u{FFFD}", &[0..1]); // 2., then 1.
    decodes(Encoding::REPLACEMENT, "1B 24 29 43", "\u{FFFD}", &[0..1]); // 2., then 3.
}

#[test]
fn x_user_defined() {
    decodes(Encoding::X_USER_DEFINED, "", "", &[]); // decoder, 1.
    decodes(Encoding::X_USER_DEFINED, "00 7F", "\0\u{7F}", &[]); // decoder, 2.
    decodes(Encoding::X_USER_DEFINED, "80 FF", "\u{F780}\u{F7FF}", &[]); // decoder, 3.
    encodes(Encoding::X_USER_DEFINED, "", ""); // encoder, 1.
    encodes(Encoding::X_USER_DEFINED, "\0\u{7F}", "00 7F"); // encoder, 2.
    encodes(Encoding::X_USER_DEFINED, "\u{F780}\u{F7FF}", "80 FF"); // encoder, 3.
    encode_fails(Encoding::X_USER_DEFINED, "\u{80}", "", (0, '\u{80}')); // encoder, 4.
}
