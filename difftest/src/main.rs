//! `textcodec` beside `encoding_rs`: the witness, never the judge. `spec-model` says who is right about a difference.
//!
//! Exit code 1 where the library is wrong.

mod bom;
mod decode;
mod encode;
mod labels;
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

/// Something to compare, on a thread of its own.
type Job = Box<dyn Fn(&mut Report) + Send + Sync>;

fn main() -> ExitCode {
    let seed = env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1);
    let jobs = jobs(seed);
    let next = AtomicUsize::new(0);
    let whole = Mutex::new(Report::default());
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
    if whole.library_is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All comparisons, the longest first.
fn jobs(seed: u64) -> Vec<Job> {
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
