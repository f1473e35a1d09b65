//! The clock: engines one after the other, again and again.

use bench_abi::Call;

use crate::{engines::Level, inputs::Prepared, units::Units};

/// An engine's call for the cell that is measured.
pub(crate) struct Contender {
    /// Which engine it is of.
    pub(crate) engine: usize,
    pub(crate) ours: bool,
    pub(crate) level: Level,
    pub(crate) call: Call,
}

/// How long a pass of one engine lasts at least.
const PASS_NS: u64 = 60_000;
/// After so many passes, a peer that is slower than another one by this factor sits out: it is not the best.
const TRIAL: usize = 3;
const HOPELESS: u64 = 3;

/// Measures in turns and answers with each contender's median in nanoseconds for all inputs.
pub(crate) fn measure(contenders: &mut [Contender], prepared: &Prepared, room: &mut Units, passes: usize) -> Vec<f64> {
    let repeats = repeats(contenders, prepared, room, PASS_NS);
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(passes); contenders.len()];
    let mut sits_out = vec![false; contenders.len()];
    for pass in 0..passes {
        if pass == TRIAL {
            let fastest = |times: &[f64]| times.iter().copied().fold(f64::MAX, f64::min);
            let bar = contenders
                .iter()
                .zip(&times)
                .filter(|(contender, _)| !contender.ours && contender.level <= Level::Avx2)
                .map(|(_, times)| fastest(times))
                .fold(f64::MAX, f64::min);
            for ((contender, times), sits_out) in contenders.iter().zip(&times).zip(&mut sits_out) {
                *sits_out = !contender.ours && fastest(times) > HOPELESS as f64 * bar;
            }
        }
        for (at, contender) in contenders.iter_mut().enumerate().filter(|(at, _)| !sits_out[*at]) {
            let ns = run(&mut contender.call, prepared, room, repeats[at]);
            times[at].push(ns as f64 / repeats[at] as f64);
        }
    }
    times.into_iter().map(median).collect()
}

/// Measures interleaved and returns each contender's minimum in nanoseconds for all inputs. Unlike a median, a minimum of few
/// and short passes is stable on a machine that is shared; it says what the input costs when nothing else disturbs.
pub(crate) fn fastest(
    contenders: &mut [Contender],
    prepared: &Prepared,
    room: &mut Units,
    passes: usize,
    pass_ns: u64,
) -> Vec<f64> {
    let repeats = repeats(contenders, prepared, room, pass_ns);
    let mut times = vec![f64::MAX; contenders.len()];
    for _ in 0..passes {
        for ((contender, &repeats), time) in contenders.iter_mut().zip(&repeats).zip(&mut times) {
            *time = time.min(run(&mut contender.call, prepared, room, repeats) as f64 / repeats as f64);
        }
    }
    times
}

/// How often each contender converts all inputs in a pass.
fn repeats(contenders: &mut [Contender], prepared: &Prepared, room: &mut Units, pass: u64) -> Vec<u64> {
    let repeats = contenders.iter_mut().map(|contender| {
        run(&mut contender.call, prepared, room, 1);
        (pass / run(&mut contender.call, prepared, room, 1).max(1)).max(1)
    });
    repeats.collect()
}

/// All inputs, so many times: nanoseconds of this thread's CPU time.
fn run(call: &mut Call, prepared: &Prepared, room: &mut Units, repeats: u64) -> u64 {
    let (dst, dst_len) = (room.as_mut_ptr(), if prepared.makes_output { 0 } else { room.len() });
    let start = thread_time();
    for _ in 0..repeats {
        for input in &prepared.inputs {
            // SAFETY: the input lies within the source; the room is as large as it says. The input was checked.
            unsafe { call.run(prepared.src.as_ptr(input.start), input.len(), dst, dst_len) };
        }
    }
    thread_time() - start
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

fn thread_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place to write to.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}
