//! The operations of a level for UTF-16 that is not a step between UTF-8 and bytes.
//!
//! They have a table of their own, [`Utf16Kernels`], which only functions for UTF-16 mention: so programs that only decode to UTF-8
//! and encode from it, which are most, do not contain these kernels. In [`Kernels`] they would be in every program.

use super::{
    Kernels, Out, arch,
    reference::UTF16,
    tables::{ByteOrder, EscapeState, EscapedPairs, Pairs, ToByte, UpperHalf},
};

/// The operations of a level, as in [`Kernels`].
pub(crate) struct Utf16Kernels {
    pub(crate) ascii_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) ascii_from_utf16: fn(&[u16], &mut Out<'_, u8>) -> usize,
    /// UTF-16 in a byte order, at any address.
    pub(crate) utf16_from_bytes: fn(ByteOrder, &[u8], &mut Out<'_, u16>) -> usize,
    /// ASCII, and the bytes from 0x80 on, which a table maps.
    pub(crate) single_byte_to_utf16: fn(&UpperHalf, &[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) single_byte_from_utf16: fn(&ToByte, &[u16], &mut Out<'_, u8>) -> usize,
    /// ISO-8859-1: each byte is its own code point.
    pub(crate) latin1_to_utf16: fn(&[u8], &mut Out<'_, u16>) -> usize,
    pub(crate) latin1_from_utf16: fn(&[u16], &mut Out<'_, u8>) -> usize,
    /// ASCII, other single bytes, and pairs of a lead byte and a trail byte.
    pub(crate) double_byte_to_utf16: fn(&Pairs, &[u8], &mut Out<'_, u16>) -> usize,
    /// ASCII and pairs, with an escape sequence before each change.
    pub(crate) escaped_to_utf16: fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, u16>) -> usize,
}

impl Utf16Kernels {
    /// Replaces the kernels that no codec of this build calls with functions that return 0, so they are not compiled.
    pub(super) const fn for_this_build(mut self) -> Self {
        if !cfg!(feature = "single-byte") {
            self.single_byte_to_utf16 = |_, _, _| 0;
        }
        if !cfg!(all(feature = "single-byte", feature = "encoders")) {
            self.single_byte_from_utf16 = |_, _, _| 0;
        }
        if !cfg!(any(feature = "japanese", feature = "korean", feature = "chinese")) {
            self.double_byte_to_utf16 = |_, _, _| 0;
        }
        if !cfg!(feature = "japanese") {
            self.escaped_to_utf16 = |_, _, _, _| 0;
        }
        self
    }
}

impl Kernels {
    /// Returns the functions of this level for UTF-16.
    #[inline]
    pub(crate) fn utf16(&self) -> &'static Utf16Kernels {
        const SCALAR: &Utf16Kernels = &UTF16.for_this_build();
        arch::utf16(self).unwrap_or(SCALAR)
    }
}
