//! Text in several encodings.

use textcodec::{Encoding, UTF_16LE};

use super::{Made, Maker, Truth, encode, encoding, in_repertoire};
use crate::source::{Random, Source};

/// Languages, the encoding of most lines, and that of the others.
const MIXED: [(&str, &str, &str); 44] = [
    ("de", "windows-1252", "UTF-8"),
    ("fr", "windows-1252", "UTF-8"),
    ("es", "windows-1252", "UTF-8"),
    ("pt", "windows-1252", "UTF-8"),
    ("sv", "windows-1252", "UTF-8"),
    ("it", "windows-1252", "UTF-8"),
    ("fi", "windows-1252", "UTF-8"),
    ("da", "windows-1252", "UTF-8"),
    ("is", "windows-1252", "UTF-8"),
    ("fr", "UTF-8", "windows-1252"),
    ("de", "UTF-8", "windows-1252"),
    ("es", "UTF-8", "windows-1252"),
    ("pl", "windows-1250", "UTF-8"),
    ("cs", "windows-1250", "UTF-8"),
    ("hu", "windows-1250", "UTF-8"),
    ("cs", "ISO-8859-2", "UTF-8"),
    ("pl", "UTF-8", "windows-1250"),
    ("pl", "windows-1250", "ISO-8859-2"),
    ("ru", "windows-1251", "UTF-8"),
    ("bg", "windows-1251", "UTF-8"),
    ("ru", "UTF-8", "windows-1251"),
    ("ru", "KOI8-R", "UTF-8"),
    ("uk", "windows-1251", "UTF-8"),
    ("el", "windows-1253", "UTF-8"),
    ("tr", "windows-1254", "UTF-8"),
    ("lt", "windows-1257", "UTF-8"),
    ("he", "windows-1255", "UTF-8"),
    ("ja", "Shift_JIS", "EUC-JP"),
    ("ja", "EUC-JP", "Shift_JIS"),
    ("ja", "Shift_JIS", "UTF-8"),
    ("ja", "EUC-JP", "UTF-8"),
    ("zh-CN", "GBK", "UTF-8"),
    ("zh-CN", "UTF-8", "GBK"),
    ("zh-CN", "GBK", "Big5"),
    ("zh-TW", "Big5", "UTF-8"),
    ("ko", "EUC-KR", "UTF-8"),
    ("ru", "KOI8-R", "windows-1251"),
    ("ru", "windows-1251", "IBM866"),
    ("de", "windows-1252", "IBM850"),
    ("fr", "windows-1252", "IBM850"),
    ("fr", "windows-1252", "macintosh"),
    ("de", "windows-1252", "macintosh"),
    ("de", "UTF-8", "UTF-16LE"),
    ("fr", "windows-1252", "UTF-16LE"),
];

pub(super) fn mixed(maker: &mut Maker<'_>) {
    for (language, first, second) in MIXED {
        let label = format!("{first} + {second}");
        maker.make(language, &label, maker.count.div_ceil(MIXED.len()), |random, source| {
            let [first, second] = [first, second].map(encoding);
            let form = random.below(3);
            match (second, form) {
                (UTF_16LE, _) => two_parts(random, source, [first, second]),
                (_, 0) => words(random, source, [first, second]),
                (_, 1) if !first.name().starts_with("UTF") => two_parts(random, source, [first, second]),
                _ => lines(random, source, [first, second]),
            }
        });
    }
}

/// Returns text in an encoding that has characters other than ASCII.
fn part(random: &mut Random, source: &Source<'_>, characters: usize, encoding: Encoding) -> Option<String> {
    let texts = (0..20).map(|_| in_repertoire(&source.line(random, characters), encoding));
    texts.into_iter().find(|text| !text.is_ascii())
}

/// A text in several encodings.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
    text: String,
}

impl Parts {
    fn add(&mut self, text: &str, encoding: Encoding) -> Option<()> {
        self.bytes.extend(encode(text, encoding)?);
        self.text += text;
        Some(())
    }

    fn made(self) -> (Vec<u8>, Truth) {
        (self.bytes, Truth::Several(self.text))
    }
}

/// Lines of which 1 to 50 % are in the second encoding.
fn lines(random: &mut Random, source: &Source<'_>, [first, second]: [Encoding; 2]) -> Made {
    let count = random.size(2, 120);
    let others = (count * random.size(1, 50)).div_ceil(100).max(1);
    let others: Vec<usize> = (0..others).map(|_| random.below(count)).collect();
    let mut parts = Parts::default();
    for n in 0..count {
        let len = random.between(20, 100);
        let encoding = if others.contains(&n) { second } else { first };
        parts.add(&part(random, source, len, encoding)?, encoding)?;
        parts.add("\n", encoding)?;
    }
    (others.len() < count).then(|| parts.made())
}

/// Text with a few words in the second encoding.
fn words(random: &mut Random, source: &Source<'_>, [first, second]: [Encoding; 2]) -> Made {
    let len = random.size(80, 3000);
    let text = in_repertoire(&source.prose(random, len), first);
    let percent = random.size(1, 50);
    let mut parts = Parts::default();
    let mut counts = [0, 0];
    for word in text.split_inclusive([' ', '\n', '。', '、', '，']) {
        let is_other = !word.is_ascii() && (counts[1] == 0 && counts[0] > 3 || random.chance(percent));
        let word = if is_other { in_repertoire(word, second) } else { word.to_owned() };
        counts[usize::from(is_other)] += usize::from(!word.is_ascii());
        parts.add(&word, if is_other { second } else { first })?;
    }
    (counts[0] > 0 && counts[1] > 0).then(|| parts.made())
}

/// One part after the other: two files, or text that another program appended.
fn two_parts(random: &mut Random, source: &Source<'_>, encodings: [Encoding; 2]) -> Made {
    let mut parts = Parts::default();
    for encoding in encodings {
        let len = random.size(30, 1500);
        parts.add(&part(random, source, len, encoding)?, encoding)?;
        parts.add("\n", encoding)?;
    }
    Some(parts.made())
}
