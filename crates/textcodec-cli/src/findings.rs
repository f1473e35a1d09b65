//! Finds malformed sequences, unmappable characters, and characters outside the encoding that a label names, at the speed of
//! bulk decoding where there are none.

use textcodec::{DecodeError, Decoder, Encoder, Status, UTF_8, UTF_16BE, UTF_16LE, Unmappable};

use crate::{
    charset::Charset,
    items::{self, Item, ItemKind},
    location::Location,
    narrow::{self, Narrow},
    outside::Scanner,
};

/// A malformed sequence, or a character that is unmappable or outside the encoding that a label names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The offset in the input, including its byte order mark.
    pub(crate) byte: u64,
    pub(crate) location: Location,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The range of the error does not include the byte order mark.
    Malformed(DecodeError),
    Unmappable {
        character: char,
        /// The length in bytes of the input.
        len: u64,
        to: Charset,
    },
    /// The label of `--from` or `--to` names this narrower encoding.
    Outside { character: char, len: u64, narrow: &'static Narrow },
    /// The byte order mark of an input overrides the label of `--from`, which names an encoding without one.
    ByteOrderMark { len: u64, means: Charset, named: &'static str },
    /// A byte order mark at the start of a line. Like that of the input, it does not count in columns.
    Mark { len: u64, of: Charset },
    /// A line, or a sequence with its text, that is not in the first of several encodings but in another one.
    Other { encoding: Charset, first: Charset, len: u64, sequence: Option<(DecodeError, String)> },
}

/// Checks one input, in chunks of any length.
///
/// A chunk is first decoded, and encoded for `--to`, in bulk with a clone of the decoder. If that finds an error, the result
/// is discarded and the parts of the chunk are tried. Short parts are decoded item by item, which gives the exact offsets.
/// So the bulk path needs to count only lines and columns.
pub(crate) struct Checker {
    decoder: Decoder,
    /// The length of the byte order mark, which the decoder does not get.
    bom_len: u64,
    /// The location of the end of the decoded text.
    location: Location,
    text: String,
    /// Scans the input, if the label of `--from` names a narrower encoding than it means.
    scanner: Option<Scanner>,
    from: Option<&'static Narrow>,
    target: Option<Target>,
    /// The encoding, if byte order marks in the text are found.
    marks: Option<Charset>,
}

/// An encoding in which some characters are unmappable.
struct Target {
    charset: Charset,
    encoder: Encoder,
    /// The narrower encoding that the label of `--to` names.
    narrow: Option<&'static Narrow>,
    bytes: Box<[u8]>,
}

/// The character of a byte order mark.
const MARK: char = '\u{FEFF}';

/// A part of this length or shorter is decoded item by item if it has an error.
const ITEMWISE_LEN: usize = 64;
/// The number of parts into which a longer part with an error is divided.
const PARTS: usize = 16;

impl Checker {
    /// Creates a checker for text after a byte order mark of `bom_len` bytes.
    pub(crate) fn new(encoding: Charset, bom_len: u64, to: Option<Charset>, labels: narrow::Labels) -> Self {
        let target = to
            .filter(|to| !matches!(to.encoding(), UTF_8 | UTF_16BE | UTF_16LE))
            .and_then(|to| Some((to, to.encoder_with(Unmappable::Pause).ok()?)))
            .map(|(charset, encoder)| Target { charset, encoder, narrow: labels.to, bytes: vec![0; 16 * 1024].into() });
        // A byte order mark overrides the label.
        let from = labels.from.filter(|narrow| encoding == narrow.means);
        Self {
            decoder: items::decoder(encoding),
            bom_len,
            location: Location::default(),
            text: String::new(),
            scanner: from.map(Scanner::new),
            from,
            target,
            marks: encoding.can_encode(MARK).then_some(encoding),
        }
    }

    /// Checks the next bytes. `last` ends the input.
    pub(crate) fn check(&mut self, bytes: &[u8], last: bool, findings: &mut Vec<Finding>) {
        self.check_part(bytes, findings);
        if last {
            self.check_items(&[], true, findings);
        }
    }

    fn check_part(&mut self, bytes: &[u8], findings: &mut Vec<Finding>) {
        if self.advance_if_clean(bytes) {
            return;
        }
        if bytes.len() <= ITEMWISE_LEN {
            self.check_items(bytes, false, findings);
            return;
        }
        for part in bytes.chunks((bytes.len() / PARTS).max(ITEMWISE_LEN)) {
            self.check_part(part, findings);
        }
    }

    /// Advances past a part if it has no error. Otherwise returns false and changes nothing.
    fn advance_if_clean(&mut self, bytes: &[u8]) -> bool {
        let mut decoder = self.decoder.clone();
        let mut scanner = self.scanner.clone();
        if let Some(scanner) = &mut scanner {
            let before = scanner.count;
            scanner.scan(bytes);
            if scanner.count > before {
                return false;
            }
        }
        self.text.clear();
        if decoder.push(bytes, &mut self.text).is_err() {
            return false;
        }
        if self.marks.is_some() && self.has_mark() {
            return false;
        }
        if let Some(target) = &mut self.target
            && !target.can_encode_all(&self.text)
        {
            return false;
        }
        self.decoder = decoder;
        self.scanner = scanner;
        self.location.advance_utf8(&self.text);
        true
    }

    /// Returns whether a line of the text starts with a byte order mark.
    fn has_mark(&self) -> bool {
        let starts_line = |at: usize| match self.text.as_bytes()[..at].last() {
            None => self.location.column() == 1,
            Some(last) => *last == b'\n',
        };
        self.text.match_indices(MARK).any(|(at, _)| starts_line(at))
    }

    fn check_items(&mut self, bytes: &[u8], last: bool, findings: &mut Vec<Finding>) {
        let Self { decoder, bom_len, location, scanner, from, target, marks, .. } = self;
        if let Some(scanner) = scanner {
            scanner.scan(bytes);
        }
        let to = target.as_ref().map(|target| target.charset);
        // With the same label twice, a character is reported once.
        let is_new = |to: &&'static Narrow| *from != Some(*to);
        let narrow_to = target.as_ref().and_then(|target| target.narrow).filter(is_new);
        items::decode(decoder, bytes, last, |Item { range, kind }| {
            let byte = *bom_len + range.start;
            match kind {
                ItemKind::Character(character) => {
                    let len = range.end - range.start;
                    let mut found = |kind| findings.push(Finding { byte, location: *location, kind });
                    // One at the start of the input was not removed, because it is said to be text.
                    if let Some(of) = marks.filter(|_| character == MARK && location.column() == 1 && byte > 0) {
                        found(Kind::Mark { len, of });
                        return;
                    }
                    let lacks = |narrow: &Narrow| !narrow.contains(character);
                    if let Some(narrow) = from.filter(|narrow| lacks(narrow)) {
                        found(Kind::Outside { character, len, narrow });
                    }
                    if let Some(to) = to.filter(|to| !to.can_encode(character)) {
                        found(Kind::Unmappable { character, len, to });
                    } else if let Some(narrow) = narrow_to.filter(|narrow| lacks(narrow)) {
                        found(Kind::Outside { character, len, narrow });
                    }
                    location.advance_character(character);
                }
                ItemKind::Malformed(error) => {
                    findings.push(Finding { byte, location: *location, kind: Kind::Malformed(error) });
                    location.advance_character('\u{FFFD}');
                }
                ItemKind::NoOutput => {}
            }
        });
    }
}

impl Target {
    fn can_encode_all(&mut self, mut text: &str) -> bool {
        loop {
            let progress = self.encoder.encode_from_utf8(text, &mut self.bytes[..], false);
            if let Some(narrow) = self.narrow {
                let mut scanner = Scanner::new(narrow);
                scanner.scan(&self.bytes[..progress.written]);
                if scanner.count > 0 {
                    self.encoder.reset();
                    return false;
                }
            }
            text = &text[progress.read..];
            match progress.status {
                Status::InputEmpty => return true,
                Status::OutputFull => {}
                _ => {
                    self.encoder.reset();
                    return false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use textcodec::{Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, WINDOWS_1252};

    use super::*;

    fn findings(encoding: Encoding, to: Option<Encoding>, chunks: &[&[u8]]) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut checker = Checker::new(encoding.into(), 0, to.map(Into::into), narrow::Labels::default());
        for chunk in chunks {
            checker.check(chunk, false, &mut findings);
        }
        checker.check(&[], true, &mut findings);
        findings
    }

    /// Formats findings as `3:1 at 7`.
    fn locations(findings: &[Finding]) -> Vec<String> {
        let location = |location: Location, byte| format!("{}:{} at {byte}", location.line(), location.column());
        findings.iter().map(|finding| location(finding.location, finding.byte)).collect()
    }

    #[test]
    fn lines_and_columns_are_counted_as_in_editors() {
        let text = b"ok\r\n\xE3\x81\x82\xFF b\n\n\xF0\x9F\x98\x80\xE3\x81x\ra\xC3";
        assert_eq!(locations(&findings(UTF_8, None, &[text])), ["2:2 at 7", "4:2 at 16", "4:6 at 21"]);
        let characters = findings(UTF_8, Some(WINDOWS_1252), &["é\nй ж\n…字".as_bytes()]);
        assert_eq!(locations(&characters), ["2:1 at 3", "2:3 at 6", "3:2 at 12"]);
        assert_eq!(
            characters.iter().map(|finding| finding.kind.clone()).collect::<Vec<_>>(),
            [('й', 2), ('ж', 2), ('字', 3)].map(|(character, len)| Kind::Unmappable {
                character,
                len,
                to: WINDOWS_1252.into()
            })
        );
    }

    #[test]
    fn chunks_do_not_change_the_findings() {
        let lines = "あいう、漢字カナ\r\nabc 日本語 def\n".repeat(40);
        for (encoding, wrong) in [
            (UTF_8, &b"\xE3\x81\r\n\xFF"[..]),
            (SHIFT_JIS, b"\x82\r\n\xFF"),
            (GB18030, b"\x81\x30\x81\n"),
            (ISO_2022_JP, b"\x1B$\x1B(B\n\x80\x1B$B\x21\n\x1B(B"),
        ] {
            let clean = encoding.encode(&lines).unwrap();
            let bytes = [&clean, wrong, &clean, wrong, wrong, b"\x1B"].concat();
            let whole = findings(encoding, Some(WINDOWS_1252), &[&bytes]);
            assert!(whole.len() > 100);
            let bad: Vec<_> = whole.iter().filter(|finding| matches!(finding.kind, Kind::Malformed(_))).collect();
            let expected = encoding.decode_with(&bytes, textcodec::DecodeOptions::new()).unwrap().errors;
            assert_eq!(bad.len() as u64, expected.count());
            for size in [1, 2, 3, 5, 63, 64, 65, 100, 1000, 4097] {
                let chunks: Vec<_> = bytes.chunks(size).collect();
                assert_eq!(findings(encoding, Some(WINDOWS_1252), &chunks), whole, "{encoding} {size}");
            }
            // The line of each finding equals the number of lines in the text before it.
            for finding in &whole {
                let before = &bytes[..finding.byte as usize];
                let text = encoding.decode_with(before, textcodec::DecodeOptions::new()).unwrap().text;
                // Remove what an incomplete sequence at the end of `before` decodes to.
                let text = text.trim_end_matches('\u{FFFD}').trim_end_matches("\u{FFFD}$");
                let lines = 1 + text.matches('\n').count() as u64;
                assert_eq!(finding.location.line(), lines, "{encoding} {finding:?}");
            }
        }
    }
}
