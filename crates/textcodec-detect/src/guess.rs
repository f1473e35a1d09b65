//! Guesses the encoding from the statistics of text, with chardetng.
//!
//! chardetng depends on encoding_rs. This crate uses textcodec for all decoding.

use std::cmp::Reverse;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use textcodec::Encoding;

use crate::{guessed::Guess, letter_pairs::LetterPairs};

/// The minimum length of a section in bytes. A section ends at the end of a line.
const MIN_SECTION_LEN: usize = 256;

/// The number of bytes given to chardetng, which processes about 20 MB/s. More would not change the guess.
const MAX_FED: u64 = 1 << 20;

/// Guesses for the whole text and for each section of it.
///
/// A malformed sequence changes the guess for the whole text, but only for the one section that contains it.
pub(crate) struct Guesser {
    whole: EncodingDetector,
    section: EncodingDetector,
    section_len: usize,
    votes: Vec<(Encoding, u32)>,
    letter_pairs: LetterPairs,
    fed: u64,
    /// In the form that chardetng requires: ASCII, in lower case, without a dot.
    top_level_domain: Option<String>,
}

impl Guesser {
    #[expect(clippy::unnecessary_wraps, reason = "without the feature, there is none")]
    pub(crate) fn new(top_level_domain: Option<String>) -> Option<Self> {
        Some(Self {
            whole: detector(),
            section: detector(),
            section_len: 0,
            votes: Vec::new(),
            letter_pairs: LetterPairs::new(),
            fed: 0,
            top_level_domain,
        })
    }

    /// Adds a block of the text. Blocks after the first [`MAX_FED`] bytes are ignored.
    pub(crate) fn feed(&mut self, block: &[u8]) {
        if self.fed >= MAX_FED {
            return;
        }
        self.fed += block.len() as u64;
        self.whole.feed(block, false);
        self.letter_pairs.feed(block);
        // In all encodings that chardetng detects, a line feed byte is always a line feed.
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            self.section_len += line.len();
            let has_end = line.ends_with(b"\n") && self.section_len >= MIN_SECTION_LEN;
            if self.section.feed(line, has_end) && has_end {
                self.vote();
            } else if has_end {
                // All ASCII: no vote.
                self.section = detector();
                self.section_len = 0;
            }
        }
    }

    /// Returns whether this encoding is the current guess for the text or for a section.
    pub(crate) fn is_candidate(&self, encoding: Encoding) -> bool {
        self.guess(&self.whole) == encoding || self.votes.iter().any(|&(voted, _)| voted == encoding)
    }

    /// Returns the guess for the whole text and the votes of the sections, most frequent first. `complete` says that the
    /// text has ended.
    pub(crate) fn finish(mut self, complete: bool) -> Guess {
        let complete = complete && self.fed < MAX_FED;
        self.whole.feed(&[], complete);
        if self.section.feed(&[], complete) && (complete || self.votes.is_empty()) {
            self.vote();
        }
        let encoding = self.guess(&self.whole);
        self.votes.sort_by_key(|&(_, count)| Reverse(count));
        Guess { encoding, votes: self.votes, fits: self.letter_pairs.finish() }
    }

    /// Returns the current guess of a detector. Converts the encoding by its name, which is always a label.
    fn guess(&self, detector: &EncodingDetector) -> Encoding {
        let domain = self.top_level_domain.as_ref().map(String::as_bytes);
        Encoding::for_label(detector.guess(domain, Utf8Detection::Allow).name()).unwrap_or(textcodec::WINDOWS_1252)
    }

    fn vote(&mut self) {
        let encoding = self.guess(&self.section);
        match self.votes.iter_mut().find(|(voted, _)| *voted == encoding) {
            Some((_, count)) => *count += 1,
            None => self.votes.push((encoding, 1)),
        }
        self.section = detector();
        self.section_len = 0;
    }
}

fn detector() -> EncodingDetector {
    EncodingDetector::new(Iso2022JpDetection::Allow)
}
