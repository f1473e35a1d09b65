//! The charsets of a mail or mailbox: whether it is one text.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Write as _;

use textcodec::Encoding;

use super::{Content, Part, Scanner};
use crate::verdict::decoder_of;

/// The parts of a mail or mailbox that have the same charset, and characters beyond ASCII that it must decode.
///
/// ```
/// let mailbox = b"From a\nContent-Type: text/plain; charset=koi8-r\n\n\xDE\xC1\xCA\n\nFrom b\nSubject: tea\n\n\x93\xFA\n";
/// let detection = textcodec_detect::detect(mailbox);
/// let charsets: Vec<_> = detection.charsets.iter().map(|group| (&*group.charset, &*group.first)).collect();
/// assert_eq!(charsets, [("KOI8-R", "message 1, line 4"), ("no charset", "message 2, line 9")]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// The name of the encoding, an unknown charset in quotes, `no charset`, or the media type of a part that is not text.
    pub charset: String,
    /// The number of parts.
    pub count: u64,
    /// The place of the first part.
    pub first: String,
}

/// Collects the charsets of a text that may be a mail.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charsets {
    scanner: Scanner,
    groups: Groups,
}

#[derive(Clone, Debug, Default)]
struct Groups {
    all: Vec<(Key, Group)>,
    /// Whether a charset is an encoding of 7 bits.
    has_7_bit: bool,
}

/// What parts of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Encoding(Encoding),
    /// The name of the group.
    Other(String),
}

/// The maximum number of charsets that are named.
const MAX_GROUPS: usize = 16;

impl Charsets {
    pub(crate) fn feed(&mut self, block: &[u8]) {
        let Self { scanner, groups } = self;
        scanner.feed(block, &mut |part| groups.add(&part));
    }

    /// Returns the charsets if there are several, so that the text is not in one encoding. Text that is UTF-8 as a whole is, whatever
    /// its headers say: a charset of 8 bits that looks like it is a declaration that has become wrong.
    pub(crate) fn finish(self, is_utf_8: bool) -> Vec<Group> {
        let Self { scanner, mut groups } = self;
        scanner.finish(&mut |part| groups.add(&part));
        if groups.all.len() < 2 || is_utf_8 && !groups.has_7_bit {
            return Vec::new();
        }
        groups.all.into_iter().map(|(_, group)| group).collect()
    }
}

impl Groups {
    fn add(&mut self, part: &Part) {
        if part.content == Content::Multipart || !part.is_beyond_ascii() {
            return;
        }
        let (key, charset) = if part.content != Content::Text {
            (Key::Other(part.media_type()), part.media_type())
        } else if part.lacks_charset() {
            (Key::Other(String::new()), "no charset".to_owned())
        } else if let Some(encoding) = part.encoding() {
            self.has_7_bit |= !encoding.is_ascii_compatible();
            (Key::Encoding(decoder_of(encoding)), encoding.name().to_owned())
        } else {
            let label = part.label().map_or(&b""[..], |(_, label)| label).escape_ascii().to_string();
            (Key::Other(label.clone()), format!("'{label}'"))
        };
        if let Some((_, group)) = self.all.iter_mut().find(|(other, _)| *other == key) {
            group.count += 1;
        } else if self.all.len() < MAX_GROUPS {
            self.all.push((key, Group { charset, count: 1, first: part.to_string() }));
        }
    }
}

/// Describes the charsets in one line.
pub(crate) fn reason(groups: &[Group]) -> String {
    let mut reason = format!("a mail with parts in {} charsets", groups.len());
    for (n, Group { charset, count, first }) in groups.iter().enumerate() {
        let separator = if n == 0 { ":" } else { ";" };
        let _ = write!(reason, "{separator} {charset} in {first}");
        if *count > 1 {
            let more = count - 1;
            let _ = write!(reason, ", and in {more} more");
        }
    }
    reason
}
