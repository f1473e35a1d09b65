//! How much each part of a text says about its encoding.

use alloc::{vec, vec::Vec};

use super::sample::Sample;

/// How much the repetitions of a pair add: so much for each factor of e.
const REPETITION: f64 = 0.5;

/// Two neighbouring bytes, and how much they count.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) before: u8,
    pub(super) byte: u8,
    pub(super) weight: f64,
}

/// A word with non-ASCII bytes.
pub(super) struct Word<'a> {
    /// With the separators before and after it.
    pub(super) bytes: &'a [u8],
    /// How much each of its bytes counts on average.
    pub(super) weight: f64,
}

/// The evidence of a text.
pub(super) struct Evidence<'a> {
    /// The distinct pairs of the words with non-ASCII bytes: those with a non-ASCII byte, and the others.
    pub(super) pairs: Vec<Pair>,
    pub(super) plain: Vec<Pair>,
    /// The distinct pairs of ASCII words.
    pub(super) ascii: Vec<Pair>,
    pub(super) words: Vec<Word<'a>>,
    /// The distinct runs: a byte that is repeated, or two that alternate.
    pub(super) runs: Vec<[u8; 2]>,
    /// The distinct non-ASCII bytes.
    pub(super) bytes: Vec<u8>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(sample: &'a Sample) -> Self {
        Self::of(&sample.words().collect::<Vec<_>>(), &sample.ascii)
    }

    /// Returns the evidence of the words that are typical of the text, if not all are.
    pub(super) fn typical(sample: &'a Sample) -> Option<Self> {
        Some(Self::of(&sample.typical_words()?.collect::<Vec<_>>(), &[]))
    }

    /// Returns the evidence of some of the words.
    pub(super) fn part(&self, chosen: &[bool]) -> Self {
        let words = self.words.iter().zip(chosen).filter(|(_, chosen)| **chosen);
        Self::of(&words.map(|(word, _)| word.bytes).collect::<Vec<_>>(), &[])
    }

    /// Returns the evidence without the words that are UTF-8, which are no evidence for another encoding. Returns `None` if all are.
    pub(super) fn without_utf_8(&self, sample: &'a Sample) -> Option<Self> {
        let words = self.words.iter().map(|word| word.bytes);
        let others: Vec<&[u8]> = words.filter(|bytes| str::from_utf8(bytes).is_err()).collect();
        (!others.is_empty()).then(|| Self::of(&others, &sample.ascii))
    }

    fn of(all: &[&'a [u8]], ascii_words: &[u8]) -> Self {
        let counts = Counts::of(all.iter().copied());
        let words = all.iter().map(|&bytes| Word { bytes, weight: counts.weight_of(bytes) }).collect();
        let is_plain = |pair: &Pair| pair.before.is_ascii() && pair.byte.is_ascii();
        let (plain, pairs): (Vec<Pair>, Vec<Pair>) = counts.pairs().into_iter().partition(is_plain);
        let mut bytes: Vec<u8> = pairs.iter().map(|pair| pair.byte).filter(|byte| !byte.is_ascii()).collect();
        bytes.sort_unstable();
        bytes.dedup();
        let ascii = Counts::of(core::iter::once(ascii_words));
        let mut runs: Vec<[u8; 2]> = all.iter().copied().flat_map(runs_of).collect();
        runs.sort_unstable();
        runs.dedup();
        Self { pairs, plain, ascii: ascii.pairs(), words, runs, bytes }
    }
}

/// How often two bytes must be repeated for a run. No word of a language has that.
const RUN: usize = 3;

/// Returns what is repeated in a word. Lines of drawings consist of it.
fn runs_of(word: &[u8]) -> impl Iterator<Item = [u8; 2]> {
    let is_run = |bytes: &&[u8]| bytes[0] >= 0x80 && bytes[2..].iter().zip(*bytes).all(|(byte, before)| byte == before);
    let runs = word.windows(2 * RUN).filter(is_run);
    runs.map(|bytes| [bytes[0].min(bytes[1]), bytes[0].max(bytes[1])])
}

/// The number of each pair of bytes.
struct Counts {
    /// The number of each byte among those that occur.
    numbers: [u8; 256],
    /// How many different bytes occur.
    width: usize,
    of_pairs: Vec<u16>,
    distinct: Vec<(u8, u8)>,
}

impl Counts {
    fn of<'a>(words: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let mut occurs = [false; 256];
        for &byte in words.clone().flatten() {
            occurs[usize::from(folded(byte))] = true;
        }
        let mut width = 0;
        let numbers = occurs.map(|occurs| {
            width += usize::from(occurs);
            width.saturating_sub(1) as u8
        });
        let mut counts = Self { numbers, width, of_pairs: vec![0; width * width], distinct: Vec::new() };
        for pair in words.flat_map(|word| word.windows(2)) {
            let (before, byte) = (folded(pair[0]), folded(pair[1]));
            let place = counts.place(before, byte);
            if counts.of_pairs[place] == 0 {
                counts.distinct.push((before, byte));
            }
            counts.of_pairs[place] = counts.of_pairs[place].saturating_add(1);
        }
        counts
    }

    fn place(&self, before: u8, byte: u8) -> usize {
        usize::from(self.numbers[usize::from(before)]) * self.width + usize::from(self.numbers[usize::from(byte)])
    }

    fn pairs(&self) -> Vec<Pair> {
        let weight = |before: u8, byte: u8| weight(self.of_pairs[self.place(before, byte)]);
        let pair = |&(before, byte): &(u8, u8)| Pair { before, byte, weight: weight(before, byte) };
        self.distinct.iter().map(pair).collect()
    }

    fn weight_of(&self, word: &[u8]) -> f64 {
        let weights = word.windows(2).map(|pair| {
            let count = self.of_pairs[self.place(folded(pair[0]), folded(pair[1]))];
            weight(count) / f64::from(count)
        });
        weights.sum::<f64>() / (word.len() - 1) as f64
    }
}

/// Digits are all the same evidence.
fn folded(byte: u8) -> u8 {
    if byte.is_ascii_digit() { b'0' } else { byte }
}

/// How much a pair counts that occurs so often.
fn weight(count: u16) -> f64 {
    1.0 + REPETITION * libm::log(f64::from(count))
}
