//! Generates and mutates recipes, the candidates of the search.

use fastrand::Rng;

use super::recipe::{Digits, Recipe, Run};

/// The maximum number of runs in a recipe.
const MAX_RUNS: usize = 12;
/// The maximum number of units in an item or a prefix.
const MAX_ITEM: usize = 48;
/// The maximum number of repetitions of an item.
const MAX_TIMES: usize = 64;

/// Random units.
pub(crate) trait Random: Digits {
    /// Returns a few random units.
    fn sequence(rng: &mut Rng) -> Vec<Self>;

    /// Returns a unit with a similar value, or any unit.
    fn change(self, rng: &mut Rng) -> Self;
}

/// Bytes at which decoders branch.
const BYTES: &[u8] = b"\x00\n\x0E\x0F\x1B !$(09@AZ\\a~\x7F\x80\x81\x84\x87\x8E\x8F\x9F\xA0\xA1\xA3\xC0\xC2\xC9\xD8\xDC\xDF\xE0\xED\xEF\xF0\xF4\xF9\xFC\xFD\xFE\xFF";

impl Random for u8 {
    fn sequence(rng: &mut Rng) -> Vec<Self> {
        (0..rng.usize(1..=4)).map(|_| if rng.bool() { rng.u8(..) } else { BYTES[rng.usize(..BYTES.len())] }).collect()
    }

    fn change(self, rng: &mut Rng) -> Self {
        match rng.u8(..4) {
            0 => self.wrapping_add(1),
            1 => self.wrapping_sub(1),
            2 => BYTES[rng.usize(..BYTES.len())],
            _ => rng.u8(..),
        }
    }
}

/// Ranges of characters that encoders treat differently.
const CHARACTERS: [(u32, u32); 12] = [
    (0, 0x7F),
    (0x80, 0xFF),
    (0x100, 0x52F),
    (0x590, 0x6FF),
    (0xE00, 0xE7F),
    (0x1E00, 0x26FF),
    (0x3000, 0x33FF),
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xE000, 0xFFFF),
    (0x1_F300, 0x1_F6FF),
    (0x2_0000, 0x2_FFFF),
];

impl Random for u16 {
    fn sequence(rng: &mut Rng) -> Vec<Self> {
        let mut units = Vec::new();
        for _ in 0..rng.usize(1..=3) {
            // One in ten is a surrogate, which may be unpaired.
            if rng.u8(..10) == 0 {
                units.push(rng.u16(0xD800..=0xDFFF));
                continue;
            }
            let (first, last) = CHARACTERS[rng.usize(..CHARACTERS.len())];
            if let Some(c) = char::from_u32(rng.u32(first..=last)) {
                units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            }
        }
        units
    }

    fn change(self, rng: &mut Rng) -> Self {
        match rng.u8(..4) {
            0 => self.wrapping_add(1),
            1 => self.wrapping_sub(1),
            2 => self ^ (1 << rng.u8(..16)),
            _ => rng.u16(..),
        }
    }
}

/// Generates recipes over an alphabet.
pub(crate) struct Maker<T> {
    /// The items of an encoding's classes, and the prefixes.
    pub(crate) alphabet: Vec<Vec<T>>,
    pub(crate) rng: Rng,
}

impl<T: Random> Maker<T> {
    /// Returns a random recipe.
    pub(crate) fn random(&mut self) -> Recipe<T> {
        let count = 1 + self.rng.usize(..3) + self.rng.usize(..4);
        let runs = (0..count).map(|_| self.run()).collect();
        let prefix = if self.rng.u8(..6) == 0 { self.prefix() } else { Vec::new() };
        let shuffle = (self.rng.u8(..5) == 0).then(|| self.rng.u64(..1000));
        Recipe { prefix, runs, shuffle }
    }

    /// Returns a mutation of a recipe. It may add runs from `others`.
    pub(crate) fn mutate(&mut self, recipe: &Recipe<T>, others: &[&Recipe<T>]) -> Recipe<T> {
        let mut changed = recipe.clone();
        for _ in 0..=self.rng.usize(..3) {
            self.change(&mut changed, others);
        }
        changed
    }

    fn change(&mut self, recipe: &mut Recipe<T>, others: &[&Recipe<T>]) {
        let at = self.rng.usize(..recipe.runs.len());
        let full = recipe.runs.len() >= MAX_RUNS;
        match self.rng.u8(..12) {
            0 => recipe.runs[at].item = self.item(),
            1 if !full => {
                let run = self.run();
                recipe.runs.insert(at, run);
            }
            2 if recipe.runs.len() > 1 => {
                recipe.runs.remove(at);
            }
            3 if !full => recipe.runs.insert(at, recipe.runs[at].clone()),
            4 => recipe.runs[at].times = self.times(),
            5 => recipe.runs[at].times = (recipe.runs[at].times + 1).min(MAX_TIMES),
            6 => recipe.runs[at].times = (recipe.runs[at].times - 1).max(1),
            7 => {
                let item = &mut recipe.runs[at].item;
                let unit = self.rng.usize(..item.len());
                item[unit] = item[unit].change(&mut self.rng);
            }
            8 => self.edit(&mut recipe.runs[at].item),
            9 if !full && !others.is_empty() => {
                let other = others[self.rng.usize(..others.len())];
                let free = MAX_RUNS - recipe.runs.len();
                recipe.runs.extend(other.runs.iter().take(free).cloned());
            }
            10 => recipe.shuffle = self.rng.bool().then(|| self.rng.u64(..1000)),
            _ => recipe.prefix = if self.rng.bool() { self.prefix() } else { Vec::new() },
        }
    }

    /// Inserts, deletes or doubles units of an item.
    fn edit(&mut self, item: &mut Vec<T>) {
        let at = self.rng.usize(..item.len());
        match self.rng.u8(..3) {
            0 if item.len() > 1 => {
                item.remove(at);
            }
            1 if 2 * item.len() <= MAX_ITEM => item.extend_from_within(..),
            _ => {
                let more = self.item();
                item.splice(at..at, more);
                item.truncate(MAX_ITEM);
            }
        }
    }

    fn run(&mut self) -> Run<T> {
        Run { item: self.item(), times: self.times() }
    }

    /// Returns an item of the alphabet, a random sequence, or two items.
    fn item(&mut self) -> Vec<T> {
        let mut item = match self.rng.u8(..10) {
            0..6 => self.alphabet[self.rng.usize(..self.alphabet.len())].clone(),
            6..8 => T::sequence(&mut self.rng),
            _ => [self.item(), self.item()].concat(),
        };
        if item.is_empty() {
            item.clone_from(&self.alphabet[0]);
        }
        item.truncate(MAX_ITEM);
        item
    }

    /// Returns a number of repetitions. Half of the results are 1, the others are of all magnitudes.
    fn times(&mut self) -> usize {
        if self.rng.bool() {
            return 1;
        }
        let max = 1 << self.rng.usize(1..=6);
        self.rng.usize(1..=max.min(MAX_TIMES))
    }

    /// Returns a prefix, which moves the runs to another offset or into another state.
    fn prefix(&mut self) -> Vec<T> {
        let item = self.item();
        let times = self.times();
        let mut prefix = item.repeat(times);
        prefix.truncate(MAX_ITEM);
        prefix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maker(seed: u64) -> Maker<u8> {
        Maker { alphabet: vec![b"\xA4\xA1".to_vec(), b"a".to_vec()], rng: Rng::with_seed(seed) }
    }

    fn is_within_bounds<T: Digits>(recipe: &Recipe<T>) -> bool {
        (1..=MAX_RUNS).contains(&recipe.runs.len())
            && recipe.prefix.len() <= MAX_ITEM
            && recipe
                .runs
                .iter()
                .all(|run| (1..=MAX_ITEM).contains(&run.item.len()) && (1..=MAX_TIMES).contains(&run.times))
    }

    #[test]
    fn recipes_keep_within_bounds() {
        let mut maker = maker(1);
        let mut recipe = maker.random();
        for _ in 0..20_000 {
            assert!(is_within_bounds(&recipe), "{recipe}");
            let other = maker.random();
            assert!(is_within_bounds(&other), "{other}");
            recipe = maker.mutate(&recipe, &[&other]);
        }
        let mut maker = Maker { alphabet: vec![vec![0x4E2D]], rng: Rng::with_seed(1) };
        let mut recipe: Recipe<u16> = maker.random();
        for _ in 0..20_000 {
            recipe = maker.mutate(&recipe, &[]);
            assert!(is_within_bounds(&recipe), "{recipe}");
        }
    }

    #[test]
    fn seeds_determine_recipes() {
        let some = |seed| {
            let mut maker = maker(seed);
            (0..20).map(|_| maker.random().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
    }

    #[test]
    fn text_forms_of_recipes_round_trip() {
        let mut maker = maker(3);
        for _ in 0..1000 {
            let recipe = maker.random();
            assert_eq!(recipe.to_string().parse::<Recipe<u8>>().unwrap(), recipe);
        }
    }
}
