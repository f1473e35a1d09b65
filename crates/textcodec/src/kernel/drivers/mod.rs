//! Loops that are generic over the vectors of AVX2 and AVX-512: conversions of one unit to one unit, ASCII, UTF-8 validation,
//! and single bytes to and from UTF-8.
//!
//! They must be inlined into kernels, which have the CPU features of the level.

pub(crate) mod ascii;
pub(crate) mod from_utf8;
pub(crate) mod to_utf8;
pub(crate) mod utf16;
pub(crate) mod utf8;

use super::{
    Out,
    block::{block_mut, rest_mut},
    simd::{Lanes, Simd},
};

/// The minimum length in units for [`in_runs`]. Shorter inputs are converted by [`one_to_one`]. Cells `encode/*/utf-16/en/4KiB`
/// and `decode/*/utf-16/en/4KiB`.
pub(crate) const LONG: usize = 512;

/// Converts one unit to one unit, up to the first that `step` declines. `step` converts up to `N` units, and returns the mask
/// of those that it declines.
#[inline(always)]
pub(crate) fn one_to_one<S: Simd<N>, L: Lanes<S, N>, T, const N: usize>(
    simd: S,
    src: &[T],
    out: &mut Out<'_, L::Unit>,
    step: impl Fn(&[T]) -> (L, u64),
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let len = src.len().min(spare.len());
    let src = &src[..len];
    let (blocks, rest) = src.as_chunks::<N>();
    let mut read = 0;
    for block in blocks {
        let (lanes, wrong) = step(block);
        // SAFETY: `read + N <= len <= spare.len()`: `block` is the `N` units of `src` from `read` on.
        lanes.store(simd, unsafe { block_mut(spare, read) });
        // A branch instead of arithmetic, so that the next step does not wait for this one.
        if wrong != 0 {
            read += N.min(wrong.trailing_zeros() as usize);
            // SAFETY: `read <= len <= spare.len()`, and the first `read` spare slots are written: each step wrote `N` of them.
            unsafe { out.advance(read) };
            return read;
        }
        read += N;
    }
    let mut last = rest;
    if !S::HAS_MASKS
        && !rest.is_empty()
        && let Some(block) = src.last_chunk::<N>()
    {
        // Overlaps with the block before.
        (read, last) = (len - N, block);
    }
    if !last.is_empty() {
        let (lanes, wrong) = step(last);
        // SAFETY: `read + last.len() == len <= spare.len()`.
        lanes.store_some(simd, last.len(), unsafe { rest_mut(spare, read) });
        read += last.len().min(wrong.trailing_zeros() as usize);
    }
    // SAFETY: `read <= len <= spare.len()`, and the first `len` spare slots are written: `N` for each block, and the others for
    // `last`.
    unsafe { out.advance(read) };
    read
}

/// Does the same as [`one_to_one`] for at most `N` units, without a loop. The compiler would load the tables of a loop before
/// it, and an input with nothing to look up would wait for them.
#[inline(always)]
pub(crate) fn one_step<S: Simd<N>, L: Lanes<S, N>, T, const N: usize>(
    simd: S,
    src: &[T],
    out: &mut Out<'_, L::Unit>,
    step: impl FnOnce(&[T]) -> (L, u64),
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let src = &src[..src.len().min(spare.len()).min(N)];
    let (lanes, wrong) = step(src);
    lanes.store_some(simd, src.len(), spare);
    let read = src.len().min(wrong.trailing_zeros() as usize);
    // SAFETY: `read <= src.len() <= spare.len()`, and the first `src.len()` spare slots are written, as `src.len() <= N`.
    unsafe { out.advance(read) };
    read
}

/// Does the same as [`one_to_one`], faster for long inputs. `run` converts a run, which is four steps, or returns `None` if it
/// needs `step`. The source or the destination, whichever has the wider units, is aligned to vectors.
///
/// Call this in a separate function: if it shares one with [`one_to_one`], its registers slow short inputs down.
#[inline(always)]
pub(crate) fn in_runs<S: Simd<N>, L: Lanes<S, N>, T, const N: usize>(
    simd: S,
    src: &[T],
    out: &mut Out<'_, L::Unit>,
    run: impl Fn(&[[T; N]; 4]) -> Option<[L; 4]>,
    step: impl Fn(&[T]) -> (L, u64),
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let len = src.len().min(spare.len());
    let within = &src[..len];
    let misaligned = if !path!("runs-aligned") {
        0
    } else if size_of::<T>() > size_of::<L::Unit>() {
        src.as_ptr().addr() % N / size_of::<T>()
    } else {
        spare.as_ptr().addr() % N / size_of::<L::Unit>()
    };
    // The first step overlaps with the next one, which is aligned.
    let (mut read, mut stride, mut end) = (0, N - misaligned, N - misaligned);
    while end <= len {
        while read < end {
            let Some(block) = within[read..].first_chunk::<N>() else { break };
            let (lanes, wrong) = step(block);
            // SAFETY: `read + N <= len <= spare.len()`: `block` is the `N` units from `read` on.
            lanes.store(simd, unsafe { block_mut(spare, read) });
            if wrong != 0 {
                read += N.min(wrong.trailing_zeros() as usize);
                // SAFETY: `read <= len <= spare.len()`, and the first `read` spare slots are written: steps wrote all up to the
                // old `read`, and this one `N` more.
                unsafe { out.advance(read) };
                return read;
            }
            read += stride;
            stride = N;
        }
        for blocks in within[read..].as_chunks::<N>().0.as_chunks::<4>().0 {
            let Some(steps) = run(blocks) else { break };
            for (n, lanes) in steps.into_iter().enumerate() {
                // SAFETY: `read + 4 * N <= len <= spare.len()`: `blocks` is the `4 * N` units from `read` on, and `n < 4`.
                lanes.store(simd, unsafe { block_mut(spare, read + n * N) });
            }
            read += 4 * N;
        }
        end = read + 4 * N;
    }
    // The rest, as a run that overlaps with the one before, for UTF-16 to Latin-1 in chunks. It would slow bytes to UTF-16 down
    // with AVX2.
    if path!("runs-last")
        && size_of::<T>() > size_of::<L::Unit>()
        && let Some(at) = len.checked_sub(4 * N)
        && let [blocks] = within[at..].as_chunks::<N>().0.as_chunks::<4>().0
        && let Some(steps) = run(blocks)
    {
        for (n, lanes) in steps.into_iter().enumerate() {
            // SAFETY: `at + 4 * N = len <= spare.len()`, and `n < 4`.
            lanes.store(simd, unsafe { block_mut(spare, at + n * N) });
        }
        read = len;
    }
    // SAFETY: `read <= len <= spare.len()`, and the first `read` spare slots are written: each step wrote `N` slots and moved
    // `read` by `stride <= N`, each run wrote the `4 * N` slots that it moved `read` by, and `end > len` after the loop, so the
    // last run, which wrote the `4 * N` slots before `len`, left no gap.
    unsafe { out.advance(read) };
    read + one_to_one(simd, &src[read..], out, step)
}
