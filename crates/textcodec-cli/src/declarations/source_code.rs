//! Declarations in source code: [PEP 263](https://peps.python.org/pep-0263/) of Python, which Ruby and Emacs share.

use textcodec::Encoding;

use super::{Declaration, Form, for_name};

/// Finds a comment such as `# -*- coding: latin-1 -*-` or `# vim: set fileencoding=koi8-r :` in the first two lines.
pub(super) fn comment(text: &[u8]) -> Option<Declaration> {
    let mut offset = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n').take(2) {
        let indentation = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\x0C')).count();
        let code = line[indentation..].trim_ascii_end();
        if code.starts_with(b"#")
            && let Some((start, len)) = label(code)
            && let Some(named) = python_codec(&code[start..start + len])
        {
            let start = offset + indentation + start;
            return Some(Declaration::new(text, named, Form::Comment, offset + indentation, start..start + len));
        }
        // The second line counts only if the first is empty or a comment.
        if !code.is_empty() && !code.starts_with(b"#") {
            return None;
        }
        offset += line.len();
    }
    None
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
