//! What `--mail` changes in a mail or mailbox: the bodies in a charset of 8 bits, the charset in their headers, and raw headers.

use std::ops::Range;

use textcodec::UTF_8;
use textcodec_detect::mail::{Content, Part};

use crate::charset::Charset;

/// The changes, and what stands against them.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// In the order of the file, and without overlaps.
    pub(super) edits: Vec<Edit>,
    /// The fields `Content-Length` of messages whose length changes.
    pub(super) lengths: Vec<Length>,
    /// The number of bodies that are converted.
    pub(super) converted: u64,
    /// Parts without a charset that is known.
    pub(super) refused: Places,
    /// Whether one of them has no charset, so that `--from` helps.
    pub(super) needs_fallback: bool,
    /// Parts that are not converted, because they are signed.
    pub(super) signed: Places,
    /// Messages that are converted, and have a signature of a mail server.
    pub(super) sealed: Places,
}

/// A change of a part of the file.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<u64>,
    /// The line of the file in which it begins, from 1.
    pub(super) line: u64,
    pub(super) change: Change,
}

#[derive(Debug)]
pub(super) enum Change {
    /// Convert the text from this encoding.
    Convert(Charset),
    /// Write this instead.
    Write(Vec<u8>),
}

/// A field `Content-Length`.
#[derive(Debug)]
pub(super) struct Length {
    /// Its digits.
    pub(super) range: Range<u64>,
    pub(super) line: u64,
    pub(super) value: u64,
    /// The changes of the body.
    pub(super) edits: Range<usize>,
}

/// A number of parts, and the first of them.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) count: u64,
    pub(super) first: Vec<String>,
}

impl Places {
    fn add(&mut self, place: String) {
        const MAX_LISTED: usize = 10;
        self.count += 1;
        if self.first.len() < MAX_LISTED {
            self.first.push(place);
        }
    }
}

/// Plans the changes, message by message.
pub(super) struct Planner {
    to: Charset,
    /// The encoding of text without a charset.
    fallback: Option<Charset>,
    /// Whether text is converted that seems to be converted already.
    force: bool,
    /// The parts of the message that is not complete yet.
    parts: Vec<Part>,
    plan: Plan,
}

/// What happens to a body.
enum Fate {
    /// It has no charset that matters.
    Keep,
    /// It is in the encoding of the output.
    IsRight,
    Convert(Charset),
    Refuse(String),
}

impl Planner {
    pub(super) fn new(to: Charset, fallback: Option<Charset>, force: bool) -> Self {
        Self { to, fallback, force, parts: Vec::new(), plan: Plan::default() }
    }

    pub(super) fn add(&mut self, part: Part) {
        if self.parts.first().is_some_and(|first| first.message != part.message) {
            self.end_message();
        }
        self.parts.push(part);
    }

    pub(super) fn finish(mut self) -> Plan {
        self.end_message();
        self.plan
    }

    fn end_message(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        let fates: Vec<_> = parts.iter().map(|part| self.fate(part)).collect();
        let to = self.to;
        let charset = |fate: &Fate| match fate {
            Fate::Convert(from) => Some(*from),
            Fate::IsRight => Some(to),
            Fate::Keep | Fate::Refuse(_) => None,
        };
        let (mut edits, mut refused) = (Vec::new(), Vec::new());
        for (part, fate) in parts.iter().zip(&fates) {
            if part.is_signed && (part.non_ascii > 0 || !part.header().is_ascii()) {
                self.plan.signed.add(part.to_string());
            }
            // A raw header is in the charset of its body, or in that of the first body of the message.
            let of_owner = || {
                let mut others = parts.iter().zip(&fates).filter(|(other, _)| other.owner == part.owner);
                others.find_map(|(_, fate)| charset(fate))
            };
            let of_header = self.fate_of_header(part, charset(fate).or_else(of_owner));
            for fate in [&of_header, fate] {
                if let Fate::Refuse(why) = fate {
                    refused.push(format!("{part}: {why}"));
                }
            }
            let label = matches!(fate, Fate::Convert(_)).then(|| self.label(part)).flatten();
            let header = if let Fate::Convert(from) = of_header { Some(from) } else { None };
            edits.extend(header_edits(part, header, label));
            if let Fate::Convert(from) = fate {
                self.plan.converted += 1;
                edits.push(Edit { range: part.body.clone(), line: part.body_line, change: Change::Convert(*from) });
            }
        }
        for place in refused {
            self.plan.refused.add(place);
        }
        if !edits.is_empty() {
            self.add_edits(&parts, edits);
        }
    }

    fn add_edits(&mut self, parts: &[Part], edits: Vec<Edit>) {
        let is_sealed = |part: &&Part| {
            part.header_range().start == part.owner && SEALS.iter().any(|name| part.field(name).is_some())
        };
        if let Some(part) = parts.iter().find(is_sealed) {
            self.plan.sealed.add(format!("message {}", part.message));
        }
        let first = &parts[0];
        let body = first.header_range().end;
        let before = self.plan.edits.len();
        self.plan.edits.extend(edits);
        let start = before + self.plan.edits[before..].partition_point(|edit| edit.range.start < body);
        let Some((offset, value)) = first.field("content-length") else { return };
        let blanks = value.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let digits = value.trim_ascii();
        if let Some(value) = str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok())
            && start < self.plan.edits.len()
        {
            let (at, edits) = (offset + blanks as u64, start..self.plan.edits.len());
            self.plan.lengths.push(Length { range: at..at + digits.len() as u64, line: first.line, value, edits });
        }
    }

    fn fate(&mut self, part: &Part) -> Fate {
        if part.non_ascii == 0 || part.is_encoded || part.is_signed || part.content != Content::Text {
            return Fate::Keep;
        }
        let label = || part.label().map(|(_, label)| label.escape_ascii().to_string()).unwrap_or_default();
        let from = match (part.lacks_charset(), part.encoding()) {
            (true, _) => match self.fallback {
                Some(fallback) => fallback,
                None => {
                    self.plan.needs_fallback = true;
                    return Fate::Refuse("no charset".to_owned());
                }
            },
            (false, Some(encoding)) => encoding.into(),
            (false, None) => return Fate::Refuse(format!("unknown charset '{}'", label())),
        };
        if from == self.to && !part.lacks_charset() {
            return Fate::IsRight;
        }
        if !from.is_ascii_compatible() {
            return Fate::Refuse(format!("charset {from}, but not in base64"));
        }
        if self.is_utf_8_instead(from, part.is_utf_8, part.non_ascii) {
            return Fate::Refuse(format!("is UTF-8, not {from}"));
        }
        Fate::Convert(from)
    }

    /// Returns what happens to a header. `charset` is that of the text to which it belongs.
    fn fate_of_header(&mut self, part: &Part, charset: Option<Charset>) -> Fate {
        let header = part.header();
        let is_utf_8 = str::from_utf8(header).is_ok();
        if header.is_ascii() || part.is_signed || is_utf_8 && self.to == UTF_8 {
            return Fate::Keep;
        }
        // Nothing would show that a header alone has been converted, except if it is UTF-8.
        let from = match charset.or(self.fallback.filter(|_| self.to == UTF_8)) {
            Some(from) if from == self.to => return Fate::IsRight,
            Some(from) => from,
            None => {
                self.plan.needs_fallback |= self.to == UTF_8;
                return Fate::Refuse("a header that is not ASCII, and no body that shows its charset".to_owned());
            }
        };
        let non_ascii = header.iter().filter(|byte| !byte.is_ascii()).count() as u64;
        if self.is_utf_8_instead(from, is_utf_8, non_ascii) {
            return Fate::Refuse(format!("its header is UTF-8, not {from}"));
        }
        Fate::Convert(from)
    }

    /// Returns whether text has been converted, although its header has still the original charset.
    fn is_utf_8_instead(&self, from: Charset, is_utf_8: bool, non_ascii: u64) -> bool {
        /// Text in an encoding with characters of several bytes rarely has more that are UTF-8 by chance.
        const MAX_BY_CHANCE: u64 = 15;
        is_utf_8 && from != UTF_8 && !self.force && (from.is_single_byte() || non_ascii > MAX_BY_CHANCE)
    }

    /// Returns the charset of the output as the header needs it, with its position.
    fn label(&self, part: &Part) -> Option<(Range<u64>, Vec<u8>)> {
        let encoding = self.to.encoding();
        let declaration = part.declaration();
        let name = declaration.map(|declaration| declaration.corrected_label(encoding));
        let name = name.unwrap_or_else(|| encoding.mime_name().unwrap_or(encoding.name()).to_ascii_lowercase());
        if let Some((offset, label)) = part.label() {
            let range = offset..offset + label.len() as u64;
            return (label != name.as_bytes()).then(|| (range, name.into_bytes()));
        }
        if let Some((offset, value)) = part.field("content-type") {
            let value = value.trim_ascii_end();
            let at = offset + value.len() as u64;
            let separator = if value.ends_with(b";") { "" } else { ";" };
            return Some((at..at, format!("{separator} charset={name}").into_bytes()));
        }
        let header = part.header();
        let newline = if header.ends_with(b"\r\n") { "\r\n" } else { "\n" };
        let is_message = part.header_range().start == part.owner;
        let version = if is_message && part.field("mime-version").is_none() {
            format!("MIME-Version: 1.0{newline}")
        } else {
            String::new()
        };
        let field = format!("{version}Content-Type: text/plain; charset={name}{newline}");
        let (end, after) =
            if part.is_header_complete { (header.len() - newline.len(), "") } else { (header.len(), newline) };
        let at = part.header_range().start + end as u64;
        Some((at..at, format!("{field}{after}").into_bytes()))
    }
}

/// Signatures of mail servers, which cover the body.
const SEALS: [&str; 3] = ["dkim-signature", "domainkey-signature", "arc-message-signature"];

/// Returns the changes of a header: lines that are not ASCII, and the charset.
fn header_edits(part: &Part, from: Option<Charset>, label: Option<(Range<u64>, Vec<u8>)>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (mut start, mut line) = (part.header_range().start, part.line);
    let label_range = label.as_ref().map(|(range, _)| range.clone());
    for bytes in part.header().split_inclusive(|&byte| byte == b'\n') {
        let end = start + bytes.len() as u64;
        if let Some(from) = from.filter(|_| !bytes.is_ascii()) {
            let cut = label_range.clone().filter(|label| (start..end).contains(&label.start));
            let pieces = match cut {
                Some(label) => [start..label.start, label.end..end],
                None => [start..end, end..end],
            };
            edits.extend(pieces.into_iter().filter(|range| !range.is_empty()).map(|range| Edit {
                range,
                line,
                change: Change::Convert(from),
            }));
        }
        (start, line) = (end, line + 1);
    }
    let label = label.map(|(range, label)| Edit { range, line: part.line, change: Change::Write(label) });
    edits = edits.into_iter().chain(label).collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits
}

/// Joins places for a message.
pub(super) fn list(places: &Places) -> String {
    let more = places.count - places.first.len() as u64;
    let more = (more > 0).then(|| format!("and {more} more"));
    places.first.iter().cloned().chain(more).collect::<Vec<_>>().join("; ")
}
