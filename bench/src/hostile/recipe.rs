//! Recipes for inputs: a few items, each repeated some times, and all of that repeated until the input is long enough.
//!
//! The text form of a recipe is used in cell names and in `found.txt`. `a4a1*21 8161` is twenty-one times `A4 A1`, then `81
//! 61`, and again from the start. `1b2442 | 2422*3 ff` has a prefix that is not repeated. `~7 a1 ff` has its items in a
//! pseudo-random order, whose seed is the number. Items of UTF-16 have four digits for each code unit.

use std::{
    fmt::{self, Debug, Display},
    str::FromStr,
};

use anyhow::{Context as _, Error, Result, ensure};

/// A byte or a code unit, in hexadecimal.
pub(crate) trait Digits: Copy + Debug + PartialEq {
    /// The number of digits of a unit.
    const DIGITS: usize;

    fn to_u32(self) -> u32;

    /// Converts a value of at most [`DIGITS`](Self::DIGITS) digits.
    fn from_u32(value: u32) -> Self;
}

impl Digits for u8 {
    const DIGITS: usize = 2;

    fn to_u32(self) -> u32 {
        self.into()
    }

    fn from_u32(value: u32) -> Self {
        value as Self
    }
}

impl Digits for u16 {
    const DIGITS: usize = 4;

    fn to_u32(self) -> u32 {
        self.into()
    }

    fn from_u32(value: u32) -> Self {
        value as Self
    }
}

/// A repeated item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run<T> {
    pub(crate) item: Vec<T>,
    pub(crate) times: usize,
}

/// A recipe for an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recipe<T> {
    pub(crate) prefix: Vec<T>,
    pub(crate) runs: Vec<Run<T>>,
    /// The seed of a pseudo-random order of the runs, if they are shuffled.
    pub(crate) shuffle: Option<u64>,
}

impl<T: Digits> Recipe<T> {
    /// Creates a recipe from items with their repetitions.
    pub(crate) fn of(runs: &[(&[T], usize)]) -> Self {
        let runs = runs.iter().map(|&(item, times)| Run { item: item.to_vec(), times }).collect();
        Self { prefix: Vec::new(), runs, shuffle: None }
    }

    pub(crate) fn shuffled(self, seed: u64) -> Self {
        Self { shuffle: Some(seed), ..self }
    }

    pub(crate) fn after(self, prefix: &[T]) -> Self {
        Self { prefix: prefix.to_vec(), ..self }
    }

    /// Returns the input: at most `len` units, cut between two items.
    pub(crate) fn fill(&self, len: usize) -> Vec<T> {
        let mut units = self.prefix.clone();
        let mut random = self.shuffle.map(fastrand::Rng::with_seed);
        let items: Vec<&Run<T>> = self.runs.iter().filter(|run| !run.item.is_empty() && run.times > 0).collect();
        for at in 0.. {
            let Some(count) = (!items.is_empty()).then_some(items.len()) else { break };
            let run = items[random.as_mut().map_or(at % count, |random| random.usize(..count))];
            for _ in 0..run.times {
                if units.len() + run.item.len() > len {
                    return units;
                }
                units.extend_from_slice(&run.item);
            }
        }
        units
    }
}

impl<T: Digits> Display for Recipe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |item: &[T]| {
            let digits = item.iter().map(|unit| format!("{:01$x}", unit.to_u32(), T::DIGITS));
            digits.collect::<Vec<_>>().concat()
        };
        let mut words = Vec::new();
        if !self.prefix.is_empty() {
            words.extend([hex(&self.prefix), "|".to_owned()]);
        }
        words.extend(self.shuffle.map(|seed| format!("~{seed}")));
        words.extend(self.runs.iter().map(|Run { item, times }| match times {
            1 => hex(item),
            _ => format!("{}*{times}", hex(item)),
        }));
        f.write_str(&words.join(" "))
    }
}

impl<T: Digits> FromStr for Recipe<T> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (prefix, rest) = text.split_once('|').unwrap_or(("", text));
        let mut recipe = Self { prefix: item(prefix.trim())?, runs: Vec::new(), shuffle: None };
        for word in rest.split_whitespace() {
            if let Some(seed) = word.strip_prefix('~') {
                recipe.shuffle = Some(seed.parse()?);
                continue;
            }
            let (digits, times) = word.split_once('*').unwrap_or((word, "1"));
            let run = Run { item: item(digits)?, times: times.parse()? };
            ensure!(!run.item.is_empty() && run.times > 0, "{word} has no units");
            recipe.runs.push(run);
        }
        ensure!(!recipe.runs.is_empty(), "the recipe has no items: {text}");
        Ok(recipe)
    }
}

fn item<T: Digits>(digits: &str) -> Result<Vec<T>> {
    ensure!(digits.is_ascii() && digits.len().is_multiple_of(T::DIGITS), "{digits} has an incomplete unit");
    let unit = |at| u32::from_str_radix(&digits[at..at + T::DIGITS], 16).map(T::from_u32);
    (0..digits.len())
        .step_by(T::DIGITS)
        .map(|at| unit(at).with_context(|| format!("{digits} is not hexadecimal")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_round_trip() {
        for text in ["a4a1*21 8161", "1b2442 | 2422*3 ff", "~7 a1 ff", "61"] {
            assert_eq!(text.parse::<Recipe<u8>>().unwrap().to_string(), text);
        }
        for text in ["4e2d*20 d83dde00", "d800 | ~3 0061 4e2d"] {
            assert_eq!(text.parse::<Recipe<u16>>().unwrap().to_string(), text);
        }
        for text in ["", "a", "zz", "61*0", "61*x", "61 |", "~x 61", "é"] {
            assert!(text.parse::<Recipe<u8>>().is_err(), "{text}");
        }
        assert!("4e2".parse::<Recipe<u16>>().is_err());
    }

    #[test]
    fn inputs_are_cut_between_items() {
        let fill = |text: &str, len| text.parse::<Recipe<u8>>().unwrap().fill(len);
        assert_eq!(fill("a4a1*2 81", 7), b"\xA4\xA1\xA4\xA1\x81\xA4\xA1");
        assert_eq!(fill("a4a1*2 81", 6), b"\xA4\xA1\xA4\xA1\x81");
        assert_eq!(fill("1b2442 | 2422", 7), b"\x1B\x24\x42\x24\x22\x24\x22");
    }

    #[test]
    fn shuffles_depend_only_on_the_seed() {
        let fill = |text: &str| text.parse::<Recipe<u8>>().unwrap().fill(4096);
        assert_eq!(fill("~7 61 ff"), fill("~7 61 ff"));
        assert_ne!(fill("~7 61 ff"), fill("~8 61 ff"));
        let letters = fill("~7 61 ff").into_iter().filter(|&byte| byte == b'a');
        assert!((1500..2600).contains(&letters.count()));
    }
}
