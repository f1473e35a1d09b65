//! Other registries of encodings: Windows code pages and MIME charset names.

use crate::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5,
    ISO_8859_6, ISO_8859_7, ISO_8859_8, ISO_8859_8_I, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16,
    KOI8_R, KOI8_U, LATIN1, MACINTOSH, REPLACEMENT, SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257,
    WINDOWS_1258, X_MAC_CYRILLIC, X_USER_DEFINED,
};

/// Windows code pages. The first number of an encoding is the one that [`Encoding::code_page`] returns.
const CODE_PAGES: &[(u16, Encoding)] = &[
    (65001, UTF_8),
    (866, IBM866),
    (28592, ISO_8859_2),
    (28593, ISO_8859_3),
    (28594, ISO_8859_4),
    (28595, ISO_8859_5),
    (28596, ISO_8859_6),
    (28597, ISO_8859_7),
    (28598, ISO_8859_8),
    (38598, ISO_8859_8_I),
    (28600, ISO_8859_10),
    (28603, ISO_8859_13),
    (28604, ISO_8859_14),
    (28605, ISO_8859_15),
    (28606, ISO_8859_16),
    (20866, KOI8_R),
    (21866, KOI8_U),
    (10000, MACINTOSH),
    (874, WINDOWS_874),
    (28601, WINDOWS_874),
    (1250, WINDOWS_1250),
    (1251, WINDOWS_1251),
    (1252, WINDOWS_1252),
    (1253, WINDOWS_1253),
    (1254, WINDOWS_1254),
    (28599, WINDOWS_1254),
    (1255, WINDOWS_1255),
    (1256, WINDOWS_1256),
    (1257, WINDOWS_1257),
    (1258, WINDOWS_1258),
    (10007, X_MAC_CYRILLIC),
    (10017, X_MAC_CYRILLIC),
    (936, GBK),
    (20936, GBK),
    (51936, GBK),
    (54936, GB18030),
    (950, BIG5),
    (51932, EUC_JP),
    (20932, EUC_JP),
    (50220, ISO_2022_JP),
    (50221, ISO_2022_JP),
    (50222, ISO_2022_JP),
    (932, SHIFT_JIS),
    (949, EUC_KR),
    (20949, EUC_KR),
    (51949, EUC_KR),
    (1201, UTF_16BE),
    (1200, UTF_16LE),
    (28591, LATIN1),
    (20127, US_ASCII),
];

impl Encoding {
    /// Returns the encoding of a [Windows code page](https://learn.microsoft.com/windows/win32/intl/code-page-identifiers), or
    /// the closest one that the library has. For pages of MS-DOS, such as 437, there is the crate `oem_cp`.
    ///
    /// ```
    /// use textcodec::{Encoding, SHIFT_JIS, UTF_8};
    ///
    /// assert_eq!(Encoding::for_code_page(932), Some(SHIFT_JIS));
    /// assert_eq!(Encoding::for_code_page(65001), Some(UTF_8));
    /// assert_eq!(Encoding::for_code_page(437), None);
    /// ```
    #[must_use]
    #[doc(alias("codepage", "to_encoding"))]
    pub fn for_code_page(number: u16) -> Option<Self> {
        CODE_PAGES.iter().find(|(other, _)| *other == number).map(|(_, encoding)| *encoding)
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
    pub fn code_page(self) -> Option<u16> {
        CODE_PAGES.iter().find(|(_, encoding)| *encoding == self).map(|(number, _)| *number)
    }

    /// Returns the encoding of a charset name in MIME. This is the encoding of the [label](Self::for_label), except that
    /// `ISO-8859-1` is [`LATIN1`] and `US-ASCII` is [`US_ASCII`], in any case.
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
    pub fn for_mime_name(name: &str) -> Option<Self> {
        let exact = name.trim_ascii();
        let extra = Self::EXTRA.iter().copied().find(|encoding| encoding.name().eq_ignore_ascii_case(exact));
        extra.or_else(|| Self::for_label(name))
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
        match self {
            GB18030 => Some("GB18030"),
            REPLACEMENT | X_MAC_CYRILLIC | X_USER_DEFINED => None,
            other => Some(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Alias;

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
