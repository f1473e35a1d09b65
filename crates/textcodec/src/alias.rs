//! [`Alias`]: names from outside the standard.

use crate::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5,
    ISO_8859_6, ISO_8859_7, ISO_8859_8, ISO_8859_8_I, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16,
    KOI8_R, KOI8_U, LATIN1, MACINTOSH, SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
    X_MAC_CYRILLIC,
};

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
    /// All aliases, each in one spelling: see [`for_name`](Self::for_name).
    ///
    /// ```
    /// use textcodec::{Alias, Encoding};
    ///
    /// assert!(Alias::ALL.iter().all(|alias| Encoding::for_label(alias.name).is_none()));
    /// ```
    pub const ALL: &[Self] = &[
        // Python
        Self::new("utf-8-sig", UTF_8).with_bom(),
        Self::new("utf8-sig", UTF_8).with_bom(),
        Self::new("utf_16", UTF_16LE).with_bom(),
        Self::new("utf16", UTF_16LE).with_bom(),
        Self::new("u16", UTF_16LE).with_bom(),
        Self::new("utf-16-le", UTF_16LE),
        Self::new("utf-16-be", UTF_16BE),
        Self::new("eucjp", EUC_JP),
        Self::new("ujis", EUC_JP),
        Self::new("u-jis", EUC_JP),
        Self::new("euckr", EUC_KR),
        Self::new("uhc", EUC_KR),
        Self::new("iso2022-jp", ISO_2022_JP),
        Self::new("iso2022jp", ISO_2022_JP),
        Self::new("big5hkscs", BIG5),
        Self::new("hkscs", BIG5),
        Self::new("mac-roman", MACINTOSH),
        Self::new("macroman", MACINTOSH),
        Self::new("mac-cyrillic", X_MAC_CYRILLIC),
        Self::new("maccyrillic", X_MAC_CYRILLIC),
        Self::new("u8", UTF_8),
        Self::new("utf", UTF_8),
        Self::new("utf8-ucs2", UTF_8),
        Self::new("utf8-ucs4", UTF_8),
        Self::new("iso-8859-2-1987", ISO_8859_2),
        Self::new("iso-8859-3-1988", ISO_8859_3),
        Self::new("iso-8859-4-1988", ISO_8859_4),
        Self::new("iso-8859-5-1988", ISO_8859_5),
        Self::new("iso-8859-6-1987", ISO_8859_6),
        Self::new("iso-8859-7-1987", ISO_8859_7),
        Self::new("iso-8859-8-1988", ISO_8859_8),
        Self::new("iso-8859-10-1992", ISO_8859_10),
        Self::new("l7", ISO_8859_13),
        Self::new("latin7", ISO_8859_13),
        Self::new("iso-8859-14-1998", ISO_8859_14),
        Self::new("iso-celtic", ISO_8859_14),
        Self::new("iso-ir-199", ISO_8859_14),
        Self::new("l8", ISO_8859_14),
        Self::new("latin8", ISO_8859_14),
        Self::new("latin9", ISO_8859_15),
        Self::new("iso-8859-16-2001", ISO_8859_16),
        Self::new("iso8859-16", ISO_8859_16),
        Self::new("iso-ir-226", ISO_8859_16),
        Self::new("l10", ISO_8859_16),
        Self::new("latin10", ISO_8859_16),
        Self::new("thai", WINDOWS_874),
        Self::new("iso-8859-11-2001", WINDOWS_874),
        Self::new("tis-620-0", WINDOWS_874),
        Self::new("tis-620-2529-0", WINDOWS_874),
        Self::new("tis-620-2529-1", WINDOWS_874),
        Self::new("iso-ir-166", WINDOWS_874),
        Self::new("1250", WINDOWS_1250),
        Self::new("1251", WINDOWS_1251),
        Self::new("latin-1", WINDOWS_1252),
        Self::new("latin", WINDOWS_1252),
        Self::new("8859", WINDOWS_1252),
        Self::new("iso8859", WINDOWS_1252),
        Self::new("iso-8859-1-1987", WINDOWS_1252),
        Self::new("us", WINDOWS_1252),
        Self::new("csascii", WINDOWS_1252),
        Self::new("ansi-x3-4-1968", WINDOWS_1252),
        Self::new("ansi-x3.4-1986", WINDOWS_1252),
        Self::new("1252", WINDOWS_1252),
        Self::new("1253", WINDOWS_1253),
        Self::new("iso-8859-9-1989", WINDOWS_1254),
        Self::new("1254", WINDOWS_1254),
        Self::new("1255", WINDOWS_1255),
        Self::new("1256", WINDOWS_1256),
        Self::new("1257", WINDOWS_1257),
        Self::new("1258", WINDOWS_1258),
        Self::new("936", GBK),
        Self::new("eucgb2312-cn", GBK),
        Self::new("gb2312-1980", GBK),
        Self::new("gb2312-80", GBK),
        Self::new("x-mac-simp-chinese", GBK),
        Self::new("gb18030-2000", GB18030),
        Self::new("950", BIG5),
        Self::new("big5-tw", BIG5),
        Self::new("x-mac-trad-chinese", BIG5),
        Self::new("932", SHIFT_JIS),
        Self::new("shiftjis", SHIFT_JIS),
        Self::new("s-jis", SHIFT_JIS),
        Self::new("x-mac-japanese", SHIFT_JIS),
        Self::new("mskanji", SHIFT_JIS),
        Self::new("949", EUC_KR),
        Self::new("ks-c-5601", EUC_KR),
        Self::new("ksx1001", EUC_KR),
        Self::new("ks-x-1001", EUC_KR),
        Self::new("x-mac-korean", EUC_KR),
        Self::new("unicodebigunmarked", UTF_16BE),
        Self::new("unicodelittleunmarked", UTF_16LE),
        Self::new("646", US_ASCII),
        Self::new("cp367", US_ASCII),
        Self::new("ibm367", US_ASCII),
        Self::new("iso-646.irv-1991", US_ASCII),
        Self::new("iso-ir-6", US_ASCII),
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
    pub fn for_name(name: &str) -> Option<Self> {
        let name = name.trim_ascii();
        if Encoding::for_label(name).is_some() {
            return None;
        }
        let is_name = |other: &str| {
            other.len() == name.len() && other.bytes().zip(name.bytes()).all(|(a, b)| normalize(a) == normalize(b))
        };
        let alias = Self::ALL.iter().copied().find(|alias| is_name(alias.name));
        alias.or_else(|| {
            Encoding::ALL.iter().find_map(|&encoding| {
                encoding.labels().iter().find(|label| is_name(label)).map(|label| Self::new(label, encoding))
            })
        })
    }
}

/// A byte of a name without case, and `-` for all separators.
fn normalize(byte: u8) -> u8 {
    if matches!(byte, b'_' | b' ') { b'-' } else { byte.to_ascii_lowercase() }
}
