//! Prose with few characters other than ASCII, and single words.

use super::{Maker, in_repertoire, usual_pairs};
use crate::source::{Random, Source};

/// Prose with no-break spaces where careful writers put them.
pub(super) fn no_break_spaces(maker: &mut Maker<'_>) {
    let pairs = [
        ("fr", "windows-1252"),
        ("fr", "macintosh"),
        ("fr", "IBM850"),
        ("fr", "ISO-8859-15"),
        ("de", "windows-1252"),
        ("de", "IBM850"),
        ("en", "windows-1252"),
        ("en", "macintosh"),
        ("fi", "windows-1252"),
        ("cs", "windows-1250"),
        ("cs", "ISO-8859-2"),
        ("pl", "windows-1250"),
        ("pl", "ISO-8859-2"),
        ("sk", "windows-1250"),
        ("hu", "windows-1250"),
        ("ru", "windows-1251"),
        ("ru", "KOI8-R"),
        ("ru", "IBM866"),
        ("ru", "x-mac-cyrillic"),
        ("uk", "windows-1251"),
        ("bg", "windows-1251"),
        ("lt", "windows-1257"),
        ("tr", "windows-1254"),
        ("el", "windows-1253"),
        ("es", "windows-1252"),
        ("it", "windows-1252"),
        ("pt", "macintosh"),
    ];
    maker.one(&pairs, |random, source, encoding| {
        let len = random.size(60, 4000);
        let prose = in_repertoire(&source.prose(random, len), encoding);
        let percent = random.between(2, 100);
        let mut text = String::new();
        for word in prose.split_inclusive(' ') {
            let bare = word.trim_end_matches(' ');
            let is_short = bare.chars().count() <= 2 || bare.ends_with(|c: char| c.is_ascii_digit());
            text += bare;
            if bare.len() < word.len() {
                text.push(if is_short && random.chance(percent) { '\u{A0}' } else { ' ' });
            }
        }
        let text = text.replace(" :", "\u{A0}:").replace(" !", "\u{A0}!").replace(" ?", "\u{A0}?");
        if text.contains('\u{A0}') { text } else { String::new() }
    });
}

/// English, and other languages without their letters, in which only the punctuation is not ASCII.
pub(super) fn typography(maker: &mut Maker<'_>) {
    let pairs = [
        ("en", "windows-1252"),
        ("id", "windows-1252"),
        ("nl", "windows-1252"),
        ("en", "macintosh"),
        ("it", "windows-1252"),
        ("en", "windows-1250"),
        ("en", "windows-1251"),
        ("en", "IBM850"),
        ("en", "UTF-8"),
        ("af", "windows-1252"),
        ("en", "GBK"),
        ("en", "Shift_JIS"),
    ];
    maker.one(&pairs, |random, source, _| {
        let len = random.size(60, 6000);
        let mut prose = source.prose(random, len);
        prose.retain(|c| c.is_ascii());
        let percent = random.between(5, 100);
        let marks: &[&str] = &["“”", "’", "–", "…", "•", "—"];
        let (first, second) = (random.pick(marks), random.pick(marks));
        let mut text = String::new();
        for word in prose.split_inclusive([' ', '\n']) {
            let (bare, end) = word.split_at(word.len() - 1);
            if !random.chance(percent) || bare.len() < 3 || !bare.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                text += word;
                continue;
            }
            let (before, after) = match if random.chance(50) { first } else { second } {
                "“”" => ("“", "”"),
                "’" => ("", "’s"),
                "…" => ("", "…"),
                "•" => ("\n• ", ""),
                "–" => ("", " –"),
                _ => ("", " —"),
            };
            text.extend([before, bare, after, end]);
        }
        text
    });
}

/// One to four words, lists of names, titles, and names of files.
pub(super) fn words(maker: &mut Maker<'_>) {
    maker.one(&usual_pairs(), |random, source, encoding| {
        let special = source.special_word(random);
        let count = random.between(0, 3);
        let mut words = source.words(random, count);
        words.insert(random.below(words.len() + 1), special);
        let text = match random.below(7) {
            0 => words.join("_") + random.pick(&[".txt", ".doc", ".mp3", ".jpg", ".pdf"]),
            1 => words.join(" ").to_uppercase(),
            2 => titles(&words),
            3 => names(random, source),
            4 => format!("{}: {}", source.ascii_word(random), words.join(" ")),
            _ => words.join(" "),
        };
        in_repertoire(&text, encoding)
    });
}

/// Words with a first letter that is a capital.
fn titles(words: &[String]) -> String {
    let mut text = String::new();
    for word in words {
        let mut characters = word.chars();
        text.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        text += characters.as_str();
        text.push(' ');
    }
    text.trim_end().to_owned()
}

/// A list of names: two capitalised words for each.
fn names(random: &mut Random, source: &Source<'_>) -> String {
    let separator = random.pick(&["\n", "\r\n", ", ", ";"]);
    let names: Vec<String> = (0..random.between(3, 25)).map(|_| titles(&source.words(random, 2))).collect();
    names.join(separator) + "\n" + &source.special_word(random)
}

/// Long lists of words with only one or two letters other than ASCII.
pub(super) fn dictionary(maker: &mut Maker<'_>) {
    let letters: [(&'static str, &str, &[&'static str]); 27] = [
        ("et", "šž", &["windows-1257", "ISO-8859-13", "ISO-8859-15", "windows-1252", "ISO-8859-4", "IBM775"]),
        ("fr", "œ", &["windows-1252", "ISO-8859-15", "macintosh"]),
        ("fr", "é", &["windows-1252", "macintosh", "IBM850"]),
        ("fr", "ùï", &["windows-1252", "macintosh", "IBM850"]),
        ("cy", "ŵŷ", &["ISO-8859-14"]),
        ("en", "éï", &["windows-1252", "macintosh", "IBM850", "IBM437"]),
        ("de", "ß", &["windows-1252", "macintosh", "IBM850"]),
        ("de", "Ü", &["windows-1252", "macintosh", "IBM850"]),
        ("es", "ñ", &["windows-1252", "macintosh", "IBM850"]),
        ("sv", "å", &["windows-1252", "macintosh", "IBM850"]),
        ("fi", "ä", &["windows-1252", "ISO-8859-15", "IBM850"]),
        ("da", "ø", &["windows-1252", "macintosh", "IBM850"]),
        ("nl", "ë", &["windows-1252", "macintosh", "IBM850"]),
        ("it", "à", &["windows-1252", "macintosh", "IBM850"]),
        ("pt", "ã", &["windows-1252", "macintosh", "IBM850"]),
        ("pl", "ł", &["windows-1250", "ISO-8859-2", "IBM852"]),
        ("pl", "ś", &["windows-1250", "ISO-8859-2", "IBM852"]),
        ("cs", "ř", &["windows-1250", "ISO-8859-2", "IBM852"]),
        ("cs", "ž", &["windows-1250", "ISO-8859-2", "IBM852"]),
        ("hr", "đ", &["windows-1250", "ISO-8859-2", "IBM852"]),
        ("hu", "őű", &["windows-1250", "ISO-8859-2", "IBM852"]),
        ("ro", "șțşţ", &["windows-1250", "ISO-8859-2", "ISO-8859-16"]),
        ("tr", "ş", &["windows-1254", "IBM857"]),
        ("lt", "ė", &["windows-1257", "ISO-8859-13", "ISO-8859-4", "IBM775"]),
        ("lv", "ā", &["windows-1257", "ISO-8859-13", "ISO-8859-4", "IBM775"]),
        ("eo", "ĝ", &["ISO-8859-3"]),
        ("is", "ð", &["windows-1252", "IBM861", "macintosh"]),
    ];
    let count: usize = letters.iter().map(|(_, _, names)| names.len()).sum();
    for (language, letters, names) in letters {
        for name in names {
            let label = format!("{name} {letters}");
            let first = maker.texts.len();
            maker.make(language, &label, maker.count.div_ceil(count), |random, source| {
                super::one(&list(random, source, letters), super::encoding(name))
            });
            maker.texts[first..].iter_mut().for_each(|text| (*name).clone_into(&mut text.encoding));
        }
    }
}

/// A list of words whose letters are ASCII or some of `letters`.
fn list(random: &mut Random, source: &Source<'_>, letters: &str) -> String {
    let count = random.size(150, 6000);
    let mut words = source.words(random, count);
    words.retain(|word| word.chars().all(|c| c.is_ascii_alphabetic() || letters.contains(c)));
    if random.chance(50) {
        words = words.iter().map(|word| word.to_lowercase()).collect();
    }
    if random.chance(70) {
        words.sort();
        words.dedup();
    }
    words.join(random.pick(&["\n", "\r\n", "\n", " "])) + "\n"
}
