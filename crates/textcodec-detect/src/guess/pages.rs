//! The single-byte encodings that a text may have: those of the standard, and pages outside of it.

use alloc::{boxed::Box, vec, vec::Vec};

use once_cell::race::OnceBox;
use textcodec::{
    Alias, Encoding, IBM866, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5, ISO_8859_6, ISO_8859_7, ISO_8859_8,
    ISO_8859_8_I, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16, KOI8_R, KOI8_U, MACINTOSH,
    WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256,
    WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};
use textcodec_language::{Char, LATIN, Language, Model, pages};

use crate::trial::characters_of;

use super::score::models;

/// A single-byte encoding.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    /// `None` if this build cannot decode it.
    pub(crate) encoding: Option<Encoding>,
    /// How rare text in the encoding is: a negative logarithm, times 16.
    pub(super) rarity: u32,
    pub(super) characters: [char; 256],
    pub(super) chars: [Char; 256],
    /// What each model costs because the encoding lacks letters of its language, or is one of other languages.
    pub(super) missing: Vec<f64>,
}

/// The cost for each letter of a language that its encoding lacks, and for all together at most.
const MISSING: f64 = 10.0;
const MAX_MISSING: f64 = 64.0;

/// The cost of a language with Latin letters for which the encoding was not made.
const FOREIGN: f64 = 5.0 * 16.0;

/// The languages for which encodings were made. Those that are not here were made for Western Europe, or for other scripts.
const LANGUAGES: [(&str, &str); 14] = [
    ("windows-1250 ISO-8859-2 IBM852 x-mac-ce", "cs sk pl hu sl hr ro sq"),
    ("windows-1254 IBM857 x-mac-turkish", "tr az"),
    ("windows-1257 ISO-8859-13 ISO-8859-4 IBM775", "lt lv et"),
    ("windows-1258 VISCII", "vi"),
    ("ISO-8859-3", "mt eo tr"),
    ("ISO-8859-10", "is nb sv da fi et lt lv"),
    ("ISO-8859-14", "ga gd cy br"),
    ("ISO-8859-16", "ro hu pl hr sl sq"),
    ("IBM860", "pt gl"),
    ("IBM861 x-mac-icelandic", "is"),
    ("IBM863", "fr"),
    ("IBM865", "nb da"),
    ("x-mac-croatian", "hr sl"),
    ("x-mac-romanian", "ro"),
];

/// The encodings of the standard, and how rare they are.
const OF_STANDARD: [(Encoding, u32); 28] = [
    (WINDOWS_1252, 0),
    (WINDOWS_1250, 8),
    (WINDOWS_1251, 8),
    (ISO_8859_2, 20),
    (WINDOWS_1253, 16),
    (WINDOWS_1254, 16),
    (WINDOWS_1255, 16),
    (WINDOWS_1256, 16),
    (WINDOWS_1257, 16),
    (WINDOWS_1258, 24),
    (WINDOWS_874, 16),
    (KOI8_R, 24),
    (KOI8_U, 28),
    (ISO_8859_15, 24),
    (ISO_8859_7, 24),
    (ISO_8859_5, 32),
    (ISO_8859_6, 32),
    (ISO_8859_8_I, 32),
    (ISO_8859_13, 40),
    (ISO_8859_4, 48),
    (ISO_8859_3, 48),
    (ISO_8859_10, 64),
    (ISO_8859_14, 56),
    (ISO_8859_16, 48),
    (IBM866, 32),
    (MACINTOSH, 40),
    (X_MAC_CYRILLIC, 64),
    (ISO_8859_8, 64),
];

/// Pages outside of the standard that are less rare than others.
const RARITIES: [(&str, u32); 9] = [
    ("IBM437", 36),
    ("IBM850", 32),
    ("IBM852", 36),
    ("IBM857", 44),
    ("IBM737", 44),
    ("IBM775", 48),
    ("VISCII", 128),
    ("PTCP154", 112),
    ("KZ-1048", 128),
];
const OTHER_RARITY: u32 = 80;

/// Returns the single-byte encodings.
pub(crate) fn all() -> &'static [Page] {
    static ALL: OnceBox<Vec<Page>> = OnceBox::new();
    ALL.get_or_init(|| {
        let of_standard = OF_STANDARD.iter().map(|&(encoding, rarity)| {
            let characters = characters_of(encoding).map(|unit| char::from_u32(unit.into()).unwrap_or('\u{FFFD}'));
            Page::new(encoding.name(), Some(encoding), rarity, &characters)
        });
        let others = pages().map(|(name, upper)| {
            let mut characters: [char; 256] = core::array::from_fn(|byte| char::from(byte as u8));
            for (to, c) in characters[0x80..].iter_mut().zip(upper) {
                *to = c;
            }
            let rarity = RARITIES.iter().find(|(rare, _)| *rare == name).map_or(OTHER_RARITY, |&(_, rarity)| rarity);
            Page::new(name, Alias::for_name(name).map(|alias| alias.encoding), rarity, &characters)
        });
        Box::new(of_standard.chain(others).collect())
    })
}

impl Page {
    fn new(name: &'static str, encoding: Option<Encoding>, rarity: u32, characters: &[char; 256]) -> Self {
        let chars = characters.map(|c| Char::new(if c.is_ascii_digit() { '0' } else { c }));
        let mut has = vec![false; 1 << 10];
        for c in &chars {
            has[usize::from(c.letter())] = true;
        }
        let missing = |model: &Model| model.letters().filter(|&letter| !has[usize::from(letter)]).count();
        let of_page = LANGUAGES.iter().find(|(names, _)| names.split(' ').any(|one| one == name));
        let is_foreign = |model: &Model| {
            let tag = model.language().map_or("", Language::tag);
            model.script() == LATIN && of_page.is_some_and(|(_, tags)| tags.split(' ').all(|one| one != tag))
        };
        let foreign = |model: &Model| if is_foreign(model) { FOREIGN } else { 0.0 };
        let cost = |model: &Model| (missing(model) as f64 * MISSING).min(MAX_MISSING) + foreign(model);
        let missing = models().iter().map(cost).collect();
        Self { name, encoding, rarity, characters: *characters, chars, missing }
    }

    /// Returns whether the bytes are the same characters in both encodings.
    pub(crate) fn is_same(&self, other: &Self, bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| self.characters[usize::from(byte)] == other.characters[usize::from(byte)])
    }
}
