//! State that threads share: that of incremental coders.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::{PyResult, exceptions::PyRuntimeError};

/// How often a call is repeated because its own error handler has changed the state.
const LIMIT: u32 = 10;

/// A state that [`Shared`] can hold.
pub(crate) trait State: Sized {
    /// Copies the state, or fails if there is no memory.
    fn copy(&self) -> PyResult<Self>;
    /// Whether the next call has the same results in both states.
    fn is_same(&self, other: &Self) -> bool;
}

/// A state that is changed by calls of several threads, and by calls of one thread within each other.
///
/// A call works on a copy of the state and then stores it. If another call has changed the state meanwhile, it is repeated from
/// the new state. So the result is that of calls in some order, and a call that fails has no effect. The lock is held only while
/// the state is copied, compared or stored: no code of Python runs, and Python is not attached or detached, so nothing can wait
/// for the thread that holds it. In particular, an error handler may use the coder that calls it, or wait for a thread that does.
pub(crate) struct Shared<T>(Mutex<Versioned<T>>);

struct Versioned<T> {
    state: T,
    /// Counts changes.
    version: u64,
    /// The thread of the last change.
    changed_by: usize,
}

impl<T: State> Shared<T> {
    pub(crate) fn new(state: T) -> Self {
        Self(Mutex::new(Versioned { state, version: 0, changed_by: 0 }))
    }

    /// Returns what a function reads from the state. It must not call Python.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.lock().state)
    }

    /// Replaces the state.
    pub(crate) fn set(&self, state: T) {
        let _old = self.lock().set(state);
    }

    /// Runs a call that changes the state, and returns its result. If another call changes the state meanwhile, it runs again.
    pub(crate) fn update<R>(&self, mut call: impl FnMut(&mut T) -> PyResult<R>) -> PyResult<R> {
        let mut own_changes = 0;
        loop {
            let (mut state, version) = {
                let shared = self.lock();
                (shared.state.copy()?, shared.version)
            };
            let result = call(&mut state)?;
            let mut shared = self.lock();
            if shared.version == version {
                let _old = shared.set(state);
                return Ok(result);
            }
            own_changes += u32::from(shared.changed_by == this_thread());
            if own_changes == LIMIT {
                return Err(PyRuntimeError::new_err(
                    "the error handler changes the state of the coder that has called it",
                ));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Versioned<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: State> Versioned<T> {
    /// Replaces the state, and returns the one before.
    fn set(&mut self, state: T) -> T {
        if !state.is_same(&self.state) {
            self.version += 1;
            self.changed_by = this_thread();
        }
        std::mem::replace(&mut self.state, state)
    }
}

/// Returns a number that no other running thread has.
fn this_thread() -> usize {
    thread_local! {
        static PLACE: u8 = const { 0 };
    }
    PLACE.with(|place| std::ptr::from_ref(place).addr())
}
