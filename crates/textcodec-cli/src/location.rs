//! Lines and columns as editors count them.

use std::fmt;

/// A location in text: the number of complete lines before it, and of characters before it in its line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Location {
    lines: u64,
    characters: u64,
}

impl Location {
    /// Advances past `text`, which must not end between the halves of a surrogate pair.
    ///
    /// Makes one pass over the text, which the compiler vectorizes, and a second one over its last line.
    pub(crate) fn advance(&mut self, text: &[u16]) {
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

    /// Like [`advance`](Self::advance), for UTF-8.
    pub(crate) fn advance_utf8(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let lines = count(bytes, |byte| byte == b'\n');
        let mut last_line = bytes;
        if lines > 0 {
            self.lines += lines;
            self.characters = 0;
            last_line = bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        }
        self.characters += count(last_line, |byte| byte & 0xC0 != 0x80);
    }

    /// Advances past one character. A malformed sequence counts as one.
    pub(crate) fn advance_character(&mut self, character: char) {
        if character == '\n' {
            *self = Self { lines: self.lines + 1, characters: 0 };
        } else {
            self.characters += 1;
        }
    }

    /// Returns the start of a line. The first one is 1.
    pub(crate) fn of_line(line: u64) -> Self {
        Self { lines: line - 1, characters: 0 }
    }

    /// Adds `next`, a location counted from this one.
    pub(crate) fn then(self, next: Self) -> Self {
        match next.lines {
            0 => Self { lines: self.lines, characters: self.characters + next.characters },
            lines => Self { lines: self.lines + lines, characters: next.characters },
        }
    }

    /// Returns the line number, from 1.
    pub(crate) fn line(self) -> u64 {
        self.lines + 1
    }

    /// Returns the column in characters, from 1.
    pub(crate) fn column(self) -> u64 {
        self.characters + 1
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line(), self.column())
    }
}

/// Counts the bytes that match.
fn count(bytes: &[u8], matches: impl Fn(u8) -> bool) -> u64 {
    // Each run is counted in a `u8` (192 <= 255), so that the compiler adds whole vectors of counters.
    bytes.chunks(192).map(|run| u64::from(run.iter().map(|&byte| u8::from(matches(byte))).sum::<u8>())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_do_not_change_the_location() {
        let text: Vec<u16> = "one\ntwo 😀\r\n\nthree 😀😀 four".encode_utf16().collect();
        for cut in (0..=text.len()).filter(|&cut| text.get(cut).is_none_or(|unit| !(0xDC00..0xE000).contains(unit))) {
            let mut location = Location::default();
            location.advance(&text[..cut]);
            location.advance(&text[cut..]);
            assert_eq!(location.to_string(), "line 4, column 14", "cut at {cut}");

            let (mut before, mut after) = (Location::default(), Location::default());
            before.advance(&text[..cut]);
            after.advance(&text[cut..]);
            assert_eq!(before.then(after), location, "cut at {cut}");
        }
    }

    #[test]
    fn utf_8_utf_16_and_single_characters_give_the_same_location() {
        for text in ["", "one\ntwo 😀\r\n\nthree 😀😀 four", "\r\r\n", &"é\n".repeat(1000), &"日".repeat(1000)]
        {
            let mut by_units = Location::default();
            by_units.advance(&text.encode_utf16().collect::<Vec<_>>());
            let mut by_characters = Location::default();
            text.chars().for_each(|character| by_characters.advance_character(character));
            assert_eq!(by_characters, by_units);
            for (cut, _) in text.char_indices() {
                let mut location = Location::default();
                location.advance_utf8(&text[..cut]);
                location.advance_utf8(&text[cut..]);
                assert_eq!(location, by_units, "cut at {cut}");
            }
        }
    }
}
