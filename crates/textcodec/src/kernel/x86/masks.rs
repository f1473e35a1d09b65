//! Arithmetic with masks of 64 bytes that finds where characters begin.

use core::arch::x86_64::{_bzhi_u64, _pdep_u64};

/// Returns the bytes that lead pairs. `capable` has the bytes that can lead one. In each run of these, the first one leads a
/// pair, and so does every second one after it; a run of odd length is followed by the trail byte of its last pair. If byte 0
/// does not begin a character, it must not be in `capable`. No two bits of the result are neighbours.
#[inline(always)]
pub(crate) fn leading(capable: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let begins = capable & !(capable << 1);
    // The carry of an addition runs through a run and clears it.
    let from_even = capable & !capable.wrapping_add(begins & EVEN);
    capable & (from_even ^ !EVEN)
}

/// Returns the bytes that begin four-byte sequences. `halves` has the first byte of each half of a sequence, which is a byte
/// that can lead and a digit. In each run of halves, every second one begins a sequence.
#[inline(always)]
pub(crate) fn four_byte_starts(halves: u64) -> u64 {
    const FOURTH: u64 = 0x1111_1111_1111_1111;
    let bytes = halves | halves << 1;
    let begins = bytes & !(bytes << 1);
    // The carry of an addition runs through a run and clears it. The runs may begin at any of four positions.
    let from = |fourth: u64| bytes & !bytes.wrapping_add(begins & fourth) & fourth;
    from(FOURTH) | from(FOURTH << 1) | from(FOURTH << 2) | from(FOURTH << 3)
}

/// Returns the position of the bit after the lowest `n` ones.
#[inline(always)]
pub(crate) fn nth_bit(bits: u64, n: usize) -> usize {
    (0..n).fold(bits, |left, _| left & left.wrapping_sub(1)).trailing_zeros() as usize
}

/// Returns the mask of the first `min(count, 64)` lanes.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn first_n(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(64) as u32)
}

/// Returns the lowest `count` ones of a mask, or all if it has fewer.
#[inline]
#[target_feature(enable = "bmi2")]
pub(crate) fn lowest(mask: u64, count: usize) -> u64 {
    _pdep_u64(first_n(count), mask)
}

/// Returns the bits below the lowest set one, or all if none is set.
#[inline(always)]
pub(crate) fn before_first(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}
