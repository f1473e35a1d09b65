//! The buffers that [`Decoder::push`](crate::Decoder::push) appends to.
//!
//! Decoders write UTF-8 into the bytes of a `String`, without a second validation. This needs `unsafe`.
#![expect(unsafe_code, reason = "decoders write UTF-8 into a `String` without a second validation")]
#![expect(private_interfaces, reason = "the trait is sealed")]

use alloc::{string::String, vec::Vec};

use crate::{
    conversion::{DecodeError, Decoder, destination::Key},
    names::{Encoding, UTF_8},
    text::utf,
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
pub trait DecodeTarget: sealed::Sealed {}

impl DecodeTarget for String {}
impl DecodeTarget for Vec<u8> {}
impl DecodeTarget for Vec<u16> {}

/// The memory of a `DecodeTarget`, known at compile time, so that programs have the loop only for the form of text that they
/// use.
pub(crate) enum Target<'a> {
    Utf8(&'a mut Vec<u8>),
    Utf16(&'a mut Vec<u16>),
}

mod sealed {
    use alloc::collections::TryReserveError;

    use super::{Key, Target};

    /// A `DecodeTarget` bound brings these methods into scope in other crates too, so they take a [`Key`], which other crates
    /// cannot create.
    ///
    /// ```compile_fail,E0061
    /// fn clear(text: &mut impl textcodec::DecodeTarget) {
    ///     text.push_text("a"); // The key is missing.
    /// }
    /// ```
    pub trait Sealed {
        /// Returns the memory of this buffer.
        ///
        /// # Safety
        /// The caller only appends whole characters, in well-formed UTF-8 or UTF-16.
        unsafe fn target(&mut self, key: Key) -> Target<'_>;

        /// Fails if there is no memory.
        fn push_text(&mut self, key: Key, text: &str) -> Result<(), TryReserveError> {
            // SAFETY: `text` is whole characters.
            match unsafe { self.target(key) } {
                Target::Utf8(out) => {
                    out.try_reserve(text.len())?;
                    out.extend_from_slice(text.as_bytes());
                }
                Target::Utf16(out) => {
                    out.try_reserve(text.encode_utf16().count())?;
                    out.extend(text.encode_utf16());
                }
            }
            Ok(())
        }
    }
}

impl sealed::Sealed for String {
    #[inline(always)]
    unsafe fn target(&mut self, _: Key) -> Target<'_> {
        // SAFETY: the bytes stay valid UTF-8: the caller only appends whole characters, by this function's contract.
        Target::Utf8(unsafe { self.as_mut_vec() })
    }
}

impl sealed::Sealed for Vec<u8> {
    #[inline(always)]
    unsafe fn target(&mut self, _: Key) -> Target<'_> {
        Target::Utf8(self)
    }
}

impl sealed::Sealed for Vec<u16> {
    #[inline(always)]
    unsafe fn target(&mut self, _: Key) -> Target<'_> {
        Target::Utf16(self)
    }
}

/// Returns the longest prefix that is well-formed UTF-8.
pub(crate) fn utf8_prefix(bytes: &[u8]) -> &str {
    let valid = &bytes[..utf::utf8_valid_up_to(bytes)];
    debug_assert!(core::str::from_utf8(valid).is_ok());
    // SAFETY: `valid` is well-formed UTF-8: a kernel has validated it.
    unsafe { core::str::from_utf8_unchecked(valid) }
}

/// Returns the longest known prefix of `bytes` that is the same text in `encoding` and in UTF-8.
pub(crate) fn identical_prefix(encoding: Encoding, bytes: &[u8]) -> &str {
    if encoding == UTF_8 {
        return utf8_prefix(bytes);
    }
    let ascii = &bytes[..encoding.ascii_prefix(bytes)];
    debug_assert!(ascii.is_ascii());
    // SAFETY: `ascii` is ASCII: a kernel has validated it, or it is empty.
    unsafe { core::str::from_utf8_unchecked(ascii) }
}

/// Decodes `rest`, all remaining input, and returns it after `prefix`.
pub(crate) fn decode_after(prefix: &str, decoder: &mut Decoder, rest: &[u8]) -> Result<String, DecodeError> {
    let bytes = decoder.decode_whole(prefix.as_bytes(), rest)?;
    debug_assert!(core::str::from_utf8(&bytes).is_ok());
    // SAFETY: `bytes` is `prefix`, and then what the decoder wrote. A decoder writes whole characters: a `char` (`Unit::put`),
    // a code point of the BMP that is no surrogate (`Form::put_unit`), ASCII, or the output of a kernel, which writes whole
    // characters by its contract.
    Ok(unsafe { String::from_utf8_unchecked(bytes) })
}
