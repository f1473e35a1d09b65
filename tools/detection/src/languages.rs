//! The languages of the labelled texts.

/// A language, its folders in packages, and the encodings in which its texts are.
pub(crate) struct Language {
    /// The code of ISO 639, and the name of the file of its text.
    pub(crate) code: &'static str,
    /// The names of folders, apart from the code and from the code followed by a region.
    pub(crate) folders: &'static [&'static str],
    /// The legacy encodings in which text of the language is found and which programs detect. All languages are also tested in UTF-8 and UTF-16.
    pub(crate) encodings: &'static [&'static str],
}

const fn language(code: &'static str, encodings: &'static [&'static str]) -> Language {
    Language { code, folders: &[], encodings }
}

const WESTERN: &[&str] = &["windows-1252", "ISO-8859-15", "macintosh"];
const CENTRAL: &[&str] = &["windows-1250", "ISO-8859-2"];
const BALTIC: &[&str] = &["windows-1257", "ISO-8859-13", "ISO-8859-4"];

/// The languages.
pub(crate) const LANGUAGES: [Language; 57] = [
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
    language("gd", WESTERN),
    language("id", WESTERN),
    language("cy", &[]),
    language("eo", &[]),
    language("mt", &[]),
    language("pl", CENTRAL),
    language("cs", CENTRAL),
    language("sk", CENTRAL),
    language("hu", CENTRAL),
    language("sl", CENTRAL),
    Language { code: "sr-Latn", folders: &["sr@latin", "sr-latin", "sr-Latn"], encodings: CENTRAL },
    language("bs", CENTRAL),
    language("hr", CENTRAL),
    language("ro", CENTRAL),
    language("et", &["windows-1257", "ISO-8859-13", "ISO-8859-15", "windows-1252"]),
    language("lt", BALTIC),
    language("lv", BALTIC),
    language("tr", &["windows-1254"]),
    language("az", &["windows-1254"]),
    language("el", &["windows-1253", "ISO-8859-7"]),
    language("ru", &["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]),
    language("uk", &["windows-1251", "KOI8-U", "ISO-8859-5", "x-mac-cyrillic"]),
    language("be", &["windows-1251", "KOI8-U"]),
    language("bg", &["windows-1251", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]),
    language("sr", &["windows-1251", "ISO-8859-5"]),
    language("mk", &["windows-1251", "ISO-8859-5"]),
    language("kk", &[]),
    language("tg", &[]),
    language("fa", &["windows-1256"]),
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

/// Returns rarer encodings of the standard for a language.
pub(crate) fn more_encodings(language: &str) -> &'static [&'static str] {
    match language {
        "eo" | "mt" => &["ISO-8859-3"],
        "cy" | "ga" | "gd" | "br" => &["ISO-8859-14"],
        "ro" | "pl" | "hr" | "sl" | "hu" | "sq" => &["ISO-8859-16"],
        "is" | "nb" | "da" | "sv" | "fi" | "et" | "lt" => &["ISO-8859-10"],
        _ => &[],
    }
}

/// Returns the code pages of MS-DOS and of classic Mac OS that are usual for a language and that are not in
/// [`Language::encodings`].
pub(crate) fn dos_encodings(language: &str) -> &'static [&'static str] {
    match language {
        "en" | "de" | "it" | "nl" | "es" | "ca" | "eu" | "gl" => &["IBM437", "IBM850", "IBM00858"],
        "fr" => &["IBM437", "IBM850", "IBM00858", "IBM863"],
        "pt" => &["IBM850", "IBM00858", "IBM860"],
        "da" | "nb" => &["IBM850", "IBM865"],
        "sv" | "fi" => &["IBM437", "IBM850", "IBM00858"],
        "is" => &["IBM850", "IBM861", "x-mac-icelandic"],
        "af" | "br" | "ga" | "oc" | "gd" | "id" => &["IBM850"],
        "pl" | "cs" | "sk" | "hu" => &["IBM852", "x-mac-ce"],
        "sl" | "hr" | "bs" | "sr-Latn" => &["IBM852", "x-mac-croatian"],
        "ro" => &["IBM852", "x-mac-romanian"],
        "sq" => &["IBM850", "IBM852"],
        "et" | "lt" | "lv" => &["IBM775", "x-mac-ce"],
        "tr" => &["IBM857", "x-mac-turkish"],
        "az" => &["IBM857"],
        "el" => &["IBM737", "IBM869", "x-mac-greek"],
        "ru" | "bg" | "sr" | "mk" => &["IBM855"],
        "uk" => &["IBM1125", "IBM866"],
        "be" => &["IBM866", "IBM855"],
        "he" => &["IBM862"],
        "ar" => &["DOS-720"],
        _ => &[],
    }
}
