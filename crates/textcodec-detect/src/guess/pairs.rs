//! The pairs of bytes that the words of a sample have.

use alloc::{boxed::Box, vec};
use core::ops::RangeInclusive;

use super::sample::is_separator;

/// The pairs of bytes that words had: a row for each first byte.
pub(super) struct Pairs(Box<[[Seen; 256]]>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    New,
    Old,
    /// A separator and an ASCII letter. This counts as old, but the word is wanted.
    StartOfAscii,
}

impl Pairs {
    /// Returns the pairs of words. All of ASCII are old.
    pub(super) fn of(words: &[u8], is_ascii_wanted: bool) -> Self {
        let mut seen = vec![[Seen::New; 256]; 256].into_boxed_slice();
        for row in &mut seen[..128] {
            row[..128].fill(Seen::Old);
        }
        let mut pairs = Self(seen);
        if is_ascii_wanted {
            pairs.set_starts_of_ascii(Seen::StartOfAscii);
        }
        pairs.add(words);
        pairs
    }

    /// No more words of ASCII are wanted.
    pub(super) fn want_no_ascii(&mut self) {
        self.set_starts_of_ascii(Seen::Old);
    }

    fn set_starts_of_ascii(&mut self, seen: Seen) {
        for (before, row) in (0..=u8::MAX).zip(&mut self.0) {
            if is_separator(before) {
                row[usize::from(b'A')..=usize::from(b'Z')].fill(seen);
                row[usize::from(b'a')..=usize::from(b'z')].fill(seen);
            }
        }
    }

    /// Returns the offset of the second byte of the first pair that is not old. `before` is the byte before all.
    pub(super) fn first_not_old(&self, before: u8, bytes: &[u8]) -> Option<usize> {
        let is_old = |before: u8, byte: u8| self.0[usize::from(before)][usize::from(byte)] == Seen::Old;
        let mut last = before;
        for (n, chunk) in bytes.chunks(32).enumerate() {
            let before = last;
            // Without branches, because nearly all are old.
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

    /// Returns how many pairs of a word and the separators around it are new.
    pub(super) fn count_new(&self, before: u8, word: &[u8], after: u8) -> usize {
        let mut last = before;
        let mut count = 0;
        for &byte in word.iter().chain([&after]) {
            count += usize::from(self.0[usize::from(last)][usize::from(byte)] == Seen::New);
            last = byte;
        }
        count
    }

    /// Adds the pairs of words with the separators around them.
    pub(super) fn add(&mut self, words: &[u8]) {
        for pair in words.windows(2) {
            for row in &mut self.0[same_as(pair[0])] {
                for seen in row[same_as(pair[1])].iter_mut().filter(|seen| **seen == Seen::New) {
                    *seen = Seen::Old;
                }
            }
        }
    }
}

/// Returns the bytes that a byte of a word stands for: a space for all controls, too.
fn same_as(byte: u8) -> RangeInclusive<usize> {
    let byte = usize::from(byte);
    if byte == usize::from(b' ') { 0..=byte } else { byte..=byte }
}
