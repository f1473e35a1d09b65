//! The part of a text that a guess looks at: its distinct words with non-ASCII bytes.
//!
//! A table of prices has the same sign in a thousand rows, which is no more evidence than one row. So equal words count once; digits
//! are equal.

use alloc::{boxed::Box, collections::BTreeSet, vec, vec::Vec};

/// The maximum number of bytes that are kept: of words with non-ASCII bytes, and of others, which hint at the language.
const MAX_WORDS: usize = 16 * 1024;
const MAX_ASCII: usize = 1024;

/// What each part of the first block may fill of this: all parts together one half.
const FIRST_SHARE: usize = MAX_WORDS / 2 / PARTS;

/// The number of parts of the first block from which words are taken.
const PARTS: usize = 4;

/// What each later block may add. Only words that are unlike those before have a place there, so that one of them is not missed.
const LATER_SHARE: usize = 1024;

/// How many new pairs of bytes a word must have in a later block.
const NEW_PAIRS: usize = 2;

/// The maximum number of bytes of a word that are kept. Chinese and Japanese have no spaces.
const MAX_WORD: usize = 256;

/// A byte that separates words in all encodings: no sequence of a multi-byte encoding contains it after its first byte.
const fn is_separator(byte: u8) -> bool {
    byte < 0x30
}

/// What separates the words that are kept.
pub(super) const END: u8 = b'\n';

/// The distinct words of a text.
#[derive(Default)]
pub(crate) struct Sample {
    /// The words with non-ASCII bytes: each with the separators before and after it, and [`END`].
    pub(super) words: Vec<u8>,
    /// Words of ASCII letters, each with a space before it.
    pub(super) ascii: Vec<u8>,
    seen: BTreeSet<u64>,
    /// The pairs of bytes of the words, from the second block on.
    pairs: Option<Pairs>,
    blocks: usize,
    /// How many bytes of the words are from the first block, if there is another one.
    first: usize,
    /// The start of a word at the end of a block, and the separator before it.
    carried: Vec<u8>,
    before: u8,
}

impl Sample {
    /// Adds a block of the text.
    pub(crate) fn feed(&mut self, block: &[u8]) {
        let Some(first) = block.iter().position(|&byte| is_separator(byte)) else {
            self.carry(block);
            return;
        };
        let last = block.iter().rposition(|&byte| is_separator(byte)).unwrap_or(first);
        let (parts, room) = if self.blocks == 0 { (PARTS, FIRST_SHARE) } else { (1, LATER_SHARE) };
        if self.blocks == 1 {
            self.pairs = Some(Pairs::of(&self.words, self.ascii.len() < MAX_ASCII));
            self.first = self.words.len();
        }
        self.blocks += 1;
        self.carry(&block[..first]);
        self.end_carried(block[first], room);
        let inner = &block[first + 1..=last];
        let mut before = block[first];
        for part in split(inner, inner.len().div_ceil(parts).max(1)) {
            let most = (self.words.len() + room).min(MAX_WORDS);
            before = self.add(part, before, most);
        }
        self.before = before;
        self.carry(&block[last + 1..]);
    }

    /// Ends the text.
    pub(crate) fn end(&mut self) {
        self.end_carried(END, FIRST_SHARE);
    }

    /// Keeps the start of a word whose end is in the next block.
    fn carry(&mut self, start: &[u8]) {
        let room = MAX_WORD + 1 - self.carried.len().min(MAX_WORD + 1);
        self.carried.extend(&start[..start.len().min(room)]);
    }

    fn end_carried(&mut self, after: u8, room: usize) {
        let mut word = core::mem::take(&mut self.carried);
        word.push(after);
        let most = (self.words.len() + room).min(MAX_WORDS);
        self.add(&word, self.before, most);
    }

    /// Adds words until there are `most` bytes. Returns the last byte.
    fn add(&mut self, part: &[u8], mut before: u8, most: usize) -> u8 {
        let mut rest = part;
        while !rest.is_empty() {
            if let Some(pairs) = &self.pairs {
                // Most words of later blocks are not wanted: go to the next one that could be.
                let Some(at) = pairs.first_not_old(before, rest) else { break };
                let start = rest[..at].iter().rposition(|&byte| is_separator(byte)).map_or(0, |at| at + 1);
                before = if start == 0 { before } else { rest[start - 1] };
                rest = &rest[start..];
            }
            let len = rest.iter().position(|&byte| is_separator(byte)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(len);
            let next = after.first().copied().unwrap_or(END);
            if !word.is_ascii() {
                if self.words.len() < most {
                    self.add_word(before, word, next);
                }
            } else if !word.is_empty() && self.ascii.len() < MAX_ASCII {
                self.add_ascii(word);
            }
            before = next;
            rest = after.get(1..).unwrap_or_default();
        }
        part.last().copied().unwrap_or(before)
    }

    fn add_word(&mut self, before: u8, word: &[u8], after: u8) {
        let len = word.len().min(MAX_WORD);
        let [before, after] = [before, after].map(|byte| if byte < b' ' { b' ' } else { byte });
        let after = if len < word.len() { b' ' } else { after };
        if self.pairs.as_ref().is_some_and(|pairs| !pairs.has_new(before, &word[..len], after)) {
            return;
        }
        let start = self.words.len();
        self.words.push(before);
        self.words.extend(&word[..len]);
        self.words.push(after);
        let word = &self.words[start..];
        if let Some(pairs) = &mut self.pairs {
            pairs.add(word);
        } else if !self.seen.insert(hash(word)) {
            self.words.truncate(start);
            return;
        }
        self.words.push(END);
    }

    fn add_ascii(&mut self, word: &[u8]) {
        let is_word = word.len() <= 20 && word.iter().all(u8::is_ascii_alphabetic);
        if is_word && self.seen.insert(hash(word)) {
            self.ascii.push(b' ');
            self.ascii.extend(word);
            if let Some(pairs) = self.pairs.as_mut().filter(|_| self.ascii.len() >= MAX_ASCII) {
                pairs.set_starts_of_ascii(Seen::Old);
            }
        }
    }

    /// Returns the words with non-ASCII bytes, each with the separators around it.
    pub(super) fn words(&self) -> impl Iterator<Item = &[u8]> {
        split_words(&self.words)
    }

    /// Returns the words of the first block: those of later ones are not typical of the text. Returns `None` if these are all.
    pub(super) fn typical_words(&self) -> Option<impl Iterator<Item = &[u8]>> {
        (self.first > 0).then(|| split_words(&self.words[..self.first]))
    }
}

fn split_words(words: &[u8]) -> impl Iterator<Item = &[u8]> {
    words.split_inclusive(|&byte| byte == END).map(|word| &word[..word.len() - 1])
}

/// The pairs of bytes that words had: a row for each first byte.
struct Pairs(Box<[[Seen; 256]]>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    New,
    Old,
    /// A separator and an ASCII letter. This counts as old, but the word is wanted.
    StartOfAscii,
}

impl Pairs {
    /// Returns the pairs of words. All of ASCII are old.
    fn of(words: &[u8], are_ascii_words_wanted: bool) -> Self {
        let mut seen = vec![[Seen::New; 256]; 256].into_boxed_slice();
        for row in &mut seen[..128] {
            row[..128].fill(Seen::Old);
        }
        let mut pairs = Self(seen);
        if are_ascii_words_wanted {
            pairs.set_starts_of_ascii(Seen::StartOfAscii);
        }
        pairs.add(words);
        pairs
    }

    fn set_starts_of_ascii(&mut self, seen: Seen) {
        for (before, row) in (0..=u8::MAX).zip(&mut self.0) {
            if is_separator(before) {
                row[usize::from(b'A')..=usize::from(b'Z')].fill(seen);
                row[usize::from(b'a')..=usize::from(b'z')].fill(seen);
            }
        }
    }

    /// Returns the offset of the second byte of the first pair that is not old.
    fn first_not_old(&self, before: u8, bytes: &[u8]) -> Option<usize> {
        let is_old = |before: u8, byte: u8| self.0[usize::from(before)][usize::from(byte)] == Seen::Old;
        let mut last = before;
        for (n, chunk) in bytes.chunks(32).enumerate() {
            let before = last;
            let mut are_old = true;
            for &byte in chunk {
                are_old &= is_old(last, byte);
                last = byte;
            }
            if !are_old {
                last = before;
                let at = chunk.iter().position(|&byte| !is_old(core::mem::replace(&mut last, byte), byte));
                return at.map(|at| n * 32 + at);
            }
        }
        None
    }

    /// Returns whether enough pairs of a word are new.
    fn has_new(&self, before: u8, word: &[u8], after: u8) -> bool {
        let mut last = before;
        let mut count = 0;
        for &byte in word.iter().chain([&after]) {
            count += usize::from(self.0[usize::from(last)][usize::from(byte)] == Seen::New);
            last = byte;
        }
        count >= NEW_PAIRS
    }

    /// Controls are equal to spaces in [words](Sample::words).
    fn add(&mut self, words: &[u8]) {
        for pair in words.windows(2) {
            let [before, byte] = [pair[0], pair[1]].map(|byte| if byte == b' ' { 0..=b' ' } else { byte..=byte });
            for row in &mut self.0[usize::from(*before.start())..=usize::from(*before.end())] {
                for seen in &mut row[usize::from(*byte.start())..=usize::from(*byte.end())] {
                    if *seen == Seen::New {
                        *seen = Seen::Old;
                    }
                }
            }
        }
    }
}

/// Splits a block into parts of at least this length, at separators.
fn split(block: &[u8], len: usize) -> impl Iterator<Item = &[u8]> {
    let mut rest = block;
    core::iter::from_fn(move || {
        let from = len.min(rest.len());
        let end = rest[from..].iter().position(|&byte| is_separator(byte)).map_or(rest.len(), |at| from + at + 1);
        let (part, after) = rest.split_at(end);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// FNV-1a. All numbers are equal.
fn hash(word: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut was_digit = false;
    for &byte in word {
        let is_digit = byte.is_ascii_digit();
        if !(is_digit && was_digit) {
            let byte = if is_digit { b'0' } else { byte };
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        was_digit = is_digit;
    }
    hash
}
