//! Single bytes to UTF-8.

use core::mem::MaybeUninit;

use super::ascii::copy_blocks;
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    simd::Simd,
};

/// Converts bytes to UTF-8, up to the first wrong one.
///
/// `first_two` gets a block and its lanes that are not ASCII. Of these it returns the first two bytes of UTF-8, the lanes that
/// have a third one, and those that are wrong. `third` returns these third bytes.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    first_two: impl Fn(S::Vector, u64) -> ([S::Vector; 2], u64, u64),
    third: impl Fn(S::Vector) -> S::Vector,
) -> usize {
    let spare = out.spare();
    let (mut read, mut written) = (0, 0);
    'fitting: loop {
        // As many steps as fit whatever they become: they need not ask.
        let steps = (src.len() - read).min((spare.len() - written).saturating_sub(S::OVERHANG) / 3) / N;
        if steps == 0 {
            break;
        }
        let end = read + steps * N;
        while read < end {
            // SAFETY: `read + N <= end <= src.len()`.
            let bytes = simd.load(unsafe { block(src, read) });
            let others = simd.high_bits(bytes);
            // SAFETY: `written + 3 * (end - read) + OVERHANG <= spare.len()`: a byte becomes three at most.
            let to = unsafe { rest_mut(spare, written) };
            if others == 0 {
                // SAFETY: `to.len() >= 3 * (end - read)`, which is at least `N`.
                let run = unsafe { store_ascii(simd, bytes, &src[read..end], to) };
                (read, written) = (read + run, written + run);
                continue;
            }
            let ([first, second], threes, wrong) = first_two(bytes, others);
            if wrong != 0 {
                break 'fitting;
            }
            let first = simd.where_high(bytes, first);
            // SAFETY: `to.len() >= 3 * N + OVERHANG`.
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
    // The rest, and what may not fit.
    while read < src.len() {
        let (rest, spare_len) = (src.len() - read, spare.len() - written);
        if !S::HAS_MASKS
            && let Some(last) = src.last_chunk::<N>()
            && rest < N.min(spare_len + 1)
            && simd.high_bits(simd.load(last)) == 0
        {
            // The whole last block, of which the first bytes are stored already.
            // SAFETY: `N <= written + rest <= spare.len()`: before `read` are `N - rest` bytes of ASCII, stored as one byte
            // each, and `rest <= room`.
            simd.store(simd.load(last), unsafe { block_mut(spare, written + rest - N) });
            (read, written) = (src.len(), written + rest);
            break;
        }
        let bytes = simd.load_some(&src[read..]);
        let others = simd.high_bits(bytes);
        let rest = rest.min(N);
        // SAFETY: `written <= spare.len()`.
        let to = unsafe { rest_mut(spare, written) };
        let (taken, len) = if others == 0 {
            let len = rest.min(spare_len);
            simd.store_some(bytes, len, to);
            (len, len)
        } else {
            let ([first, second], threes, wrong) = first_two(bytes, others);
            let first = simd.where_high(bytes, first);
            let (taken, len) = fitting(simd, rest.min(wrong.trailing_zeros() as usize), others, threes, spare_len);
            // SAFETY: the first `taken` characters have `len` bytes, and `len <= room`, which is `to.len()`.
            unsafe {
                if threes == 0 {
                    simd.store_pairs([first, second], others, taken, Some(len), to);
                } else {
                    simd.store_triples([first, second, third(bytes)], [others, threes], taken, Some(len), to);
                }
            }
            (taken, len)
        };
        (read, written) = (read + taken, written + len);
        if taken < rest {
            break;
        }
    }
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written) };
    read
}

/// Stores the block that `src` begins with, which is ASCII, and where it pays those after it that are. Returns how many bytes.
///
/// # Safety
/// `src.len() <= to.len()`, and `bytes` are the first `N` of `src`.
#[inline(always)]
pub(super) unsafe fn store_ascii<S: Simd<N>, const N: usize>(
    simd: S,
    bytes: S::Vector,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> usize {
    if S::LOOPS_OVER_ASCII {
        // SAFETY: `N <= src.len() <= to.len()`, by the caller.
        return unsafe { copy_blocks(simd, src, to) };
    }
    // SAFETY: `N <= src.len() <= to.len()`, by the caller.
    simd.store(bytes, unsafe { block_mut(to, 0) });
    N
}

/// How many of the first `len` characters fit into `room` bytes, and how many bytes they have: one each, one more in `others`,
/// one more in `threes`.
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
