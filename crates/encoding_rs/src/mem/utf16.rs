//! UTF-16: conversion to and from UTF-8, and validation.

use core::str;

use textcodec::utf::{self, Converted};

/// Converts UTF-8 to UTF-16. Each malformed sequence becomes U+FFFD. Returns the number of code units written.
///
/// # Panics
/// If `dst` is not longer than `src`.
///
/// ```
/// let mut units = [0; 4];
/// assert_eq!(encoding_rs::mem::convert_utf8_to_utf16(b"\xC3\xA9\xFF", &mut units), 2);
/// assert_eq!(units[..2], [0xE9, 0xFFFD]);
/// ```
#[inline]
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    assert!(dst.len() > src.len(), "the destination is not longer than the source");
    let (mut read, mut written) = (0, 0);
    loop {
        // The output always fits: `dst.len() > src.len()`, and no sequence has more code units than bytes.
        let progress = utf::utf8_to_utf16(&src[read..], &mut dst[written..]);
        read += progress.read;
        written += progress.written;
        if read == src.len() {
            return written;
        }
        read += malformed_len(&src[read..]);
        dst[written] = 0xFFFD;
        written += 1;
        // Malformed bytes often come in runs. These bytes cannot start a sequence.
        while let Some(0x80..=0xC1 | 0xF5..) = src.get(read) {
            read += 1;
            dst[written] = 0xFFFD;
            written += 1;
        }
    }
}

/// Converts a `str` to UTF-16. Returns the number of code units written.
///
/// # Panics
/// If `dst` has fewer code units than `src` has bytes.
///
/// ```
/// let mut units = [0; 4];
/// assert_eq!(encoding_rs::mem::convert_str_to_utf16("né", &mut units), 2);
/// assert_eq!(units[..2], [0x6E, 0xE9]);
/// ```
#[inline]
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    utf::utf8_to_utf16(src.as_bytes(), dst).written
}

/// Converts UTF-8 to UTF-16. Returns the number of code units written, or `None` if the input is malformed. Some code units may
/// be written even then.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// use encoding_rs::mem::convert_utf8_to_utf16_without_replacement;
///
/// let mut units = [0; 4];
/// assert_eq!(convert_utf8_to_utf16_without_replacement("né".as_bytes(), &mut units), Some(2));
/// assert_eq!(convert_utf8_to_utf16_without_replacement(b"n\xE9", &mut units), None);
/// ```
#[inline]
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    let progress = utf::utf8_to_utf16(src, dst);
    (progress.read == src.len()).then_some(progress.written)
}

/// Converts as much UTF-16 to UTF-8 as fits. Each unpaired surrogate becomes U+FFFD. Returns the number of code units read and
/// the number of bytes written, in whole characters. Does not change `dst` after these bytes.
///
/// Each call is a whole input: a high surrogate at its end is unpaired.
///
/// ```
/// let mut bytes = *b"______";
/// let progress = encoding_rs::mem::convert_utf16_to_utf8_partial(&[0xE9, 0xD800, 0x20AC], &mut bytes);
/// assert_eq!(progress, (2, 5));
/// assert_eq!(&bytes, "é\u{FFFD}_".as_bytes());
/// ```
#[inline]
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    // Kernels may overwrite the destination after their output, which this function must not change. So a call converts only
    // `third` code units into `3 * third` bytes. At least `2 * third` units remain, each of which needs at least one byte, so
    // later calls overwrite everything that this one may have changed. Up to three bytes of a full destination stay unwritten
    // if the next character has four.
    let (mut read, mut written) = (0, 0);
    loop {
        let (units, rest) = (&src[read..], &mut dst[written..]);
        let third = units.len().min(rest.len().saturating_sub(3)) / 3;
        if third < FEW {
            let (last_read, last_written) = convert_last(units, rest);
            return (read + last_read, written + last_written);
        }
        let (next_read, next_written) = convert_all(whole_pairs(units, third), &mut rest[..3 * third]);
        read += next_read;
        written += next_written;
    }
}

/// Converts UTF-16 to UTF-8. Each unpaired surrogate becomes U+FFFD. Returns the number of bytes written.
///
/// # Panics
/// If `dst` has fewer than three bytes for each code unit of `src`.
///
/// ```
/// let mut bytes = [0; 6];
/// assert_eq!(encoding_rs::mem::convert_utf16_to_utf8(&[0xE9, 0xDC00], &mut bytes), 5);
/// assert_eq!(&bytes[..5], "é\u{FFFD}".as_bytes());
/// ```
#[inline]
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    assert!(dst.len() >= src.len() * 3, "the destination is shorter than three times the source");
    convert_all(src, dst).1
}

/// Like [`convert_utf16_to_utf8_partial`], into a `str`. May change `dst` after the written part, but keeps it well-formed.
///
/// ```
/// let mut text = String::from("______");
/// assert_eq!(encoding_rs::mem::convert_utf16_to_str_partial(&[0xE9, 0xD800, 0x20AC], &mut text), (2, 5));
/// assert_eq!(&text[..5], "é\u{FFFD}");
/// ```
#[inline]
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    // In blocks, because each call fills the rest of the destination that it might need with U+0000.
    convert_blocks(src, BLOCK, |units, written| utf::utf16_to_str(units, &mut dst[written..]))
}

/// Like [`convert_utf16_to_utf8`], into a `str`. May change `dst` after the written part, but keeps it well-formed.
///
/// # Panics
/// If `dst` has fewer than three bytes for each code unit of `src`.
///
/// ```
/// let mut text = String::from("______");
/// assert_eq!(encoding_rs::mem::convert_utf16_to_str(&[0xE9, 0xDC00], &mut text), 5);
/// assert_eq!(&text[..5], "é\u{FFFD}");
/// ```
#[inline]
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    assert!(dst.len() >= src.len() * 3, "the destination is shorter than three times the source");
    convert_utf16_to_str_partial(src, dst).1
}

/// Returns the index of the first unpaired surrogate, or the length if there is none.
///
/// ```
/// assert_eq!(encoding_rs::mem::utf16_valid_up_to(&[0x41, 0xD83D, 0xDE00, 0xDE00]), 3);
/// ```
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    utf::utf16_valid_up_to(buffer)
}

/// Replaces each unpaired surrogate with U+FFFD.
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
        // Unpaired surrogates often come in runs.
        let mut block = [0; SURROGATE_BLOCK];
        let valid = replace_unpaired(whole_pairs(&buffer[at..], SURROGATE_BLOCK), &mut block);
        buffer[at..at + valid.len()].copy_from_slice(valid);
        at += valid.len();
    }
}

/// Implements [`convert_utf16_to_utf8_partial`] for few units or a short destination, through a buffer.
fn convert_last(units: &[u16], dst: &mut [u8]) -> (usize, usize) {
    // By the caller's condition, `units.len() < 3 * FEW` or `dst.len() < 3 * FEW + 3`. A unit has one to three bytes, so at
    // most `MAX` units fit.
    const MAX: usize = 3 * FEW + 6;
    let mut block = [0; 3 * MAX];
    let (mut read, mut written) = convert_all(whole_pairs(units, dst.len().min(MAX)), &mut block);
    if written > dst.len() {
        // Shorten to the last whole character.
        written = dst.len();
        while block[written] & 0xC0 == 0x80 {
            written -= 1;
        }
        let units = |byte: u8| u8::from(byte & 0xC0 != 0x80) + u8::from(byte >= 0xF0);
        read = block[..written].iter().map(|&byte| units(byte)).sum::<u8>().into();
    }
    dst[..written].copy_from_slice(&block[..written]);
    (read, written)
}

/// The number of code units that are converted into a `str` at a time.
const BLOCK: usize = 512;

/// A third of the number of code units up to which a buffer is cheaper than another kernel call.
const FEW: usize = 16;

/// The number of code units in which unpaired surrogates are replaced at a time.
const SURROGATE_BLOCK: usize = 256;

/// Converts to UTF-8 with U+FFFD for unpaired surrogates. Returns how much is read and written. May change `dst` after that.
#[inline]
fn convert_all(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let Converted { read, written, .. } = utf::utf16_to_utf8(src, dst);
    if read == src.len() {
        return (read, written);
    }
    let (rest, dst) = (&src[read..], &mut dst[written..]);
    let (more, put) = convert_blocks(rest, usize::MAX, |units, put| utf::utf16_to_utf8(units, &mut dst[put..]));
    (read + more, written + put)
}

/// Calls `convert` with blocks of at most `len` units without unpaired surrogates, and with the length written so far. Returns
/// how much is read and written.
#[inline]
fn convert_blocks(src: &[u16], len: usize, mut convert: impl FnMut(&[u16], usize) -> Converted) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let units = whole_pairs(&src[read..], len);
        let mut progress = convert(units, written);
        let mut all = units.len();
        if starts_with_unpaired(&units[progress.read..]) {
            // Unpaired surrogates often come in runs.
            read += progress.read;
            written += progress.written;
            let mut block = [0; SURROGATE_BLOCK];
            let valid = replace_unpaired(whole_pairs(&src[read..], SURROGATE_BLOCK), &mut block);
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

/// Returns the length of the malformed sequence at the start of `bytes`, which a UTF-8 decoder replaces by one U+FFFD.
fn malformed_len(bytes: &[u8]) -> usize {
    // A malformed sequence has at most three bytes. Without `error_len`, it is incomplete and consists of all of them.
    let first = &bytes[..bytes.len().min(3)];
    str::from_utf8(first).err().and_then(|error| error.error_len()).unwrap_or(first.len())
}

/// Copies `units` to the start of `block`, with U+FFFD for unpaired surrogates. Returns the copy.
fn replace_unpaired<'a>(units: &[u16], block: &'a mut [u16]) -> &'a [u16] {
    let copy = &mut block[..units.len()];
    // Each unit depends on its original neighbours. There is no branch, so that the compiler vectorises the loop.
    for (to, neighbours) in copy.iter_mut().skip(1).zip(units.windows(3)) {
        *to = paired_or_replaced(neighbours[0], neighbours[1], neighbours[2]);
    }
    if let (Some(first), Some(&unit)) = (copy.first_mut(), units.first()) {
        *first = paired_or_replaced(0, unit, units.get(1).copied().unwrap_or(0));
    }
    if let ([.., last], [.., before, unit]) = (&mut *copy, units) {
        *last = paired_or_replaced(*before, *unit, 0);
    }
    copy
}

/// Returns the code unit, or U+FFFD if it is an unpaired surrogate.
#[inline(always)]
fn paired_or_replaced(before: u16, unit: u16, next: u16) -> u16 {
    let high = |unit: u16| unit & 0xFC00 == 0xD800;
    let low = |unit: u16| unit & 0xFC00 == 0xDC00;
    let unpaired = (high(unit) & !low(next)) | (low(unit) & !high(before));
    if unpaired { 0xFFFD } else { unit }
}

/// Returns whether the first code unit is an unpaired surrogate.
#[inline]
fn starts_with_unpaired(units: &[u16]) -> bool {
    match units {
        [0xD800..=0xDBFF, 0xDC00..=0xDFFF, ..] => false,
        [0xD800..=0xDFFF, ..] => true,
        _ => false,
    }
}

/// Returns the first code units, at most `len`, without a high surrogate at their end if units follow.
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

    use std::{format, string::String, vec, vec::Vec};

    use super::*;

    /// Returns strings of one repeated character, with another character at several positions.
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

    /// Returns the length of the prefix that fits into `capacity` bytes of UTF-8, and its UTF-8.
    fn fitting(text: &[u16], capacity: usize) -> (usize, String) {
        let (mut read, mut written) = (0, String::new());
        for character in char::decode_utf16(text.iter().copied()) {
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            if written.len() + character.len_utf8() > capacity {
                break;
            }
            read += character.len_utf16();
            written.push(character);
        }
        (read, written)
    }

    #[test]
    fn partial_conversions_write_what_fits_and_leave_the_rest_unchanged() {
        for text in texts() {
            let max = 3 * text.len() + 5;
            for capacity in (0..max.min(20)).chain((0..max).step_by(37)).chain([max]) {
                let what = || format!("{text:X?} into {capacity} bytes");
                let (read, written) = fitting(&text, capacity);
                let progress = (read, written.len());
                let mut bytes = vec![0xAA; capacity];
                assert_eq!(convert_utf16_to_utf8_partial(&text, &mut bytes), progress, "{}", what());
                let (filled, rest) = bytes.split_at(written.len());
                assert!(filled == written.as_bytes() && rest.iter().all(|&byte| byte == 0xAA), "{}", what());

                let mut dst = "x".repeat(capacity);
                assert_eq!(convert_utf16_to_str_partial(&text, &mut dst), progress, "{}", what());
                assert_eq!(dst[..written.len()], written);
            }
        }
    }

    #[test]
    fn whole_conversions_agree_with_std() {
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
    fn each_malformed_sequence_becomes_one_replacement_character() {
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
