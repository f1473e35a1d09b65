//! Support for this project's own tests and benchmarks, without a promise of stability: the kernel levels with feature
//! `__levels`, and counters of converted units with feature `__testing`.

/// Returns the name of the default level of kernels.
#[cfg(feature = "__levels")]
#[must_use]
pub fn level_in_use() -> &'static str {
    crate::kernel::Kernels::best().name
}

#[cfg(all(feature = "__levels", feature = "std"))]
mod levels {
    use std::vec::Vec;

    use crate::{
        codec::{
            any::{AnyDecoder, AnyEncoder},
            sink::Unit,
            source::Source,
        },
        conversion::{Decoder, Encoder},
        kernel::{Kernels, Out},
        names::Encoding,
    };

    /// A level of kernels.
    #[derive(Clone, Copy, Debug)]
    pub struct Level(&'static Kernels);

    impl Level {
        /// Returns the levels that this machine supports, fastest first.
        #[must_use]
        pub fn all() -> Vec<Self> {
            Kernels::available().map(Self).collect()
        }

        /// Returns the name of the level.
        #[must_use]
        pub fn name(self) -> &'static str {
            self.0.name
        }

        /// Makes this level the default of the whole process, from the next call on.
        pub fn make_best(self) {
            self.0.make_best();
        }

        /// Returns the decoder, set to use this level.
        #[must_use]
        pub fn decoder(self, mut decoder: Decoder) -> Decoder {
            decoder.set_level(crate::kernel::Level::of(self.0));
            decoder
        }

        /// Returns the encoder, set to use this level.
        #[must_use]
        pub fn encoder(self, mut encoder: Encoder) -> Encoder {
            encoder.set_level(crate::kernel::Level::of(self.0));
            encoder
        }

        /// Calls only the bulk conversion of a new decoder to UTF-8. Returns how many bytes were read, how many were written,
        /// and whether the decoder is between two characters after it.
        #[must_use]
        pub fn bulk_to_utf8(self, encoding: Encoding, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
            bulk_decode(encoding, self.0, src, dst)
        }

        /// Like [`bulk_to_utf8`](Self::bulk_to_utf8), to UTF-16.
        #[must_use]
        pub fn bulk_to_utf16(self, encoding: Encoding, src: &[u8], dst: &mut [u16]) -> (usize, usize, bool) {
            bulk_decode(encoding, self.0, src, dst)
        }

        /// Calls only the bulk conversion of a new encoder from UTF-8. Returns how many bytes were read and how many were
        /// written.
        #[must_use]
        pub fn bulk_from_utf8(self, encoding: Encoding, src: &str, dst: &mut [u8]) -> Option<(usize, usize)> {
            bulk_encode(encoding, self.0, src, dst)
        }

        /// Like [`bulk_from_utf8`](Self::bulk_from_utf8), from UTF-16.
        #[must_use]
        pub fn bulk_from_utf16(self, encoding: Encoding, src: &[u16], dst: &mut [u8]) -> Option<(usize, usize)> {
            bulk_encode(encoding, self.0, src, dst)
        }

        /// Returns the number of code units before the first unpaired surrogate.
        #[must_use]
        pub fn utf16_prefix(self, src: &[u16]) -> usize {
            (self.0.utf16_prefix)(src)
        }
    }

    /// Converts nothing if the encoding's family is disabled.
    fn bulk_decode<U: Unit>(encoding: Encoding, kernels: &Kernels, src: &[u8], dst: &mut [U]) -> (usize, usize, bool) {
        AnyDecoder::new(encoding).map_or((0, 0, true), |mut decoder| {
            let mut out = Out::new(dst);
            let read = decoder.bulk(kernels, src, &mut out);
            (read, out.filled(), decoder.is_neutral())
        })
    }

    fn bulk_encode<S: Source + ?Sized>(
        encoding: Encoding,
        kernels: &Kernels,
        src: &S,
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let mut encoder = AnyEncoder::new(encoding).ok()?;
        let mut out = Out::new(dst);
        Some((encoder.bulk(kernels, src, false, &mut out).0, out.filled()))
    }
}

#[cfg(feature = "__testing")]
mod counts {
    use std::cell::Cell;

    std::thread_local! {
        static BULK: Cell<usize> = const { Cell::new(0) };
        static ITEMS: Cell<usize> = const { Cell::new(0) };
        static HANDLED: Cell<usize> = const { Cell::new(0) };
    }

    /// Returns how many units of input this thread has converted since the last call: by kernels, item by item, and by
    /// handlers.
    #[expect(clippy::must_use_candidate, reason = "it also resets the counters")]
    pub fn take_counts() -> (usize, usize, usize) {
        (BULK.take(), ITEMS.take(), HANDLED.take())
    }

    pub(crate) fn count_bulk(units: usize) {
        BULK.set(BULK.get() + units);
    }

    pub(crate) fn count_items(units: usize) {
        ITEMS.set(ITEMS.get() + units);
    }

    pub(crate) fn count_handled(units: usize) {
        HANDLED.set(HANDLED.get() + units);
    }
}

#[cfg(feature = "__testing")]
pub use counts::take_counts;
#[cfg(feature = "__testing")]
pub(crate) use counts::{count_bulk, count_handled, count_items};
#[cfg(all(feature = "__levels", feature = "std"))]
pub use levels::Level;

#[cfg(not(feature = "__testing"))]
pub(crate) fn count_bulk(_: usize) {}
#[cfg(not(feature = "__testing"))]
pub(crate) fn count_items(_: usize) {}
#[cfg(not(feature = "__testing"))]
pub(crate) fn count_handled(_: usize) {}
