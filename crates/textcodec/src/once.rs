//! Memory that is used once: a reference on the heap, for which `OnceLock` would need `std`, and static memory.
#![expect(unsafe_code, reason = "an atomic pointer becomes a reference again, and static memory is handed out once")]

#[cfg(feature = "oem")]
use alloc::{boxed::Box, vec::Vec};
use core::sync::atomic::Ordering;
#[cfg(feature = "std")]
use core::{cell::UnsafeCell, sync::atomic::AtomicBool};
#[cfg(feature = "oem")]
use core::{marker::PhantomData, ptr, sync::atomic::AtomicPtr};

/// Static memory that is handed out once. If all of its bytes are 0, it is not part of the program's file.
#[cfg(feature = "std")]
#[cfg_attr(not(feature = "all-encodings"), allow(dead_code, reason = "builds without tables need no place"))]
pub(crate) struct Place<T> {
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: only the first call of `take` gets access to the value, from any thread.
#[cfg(feature = "std")]
unsafe impl<T: Send> Sync for Place<T> {}

#[cfg(feature = "std")]
#[cfg_attr(not(feature = "all-encodings"), allow(dead_code, reason = "builds without tables need no place"))]
impl<T> Place<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { is_taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Returns the value.
    ///
    /// # Panics
    /// Panics if it has been taken.
    #[expect(clippy::mut_from_ref, reason = "only the first call returns")]
    pub(crate) fn take(&'static self) -> &'static mut T {
        claim(&self.is_taken);
        // SAFETY: `is_taken` was false, and no later call gets here. So this is the only reference.
        unsafe { &mut *self.value.get() }
    }
}

/// Sets the flag of a [`Place`], which must not be set. Not inlined, because there are many places.
#[cfg(feature = "std")]
#[inline(never)]
fn claim(is_taken: &AtomicBool) {
    assert!(!is_taken.swap(true, Ordering::Relaxed), "static memory is taken once");
}

/// A place for a reference, which is empty at first.
#[cfg(feature = "oem")]
#[derive(Debug)]
pub(crate) struct OnceRef<T: 'static> {
    /// Null while the place is empty.
    pointer: AtomicPtr<T>,
    /// Shared between threads only if the value may be.
    reference: PhantomData<&'static T>,
}

#[cfg(feature = "oem")]
impl<T> OnceRef<T> {
    pub(crate) const fn new() -> Self {
        Self { pointer: AtomicPtr::new(ptr::null_mut()), reference: PhantomData }
    }

    pub(crate) fn get(&self) -> Option<&'static T> {
        // SAFETY: the pointer is null, or of the value in `get_or_keep`, which is valid for ever.
        unsafe { self.pointer.load(Ordering::Acquire).as_ref() }
    }

    /// Moves a value to the heap, for ever, and sets the reference. If another thread was faster, its reference remains, and the value is
    /// dropped. `None` if there is not enough memory.
    pub(crate) fn get_or_keep(&self, value: T) -> Option<&'static T> {
        let new: *mut T = Box::into_raw(boxed(value)?).cast();
        let set = self.pointer.compare_exchange(ptr::null_mut(), new, Ordering::Release, Ordering::Relaxed);
        if set.is_err() {
            // SAFETY: the pointer is from `into_raw`, of a slice with one element, and has not been given away.
            drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(new, 1)) });
        }
        self.get()
    }
}

/// Moves a value to the heap, for ever. `None` if there is not enough memory.
#[cfg(feature = "oem")]
pub(crate) fn leak<T>(value: T) -> Option<&'static T> {
    Box::leak(boxed(value)?).first()
}

/// Moves a value to the heap, as a slice with one element. `None` if there is not enough memory.
#[cfg(feature = "oem")]
fn boxed<T>(value: T) -> Option<Box<[T]>> {
    let mut one = Vec::new();
    one.try_reserve_exact(1).ok()?;
    one.push(value);
    Some(one.into_boxed_slice())
}
