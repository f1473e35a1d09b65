//! UTF-16: validation, byte order, and the replacement of unpaired surrogates.

use core::mem::MaybeUninit;

use super::{LONG, ascii::load_run};
use crate::kernel::{
    block::{block, block_mut},
    each::Each as _,
    simd::Simd,
    tables::ByteOrder,
};

/// Returns how many code units precede the first unpaired surrogate. With `COPY`, writes their bytes to the start of `dst`.
/// `FROM_BIG` and `TO_BIG` select big-endian order.
///
/// # Safety
/// `src.len()` is even. With `COPY`, `dst.len() == src.len()`.
#[inline(always)]
pub(crate) unsafe fn copy<S: Simd<N>, const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool, const N: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len() / 2;
    let mut copy =
        Copy::<S, FROM_BIG, TO_BIG, COPY, N> { simd, src, dst, at: 0, pending_high: false, are_dense: false };
    if len < N {
        return copy.part();
    }
    while len - copy.at >= 2 * N {
        // SAFETY: `at + 2 * N <= len`: the loop condition.
        if let Some(end) = unsafe { copy.blocks::<false>(copy.at, copy.at + N) } {
            return end;
        }
        if copy.at == 2 * N && len >= LONG {
            // The next blocks overlap these, so that stores, or loads if nothing is copied, do not cross cache lines: cells
            // `validate/utf-16/*/1MiB`.
            copy.at -= if COPY { copy.dst.as_ptr().addr() } else { src.as_ptr().addr() } % N / 2;
            copy.pending_high = copy.is_high_before(copy.at);
        }
    }
    if copy.at < len {
        // Two blocks that overlap those before, or each other.
        // SAFETY: both offsets are at most `len - N`, and the second is at least the first.
        if let Some(end) = unsafe { copy.blocks::<true>(copy.at.min(len.saturating_sub(2 * N)), len - N) } {
            return end;
        }
    }
    len - usize::from(copy.pending_high)
}

/// The state of [`copy`], with its parameters.
struct Copy<'a, S: Simd<N>, const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool, const N: usize> {
    simd: S,
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
    /// The number of units that are converted.
    at: usize,
    /// Whether the last one is a high surrogate.
    pending_high: bool,
    /// Whether the last two blocks had surrogates. Then the next two probably have some too.
    are_dense: bool,
}

impl<S: Simd<N>, const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool, const N: usize>
    Copy<'_, S, FROM_BIG, TO_BIG, COPY, N>
{
    /// Converts two blocks of `N` units, which may `OVERLAP` with each other and with those before. Otherwise, the first starts at
    /// `at`. Returns the offset of the first unpaired surrogate.
    ///
    /// # Safety
    /// `first <= at`, `first <= second`, and `2 * (second + N) <= src.len()`.
    #[inline(always)]
    unsafe fn blocks<const OVERLAP: bool>(&mut self, first: usize, second: usize) -> Option<usize> {
        let (simd, src) = (self.simd, self.src);
        // SAFETY: `from <= second` for both blocks, and this function's contract.
        let load = |from| unsafe { [simd.load(block(src, 2 * from)), simd.load(block(src, 2 * from + N))] };
        let from_order = |units| if FROM_BIG { simd.swapped(units) } else { units };
        let blocks = [load(first).each(from_order), load(second).each(from_order)];
        let [[a, b], [c, d]] = blocks;
        if COPY {
            // SAFETY: as for the loads; `dst.len() == src.len()`.
            unsafe { self.store(blocks[0], first) };
            // SAFETY: the same.
            unsafe { self.store(blocks[1], second) };
        }
        let follows_high = if OVERLAP { self.is_high_before(first) } else { self.pending_high };
        if !(follows_high || self.are_dense || simd.any_surrogate([a, b, c, d])) {
            (self.at, self.pending_high) = (second + N, false);
            return None;
        }
        self.are_dense = false;
        for (units, from) in blocks.into_iter().zip([first, second]) {
            let (surrogates, lanes) = (simd.surrogates(units), simd.first_n(N));
            let follows_high = if OVERLAP { self.is_high_before(from) } else { self.pending_high };
            if let Some(end) = surrogates.first_unpaired(from, lanes, follows_high) {
                return Some(end);
            }
            self.pending_high = surrogates.end_high(N);
            self.are_dense |= !surrogates.are_none();
            self.at = if OVERLAP { self.at.max(from + N) } else { from + N };
        }
        None
    }

    /// Converts an input of less than `N` units. Returns how many.
    #[inline(always)]
    fn part(self) -> usize {
        let (simd, src, len) = (self.simd, self.src, self.src.len() / 2);
        let from_order = |units| if FROM_BIG { simd.swapped(units) } else { units };
        let in_order = |units| if TO_BIG { simd.swapped(units) } else { units };
        let middle = src.len().min(N);
        let has_back = middle < src.len();
        let back = if has_back { simd.load_some(&src[middle..]) } else { simd.splat(0) };
        let units = [simd.load_some(&src[..middle]), back].each(from_order);
        let (surrogates, lanes) = (simd.surrogates(units), simd.first_n(len));
        if COPY {
            let (front, back) = self.dst.split_at_mut(middle);
            simd.store_some(in_order(units[0]), middle, front);
            if has_back {
                simd.store_some(in_order(units[1]), src.len() - N, back);
            }
        }
        surrogates
            .first_unpaired(0, lanes, false)
            .unwrap_or_else(|| len - usize::from(len > 0 && surrogates.end_high(len)))
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

    /// Whether the unit before an offset is a high surrogate.
    #[inline(always)]
    fn is_high_before(&self, at: usize) -> bool {
        self.src[..2 * at].last_chunk().is_some_and(|&unit| ByteOrder::of(FROM_BIG).unit(unit) & 0xFC00 == 0xD800)
    }
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
