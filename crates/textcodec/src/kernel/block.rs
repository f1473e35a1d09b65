//! Access to parts of slices without bounds checks.

use core::mem::MaybeUninit;

/// Returns the `N` elements from `at` on.
///
/// # Safety
/// `at + N <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn block<T, const N: usize>(slice: &[T], at: usize) -> &[T; N] {
    check(at, N, slice.len());
    // SAFETY: `at + N <= slice.len()`: this function's contract. An array has the layout of a slice of its length.
    unsafe { &*slice.as_ptr().add(at).cast::<[T; N]>() }
}

/// Returns the `N` elements from `at` on, mutably.
///
/// # Safety
/// `at + N <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn block_mut<T, const N: usize>(slice: &mut [T], at: usize) -> &mut [T; N] {
    check(at, N, slice.len());
    // SAFETY: `at + N <= slice.len()`: this function's contract. An array has the layout of a slice of its length.
    unsafe { &mut *slice.as_mut_ptr().add(at).cast::<[T; N]>() }
}

/// Returns the element at `at`.
///
/// # Safety
/// `at < slice.len()`.
#[inline(always)]
pub(crate) unsafe fn element<T>(slice: &[T], at: usize) -> &T {
    check(at, 1, slice.len());
    // SAFETY: `at < slice.len()`: this function's contract.
    unsafe { slice.get_unchecked(at) }
}

/// Returns the elements from `at` on, mutably.
///
/// # Safety
/// `at <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn rest_mut<T>(slice: &mut [T], at: usize) -> &mut [T] {
    check(at, 0, slice.len());
    // SAFETY: `at <= slice.len()`: this function's contract.
    unsafe { slice.get_unchecked_mut(at..) }
}

/// Returns the `len` elements from `at` on, mutably.
///
/// # Safety
/// `at + len <= slice.len()`.
#[inline(always)]
pub(crate) unsafe fn part_mut<T>(slice: &mut [T], at: usize, len: usize) -> &mut [T] {
    check(at, len, slice.len());
    // SAFETY: `at + len <= slice.len()`: this function's contract.
    unsafe { slice.get_unchecked_mut(at..at + len) }
}

/// Returns slots as the values in them. Unlike `array::map`, this needs no code.
///
/// # Safety
/// All slots are initialised.
#[inline(always)]
pub(crate) unsafe fn values<T, const N: usize>(slots: &[MaybeUninit<T>; N]) -> &[T; N] {
    // SAFETY: a `MaybeUninit<T>` has the layout of `T`, and all are initialised: this function's contract.
    unsafe { &*(&raw const *slots).cast::<[T; N]>() }
}

/// Returns the bytes of code units, in native order.
#[inline(always)]
pub(crate) fn bytes_of(units: &[u16]) -> &[u8] {
    // SAFETY: the slice covers the same `2 * units.len()` bytes, which are initialised. A `u8` has alignment 1.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast::<u8>(), 2 * units.len()) }
}

/// Returns the bytes of slots for code units.
#[inline(always)]
pub(crate) fn bytes_of_slots(units: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the slice covers the same `2 * units.len()` bytes. A `MaybeUninit<u8>` has alignment 1 and may be uninitialised.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast::<MaybeUninit<u8>>(), 2 * units.len()) }
}

/// Panics if `at + len > end`, in debug builds and with `--cfg textcodec_checked`.
#[inline(always)]
fn check(at: usize, len: usize, end: usize) {
    if cfg!(any(debug_assertions, textcodec_checked)) {
        assert!(at <= end && len <= end - at, "{len} elements from {at} on, of {end}");
    }
}
