//! Parts of a mail or of a mailbox, with the place of each and its charset
//! ([RFC 2045](https://www.rfc-editor.org/rfc/rfc2045), [RFC 4155](https://www.rfc-editor.org/rfc/rfc4155)).
//!
//! A mail whose parts have different charsets is not one text. [`Scanner`] finds the parts, so that each can be decoded by its own
//! header. It changes nothing and decodes nothing.

mod charsets;
mod header;
mod part;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem;

pub use charsets::Group;
pub(crate) use charsets::{Charsets, reason};
pub(crate) use header::parameter;
use header::{Header, is_field_line};
pub use part::{Content, Part};

/// Finds the parts of a mail, or of a mailbox in mbox format, that comes in chunks.
///
/// Each part is passed to a function when it ends. The chunks do not change the result, and the memory does not depend on the length.
/// What is damaged is read as mail programs do: a part without an end ends with the message, and a header without an empty line ends
/// before the first line that is not a field. Every byte is in at most one header or body.
///
/// ```
/// use textcodec_detect::mail::Scanner;
///
/// let mailbox = b"From a\nSubject: 1\n\none\n\nFrom b\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\ntwo\n--x--\n";
/// let mut places = Vec::new();
/// let mut scanner = Scanner::new();
/// for chunk in mailbox.chunks(7) {
///     scanner.feed(chunk, &mut |part| places.push((part.message, part.path)));
/// }
/// scanner.finish(&mut |part| places.push((part.message, part.path)));
/// assert_eq!(places, [(1, vec![]), (2, vec![]), (2, vec![1])]);
/// ```
#[derive(Clone, Debug)]
pub struct Scanner {
    state: State,
    /// The offset and the line of the next line, or of the rest of a line.
    offset: u64,
    line: u64,
    /// The start of a line, until it is complete.
    pending: Vec<u8>,
    /// Whether the next bytes start a line.
    is_line_start: bool,
    is_after_blank: bool,
    is_mailbox: bool,
    messages: u64,
    /// The multipart parts that are open.
    levels: Vec<Level>,
    /// The part whose body this is. There is none after the last part of a multipart part.
    part: Option<Part>,
}

#[derive(Clone, Debug)]
enum State {
    Start,
    Header(Opening),
    Body,
    NoMail,
}

/// A header that is being read.
#[derive(Clone, Debug)]
struct Opening {
    kind: Kind,
    /// The line before the first message of a mailbox, `From …`, which is not part of the header.
    separator: Vec<u8>,
    /// Whether an empty line is before it, as it should be.
    is_after_blank: bool,
    start: u64,
    line: u64,
    bytes: Vec<u8>,
    path: Vec<u32>,
    owner: Option<u64>,
    is_signed: bool,
    /// Whether the part is a message if it does not say what it is.
    is_digest: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The first header of the file. If it is none, the file is not a mail.
    First,
    /// The header of a message in a mailbox. If it is none, it is text.
    Message,
    /// The header of a part, or of a message within one.
    Part,
}

/// A multipart part.
#[derive(Clone, Debug)]
struct Level {
    boundary: Vec<u8>,
    path: Vec<u32>,
    count: u32,
    owner: u64,
    is_signed: bool,
    is_digest: bool,
}

/// The start of the line before a message in mbox format.
const SEPARATOR: &[u8] = b"From ";

/// A longer line is not searched for boundaries.
const MAX_LINE_LEN: usize = 64 * 1024;

/// A longer header is none.
const MAX_HEADER_LEN: usize = 128 * 1024;

/// Nested deeper, parts are not searched.
const MAX_LEVELS: usize = 32;

impl Scanner {
    /// Creates a scanner at the start of a file. The example of [`Scanner`] shows its use.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: State::Start,
            offset: 0,
            line: 1,
            pending: Vec::new(),
            is_line_start: true,
            is_after_blank: true,
            is_mailbox: false,
            messages: 0,
            levels: Vec::new(),
            part: None,
        }
    }

    /// Adds a chunk, and calls the function for each part that ends in it.
    pub fn feed(&mut self, mut chunk: &[u8], found: &mut impl FnMut(Part)) {
        while !chunk.is_empty() && self.may_be_mail() {
            let (start, rest) = chunk.split_at(line_len(chunk));
            chunk = rest;
            let is_complete = start.ends_with(b"\n");
            if is_complete && self.pending.is_empty() {
                self.add(start, found);
                continue;
            }
            self.pending.extend_from_slice(start);
            let len = if is_complete { self.pending.len() } else { character_start(&self.pending) };
            if is_complete || len > MAX_LINE_LEN {
                let line = mem::take(&mut self.pending);
                self.add(&line[..len], found);
                self.pending = line;
                self.pending.drain(..len);
            }
        }
    }

    /// Ends the file, and calls the function for the last part.
    pub fn finish(mut self, found: &mut impl FnMut(Part)) {
        let line = mem::take(&mut self.pending);
        if !line.is_empty() {
            self.add(&line, found);
        }
        if let State::Header(opening) = mem::replace(&mut self.state, State::Body) {
            self.begin(&opening, false, found);
            if let State::Header(opening) = mem::replace(&mut self.state, State::Body) {
                // A message within a message that has nothing.
                self.begin(&opening, false, found);
            }
        }
        self.end_part(self.offset, found);
    }

    /// Returns whether what has been read can be a mail.
    ///
    /// ```
    /// use textcodec_detect::mail::Scanner;
    ///
    /// let mut scanner = Scanner::new();
    /// scanner.feed(b"Once upon a time\n", &mut |_| {});
    /// assert!(!scanner.may_be_mail());
    /// ```
    #[must_use]
    pub fn may_be_mail(&self) -> bool {
        !matches!(self.state, State::NoMail)
    }

    /// Adds a line, or a part of a long one.
    fn add(&mut self, line: &[u8], found: &mut impl FnMut(Part)) {
        match mem::replace(&mut self.state, State::Body) {
            State::NoMail => self.state = State::NoMail,
            State::Start => {
                self.is_mailbox = line.starts_with(SEPARATOR);
                let kind = if self.is_mailbox { Kind::Message } else { Kind::First };
                self.open(kind, if self.is_mailbox { line } else { b"" });
                if self.is_mailbox {
                    self.advance(line);
                } else {
                    self.add(line, found);
                }
            }
            State::Header(opening) => self.add_to_header(opening, line, found),
            State::Body => self.add_to_body(line, found),
        }
    }

    fn advance(&mut self, line: &[u8]) {
        self.offset += line.len() as u64;
        self.is_line_start = line.ends_with(b"\n");
        self.line += u64::from(self.is_line_start);
        self.is_after_blank = line.trim_ascii().is_empty();
    }

    /// Starts a header after a separator, which may be empty.
    fn open(&mut self, kind: Kind, separator: &[u8]) {
        let is_separated = !separator.is_empty();
        self.state = State::Header(Opening {
            kind,
            separator: separator.to_vec(),
            is_after_blank: self.is_after_blank,
            start: self.offset + separator.len() as u64,
            line: self.line + u64::from(is_separated),
            bytes: Vec::new(),
            path: Vec::new(),
            owner: None,
            is_signed: false,
            is_digest: false,
        });
    }

    fn add_to_header(&mut self, mut opening: Opening, line: &[u8], found: &mut impl FnMut(Part)) {
        let is_end = self.is_line_start && matches!(line, b"\n" | b"\r\n");
        let is_first = opening.bytes.is_empty();
        let fits = opening.bytes.len() + line.len() <= MAX_HEADER_LEN;
        if !is_end && self.is_line_start && fits && is_field_line(line, is_first) {
            opening.bytes.extend_from_slice(line);
            self.state = State::Header(opening);
            self.advance(line);
        } else if is_end && (opening.kind == Kind::Part || !is_first) {
            opening.bytes.extend_from_slice(line);
            self.advance(line);
            self.begin(&opening, true, found);
        } else {
            match opening.kind {
                Kind::First => self.state = State::NoMail,
                Kind::Message if self.messages == 0 => self.state = State::NoMail,
                Kind::Message => self.reject(&opening),
                Kind::Part => self.begin(&opening, false, found),
            }
            self.add(line, found);
        }
    }

    /// Adds the lines of what is no header to the body before it.
    fn reject(&mut self, opening: &Opening) {
        let bytes = [&*opening.separator, &opening.bytes].concat();
        let (mut offset, mut line) = (opening.start - opening.separator.len() as u64, opening.line - 1);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (start, after) = rest.split_at(line_len(rest));
            if let Some(part) = &mut self.part {
                part.add_to_body(start, offset, line);
            }
            (offset, line, rest) = (offset + start.len() as u64, line + 1, after);
        }
    }

    fn add_to_body(&mut self, line: &[u8], found: &mut impl FnMut(Part)) {
        if self.is_line_start && self.is_mailbox && line.starts_with(SEPARATOR) {
            // If no header follows, this is text of the part before it.
            self.open(Kind::Message, line);
        } else if self.is_line_start
            && let Some((level, is_last)) = self.delimiter(line)
        {
            self.end_part(self.offset, found);
            self.levels.truncate(level + usize::from(!is_last));
            if !is_last {
                self.advance(line);
                self.open_part(level);
                return;
            }
        } else if let Some(part) = &mut self.part {
            part.add_to_body(line, self.offset, self.line);
        }
        self.advance(line);
    }

    /// Returns the level of which a line is a boundary, and whether it is the last one.
    fn delimiter(&self, line: &[u8]) -> Option<(usize, bool)> {
        let text = line.strip_prefix(b"--")?.trim_ascii_end();
        self.levels.iter().enumerate().rev().find_map(|(n, level)| {
            let rest = text.strip_prefix(&*level.boundary)?;
            matches!(rest, b"" | b"--").then_some((n, rest == b"--"))
        })
    }

    /// Starts the header of the next part of a level.
    fn open_part(&mut self, level: usize) {
        self.open(Kind::Part, b"");
        let level = &mut self.levels[level];
        level.count += 1;
        if let State::Header(opening) = &mut self.state {
            opening.path = [&*level.path, &[level.count]].concat();
            opening.owner = Some(level.owner);
            (opening.is_signed, opening.is_digest) = (level.is_signed, level.is_digest);
        }
    }

    /// Ends a header, and starts the part.
    fn begin(&mut self, opening: &Opening, is_complete: bool, found: &mut impl FnMut(Part)) {
        let Opening { kind, start, line, bytes, path, owner, is_signed, is_digest, .. } = opening;
        let header = Header::new(*start, bytes.clone());
        if *kind != Kind::Part {
            if !header.has_fields() || !opening.is_after_blank && !header.is_of_message() {
                self.reject(opening);
                return;
            }
            self.end_part(start - opening.separator.len() as u64, found);
            self.levels.clear();
            self.messages += 1;
        }
        let end = start + bytes.len() as u64;
        let media_type = header.value("content-type").unwrap_or_default();
        let encoding = header.value("content-transfer-encoding").unwrap_or_default();
        let is_encoded = ENCODED.contains(&&*encoding);
        let owner = owner.unwrap_or(*start);
        let content = content(&media_type, is_encoded, *is_digest);
        let boundary = header.parameter(b"boundary").map(|range| header.bytes[range].trim_ascii_end().to_vec());
        let level = boundary.filter(|_| content == Content::Multipart).map(|boundary| Level {
            boundary,
            path: path.clone(),
            count: 0,
            owner,
            is_signed: *is_signed || media_type == "multipart/signed",
            is_digest: media_type == "multipart/digest",
        });
        self.levels.extend(level.filter(|_| self.levels.len() < MAX_LEVELS));
        let part = Part {
            message: self.messages,
            path: path.clone(),
            owner,
            content,
            is_encoded,
            is_signed: *is_signed,
            line: *line,
            body: end..end,
            body_line: self.line,
            non_ascii_line: None,
            non_ascii: 0,
            is_utf_8: true,
            is_header_complete: is_complete,
            header,
            has_escapes: false,
        };
        if content == Content::Message && is_complete {
            let (path, is_signed) = (part.path.clone(), part.is_signed);
            found(part);
            self.open(Kind::Part, b"");
            if let State::Header(opening) = &mut self.state {
                (opening.path, opening.is_signed) = (path, is_signed);
            }
        } else {
            self.part = Some(part);
        }
    }

    fn end_part(&mut self, end: u64, found: &mut impl FnMut(Part)) {
        if let Some(mut part) = self.part.take() {
            part.body.end = end;
            found(part);
        }
    }
}

impl Default for Scanner {
    fn default() -> Self {
        Self::new()
    }
}

/// The transfer encodings that are ASCII.
const ENCODED: [&str; 5] = ["base64", "quoted-printable", "x-uuencode", "uuencode", "x-uue"];

fn content(media_type: &str, is_encoded: bool, is_digest: bool) -> Content {
    let (kind, subtype) = media_type.split_once('/').unwrap_or_default();
    match (kind, subtype) {
        ("multipart", _) => Content::Multipart,
        ("message", "rfc822" | "global" | "news") if !is_encoded => Content::Message,
        ("", _) if is_digest && media_type.is_empty() && !is_encoded => Content::Message,
        // Without a type, or with one that is damaged, it is text.
        ("text" | "", _) => Content::Text,
        _ => Content::Other,
    }
}

/// Returns the length of the first line, with its end.
fn line_len(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1)
}

/// Returns the position of the last character of UTF-8, or the length if it cannot be incomplete.
fn character_start(text: &[u8]) -> usize {
    let end = text.len().saturating_sub(4);
    text[end..].iter().rposition(|&byte| byte >= 0xC0).map_or(text.len(), |at| end + at)
}
