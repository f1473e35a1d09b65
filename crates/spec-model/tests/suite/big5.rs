//! Section 11: Big5, step by step.

use spec_model::Encoding;

use crate::{decodes, encode_fails, encodes};

const BIG5: Encoding = Encoding::BIG5;

#[test]
fn decoder_steps_1_and_2_end_of_queue() {
    decodes(BIG5, "41 81", "A\u{FFFD}", &[1..2]); // 1.
    decodes(BIG5, "", "", &[]); // 2.
    decodes(BIG5, "41", "A", &[]); // 2.
}

#[test]
fn decoder_step_3_trailing_byte() {
    decodes(BIG5, "A1 40 41", "\u{3000}A", &[]); // 3.
    decodes(BIG5, "A1 7E", "\u{FE5A}", &[]); // 3.1., 0x40
    decodes(BIG5, "A1 A1", "\u{FE5B}", &[]); // 3.1., 0x62
    decodes(BIG5, "FE FE", "\u{79D4}", &[]); // 3.2.
    decodes(BIG5, "A1 3F", "\u{FFFD}?", &[0..1]); // 3.2., not in the ranges
    decodes(BIG5, "A1 7F", "\u{FFFD}\u{7F}", &[0..1]); // 3.2., not in the ranges
    decodes(BIG5, "A1 80", "\u{FFFD}", &[0..2]); // 3.2., not in the ranges
    decodes(BIG5, "A1 A0", "\u{FFFD}", &[0..2]); // 3.2., not in the ranges
    decodes(BIG5, "A1 FF", "\u{FFFD}", &[0..2]); // 3.2., not in the ranges
    decodes(BIG5, "88 62", "\u{CA}\u{304}", &[]); // 3.3.
    decodes(BIG5, "88 64", "\u{CA}\u{30C}", &[]); // 3.3.
    decodes(BIG5, "88 A3", "\u{EA}\u{304}", &[]); // 3.3.
    decodes(BIG5, "88 A5", "\u{EA}\u{30C}", &[]); // 3.3.
    decodes(BIG5, "88 66", "\u{CA}", &[]); // 3.4., 3.5., between those rows
    decodes(BIG5, "87 40", "\u{43F0}", &[]); // 3.4., 3.5.
    decodes(BIG5, "81 40", "\u{FFFD}@", &[0..1]); // 3.6.
    decodes(BIG5, "81 FE 41", "\u{FFFD}A", &[0..2]); // 3.7.
}

#[test]
fn decoder_steps_4_to_6_leading_byte() {
    decodes(BIG5, "00 7F", "\0\u{7F}", &[]); // 4.
    decodes(BIG5, "FE 40", "\u{9442}", &[]); // 5.
    decodes(BIG5, "80 41", "\u{FFFD}A", &[0..1]); // 6.
    decodes(BIG5, "FF 41", "\u{FFFD}A", &[0..1]); // 6.
}

#[test]
fn encoder_steps_1_to_4() {
    encodes(BIG5, "", ""); // 1.
    encodes(BIG5, "\0\u{7F}", "00 7F"); // 2.
    encodes(BIG5, "\u{5341}", "A4 51"); // 3.
    encode_fails(BIG5, "a\u{43F0}", "61", (1, '\u{43F0}')); // 4., for it is in the HKSCS part
    encode_fails(BIG5, "a\u{80}", "61", (1, '\u{80}')); // 4.
    encode_fails(BIG5, "\u{CA}\u{304}", "", (0, '\u{CA}')); // 4.
}

#[test]
fn encoder_steps_5_to_8() {
    encodes(BIG5, "\u{3000}", "A1 40"); // 5., 6.
    encodes(BIG5, "\u{FE5A}", "A1 7E"); // 7., 0x40
    encodes(BIG5, "\u{FE5B}", "A1 A1"); // 7., 0x62
    encodes(BIG5, "\u{79D4}", "FE FE"); // 8.
    encodes(BIG5, "\u{200CC}", "C8 7A"); // 8., above U+FFFF
}
