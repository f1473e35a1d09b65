//! [`Alias`]: names from outside the standard.

use crate::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5,
    ISO_8859_6, ISO_8859_7, ISO_8859_8, ISO_8859_8_I, ISO_8859_13, ISO_8859_15, KOI8_R, KOI8_U, LATIN1, MACINTOSH,
    SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// A name for an encoding that mail, Windows, Python or iconv uses, but the standard does not.
///
/// [`Encoding::for_label`] accepts only the standard's labels, and none of these names.
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
pub struct Alias {
    /// The name, in lower case.
    pub name: &'static str,
    /// The encoding of the name, or the closest one that the library has.
    pub encoding: Encoding,
    /// Whether text in this encoding should start with a byte order mark.
    pub bom: bool,
}

impl Alias {
    /// All aliases.
    ///
    /// ```
    /// use textcodec::{Alias, Encoding};
    ///
    /// assert!(Alias::ALL.iter().all(|alias| Encoding::for_label(alias.name).is_none()));
    /// ```
    pub const ALL: &[Self] = &[
        // Python
        Self::new("utf-8-sig", UTF_8).with_bom(),
        Self::new("utf_8_sig", UTF_8).with_bom(),
        Self::new("utf8-sig", UTF_8).with_bom(),
        Self::new("utf_8", UTF_8),
        Self::new("utf_16_le", UTF_16LE),
        Self::new("utf_16_be", UTF_16BE),
        Self::new("euc_jp", EUC_JP),
        Self::new("eucjp", EUC_JP),
        Self::new("ujis", EUC_JP),
        Self::new("u-jis", EUC_JP),
        Self::new("euc_kr", EUC_KR),
        Self::new("euckr", EUC_KR),
        Self::new("uhc", EUC_KR),
        Self::new("iso2022_jp", ISO_2022_JP),
        Self::new("iso2022jp", ISO_2022_JP),
        Self::new("big5hkscs", BIG5),
        Self::new("big5_hkscs", BIG5),
        Self::new("hkscs", BIG5),
        Self::new("koi8_u", KOI8_U),
        Self::new("mac_roman", MACINTOSH),
        Self::new("macroman", MACINTOSH),
        Self::new("mac_cyrillic", X_MAC_CYRILLIC),
        Self::new("maccyrillic", X_MAC_CYRILLIC),
        // iconv and Unix locales
        Self::new("utf16le", UTF_16LE),
        Self::new("utf16be", UTF_16BE),
        Self::new("ucs-2le", UTF_16LE),
        Self::new("ucs-2be", UTF_16BE),
        Self::new("euc-cn", GBK),
        Self::new("euccn", GBK),
        Self::new("gb-18030", GB18030),
        Self::new("tis620", WINDOWS_874),
        Self::new("sjis-win", SHIFT_JIS),
        Self::new("eucjp-win", EUC_JP),
        // Windows code pages by name
        Self::new("cp874", WINDOWS_874),
        Self::new("cp932", SHIFT_JIS),
        Self::new("windows-932", SHIFT_JIS),
        Self::new("cp936", GBK),
        Self::new("ms936", GBK),
        Self::new("windows-936", GBK),
        Self::new("cp949", EUC_KR),
        Self::new("ms949", EUC_KR),
        Self::new("cp950", BIG5),
        Self::new("ms950", BIG5),
        Self::new("windows-950", BIG5),
        // Windows code pages by number
        Self::new("cp1200", UTF_16LE),
        Self::new("cp1201", UTF_16BE),
        Self::new("cp10000", MACINTOSH),
        Self::new("cp10007", X_MAC_CYRILLIC),
        Self::new("cp20866", KOI8_R),
        Self::new("cp20932", EUC_JP),
        Self::new("cp20936", GBK),
        Self::new("cp20949", EUC_KR),
        Self::new("cp21866", KOI8_U),
        Self::new("cp28592", ISO_8859_2),
        Self::new("cp28593", ISO_8859_3),
        Self::new("cp28594", ISO_8859_4),
        Self::new("cp28595", ISO_8859_5),
        Self::new("cp28596", ISO_8859_6),
        Self::new("cp28597", ISO_8859_7),
        Self::new("cp28598", ISO_8859_8),
        Self::new("cp28599", WINDOWS_1254),
        Self::new("cp28603", ISO_8859_13),
        Self::new("cp28605", ISO_8859_15),
        Self::new("cp38598", ISO_8859_8_I),
        Self::new("cp50220", ISO_2022_JP),
        Self::new("cp50221", ISO_2022_JP),
        Self::new("cp50222", ISO_2022_JP),
        Self::new("cp51932", EUC_JP),
        Self::new("cp51936", GBK),
        Self::new("cp51949", EUC_KR),
        Self::new("cp54936", GB18030),
        Self::new("cp65001", UTF_8),
        Self::new("ibm-866", IBM866),
        Self::new("windows1250", WINDOWS_1250),
        Self::new("windows1251", WINDOWS_1251),
        Self::new("windows1252", WINDOWS_1252),
        Self::new("windows1253", WINDOWS_1253),
        Self::new("windows1254", WINDOWS_1254),
        Self::new("windows1255", WINDOWS_1255),
        Self::new("windows1256", WINDOWS_1256),
        Self::new("windows1257", WINDOWS_1257),
        Self::new("windows1258", WINDOWS_1258),
        // Encodings without a label
        Self::new("isomorphic", LATIN1),
        Self::new("true-iso-8859-1", LATIN1),
        Self::new("cp28591", LATIN1),
        Self::new("strict-ascii", US_ASCII),
        Self::new("cp20127", US_ASCII),
        Self::new("iso646-us", US_ASCII),
    ];

    const fn new(name: &'static str, encoding: Encoding) -> Self {
        Self { name, encoding, bom: false }
    }

    const fn with_bom(self) -> Self {
        Self { bom: true, ..self }
    }

    /// Returns the alias with this name. Ignores ASCII case and surrounding ASCII white space. The standard's labels are not
    /// aliases.
    ///
    /// ```
    /// use textcodec::{Alias, WINDOWS_874};
    ///
    /// assert_eq!(Alias::for_name(" TIS620 ").map(|alias| alias.encoding), Some(WINDOWS_874));
    /// assert_eq!(Alias::for_name("tis-620"), None); // A label of the standard, not an alias.
    /// ```
    #[must_use]
    pub fn for_name(name: &str) -> Option<&'static Self> {
        let name = name.trim_ascii();
        Self::ALL.iter().find(|alias| alias.name.eq_ignore_ascii_case(name))
    }
}
