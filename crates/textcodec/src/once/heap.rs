//! A reference to a value on the heap that is made at first use. `OnceLock` would need `std`.
#![expect(unsafe_code, reason = "an atomic pointer becomes a reference again")]

use alloc::{boxed::Box, vec::Vec};
use core::{
    marker::PhantomData,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

/// A place for a reference, which is empty at first.
#[derive(Debug)]
pub(crate) struct OnceRef<T: 'static> {
    /// Null while the place is empty.
    pointer: AtomicPtr<T>,
    /// Shared between threads only if the value may be.
    reference: PhantomData<&'static T>,
}

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
pub(crate) fn leak<T>(value: T) -> Option<&'static T> {
    Box::leak(boxed(value)?).first()
}

/// Moves a value to the heap, as a slice with one element. `None` if there is not enough memory.
fn boxed<T>(value: T) -> Option<Box<[T]>> {
    let mut one = Vec::new();
    one.try_reserve_exact(1).ok()?;
    one.push(value);
    Some(one.into_boxed_slice())
}
