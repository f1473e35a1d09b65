//! Guessing the encoding of text that says nothing about it, from what text is usually like: by chardetng.
//!
//! It brings encoding_rs with it, which decodes nothing here.

use std::cmp::Reverse;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use textcodec::Encoding;

/// Whether a guess is one: not so in a build without the feature.
pub(super) const AVAILABLE: bool = true;

/// The beginning of a reason.
pub(super) const REASON_PREFIX: &str = "guessed from";

/// A section has at least this many bytes, and ends with a line.
const MIN_SECTION_LEN: usize = 256;

/// chardetng tries all its encodings at once, at some 20 MB/s, and more than this does not change its mind.
const MAX_FED: u64 = 1 << 20;

/// The whole text's guess and, beside it, the guesses of its sections: one malformed sequence makes the guess for the
/// whole text another encoding, but only its own section.
pub(super) struct Guesser {
    whole: EncodingDetector,
    section: EncodingDetector,
    section_len: usize,
    votes: Vec<(Encoding, u32)>,
    fed: u64,
}

impl Guesser {
    pub(super) fn new() -> Self {
        Self { whole: detector(), section: detector(), section_len: 0, votes: Vec::new(), fed: 0 }
    }

    /// Goes on with more of the text. All behind [`MAX_FED`] is passed over.
    pub(super) fn feed(&mut self, block: &[u8]) {
        if self.fed >= MAX_FED {
            return;
        }
        self.fed += block.len() as u64;
        self.whole.feed(block, false);
        // In all encodings that are guessed, a line feed is a character of its own.
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            self.section_len += line.len();
            let has_end = line.ends_with(b"\n") && self.section_len >= MIN_SECTION_LEN;
            if self.section.feed(line, has_end) && has_end {
                self.vote();
            } else if has_end {
                // All ASCII: no opinion.
                self.section = detector();
                self.section_len = 0;
            }
        }
    }

    /// Whether the text, or a section of it, looks like this encoding so far.
    pub(super) fn is_candidate(&self, encoding: Encoding) -> bool {
        guess(&self.whole) == encoding || self.votes.iter().any(|&(voted, _)| voted == encoding)
    }

    /// The guess for the whole text, and all guesses for sections, the most frequent first, with how many there are of
    /// each. The text is at its end if `complete`.
    pub(super) fn finish(mut self, complete: bool) -> Guess {
        let complete = complete && self.fed < MAX_FED;
        self.whole.feed(&[], complete);
        if self.section.feed(&[], complete) && (complete || self.votes.is_empty()) {
            self.vote();
        }
        let encoding = guess(&self.whole);
        self.votes.sort_by_key(|&(_, count)| Reverse(count));
        Guess { encoding, votes: self.votes }
    }

    fn vote(&mut self) {
        let encoding = guess(&self.section);
        match self.votes.iter_mut().find(|(voted, _)| *voted == encoding) {
            Some((_, count)) => *count += 1,
            None => self.votes.push((encoding, 1)),
        }
        self.section = detector();
        self.section_len = 0;
    }
}

pub(super) struct Guess {
    pub(super) encoding: Encoding,
    pub(super) votes: Vec<(Encoding, u32)>,
}

fn detector() -> EncodingDetector {
    EncodingDetector::new(Iso2022JpDetection::Allow)
}

/// By name: every name is a label.
fn guess(detector: &EncodingDetector) -> Encoding {
    Encoding::for_label(detector.guess(None, Utf8Detection::Allow).name()).unwrap_or(textcodec::WINDOWS_1252)
}
