//! Text with errors: cut in a character, UTF-8 with wrong bytes, and surrogates in UTF-8.

use textcodec::{Encoding, UTF_8, oem::CESU_8};

use super::{Made, Maker, Truth, encode, encoding, in_repertoire, one};
use crate::source::{Random, Source};

/// Text that ends, and sometimes starts, in the middle of a character, as `head -c` and `tail -c` leave it.
pub(super) fn cut(maker: &mut Maker<'_>) {
    let pairs = [
        ("ja", "Shift_JIS"),
        ("ja", "EUC-JP"),
        ("zh-CN", "GBK"),
        ("zh-CN", "gb18030"),
        ("zh-TW", "Big5"),
        ("ko", "EUC-KR"),
        ("ja", "UTF-8"),
        ("zh-CN", "UTF-8"),
        ("zh-TW", "UTF-8"),
        ("ko", "UTF-8"),
        ("ru", "UTF-8"),
        ("el", "UTF-8"),
        ("th", "UTF-8"),
        ("ar", "UTF-8"),
        ("de", "UTF-8"),
        ("fr", "UTF-8"),
        ("vi", "UTF-8"),
        ("pl", "UTF-8"),
    ];
    for (language, name) in pairs {
        let encoding = encoding(name);
        maker.make(language, name, maker.count.div_ceil(pairs.len()), |random, source| {
            cut_text(random, source, encoding)
        });
    }
}

fn cut_text(random: &mut Random, source: &Source<'_>, encoding: Encoding) -> Made {
    let len = random.size(12, 3000);
    let text = in_repertoire(&source.prose(random, len), encoding);
    let special: Vec<usize> = text.char_indices().filter(|(_, c)| !c.is_ascii()).map(|(at, _)| at).collect();
    // The last of the characters other than ASCII that is not at the start.
    let &at = special.iter().rev().find(|at| **at > text.len() / 2)?;
    let c = text[at..].chars().next()?;
    let last = encode(&text[at..at + c.len_utf8()], encoding)?;
    let mut bytes = encode(&text[..at], encoding)?;
    bytes.extend(&last[..random.between(1, last.len() - 1)]);
    if random.chance(33) {
        let first = bytes.iter().position(|byte| !byte.is_ascii())?;
        bytes.drain(..=first);
    }
    (!bytes.is_ascii()).then_some((bytes, Truth::Damaged(encoding)))
}

/// UTF-8 with lines that are cut, with bytes that were replaced, and with a few characters of ISO-8859-1.
pub(super) fn utf_8(maker: &mut Maker<'_>) {
    let languages = [
        "de", "fr", "es", "pl", "cs", "hu", "tr", "vi", "lt", "ru", "uk", "el", "ar", "he", "th", "ja", "zh-CN",
        "zh-TW", "ko", "kk", "fa", "sv",
    ];
    for language in languages {
        maker.make(language, "UTF-8", maker.count.div_ceil(languages.len()), |random, source| {
            let lines: Vec<String> = (0..random.size(4, 80))
                .map(|_| {
                    let len = random.between(20, 90);
                    source.line(random, len)
                })
                .collect();
            let mut bytes = lines.join("\n").into_bytes();
            if str::from_utf8(&bytes).is_ok_and(str::is_ascii) {
                return None;
            }
            match random.below(3) {
                0 => bytes = cut_lines(random, &lines),
                1 => replace(random, &mut bytes),
                _ => insert(random, &mut bytes),
            }
            str::from_utf8(&bytes).is_err().then_some((bytes, Truth::Damaged(UTF_8)))
        });
    }
}

/// Lines with at most a number of bytes.
fn cut_lines(random: &mut Random, lines: &[String]) -> Vec<u8> {
    let most = random.between(15, 60);
    let lines: Vec<&[u8]> = lines.iter().map(|line| &line.as_bytes()[..line.len().min(most)]).collect();
    lines.join(&b'\n')
}

/// Replaces one byte in 200 or fewer.
fn replace(random: &mut Random, bytes: &mut [u8]) {
    for _ in 0..random.between(1, 1 + bytes.len() / 200) {
        let special: Vec<usize> = (0..bytes.len()).filter(|&at| !bytes[at].is_ascii()).collect();
        let at = special[random.below(special.len())];
        bytes[at] = if random.chance(50) { b'?' } else { random.between(0x20, 0xFF) as u8 };
    }
}

/// Inserts one byte of ISO-8859-1 in 400 or fewer, after an ASCII letter.
fn insert(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.between(1, 1 + bytes.len() / 400) {
        let places: Vec<usize> = (1..bytes.len()).filter(|&at| bytes[at - 1].is_ascii()).collect();
        bytes.insert(places[random.below(places.len())], random.between(0xA0, 0xFF) as u8);
    }
}

/// Characters that are surrogate pairs in UTF-16.
const SUPPLEMENTARY: [&str; 12] = ["😀", "👍", "🎉", "❤️‍🔥", "🇫🇷", "𝒳", "𝔄", "𠮷", "𠀋", "🙏", "🚀", "👩‍💻"];

/// UTF-8 in which each half of a surrogate pair has three bytes, and the same text without such characters.
pub(super) fn cesu_8(maker: &mut Maker<'_>) {
    let languages = [
        "en", "de", "fr", "pl", "ru", "uk", "el", "he", "ar", "th", "ja", "zh-CN", "zh-TW", "ko", "vi", "tr", "hu",
        "fa",
    ];
    for language in languages {
        maker.make(language, "CESU-8", maker.count.div_ceil(languages.len()), |random, source| {
            let len = random.size(20, 2500);
            let prose = source.prose(random, len);
            if random.chance(10) {
                return one(&prose, UTF_8);
            }
            let percent = random.size(1, 30);
            let mut text = random.pick(&SUPPLEMENTARY).to_owned();
            for word in prose.split_inclusive([' ', '\n', '。', '、']) {
                text += word;
                if random.chance(percent) {
                    text += random.pick(&SUPPLEMENTARY);
                }
            }
            if random.chance(70) {
                text.remove(0);
                text =
                    text.trim_start_matches(|c: char| c > '\u{FFFF}' || c == '\u{200D}' || c == '\u{FE0F}').to_owned();
            }
            if text.chars().all(|c| c <= '\u{FFFF}') {
                return None;
            }
            let bytes = encode(&text, CESU_8)?;
            // Only this encoding: an answer below high confidence is right, too.
            Some((bytes, Truth::Unavailable(Some(CESU_8))))
        });
    }
}
