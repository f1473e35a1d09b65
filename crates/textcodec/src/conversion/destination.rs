//! [`Destination`]: the slices that decoders and encoders write to.
#![expect(private_interfaces, reason = "the trait is sealed")]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::kernel::Out;

/// What a call writes bytes or code units to: a slice or an array of `T`, or of `MaybeUninit<T>` for memory that may be
/// uninitialised. This trait is sealed.
///
/// After a call, the first [`written`](crate::Progress::written) elements are initialised. The others are scratch space: their
/// contents may change, but elements that were initialised stay so.
///
/// A `Vec` is a destination too, as the slice of its elements: it does not grow. To write to its spare capacity, use
/// [`decode_within_capacity`](crate::Decoder::decode_within_capacity).
///
/// ```
/// use std::mem::MaybeUninit;
///
/// let mut decoder = textcodec::KOI8_R.decoder();
/// let (mut array, mut uninit) = ([0; 64], [const { MaybeUninit::uninit() }; 64]);
/// let progress = decoder.decode_to_utf8(b"\xC1\xC2", &mut array, true);
/// assert_eq!(&array[..progress.written], "аб".as_bytes());
/// assert_eq!(decoder.decode_to_utf8(b"\xC1\xC2", &mut uninit[..8], true), progress);
/// ```
pub trait Destination<T>: sealed::Sealed<T> {}

impl<T: Copy> Destination<T> for [T] {}
impl<T: Copy> Destination<T> for [MaybeUninit<T>] {}
impl<T: Copy, const N: usize> Destination<T> for [T; N] {}
impl<T: Copy, const N: usize> Destination<T> for [MaybeUninit<T>; N] {}
#[cfg(feature = "alloc")]
impl<T: Copy> Destination<T> for Vec<T> {}

/// A proof that the caller is in this crate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key;

mod sealed {
    use super::{Key, Out};

    /// A `Destination` bound brings this method into scope in other crates too, so it takes a [`Key`], which other crates cannot
    /// create.
    pub trait Sealed<T> {
        /// Returns a cursor over all elements. The rest of the call is the same code for all kinds of destinations.
        fn cursor(&mut self, key: Key) -> Out<'_, T>;
    }
}

impl<T: Copy> sealed::Sealed<T> for [T] {
    #[inline]
    fn cursor(&mut self, _: Key) -> Out<'_, T> {
        Out::new(self)
    }
}

impl<T: Copy> sealed::Sealed<T> for [MaybeUninit<T>] {
    #[inline]
    fn cursor(&mut self, _: Key) -> Out<'_, T> {
        Out::uninit(self)
    }
}

impl<T: Copy, const N: usize> sealed::Sealed<T> for [T; N] {
    #[inline]
    fn cursor(&mut self, _: Key) -> Out<'_, T> {
        Out::new(self)
    }
}

impl<T: Copy, const N: usize> sealed::Sealed<T> for [MaybeUninit<T>; N] {
    #[inline]
    fn cursor(&mut self, _: Key) -> Out<'_, T> {
        Out::uninit(self)
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy> sealed::Sealed<T> for Vec<T> {
    #[inline]
    fn cursor(&mut self, _: Key) -> Out<'_, T> {
        Out::new(self)
    }
}
