//! Looks for what costs most: makes recipes, measures them, keeps the worst and changes them.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use bench_abi::{Errors, Operation};
use fastrand::Rng;

use super::{
    Case, Contenders, Input, Outcome, Shape, Times, Way, characters,
    classes::{self, Classes},
    found,
    make::{Maker, Random},
    patterns,
    recipe::Recipe,
    report::{self, Measure},
    run,
};
use crate::{
    engines::{Level, Loaded, OURS},
    inputs::Prepared,
    measure,
    units::Units,
};

/// What to search.
pub(crate) struct Limits<'a> {
    pub(crate) minutes: f64,
    /// Only this encoding.
    pub(crate) encoding: Option<&'a str>,
    pub(crate) seed: u64,
}

/// How many of the worst recipes are kept for each level and measure.
const KEPT: usize = 8;
/// How long one way is searched before the next one has its turn.
const SLICE: Duration = Duration::from_millis(150);
/// Candidates are measured shortly; what looks bad is measured again.
const QUICK_NS: u64 = 4_000;
const QUICK_PASSES: usize = 2;

/// Searches until the time is over, measures what was found with care, and returns that.
pub(crate) fn search(
    engines: &[Loaded],
    limits: &Limits<'_>,
    passes: usize,
    mut progress: impl FnMut(u64, &str),
) -> Result<Vec<Outcome>> {
    let mut hunts = hunts(engines, limits)?;
    let end = Instant::now() + Duration::from_secs_f64(60.0 * limits.minutes);
    let mut tried = 0;
    while Instant::now() < end {
        for hunt in &mut hunts {
            tried += hunt.search(engines, SLICE).with_context(|| hunt.way().name())?;
            progress(tried, &hunt.way().name());
            if Instant::now() >= end {
                break;
            }
        }
    }
    let mut cases: Vec<Case> = hunts.iter().flat_map(|hunt| hunt.worst()).collect();
    let mut names = BTreeSet::new();
    cases.retain(|case| names.insert(case.name.clone()));
    let (outcomes, _) = run(engines, cases, passes, |done, name| progress(tried + done as u64, name))?;
    Ok(outcomes)
}

/// A hunt for each way.
fn hunts(engines: &[Loaded], limits: &Limits<'_>) -> Result<Vec<Box<dyn Hunting>>> {
    let wanted = |encoding: &str| limits.encoding.is_none_or(|wanted| wanted.eq_ignore_ascii_case(encoding));
    let mut hunts: Vec<Box<dyn Hunting>> = Vec::new();
    let decoding = [Operation::DecodeToUtf8, Operation::DecodeToUtf16].map(|operation| (operation, Errors::Replace));
    let encoding = [Operation::EncodeFromUtf8, Operation::EncodeFromUtf16]
        .into_iter()
        .flat_map(|operation| [Errors::Html, Errors::Report].map(|errors| (operation, errors)));
    let encoding: Vec<_> = encoding.collect();
    let found = found::cases()?;
    let start = Start { engines, seed: limits.seed, found: &found };
    start.add(&mut hunts, &classes::ALL, &decoding, wanted);
    start.add(&mut hunts, &characters::ALL, &encoding, wanted);
    ensure!(!hunts.is_empty(), "no encoding has such a name");
    Ok(hunts)
}

/// What all hunts start with.
struct Start<'a> {
    engines: &'a [Loaded],
    seed: u64,
    found: &'a [Case],
}

impl Start<'_> {
    fn add<T: Input + Random>(
        &self,
        hunts: &mut Vec<Box<dyn Hunting>>,
        all: &[Classes<T>],
        ways: &[(Operation, Errors)],
        wanted: impl Fn(&str) -> bool,
    ) {
        // An encoding with several states has several lists of classes.
        let mut encodings: BTreeMap<&'static str, Vec<&Classes<T>>> = BTreeMap::new();
        for classes in all.iter().filter(|classes| wanted(classes.encoding)) {
            encodings.entry(classes.encoding).or_default().push(classes);
        }
        for (encoding, lists) in encodings {
            for &(operation, errors) in ways {
                let way = Way { operation, encoding, errors, shape: Shape::Whole };
                hunts.push(Box::new(Hunt::new(self, way, &lists)));
            }
        }
    }
}

trait Hunting {
    fn way(&self) -> Way;

    /// Returns how many recipes were tried.
    fn search(&mut self, engines: &[Loaded], slice: Duration) -> Result<u64>;

    fn worst(&self) -> Vec<Case>;
}

/// A search in one way.
struct Hunt<T> {
    way: Way,
    contenders: Contenders,
    maker: Maker<T>,
    /// Recipes to try first: the patterns of the cells.
    waiting: Vec<Recipe<T>>,
    leagues: Vec<League<T>>,
    room: Units,
}

/// The worst recipes at a level, by one measure, the worst first.
struct League<T> {
    level: Level,
    measure: Measure,
    worst: Vec<(f64, Recipe<T>)>,
}

impl<T: Input + Random> Hunt<T> {
    fn new(start: &Start<'_>, way: Way, lists: &[&Classes<T>]) -> Self {
        let &Start { engines, seed, found } = start;
        let prefixes = lists.iter().map(|list| list.prefix).filter(|prefix| !prefix.is_empty());
        let items = lists.iter().flat_map(|list| list.all).map(|class| class.units);
        let alphabet = items.chain(prefixes).map(<[T]>::to_vec).collect();
        let leagues = report::levels(engines)
            .into_iter()
            .flat_map(|level| Measure::ALL.map(|measure| League { level, measure, worst: Vec::new() }));
        // What was found in one form or with one policy is likely to be bad in others.
        let alike = |case: &&Case| (case.way.decodes(), case.way.encoding) == (way.decodes(), way.encoding);
        let found = found.iter().filter(alike).filter_map(|case| case.recipe.parse().ok());
        let waiting = lists.iter().flat_map(|list| patterns::of(list)).map(|pattern| pattern.recipe).chain(found);
        let mut room = Units::new(way.operation.unit_out());
        room.resize(10 * super::LEN + 64);
        Self {
            way,
            contenders: Contenders::open(engines, way),
            maker: Maker { alphabet, rng: Rng::with_seed(seed) },
            waiting: waiting.collect(),
            leagues: leagues.collect(),
            room,
        }
    }

    fn next(&mut self) -> Recipe<T> {
        if let Some(recipe) = self.waiting.pop() {
            return recipe;
        }
        let worst: Vec<&Recipe<T>> =
            self.leagues.iter().flat_map(|league| &league.worst).map(|(_, recipe)| recipe).collect();
        if worst.is_empty() || self.maker.rng.u8(..4) == 0 {
            return self.maker.random();
        }
        let chosen = worst[self.maker.rng.usize(..worst.len())];
        self.maker.mutate(chosen, &worst)
    }

    /// Tries a recipe, and keeps it where it is bad enough, twice.
    fn try_out(&mut self, engines: &[Loaded], recipe: &Recipe<T>) -> Result<()> {
        let Some(src) = T::fill(recipe, self.way).filter(|src| src.len() > 0) else { return Ok(()) };
        let units = src.len();
        let prepared = Prepared::one(src, Units::new(self.way.operation.unit_out()));
        let contenders = &mut self.contenders.all;
        let times = measure::fastest(contenders, &prepared, &mut self.room, QUICK_PASSES, QUICK_NS);
        let times: Times = contenders.iter().zip(times).map(|(contender, ns)| (contender.engine, ns)).collect();
        if !self
            .leagues
            .iter()
            .any(|league| league.score(engines, &times, units).is_some_and(|score| league.takes(score)))
        {
            return Ok(());
        }
        let clock = |contenders: &mut [measure::Contender], prepared: &Prepared, room: &mut Units| {
            measure::fastest(contenders, prepared, room, QUICK_PASSES, 2 * QUICK_NS)
        };
        let again = self.contenders.measure(engines, &prepared.src, clock);
        let (again, _) = again.with_context(|| format!("pattern {recipe}"))?;
        for league in &mut self.leagues {
            let score = league.score(engines, &times, units).zip(league.score(engines, &again, units));
            if let Some((first, second)) = score {
                league.enter(first.min(second), recipe);
            }
        }
        Ok(())
    }
}

impl<T: Input + Random> Hunting for Hunt<T> {
    fn way(&self) -> Way {
        self.way
    }

    fn search(&mut self, engines: &[Loaded], slice: Duration) -> Result<u64> {
        let end = Instant::now() + slice;
        let mut tried = 0;
        while Instant::now() < end {
            let recipe = self.next();
            self.try_out(engines, &recipe)?;
            tried += 1;
        }
        Ok(tried)
    }

    fn worst(&self) -> Vec<Case> {
        let recipes = self.leagues.iter().flat_map(|league| &league.worst);
        recipes.filter_map(|(_, recipe)| Case::found(self.way, recipe)).collect()
    }
}

impl<T: Clone + PartialEq> League<T> {
    /// The larger, the worse.
    fn score(&self, engines: &[Loaded], times: &[(usize, f64)], units: usize) -> Option<f64> {
        let pair = report::pair(engines, times, self.level, OURS)?;
        Some(match self.measure {
            Measure::Ratio => pair.ours / pair.peer,
            Measure::Time => pair.ours / units as f64,
        })
    }

    fn takes(&self, score: f64) -> bool {
        self.worst.len() < KEPT || self.worst.last().is_some_and(|(last, _)| score > *last)
    }

    fn enter(&mut self, score: f64, recipe: &Recipe<T>) {
        if !self.takes(score) || self.worst.iter().any(|(_, other)| other == recipe) {
            return;
        }
        let at = self.worst.partition_point(|(other, _)| *other >= score);
        self.worst.insert(at, (score, recipe.clone()));
        self.worst.truncate(KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_league_keeps_the_worst() {
        let mut league = League { level: Level::Avx2, measure: Measure::Time, worst: Vec::new() };
        for score in [5_u8, 1, 9, 3, 7, 2, 8, 4, 6, 9] {
            league.enter(f64::from(score), &Recipe::of(&[(&[score], 1)]));
        }
        let scores: Vec<f64> = league.worst.iter().map(|(score, _)| *score).collect();
        assert_eq!(scores, [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0]);
        assert!(!league.takes(2.0) && league.takes(2.5));
    }
}
