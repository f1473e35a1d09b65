//! The languages with letter pairs, and the single-byte encodings in which their text is found.
//!
//! `cargo xtask detection train` reads this file, too.

use textcodec::{
    EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, ISO_8859_4, ISO_8859_5, ISO_8859_6, ISO_8859_7, ISO_8859_8_I,
    ISO_8859_13, ISO_8859_15, KOI8_R, KOI8_U, MACINTOSH, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// A language and its encodings, the most frequent first.
#[derive(Clone, Copy)]
pub(crate) struct Language {
    pub(crate) name: &'static str,
    pub(crate) encodings: &'static [Encoding],
}

const fn language(name: &'static str, encodings: &'static [Encoding]) -> Language {
    Language { name, encodings }
}

const WESTERN: &[Encoding] = &[WINDOWS_1252, ISO_8859_15, MACINTOSH];
const CENTRAL: &[Encoding] = &[WINDOWS_1250, ISO_8859_2];
const BALTIC: &[Encoding] = &[WINDOWS_1257, ISO_8859_13, ISO_8859_4];

/// In the order of the generated file.
pub(crate) const LANGUAGES: [Language; 38] = [
    language("English", WESTERN),
    language("German", WESTERN),
    language("French", WESTERN),
    language("Spanish", WESTERN),
    language("Portuguese", WESTERN),
    language("Italian", WESTERN),
    language("Dutch", WESTERN),
    language("Danish", WESTERN),
    language("Norwegian", WESTERN),
    language("Swedish", WESTERN),
    language("Finnish", WESTERN),
    language("Icelandic", WESTERN),
    language("Catalan", WESTERN),
    language("Galician", WESTERN),
    language("Basque", WESTERN),
    language("Albanian", WESTERN),
    language("Polish", CENTRAL),
    language("Czech", CENTRAL),
    language("Slovak", CENTRAL),
    language("Hungarian", CENTRAL),
    language("Slovenian", CENTRAL),
    language("Croatian", CENTRAL),
    language("Romanian", CENTRAL),
    language("Estonian", &[WINDOWS_1257, ISO_8859_13, ISO_8859_15, WINDOWS_1252]),
    language("Lithuanian", BALTIC),
    language("Latvian", BALTIC),
    language("Turkish", &[WINDOWS_1254]),
    language("Greek", &[WINDOWS_1253, ISO_8859_7]),
    language("Russian", &[WINDOWS_1251, KOI8_R, IBM866, ISO_8859_5, X_MAC_CYRILLIC]),
    language("Ukrainian", &[WINDOWS_1251, KOI8_U, ISO_8859_5, X_MAC_CYRILLIC]),
    language("Belarusian", &[WINDOWS_1251, KOI8_U, ISO_8859_5, X_MAC_CYRILLIC]),
    language("Bulgarian", &[WINDOWS_1251, ISO_8859_5, IBM866, X_MAC_CYRILLIC]),
    language("Serbian", &[WINDOWS_1251, ISO_8859_5, X_MAC_CYRILLIC]),
    language("Macedonian", &[WINDOWS_1251, ISO_8859_5, X_MAC_CYRILLIC]),
    language("Hebrew", &[WINDOWS_1255, ISO_8859_8_I]),
    language("Arabic", &[WINDOWS_1256, ISO_8859_6]),
    language("Thai", &[WINDOWS_874]),
    language("Vietnamese", &[WINDOWS_1258]),
];

/// The languages whose characters are pairs of bytes from A1 on, in rows of 94. The frequencies of rows distinguish them.
pub(crate) const ROWS: [Language; 3] =
    [language("Japanese", &[EUC_JP]), language("Korean", &[EUC_KR]), language("Simplified Chinese", &[GBK])];
