//! Arithmetic with masks of 64 bytes that finds where characters begin.

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

/// Returns the lowest `count` bits; `count <= 64`.
#[inline(always)]
pub(crate) fn first_n(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
}

/// Returns the bits below the lowest set one, or all if none is set.
#[inline(always)]
pub(crate) fn before_first(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}
