//! Names of encodings: those of formats that have their own, and what is written in place of an old one.

use textcodec::{Alias, Encoding, LATIN1, US_ASCII, UTF_8, UTF_16BE, UTF_16LE};

use super::{Form, label::is_variant_of_utf_8};

/// Returns the encoding of a label or of another name that is used outside the web.
pub(crate) fn for_name(name: &[u8]) -> Option<Encoding> {
    let name = str::from_utf8(name).ok()?;
    Encoding::for_label(name)
        .or_else(|| Some(Alias::for_name(name)?.encoding))
        .or_else(|| is_variant_of_utf_8(name).then_some(UTF_8))
}

/// Returns the encoding of a name in a format, which may have its own names.
pub(super) fn named(form: Form, name: &[u8]) -> Option<Encoding> {
    let mut own = own_names(form).iter().copied().flatten();
    let label = own.find(|(other, _)| name.eq_ignore_ascii_case(other.as_bytes())).map(|(_, label)| label.as_bytes());
    for_name(label.unwrap_or(name))
}

/// Returns the name of an encoding in a declaration of this form. `old` is the name that it replaces.
pub(super) fn written(form: Form, old: &str, encoding: Encoding) -> &'static str {
    let own = own_names(form);
    // MySQL and PostgreSQL share `SET NAMES`, but not all names.
    let is_own = |names: &&&[Name]| names.iter().any(|(other, _)| old.eq_ignore_ascii_case(other));
    if let Some(names) = own.iter().find(is_own).or(own.first()) {
        match encoding {
            LATIN1 => return "latin1",
            US_ASCII => return if form == Form::Postgres { "SQL_ASCII" } else { "ascii" },
            _ => {}
        }
        if let Some((name, _)) = names.iter().find(|(_, label)| for_name(label.as_bytes()) == Some(encoding)) {
            return name;
        }
    }
    match encoding {
        US_ASCII => "US-ASCII",
        LATIN1 => "ISO-8859-1",
        // The byte order follows from the text.
        UTF_16BE | UTF_16LE => "UTF-16",
        _ => usual(encoding),
    }
}

/// Returns the usual name of an encoding. In the library, those with the usual names are the standard's.
pub(super) fn usual(encoding: Encoding) -> &'static str {
    match encoding.name() {
        "true-hz" => "HZ-GB-2312",
        "true-iso-2022-kr" => "ISO-2022-KR",
        // The byte order follows from the text.
        "true-ucs-2be" | "true-ucs-2le" => "ISO-10646-UCS-2",
        "GSM-03.38" => "GSM0338",
        name => name.strip_prefix("true-").unwrap_or(name),
    }
}

/// A name in a format, and a label or a name outside the standard.
type Name = (&'static str, &'static str);

fn own_names(form: Form) -> &'static [&'static [Name]] {
    match form {
        Form::Latex => &[LATEX],
        Form::Gedcom => &[GEDCOM],
        Form::Sql => &[MYSQL, POSTGRES],
        Form::Postgres => &[POSTGRES],
        _ => &[],
    }
}

/// Options of `inputenc`. Of several names for an encoding, the first is written.
const LATEX: &[Name] = &[
    ("utf8", "utf-8"),
    ("utf8x", "utf-8"),
    ("lutf8", "utf-8"),
    ("cp1252", "windows-1252"),
    ("ansinew", "windows-1252"),
    ("cp1250", "windows-1250"),
    ("cp1251", "windows-1251"),
    ("cp1257", "windows-1257"),
    ("cp866", "ibm866"),
    ("latin2", "iso-8859-2"),
    ("latin3", "iso-8859-3"),
    ("latin4", "iso-8859-4"),
    ("latin5", "windows-1254"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("applemac", "macintosh"),
    ("macce", "x-mac-ce"),
    ("maccyr", "x-mac-cyrillic"),
    ("cp437de", "ibm437"),
    ("cp858", "ibm00858"),
    ("iso88595", "iso-8859-5"),
    ("tis620", "windows-874"),
    ("koi8-r", "koi8-r"),
    ("decmulti", "dec-mcs"),
];

/// Values of `1 CHAR`.
const GEDCOM: &[Name] = &[
    ("UTF-8", "utf-8"),
    ("ANSI", "windows-1252"),
    ("IBM WINDOWS", "windows-1252"),
    ("IBMPC", "ibm437"),
    ("IBM DOS", "ibm437"),
    ("MSDOS", "ibm437"),
    ("UNICODE", "utf-16le"),
];

/// Character sets of MySQL and MariaDB.
const MYSQL: &[Name] = &[
    ("utf8mb4", "utf-8"),
    ("utf8", "utf-8"),
    ("utf8mb3", "utf-8"),
    ("latin1", "windows-1252"),
    ("latin2", "iso-8859-2"),
    ("latin5", "windows-1254"),
    ("latin7", "iso-8859-13"),
    ("greek", "iso-8859-7"),
    ("hebrew", "iso-8859-8-i"),
    ("koi8r", "koi8-r"),
    ("koi8u", "koi8-u"),
    ("cp1250", "windows-1250"),
    ("cp1251", "windows-1251"),
    ("cp1256", "windows-1256"),
    ("cp1257", "windows-1257"),
    ("cp850", "ibm850"),
    ("cp852", "ibm852"),
    ("cp866", "ibm866"),
    ("cp932", "shift_jis"),
    ("sjis", "shift_jis"),
    ("ujis", "euc-jp"),
    ("eucjpms", "euc-jp"),
    ("gbk", "gbk"),
    ("gb2312", "gbk"),
    ("gb18030", "gb18030"),
    ("big5", "big5"),
    ("euckr", "euc-kr"),
    ("tis620", "windows-874"),
    ("macroman", "macintosh"),
    ("macce", "x-mac-ce"),
    ("dec8", "dec-mcs"),
    ("hp8", "hp-roman8"),
];

/// Encodings of PostgreSQL.
const POSTGRES: &[Name] = &[
    ("UTF8", "utf-8"),
    ("UNICODE", "utf-8"),
    ("WIN1250", "windows-1250"),
    ("WIN1251", "windows-1251"),
    ("WIN", "windows-1251"),
    ("WIN1252", "windows-1252"),
    ("WIN1253", "windows-1253"),
    ("WIN1254", "windows-1254"),
    ("WIN1255", "windows-1255"),
    ("WIN1256", "windows-1256"),
    ("WIN1257", "windows-1257"),
    ("WIN1258", "windows-1258"),
    ("TCVN", "windows-1258"),
    ("WIN866", "ibm866"),
    ("ALT", "ibm866"),
    ("WIN874", "windows-874"),
    ("LATIN2", "iso-8859-2"),
    ("LATIN3", "iso-8859-3"),
    ("LATIN4", "iso-8859-4"),
    ("LATIN5", "windows-1254"),
    ("LATIN6", "iso-8859-10"),
    ("LATIN7", "iso-8859-13"),
    ("LATIN8", "iso-8859-14"),
    ("LATIN9", "iso-8859-15"),
    ("LATIN10", "iso-8859-16"),
    ("ISO_8859_5", "iso-8859-5"),
    ("ISO_8859_6", "iso-8859-6"),
    ("ISO_8859_7", "iso-8859-7"),
    ("ISO_8859_8", "iso-8859-8"),
    ("KOI8R", "koi8-r"),
    ("KOI8", "koi8-r"),
    ("KOI8U", "koi8-u"),
    ("SJIS", "shift_jis"),
    ("EUC_JP", "euc-jp"),
    ("GBK", "gbk"),
    ("EUC_CN", "gbk"),
    ("EUC_KR", "euc-kr"),
    ("UHC", "euc-kr"),
];
