//! Two encodings in one text.
//!
//! The words that are unlikely in the best encoding are judged once more. If another encoding explains some of them, the text has
//! both.

use alloc::{vec, vec::Vec};

use textcodec::{Encoding, UTF_8};
use textcodec_language::{Char, Model};

use super::{
    UNKNOWN,
    evidence::{Evidence, Word},
    pages::{self, Page},
    score::{self, Fit, RUN, models},
};

/// The cost of a pair of bytes from which on a word is unlikely.
const UNLIKELY: f64 = 4.0 * 16.0;

/// How much likelier a word must be in another encoding to be in it, at least.
const MIN_GAIN: f64 = 3.0 * 16.0;

/// What text in two encodings costs, in addition to its words.
const SECOND: f64 = 7.0 * 16.0;

/// The cost of a sign between two letters, where hardly any stand, in addition to those of its pairs.
const INNER: f64 = 4.0 * 16.0;

/// The maximum number of words that are judged.
const MAX_WORDS: usize = 64;

/// The rarity of a second encoding that is multi-byte.
const MULTI_BYTE: f64 = 16.0;

/// Words that are in another encoding than the rest.
pub(crate) struct Mixture {
    /// The name of the other encoding.
    pub(crate) name: &'static str,
    /// `None` if this build cannot decode it, or if it is unknown.
    pub(crate) encoding: Option<Encoding>,
    /// The number of distinct words in it, and of all.
    pub(crate) words: usize,
    pub(crate) all: usize,
    /// How much likelier the text is in both encodings: the difference of the costs.
    pub(crate) gain: f64,
}

/// Returns the encoding in which some words are much likelier than in the best one.
pub(super) fn find(evidence: &Evidence, best: &Fit) -> Option<Mixture> {
    let model = model_of(best);
    let own: Vec<f64> = match best.page {
        Some(page) => evidence.words.iter().map(|word| cost(word, page, &model)).collect(),
        None => score::costs_of_words(&best.text, evidence, &model),
    };
    let excess = |word: &Word, cost: f64| {
        let is_utf_8 = best.encoding != Some(UTF_8) && str::from_utf8(word.bytes).is_ok();
        if is_utf_8 { f64::INFINITY } else { cost - cost_of_ascii(word, &model) - UNLIKELY * others(word) }
    };
    let excesses = evidence.words.iter().zip(&own).map(|(word, &cost)| excess(word, cost)).enumerate();
    let mut doubtful: Vec<(usize, f64)> = excesses.filter(|(_, excess)| *excess > 0.0).collect();
    doubtful.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut chosen = vec![false; own.len()];
    for &(n, _) in doubtful.iter().take(MAX_WORDS) {
        chosen[n] = true;
    }
    let own: Vec<f64> = own.into_iter().zip(&chosen).filter_map(|(cost, chosen)| chosen.then_some(cost)).collect();
    if own.is_empty() {
        return None;
    }
    let part = evidence.part(&chosen);
    let mixture = |name: &'static str, encoding: Option<Encoding>, rarity: f64, costs: Vec<f64>| {
        let gains = own.iter().zip(costs).map(|(own, other)| own - other).filter(|&gain| gain > 0.0);
        let all = evidence.words.len();
        let (words, gain) = likeliest_part(gains.collect(), all);
        let gain = gain - SECOND - rarity;
        Mixture { name, encoding, words, all, gain }
    };
    let pages = pages::all().iter().filter(|page| page.name != best.name);
    let pages = pages.map(|page| {
        let costs = part.words.iter().zip(&own).map(|(word, &own)| cost_up_to(own, word, page, &model));
        mixture(page.name, page.encoding, f64::from(page.rarity), costs.collect())
    });
    let wide = score::in_multi_byte(&part).into_iter().filter(|(encoding, _)| Some(*encoding) != best.encoding);
    let wide = wide.map(|(encoding, costs)| mixture(encoding.name(), Some(encoding), MULTI_BYTE, costs));
    // What no encoding explains may be in an unknown one. Signs are rare enough without it.
    let of_unknown = |word: &Word| match best.page {
        Some(page) if has_no_signs(word, &page.chars) => cost_of_ascii(word, &model) + others(word) * UNKNOWN,
        _ => f64::INFINITY,
    };
    let unknown = part.words.iter().map(of_unknown);
    let unknown = mixture("another encoding", None, 0.0, unknown.collect());
    pages.chain(wide).chain([unknown]).filter(|mixture| mixture.words > 0).max_by(|a, b| a.gain.total_cmp(&b.gain))
}

/// Returns how many of the words are in the other encoding, and how much likelier the text is then. A word there costs what says which
/// of all words it is.
fn likeliest_part(mut gains: Vec<f64>, all: usize) -> (usize, f64) {
    gains.sort_by(|a, b| b.total_cmp(a));
    let (mut best, mut sum) = ((0, 0.0), 0.0);
    for (n, gain) in gains.into_iter().enumerate() {
        sum += gain;
        let words = n + 1;
        let price = MIN_GAIN + 16.0 * libm::log(all as f64 / words as f64);
        let gain = sum - price * words as f64;
        if gain > best.1 {
            best = (words, gain);
        }
    }
    best
}

fn is_ascii(pair: &[u8]) -> bool {
    pair[0].is_ascii() && pair[1].is_ascii()
}

/// The number of pairs of a word that are not all ASCII.
fn others(word: &Word) -> f64 {
    word.bytes.windows(2).filter(|pair| !is_ascii(pair)).count() as f64
}

/// The cost of the ASCII pairs of a word.
fn cost_of_ascii(word: &Word, model: &Model) -> f64 {
    let chars = &pages::all()[0].chars;
    let pairs = word.bytes.windows(2).filter(|pair| is_ascii(pair));
    pairs.map(|pair| f64::from(model.cost(chars[usize::from(pair[0])], chars[usize::from(pair[1])]))).sum()
}

fn model_of(fit: &Fit) -> Model {
    let of_language = |language| models().iter().find(|model| model.language() == Some(language));
    fit.language.and_then(of_language).copied().unwrap_or(Model::UNIVERSAL)
}

/// Returns whether all non-ASCII characters of a word are letters.
fn has_no_signs(word: &Word, chars: &[Char; 256]) -> bool {
    word.bytes.iter().all(|&byte| byte.is_ascii() || chars[usize::from(byte)].is_letter())
}

/// The cost of a word in a single-byte encoding.
fn cost(word: &Word, page: &Page, model: &Model) -> f64 {
    cost_of_signs(word, page) + pairs(word, page).map(|(before, c)| f64::from(model.cost(before, c))).sum::<f64>()
}

/// The cost of a word in a single-byte encoding, in a language or in none, or something above the limit if it is.
fn cost_up_to(limit: f64, word: &Word, page: &Page, model: &Model) -> f64 {
    let (mut of_language, mut of_none) = (0.0, 0.0);
    for (before, c) in pairs(word, page) {
        of_language += f64::from(model.cost(before, c));
        of_none += f64::from(Model::UNIVERSAL.cost(before, c));
        if of_language > limit && of_none > limit {
            return of_language;
        }
    }
    of_language.min(of_none) + cost_of_signs(word, page)
}

/// The characters of a word after each other.
fn pairs(word: &Word, page: &Page) -> impl Iterator<Item = (Char, Char)> {
    word.bytes.windows(2).map(|pair| (page.chars[usize::from(pair[0])], page.chars[usize::from(pair[1])]))
}

/// The cost of signs between letters, and of letters in runs.
fn cost_of_signs(word: &Word, page: &Page) -> f64 {
    let inner = word.bytes.windows(3).filter(|bytes| is_inner_sign(bytes, page)).count();
    INNER * inner as f64 + if has_run(word, page) { RUN } else { 0.0 }
}

/// Returns whether a letter is repeated again and again, which only spaces and signs are.
fn has_run(word: &Word, page: &Page) -> bool {
    let is_run = |bytes: &[u8]| bytes[0] >= 0x80 && bytes[1] == bytes[0] && bytes[2] == bytes[0];
    word.bytes.windows(3).any(|bytes| is_run(bytes) && page.chars[usize::from(bytes[0])].is_letter())
}

/// Returns whether the second character is a sign that does not stand between two letters.
fn is_inner_sign(bytes: &[u8], page: &Page) -> bool {
    let is_letter = |byte: u8| page.chars[usize::from(byte)].is_letter();
    let is_joiner =
        matches!(page.characters[usize::from(bytes[1])], '’' | '‘' | '·' | '–' | '—' | '…' | '\u{A0}' | '\u{AD}');
    let is_sign = bytes[1] >= 0x80 && !is_letter(bytes[1]) && !is_joiner;
    is_sign && is_letter(bytes[0]) && is_letter(bytes[2])
}
