//! The encoding names of iconv, as options.

use textcodec::{Encoding, REPLACEMENT, US_ASCII, UTF_8, UTF_16LE, oem};
use textcodec_iconv::Form;

use crate::labels::{self, Named};

/// A name with its suffixes, such as `ASCII//TRANSLIT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a suffix, or a part of a name")]
pub(super) struct Request {
    pub(super) form: Form,
    /// Whether UTF-8 has a byte order mark: `UTF-8-SIG`.
    pub(super) signature: bool,
    /// Whether letters and accents are apart: `UTF-8-MAC`.
    pub(super) mac: bool,
    pub(super) translit: bool,
    pub(super) ignore: bool,
    pub(super) discard: bool,
    /// Whether the bytes 15 and 25 of EBCDIC are exchanged: `/ZOS_UNIX`.
    pub(super) zos_unix: bool,
}

/// Parses the value of `-f` or `-t`.
///
/// # Errors
/// Returns a message for the user if the name or a suffix is unknown.
pub(super) fn parse(request: &str) -> Result<Request, String> {
    let zos_unix = textcodec_iconv::Request::parse(request.as_bytes()).zos_unix;
    let (name, suffixes) = match request.to_ascii_lowercase().find(ZOS_UNIX).filter(|_| zos_unix) {
        Some(at) => (&request[..at], &request[at + ZOS_UNIX.len()..]),
        None => request.split_once("//").unwrap_or((request.trim_end_matches('/'), "")),
    };
    let (mut translit, mut ignore, mut discard) = (false, false, false);
    for suffix in suffixes.split(['/', ',']).filter(|suffix| !suffix.is_empty()) {
        if suffix.eq_ignore_ascii_case("translit") {
            translit = true;
        } else if suffix.eq_ignore_ascii_case("ignore") {
            ignore = true;
        } else if suffix.eq_ignore_ascii_case("non_identical_discard") {
            discard = true;
        } else {
            return Err(format!(
                "unknown suffix '//{suffix}'; the suffixes are //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD"
            ));
        }
    }
    let is_one_of = |names: [&str; 2]| names.iter().any(|other| name.trim_ascii().eq_ignore_ascii_case(other));
    let (signature, mac) = (is_one_of(SIGNATURE), is_one_of(MAC));
    let form = if signature || mac { Form::Encoding(UTF_8) } else { find(name)? };
    Ok(Request { form, signature, mac, translit, ignore, discard, zos_unix })
}

/// The suffix for EBCDIC as in Unix on z/OS.
const ZOS_UNIX: &str = "/zos_unix";
/// Names of UTF-8 that start with a byte order mark, as in Python.
const SIGNATURE: [&str; 2] = ["UTF-8-SIG", "UTF8-SIG"];
/// Names of UTF-8 with decomposed letters, as in the file names of macOS.
const MAC: [&str; 2] = ["UTF-8-MAC", "UTF8-MAC"];

/// Returns all names, in capitals and sorted, with what they mean: a name for all names of the same form.
pub(super) fn all() -> Vec<(String, &'static str)> {
    let mut all: Vec<_> = Form::names().map(|(name, form)| (name.to_ascii_uppercase(), form_name(form))).collect();
    all.extend(SIGNATURE.map(|name| (name.into(), "UTF-8-SIG")));
    all.extend(MAC.map(|name| (name.into(), "UTF-8-MAC")));
    all.push(("CHAR".into(), "UTF-8"));
    all.sort();
    all.dedup();
    all
}

impl Request {
    /// Returns the encoding of a form, and whether it has a byte order mark, if the form is an encoding.
    pub(super) fn named(self) -> Option<Named> {
        match self.form {
            // The engine does not exchange bytes.
            _ if self.zos_unix => None,
            // The engine refuses two shifts without a character between them, which iconv reads.
            Form::Encoding(oem::TRUE_HZ | oem::TRUE_ISO_2022_KR) => None,
            Form::Encoding(encoding) => Some(Named { encoding, bom: self.signature }),
            Form::MarkedUtf16 => Some(Named { encoding: UTF_16LE, bom: true }),
            _ => None,
        }
    }
}

/// Returns the name of an encoding for messages.
pub(super) fn name(encoding: Encoding) -> &'static str {
    form_name(Form::Encoding(encoding))
}

/// Returns the name of a form for messages.
pub(super) fn form_name(form: Form) -> &'static str {
    if form == Form::Encoding(US_ASCII) { "ASCII" } else { form.name() }
}

fn find(name: &str) -> Result<Form, String> {
    if name.trim_ascii().is_empty() || name.trim_ascii().eq_ignore_ascii_case("char") {
        // In iconv, the character set of the locale.
        return Ok(Form::Encoding(UTF_8));
    }
    if let Some(form) = Form::for_name(name).or_else(|| Form::for_name(name.replace('_', "-"))) {
        return Ok(form);
    }
    if let Some(encoding) = Form::other_table(name) {
        return Err(format!(
            "'{name}' means another table in glibc or libiconv than {encoding} of textcodec; 'textcodec convert' has this one"
        ));
    }
    // Other spellings of labels and aliases.
    match labels::known(name, true)
        .filter(|named| !(oem::ALL.contains(&named.encoding) && named.encoding.is_single_byte()))
    {
        Some(named) if named.encoding == REPLACEMENT => Err(format!("'{name}' is not supported")),
        Some(named) => Ok(Form::Encoding(named.encoding)),
        None => {
            let closest = labels::closest(name);
            let similar =
                if closest.is_empty() { String::new() } else { format!("; similar names: {}", closest.join(", ")) };
            Err(format!("'{name}' is not a known name of an encoding{similar}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use textcodec::{BIG5, EUC_JP, GBK, ISO_8859_15, LATIN1, SHIFT_JIS, UTF_16BE, WINDOWS_1251, WINDOWS_1252};

    use super::*;

    fn encoding(name: &str) -> Encoding {
        parse(name).unwrap().named().unwrap().encoding
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
            (UTF_8, "UTF8 utf-8 // / char UTF-8-MAC utf-8-sig"),
            (UTF_16BE, "UTF-16BE UTF16BE"),
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
        let meaning = |name| parse(name).unwrap().named().map(|named| (named.encoding, named.bom));
        for name in ["UTF-16", "utf16", "UNICODE", "utf_16", "u16"] {
            assert_eq!(meaning(name), Some((UTF_16LE, true)), "{name}");
        }
        assert_eq!(meaning("UTF-16LE"), Some((UTF_16LE, false)));
        for name in ["UCS-2", "UCS-2LE", "UTF-32", "UTF-7", "UTF-7-IMAP", "ISO-2022-KR", "HZ", "WCHAR_T"] {
            assert_eq!(meaning(name), None, "{name}");
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
            Err("unknown suffix '//TRANSLATE'; the suffixes are //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD"
                .into())
        );
    }

    #[test]
    fn encodings_that_cannot_be_decoded_are_not_supported() {
        for name in ["ISO-2022-CN", "ISO-2022-CN-EXT", "replacement"] {
            assert_eq!(parse(name), Err(format!("'{name}' is not supported")));
        }
        assert!(all().iter().all(|(_, meaning)| *meaning != REPLACEMENT.name()));
    }

    #[test]
    fn zos_unix_is_a_suffix_of_ebcdic() {
        for name in ["IBM-1047/ZOS_UNIX", "ibm-1047/zos_unix/TRANSLIT", "CP1047/ZOS_UNIX//translit"] {
            let request = parse(name).unwrap();
            assert!(
                request.zos_unix && request.form == Form::Encoding(oem::IBM1047) && request.named().is_none(),
                "{name}"
            );
            assert_eq!(request.translit, name.len() > 17, "{name}");
        }
        assert!(parse("UTF-8/ZOS_UNIX").is_err() && parse("IBM-1047/ZOS").is_err());
    }

    #[test]
    fn names_of_code_pages_are_those_of_iconv() {
        for (expected, names) in [
            (oem::IBM437, "CP437 437 IBM437 ibm_437 windows-437"),
            (oem::IBM037, "CP037 IBM037 EBCDIC-CP-US ebcdic_cp_us"),
            (oem::TRUE_ISO_8859_9, "LATIN5 ISO-8859-9 iso8859_9 CP920"),
            (oem::TRUE_TIS_620, "TIS-620 tis620"),
            (oem::TRUE_KOI8_U, "KOI8-U koi8_u"),
        ] {
            for name in names.split(' ') {
                assert_eq!(encoding(name), expected, "{name}");
            }
        }
        assert_eq!(
            parse("CP278"),
            Err("'CP278' means another table in glibc or libiconv than IBM278 of textcodec; 'textcodec convert' has this one"
                .into())
        );
        assert!(all().iter().all(|(name, _)| name != "CP278") && parse("johab").is_err());
        assert!(all().contains(&("IBM-278".into(), "IBM-278")) && all().contains(&("L5".into(), "ISO-8859-9")));
    }

    #[test]
    fn each_name_is_listed_once() {
        let mut names: Vec<_> = all().into_iter().map(|(name, _)| name).collect();
        let len = names.len();
        names.dedup();
        assert_eq!((names.len(), names.is_sorted()), (len, true));
    }
}
