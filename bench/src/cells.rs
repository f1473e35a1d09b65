//! The cells, which are the units of measurement, and the rows of targets to which they belong.

use bench_abi::Operation;

use crate::engines::Level;

/// A conversion of an input that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Like `decode/shift_jis/utf-16/ja/4KiB`.
    pub(crate) name: String,
    pub(crate) operation: Operation,
    /// A name of the Encoding Standard, or empty.
    pub(crate) encoding: &'static str,
    /// A name of [`crate::texts`].
    pub(crate) text: &'static str,
    pub(crate) damage: Damage,
    pub(crate) size: Size,
    /// The index of its row in [`ROWS`].
    pub(crate) row: Option<usize>,
}

impl Cell {
    pub(crate) fn is_latin1(&self) -> bool {
        self.name.contains("/latin-1/")
    }
}

/// How much of an input is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    None,
    /// One sequence for each block of this many bytes.
    Every(usize),
    All,
}

/// The length of an input in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Converted in one call.
    Bytes(usize),
    /// Converted in chunks of 4 KiB.
    Streamed(usize),
}

impl Size {
    fn name(self) -> String {
        match self {
            Self::Bytes(len) if len >= 1 << 20 => format!("{}MiB", len >> 20),
            Self::Bytes(len) if len >= 1 << 10 => format!("{}KiB", len >> 10),
            Self::Bytes(len) => format!("{len}B"),
            Self::Streamed(_) => "stream".to_owned(),
        }
    }

    pub(crate) fn is_small(self) -> bool {
        matches!(self, Self::Bytes(len) if len < 1 << 10)
    }
}

/// A row of the table of targets.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) title: &'static str,
    /// The family of engines to compare with, or `None` for the best engine.
    pub(crate) peer: Option<&'static str>,
    pub(crate) avx512: Target,
    pub(crate) avx2: Target,
}

/// The minimum ratio to the best peer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The minimum in each cell.
    pub(crate) each: f64,
    /// The minimum of the geometric mean.
    pub(crate) mean: f64,
}

impl Row {
    /// Returns the target at a level.
    pub(crate) fn target(&self, level: Level) -> Target {
        match level {
            Level::Avx512 => self.avx512,
            // Of instructions.
            Level::Neon => {
                let least = if self.title.ends_with("CJK text") { 2.0 } else { 1.0 };
                Target { each: least, mean: least }
            }
            _ => self.avx2,
        }
    }
}

/// Ratios in `NOISE..1.0` count as 1.0, because the difference is noise.
pub(crate) const NOISE: f64 = 0.97;

const fn row(title: &'static str, avx512: f64, avx2: f64) -> Row {
    Row { title, peer: None, avx512: Target { each: avx512, mean: avx512 }, avx2: Target { each: avx2, mean: avx2 } }
}

/// A row whose mean at AVX2 has a higher target than its cells.
const fn row_with_mean(title: &'static str, avx512: f64, avx2: f64, mean: f64) -> Row {
    Row { avx2: Target { each: avx2, mean }, ..row(title, avx512, avx2) }
}

/// A row of short calls.
const fn row_of_calls(title: &'static str, mean: f64) -> Row {
    let target = Target { each: 0.85, mean };
    Row { title, peer: None, avx512: target, avx2: target }
}

const fn row_against(peer: &'static str, title: &'static str) -> Row {
    Row { peer: Some(peer), ..row(title, 1.0, 1.0) }
}

/// The rows of the table of targets.
pub(crate) const ROWS: [Row; 23] = [
    row("ASCII, every encoding; pages in UTF forms and windows-1252", 1.0, 1.0),
    row_with_mean("pages in non-Latin single-byte encodings, decoding", 5.0, 2.0, 5.0),
    row_with_mean("pages in double-byte encodings, decoding", 1.2, 1.1, 2.0),
    row_against("simdutf", "Latin-1, all four conversions, compared with simdutf"),
    row("ISO-8859-2 both ways; encoding windows-1252", 2.5, 1.3),
    Row {
        avx512: Target { each: 1.0, mean: 1.15 },
        ..row_against(
            "simdutf",
            "UTF-8 and UTF-16: validating, converting, decoding, encoding, any script, compared with simdutf",
        )
    },
    row_with_mean("single-byte, non-Latin text → UTF-8", 12.0, 4.0, 8.0),
    row_with_mean("single-byte, non-Latin text → UTF-16", 7.0, 2.0, 4.0),
    row_with_mean("windows-1252, French and German text → UTF-8", 2.5, 1.3, 2.2),
    row_with_mean("windows-1252, French and German text → UTF-16", 4.0, 2.0, 3.5),
    row("UTF-8 → single-byte, non-Latin text", 4.0, 1.5),
    row("UTF-16 → single-byte, non-Latin text", 5.0, 3.0),
    row_with_mean("double-byte encodings → UTF-8, CJK text", 3.0, 2.0, 4.0),
    row_with_mean("double-byte encodings → UTF-16, CJK text", 3.0, 2.0, 4.0),
    row_with_mean("UTF-8, UTF-16 → double-byte encodings, CJK text", 2.5, 1.5, 4.0),
    row_with_mean("ISO-2022-JP both ways", 3.0, 2.5, 4.5),
    row("gb18030 four-byte text both ways", 2.0, 2.0),
    row_of_calls("16 B, 64 B and 100 B strings", 1.0),
    row_of_calls("16 B, 64 B and 100 B strings, decoding legacy encodings", 2.0),
    row_against("encoding_rs", "malformed input, compared with encoding_rs"),
    row("code pages of MS-DOS both ways", 2.5, 1.3),
    row("EBCDIC both ways", 2.5, 1.3),
    Row {
        peer: Some("encoding_rs"),
        ..row("hostile input, the worst known patterns, at most 1.5 times the time of encoding_rs", 0.667, 0.667)
    },
];

const ASCII: usize = 0;
const PAGES_SINGLE: usize = 1;
const PAGES_DOUBLE: usize = 2;
const LATIN1: usize = 3;
const LATIN: usize = 4;
const UTF: usize = 5;
const SINGLE_TO_UTF8: usize = 6;
const SINGLE_TO_UTF16: usize = 7;
const WESTERN_TO_UTF8: usize = 8;
const WESTERN_TO_UTF16: usize = 9;
const SINGLE_FROM_UTF8: usize = 10;
const SINGLE_FROM_UTF16: usize = 11;
const DOUBLE_TO_UTF8: usize = 12;
const DOUBLE_TO_UTF16: usize = 13;
const DOUBLE_ENCODE: usize = 14;
const ISO_2022_JP: usize = 15;
const FOUR_BYTES: usize = 16;
const SHORT: usize = 17;
const SHORT_LEGACY: usize = 18;
const MALFORMED: usize = 19;
const DOS: usize = 20;
const EBCDIC: usize = 21;
/// Its cells are in [`crate::hostile`].
pub(crate) const HOSTILE: usize = 22;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Western,
    Central,
    NonLatin,
    Double,
    Stateful,
    FourBytes,
    Dos,
    Ebcdic,
    Utf,
}

/// Encodings with their texts and a page.
const LEGACY: [(&str, Family, &[&str], Option<&str>); 22] = [
    ("windows-1252", Family::Western, &["de", "fr"], Some("en-page")),
    ("windows-1251", Family::NonLatin, &["ru"], Some("ru-page")),
    ("windows-1253", Family::NonLatin, &["el"], Some("el-page")),
    ("windows-1256", Family::NonLatin, &["ar"], Some("ar-page")),
    ("windows-874", Family::NonLatin, &["th"], Some("th-page")),
    ("KOI8-U", Family::NonLatin, &["ru"], Some("ru-page")),
    ("ISO-8859-2", Family::Central, &["cs"], Some("cs-page")),
    ("Shift_JIS", Family::Double, &["ja"], Some("ja-page")),
    ("EUC-JP", Family::Double, &["ja"], Some("ja-page")),
    ("ISO-2022-JP", Family::Stateful, &["ja"], Some("ja-page")),
    ("EUC-KR", Family::Double, &["ko"], Some("ko-page")),
    ("Big5", Family::Double, &["zh_tw"], Some("zh_tw-page")),
    ("GBK", Family::Double, &["zh_cn"], Some("zh_cn-page")),
    ("gb18030", Family::Double, &["zh_cn"], Some("zh_cn-page")),
    ("gb18030", Family::FourBytes, &["ko"], None),
    // The neighbour of the next ones that the standard has.
    ("windows-1250", Family::Central, &["cs"], None),
    ("JOHAB", Family::Double, &["ko"], None),
    ("IBM852", Family::Dos, &["cs"], None),
    ("IBM850", Family::Dos, &["de"], None),
    ("IBM037", Family::Ebcdic, &["de"], None),
    ("IBM870", Family::Ebcdic, &["cs"], None),
    ("IBM1025", Family::Ebcdic, &["ru"], None),
];

const UTF_TEXTS: [&str; 14] =
    ["en", "fr", "de", "ru", "el", "ar", "zh_cn", "ja", "ko", "hi", "emoji", "en-page", "ru-page", "ja-page"];

/// Unicode encodings, in addition to [`Operation::Utf8ToUtf16`] and similar operations without a decoder or an encoder.
const UNICODE: [&str; 3] = ["UTF-8", "UTF-16LE", "UTF-16BE"];

/// Encodings and texts for calls that allocate their output.
const WHOLE: [(&str, &str); 9] = [
    ("UTF-8", "en"),
    ("UTF-8", "ja"),
    ("UTF-16LE", "ja"),
    ("windows-1252", "en"),
    ("windows-1252", "de"),
    ("windows-1251", "ru"),
    ("Shift_JIS", "ja"),
    ("EUC-KR", "ko"),
    ("GBK", "zh_cn"),
];

const LARGE: [Size; 3] = [Size::Bytes(4 << 10), Size::Bytes(1 << 20), Size::Streamed(64 << 10)];
const SMALL: [Size; 4] = [Size::Bytes(16), Size::Bytes(64), Size::Bytes(100), Size::Bytes(256)];

/// Returns all cells.
pub(crate) fn all() -> Vec<Cell> {
    let mut cells = Vec::new();
    for (operation, prefix) in [
        (Operation::ValidateUtf8, "validate/utf-8"),
        (Operation::ValidateUtf16, "validate/utf-16"),
        (Operation::Utf8ToUtf16, "convert/utf-8/utf-16"),
        (Operation::Utf16ToUtf8, "convert/utf-16/utf-8"),
    ] {
        let streams = matches!(operation, Operation::Utf8ToUtf16 | Operation::Utf16ToUtf8);
        for text in UTF_TEXTS {
            let row = if text == "en" || is_page(text) { ASCII } else { UTF };
            let sizes = LARGE.into_iter().filter(|&size| streams || !matches!(size, Size::Streamed(_)));
            cells.extend(sizes.map(|size| cell(operation, prefix, "", text, size, Some(row))));
            if !is_page(text) {
                cells.extend(SMALL.map(|size| cell(operation, prefix, "", text, size, short(size, Family::Utf))));
            }
        }
    }
    for (operation, prefix) in [
        (Operation::Latin1ToUtf8, "convert/latin-1/utf-8"),
        (Operation::Latin1ToUtf16, "convert/latin-1/utf-16"),
        (Operation::Utf8ToLatin1, "convert/utf-8/latin-1"),
        (Operation::Utf16ToLatin1, "convert/utf-16/latin-1"),
    ] {
        for text in ["en", "fr", "de"] {
            cells.extend(LARGE.map(|size| cell(operation, prefix, "", text, size, Some(LATIN1))));
            cells.extend(SMALL.map(|size| cell(operation, prefix, "", text, size, short(size, Family::Utf))));
        }
    }
    for (encoding, family, texts, page) in LEGACY {
        for operation in
            [Operation::DecodeToUtf8, Operation::DecodeToUtf16, Operation::EncodeFromUtf8, Operation::EncodeFromUtf16]
        {
            let prefix = prefix(operation, encoding);
            for &text in texts.iter().chain(&page) {
                let row = row_of(operation, family, is_page(text));
                cells.extend(LARGE.map(|size| cell(operation, &prefix, encoding, text, size, row)));
            }
            for text in texts {
                let family = if decodes(operation) { family } else { Family::Utf };
                cells.extend(SMALL.map(|size| cell(operation, &prefix, encoding, text, size, short(size, family))));
            }
            if family != Family::FourBytes {
                let row = if family == Family::Ebcdic { EBCDIC } else { ASCII };
                cells.extend(LARGE.map(|size| cell(operation, &prefix, encoding, "en", size, Some(row))));
                cells
                    .extend(SMALL.map(|size| cell(operation, &prefix, encoding, "en", size, short(size, Family::Utf))));
            }
        }
    }
    for encoding in UNICODE {
        let encodes = (encoding != "UTF-8").then_some(Operation::EncodeFromUtf8);
        for operation in [Operation::DecodeToUtf8, Operation::DecodeToUtf16].into_iter().chain(encodes) {
            let prefix = prefix(operation, encoding);
            for text in ["en", "de", "ru", "ja", "emoji", "ja-page"] {
                let row = if text == "en" || is_page(text) { ASCII } else { UTF };
                cells.extend(LARGE.map(|size| cell(operation, &prefix, encoding, text, size, Some(row))));
                if !is_page(text) {
                    cells.extend(
                        SMALL.map(|size| cell(operation, &prefix, encoding, text, size, short(size, Family::Utf))),
                    );
                }
            }
        }
    }
    for (encoding, text) in WHOLE {
        // Encoding to UTF-8 borrows, and no other engine encodes to UTF-16.
        let encodes = !encoding.starts_with("UTF");
        let directions = [(Operation::DecodeWhole, "decode", true), (Operation::EncodeWhole, "encode", encodes)];
        for (operation, direction, _) in directions.into_iter().filter(|(.., has)| *has) {
            let prefix = format!("whole/{direction}/{}", encoding.to_lowercase());
            let sizes = [Size::Bytes(16), Size::Bytes(100), Size::Bytes(4 << 10), Size::Bytes(1 << 20)];
            cells.extend(sizes.map(|size| cell(operation, &prefix, encoding, text, size, None)));
        }
    }
    cells.extend(malformed());
    cells
}

fn malformed() -> impl Iterator<Item = Cell> {
    let utf = [("UTF-8", "de"), ("UTF-8", "ru"), ("UTF-8", "ja"), ("UTF-16LE", "ja")];
    let legacy = LEGACY.into_iter().map(|(encoding, _, texts, _)| (encoding, texts[0]));
    let damages = [(Damage::Every(1 << 10), "1-per-KiB"), (Damage::Every(64), "1-per-64B"), (Damage::All, "all-bad")];
    utf.into_iter().chain(legacy).flat_map(move |(encoding, text)| {
        // These encodings have no malformed bytes.
        let has_malformed = !matches!(
            encoding,
            "windows-1252" | "windows-1251" | "windows-1256" | "KOI8-U" | "ISO-8859-2" | "windows-1250"
        ) && !encoding.starts_with("IBM");
        damages.into_iter().filter(move |_| has_malformed).flat_map(move |(damage, name)| {
            [Operation::DecodeToUtf8, Operation::DecodeToUtf16].into_iter().flat_map(move |operation| {
                [Size::Bytes(4 << 10), Size::Bytes(1 << 20)].map(|size| Cell {
                    name: format!("{}/{text}+{name}/{}", prefix(operation, encoding), size.name()),
                    damage,
                    ..cell(operation, "", encoding, text, size, Some(MALFORMED))
                })
            })
        })
    })
}

fn cell(
    operation: Operation,
    prefix: &str,
    encoding: &'static str,
    text: &'static str,
    size: Size,
    row: Option<usize>,
) -> Cell {
    let name = format!("{prefix}/{text}/{}", size.name());
    Cell { name, operation, encoding, text, damage: Damage::None, size, row }
}

pub(crate) fn prefix(operation: Operation, encoding: &str) -> String {
    let (direction, form) = match operation {
        Operation::DecodeToUtf8 => ("decode", "utf-8"),
        Operation::DecodeToUtf16 => ("decode", "utf-16"),
        Operation::EncodeFromUtf8 => ("encode", "utf-8"),
        _ => ("encode", "utf-16"),
    };
    format!("{direction}/{}/{form}", encoding.to_lowercase())
}

fn is_page(text: &str) -> bool {
    text.ends_with("-page")
}

fn decodes(operation: Operation) -> bool {
    matches!(operation, Operation::DecodeToUtf8 | Operation::DecodeToUtf16)
}

fn short(size: Size, family: Family) -> Option<usize> {
    (size != Size::Bytes(256)).then_some(if family == Family::Utf { SHORT } else { SHORT_LEGACY })
}

fn row_of(operation: Operation, family: Family, page: bool) -> Option<usize> {
    let by_form = |utf8, utf16| {
        let is_utf8 = matches!(operation, Operation::DecodeToUtf8 | Operation::EncodeFromUtf8);
        if is_utf8 { utf8 } else { utf16 }
    };
    match (family, page, decodes(operation)) {
        (Family::Western, true, _) => Some(ASCII),
        (Family::NonLatin, true, true) => Some(PAGES_SINGLE),
        (Family::Double, true, true) => Some(PAGES_DOUBLE),
        (_, true, _) | (Family::Utf, ..) => None,
        (Family::Western, _, true) => Some(by_form(WESTERN_TO_UTF8, WESTERN_TO_UTF16)),
        (Family::Western, _, false) | (Family::Central, ..) => Some(LATIN),
        (Family::NonLatin, _, true) => Some(by_form(SINGLE_TO_UTF8, SINGLE_TO_UTF16)),
        (Family::NonLatin, _, false) => Some(by_form(SINGLE_FROM_UTF8, SINGLE_FROM_UTF16)),
        (Family::Double, _, true) => Some(by_form(DOUBLE_TO_UTF8, DOUBLE_TO_UTF16)),
        (Family::Double, _, false) => Some(DOUBLE_ENCODE),
        (Family::Stateful, ..) => Some(ISO_2022_JP),
        (Family::FourBytes, ..) => Some(FOUR_BYTES),
        (Family::Dos, ..) => Some(DOS),
        (Family::Ebcdic, ..) => Some(EBCDIC),
    }
}

/// Returns whether a name matches one of the comma-separated patterns: parts of names, or whole names with `*`.
pub(crate) fn matches(patterns: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    patterns
        .to_lowercase()
        .split(',')
        .any(|pattern| if pattern.contains('*') { glob(pattern, &name) } else { name.contains(pattern) })
}

fn glob(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name
            .strip_prefix(start)
            .is_some_and(|name| (0..=name.len()).any(|at| name.is_char_boundary(at) && glob(rest, &name[at..]))),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_every_row_has_cells() {
        let cells = all();
        let names: BTreeSet<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
        assert_eq!(names.len(), cells.len());
        let mut rows: BTreeSet<usize> = cells.iter().filter_map(|cell| cell.row).collect();
        rows.insert(HOSTILE);
        assert_eq!(rows.len(), ROWS.len());
    }

    #[test]
    fn patterns_are_parts_or_globs() {
        let name = "decode/shift_jis/utf-8/ja/4KiB";
        for pattern in ["shift_jis", "utf-16,Shift_JIS/UTF-8", "decode/*/ja/*", "*/4kib"] {
            assert!(matches(pattern, name), "{pattern}");
        }
        for pattern in ["encode", "shift_jis/utf-16", "decode/*/ja", "*/ja/*/4KiB"] {
            assert!(!matches(pattern, name), "{pattern}");
        }
    }
}
