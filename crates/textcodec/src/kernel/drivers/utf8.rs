//! Validation of UTF-8.

use super::ascii::{is_short_ascii, load_run};
use crate::kernel::{
    simd::Simd,
    tables::utf8::{ends_in_ascii, pending},
};

/// Returns the number of bytes of well-formed UTF-8 at the start of the input.
///
/// `errors` gets the input, and the offset and bytes of a block or of the tail. It returns a vector that is non-zero in the
/// lanes of bytes that are malformed after the three bytes before them. `errors_of_run` does the same for four blocks at once,
/// with one vector for all; its input starts three bytes before them.
#[inline(always)]
pub(crate) fn prefix<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
    errors_of_run: impl Fn(&[u8]) -> S::Vector,
) -> usize {
    // A single block needs no loop: cells `validate/utf-8/*/64B` with AVX-512, `16B` with AVX2.
    if src.len() <= N {
        let bytes = simd.load_some(src);
        if simd.high_bits(bytes) == 0 {
            return src.len();
        }
        let errors = errors(src, 0, bytes);
        if simd.is_zero(errors) {
            return src.len() - pending(src);
        }
        return before_error(src, 0, simd.nonzero(errors));
    }
    if src[0].is_ascii() && is_short_ascii(simd, src) {
        return src.len();
    }
    let mut at = 0;
    loop {
        let rest = &src[at..];
        let bytes = simd.load_some(rest);
        if simd.high_bits(bytes) != 0 || !ends_in_ascii(&src[..at]) {
            let errors = errors(src, at, bytes);
            if !simd.is_zero(errors) {
                return before_error(src, at, simd.nonzero(errors));
            }
            if rest.len() <= N {
                return src.len() - pending(src);
            }
        } else if rest.len() <= N {
            return src.len();
        }
        at += N;
        if at == 2 * N {
            // The next block overlaps this one, so that later loads of whole blocks do not cross cache lines:
            // cells `validate/utf-8/*/4KiB`.
            at -= src.as_ptr().wrapping_add(at).addr() % N;
        }
        // Only from the second block on, because the input may have an error near its start.
        while at > N
            && let Some(run) = src[at..].as_chunks::<N>().0.first_chunk()
        {
            let is_ascii = simd.is_ascii(load_run(simd, run)) && ends_in_ascii(&src[..at]);
            if !is_ascii && !simd.is_zero(errors_of_run(&src[at - 3..at + 4 * N])) {
                return before_error_in_run(simd, src, at, errors);
            }
            at += 4 * N;
        }
    }
}

/// Returns the offset of the sequence with the first error, which is in the four blocks at `at`.
///
/// Computes the errors of each block again: to keep them for this needs more registers than AVX2 has.
#[inline(always)]
fn before_error_in_run<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    mut at: usize,
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
) -> usize {
    loop {
        let wrong = simd.nonzero(errors(src, at, simd.load_some(&src[at..])));
        if wrong != 0 {
            return before_error(src, at, wrong);
        }
        at += N;
    }
}

/// Returns the offset of the sequence with the first error. `wrong` has the errors of the block at `at`. If the end of the
/// input truncates a sequence, the error is past the end.
#[cold]
fn before_error(src: &[u8], at: usize, wrong: u64) -> usize {
    let at = src.len().min(at + wrong.trailing_zeros() as usize);
    at - pending(&src[..at])
}
