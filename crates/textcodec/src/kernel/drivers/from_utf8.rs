//! UTF-8 to single bytes.

use super::to_utf8::store_ascii;
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    simd::Simd,
};

/// How many bytes the last character of a step may have in the next one.
pub(crate) const LOOKAHEAD: usize = 2;

/// Converts UTF-8 to one byte a character, up to the first wrong one. The input may begin within a character, which is skipped.
///
/// `step` gets the rest of the input. In the lane of each character's first byte it returns the result, and a mask of the
/// characters that are wrong. Its results in other lanes are ignored, but it must not report them as wrong.
#[inline(always)]
pub(crate) fn from_utf8<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    step: impl Fn(&[u8]) -> (S::Vector, u64),
) -> usize {
    let spare = out.spare();
    let (mut read, mut written) = (0, 0);
    loop {
        // As many steps as fit whatever they become: they need not ask.
        let steps = (src.len() - read).saturating_sub(LOOKAHEAD).min(spare.len() - written) / N;
        if steps == 0 {
            break;
        }
        let end = read + steps * N;
        while read < end {
            // SAFETY: `read + N <= end <= src.len()`.
            let text = simd.load(unsafe { block(src, read) });
            // SAFETY: `written + (end - read) <= spare.len()`: a character has one byte of the input or more.
            let to = unsafe { rest_mut(spare, written) };
            if simd.high_bits(text) == 0 {
                // SAFETY: `end - read <= to.len()`, and a block is left.
                let run = unsafe { store_ascii(simd, text, &src[read..end], to) };
                (read, written) = (read + run, written + run);
                continue;
            }
            // SAFETY: `read + N + LOOKAHEAD <= end + LOOKAHEAD <= src.len()`.
            let (bytes, wrong) = step(unsafe { src.get_unchecked(read..read + N + LOOKAHEAD) });
            let right = wrong.trailing_zeros() as usize;
            // SAFETY: `N <= end - read <= to.len()`.
            let to = unsafe { block_mut(to, 0) };
            written += simd.store_kept(bytes, simd.character_starts(text) & simd.first_n(right), to);
            if wrong != 0 {
                // SAFETY: the `written` slots are stored.
                unsafe { out.advance(written) };
                return read + right;
            }
            read += N;
        }
    }
    // The rest, and what may not fit.
    while read < src.len() {
        let (rest, spare_len) = (&src[read..], spare.len() - written);
        if !S::HAS_MASKS
            && let Some(last) = src.last_chunk::<N>()
            && rest.len() < N.min(spare_len + 1)
            && simd.high_bits(simd.load(last)) == 0
        {
            // The whole last block, of which the first bytes are stored already.
            // SAFETY: `N <= written + rest.len() <= spare.len()`: before `read` are `N - rest.len()` bytes of ASCII, stored as
            // one byte each, and `rest.len() <= room`.
            simd.store(simd.load(last), unsafe { block_mut(spare, written + rest.len() - N) });
            (read, written) = (src.len(), written + rest.len());
            break;
        }
        let text = simd.load_some(rest);
        let (bytes, wrong) = if simd.high_bits(text) == 0 { (text, 0) } else { step(rest) };
        let right = simd.first_n(rest.len().min(wrong.trailing_zeros() as usize));
        let starts = simd.character_starts(text);
        let mut kept = starts & right;
        while kept.count_ones() as usize > spare_len {
            // The last one does not fit.
            kept &= !(1 << kept.ilog2());
        }
        // SAFETY: `written <= spare.len()`.
        simd.store_some_kept(bytes, kept, unsafe { rest_mut(spare, written) });
        written += kept.count_ones() as usize;
        // Up to the next character, which may be the first that is wrong or does not fit.
        let next = (starts & !kept & simd.first_n(rest.len())).trailing_zeros() as usize;
        read += next.min(N).min(rest.len());
        if next < N {
            break;
        }
    }
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written) };
    // The rest of the last character.
    while src.get(read).is_some_and(|&byte| byte & 0xC0 == 0x80) {
        read += 1;
    }
    read
}
