//! The frequent characters of Chinese, Japanese and Korean.

use std::collections::BTreeMap;

use anyhow::Result;
use textcodec_language::Group;

use super::{File, Training, classes::class, frequent};

/// The languages, in the order of the data. Chinese has two scripts.
const LANGUAGES: [(&str, &[&str]); 4] = [
    ("ja", &[frequent::JAPANESE, frequent::HIRAGANA]),
    ("ko", &[frequent::KOREAN]),
    ("zh", &[frequent::SIMPLIFIED]),
    ("zh-Hant", &[frequent::TRADITIONAL]),
];

/// How much a list of frequent characters counts, compared with the texts.
const SHARE: f64 = 0.5;

/// The maximum number of characters for each language.
const MAX_CHARACTERS: usize = 1600;

/// The costs of the bands. A character belongs to the nearest one.
const BANDS: [u8; 14] = [40, 50, 58, 65, 72, 79, 86, 93, 100, 107, 114, 121, 128, 135];

pub(super) fn write(training: &Training, file: &mut File) -> Result<()> {
    file.len(LANGUAGES.len())?;
    for (tag, lists) in LANGUAGES {
        let mut counts: BTreeMap<u16, f64> = BTreeMap::new();
        for unit in training.text(tag).encode_utf16().filter(|&unit| class(unit).0 == Group::Wide as u8) {
            *counts.entry(unit).or_default() += 1.0;
        }
        // The texts are about software.
        let sum: f64 = counts.values().sum();
        for list in lists {
            let usual = frequencies(list);
            for (unit, frequency) in list.encode_utf16().zip(usual) {
                *counts.entry(unit).or_default() += SHARE * sum * frequency;
            }
        }
        let all: f64 = counts.values().sum();
        let mut characters: Vec<(u16, f64)> = counts.into_iter().collect();
        characters.sort_by(|a, b| b.1.total_cmp(&a.1));
        characters.truncate(MAX_CHARACTERS);
        println!("{tag}: {} characters", characters.len());
        let mut bands: BTreeMap<u8, Vec<u16>> = BTreeMap::new();
        for (unit, count) in characters {
            let exact = -16.0 * (count / all).ln();
            let distance = |band: &u8| (f64::from(*band) - exact).abs();
            let band = BANDS.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(&135);
            bands.entry(*band).or_default().push(unit);
        }
        file.len(bands.len())?;
        for (band, units) in &bands {
            file.0.push(*band);
            file.len(units.len())?;
        }
        for unit in bands.into_values().flat_map(|mut units| {
            units.sort_unstable();
            units
        }) {
            file.unit(unit);
        }
    }
    Ok(())
}

/// Returns the frequencies of characters in the order of their ranks, by the law of Zipf and Mandelbrot.
fn frequencies(list: &str) -> impl Iterator<Item = f64> {
    let weight = |rank: usize| 1.0 / (f64::from(u32::try_from(rank).unwrap_or(u32::MAX)) + 30.0);
    let count = list.encode_utf16().count();
    let sum: f64 = (0..count).map(weight).sum();
    (0..count).map(move |rank| weight(rank) / sum)
}
