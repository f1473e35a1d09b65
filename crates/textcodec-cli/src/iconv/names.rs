//! The encoding names of iconv.

use textcodec::{
    Alias, BIG5, EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, ISO_8859_3, ISO_8859_4, ISO_8859_5, ISO_8859_6, ISO_8859_7,
    ISO_8859_8, ISO_8859_10, ISO_8859_13, ISO_8859_14, ISO_8859_15, ISO_8859_16, KOI8_R, KOI8_U, LATIN1, REPLACEMENT,
    SHIFT_JIS, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, X_MAC_CYRILLIC,
};

use crate::labels::{self, Named};

/// A name with its suffixes, such as `ASCII//TRANSLIT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// `bom` is set if a byte order mark belongs to the encoding form: it is removed from inputs and written to the output.
    pub(super) named: Named,
    pub(super) translit: bool,
    pub(super) ignore: bool,
}

/// Parses the value of `-f` or `-t`.
///
/// # Errors
/// Returns a message for the user if the name or a suffix is unknown.
pub(super) fn parse(request: &str) -> Result<Request, String> {
    let (name, suffixes) = request.split_once("//").unwrap_or((request.trim_end_matches('/'), ""));
    let (mut translit, mut ignore) = (false, false);
    for suffix in suffixes.split(['/', ',']).filter(|suffix| !suffix.is_empty()) {
        if suffix.eq_ignore_ascii_case("translit") {
            translit = true;
        } else if suffix.eq_ignore_ascii_case("ignore") {
            ignore = true;
        } else {
            return Err(format!("unknown suffix '//{suffix}'; the suffixes are //TRANSLIT and //IGNORE"));
        }
    }
    Ok(Request { named: find(name)?, translit, ignore })
}

/// Returns all names, in capitals and sorted, with their encodings.
pub(super) fn all() -> Vec<(String, Encoding)> {
    let labels = Encoding::ALL.iter().flat_map(|encoding| encoding.labels()).copied();
    let iconv_names = NAMES.iter().flat_map(|(_, names)| names.split(' '));
    let aliases = Alias::ALL.iter().map(|alias| alias.name);
    let mut all: Vec<_> = labels
        .chain(iconv_names)
        .chain(aliases)
        .filter_map(|name| Some((name.to_ascii_uppercase(), find(name).ok()?.encoding)))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Returns the name of an encoding for messages.
pub(super) fn name(encoding: Encoding) -> &'static str {
    match encoding {
        LATIN1 => "ISO-8859-1",
        US_ASCII => "ASCII",
        other => other.name(),
    }
}

fn find(name: &str) -> Result<Named, String> {
    let lower = name.trim_ascii().to_ascii_lowercase();
    if lower.is_empty() {
        // In iconv, the character set of the locale.
        return Ok(Named { encoding: UTF_8, bom: false });
    }
    if let Some((encoding, _)) = NAMES.iter().find(|(_, names)| names.split(' ').any(|name| name == lower)) {
        return Ok(Named { encoding: *encoding, bom: WITH_BOM.contains(&&*lower) });
    }
    let named = labels::known(name, true).ok_or_else(|| {
        let closest = labels::closest(name, true);
        let similar =
            if closest.is_empty() { String::new() } else { format!("; similar names: {}", closest.join(", ")) };
        format!("'{name}' is not a known name of an encoding{similar}")
    })?;
    if named.encoding == REPLACEMENT {
        return Err(format!("'{name}' is not supported"));
    }
    Ok(named)
}

/// Names for UTF-16 with a byte order mark that determines the byte order.
const WITH_BOM: &[&str] = &["utf-16", "utf16", "unicode"];

/// Names to which the Encoding Standard gives another meaning than iconv, such as `latin1`, or which it does not have.
const NAMES: &[(Encoding, &str)] = &[
    // In the standard, the names of the next two encodings are labels of windows-1252.
    (
        LATIN1,
        "iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 8859_1 latin1 latin-1 l1 cp819 ibm819 csisolatin1 \
         iso-ir-100",
    ),
    (
        US_ASCII,
        "ascii us-ascii us ansi_x3.4-1968 ansi_x3.4-1986 ansi_x3.4 646 iso646-us iso_646.irv:1991 iso-ir-6 cp367 ibm367 \
         csascii",
    ),
    (UTF_16LE, "utf-16 utf16 unicode ucs-2 ucs2 csunicode iso-10646/ucs2 unicodelittle ucs-2le utf16le"),
    (UTF_16BE, "unicodebig ucs-2be utf16be"),
    (UTF_8, "iso-10646/utf8 iso-10646/utf-8"),
    (ISO_8859_2, "8859_2 cp912 ibm912 latin-2"),
    (ISO_8859_3, "8859_3"),
    (ISO_8859_4, "8859_4"),
    (ISO_8859_5, "8859_5 cp915 ibm915"),
    (ISO_8859_6, "8859_6 cp1089 ibm1089"),
    (ISO_8859_7, "8859_7 cp813 ibm813 iso_8859-7:2003"),
    (ISO_8859_8, "8859_8 cp916 ibm916"),
    (ISO_8859_10, "iso_8859-10 iso_8859-10:1992"),
    (ISO_8859_13, "baltic l7 latin7 cp921 ibm921 ibm-921 iso-ir-179"),
    (ISO_8859_14, "iso-celtic l8 latin8 iso-ir-199 iso_8859-14 iso_8859-14:1998"),
    (ISO_8859_15, "latin-9 latin9 iso-ir-203 iso_8859-15:1998"),
    (ISO_8859_16, "l10 latin10 iso8859-16 iso885916 iso_8859-16 iso_8859-16:2001 iso-ir-226"),
    (WINDOWS_874, "cp1162 ibm1162 thai8 tis620-0 tis620.2529-1 tis620.2533-0"),
    (WINDOWS_1250, "ms-ee"),
    (WINDOWS_1251, "ms-cyrl"),
    (WINDOWS_1252, "ms-ansi"),
    (WINDOWS_1253, "ms-greek"),
    (WINDOWS_1254, "ms-turk 8859_9 cp920 ibm920 ecma-128 ts-5881"),
    (WINDOWS_1255, "ms-hebr"),
    (WINDOWS_1256, "ms-arab"),
    (WINDOWS_1257, "winbaltrim"),
    (X_MAC_CYRILLIC, "mac-cyrillic macukrainian mac-uk macuk ms-mac-cyrillic msmaccyrillic"),
    (KOI8_R, "koi8r"),
    (KOI8_U, "koi8u"),
    (SHIFT_JIS, "cswindows31j sjis-open"),
    (EUC_JP, "euc-jp-ms eucjp-ms eucjp-open"),
    (EUC_KR, "mscp949"),
    (BIG5, "big-5 big-five bigfive"),
    (GBK, "cn-gb"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(name: &str) -> Encoding {
        parse(name).unwrap().named.encoding
    }

    #[test]
    fn names_have_the_meaning_of_iconv() {
        for (expected, names) in [
            (LATIN1, "latin1 ISO-8859-1 iso_8859-1 CP819 l1"),
            (US_ASCII, "ASCII us-ascii ANSI_X3.4-1968 646"),
            (WINDOWS_1252, "CP1252 windows-1252 MS-ANSI"),
            (WINDOWS_1251, "cp1251 WINDOWS-1251 windows1251"),
            (SHIFT_JIS, "SJIS SHIFT_JIS SHIFT-JIS CP932 MS_KANJI WINDOWS-31J"),
            (EUC_JP, "EUCJP EUC-JP eucJP-ms UJIS"),
            (GBK, "GBK CP936 EUC-CN GB2312"),
            (BIG5, "BIG5 BIG-5 CP950 BIG5-HKSCS"),
            (UTF_8, "UTF8 utf-8 // /"),
            (UTF_16BE, "UTF-16BE UCS-2BE"),
            (ISO_8859_15, "LATIN9 LATIN-9 ISO8859-15"),
        ] {
            for name in names.split(' ') {
                assert_eq!(encoding(name), expected, "{name}");
            }
        }
        assert_eq!(encoding(""), UTF_8);
    }

    #[test]
    fn only_utf_16_without_a_byte_order_has_a_byte_order_mark() {
        let bom = |name| parse(name).map(|request| (request.named.encoding, request.named.bom));
        for name in ["UTF-16", "utf16", "UNICODE"] {
            assert_eq!(bom(name), Ok((UTF_16LE, true)), "{name}");
        }
        for name in ["UTF-16LE", "UCS-2", "UCS-2LE"] {
            assert_eq!(bom(name), Ok((UTF_16LE, false)), "{name}");
        }
    }

    #[test]
    fn suffixes_are_accepted_in_any_order_and_case() {
        let suffixes = |name| parse(name).map(|request| (request.translit, request.ignore));
        assert_eq!(suffixes("ascii//Translit"), Ok((true, false)));
        assert_eq!(suffixes("ascii//IGNORE"), Ok((false, true)));
        assert_eq!(suffixes("ascii//ignore//translit"), Ok((true, true)));
        assert_eq!(suffixes("ascii//TRANSLIT,IGNORE"), Ok((true, true)));
        assert_eq!(suffixes("//TRANSLIT"), Ok((true, false)));
        assert_eq!(suffixes("ascii//"), Ok((false, false)));
        assert_eq!(
            suffixes("ascii//TRANSLATE"),
            Err("unknown suffix '//TRANSLATE'; the suffixes are //TRANSLIT and //IGNORE".into())
        );
    }

    #[test]
    fn encodings_that_cannot_be_decoded_are_not_supported() {
        for name in ["ISO-2022-KR", "ISO-2022-CN", "replacement"] {
            assert_eq!(parse(name), Err(format!("'{name}' is not supported")));
        }
        assert!(parse("UTF-32").is_err());
        assert!(all().iter().all(|(_, encoding)| *encoding != REPLACEMENT));
    }

    #[test]
    fn each_name_is_listed_once() {
        let mut names: Vec<_> = all().into_iter().map(|(name, _)| name).collect();
        let len = names.len();
        names.dedup();
        assert_eq!((names.len(), names.is_sorted()), (len, true));
        assert!(NAMES.iter().all(|(_, names)| *names == names.to_ascii_lowercase()));
    }
}
