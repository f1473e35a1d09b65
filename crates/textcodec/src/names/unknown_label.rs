//! [`UnknownLabel`]: the error for a string that names no encoding.

use core::{error::Error, fmt};

use crate::names::{Alias, label};

/// The error for a string that is neither the name nor a label of an encoding.
///
/// ```
/// use textcodec::Encoding;
///
/// let error = "windows-125".parse::<Encoding>().unwrap_err();
/// assert_eq!(error.label(), "windows-125");
/// assert_eq!(error.to_string(), r#""windows-125" is not a label in the Encoding Standard"#);
/// let error = "cp932".parse::<Encoding>().unwrap_err();
/// assert_eq!(error.to_string(), r#""cp932" is not a label in the Encoding Standard; did you mean "Shift_JIS"?"#);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UnknownLabel {
    /// The first bytes, which are whole characters. The rest is zero.
    kept: [u8; Self::KEPT],
    len: u8,
    is_cut: bool,
}

impl UnknownLabel {
    /// The maximum number of bytes that are kept: more than twice the longest label. Without `alloc`, there must be a limit.
    const KEPT: usize = 45;

    #[inline]
    pub(crate) fn new(label: &str) -> Self {
        let mut len = label.len().min(Self::KEPT);
        while !label.is_char_boundary(len) {
            len -= 1;
        }
        let mut kept = [0; Self::KEPT];
        kept[..len].copy_from_slice(&label.as_bytes()[..len]);
        Self { kept, len: len as u8, is_cut: len < label.len() }
    }

    /// Returns the string, or the first 45 bytes of a longer one, up to the end of a character.
    ///
    /// ```
    /// let error = "no such encoding".parse::<textcodec::Encoding>().unwrap_err();
    /// assert_eq!(error.label(), "no such encoding");
    /// ```
    #[must_use]
    #[inline]
    pub fn label(&self) -> &str {
        core::str::from_utf8(&self.kept[..self.len.into()]).unwrap_or_default()
    }

    /// Returns the label that is most similar, if one is: at most a third of its letters differ, and no digit. For the name of
    /// an [`Alias`], returns the name of its encoding.
    ///
    /// ```
    /// use textcodec::Encoding;
    ///
    /// let suggestion = |label: &str| label.parse::<Encoding>().unwrap_err().suggestion();
    /// assert_eq!(suggestion("shift-jiss"), Some("shift-jis"));
    /// assert_eq!(suggestion("cp949"), Some("EUC-KR"));
    /// assert_eq!(suggestion("klingon"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn suggestion(&self) -> Option<&'static str> {
        if self.is_cut {
            return None;
        }
        Alias::for_name(self.label())
            .map(|alias| alias.encoding.name())
            .or_else(|| label::nearest(self.label().trim_ascii().as_bytes()))
    }
}

impl fmt::Debug for UnknownLabel {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnknownLabel").field(&self.label()).finish()
    }
}

impl fmt::Display for UnknownLabel {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{} is not a label in the Encoding Standard", self.label(), if self.is_cut { "…" } else { "" })?;
        self.suggestion().map_or(Ok(()), |label| write!(f, "; did you mean {label:?}?"))
    }
}

impl Error for UnknownLabel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_label_is_cut_between_characters() {
        let long = "é".repeat(30);
        let error = UnknownLabel::new(&long);
        assert_eq!(error.label(), "é".repeat(22));
        assert_eq!(error.suggestion(), None);
        assert!(std::format!("{error}").starts_with(&std::format!("\"{}\"… is not", "é".repeat(22))));
    }
}
