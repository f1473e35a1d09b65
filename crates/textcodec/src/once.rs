//! A reference that is set once. `OnceLock` needs `std`.
#![expect(unsafe_code, reason = "an atomic pointer becomes a reference again")]

use alloc::vec::Vec;
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
        // SAFETY: the pointer is null, or from the reference in `get_or_set`, which is valid for ever.
        unsafe { self.pointer.load(Ordering::Acquire).as_ref() }
    }

    /// Sets the reference. If another thread was faster, its reference remains, and is returned.
    pub(crate) fn get_or_set(&self, value: &'static T) -> &'static T {
        let new = ptr::from_ref(value).cast_mut();
        // If this fails, the place has a reference.
        let _ = self.pointer.compare_exchange(ptr::null_mut(), new, Ordering::Release, Ordering::Relaxed);
        self.get().unwrap_or(value)
    }
}

/// Moves a value to the heap, for ever. `None` if there is not enough memory.
pub(crate) fn leak<T>(value: T) -> Option<&'static T> {
    let mut one = Vec::new();
    one.try_reserve_exact(1).ok()?;
    one.push(value);
    one.leak().first()
}
