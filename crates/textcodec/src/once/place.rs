//! Static memory that is handed out once, for tables made at first use.
#![expect(unsafe_code, reason = "static memory becomes a mutable reference, once")]

use core::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, Ordering},
};

/// Static memory that is handed out once. If all of its bytes are 0, it is not part of the program's file.
#[cfg_attr(not(feature = "all-encodings"), allow(dead_code, reason = "builds without tables need no place"))]
pub(crate) struct Place<T> {
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: only the first call of `take` gets access to the value, from any thread.
unsafe impl<T: Send> Sync for Place<T> {}

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
#[inline(never)]
fn claim(is_taken: &AtomicBool) {
    assert!(!is_taken.swap(true, Ordering::Relaxed), "static memory is taken once");
}
