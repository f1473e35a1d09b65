//! For this project's own tests, with feature `testing`: levels one by one, and how much kernels take of a text. No promise
//! of stability.

#[cfg(feature = "testing")]
mod enabled {
    use std::{cell::Cell, vec::Vec};

    use crate::{Decoder, Encoder, kernel::Kernels};

    std::thread_local! {
        static BULK: Cell<usize> = const { Cell::new(0) };
        static HANDLED: Cell<usize> = const { Cell::new(0) };
    }

    /// Units of input that kernels took on this thread since the last call, and those that handlers took.
    #[must_use]
    pub fn take_counts() -> (usize, usize) {
        (BULK.take(), HANDLED.take())
    }

    pub(crate) fn count_bulk(units: usize) {
        BULK.set(BULK.get() + units);
    }

    pub(crate) fn count_handled(units: usize) {
        HANDLED.set(HANDLED.get() + units);
    }

    /// A level of kernels.
    #[derive(Clone, Copy, Debug)]
    pub struct Level(&'static Kernels);

    impl Level {
        /// The levels that this machine has, fastest first.
        #[must_use]
        pub fn all() -> Vec<Self> {
            Kernels::all().iter().copied().map(Self).collect()
        }

        /// What to print.
        #[must_use]
        pub fn name(self) -> &'static str {
            self.0.name
        }

        /// Makes a decoder use this level.
        #[must_use]
        pub fn decoder(self, mut decoder: Decoder) -> Decoder {
            decoder.set_kernels(self.0);
            decoder
        }

        /// Makes an encoder use this level.
        #[must_use]
        pub fn encoder(self, mut encoder: Encoder) -> Encoder {
            encoder.set_kernels(self.0);
            encoder
        }
    }
}

#[cfg(feature = "testing")]
pub use enabled::{Level, take_counts};
#[cfg(feature = "testing")]
pub(crate) use enabled::{count_bulk, count_handled};

#[cfg(not(feature = "testing"))]
pub(crate) fn count_bulk(_: usize) {}
#[cfg(not(feature = "testing"))]
pub(crate) fn count_handled(_: usize) {}
