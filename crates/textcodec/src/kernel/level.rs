//! The level in use: the fastest that the CPU has, detected once per process.

use core::sync::atomic::{AtomicPtr, Ordering};

use super::{Kernels, SCALAR};

/// The level that a decoder or an encoder uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level(&'static Kernels);

impl Level {
    /// Returns the fastest level.
    #[inline]
    pub(crate) fn best() -> Self {
        Self(Kernels::best())
    }

    /// Returns the level of a table.
    #[cfg(all(feature = "__levels", feature = "std"))]
    pub(crate) fn of(kernels: &'static Kernels) -> Self {
        Self(kernels)
    }

    /// Returns the level's functions.
    #[inline]
    pub(crate) fn kernels(self) -> &'static Kernels {
        self.0
    }
}

/// The level in use; null before the first call of [`Kernels::best`].
static BEST: AtomicPtr<Kernels> = AtomicPtr::new(core::ptr::null_mut());

impl Kernels {
    /// Returns the level in use: the fastest that this CPU has, unless `make_best` chose another.
    #[inline]
    pub(crate) fn best() -> &'static Self {
        let chosen = BEST.load(Ordering::Relaxed);
        // SAFETY: the pointer is null or a `&'static Self`: only `make_best` stores it.
        unsafe { chosen.as_ref() }.unwrap_or_else(Self::choose)
    }

    /// Calls `act` with [`best`](Self::best). In tail position, this compiles to a jump to the kernel.
    #[inline]
    pub(crate) fn with_best<R>(act: impl FnOnce(&'static Self) -> R) -> R {
        #[cold]
        #[inline(never)]
        fn choose<R>(act: impl FnOnce(&'static Kernels) -> R) -> R {
            act(Kernels::choose())
        }
        let chosen = BEST.load(Ordering::Relaxed);
        // SAFETY: the pointer is null or a `&'static Kernels`: only `make_best` stores it.
        match unsafe { chosen.as_ref() } {
            Some(best) => act(best),
            None => choose(act),
        }
    }

    #[cold]
    fn choose() -> &'static Self {
        let best = Self::available().next().unwrap_or(&SCALAR);
        best.make_best();
        best
    }

    /// Makes [`best`](Self::best) return this level.
    pub(crate) fn make_best(&'static self) {
        BEST.store(core::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
    }
}
