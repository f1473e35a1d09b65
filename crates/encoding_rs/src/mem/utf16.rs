//! UTF-16, to and from UTF-8.

use core::str;

use textcodec::utf::{self, Progress};

/// Converts UTF-8 to UTF-16; each malformed sequence becomes U+FFFD. Returns how many code units are written.
///
/// # Panics
/// Where `dst` is not longer than `src`.
///
/// ```
/// let mut units = [0; 4];
/// assert_eq!(encoding_rs::mem::convert_utf8_to_utf16(b"\xC3\xA9\xFF", &mut units), 2);
/// assert_eq!(units[..2], [0xE9, 0xFFFD]);
/// ```
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    assert!(dst.len() > src.len(), "the destination is not longer than the source");
    let (mut read, mut written) = (0, 0);
    loop {
        // There is always room: no sequence has more code units than bytes.
        let progress = utf::utf8_to_utf16(&src[read..], &mut dst[written..]);
        read += progress.read;
        written += progress.written;
        if read == src.len() {
            return written;
        }
        read += malformed_len(&src[read..]);
        dst[written] = 0xFFFD;
        written += 1;
        // One seldom comes alone; these bytes begin nothing.
        while let Some(0x80..=0xC1 | 0xF5..) = src.get(read) {
            read += 1;
            dst[written] = 0xFFFD;
            written += 1;
        }
    }
}

/// Converts a text to UTF-16. Returns how many code units are written.
///
/// # Panics
/// Where `dst` has fewer code units than `src` has bytes.
///
/// ```
/// let mut units = [0; 4];
/// assert_eq!(encoding_rs::mem::convert_str_to_utf16("né", &mut units), 2);
/// assert_eq!(units[..2], [0x6E, 0xE9]);
/// ```
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    utf::utf8_to_utf16(src.as_bytes(), dst).written
}

/// Converts UTF-8 to UTF-16. Returns how many code units are written, or `None` where the input is malformed; some may be
/// written then, too.
///
/// # Panics
/// Where `dst` is shorter than `src`.
///
/// ```
/// use encoding_rs::mem::convert_utf8_to_utf16_without_replacement;
///
/// let mut units = [0; 4];
/// assert_eq!(convert_utf8_to_utf16_without_replacement("né".as_bytes(), &mut units), Some(2));
/// assert_eq!(convert_utf8_to_utf16_without_replacement(b"n\xE9", &mut units), None);
/// ```
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    let progress = utf::utf8_to_utf16(src, dst);
    (progress.read == src.len()).then_some(progress.written)
}

/// Converts as much UTF-16 to UTF-8 as fits; each surrogate without its other half becomes U+FFFD. Returns how many code units
/// are read and how many bytes are written, in whole characters. What is behind them in `dst` stays as it is.
///
/// A call is a whole input: a surrogate at its end has no other half.
///
/// ```
/// let mut bytes = *b"______";
/// let progress = encoding_rs::mem::convert_utf16_to_utf8_partial(&[0xE9, 0xD800, 0x20AC], &mut bytes);
/// assert_eq!(progress, (2, 5));
/// assert_eq!(&bytes, "é\u{FFFD}_".as_bytes());
/// ```
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    // Kernels use the room behind what they write. Each code unit that follows is one byte at least, so a third of what is
    // left to read or to fill, with three bytes of room a unit, spoils only what its followers will write. A full destination
    // may have three bytes left, for which the next character is too long.
    let (mut read, mut written) = (0, 0);
    loop {
        let (units, room) = (&src[read..], &mut dst[written..]);
        let third = units.len().min(room.len().saturating_sub(3)) / 3;
        if third < FEW {
            let (last_read, last_written) = last_replaced(units, room);
            return (read + last_read, written + last_written);
        }
        let (next_read, next_written) = replaced(whole_pairs(units, third), &mut room[..3 * third]);
        read += next_read;
        written += next_written;
    }
}

/// Converts UTF-16 to UTF-8; each surrogate without its other half becomes U+FFFD. Returns how many bytes are written.
///
/// # Panics
/// Where `dst` has fewer than three bytes for each code unit of `src`.
///
/// ```
/// let mut bytes = [0; 6];
/// assert_eq!(encoding_rs::mem::convert_utf16_to_utf8(&[0xE9, 0xDC00], &mut bytes), 5);
/// assert_eq!(&bytes[..5], "é\u{FFFD}".as_bytes());
/// ```
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    assert!(dst.len() >= src.len() * 3, "the destination is shorter than three times the source");
    replaced(src, dst).1
}

/// [`convert_utf16_to_utf8_partial`] into a `str`. What is behind the written part may change and stays valid.
///
/// ```
/// let mut text = String::from("______");
/// assert_eq!(encoding_rs::mem::convert_utf16_to_str_partial(&[0xE9, 0xD800, 0x20AC], &mut text), (2, 5));
/// assert_eq!(&text[..5], "é\u{FFFD}");
/// ```
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    // By pieces, because each call makes the rest of the room that it may need U+0000.
    replacing(src, PIECE, |units, written| utf::utf16_to_str(units, &mut dst[written..]))
}

/// [`convert_utf16_to_utf8`] into a `str`. What is behind the written part may change and stays valid.
///
/// # Panics
/// Where `dst` has fewer than three bytes for each code unit of `src`.
///
/// ```
/// let mut text = String::from("______");
/// assert_eq!(encoding_rs::mem::convert_utf16_to_str(&[0xE9, 0xDC00], &mut text), 5);
/// assert_eq!(&text[..5], "é\u{FFFD}");
/// ```
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    assert!(dst.len() >= src.len() * 3, "the destination is shorter than three times the source");
    convert_utf16_to_str_partial(src, dst).1
}

/// How many code units are well-formed UTF-16, up to the first surrogate without its other half.
///
/// ```
/// assert_eq!(encoding_rs::mem::utf16_valid_up_to(&[0x41, 0xD83D, 0xDE00, 0xDE00]), 3);
/// ```
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    utf::utf16_valid_up_to(buffer)
}

/// Makes each surrogate without its other half U+FFFD.
///
/// ```
/// let mut units = [0x41, 0xDE00, 0xD83D, 0xDE00];
/// encoding_rs::mem::ensure_utf16_validity(&mut units);
/// assert_eq!(units, [0x41, 0xFFFD, 0xD83D, 0xDE00]);
/// ```
pub fn ensure_utf16_validity(buffer: &mut [u16]) {
    let mut at = 0;
    loop {
        at += utf::utf16_valid_up_to(&buffer[at..]);
        if at == buffer.len() {
            return;
        }
        // One seldom comes alone.
        let mut block = [0; SHORT_PIECE];
        let valid = replace_unpaired(whole_pairs(&buffer[at..], SHORT_PIECE), &mut block);
        buffer[at..at + valid.len()].copy_from_slice(valid);
        at += valid.len();
    }
}

/// [`convert_utf16_to_utf8_partial`] of few units or into little room, by a block.
fn last_replaced(units: &[u16], room: &mut [u8]) -> (usize, usize) {
    // A unit is at least one byte, and at most three.
    const MOST: usize = 3 * FEW + 6;
    let mut block = [0; 3 * MOST];
    let (mut read, mut written) = replaced(whole_pairs(units, room.len().min(MOST)), &mut block);
    if written > room.len() {
        // Back to the last whole character.
        written = room.len();
        while block[written] & 0xC0 == 0x80 {
            written -= 1;
        }
        let units = |byte: u8| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
        read = block[..written].iter().map(|&byte| units(byte)).sum::<u8>().into();
    }
    room[..written].copy_from_slice(&block[..written]);
    (read, written)
}

/// What is converted into a `str` at once.
const PIECE: usize = 512;

/// A third of the code units for which a block of their own is cheaper than another kernel's call.
const FEW: usize = 16;

/// What is looked through at once behind a surrogate without its other half.
const SHORT_PIECE: usize = 256;

/// Converts to UTF-8 with U+FFFD for unpaired surrogates. Returns how much is read and written; what is behind that may change.
fn replaced(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    replacing(src, usize::MAX, |units, written| utf::utf16_to_utf8(units, &mut dst[written..]))
}

/// Gives `convert` pieces of at most `len` units without unpaired surrogates, with what is written so far. Returns how much is
/// read and written.
#[inline]
fn replacing(src: &[u16], len: usize, mut convert: impl FnMut(&[u16], usize) -> Progress) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let piece = whole_pairs(&src[read..], len);
        let mut progress = convert(piece, written);
        let mut all = piece.len();
        if begins_unpaired(&piece[progress.read..]) {
            // One seldom comes alone.
            read += progress.read;
            written += progress.written;
            let mut block = [0; SHORT_PIECE];
            let valid = replace_unpaired(whole_pairs(&src[read..], SHORT_PIECE), &mut block);
            progress = convert(valid, written);
            all = valid.len();
        }
        read += progress.read;
        written += progress.written;
        if progress.read < all {
            break;
        }
    }
    (read, written)
}

/// How long the malformed sequence is that bytes begin with: what a decoder of UTF-8 replaces by one U+FFFD.
fn malformed_len(bytes: &[u8]) -> usize {
    let first = &bytes[..bytes.len().min(3)];
    // Three bytes of four are cut off, for want of the fourth.
    str::from_utf8(first).err().and_then(|error| error.error_len()).unwrap_or(first.len())
}

/// Copies to the front of `block`, with U+FFFD for unpaired surrogates. Returns the copy.
fn replace_unpaired<'a>(units: &[u16], block: &'a mut [u16]) -> &'a [u16] {
    let copy = &mut block[..units.len()];
    // A unit is judged by its neighbours as they were, without a branch, so that the compiler makes vectors of it.
    for (to, neighbours) in copy.iter_mut().skip(1).zip(units.windows(3)) {
        *to = paired(neighbours[0], neighbours[1], neighbours[2]);
    }
    if let (Some(first), Some(&unit)) = (copy.first_mut(), units.first()) {
        *first = paired(0, unit, units.get(1).copied().unwrap_or(0));
    }
    if let ([.., last], [.., before, unit]) = (&mut *copy, units) {
        *last = paired(*before, *unit, 0);
    }
    copy
}

/// A code unit, or U+FFFD where it is a surrogate and its neighbour is not the other half.
#[inline(always)]
fn paired(before: u16, unit: u16, next: u16) -> u16 {
    let leading = |unit: u16| unit & 0xFC00 == 0xD800;
    let trailing = |unit: u16| unit & 0xFC00 == 0xDC00;
    let unpaired = (leading(unit) & !trailing(next)) | (trailing(unit) & !leading(before));
    if unpaired { 0xFFFD } else { unit }
}

/// Whether the first code unit is a surrogate without its other half.
#[inline]
fn begins_unpaired(units: &[u16]) -> bool {
    match units {
        [0xD800..=0xDBFF, 0xDC00..=0xDFFF, ..] => false,
        [0xD800..=0xDFFF, ..] => true,
        _ => false,
    }
}

/// The first code units, at most `len`, without the first half of a pair at their end.
fn whole_pairs(units: &[u16], len: usize) -> &[u16] {
    match units.get(..len) {
        Some(first @ [.., 0xD800..=0xDBFF]) if len < units.len() => &first[..len - 1],
        Some(first) => first,
        None => units,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{string::String, vec, vec::Vec};

    use super::*;

    /// Texts of one kind of character, with something else at every place, and of nothing but that.
    fn texts() -> Vec<Vec<u16>> {
        let special: [&[u16]; 6] = [&[0x41], &[0xE9], &[0x5B57], &[0xD83D, 0xDE00], &[0xD800], &[0xDC00, 0xD800]];
        let mut texts = vec![];
        for (filler, special) in special.iter().flat_map(|filler| special.iter().map(move |special| (filler, special)))
        {
            for len in [0, 1, 3, 17, 40, 70, 160, 300] {
                for at in [0, 1, 15, 16, 31, 50, 69, 130, 299] {
                    let mut text = filler.repeat(len);
                    let at = text.len().min(at * filler.len());
                    text.splice(at..at, special.iter().copied());
                    texts.push(text);
                }
            }
        }
        texts
    }

    /// How much of a text fits.
    fn fitting(text: &[u16], room: usize) -> (usize, String) {
        let (mut read, mut written) = (0, String::new());
        for character in char::decode_utf16(text.iter().copied()) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            if written.len() + character.len_utf8() > room {
                break;
            }
            read += character.len_utf16();
            written.push(character);
        }
        (read, written)
    }

    #[test]
    fn partial_conversions_fill_the_room_and_leave_the_rest() {
        for text in texts() {
            let most = 3 * text.len() + 5;
            for room in (0..most.min(20)).chain((0..most).step_by(37)).chain([most]) {
                let (read, written) = fitting(&text, room);
                let progress = (read, written.len());
                let mut bytes = vec![0xAA; room];
                assert_eq!(convert_utf16_to_utf8_partial(&text, &mut bytes), progress, "{text:X?} into {room}");
                let (filled, rest) = bytes.split_at(written.len());
                assert!(filled == written.as_bytes() && rest.iter().all(|&byte| byte == 0xAA), "{text:X?} into {room}");

                let mut dst = "x".repeat(room);
                assert_eq!(convert_utf16_to_str_partial(&text, &mut dst), progress, "{text:X?} into {room}");
                assert_eq!(dst[..written.len()], written);
            }
        }
    }

    #[test]
    fn whole_conversions_are_those_of_std() {
        for text in texts() {
            let expected = String::from_utf16_lossy(&text);
            let mut bytes = vec![0; 3 * text.len()];
            let written = convert_utf16_to_utf8(&text, &mut bytes);
            assert_eq!(&bytes[..written], expected.as_bytes());
            let mut dst = "x".repeat(3 * text.len());
            let written = convert_utf16_to_str(&text, &mut dst);
            assert_eq!(dst[..written], expected);

            let mut valid = text.clone();
            ensure_utf16_validity(&mut valid);
            assert!(valid.iter().copied().eq(expected.encode_utf16()), "{text:X?}");
            assert_eq!(utf16_valid_up_to(&text) == text.len(), valid == text);
            let mut units = vec![0; expected.len()];
            assert_eq!(convert_str_to_utf16(&expected, &mut units), text.len());
            assert_eq!(units[..text.len()], valid);
        }
    }

    #[test]
    fn a_malformed_sequence_is_one_replacement() {
        let bytes = b"a\x80\xBF\xC2\xE0\xA0\xED\x9F\xEF\xF0\x90\xF4\x8F\xF5\xFF";
        let bytes = bytes.iter().flat_map(|&first| bytes.iter().map(move |&second| [first, second]));
        let bytes: Vec<[u8; 2]> = bytes.collect();
        for src in bytes.iter().flat_map(|&first| bytes.iter().map(move |&second| [first, second].concat())) {
            let expected: Vec<u16> = String::from_utf8_lossy(&src).encode_utf16().collect();
            let mut units = [0; 5];
            let written = convert_utf8_to_utf16(&src, &mut units);
            assert_eq!(units[..written], expected, "{src:X?}");
            let is_valid = str::from_utf8(&src).is_ok();
            assert_eq!(convert_utf8_to_utf16_without_replacement(&src, &mut units), is_valid.then_some(written));
        }
    }
}
