//! Removes byte order marks at the start of lines, where files that had one were joined.

/// Decoded text, in UTF-8 or UTF-16.
pub(super) trait Text {
    /// Returns the number of code units.
    fn units(&self) -> usize;

    /// Removes U+FEFF where a line starts, from a position on, and returns how many there were. `at_line_start` says whether one
    /// starts there, and then whether one starts at the end.
    ///
    /// Elsewhere it is a character, such as a zero width no-break space within a word, and stays.
    fn remove_marks(&mut self, from: usize, at_line_start: &mut bool) -> u64;
}

impl Text for Vec<u8> {
    fn units(&self) -> usize {
        self.len()
    }

    fn remove_marks(&mut self, from: usize, at_line_start: &mut bool) -> u64 {
        remove(self, from, "\u{FEFF}".as_bytes(), at_line_start)
    }
}

impl Text for Vec<u16> {
    fn units(&self) -> usize {
        self.len()
    }

    fn remove_marks(&mut self, from: usize, at_line_start: &mut bool) -> u64 {
        remove(self, from, &[0xFEFF], at_line_start)
    }
}

fn remove<U: Copy + PartialEq + From<u8>>(text: &mut Vec<U>, from: usize, mark: &[U], at_line_start: &mut bool) -> u64 {
    let newline = U::from(b'\n');
    let (mut read, mut written, mut count) = (from, from, 0);
    while read < text.len() {
        if *at_line_start && text[read..].starts_with(mark) {
            read += mark.len();
            count += 1;
            continue;
        }
        let line = text[read..].iter().position(|unit| *unit == newline);
        let end = line.map_or(text.len(), |at| read + at + 1);
        *at_line_start = line.is_some();
        if written < read {
            text.copy_within(read..end, written);
        }
        written += end - read;
        read = end;
    }
    text.truncate(written);
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_removed_where_a_line_starts() {
        for (text, expected, count) in [
            ("", "", 0),
            ("\u{FEFF}", "", 1),
            ("\u{FEFF}\u{FEFF}a", "a", 2),
            ("a\n\u{FEFF}b\r\n\u{FEFF}\n", "a\nb\r\n\n", 2),
            // Within a line, and after a carriage return without a line feed.
            ("a\u{FEFF}b", "a\u{FEFF}b", 0),
            (" \u{FEFF}a", " \u{FEFF}a", 0),
            ("a\r\u{FEFF}b", "a\r\u{FEFF}b", 0),
            ("\u{FEFF}a\u{FEFF}\n\u{FEFF}", "a\u{FEFF}\n", 2),
            ("\n\n\u{FEFF}\n", "\n\n\n", 1),
            ("｡\n\u{FEFE}x\n\u{FEFF}", "｡\n\u{FEFE}x\n", 1),
        ] {
            for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
                let (mut utf_8, mut utf_16, mut counts, mut starts) = (Vec::new(), Vec::new(), [0; 2], [true; 2]);
                for part in [&text[..cut], &text[cut..]] {
                    let (from_8, from_16) = (utf_8.units(), utf_16.units());
                    utf_8.extend(part.bytes());
                    utf_16.extend(part.encode_utf16());
                    counts[0] += utf_8.remove_marks(from_8, &mut starts[0]);
                    counts[1] += utf_16.remove_marks(from_16, &mut starts[1]);
                }
                assert_eq!(String::from_utf8(utf_8).as_deref(), Ok(expected), "{text:?} {cut}");
                assert_eq!(String::from_utf16(&utf_16).unwrap(), expected, "{text:?} {cut}");
                assert_eq!(counts, [count; 2], "{text:?} {cut}");
            }
        }
    }
}
