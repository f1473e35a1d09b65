//! What letter pairs are counted of: the symbols of a language.
//!
//! `cargo xtask detection train` reads this file, too, so that it counts what the detector looks up.

/// Whether a character is a capital.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Not a letter, or a letter of a script without capitals.
    None,
    Lower,
    Upper,
}

impl Case {
    pub(crate) const COUNT: usize = 3;

    pub(crate) fn of(c: char) -> Self {
        if c.is_lowercase() {
            Self::Lower
        } else if c.is_uppercase() {
            Self::Upper
        } else {
            Self::None
        }
    }
}

/// The symbol of everything in ASCII that is not a letter: it separates words.
pub(crate) const SEPARATOR: usize = 0;

/// The symbols of a language: [`SEPARATOR`], its letters and marks without case, and one for all other characters.
///
/// In a script other than Latin, all Latin letters are one symbol, `a`.
pub(crate) struct Symbols {
    letters: Vec<char>,
}

impl Symbols {
    pub(crate) fn new(mut letters: Vec<char>) -> Self {
        letters.sort_unstable();
        Self { letters }
    }

    pub(crate) fn count(&self) -> usize {
        self.letters.len() + 2
    }

    /// The symbol of all other characters.
    pub(crate) fn other(&self) -> usize {
        self.letters.len() + 1
    }

    pub(crate) fn of(&self, c: char) -> usize {
        self.of_lower(without_case(c))
    }

    /// The symbol of a character [without case](without_case).
    pub(crate) fn of_lower(&self, c: char) -> usize {
        match self.letters.binary_search(&c) {
            Ok(at) => at + 1,
            Err(_) if c.is_ascii_lowercase() => self.letters.binary_search(&'a').map_or(self.other(), |at| at + 1),
            Err(_) if c.is_ascii() => SEPARATOR,
            Err(_) => self.other(),
        }
    }
}

/// Returns the lowercase letter if it is a single character.
pub(crate) fn without_case(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => c,
    }
}
