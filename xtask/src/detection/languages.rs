//! The languages of the labelled texts.

/// A language, its folders in packages, and the encodings in which its texts are.
pub(crate) struct Language {
    /// The code of ISO 639, and the name of the file of its text.
    pub(crate) code: &'static str,
    /// The names of folders, apart from the code and from the code followed by a region.
    pub(crate) folders: &'static [&'static str],
    /// The legacy encodings in which text of the language is found. All languages are also tested in UTF-8 and UTF-16.
    pub(crate) encodings: &'static [&'static str],
}

const fn language(code: &'static str, encodings: &'static [&'static str]) -> Language {
    Language { code, folders: &[], encodings }
}

const WESTERN: &[&str] = &["windows-1252", "ISO-8859-15", "macintosh"];
const CENTRAL: &[&str] = &["windows-1250", "ISO-8859-2"];
const BALTIC: &[&str] = &["windows-1257", "ISO-8859-13", "ISO-8859-4"];

/// The program has no letter pairs of Afrikaans, Breton, Irish and Occitan: these test what it does with other languages.
pub(crate) const LANGUAGES: [Language; 46] = [
    language("en", WESTERN),
    language("de", WESTERN),
    language("fr", WESTERN),
    language("es", WESTERN),
    language("pt", WESTERN),
    language("it", WESTERN),
    language("nl", WESTERN),
    language("da", WESTERN),
    Language { code: "nb", folders: &["no"], encodings: WESTERN },
    language("sv", WESTERN),
    language("fi", WESTERN),
    language("is", WESTERN),
    language("ca", WESTERN),
    language("eu", WESTERN),
    language("gl", WESTERN),
    language("sq", WESTERN),
    language("af", WESTERN),
    language("br", WESTERN),
    language("ga", WESTERN),
    language("oc", WESTERN),
    language("pl", CENTRAL),
    language("cs", CENTRAL),
    language("sk", CENTRAL),
    language("hu", CENTRAL),
    language("sl", CENTRAL),
    language("hr", CENTRAL),
    language("ro", CENTRAL),
    language("et", &["windows-1257", "ISO-8859-13", "ISO-8859-15", "windows-1252"]),
    language("lt", BALTIC),
    language("lv", BALTIC),
    language("tr", &["windows-1254"]),
    language("el", &["windows-1253", "ISO-8859-7"]),
    language("ru", &["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]),
    language("uk", &["windows-1251", "KOI8-U", "ISO-8859-5", "x-mac-cyrillic"]),
    language("be", &["windows-1251", "KOI8-U"]),
    language("bg", &["windows-1251", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]),
    language("sr", &["windows-1251", "ISO-8859-5"]),
    language("mk", &["windows-1251", "ISO-8859-5"]),
    language("he", &["windows-1255", "ISO-8859-8-I"]),
    language("ar", &["windows-1256", "ISO-8859-6"]),
    language("th", &["windows-874"]),
    language("vi", &["windows-1258"]),
    language("ja", &["Shift_JIS", "EUC-JP", "ISO-2022-JP"]),
    language("ko", &["EUC-KR"]),
    // The region is the script.
    Language { code: "zh-CN", folders: &["zh-Hans"], encodings: &["GBK", "gb18030"] },
    Language { code: "zh-TW", folders: &["zh-Hant"], encodings: &["Big5"] },
];
