//! Names of characters in the format of the standard's index files.

use std::fmt;

/// Returns a character's name as in the standard's files. Characters that Unicode names by rule get a description in angle
/// brackets.
pub(super) fn name(character: char) -> impl fmt::Display {
    Name(character)
}

struct Name(char);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The ranges of UnicodeData.txt, except that ideographs are whole blocks, because their ranges have grown over time.
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
    fn names_are_those_of_unicode() {
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
    fn every_character_of_an_index_has_a_name() {
        for index in Index::all().filter(|index| !index.is_ranges()) {
            for (pointer, character) in index.entries {
                assert_ne!(name(character).to_string(), "<unnamed>", "{} {pointer}", index.name);
            }
        }
    }
}
