//! [WTF-8](https://wtf-8.codeberg.page/): UTF-8 that can also represent unpaired surrogates, for file names and other wide
//! strings of Windows, and for strings of JavaScript, without loss.
//!
//! Well-formed text is the same in WTF-8 and UTF-8. WTF-8 is for use within a program, not for files or networks.
//!
//! ```
//! use textcodec::wtf8;
//!
//! let name = [0x61, 0xD83D, 0x2E, 0x74]; // A file name that is not well-formed UTF-16.
//! let bytes = wtf8::from_utf16(&name);
//! assert_eq!(bytes, b"a\xED\xA0\xBD.t");
//! assert_eq!(wtf8::to_utf16(&bytes)?, name);
//! # Ok::<(), wtf8::Wtf8Error>(())
//! ```

use alloc::vec::Vec;
use core::{error::Error, fmt};

use crate::text::utf;

/// Converts UTF-16 in native byte order, which may be ill-formed, to WTF-8.
///
/// ```
/// assert_eq!(textcodec::wtf8::from_utf16(&[0xD83D, 0xDE00]), "😀".as_bytes());
/// ```
#[must_use]
#[doc(alias("OsString", "from_wide"))]
#[inline]
pub fn from_utf16(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len() + units.len() / 2);
    let mut rest = units;
    loop {
        let (valid, invalid) = rest.split_at(utf::utf16_valid_up_to(rest));
        let before = bytes.len();
        bytes.resize(before + 3 * valid.len(), 0);
        let written = utf::utf16_to_utf8(valid, &mut bytes[before..]).written;
        bytes.truncate(before + written);
        let Some((&surrogate, after)) = invalid.split_first() else { return bytes };
        let [high, low] = surrogate.to_be_bytes();
        bytes.extend([0xED, 0x80 | (high & 0xF) << 2 | low >> 6, 0x80 | low & 0x3F]);
        rest = after;
    }
}

/// Converts WTF-8 to UTF-16 in native byte order. The result is ill-formed if `bytes` contains surrogates.
///
/// # Errors
/// Returns the offset of the first bytes that are not WTF-8. Surrogates that form a pair are not: WTF-8 has one
/// representation for each string.
///
/// ```
/// use textcodec::wtf8;
///
/// assert_eq!(wtf8::to_utf16(b"a\xED\xB0\x80")?, [0x61, 0xDC00]);
/// assert_eq!(wtf8::to_utf16(b"ab\xFF").unwrap_err().offset, 2);
/// assert_eq!(wtf8::to_utf16(b"\xED\xA0\xBD\xED\xB8\x80").unwrap_err().offset, 3);
/// # Ok::<(), wtf8::Wtf8Error>(())
/// ```
#[doc(alias("OsStr", "encode_wide"))]
#[inline]
pub fn to_utf16(bytes: &[u8]) -> Result<Vec<u16>, Wtf8Error> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut read = 0;
    let mut after_high = false;
    loop {
        let rest = &bytes[read..];
        let valid = utf::utf8_valid_up_to(rest);
        let before = units.len();
        units.resize(before + valid, 0);
        let written = utf::utf8_to_utf16(&rest[..valid], &mut units[before..]).written;
        units.truncate(before + written);
        read += valid;
        let [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] = bytes[read..] else {
            return if read == bytes.len() { Ok(units) } else { Err(Wtf8Error { offset: read }) };
        };
        let is_low = second >= 0xB0;
        if is_low && after_high && valid == 0 {
            return Err(Wtf8Error { offset: read });
        }
        units.push(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F));
        (read, after_high) = (read + 3, !is_low);
    }
}

/// The error for bytes that are not WTF-8.
///
/// ```
/// let error = textcodec::wtf8::to_utf16(b"a\x80").unwrap_err();
/// assert_eq!(error.to_string(), "malformed WTF-8 at byte 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wtf8Error {
    /// The offset of the first malformed byte.
    pub offset: usize,
}

impl fmt::Display for Wtf8Error {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed WTF-8 at byte {}", self.offset)
    }
}

impl Error for Wtf8Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_strings_of_a_few_units_round_trip() {
        let kinds = [0x00, 0x61, 0x7FF, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for number in 0..kinds.len().pow(4) {
            let units: Vec<u16> = (0..4).map(|n| kinds[number / kinds.len().pow(n) % kinds.len()]).collect();
            for units in [&units[..], &units[1..], &units[..1]] {
                let bytes = from_utf16(units);
                assert_eq!(to_utf16(&bytes).as_deref(), Ok(units));
                let text = std::string::String::from_utf16(units);
                assert_eq!(core::str::from_utf8(&bytes).ok(), text.ok().as_deref(), "{units:04X?}");
            }
        }
    }

    #[test]
    fn every_string_of_three_bytes_is_malformed_or_the_only_form_of_its_units() {
        for number in 0..1_u32 << 24 {
            let [bytes @ .., _] = number.to_le_bytes();
            // Continuation bytes and lead bytes, without most of ASCII.
            if bytes.iter().any(|byte| (2..0x7F).contains(byte)) {
                continue;
            }
            match to_utf16(&bytes) {
                Ok(units) => assert_eq!(from_utf16(&units), bytes),
                Err(error) => assert!(core::str::from_utf8(&bytes).is_err() && error.offset < 3),
            }
        }
    }
}
