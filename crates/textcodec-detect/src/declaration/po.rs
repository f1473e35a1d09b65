//! Declarations in PO files of gettext.

use super::{Declaration, Form, for_name};

/// Finds the charset in the header: the translation of the first message, which is empty.
pub(super) fn header(text: &[u8]) -> Option<Declaration> {
    let (mut offset, mut is_header, mut has_started) = (0, false, false);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_ascii_end();
        if line.starts_with(b"msgstr") && has_started && !is_header {
            is_header = true;
        } else if line.strip_prefix(b"msgid").is_some_and(|value| value.trim_ascii() == b"\"\"") && !has_started {
            has_started = true;
            continue;
        } else if is_header && !line.starts_with(b"\"") || !is_header && !line.is_empty() && !line.starts_with(b"#") {
            return None;
        }
        if is_header && let Some(field) = find(line, b"content-type:") {
            let charset = field + find(&line[field..], b"charset=")? + b"charset=".len();
            let label = &line[charset..];
            let len = label.iter().position(|byte| matches!(byte, b'\\' | b'"' | b';' | b' ')).unwrap_or(label.len());
            let named = for_name(&label[..len]);
            return Declaration::new(text, named, Form::Po, start, start + charset..start + charset + len);
        }
    }
    None
}

/// Returns the position of `needle`, which is in lower case, in any case.
fn find(line: &[u8], needle: &[u8]) -> Option<usize> {
    line.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}
