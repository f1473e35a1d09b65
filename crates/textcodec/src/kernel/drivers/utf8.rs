//! UTF-8: validation.

use super::ascii::{is_short, load_run};
use crate::kernel::{
    simd::Simd,
    tables::utf8::{ends_in_ascii, pending},
};

/// How many bytes of well-formed UTF-8 the input begins with.
///
/// `errors` gets the input, the offset of a block or of its last part, and its bytes. It returns a vector that is not zero where a
/// byte does not go with the three before it. `errors_of_run` does the same for four whole blocks, of which it gets the three
/// bytes before them, too.
#[inline(always)]
pub(crate) fn prefix<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
    errors_of_run: impl Fn(&[u8]) -> [S::Vector; 4],
) -> usize {
    // Cells `validate/utf-8/*/64B` with AVX-512, `16B` with AVX2.
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
    if src[0].is_ascii() && is_short(simd, src) {
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
            // Some bytes are read twice, so that no vector crosses cache lines.
            at -= src.as_ptr().wrapping_add(at).addr() % N;
        }
        // Not in the first block, because the input may have an error near its start.
        while at > N
            && let Some(run) = src[at..].as_chunks::<N>().0.first_chunk()
        {
            if !simd.is_ascii(load_run(simd, run)) || !ends_in_ascii(&src[..at]) {
                let errors = errors_of_run(&src[at - 3..at + 4 * N]);
                let [a, b, c, d] = errors;
                if !simd.is_zero(simd.or(simd.or(a, b), simd.or(c, d))) {
                    let wrong = errors.map(|errors| simd.nonzero(errors));
                    let blocks = wrong.iter().take_while(|&&wrong| wrong == 0).count();
                    return before_error(src, at + blocks * N, wrong[blocks]);
                }
            }
            at += 4 * N;
        }
    }
}

/// Returns the offset of the sequence with the first error, of which `wrong` has the bits of the block at `at`. If the end of the input
/// cuts a sequence, the error is past the end.
#[cold]
fn before_error(src: &[u8], at: usize, wrong: u64) -> usize {
    let at = src.len().min(at + wrong.trailing_zeros() as usize);
    at - pending(&src[..at])
}
