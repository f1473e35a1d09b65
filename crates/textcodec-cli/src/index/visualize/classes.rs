//! The classes of entries that the standard's legend distinguishes.

use std::collections::HashMap;

use crate::index::data::Index;

/// An entry of an index with its classes.
pub(super) struct Cell {
    pub(super) pointer: u32,
    pub(super) character: char,
    pub(super) form: Form,
    /// The code point is one above that of the previous pointer.
    pub(super) contiguous: bool,
    /// The first pointer with the same code point, if it is an earlier one.
    pub(super) duplicate: Option<u32>,
}

impl Cell {
    /// Returns whether the character is in a block of CJK Compatibility Ideographs.
    pub(super) fn is_compatibility(&self) -> bool {
        is_compatibility(self.character)
    }

    /// Returns whether the character is in the block CJK Unified Ideographs Extension A.
    pub(super) fn is_extension(&self) -> bool {
        is_extension(self.character)
    }

    /// Returns the classes by the names that the standard gives them.
    pub(super) fn classes(&self) -> String {
        let mut classes = self.form.class().to_owned();
        for (class, applies) in [
            ("contiguous", self.contiguous),
            ("duplicate", self.duplicate.is_some()),
            ("compatibility", self.is_compatibility()),
            ("ext", self.is_extension()),
        ] {
            if applies {
                classes.push(' ');
                classes.push_str(class);
            }
        }
        classes
    }
}

/// The form of a character in UTF-8. No index has a one-byte character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Mid,
    Upper,
    Pua,
    Astral,
}

impl Form {
    pub(super) const ALL: [Self; 4] = [Self::Mid, Self::Upper, Self::Pua, Self::Astral];

    pub(super) fn of(character: char) -> Self {
        match character {
            '\u{E000}'..='\u{F8FF}' => Self::Pua,
            ..='\u{7FF}' => Self::Mid,
            ..='\u{FFFF}' => Self::Upper,
            _ => Self::Astral,
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Mid => "mid",
            Self::Upper => "upper",
            Self::Pua => "pua",
            Self::Astral => "astral",
        }
    }

    /// Returns the text for the legend.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Mid => "Two bytes in UTF-8",
            Self::Upper => "Three bytes in UTF-8",
            Self::Pua => "Private use",
            Self::Astral => "Four bytes in UTF-8",
        }
    }
}

pub(super) fn is_compatibility(character: char) -> bool {
    matches!(character, '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FA1F}')
}

pub(super) fn is_extension(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4DBF}')
}

/// Classifies the entries of an index.
pub(super) fn cells(index: &Index) -> Vec<Cell> {
    let mut first_pointers = HashMap::new();
    let mut previous = None;
    index
        .entries
        .iter()
        .map(|&(pointer, character)| {
            let first = *first_pointers.entry(character).or_insert(pointer);
            let contiguous = previous == Some((pointer.wrapping_sub(1), u32::from(character) - 1));
            previous = Some((pointer, character.into()));
            Cell {
                pointer,
                character,
                form: Form::of(character),
                contiguous,
                duplicate: (first != pointer).then_some(first),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_the_classes_of_the_legend() {
        let entries = vec![
            (0, '\u{E4C6}'),
            (1, '\u{E4C7}'),
            (3, '\u{E4C8}'),
            (4, 'é'),
            (5, 'ê'),
            (6, '字'),
            (7, '㐀'),
            (8, '\u{F907}'),
            (9, '字'),
            (10, '𧉧'),
        ];
        let index = Index { name: "test", identifier: "", date: "", entries };
        let classes: Vec<_> = cells(&index).iter().map(Cell::classes).collect();
        let expected = [
            "pua",
            "pua contiguous",
            "pua", // pointer 2 is missing
            "mid",
            "mid contiguous",
            "upper",
            "upper ext",
            "upper compatibility",
            "upper duplicate",
            "astral",
        ];
        assert_eq!(classes, expected);
    }

    #[test]
    fn no_index_contains_ascii() {
        assert!(Index::all().all(|index| index.entries.iter().all(|entry| entry.1 >= '\u{80}')));
    }
}
