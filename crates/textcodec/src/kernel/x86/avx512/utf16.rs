//! UTF-16 in steps of 32 code units.
//!
//! To UTF-8, a code unit becomes up to three bytes in a lane of four, and each surrogate becomes two of its pair's four bytes.
//! So steps start at fixed offsets and do not wait for each other. The length of sequences is tested once per 128 units: in
//! pages and German, a branch for every 32 units is unpredictable.

use core::{arch::x86_64::*, mem::MaybeUninit, ops::Range};

use super::{
    sequences::{STEP, Sparse, first_sequences, surrogates_of, up_to_three_bytes, up_to_two_bytes, with_surrogates},
    vector::*,
};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of, bytes_of_slots},
    drivers,
    each::Each as _,
    reference,
    tables::ByteOrder,
};

/// Code units whose conversion is chosen by one test.
const RUN: usize = 4 * STEP;

/// The spare bytes that `RUN` code units need: they are eight half steps, each of which becomes at most 48 bytes and is stored
/// as 64.
const RUN_SPARE: usize = 7 * 48 + 64;

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= 2 * STEP && short_to_utf8(ByteOrder::of(BIG), src, out) {
        return src.len();
    }
    let is_ascii = |&bytes: &[u8; 2]| ByteOrder::of(BIG).unit(bytes) < 0x80;
    let read = if src.first().is_some_and(is_ascii) { ascii_to_utf8::<BIG>(src, out) } else { 0 };
    if read == src.len() { read } else { read + text_to_utf8::<BIG>(&src[read..], out) }
}

/// Converts up to two steps. Returns false, and writes nothing, if they are ill-formed or may not fit.
///
/// A separate function, because it needs fewer constants than the loops, and decides for both steps at once (cells
/// `convert/utf-16/utf-8/*/100B`).
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn short_to_utf8(order: ByteOrder, src: &[[u8; 2]], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    if spare.len() < 3 * src.len() {
        return false;
    }
    let counts = [src.len().min(STEP), src.len().saturating_sub(STEP)];
    let (front, back) = src.split_at(counts[0]);
    let steps = [front, back].each(|step| loaded(order, step));
    let [a, b] = steps;
    let mut written = 0;
    let is_short = !any_exceeding(or(a, b), 0x7FF);
    if is_short {
        for (units, count) in steps.into_iter().zip(counts) {
            if count == 0 {
                break;
            }
            let Sparse { bytes, used } = up_to_two_bytes(units);
            let sequences = Sparse { bytes, used: used & first_n(2 * count) };
            sequences.store_exactly(&mut spare[written..]);
            written += sequences.len();
        }
    } else {
        let has_surrogates = any_surrogate([a, a, b, b]);
        let mut pending_high = false;
        for (n, (units, count)) in steps.into_iter().zip(counts).enumerate() {
            if count == 0 {
                break;
            }
            let halves = if has_surrogates {
                let surrogates = surrogates_of(units);
                if surrogates.wrong(pending_high) & first_n(count) != 0 {
                    return false;
                }
                pending_high = surrogates.end_high(count);
                with_surrogates(order, src, n * STEP, units, surrogates)
            } else {
                up_to_three_bytes(units)
            };
            let Some(stored) = store_both(&first_sequences(count, halves), &mut spare[written..]) else { return false };
            written += stored;
        }
        if pending_high {
            return false;
        }
    }
    // SAFETY: `store_exactly` has written the first `written` spare slots, because `3 * src.len() <= spare.len()`, and each
    // code unit became at most three bytes.
    unsafe { out.advance(written) };
    true
}

/// Converts whole steps of ASCII, and the remainder if it is all ASCII. Other text costs one branch: it is left to
/// [`text_to_utf8`], which has more set-up (cells `convert/utf-16/utf-8/*/16B` and `64B`).
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let src = &src[..src.len().min(spare.len())];
    let mut at = 0;
    while let Some(run) = src[at..].first_chunk() {
        let steps = load_run(run);
        if !are_ascii::<BIG>(any(steps)) {
            break;
        }
        // SAFETY: `at + RUN <= src.len() <= spare.len()`: `run` is the `RUN` units of `src` from `at` on.
        store_ascii::<BIG>(steps, unsafe { block_mut(spare, at) });
        // The second run overlaps the first one, so that stores are aligned to cache lines from there on.
        at += RUN - if at == 0 && src.len() >= 3 * RUN { src.as_ptr().addr() % LANES / 2 } else { 0 };
    }
    while let Some(step) = src[at..].first_chunk::<STEP>() {
        let units = load_some(step.as_flattened());
        if !are_ascii::<BIG>(units) {
            break;
        }
        // SAFETY: `at + STEP <= src.len() <= spare.len()`: `step` is the `STEP` units of `src` from `at` on.
        store_half(narrow_ascii::<BIG>(units), unsafe { block_mut(spare, at) });
        at += STEP;
    }
    let rest = &src[at..];
    if rest.len() < STEP {
        let units = load_some(rest.as_flattened());
        if are_ascii::<BIG>(units) {
            store_some_half(narrow_ascii::<BIG>(units), rest.len(), &mut spare[at..]);
            at = src.len();
        }
    }
    // SAFETY: `at <= src.len() <= spare.len()`, and the first `at` spare slots are written: each store began at the old `at`
    // and reached the new one.
    unsafe { out.advance(at) };
    at
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut written) = (0, 0);
    // Whether the last code unit was a high surrogate.
    let mut pending_high = false;
    'steps: while let Some(run) = src[at..].first_chunk()
        && spare.len() - written >= RUN_SPARE
    {
        let steps = load_run(run);
        if are_ascii::<BIG>(any(steps)) && !pending_high {
            // SAFETY: `written + RUN <= spare.len()`: the loop condition, and `RUN <= RUN_SPARE`.
            store_ascii::<BIG>(steps, unsafe { block_mut(spare, written) });
            (at, written) = (at + RUN, written + RUN);
            continue;
        }
        let steps = steps.each(|units| in_order::<BIG>(units));
        let any = any(steps);
        let is_short = !any_exceeding(any, 0x7FF);
        if pending_high || !is_short && any_surrogate(steps) {
            for units in steps {
                let surrogates = surrogates_of(units);
                if surrogates.wrong(pending_high) & first_n(STEP) != 0 {
                    break 'steps;
                }
                pending_high = surrogates.end_high(STEP);
                for half in with_surrogates(ByteOrder::of(BIG), src, at, units, surrogates) {
                    // SAFETY: `written + 64 <= spare.len()`: the loop condition left `RUN_SPARE == 7 * 48 + 64` bytes, and
                    // each of up to seven halves before this one became at most 48.
                    written += half.store(unsafe { block_mut(spare, written) });
                }
                at += STEP;
            }
            continue;
        }
        for units in steps {
            if is_short {
                // SAFETY: `written + 64 <= spare.len()`: the loop condition left `RUN_SPARE >= 4 * 64` bytes, and each of up
                // to three steps before this one became at most 64.
                written += up_to_two_bytes(units).store(unsafe { block_mut(spare, written) });
            } else {
                for half in up_to_three_bytes(units) {
                    // SAFETY: `written + 64 <= spare.len()`: the loop condition left `RUN_SPARE == 7 * 48 + 64` bytes, and
                    // each of up to seven halves before this one became at most 48.
                    written += half.store(unsafe { block_mut(spare, written) });
                }
            }
        }
        at += RUN;
    }
    while at < src.len() {
        let rest = &src[at..];
        let count = rest.len().min(STEP);
        let units = in_order::<BIG>(load_some(rest.as_flattened()));
        let spare = &mut spare[written..];
        if !any_exceeding(units, 0x7FF) && !pending_high {
            let Sparse { bytes, used } = up_to_two_bytes(units);
            let sequences = Sparse { bytes, used: used & first_n(2 * count) };
            if sequences.len() > spare.len() {
                break;
            }
            sequences.store_exactly(spare);
            written += sequences.len();
            at += count;
            continue;
        }
        let surrogates = surrogates_of(units);
        // Up to the first unpaired surrogate, or the high one before it.
        let count = count.min((surrogates.wrong(pending_high) & first_n(count)).trailing_zeros() as usize);
        let sequences = if surrogates.are_none() {
            first_sequences(count, up_to_three_bytes(units))
        } else {
            first_sequences(count, with_surrogates(ByteOrder::of(BIG), src, at, units, surrogates))
        };
        let Some(stored) = store_both(&sequences, spare) else { break };
        written += stored;
        at += count;
        if count > 0 {
            pending_high = surrogates.end_high(count);
        }
        if count < rest.len().min(STEP) {
            break;
        }
    }
    // A high surrogate without its low one is not converted: its two bytes are dropped.
    // SAFETY: the first `written` spare slots are written: each step stored bytes within `spare` from `written` on, and added
    // their number. With `pending_high`, the last two of them are from the high surrogate, so `written >= 2`.
    unsafe { out.advance(written - 2 * usize::from(pending_high)) };
    at -= usize::from(pending_high);
    if at == src.len() { at } else { at + reference::utf16::to_utf8::<BIG>(&src[at..], out) }
}

/// Stores both halves if they fit, and returns how many bytes they have.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn store_both([front, back]: &[Sparse; 2], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let to = to.get_mut(..front.len() + back.len())?;
    let len = to.len();
    front.store_exactly(to);
    if back.used != 0 {
        back.store_exactly(&mut to[front.len()..]);
    }
    Some(len)
}

super::super::utf16::kernels!(Avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn load_run(run: &[[u8; 2]; RUN]) -> [__m512i; 4] {
    [0, 1, 2, 3].each(|n| load_some(run[n * STEP..].as_flattened()))
}

/// Loads the first 32 code units, and zeros past the end.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn loaded(order: ByteOrder, src: &[[u8; 2]]) -> __m512i {
    let units = load_some(src.as_flattened());
    if order == ByteOrder::Big { swapped(units) } else { units }
}

/// Swaps the bytes of each code unit if they are in big-endian order.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn in_order<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG { swapped(units) } else { units }
}

/// Returns whether code units are ASCII, which may be in big-endian order. `units` may be an OR of several vectors.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are_ascii<const BIG: bool>(units: __m512i) -> bool {
    !any_exceeding(units, if BIG { 0x7F00 } else { 0x7F })
}

/// Returns ASCII as bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn narrow_ascii<const BIG: bool>(units: __m512i) -> __m256i {
    _mm512_cvtepi16_epi8(if BIG { _mm512_srli_epi16::<8>(units) } else { units })
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn any([a, b, c, d]: [__m512i; 4]) -> __m512i {
    or(or(a, b), or(c, d))
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn store_ascii<const BIG: bool>(steps: [__m512i; 4], to: &mut [MaybeUninit<u8>; RUN]) {
    let [a, b, c, d] = if BIG { steps.each(|units| _mm512_srli_epi16::<8>(units)) } else { steps };
    let [front, back] = to.as_chunks_mut().0 else { unreachable!() };
    store(narrow([a, b]), front);
    store(narrow([c, d]), back);
}
