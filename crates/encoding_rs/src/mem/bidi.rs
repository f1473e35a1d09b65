//! Detection of right-to-left text, for which the Unicode Bidirectional Algorithm is needed.
//!
//! These code points count as right-to-left, whether assigned or not: U+0590 to U+08FF, U+FB1D to U+FDFF, U+FE70 to U+FEFE
//! (U+FEFF is a byte order mark), U+10800 to U+10FFF, U+1E800 to U+1EFFF, and the control characters RIGHT-TO-LEFT MARK
//! (U+200F), EMBEDDING (U+202B), OVERRIDE (U+202E) and ISOLATE (U+2067).

use textcodec::utf;

use super::{BLOCK, prefix_without, str_latin1_up_to, utf8_latin1_up_to};

/// The kind of characters in text.
///
/// ```
/// use encoding_rs::mem::{Latin1Bidi, check_str_for_latin1_and_bidi};
///
/// assert_eq!(check_str_for_latin1_and_bidi("naïve"), Latin1Bidi::Latin1);
/// assert_eq!(check_str_for_latin1_and_bidi("наивный"), Latin1Bidi::LeftToRight);
/// assert_eq!(check_str_for_latin1_and_bidi("נאיבי"), Latin1Bidi::Bidi);
/// ```
#[must_use]
#[derive(Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Latin1Bidi {
    /// No character is above U+00FF.
    Latin1 = 0,
    /// Some characters are above U+00FF, none is right-to-left.
    LeftToRight = 1,
    /// Some characters are right-to-left.
    Bidi = 2,
}

/// Returns whether UTF-8 has a right-to-left character or is malformed.
///
/// ```
/// use encoding_rs::mem::is_utf8_bidi;
///
/// assert!(is_utf8_bidi("שלום".as_bytes()) && is_utf8_bidi(b"\xFF"));
/// assert!(!is_utf8_bidi("Мир".as_bytes()));
/// ```
pub fn is_utf8_bidi(buffer: &[u8]) -> bool {
    if starts_with_bidi(buffer) {
        return true;
    }
    let (mut rest, mut block_len) = (buffer, BLOCK);
    loop {
        // Growing blocks make an early end cheap, and keep validated bytes in the first-level cache for the second pass.
        let len = rest.len().min(block_len);
        let valid = utf::utf8_valid_up_to(&rest[..len]);
        // A block may end in the middle of a character.
        if (valid < len && (len == rest.len() || len - valid > 3)) || has_bidi(&rest[..valid]) {
            return true;
        }
        rest = &rest[valid..];
        if rest.is_empty() {
            return false;
        }
        block_len = (2 * block_len).min(4096);
    }
}

/// Returns whether a `str` has a right-to-left character.
///
/// ```
/// assert!(encoding_rs::mem::is_str_bidi("سلام"));
/// assert!(!encoding_rs::mem::is_str_bidi("平和"));
/// ```
#[inline]
pub fn is_str_bidi(buffer: &str) -> bool {
    has_bidi(buffer.as_bytes())
}

/// Returns whether UTF-16 has a right-to-left character or a high surrogate that could start one.
///
/// ```
/// use encoding_rs::mem::is_utf16_bidi;
///
/// assert!(is_utf16_bidi(&[0x41, 0x5D0]) && is_utf16_bidi(&[0xD83A]));
/// assert!(!is_utf16_bidi(&[0x41, 0x416]));
/// ```
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    match (buffer, buffer.last_chunk()) {
        ([first, ..], _) if is_utf16_code_unit_bidi(*first) => true,
        // The last block may overlap the previous one.
        (_, Some(last)) => buffer.as_chunks().0.iter().any(units_have_bidi) || units_have_bidi(last),
        _ => buffer.iter().any(|&unit| is_utf16_code_unit_bidi(unit)),
    }
}

/// Returns whether a character is right-to-left.
///
/// ```
/// assert!(encoding_rs::mem::is_char_bidi('ש'));
/// assert!(!encoding_rs::mem::is_char_bidi('ш'));
/// ```
#[inline]
pub fn is_char_bidi(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{8FF}'
            | '\u{200F}'
            | '\u{202B}'
            | '\u{202E}'
            | '\u{2067}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFE}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}'
    )
}

/// Returns whether a code unit is a right-to-left character or a high surrogate that starts one.
///
/// ```
/// use encoding_rs::mem::is_utf16_code_unit_bidi;
///
/// assert!(is_utf16_code_unit_bidi(0x5D0) && is_utf16_code_unit_bidi(0xD802));
/// assert!(!is_utf16_code_unit_bidi(0xD83D));
/// ```
#[inline]
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    // One or two comparisons suffice for most characters.
    match u {
        ..0x590 => false,
        0x900..0xD802 => matches!(u, 0x200F..=0x2067) && is_low_bidi(u),
        _ => is_low_bidi(u) || is_high_bidi(u),
    }
}

/// Returns `Latin1` if [`is_utf8_latin1`](super::is_utf8_latin1), else `Bidi` if [`is_utf8_bidi`], else `LeftToRight`.
///
/// ```
/// use encoding_rs::mem::{Latin1Bidi, check_utf8_for_latin1_and_bidi};
///
/// assert_eq!(check_utf8_for_latin1_and_bidi("œuf".as_bytes()), Latin1Bidi::LeftToRight);
/// assert_eq!(check_utf8_for_latin1_and_bidi(b"\xFF"), Latin1Bidi::Bidi);
/// ```
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    let latin1 = utf8_latin1_up_to(buffer);
    check_after_latin1(&buffer[latin1..], is_utf8_bidi)
}

/// Returns `Latin1` if [`is_str_latin1`](super::is_str_latin1), else `Bidi` if [`is_str_bidi`], else `LeftToRight`.
///
/// ```
/// use encoding_rs::mem::{Latin1Bidi, check_str_for_latin1_and_bidi};
///
/// assert_eq!(check_str_for_latin1_and_bidi("œuf"), Latin1Bidi::LeftToRight);
/// ```
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    let latin1 = str_latin1_up_to(buffer);
    check_after_latin1(&buffer.as_bytes()[latin1..], has_bidi)
}

/// Returns `Latin1` if [`is_utf16_latin1`](super::is_utf16_latin1), else `Bidi` if [`is_utf16_bidi`], else `LeftToRight`.
///
/// ```
/// use encoding_rs::mem::{Latin1Bidi, check_utf16_for_latin1_and_bidi};
///
/// assert_eq!(check_utf16_for_latin1_and_bidi(&[0x153, 0x75, 0x66]), Latin1Bidi::LeftToRight);
/// ```
pub fn check_utf16_for_latin1_and_bidi(buffer: &[u16]) -> Latin1Bidi {
    let latin1 = prefix_without(0xFF00, buffer);
    check_after_latin1(&buffer[latin1..], is_utf16_bidi)
}

/// Returns the kind of text, from the part after its Latin-1 prefix.
fn check_after_latin1<T>(rest: &[T], is_bidi: impl Fn(&[T]) -> bool) -> Latin1Bidi {
    if rest.is_empty() {
        Latin1Bidi::Latin1
    } else if is_bidi(rest) {
        Latin1Bidi::Bidi
    } else {
        Latin1Bidi::LeftToRight
    }
}

// The functions below have no branches within a block, so that the compiler vectorises them.

/// Returns whether a block has a right-to-left character or a high surrogate that starts one.
fn units_have_bidi(block: &[u16; BLOCK / 2]) -> bool {
    let highest = block.iter().fold(0, |highest, &unit| highest.max(unit));
    if highest < 0x590 {
        return false;
    }
    let (mut low, mut may_be_high) = (false, false);
    for &unit in block {
        low |= is_low_bidi(unit);
        may_be_high |= in_range(unit, 0xD802, 0xFEFE);
    }
    low || (may_be_high && block.iter().fold(false, |any, &unit| any | is_high_bidi(unit)))
}

/// Returns whether a code unit below the surrogates is right-to-left.
#[inline(always)]
fn is_low_bidi(u: u16) -> bool {
    in_range(u, 0x590, 0x8FF) | (u == 0x200F) | (u == 0x202B) | (u == 0x202E) | (u == 0x2067)
}

/// Returns whether a code unit above the surrogates is right-to-left, or is a high surrogate that starts a right-to-left
/// character.
#[inline(always)]
fn is_high_bidi(u: u16) -> bool {
    in_range(u, 0xD802, 0xD803)
        | in_range(u, 0xD83A, 0xD83B)
        | in_range(u, 0xFB1D, 0xFDFF)
        | in_range(u, 0xFE70, 0xFEFE)
}

#[inline(always)]
fn in_range(u: u16, first: u16, last: u16) -> bool {
    u.wrapping_sub(first) <= last - first
}

/// Returns whether well-formed UTF-8 has a right-to-left character.
fn has_bidi(utf8: &[u8]) -> bool {
    if starts_with_bidi(utf8) {
        return true;
    }
    // The check of a block also reads the two bytes after it.
    let mut rest = utf8;
    while let Some((block, _)) = rest.split_first_chunk() {
        if block_has_bidi(block) {
            return true;
        }
        rest = &rest[BLOCK..];
    }
    // `rest.len() < BLOCK + 2`, so no right-to-left character, which has at least two bytes, starts after the first `BLOCK`
    // bytes.
    let mut block = [0; BLOCK + 2];
    block[..rest.len()].copy_from_slice(rest);
    block_has_bidi(&block)
}

/// Returns whether a right-to-left character starts in the first [`BLOCK`] bytes.
#[inline]
fn block_has_bidi(block: &[u8; BLOCK + 2]) -> bool {
    // Everything up to Cyrillic.
    let highest = block[..BLOCK].iter().fold(0, |highest, &byte| byte.max(highest));
    if highest < 0xD6 {
        return false;
    }
    let (mut d6_to_e0, mut e2, mut ef, mut f0) = (false, false, false, false);
    for &byte in &block[..BLOCK] {
        d6_to_e0 |= in_byte_range(byte, 0xD6, 0xE0);
        e2 |= byte == 0xE2;
        ef |= byte == 0xEF;
        f0 |= byte == 0xF0;
    }
    // U+0590 is D6 90, U+08FF is E0 A3 BF.
    (d6_to_e0
        && any(block, |[first, second, _]| {
            ((first == 0xD6) & (second >= 0x90)) | in_byte_range(first, 0xD7, 0xDF) | ((first == 0xE0) & (second < 0xA4))
        }))
        // E2 80 8F, AB and AE; E2 81 A7.
        || (e2
            && any(block, |[first, second, third]| {
                let after_80 = (second == 0x80) & ((third == 0x8F) | (third == 0xAB) | (third == 0xAE));
                (first == 0xE2) & (after_80 | ((second == 0x81) & (third == 0xA7)))
            }))
        // U+FB1D is EF AC 9D, U+FDFF is EF B7 BF; U+FE70 is EF B9 B0, U+FEFE is EF BB BE.
        || (ef
            && any(block, |[first, second, _]| (first == 0xEF) & in_byte_range(second, 0xAC, 0xBB))
            && any(block, |[first, second, third]| {
                let whole = in_byte_range(second, 0xAD, 0xB7) | (second == 0xBA);
                let from = ((second == 0xAC) & (third >= 0x9D)) | ((second == 0xB9) & (third >= 0xB0));
                (first == 0xEF) & (whole | from | ((second == 0xBB) & (third < 0xBF)))
            }))
        // U+10800 is F0 90 A0 80, U+10FFF is F0 90 BF BF; U+1E800 is F0 9E A0 80, U+1EFFF is F0 9E BF BF.
        || (f0
            && any(block, |[first, second, third]| {
                (first == 0xF0) & ((second == 0x90) | (second == 0x9E)) & (third >= 0xA0)
            }))
}

/// Returns whether `is` holds for any of the first [`BLOCK`] bytes and the two bytes after it.
#[inline(always)]
fn any(block: &[u8; BLOCK + 2], is: impl Fn([u8; 3]) -> bool) -> bool {
    (0..BLOCK).fold(false, |any, at| any | is([block[at], block[at + 1], block[at + 2]]))
}

#[inline(always)]
fn in_byte_range(byte: u8, first: u8, last: u8) -> bool {
    byte.wrapping_sub(first) <= last - first
}

/// Returns whether the first two bytes start a right-to-left character up to U+07FF or are malformed.
fn starts_with_bidi(utf8: &[u8]) -> bool {
    matches!(utf8, [0xD7..=0xDF, ..] | [0xD6, 0x90..=0xFF, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_the_same_result_in_every_form() {
        let mut text =
            *b"-----------------------------------------------------------------------------------------------";
        for c in '\0'..=char::MAX {
            let expected = is_char_bidi(c);
            let at = c as usize % 80;
            let len = c.encode_utf8(&mut text[at..]).len();
            let buffer = core::str::from_utf8(&text).expect("a character between hyphens");
            assert_eq!(is_str_bidi(buffer), expected, "{c:?}");
            assert_eq!(is_utf8_bidi(&text), expected, "{c:?}");
            assert_eq!(check_str_for_latin1_and_bidi(buffer) == Latin1Bidi::Bidi, expected, "{c:?}");
            assert_eq!(check_utf8_for_latin1_and_bidi(&text) == Latin1Bidi::Bidi, expected, "{c:?}");
            text[at..at + len].fill(b'-');

            let mut units = [0x2D; 160];
            c.encode_utf16(&mut units[at..]);
            assert_eq!(is_utf16_bidi(&units), expected, "{c:?}");
            assert_eq!(check_utf16_for_latin1_and_bidi(&units) == Latin1Bidi::Bidi, expected, "{c:?}");
        }
    }

    #[test]
    fn blocks_may_end_within_a_character() {
        // Characters of two, three and four bytes, at all offsets.
        for text in ["я", "字", "😀"] {
            for before in 0..4 {
                let mut utf8 = [b'a'; 3 + 4 * 300];
                for character in utf8[before..before + text.len() * 300].chunks_exact_mut(text.len()) {
                    character.copy_from_slice(text.as_bytes());
                }
                assert!(!is_utf8_bidi(&utf8));
                for cut in [1, 64, 65, 66, 67, 191, 192, 193, 300, 449] {
                    let cut_off = core::str::from_utf8(&utf8[..cut]).is_err();
                    assert_eq!(is_utf8_bidi(&utf8[..cut]), cut_off, "{text} {before} {cut}");
                }
            }
        }
    }

    #[test]
    fn a_character_is_found_at_every_offset() {
        for len in 2..300 {
            let mut utf8 = [b'a'; 300];
            for at in 0..len - 1 {
                utf8[at..at + 2].copy_from_slice("\u{590}".as_bytes());
                let text = core::str::from_utf8(&utf8[..len]).expect("a character between letters");
                assert!(is_str_bidi(text) && is_utf8_bidi(text.as_bytes()), "{at} of {len}");
                utf8[at..at + 2].fill(b'a');
                let mut units = [0x41; 300];
                units[at] = 0x590;
                assert!(is_utf16_bidi(&units[..len]), "{at} of {len}");
            }
        }
    }

    #[test]
    fn malformed_utf8_is_bidi() {
        for at in 0..200 {
            let mut utf8 = [b'a'; 200];
            utf8[at] = 0xC3;
            assert!(is_utf8_bidi(&utf8));
        }
    }
}
