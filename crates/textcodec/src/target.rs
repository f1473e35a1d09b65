//! The buffers that [`Decoder::push`](crate::Decoder::push) appends to.
//!
//! This is the only module outside the kernels with `unsafe`: it writes into the bytes of a `String`.
#![expect(unsafe_code, reason = "decoders write UTF-8 into a `String` without a second validation")]
#![expect(private_bounds, private_interfaces, reason = "the trait is sealed")]

use alloc::{string::String, vec::Vec};

use crate::{
    codec::sink::Unit,
    kernel::{Out, append},
};

/// A growable buffer for decoded text: `String`, `Vec<u8>` (UTF-8) or `Vec<u16>` (UTF-16). This trait is sealed.
///
/// ```
/// fn read_all(chunks: &[&[u8]], text: &mut impl textcodec::DecodeTarget) {
///     let mut decoder = textcodec::WINDOWS_1251.decoder();
///     for chunk in chunks {
///         decoder.push(chunk, text).expect("malformed bytes are replaced");
///     }
/// }
/// let mut text = String::new();
/// read_all(&[b"\xCF\xF0\xE8", b"\xE2\xE5\xF2"], &mut text);
/// assert_eq!(text, "Привет");
/// ```
pub trait DecodeTarget: sealed::Append {}

impl DecodeTarget for String {}
impl DecodeTarget for Vec<u8> {}
impl DecodeTarget for Vec<u16> {}

/// A proof that the caller is in this crate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key;

mod sealed {
    use super::{Key, Out, Unit};

    /// The operations on a `DecodeTarget`. A `DecodeTarget` bound brings these methods into scope in other crates too, so each
    /// takes a [`Key`], which other crates cannot create.
    ///
    /// ```compile_fail,E0061
    /// fn clear(text: &mut impl textcodec::DecodeTarget) {
    ///     text.clear(); // The key is missing.
    /// }
    /// ```
    pub trait Append {
        type Unit: Unit;

        /// Reserves capacity for at least `additional` code units, and appends what `write` writes.
        fn append<R>(&mut self, _: Key, additional: usize, write: impl FnOnce(&mut Out<'_, Self::Unit>) -> R) -> R;

        /// Whether the buffer is empty.
        fn is_empty(&self, _: Key) -> bool;

        /// Whether the buffer holds U+FEFF and nothing else.
        fn is_bom(&self, _: Key) -> bool;

        /// Clears the buffer.
        fn clear(&mut self, _: Key);
    }
}

impl sealed::Append for String {
    type Unit = u8;

    fn append<R>(&mut self, _: Key, additional: usize, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
        // SAFETY: the bytes stay valid UTF-8. Decoders append whole characters only: `Unit::put` encodes a `char`, and the
        // kernels' contract demands it, which the tests check against the oracle. If `write` panics, nothing is appended.
        append(unsafe { self.as_mut_vec() }, additional, write)
    }

    fn is_empty(&self, _: Key) -> bool {
        str::is_empty(self)
    }

    fn is_bom(&self, _: Key) -> bool {
        self == "\u{FEFF}"
    }

    fn clear(&mut self, _: Key) {
        Self::clear(self);
    }
}

impl sealed::Append for Vec<u8> {
    type Unit = u8;

    fn append<R>(&mut self, _: Key, additional: usize, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
        append(self, additional, write)
    }

    fn is_empty(&self, _: Key) -> bool {
        <[u8]>::is_empty(self)
    }

    fn is_bom(&self, _: Key) -> bool {
        self == "\u{FEFF}".as_bytes()
    }

    fn clear(&mut self, _: Key) {
        Self::clear(self);
    }
}

impl sealed::Append for Vec<u16> {
    type Unit = u16;

    fn append<R>(&mut self, _: Key, additional: usize, write: impl FnOnce(&mut Out<'_, u16>) -> R) -> R {
        append(self, additional, write)
    }

    fn is_empty(&self, _: Key) -> bool {
        <[u16]>::is_empty(self)
    }

    fn is_bom(&self, _: Key) -> bool {
        self == &[0xFEFF]
    }

    fn clear(&mut self, _: Key) {
        Self::clear(self);
    }
}

/// Converts bytes that a kernel has validated, or that a decoder wrote, to a `str`.
pub(crate) fn validated_str(bytes: &[u8]) -> &str {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    // SAFETY: `bytes` is valid UTF-8. Callers pass a prefix whose length `utf8_prefix` or `ascii_prefix` returned, or the
    // output of a decoder.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

/// Converts the output of a decoder to a `String`.
pub(crate) fn decoded_string(bytes: Vec<u8>) -> String {
    debug_assert!(core::str::from_utf8(&bytes).is_ok());
    // SAFETY: `bytes` is valid UTF-8: a prefix as in `validated_str`, and then whole characters, as in `Append for String`.
    unsafe { String::from_utf8_unchecked(bytes) }
}
