//! Runs the checks of this crate on random and damaged inputs, without a fuzzer:
//! `fuzz-random [--seconds N] [--seed S] [--only NAME]`. Minimises and prints mismatches.

use std::{
    collections::BTreeMap,
    env,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use fastrand::Rng;
use textcodec_fuzz::{Api, Case, Check, Decode, Encode, Texts, Web};

/// The number of cases between two checks of the time.
const BATCH: u64 = 64;
/// The maximum number of kinds of mismatches to minimise and print, for each check.
const KINDS: usize = 20;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (mut seconds, mut seed, mut only) = (60, 1, None);
    while let Some(argument) = arguments.next() {
        let value = arguments.next();
        match (argument.as_str(), value) {
            ("--seconds", Some(value)) if value.parse::<u64>().is_ok() => seconds = value.parse().unwrap_or(seconds),
            ("--seed", Some(value)) if value.parse::<u64>().is_ok() => seed = value.parse().unwrap_or(seed),
            ("--only", Some(value)) => only = Some(value),
            _ => {
                eprintln!("usage: fuzz-random [--seconds N] [--seed S] [--only NAME]");
                return ExitCode::FAILURE;
            }
        }
    }
    // A panic is reported as a mismatch.
    panic::set_hook(Box::new(|_| {}));
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let runs: Vec<Vec<Run>> = thread::scope(|scope| {
        let start = |number| {
            let only = only.clone();
            scope.spawn(move || run_checks(seconds, seed * threads + number, only.as_deref()))
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("checks catch panics")).collect()
    });
    let mut all: BTreeMap<&str, Run> = BTreeMap::new();
    for run in runs.into_iter().flatten() {
        let whole = all.entry(run.name).or_insert_with(|| Run::new(run.name));
        whole.cases += run.cases;
        whole.mismatches += run.mismatches;
        for (kind, found) in run.found {
            whole.found.entry(kind).or_insert(found);
        }
    }
    for run in all.values() {
        println!("{}: {} cases, {} mismatches", run.name, run.cases, run.mismatches);
        for (case, mismatch) in run.found.values() {
            println!("    {mismatch}\n        {case}");
        }
    }
    if all.values().all(|run| run.mismatches == 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The results of a check on one thread.
struct Run {
    name: &'static str,
    cases: u64,
    mismatches: u64,
    /// A minimal case and its mismatch, by the kind of the mismatch.
    found: BTreeMap<String, (String, String)>,
}

impl Run {
    fn new(name: &'static str) -> Self {
        Self { name, cases: 0, mismatches: 0, found: BTreeMap::new() }
    }
}

/// Runs the checks one after another until the time is over.
fn run_checks(seconds: u64, seed: u64, only: Option<&str>) -> Vec<Run> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut rng = Rng::with_seed(seed);
    let mut texts = Texts::default();
    let mut runs = [Decode::NAME, Encode::NAME, Web::NAME, Api::NAME].map(Run::new);
    let is_selected = |name| only.is_none_or(|only| only == name);
    while Instant::now() < end {
        let [decode, encode, web, api] = &mut runs;
        if is_selected(Decode::NAME) {
            batch::<Decode>(decode, &mut texts, &mut rng);
        }
        if is_selected(Encode::NAME) {
            batch::<Encode>(encode, &mut texts, &mut rng);
        }
        if is_selected(Web::NAME) {
            batch::<Web>(web, &mut texts, &mut rng);
        }
        if is_selected(Api::NAME) {
            batch::<Api>(api, &mut texts, &mut rng);
        }
    }
    runs.into()
}

fn batch<C: Case>(run: &mut Run, texts: &mut Texts, rng: &mut Rng) {
    for _ in 0..BATCH {
        let case = C::random(texts, rng);
        run.cases += 1;
        let Err(mismatch) = check(&case) else { continue };
        run.mismatches += 1;
        let kind = kind(&mismatch);
        if run.found.len() < KINDS && !run.found.contains_key(&kind) {
            let (case, mismatch) = minimal(case, mismatch);
            run.found.insert(kind, (case.describe(), mismatch));
        }
    }
}

/// Checks a case. A panic is a mismatch.
fn check<C: Case>(case: &C) -> Check {
    panic::catch_unwind(AssertUnwindSafe(|| case.check())).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("(no text)")))
    })
}

/// Returns the kind of a mismatch: its text before the values, without digits.
fn kind(mismatch: &str) -> String {
    let end = mismatch.find(": expected").unwrap_or(mismatch.len());
    let end = mismatch.find('{').map_or(end, |brace| end.min(brace));
    mismatch[..end].chars().filter(|character| !character.is_ascii_digit()).take(80).collect()
}

/// Minimises a case: simplifies it while the mismatch remains of the same kind.
fn minimal<C: Case>(mut case: C, mut mismatch: String) -> (C, String) {
    let wanted = kind(&mismatch);
    'smaller: loop {
        for simpler in case.simpler() {
            if let Err(same) = check(&simpler)
                && kind(&same) == wanted
            {
                (case, mismatch) = (simpler, same);
                continue 'smaller;
            }
        }
        return (case, mismatch);
    }
}
