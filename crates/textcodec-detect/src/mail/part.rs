//! A part of a mail.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, ops::Range};

use textcodec::{Encoding, US_ASCII};

use super::header::Header;
use crate::declaration::{Declaration, Form, for_name};

/// A message, or a part of one: a header, and the body up to the next header or boundary.
///
/// ```
/// use textcodec::KOI8_R;
/// use textcodec_detect::mail::{Content, Scanner};
///
/// let mail = b"Subject: tea\nContent-Type: text/plain; charset=koi8-r\n\n\xDE\xC1\xCA\n";
/// let mut parts = Vec::new();
/// let mut scanner = Scanner::new();
/// scanner.feed(mail, &mut |part| parts.push(part));
/// scanner.finish(&mut |part| parts.push(part));
/// assert_eq!(parts.len(), 1);
/// assert_eq!((parts[0].content, parts[0].encoding()), (Content::Text, Some(KOI8_R)));
/// assert_eq!((parts[0].body.clone(), parts[0].non_ascii_line), (55..59, Some(4)));
/// assert_eq!(parts[0].to_string(), "message 1, line 4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct Part {
    /// The number of the message in the file, from 1.
    pub message: u64,
    /// The numbers of the parts that lead to this one, as in IMAP: 2 and 1 for the first part of the second part. Empty for a
    /// message.
    pub path: Vec<u32>,
    /// The offset of the header of the message to which the part belongs, which may be a message within a message.
    pub owner: u64,
    /// What the body is.
    pub content: Content,
    /// Whether the body is in base64, quoted-printable or another form that is ASCII.
    pub is_encoded: bool,
    /// Whether a signature covers the part, so that it must not change: it is in `multipart/signed`, or is text with a signature of
    /// PGP.
    pub is_signed: bool,
    /// The line of the file in which the header begins, from 1.
    pub line: u64,
    /// The body.
    pub body: Range<u64>,
    /// The line of the file in which the body begins, from 1.
    pub body_line: u64,
    /// The line with the first byte of the body that is not ASCII.
    pub non_ascii_line: Option<u64>,
    /// The number of bytes of the body that are not ASCII.
    pub non_ascii: u64,
    /// Whether the body is well-formed UTF-8.
    pub is_utf_8: bool,
    /// Whether an empty line ends the header. Otherwise the message is damaged.
    pub is_header_complete: bool,
    pub(super) header: Header,
    /// Whether the body has characters with which encodings of 7 bits mark characters beyond ASCII.
    pub(super) has_escapes: bool,
}

/// What the body of a [`Part`] is.
///
/// ```
/// use textcodec_detect::mail::{Content, Scanner};
///
/// let content = |mail: &str| {
///     let mut found = None;
///     let mut scanner = Scanner::new();
///     scanner.feed(mail.as_bytes(), &mut |_| {});
///     scanner.finish(&mut |part| found = Some(part.content));
///     found
/// };
/// assert_eq!(content("Subject: tea\n\n"), Some(Content::Text));
/// assert_eq!(content("Content-Type: image/png\n\n"), Some(Content::Other));
/// assert_eq!(content("no mail\n"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// Text, which is in a charset.
    Text,
    /// Parts. The body of this part is what comes before the first of them, which nobody reads.
    Multipart,
    /// A message, which is the next part.
    Message,
    /// Anything else, such as an image.
    Other,
}

impl Part {
    /// Returns the bytes of the header, with the empty line that ends it.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.header.bytes
    }

    /// Returns the position of the header.
    #[must_use]
    pub fn header_range(&self) -> Range<u64> {
        self.header.start..self.header.start + self.header.bytes.len() as u64
    }

    /// Returns the first field of this name, which is in lower case: the offset of its value, and the value with its line end.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<(u64, &[u8])> {
        let (range, value) = self.header.field(name)?;
        Some((self.header.start + range.start as u64, value))
    }

    /// Returns the media type in lower case, or an empty string if there is none.
    #[must_use]
    pub fn media_type(&self) -> String {
        self.header.value("content-type").unwrap_or_default()
    }

    /// Returns the offset of the charset in the header, and the charset as written. It may be empty.
    #[must_use]
    pub fn label(&self) -> Option<(u64, &[u8])> {
        let range = self.header.parameter(b"charset")?;
        Some((self.header.start + range.start as u64, &self.header.bytes[range]))
    }

    /// Returns the charset, or `None` if there is none or it is unknown. Some names that are no labels of the standard are known, such
    /// as `cp850` with the feature `oem` of `textcodec`.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        for_name(self.label()?.1)
    }

    /// Returns whether the charset is missing, or is ASCII, which cannot be the charset of a body that has other bytes.
    #[must_use]
    pub fn lacks_charset(&self) -> bool {
        let is_ascii = |label: &[u8]| str::from_utf8(label).is_ok_and(|label| is_ascii_name(label.trim_ascii()));
        self.label().is_none_or(|(_, label)| label.trim_ascii().is_empty() || is_ascii(label))
    }

    /// Returns the declaration of the charset, with positions in the header, unless it does not look like one.
    #[must_use]
    pub fn declaration(&self) -> Option<Declaration> {
        let label = self.header.parameter(b"charset")?;
        let bytes = &self.header.bytes;
        let offset = bytes[..label.start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let field = self.header.field("content-type").map_or(0, |(value, _)| value.start);
        let offset = bytes[..field].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1).min(offset);
        Declaration::new(bytes, for_name(&bytes[label.clone()]), Form::Mail, offset, label)
    }

    /// Returns whether the text has characters beyond ASCII that its charset must decode, without base64 or quoted-printable.
    pub(super) fn is_beyond_ascii(&self) -> bool {
        // ISO-2022-JP and the like.
        let is_7_bit = self.encoding().is_some_and(|encoding| !encoding.is_ascii_compatible());
        !self.is_encoded && (self.non_ascii > 0 || self.has_escapes && is_7_bit && self.content == Content::Text)
    }

    pub(super) fn add_to_body(&mut self, bytes: &[u8], offset: u64, line: u64) {
        self.body.end = offset + bytes.len() as u64;
        if bytes.starts_with(b"-----BEGIN PGP SIGNED MESSAGE-----") {
            self.is_signed = true;
        }
        self.has_escapes = self.has_escapes || bytes.iter().any(|byte| matches!(byte, b'\x1B' | b'~' | b'+'));
        if !bytes.is_ascii() {
            self.non_ascii_line.get_or_insert(line);
            self.non_ascii += bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64;
            self.is_utf_8 = self.is_utf_8 && str::from_utf8(bytes).is_ok();
        }
    }
}

/// Formats the place of the part as `message 2, part 1.3, line 17`, with the first line that is not ASCII.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "message {}, ", self.message)?;
        if !self.path.is_empty() {
            let path: Vec<_> = self.path.iter().map(ToString::to_string).collect();
            write!(f, "part {}, ", path.join("."))?;
        }
        write!(f, "line {}", self.non_ascii_line.unwrap_or(self.line))
    }
}

/// Returns whether a charset is ASCII, which on the web means windows-1252.
fn is_ascii_name(label: &str) -> bool {
    let label = label.to_ascii_lowercase();
    let names = ["us-ascii", "ascii", "us", "csascii", "iso646-us", "iso_646.irv:1991", "cp367", "ibm367", "646"];
    names.contains(&&*label) || label.starts_with("ansi_x3.4-") || for_name(label.as_bytes()) == Some(US_ASCII)
}
