//! Compares `textcodec` with `encoding_rs`, the witness. If they differ, `spec-model` decides which one is right.
//!
//! `difftest [SEED] [drop-in|quick]` makes all comparisons, only those of the drop-in, or a part of all: without inputs of three
//! bytes, with a third of the random inputs, and in the drop-in's encoders without the planes that no index contains. The exit code
//! is 1 if the library is wrong.

mod bom;
mod decode;
mod drop_in;
mod encode;
mod labels;
mod mem;
mod report;
mod texts;
mod trio;

use std::{
    env,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use report::Report;
use trio::Trio;

/// The expected number of comparisons with cases in each group, to detect missing ones. Those of `mem` are its functions.
const ON_THE_DROP_IN: [(&str, usize); 2] = [("drop-in: ", 14), ("mem::", 36)];

/// Comparisons that run on one thread.
type Job = Box<dyn Fn(&mut Report) + Send + Sync>;

fn main() -> ExitCode {
    let seed = env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1);
    let (library, quick) = match env::args().nth(2).as_deref() {
        None => (true, false),
        Some("quick") => (true, true),
        Some("drop-in") => (false, false),
        Some(other) => panic!("unknown argument {other}; expected drop-in or quick"),
    };
    let mut jobs = jobs_on_the_drop_in(seed, quick);
    if library {
        jobs.extend(jobs_on_the_library(seed, quick));
    }
    let next = AtomicUsize::new(0);
    let mut first = Report::default();
    // Before there are other threads, because it hides panics.
    for trio in Trio::all() {
        drop_in::decode::after_the_end(&mut first, trio);
    }
    let whole = Mutex::new(first);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                let mut report = Report::default();
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    job(&mut report);
                }
                whole.lock().expect("no thread has panicked").merge(report);
            });
        }
    });
    let whole = whole.into_inner().expect("no thread has panicked");
    print!("{whole}");
    for (group, names) in ON_THE_DROP_IN {
        assert_eq!(whole.comparisons_of(group), names, "comparisons of {group}");
    }
    if whole.library_is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns how many random inputs are compared for each encoding.
fn rounds(quick: bool) -> usize {
    if quick { 2000 } else { 6000 }
}

/// Returns all comparisons of the drop-in with encoding_rs.
fn jobs_on_the_drop_in(seed: u64, quick: bool) -> Vec<Job> {
    let all = Trio::all();
    let (rounds, last) = (rounds(quick), if quick { '\u{2FFFF}' } else { char::MAX });
    let mut jobs: Vec<Job> = Vec::new();
    for &trio in &all {
        jobs.push(Box::new(move |report| {
            for len in 0..=2 {
                drop_in::decode::exhaustive(report, trio, len);
            }
            drop_in::decode::combinations(report, trio);
            drop_in::decode::random(report, trio, seed, rounds);
            drop_in::encode::random(report, trio, seed, rounds);
            drop_in::encodings::latin1(report, trio, seed);
            drop_in::encodings::whole(report, trio, seed);
        }));
        jobs.push(Box::new(move |report| drop_in::encode::scalar_values(report, trio, last)));
    }
    jobs.push(Box::new(drop_in::encodings::properties));
    jobs.push(Box::new(move |report| drop_in::encodings::labels(report, seed)));
    jobs.push(Box::new(move |report| drop_in::encodings::prefixes(report, seed)));
    jobs.extend(mem::jobs(seed));
    jobs
}

/// Returns all comparisons of the library with the witness, the longest first.
fn jobs_on_the_library(seed: u64, quick: bool) -> Vec<Job> {
    let all = Trio::all();
    let rounds = rounds(quick);
    let mut jobs: Vec<Job> = Vec::new();
    for &trio in all.iter().filter(|trio| trio.is_multi_byte() && !quick) {
        jobs.push(Box::new(move |report| decode::exhaustive::<u8>(report, trio, 3)));
        jobs.push(Box::new(move |report| decode::exhaustive::<u16>(report, trio, 3)));
    }
    for &trio in all.iter().filter(|trio| trio.library.output_encoding() == trio.library) {
        jobs.push(Box::new(move |report| encode::every_scalar_value(report, trio)));
    }
    for &trio in &all {
        jobs.push(Box::new(move |report| {
            for len in 0..=2 {
                decode::exhaustive::<u8>(report, trio, len);
                decode::exhaustive::<u16>(report, trio, len);
                decode::exhaustive_ranges(report, trio, len);
            }
            decode::random(report, trio, seed, rounds);
            encode::random(report, trio, seed, rounds);
            bom::every_short_input(report, trio);
        }));
    }
    for name in ["gb18030", "GBK"] {
        let trio = Trio::named(name);
        jobs.push(Box::new(move |report| decode::four_bytes(report, trio)));
    }
    jobs.push(Box::new(bom::for_bom));
    jobs.push(Box::new(move |report| labels::labels(report, seed)));
    jobs.push(Box::new(labels::properties));
    jobs
}
