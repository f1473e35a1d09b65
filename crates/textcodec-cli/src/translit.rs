//! What to write for a character that the output encoding does not have: `//TRANSLIT` of iconv, the same in every locale.
//!
//! In this order, and only what the encoding has in full:
//!
//! 1. a character that looks the same, such as `ş` for Romanian `ș` in windows-1250, or `～` for `〜` in Shift_JIS;
//! 2. the customary ASCII: `"` for quotation marks, EUR for `€`;
//! 3. the parts of the character, with as many of its marks as the encoding has: `â` for `ấ` in windows-1252, and `â` with
//!    a combining acute accent in windows-1258, `fi` for `ﬁ`;
//! 4. the sound of a letter in ASCII, from `deunicode`.
//!
//! `ä` becomes `a`, not `ae`, as in iconv: who writes it may be a Swede or a Slovak. Ideographs have no answer, for the
//! same reason: pinyin is wrong in Japanese and in Korean. Hangul and kana have their sounds. A symbol does not become
//! a word: `😀` has no answer either.

use deunicode::deunicode_char;
use textcodec::Encoding;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible, is_combining_mark};

/// What the encoding has instead of `c`, if there is anything sensible; all of it [can be
/// encoded](Encoding::can_encode). It is empty where `c` does not show: a combining mark, a soft hyphen.
pub(crate) fn transliterate(c: char, to: Encoding) -> Option<String> {
    // Whole texts of them should not take long.
    if matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}') {
        return None;
    }
    let has = |text: &str| text.chars().all(|c| to.can_encode(c));
    lookalike(c, to)
        .map(String::from)
        .or_else(|| customary(c).filter(|text| has(text)).map(String::from))
        .or_else(|| is_invisible(c).then(String::new))
        .or_else(|| from_parts(c, to, |part| customary(part).filter(|text| has(text))))
        .or_else(|| romanization(c).filter(|text| has(text)).map(|text| with_brackets(c, text)))
        .or_else(|| from_parts(c, to, |part| customary(part).or_else(|| romanization(part)).filter(|text| has(text))))
}

/// Another character that looks, or in this role means, the same.
fn lookalike(c: char, to: Encoding) -> Option<char> {
    let class = LOOKALIKES.iter().find(|class| class.chars().any(|other| other == c))?;
    class.chars().find(|&other| other != c && to.can_encode(other))
}

/// Classes of such characters. Most are there because two tables disagree about which of them a code means.
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

/// What people write for a character in ASCII: mostly symbols, and a few letters that `deunicode` leaves out.
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

/// Characters without a shape, such as joiners, marks of direction, and variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}' | '\u{61C}' | '\u{640}' | '\u{180B}'..='\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}'
    )
}

/// The decomposition of `c`, where the encoding has each part, or `other` has something for it. Marks that the encoding
/// has neither composed nor alone are left out.
fn from_parts(c: char, to: Encoding, other: impl Fn(char) -> Option<&'static str>) -> Option<String> {
    let mut parts = Vec::new();
    decompose_compatible(c, |part| parts.push(part));
    let spacing_mark = parts.first() == Some(&' ') && parts.len() > 1;
    if parts == [c] || spacing_mark {
        return None;
    }
    let mut text = String::new();
    let mut rest = parts.as_slice();
    while let [base, after @ ..] = rest {
        let marks = after.iter().take_while(|&&mark| canonical_combining_class(mark) != 0).count();
        let (marks, after) = after.split_at(marks);
        if to.can_encode(*base) {
            text.push_str(&with_marks(*base, marks, to)?);
        } else if marks.is_empty() || text.is_empty() && after.is_empty() {
            // For a letter with marks that is the whole character, `romanization` of the whole has been tried first.
            text.push_str(other(*base)?);
        } else {
            return None;
        }
        rest = after;
    }
    if parts.contains(&'⁄') {
        // Or `1½` would become eleven halves.
        text.insert(0, ' ');
    }
    Some(with_brackets(c, &text))
}

/// A letter with those of its marks that the encoding has.
fn with_marks(mut base: char, marks: &[char], to: Encoding) -> Option<String> {
    /// The class of overlays, such as the stroke of `≠`: without it, the character is another one.
    const OVERLAY: u8 = 1;

    let mut alone = String::new();
    for &mark in marks {
        if let Some(composed) = compose(base, mark).filter(|&composed| to.can_encode(composed)) {
            base = composed;
        } else if to.can_encode(mark) {
            alone.push(mark);
        } else if canonical_combining_class(mark) == OVERLAY {
            return None;
        }
    }
    alone.insert(0, base);
    Some(alone)
}

/// `①` is `(1)`, or `10①` would become 101.
fn with_brackets(c: char, text: &str) -> String {
    let circled = matches!(c, '\u{2460}'..='\u{2473}' | '\u{24B6}'..='\u{24FF}' | '\u{3251}'..='\u{325F}'
        | '\u{3280}'..='\u{32BF}' | '\u{32D0}'..='\u{32FE}');
    if circled { format!("({text})") } else { text.into() }
}

/// The sound of a letter, or punctuation and symbols of ASCII for others.
fn romanization(c: char) -> Option<&'static str> {
    // `deunicode` has `<` for `⊄`.
    let operator = matches!(c, '\u{2200}'..='\u{22FF}' | '\u{2A00}'..='\u{2AFF}');
    if is_ideograph(c) || operator || c.is_control() {
        return None;
    }
    let text = deunicode_char(c)?.trim_end_matches(' ');
    let letter = c.is_alphanumeric() || is_combining_mark(c);
    let sensible = match text {
        "" => is_combining_mark(c),
        "?" => !letter && c != char::REPLACEMENT_CHARACTER,
        _ => letter || !text.contains(|c: char| c.is_ascii_alphabetic()),
    };
    sensible.then_some(text)
}

/// Characters that stand for words or syllables of one language or another.
fn is_ideograph(c: char) -> bool {
    matches!(
        c,
        '\u{2E80}'..='\u{2FDF}' | '々'..='〇' | '〡'..='〩' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{12000}'..='\u{1254F}' | '\u{13000}'..='\u{1467F}'
            | '\u{16FE0}'..='\u{18DFF}' | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests {
    use textcodec::{
        BIG5, EUC_JP, EUC_KR, GBK, ISO_2022_JP, ISO_8859_2, ISO_8859_7, ISOMORPHIC, KOI8_R, SHIFT_JIS, STRICT_ASCII,
        WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1256, WINDOWS_1258,
    };

    use super::*;

    /// As a caller does it: what the encoding has, the transliteration of the rest, or a question mark.
    fn text(text: &str, to: Encoding) -> String {
        let one = |c: char| if to.can_encode(c) { c.into() } else { transliterate(c, to).unwrap_or("?".into()) };
        text.chars().map(one).collect()
    }

    #[track_caller]
    fn to_ascii(cases: &[(&str, &str)]) {
        for &(from, to) in cases {
            assert_eq!(text(from, STRICT_ASCII), to, "{from}");
        }
    }

    /// `iconv -t ASCII//TRANSLIT` of glibc 2.36 in the locale C.UTF-8 writes the same.
    #[test]
    fn ascii_as_glibc_writes_it() {
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

    /// Where glibc has a question mark, leaves something out, or writes what nobody would type.
    #[test]
    fn ascii_otherwise_than_glibc() {
        to_ascii(&[
            ("„Ja“, ‚so‘", "\"Ja\", 'so'"),
            ("1½ ⅓", "1 1/2  1/3"),
            ("360° ± 5 ¿Qué?", "360deg +/- 5 ?Que?"),
            ("Жёлтый щит", "Zhioltyi shchit"),
            ("Київ", "Kiyiv"),
            ("Αθήνα", "Athena"),
            ("한글", "hangeul"),
            ("カフェー ｶﾌｪ", "kahue- kahue"),
            ("سلام", "slam"),
            ("مدرسة", "mdrsh"),
            ("a\u{300}\u{301}", "a"),
        ]);
    }

    #[test]
    fn no_answer_is_better_than_a_wrong_one() {
        // Ideographs in no language, pictures, private use, controls, U+FFFD.
        for c in "中日㍿豈々〇𠀋😀❤👨\u{E000}\u{F8FF}\u{93}\u{FFFD}\u{10FFFF}∞√⊄≮".chars() {
            assert_eq!(transliterate(c, STRICT_ASCII), None, "{c} U+{:04X}", u32::from(c));
        }
        assert_eq!(transliterate('\u{1B}', ISO_2022_JP), None);
    }

    #[test]
    fn the_stroke_of_a_negation_is_not_dropped() {
        assert_eq!(text("≠ ∉", STRICT_ASCII), "!= ?");
        assert_eq!(transliterate('≮', WINDOWS_1252), None);
    }

    #[test]
    fn marks_stay_as_far_as_the_encoding_has_them() {
        assert_eq!(text("Việt Ấn", WINDOWS_1252), "Viêt Ân");
        // windows-1258 has marks of its own: nothing is lost.
        assert_eq!(text("Việt Ấn", WINDOWS_1258), "Viê\u{323}t Â\u{301}n");
        assert_eq!(text("ἄνθρωπος", WINDOWS_1253), "άνθρωπος");
        assert_eq!(text("ἄνθρωπος", ISO_8859_7), "άνθρωπος");
        assert_eq!(text("Ǆ ǆ", ISO_8859_2), "DŽ dž");
        assert_eq!(text("ў", KOI8_R), "у");
        assert_eq!(text("ﷲ ﻻ", WINDOWS_1256), "الله لا");
    }

    #[test]
    fn characters_that_look_the_same_come_first() {
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
            ("μm", "µm", ISOMORPHIC),
            ("∑", "Σ", ISO_8859_7),
            ("ｶﾅ", "カナ", GBK),
        ] {
            assert_eq!(text(from, encoding), to, "{encoding}");
        }
    }

    #[test]
    fn what_the_encoding_has_is_preferred_to_ascii() {
        assert_eq!(text("„Ж“ ½ …", WINDOWS_1252), "„Zh“ ½ …");
        assert_eq!(text("㈱\u{F900}℃", SHIFT_JIS), "㈱豈℃");
        assert_eq!(text("㈱", EUC_KR), "(株)");
        assert_eq!(text("é", SHIFT_JIS), "e");
    }

    #[test]
    fn every_answer_can_be_encoded() {
        for &encoding in Encoding::ALL.iter().filter(|encoding| encoding.has_encoder()).chain(Encoding::EXTRA) {
            for c in ('\0'..='\u{FFFF}').chain('\u{1D400}'..='\u{1FBFF}') {
                if !encoding.can_encode(c)
                    && let Some(text) = transliterate(c, encoding)
                {
                    assert!(text.chars().all(|c| encoding.can_encode(c)), "{encoding}: {c:?} as {text:?}");
                }
            }
        }
    }
}
