//! `cargo xtask detection train`: counts the letter pairs of each language.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
};

use anyhow::{Context as _, Result, ensure};

use super::{
    detector_languages::{LANGUAGES, Language, ROWS},
    labelled::in_repertoire,
    languages,
    model::{Case, SEPARATOR, Symbols, without_case},
    texts::{Half, Texts},
};
use crate::root;

/// A character of at least this share of the characters is a symbol of the language.
const MIN_SHARE: f64 = 2e-5;

/// A pair counts this many times as often as expected from the frequency of its second symbol alone, if it does not occur.
const EXPECTED: f64 = 8.0;

/// The maximum cost of a character that is not a symbol of the language. The text may be in a similar language that has no
/// letter pairs.
const MAX_OTHER: u8 = 112;

/// The frequency of a symbol that does not occur in the text.
const MIN_FREQUENCY: f64 = 2e-6;

/// Writes `letter_pairs.bin` from the training half of the texts.
pub(crate) fn run(texts: &Path) -> Result<()> {
    let texts = Texts::read(texts)?;
    let mut cases = [[1.0; Case::COUNT]; Case::COUNT];
    let mut models = Vec::new();
    for language in &LANGUAGES {
        let text = training_text(&texts, language)?;
        let letters = letters_of(&text);
        models.push(u8::try_from(letters.len())?);
        for &letter in &letters {
            models.extend(u16::try_from(u32::from(letter))?.to_le_bytes());
        }
        let symbols = Symbols::new(letters);
        models.extend(costs(&text, &symbols));
        count_cases(&text, &mut cases);
        println!("{}: {} symbols from {} KB", language.name, symbols.count(), text.len() / 1000);
    }
    for language in &ROWS {
        models.extend(lead_costs(&language.encodings[0].encode(&training_text(&texts, language)?)?));
    }
    let mut model: Vec<u8> = Vec::new();
    for row in cases {
        let sum: f64 = row[Case::Lower as usize] + row[Case::Upper as usize];
        // Only letters with case have a cost.
        model.extend([0, cost_of(row[Case::Lower as usize] / sum), cost_of(row[Case::Upper as usize] / sum)]);
    }
    println!("costs of cases: {model:?}");
    model.extend(models);
    println!("{} bytes", model.len());
    Ok(fs::write(root().join("crates/textcodec-detect/src/letter_pairs.bin"), model)?)
}

fn training_text(texts: &Texts, language: &Language) -> Result<String> {
    let code = languages::LANGUAGES.iter().find(|tested| tested.name == language.name).map(|tested| tested.code);
    let paragraphs = texts.half(code.context(language.name)?, Half::Training);
    ensure!(!paragraphs.is_empty(), "no text in {}", language.name);
    Ok(in_repertoire(&paragraphs.join("\n"), language.encodings[0]))
}

/// Returns the letters and marks of a text that become symbols.
fn letters_of(text: &str) -> Vec<char> {
    let mut counts: BTreeMap<char, u32> = BTreeMap::new();
    for c in text.chars().map(without_case) {
        if c.is_ascii_lowercase() || !c.is_ascii() {
            *counts.entry(c).or_default() += 1;
        }
    }
    let all: u32 = counts.values().sum();
    let ascii: u32 = counts.iter().filter(|(c, _)| c.is_ascii()).map(|(_, count)| count).sum();
    let is_frequent = |count: u32| f64::from(count) > MIN_SHARE * f64::from(all);
    if ascii * 2 > all {
        counts.retain(|c, count| c.is_ascii() || is_frequent(*count));
    } else {
        counts.retain(|&c, count| c == 'a' || !c.is_ascii() && is_frequent(*count));
    }
    counts.into_keys().collect()
}

/// Returns the cost of each symbol after each other one.
fn costs(text: &str, symbols: &Symbols) -> Vec<u8> {
    let count = symbols.count();
    let mut pairs: HashMap<(usize, usize), f64> = HashMap::new();
    let mut before = SEPARATOR;
    for symbol in text.chars().map(|c| symbols.of(c)) {
        // A space after a space says nothing about the language.
        if (before, symbol) != (SEPARATOR, SEPARATOR) {
            *pairs.entry((before, symbol)).or_default() += 1.0;
        }
        before = symbol;
    }
    let sum = |fits: &dyn Fn(usize, usize) -> bool| -> f64 {
        pairs.iter().filter(|((before, symbol), _)| fits(*before, *symbol)).map(|(_, number)| number).sum()
    };
    let all = sum(&|_, _| true);
    let frequencies: Vec<f64> =
        (0..count).map(|symbol| (sum(&|_, second| second == symbol) / all).max(MIN_FREQUENCY)).collect();
    let mut costs = Vec::new();
    for before in 0..count {
        let after = sum(&|first, _| first == before);
        for (symbol, frequency) in frequencies.iter().enumerate() {
            let number = pairs.get(&(before, symbol)).copied().unwrap_or_default();
            let cost = cost_of((number + EXPECTED * frequency) / (after + EXPECTED));
            costs.push(if symbol == symbols.other() { cost.min(MAX_OTHER) } else { cost });
        }
    }
    costs
}

/// Returns the cost of each lead byte, for text in which characters are pairs of bytes from A1 on.
fn lead_costs(bytes: &[u8]) -> Vec<u8> {
    let mut counts = [0.0; 256];
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        if let (0xA1.., [0xA1..=0xFF, after @ ..]) = (first, after) {
            counts[usize::from(*first)] += 1.0;
            rest = after;
        }
    }
    let all: f64 = counts.iter().sum();
    counts.iter().map(|count| cost_of(((count + 1.0) / all).max(MIN_FREQUENCY))).collect()
}

fn count_cases(text: &str, cases: &mut [[f64; Case::COUNT]; Case::COUNT]) {
    let mut before = Case::None;
    for case in text.chars().map(Case::of) {
        cases[before as usize][case as usize] += 1.0;
        before = case;
    }
}

/// The logarithm of a frequency: 16 for each factor of e. The cost of a text is the sum over its pairs.
fn cost_of(frequency: f64) -> u8 {
    let exact = -16.0 * frequency.ln();
    (0..u8::MAX).find(|&cost| f64::from(cost) + 0.5 > exact).unwrap_or(u8::MAX)
}
