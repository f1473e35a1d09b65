//! Other registries of encodings: Windows code pages and MIME charset names.

#[cfg(feature = "oem")]
use crate::beyond::oem;
use crate::names::{
    Encoding, GB18030,
    encodings::{self, CODE_PAGES},
};

impl Encoding {
    /// Returns the encoding of a [Windows code page](https://learn.microsoft.com/windows/win32/intl/code-page-identifiers), or
    /// the closest one that the library has. The pages of MS-DOS, such as 437, and of EBCDIC need feature `oem`.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS, UTF_8};
    ///
    /// assert_eq!(Encoding::for_code_page(932), Some(SHIFT_JIS));
    /// assert_eq!(Encoding::for_code_page(65001), Some(UTF_8));
    /// assert_eq!(Encoding::for_code_page(437).is_some(), cfg!(feature = "oem"));
    /// ```
    #[must_use]
    #[doc(alias("codepage", "to_encoding"))]
    #[inline]
    pub fn for_code_page(number: u16) -> Option<Self> {
        let found = CODE_PAGES.iter().find(|(other, _)| *other == number).map(|(_, encoding)| *encoding);
        #[cfg(feature = "oem")]
        let found = found.or_else(|| oem::for_code_page(number));
        found
    }

    /// Returns the number of the Windows code page that is this encoding, or closest to it. `None` for `replacement` and
    /// x-user-defined.
    ///
    /// ```
    /// assert_eq!(textcodec::WINDOWS_1252.code_page(), Some(1252));
    /// assert_eq!(textcodec::REPLACEMENT.code_page(), None);
    /// ```
    #[must_use]
    #[doc(alias("codepage", "from_encoding"))]
    #[inline]
    pub fn code_page(self) -> Option<u16> {
        #[cfg(feature = "oem")]
        if let Some(page) = oem::page(self) {
            return textcodec_oem::code_page(page);
        }
        CODE_PAGES.iter().find(|(_, encoding)| *encoding == self).map(|(number, _)| *number)
    }

    /// Returns the encoding of a charset name in MIME. This is the encoding of the [label](Self::for_label), except that
    /// `ISO-8859-1` is [`LATIN1`](crate::LATIN1) and `US-ASCII` is [`US_ASCII`](crate::US_ASCII), in any case.
    ///
    /// To show mail as browsers and most mail programs do, use [`for_label`](Self::for_label) instead: much of what is labelled
    /// ISO-8859-1 is windows-1252.
    ///
    /// ```
    /// use textcodec::{Encoding, LATIN1, SHIFT_JIS};
    ///
    /// assert_eq!(Encoding::for_mime_name("shift_jis"), Some(SHIFT_JIS));
    /// assert_eq!(Encoding::for_mime_name("iso-8859-1"), Some(LATIN1));
    /// ```
    #[must_use]
    #[doc(alias("charset", "iana", "iso-8859-1", "us-ascii"))]
    #[inline]
    pub fn for_mime_name(name: &str) -> Option<Self> {
        let exact = name.trim_ascii();
        let extra = Self::EXTRA.iter().copied().find(|encoding| encoding.name().eq_ignore_ascii_case(exact));
        let found = extra.or_else(|| Self::for_label(name));
        #[cfg(feature = "oem")]
        let found = found.or_else(|| oem::for_name(exact).filter(|encoding| encoding.mime_name().is_some()));
        found
    }

    /// Returns the preferred MIME name, as [registered](https://www.iana.org/assignments/character-sets/) with IANA. `None` for
    /// x-mac-cyrillic, x-user-defined and `replacement`, which are not registered.
    ///
    /// ```
    /// use textcodec::{GB18030, LATIN1, X_MAC_CYRILLIC};
    ///
    /// assert_eq!((GB18030.mime_name(), LATIN1.mime_name()), (Some("GB18030"), Some("ISO-8859-1")));
    /// assert_eq!(X_MAC_CYRILLIC.mime_name(), None);
    /// ```
    #[must_use]
    #[doc(alias("charset", "iana"))]
    pub const fn mime_name(self) -> Option<&'static str> {
        #[cfg(feature = "oem")]
        if let Some(page) = oem::page(self) {
            return if textcodec_oem::is_registered(page) { Some(self.name()) } else { None };
        }
        match self {
            GB18030 => Some("GB18030"),
            other if encodings::is_registered(other.id()) => Some(other.name()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Alias, REPLACEMENT, X_USER_DEFINED};

    fn all() -> impl Iterator<Item = Encoding> {
        Encoding::ALL.iter().chain(Encoding::EXTRA).copied()
    }

    #[test]
    fn names_and_numbers_lead_back_to_the_encoding() {
        for encoding in all() {
            let (page, name) = (encoding.code_page(), encoding.mime_name());
            assert_eq!(page.is_none(), matches!(encoding, REPLACEMENT | X_USER_DEFINED), "{encoding}");
            assert!(page.is_none_or(|number| Encoding::for_code_page(number) == Some(encoding)), "{encoding}");
            assert!(name.is_none_or(|name| Encoding::for_mime_name(name) == Some(encoding)), "{encoding}");
        }
    }

    #[test]
    fn numbers_agree_with_labels_and_aliases() {
        for &(number, encoding) in CODE_PAGES {
            let name = std::format!("cp{number}");
            let named = Encoding::for_label(&name).or_else(|| Some(Alias::for_name(&name)?.encoding));
            assert!(named.is_none_or(|named| named == encoding), "{name}");
        }
        for alias in Alias::ALL {
            if let Some(Ok(number)) = alias.name.strip_prefix("cp").map(str::parse)
                && number > 1000
            {
                assert_eq!(Encoding::for_code_page(number), Some(alias.encoding), "{}", alias.name);
            }
        }
    }
}
