//! ASCII, and the conversions of Latin-1 that map one unit to one unit.

use super::LONG;
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    each::Each as _,
    simd::{Bytes, Simd, Units},
    tables::ByteOrder,
};

/// Returns the number of ASCII bytes at the start of the input.
#[inline(always)]
pub(crate) fn prefix<S: Simd<N>, const N: usize>(simd: S, src: &[u8]) -> usize {
    let mut read = 0;
    for run in src.as_chunks::<N>().0.as_chunks::<4>().0 {
        if !simd.is_ascii(load_run(simd, run)) {
            break;
        }
        read += 4 * N;
    }
    while read < src.len() {
        let others = simd.high_bits(simd.load_some(&src[read..]));
        if others != 0 {
            return read + others.trailing_zeros() as usize;
        }
        read += N;
    }
    src.len()
}

/// Returns the number of ASCII bytes, other than the `excluded` ones, at the start of the input.
#[inline(always)]
pub(crate) fn prefix_without<S: Simd<N>, const N: usize>(simd: S, excluded: [u8; 3], src: &[u8]) -> usize {
    let excluded = [simd.splat(excluded[0]), simd.splat(excluded[1]), simd.splat(excluded[2])];
    let mut read = 0;
    while read < src.len() {
        let others = simd.high_bits_or_any(simd.load_some(&src[read..]), excluded);
        if others != 0 {
            // Lanes after the end are 0, which may be excluded.
            return src.len().min(read + others.trailing_zeros() as usize);
        }
        read += N;
    }
    src.len()
}

/// Returns the longest prefix of `src` that fits into `out` and whose length is a multiple of 64.
#[inline(always)]
pub(crate) fn whole_steps<'a, T: Copy>(src: &'a [u8], out: &Out<'_, T>) -> &'a [u8] {
    &src[..src.len().min(out.spare_len()) / 64 * 64]
}

/// Converts whole blocks of ASCII at the start to code units in a byte order, and the tail of the input if all of the input is
/// ASCII. Other input costs one branch, before a kernel loads its tables (cells `convert/utf-8/utf-16/*/16B` and `64B`).
#[inline(always)]
pub(crate) fn widen_blocks<S: Simd<N>, const N: usize>(
    simd: S,
    order: ByteOrder,
    src: &[u8],
    out: &mut Out<'_, u16>,
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let src = &src[..src.len().min(spare.len())];
    let mut read = 0;
    while let Some(block) = src[read..].first_chunk::<N>() {
        let bytes = simd.load(block);
        if simd.high_bits(bytes) != 0 {
            break;
        }
        // SAFETY: `read + N <= src.len() <= spare.len()`: `block` is the `N` bytes from `read` on.
        simd.store_units(in_order(simd, order, simd.widen(bytes)), unsafe { block_mut(spare, read) });
        read += N;
    }
    let rest = &src[read..];
    if rest.len() < N {
        let (last, at) = match src.last_chunk::<N>() {
            // Overlaps with the block before.
            Some(block) if !S::HAS_MASKS => (&block[..], src.len() - N),
            _ => (rest, read),
        };
        let bytes = simd.load_some(last);
        if simd.high_bits(bytes) == 0 {
            let units = in_order(simd, order, simd.widen(bytes));
            // SAFETY: `at <= src.len() <= spare.len()`: `at` is `read` or `src.len() - N`.
            simd.store_some_units(units, last.len(), unsafe { rest_mut(spare, at) });
            read = src.len();
        }
    }
    // SAFETY: the first `read` spare slots are written, and `read <= src.len() <= spare.len()`: each block wrote `N` slots and
    // moved `read` by `N`; the last part wrote from `at <= read` up to `src.len()`.
    unsafe { out.advance(read) };
    read
}

/// Returns whether the input has at least [`LONG`] bytes and its first run, four blocks, is ASCII.
/// [`in_runs`](super::in_runs) stores ASCII aligned; the loops that convert to and from UTF-8 cannot.
#[inline(always)]
pub(crate) fn begins_with_run<S: Simd<N>, const N: usize>(simd: S, src: &[u8]) -> bool {
    path!("ascii-first")
        && src.len() >= LONG
        && src.as_chunks::<N>().0.first_chunk().is_some_and(|run| simd.is_ascii(load_run(simd, run)))
}

/// Returns whether the first run of code units is ASCII.
#[inline(always)]
pub(crate) fn units_begin_with_run<S: Simd<N>, const N: usize>(simd: S, src: &[u16]) -> bool {
    src.as_chunks().0.first_chunk().is_some_and(|run| narrow_run(simd, 0x7F, run).is_some())
}

/// The maximum length in bytes of an input that four blocks cover.
pub(crate) const SHORT: usize = 128;

/// Returns an input of `N` to [`SHORT`] bytes in four blocks with their offsets. Each block is within the input, and together
/// they cover it.
#[inline(always)]
pub(crate) fn short_blocks<S: Simd<N>, const N: usize>(simd: S, src: &[u8]) -> [(usize, S::Vector); 4] {
    const { assert!(4 * N >= SHORT, "four blocks cover the longest input") };
    let len = src.len();
    assert!(N <= len && len <= SHORT, "four blocks cover the input");
    let last = len - N;
    // The first and the last block cover up to `2 * N` bytes. Longer inputs have two more between them.
    let inner = if len <= 2 * N { [0, last] } else { [N, N.max(len - 2 * N)] };
    // SAFETY: `at + N <= len`: `N <= len` was asserted above, `last + N == len`, and for `2 * N < len`, both `N` and
    // `len - 2 * N` are at most `len - N`.
    [0, inner[0], inner[1], last].each(|at| (at, simd.load(unsafe { block(src, at) })))
}

/// Loads a step. Returns the mask of the bytes that are not ASCII.
#[inline(always)]
pub(crate) fn step<S: Simd<N>, const N: usize>(simd: S, src: &[u8]) -> (Bytes<S::Vector>, u64) {
    let bytes = simd.load_some(src);
    (Bytes(bytes), simd.high_bits(bytes))
}

/// Loads a run of four steps. Returns `None` if it is not all ASCII.
#[inline(always)]
pub(crate) fn run<S: Simd<N>, const N: usize>(simd: S, run: &[[u8; N]; 4]) -> Option<[Bytes<S::Vector>; 4]> {
    let steps = load_run(simd, run);
    simd.is_ascii(steps).then(|| steps.each(Bytes))
}

/// Loads a step as code units. Returns the mask of the bytes that are not ASCII.
#[inline(always)]
pub(crate) fn widened_step<S: Simd<N>, const N: usize>(
    simd: S,
    order: ByteOrder,
    src: &[u8],
) -> (Units<S::Vector>, u64) {
    let bytes = simd.load_some(src);
    (Units(in_order(simd, order, simd.widen(bytes))), simd.high_bits(bytes))
}

/// Loads a run of four steps of Latin-1 as code units.
#[inline(always)]
pub(crate) fn widened_run<S: Simd<N>, const N: usize>(
    simd: S,
    order: ByteOrder,
    [a, b, c, d]: &[[u8; N]; 4],
) -> [Units<S::Vector>; 4] {
    [a, b, c, d].each(|block| Units(in_order(simd, order, simd.load_widened(block))))
}

/// Swaps the bytes of each code unit if they are in big-endian order.
#[inline(always)]
fn in_order<S: Simd<N>, const N: usize>(simd: S, order: ByteOrder, [low, high]: [S::Vector; 2]) -> [S::Vector; 2] {
    if order == ByteOrder::Big { [simd.swapped(low), simd.swapped(high)] } else { [low, high] }
}

/// Loads a step of code units as bytes. Returns the mask of the units with bits outside `mask`, which is 0x7F or 0xFF.
#[inline(always)]
pub(crate) fn narrow_step<S: Simd<N>, const N: usize>(simd: S, mask: u16, src: &[u16]) -> (Bytes<S::Vector>, u64) {
    let units = simd.load_some_units(src);
    (Bytes(simd.narrow(units)), simd.exceeding(units, mask))
}

/// Loads a run of four steps of code units as bytes. Returns `None` if any has bits outside `mask`.
#[inline(always)]
pub(crate) fn narrow_run<S: Simd<N>, const N: usize>(
    simd: S,
    mask: u16,
    [a, b, c, d]: &[[u16; N]; 4],
) -> Option<[Bytes<S::Vector>; 4]> {
    let [a, b, c, d] = [a, b, c, d].each(|block| simd.load_some_units(block));
    let any = |[low, high]: [S::Vector; 2]| simd.or(low, high);
    let all = simd.or(simd.or(any(a), any(b)), simd.or(any(c), any(d)));
    (!simd.any_exceeding(all, mask)).then(|| [a, b, c, d].each(|units| Bytes(simd.narrow(units))))
}

/// Loads the four blocks of a run.
#[inline(always)]
pub(crate) fn load_run<S: Simd<N>, const N: usize>(simd: S, [a, b, c, d]: &[[u8; N]; 4]) -> [S::Vector; 4] {
    [simd.load(a), simd.load(b), simd.load(c), simd.load(d)]
}
