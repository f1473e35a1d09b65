//! Sections 12.1, 12.3 and 13: EUC-JP, Shift_JIS and EUC-KR, step by step.

use spec_model::Encoding;

use crate::{decodes, encode_fails, encodes};

const EUC_JP: Encoding = Encoding::EUC_JP;
const SHIFT_JIS: Encoding = Encoding::SHIFT_JIS;
const EUC_KR: Encoding = Encoding::EUC_KR;

#[test]
fn euc_jp_decoder() {
    decodes(EUC_JP, "A1", "\u{FFFD}", &[0..1]); // 1.
    decodes(EUC_JP, "8F", "\u{FFFD}", &[0..1]); // 1.
    decodes(EUC_JP, "8F A1", "\u{FFFD}", &[0..2]); // 1.
    decodes(EUC_JP, "", "", &[]); // 2.
    decodes(EUC_JP, "8E A1 8E DF", "\u{FF61}\u{FF9F}", &[]); // 3.
    decodes(EUC_JP, "8F A2 AF", "\u{2D8}", &[]); // 4.
    decodes(EUC_JP, "A1 A1 41", "\u{3000}A", &[]); // 5.
    decodes(EUC_JP, "8E E0", "\u{FFFD}", &[0..2]); // 5.1.
    decodes(EUC_JP, "8F 8E", "\u{FFFD}", &[0..2]); // 5.1.
    decodes(EUC_JP, "A1 A0", "\u{FFFD}", &[0..2]); // 5.2.
    decodes(EUC_JP, "8F A2 AF A1 A1", "\u{2D8}\u{3000}", &[]); // 5.3.
    decodes(EUC_JP, "8F A1 A1 A1 A1", "\u{FFFD}\u{3000}", &[0..3]); // 5.3.
    decodes(EUC_JP, "B0 A1", "\u{4E9C}", &[]); // 5.4.
    decodes(EUC_JP, "8F A2 41", "\u{FFFD}A", &[0..2]); // 5.5.
    decodes(EUC_JP, "8E 41", "\u{FFFD}A", &[0..1]); // 5.5.
    decodes(EUC_JP, "A9 A1 41", "\u{FFFD}A", &[0..2]); // 5.6.
    decodes(EUC_JP, "00 5C 7E 7F", "\0\\~\u{7F}", &[]); // 6.
    decodes(EUC_JP, "FE 41", "\u{FFFD}A", &[0..1]); // 7.
    decodes(EUC_JP, "80 41", "\u{FFFD}A", &[0..1]); // 8.
    decodes(EUC_JP, "8D A0 FF", "\u{FFFD}\u{FFFD}\u{FFFD}", &[0..1, 1..2, 2..3]); // 8.
}

#[test]
fn euc_jp_encoder() {
    encodes(EUC_JP, "", ""); // 1.
    encodes(EUC_JP, "\0\\~\u{7F}", "00 5C 7E 7F"); // 2.
    encodes(EUC_JP, "\u{A5}", "5C"); // 3.
    encodes(EUC_JP, "\u{203E}", "7E"); // 4.
    encodes(EUC_JP, "\u{FF61}\u{FF9F}", "8E A1 8E DF"); // 5.
    encodes(EUC_JP, "\u{2212}", "A1 DD"); // 6.
    encodes(EUC_JP, "\u{FF0D}", "A1 DD"); // 7.
    encode_fails(EUC_JP, "a\u{2D8}", "61", (1, '\u{2D8}')); // 8.: JIS X 0212 is for decoding only
    encodes(EUC_JP, "\u{3000}\u{4E9C}", "A1 A1 B0 A1"); // 9. to 11.
}

#[test]
fn shift_jis_decoder() {
    decodes(SHIFT_JIS, "81", "\u{FFFD}", &[0..1]); // 1.
    decodes(SHIFT_JIS, "", "", &[]); // 2.
    decodes(SHIFT_JIS, "81 40 41", "\u{3000}A", &[]); // 3.
    decodes(SHIFT_JIS, "81 7E", "\u{D7}", &[]); // 3.1., 0x40
    decodes(SHIFT_JIS, "81 80", "\u{F7}", &[]); // 3.1., 0x41
    decodes(SHIFT_JIS, "9F FC", "\u{6ECC}", &[]); // 3.2., 0x81
    decodes(SHIFT_JIS, "E0 40", "\u{6F3E}", &[]); // 3.2., 0xC1
    decodes(SHIFT_JIS, "81 7F", "\u{FFFD}\u{7F}", &[0..1]); // 3.3., not in the ranges
    decodes(SHIFT_JIS, "81 FD", "\u{FFFD}", &[0..2]); // 3.3., not in the ranges
    decodes(SHIFT_JIS, "F0 40 F9 FC", "\u{E000}\u{E757}", &[]); // 3.4.
    decodes(SHIFT_JIS, "FA 40", "\u{2170}", &[]); // 3.4., above the range
    decodes(SHIFT_JIS, "82 A0", "\u{3042}", &[]); // 3.5., 3.6.
    decodes(SHIFT_JIS, "81 22", "\u{FFFD}\"", &[0..1]); // 3.7.
    decodes(SHIFT_JIS, "85 41", "\u{FFFD}A", &[0..1]); // 3.7.
    decodes(SHIFT_JIS, "85 80 41", "\u{FFFD}A", &[0..2]); // 3.8.
    decodes(SHIFT_JIS, "00 5C 7E 7F 80", "\0\\~\u{7F}\u{80}", &[]); // 4.
    decodes(SHIFT_JIS, "A1 DF", "\u{FF61}\u{FF9F}", &[]); // 5.
    decodes(SHIFT_JIS, "FC 4B", "\u{9ED1}", &[]); // 6.
    decodes(SHIFT_JIS, "A0 FD FE FF", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", &[0..1, 1..2, 2..3, 3..4]); // 7.
}

/// Section 2, "Security background".
#[test]
fn shift_jis_does_not_mask_a_quotation_mark() {
    decodes(SHIFT_JIS, "82 22", "\u{FFFD}\u{22}", &[0..1]);
}

#[test]
fn shift_jis_encoder() {
    encodes(SHIFT_JIS, "", ""); // 1.
    encodes(SHIFT_JIS, "\0\\~\u{7F}\u{80}", "00 5C 7E 7F 80"); // 2.
    encodes(SHIFT_JIS, "\u{A5}", "5C"); // 3.
    encodes(SHIFT_JIS, "\u{203E}", "7E"); // 4.
    encodes(SHIFT_JIS, "\u{FF61}\u{FF9F}", "A1 DF"); // 5.
    encodes(SHIFT_JIS, "\u{2212}", "81 7C"); // 6.
    encodes(SHIFT_JIS, "\u{7E8A}", "FA 5C"); // 7., not 0xED 0x40
    encode_fails(SHIFT_JIS, "a\u{E000}", "61", (1, '\u{E000}')); // 8.: EUDC is for decoding only
    encodes(SHIFT_JIS, "\u{3000}", "81 40"); // 9.
    encodes(SHIFT_JIS, "\u{6ECC}", "9F FC"); // 10., 0x81
    encodes(SHIFT_JIS, "\u{6F3E}", "E0 40"); // 10., 0xC1
    encodes(SHIFT_JIS, "\u{D7}", "81 7E"); // 11., 12., 0x40
    encodes(SHIFT_JIS, "\u{F7}", "81 80"); // 12., 0x41, and 13.
}

#[test]
fn euc_kr_decoder() {
    decodes(EUC_KR, "81", "\u{FFFD}", &[0..1]); // 1.
    decodes(EUC_KR, "", "", &[]); // 2.
    decodes(EUC_KR, "B0 A1 41", "\u{AC00}A", &[]); // 3.
    decodes(EUC_KR, "81 41", "\u{AC02}", &[]); // 3.1.
    decodes(EUC_KR, "81 40", "\u{FFFD}@", &[0..1]); // 3.1., not in the range
    decodes(EUC_KR, "81 FF", "\u{FFFD}", &[0..2]); // 3.1., not in the range
    decodes(EUC_KR, "81 5A", "\u{AC34}", &[]); // 3.2., 3.3.
    decodes(EUC_KR, "81 5B", "\u{FFFD}[", &[0..1]); // 3.4.
    decodes(EUC_KR, "81 80 41", "\u{FFFD}A", &[0..2]); // 3.5.
    decodes(EUC_KR, "00 7F", "\0\u{7F}", &[]); // 4.
    decodes(EUC_KR, "FE 41", "\u{FFFD}A", &[0..1]); // 5.
    decodes(EUC_KR, "80 FF", "\u{FFFD}\u{FFFD}", &[0..1, 1..2]); // 6.
}

#[test]
fn euc_kr_encoder() {
    encodes(EUC_KR, "", ""); // 1.
    encodes(EUC_KR, "\0\u{7F}", "00 7F"); // 2.
    encodes(EUC_KR, "\u{AC00}", "B0 A1"); // 3.
    encode_fails(EUC_KR, "a\u{80}", "61", (1, '\u{80}')); // 4.
    encodes(EUC_KR, "\u{AC02}", "81 41"); // 5. to 7.
}
