//! Style sheets.

use textcodec::Encoding;

use crate::declaration::{Declaration, Form};

/// Matches the [exact bytes that CSS requires](https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding): at the
/// start, with one space and double quotes.
pub(crate) fn declaration(text: &[u8]) -> Option<Declaration> {
    let rest = text.strip_prefix(START)?;
    let label = &rest[..rest.iter().position(|&byte| byte == b'"')?];
    if !rest[label.len() + 1..].starts_with(b";") || !label.is_ascii() {
        return None;
    }
    Declaration::new(text, Encoding::for_label(label), Form::Css, 0, START.len()..START.len() + label.len())
}

const START: &[u8] = b"@charset \"";
