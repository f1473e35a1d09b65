//! Finds the characters outside a narrow encoding in bytes of the encoding that the label means.

use textcodec::{Bom, DecodeOptions, GBK};

use crate::narrow::{Bytes, Narrow};

/// Scans an input or an output, in chunks of any length.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    narrow: &'static Narrow,
    /// The offset of the next byte that has not been scanned, after `pending`.
    position: u64,
    /// The start of a sequence that the next chunk may complete.
    pending: Vec<u8>,
    /// The number of characters outside the narrow encoding.
    pub(crate) count: u64,
    /// The first one: its offset and its bytes.
    pub(crate) first: Option<(u64, Vec<u8>)>,
}

impl Scanner {
    pub(crate) fn new(narrow: &'static Narrow) -> Self {
        Self { narrow, position: 0, pending: Vec::new(), count: 0, first: None }
    }

    /// Scans the next bytes.
    pub(crate) fn scan(&mut self, bytes: &[u8]) {
        match self.narrow.bytes {
            Bytes::Single { outside } => self.scan_single(bytes, outside),
            Bytes::Pairs { .. } => {
                let mut read = 0;
                if !self.pending.is_empty() {
                    let start = self.position - self.pending.len() as u64;
                    let pending = std::mem::take(&mut self.pending);
                    let joined = [&pending, &bytes[..bytes.len().min(MAX_LEN)]].concat();
                    let joined_read = self.scan_sequences(&joined, pending.len(), start);
                    if joined_read < pending.len() {
                        // The chunk does not complete the sequence.
                        self.pending = joined[joined_read..].to_vec();
                        self.position += bytes.len() as u64;
                        return;
                    }
                    read = joined_read - pending.len();
                }
                let rest = &bytes[read..];
                let rest_read = self.scan_sequences(rest, rest.len(), self.position + read as u64);
                self.pending = rest[rest_read..].to_vec();
            }
        }
        self.position += bytes.len() as u64;
    }

    fn scan_single(&mut self, bytes: &[u8], outside: u128) {
        let (first, last) = (0x80 + outside.trailing_zeros() as u8, 0xFF - outside.leading_zeros() as u8);
        for (n, block) in bytes.chunks(BLOCK_LEN).enumerate() {
            // The compiler vectorizes this. Most blocks have no such byte.
            if !block.iter().fold(false, |any, byte| any | (first..=last).contains(byte)) {
                continue;
            }
            for (at, &byte) in block.iter().enumerate().filter(|&(_, &byte)| self.narrow.is_outside(byte)) {
                self.count += 1;
                let offset = self.position + (n * BLOCK_LEN + at) as u64;
                self.first.get_or_insert_with(|| (offset, vec![byte]));
            }
        }
    }

    /// Scans complete sequences that start before `end`, and returns how many bytes they have. `offset` is that of the first
    /// byte.
    fn scan_sequences(&mut self, bytes: &[u8], end: usize, offset: u64) -> usize {
        let mut at = 0;
        while at < end {
            let rest = &bytes[at..];
            at += match step(self.narrow, rest) {
                Step::Inside(len) => len,
                Step::Outside(len) => {
                    self.count += 1;
                    self.first.get_or_insert_with(|| (offset + at as u64, rest[..len].to_vec()));
                    len
                }
                Step::Incomplete => return at,
            };
        }
        at
    }
}

/// The number of bytes that are tested together for single bytes outside the narrow encoding.
const BLOCK_LEN: usize = 64;

/// The length of the longest sequence, which is one of GBK's decoder.
const MAX_LEN: usize = 4;

/// The start of some bytes.
enum Step {
    /// A number of bytes that are in the narrow encoding, or malformed. Malformed bytes are reported as such.
    Inside(usize),
    /// A character of this many bytes that the narrow encoding lacks.
    Outside(usize),
    /// An incomplete sequence.
    Incomplete,
}

/// Reads the next sequence as the decoders of GBK and EUC-KR do.
fn step(narrow: &Narrow, bytes: &[u8]) -> Step {
    let is_gbk = narrow.means == GBK;
    match *bytes {
        [0x00..=0x7F, ..] => Step::Inside(bytes.iter().take_while(|byte| byte.is_ascii()).count()),
        // The euro sign.
        [0x80, ..] if is_gbk => Step::Outside(1),
        [0x80 | 0xFF, ..] => Step::Inside(1),
        [] | [_] => Step::Incomplete,
        [lead, trail, ..] if narrow.has_pair(lead, trail) => {
            let pairs = bytes.as_chunks().0.iter().take_while(|&&[lead, trail]| narrow.has_pair(lead, trail));
            Step::Inside(2 * pairs.count())
        }
        [_, b'0'..=b'9'] | [_, b'0'..=b'9', 0x81..=0xFE] if is_gbk => Step::Incomplete,
        [_, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9', ..] if is_gbk => match character(narrow, &bytes[..4]) {
            Some(_) => Step::Outside(4),
            None => Step::Inside(1),
        },
        [_, trail, ..] => match character(narrow, &bytes[..2]) {
            // A3 A0 is a second form of the ideographic space, which GB 2312 has.
            Some(character) if narrow.contains(character) => Step::Inside(2),
            Some(_) => Step::Outside(2),
            // A lead byte without a trail byte. The byte after it starts the next sequence.
            None if trail.is_ascii() => Step::Inside(1),
            None => Step::Inside(2),
        },
    }
}

/// Returns the character that a sequence is, or `None` if it is malformed.
fn character(narrow: &Narrow, bytes: &[u8]) -> Option<char> {
    let decoded = narrow.means.decode_with(bytes, DecodeOptions::new().bom(Bom::Keep)).ok()?;
    decoded.text.chars().next().filter(|_| decoded.errors.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        items::{self, Item, ItemKind},
        narrow,
    };

    fn scan(narrow: &'static Narrow, chunks: &[&[u8]]) -> (u64, Option<(u64, Vec<u8>)>) {
        let mut scanner = Scanner::new(narrow);
        for chunk in chunks {
            scanner.scan(chunk);
        }
        (scanner.count, scanner.first)
    }

    /// What [`scan`] should return, from the characters that the decoder returns.
    fn expected(narrow: &'static Narrow, bytes: &[u8]) -> (u64, Option<(u64, Vec<u8>)>) {
        let mut outside = Vec::new();
        items::decode(&mut items::decoder(narrow.means), bytes, true, |Item { range, kind }| match kind {
            ItemKind::Character(c) if !narrow.contains(c) => {
                outside.push((range.start, bytes[range.start as usize..range.end as usize].to_vec()));
            }
            _ => {}
        });
        (outside.len() as u64, outside.first().cloned())
    }

    #[test]
    fn the_scanner_agrees_with_the_decoder_whatever_the_chunks() {
        let alphabet =
            b"\0 /09:@Az~\x7F\x80\x81\x84\x8E\x95\xA0\xA1\xA2\xA3\xA6\xA8\xA9\xAB\xB0\xC7\xC8\xC9\xD7\xF8\xFD\xFE\xFF";
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut outside = 0;
        for label in ["ascii", "latin1", "latin5", "tis-620", "iso-8859-11", "gb2312", "ksc5601"] {
            let narrow = narrow::find(label).unwrap();
            for _ in 0..20_000 {
                let bytes: Vec<u8> = (0..random(14)).map(|_| alphabet[random(alphabet.len())]).collect();
                let expected = expected(narrow, &bytes);
                assert_eq!(scan(narrow, &[&bytes]), expected, "{label} {bytes:02X?}");
                let (before, after) = bytes.split_at(random(bytes.len() + 1));
                assert_eq!(scan(narrow, &[before, after]), expected, "{label} {before:02X?} {after:02X?}");
                assert_eq!(scan(narrow, &bytes.chunks(1).collect::<Vec<_>>()), expected, "{label} {bytes:02X?}");
                outside += expected.0;
            }
        }
        assert!(outside > 100_000, "{outside}");
    }

    #[test]
    fn offsets_are_those_of_the_whole_input() {
        let text = [&b"abc\n".repeat(1000)[..], b"\xE9"].concat();
        let (count, first) = scan(narrow::find("ascii").unwrap(), &text.chunks(77).collect::<Vec<_>>());
        assert_eq!((count, first), (1, Some((4000, vec![0xE9]))));
    }
}
