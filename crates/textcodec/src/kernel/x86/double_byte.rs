//! Constants of the kernels of AVX2 and AVX-512 that decode pairs, and a test of a step.

use crate::kernel::simd::Simd;

/// Bytes of a step.
pub(crate) const STEP: usize = 64;
/// The maximum number of steps in a block.
pub(crate) const STEPS: usize = 8;
/// The maximum number of steps in the first block. An unmapped pair is found only after the whole block was looked up, so a
/// kernel must not look far ahead before it has converted anything: cell
/// `hostile/decode/big5/utf-16/replace/4KiB/pair+two-code-points`.
pub(crate) const FIRST_STEPS: usize = 2;
/// Steps with at least this many bytes of ASCII are converted character by character: cells `decode/*/*-page/4KiB`.
pub(crate) const SPARSE: u32 = 40;

/// Returns whether a step has at least `min` bytes of ASCII.
#[inline(always)]
pub(crate) fn is_sparse<S: Simd<N>, const N: usize>(simd: S, src: &[u8], min: u32) -> bool {
    let ascii = |block: &[u8; N]| N as u32 - simd.high_bits(simd.load(block)).count_ones();
    src.first_chunk::<STEP>().is_some_and(|step| step.as_chunks().0.iter().map(ascii).sum::<u32>() >= min)
}
