//! Declarations in e-mail: the `charset` of a message, or of the parts of a multipart message
//! ([RFC 2045](https://www.rfc-editor.org/rfc/rfc2045)).

use std::ops::Range;

use super::{Declaration, Form, for_name};

/// Finds the charset in the headers of messages, and in the headers of their parts. A file may have one message or, in mbox
/// format, several.
///
/// A part in base64 or quoted-printable is skipped: it is ASCII, and its charset is that of the decoded bytes.
pub(super) fn headers(text: &[u8]) -> Vec<Declaration> {
    let mut found = Vec::new();
    let is_mbox = text.starts_with(MBOX);
    let Ok(mut header) = Header::parse(text, if is_mbox { line_len(text) } else { 0 }) else { return found };
    let mut boundaries: Vec<Vec<u8>> = Vec::new();
    loop {
        found.extend(header.declaration(text));
        // Nested deeper, parts are not searched.
        boundaries.extend(header.boundary(text).filter(|_| boundaries.len() < MAX_BOUNDARIES));
        let (mut at, mut is_after_blank) = (header.end, true);
        header = loop {
            let line = &text[at..at + line_len(&text[at..])];
            if line.is_empty() {
                return found;
            }
            at += line.len();
            let is_message = is_mbox && is_after_blank && line.starts_with(MBOX);
            let end = line.strip_prefix(b"--").map(<[u8]>::trim_ascii_end);
            let is_part = end.is_some_and(|end| boundaries.iter().any(|boundary| end == boundary));
            if is_message {
                boundaries.clear();
            }
            is_after_blank = line.trim_ascii().is_empty();
            if is_message || is_part {
                match Header::parse(text, at) {
                    Ok(next) => break next,
                    // Each line is parsed once, so that hostile text does not take long.
                    Err(end) => at = end,
                }
            }
        };
    }
}

/// The start of the line before a message in mbox format.
const MBOX: &[u8] = b"From ";

const MAX_BOUNDARIES: usize = 16;

/// The length of the first line, with its end.
fn line_len(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// A header: its fields, up to an empty line.
struct Header {
    /// The names of the fields, in lower case, and the positions of their values.
    fields: Vec<(Vec<u8>, Range<usize>)>,
    /// The offset after the empty line.
    end: usize,
}

impl Header {
    /// Parses a header. If a line is not part of a field, or if the empty line is missing, returns where that is.
    fn parse(text: &[u8], start: usize) -> Result<Self, usize> {
        let mut fields: Vec<(Vec<u8>, Range<usize>)> = Vec::new();
        let mut at = start;
        loop {
            let line = text.get(at..).map(|rest| &rest[..line_len(rest)]).filter(|line| !line.is_empty()).ok_or(at)?;
            let end = at + line.len();
            if line.trim_ascii().is_empty() {
                return Ok(Self { fields, end });
            }
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                // The previous field continues.
                fields.last_mut().ok_or(at)?.1.end = end;
            } else {
                let colon = line.iter().position(|&byte| byte == b':').filter(|&colon| colon > 0).ok_or(at)?;
                let name = &line[..colon];
                if !name.iter().all(u8::is_ascii_graphic) {
                    return Err(at);
                }
                fields.push((name.to_ascii_lowercase(), at + colon + 1..end));
            }
            at = end;
        }
    }

    fn field<'t>(&self, text: &'t [u8], name: &[u8]) -> Option<(usize, &'t [u8])> {
        let (_, range) = self.fields.iter().find(|(other, _)| other == name)?;
        Some((range.start, &text[range.clone()]))
    }

    fn declaration(&self, text: &[u8]) -> Option<Declaration> {
        let transfer_encoding = self.field(text, b"content-transfer-encoding").map_or(&b""[..], |(_, value)| value);
        if [&b"base64"[..], b"quoted-printable"]
            .iter()
            .any(|name| transfer_encoding.trim_ascii().eq_ignore_ascii_case(name))
        {
            return None;
        }
        let (start, content_type) = self.field(text, b"content-type")?;
        let charset = parameter(content_type, b"charset")?;
        let label_range = start + charset.start..start + charset.end;
        let named = for_name(&text[label_range.clone()]);
        let offset = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        Declaration::new(text, named, Form::Mail, offset, label_range)
    }

    fn boundary(&self, text: &[u8]) -> Option<Vec<u8>> {
        let (_, content_type) = self.field(text, b"content-type")?;
        let is_multipart =
            content_type.trim_ascii().get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"multipart/"));
        let range = parameter(content_type, b"boundary").filter(|_| is_multipart)?;
        Some(content_type[range].to_owned())
    }
}

/// Returns the position of the value of a parameter, such as `charset` in `text/plain; charset="utf-8"`.
pub(super) fn parameter(value: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        at += value[at..].iter().position(|&byte| byte == b';')? + 1;
        at += value[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &value[at..];
        let Some(rest) =
            rest.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name)).map(|_| &rest[name.len()..])
        else {
            continue;
        };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"=") else { continue };
        let rest = rest.trim_ascii_start();
        let start = value.len() - rest.len();
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
