//! `decode` and `encode` of the crate's root.

use spec_model::{
    Bom, Decoded, EncodeMode, Encoded, Encoding, Mode, decode, decode_into, encode, encode_into, hooks,
    io_queue::IoQueue, scalar_values,
};

#[test]
fn sniff_uses_the_encoding_of_the_bom() {
    for (bytes, encoding) in [
        (&b"\xEF\xBB\xBF\xFF"[..], Encoding::UTF_8),
        (b"\xFE\xFF\xDC", Encoding::UTF_16BE),
        (b"\xFF\xFE\xDC", Encoding::UTF_16LE),
    ] {
        let decoded = decode(Encoding::WINDOWS_1252, bytes, Bom::Sniff, Mode::Replacement);
        let errors = vec![bytes.len() - 1..bytes.len()];
        assert_eq!(decoded, Decoded { text: "\u{FFFD}".to_owned(), errors, encoding, bom: true });
    }
}

#[test]
fn strip_own_removes_only_the_bom_of_the_encoding() {
    let decoded = decode(Encoding::UTF_8, b"\xEF\xBB\xBFa", Bom::StripOwn, Mode::Fatal);
    assert_eq!((decoded.text.as_str(), decoded.bom), ("a", true));
    let decoded = decode(Encoding::UTF_16BE, b"\xFE\xFF\0a", Bom::StripOwn, Mode::Fatal);
    assert_eq!((decoded.text.as_str(), decoded.bom), ("a", true));
    let decoded = decode(Encoding::UTF_16LE, b"\xFE\xFF\0a", Bom::StripOwn, Mode::Fatal);
    assert_eq!((decoded.text.as_str(), decoded.bom), ("\u{FFFE}\u{6100}", false));
    let decoded = decode(Encoding::WINDOWS_1252, b"\xEF\xBB\xBF", Bom::StripOwn, Mode::Fatal);
    assert_eq!((decoded.text.as_str(), decoded.bom), ("\u{EF}\u{BB}\u{BF}", false));
}

#[test]
fn keep_decodes_the_bom() {
    let decoded = decode(Encoding::UTF_8, b"\xEF\xBB\xBFa", Bom::Keep, Mode::Fatal);
    assert_eq!((decoded.text.as_str(), decoded.bom), ("\u{FEFF}a", false));
}

#[test]
fn only_the_first_bom_is_removed() {
    let decoded = decode(Encoding::UTF_8, b"\xEF\xBB\xBF\xEF\xBB\xBFa", Bom::Sniff, Mode::Fatal);
    assert_eq!(decoded.text, "\u{FEFF}a");
}

#[test]
fn an_incomplete_bom_is_not_a_bom() {
    let decoded = decode(Encoding::UTF_8, b"\xEF\xBB", Bom::Sniff, Mode::Replacement);
    assert_eq!((decoded.text.as_str(), decoded.bom), ("\u{FFFD}", false));
    assert_eq!(decoded.errors, [0..2]);
}

#[test]
fn fatal_mode_stops_at_the_first_error() {
    let decoded = decode(Encoding::EUC_KR, b"a\x81\x41\xFFb\xFF", Bom::Sniff, Mode::Fatal);
    assert_eq!(decoded.text, "a\u{AC02}");
    assert_eq!(decoded.errors, [3..4]);
}

#[test]
fn sniffing_equals_the_hook_decode() {
    for &encoding in Encoding::all() {
        for bytes in
            [&b"\xEF\xBB\xBFa\x81"[..], b"\xFE\xFF\0a\xD8", b"\xFF\xFE\0\xD8\xEF", b"\xEF\xBBa\xFF", b"", b"\x1B$B"]
        {
            let mut input = IoQueue::from_list(bytes.iter().copied());
            let text: String = hooks::decode(&mut input, encoding, IoQueue::new()).to_list().iter().collect();
            assert_eq!(decode(encoding, bytes, Bom::Sniff, Mode::Replacement).text, text);
        }
    }
}

#[test]
fn buffers_are_cleared_before_they_are_reused() {
    let mut decoded = decode(Encoding::UTF_8, b"\xEF\xBB\xBF\xFF", Bom::Sniff, Mode::Replacement);
    decode_into(&mut decoded, Encoding::BIG5, b"a", Bom::Sniff, Mode::Replacement);
    assert_eq!(decoded, decode(Encoding::BIG5, b"a", Bom::Sniff, Mode::Replacement));

    let mut encoded = encode(Encoding::GBK, "a\u{80}".chars(), EncodeMode::Html).unwrap();
    assert!(encode_into(&mut encoded, Encoding::GBK, "b".chars(), EncodeMode::Html));
    assert_eq!(encoded, Encoded { bytes: b"b".to_vec(), errors: vec![] });
    assert!(!encode_into(&mut encoded, Encoding::UTF_16LE, "b".chars(), EncodeMode::Html));
    assert_eq!(encoded, Encoded::default());
}

/// Error ranges are in order, do not overlap and are not empty.
#[test]
fn error_ranges_are_ordered_for_all_inputs_of_two_bytes() {
    let mut decoded = Decoded::default();
    for &encoding in Encoding::all() {
        for first in 0..=0xFF {
            for second in 0..=0xFF {
                let bytes = [0x1B, b'$', b'B', first, second];
                for bytes in [&bytes[..], &bytes[3..]] {
                    decode_into(&mut decoded, encoding, bytes, Bom::Keep, Mode::Replacement);
                    let mut end = 0;
                    for error in &decoded.errors {
                        assert!(end <= error.start && error.start < error.end && error.end <= bytes.len());
                        end = error.end;
                    }
                }
            }
        }
    }
}

#[test]
fn scalar_values_replaces_lone_surrogates() {
    let units = [0x61, 0xD800, 0xDC00, 0xD800, 0x62, 0xDC00, 0xD800, 0xD800, 0xDC00, 0xD800];
    let expected = ['a', '\u{10000}', '\u{FFFD}', 'b', '\u{FFFD}', '\u{FFFD}', '\u{10000}', '\u{FFFD}'];
    assert_eq!(scalar_values(&units), expected);
}
