//! Measurement of engines, interleaved.

use bench_abi::Call;

use crate::{clock, engines::Level, inputs::Prepared, units::Units};

/// An engine's call for the measured cell.
pub(crate) struct Contender {
    /// The index of the engine.
    pub(crate) engine: usize,
    pub(crate) ours: bool,
    pub(crate) level: Level,
    pub(crate) call: Call,
}

/// The minimum duration of an engine's pass.
const PASS_NS: u64 = 60_000;
/// The minimum number of calls in a pass. The first one finds the caches as another engine has left them: with two calls of 1 MiB,
/// ratios of the same code differed by a tenth.
const MIN_CALLS: u64 = 4;
/// After this many passes, peers are skipped that take [`TOO_SLOW`] times as long as the best one.
const TRIAL_PASSES: usize = 3;
const TOO_SLOW: u64 = 3;

/// Measures interleaved. Returns each contender's median in nanoseconds for all inputs.
pub(crate) fn measure(contenders: &mut [Contender], prepared: &Prepared, dst: &mut Units, passes: usize) -> Vec<f64> {
    let repeats = repeats(contenders, prepared, dst, PASS_NS);
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(passes); contenders.len()];
    let mut is_skipped = vec![false; contenders.len()];
    for pass in 0..passes {
        if pass == TRIAL_PASSES {
            let fastest = |times: &[f64]| times.iter().copied().fold(f64::MAX, f64::min);
            let bar = contenders
                .iter()
                .zip(&times)
                .filter(|(contender, _)| !contender.ours && contender.level <= Level::Avx2)
                .map(|(_, times)| fastest(times))
                .fold(f64::MAX, f64::min);
            for ((contender, times), is_skipped) in contenders.iter().zip(&times).zip(&mut is_skipped) {
                *is_skipped = !contender.ours && fastest(times) > TOO_SLOW as f64 * bar;
            }
        }
        // Each pass starts with another engine, so that none always follows the same one.
        let first = pass % contenders.len();
        for at in (first..contenders.len()).chain(0..first).filter(|&at| !is_skipped[at]) {
            let ns = run(&mut contenders[at].call, prepared, dst, repeats[at]);
            times[at].push(ns as f64 / repeats[at] as f64);
        }
    }
    times.into_iter().map(median).collect()
}

/// Measures interleaved. Returns each contender's minimum in nanoseconds for all inputs.
///
/// Unlike a median, the minimum of a few short passes is stable on a shared machine: it is the cost without interference.
pub(crate) fn fastest(
    contenders: &mut [Contender],
    prepared: &Prepared,
    dst: &mut Units,
    passes: usize,
    pass_ns: u64,
) -> Vec<f64> {
    let repeats = repeats(contenders, prepared, dst, pass_ns);
    let mut times = vec![f64::MAX; contenders.len()];
    for _ in 0..passes {
        for ((contender, &repeats), time) in contenders.iter_mut().zip(&repeats).zip(&mut times) {
            *time = time.min(run(&mut contender.call, prepared, dst, repeats) as f64 / repeats as f64);
        }
    }
    times
}

/// Returns how many times each contender converts all inputs in a pass.
fn repeats(contenders: &mut [Contender], prepared: &Prepared, dst: &mut Units, pass: u64) -> Vec<u64> {
    let repeats = contenders.iter_mut().map(|contender| {
        run(&mut contender.call, prepared, dst, 1);
        (pass / run(&mut contender.call, prepared, dst, 1).max(1)).max(MIN_CALLS)
    });
    repeats.collect()
}

/// Counts instructions. Returns each contender's number of instructions for all inputs.
pub(crate) fn count(contenders: &mut [Contender], prepared: &Prepared, dst: &mut Units) -> Vec<f64> {
    // The difference is without the instructions that read the counter.
    let count = |contender: &mut Contender| {
        run(&mut contender.call, prepared, dst, 2).saturating_sub(run(&mut contender.call, prepared, dst, 1)) as f64
    };
    contenders.iter_mut().map(count).collect()
}

/// Converts all inputs `repeats` times. Returns the CPU time of this thread in nanoseconds, or the number of instructions.
fn run(call: &mut Call, prepared: &Prepared, dst: &mut Units, repeats: u64) -> u64 {
    let (dst, dst_len) = (dst.as_mut_ptr(), if prepared.makes_output { 0 } else { dst.len() });
    let start = clock::now();
    for _ in 0..repeats {
        for input in &prepared.inputs {
            // SAFETY: `input` is within `src`, and `dst` has `dst_len` units. The call was checked with the input.
            unsafe { call.run(prepared.src.as_ptr(input.start), input.len(), dst, dst_len) };
        }
    }
    clock::now() - start
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}
