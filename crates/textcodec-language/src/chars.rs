//! What the model knows of a character, whatever the language.

use crate::data::{self, Data};

/// A character as the model sees it.
///
/// Costs are negative natural logarithms of frequencies, times 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Char {
    /// The number of the group and the script in the data.
    pub(crate) class: u8,
    /// The kind of character: letters, digits, quotation marks, currency signs …
    pub(crate) group: u8,
    pub(crate) script: u8,
    /// The cost of this character among those of its group, in text at large.
    pub(crate) universal: u8,
    /// The number of the letter in the data, without case, or 0 if no language has it. For wide characters, the code unit.
    pub(crate) letter: u16,
}

/// The kind of a character. Which characters follow each other depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Group {
    /// White space, and the start and end of text.
    Blank,
    /// Small letters.
    Lower,
    /// Capital letters.
    Upper,
    /// Letters of scripts without case.
    Caseless,
    /// Ideographs, kana and Hangul syllables.
    Wide,
    /// Marks that are written on letters, and vowel signs.
    Mark,
    /// Decimal digits.
    Digit,
    /// What never occurs in text: C1 controls, private use, noncharacters, U+FFFD.
    Never,
    /// ASCII controls.
    Control,
    /// Characters that rarely occur in text.
    Rare,
    /// Box drawing.
    Box,
    /// Block elements.
    Block,
    /// No-break space.
    NoBreakSpace,
    /// Half-width katakana.
    HalfKatakana,
    /// Other signs.
    Sign,
}

/// The number of the Latin script: see [`Char::script`].
pub const LATIN: u8 = 1;

/// The first space: what is before and after a text.
pub const EDGE: char = '\n';

impl Char {
    /// Returns what the model knows of a character.
    ///
    /// ```
    /// use textcodec_language::{Char, Group};
    ///
    /// assert_eq!(Char::new('É').group(), Group::Upper);
    /// assert_eq!(Char::new('\u{85}').group(), Group::Never);
    /// ```
    #[must_use]
    pub fn new(c: char) -> Self {
        Self::from(data::get(), c)
    }

    pub(crate) fn from(data: &Data, c: char) -> Self {
        let unit = u16::try_from(u32::from(c)).unwrap_or(data::SUPPLEMENTARY);
        let class = data.class_of(unit);
        let (group, script) = data.classes[usize::from(class)];
        let universal = data.universal[usize::from(unit)];
        let letter = match group {
            _ if group == Group::Wide as u8 => unit,
            _ if is_letter(group) => data.letter(without_case(c)),
            _ => 0,
        };
        Self { class, group, script, universal, letter }
    }

    /// Returns the kind of the character.
    ///
    /// ```
    /// use textcodec_language::{Char, Group};
    ///
    /// assert_eq!(Char::new('7').group(), Group::Digit);
    /// ```
    #[must_use]
    pub fn group(self) -> Group {
        const GROUPS: [Group; 14] = [
            Group::Blank,
            Group::Lower,
            Group::Upper,
            Group::Caseless,
            Group::Wide,
            Group::Mark,
            Group::Digit,
            Group::Never,
            Group::Control,
            Group::Rare,
            Group::Box,
            Group::Block,
            Group::NoBreakSpace,
            Group::HalfKatakana,
        ];
        GROUPS.get(usize::from(self.group)).copied().unwrap_or(Group::Sign)
    }

    /// Returns the number of the script of a letter or mark. Characters of no script have 0.
    #[must_use]
    pub fn script(self) -> u8 {
        self.script
    }

    /// Returns the number of a letter, without case: [`Model::letters`](crate::Model::letters) has those of a language. 0 is no letter
    /// of any language.
    #[must_use]
    pub fn letter(self) -> u16 {
        if self.group == Group::Wide as u8 { 0 } else { self.letter }
    }

    /// Returns whether this is a letter, an ideograph, or a mark on one.
    #[must_use]
    pub fn is_letter(self) -> bool {
        is_letter(self.group)
    }
}

pub(crate) const fn is_letter(group: u8) -> bool {
    group >= Group::Lower as u8 && group <= Group::Mark as u8
}

/// Returns the small letter if it is a single character.
pub(crate) fn without_case(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => c,
    }
}
