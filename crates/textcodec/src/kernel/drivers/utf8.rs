//! UTF-8: validation, alone and with copying.

use super::ascii::{SHORT, load_run, short_blocks};
use crate::kernel::{
    Out,
    block::{block_mut, rest_mut},
    each::Each as _,
    simd::Simd,
    tables::utf8::{ends_in_ascii, pending},
};

/// Returns the number of bytes of well-formed UTF-8 at the start of the input.
///
/// `errors` gets the input, and the offset and bytes of a block or of the tail, whose offset is 0 or at least 3. It returns a
/// vector that is non-zero in the lanes of bytes that are malformed after the three bytes before them. `long` is
/// [`prefix_of_long`] in a separate function: its registers would slow short inputs down.
#[inline(always)]
pub(crate) fn prefix<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
    long: impl Fn(&[u8]) -> usize,
) -> usize {
    if src.len() <= N { scan_block(simd, src, |_, _, _| {}, errors) } else { long(src) }
}

/// See [`prefix`]. The input is longer than a block.
///
/// `errors_of_run` does the same as `errors` for two blocks at once, with one vector for both; its input starts three bytes
/// before them.
#[inline(always)]
pub(crate) fn prefix_of_long<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
    errors_of_run: impl Fn(&[u8]) -> S::Vector,
) -> usize {
    scan(simd, src, |_, _, _| {}, errors, errors_of_run)
}

/// Copies well-formed UTF-8. See [`prefix`] and [`prefix_of_long`].
#[inline(always)]
pub(crate) fn copy<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    out: &mut Out<'_, u8>,
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
    errors_of_run: impl Fn(&[u8]) -> S::Vector,
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let src = &src[..src.len().min(spare.len())];
    let put = |at, bytes, is_whole: bool| {
        if is_whole || src.len() - at >= N {
            // SAFETY: `at + N <= src.len() <= spare.len()`: the block is whole.
            simd.store(bytes, unsafe { block_mut(spare, at) });
        } else {
            // SAFETY: `at <= src.len() <= spare.len()`: the offset is that of a block of `src`.
            simd.store_some(bytes, src.len() - at, unsafe { rest_mut(spare, at) });
        }
    };
    let read =
        if src.len() <= N { scan_block(simd, src, put, errors) } else { scan(simd, src, put, errors, errors_of_run) };
    // SAFETY: `read <= src.len() <= spare.len()`, and the first `read` slots are written: the blocks that were passed cover
    // them.
    unsafe { out.advance(read) };
    read
}

/// Passes the only block of the input, or its part, to `put`, with its offset and whether it is known to be a whole block. Returns
/// the length of the well-formed prefix.
#[inline(always)]
fn scan_block<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    mut put: impl FnMut(usize, S::Vector, bool),
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
) -> usize {
    let bytes = simd.load_some(src);
    put(0, bytes, false);
    if simd.high_bits(bytes) == 0 {
        return src.len();
    }
    let errors = errors(src, 0, bytes);
    if simd.is_zero(errors) {
        return src.len() - pending(src);
    }
    before_error(src, 0, simd.nonzero(errors))
}

/// Passes the blocks of an input of more than `N` bytes to `put`, as [`scan_block`] does, at least up to the end of the
/// well-formed prefix. Returns the length of this prefix.
///
/// Two blocks have one test for ASCII: with four, German and pages are slower. After ASCII, four blocks have one test.
#[inline(always)]
fn scan<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    mut put: impl FnMut(usize, S::Vector, bool),
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
    errors_of_run: impl Fn(&[u8]) -> S::Vector,
) -> usize {
    // A few blocks that overlap need one branch.
    if path!("utf-8-short") && (N + 3..=SHORT).contains(&src.len()) {
        return scan_short(simd, src, put, errors);
    }
    let mut at = 0;
    loop {
        let rest = &src[at..];
        let bytes = simd.load_some(rest);
        put(at, bytes, false);
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
        if path!("utf-8-aligned") && at == 2 * N {
            // The next block overlaps this one, so that later loads of whole blocks do not cross cache lines.
            at -= src.as_ptr().wrapping_add(at).addr() % N;
        }
        // Only from the second block on, because the input may have an error near its start.
        while at > N
            && let Some(run) = src[at..].as_chunks::<N>().0.first_chunk::<2>()
        {
            let run = [simd.load(&run[0]), simd.load(&run[1])];
            for (n, bytes) in run.into_iter().enumerate() {
                put(at + n * N, bytes, true);
            }
            if simd.high_bits(simd.or(run[0], run[1])) == 0 && ends_in_ascii(&src[..at]) {
                at += 2 * N;
                while path!("utf-8-four")
                    && let Some(run) = src[at..].as_chunks::<N>().0.first_chunk()
                {
                    let run = load_run(simd, run);
                    if !simd.is_ascii(run) {
                        break;
                    }
                    for (n, bytes) in run.into_iter().enumerate() {
                        put(at + n * N, bytes, true);
                    }
                    at += 4 * N;
                }
                continue;
            }
            if !simd.is_zero(errors_of_run(&src[at - 3..at + 2 * N])) {
                return before_error_in_run(simd, src, at, errors);
            }
            at += 2 * N;
        }
    }
}

/// Does the same as [`scan`] for an input of `N + 3` to [`SHORT`] bytes: three bytes are before its last block.
#[inline(always)]
fn scan_short<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    mut put: impl FnMut(usize, S::Vector, bool),
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
) -> usize {
    let blocks = short_blocks(simd, src);
    blocks.each(|(at, bytes)| put(at, bytes, true));
    if simd.is_ascii(blocks.each(|(_, bytes)| bytes)) {
        return src.len();
    }
    let errors = |(at, bytes)| errors(src, at, bytes);
    let [first, second, third, last] = blocks;
    // Two blocks cover `2 * N` bytes, and the two in the middle are the same.
    let outer = [errors(first), errors(last)];
    let inner = if src.len() > 2 * N { [errors(second), errors(third)] } else { outer };
    if simd.is_zero(simd.or(simd.or(outer[0], outer[1]), simd.or(inner[0], inner[1]))) {
        return src.len() - pending(src);
    }
    let errors = [(first.0, outer[0]), (second.0, inner[0]), (third.0, inner[1]), (last.0, outer[1])];
    let wrong = errors.each(|(at, errors)| (at, simd.nonzero(errors)));
    let (at, wrong) = wrong.into_iter().find(|(_, wrong)| *wrong != 0).unwrap_or((src.len(), 1));
    before_error(src, at, wrong)
}

/// Returns the offset of the sequence with the first error, which is in the two blocks at `at`.
///
/// Computes the errors of each block again: to keep them for this needs more registers than AVX2 has.
#[inline(always)]
fn before_error_in_run<S: Simd<N>, const N: usize>(
    simd: S,
    src: &[u8],
    at: usize,
    errors: impl Fn(&[u8], usize, S::Vector) -> S::Vector,
) -> usize {
    for at in [at, at + N] {
        let wrong = simd.nonzero(errors(src, at, simd.load_some(&src[at..])));
        if wrong != 0 {
            return before_error(src, at, wrong);
        }
    }
    // Not reached, as both functions find the same errors. The blocks after these two were not passed to `put`.
    before_error(src, at, 1)
}

/// Returns the offset of the sequence with the first error. `wrong` has the errors of the block at `at`. If the end of the
/// input truncates a sequence, the error is past the end.
#[cold]
fn before_error(src: &[u8], at: usize, wrong: u64) -> usize {
    let at = src.len().min(at + wrong.trailing_zeros() as usize);
    at - pending(&src[..at])
}
