//! Transliteration of unmappable characters: `//TRANSLIT` of iconv, but the same in every locale.
//!
//! The first of these that the encoding can represent completely is written:
//!
//! 1. a character that looks the same, such as `ş` for Romanian `ș` in windows-1250, or `～` for `〜` in Shift_JIS;
//! 2. the customary ASCII: `"` for quotation marks, EUR for `€`;
//! 3. the decomposition of the character, with the marks that the encoding has: `â` for `ấ` in windows-1252, `â` with a
//!    combining acute accent in windows-1258, `fi` for `ﬁ`;
//! 4. the romanization of a letter.
//!
//! Before that, sequences are composed, and characters of which the encoding has all parts are decomposed (`normalize.rs`). That
//! is not transliteration, because the text is canonically equivalent.
//!
//! `ä` becomes `a`, not `ae`, as in iconv, because the language is unknown: Swedish and Slovak have it, too. Ideographs are
//! not transliterated for the same reason: pinyin is wrong in Japanese and Korean. Hangul and kana are romanized. Symbols
//! such as `😀` do not become words.

use arrayvec::{ArrayString, ArrayVec};
use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible};

use crate::romanization::romanization;

/// Text instead of a character.
pub type Text = ArrayString<{ 4 * MAX_CHARACTERS }>;

/// The maximum number of characters of a transliteration, and of the compatibility decomposition of a character.
pub(crate) const MAX_CHARACTERS: usize = 32;

/// Returns text to write instead of a character, if there is any. `has` returns whether the encoding has a character. It has all of
/// the text.
///
/// The text is empty for an invisible character, such as a soft hyphen, and for a combining mark that the encoding lacks.
///
/// ```
/// use textcodec::{US_ASCII, WINDOWS_1250};
/// use textcodec_iconv::transliterate;
///
/// assert_eq!(transliterate('€', |c| US_ASCII.can_encode(c)).as_deref(), Some("EUR"));
/// assert_eq!(transliterate('ș', |c| WINDOWS_1250.can_encode(c)).as_deref(), Some("ş"));
/// assert_eq!(transliterate('字', |c| US_ASCII.can_encode(c)), None);
/// ```
#[must_use]
pub fn transliterate(c: char, has: impl Fn(char) -> bool) -> Option<Text> {
    // A fast path for text that consists of ideographs.
    if matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}') {
        return None;
    }
    let has = &has;
    let has_all = |text: &str| text.chars().all(has);
    let text = |text: &str| Text::from(text).ok();
    lookalike(c, has)
        .and_then(|c| text(c.encode_utf8(&mut [0; 4])))
        .or_else(|| customary(c).filter(|text| has_all(text)).and_then(text))
        .or_else(|| is_invisible(c).then(Text::new))
        .or_else(|| from_parts(c, has, |part| customary(part).filter(|text| has_all(text))))
        .or_else(|| romanization(c).filter(|text| has_all(text)).and_then(|text| with_brackets(c, text)))
        .or_else(|| {
            from_parts(c, has, |part| customary(part).or_else(|| romanization(part)).filter(|text| has_all(text)))
        })
}

/// Returns a character that looks the same, or has the same meaning in this role.
fn lookalike(c: char, has: impl Fn(char) -> bool) -> Option<char> {
    let class = LOOKALIKES.iter().find(|class| class.chars().any(|other| other == c))?;
    class.chars().find(|&other| other != c && has(other))
}

/// Classes of characters that look the same. In most of them, mapping tables of different vendors disagree about a code.
const LOOKALIKES: &[&str] = &[
    "〜～∼",
    "—―",
    "‖∥",
    "·・‧•∙･",
    "¢￠",
    "£￡",
    "¥￥",
    "₩￦",
    "¬￢",
    "¦￤",
    "¯￣",
    "µμ",
    "ΔΔ∆",
    "Σ∑",
    "Π∏",
    "ΩΩ",
    "șş",
    "ȘŞ",
    "țţ",
    "ȚŢ",
    "’ʼ",
    "يی",
    "كک",
    "゛ﾞ",
    "゜ﾟ",
];

/// Returns the customary ASCII form of a character: mostly symbols, and a few letters that the table of romanizations lacks.
fn customary(c: char) -> Option<&'static str> {
    Some(match c {
        '“' | '”' | '„' | '‟' | '〝' | '〞' | '〟' | '″' | '¨' => "\"",
        '‘' | '’' | '‚' | '‛' | '′' | '´' | 'ʼ' => "'",
        '«' => "<<",
        '»' => ">>",
        '‹' => "<",
        '›' => ">",
        '‐' | '‑' | '‒' | '–' | '−' | 'ー' => "-",
        '—' | '―' => "--",
        '⁄' | '∕' | '÷' => "/",
        '〜' | '˜' | '∼' => "~",
        'ˆ' => "^",
        '¸' => ",",
        '·' => ".",
        '•' => "*",
        '×' => "x",
        '°' => "deg",
        '±' => "+/-",
        '≈' => "~=",
        '∗' => "*",
        '≠' => "!=",
        '≤' => "<=",
        '≥' => ">=",
        '←' => "<-",
        '→' => "->",
        '↔' => "<->",
        '⇐' => "<=",
        '⇒' => "=>",
        '⇔' => "<=>",
        '©' => "(C)",
        '®' => "(R)",
        '℗' => "(P)",
        '™' => "(TM)",
        '℠' => "(SM)",
        '§' => "Sec.",
        '¢' => "c",
        '£' => "GBP",
        '¥' => "JPY",
        '€' => "EUR",
        '₩' => "KRW",
        '₪' => "ILS",
        '₫' => "VND",
        '₱' => "PHP",
        '₴' => "UAH",
        '₸' => "KZT",
        '₹' => "INR",
        '₺' => "TRY",
        '₽' => "RUB",
        '₿' => "BTC",
        '、' => ",",
        'ẞ' => "SS",
        'Þ' => "TH",
        'ا' | 'ى' => "a",
        'ة' => "h",
        _ => return None,
    })
}

/// Returns whether a character is invisible, such as joiners, directional marks and variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{61C}' | '\u{640}' | '\u{180B}'..='\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}'
    )
}

/// Returns the decomposition of `c` if the encoding has each part, or `other` returns text for it.
///
/// Marks that the encoding has neither precomposed nor as combining characters are left out.
fn from_parts(
    c: char,
    has: impl Fn(char) -> bool + Copy,
    other: impl Fn(char) -> Option<&'static str>,
) -> Option<Text> {
    /// A consonant of Hangul that is silent before a vowel.
    const SILENT: char = '\u{110B}';

    let (mut parts, mut fits) = (ArrayVec::<char, MAX_CHARACTERS>::new(), true);
    decompose_compatible(c, |part| fits &= parts.try_push(part).is_ok());
    let spacing_mark = parts.first() == Some(&' ') && parts.len() > 1;
    if !fits || parts[..] == [c] || spacing_mark {
        return None;
    }
    let mut text = Text::new();
    if parts.contains(&'⁄') {
        // Otherwise `1½` would become `11/2`.
        text.try_push(' ').ok()?;
    }
    let start = text.len();
    let mut rest = parts.as_slice();
    while let [base, after @ ..] = rest {
        let marks = after.iter().take_while(|&&mark| canonical_combining_class(mark) != 0).count();
        let (marks, after) = after.split_at(marks);
        if has(*base) {
            text.try_push_str(&with_marks(*base, marks, has)?).ok()?;
        } else if *base == SILENT && !after.is_empty() {
            // The vowel follows.
        } else if marks.is_empty() || text.len() == start && after.is_empty() {
            // A single letter with marks: `romanization` of the whole character has been tried before.
            text.try_push_str(other(*base)?).ok()?;
        } else {
            return None;
        }
        rest = after;
    }
    with_brackets(c, &text)
}

/// Returns a letter with those of its marks that the encoding has.
fn with_marks(mut base: char, marks: &[char], has: impl Fn(char) -> bool) -> Option<Text> {
    /// The class of overlays, such as the stroke of `≠`. Dropping an overlay would change the meaning.
    const OVERLAY: u8 = 1;

    let mut alone = ArrayVec::<char, MAX_CHARACTERS>::new();
    for &mark in marks {
        if let Some(composed) = compose(base, mark).filter(|&composed| has(composed)) {
            base = composed;
        } else if has(mark) {
            alone.try_push(mark).ok()?;
        } else if canonical_combining_class(mark) == OVERLAY {
            return None;
        }
    }
    let mut text = Text::new();
    for character in [base].into_iter().chain(alone) {
        text.try_push(character).ok()?;
    }
    Some(text)
}

/// Adds parentheses to circled characters, so that `10①` becomes `10(1)` and not `101`.
fn with_brackets(c: char, text: &str) -> Option<Text> {
    let circled = matches!(c, '\u{2460}'..='\u{2473}' | '\u{24B6}'..='\u{24FF}' | '\u{3251}'..='\u{325F}'
        | '\u{3280}'..='\u{32BF}' | '\u{32D0}'..='\u{32FE}');
    let (before, after) = if circled { ("(", ")") } else { ("", "") };
    let mut with = Text::new();
    for part in [before, text, after] {
        with.try_push_str(part).ok()?;
    }
    Some(with)
}

#[cfg(test)]
mod tests {
    use textcodec::{
        BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_2022_JP, ISO_8859_2, ISO_8859_7, KOI8_R, LATIN1, SHIFT_JIS, US_ASCII,
        WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1256, WINDOWS_1258,
    };

    use super::*;
    use std::string::String;

    /// Transliterates like the program: characters that the encoding lacks, with a question mark as the last resort.
    fn text(text: &str, to: Encoding) -> String {
        let one = |c: char| {
            if to.can_encode(c) {
                return String::from(c);
            }
            transliterate(c, |c| to.can_encode(c)).map_or("?".into(), |text| String::from(&*text))
        };
        text.chars().map(one).collect()
    }

    #[track_caller]
    fn to_ascii(cases: &[(&str, &str)]) {
        for &(from, to) in cases {
            assert_eq!(text(from, US_ASCII), to, "{from}");
        }
    }

    /// `iconv -t ASCII//TRANSLIT` of glibc 2.36 in the locale C.UTF-8 writes the same.
    #[test]
    fn ascii_is_the_same_as_from_glibc() {
        to_ascii(&[
            ("äöüÄÖÜ", "aouAOU"),
            ("ßẞ", "ssSS"),
            ("éèêëñçåÅ", "eeeencaA"),
            ("ÆæŒœØøÐðÞþ", "AEaeOEoeOoDdTHth"),
            ("łŁđıİğşșțőſŉ", "lLdiIgsstos'n"),
            ("ﬁﬃＡ｛；", "fiffiA{;"),
            ("①⑳Ⓐ⑴Ⅳ㎏", "(1)(20)(A)(1)IVkg"),
            ("€£¥¢₽", "EURGBPJPYcRUB"),
            ("“”‘’′", "\"\"'''"),
            ("«»‹›", "<<>><>"),
            ("–—‐‑−…‥", "------....."),
            ("™©®№", "(TM)(C)(R)No"),
            ("µ²³¹₂ªº", "u2312ao"),
            ("×÷≤≥≠←→", "x/<=>=!=<-->"),
            ("´¸ˆ˜☺", "',^~:)"),
            ("\u{A0}\u{2009}", "  "),
            ("\u{200B}\u{FEFF}\u{AD}e\u{301}", "e"),
        ]);
    }

    /// glibc writes a question mark, drops characters, or writes something unusual for these.
    #[test]
    fn ascii_differs_from_glibc() {
        to_ascii(&[
            ("„Ja“, ‚so‘", "\"Ja\", 'so'"),
            ("1½ ⅓", "1 1/2  1/3"),
            ("360° ± 5 ¿Qué?", "360deg +/- 5 ?Que?"),
            ("Жёлтый щит", "Zhioltyi shchit"),
            ("Київ", "Kiyiv"),
            ("Αθήνα", "Athena"),
            ("한글 ㉾ ㅇ", "hangeul u ?"),
            ("カフェー ｶﾌｪ", "kahue- kahue"),
            ("سلام", "slam"),
            ("مدرسة", "mdrsh"),
            ("a\u{300}\u{301}", "a"),
        ]);
    }

    #[test]
    fn some_characters_are_not_transliterated() {
        // Ideographs, symbols, private use, controls, U+FFFD.
        for c in "中日㍿豈々〇𠀋😀❤👨\u{E000}\u{F8FF}\u{93}\u{FFFD}\u{10FFFF}∞√⊄≮".chars() {
            assert_eq!(transliterate(c, |c| US_ASCII.can_encode(c)), None, "{c} U+{:04X}", u32::from(c));
        }
        assert_eq!(transliterate('\u{1B}', |c| ISO_2022_JP.can_encode(c)), None);
    }

    #[test]
    fn the_overlay_of_a_negation_is_not_dropped() {
        assert_eq!(text("≠ ∉", US_ASCII), "!= ?");
        assert_eq!(transliterate('≮', |c| WINDOWS_1252.can_encode(c)), None);
    }

    #[test]
    fn marks_that_the_encoding_has_are_kept() {
        assert_eq!(text("Việt Ấn", WINDOWS_1252), "Viêt Ân");
        // windows-1258 has combining marks, so nothing is lost.
        assert_eq!(text("Việt Ấn", WINDOWS_1258), "Viê\u{323}t Â\u{301}n");
        assert_eq!(text("ἄνθρωπος", WINDOWS_1253), "άνθρωπος");
        assert_eq!(text("ἄνθρωπος", ISO_8859_7), "άνθρωπος");
        assert_eq!(text("Ǆ ǆ", ISO_8859_2), "DŽ dž");
        assert_eq!(text("ў", KOI8_R), "у");
        assert_eq!(text("ﷲ ﻻ", WINDOWS_1256), "الله لا");
    }

    #[test]
    fn lookalikes_come_first() {
        for (from, to, encoding) in [
            ("〜‖¢", "～∥￠", SHIFT_JIS),
            ("〜‖", "～∥", EUC_JP),
            ("—〜", "―～", EUC_KR),
            ("•", "·", GBK),
            ("¥", "￥", GBK),
            ("・", "·", BIG5),
            ("Știință țară", "Ştiinţă ţară", WINDOWS_1250),
            ("Știință țară", "Ştiinţă ţară", ISO_8859_2),
            ("п’ять пʼять", "п’ять п’ять", WINDOWS_1251),
            ("یک", "يک", WINDOWS_1256),
            ("μm", "µm", LATIN1),
            ("∑", "Σ", ISO_8859_7),
            ("ｶﾅ", "カナ", GBK),
        ] {
            assert_eq!(text(from, encoding), to, "{encoding}");
        }
    }

    #[test]
    fn non_ascii_characters_of_the_encoding_are_preferred_to_ascii() {
        assert_eq!(text("„Ж“ ½ …", WINDOWS_1252), "„Zh“ ½ …");
        assert_eq!(text("㈱\u{F900}℃", SHIFT_JIS), "㈱豈℃");
        assert_eq!(text("㈱", EUC_KR), "(株)");
        assert_eq!(text("é", SHIFT_JIS), "e");
    }

    #[test]
    fn every_transliteration_can_be_encoded() {
        for &encoding in Encoding::ALL.iter().filter(|encoding| encoding.has_encoder()).chain(Encoding::EXTRA) {
            for c in ('\0'..='\u{FFFF}').chain('\u{1D400}'..='\u{1FBFF}') {
                if !encoding.can_encode(c)
                    && let Some(text) = transliterate(c, |c| encoding.can_encode(c))
                {
                    assert!(text.chars().all(|c| encoding.can_encode(c)), "{encoding}: {c:?} as {text:?}");
                }
            }
        }
    }
}
