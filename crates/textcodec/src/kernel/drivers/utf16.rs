//! UTF-16: validation, byte order, and the replacement of unpaired surrogates.

use core::{mem::MaybeUninit, ops::Range};

use super::{LONG, ascii::load_run};
use crate::kernel::{
    block::{block, block_mut},
    each::Each as _,
    simd::Simd,
    tables::ByteOrder,
};

/// Returns how many code units precede the first unpaired surrogate. With `COPY`, writes their bytes to the start of `dst`.
/// `FROM_BIG` and `TO_BIG` select big-endian order. `shared` are functions of the level, because several kernels share them.
///
/// # Safety
/// `src.len()` is even. With `COPY`, `dst.len() == src.len()`. `shared` are [`copy_dense`] and [`copy_part`] for the level of `simd`,
/// whose features the CPU has.
#[inline(always)]
pub(crate) unsafe fn copy<S: Simd<N>, const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool, const N: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    shared: Shared,
) -> usize {
    let (len, from, to) = (src.len() / 2, ByteOrder::of(FROM_BIG), ByteOrder::of(TO_BIG));
    if len < N {
        // SAFETY: this function's contract.
        return unsafe { (shared.copy_part)([from, to], src, COPY.then_some(dst)) };
    }
    let mut copy = Copy::<S, FROM_BIG, TO_BIG, COPY, N> { simd, src, dst, at: 0, pending_high: false };
    while len - copy.at >= 2 * N {
        let first = copy.at;
        // SAFETY: `at + 2 * N <= len`: the loop condition.
        let has_surrogates = unsafe { copy.blocks([first, first + N]) };
        if has_surrogates || copy.pending_high {
            // SAFETY: this function's contract.
            let (end, is_unpaired) = unsafe { copy.dense(shared, first..first + 2 * N) };
            if is_unpaired {
                return end;
            }
            (copy.at, copy.pending_high) = (end, is_high_before(from, src, end));
        }
        if path!("utf-16-aligned") && first == 0 && copy.at == 2 * N && len >= LONG {
            // The next blocks overlap these, so that stores, or loads if nothing is copied, do not cross cache lines.
            copy.at -= if COPY { copy.dst.as_ptr().addr() } else { src.as_ptr().addr() } % N / 2;
            copy.pending_high = is_high_before(from, src, copy.at);
        }
    }
    if copy.at < len {
        // Two blocks that overlap those before, or each other.
        let starts = [copy.at.min(len.saturating_sub(2 * N)), len - N];
        // SAFETY: both offsets are at most `len - N`, and the second is at least the first.
        let has_surrogates = unsafe { copy.blocks(starts) };
        if has_surrogates || is_high_before(from, src, starts[0]) {
            for start in starts {
                // SAFETY: this function's contract.
                let (end, is_unpaired) = unsafe { copy.dense(shared, start..start + N) };
                if is_unpaired {
                    return end;
                }
            }
            copy.pending_high = is_high_before(from, src, len);
        }
    }
    len - usize::from(copy.pending_high)
}

/// Functions that several kernels of a level share. They may be called if the CPU has the features of the level. Function pointers
/// instead of closures, which would not be inlined.
#[derive(Clone, Copy)]
pub(crate) struct Shared {
    /// See [`copy_dense`].
    pub(crate) copy_dense: CopyDense,
    /// See [`copy_part`].
    pub(crate) copy_part: unsafe fn([ByteOrder; 2], &[u8], Destination<'_>) -> usize,
}

/// The type of [`copy_dense`], apart from its first argument.
type CopyDense = unsafe fn([ByteOrder; 2], &[u8], Destination<'_>, Range<usize>) -> (usize, bool);

/// As many bytes as the source has, or none if that is only examined.
pub(crate) type Destination<'a> = Option<&'a mut [MaybeUninit<u8>]>;

/// The state of [`copy`], with its parameters.
struct Copy<'a, S: Simd<N>, const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool, const N: usize> {
    simd: S,
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
    /// The number of units that are converted.
    at: usize,
    /// Whether the last one is a high surrogate.
    pending_high: bool,
}

impl<S: Simd<N>, const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool, const N: usize>
    Copy<'_, S, FROM_BIG, TO_BIG, COPY, N>
{
    /// Converts two blocks of `N` units, which may overlap with each other and with those before. Returns whether they have
    /// surrogates.
    ///
    /// # Safety
    /// `first <= at`, `first <= second`, and `2 * (second + N) <= src.len()`.
    #[inline(always)]
    unsafe fn blocks(&mut self, [first, second]: [usize; 2]) -> bool {
        let (simd, src) = (self.simd, self.src);
        // SAFETY: `from <= second` for both blocks, and this function's contract.
        let load = |from| unsafe { [simd.load(block(src, 2 * from)), simd.load(block(src, 2 * from + N))] };
        let from_order = |units| if FROM_BIG { simd.swapped(units) } else { units };
        let [front, back] = [load(first).each(from_order), load(second).each(from_order)];
        if COPY {
            // SAFETY: as for the loads; `dst.len() == src.len()`.
            unsafe { self.store(front, first) };
            // SAFETY: the same.
            unsafe { self.store(back, second) };
        }
        self.at = second + N;
        simd.any_surrogate([front[0], front[1], back[0], back[1]])
    }

    /// See [`copy_dense`].
    ///
    /// # Safety
    /// The functions may be called.
    #[inline(always)]
    unsafe fn dense(&mut self, shared: Shared, range: Range<usize>) -> (usize, bool) {
        let dst = COPY.then_some(&mut *self.dst);
        // SAFETY: this function's contract.
        unsafe { (shared.copy_dense)([FROM_BIG, TO_BIG].each(ByteOrder::of), self.src, dst, range) }
    }

    /// # Safety
    /// `2 * (from + N) <= dst.len()`.
    #[inline(always)]
    unsafe fn store(&mut self, units: [S::Vector; 2], from: usize) {
        for (n, units) in units.into_iter().enumerate() {
            let units = if TO_BIG { self.simd.swapped(units) } else { units };
            // SAFETY: `2 * from + n * N + N <= dst.len()`: `n < 2`, and this function's contract.
            self.simd.store(units, unsafe { block_mut(self.dst, 2 * from + n * N) });
        }
    }
}

/// Copies the blocks of `N` units in `range`, and those after it that have surrogates. Returns the offset after them and false, or
/// the offset of the first unpaired surrogate and true. That may be the unit before `range`.
#[inline(always)]
pub(crate) fn copy_dense<S: Simd<N>, const N: usize>(
    simd: S,
    [from, to]: [ByteOrder; 2],
    src: &[u8],
    mut dst: Destination<'_>,
    range: Range<usize>,
) -> (usize, bool) {
    let (mut at, mut pending_high) = (range.start, is_high_before(from, src, range.start));
    while 2 * (at + N) <= src.len() {
        let units = [0, N].each(|half| {
            // SAFETY: `2 * at + half + N <= src.len()`: `half <= N`, and the loop condition.
            let units = simd.load(unsafe { block(src, 2 * at + half) });
            if from == ByteOrder::Big { simd.swapped(units) } else { units }
        });
        let surrogates = simd.surrogates(units);
        if at >= range.end && !pending_high && surrogates.are_none() {
            break;
        }
        if let Some(dst) = &mut dst {
            let units = if to == ByteOrder::Big { units.each(|units| simd.swapped(units)) } else { units };
            for (units, to) in units.into_iter().zip(dst[2 * at..][..2 * N].as_chunks_mut().0) {
                simd.store(units, to);
            }
        }
        if let Some(unpaired) = surrogates.first_unpaired(at, simd.first_n(N), pending_high) {
            return (unpaired, true);
        }
        pending_high = surrogates.end_high(N);
        at += N;
    }
    (at, false)
}

/// Makes the copy for an input of less than `N` units, without a destination if it only examines them. Returns how many precede
/// the first unpaired surrogate.
#[inline(always)]
pub(crate) fn copy_part<S: Simd<N>, const N: usize>(
    simd: S,
    [from, to]: [ByteOrder; 2],
    src: &[u8],
    dst: Destination<'_>,
) -> usize {
    let (len, middle) = (src.len() / 2, src.len().min(N));
    let units = loaded(simd, from, src);
    let surrogates = simd.surrogates(units);
    if let Some(dst) = dst {
        let [front, back] = if to == ByteOrder::Big { units.each(|units| simd.swapped(units)) } else { units };
        let (to_front, to_back) = dst.split_at_mut(middle);
        simd.store_some(front, middle, to_front);
        if middle < src.len() {
            simd.store_some(back, src.len() - middle, to_back);
        }
    }
    surrogates
        .first_unpaired(0, simd.first_n(len), false)
        .unwrap_or_else(|| len - usize::from(len > 0 && surrogates.end_high(len)))
}

/// Loads up to `N` units, and zeros past the end.
#[inline(always)]
fn loaded<S: Simd<N>, const N: usize>(simd: S, order: ByteOrder, src: &[u8]) -> [S::Vector; 2] {
    let (front, back) = src.split_at(src.len().min(N));
    let back = if back.is_empty() { simd.splat(0) } else { simd.load_some(back) };
    let units = [simd.load_some(front), back];
    if order == ByteOrder::Big { units.each(|units| simd.swapped(units)) } else { units }
}

/// Whether the unit before an offset is a high surrogate.
#[inline(always)]
fn is_high_before(order: ByteOrder, src: &[u8], at: usize) -> bool {
    src[..2 * at].last_chunk().is_some_and(|&unit| order.unit(unit) & 0xFC00 == 0xD800)
}

/// Reads runs of four vectors in a byte order, with unpaired surrogates as U+FFFD. Adds the number of replacements to `replaced`.
/// Returns how many code units were read, of which the last is not a high surrogate. `dst` has as many initialised units.
#[inline(always)]
pub(crate) fn replace<S: Simd<N>, const N: usize>(
    simd: S,
    order: ByteOrder,
    src: &[[u8; 2]],
    dst: &mut [MaybeUninit<u16>],
    replaced: &mut u64,
) -> usize {
    const REPLACEMENT: u16 = 0xFFFD;
    let (mut at, mut pending_high) = (0, false);
    while let Some(run) = src[at..].as_flattened().as_chunks::<N>().0.first_chunk()
        && dst.len() - at >= 2 * N
    {
        let run = load_run(simd, run).each(|units| if order == ByteOrder::Big { simd.swapped(units) } else { units });
        let [a, b, c, d] = run;
        let has_surrogates = pending_high || simd.any_surrogate(run);
        for mut units in [[a, b], [c, d]] {
            if has_surrogates {
                let surrogates = simd.surrogates(units);
                let unpaired = surrogates.unpaired(simd.first_n(N), pending_high);
                units = simd.with_units(units, unpaired.lanes, REPLACEMENT);
                if unpaired.is_before {
                    dst[at - 1].write(REPLACEMENT);
                }
                *replaced += unpaired.count();
                pending_high = surrogates.end_high(N);
            }
            // SAFETY: `at + N <= dst.len()`: the loop condition left `2 * N` units, and there are two blocks of `N`.
            simd.store_units(units, unsafe { block_mut(dst, at) });
            at += N;
        }
    }
    at - usize::from(pending_high)
}
