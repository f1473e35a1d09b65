//! Sections 8 and 14.2 to 14.4: UTF-8 and UTF-16BE/LE.

use spec_model::{EncodeMode, Encoding, encode};

use crate::{decodes, encodes};

const UTF_8: Encoding = Encoding::UTF_8;
const UTF_16BE: Encoding = Encoding::UTF_16BE;
const UTF_16LE: Encoding = Encoding::UTF_16LE;

#[test]
fn utf_8_decoder_leading_byte() {
    decodes(UTF_8, "C2", "\u{FFFD}", &[0..1]); // 1.
    decodes(UTF_8, "F0 90 80", "\u{FFFD}", &[0..3]); // 1.
    decodes(UTF_8, "", "", &[]); // 2.
    decodes(UTF_8, "00 7F", "\0\u{7F}", &[]); // 3., 0x00 to 0x7F
    decodes(UTF_8, "C2 80 DF BF", "\u{80}\u{7FF}", &[]); // 3., 0xC2 to 0xDF
    decodes(UTF_8, "E0 A0 80 EF BF BF", "\u{800}\u{FFFF}", &[]); // 3., 0xE0 to 0xEF
    decodes(UTF_8, "F0 90 80 80 F4 8F BF BF", "\u{10000}\u{10FFFF}", &[]); // 3., 0xF0 to 0xF4
    decodes(UTF_8, "80 C0 C1 F5 FF", &"\u{FFFD}".repeat(5), &[0..1, 1..2, 2..3, 3..4, 4..5]); // 3., otherwise
}

#[test]
fn utf_8_decoder_boundaries() {
    decodes(UTF_8, "E0 9F 80", &"\u{FFFD}".repeat(3), &[0..1, 1..2, 2..3]); // 0xE0 to 0xEF, 1., then 4.
    decodes(UTF_8, "ED A0 80", &"\u{FFFD}".repeat(3), &[0..1, 1..2, 2..3]); // 0xE0 to 0xEF, 2., then 4.
    decodes(UTF_8, "ED 9F BF EE 80 80", "\u{D7FF}\u{E000}", &[]);
    decodes(UTF_8, "F0 8F 80 80", &"\u{FFFD}".repeat(4), &[0..1, 1..2, 2..3, 3..4]); // 0xF0 to 0xF4, 1., then 4.
    decodes(UTF_8, "F4 90 80 80", &"\u{FFFD}".repeat(4), &[0..1, 1..2, 2..3, 3..4]); // 0xF0 to 0xF4, 2., then 4.
    decodes(UTF_8, "E0 41 80", "\u{FFFD}A\u{FFFD}", &[0..1, 2..3]); // 4.1. resets the boundaries
    decodes(UTF_8, "E0 C3 80", "\u{FFFD}\u{C0}", &[0..1]); // 4.2.
    decodes(UTF_8, "E0 A0 C3 80", "\u{FFFD}\u{C0}", &[0..2]); // 4.2.
    decodes(UTF_8, "F1 80 80 41", "\u{FFFD}A", &[0..3]); // 4.2.
    decodes(UTF_8, "E0 A0 80 C3 80", "\u{800}\u{C0}", &[]); // 5.
}

#[test]
fn utf_8_encoder() {
    encodes(UTF_8, "", ""); // 1.
    encodes(UTF_8, "\0\u{7F}", "00 7F"); // 2.
    encodes(UTF_8, "\u{80}\u{7FF}", "C2 80 DF BF"); // 3., 1 and 0xC0
    encodes(UTF_8, "\u{800}\u{FFFF}", "E0 A0 80 EF BF BF"); // 3., 2 and 0xE0
    encodes(UTF_8, "\u{10000}\u{10FFFF}", "F0 90 80 80 F4 8F BF BF"); // 3., 3 and 0xF0
    let all: String = ('\0'..=char::MAX).collect();
    assert_eq!(encode(UTF_8, all.chars(), EncodeMode::Fatal).unwrap().bytes, all.as_bytes());
}

#[test]
fn utf_16le_decoder() {
    decodes(UTF_16LE, "41", "\u{FFFD}", &[0..1]); // 1.
    decodes(UTF_16LE, "00 D8", "\u{FFFD}", &[0..2]); // 1.
    decodes(UTF_16LE, "00 D8 00", "\u{FFFD}", &[0..3]); // 1.
    decodes(UTF_16LE, "", "", &[]); // 2.
    decodes(UTF_16LE, "41 00", "A", &[]); // 3., 4., 8.
    decodes(UTF_16LE, "00 D8 00 DC FF DB FF DF", "\u{10000}\u{10FFFF}", &[]); // 5.1.
    decodes(UTF_16LE, "00 D8 41 00", "\u{FFFD}A", &[0..2]); // 5.2. to 5.5.
    decodes(UTF_16LE, "00 D8 00 D8 00 DC", "\u{FFFD}\u{10000}", &[0..2]); // 5.5.: the next leading surrogate
    decodes(UTF_16LE, "00 DC 41 00", "\u{FFFD}A", &[0..2]); // 7.
    decodes(UTF_16LE, "FF D7 00 E0 FF FE", "\u{D7FF}\u{E000}\u{FEFF}", &[]); // 8.
}

#[test]
fn utf_16be_decoder() {
    decodes(UTF_16BE, "D8 00 00", "\u{FFFD}", &[0..3]); // 1.
    decodes(UTF_16BE, "00 41", "A", &[]); // 3., 4., 8.
    decodes(UTF_16BE, "D8 00 DC 00 DB FF DF FF", "\u{10000}\u{10FFFF}", &[]); // 5.1.
    decodes(UTF_16BE, "D8 00 00 41", "\u{FFFD}A", &[0..2]); // 5.2. to 5.5.
    decodes(UTF_16BE, "DC 00 00 41", "\u{FFFD}A", &[0..2]); // 7.
    decodes(UTF_16BE, "FE FF", "\u{FEFF}", &[]); // 8.
}
