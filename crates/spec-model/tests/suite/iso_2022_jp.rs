//! Section 12.2: ISO-2022-JP, row by row and step by step.

use std::ops::Range;

use spec_model::{EncodeMode, Encoding, encode};

use crate::{bytes, decodes, encode_fails, encodes};

const ISO_2022_JP: Encoding = Encoding::ISO_2022_JP;

#[track_caller]
fn check(hex: &str, text: &str, errors: &[Range<usize>]) {
    decodes(ISO_2022_JP, hex, text, errors);
}

#[test]
fn decoder_ascii() {
    check("1B 28 42 41", "A", &[]); // 0x1B
    check("00 0D 10 1A 1C 5C 7E 7F", "\0\r\x10\x1A\x1C\\~\x7F", &[]); // 0x00 to 0x7F, excluding 0x0E, 0x0F, and 0x1B
    check("1B 28 42 41 1B 28 42", "A", &[]); // the same sets "output" to false
    check("", "", &[]); // end-of-queue
    check("0E 41", "\u{FFFD}A", &[0..1]); // otherwise
    check("0F 41", "\u{FFFD}A", &[0..1]); // otherwise
    check("80 FF", "\u{FFFD}\u{FFFD}", &[0..1, 1..2]); // otherwise
    check("1B 28 42 80 1B 28 42", "\u{FFFD}", &[3..4]); // the same sets "output" to false
}

#[test]
fn decoder_roman() {
    check("1B 28 4A 5C 1B 28 42 5C", "\u{A5}\\", &[]); // 0x1B
    check("1B 28 4A 5C", "\u{A5}", &[]); // 0x5C
    check("1B 28 4A 5C 1B 28 4A", "\u{A5}", &[]); // the same sets "output" to false
    check("1B 28 4A 7E", "\u{203E}", &[]); // 0x7E
    check("1B 28 4A 7E 1B 28 4A", "\u{203E}", &[]); // the same sets "output" to false
    check("1B 28 4A 00 41 7F", "\0A\u{7F}", &[]); // 0x00 to 0x7F, excluding 0x0E, 0x0F, 0x1B, 0x5C, and 0x7E
    check("1B 28 4A 41 1B 28 4A", "A", &[]); // the same sets "output" to false
    check("1B 28 4A", "", &[]); // end-of-queue
    check("1B 28 4A 0E 0F 80", "\u{FFFD}\u{FFFD}\u{FFFD}", &[3..4, 4..5, 5..6]); // otherwise
    check("1B 28 4A 80 1B 28 4A", "\u{FFFD}", &[3..4]); // the same sets "output" to false
}

#[test]
fn decoder_katakana() {
    check("1B 28 49 21 1B 28 42 21", "\u{FF61}!", &[]); // 0x1B
    check("1B 28 49 21 5F", "\u{FF61}\u{FF9F}", &[]); // 0x21 to 0x5F
    check("1B 28 49 21 1B 28 49", "\u{FF61}", &[]); // the same sets "output" to false
    check("1B 28 49", "", &[]); // end-of-queue
    check("1B 28 49 20 60 0A", "\u{FFFD}\u{FFFD}\u{FFFD}", &[3..4, 4..5, 5..6]); // otherwise
    check("1B 28 49 20 1B 28 49", "\u{FFFD}", &[3..4]); // the same sets "output" to false
}

#[test]
fn decoder_leading_byte() {
    check("1B 24 42 21 21 1B 28 42 21", "\u{3000}!", &[]); // 0x1B
    check("1B 24 42 21 21 21 22", "\u{3000}\u{3001}", &[]); // 0x21 to 0x7E
    check("1B 24 42 21 21 1B 24 42", "\u{3000}", &[]); // the same sets "output" to false
    check("1B 24 42", "", &[]); // end-of-queue
    check("1B 24 42 20 7F 0A", "\u{FFFD}\u{FFFD}\u{FFFD}", &[3..4, 4..5, 5..6]); // otherwise
    check("1B 24 42 0A 1B 24 42", "\u{FFFD}", &[3..4]); // the same sets "output" to false
}

#[test]
fn decoder_trailing_byte() {
    check("1B 24 42 21 1B 28 42 41", "\u{FFFD}A", &[3..4]); // 0x1B
    check("1B 24 42 21 1B 24", "\u{FFFD}\u{FFFD}\u{FFFD}", &[3..4, 4..5, 5..6]); // 0x1B, then a failing escape
    check("1B 24 42 21 1B 41 41", "\u{FFFD}\u{FFFD}\u{758F}", &[3..4, 4..5]); // the output state is still leading byte
    check("1B 24 42 21 21 21 22", "\u{3000}\u{3001}", &[]); // 0x21 to 0x7E, 1.
    check("1B 24 42 7E 7E", "\u{FFFD}", &[3..5]); // 2., 4.
    check("1B 24 42 29 21 21 21", "\u{FFFD}\u{3000}", &[3..5]); // 3., 4.
    check("1B 24 42 30 21", "\u{4E9C}", &[]); // 5.
    check("1B 24 42 21", "\u{FFFD}", &[3..4]); // end-of-queue
    check("1B 24 42 21 0A 21 21", "\u{FFFD}\u{3000}", &[3..5]); // otherwise; 0x0A is masked
    check("1B 24 42 21 80 21 21", "\u{FFFD}\u{3000}", &[3..5]); // otherwise
}

#[test]
fn decoder_escape_start() {
    check("1B 24 42 21 21", "\u{3000}", &[]); // 1., 0x24
    check("1B 28 42 21", "!", &[]); // 1., 0x28
    check("1B 41", "\u{FFFD}A", &[0..1]); // 2.
    check("1B", "\u{FFFD}", &[0..1]); // 2., end-of-queue
    check("1B 1B 28 4A 5C", "\u{FFFD}\u{A5}", &[0..1]); // 2., an escape byte
    check("1B 28 42 1B 1B 28 42", "\u{FFFD}", &[3..4]); // 3., "output" is false
    check("1B 28 49 1B 21", "\u{FFFD}\u{FF61}", &[3..4]); // 3., the state is the output state
}

#[test]
fn decoder_escape() {
    check("1B 28 4A 5C 1B 28 42 5C", "\u{A5}\\", &[]); // 3.
    check("1B 28 4A 5C", "\u{A5}", &[]); // 4.
    check("1B 28 49 5C", "\u{FF9C}", &[]); // 5.
    check("1B 24 40 21 21", "\u{3000}", &[]); // 6., 0x40
    check("1B 24 42 21 21", "\u{3000}", &[]); // 6., 0x42
    check("1B 24 42 1B 21 21", "\u{FFFD}\u{3000}", &[3..4]); // 7.1., the output state
    check("1B 28 42 1B 28 42 41", "\u{FFFD}A", &[3..6]); // 7.2. to 7.4.
    check("1B 28 42 1B 24 42 1B 28 42", "\u{FFFD}\u{FFFD}", &[3..6, 6..9]); // 7.3., "output" stays true
    check("1B 28 41", "\u{FFFD}(A", &[0..1]); // 8.
    check("1B 28", "\u{FFFD}(", &[0..1]); // 8., end-of-queue
    check("1B 24", "\u{FFFD}$", &[0..1]); // 8., end-of-queue
    check("1B 24 4A", "\u{FFFD}$J", &[0..1]); // 8.
    check("1B 24 1B 28 4A 5C", "\u{FFFD}$\u{A5}", &[0..1]); // 8., an escape byte
    check("1B 28 49 1B 28 21", "\u{FFFD}\u{FF68}\u{FF61}", &[3..4]); // 9., the state is the output state
    check("1B 24 42 1B 24 28 42", "\u{FFFD}\u{3048}\u{FFFD}", &[3..4, 6..7]); // 9., the same: 0x24 0x28 is a pair here
}

#[test]
fn encoder_steps_1_and_2_end_of_queue() {
    encodes(ISO_2022_JP, "\u{A5}", "1B 28 4A 5C 1B 28 42"); // 1., Roman
    encodes(ISO_2022_JP, "\u{3000}", "1B 24 42 21 21 1B 28 42"); // 1., jis0208
    encodes(ISO_2022_JP, "", ""); // 2.
}

#[test]
fn encoder_steps_3_and_4_ascii() {
    for control in ["\u{E}", "\u{F}", "\u{1B}"] {
        encode_fails(ISO_2022_JP, &format!("a{control}"), "61", (1, '\u{FFFD}')); // 3., ASCII
        encode_fails(ISO_2022_JP, &format!("\u{A5}{control}"), "1B 28 4A 5C", (1, '\u{FFFD}')); // 3., Roman
        let text = format!("\u{3000}{control}");
        encode_fails(ISO_2022_JP, &text, "1B 24 42 21 21 1B 28 42", (1, '\u{FFFD}')); // 6., then 3.
    }
    encodes(ISO_2022_JP, "\0\\~\u{7F}", "00 5C 7E 7F"); // 4.
}

#[test]
fn encoder_step_5_roman() {
    encodes(ISO_2022_JP, "\u{A5}A", "1B 28 4A 5C 41 1B 28 42"); // 5.1.
    encodes(ISO_2022_JP, "\u{203E}\u{A5}", "1B 28 4A 7E 5C 1B 28 42"); // 5.2.
    encodes(ISO_2022_JP, "\u{A5}\u{203E}", "1B 28 4A 5C 7E 1B 28 42"); // 5.3.
}

#[test]
fn encoder_steps_6_and_7_escapes() {
    encodes(ISO_2022_JP, "\u{A5}\\", "1B 28 4A 5C 1B 28 42 5C"); // 6., Roman
    encodes(ISO_2022_JP, "\u{A5}~", "1B 28 4A 5C 1B 28 42 7E"); // 6., Roman
    encodes(ISO_2022_JP, "\u{3000}A", "1B 24 42 21 21 1B 28 42 41"); // 6., jis0208
    encodes(ISO_2022_JP, "A\u{203E}", "41 1B 28 4A 7E 1B 28 42"); // 7., ASCII
    encodes(ISO_2022_JP, "\u{3000}\u{A5}", "1B 24 42 21 21 1B 28 4A 5C 1B 28 42"); // 7., jis0208
}

#[test]
fn encoder_steps_8_to_10_pointer() {
    encodes(ISO_2022_JP, "\u{2212}", "1B 24 42 21 5D 1B 28 42"); // 8.
    encodes(ISO_2022_JP, "\u{FF0D}", "1B 24 42 21 5D 1B 28 42"); // 10.
    encodes(ISO_2022_JP, "\u{FF61}\u{FF9F}", "1B 24 42 21 23 21 2C 1B 28 42"); // 9.
}

#[test]
fn encoder_step_11_no_pointer() {
    encode_fails(ISO_2022_JP, "\u{3000}\u{80}", "1B 24 42 21 21 1B 28 42", (1, '\u{80}')); // 11.1.
    encode_fails(ISO_2022_JP, "a\u{80}", "61", (1, '\u{80}')); // 11.2., ASCII
    encode_fails(ISO_2022_JP, "\u{A5}\u{80}", "1B 28 4A 5C", (1, '\u{80}')); // 11.2., Roman
    let encoded = encode(ISO_2022_JP, "\u{3000}\u{1F4A9}\u{3000}".chars(), EncodeMode::Html).unwrap();
    let mut html = bytes("1B 24 42 21 21 1B 28 42");
    html.extend(b"&#128169;");
    html.extend(bytes("1B 24 42 21 21 1B 28 42"));
    assert_eq!(encoded.bytes, html); // 11.1.
    assert_eq!(encoded.errors, [(1, '\u{1F4A9}')]);
}

#[test]
fn encoder_steps_12_to_15_two_bytes() {
    encodes(ISO_2022_JP, "A\u{3001}", "41 1B 24 42 21 22 1B 28 42"); // 12., ASCII
    encodes(ISO_2022_JP, "\u{A5}\u{3001}", "1B 28 4A 5C 1B 24 42 21 22 1B 28 42"); // 12., Roman
    encodes(ISO_2022_JP, "\u{3000}\u{4E9C}", "1B 24 42 21 21 30 21 1B 28 42"); // 13. to 15.
}

/// The standard's example "iso-2022-jp-encoder-oddity".
#[test]
fn concatenated_outputs_decode_with_an_error() {
    encodes(ISO_2022_JP, "\u{A5}", "1B 28 4A 5C 1B 28 42");
    check("1B 28 4A 5C 1B 28 42 1B 28 4A 5C 1B 28 42", "\u{A5}\u{FFFD}\u{A5}", &[7..10]);
}

/// The note "pit-of-iso-2022-jp" in section 6: an error can occur in two states.
#[test]
fn encode_or_fail_continues_in_the_roman_state() {
    let mut encoder = spec_model::hooks::get_an_encoder(ISO_2022_JP);
    let mut input = spec_model::io_queue::IoQueue::from_list("\u{A5}\u{1F4A9}\\".chars());
    let mut output = spec_model::io_queue::IoQueue::new();
    let error = spec_model::hooks::encode_or_fail(&mut input, &mut encoder, &mut output);
    assert_eq!(error, Some(0x1_F4A9));
    assert_eq!(output.to_list(), bytes("1B 28 4A 5C"));
    let mut output = spec_model::io_queue::IoQueue::new();
    assert_eq!(spec_model::hooks::encode_or_fail(&mut input, &mut encoder, &mut output), None);
    assert_eq!(output.to_list(), bytes("1B 28 42 5C"));
}
