//! The 40 encodings by name. As in encoding_rs, each is a static and a reference to it.

use crate::Encoding;

/// One row for each encoding: the names of the reference and of the static, the standard's name, and a description.
macro_rules! encodings {
    ($($name:ident $init:ident $standard:literal $description:literal;)*) => {
        $(
            #[doc = concat!("[", $standard, "](https://encoding.spec.whatwg.org/#names-and-labels): ", $description, ".")]
            ///
            /// ```
            #[doc = concat!("assert_eq!(encoding_rs::", stringify!($name), ".name(), \"", $standard, "\");")]
            /// ```
            pub static $name: &'static Encoding = &$init;

            #[doc = concat!("The static that [`", stringify!($name), "`] refers to, for initialisers of other statics.")]
            ///
            /// ```
            #[doc = concat!("static ENCODING: &encoding_rs::Encoding = &encoding_rs::", stringify!($init), ";")]
            #[doc = concat!("assert_eq!(ENCODING, encoding_rs::", stringify!($name), ");")]
            /// ```
            pub static $init: Encoding = Encoding::new(textcodec::$name);
        )*

        /// Returns the reference to an encoding of the standard.
        pub(crate) fn reference(encoding: textcodec::Encoding) -> &'static Encoding {
            match encoding {
                $(textcodec::$name => $name,)*
                // Labels, byte order marks and decoders only return encodings of the standard.
                _ => unreachable!("{encoding} is not an encoding of the standard"),
            }
        }
    };
}

encodings! {
    BIG5 BIG5_INIT "Big5" "traditional Chinese, with the characters of Hong Kong";
    EUC_JP EUC_JP_INIT "EUC-JP" "Japanese, Unix";
    EUC_KR EUC_KR_INIT "EUC-KR" "Korean, same as windows-949";
    GB18030 GB18030_INIT "gb18030" "the Chinese standard, with all of Unicode except one character";
    GBK GBK_INIT "GBK" "simplified Chinese; decoded as gb18030";
    IBM866 IBM866_INIT "IBM866" "Cyrillic, MS-DOS";
    ISO_2022_JP ISO_2022_JP_INIT "ISO-2022-JP" "Japanese mail, with escape sequences";
    ISO_8859_2 ISO_8859_2_INIT "ISO-8859-2" "Central European";
    ISO_8859_3 ISO_8859_3_INIT "ISO-8859-3" "South European";
    ISO_8859_4 ISO_8859_4_INIT "ISO-8859-4" "North European";
    ISO_8859_5 ISO_8859_5_INIT "ISO-8859-5" "Cyrillic";
    ISO_8859_6 ISO_8859_6_INIT "ISO-8859-6" "Arabic";
    ISO_8859_7 ISO_8859_7_INIT "ISO-8859-7" "Greek";
    ISO_8859_8 ISO_8859_8_INIT "ISO-8859-8" "Hebrew in visual order";
    ISO_8859_8_I ISO_8859_8_I_INIT "ISO-8859-8-I" "Hebrew in logical order";
    ISO_8859_10 ISO_8859_10_INIT "ISO-8859-10" "Nordic";
    ISO_8859_13 ISO_8859_13_INIT "ISO-8859-13" "Baltic";
    ISO_8859_14 ISO_8859_14_INIT "ISO-8859-14" "Celtic";
    ISO_8859_15 ISO_8859_15_INIT "ISO-8859-15" "Western European with the euro sign";
    ISO_8859_16 ISO_8859_16_INIT "ISO-8859-16" "South-Eastern European";
    KOI8_R KOI8_R_INIT "KOI8-R" "Russian";
    KOI8_U KOI8_U_INIT "KOI8-U" "Ukrainian";
    MACINTOSH MACINTOSH_INIT "macintosh" "Western European, classic Mac OS";
    REPLACEMENT REPLACEMENT_INIT "replacement" "a placeholder for encodings that must not be decoded";
    SHIFT_JIS SHIFT_JIS_INIT "Shift_JIS" "Japanese, same as windows-932";
    UTF_16BE UTF_16BE_INIT "UTF-16BE" "UTF-16, high byte first";
    UTF_16LE UTF_16LE_INIT "UTF-16LE" "UTF-16, low byte first";
    UTF_8 UTF_8_INIT "UTF-8" "the encoding of the web";
    WINDOWS_874 WINDOWS_874_INIT "windows-874" "Thai";
    WINDOWS_1250 WINDOWS_1250_INIT "windows-1250" "Central European";
    WINDOWS_1251 WINDOWS_1251_INIT "windows-1251" "Cyrillic";
    WINDOWS_1252 WINDOWS_1252_INIT "windows-1252" "Western European; also for the labels \"latin1\" and \"ascii\"";
    WINDOWS_1253 WINDOWS_1253_INIT "windows-1253" "Greek";
    WINDOWS_1254 WINDOWS_1254_INIT "windows-1254" "Turkish";
    WINDOWS_1255 WINDOWS_1255_INIT "windows-1255" "Hebrew";
    WINDOWS_1256 WINDOWS_1256_INIT "windows-1256" "Arabic";
    WINDOWS_1257 WINDOWS_1257_INIT "windows-1257" "Baltic";
    WINDOWS_1258 WINDOWS_1258_INIT "windows-1258" "Vietnamese";
    X_MAC_CYRILLIC X_MAC_CYRILLIC_INIT "x-mac-cyrillic" "Cyrillic, classic Mac OS";
    X_USER_DEFINED X_USER_DEFINED_INIT "x-user-defined" "bytes that scripts read as text";
}
