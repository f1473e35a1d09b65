//! What Unicode calls a character.

use std::fmt;

/// A character's name as the standard's files have it: of characters that Unicode names by rule, what they are, in angle
/// brackets.
pub(super) fn name(character: char) -> impl fmt::Display {
    Name(character)
}

struct Name(char);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As UnicodeData.txt has them, but for the ends of the ranges of ideographs, which have grown since.
        f.write_str(match self.0 {
            '\0'..='\x1F' | '\x7F'..='\u{9F}' => "<control>",
            '\u{3400}'..='\u{4DBF}' => "<CJK Ideograph Extension A>",
            '\u{4E00}'..='\u{9FFF}' => "<CJK Ideograph>",
            '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => "<Private Use>",
            '\u{20000}'..='\u{2A6DF}' => "<CJK Ideograph Extension B>",
            '\u{2A700}'..='\u{2B73F}' => "<CJK Ideograph Extension C>",
            character => {
                return match unicode_names2::name(character) {
                    Some(name) => name.fmt(f),
                    None => f.write_str("<unnamed>"),
                };
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::data::Index;

    #[test]
    fn names_are_unicodes() {
        for (character, expected) in [
            ('À', "LATIN CAPITAL LETTER A WITH GRAVE"),
            ('각', "HANGUL SYLLABLE GAG"),
            ('\u{80}', "<control>"),
            ('㐀', "<CJK Ideograph Extension A>"),
            ('\u{F907}', "CJK COMPATIBILITY IDEOGRAPH-F907"),
            ('\u{E000}', "<Private Use>"),
        ] {
            assert_eq!(name(character).to_string(), expected);
        }
    }

    #[test]
    fn no_character_of_an_index_is_without_a_name() {
        for index in Index::all().filter(|index| !index.is_ranges()) {
            for (pointer, character) in index.entries {
                assert_ne!(name(character).to_string(), "<unnamed>", "{} {pointer}", index.name);
            }
        }
    }
}
