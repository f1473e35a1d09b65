//! Latin-1: U+0000 to U+00FF, with one byte for each code point.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec};

use textcodec::utf;
#[cfg(feature = "alloc")]
use textcodec::{Bom, DecodeOptions, LATIN1, Unmappable};

use super::{BLOCK, has_none};

/// The bits that are zero in code units of Latin-1.
const NOT_LATIN1: u16 = 0xFF00;

/// Whether this is a build of a fuzz target, which passes arbitrary input.
#[expect(unexpected_cfgs, reason = "cargo-fuzz sets it")]
const FUZZING: bool = cfg!(fuzzing);

/// The number of units that are converted at a time through a buffer or into a `str`.
const CHUNK: usize = 256;

/// Returns whether bytes are well-formed UTF-8 without characters above U+00FF.
///
/// ```
/// use encoding_rs::mem::is_utf8_latin1;
///
/// assert!(is_utf8_latin1("naïve".as_bytes()));
/// assert!(!is_utf8_latin1("œuvre".as_bytes()) && !is_utf8_latin1(b"\xEF"));
/// ```
pub fn is_utf8_latin1(buffer: &[u8]) -> bool {
    utf8_latin1_up_to(buffer) == buffer.len()
}

/// Returns whether a `str` has no characters above U+00FF.
///
/// ```
/// assert!(encoding_rs::mem::is_str_latin1("naïve"));
/// assert!(!encoding_rs::mem::is_str_latin1("œuvre"));
/// ```
pub fn is_str_latin1(buffer: &str) -> bool {
    str_latin1_up_to(buffer) == buffer.len()
}

/// Returns whether no code unit is above U+00FF.
///
/// ```
/// assert!(encoding_rs::mem::is_utf16_latin1(&[0x6E, 0xEF]));
/// assert!(!encoding_rs::mem::is_utf16_latin1(&[0x153, 0x75]));
/// ```
pub fn is_utf16_latin1(buffer: &[u16]) -> bool {
    has_none(NOT_LATIN1, buffer)
}

/// Returns the offset of the first sequence of UTF-8 that is malformed or above U+00FF, or the length if there is none.
///
/// ```
/// assert_eq!(encoding_rs::mem::utf8_latin1_up_to("naïve œuvre".as_bytes()), 7);
/// assert_eq!(encoding_rs::mem::utf8_latin1_up_to(b"na\xC3"), 2);
/// ```
pub fn utf8_latin1_up_to(buffer: &[u8]) -> usize {
    if matches!(buffer.first(), Some(0x80..=0xC1 | 0xC4..)) {
        return 0;
    }
    let mut at = 0;
    // Invariant: `buffer[..=at]` has been checked, except that `buffer[at]` may be a lead byte without its trail byte.
    while let Some((block, _)) = buffer[at..].split_first_chunk() {
        if !is_latin1_after_first(block) {
            break;
        }
        at += BLOCK;
    }
    if at > 0 && buffer[at] & 0xC0 == 0x80 {
        at += 1;
    }
    loop {
        match &buffer[at..] {
            rest if rest.first_chunk().is_some_and(|chunk: &[u8; 8]| chunk.is_ascii()) => at += 8,
            [0..=0x7F, ..] => at += 1,
            [0xC2..=0xC3, 0x80..=0xBF, ..] => at += 2,
            _ => return at,
        }
    }
}

/// Returns whether each byte after the first may follow the byte before it in UTF-8 of Latin-1.
#[inline]
fn is_latin1_after_first(block: &[u8; BLOCK + 1]) -> bool {
    if block.iter().fold(0, |all, byte| all | byte) < 0x80 {
        return true;
    }
    let mut bad = false;
    for at in 0..BLOCK {
        let [before, byte] = [block[at], block[at + 1]];
        let leading = before & 0xFE == 0xC2;
        let trailing = byte & 0xC0 == 0x80;
        bad |= (leading != trailing) | (byte >= 0xC4) | (byte & 0xFE == 0xC0);
    }
    !bad
}

/// Returns the offset of the first character above U+00FF, or the length if there is none.
///
/// ```
/// assert_eq!(encoding_rs::mem::str_latin1_up_to("naïve œuvre"), 7);
/// ```
pub fn str_latin1_up_to(buffer: &str) -> usize {
    let bytes = buffer.as_bytes();
    let latin1 = |block: &&[u8]| block.iter().fold(0, |highest, &byte| byte.max(highest)) < 0xC4;
    let whole = bytes.chunks(BLOCK).take_while(latin1).map(<[u8]>::len).sum::<usize>();
    whole + bytes[whole..].iter().take_while(|&&byte| byte < 0xC4).count()
}

/// Converts Latin-1 to UTF-16. Writes as many code units as there are bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// let mut units = [0; 4];
/// encoding_rs::mem::convert_latin1_to_utf16(b"n\xE9", &mut units);
/// assert_eq!(units, [0x6E, 0xE9, 0, 0]);
/// ```
#[inline]
pub fn convert_latin1_to_utf16(src: &[u8], dst: &mut [u16]) {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    let _ = utf::latin1_to_utf16(src, &mut dst[..src.len()]);
}

/// Converts as much Latin-1 to UTF-8 as fits. Returns the numbers of bytes read and written, in whole characters.
///
/// ```
/// let mut bytes = [0; 3];
/// assert_eq!(encoding_rs::mem::convert_latin1_to_utf8_partial(b"\xE9\xE9", &mut bytes), (1, 2));
/// assert_eq!(&bytes[..2], "é".as_bytes());
/// ```
#[inline]
pub fn convert_latin1_to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let progress = utf::latin1_to_utf8(src, dst);
    (progress.read, progress.written)
}

/// Converts Latin-1 to UTF-8. Returns the number of bytes written.
///
/// # Panics
/// If `dst` is shorter than twice `src`.
///
/// ```
/// let mut bytes = [0; 4];
/// assert_eq!(encoding_rs::mem::convert_latin1_to_utf8(b"n\xE9", &mut bytes), 3);
/// assert_eq!(&bytes[..3], "né".as_bytes());
/// ```
#[inline]
pub fn convert_latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    assert!(dst.len() >= src.len() * 2, "the destination is shorter than twice the source");
    utf::latin1_to_utf8(src, dst).written
}

/// Like [`convert_latin1_to_utf8_partial`], into a `str`. May change `dst` after the written part, but keeps it well-formed.
///
/// ```
/// let mut text = String::from("___");
/// assert_eq!(encoding_rs::mem::convert_latin1_to_str_partial(b"\xE9\xE9", &mut text), (1, 2));
/// assert_eq!(&text[..2], "é");
/// ```
#[inline]
pub fn convert_latin1_to_str_partial(src: &[u8], dst: &mut str) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // In chunks, because each call fills the rest of the destination that it might need with U+0000.
    for chunk in src.chunks(CHUNK) {
        let progress = utf::latin1_to_str(chunk, &mut dst[written..]);
        read += progress.read;
        written += progress.written;
        if progress.read < chunk.len() {
            break;
        }
    }
    (read, written)
}

/// Like [`convert_latin1_to_utf8`], into a `str`. May change `dst` after the written part, but keeps it well-formed.
///
/// # Panics
/// If `dst` is shorter than twice `src`.
///
/// ```
/// let mut text = String::from("____");
/// assert_eq!(encoding_rs::mem::convert_latin1_to_str(b"n\xE9", &mut text), 3);
/// assert_eq!(&text[..3], "né");
/// ```
#[inline]
pub fn convert_latin1_to_str(src: &[u8], dst: &mut str) -> usize {
    assert!(dst.len() >= src.len() * 2, "the destination is shorter than twice the source");
    convert_latin1_to_str_partial(src, dst).1
}

/// Converts UTF-8 to Latin-1. Returns the number of bytes written.
///
/// The input must be well-formed and without characters above U+00FF. Otherwise this panics if debug assertions are enabled, or
/// else writes unspecified bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// let mut bytes = [0; 4];
/// assert_eq!(encoding_rs::mem::convert_utf8_to_latin1_lossy("né".as_bytes(), &mut bytes), 2);
/// assert_eq!(&bytes[..2], b"n\xE9");
/// ```
#[inline]
pub fn convert_utf8_to_latin1_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    debug_assert!(FUZZING || is_utf8_latin1(src), "the source is not UTF-8 of Latin-1");
    let progress = utf::trusted_utf8_to_latin1(src, dst);
    let rest = &src[progress.read..];
    progress.written + if rest.is_empty() { 0 } else { truncate_utf8(rest, &mut dst[progress.written..]) }
}

/// Converts UTF-8 to the lowest eight bits of its code units, up to the first malformed sequence. Returns how many.
#[cold]
fn truncate_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    let (mut read, mut written) = (0, 0);
    loop {
        let mut units = [0; CHUNK];
        let rest = &src[read..];
        let progress = utf::utf8_to_utf16(&rest[..rest.len().min(CHUNK)], &mut units);
        if progress.read == 0 {
            return written;
        }
        convert_utf16_to_latin1_lossy(&units[..progress.written], &mut dst[written..]);
        read += progress.read;
        written += progress.written;
    }
}

/// Converts UTF-16 to Latin-1. Writes as many bytes as there are code units. Code units above U+00FF become unspecified bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
///
/// ```
/// let mut bytes = [0; 2];
/// encoding_rs::mem::convert_utf16_to_latin1_lossy(&[0x6E, 0xE9], &mut bytes);
/// assert_eq!(&bytes, b"n\xE9");
/// ```
#[inline]
pub fn convert_utf16_to_latin1_lossy(src: &[u16], dst: &mut [u8]) {
    assert!(dst.len() >= src.len(), "the destination is shorter than the source");
    let dst = &mut dst[..src.len()];
    let done = utf::utf16_to_latin1(src, dst).read;
    for (byte, &unit) in dst[done..].iter_mut().zip(&src[done..]) {
        *byte = unit as u8;
    }
}

/// Decodes Latin-1. Borrows if it is ASCII. Needs feature `alloc`.
///
/// ```
/// use std::borrow::Cow;
///
/// assert!(matches!(encoding_rs::mem::decode_latin1(b"plain"), Cow::Borrowed("plain")));
/// assert_eq!(encoding_rs::mem::decode_latin1(b"na\xEFve"), "naïve");
/// ```
#[cfg(feature = "alloc")]
pub fn decode_latin1(bytes: &[u8]) -> Cow<'_, str> {
    // No byte is malformed.
    let decoded = LATIN1.decode_with(bytes, DecodeOptions::new().bom(Bom::Keep));
    decoded.unwrap_or_else(|_| crate::out_of_memory(bytes.len())).text
}

/// Encodes text as Latin-1. Borrows if it is ASCII. Needs feature `alloc`.
///
/// The text must not have characters above U+00FF. Otherwise this panics if debug assertions are enabled, or else returns
/// unspecified bytes.
///
/// ```
/// use std::borrow::Cow;
///
/// assert!(matches!(encoding_rs::mem::encode_latin1_lossy("plain"), Cow::Borrowed(b"plain")));
/// assert_eq!(*encoding_rs::mem::encode_latin1_lossy("naïve"), *b"na\xEFve");
/// ```
#[cfg(feature = "alloc")]
pub fn encode_latin1_lossy(string: &str) -> Cow<'_, [u8]> {
    debug_assert!(FUZZING || is_str_latin1(string), "the text has characters above U+00FF");
    if super::is_ascii(string.as_bytes()) {
        return Cow::Borrowed(string.as_bytes());
    }
    let mut bytes = vec![0; string.len()];
    let progress = utf::utf8_to_latin1(string, &mut bytes);
    if progress.read < string.len() {
        // The question mark is mappable.
        let encoded = LATIN1.encode_with(string, Unmappable::Replace('?'));
        return encoded.unwrap_or_else(|_| crate::out_of_memory(string.len())).bytes;
    }
    bytes.truncate(progress.written);
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use core::str;
    use std::{string::String, vec, vec::Vec};

    use super::*;

    /// Returns the offset of the first sequence that is malformed or above U+00FF.
    fn up_to(bytes: &[u8]) -> usize {
        let valid = str::from_utf8(bytes)
            .unwrap_or_else(|error| str::from_utf8(&bytes[..error.valid_up_to()]).expect("valid up to this offset"));
        valid.find(|character| character > 'ÿ').unwrap_or(valid.len())
    }

    #[test]
    fn latin1_ends_at_every_offset() {
        let special: [&[u8]; 9] =
            [b"a", b"\xC3\xBF", b"\xC4\x80", b"\xE5\xAD\x97", b"\x80", b"\xC1", b"\xC3", b"\xC3\xC3\xBF", b"\xFF"];
        for (filler, special) in
            ["a", "é"].iter().flat_map(|filler| special.iter().map(move |special| (filler, special)))
        {
            for at in 0..150 {
                for after in [0, 1, 70] {
                    let text = [filler.repeat(at).as_bytes(), special, filler.repeat(after).as_bytes()].concat();
                    let expected = up_to(&text);
                    assert_eq!(utf8_latin1_up_to(&text), expected, "{text:X?}");
                    assert_eq!(is_utf8_latin1(&text), expected == text.len(), "{text:X?}");
                    if let Ok(text) = str::from_utf8(&text) {
                        assert_eq!(str_latin1_up_to(text), expected, "{text}");
                        assert_eq!(is_str_latin1(text), expected == text.len(), "{text}");
                        let units: Vec<u16> = text.encode_utf16().collect();
                        assert_eq!(is_utf16_latin1(&units), expected == text.len(), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn latin1_round_trips() {
        for (len, step) in
            [0, 1, 7, 16, 33, 70, 300, 2000].into_iter().flat_map(|len| [1, 3, 128].map(|step| (len, step)))
        {
            let src: Vec<u8> = (0..len).map(|at| (at * step % 256) as u8).collect();
            let text: String = src.iter().copied().map(char::from).collect();
            let wide: Vec<u16> = text.encode_utf16().collect();

            let mut units = vec![0; len];
            convert_latin1_to_utf16(&src, &mut units);
            assert_eq!(units, wide);
            let mut bytes = vec![0; len];
            convert_utf16_to_latin1_lossy(&units, &mut bytes);
            assert_eq!(bytes, src);

            let mut bytes = vec![0; 2 * len];
            let written = convert_latin1_to_utf8(&src, &mut bytes);
            assert_eq!(&bytes[..written], text.as_bytes());
            let mut dst = "x".repeat(2 * len);
            let written = convert_latin1_to_str(&src, &mut dst);
            assert_eq!(dst[..written], text);
            let mut bytes = vec![0; text.len()];
            let written = convert_utf8_to_latin1_lossy(text.as_bytes(), &mut bytes);
            assert_eq!(bytes[..written], src);

            for capacity in (0..text.len()).step_by(11) {
                let whole = (0..=capacity).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
                let progress = (text[..whole].chars().count(), whole);
                let mut bytes = vec![0; capacity];
                assert_eq!(convert_latin1_to_utf8_partial(&src, &mut bytes), progress);
                assert_eq!(&bytes[..whole], &text.as_bytes()[..whole]);
                let mut dst = "字".repeat(capacity / 3) + &"x".repeat(capacity % 3);
                assert_eq!(convert_latin1_to_str_partial(&src, &mut dst), progress);
                assert_eq!(dst[..whole], text[..whole]);
            }
            #[cfg(feature = "alloc")]
            {
                assert_eq!(decode_latin1(&src), text);
                assert_eq!(*encode_latin1_lossy(&text), src);
            }
        }
    }
}
