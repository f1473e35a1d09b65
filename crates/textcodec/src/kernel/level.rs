//! Which level is used: the fastest that this CPU has, found out once.

use core::sync::atomic::{AtomicPtr, Ordering};

use super::{Kernels, SCALAR};

/// The level that a decoder or an encoder uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level(&'static Kernels);

impl Level {
    /// The fastest one.
    #[inline]
    pub(crate) fn best() -> Self {
        Self(Kernels::best())
    }

    /// This one.
    #[cfg(feature = "levels")]
    pub(crate) fn of(kernels: &'static Kernels) -> Self {
        Self(kernels)
    }

    /// Its functions.
    #[inline]
    pub(crate) fn kernels(self) -> &'static Kernels {
        self.0
    }
}

/// The level in use; null until someone asks.
static BEST: AtomicPtr<Kernels> = AtomicPtr::new(core::ptr::null_mut());

impl Kernels {
    /// The fastest level that this CPU has.
    #[inline]
    pub(crate) fn best() -> &'static Self {
        let chosen = BEST.load(Ordering::Relaxed);
        // SAFETY: what is not null comes from `make_best`, which takes a `&'static Self`; tables do not change.
        unsafe { chosen.as_ref() }.unwrap_or_else(Self::choose)
    }

    /// Calls `act` with [`best`](Self::best). A function that ends so ends with a jump to the kernel.
    #[inline]
    pub(crate) fn with_best<R>(act: impl FnOnce(&'static Self) -> R) -> R {
        #[cold]
        #[inline(never)]
        fn choose<R>(act: impl FnOnce(&'static Kernels) -> R) -> R {
            act(Kernels::choose())
        }
        let chosen = BEST.load(Ordering::Relaxed);
        // SAFETY: as above.
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

    /// Makes [`best`](Self::best) answer with this level.
    pub(crate) fn make_best(&'static self) {
        BEST.store(core::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
    }
}
