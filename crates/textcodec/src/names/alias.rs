//! [`Alias`]: names from outside the standard.

use crate::names::{Encoding, encodings};

/// A name for an encoding that mail, Windows, Python or iconv uses, but the standard does not.
///
/// [`Encoding::for_label`] accepts only the standard's labels, and none of these names. A name that resembles a label means what
/// the label means: `latin-1` is windows-1252, as on the web, although it is true Latin-1 in Python.
///
/// ```
/// use textcodec::{Alias, Encoding, SHIFT_JIS, UTF_8};
///
/// let find = |name: &str| Encoding::for_label(name).or_else(|| Some(Alias::for_name(name)?.encoding));
/// assert_eq!(find("CP932"), Some(SHIFT_JIS));
/// assert_eq!(find("sjis"), Some(SHIFT_JIS));
/// assert!(Alias::for_name("utf-8-sig").is_some_and(|alias| alias.encoding == UTF_8 && alias.bom));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias("codecs", "charset", "python"))]
pub struct Alias {
    /// The name, in lower case.
    pub name: &'static str,
    /// The encoding of the name, or the closest one that the library has.
    pub encoding: Encoding,
    /// Whether text in this encoding should start with a byte order mark.
    pub bom: bool,
}

impl Alias {
    /// All aliases, each in one spelling: see [`for_name`](Self::for_name). Without the names of code pages, which feature `oem` adds to
    /// `for_name`.
    ///
    /// ```
    /// use textcodec::{Alias, Encoding};
    ///
    /// assert!(Alias::ALL.iter().all(|alias| Encoding::for_label(alias.name).is_none()));
    /// ```
    pub const ALL: &[Self] = encodings::ALIASES;

    pub(crate) const fn new(name: &'static str, encoding: Encoding) -> Self {
        Self { name, encoding, bom: false }
    }

    pub(crate) const fn with_bom(self) -> Self {
        Self { bom: true, ..self }
    }

    /// Returns the alias with this name. Ignores ASCII case, surrounding ASCII white space, and whether words are separated by
    /// `-`, `_` or a space, as Python does: so `UTF_8`, a label except for the separator, is an alias, too. The standard's
    /// labels are not aliases.
    ///
    /// ```
    /// use textcodec::{Alias, ISO_8859_2, WINDOWS_874};
    ///
    /// let encoding = |name| Alias::for_name(name).map(|alias| alias.encoding);
    /// assert_eq!(encoding(" TIS620 "), Some(WINDOWS_874));
    /// assert_eq!(encoding("tis-620"), None); // A label of the standard, not an alias.
    /// assert_eq!(encoding("iso8859_2"), Some(ISO_8859_2));
    /// ```
    #[must_use]
    #[inline]
    pub fn for_name(name: &str) -> Option<Self> {
        let name = name.trim_ascii();
        if Encoding::for_label(name).is_some() {
            return None;
        }
        let is_name = |other: &str| is_same(name, other);
        let alias = Self::ALL.iter().copied().find(|alias| is_name(alias.name));
        #[cfg(feature = "oem")]
        let alias = alias.or_else(|| {
            let encoding = crate::beyond::oem::for_name(name)?;
            let others = crate::beyond::oem::page(encoding).into_iter().flat_map(textcodec_oem::aliases);
            let name = core::iter::once(encoding.name()).chain(others).find(|other| is_name(other))?;
            Some(Self::new(name, encoding))
        });
        alias.or_else(|| {
            Encoding::ALL.iter().find_map(|&encoding| {
                encoding.labels().iter().find(|label| is_name(label)).map(|label| Self::new(label, encoding))
            })
        })
    }
}

/// Whether two names are the same, but for case and separators.
pub(crate) fn is_same(name: &str, other: &str) -> bool {
    other.len() == name.len() && other.bytes().zip(name.bytes()).all(|(a, b)| normalize(a) == normalize(b))
}

/// A byte of a name without case, and `-` for all separators.
fn normalize(byte: u8) -> u8 {
    if matches!(byte, b'_' | b' ') { b'-' } else { byte.to_ascii_lowercase() }
}
