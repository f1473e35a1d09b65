//! Canonical composition and decomposition (Unicode Standard Annex 15), and how much of it an encoding needs.
//!
//! Text is normalized in segments. A segment starts at a character that cannot combine with what precedes it, and ends before
//! the next one, so segments can be normalized one by one. A character below U+0030 is a segment by itself, because
//! nothing composes with it. So text can also be cut after any of these, and a line is complete at its line feed.

use textcodec::{GB18030, UTF_8, UTF_16BE, UTF_16LE};
use textcodec_iconv::{Form, decompose};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, char::canonical_combining_class, is_nfc_quick};

use crate::charset::Charset;

/// The option `--normalize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Normalize {
    Nfc,
    Nfd,
    /// As the encoding of the output needs it.
    Encoding,
    /// NFC and NFD without the characters that file names of macOS keep: iconv's `UTF-8-MAC`.
    MacNfc,
    MacNfd,
}

/// What happens to a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Nfc,
    Nfd,
    MacNfc,
    MacNfd,
    /// Sequences are composed. A single character stays the same.
    Compose,
    /// Sequences are composed, unless only the sequence itself is in the encoding.
    Fit(Charset),
    /// Like `Fit`, only for sequences with a character that the encoding lacks.
    FitUnmappable(Charset),
    /// Like `FitUnmappable`, with the characters that iconv writes.
    FitAsIconv(Charset),
}

impl Mode {
    /// Returns the mode for an output, or `None` if text stays the same. `translit` is whether unmappable characters are
    /// transliterated, and `iconv` whether the output has the characters that iconv writes.
    pub(crate) fn new(
        normalize: Option<Normalize>,
        to: impl Into<Charset>,
        translit: bool,
        iconv: bool,
    ) -> Option<Self> {
        let to = to.into();
        let has_all = matches!(to.encoding(), UTF_8 | UTF_16LE | UTF_16BE | GB18030);
        match normalize {
            Some(Normalize::Nfc) => Some(Self::Nfc),
            Some(Normalize::Nfd) => Some(Self::Nfd),
            Some(Normalize::MacNfc) => Some(Self::MacNfc),
            Some(Normalize::MacNfd) => Some(Self::MacNfd),
            Some(Normalize::Encoding) if has_all => Some(Self::Compose),
            Some(Normalize::Encoding) => Some(Self::Fit(to)),
            None if translit && !has_all && iconv => Some(Self::FitAsIconv(to)),
            None if translit && !has_all => Some(Self::FitUnmappable(to)),
            None => None,
        }
    }

    /// Returns whether a code unit is a segment by itself and stays the same, if the next character starts a segment.
    ///
    /// These are ranges of common characters. All others are examined one by one.
    pub(crate) fn keeps(self, unit: u16) -> bool {
        match unit {
            // ASCII, Hebrew, Thai, punctuation, ideographs, fullwidth forms.
            0..=0xBF | 0x5D0..=0x5EA | 0xE01..=0xE30 | 0xE3F..=0xE46 | 0x2010..=0x2027 | 0x3000..=0x3029 => true,
            0x3400..=0xA66E | 0xFF00..=0xFFEF => true,
            // Latin, Greek, Cyrillic, Arabic, Vietnamese, kana, Hangul.
            0xC0..=0x2FF | 0x388..=0x3D1 | 0x400..=0x482 | 0x620..=0x64A | 0x1EA0..=0x1EF9 => {
                !matches!(self, Self::Nfd | Self::MacNfd)
            }
            0x3041..=0x3098 | 0x309B..=0x30FF | 0xAC00..=0xD7A3 => !matches!(self, Self::Nfd | Self::MacNfd),
            _ => false,
        }
    }

    /// Normalizes a segment. Returns `None` if it stays the same.
    pub(crate) fn normalize(self, segment: &str) -> Option<String> {
        let is_single = segment.chars().nth(1).is_none();
        let normalized: String = match self {
            Self::Nfc => segment.nfc().collect(),
            Self::Nfd => segment.nfd().collect(),
            Self::MacNfc => around(segment, is_kept_by_macos, |part| part.nfc().collect()),
            Self::MacNfd => around(segment, is_kept_by_macos, |part| part.nfd().collect()),
            Self::Compose if is_single => return None,
            Self::Compose => segment.nfc().collect(),
            // The encoder calls `fit` for a character that the encoding lacks.
            Self::Fit(_) | Self::FitUnmappable(_) | Self::FitAsIconv(_) if is_single => return None,
            Self::Fit(to) => {
                let composed: String = segment.nfc().collect();
                if segment.chars().all(|c| to.can_encode(c)) && !fits(&composed, to) {
                    return None;
                }
                composed
            }
            Self::FitUnmappable(to) => compose_unmappable(segment, |c| to.can_encode(c))?,
            Self::FitAsIconv(to) => compose_unmappable(segment, |c| Form::Encoding(to.encoding()).has(c))?,
        };
        (normalized != segment).then_some(normalized)
    }
}

/// Composes a segment in which the output lacks a character, except for characters that it has. `has` returns whether it has one.
fn compose_unmappable(segment: &str, has: impl Fn(char) -> bool) -> Option<String> {
    if segment.chars().all(&has) {
        return None;
    }
    // Duplicates, such as compatibility ideographs, become another character.
    let is_duplicate = |c: char| is_nfc_quick([c].into_iter()) == IsNormalized::No;
    Some(around(segment, |c| is_duplicate(c) && has(c), |part| part.nfc().collect()))
}

/// Normalizes the parts of a segment between the characters that stay the same.
fn around(segment: &str, stays: impl Fn(char) -> bool, normalize: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for part in segment.split_inclusive(&stays) {
        let kept = part.chars().next_back().filter(|&c| stays(c));
        let (before, kept) = part.split_at(part.len() - kept.map_or(0, char::len_utf8));
        text += &normalize(before);
        text += kept;
    }
    text
}

/// Returns whether file names of macOS keep a character that NFC and NFD would change: duplicates of symbols and ideographs.
fn is_kept_by_macos(character: char) -> bool {
    matches!(character, '\u{2000}'..='\u{2FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FAFF}')
}

/// Returns whether a character starts a segment.
pub(crate) fn starts_segment(character: char) -> bool {
    canonical_combining_class(character) == 0 && is_nfc_quick([character].into_iter()) == IsNormalized::Yes
}

/// Returns whether a character ends a segment: nothing composes with it.
pub(crate) fn ends_segment(character: char) -> bool {
    character < '0'
}

/// The maximum number of characters in a segment. A longer one is cut.
///
/// Real text has a few combining marks in a row, and the [Stream-Safe Text Format](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)
/// at most 30. That format would insert characters into a longer run. Here, its parts are normalized separately.
pub(crate) const MAX_SEGMENT: usize = 1024;

/// Returns whether the encoding has each character, or what it decomposes to.
fn fits(text: &str, to: Charset) -> bool {
    text.chars().all(|c| to.can_encode(c) || fit(c, to).is_some())
}

/// Decomposes a character that the encoding lacks, as far as the encoding needs: `ệ` into `ê` and a dot below for windows-1258.
///
/// Returns `None` if the encoding lacks a part. The result is canonically equivalent to the character.
pub(crate) fn fit(character: char, to: impl Into<Charset>) -> Option<String> {
    let to = to.into();
    decompose(character, |c| to.can_encode(c)).map(|text| String::from(&*text))
}

/// Returns whether `--normalize=encoding` would write the unmappable character at `at`. `before` is the end of the text before
/// `text`.
pub(crate) fn would_write(before: &[u16], text: &[u16], at: usize, to: impl Into<Charset>) -> bool {
    let to = to.into();
    let start = at.saturating_sub(CONTEXT);
    let missing = CONTEXT - (at - start);
    let before = &before[before.len().saturating_sub(missing)..];
    let decode = |units: &[u16]| char::decode_utf16(units.iter().copied()).filter_map(Result::ok).collect::<Vec<_>>();
    let (mut segment, after) =
        (decode(&[before, &text[start..at]].concat()), decode(&text[at..text.len().min(at + CONTEXT)]));
    let Some((&character, after)) = after.split_first() else { return false };
    if fit(character, to).is_some() {
        return true;
    }
    if starts_segment(character) {
        segment.clear();
        // The next chunk may complete the syllable.
        if after.is_empty() && matches!(character, '\u{1100}'..='\u{1112}') {
            return to.can_encode('가');
        }
    } else if let Some(start) = segment.iter().rposition(|&c| starts_segment(c)) {
        segment.drain(..start);
    }
    segment.push(character);
    segment.extend(after.iter().take_while(|&&c| !starts_segment(c)));
    let segment = String::from_iter(segment);
    let composed: String = segment.nfc().collect();
    composed != segment && fits(&composed, to)
}

/// The number of code units around an unmappable character that [`would_write`] considers.
pub(crate) const CONTEXT: usize = 32;

#[cfg(test)]
mod tests {
    use textcodec::{BIG5, EUC_KR, ISO_8859_7, SHIFT_JIS, WINDOWS_1252, WINDOWS_1255, WINDOWS_1258};
    use unicode_normalization::char::{compose, decompose_canonical};

    use super::*;

    fn nfd(text: &str) -> String {
        text.nfd().collect()
    }

    #[test]
    fn the_common_ranges_are_segments_and_stay_the_same() {
        for unit in 0..=0xFFFF {
            let Some(c) = char::from_u32(u32::from(unit)) else {
                assert!(!Mode::Nfc.keeps(unit), "{unit:04X}");
                continue;
            };
            let text = c.to_string();
            assert!(!Mode::Nfc.keeps(unit) || starts_segment(c) && text.nfc().eq([c]), "U+{unit:04X}");
            assert!(!Mode::Nfd.keeps(unit) || starts_segment(c) && text.nfd().eq([c]), "U+{unit:04X}");
            assert_eq!(Mode::MacNfd.keeps(unit), Mode::Nfd.keeps(unit), "U+{unit:04X}");
        }
    }

    #[test]
    fn nothing_composes_with_a_character_that_ends_a_segment() {
        for first in ('\0'..='\u{10FFFF}').filter(|&c| ends_segment(c)) {
            assert!(starts_segment(first));
            for second in '\0'..='\u{2FFFF}' {
                assert_eq!(compose(first, second), None, "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn a_character_that_starts_a_segment_does_not_change_what_precedes_it() {
        // The first character of its decomposition is a starter, and composes with no character before it.
        let starters: Vec<char> = ('\0'..='\u{2FFFF}').filter(|&c| starts_segment(c)).collect();
        for &c in &starters {
            let mut first = None;
            decompose_canonical(c, |part| {
                first.get_or_insert(part);
            });
            assert_eq!(first.map(canonical_combining_class), Some(0), "{c:?}");
        }
        for before in "aeʼᄀ가한かαа\u{301}\u{323}".chars() {
            for &c in starters.iter().filter(|&&c| c < '\u{3400}') {
                let together: String = [before, c].into_iter().nfc().collect();
                let apart: String = [before].into_iter().nfc().chain([c].into_iter().nfc()).collect();
                assert_eq!(together, apart, "{before:?} {c:?}");
            }
        }
    }

    #[test]
    fn characters_are_decomposed_just_as_far_as_needed() {
        for (c, expected) in
            [('ấ', "â\u{301}"), ('ệ', "ê\u{323}"), ('ữ', "ư\u{303}"), ('ặ', "ă\u{323}"), ('ợ', "ơ\u{323}")]
        {
            assert_eq!(fit(c, WINDOWS_1258).as_deref(), Some(expected), "{c}");
        }
        assert_eq!(fit('ấ', WINDOWS_1252), None);
        assert_eq!(fit('字', WINDOWS_1258), None);
        assert_eq!(fit('\u{212B}', WINDOWS_1252).as_deref(), Some("Å"));
        assert_eq!(fit('\u{FB2A}', WINDOWS_1255).as_deref(), Some("ש\u{5C1}"));
        assert_eq!(fit('ἄ', ISO_8859_7), None);
    }

    #[test]
    fn file_names_of_macos_keep_duplicates() {
        for (mode, text, expected) in [
            (Mode::MacNfc, "e\u{301}", Some("é")),
            (Mode::MacNfd, "é", Some("e\u{301}")),
            (Mode::MacNfd, "각", Some("\u{1100}\u{1161}\u{11A8}")),
            (Mode::MacNfc, "e\u{301}\u{F900}e\u{301}", Some("é\u{F900}é")),
            (Mode::MacNfc, "\u{F900}", None),
            (Mode::MacNfd, "\u{F900}", None),
            (Mode::MacNfd, "\u{212B}", None),
        ] {
            assert_eq!(mode.normalize(text).as_deref(), expected, "{mode:?} {text}");
        }
    }

    #[test]
    fn what_fits_is_canonically_equivalent_and_can_be_encoded() {
        for &to in textcodec::Encoding::ALL.iter().filter(|to| to.has_encoder()) {
            for c in ('\0'..='\u{33FF}').chain('\u{F900}'..='\u{FFFF}') {
                if !to.can_encode(c)
                    && let Some(text) = fit(c, to)
                {
                    assert!(text.chars().all(|c| to.can_encode(c)), "{to} {c:?} {text:?}");
                    assert_eq!(nfd(&text), nfd(&c.to_string()), "{to} {c:?}");
                }
            }
        }
    }

    #[test]
    fn sequences_are_composed_for_the_encoding() {
        let encoding = |to: textcodec::Encoding| Mode::new(Some(Normalize::Encoding), to, false, false).unwrap();
        let translit = |to: textcodec::Encoding| Mode::new(None, to, true, false).unwrap();
        assert_eq!(encoding(WINDOWS_1252).normalize("e\u{301}").as_deref(), Some("é"));
        assert_eq!(encoding(WINDOWS_1258).normalize("e\u{302}\u{323}").as_deref(), Some("ệ"));
        assert_eq!(encoding(SHIFT_JIS).normalize("か\u{3099}").as_deref(), Some("が"));
        assert_eq!(encoding(EUC_KR).normalize("\u{1112}\u{1161}\u{11AB}").as_deref(), Some("한"));
        // A single character that the encoding has stays the same, even if NFC would replace it.
        assert_eq!(encoding(SHIFT_JIS).normalize("\u{212B}"), None);
        assert_eq!(encoding(UTF_8).normalize("\u{F900}"), None);
        assert_eq!(Mode::Nfc.normalize("\u{F900}").as_deref(), Some("豈"));
        // Transliteration leaves text alone that the encoding has.
        assert_eq!(translit(WINDOWS_1258).normalize("e\u{301}"), None);
        assert_eq!(encoding(WINDOWS_1258).normalize("e\u{301}").as_deref(), Some("é"));
        assert_eq!(translit(WINDOWS_1252).normalize("e\u{301}").as_deref(), Some("é"));
        assert_eq!(Mode::new(None, UTF_8, true, false), None);
        // Duplicates that the encoding has stay the same next to characters that it lacks, or has only for iconv.
        assert_eq!(translit(BIG5).normalize("e\u{301}\u{FA0C}").as_deref(), Some("é\u{FA0C}"));
        assert_eq!(Mode::FitAsIconv(BIG5.into()).normalize("Ê\u{304}\u{FA0C}"), None);
        assert_eq!(Mode::new(None, BIG5, true, true), Some(Mode::FitAsIconv(BIG5.into())));
    }

    #[test]
    fn the_advice_considers_the_characters_around() {
        let advises = |before: &str, text: &str, to: textcodec::Encoding| {
            let (before, text): (Vec<_>, Vec<_>) = (before.encode_utf16().collect(), text.encode_utf16().collect());
            let unmappable = text.iter().position(|&unit| !to_has(to, unit)).unwrap();
            would_write(&before, &text, unmappable, to)
        };
        for (before, text, to, expected) in [
            ("", "Việt", WINDOWS_1258, true),
            ("", "e\u{301}", WINDOWS_1252, true),
            ("ae", "\u{301}b", WINDOWS_1252, true),
            ("x", "\u{301}", WINDOWS_1252, false),
            ("", "字", WINDOWS_1252, false),
            ("", "ệ", WINDOWS_1252, false),
            ("", "\u{1112}\u{1161}\u{11AB}", EUC_KR, true),
            ("", "\u{1112}", EUC_KR, true),
            ("", "か\u{3099}", SHIFT_JIS, true),
        ] {
            assert_eq!(advises(before, text, to), expected, "{before} {text} {to}");
        }
    }

    fn to_has(to: textcodec::Encoding, unit: u16) -> bool {
        char::from_u32(u32::from(unit)).is_some_and(|c| to.can_encode(c))
    }
}
