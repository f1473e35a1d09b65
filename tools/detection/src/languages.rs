//! The languages of the labelled texts.

/// A language, its folders in packages, and the encodings in which its texts are.
pub(crate) struct Language {
    /// The code of ISO 639, and the name of the file of its text.
    pub(crate) code: &'static str,
    /// The name that the program has, if it knows the letter pairs of the language.
    pub(crate) name: &'static str,
    /// The names of folders, apart from the code and from the code followed by a region.
    pub(crate) folders: &'static [&'static str],
    /// The legacy encodings in which text of the language is found. All languages are also tested in UTF-8 and UTF-16.
    pub(crate) encodings: &'static [&'static str],
}

const fn language(code: &'static str, name: &'static str, encodings: &'static [&'static str]) -> Language {
    Language { code, name, folders: &[], encodings }
}

const WESTERN: &[&str] = &["windows-1252", "ISO-8859-15", "macintosh"];
const CENTRAL: &[&str] = &["windows-1250", "ISO-8859-2"];
const BALTIC: &[&str] = &["windows-1257", "ISO-8859-13", "ISO-8859-4"];

/// The program has no letter pairs of Afrikaans, Breton, Irish and Occitan: these test what it does with other languages.
pub(crate) const LANGUAGES: [Language; 57] = [
    language("en", "English", WESTERN),
    language("de", "German", WESTERN),
    language("fr", "French", WESTERN),
    language("es", "Spanish", WESTERN),
    language("pt", "Portuguese", WESTERN),
    language("it", "Italian", WESTERN),
    language("nl", "Dutch", WESTERN),
    language("da", "Danish", WESTERN),
    Language { code: "nb", name: "Norwegian", folders: &["no"], encodings: WESTERN },
    language("sv", "Swedish", WESTERN),
    language("fi", "Finnish", WESTERN),
    language("is", "Icelandic", WESTERN),
    language("ca", "Catalan", WESTERN),
    language("eu", "Basque", WESTERN),
    language("gl", "Galician", WESTERN),
    language("sq", "Albanian", WESTERN),
    language("af", "Afrikaans", WESTERN),
    language("br", "Breton", WESTERN),
    language("ga", "Irish", WESTERN),
    language("oc", "Occitan", WESTERN),
    language("gd", "Scottish Gaelic", WESTERN),
    language("id", "Indonesian", WESTERN),
    language("cy", "Welsh", &["ISO-8859-14"]),
    language("eo", "Esperanto", &["ISO-8859-3"]),
    language("mt", "Maltese", &["ISO-8859-3"]),
    language("pl", "Polish", CENTRAL),
    language("cs", "Czech", CENTRAL),
    language("sk", "Slovak", CENTRAL),
    language("hu", "Hungarian", CENTRAL),
    language("sl", "Slovenian", CENTRAL),
    Language {
        code: "sr-Latn",
        name: "Serbian (Latin)",
        folders: &["sr@latin", "sr-latin", "sr-Latn"],
        encodings: CENTRAL,
    },
    language("bs", "Bosnian", CENTRAL),
    language("hr", "Croatian", CENTRAL),
    language("ro", "Romanian", CENTRAL),
    language("et", "Estonian", &["windows-1257", "ISO-8859-13", "ISO-8859-15", "windows-1252"]),
    language("lt", "Lithuanian", BALTIC),
    language("lv", "Latvian", BALTIC),
    language("tr", "Turkish", &["windows-1254"]),
    language("az", "Azerbaijani", &["windows-1254"]),
    language("el", "Greek", &["windows-1253", "ISO-8859-7"]),
    language("ru", "Russian", &["windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]),
    language("uk", "Ukrainian", &["windows-1251", "KOI8-U", "ISO-8859-5", "x-mac-cyrillic"]),
    language("be", "Belarusian", &["windows-1251", "KOI8-U"]),
    language("bg", "Bulgarian", &["windows-1251", "ISO-8859-5", "IBM866", "x-mac-cyrillic"]),
    language("sr", "Serbian", &["windows-1251", "ISO-8859-5"]),
    language("mk", "Macedonian", &["windows-1251", "ISO-8859-5"]),
    language("kk", "Kazakh", &[]),
    language("tg", "Tajik", &[]),
    language("fa", "Persian", &["windows-1256"]),
    language("he", "Hebrew", &["windows-1255", "ISO-8859-8-I"]),
    language("ar", "Arabic", &["windows-1256", "ISO-8859-6"]),
    language("th", "Thai", &["windows-874"]),
    language("vi", "Vietnamese", &["windows-1258"]),
    language("ja", "Japanese", &["Shift_JIS", "EUC-JP", "ISO-2022-JP"]),
    language("ko", "Korean", &["EUC-KR"]),
    // The region is the script.
    Language { code: "zh-CN", name: "Simplified Chinese", folders: &["zh-Hans"], encodings: &["GBK", "gb18030"] },
    Language { code: "zh-TW", name: "Traditional Chinese", folders: &["zh-Hant"], encodings: &["Big5"] },
];
