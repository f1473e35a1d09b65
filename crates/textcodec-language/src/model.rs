//! The costs of text in each language.

use crate::{
    Char, Language,
    chars::{self, Group, is_letter},
    data::{self, Letters, Wide},
};

/// The cost of a letter that the language does not have.
const FOREIGN: u32 = 104;

/// The additional cost of what a letter costs in text at large, if that is less than in the language.
const ESCAPE: u32 = 40;

/// The additional cost of a letter in text without a language.
const NO_LANGUAGE: u32 = 12;

/// The additional cost of a Latin letter in text of another script.
const OF_LATIN: u32 = 16;

/// Text in a language, or in none.
///
/// The cost of a text is the sum of the costs of its characters: negative natural logarithms of frequencies, times 16. If the cost
/// of one text is less than that of another by 16, it is e times as likely.
#[derive(Clone, Copy)]
pub struct Model {
    language: Option<Language>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    None,
    Letters(&'static Letters),
    Wide(&'static Wide),
}

impl Model {
    /// Text at large: the letters cost the same in every language.
    pub const UNIVERSAL: Self = Self { language: None, kind: Kind::None };

    /// Returns a model for each language. Chinese has two: one for simplified and one for traditional characters.
    pub fn all() -> impl Iterator<Item = Self> {
        let data = data::get();
        let wide = [0, 1, 2, 2].into_iter().zip(&data.wide);
        let letters = data.languages.iter().map(Kind::Letters).zip(Language::all());
        let first = data.languages.len();
        let wide = wide.map(move |(n, wide)| (Kind::Wide(wide), Language::all().nth(first + n)));
        letters
            .map(|(kind, language)| Self { language: Some(language), kind })
            .chain(wide.map(|(kind, language)| Self { language, kind }))
    }

    /// Returns the language.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Returns whether the text consists of ideographs, kana or Hangul.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        matches!(self.kind, Kind::Wide(_))
    }

    /// Returns the number of the script of the letters. 0 if the text has no letters of one script.
    #[must_use]
    pub fn script(&self) -> u8 {
        match self.kind {
            Kind::Letters(letters) => letters.script,
            _ => 0,
        }
    }

    /// Returns the numbers of the letters of the language, as in [`Char::letter`].
    pub fn letters(&self) -> impl Iterator<Item = u16> {
        let letters = match self.kind {
            Kind::Letters(letters) => &letters.own[..],
            _ => &[],
        };
        letters.iter().map(|&letter| data::get().letter(letter))
    }

    /// Returns the cost of a character after another one.
    #[must_use]
    #[inline]
    pub fn cost(&self, before: Char, c: Char) -> u32 {
        shared_cost(before, c) + if c.is_letter() { self.letter_cost(before, c) } else { 0 }
    }

    /// Returns the part of the [cost](Self::cost) of a letter that depends on the language. [`shared_cost`] is the rest.
    #[must_use]
    #[inline]
    pub fn letter_cost(&self, before: Char, c: Char) -> u32 {
        let universal = u32::from(c.universal);
        match self.kind {
            Kind::None => universal + NO_LANGUAGE,
            Kind::Letters(letters) => {
                let symbol = letters.symbol(c);
                if symbol == 0 || symbol == letters.other() {
                    if c.script == chars::LATIN && letters.script != chars::LATIN {
                        universal + OF_LATIN
                    } else {
                        (universal + ESCAPE).max(FOREIGN)
                    }
                } else {
                    letters.cost(letters.symbol(before), symbol).min(universal + ESCAPE)
                }
            }
            Kind::Wide(wide) if c.group == Group::Wide as u8 => match wide.costs[usize::from(c.letter)] {
                0 => universal,
                cost => u32::from(cost).min(universal),
            },
            Kind::Wide(_) => universal + if c.script == chars::LATIN { OF_LATIN } else { ESCAPE },
        }
    }

    /// Returns the cost of a text.
    ///
    /// ```
    /// use textcodec_language::{Language, Model};
    ///
    /// let cost = |text| Model::all().map(|model| model.cost_of(text)).min();
    /// assert!(cost("Füße") < cost("FÃ¼ÃŸe"));
    /// ```
    #[must_use]
    pub fn cost_of(&self, text: &str) -> u32 {
        let edge = Char::new(crate::EDGE);
        let mut before = edge;
        let mut sum = 0;
        for c in text.chars().map(Char::new).chain([edge]) {
            sum += self.cost(before, c);
            before = c;
        }
        sum
    }
}

/// Returns the part of the cost of a character after another one that is the same in every language.
#[must_use]
#[inline]
pub fn shared_cost(before: Char, c: Char) -> u32 {
    let transition = data::get().transition(before.class, c.class);
    transition + if is_letter(c.group) { 0 } else { u32::from(c.universal) }
}

/// Returns the pages of DOS and others that are not in the standard: the name, and the characters of the bytes 80 to FF.
///
/// ```
/// let (_, characters) = textcodec_language::pages().find(|(name, _)| *name == "IBM850").unwrap();
/// assert_eq!(characters.last(), Some('\u{A0}'));
/// ```
pub fn pages() -> impl Iterator<Item = (&'static str, impl Iterator<Item = char>)> {
    data::get()
        .pages
        .iter()
        .map(|&(name, units)| (name, units.iter().map(|&unit| data::character(unit).unwrap_or('\u{FFFD}'))))
}
