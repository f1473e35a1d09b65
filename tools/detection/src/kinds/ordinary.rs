//! Ordinary text in four sizes.

use super::{Maker, encoding, in_repertoire, one, shortened};
use crate::languages::{LANGUAGES, dos_encodings, more_encodings};

/// The sizes in bytes, and how many texts of each size there are for each language and encoding.
pub(crate) const SIZES: [(usize, usize); 4] = [(20, 16), (100, 16), (1000, 12), (20_000, 3)];

/// Text in encodings that have always been detected.
pub(super) fn ordinary(maker: &mut Maker<'_>) {
    for language in &LANGUAGES {
        let legacy = language.encodings.iter().map(|&name| (name, 1));
        for (name, one_in) in legacy.chain([("UTF-8", 3), ("UTF-16LE", 5), ("UTF-16BE", 5)]) {
            add(maker, language.code, name, one_in);
        }
    }
}

/// Text in rarer encodings of the standard.
pub(super) fn more(maker: &mut Maker<'_>) {
    for language in &LANGUAGES {
        for name in more_encodings(language.code) {
            add(maker, language.code, name, 1);
        }
    }
}

/// Text in the code pages of MS-DOS and of classic Mac OS.
pub(super) fn dos(maker: &mut Maker<'_>) {
    for language in &LANGUAGES {
        for name in dos_encodings(language.code) {
            add(maker, language.code, name, 2);
        }
    }
}

fn add(maker: &mut Maker<'_>, language: &'static str, name: &'static str, one_in: usize) {
    let encoding = encoding(name);
    for (size, count) in SIZES {
        let first = maker.texts.len();
        maker.make(language, name, count.div_ceil(one_in), |random, source| {
            // What is omitted makes the text shorter.
            let text = in_repertoire(&source.prose(random, size * 5 / 4 + 10), encoding);
            one(&shortened(&text, encoding, size)?, encoding)
        });
        maker.texts[first..].iter_mut().for_each(|text| text.size = size);
    }
}
