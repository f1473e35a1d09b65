//! UTF-16, to and from UTF-8.

use textcodec::{Bom, DecodeOptions, UTF_8, utf};

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
    let progress = utf::utf8_to_utf16(src, dst);
    if progress.read == src.len() {
        return progress.written;
    }
    // Nothing is there to wait for room: no sequence has more code units than bytes.
    let mut decoder = UTF_8.decoder_with(DecodeOptions::new().bom(Bom::Keep));
    progress.written + decoder.decode_to_utf16(&src[progress.read..], &mut dst[progress.written..], true).written
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
    // Kernels use the room behind what they write. The characters that follow are one byte a code unit at least, so a third
    // of what is left to read or to fill, given three bytes of room a code unit, reaches no further than its followers will.
    let (mut read, mut written) = (0, 0);
    loop {
        let (units, room) = (&src[read..], &mut dst[written..]);
        let third = units.len().min(room.len().saturating_sub(3)) / 3;
        if third < FEW {
            // What is left has room of its own.
            let mut block = [0; 3 * (3 * FEW + 3)];
            let len = room.len().min(block.len());
            let (last_read, last_written) = replaced(units, &mut block[..len]);
            room[..last_written].copy_from_slice(&block[..last_written]);
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
    let (mut read, mut written) = (0, 0);
    // By pieces, because each call makes the rest of the room that it may need U+0000.
    while read < src.len() {
        let piece = whole_pairs(&src[read..], PIECE);
        let mut progress = utf::utf16_to_str(piece, &mut dst[written..]);
        if begins_unpaired(&piece[progress.read..]) {
            let mut block = [0; PIECE];
            let valid = replace_unpaired(&piece[progress.read..], &mut block);
            let rest = utf::utf16_to_str(valid, &mut dst[written + progress.written..]);
            progress.read += rest.read;
            progress.written += rest.written;
        }
        read += progress.read;
        written += progress.written;
        if progress.read < piece.len() {
            break;
        }
    }
    (read, written)
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

/// What is converted into a `str` at once.
const PIECE: usize = 1024;

/// A third of the code units for which a block of their own is cheaper than another kernel's call.
const FEW: usize = 16;

/// What is looked through at once behind a surrogate without its other half.
const SHORT_PIECE: usize = 256;

/// Converts to UTF-8 with U+FFFD for unpaired surrogates. Returns how much is read and written; what is behind that may change.
fn replaced(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let progress = utf::utf16_to_utf8(&src[read..], &mut dst[written..]);
        read += progress.read;
        written += progress.written;
        if !begins_unpaired(&src[read..]) {
            return (read, written);
        }
        let mut block = [0; SHORT_PIECE];
        let valid = replace_unpaired(whole_pairs(&src[read..], SHORT_PIECE), &mut block);
        let progress = utf::utf16_to_utf8(valid, &mut dst[written..]);
        read += progress.read;
        written += progress.written;
        if progress.read < valid.len() {
            return (read, written);
        }
    }
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
