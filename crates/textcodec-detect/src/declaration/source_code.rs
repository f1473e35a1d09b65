//! Declarations in source code: [PEP 263](https://peps.python.org/pep-0263/) of Python, which Ruby and Emacs share.

use textcodec::Encoding;

use super::{
    Declaration, Form, for_name,
    label::{is_unmistakable, leaves_open},
};

/// Finds a comment such as `# -*- coding: latin-1 -*-` or `# vim: set fileencoding=koi8-r :` in the first two lines. Of two
/// comments, the first one with a known label counts.
pub(super) fn comment(text: &[u8]) -> Option<Declaration> {
    let (mut offset, mut unknown) = (0, None);
    for line in text.split_inclusive(|&byte| byte == b'\n').take(2) {
        let indentation = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\x0C')).count();
        let code = line[indentation..].trim_ascii_end();
        if code.starts_with(b"#")
            && let Some((start, len)) = label(code)
        {
            let named = python_codec(&code[start..start + len]);
            let (comment, at) = (offset + indentation, offset + indentation + start);
            let found = Declaration::new(text, named, Form::Comment, comment, at..at + len);
            if found.as_ref().is_some_and(|found| found.encoding.is_some()) {
                return found;
            }
            unknown = unknown.or(found.filter(|_| declares_unknown(code, start, len)));
        }
        // The second line counts only if the first is empty or a comment.
        if !code.is_empty() && !code.starts_with(b"#") {
            break;
        }
        offset += line.len();
    }
    unknown
}

/// Returns whether a comment with a label that is not known declares an encoding. `# Encoding: base64` may be about something
/// else, and `# coding: cp849` is not.
fn declares_unknown(comment: &[u8], start: usize, len: usize) -> bool {
    let (label, before) = (&comment[start..start + len], &comment[..start]);
    let has = |part: &[u8]| before.windows(part.len()).any(|window| window == part);
    let is_mode_line = has(b"-*-") || has(b"vim:") || has(b"vi:");
    let is_open = str::from_utf8(label).is_ok_and(leaves_open);
    // One word, as in `# coding: cp849` and `# encoding=cp849`.
    let hashes = before.iter().take_while(|&&byte| byte == b'#').count();
    let is_alone = !before[hashes..].trim_ascii().contains(&b' ') && comment.len() == start + len;
    !is_open && (is_mode_line || is_alone && is_unmistakable(label))
}

/// Matches `coding[:=][ \t]*([-_.a-zA-Z0-9]+)` and returns the position and the length of the label.
fn label(comment: &[u8]) -> Option<(usize, usize)> {
    const CODING: &[u8] = b"coding";
    let mut from = 0;
    while let Some(at) = comment[from..].windows(CODING.len()).position(|window| window == CODING) {
        from += at + CODING.len();
        let Some(rest) = comment[from..].strip_prefix(b":").or_else(|| comment[from..].strip_prefix(b"=")) else {
            continue;
        };
        let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_label = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let len = rest[spaces..].iter().take_while(is_label).count();
        if len > 0 {
            return Some((from + 1 + spaces, len));
        }
    }
    None
}

/// Returns the encoding of a name of Python or Emacs, which ignore punctuation and allow a suffix for line ends.
fn python_codec(name: &[u8]) -> Option<Encoding> {
    let name = str::from_utf8(name).ok()?;
    let name = ["-unix", "-dos", "-mac"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let hyphenated = name.replace('_', "-");
    let joined = hyphenated.replace('-', "");
    [name, &hyphenated, &joined].into_iter().find_map(|name| for_name(name.as_bytes()))
}
