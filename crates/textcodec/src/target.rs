//! What [`Decoder::push`](crate::Decoder::push) appends to.
//!
//! This is the one place outside the kernels with `unsafe`: a `String` is taken for its bytes.
#![expect(unsafe_code, reason = "decoders write UTF-8 into a `String` without a second validation")]
#![expect(private_bounds, private_interfaces, reason = "the trait is sealed")]

use alloc::{string::String, vec::Vec};

use crate::{
    codec::sink::Unit,
    kernel::{Out, append},
};

/// A text that grows: `String`, `Vec<u8>` (UTF-8) or `Vec<u16>` (UTF-16). Sealed.
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

/// Proves that a call comes from this crate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key;

mod sealed {
    use super::{Key, Out, Unit};

    /// What the library does with a `DecodeTarget`. A bound by `DecodeTarget` brings these methods into scope in other crates,
    /// too, so each takes a [`Key`], which other crates cannot make.
    ///
    /// ```compile_fail,E0061
    /// fn clear(text: &mut impl textcodec::DecodeTarget) {
    ///     text.clear(); // The key is missing.
    /// }
    /// ```
    pub trait Append {
        type Unit: Unit;

        fn append<R>(&mut self, _: Key, room: usize, write: impl FnOnce(&mut Out<'_, Self::Unit>) -> R) -> R;

        /// Whether nothing is in it.
        fn is_empty(&self, _: Key) -> bool;

        /// Whether it is U+FEFF and nothing else.
        fn is_bom(&self, _: Key) -> bool;

        /// Empties it.
        fn clear(&mut self, _: Key);
    }
}

impl sealed::Append for String {
    type Unit = u8;

    fn append<R>(&mut self, _: Key, room: usize, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
        // SAFETY: decoders write whole characters in UTF-8: `Unit::put` encodes a `char`, and the kernels' contract says so
        // of theirs, which the tests hold against the oracle. Where `write` panics, nothing is appended.
        append(unsafe { self.as_mut_vec() }, room, write)
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

    fn append<R>(&mut self, _: Key, room: usize, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
        append(self, room, write)
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

    fn append<R>(&mut self, _: Key, room: usize, write: impl FnOnce(&mut Out<'_, u16>) -> R) -> R {
        append(self, room, write)
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

/// Bytes that a kernel has found to be UTF-8.
pub(crate) fn utf8(bytes: &[u8]) -> &str {
    debug_assert!(core::str::from_utf8(bytes).is_ok());
    // SAFETY: callers pass what `utf8_prefix` or `ascii_prefix` has returned the length of, or what a decoder wrote.
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

/// What a decoder wrote.
pub(crate) fn string(bytes: Vec<u8>) -> String {
    debug_assert!(core::str::from_utf8(&bytes).is_ok());
    // SAFETY: decoders write whole characters in UTF-8, as in `Append for String`, behind bytes that `utf8` takes.
    unsafe { String::from_utf8_unchecked(bytes) }
}
