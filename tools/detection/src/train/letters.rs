//! The letter pairs of languages.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use textcodec_language::{Group, Language};

use super::{File, Training, classes::class};

/// A letter of at least this share of the letters belongs to the language.
const MIN_SHARE: f64 = 3e-5;

/// What is taken from each pair that occurs, and given to those that do not.
const DISCOUNT: f64 = 0.6;

/// The costs of pairs: negative logarithms of frequencies, times 16.
const LEVELS: [u8; 16] = [4, 10, 16, 22, 28, 34, 40, 46, 53, 61, 70, 80, 91, 103, 116, 130];

/// Writes the levels, and the letters and costs of each language that has letters.
pub(super) fn write(training: &Training, file: &mut File) -> Result<()> {
    file.0.extend(LEVELS);
    let languages: Vec<Language> = Language::all().filter(|language| !is_wide(*language)).collect();
    file.len(languages.len())?;
    for language in languages {
        let text: Vec<Option<char>> = training.text(language.tag()).chars().map(letter_of).collect();
        let letters = letters(&text);
        println!("{}: {} {}", language.tag(), text.len(), letters.iter().collect::<String>());
        file.0.push(u8::try_from(letters.len())?);
        for &letter in &letters {
            file.unit(u16::try_from(u32::from(letter))?);
        }
        let levels: Vec<u8> = costs(&text, &letters).into_iter().map(level).collect();
        file.0.extend(levels.chunks(2).map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4));
    }
    Ok(())
}

pub(super) fn is_wide(language: Language) -> bool {
    matches!(language.tag(), "ja" | "ko" | "zh")
}

/// Returns the letter or mark without case. `None` is what separates words.
fn letter_of(c: char) -> Option<char> {
    let (group, _) = class(u16::try_from(u32::from(c)).ok()?);
    let is_letter = (Group::Lower as u8..=Group::Mark as u8).contains(&group);
    let mut lower = c.to_lowercase();
    is_letter.then(|| lower.next().filter(|_| lower.next().is_none()).unwrap_or(c))
}

/// Returns the letters of a language, in the order of Unicode: those of one script.
fn letters(text: &[Option<char>]) -> Vec<char> {
    let mut counts: BTreeMap<char, f64> = BTreeMap::new();
    text.iter().flatten().for_each(|&letter| *counts.entry(letter).or_default() += 1.0);
    let script = |letter: char| class(letter as u16).1;
    let mut scripts: BTreeMap<u8, f64> = BTreeMap::new();
    for (&letter, count) in &counts {
        *scripts.entry(script(letter)).or_default() += count;
    }
    // Manuals have many Latin words in every language.
    let of_others = scripts.iter().filter(|(script, _)| **script > 1).max_by(|a, b| a.1.total_cmp(b.1));
    let latin = scripts.get(&1).copied().unwrap_or_default();
    let (own, sum) = of_others.filter(|(_, sum)| **sum > latin / 4.0).map_or((1, latin), |(&own, &sum)| (own, sum));
    counts.retain(|&letter, count| script(letter) == own && (*count / sum > MIN_SHARE || letter.is_ascii()));
    counts.into_keys().collect()
}

/// Returns the frequency of each symbol after each other one, if it is a letter that follows.
fn costs(text: &[Option<char>], letters: &[char]) -> Vec<f64> {
    let count = letters.len() + 2;
    let symbol =
        |letter: Option<char>| letter.map_or(0, |letter| letters.binary_search(&letter).map_or(count - 1, |at| at + 1));
    let mut pairs: HashMap<(usize, usize), f64> = HashMap::new();
    let mut before = 0;
    for &letter in text {
        let symbol = symbol(letter);
        if symbol != 0 {
            *pairs.entry((before, symbol)).or_default() += 1.0;
        }
        before = symbol;
    }
    let mut totals = vec![0.0; count];
    let mut after = vec![0.0; count];
    let mut kinds = vec![0.0; count];
    for (&(before, symbol), number) in &pairs {
        totals[symbol] += number;
        after[before] += number;
        kinds[before] += 1.0;
    }
    // One is added to each.
    let all: f64 = totals.iter().map(|total| total + 1.0).sum();
    let mut costs = Vec::new();
    for before in 0..count {
        for (symbol, total) in totals.iter().enumerate() {
            let base = (total + 1.0) / all;
            let number = pairs.get(&(before, symbol)).copied().unwrap_or_default();
            let (sum, rest) = (after[before] + 2.0, DISCOUNT * kinds[before] + 2.0);
            let frequency = ((number - DISCOUNT).max(0.0) + rest * base) / sum;
            costs.push(-16.0 * frequency.ln());
        }
    }
    costs
}

/// Returns the nearest level.
fn level(cost: f64) -> u8 {
    let distance = |level: u8| (f64::from(level) - cost).abs();
    let nearest = (0..LEVELS.len()).min_by(|&a, &b| distance(LEVELS[a]).total_cmp(&distance(LEVELS[b])));
    nearest.unwrap_or_default() as u8
}
