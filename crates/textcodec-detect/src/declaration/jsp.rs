//! Declarations in JSP: `<%@ page pageEncoding="…" contentType="…; charset=…" %>`.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    Declaration, Form,
    code::{after_space, end_of, word_len},
    is_page,
    names::named,
};
use crate::mail::parameter;

/// Finds the directives of a page. `pageEncoding` takes precedence over `contentType`, wherever they are.
pub(super) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let (mut encodings, mut types) = (Vec::new(), Vec::new());
    if !is_page(text) {
        return encodings;
    }
    let mut at = 0;
    while at < text.len() {
        let start = text[at..].windows(2).position(|window| window == b"<%").map_or(text.len(), |len| at + len);
        at = if text[start..].starts_with(b"<%--") {
            end_of(text, start + 4, b"--%>")
        } else {
            end_of(text, start, b"%>")
        };
        let name = after_space(text, start + 3);
        if text[start..].starts_with(b"<%@") && text[name..].starts_with(b"page") && text[..at].ends_with(b"%>") {
            let declare = |range: Range<usize>| {
                Declaration::new(text, named(Form::Jsp, &text[range.clone()]), Form::Jsp, start, range)
            };
            for (name, value) in attributes(text, name + 4, at) {
                match name {
                    b"pageEncoding" => encodings.extend(declare(value)),
                    b"contentType" => {
                        let charset = parameter(&text[value.clone()], b"charset");
                        types.extend(charset.map(|at| value.start + at.start..value.start + at.end).and_then(declare));
                    }
                    _ => {}
                }
            }
        }
    }
    if encodings.is_empty() { types } else { encodings }
}

/// Returns the attributes of a directive: names, and the positions of values.
fn attributes(text: &[u8], mut at: usize, end: usize) -> Vec<(&[u8], Range<usize>)> {
    let mut found = Vec::new();
    loop {
        let start = after_space(text, at);
        let name = &text[start..start + word_len(text, start)];
        let equals = after_space(text, start + name.len());
        let open = after_space(text, equals + 1);
        let quote = text.get(open).filter(|quote| matches!(quote, b'"' | b'\''));
        // White space separates attributes.
        let (Some(quote), true) = (quote, start > at && !name.is_empty() && text.get(equals) == Some(&b'=')) else {
            return found;
        };
        let Some(len) = text[open + 1..end].iter().position(|byte| byte == quote) else { return found };
        found.push((name, open + 1..open + 1 + len));
        at = open + 1 + len + 1;
    }
}
