//! Known mistakes of real decoders and encoders, and the notes of the standard: one named test for each.

use testkit::Runner;
use textcodec::{
    BIG5, Bom, DecodeOptions, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, KOI8_U, Malformed, REPLACEMENT,
    SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255,
};

/// Checks the text of a single call, then every variation of the Runner.
#[track_caller]
fn decodes(encoding: Encoding, bytes: &[u8], text: &str) {
    let options = DecodeOptions::new().bom(Bom::Keep);
    assert_eq!(encoding.decode_with(bytes, options).unwrap().text, text, "{encoding} {bytes:02X?}");
    let mut runner = Runner::default();
    runner.decode(encoding, bytes);
    runner.decode_padded(encoding, bytes);
}

#[track_caller]
fn encodes(encoding: Encoding, text: &str, bytes: &[u8]) {
    assert_eq!(*encoding.encode_with(text, Unmappable::Html).unwrap().bytes, *bytes, "{encoding} {text:?}");
    Runner::default().encode(encoding, text);
}

#[test]
fn ascii_after_a_lead_byte_is_restored() {
    decodes(BIG5, b"\x81\x40", "\u{FFFD}@");
    decodes(EUC_KR, b"\x41\xC7\x41", "A\u{FFFD}A");
    decodes(SHIFT_JIS, b"\x82\x22", "\u{FFFD}\"");
    decodes(EUC_JP, b"\xA4a", "\u{FFFD}a");
    decodes(GB18030, b"\x81\x20", "\u{FFFD} ");
    decodes(UTF_8, b"\xE3\x81a", "\u{FFFD}a");
}

#[test]
fn big5_decodes_four_pointers_to_two_code_points() {
    decodes(BIG5, b"\x88\x62", "\u{CA}\u{304}");
    decodes(BIG5, b"\x88\x64", "\u{CA}\u{30C}");
    decodes(BIG5, b"\x88\xA3", "\u{EA}\u{304}");
    decodes(BIG5, b"\x88\xA5", "\u{EA}\u{30C}");
}

#[test]
fn big5_decodes_to_plane_2() {
    decodes(BIG5, b"\x87\x45", "\u{27267}");
    decodes(BIG5, b"a\x87\x45\xA4\xA4", "a\u{27267}中");
}

#[test]
fn gb18030_restores_up_to_three_bytes() {
    decodes(GB18030, b"\x81\x30\x21\x21\x21", "\u{FFFD}0!!!");
    decodes(GB18030, b"\x81\x30\x81\x21", "\u{FFFD}0\u{FFFD}!");
    decodes(GB18030, b"\xFF\x39\xFE\x39", "\u{FFFD}9\u{FFFD}");
    decodes(GB18030, b"\x81\x30\x81", "\u{FFFD}");
}

#[test]
fn gb18030_incomplete_sequence_includes_its_ascii_digit() {
    decodes(GB18030, b"\x81\x31", "\u{FFFD}");
}

#[test]
fn gb18030_exceptions() {
    decodes(GB18030, b"\x81\x35\xF4\x37", "\u{E7C7}");
    decodes(GB18030, b"\xA8\xBC", "\u{1E3F}");
    decodes(GB18030, b"\x84\x31\xA4\x37", "\u{FFFD}");
    assert!(GB18030.decode_strict(b"\x84\x31\xA4\x37").is_ok(), "U+FFFD is valid");
    decodes(GB18030, b"\x84\x31\xA5\x30", "\u{FFFD}");
    assert!(GB18030.decode_strict(b"\x84\x31\xA5\x30").is_err(), "the pointer is between the ranges");
    decodes(GB18030, b"\xE3\x32\x9A\x35", "\u{10FFFF}");
    decodes(GB18030, b"\xE3\x32\x9A\x36", "\u{FFFD}");
    decodes(GB18030, b"\x80\xA3\xA0", "€\u{3000}");
}

#[test]
fn gb18030_2022() {
    decodes(GB18030, b"\xA6\xD9\xA6\xDA\xA6\xDB", "\u{FE10}\u{FE12}\u{FE11}");
    encodes(GB18030, "\u{FE10}\u{E78D}\u{9FB4}\u{E81E}", b"\xA6\xD9\xA6\xD9\xFE\x59\xFE\x59");
    encodes(GBK, "\u{E78D}\u{E864}", b"\xA6\xD9\xFE\xA0");
    // The ranges are unchanged, so the four-byte sequences also decode, but the encoder does not produce them.
    decodes(GB18030, b"\x84\x31\x82\x36", "\u{FE10}");
}

#[test]
fn gbk_decodes_as_gb18030() {
    decodes(GBK, b"\x81\x30\x81\x30\x80", "\u{80}€");
}

#[test]
fn gbk_and_gb18030_encode_the_euro_differently() {
    encodes(GBK, "€", b"\x80");
    encodes(GB18030, "€", b"\xA2\xE3");
}

#[test]
fn u_e5e5_is_unmappable() {
    encodes(GB18030, "\u{E5E5}", b"&#58853;");
    encodes(GBK, "\u{E5E5}", b"&#58853;");
}

#[test]
fn iso_2022_jp_malformed_escape_sequences() {
    decodes(ISO_2022_JP, b"\x1B\x24", "\u{FFFD}$");
    decodes(ISO_2022_JP, b"\x1B", "\u{FFFD}");
    decodes(ISO_2022_JP, b"\x1B(Z", "\u{FFFD}(Z");
    decodes(ISO_2022_JP, b"\x1B$B\x1B(B", "\u{FFFD}");
    decodes(ISO_2022_JP, b"\x1B$BF\x1B(Ba", "\u{FFFD}a");
    decodes(ISO_2022_JP, b"\x1B$BF", "\u{FFFD}");
    decodes(ISO_2022_JP, b"\x0E\x0F\x80", "\u{FFFD}\u{FFFD}\u{FFFD}");
    decodes(ISO_2022_JP, b"\x1B(J\x5C\x7E\x1B(I\x21\x60", "\u{A5}\u{203E}\u{FF61}\u{FFFD}");
    let ranges = |bytes: &[u8]| ISO_2022_JP.decode(bytes).errors.first().map(textcodec::DecodeError::range);
    assert_eq!(ranges(b"\x1B\x24"), Some(0..1));
    assert_eq!(ranges(b"\x1B$B\x1B(B"), Some(3..6));
    assert_eq!(ranges(b"\x1B$BF\x1B(B"), Some(3..4));
}

#[test]
fn concatenated_iso_2022_jp_has_an_error_by_design() {
    let yen = ISO_2022_JP.encode("¥").unwrap();
    assert_eq!(*yen, *b"\x1B(J\x5C\x1B(B");
    decodes(ISO_2022_JP, &[&*yen, &*yen].concat(), "¥\u{FFFD}¥");
}

#[test]
fn iso_2022_jp_encoder_rejects_escape_and_shift_characters() {
    encodes(ISO_2022_JP, "\u{E}\u{F}\u{1B}", b"&#65533;&#65533;&#65533;");
    encodes(ISO_2022_JP, "日\u{1B}", b"\x1B$BF|\x1B(B&#65533;");
}

#[test]
fn iso_2022_jp_encodes_half_width_katakana_as_full_width() {
    encodes(ISO_2022_JP, "ｱﾞ", b"\x1B$B%\x22!+\x1B(B");
}

#[test]
fn euc_jp_malformed_bytes_after_8e_and_8f() {
    decodes(EUC_JP, b"\x8E\x8E", "\u{FFFD}");
    decodes(EUC_JP, b"\x8E\xB1\x8E\xE0", "ｱ\u{FFFD}");
    decodes(EUC_JP, b"\x8F\xB0\xA1\x8F\xA1a", "丂\u{FFFD}a");
}

#[test]
fn shift_jis_single_bytes_and_user_defined_characters() {
    decodes(SHIFT_JIS, b"\x80\xA0\xB1\xFD\xFE\xFF", "\u{80}\u{FFFD}ｱ\u{FFFD}\u{FFFD}\u{FFFD}");
    decodes(SHIFT_JIS, b"\xF0\x40\xF9\xFC", "\u{E000}\u{E757}");
    encodes(SHIFT_JIS, "\u{80}¥‾\u{E000}", b"\x80\x5C\x7E&#57344;");
}

#[test]
fn an_unmapped_byte_at_every_offset_of_single_byte_text() {
    for at in 1..=33 {
        let mut bytes = vec![b'a'; 34];
        bytes[at] = 0x80;
        let text: String = (0..34).map(|n| if n == at { '€' } else { 'a' }).collect();
        decodes(WINDOWS_1252, &bytes, &text);
        bytes[at] = 0xD2;
        let text: String = (0..34).map(|n| if n == at { '\u{FFFD}' } else { 'a' }).collect();
        decodes(WINDOWS_1253, &bytes, &text);
    }
}

#[test]
fn windows_code_pages_decode_c1_controls() {
    decodes(WINDOWS_1252, b"\x81\x8D\x8F\x90\x9D", "\u{81}\u{8D}\u{8F}\u{90}\u{9D}");
    decodes(WINDOWS_1255, b"\x81\xD9", "\u{81}\u{FFFD}");
}

#[test]
fn koi8_u_has_the_short_u() {
    decodes(KOI8_U, b"\xAE\xBE", "ўЎ");
}

#[test]
fn utf_8_maximal_subparts() {
    decodes(UTF_8, b"\xF0\x90\x80", "\u{FFFD}");
    decodes(UTF_8, b"\xF0\x80\x80", "\u{FFFD}\u{FFFD}\u{FFFD}");
    decodes(UTF_8, b"\xF0\xC3\x80\x2A\x2A", "\u{FFFD}\u{C0}**");
    decodes(UTF_8, b"\xED\xA0\x80\xC0\x80\xF5\xF8\x88", "\u{FFFD}".repeat(8).as_str());
    decodes(UTF_8, b"\xEF\xBF\xBD\xF4\x8F\xBF\xBF", "\u{FFFD}\u{10FFFF}");
}

#[test]
fn utf_16_surrogates() {
    decodes(UTF_16LE, b"\x00\xD8\x00", "\u{FFFD}");
    decodes(UTF_16LE, b"\x00\xD8\x41\x00", "\u{FFFD}A");
    decodes(UTF_16LE, b"\x00\xDC\x41", "\u{FFFD}\u{FFFD}");
    decodes(UTF_16BE, b"\xD8\x00\xD8\x3D\xDE\x00", "\u{FFFD}😀");
    assert_eq!(UTF_16LE.decode(b"\x00\xD8\x00").errors.count(), 1);
}

#[test]
fn empty_chunks_between_the_bytes_of_a_character() {
    let cases: [(Encoding, &[u8], &str); 10] = [
        (UTF_8, b"\xC3\xA9", "é"),
        (GBK, b"\xC4\xE3", "你"),
        (GB18030, b"\x81\x30\x81\x30", "\u{80}"),
        (BIG5, b"\xA4\xA4", "中"),
        (EUC_JP, b"\xC6\xFC", "日"),
        (ISO_2022_JP, b"\x1B$BF|", "日"),
        (SHIFT_JIS, b"\x93\xFA", "日"),
        (EUC_KR, b"\xC7\xD1", "한"),
        (UTF_16LE, b"\x3D\xD8\x00\xDE", "😀"),
        (UTF_16BE, b"\xD8\x3D\xDE\x00", "😀"),
    ];
    for (encoding, bytes, text) in cases {
        let mut decoder = encoding.decoder();
        let mut decoded = String::new();
        for byte in bytes.chunks(1) {
            decoder.push(byte, &mut decoded).unwrap();
            decoder.push(b"", &mut decoded).unwrap();
        }
        decoder.finish(&mut decoded).unwrap();
        assert_eq!(decoded, text, "{encoding}");
    }
}

#[test]
fn replacement_reports_one_error_for_any_input() {
    decodes(REPLACEMENT, b"\x1B$)Cabc", "\u{FFFD}");
    decodes(REPLACEMENT, b"", "");
    assert!(REPLACEMENT.encode("a").is_err());
}

#[test]
fn bom_in_chunks_and_repeated() {
    let decode = |chunks: &[&[u8]], encoding: Encoding| {
        let mut text = String::new();
        let mut decoder = encoding.decoder();
        for chunk in chunks {
            decoder.push(chunk, &mut text).unwrap();
        }
        let summary = decoder.finish(&mut text).unwrap();
        (text, summary.encoding, summary.bom_removed)
    };
    assert_eq!(decode(&[b"\xEF", b"", b"\xBB", b"\xBFa"], WINDOWS_1252), ("a".into(), UTF_8, true));
    assert_eq!(decode(&[b"\xEF", b"\xBB", b"a"], WINDOWS_1252), ("ï»a".into(), WINDOWS_1252, false));
    assert_eq!(decode(&[b"\xEF", b"\xBB"], WINDOWS_1252), ("ï»".into(), WINDOWS_1252, false));
    assert_eq!(decode(&[b"\xFF", b"\xFE", b"a", b"\0"], UTF_8), ("a".into(), UTF_16LE, true));
    assert_eq!(decode(&[b"\xFE", b"\xFFa"], GBK), ("\u{FFFD}".into(), UTF_16BE, true));
    let twice = b"\xEF\xBB\xBF\xEF\xBB\xBFa";
    assert_eq!(decode(&[twice], UTF_8), ("\u{FEFF}a".into(), UTF_8, true));
    Runner::default().decode(WINDOWS_1252, twice);
    Runner::default().decode(UTF_16LE, b"\xFE\xFF\0a\xFE\xFF");
}

#[test]
fn big5_encoder_excludes_hkscs_and_uses_the_last_pointer_of_six_characters() {
    encodes(BIG5, "\u{43F0}\u{27267}", b"&#17392;&#160359;");
    encodes(
        BIG5,
        "\u{2550}\u{255E}\u{2561}\u{256A}\u{5341}\u{5345}",
        b"\xF9\xF9\xF9\xE9\xF9\xEB\xF9\xEA\xA4\x51\xA4\xCA",
    );
    // For other duplicates it uses the first pointer.
    encodes(BIG5, "\u{5140}\u{20547}", b"\xA4\x61\xFA\x40");
}

#[test]
fn shift_jis_encoder_excludes_nec_duplicates() {
    encodes(SHIFT_JIS, "纊￢", b"\xFA\x5C\x81\xCA");
    encodes(EUC_JP, "纊￢", b"\xF9\xA1\xA2\xCC");
}

#[test]
fn euc_jp_encoder_never_writes_jis_x_0212() {
    encodes(EUC_JP, "丂", b"&#19970;");
}

#[test]
fn minus_sign_is_encoded_as_full_width() {
    encodes(SHIFT_JIS, "\u{2212}", b"\x81\x7C");
    encodes(EUC_JP, "\u{2212}", b"\xA1\xDD");
    encodes(ISO_2022_JP, "\u{2212}", b"\x1B$B!]\x1B(B");
}

#[test]
fn half_width_katakana() {
    encodes(SHIFT_JIS, "｡ﾟ", b"\xA1\xDF");
    encodes(EUC_JP, "｡ﾟ", b"\x8E\xA1\x8E\xDF");
}

#[test]
fn utf_16_is_encoded_as_utf_16() {
    assert_eq!(*UTF_16LE.encode("é😀").unwrap(), *b"\xE9\x00\x3D\xD8\x00\xDE");
    assert_eq!(*UTF_16BE.encode("é😀").unwrap(), *b"\x00\xE9\xD8\x3D\xDE\x00");
    Runner::default().encode(UTF_16LE, "é😀");
}

#[test]
fn a_fatal_error_ends_the_decoder_until_reset() {
    let mut decoder = UTF_8.decoder_with(DecodeOptions::new().malformed(Malformed::Fail));
    let mut text = String::new();
    let error = decoder.push(b"\xEF\xBB\xBFab\xFFcd", &mut text).unwrap_err();
    assert_eq!((text.as_str(), error.range(), decoder.position()), ("ab", 5..6, 6));
    assert_eq!(decoder.push(b"ef", &mut text), Err(error.clone()));
    assert_eq!(decoder.clone().finish(&mut text), Err(error));
    assert_eq!(text, "ab");
    decoder.reset();
    decoder.push(b"\xEF\xBB\xBFgh", &mut text).unwrap();
    assert!(decoder.bom_removed());
    assert_eq!(text, "abgh");
}

/// A single byte becomes up to three bytes of UTF-8, as many as a pair does.
#[test]
fn long_runs_of_single_bytes_in_double_byte_encodings() {
    for (encoding, byte, character) in
        [(SHIFT_JIS, b"\xB1", "ｱ"), (GBK, b"\x80", "€"), (GB18030, b"\x80", "€"), (SHIFT_JIS, b"\x80", "\u{80}")]
    {
        for count in [1, 64, 341, 342, 512, 1000, 5000] {
            decodes(encoding, &byte.repeat(count), &character.repeat(count));
        }
    }
}
