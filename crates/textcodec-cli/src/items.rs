//! Bytes to characters one by one, each with the bytes that it comes from.

use std::{ops::Range, slice};

use textcodec::{BIG5, Bom, DecodeError, DecodeOptions, DecodeStatus, Decoder, Encoding, ISO_2022_JP, Malformed};

/// Some bytes of an input and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// From the start of what the decoder was given. The ranges of an input follow each other without gaps, and the two
    /// characters that are one sequence in Big5 have the same one.
    pub(crate) range: Range<u64>,
    pub(crate) kind: ItemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Character(char),
    Malformed(DecodeError),
    /// Bytes that are no character and not malformed: an escape sequence of ISO-2022-JP, and what follows the one error
    /// of `replacement`.
    NoOutput,
}

/// A decoder for [`decode`]: it stops at each malformed sequence, and a byte order mark is a character.
pub(crate) fn decoder(encoding: Encoding) -> Decoder {
    encoding.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Report))
}

/// Decodes the next bytes of an input, of which these are the last ones or not.
///
/// The decoder gets them one at a time, so that it is seen where each character ends. Bytes of a character that began in
/// an earlier call are in its range.
pub(crate) fn decode(decoder: &mut Decoder, bytes: &[u8], last: bool, mut emit: impl FnMut(Item)) {
    let mut next = pending_start(decoder);
    for byte in bytes {
        next = feed(decoder, slice::from_ref(byte), false, next, &mut emit);
    }
    if last {
        let end = decoder.position();
        next = feed(decoder, &[], true, next, &mut emit);
        emit_no_output(next..end, &mut emit);
    }
}

/// Where the sequence starts that is begun, or the next one.
fn pending_start(decoder: &Decoder) -> u64 {
    let mut start = None;
    decoder.clone().finish_with(&mut String::new(), |error, _| {
        start.get_or_insert(error.range().start);
    });
    start.unwrap_or(decoder.position())
}

/// Decodes a byte, or the end. Takes and gives where the next item starts.
fn feed(decoder: &mut Decoder, byte: &[u8], last: bool, mut next: u64, emit: &mut impl FnMut(Item)) -> u64 {
    // Enough for what four bytes, which a handler may have restored, can be.
    let mut buffer = [0; 32];
    let mut rest = byte;
    let mut any_malformed = false;
    loop {
        let progress = decoder.decode_to_utf8(rest, &mut buffer, last);
        rest = &rest[progress.read..];
        let text = str::from_utf8(&buffer[..progress.written]).unwrap_or_default();
        match progress.status {
            DecodeStatus::Malformed(error) => {
                let range = error.range();
                emit_characters(text, next..range.start, decoder.encoding(), emit);
                if text.is_empty() {
                    emit_no_output(next..range.start, emit);
                }
                next = range.end;
                emit(Item { range, kind: ItemKind::Malformed(error) });
                any_malformed = true;
            }
            status => {
                if !text.is_empty() {
                    // Behind an error, restored bytes may have begun a sequence after these characters.
                    let end = if any_malformed { pending_start(decoder) } else { decoder.position() };
                    emit_characters(text, next..end, decoder.encoding(), emit);
                    next = end;
                }
                if status == DecodeStatus::InputEmpty {
                    return next;
                }
            }
        }
    }
}

fn emit_no_output(range: Range<u64>, emit: &mut impl FnMut(Item)) {
    if !range.is_empty() {
        emit(Item { range, kind: ItemKind::NoOutput });
    }
}

/// Tells the characters that come from these bytes.
///
/// It is one, besides two cases. A sequence of Big5 may be two. And behind an error, bytes that were restored: then all
/// but the last one come from a byte each, being digits in gb18030, or ASCII and katakana in ISO-2022-JP.
fn emit_characters(text: &str, range: Range<u64>, encoding: Encoding, emit: &mut impl FnMut(Item)) {
    let Some(others) = text.chars().count().checked_sub(1) else { return };
    let mut start = range.start;
    if encoding == ISO_2022_JP && range.end - start > 2 + others as u64 {
        emit_no_output(start..start + ESCAPE_SEQUENCE_LEN, emit);
        start += ESCAPE_SEQUENCE_LEN;
    }
    for (n, character) in text.chars().enumerate() {
        let end = if encoding == BIG5 || n == others { range.end } else { start + 1 };
        emit(Item { range: start..end, kind: ItemKind::Character(character) });
        if encoding != BIG5 {
            start = end;
        }
    }
}

/// Each of ISO-2022-JP's is so long, and each of its characters shorter.
const ESCAPE_SEQUENCE_LEN: u64 = 3;

#[cfg(test)]
mod tests {
    use textcodec::{EUC_JP, GB18030, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, WINDOWS_1252};

    use super::*;

    fn items(encoding: Encoding, bytes: &[u8]) -> Vec<Item> {
        let mut items = Vec::new();
        decode(&mut decoder(encoding), bytes, true, |item| items.push(item));
        items
    }

    /// Such as `0-2 あ, 2-3 malformed`.
    #[track_caller]
    fn assert_items(encoding: Encoding, bytes: &[u8], expected: &str) {
        let words: Vec<_> = items(encoding, bytes)
            .iter()
            .map(|Item { range, kind }| {
                let kind = match kind {
                    ItemKind::Character(character) => character.to_string(),
                    ItemKind::Malformed(_) => "malformed".to_owned(),
                    ItemKind::NoOutput => "nothing".to_owned(),
                };
                format!("{}-{} {kind}", range.start, range.end)
            })
            .collect();
        assert_eq!(words.join(", "), expected, "{encoding} {}", bytes.escape_ascii());
    }

    #[test]
    fn each_character_has_its_bytes() {
        assert_items(UTF_8, "aé日😀".as_bytes(), "0-1 a, 1-3 é, 3-6 日, 6-10 😀");
        assert_items(SHIFT_JIS, b"\x82\xA0\x82 \xFF\x82", "0-2 あ, 2-3 malformed, 3-4  , 4-5 malformed, 5-6 malformed");
        assert_items(UTF_16BE, b"\xD8\x00\0a\xD8\x3D\xDE\x00\0", "0-2 malformed, 2-4 a, 4-8 😀, 8-9 malformed");
        assert_items(EUC_JP, b"\x8F\xA2\xAF\x8E\xB1", "0-3 ˘, 3-5 ｱ");
        assert_items(WINDOWS_1252, b"\xEF\xBB\xBF", "0-1 ï, 1-2 », 2-3 ¿");
        assert_items(UTF_8, b"\xEF\xBB\xBFa", "0-3 \u{FEFF}, 3-4 a");
    }

    #[test]
    fn two_characters_of_one_sequence_share_it() {
        assert_items(BIG5, b"a\x88\x62b", "0-1 a, 1-3 Ê, 1-3 \u{304}, 3-4 b");
    }

    #[test]
    fn what_is_restored_behind_an_error_has_its_own_bytes() {
        assert_items(GB18030, b"\x81\x30\x81\x41", "0-1 malformed, 1-2 0, 2-4 丄");
        assert_items(GB18030, b"\x81\x30\xFF", "0-1 malformed, 1-2 0, 2-3 malformed");
        assert_items(ISO_2022_JP, b"\x1B(\x1B(Ja", "0-1 malformed, 1-2 (, 2-5 nothing, 5-6 a");
        assert_items(ISO_2022_JP, b"\x1B(I\x1B$1\x1B(B", "0-3 nothing, 3-4 malformed, 4-5 ､, 5-6 ｱ, 6-9 nothing");
        assert_items(ISO_2022_JP, b"\x1B$B\x1B$!", "0-3 nothing, 3-4 malformed, 4-6 ぁ");
    }

    #[test]
    fn what_stands_for_nothing_is_told() {
        assert_items(ISO_2022_JP, b"\x1B$BF|\x1B(Ba\x1B(J", "0-3 nothing, 3-5 日, 5-8 nothing, 8-9 a, 9-12 nothing");
        assert_items(REPLACEMENT, b"abc", "0-1 malformed, 1-3 nothing");
    }

    #[test]
    fn items_follow_each_other_without_gaps_and_are_the_text() {
        let mut seed = 1_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let escapes = [b"\x1B(J", b"\x1B(I", b"\x1B$B", b"\x1B(B"];
        for encoding in Encoding::ALL.iter().chain(Encoding::EXTRA) {
            for _ in 0..2000 {
                let mut bytes = Vec::new();
                while bytes.len() < 12 {
                    match random(8) {
                        0 => bytes.extend_from_slice(escapes[random(4) as usize]),
                        1 => bytes.push(0x1B),
                        2 => bytes.push(0x30 + random(10) as u8),
                        3 => bytes.push(random(128) as u8),
                        _ => bytes.push(0x80 | random(128) as u8),
                    }
                }
                let items = items(*encoding, &bytes);
                let mut end = 0;
                let mut text = String::new();
                for item in &items {
                    assert!(!item.range.is_empty() && item.range.end <= bytes.len() as u64, "{encoding} {items:?}");
                    let own = &bytes[item.range.start as usize..item.range.end as usize];
                    match &item.kind {
                        ItemKind::Character(character) => {
                            text.push(*character);
                            // By themselves the bytes are the same character, where there is no state.
                            if *encoding != ISO_2022_JP {
                                let alone = encoding.decode_with(own, DecodeOptions::new().bom(Bom::Keep)).unwrap();
                                assert!(alone.text.contains(*character), "{encoding} {items:?} {bytes:02X?}");
                                assert!(alone.errors.is_empty(), "{encoding} {items:?} {bytes:02X?}");
                            }
                        }
                        ItemKind::Malformed(error) => {
                            assert_eq!((error.bytes(), error.range()), (own, item.range.clone()));
                            text.push('\u{FFFD}');
                        }
                        ItemKind::NoOutput if *encoding == ISO_2022_JP => {
                            assert!(own.len() == 3 && own[0] == 0x1B, "{items:?}");
                        }
                        ItemKind::NoOutput => assert_eq!(*encoding, REPLACEMENT),
                    }
                    let shared = *encoding == BIG5 && item.range.end == end && item.range.start + 2 == end;
                    assert!(item.range.start == end || shared, "{encoding} {items:?} {bytes:02X?}");
                    end = item.range.end;
                }
                assert_eq!(end, bytes.len() as u64, "{encoding} {items:?} {bytes:02X?}");
                let whole = encoding.decode_with(&bytes, DecodeOptions::new().bom(Bom::Keep)).unwrap().text;
                assert_eq!(text, whole, "{encoding} {bytes:02X?}");
            }
        }
    }
}
