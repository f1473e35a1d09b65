//! UTF-8 to single bytes.

use core::mem::MaybeUninit;

use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    simd::Simd,
};

/// The maximum number of bytes that the last character of a step has after the step.
pub(crate) const LOOKAHEAD: usize = 2;

/// Converts UTF-8 to one byte per character, up to the first unmappable one. Continuation bytes at the start are skipped.
///
/// `step` gets the remaining input, or `N + LOOKAHEAD` bytes of it. It returns the result for each character in the lane of its
/// first byte, and the mask of the unmappable ones. Results in other lanes are ignored, but must not be in the mask.
#[inline(always)]
pub(crate) fn from_utf8<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    step: impl Fn(&[u8]) -> (S::Vector, u64),
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut read, mut written) = (0, 0);
    loop {
        // The number of steps that fit for any input, so they do not check capacity.
        let steps = (src.len() - read).saturating_sub(LOOKAHEAD).min(spare.len() - written) / N;
        if steps == 0 {
            break;
        }
        let end = read + steps * N;
        while read < end {
            // SAFETY: `read + N <= end`, because `end - read` is a multiple of `N`, and `end <= src.len()`.
            let text = simd.load(unsafe { block(src, read) });
            // SAFETY: `written + N <= spare.len()`: `N <= end - read`, and `written + (end - read) <= spare.len()`, which holds
            // for the `steps * N` bytes computed above, and no step writes more bytes than it reads.
            let to = unsafe { block_mut(spare, written) };
            if simd.high_bits(text) == 0 {
                simd.store(text, to);
                (read, written) = (read + N, written + N);
                continue;
            }
            // SAFETY: `read + N <= end`, and `end + LOOKAHEAD <= src.len()`, by the calculation of `steps`.
            let (bytes, wrong) = step(unsafe { src.get_unchecked(read..read + N + LOOKAHEAD) });
            let right = wrong.trailing_zeros() as usize;
            written += simd.store_kept(bytes, simd.character_starts(text) & simd.first_n(right), to);
            if wrong != 0 {
                // SAFETY: `written <= spare.len()`, and the first `written` slots are initialised: each step wrote `n` slots
                // from `written` on, and then added `n` to it.
                unsafe { out.advance(written) };
                return read + right;
            }
            read += N;
        }
    }
    // The tail, and steps that may not fit.
    while read < src.len() {
        let rest = &src[read..];
        // SAFETY: `written <= spare.len()`: `part` fills at most the slots that it gets, and the loop above checked its steps.
        let (more, put) = part(simd, rest, unsafe { rest_mut(spare, written) }, &step);
        (read, written) = (read + more, written + put);
        if more < N.min(rest.len()) {
            break;
        }
    }
    // SAFETY: `written <= spare.len()`, and the first `written` slots are initialised: each step wrote `n` slots from `written`
    // on, and then added `n` to it.
    unsafe { out.advance(written) };
    // The remaining bytes of the last character.
    while src.get(read).is_some_and(|&byte| byte & 0xC0 == 0x80) {
        read += 1;
    }
    read
}

/// Does the same as [`from_utf8`] for at most `N` bytes, without a loop: see [`one_step`](super::one_step).
#[inline(always)]
pub(crate) fn short<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    step: impl FnOnce(&[u8]) -> (S::Vector, u64),
) -> usize {
    assert!(src.len() <= N, "a step reads all of the input");
    // SAFETY: only initialised values are stored in the slots.
    let (read, written) = part(simd, src, unsafe { out.spare() }, step);
    // SAFETY: `part` has written `written` slots.
    unsafe { out.advance(written) };
    read
}

/// Converts up to `N` bytes, as far as the characters are mappable and fit. Returns how many bytes were read and written.
#[inline(always)]
fn part<S: Simd<N>, const N: usize>(
    simd: S,
    rest: &[u8],
    to: &mut [MaybeUninit<u8>],
    step: impl FnOnce(&[u8]) -> (S::Vector, u64),
) -> (usize, usize) {
    let text = simd.load_some(rest);
    let (bytes, wrong) = if simd.high_bits(text) == 0 { (text, 0) } else { step(rest) };
    let right = simd.first_n(rest.len().min(wrong.trailing_zeros() as usize));
    let starts = simd.character_starts(text);
    let kept = simd.lowest(starts & right, to.len());
    simd.store_some_kept(bytes, kept, to);
    // Up to the next character, or the first that is unmappable or does not fit.
    let next = (starts & !kept & simd.first_n(rest.len())).trailing_zeros() as usize;
    (next.min(N).min(rest.len()), kept.count_ones() as usize)
}
