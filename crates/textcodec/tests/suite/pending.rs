//! `Decoder::discard_pending_bytes`.

use testkit::texts;
use textcodec::{
    Bom, DecodeError, DecodeOptions, Decoder, Encoding, ISO_2022_JP, Malformed, REPLACEMENT, UTF_8, UTF_16LE,
};

const KEEP: DecodeOptions = DecodeOptions::new().bom(Bom::Keep);

/// Decodes all of `bytes`. Returns the text, and the errors with their offsets from the position before the call.
fn decode(mut decoder: Decoder, bytes: &[u8]) -> (String, Vec<(i64, Vec<u8>)>) {
    let start = decoder.position().cast_signed();
    let (mut text, mut errors) = (String::new(), Vec::new());
    let mut on_error = |error: &DecodeError| {
        errors.push((error.range().start.cast_signed() - start, error.bytes().to_vec()));
        Some("\u{FFFD}".into())
    };
    decoder.push_with(bytes, &mut text, &mut on_error).unwrap();
    decoder.finish_with(&mut text, on_error).unwrap();
    (text, errors)
}

/// Whether the input could end here without an error or further text.
fn has_no_pending_bytes(decoder: &Decoder) -> bool {
    decode(decoder.clone(), b"") == (String::new(), Vec::new())
}

#[test]
fn what_follows_decodes_without_the_discarded_bytes() {
    let random = &mut fastrand::Rng::with_seed(11);
    let mut discarded = 0;
    for &encoding in Encoding::ALL.iter().chain(Encoding::EXTRA).filter(|encoding| **encoding != REPLACEMENT) {
        let characters: Vec<char> = texts::repertoire(encoding, 600, random).chars().collect();
        for _ in 0..1000 {
            let text: String = characters[random.usize(..characters.len() - 6)..].iter().take(6).collect();
            let mut bytes = encoding.encode(&text).unwrap().into_owned();
            if random.bool() {
                bytes = texts::damage(&bytes, random);
            }
            let (before, after) = bytes.split_at(random.usize(..=bytes.len()));
            // The first two bytes are one or two characters in any state, and end the state after an escape sequence.
            let after = [b"!!", after].concat();
            let mut decoder = encoding.decoder_with(KEEP);
            let mut expected = decoder.clone();
            for &byte in before {
                decoder.push(&[byte], &mut String::new()).unwrap();
                // Only ISO-2022-JP has a state between two characters.
                if encoding == ISO_2022_JP && has_no_pending_bytes(&decoder) {
                    expected = decoder.clone();
                }
            }
            discarded += u32::from(!has_no_pending_bytes(&decoder));
            let (position, errors) = (decoder.position(), decoder.errors().clone());
            decoder.discard_pending_bytes();
            assert_eq!((decoder.position(), decoder.errors()), (position, &errors), "{encoding} {before:02X?}");
            assert!(has_no_pending_bytes(&decoder), "{encoding} {before:02X?}");
            assert_eq!(decode(decoder, &after), decode(expected, &after), "{encoding} {before:02X?} {after:02X?}");
        }
    }
    assert!(discarded > 3000, "{discarded}");
}

#[test]
fn bytes_after_an_error_are_discarded_and_the_character_set_stays() {
    let pause = KEEP.malformed(Malformed::Pause);
    // Each input ends with an error, and with bytes that the decoder would decode next.
    for (encoding, bytes, next, expected) in [
        (UTF_8, &[&b"\xF0"[..], b"\x90", b"A"][..], &b"b"[..], "b"),
        (UTF_16LE, &[b"\x00\xD8", b"a", b"\0"], b"b\0", "b"),
        (textcodec::GB18030, &[b"\x81", b"\x30", b"!"], b"?", "?"),
        (ISO_2022_JP, &[b"\x1B(J\x1B", b"(", b"X"], b"\\", "¥"),
        (ISO_2022_JP, &[b"\x1B$B$$\x1B", b"$", b"!"], b"$$", "い"),
        (ISO_2022_JP, &[b"\x1B$B$", b"\x1B"], b"$$", "い"),
    ] {
        let mut decoder = encoding.decoder_with(pause);
        let mut result = Ok(());
        for chunk in bytes {
            result = decoder.push(chunk, &mut String::new());
        }
        let error = result.unwrap_err();
        let unread = bytes.concat().len() as u64 - decoder.position();
        decoder.discard_pending_bytes();
        let mut text = String::new();
        decoder.push(next, &mut text).unwrap();
        assert_eq!(text, expected, "{encoding} {bytes:02X?}, {error}, {unread} bytes unread");
    }
}

#[test]
fn a_possible_byte_order_mark_is_discarded() {
    let mut decoder = UTF_8.decoder();
    // Nothing is pending, so a byte order mark is still possible.
    decoder.discard_pending_bytes();
    let mut text = String::new();
    decoder.push(b"\xEF\xBB", &mut text).unwrap();
    decoder.discard_pending_bytes();
    decoder.push(b"\xEF\xBB\xBFa", &mut text).unwrap();
    assert_eq!((text.as_str(), decoder.bom_removed(), decoder.position()), ("\u{FEFF}a", false, 6));

    let (mut decoder, mut text) = (UTF_8.decoder(), String::new());
    decoder.discard_pending_bytes();
    decoder.push(b"\xEF\xBB\xBFa", &mut text).unwrap();
    assert_eq!((text.as_str(), decoder.bom_removed()), ("a", true));
}

#[test]
fn characters_that_did_not_fit_are_kept_and_a_final_error_too() {
    let mut decoder = UTF_8.decoder();
    decoder.push(b"a\xE6\x97", &mut String::new()).unwrap();
    // The character started in an earlier chunk, so it is held.
    let _ = decoder.decode_to_utf8(b"\xA5", &mut [0; 0], false);
    decoder.discard_pending_bytes();
    let mut text = String::new();
    decoder.push(b"b", &mut text).unwrap();
    assert_eq!(text, "日b");

    let mut decoder = UTF_8.decoder_with(KEEP.malformed(Malformed::Fail));
    let error = decoder.push(b"a\xE6\x97b", &mut text).unwrap_err();
    decoder.discard_pending_bytes();
    assert_eq!(decoder.push(b"b", &mut text).unwrap_err(), error);
}
