//! Conversion between the encodings of textcodec and encoding_rs.
//!
//! For programs that get an [`encoding_rs::Encoding`] from another library, such as chardetng or codepage, and decode with
//! textcodec, or the reverse.
//!
//! ```
//! use textcodec_encoding_rs::{from_encoding_rs, to_encoding_rs};
//!
//! assert_eq!(from_encoding_rs(encoding_rs::SHIFT_JIS), textcodec::SHIFT_JIS);
//! assert_eq!(to_encoding_rs(textcodec::GBK), Some(encoding_rs::GBK));
//! ```
#![no_std]
#![forbid(unsafe_code)]

/// Returns the same encoding of textcodec. Both libraries have the standard's 40 encodings. Returns
/// [`REPLACEMENT`](textcodec::REPLACEMENT) for an encoding that a later version of encoding_rs adds.
///
/// ```
/// use textcodec_encoding_rs::from_encoding_rs;
///
/// let theirs = encoding_rs::Encoding::for_label(b"latin1").expect("a label");
/// assert_eq!(from_encoding_rs(theirs), textcodec::WINDOWS_1252);
/// ```
#[must_use]
pub fn from_encoding_rs(encoding: &'static encoding_rs::Encoding) -> textcodec::Encoding {
    // Every name is also a label. A future encoding that textcodec does not know must not be decoded as another one.
    textcodec::Encoding::for_label(encoding.name()).unwrap_or(textcodec::REPLACEMENT)
}

/// Returns the same encoding of encoding_rs. Returns `None` for [`LATIN1`](textcodec::LATIN1) and
/// [`US_ASCII`](textcodec::US_ASCII), which are not in the standard.
///
/// ```
/// use textcodec_encoding_rs::to_encoding_rs;
///
/// assert_eq!(to_encoding_rs(textcodec::UTF_16LE), Some(encoding_rs::UTF_16LE));
/// assert_eq!(to_encoding_rs(textcodec::LATIN1), None);
/// ```
#[must_use]
pub fn to_encoding_rs(encoding: textcodec::Encoding) -> Option<&'static encoding_rs::Encoding> {
    // The names of these are labels of windows-1252.
    if textcodec::Encoding::EXTRA.contains(&encoding) {
        return None;
    }
    encoding_rs::Encoding::for_label(encoding.name().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_40_encodings_round_trip() {
        for &encoding in textcodec::Encoding::ALL {
            let theirs = to_encoding_rs(encoding).expect("encoding_rs has all 40");
            assert_eq!((theirs.name(), from_encoding_rs(theirs)), (encoding.name(), encoding));
        }
        assert!(textcodec::Encoding::EXTRA.iter().all(|&encoding| to_encoding_rs(encoding).is_none()));
    }
}
