//! [`Level`] in small builds for WebAssembly, which have one level. Its functions are not called through a pointer, so the
//! linker leaves out those that are not called.

use super::{Kernels, SCALAR, arch};

/// The level that a decoder or an encoder uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level;

impl Level {
    /// Returns the only level.
    pub(crate) fn best() -> Self {
        Self
    }

    /// Returns the level's functions.
    pub(crate) fn kernels(self) -> &'static Kernels {
        Kernels::best()
    }
}

impl Kernels {
    /// Returns the only level.
    #[inline(always)]
    pub(crate) fn best() -> &'static Self {
        arch::available().next().unwrap_or(&SCALAR)
    }

    /// Calls `act` with [`best`](Self::best).
    #[inline(always)]
    pub(crate) fn with_best<R>(act: impl FnOnce(&'static Self) -> R) -> R {
        act(Self::best())
    }
}
