//! Declarations in PO files of gettext.

use super::{Declaration, Form, for_name};

/// Finds the charset in the header: the translation of the first message, which is empty.
pub(super) fn header(text: &[u8]) -> Option<Declaration> {
    const CONTENT_TYPE: &[u8] = b"\"Content-Type:";
    const CHARSET: &[u8] = b"charset=";
    let mut offset = 0;
    // `msgid ""`, then `msgstr ""`, then one quoted line for each field.
    let mut keywords = [&b"msgid"[..], b"msgstr"].into_iter().peekable();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_ascii_end();
        if let Some(&keyword) = keywords.peek() {
            if line.strip_prefix(keyword).is_some_and(|value| value.trim_ascii() == b"\"\"") {
                keywords.next();
            } else if !line.is_empty() && !line.starts_with(b"#") {
                return None;
            }
        } else if !line.starts_with(b"\"") {
            return None;
        } else if line.get(..CONTENT_TYPE.len()).is_some_and(|start| start.eq_ignore_ascii_case(CONTENT_TYPE)) {
            let at = line.windows(CHARSET.len()).position(|window| window.eq_ignore_ascii_case(CHARSET))?;
            let label = &line[at + CHARSET.len()..];
            let len = label.iter().position(|byte| matches!(byte, b'\\' | b'"' | b';' | b' ')).unwrap_or(label.len());
            let label_start = start + at + CHARSET.len();
            let named = for_name(&label[..len])?;
            return Some(Declaration::new(text, named, Form::Po, start, label_start..label_start + len));
        }
    }
    None
}
