//! Details that clients rely on. `difftest` compares everything else with encoding_rs itself.

use encoding_rs::{
    CoderResult, DecoderResult, EncoderResult, Encoding, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252,
};

#[test]
fn the_first_of_two_adjacent_escape_sequences_is_malformed() {
    let mut decoder = ISO_2022_JP.new_decoder();
    let result = decoder.decode_to_utf8_without_replacement(b"\x1B$B\x1B(Ba", &mut [0; 16], true);
    assert_eq!(result, (DecoderResult::Malformed(3, 3), 6, 0));
}

#[test]
fn a_character_that_does_not_fit_stays_unread() {
    let mut decoder = SHIFT_JIS.new_decoder();
    assert_eq!(decoder.decode_to_utf8(b"a\x93\xFA", &mut [0; 3], true), (CoderResult::OutputFull, 1, 1, false));
    let mut encoder = GBK.new_encoder();
    assert_eq!(encoder.encode_from_utf8("你", &mut [0; 1], true), (CoderResult::OutputFull, 0, 0, false));
    let mut encoder = WINDOWS_1252.new_encoder();
    assert_eq!(encoder.encode_from_utf8("字", &mut [0; 7], true), (CoderResult::OutputFull, 0, 0, false));
    assert_eq!(encoder.encode_from_utf8("字", &mut [0; 8], true), (CoderResult::InputEmpty, 3, 8, true));
}

#[test]
fn a_high_surrogate_at_the_end_of_a_chunk_is_unpaired() {
    let (mut encoder, mut buffer) = (UTF_8.new_encoder(), [0; 16]);
    let first = encoder.encode_from_utf16(&[0x61, 0xD83D], &mut buffer, false);
    assert_eq!((first, &buffer[..4]), ((CoderResult::InputEmpty, 2, 4, false), "a\u{FFFD}".as_bytes()));
    let second = encoder.encode_from_utf16(&[0xDE00], &mut buffer, true);
    assert_eq!((second, &buffer[..3]), ((CoderResult::InputEmpty, 1, 3, false), "\u{FFFD}".as_bytes()));
    // If its U+FFFD does not fit, it stays unread.
    let mut encoder = UTF_8.new_encoder();
    assert_eq!(encoder.encode_from_utf16(&[0x61, 0xD83D], &mut [0; 3], false), (CoderResult::OutputFull, 1, 1, false));
}

#[test]
fn only_iso_2022_jp_outside_the_ascii_state_has_pending_state() {
    let mut encoder = ISO_2022_JP.new_encoder();
    assert_eq!(encoder.encode_from_utf8("a", &mut [0; 0], false).0, CoderResult::OutputFull);
    assert!(!encoder.has_pending_state());
    assert_eq!(encoder.encode_from_utf8("日", &mut [0; 16], false).2, 5);
    assert!(encoder.has_pending_state());
    let mut encoder = GBK.new_encoder();
    assert_eq!(encoder.encode_from_utf8("你", &mut [0; 1], true).0, CoderResult::OutputFull);
    assert!(!encoder.has_pending_state());
}

#[test]
fn a_reused_encoder_reports_unmappable_characters_again() {
    let (mut encoder, mut buffer) = (WINDOWS_1252.new_encoder(), [0; 16]);
    for _ in 0..3 {
        assert_eq!(encoder.encode_from_utf8("字", &mut buffer, true), (CoderResult::InputEmpty, 3, 8, true));
        assert_eq!(encoder.encode_from_utf8("é", &mut buffer, true), (CoderResult::InputEmpty, 2, 1, false));
    }
}

#[test]
fn iso_2022_jp_returns_to_ascii_before_an_unmappable_character() {
    let (mut encoder, mut buffer) = (ISO_2022_JP.new_encoder(), [0; 16]);
    let result = encoder.encode_from_utf8_without_replacement("日😀", &mut buffer, true);
    assert_eq!(result, (EncoderResult::Unmappable('😀'), 7, 8));
    assert_eq!(&buffer[..8], b"\x1B$BF|\x1B(B");
    assert!(!encoder.has_pending_state());
}

#[test]
fn utf_16_is_encoded_as_utf_8() {
    assert_eq!(UTF_16LE.encode("é"), ("é".as_bytes().into(), UTF_8, false));
}

#[test]
#[should_panic(expected = "has ended")]
fn decoding_after_the_end_of_the_input_panics() {
    let mut decoder = UTF_8.new_decoder();
    assert_eq!(decoder.decode_to_utf8(b"a", &mut [0; 4], true).0, CoderResult::InputEmpty);
    let _ = decoder.decode_to_utf8(b"b", &mut [0; 4], true);
}

#[cfg(feature = "serde")]
#[test]
fn serde_writes_names_and_reads_labels() {
    let json = serde_json::to_string(SHIFT_JIS).expect("a name");
    assert_eq!(json, "\"Shift_JIS\"");
    let label: &'static encoding_rs::Encoding = serde_json::from_str("\"sjis\"").expect("a label");
    assert_eq!(label, SHIFT_JIS);
    assert!(serde_json::from_str::<&'static encoding_rs::Encoding>("\"utf-7\"").is_err());
}

#[test]
fn labels_in_every_spelling() {
    for spelling in spec_model::spellings() {
        let (text, expected) = (&spelling.text, spelling.encoding.map(spec_model::Encoding::name));
        let name = |found: Option<&'static Encoding>| found.map(Encoding::name);
        assert_eq!(name(Encoding::for_label(text.as_bytes())), expected, "{text:?}");
        let decodable = expected.filter(|name| *name != "replacement");
        assert_eq!(name(Encoding::for_label_no_replacement(text.as_bytes())), decodable, "{text:?}");
    }
}
