//! Access to parts of known length of a slice, without a bounds check where the caller has made it.

use core::mem::MaybeUninit;

/// The `N` elements from `at` on.
///
/// # Safety
/// `at + N <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn block<T, const N: usize>(slice: &[T], at: usize) -> &[T; N] {
    check(at, N, slice.len());
    // SAFETY: `at + N <= slice.len()`, by the caller, and an array has the layout of its elements.
    unsafe { &*slice.as_ptr().add(at).cast::<[T; N]>() }
}

/// The `N` elements from `at` on, to write to.
///
/// # Safety
/// `at + N <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn block_mut<T, const N: usize>(slice: &mut [T], at: usize) -> &mut [T; N] {
    check(at, N, slice.len());
    // SAFETY: `at + N <= slice.len()`, by the caller, and an array has the layout of its elements.
    unsafe { &mut *slice.as_mut_ptr().add(at).cast::<[T; N]>() }
}

/// The element at `at`.
///
/// # Safety
/// `at < slice.len()`.
#[inline(always)]
pub(crate) unsafe fn element<T>(slice: &[T], at: usize) -> &T {
    check(at, 1, slice.len());
    // SAFETY: `at < slice.len()`, by the caller.
    unsafe { slice.get_unchecked(at) }
}

/// The elements from `at` on, to write to.
///
/// # Safety
/// `at <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn rest_mut<T>(slice: &mut [T], at: usize) -> &mut [T] {
    check(at, 0, slice.len());
    // SAFETY: `at <= slice.len()`, by the caller.
    unsafe { slice.get_unchecked_mut(at..) }
}

/// The bytes of code units, in the machine's order.
#[inline(always)]
pub(crate) fn bytes_of(units: &[u16]) -> &[u8] {
    // SAFETY: the same memory, of `2 * units.len()` initialised bytes, and bytes have no alignment.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast::<u8>(), 2 * units.len()) }
}

/// The bytes of slots for code units, to write to.
#[inline(always)]
pub(crate) fn bytes_of_slots(units: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same memory, of `2 * units.len()` bytes, which may be uninitialised and have no alignment.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast::<MaybeUninit<u8>>(), 2 * units.len()) }
}

/// Panics where `at + len` is past the end, in debug builds and with `--cfg textcodec_checked`.
#[inline(always)]
fn check(at: usize, len: usize, end: usize) {
    if cfg!(any(debug_assertions, textcodec_checked)) {
        assert!(at <= end && len <= end - at, "{len} elements from {at} on, of {end}");
    }
}
