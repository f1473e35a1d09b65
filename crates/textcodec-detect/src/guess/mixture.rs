//! Two encodings in one text.
//!
//! The words that are unlikely in the best encoding are judged once more. If another encoding explains some of them, the text has
//! both.

use textcodec::UTF_8;
use textcodec_language::{Char, Model};

use super::{
    UNKNOWN,
    evidence::{Evidence, Word},
    pages,
    score::{self, Fit, models},
};

/// The cost of a pair of bytes from which on a word is unlikely.
const UNLIKELY: f32 = 4.0 * 16.0;

/// How much likelier a word must be in another encoding to be in it.
const MIN_GAIN: f32 = 3.0 * 16.0;

/// What text in two encodings costs, in addition to its words.
const SECOND: f32 = 7.0 * 16.0;

/// The same for each factor of e of the number of words.
const MANY: f32 = 1.2 * 16.0;

/// The maximum number of words that are judged.
const MAX_WORDS: usize = 64;

/// The rarity of a second encoding that is multi-byte.
const MULTI_BYTE: f32 = 16.0;

/// Words that are in another encoding than the rest.
pub(crate) struct Mixture {
    /// The name of the other encoding.
    pub(crate) name: &'static str,
    /// The number of distinct words in it, and of all.
    pub(crate) words: usize,
    pub(crate) all: usize,
    /// How much likelier the text is in both encodings: the difference of the costs.
    pub(crate) gain: f32,
}

/// Returns the encoding in which some words are much likelier than in the best one.
pub(super) fn find(evidence: &Evidence, best: &Fit) -> Option<Mixture> {
    let model = model_of(best);
    let own = match best.page {
        Some(page) => evidence.words.iter().map(|word| cost(word, &page.chars, &model)).collect(),
        None => score::costs_of_words(&best.text, evidence, &model),
    };
    let is_doubtful = |(word, cost): (&Word, &f32)| {
        let is_utf_8 = best.encoding != Some(UTF_8) && str::from_utf8(word.bytes).is_ok();
        is_utf_8 || cost - cost_of_ascii(word, &model) > UNLIKELY * others(word)
    };
    let mut chosen: Vec<bool> = evidence.words.iter().zip(&own).map(is_doubtful).collect();
    let mut left = MAX_WORDS;
    for chosen in chosen.iter_mut().filter(|chosen| **chosen) {
        *chosen = left > 0;
        left = left.saturating_sub(1);
    }
    let own: Vec<f32> = own.into_iter().zip(&chosen).filter_map(|(cost, chosen)| chosen.then_some(cost)).collect();
    if own.is_empty() {
        return None;
    }
    let part = evidence.part(&chosen);
    let mixture = |name: &'static str, rarity: f32, costs: Vec<f32>| {
        let gains = own.iter().zip(costs).map(|(own, other)| own - other - MIN_GAIN).filter(|&gain| gain > 0.0);
        let (words, gain) = gains.fold((0, 0.0), |(words, sum), gain| (words + 1, sum + gain));
        let all = evidence.words.len();
        // Of many words, one is odd.
        let gain = gain - SECOND - MANY * (all as f32).ln() - rarity;
        Mixture { name, words, all, gain }
    };
    let pages = pages::all().iter().filter(|page| page.name != best.name);
    let pages = pages.map(|page| {
        let costs = part.words.iter().map(|word| {
            let of_language = cost(word, &page.chars, &model);
            of_language.min(cost(word, &page.chars, &Model::UNIVERSAL))
        });
        mixture(page.name, page.rarity as f32, costs.collect())
    });
    let wide = score::in_multi_byte(&part).into_iter().filter(|(encoding, _)| Some(*encoding) != best.encoding);
    let wide = wide.map(|(encoding, costs)| mixture(encoding.name(), MULTI_BYTE, costs));
    // What no encoding explains may be in an unknown one. Signs are rare enough without it.
    let of_unknown = |word: &Word| match best.page {
        Some(page) if has_letters(word, &page.chars) => cost_of_ascii(word, &model) + others(word) * UNKNOWN,
        _ => f32::INFINITY,
    };
    let unknown = part.words.iter().map(of_unknown);
    let unknown = mixture("another encoding", 0.0, unknown.collect());
    pages.chain(wide).chain([unknown]).max_by(|a, b| a.gain.total_cmp(&b.gain))
}

fn is_ascii(pair: &[u8]) -> bool {
    pair[0].is_ascii() && pair[1].is_ascii()
}

/// The number of pairs of a word that are not all ASCII.
fn others(word: &Word) -> f32 {
    word.bytes.windows(2).filter(|pair| !is_ascii(pair)).count() as f32
}

/// The cost of the ASCII pairs of a word.
fn cost_of_ascii(word: &Word, model: &Model) -> f32 {
    let chars = &pages::all()[0].chars;
    let pairs = word.bytes.windows(2).filter(|pair| is_ascii(pair));
    pairs.map(|pair| model.cost(chars[usize::from(pair[0])], chars[usize::from(pair[1])]) as f32).sum()
}

fn model_of(fit: &Fit) -> Model {
    let of_language = |language| models().iter().find(|model| model.language() == Some(language));
    fit.language.and_then(of_language).copied().unwrap_or(Model::UNIVERSAL)
}

fn has_letters(word: &Word, chars: &[Char; 256]) -> bool {
    word.bytes.iter().any(|&byte| !byte.is_ascii() && chars[usize::from(byte)].is_letter())
}

/// The cost of a word in a single-byte encoding.
fn cost(word: &Word, chars: &[Char; 256], model: &Model) -> f32 {
    let pairs = word.bytes.windows(2).map(|pair| [pair[0], pair[1]].map(|byte| chars[usize::from(byte)]));
    pairs.map(|[before, c]| model.cost(before, c) as f32).sum()
}
