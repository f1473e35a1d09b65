//! Validates UTF-8, UTF-16 and UTF-32, and converts UTF-16 to and from UTF-8, UTF-32 and Latin-1, and Latin-1 to and from UTF-8,
//! in slices. These functions have no state, do not allocate, and replace nothing.
//!
//! Each function converts the longest valid prefix that fits, in whole characters, and returns its length. It stops at
//! malformed or incomplete input, at a character that the target cannot represent, and when the destination is full. UTF-16 and
//! UTF-32 are in native byte order. Latin-1 is true ISO-8859-1 ([`LATIN1`](crate::LATIN1)): byte n is U+0000 plus n. The label
//! "latin1" means another encoding, windows-1252.
//!
//! For text in chunks, or to replace malformed bytes, use [`UTF_8`](crate::UTF_8)`.`[`decoder`](crate::Encoding::decoder)`()`.
//!
//! ```
//! use textcodec::utf;
//!
//! let mut units = [0; 16];
//! let progress = utf::utf8_to_utf16("naïve 😀".as_bytes(), &mut units);
//! assert_eq!((progress.read, progress.written), (11, 8));
//! assert!(utf::utf16_valid_up_to(&units[..7]) == 6);
//! ```

use crate::kernel::{
    Kernels, Out, short,
    tables::{ByteOrder, as_bytes},
    utf32::Utf32Kernels,
    write_to_str,
};

/// The number of units that a conversion has read and written.
///
/// ```
/// let progress = textcodec::utf::utf16_to_utf8(&[0x41, 0xD800, 0x42], &mut [0; 8]);
/// assert_eq!((progress.read, progress.written), (1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[must_use = "the conversion may have stopped before the end of its source"]
pub struct Converted {
    /// The number of bytes, code units or numbers of UTF-32 read from the source.
    pub read: usize,
    /// The number of bytes, code units or numbers written to the destination. The rest of it is scratch space: its contents may change.
    pub written: usize,
}

/// Returns the number of bytes before the first one that is not ASCII.
///
/// ```
/// assert_eq!(textcodec::utf::ascii_valid_up_to(b"caf\xC3\xA9"), 3);
/// ```
#[must_use]
#[doc(alias("is_ascii"))]
pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
    if short::is_short_ascii(bytes) { bytes.len() } else { Kernels::with_best(|best| (best.ascii_prefix)(bytes)) }
}

/// Returns the number of bytes before the first malformed or incomplete sequence of UTF-8.
///
/// ```
/// assert_eq!(textcodec::utf::utf8_valid_up_to(b"caf\xC3\xA9"), 5);
/// assert_eq!(textcodec::utf::utf8_valid_up_to(b"caf\xC3"), 3);
/// ```
#[must_use]
#[doc(alias("from_utf8", "validate_utf8"))]
pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
    if short::is_short_ascii(bytes) { bytes.len() } else { Kernels::with_best(|best| (best.utf8_prefix)(bytes)) }
}

/// Returns the text before the first malformed or incomplete sequence of UTF-8.
///
/// ```
/// assert_eq!(textcodec::utf::utf8_prefix(b"caf\xC3\xA9 \xFF"), "café ");
/// ```
#[must_use]
#[doc(alias("from_utf8", "utf8_chunks"))]
#[expect(unsafe_code, reason = "the bytes are validated by a kernel")]
pub fn utf8_prefix(bytes: &[u8]) -> &str {
    let valid = &bytes[..utf8_valid_up_to(bytes)];
    // SAFETY: `utf8_valid_up_to` returns the length of a prefix that is UTF-8.
    unsafe { core::str::from_utf8_unchecked(valid) }
}

/// Returns the number of code units before the first unpaired surrogate.
///
/// ```
/// assert_eq!(textcodec::utf::utf16_valid_up_to(&[0x41, 0xD83D, 0xDE00, 0xDE00]), 3);
/// ```
#[must_use]
pub fn utf16_valid_up_to(units: &[u16]) -> usize {
    if short::has_no_surrogate(units) { units.len() } else { Kernels::with_best(|best| (best.utf16_prefix)(units)) }
}

/// Converts UTF-8 to UTF-16. A destination of `src.len()` code units is always large enough.
///
/// ```
/// let mut units = [0; 4];
/// let progress = textcodec::utf::utf8_to_utf16(b"\xD0\x94\xD0\xB0\xFF", &mut units);
/// assert_eq!((progress.read, &units[..progress.written]), (4, &[0x414, 0x430][..]));
/// ```
#[doc(alias("convert_utf8_to_utf16", "encode_utf16"))]
pub fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> Converted {
    convert(
        dst,
        src.len(),
        |out| short::ascii_to_utf16(ByteOrder::NATIVE, src, out),
        |out| (Kernels::best().utf8_to_utf16)(src, out),
    )
}

/// Converts UTF-16 to UTF-8. A destination of `3 * src.len()` bytes is always large enough.
///
/// ```
/// let mut bytes = [0; 8];
/// let progress = textcodec::utf::utf16_to_utf8(&[0x20AC, 0x21], &mut bytes);
/// assert_eq!(&bytes[..progress.written], "€!".as_bytes());
/// ```
#[doc(alias("convert_utf16_to_utf8_partial", "from_utf16"))]
#[inline]
pub fn utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> Converted {
    convert(
        dst,
        src.len(),
        |out| short::ascii_from_utf16(ByteOrder::NATIVE, as_bytes(src), out),
        |out| Kernels::best().units_to_utf8(src, out),
    )
}

/// Converts UTF-16 to UTF-8 like [`utf16_to_utf8`], and writes it to a `str`. To keep that valid UTF-8, characters after the
/// written text may become U+0000.
///
/// ```
/// let mut text = String::from("........");
/// let progress = textcodec::utf::utf16_to_str(&[0x20AC, 0x21], &mut text);
/// assert_eq!(&text[..progress.written], "€!");
/// ```
#[expect(unsafe_code, reason = "kernels write UTF-8 without a second validation")]
#[inline]
pub fn utf16_to_str(src: &[u16], dst: &mut str) -> Converted {
    let write = |out: &mut Out<'_, u8>| {
        let is_short = short::ascii_from_utf16(ByteOrder::NATIVE, as_bytes(src), out);
        let read = if is_short { src.len() } else { Kernels::best().units_to_utf8(src, out) };
        Converted { read, written: out.filled() }
    };
    // SAFETY: `write` writes either ASCII or what a kernel writes, whole characters of UTF-8.
    unsafe { write_to_str(dst, src.len().saturating_mul(3), write) }
}

/// Converts Latin-1 to UTF-8. A destination of `2 * src.len()` bytes is always large enough.
///
/// ```
/// let mut bytes = [0; 8];
/// let progress = textcodec::utf::latin1_to_utf8(b"caf\xE9", &mut bytes);
/// assert_eq!(&bytes[..progress.written], "café".as_bytes());
/// ```
#[doc(alias("convert_latin1_to_utf8_partial", "decode_latin1"))]
#[inline]
pub fn latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> Converted {
    convert(dst, src.len(), |out| short::ascii_copy(src, out), |out| (Kernels::best().latin1_to_utf8)(src, out))
}

/// Converts Latin-1 to UTF-8 like [`latin1_to_utf8`], and writes it to a `str`. To keep that valid UTF-8, characters after the
/// written text may become U+0000.
///
/// ```
/// let mut text = String::from("........");
/// let progress = textcodec::utf::latin1_to_str(b"caf\xE9", &mut text);
/// assert_eq!(&text[..progress.written], "café");
/// ```
#[expect(unsafe_code, reason = "kernels write UTF-8 without a second validation")]
#[inline]
pub fn latin1_to_str(src: &[u8], dst: &mut str) -> Converted {
    let write = |out: &mut Out<'_, u8>| {
        let read = if short::ascii_copy(src, out) { src.len() } else { (Kernels::best().latin1_to_utf8)(src, out) };
        Converted { read, written: out.filled() }
    };
    // SAFETY: `write` writes either ASCII or what a kernel writes, whole characters of UTF-8.
    unsafe { write_to_str(dst, src.len().saturating_mul(2), write) }
}

/// Converts Latin-1 to UTF-16. A destination of `src.len()` code units is always large enough.
///
/// ```
/// let mut units = [0; 4];
/// assert_eq!(textcodec::utf::latin1_to_utf16(b"caf\xE9", &mut units).written, 4);
/// assert_eq!(units[3], 0xE9);
/// ```
#[doc(alias("convert_latin1_to_utf16"))]
#[inline]
pub fn latin1_to_utf16(src: &[u8], dst: &mut [u16]) -> Converted {
    convert(
        dst,
        src.len(),
        |out| short::latin1_to_utf16(src, out),
        |out| (Kernels::best().utf16().latin1_to_utf16)(src, out),
    )
}

/// Converts UTF-8 to Latin-1, up to the first character above U+00FF. A destination of `src.len()` bytes is always large
/// enough.
///
/// ```
/// let mut bytes = [0; 8];
/// let progress = textcodec::utf::utf8_to_latin1("café €", &mut bytes);
/// assert_eq!((progress.read, &bytes[..progress.written]), (6, &b"caf\xE9 "[..]));
/// ```
#[doc(alias("convert_utf8_to_latin1_lossy", "encode_latin1_lossy"))]
#[inline]
pub fn utf8_to_latin1(src: &str, dst: &mut [u8]) -> Converted {
    trusted_utf8_to_latin1(src.as_bytes(), dst)
}

/// Converts bytes that the caller knows to be UTF-8 to Latin-1, like [`utf8_to_latin1`]. Nothing validates them: if they are not
/// UTF-8, how many bytes are read and written, and which, is unspecified. That is safe all the same.
///
/// ```
/// let mut bytes = [0; 4];
/// let progress = textcodec::utf::trusted_utf8_to_latin1(b"n\xC3\xA9", &mut bytes);
/// assert_eq!((progress.read, &bytes[..progress.written]), (3, &b"n\xE9"[..]));
/// ```
#[inline]
pub fn trusted_utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> Converted {
    convert(dst, src.len(), |out| short::ascii_copy(src, out), |out| (Kernels::best().latin1_from_utf8)(src, out))
}

/// Converts UTF-16 to Latin-1, up to the first code unit above 0x00FF. A destination of `src.len()` bytes is always large
/// enough.
///
/// ```
/// let mut bytes = [0; 4];
/// let progress = textcodec::utf::utf16_to_latin1(&[0xE9, 0x20AC], &mut bytes);
/// assert_eq!((progress.read, bytes[0]), (1, 0xE9));
/// ```
#[doc(alias("convert_utf16_to_latin1_lossy"))]
#[inline]
pub fn utf16_to_latin1(src: &[u16], dst: &mut [u8]) -> Converted {
    convert(
        dst,
        src.len(),
        |out| short::latin1_from_utf16(src, out),
        |out| (Kernels::best().utf16().latin1_from_utf16)(src, out),
    )
}

/// Converts UTF-16 to UTF-32: scalar values in native byte order. A destination of `src.len()` numbers is always large enough.
///
/// ```
/// let mut scalar_values = [0; 4];
/// let progress = textcodec::utf::utf16_to_utf32(&[0x41, 0xD83D, 0xDE00, 0xDE00], &mut scalar_values);
/// assert_eq!((progress.read, &scalar_values[..progress.written]), (3, &[0x41, 0x1F600][..]));
/// ```
#[doc(alias("UCS-4", "wchar_t"))]
#[inline]
pub fn utf16_to_utf32(src: &[u16], dst: &mut [u32]) -> Converted {
    convert(dst, src.len(), |_| false, |out| (Utf32Kernels::best().utf16_to_utf32)(src, out))
}

/// Converts UTF-32 to UTF-16, up to the first number that is not a scalar value: a surrogate, or above U+10FFFF. A destination
/// of `2 * src.len()` code units is always large enough.
///
/// ```
/// let mut units = [0; 4];
/// let progress = textcodec::utf::utf32_to_utf16(&[0x1F600, 0x41, 0xD800], &mut units);
/// assert_eq!((progress.read, &units[..progress.written]), (2, &[0xD83D, 0xDE00, 0x41][..]));
/// ```
#[doc(alias("UCS-4", "wchar_t"))]
#[inline]
pub fn utf32_to_utf16(src: &[u32], dst: &mut [u16]) -> Converted {
    convert(dst, src.len(), |_| false, |out| (Utf32Kernels::best().utf32_to_utf16)(src, out))
}

/// Returns the number of scalar values before the first number that is not one.
///
/// ```
/// assert_eq!(textcodec::utf::utf32_valid_up_to(&[0x41, 0x1F600, 0xD800]), 2);
/// assert_eq!(textcodec::utf::utf32_valid_up_to(&[0x11_0000]), 0);
/// ```
#[must_use]
#[inline]
pub fn utf32_valid_up_to(code_points: &[u32]) -> usize {
    (Utf32Kernels::best().utf32_prefix)(code_points)
}

/// Returns the number of code units before the first surrogate, paired or not. If there is none, each unit is a character.
///
/// ```
/// assert_eq!(textcodec::utf::surrogate_free_up_to(&[0x41, 0xD83D, 0xDE00]), 1);
/// ```
#[must_use]
#[inline]
pub fn surrogate_free_up_to(units: &[u16]) -> usize {
    if short::has_no_surrogate(units) { units.len() } else { (Utf32Kernels::best().surrogate_free_prefix)(units) }
}

/// Returns the greatest code unit, or 0 if there is none. For example, text is Latin-1 if it is at most 0xFF.
///
/// ```
/// assert_eq!(textcodec::utf::max_unit(&[0x41, 0x20AC, 0xE9]), 0x20AC);
/// assert_eq!(textcodec::utf::max_unit(&[]), 0);
/// ```
#[must_use]
#[inline]
pub fn max_unit(units: &[u16]) -> u16 {
    (Utf32Kernels::best().max_unit)(units)
}

/// Converts by `short`, which is for short inputs and returns whether it has converted all `len` units; otherwise by `kernel`.
#[inline]
fn convert<T: Copy>(
    dst: &mut [T],
    len: usize,
    short: impl FnOnce(&mut Out<'_, T>) -> bool,
    kernel: impl FnOnce(&mut Out<'_, T>) -> usize,
) -> Converted {
    let mut out = Out::new(dst);
    if !short(&mut out) {
        return call(dst, kernel);
    }
    Converted { read: len, written: out.filled() }
}

/// Calls a kernel. A function of its own, so that short inputs save no registers, and their `Out` is not in memory.
#[inline(never)]
fn call<T: Copy>(dst: &mut [T], kernel: impl FnOnce(&mut Out<'_, T>) -> usize) -> Converted {
    let mut out = Out::new(dst);
    Converted { read: kernel(&mut out), written: out.filled() }
}
