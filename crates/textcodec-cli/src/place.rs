//! Lines and columns: where in a text something is, in the terms of an editor.

use std::fmt;

/// A place in UTF-16 text: how many lines are before it, and how many characters of its own line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    lines: u64,
    characters: u64,
}

impl Place {
    /// Moves behind a text, which must not end within a surrogate pair. One pass over it that the compiler makes vector
    /// code of, and a second one over its last line.
    pub(crate) fn pass(&mut self, text: &[u16]) {
        const NEWLINE: u16 = b'\n' as u16;
        let lines = text.iter().filter(|&&unit| unit == NEWLINE).count();
        let mut last_line = text;
        if lines > 0 {
            self.lines += lines as u64;
            self.characters = 0;
            last_line = text.rsplit(|&unit| unit == NEWLINE).next().unwrap_or_default();
        }
        self.characters += last_line.iter().filter(|unit| !matches!(unit, 0xDC00..=0xDFFF)).count() as u64;
    }
}

impl Place {
    /// The place that is `next` behind this one.
    pub(crate) fn then(self, next: Self) -> Self {
        match next.lines {
            0 => Self { lines: self.lines, characters: self.characters + next.characters },
            lines => Self { lines: self.lines + lines, characters: next.characters },
        }
    }

    /// Counted from 1.
    pub(crate) fn line(self) -> u64 {
        self.lines + 1
    }

    /// In characters, counted from 1.
    pub(crate) fn column(self) -> u64 {
        self.characters + 1
    }
}

/// As editors count: from 1.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line(), self.column())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_the_same_however_the_text_is_cut() {
        let text: Vec<u16> = "one\ntwo 😀\r\n\nthree 😀😀 four".encode_utf16().collect();
        for cut in (0..=text.len()).filter(|&cut| text.get(cut).is_none_or(|unit| !(0xDC00..0xE000).contains(unit))) {
            let mut place = Place::default();
            place.pass(&text[..cut]);
            place.pass(&text[cut..]);
            assert_eq!(place.to_string(), "line 4, column 14", "cut at {cut}");

            let (mut before, mut behind) = (Place::default(), Place::default());
            before.pass(&text[..cut]);
            behind.pass(&text[cut..]);
            assert_eq!(before.then(behind), place, "cut at {cut}");
        }
    }
}
