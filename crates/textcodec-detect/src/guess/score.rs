//! The cost of a text in each encoding.

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use once_cell::race::OnceBox;
use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8};
use textcodec_language::{Char, Group, LATIN, Language, Model, shared_cost};

use crate::trial::{cesu_8, has_surrogates, has_table};

use super::{
    domains,
    evidence::{Evidence, Pair, Word},
    pages::{self, Page},
};

/// The maximum cost of words that are all ASCII. They hint at the language, but often belong to markup or code.
const MAX_ASCII: f64 = 12.0 * 16.0;

/// The cost of ASCII words in a language of another script: English words occur in all of them.
const OTHER_ASCII: f64 = 3.0 * 16.0;

/// How much the ASCII words of a text say, compared with those that have other letters.
const ASCII_WEIGHT: f64 = 0.5;

/// The cost of a language that is not one of those that the caller expects.
const UNEXPECTED: f64 = 6.0 * 16.0;

/// The cost of a language that is not one of those of the top-level domain.
const OTHER_DOMAIN: f64 = 3.0 * 16.0;

/// The cost of languages in which there is less text.
const RARE_LANGUAGE: f64 = 1.5 * 16.0;
const RARE: [&str; 16] =
    ["mt", "cy", "br", "oc", "gd", "ga", "eo", "af", "az", "tg", "kk", "is", "eu", "gl", "sq", "fa"];

/// With a cost that is higher than the best by this, an encoding does not count.
const HOPELESS: f64 = 60.0 * 16.0;

/// The same without a language, as a part of the best.
const HOPELESS_RATIO: f64 = 1.2;

/// The cost of a letter that is repeated again and again.
pub(super) const RUN: f64 = 20.0 * 16.0;

/// The cost for each letter that is missing to the number of different ones that words have at least in a script other than Latin, and
/// the same in East Asia. A text with one such letter probably has none.
const ONE_LETTER: f64 = 3.0 * 16.0;
const LETTERS: usize = 4;
const WIDE_LETTERS: usize = 3;

/// How many encodings are tried with languages, and the difference to the best that is always tried.
const TRIED: usize = 10;

/// The multi-byte encodings, their rarity, and whether they have a language: the numbers of the models that are [wide](Model::is_wide).
const MULTI_BYTE: [(Encoding, f64, &[usize]); 5] =
    [(SHIFT_JIS, 8.0, &[0]), (EUC_JP, 20.0, &[0]), (EUC_KR, 12.0, &[1]), (GBK, 8.0, &[2, 3]), (BIG5, 12.0, &[3])];

/// The name of UTF-8 in which characters beyond the basic plane are two surrogates.
const CESU_8: &str = "CESU-8";

/// An encoding and the cost of the text in it.
pub(crate) struct Fit {
    pub(crate) name: &'static str,
    /// `None` if this build cannot decode it.
    pub(crate) encoding: Option<Encoding>,
    pub(crate) page: Option<&'static Page>,
    pub(crate) language: Option<Language>,
    /// The negative logarithm of the text's frequency, in sixteenths.
    pub(crate) cost: f64,
    /// The text, if the encoding is multi-byte.
    pub(super) text: Vec<u16>,
}

/// What the language of a model costs: the ASCII words of the text, and the language itself.
pub(super) struct Hints {
    languages: Vec<f64>,
    /// The models of alphabets, the likeliest language first.
    order: Vec<usize>,
    /// The cost of the ASCII pairs in words with non-ASCII bytes, which is the same in every single-byte encoding.
    plain: Vec<f64>,
    universal: f64,
    /// The cost of text in no language of the model, if languages are expected.
    no_language: f64,
}

pub(super) fn models() -> &'static [Model] {
    static MODELS: OnceBox<Vec<Model>> = OnceBox::new();
    MODELS.get_or_init(|| Box::new(Model::all().collect()))
}

impl Hints {
    pub(super) fn new(evidence: &Evidence, expected: &[Language], domain: Option<&str>) -> Self {
        let of_domain: Vec<&str> = domain.into_iter().flat_map(domains::languages).collect();
        let chars = &pages::all()[0].chars;
        let ascii = Decoded::new(&evidence.ascii, chars);
        let plain = Decoded::new(&evidence.plain, chars);
        let of_ascii = |model: &Model| -> f64 {
            if model.script() == LATIN && !evidence.ascii.is_empty() { ascii.cost(model) * ASCII_WEIGHT } else { 0.0 }
        };
        let costs: Vec<f64> = models().iter().map(of_ascii).collect();
        let latin = models().iter().zip(&costs).filter(|(model, _)| model.script() == LATIN);
        let least = latin.map(|(_, &cost)| cost).fold(f64::INFINITY, f64::min);
        let of_model = |(model, cost): (&Model, f64)| {
            let ascii = if model.script() == LATIN { (cost - least).min(MAX_ASCII) } else { OTHER_ASCII };
            let ascii = if least == 0.0 { 0.0 } else { ascii };
            let language = model.language();
            let rare =
                if language.is_some_and(|language| RARE.contains(&language.tag())) { RARE_LANGUAGE } else { 0.0 };
            let is_expected = expected.is_empty() || language.is_some_and(|language| expected.contains(&language));
            let is_of_domain =
                of_domain.is_empty() || language.is_some_and(|language| of_domain.contains(&language.tag()));
            ascii
                + if is_expected { 0.0 } else { UNEXPECTED }
                + if is_of_domain { 0.0 } else { OTHER_DOMAIN }
                + if expected.is_empty() { rare } else { 0.0 }
        };
        let languages: Vec<f64> = models().iter().zip(costs).map(of_model).collect();
        let plain_costs: Vec<f64> = models().iter().map(|model| plain.cost(model)).collect();
        let mut order: Vec<usize> = (0..models().len()).filter(|&n| !models()[n].is_wide()).collect();
        order.sort_by(|&a, &b| (languages[a] + plain_costs[a]).total_cmp(&(languages[b] + plain_costs[b])));
        Self {
            order,
            languages,
            plain: plain_costs,
            universal: plain.cost(&Model::UNIVERSAL),
            no_language: if expected.is_empty() { 0.0 } else { UNEXPECTED }
                + if of_domain.is_empty() { 0.0 } else { OTHER_DOMAIN },
        }
    }
}

/// The distinct pairs of a text's characters.
#[derive(Default)]
struct Decoded {
    /// What they cost in every language.
    shared: f64,
    /// Those that cost more, which depends on the language.
    letters: Vec<Letter>,
}

/// A letter after another character, and how much it counts.
struct Letter {
    before: Char,
    c: Char,
    weight: f64,
}

impl Decoded {
    fn new(pairs: &[Pair], chars: &[Char; 256]) -> Self {
        let pair = |pair: &Pair| (chars[usize::from(pair.before)], chars[usize::from(pair.byte)], pair.weight);
        pairs.iter().map(pair).collect()
    }

    fn cost(&self, model: &Model) -> f64 {
        self.cost_up_to(f64::INFINITY, 0.0, model)
    }

    /// Returns the cost and `more`, or something above the limit if they are.
    fn cost_up_to(&self, limit: f64, more: f64, model: &Model) -> f64 {
        let mut sum = self.shared + more;
        for letters in self.letters.chunks(16) {
            if sum > limit {
                break;
            }
            for Letter { before, c, weight } in letters {
                sum += f64::from(model.letter_cost(*before, *c)) * weight;
            }
        }
        sum
    }
}

impl FromIterator<(Char, Char, f64)> for Decoded {
    fn from_iter<I: IntoIterator<Item = (Char, Char, f64)>>(pairs: I) -> Self {
        let mut decoded = Self::default();
        for (before, c, weight) in pairs {
            decoded.shared += f64::from(shared_cost(before, c)) * weight;
            if c.is_letter() {
                decoded.letters.push(Letter { before, c, weight });
            }
        }
        decoded
    }
}

/// The cost of pairs of bytes that are these characters.
pub(super) fn cost(pairs: &[Pair], chars: &[Char; 256], model: &Model) -> f64 {
    let cost = |pair: &Pair| {
        pair.weight * f64::from(model.cost(chars[usize::from(pair.before)], chars[usize::from(pair.byte)]))
    };
    pairs.iter().map(cost).sum()
}

/// Returns how well the text fits each encoding, the best first.
pub(super) fn fits(evidence: &Evidence, hints: &Hints, wanted: impl Fn(Option<Encoding>) -> bool) -> Vec<Fit> {
    let mut universal: Vec<(f64, &'static Page)> = pages::all()
        .iter()
        .filter(|page| wanted(page.encoding))
        .map(|page| {
            (
                cost(&evidence.pairs, &page.chars, &Model::UNIVERSAL) + hints.universal + cost_of_page(page, evidence),
                page,
            )
        })
        .collect();
    universal.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut kept: Vec<(f64, &'static Page)> = Vec::new();
    let mut different = 0;
    for (cost, page) in universal {
        let is_same = kept.iter().any(|(_, kept)| kept.is_same(page, &evidence.bytes));
        different += usize::from(!is_same);
        let limit = kept.first().map_or(f64::INFINITY, |(best, _)| best * HOPELESS_RATIO + HOPELESS);
        if different <= TRIED && cost <= limit {
            kept.push((cost, page));
        }
    }
    let mut fits: Vec<Fit> = Vec::new();
    for (encoding, rarity, wide) in MULTI_BYTE {
        if wanted(Some(encoding)) {
            fits.extend(of_multi_byte(encoding, rarity, wide, evidence, hints));
        }
    }
    let utf_8 = wanted(Some(UTF_8)).then(|| of_unicode(UTF_8.name(), decoded(UTF_8, evidence), evidence, hints));
    let has_surrogates = evidence.words.iter().any(|word| has_surrogates(word.bytes));
    let of_cesu_8 = has_surrogates.then(|| of_unicode(CESU_8, in_cesu_8(evidence), evidence, hints));
    fits.extend(utf_8.flatten());
    fits.extend(
        of_cesu_8.flatten().map(|fit| Fit { encoding: cesu_8().filter(|&encoding| wanted(Some(encoding))), ..fit }),
    );
    let mut best = fits.iter().map(|fit| fit.cost).fold(f64::INFINITY, f64::min);
    fits.extend(kept.into_iter().map(|(cost, page)| {
        let fit = of_page(page, evidence, hints, cost, best + HOPELESS);
        best = best.min(fit.cost);
        fit
    }));
    fits.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    fits
}

/// Decodes the words in CESU-8.
fn in_cesu_8(evidence: &Evidence) -> Vec<u16> {
    let mut text = Vec::new();
    for Word { bytes, .. } in &evidence.words {
        let mut rest = *bytes;
        while !rest.is_empty() {
            let half = match rest {
                [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] => {
                    Some(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F))
                }
                _ => None,
            };
            if let Some(half) = half {
                text.push(half);
                rest = &rest[3..];
            } else {
                let end = rest[1..]
                    .windows(2)
                    .position(|next| next[0] == 0xED && next[1] >= 0xA0)
                    .map_or(rest.len(), |at| at + 1);
                text.extend(String::from_utf8_lossy(&rest[..end]).encode_utf16());
                rest = &rest[end..];
            }
        }
        text.push(super::sample::END.into());
    }
    text
}

/// Returns how well the text fits in a form of UTF-8, which has no language of its own. A few sequences may be malformed.
fn of_unicode(name: &'static str, text: Vec<u16>, evidence: &Evidence, hints: &Hints) -> Option<Fit> {
    let malformed = text.iter().filter(|&&unit| unit == 0xFFFD).count();
    if malformed * 3 > text.iter().filter(|&&unit| unit >= 0x80).count() {
        return None;
    }
    let hinted = models().iter().zip(hints.languages.iter().copied());
    let (cost, language) = cheapest(&text, evidence, hinted);
    Some(Fit { name, encoding: Some(UTF_8), page: None, language, cost, text })
}

/// `limit` is a cost above which the exact cost does not matter.
fn of_page(page: &'static Page, evidence: &Evidence, hints: &Hints, universal: f64, limit: f64) -> Fit {
    let decoded = Decoded::new(&evidence.pairs, &page.chars);
    let own = cost_of_page(page, evidence);
    let mut scripts = [false; 1 << 8];
    scripts[usize::from(LATIN)] = true;
    for Letter { c, .. } in decoded.letters.iter().filter(|letter| letter.c.letter() != 0) {
        scripts[usize::from(c.script())] = true;
    }
    let mut best = Fit {
        name: page.name,
        encoding: page.encoding,
        page: Some(page),
        language: None,
        cost: universal + 32.0 + hints.no_language,
        text: Vec::new(),
    };
    let mut chosen = 0;
    for &n in &hints.order {
        let model = &models()[n];
        if scripts[usize::from(model.script())] {
            let more = own + hints.plain[n] + hints.languages[n] + page.missing[n];
            let cost = decoded.cost_up_to(limit.min(best.cost), more, model);
            // Of languages that cost the same, the first is the answer, whatever the order of trying.
            let is_better = cost.total_cmp(&best.cost).then(n.cmp(&chosen)).is_lt();
            if is_better && cost <= limit {
                (best.cost, best.language, chosen) = (cost, model.language(), n);
            }
        }
    }
    best
}

/// What a page costs in addition to its pairs.
fn cost_of_page(page: &Page, evidence: &Evidence) -> f64 {
    let is_in_words = |&byte: &u8| is_word_character(page.chars[usize::from(byte)]);
    let runs = evidence.runs.iter().filter(|run| run.iter().any(is_in_words)).count();
    f64::from(page.rarity) + runs as f64 * RUN + few_letters(page, evidence)
}

/// The cost of having few different letters of a script other than Latin.
fn few_letters(page: &Page, evidence: &Evidence) -> f64 {
    let chars = evidence.bytes.iter().map(|&byte| page.chars[usize::from(byte)]);
    match chars.filter(|c| c.is_letter() && c.script() != LATIN).count() {
        0 => 0.0,
        count => LETTERS.saturating_sub(count) as f64 * ONE_LETTER,
    }
}

/// Decodes the words in an encoding.
fn decoded(encoding: Encoding, evidence: &Evidence) -> Vec<u16> {
    let mut bytes = Vec::new();
    for Word { bytes: word, .. } in &evidence.words {
        bytes.extend_from_slice(word);
        bytes.push(super::sample::END);
    }
    let mut units = vec![0; bytes.len() * 2 + 16];
    let mut decoder = encoding.decoder();
    let progress = decoder.decode_to_utf16(&bytes, &mut units, true);
    has_table(&progress);
    units.truncate(progress.written);
    units
}

/// The cost of each word.
pub(super) fn costs_of_words(text: &[u16], evidence: &Evidence, model: &Model) -> Vec<f64> {
    let lines = text.split(|&unit| unit == u16::from(super::sample::END));
    lines.zip(&evidence.words).map(|(line, _)| cost_of_word(line, model)).collect()
}

fn cost_of_word(line: &[u16], model: &Model) -> f64 {
    let Some((&first, rest)) = line.split_first() else { return 0.0 };
    let mut before = char_of(first);
    let mut sum = 0;
    for c in rest.iter().copied().map(char_of) {
        sum += model.cost(before, c);
        before = c;
    }
    f64::from(sum)
}

fn char_of(unit: u16) -> Char {
    Char::new(char::from_u32(unit.into()).unwrap_or('\u{1F600}'))
}

fn of_multi_byte(encoding: Encoding, rarity: f64, wide: &[usize], evidence: &Evidence, hints: &Hints) -> Option<Fit> {
    let text = decoded(encoding, evidence);
    let malformed = text.iter().filter(|&&unit| unit == 0xFFFD).count();
    if malformed * 4 > text.iter().filter(|&&unit| unit >= 0x80).count() {
        return None;
    }
    let first = models().iter().position(Model::is_wide)?;
    let runs = letters_in_runs(&text) as f64 * RUN;
    let mut wide_letters: Vec<u16> =
        text.iter().copied().filter(|&unit| unit >= 0x2E80 && char_of(unit).is_letter()).collect();
    wide_letters.sort_unstable();
    wide_letters.dedup();
    let few = match wide_letters.len() {
        0 => 0.0,
        count => WIDE_LETTERS.saturating_sub(count) as f64 * ONE_LETTER,
    };
    let runs = runs + few;
    let universal = (&Model::UNIVERSAL, 32.0 + hints.no_language);
    let wide = wide.iter().map(|n| (&models()[first + n], hints.languages[first + n]));
    let (cost, language) = cheapest(&text, evidence, wide.chain([universal]));
    let cost = cost + rarity + runs;
    let name = encoding.name();
    Some(Fit { name, encoding: Some(encoding), page: None, language, cost, text })
}

/// Returns whether a character belongs to words, so that it is not repeated again and again.
fn is_word_character(c: Char) -> bool {
    c.is_letter() || c.group() == Group::HalfKatakana
}

/// Returns the cost of a text in the cheapest of the models, and its language. Each model has a cost of its own.
fn cheapest<'a>(
    text: &[u16],
    evidence: &Evidence,
    models: impl Iterator<Item = (&'a Model, f64)>,
) -> (f64, Option<Language>) {
    let decoded: Decoded = pairs_of(text, evidence).collect();
    let (mut cost, mut language) = (f64::INFINITY, None);
    for (model, own) in models {
        let sum = decoded.cost_up_to(cost, own, model);
        if sum < cost {
            (cost, language) = (sum, model.language());
        }
    }
    (cost, language)
}

/// Returns the characters of a text after each other, and how much they count.
fn pairs_of<'a>(text: &'a [u16], evidence: &'a Evidence) -> impl Iterator<Item = (Char, Char, f64)> + 'a {
    let lines = text.split(|&unit| unit == u16::from(super::sample::END)).zip(&evidence.words);
    lines.flat_map(|(line, word)| {
        let chars = line.iter().copied().map(char_of);
        let mut before = None;
        chars.filter_map(move |c| Some((before.replace(c)?, c, word.weight)))
    })
}

/// Returns the number of distinct letters that are repeated again and again.
fn letters_in_runs(text: &[u16]) -> usize {
    let is_run = |units: &&[u16]| units.iter().all(|&unit| unit == units[0]) && is_word_character(char_of(units[0]));
    let mut units: Vec<u16> = text.windows(4).filter(is_run).map(|units| units[0]).collect();
    units.sort_unstable();
    units.dedup();
    units.len()
}

/// Returns the cost of each word in each multi-byte encoding, in the likeliest of its languages.
pub(super) fn in_multi_byte(evidence: &Evidence) -> Vec<(Encoding, Vec<f64>)> {
    let first = models().iter().position(Model::is_wide).unwrap_or_default();
    let costs = |encoding: Encoding, models: &[Model]| {
        let text = decoded(encoding, evidence);
        let all = models.iter().map(|model| costs_of_words(&text, evidence, model));
        let sum = |costs: &Vec<f64>| costs.iter().sum::<f64>();
        all.min_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap_or_default()
    };
    let wide = MULTI_BYTE.iter().map(|&(encoding, _, wide)| {
        let models: Vec<Model> = wide.iter().map(|n| models()[first + n]).collect();
        (encoding, costs(encoding, &models))
    });
    let is_utf_8 = evidence.words.iter().any(|word| str::from_utf8(word.bytes).is_ok());
    wide.chain(is_utf_8.then(|| (UTF_8, costs(UTF_8, models())))).collect()
}

/// Returns whether the text has letters beyond ASCII in a multi-byte encoding.
pub(super) fn has_wide_letters(fit: &Fit) -> bool {
    fit.text.iter().any(|&unit| unit >= 0x80 && char_of(unit).is_letter())
}
