//! Declarations in SQL: `SET NAMES`, `SET CHARACTER SET`, `SET client_encoding`, and `\encoding` of psql.

use alloc::vec::Vec;

use super::{
    Declaration, Form,
    code::{Syntax, after_space, end_of, word_len},
    names::named,
};

const SYNTAX: Syntax = Syntax { line_comments: &[b"--", b"#"], no_comment: b"/*!", quotes: b"'\"`" };

/// Finds statements that name the encoding of the following ones. Each is at the start of a line, and not in a string or a
/// comment, except for comments of MySQL that are code: `/*!40101 SET NAMES latin1 */`.
///
/// The text has to start with a comment or a word of SQL.
pub(super) fn declarations(text: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    let first = after_space(text, 0);
    let word = text[first..first + word_len(text, first)].to_ascii_lowercase();
    let is_comment = SYNTAX.line_comments.iter().any(|start| text[first..].starts_with(start));
    if !is_comment && !is_code_at(text, first) && !WORDS.iter().any(|first| word == first.as_bytes()) {
        return found;
    }
    // Whether a statement can start here, and whether only white space is before it in its line.
    let (mut at, mut starts, mut is_first) = (first, true, true);
    let mut statement = first;
    while at < text.len() {
        if let Some(end) = SYNTAX.skip(text, at).or_else(|| dollar_quoted(text, at)) {
            starts &= !SYNTAX.quotes.contains(&text[at]) && text[at] != b'$';
            is_first = false;
            at = end;
        } else if text[at..].starts_with(SYNTAX.no_comment) {
            // The number is a version.
            at += SYNTAX.no_comment.len();
            at += text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        } else if text[at..].starts_with(b"*/") {
            at += 2;
        } else if text[at] == b';' {
            at = if !starts && is_copy(&text[statement..at]) { end_of(text, at, b"\n\\.") } else { at + 1 };
            starts = true;
        } else if text[at].is_ascii_whitespace() {
            is_first |= matches!(text[at], b'\n' | b'\r');
            at += 1;
        } else {
            if starts && is_first {
                found.extend(statement_at(text, at));
            }
            is_first = false;
            if starts && text[at] == b'\\' {
                // A command of psql ends with its line.
                at += text[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(text.len() - at);
                continue;
            }
            if starts {
                (starts, statement) = (false, at);
            }
            at += word_len(text, at).max(1);
        }
    }
    found
}

fn is_code_at(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"/*") || text[at..].starts_with(b"\\")
}

/// The words that SQL can start with.
const WORDS: [&str; 22] = [
    "alter",
    "begin",
    "comment",
    "commit",
    "connect",
    "copy",
    "create",
    "delete",
    "delimiter",
    "drop",
    "grant",
    "insert",
    "lock",
    "pragma",
    "replace",
    "select",
    "set",
    "start",
    "truncate",
    "update",
    "use",
    "with",
];

/// Returns the end of a string such as `$body$ … $body$`.
fn dollar_quoted(text: &[u8], at: usize) -> Option<usize> {
    let len = word_len(text, at + 1);
    let is_start = text[at] == b'$' && text.get(at + 1 + len) == Some(&b'$');
    is_start.then(|| end_of(text, at + len + 2, &text[at..at + len + 2]))
}

/// Returns whether lines of data follow a statement.
fn is_copy(statement: &[u8]) -> bool {
    let statement = statement.trim_ascii().to_ascii_lowercase();
    statement.starts_with(b"copy ") && statement.ends_with(b" stdin")
}

/// Returns the declaration that a statement is.
fn statement_at(text: &[u8], start: usize) -> Option<Declaration> {
    // `\encoding` has its backslash.
    let is_psql = text[start] == b'\\';
    let mut at = start + usize::from(is_psql);
    let mut next = |expected: &[&str]| {
        let len = word_len(text, at);
        let word = text[at..at + len].to_ascii_lowercase();
        let found = expected.iter().position(|expected| word == expected.as_bytes());
        if found.is_some() {
            at = after_space(text, at + len);
        }
        found
    };
    let form = if is_psql {
        next(&["encoding"])?;
        Form::Postgres
    } else {
        next(&["set"])?;
        next(&["session", "local"]);
        match next(&["names", "charset", "character", "client_encoding"])? {
            0 | 1 => Form::Sql,
            2 => {
                next(&["set"])?;
                Form::Sql
            }
            _ => {
                if next(&["to"]).is_none() {
                    at = after_space(text, at + text[at..].strip_prefix(b"=").map(|_| 1)?);
                }
                Form::Postgres
            }
        }
    };
    let quote = text.get(at).copied().filter(|quote| matches!(quote, b'\'' | b'"'));
    at += usize::from(quote.is_some());
    let is_label = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let range = at..at + text[at..].iter().take_while(is_label).count();
    let mut end = range.end;
    if let Some(quote) = quote {
        text.get(end).filter(|byte| **byte == quote)?;
        end += 1;
    }
    let rest = &text[end..];
    let rest = &rest[..rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())];
    let rest = rest.trim_ascii_start();
    let is_end = [&b";"[..], b"*/", b"--", b"/*", b"#"].iter().any(|end| rest.starts_with(end));
    let is_collated = rest.get(..8).is_some_and(|word| word.eq_ignore_ascii_case(b"collate "));
    let is_whole = rest.is_empty() || is_end || is_collated;
    is_whole.then(|| Declaration::new(text, named(form, &text[range.clone()]), form, start, range)).flatten()
}
