//! The part of a text that a guess looks at: its distinct words with non-ASCII bytes.
//!
//! A table of prices has the same sign in a thousand rows, which is no more evidence than one row. So equal words count once; digits
//! are equal.

use alloc::{collections::BTreeSet, vec::Vec};

use super::pairs::Pairs;

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
pub(super) const fn is_separator(byte: u8) -> bool {
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
            let skipped = self.len_of_unwanted(before, rest);
            before = rest[..skipped].last().copied().unwrap_or(before);
            rest = &rest[skipped..];
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

    /// Returns the length of the words at the start that are not wanted, with the separators after them. In later blocks, these are most
    /// words, and they are not looked at one by one.
    fn len_of_unwanted(&self, before: u8, words: &[u8]) -> usize {
        let Some(pairs) = &self.pairs else { return 0 };
        let Some(at) = pairs.first_not_old(before, words) else { return words.len() };
        words[..at].iter().rposition(|&byte| is_separator(byte)).map_or(0, |at| at + 1)
    }

    fn add_word(&mut self, before: u8, word: &[u8], after: u8) {
        let len = word.len().min(MAX_WORD);
        let [before, after] = [before, after].map(|byte| if byte < b' ' { b' ' } else { byte });
        let after = if len < word.len() { b' ' } else { after };
        if self.pairs.as_ref().is_some_and(|pairs| pairs.count_new(before, &word[..len], after) < NEW_PAIRS) {
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
                pairs.want_no_ascii();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns words of few different bytes, so that many pairs of them are old.
    fn words(random: &mut impl FnMut(usize) -> usize, count: usize) -> Vec<u8> {
        let mut words = Vec::new();
        for _ in 0..count {
            let letters: &[u8] = [&b"abc"[..], b"a\xE4", b"\xC0\xC1\xC2\xC3", b"7\xD7", b"Zq"][random(5)];
            let len = if random(50) == 0 { 200 + random(200) } else { 1 + random(6) };
            words.extend((0..len).map(|_| letters[random(letters.len())]));
            let separators = b"  \n\t\x01\"-.";
            words.extend((0..=random(2)).map(|_| separators[random(separators.len())]));
        }
        words
    }

    #[test]
    fn no_word_that_is_skipped_would_be_added() {
        let mut state = 1_u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let mut skipped_words = 0;
        for (known, has_room_for_ascii) in [(1, true), (20, true), (20, false), (300, true), (300, false)] {
            for _ in 0..200 {
                let mut sample = Sample::default();
                sample.feed(&words(&mut random, known));
                if !has_room_for_ascii {
                    sample.ascii.resize(MAX_ASCII, b'a');
                }
                sample.feed(&words(&mut random, 1));
                let text = words(&mut random, 30);
                let len = sample.len_of_unwanted(b' ', &text);
                let sizes = (sample.words.len(), sample.ascii.len());
                let mut before = b' ';
                for word in text[..len].split_inclusive(|&byte| is_separator(byte)) {
                    let (&after, word) = word.split_last().unwrap();
                    if !word.is_ascii() {
                        sample.add_word(before, word, after);
                    } else if !word.is_empty() && has_room_for_ascii {
                        sample.add_ascii(word);
                    }
                    assert_eq!((sample.words.len(), sample.ascii.len()), sizes, "{word:?} in {text:?}");
                    (before, skipped_words) = (after, skipped_words + 1);
                }
            }
        }
        assert!(skipped_words > 1000, "only {skipped_words} words were skipped");
    }
}
