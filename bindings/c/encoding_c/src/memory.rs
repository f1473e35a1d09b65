//! Pointers from C as Rust's types, and objects on the heap.

use alloc::boxed::Box;
use core::{alloc::Layout, mem::MaybeUninit, slice};

/// Returns the object that a function requires. Ends the program if the pointer is null, because no result would tell the
/// caller of the mistake.
#[inline]
pub(crate) fn required<T>(object: Option<T>) -> T {
    object.unwrap_or_else(|| abort())
}

#[cold]
fn abort() -> ! {
    // SAFETY: `abort` has no requirements.
    unsafe { libc::abort() }
}

/// Returns the slice of `len` units at `start`. If `len` is 0, `start` may have any value, also null.
///
/// # Safety
/// If `len` is not 0, `start` is null or aligned. If it is not null, `len` units can be read there, and do not change while the
/// slice is in use.
#[inline]
pub(crate) unsafe fn input<'a, T: Copy>(start: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    if start.is_null() {
        abort();
    }
    // SAFETY: `start` is not null, and the caller promises the rest. No object of C is larger than `isize::MAX` bytes.
    unsafe { slice::from_raw_parts(start, len) }
}

/// Returns the slice of `len` units at `start`, for output. If `len` is 0, `start` may have any value, also null.
///
/// # Safety
/// If `len` is not 0, `start` is null or aligned. If it is not null, `len` units can be read and written there, and nothing else
/// uses them while the slice is in use. They may be uninitialised if the function only writes: it does not read them first.
#[inline]
pub(crate) unsafe fn output<'a, T: Copy>(start: *mut T, len: usize) -> &'a mut [T] {
    if len == 0 {
        return &mut [];
    }
    if start.is_null() {
        abort();
    }
    // SAFETY: `start` is not null, and the caller promises the rest. No object of C is larger than `isize::MAX` bytes.
    unsafe { slice::from_raw_parts_mut(start, len) }
}

/// Moves a value to the heap. Returns `None`, which is null for C, if there is no memory. `Box::new` would end the program.
pub(crate) fn boxed<T>(value: T) -> Option<Box<T>> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: the size is not 0: the assertion above.
    let memory = unsafe { alloc::alloc::alloc(Layout::new::<T>()) }.cast::<T>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: the memory is not null, and has the size and the alignment of `T`.
    unsafe { memory.write(value) };
    // SAFETY: the global allocator returned the memory for the layout of `T`, and it has a value.
    Some(unsafe { Box::from_raw(memory) })
}

/// Writes a value into an object of the caller, which may be uninitialised. The old value is not dropped.
pub(crate) fn put<T>(value: T, place: Option<&mut MaybeUninit<T>>) {
    const { assert!(!core::mem::needs_drop::<T>(), "an old value would have to be dropped") };
    required(place).write(value);
}
