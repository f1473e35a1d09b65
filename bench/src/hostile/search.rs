//! Searches for the most expensive inputs: generates recipes, measures them, keeps the worst and mutates them.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use bench_abi::{Errors, Operation};
use fastrand::Rng;

use super::{
    Case, Contenders, Conversion, Input, Outcome, Shape, Times, characters,
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

/// The limits of a search.
pub(crate) struct Limits<'a> {
    pub(crate) minutes: f64,
    /// Only this encoding.
    pub(crate) encoding: Option<&'a str>,
    pub(crate) seed: u64,
}

/// The number of the worst recipes that are kept for each level and measure.
const KEPT: usize = 8;
/// The time slice of the search in one conversion.
const SLICE: Duration = Duration::from_millis(150);
/// Candidates are measured briefly. Bad ones are measured again.
const QUICK_NS: u64 = 4_000;
const QUICK_PASSES: usize = 2;

/// Searches until the time is over, then measures the worst cases carefully and returns them.
pub(crate) fn search(
    engines: &[Loaded],
    limits: &Limits<'_>,
    passes: usize,
    mut progress: impl FnMut(u64, &str),
) -> Result<Vec<Outcome>> {
    let mut searches = searches(engines, limits)?;
    let end = Instant::now() + Duration::from_secs_f64(60.0 * limits.minutes);
    let mut tried = 0;
    while Instant::now() < end {
        for search in &mut searches {
            tried += search.continue_for(engines, SLICE).with_context(|| search.conversion().name())?;
            progress(tried, &search.conversion().name());
            if Instant::now() >= end {
                break;
            }
        }
    }
    let mut cases: Vec<Case> = searches.iter().flat_map(|search| search.worst()).collect();
    let mut names = BTreeSet::new();
    cases.retain(|case| names.insert(case.name.clone()));
    let (outcomes, _) = run(engines, cases, passes, |done, name| progress(tried + done as u64, name))?;
    Ok(outcomes)
}

/// Returns a search for each conversion.
fn searches(engines: &[Loaded], limits: &Limits<'_>) -> Result<Vec<Box<dyn AnySearch>>> {
    let wanted = |encoding: &str| limits.encoding.is_none_or(|wanted| wanted.eq_ignore_ascii_case(encoding));
    let mut searches: Vec<Box<dyn AnySearch>> = Vec::new();
    let decoding = [Operation::DecodeToUtf8, Operation::DecodeToUtf16].map(|operation| (operation, Errors::Replace));
    let encoding = [Operation::EncodeFromUtf8, Operation::EncodeFromUtf16]
        .into_iter()
        .flat_map(|operation| [Errors::Html, Errors::Report].map(|errors| (operation, errors)));
    let encoding: Vec<_> = encoding.collect();
    let found = found::cases()?;
    let start = Start { engines, seed: limits.seed, found: &found };
    start.add(&mut searches, &classes::ALL, &decoding, wanted);
    start.add(&mut searches, &characters::ALL, &encoding, wanted);
    ensure!(!searches.is_empty(), "unknown encoding");
    Ok(searches)
}

/// The starting point of all searches.
struct Start<'a> {
    engines: &'a [Loaded],
    seed: u64,
    found: &'a [Case],
}

impl Start<'_> {
    fn add<T: Input + Random>(
        &self,
        searches: &mut Vec<Box<dyn AnySearch>>,
        all: &[Classes<T>],
        conversions: &[(Operation, Errors)],
        wanted: impl Fn(&str) -> bool,
    ) {
        // A stateful encoding has a list of classes for each state.
        let mut encodings: BTreeMap<&'static str, Vec<&Classes<T>>> = BTreeMap::new();
        for classes in all.iter().filter(|classes| wanted(classes.encoding)) {
            encodings.entry(classes.encoding).or_default().push(classes);
        }
        for (encoding, lists) in encodings {
            for &(operation, errors) in conversions {
                let conversion = Conversion { operation, encoding, errors, shape: Shape::Whole };
                searches.push(Box::new(Search::new(self, conversion, &lists)));
            }
        }
    }
}

trait AnySearch {
    fn conversion(&self) -> Conversion;

    /// Continues the search for a time slice. Returns the number of recipes tried.
    fn continue_for(&mut self, engines: &[Loaded], slice: Duration) -> Result<u64>;

    fn worst(&self) -> Vec<Case>;
}

/// The search in one conversion.
struct Search<T> {
    conversion: Conversion,
    contenders: Contenders,
    maker: Maker<T>,
    /// Recipes to try first: the patterns of the cells.
    queue: Vec<Recipe<T>>,
    rankings: Vec<Ranking<T>>,
    dst: Units,
}

/// The worst recipes at a level, by one measure, the worst first.
struct Ranking<T> {
    level: Level,
    measure: Measure,
    worst: Vec<(f64, Recipe<T>)>,
}

impl<T: Input + Random> Search<T> {
    fn new(start: &Start<'_>, conversion: Conversion, lists: &[&Classes<T>]) -> Self {
        let &Start { engines, seed, found } = start;
        let prefixes = lists.iter().map(|list| list.prefix).filter(|prefix| !prefix.is_empty());
        let items = lists.iter().flat_map(|list| list.all).map(|class| class.units);
        let alphabet = items.chain(prefixes).map(<[T]>::to_vec).collect();
        let rankings = report::levels(engines)
            .into_iter()
            .flat_map(|level| Measure::ALL.map(|measure| Ranking { level, measure, worst: Vec::new() }));
        // Patterns that were found in one form or with one policy are likely to be bad in others.
        let is_related = |case: &&Case| {
            (case.conversion.decodes(), case.conversion.encoding) == (conversion.decodes(), conversion.encoding)
        };
        let found = found.iter().filter(is_related).filter_map(|case| case.recipe.parse().ok());
        let queue = lists.iter().flat_map(|list| patterns::of(list)).map(|pattern| pattern.recipe).chain(found);
        let mut dst = Units::new(conversion.operation.unit_out());
        dst.resize(10 * super::LEN + 64);
        Self {
            conversion,
            contenders: Contenders::open(engines, conversion),
            maker: Maker { alphabet, rng: Rng::with_seed(seed) },
            queue: queue.collect(),
            rankings: rankings.collect(),
            dst,
        }
    }

    fn next(&mut self) -> Recipe<T> {
        if let Some(recipe) = self.queue.pop() {
            return recipe;
        }
        let worst: Vec<&Recipe<T>> =
            self.rankings.iter().flat_map(|ranking| &ranking.worst).map(|(_, recipe)| recipe).collect();
        if worst.is_empty() || self.maker.rng.u8(..4) == 0 {
            return self.maker.random();
        }
        let chosen = worst[self.maker.rng.usize(..worst.len())];
        self.maker.mutate(chosen, &worst)
    }

    /// Measures a recipe, and keeps it if it is bad enough in two measurements.
    fn measure_recipe(&mut self, engines: &[Loaded], recipe: &Recipe<T>) -> Result<()> {
        let Some(src) = T::fill(recipe, self.conversion).filter(|src| src.len() > 0) else { return Ok(()) };
        let units = src.len();
        let prepared = Prepared::one(src, Units::new(self.conversion.operation.unit_out()));
        let contenders = &mut self.contenders.all;
        let times = measure::fastest(contenders, &prepared, &mut self.dst, QUICK_PASSES, QUICK_NS);
        let times: Times = contenders.iter().zip(times).map(|(contender, ns)| (contender.engine, ns)).collect();
        if !self
            .rankings
            .iter()
            .any(|ranking| ranking.score(engines, &times, units).is_some_and(|score| ranking.accepts(score)))
        {
            return Ok(());
        }
        let clock = |contenders: &mut [measure::Contender], prepared: &Prepared, dst: &mut Units| {
            measure::fastest(contenders, prepared, dst, QUICK_PASSES, 2 * QUICK_NS)
        };
        let again = self.contenders.measure(engines, &prepared.src, clock);
        let (again, _) = again.with_context(|| format!("pattern {recipe}"))?;
        for ranking in &mut self.rankings {
            let score = ranking.score(engines, &times, units).zip(ranking.score(engines, &again, units));
            if let Some((first, second)) = score {
                ranking.insert(first.min(second), recipe);
            }
        }
        Ok(())
    }
}

impl<T: Input + Random> AnySearch for Search<T> {
    fn conversion(&self) -> Conversion {
        self.conversion
    }

    fn continue_for(&mut self, engines: &[Loaded], slice: Duration) -> Result<u64> {
        let end = Instant::now() + slice;
        let mut tried = 0;
        while Instant::now() < end {
            let recipe = self.next();
            self.measure_recipe(engines, &recipe)?;
            tried += 1;
        }
        Ok(tried)
    }

    fn worst(&self) -> Vec<Case> {
        let recipes = self.rankings.iter().flat_map(|ranking| &ranking.worst);
        recipes.filter_map(|(_, recipe)| Case::found(self.conversion, recipe)).collect()
    }
}

impl<T: Clone + PartialEq> Ranking<T> {
    /// Returns the score of a recipe. Larger is worse.
    fn score(&self, engines: &[Loaded], times: &[(usize, f64)], units: usize) -> Option<f64> {
        let pair = report::pair(engines, times, self.level, OURS)?;
        Some(match self.measure {
            Measure::Ratio => pair.ours / pair.peer,
            Measure::Time => pair.ours / units as f64,
        })
    }

    fn accepts(&self, score: f64) -> bool {
        self.worst.len() < KEPT || self.worst.last().is_some_and(|(last, _)| score > *last)
    }

    fn insert(&mut self, score: f64, recipe: &Recipe<T>) {
        if !self.accepts(score) || self.worst.iter().any(|(_, other)| other == recipe) {
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
    fn a_ranking_keeps_the_worst() {
        let mut ranking = Ranking { level: Level::Avx2, measure: Measure::Time, worst: Vec::new() };
        for score in [5_u8, 1, 9, 3, 7, 2, 8, 4, 6, 9] {
            ranking.insert(f64::from(score), &Recipe::of(&[(&[score], 1)]));
        }
        let scores: Vec<f64> = ranking.worst.iter().map(|(score, _)| *score).collect();
        assert_eq!(scores, [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0]);
        assert!(!ranking.accepts(2.0) && ranking.accepts(2.5));
    }
}
