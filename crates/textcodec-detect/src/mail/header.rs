//! The header of a message or of a part: its fields and their parameters.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::line_len;

/// A header: its fields, up to an empty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The offset of the first byte.
    pub(super) start: u64,
    /// All of it, with the empty line.
    pub(super) bytes: Vec<u8>,
    /// The names of the fields, in lower case, and the positions of their values in `bytes`.
    fields: Vec<(Vec<u8>, Range<usize>)>,
}

impl Header {
    /// Parses lines for which [`is_field_line`] is true, and perhaps an empty line.
    pub(super) fn new(start: u64, bytes: Vec<u8>) -> Self {
        let mut fields: Vec<(Vec<u8>, Range<usize>)> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let line = &bytes[at..at + line_len(&bytes[at..])];
            let end = at + line.len();
            if is_folded(line) {
                // The previous field continues.
                if let Some((_, value)) = fields.last_mut() {
                    value.end = end;
                }
            } else if let Some((name, colon)) = name(line) {
                fields.push((name.to_ascii_lowercase(), at + colon + 1..end));
            }
            at = end;
        }
        Self { start, bytes, fields }
    }

    pub(super) fn has_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Returns whether this is the header of a message, even where it may be text.
    pub(super) fn is_of_message(&self) -> bool {
        ["from", "date", "received", "return-path", "message-id"].iter().any(|name| self.field(name).is_some())
    }

    /// Returns the first field of this name, which is in lower case: the position of its value, and the value.
    pub(super) fn field(&self, name: &str) -> Option<(Range<usize>, &[u8])> {
        let (_, range) = self.fields.iter().find(|(other, _)| other == name.as_bytes())?;
        Some((range.clone(), &self.bytes[range.clone()]))
    }

    /// Returns a field without its parameters, in lower case.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let (_, value) = self.field(name)?;
        let end = value.iter().position(|byte| matches!(byte, b';' | b'(')).unwrap_or(value.len());
        Some(String::from_utf8_lossy(value[..end].trim_ascii()).to_ascii_lowercase())
    }

    /// Returns the position of the value of a parameter of the field `Content-Type`.
    pub(super) fn parameter(&self, name: &[u8]) -> Option<Range<usize>> {
        let (range, value) = self.field("content-type")?;
        let found = parameter(value, name)?;
        Some(range.start + found.start..range.start + found.end)
    }
}

/// Returns whether a line can be in a header.
pub(super) fn is_field_line(line: &[u8], is_first: bool) -> bool {
    // Some programs have quoted the first line of a mailbox.
    if is_first { line.starts_with(b">From ") || name(line).is_some() } else { is_folded(line) || name(line).is_some() }
}

/// Returns whether a line continues the field before it.
fn is_folded(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// Returns the name of the field that begins with a line, and the position of the colon after it.
fn name(line: &[u8]) -> Option<(&[u8], usize)> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let name = line[..colon].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some((name, colon))
}

/// Returns the position of the value of a parameter, such as `charset` in `text/plain; charset="utf-8"`.
pub(crate) fn parameter(value: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        at = next_parameter(value, at)?;
        at += value[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &value[at..];
        let Some(rest) =
            rest.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name)).map(|_| &rest[name.len()..])
        else {
            continue;
        };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
        let equals = value.len() - rest.len();
        let rest = rest.trim_ascii_start();
        // Without a value, the position is on the line of the parameter.
        let start = if rest.is_empty() { equals } else { value.len() - rest.len() };
        return Some(match rest.strip_prefix(b"\"") {
            Some(quoted) => start + 1..start + 1 + quoted.iter().position(|&byte| byte == b'"')?,
            None => {
                let len = rest
                    .iter()
                    .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'('))
                    .unwrap_or(rest.len());
                start..start + len
            }
        });
    }
}

/// Returns the position after the next semicolon that is not in quotes.
fn next_parameter(value: &[u8], start: usize) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, &byte) in value.iter().enumerate().skip(start) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b';' if !is_quoted => return Some(at + 1),
            _ => {}
        }
    }
    None
}
