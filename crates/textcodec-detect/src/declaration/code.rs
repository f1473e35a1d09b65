//! Strings and comments of languages, in which nothing is a declaration.

/// What strings and comments of a language look like.
pub(super) struct Syntax {
    /// The starts of comments that end with the line.
    pub(super) line_comments: &'static [&'static [u8]],
    /// What starts like a comment in `/*` and `*/` and is code: `/*!` in MySQL.
    pub(super) no_comment: &'static [u8],
    pub(super) quotes: &'static [u8],
}

impl Syntax {
    /// Returns the end of the string or comment that starts at a position, or `None` if none does.
    pub(super) fn skip(&self, text: &[u8], at: usize) -> Option<usize> {
        let rest = &text[at..];
        if self.line_comments.iter().any(|start| rest.starts_with(start)) {
            return Some(at + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len()));
        }
        if rest.starts_with(b"/*") && (self.no_comment.is_empty() || !rest.starts_with(self.no_comment)) {
            return Some(end_of(text, at + 2, b"*/"));
        }
        let quote = rest.first().filter(|quote| self.quotes.contains(quote))?;
        let mut end = at + 1;
        while end < text.len() && text[end] != *quote {
            end += if text[end] == b'\\' { 2 } else { 1 };
        }
        Some((end + 1).min(text.len()))
    }
}

/// Returns the position after the next occurrence of some bytes, or the end of the text.
pub(super) fn end_of(text: &[u8], at: usize, needle: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.windows(needle.len()).position(|window| window == needle).map_or(text.len(), |len| at + len + needle.len())
}

/// Returns the position of the next byte that is not white space.
pub(super) fn after_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    text.len() - rest.trim_ascii_start().len()
}

/// Returns the length of the word at a position: letters, digits, `_` and bytes that are not ASCII.
pub(super) fn word_len(text: &[u8], at: usize) -> usize {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    text.get(at..).unwrap_or_default().iter().take_while(is_word).count()
}
