//! Characters that an encoding has in another form only.
//!
//! The standard's encoders do not write these. glibc and libiconv do, and programs rely on it: an editor could not save
//! Vietnamese in windows-1258 otherwise. A test compares each with glibc, where that is installed.

use arrayvec::ArrayVec;
use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, ISO_2022_JP, SHIFT_JIS, WINDOWS_1255, WINDOWS_1258, oem};
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};

use crate::{
    tables::WRITTEN,
    translit::{MAX_CHARACTERS, Text},
};

/// Returns the text that is written for a character, if the encoding has it in another form only: a full-width form, or a letter
/// and combining marks. The encoder of the encoding writes the text.
///
/// What a code means in the tables of Unix and of Windows is the same character here, such as `〜` and `～` in Shift_JIS. In code
/// pages, glibc says which characters are the same, such as a letter and its presentation form in [`IBM1097`](oem::IBM1097).
///
/// ```
/// use textcodec::{SHIFT_JIS, WINDOWS_1258, oem};
/// use textcodec_iconv::other_form;
///
/// assert_eq!(other_form(WINDOWS_1258, 'ế').as_deref(), Some("ê\u{301}"));
/// assert_eq!(other_form(SHIFT_JIS, '〜').as_deref(), Some("～"));
/// assert_eq!(other_form(oem::IBM1097, 'ب').as_deref(), Some("\u{FE8F}"));
/// // The encoder writes this character.
/// assert_eq!(other_form(WINDOWS_1258, 'ê'), None);
/// ```
#[must_use]
pub fn other_form(encoding: Encoding, character: char) -> Option<Text> {
    // A character, then its form.
    let pairs = match encoding {
        WINDOWS_1255 | WINDOWS_1258 | oem::TCVN5712_1 => {
            // Letters with marks, and marks, but not other duplicates, such as the sign for Kelvin.
            let is_mark = canonical_combining_class(character) != 0;
            return decompose(character, |c| encoding.can_encode(c))
                .filter(|text| is_mark || text.chars().nth(1).is_some());
        }
        SHIFT_JIS | EUC_JP => "¢￠£￡¬￢—―‖∥〜～",
        ISO_2022_JP => "¢￠£￡¬￢‖∥〜～",
        EUC_KR => "₩￦",
        BIG5 => "¢￠£￡¥￥",
        _ => WRITTEN.iter().find(|(other, _)| *other == encoding)?.1,
    };
    let mut pairs = pairs.chars();
    while let (Some(from), Some(to)) = (pairs.next(), pairs.next()) {
        if from == character {
            return Text::from(to.encode_utf8(&mut [0; 4])).ok();
        }
    }
    None
}

/// Decomposes a character, as far as an encoding needs that: `ệ` into `ê` and a dot below for windows-1258. `has` returns whether
/// the encoding has a character.
///
/// Returns `None` if the character does not decompose, or the encoding lacks a part. The result is canonically equivalent to the
/// character.
///
/// ```
/// use textcodec::{WINDOWS_1252, WINDOWS_1258};
/// use textcodec_iconv::decompose;
///
/// assert_eq!(decompose('ệ', |c| WINDOWS_1258.can_encode(c)).as_deref(), Some("ê\u{323}"));
/// assert_eq!(decompose('ệ', |c| WINDOWS_1252.can_encode(c)), None);
/// ```
#[must_use]
pub fn decompose(character: char, has: impl Fn(char) -> bool) -> Option<Text> {
    let (mut parts, mut fits) = (ArrayVec::<char, MAX_CHARACTERS>::new(), true);
    decompose_canonical(character, |part| fits &= parts.try_push(part).is_ok());
    let (&first, marks) = parts.split_first().filter(|_| fits && parts[..] != [character])?;
    let (mut base, mut rest, mut last_class) = (first, ArrayVec::<char, MAX_CHARACTERS>::new(), 0);
    for &mark in marks {
        let class = canonical_combining_class(mark);
        // A mark can move before others only if their classes are lower.
        let is_blocked = !rest.is_empty() && class <= last_class;
        match compose(base, mark).filter(|&composed| !is_blocked && has(composed)) {
            Some(composed) => base = composed,
            None if has(mark) => {
                rest.try_push(mark).ok()?;
                last_class = class;
            }
            None => return None,
        }
    }
    if !has(base) {
        return None;
    }
    let mut text = Text::new();
    for part in [base].into_iter().chain(rest) {
        text.try_push(part).ok()?;
    }
    Some(text)
}
