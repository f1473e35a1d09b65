//! Small builds for WebAssembly have one level, and keep no pointer to its functions: so the compiler sees which of them are called,
//! and leaves out the others.

use super::{Kernels, SCALAR, arch};

/// The level that a decoder or an encoder uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level;

impl Level {
    /// The only one.
    pub(crate) fn best() -> Self {
        Self
    }

    /// Its functions.
    pub(crate) fn kernels(self) -> &'static Kernels {
        Kernels::best()
    }
}

impl Kernels {
    /// The only level.
    #[inline(always)]
    pub(crate) fn best() -> &'static Self {
        arch::available().next().unwrap_or(&SCALAR)
    }

    /// Calls `act` with it.
    #[inline(always)]
    pub(crate) fn with_best<R>(act: impl FnOnce(&'static Self) -> R) -> R {
        act(Self::best())
    }
}
