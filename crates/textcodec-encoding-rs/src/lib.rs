//! The same encoding in textcodec and in encoding_rs: for programs that get a `&'static` [`encoding_rs::Encoding`] from another
//! library, such as chardetng or codepage, and decode with textcodec; or the other way.
//!
//! ```
//! use textcodec_encoding_rs::{from_encoding_rs, to_encoding_rs};
//!
//! assert_eq!(from_encoding_rs(encoding_rs::SHIFT_JIS), textcodec::SHIFT_JIS);
//! assert_eq!(to_encoding_rs(textcodec::GBK), Some(encoding_rs::GBK));
//! ```
#![no_std]
#![forbid(unsafe_code)]

/// The encoding of encoding_rs in textcodec: both have the standard's 40.
///
/// ```
/// use textcodec_encoding_rs::from_encoding_rs;
///
/// let theirs = encoding_rs::Encoding::for_label(b"latin1").expect("a label");
/// assert_eq!(from_encoding_rs(theirs), textcodec::WINDOWS_1252);
/// ```
#[must_use]
pub fn from_encoding_rs(encoding: &'static encoding_rs::Encoding) -> textcodec::Encoding {
    // A name is a label. Were there ever another encoding, it would be one that must not be taken for any of these.
    textcodec::Encoding::for_label(encoding.name()).unwrap_or(textcodec::REPLACEMENT)
}

/// The encoding of textcodec in encoding_rs; none for [`ISOMORPHIC`](textcodec::ISOMORPHIC) and
/// [`STRICT_ASCII`](textcodec::STRICT_ASCII), which are not the standard's.
///
/// ```
/// use textcodec_encoding_rs::to_encoding_rs;
///
/// assert_eq!(to_encoding_rs(textcodec::UTF_16LE), Some(encoding_rs::UTF_16LE));
/// assert_eq!(to_encoding_rs(textcodec::ISOMORPHIC), None);
/// ```
#[must_use]
pub fn to_encoding_rs(encoding: textcodec::Encoding) -> Option<&'static encoding_rs::Encoding> {
    encoding_rs::Encoding::for_label(encoding.name().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_40_is_the_same_there_and_back() {
        for &encoding in textcodec::Encoding::ALL {
            let there = to_encoding_rs(encoding).expect("encoding_rs has all 40");
            assert_eq!((there.name(), from_encoding_rs(there)), (encoding.name(), encoding));
        }
        assert!(textcodec::Encoding::EXTRA.iter().all(|&encoding| to_encoding_rs(encoding).is_none()));
    }
}
