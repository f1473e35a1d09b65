//! Decodes characters one by one, each with the range of its bytes.

use std::{ops::Range, slice};

use textcodec::{BIG5, Bom, DecodeError, DecodeOptions, Decoder, Encoding, ISO_2022_JP, Malformed, Status};

use crate::charset::Charset;

/// A range of bytes of an input and its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The range, counted from the first byte that the decoder was given. The ranges of an input are adjacent, except that
    /// two characters from one sequence of Big5 have the same range.
    pub(crate) range: Range<u64>,
    pub(crate) kind: ItemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Character(char),
    Malformed(DecodeError),
    /// Bytes without output that are not malformed: an escape sequence of ISO-2022-JP, or the bytes after the single error
    /// of `replacement`.
    NoOutput,
}

/// Creates a decoder for [`decode`]. It stops at each malformed sequence and decodes a byte order mark as a character.
pub(crate) fn decoder(encoding: impl Into<Charset>) -> Decoder {
    encoding.into().decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(Malformed::Pause))
}

/// Decodes the next bytes of an input. `last` ends the input.
///
/// The decoder gets one byte at a time, which shows where each character ends. The range of a character includes its bytes
/// from earlier calls.
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

/// Returns the offset of the incomplete sequence, or of the next one if there is none.
fn pending_start(decoder: &Decoder) -> u64 {
    let mut start = None;
    // Cannot fail: every sequence is replaced.
    let _ = decoder.clone().finish_with(&mut String::new(), |error| {
        start.get_or_insert(error.range().start);
        Some("".into())
    });
    start.unwrap_or(decoder.position())
}

/// Decodes a byte, or the end of the input. `next` and the result are the offset of the next item.
fn feed(decoder: &mut Decoder, byte: &[u8], last: bool, mut next: u64, emit: &mut impl FnMut(Item)) -> u64 {
    // More than the output of the up to four bytes that a handler restores.
    let mut buffer = [0; 32];
    let mut rest = byte;
    let mut any_malformed = false;
    loop {
        let progress = decoder.decode_to_utf8(rest, &mut buffer, last);
        rest = &rest[progress.read..];
        let text = str::from_utf8(&buffer[..progress.written]).unwrap_or_default();
        match progress.status {
            Status::Error(error) => {
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
                    // After an error, restored bytes may have started a sequence after these characters.
                    let end = if any_malformed { pending_start(decoder) } else { decoder.position() };
                    emit_characters(text, next..end, decoder.encoding(), emit);
                    next = end;
                }
                if status == Status::InputEmpty {
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

/// Emits the characters of a range of bytes.
///
/// There is usually one. A sequence of Big5 can be two. After an error, restored bytes can be several: all but the last one
/// have one byte each, because they are digits in gb18030, or ASCII and katakana in ISO-2022-JP.
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

/// The length of every escape sequence in ISO-2022-JP. All its characters are shorter.
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

    /// Compares the items with a list such as `0-2 あ, 2-3 malformed`.
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
    fn each_character_has_the_range_of_its_bytes() {
        assert_items(UTF_8, "aé日😀".as_bytes(), "0-1 a, 1-3 é, 3-6 日, 6-10 😀");
        assert_items(SHIFT_JIS, b"\x82\xA0\x82 \xFF\x82", "0-2 あ, 2-3 malformed, 3-4  , 4-5 malformed, 5-6 malformed");
        assert_items(UTF_16BE, b"\xD8\x00\0a\xD8\x3D\xDE\x00\0", "0-2 malformed, 2-4 a, 4-8 😀, 8-9 malformed");
        assert_items(EUC_JP, b"\x8F\xA2\xAF\x8E\xB1", "0-3 ˘, 3-5 ｱ");
        assert_items(WINDOWS_1252, b"\xEF\xBB\xBF", "0-1 ï, 1-2 », 2-3 ¿");
        assert_items(UTF_8, b"\xEF\xBB\xBFa", "0-3 \u{FEFF}, 3-4 a");
    }

    #[test]
    fn two_characters_from_one_sequence_have_the_same_range() {
        assert_items(BIG5, b"a\x88\x62b", "0-1 a, 1-3 Ê, 1-3 \u{304}, 3-4 b");
    }

    #[test]
    fn bytes_restored_after_an_error_are_separate_items() {
        assert_items(GB18030, b"\x81\x30\x81\x41", "0-1 malformed, 1-2 0, 2-4 丄");
        assert_items(GB18030, b"\x81\x30\xFF", "0-1 malformed, 1-2 0, 2-3 malformed");
        assert_items(ISO_2022_JP, b"\x1B(\x1B(Ja", "0-1 malformed, 1-2 (, 2-5 nothing, 5-6 a");
        assert_items(ISO_2022_JP, b"\x1B(I\x1B$1\x1B(B", "0-3 nothing, 3-4 malformed, 4-5 ､, 5-6 ｱ, 6-9 nothing");
        assert_items(ISO_2022_JP, b"\x1B$B\x1B$!", "0-3 nothing, 3-4 malformed, 4-6 ぁ");
    }

    #[test]
    fn bytes_without_output_are_items() {
        assert_items(ISO_2022_JP, b"\x1B$BF|\x1B(Ba\x1B(J", "0-3 nothing, 3-5 日, 5-8 nothing, 8-9 a, 9-12 nothing");
        assert_items(REPLACEMENT, b"abc", "0-1 malformed, 1-3 nothing");
    }

    #[test]
    fn items_are_adjacent_and_make_up_the_text() {
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
                    let item_bytes = &bytes[item.range.start as usize..item.range.end as usize];
                    match &item.kind {
                        ItemKind::Character(character) => {
                            text.push(*character);
                            // In a stateless encoding, the bytes alone decode to the same character.
                            if *encoding != ISO_2022_JP {
                                let alone =
                                    encoding.decode_with(item_bytes, DecodeOptions::new().bom(Bom::Keep)).unwrap();
                                assert!(alone.text.contains(*character), "{encoding} {items:?} {bytes:02X?}");
                                assert!(alone.errors.is_empty(), "{encoding} {items:?} {bytes:02X?}");
                            }
                        }
                        ItemKind::Malformed(error) => {
                            assert_eq!((error.bytes(), error.range()), (item_bytes, item.range.clone()));
                            text.push('\u{FFFD}');
                        }
                        ItemKind::NoOutput if *encoding == ISO_2022_JP => {
                            assert!(item_bytes.len() == 3 && item_bytes[0] == 0x1B, "{items:?}");
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
