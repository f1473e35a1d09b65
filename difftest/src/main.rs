//! `textcodec` beside `encoding_rs`: the witness, never the judge. `spec-model` says who is right about a difference.
//!
//! `difftest [SEED] [drop-in]`: all comparisons, or those of the drop-in alone. Exit code 1 where the library is wrong.

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

/// How many comparisons with cases there are of each group, so that none is left out unnoticed. Those of `mem` are its functions.
const ON_THE_DROP_IN: [(&str, usize); 2] = [("drop-in: ", 14), ("mem::", 36)];

/// Something to compare, on a thread of its own.
type Job = Box<dyn Fn(&mut Report) + Send + Sync>;

fn main() -> ExitCode {
    let seed = env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1);
    let mut jobs = jobs_on_the_drop_in(seed);
    if env::args().nth(2).is_none_or(|which| which != "drop-in") {
        jobs.extend(jobs_on_the_library(seed));
    }
    let next = AtomicUsize::new(0);
    let mut first = Report::default();
    // Before there are other threads, whose panics it would hide.
    for trio in Trio::all() {
        drop_in::decode::behind_the_end(&mut first, trio);
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

/// All comparisons of the drop-in with what it stands for.
fn jobs_on_the_drop_in(seed: u64) -> Vec<Job> {
    let all = Trio::all();
    let mut jobs: Vec<Job> = Vec::new();
    for &trio in &all {
        jobs.push(Box::new(move |report| {
            for len in 0..=2 {
                drop_in::decode::exhaustive(report, trio, len);
            }
            drop_in::decode::combinations(report, trio);
            drop_in::decode::random(report, trio, seed);
            drop_in::encode::random(report, trio, seed);
            drop_in::encodings::latin1(report, trio, seed);
            drop_in::encodings::whole(report, trio, seed);
        }));
        jobs.push(Box::new(move |report| drop_in::encode::every_scalar_value(report, trio)));
    }
    jobs.push(Box::new(drop_in::encodings::properties));
    jobs.push(Box::new(move |report| drop_in::encodings::labels(report, seed)));
    jobs.push(Box::new(move |report| drop_in::encodings::prefixes(report, seed)));
    jobs.extend(mem::jobs(seed));
    jobs
}

/// All comparisons of the library with the witness, the longest first.
fn jobs_on_the_library(seed: u64) -> Vec<Job> {
    let all = Trio::all();
    let mut jobs: Vec<Job> = Vec::new();
    for &trio in all.iter().filter(|trio| trio.is_multi_byte()) {
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
            decode::random(report, trio, seed);
            encode::random(report, trio, seed);
            bom::every_beginning(report, trio);
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
