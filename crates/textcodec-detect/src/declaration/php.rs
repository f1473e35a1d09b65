//! Declarations in PHP: `header('Content-Type: text/html; charset=…')` and `declare(encoding='…')`.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    Declaration, Form,
    code::{Syntax, after_space, end_of, word_len},
    is_page,
    names::named,
};
use crate::mail::parameter;

const SYNTAX: Syntax = Syntax { line_comments: &[b"//", b"#"], no_comment: b"", quotes: b"'\"`" };

/// Finds the calls in the code of a page. The page has to start with a tag, or with `#!`.
pub(super) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    if !is_page(text) && !text.starts_with(b"#!") {
        return found;
    }
    let mut at = 0;
    while let Some(start) = code(text, at) {
        at = start;
        // The last byte that is not white space.
        let mut before = b';';
        while at < text.len() && !text[at..].starts_with(b"?>") {
            let len = word_len(text, at);
            if let Some(end) = SYNTAX.skip(text, at).or_else(|| heredoc(text, at)) {
                at = end;
            } else if len > 0 {
                // Not a method, a variable or another name.
                let is_call = !matches!(before, b'$' | b'>' | b':');
                let label = if is_call { call(text, at, len) } else { None };
                found.extend(label.and_then(|range| {
                    Declaration::new(text, named(Form::Php, &text[range.clone()]), Form::Php, at, range)
                }));
                at += len;
                before = b'a';
            } else {
                if !text[at].is_ascii_whitespace() {
                    before = text[at];
                }
                at += 1;
            }
        }
    }
    found
}

/// Returns the position after the next opening tag.
fn code(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = end_of(text, at, b"<?");
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        if rest.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"php")) {
            return Some(at + 3);
        }
        if rest[0] == b'=' || rest[0].is_ascii_whitespace() {
            return Some(at + 1);
        }
    }
}

/// Returns the end of a string such as `<<<EOT`.
fn heredoc(text: &[u8], at: usize) -> Option<usize> {
    text[at..].strip_prefix(b"<<<")?;
    let start = after_space(text, at + 3);
    let start = start + usize::from(matches!(text.get(start), Some(b'\'' | b'"')));
    let name = &text[start..start + word_len(text, start)];
    (!name.is_empty()).then(|| {
        let mut line = start;
        loop {
            line = after_space(text, end_of(text, line, b"\n"));
            if line == text.len() || text[line..].starts_with(name) && word_len(text, line) == name.len() {
                return line;
            }
        }
    })
}

const NAME: &[u8] = b"content-type";

/// Returns the position of the label in a call of `header` or `declare`. The name of the function is at `at`.
fn call(text: &[u8], at: usize, len: usize) -> Option<Range<usize>> {
    let word = &text[at..at + len];
    let open = after_space(text, at + len);
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let mut start = after_space(text, open + 1);
    if word.eq_ignore_ascii_case(b"declare") {
        let len = word_len(text, start);
        let equals = after_space(text, start + len);
        if !text[start..start + len].eq_ignore_ascii_case(b"encoding") || text.get(equals) != Some(&b'=') {
            return None;
        }
        start = after_space(text, equals + 1);
    } else if !word.eq_ignore_ascii_case(b"header") {
        return None;
    }
    let quote = text.get(start).filter(|quote| matches!(quote, b'\'' | b'"'))?;
    let end = start + 1 + text[start + 1..].iter().position(|byte| byte == quote)?;
    let value = &text[start + 1..end];
    if word.eq_ignore_ascii_case(b"declare") {
        return Some(start + 1..end);
    }
    let is_name = value.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    let is_header = is_name && value[NAME.len()..].trim_ascii_start().starts_with(b":");
    let label = parameter(value, b"charset").filter(|_| is_header)?;
    Some(start + 1 + label.start..start + 1 + label.end)
}
