//! Single bytes to UTF-8.

use core::mem::MaybeUninit;

use super::ascii::copy_blocks;
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    simd::Simd,
};

/// Converts bytes to UTF-8, up to the first byte that `first_two` declines.
///
/// `first_two` gets a block and a mask of its lanes that are not ASCII. For these lanes it returns the first two bytes of
/// UTF-8, a mask of those that have a third byte, and a mask of those that it declines. `third` returns the third bytes.
///
/// # Safety
/// If `first_two` returns lanes with a third byte, then for all lanes before the first that it declines,
/// [`Simd::store_triples`] stores one byte, one more if the lane is not ASCII, and one more if the lane has a third byte.
#[inline(always)]
pub(crate) unsafe fn to_utf8<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    first_two: impl Fn(S::Vector, u64) -> ([S::Vector; 2], u64, u64),
    third: impl Fn(S::Vector) -> S::Vector,
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut read, mut written) = (0, 0);
    'fitting: loop {
        // As many steps as fit in any case, so that no step has to check.
        let steps = (src.len() - read).min((spare.len() - written).saturating_sub(S::OVERHANG) / 3) / N;
        if steps == 0 {
            break;
        }
        let end = read + steps * N;
        while read < end {
            // SAFETY: `read + N <= end`, because `end - read` is a multiple of `N`, and `end <= src.len()`.
            let bytes = simd.load(unsafe { block(src, read) });
            let others = simd.high_bits(bytes);
            // SAFETY: `written + 3 * (end - read) + OVERHANG <= spare.len()`: true of `steps * N` above, and a byte becomes at
            // most three.
            let to = unsafe { rest_mut(spare, written) };
            if others == 0 {
                // SAFETY: `N <= end - read <= to.len()`, and `bytes` is the block at `read`.
                let run = unsafe { store_ascii(simd, bytes, &src[read..end], to) };
                (read, written) = (read + run, written + run);
                continue;
            }
            let ([first, second], threes, wrong) = first_two(bytes, others);
            if wrong != 0 {
                break 'fitting;
            }
            let first = simd.where_high(bytes, first);
            // SAFETY: `to.len() >= 3 * (end - read) + OVERHANG`, as above, and `end - read >= N`.
            written += unsafe {
                if threes == 0 {
                    simd.store_pairs([first, second], others, N, None, to)
                } else {
                    simd.store_triples([first, second, third(bytes)], [others, threes], N, None, to)
                }
            };
            read += N;
        }
    }
    // The remainder, and characters that may not fit.
    while read < src.len() {
        let (rest, spare_len) = (src.len() - read, spare.len() - written);
        if !S::HAS_MASKS
            && let Some(last) = src.last_chunk::<N>()
            && rest < N.min(spare_len + 1)
            && simd.high_bits(simd.load(last)) == 0
        {
            // Stores the whole last block. Its first bytes are written already.
            // SAFETY: `written >= read >= N - rest`: each byte became at least one byte, and the block has `N - rest` bytes
            // before `read`. `written + rest <= spare.len()`: `rest <= spare_len` was checked above.
            simd.store(simd.load(last), unsafe { block_mut(spare, written + rest - N) });
            (read, written) = (src.len(), written + rest);
            break;
        }
        let bytes = simd.load_some(&src[read..]);
        let others = simd.high_bits(bytes);
        let rest = rest.min(N);
        // SAFETY: `written <= spare.len()`: the loop above checked its steps, and this one adds `len <= spare_len`.
        let to = unsafe { rest_mut(spare, written) };
        let (fit, len) = if others == 0 {
            let len = rest.min(spare_len);
            simd.store_some(bytes, len, to);
            (len, len)
        } else {
            let ([first, second], threes, wrong) = first_two(bytes, others);
            let first = simd.where_high(bytes, first);
            let (fit, len) = fitting(simd, rest.min(wrong.trailing_zeros() as usize), others, threes, spare_len);
            // SAFETY: `fit <= rest <= N`, and `len <= spare_len == to.len()`, by `fitting`. The first `fit` characters become
            // `len` bytes: without third bytes by the mask `others`, and with them by the caller's promise, as none of them is
            // declined.
            unsafe {
                if threes == 0 {
                    simd.store_pairs([first, second], others, fit, Some(len), to);
                } else {
                    simd.store_triples([first, second, third(bytes)], [others, threes], fit, Some(len), to);
                }
            }
            (fit, len)
        };
        (read, written) = (read + fit, written + len);
        if fit < rest {
            break;
        }
    }
    // SAFETY: `written <= spare.len()`, and each step added to it the number of slots that it wrote from there on.
    unsafe { out.advance(written) };
    read
}

/// Stores the first block of `src`, which is ASCII, and if [`Simd::LOOPS_OVER_ASCII`] the blocks of ASCII after it. Returns how
/// many bytes it wrote.
///
/// # Safety
/// `N <= src.len() <= to.len()`, and `bytes` are the first `N` of `src`.
#[inline(always)]
pub(super) unsafe fn store_ascii<S: Simd<N>, const N: usize>(
    simd: S,
    bytes: S::Vector,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> usize {
    if S::LOOPS_OVER_ASCII {
        // SAFETY: the caller promises `src.len() <= to.len()`.
        return unsafe { copy_blocks(simd, src, to) };
    }
    // SAFETY: the caller promises `N <= src.len() <= to.len()`.
    simd.store(bytes, unsafe { block_mut(to, 0) });
    N
}

/// Returns how many of the first `len` characters fit into `spare_len` bytes, and how many bytes they have: one each, one more
/// in `others`, and one more in `threes`.
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
