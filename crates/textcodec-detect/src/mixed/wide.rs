//! Finds lines in UTF-16 among lines in other encodings.
//!
//! Text has no zero bytes, except in UTF-16, where characters of ASCII have one, and so has each line end. So the first zero byte
//! of a line shows that UTF-16 has started. It has started at the line, or at the character of the zero byte, if what is before
//! it is more likely text in another encoding.

use textcodec::{Encoding, UTF_16BE, UTF_16LE};

use super::State;
use crate::text::cost;

#[derive(Clone)]
pub(super) struct Wide {
    has_le: bool,
    has_be: bool,
    /// The encoding of the previous line, if it was UTF-16.
    pub(super) previous: Option<Encoding>,
    /// Lines that start before this index are not UTF-16: it was less likely. This limits how often the same bytes are compared.
    refused_until: usize,
    newline: Cursor,
    zero: Cursor,
    /// Line ends in UTF-16LE and UTF-16BE, at even and odd indices.
    ends: [[Cursor; 2]; 2],
}

/// A part at the start of the bytes, with its length.
pub(super) enum Decision {
    Bytes(usize),
    Wide {
        encoding: Encoding,
        len: usize,
        /// Whether it ends with a line end.
        ends_line: bool,
    },
}

/// The bytes from the start of a line on.
pub(super) struct Window<'a> {
    pub(super) bytes: &'a [u8],
    /// The index in `bytes` of the line.
    pub(super) at: usize,
    /// Whether nothing follows, or no more can be kept.
    pub(super) is_all_known: bool,
}

/// The number of bytes that are compared to see whether UTF-16 is the more likely text.
const SAMPLE: usize = 512;

/// The number of bytes after which that is compared again.
const REFUSED: usize = 32;

impl Wide {
    pub(super) fn new(encodings: &[Encoding]) -> Option<Self> {
        let [has_le, has_be] = [UTF_16LE, UTF_16BE].map(|encoding| encodings.contains(&encoding));
        (has_le || has_be).then(|| Self {
            has_le,
            has_be,
            previous: None,
            refused_until: 0,
            newline: Cursor::default(),
            zero: Cursor::default(),
            ends: Default::default(),
        })
    }

    /// Moves all indices after `len` bytes were removed.
    pub(super) fn forget(&mut self, len: usize) {
        self.refused_until = self.refused_until.saturating_sub(len);
        if !len.is_multiple_of(2) {
            self.ends.iter_mut().for_each(|by_parity| by_parity.swap(0, 1));
        }
        for cursor in self.ends.iter_mut().flatten().chain([&mut self.newline, &mut self.zero]) {
            cursor.forget(len);
        }
    }

    /// Returns the part at the start of the window whose encoding is known, or `None` if that depends on what follows. Then more
    /// bytes would not change a decision that was made without them.
    pub(super) fn decide(&mut self, window: &Window<'_>, state: &State) -> Option<Decision> {
        let Window { bytes, at, is_all_known } = *window;
        let line = &bytes[at..];
        if line.is_empty() {
            return None;
        }
        let newline = self.newline.find(bytes, at, |unit| unit[0] == b'\n', 1);
        let zero = self.zero.find(bytes, at, |unit| unit[0] == 0, 1);
        let marked = match line {
            [0xFF | 0xFE] if !is_all_known => return None,
            [0xFF, 0xFE, ..] if self.has_le => Some(UTF_16LE),
            [0xFE, 0xFF, ..] if self.has_be => Some(UTF_16BE),
            _ => None,
        };
        let as_bytes = || match newline {
            Some(newline) => Some(Decision::Bytes(newline + 1 - at)),
            None => is_all_known.then_some(Decision::Bytes(line.len())),
        };
        let encoding = match (marked.or(self.previous), zero) {
            (Some(encoding), _) => encoding,
            (None, None) => {
                // The byte after a line feed may be its other half.
                let is_known = newline.is_some_and(|newline| newline + 1 < bytes.len() || !self.is_half(newline - at));
                return if is_known || is_all_known { as_bytes() } else { None };
            }
            (None, Some(zero)) => {
                let is_before =
                    |newline: usize| zero > newline + 1 || zero == newline + 1 && !self.is_half(newline - at);
                if newline.is_some_and(is_before) || at < self.refused_until {
                    return as_bytes();
                }
                self.of_zero(zero - at)
            }
        };
        // Where the character of the zero byte starts.
        let start = match (marked, zero) {
            (None, Some(zero)) if encoding == UTF_16BE => zero,
            (None, Some(zero)) if zero > at => zero - 1,
            // The second half of a character is before it.
            (None, Some(_)) => return as_bytes(),
            _ => at,
        };
        let end = self.end(bytes, start, encoding);
        if end.is_none() && !is_all_known {
            return None;
        }
        let (part_end, ends_line) = end.map_or((bytes.len(), false), |end| (end, true));
        let is_next = self.previous == Some(encoding);
        let part = &bytes[start..part_end];
        let is_wide = if ends_line || is_next {
            is_mostly_ascii(encoding, part) || is_cheaper(encoding, part, state)
        } else {
            // Without a line end, and not after UTF-16, there is little that shows it.
            part.len() >= 4 && is_mostly_ascii(encoding, part)
        };
        if marked.is_none() && !is_wide {
            self.refused_until = at + REFUSED;
            return as_bytes();
        }
        let len = part_end - at;
        // What is before that character is another part, or UTF-16 too.
        let before = &bytes[at..start];
        let is_even = before.len().is_multiple_of(2);
        let last_line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let is_separate = |len: usize| len > 0 && !is_cheaper(encoding, &before[..len], state);
        if is_even && is_next && last_line == 0 && !before.is_ascii() {
            return Some(Decision::Wide { encoding, len, ends_line });
        }
        if !is_even || last_line.is_multiple_of(2) && is_separate(last_line) || is_separate(before.len()) {
            let newline = before.iter().position(|&byte| byte == b'\n');
            return Some(Decision::Bytes(newline.map_or(before.len(), |newline| newline + 1)));
        }
        Some(Decision::Wide { encoding, len, ends_line })
    }

    /// Returns the end of the line in UTF-16 to which the character at `start` belongs. No zero byte is before it.
    fn end(&mut self, bytes: &[u8], start: usize, encoding: Encoding) -> Option<usize> {
        let line_end = line_end(encoding);
        let cursor = &mut self.ends[usize::from(encoding == UTF_16BE)][start % 2];
        cursor.find_at(bytes, start, |unit| unit == line_end, 2).map(|at| at + 2)
    }

    /// Returns whether a line feed at this distance from the start of the line may be the first half of one of two bytes.
    fn is_half(&self, distance: usize) -> bool {
        self.has_le && distance.is_multiple_of(2)
    }

    /// Returns the byte order in which the byte at this distance is the zero byte of a character of ASCII.
    fn of_zero(&self, distance: usize) -> Encoding {
        let is_le = self.has_le && (!self.has_be || !distance.is_multiple_of(2));
        if is_le { UTF_16LE } else { UTF_16BE }
    }
}

/// Returns a line feed in UTF-16.
pub(super) fn line_end(encoding: Encoding) -> [u8; 2] {
    if encoding == UTF_16BE { [0, b'\n'] } else { [b'\n', 0] }
}

/// Returns whether most code units in UTF-16 are characters of ASCII.
fn is_mostly_ascii(encoding: Encoding, bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let is_ascii = |unit: &&[u8]| {
        let [high, low] = if encoding == UTF_16BE { [unit[0], unit[1]] } else { [unit[1], unit[0]] };
        high == 0 && low != 0 && low.is_ascii()
    };
    2 * sample.chunks_exact(2).filter(is_ascii).count() > sample.len() / 2
}

/// Returns whether bytes are more likely text in UTF-16 than in the other encodings.
fn is_cheaper(encoding: Encoding, bytes: &[u8], state: &State) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    cost(&encoding.decode(sample).text) < cost(&state.decode_as_bytes(sample))
}

/// Finds the first match at or after an index that only grows, and examines each byte once.
#[derive(Clone, Default)]
struct Cursor {
    /// All before this index was examined.
    scanned: usize,
    found: Option<usize>,
}

impl Cursor {
    fn find(&mut self, bytes: &[u8], from: usize, matches: impl Fn(&[u8]) -> bool, len: usize) -> Option<usize> {
        if self.found.is_none_or(|found| found < from) {
            let start = self.scanned.max(from);
            self.found = bytes.get(start..).and_then(|rest| rest.windows(len).position(matches)).map(|at| start + at);
            self.scanned = self.found.map_or((bytes.len() + 1).saturating_sub(len).max(start), |found| found + 1);
        }
        self.found
    }

    /// Like [`find`](Self::find), only at indices at an even distance from `start`.
    fn find_at(&mut self, bytes: &[u8], start: usize, matches: impl Fn(&[u8]) -> bool, len: usize) -> Option<usize> {
        let mut from = start;
        loop {
            let found = self.find(bytes, from, &matches, len)?;
            if (found - start).is_multiple_of(2) {
                return Some(found);
            }
            from = found + 1;
        }
    }

    fn forget(&mut self, len: usize) {
        self.scanned = self.scanned.saturating_sub(len);
        self.found = self.found.and_then(|found| found.checked_sub(len));
    }
}
