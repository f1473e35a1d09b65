//! The indexes from `indexes/`, parsed on demand.

use textcodec::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, ISO_8859_8, ISO_8859_8_I, SHIFT_JIS};

/// An index of section 5 of the standard.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) name: &'static str,
    pub(crate) identifier: &'static str,
    pub(crate) date: &'static str,
    /// Pointers and their code points, sorted by pointer. In `gb18030-ranges`, an entry is the start of a range.
    pub(crate) entries: Vec<(u32, char)>,
}

impl Index {
    /// Returns the index of this name.
    pub(crate) fn read(name: &str) -> Option<Self> {
        FILES.iter().find(|file| file.0 == name).map(|&(name, text)| Self::parse(name, text))
    }

    /// Returns all indexes.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        FILES.iter().map(|&(name, text)| Self::parse(name, text))
    }

    /// Parses the text form: header lines `# KEY: value`, then lines `pointer: CODE CODE …`.
    ///
    /// The pointer, in decimal, is that of the first code point. The other code points have the following pointers. Code
    /// points are hexadecimal.
    fn parse(name: &'static str, text: &'static str) -> Self {
        let header = |key: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
            value.expect("a header line")
        };
        let mut entries = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (first, code_points) = line.split_once(": ").expect("a pointer, a colon and code points");
            let first: u32 = first.parse().expect("a decimal pointer");
            entries.extend((first..).zip(code_points.split(' ').map(|code_point| {
                let code_point = u32::from_str_radix(code_point, 16).expect("a hexadecimal number");
                char::from_u32(code_point).expect("a scalar value")
            })));
        }
        Self { name, identifier: header("Identifier"), date: header("Date"), entries }
    }

    /// Returns the encodings that use this index.
    pub(crate) fn encodings(&self) -> Vec<Encoding> {
        match self.name {
            "big5" => vec![BIG5],
            "euc-kr" => vec![EUC_KR],
            "gb18030" | "gb18030-ranges" => vec![GB18030, GBK],
            "jis0208" => vec![SHIFT_JIS, EUC_JP, ISO_2022_JP],
            "jis0212" => vec![EUC_JP],
            "iso-2022-jp-katakana" => vec![ISO_2022_JP],
            "iso-8859-8" => vec![ISO_8859_8, ISO_8859_8_I],
            // The index of a single-byte encoding has the encoding's name.
            _ => Encoding::for_label(self.name).into_iter().collect(),
        }
    }

    /// Returns whether an entry is the start of a range and not a single code point.
    pub(crate) fn is_ranges(&self) -> bool {
        self.name == "gb18030-ranges"
    }

    /// Returns whether the index has a table and a coverage page, as in the standard.
    ///
    /// Two indexes have none: the ranges of gb18030, and the katakana that the encoder of ISO-2022-JP makes full-width.
    pub(crate) fn has_pages(&self) -> bool {
        !matches!(self.name, "gb18030-ranges" | "iso-2022-jp-katakana")
    }
}

/// Returns the names of the indexes.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.0)
}

// `FILES`. The crate has a symbolic link to the indexes, so that `cargo package` includes them.
include!("../../tables/indexes.rs");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_indexes_parse_and_belong_to_encodings() {
        assert_eq!(Index::all().count(), 34);
        for index in Index::all() {
            assert!(index.entries.is_sorted_by(|a, b| a.0 < b.0), "{}", index.name);
            assert_eq!((index.identifier.len(), index.date.len()), (64, 10), "{}", index.name);
            assert!(!index.encodings().is_empty(), "{}", index.name);
        }
        let single_bytes = Index::all().filter(|index| index.encodings()[0].is_single_byte()).count();
        assert_eq!(single_bytes, 27);
    }
}
