//! Single bytes to UTF-8.

use core::mem::MaybeUninit;

use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    simd::Simd,
};

/// Converts single bytes to UTF-8, up to the first unmapped one.
///
/// `ordered` changes each byte first.
/// `first_two` gets a block and the mask of its lanes that are not ASCII. It returns their first two bytes of UTF-8, the mask
/// of those with a third byte, and the mask of those that are unmapped. `third` returns the third bytes.
///
/// # Safety
/// Unless the mask of third bytes is always 0: for each lane before the first unmapped one, [`Simd::store_up_to_three_bytes`]
/// must store exactly one byte, plus one if the lane is not ASCII, plus one if it is in the mask of third bytes. AVX2 counts
/// the masks, so any planes do. AVX-512 counts the bytes of the second and third plane whose high bit is set, so there the
/// planes must agree with the masks.
#[inline(always)]
pub(crate) unsafe fn to_utf8<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    ordered: impl Fn(S::Vector) -> S::Vector,
    first_two: impl Fn(S::Vector, u64) -> ([S::Vector; 2], u64, u64),
    third: impl Fn(S::Vector) -> S::Vector,
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut read, mut written) = (0, 0);
    'fitting: loop {
        // The number of steps that fit for any input, so they do not check capacity.
        let steps = (src.len() - read).min((spare.len() - written).saturating_sub(S::OVERHANG) / 3) / N;
        if steps == 0 {
            break;
        }
        let end = read + steps * N;
        while read < end {
            // SAFETY: `read + N <= end`, because `end - read` is a multiple of `N`, and `end <= src.len()`.
            let bytes = ordered(simd.load(unsafe { block(src, read) }));
            let others = simd.high_bits(bytes);
            // SAFETY: `written + 3 * (end - read) + OVERHANG <= spare.len()`: it holds for the `steps * N` bytes computed
            // above, and each byte read becomes at most three.
            let to = unsafe { rest_mut(spare, written) };
            if others == 0 {
                // SAFETY: `N <= end - read <= to.len()`.
                simd.store(bytes, unsafe { block_mut(to, 0) });
                (read, written) = (read + N, written + N);
                continue;
            }
            let ([first, second], threes, wrong) = first_two(bytes, others);
            if wrong != 0 {
                break 'fitting;
            }
            let first = simd.where_high(bytes, first);
            // SAFETY: `3 * N + OVERHANG <= to.len()`, because `N <= end - read`.
            written += unsafe {
                if threes == 0 {
                    simd.store_up_to_two_bytes([first, second], others, N, None, to)
                } else {
                    simd.store_up_to_three_bytes([first, second, third(bytes)], [others, threes], N, None, to)
                }
            };
            read += N;
        }
    }
    // The tail, and steps that may not fit.
    while read < src.len() {
        let rest = &src[read..];
        // SAFETY: `written <= spare.len()`: the loop above checked its steps, and `part` fills at most the slots that it gets.
        let to = unsafe { rest_mut(spare, written) };
        // SAFETY: this function's contract.
        let (fit, len) = unsafe { part(simd, rest, to, &ordered, &first_two, &third) };
        (read, written) = (read + fit, written + len);
        if fit < N.min(rest.len()) {
            break;
        }
    }
    // SAFETY: `written <= spare.len()`, and the first `written` slots are initialised: each step wrote `n` slots from `written`
    // on, and then added `n` to it.
    unsafe { out.advance(written) };
    read
}

/// Does the same as [`to_utf8`] for at most `N` bytes, without a loop: see [`one_step`](super::one_step).
///
/// # Safety
/// The same as for [`to_utf8`].
#[inline(always)]
pub(crate) unsafe fn short<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    first_two: impl FnOnce(S::Vector, u64) -> ([S::Vector; 2], u64, u64),
    third: impl FnOnce(S::Vector) -> S::Vector,
) -> usize {
    assert!(src.len() <= N, "a step reads all of the input");
    // SAFETY: only initialised values are stored in the slots. The rest is this function's contract.
    let (read, written) = unsafe { part(simd, src, out.spare(), |bytes| bytes, first_two, third) };
    // SAFETY: `part` has written `written` slots.
    unsafe { out.advance(written) };
    read
}

/// Converts up to `N` bytes, as far as they are mapped and their characters fit. Returns how many bytes were read and written.
///
/// # Safety
/// The same as for [`to_utf8`].
#[inline(always)]
unsafe fn part<S: Simd<N>, const N: usize>(
    simd: S,
    rest: &[u8],
    to: &mut [MaybeUninit<u8>],
    ordered: impl FnOnce(S::Vector) -> S::Vector,
    first_two: impl FnOnce(S::Vector, u64) -> ([S::Vector; 2], u64, u64),
    third: impl FnOnce(S::Vector) -> S::Vector,
) -> (usize, usize) {
    let bytes = ordered(simd.load_some(rest));
    let (rest, spare_len) = (rest.len().min(N), to.len());
    // The lanes after the end are 0, or what `ordered` makes of it.
    let others = simd.high_bits(bytes) & simd.first_n(rest);
    if others == 0 {
        let len = rest.min(spare_len);
        simd.store_some(bytes, len, to);
        return (len, len);
    }
    let ([first, second], threes, wrong) = first_two(bytes, others);
    let first = simd.where_high(bytes, first);
    let (fit, len) = fitting(simd, rest.min(wrong.trailing_zeros() as usize), others, threes, spare_len);
    // SAFETY: `fit <= rest <= N`, and `len <= spare_len == to.len()`, by `fitting`. The first `fit` characters become `len`
    // bytes: without third bytes by the mask `others`, and with them by this function's contract, as none of them is unmapped.
    unsafe {
        if threes == 0 {
            simd.store_up_to_two_bytes([first, second], others, fit, Some(len), to);
        } else {
            simd.store_up_to_three_bytes([first, second, third(bytes)], [others, threes], fit, Some(len), to);
        }
    }
    (fit, len)
}

/// Returns how many of the first `len` characters fit into `spare_len` bytes, and the number of their bytes. Each character has
/// one byte, one more if it is in `others`, and one more if it is in `threes`.
#[inline(always)]
fn fitting<S: Simd<N>, const N: usize>(
    simd: S,
    len: usize,
    others: u64,
    threes: u64,
    spare_len: usize,
) -> (usize, usize) {
    let bytes = |len: usize| {
        let lanes = simd.first_n(len);
        len + ((others & lanes).count_ones() + (threes & lanes).count_ones()) as usize
    };
    let total = bytes(len);
    if total <= spare_len {
        return (len, total);
    }
    let (mut fit, mut over) = (0, len);
    while over - fit > 1 {
        let middle = usize::midpoint(fit, over);
        if bytes(middle) <= spare_len { fit = middle } else { over = middle }
    }
    (fit, bytes(fit))
}
