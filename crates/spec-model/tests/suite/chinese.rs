//! Section 10: GBK and gb18030, step by step.

use spec_model::{EncodeMode, Encoding, encode};

use crate::{decodes, encode_fails, encodes};

/// Checks a case with gb18030 and with GBK, which decodes in the same way.
#[track_caller]
fn check(hex: &str, text: &str, errors: &[std::ops::Range<usize>]) {
    decodes(Encoding::GB18030, hex, text, errors);
    decodes(Encoding::GBK, hex, text, errors);
}

#[test]
fn decoder_steps_1_and_2_end_of_queue() {
    check("", "", &[]); // 1.
    check("41", "A", &[]); // 1.
    check("81", "\u{FFFD}", &[0..1]); // 2., first
    check("81 30", "\u{FFFD}", &[0..2]); // 2., second; an ASCII byte is masked
    check("81 30 81", "\u{FFFD}", &[0..3]); // 2., third
}

#[test]
fn decoder_step_3_fourth_byte() {
    check("81 30 81 21", "\u{FFFD}0\u{FFFD}!", &[0..1, 2..3]); // 3.1.: 0x81 becomes a new first byte
    check("81 30 81 3A", "\u{FFFD}0\u{FFFD}:", &[0..1, 2..3]); // 3.1.
    check("81 30 81 40", "\u{FFFD}0\u{4E02}", &[0..1]); // 3.1.
    check("81 30 81 81 30", "\u{FFFD}0\u{4E96}0", &[0..1]); // 3.1.
    check("81 30 81 30", "\u{80}", &[]); // 3.2., 3.5.
    check("84 31 A4 39", "\u{FFFF}", &[]); // 3.2., 3.5.
    check("90 30 81 30", "\u{10000}", &[]); // 3.2., 3.5.
    check("81 30 81 30 41", "\u{80}A", &[]); // 3.3.
    check("84 31 A5 30 41", "\u{FFFD}A", &[0..4]); // 3.4.
    check("FE 39 FE 39", "\u{FFFD}", &[0..4]); // 3.4.
}

#[test]
fn decoder_step_4_third_byte() {
    check("81 30 FE 30", "\u{0600}", &[]); // 4.1.
    check("81 30 21 21", "\u{FFFD}0!!", &[0..1]); // 4.2.
    check("81 30 80", "\u{FFFD}0\u{20AC}", &[0..1]); // 4.2.
    check("81 30 FF", "\u{FFFD}0\u{FFFD}", &[0..1, 2..3]); // 4.2.
}

#[test]
fn decoder_step_5_second_byte() {
    check("81 2F", "\u{FFFD}/", &[0..1]); // 5.1., not in the range
    check("81 3A", "\u{FFFD}:", &[0..1]); // 5.1., not in the range
    check("81 39 81 30", "\u{2E91}", &[]); // 5.1.
    check("81 40 41", "\u{4E02}A", &[]); // 5.2.
    check("81 7E", "\u{4E8A}", &[]); // 5.3., 0x40
    check("81 80", "\u{4E90}", &[]); // 5.3., 0x41
    check("81 7F", "\u{FFFD}\u{7F}", &[0..1]); // 5.4., not in the range
    check("81 FE", "\u{4FA2}", &[]); // 5.4.
    check("A3 A0", "\u{3000}", &[]); // 5.5., 5.6.
    check("81 21", "\u{FFFD}!", &[0..1]); // 5.7.
    check("81 FF 41", "\u{FFFD}A", &[0..2]); // 5.8.
}

#[test]
fn decoder_steps_6_to_9_first_byte() {
    check("00 7F", "\0\u{7F}", &[]); // 6.
    check("80", "\u{20AC}", &[]); // 7.
    check("FE 40", "\u{FA0C}", &[]); // 8.
    check("FF 41", "\u{FFFD}A", &[0..1]); // 9.
}

#[test]
fn encoder_steps_1_to_4() {
    encodes(Encoding::GB18030, "", ""); // 1.
    encodes(Encoding::GB18030, "\0\u{7F}", "00 7F"); // 2.
    encode_fails(Encoding::GB18030, "a\u{E5E5}b", "61", (1, '\u{E5E5}')); // 3.
    encode_fails(Encoding::GBK, "a\u{E5E5}b", "61", (1, '\u{E5E5}')); // 3.
    encodes(Encoding::GBK, "\u{20AC}", "80"); // 4.
    encodes(Encoding::GB18030, "\u{20AC}", "A2 E3"); // 4., not GBK
}

/// Step 5, which was added for GB18030-2022.
#[test]
fn encoder_step_5_keeps_the_bytes_of_18_private_use_code_points() {
    let table = [
        ('\u{E78D}', "A6 D9", '\u{FE10}'),
        ('\u{E78E}', "A6 DA", '\u{FE12}'),
        ('\u{E78F}', "A6 DB", '\u{FE11}'),
        ('\u{E790}', "A6 DC", '\u{FE13}'),
        ('\u{E791}', "A6 DD", '\u{FE14}'),
        ('\u{E792}', "A6 DE", '\u{FE15}'),
        ('\u{E793}', "A6 DF", '\u{FE16}'),
        ('\u{E794}', "A6 EC", '\u{FE17}'),
        ('\u{E795}', "A6 ED", '\u{FE18}'),
        ('\u{E796}', "A6 F3", '\u{FE19}'),
        ('\u{E81E}', "FE 59", '\u{9FB4}'),
        ('\u{E826}', "FE 61", '\u{9FB5}'),
        ('\u{E82B}', "FE 66", '\u{9FB6}'),
        ('\u{E82C}', "FE 67", '\u{9FB7}'),
        ('\u{E832}', "FE 6D", '\u{9FB8}'),
        ('\u{E843}', "FE 7E", '\u{9FB9}'),
        ('\u{E854}', "FE 90", '\u{9FBA}'),
        ('\u{E864}', "FE A0", '\u{9FBB}'),
    ];
    for (private_use, hex, successor) in table {
        for encoding in [Encoding::GBK, Encoding::GB18030] {
            encodes(encoding, &private_use.to_string(), hex);
            encodes(encoding, &successor.to_string(), hex);
            decodes(encoding, hex, &successor.to_string(), &[]);
        }
    }
}

/// "index gb18030 ranges is unchanged": the four-byte sequences still decode, but no longer round-trip.
#[test]
fn four_byte_sequences_of_the_18_code_points_still_decode() {
    check("84 31 82 36", "\u{FE10}", &[]);
    check("82 35 90 37", "\u{9FB4}", &[]);
}

#[test]
fn encoder_steps_6_to_8_two_bytes() {
    for encoding in [Encoding::GBK, Encoding::GB18030] {
        encodes(encoding, "\u{4E02}", "81 40"); // 6., 7.1., 7.2., 7.4.
        encodes(encoding, "\u{4E8A}", "81 7E"); // 7.3., 0x40
        encodes(encoding, "\u{4E90}", "81 80"); // 7.3., 0x41
        encodes(encoding, "\u{3000}", "A1 A1"); // 6., the first pointer
    }
    encode_fails(Encoding::GBK, "\u{4E02}\u{80}", "81 40", (1, '\u{80}')); // 8.
    encode_fails(Encoding::GBK, "\u{10FFFF}", "", (0, '\u{10FFFF}')); // 8.
}

#[test]
fn encoder_steps_9_to_16_four_bytes() {
    encodes(Encoding::GB18030, "\u{80}", "81 30 81 30"); // 9.
    encodes(Encoding::GB18030, "\u{E7C7}", "81 35 F4 37"); // 9.
    encodes(Encoding::GB18030, "\u{0600}", "81 30 FE 30"); // 14.
    encodes(Encoding::GB18030, "\u{2E91}", "81 39 81 30"); // 12., 13.
    encodes(Encoding::GB18030, "\u{FFFF}", "84 31 A4 39"); // 10., 11., 15.
    encodes(Encoding::GB18030, "\u{10FFFF}", "E3 32 9A 35"); // 16.
}

#[test]
fn gb18030_encodes_every_scalar_value_but_u_e5e5() {
    let all = ('\0'..=char::MAX).filter(|&code_point| code_point != '\u{E5E5}');
    assert_eq!(encode(Encoding::GB18030, all, EncodeMode::Fatal).unwrap().errors, []);
}
