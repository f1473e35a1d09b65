//! Section 5: indexes.

use std::{collections::HashMap, sync::LazyLock};

use crate::Encoding;

/// An index: pointers and their code points.
///
/// <https://encoding.spec.whatwg.org/#index>
#[derive(Debug)]
pub struct Index {
    name: &'static str,
    sha256: &'static str,
    entries: Vec<(u32, char)>,
    code_points: Vec<Option<char>>,
    first_pointers: HashMap<char, u32>,
}

impl Index {
    /// Parses the text form: header lines `# KEY: value`, then lines `pointer: CODE CODE …`. The pointer is that of the
    /// first code point, in decimal. The code points are those of consecutive pointers, in hexadecimal.
    fn parse(name: &'static str, text: &'static str) -> Self {
        let sha256 = text.lines().find_map(|line| line.strip_prefix("# SHA-256: ")).expect("a header line");
        let mut entries = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (first, code_points) = line.split_once(": ").expect("a pointer, a colon and code points");
            let first: u32 = first.parse().expect("a decimal pointer");
            for (pointer, code_point) in (first..).zip(code_points.split(' ')) {
                let code_point = u32::from_str_radix(code_point, 16).expect("a hexadecimal code point");
                entries.push((pointer, char::from_u32(code_point).expect("a scalar value")));
            }
        }
        Self::new(name, sha256, entries)
    }

    fn new(name: &'static str, sha256: &'static str, entries: Vec<(u32, char)>) -> Self {
        assert!(entries.is_sorted_by(|a, b| a.0 < b.0), "pointers ascend");
        let pointers = entries.last().map_or(0, |&(pointer, _)| pointer as usize + 1);
        let mut code_points = vec![None; pointers];
        let mut first_pointers = HashMap::new();
        for &(pointer, code_point) in &entries {
            code_points[pointer as usize] = Some(code_point);
            first_pointers.entry(code_point).or_insert(pointer);
        }
        Self { name, sha256, entries, code_points, first_pointers }
    }

    /// Returns the index without the entries whose pointer is in the range.
    fn excluding(&self, pointers: &impl std::ops::RangeBounds<u32>) -> Self {
        let entries = self.entries.iter().copied().filter(|(pointer, _)| !pointers.contains(pointer)).collect();
        Self::new(self.name, self.sha256, entries)
    }

    /// Returns the entries by ascending pointer.
    #[must_use]
    pub fn entries(&self) -> &[(u32, char)] {
        &self.entries
    }

    /// Returns the index code point for a pointer.
    ///
    /// <https://encoding.spec.whatwg.org/#index-code-point>
    #[must_use]
    pub fn code_point(&self, pointer: u32) -> Option<char> {
        *self.code_points.get(pointer as usize)?
    }

    /// Returns the index pointer for a code point, which is the first one.
    ///
    /// <https://encoding.spec.whatwg.org/#index-pointer>
    #[must_use]
    pub fn pointer(&self, code_point: char) -> Option<u32> {
        self.first_pointers.get(&code_point).copied()
    }

    /// Returns the last pointer corresponding to a code point.
    fn last_pointer(&self, code_point: char) -> Option<u32> {
        self.entries.iter().rfind(|entry| entry.1 == code_point).map(|entry| entry.0)
    }
}

/// Returns the index gb18030 ranges code point for a pointer.
///
/// <https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point>
///
/// # Panics
///
/// Never, because the ranges contain only scalar values and start at pointer 0.
#[must_use]
pub fn gb18030_ranges_code_point(pointer: u32) -> Option<char> {
    if (pointer > 39419 && pointer < 189_000) || pointer > 1_237_575 {
        return None; // 1.
    }
    if pointer == 7457 {
        return Some('\u{E7C7}'); // 2.
    }
    let last = GB18030_RANGES.entries.iter().rfind(|entry| entry.0 <= pointer);
    let &(offset, code_point_offset) = last.expect("the first range starts at pointer 0"); // 3.
    Some(char::from_u32(u32::from(code_point_offset) + pointer - offset).expect("a scalar value")) // 4.
}

/// Returns the index gb18030 ranges pointer for a code point.
///
/// <https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer>
///
/// # Panics
///
/// If the code point is an ASCII code point.
#[must_use]
pub fn gb18030_ranges_pointer(code_point: char) -> u32 {
    if code_point == '\u{E7C7}' {
        return 7457; // 1.
    }
    let last = GB18030_RANGES.entries.iter().rfind(|entry| entry.1 <= code_point);
    let &(pointer_offset, offset) = last.expect("the first range starts at U+0080"); // 2.
    pointer_offset + u32::from(code_point) - u32::from(offset) // 3.
}

/// Returns the index `Shift_JIS` pointer for a code point.
///
/// <https://encoding.spec.whatwg.org/#index-shift_jis-pointer>
#[must_use]
pub fn shift_jis_pointer(code_point: char) -> Option<u32> {
    static INDEX: LazyLock<Index> = LazyLock::new(|| JIS0208.excluding(&(8272..=8835))); // 1.
    INDEX.pointer(code_point) // 2.
}

/// Returns the index Big5 pointer for a code point.
///
/// <https://encoding.spec.whatwg.org/#index-big5-pointer>
#[must_use]
pub fn big5_pointer(code_point: char) -> Option<u32> {
    static INDEX: LazyLock<Index> = LazyLock::new(|| BIG5.excluding(&(..(0xA1 - 0x81) * 157))); // 1.
    if matches!(code_point, '\u{2550}' | '\u{255E}' | '\u{2561}' | '\u{256A}' | '\u{5341}' | '\u{5345}') {
        return INDEX.last_pointer(code_point); // 2.
    }
    INDEX.pointer(code_point) // 3.
}

/// Returns index single-byte of an encoding of section 9.
///
/// <https://encoding.spec.whatwg.org/#index-single-byte>
///
/// # Panics
///
/// If the encoding is not in section 9.
#[must_use]
pub fn single_byte(encoding: Encoding) -> &'static Index {
    static INDEXES: LazyLock<Vec<Option<&'static Index>>> = LazyLock::new(|| {
        let index = |encoding: Encoding| match encoding {
            Encoding::ISO_8859_8_I => index("iso-8859-8"), // the only index that two encodings share
            _ => index(&encoding.name().to_ascii_lowercase()),
        };
        Encoding::all().iter().map(|&encoding| encoding.is_single_byte().then(|| index(encoding))).collect()
    });
    INDEXES[encoding.row()].expect("a single-byte encoding")
}

/// Index Big5.
pub static BIG5: LazyLock<&Index> = LazyLock::new(|| index("big5"));
/// Index EUC-KR.
pub static EUC_KR: LazyLock<&Index> = LazyLock::new(|| index("euc-kr"));
/// Index gb18030.
pub static GB18030: LazyLock<&Index> = LazyLock::new(|| index("gb18030"));
/// Index gb18030 ranges. An entry is the first pointer and code point of a range in which both ascend by one.
pub static GB18030_RANGES: LazyLock<&Index> = LazyLock::new(|| index("gb18030-ranges"));
/// Index jis0208.
pub static JIS0208: LazyLock<&Index> = LazyLock::new(|| index("jis0208"));
/// Index jis0212.
pub static JIS0212: LazyLock<&Index> = LazyLock::new(|| index("jis0212"));
/// Index ISO-2022-JP katakana.
pub static ISO_2022_JP_KATAKANA: LazyLock<&Index> = LazyLock::new(|| index("iso-2022-jp-katakana"));

/// Returns the names of all indexes, which are also the names of the files in `indexes/`.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|&(name, _)| name)
}

/// Returns the index with this name.
///
/// # Panics
///
/// If there is no index with this name.
#[must_use]
pub fn index(name: &str) -> &'static Index {
    static INDEXES: LazyLock<Vec<Index>> =
        LazyLock::new(|| FILES.iter().map(|&(name, text)| Index::parse(name, text)).collect());
    INDEXES.iter().find(|index| index.name == name).unwrap_or_else(|| panic!("no index {name:?}"))
}

/// Returns the entries of an index by ascending pointer.
///
/// # Panics
///
/// If there is no index with this name.
#[must_use]
pub fn entries(name: &str) -> &'static [(u32, char)] {
    index(name).entries()
}

/// Returns the SHA-256 in an index's header. It covers the lines `pointer TAB 0xCODE LF`.
///
/// # Panics
///
/// If there is no index with this name.
#[must_use]
pub fn sha256(name: &str) -> &'static str {
    index(name).sha256
}

const FILES: &[(&str, &str)] = &[
    ("big5", include_str!("../../../indexes/big5.txt")),
    ("euc-kr", include_str!("../../../indexes/euc-kr.txt")),
    ("gb18030", include_str!("../../../indexes/gb18030.txt")),
    ("gb18030-ranges", include_str!("../../../indexes/gb18030-ranges.txt")),
    ("ibm866", include_str!("../../../indexes/ibm866.txt")),
    ("iso-2022-jp-katakana", include_str!("../../../indexes/iso-2022-jp-katakana.txt")),
    ("iso-8859-10", include_str!("../../../indexes/iso-8859-10.txt")),
    ("iso-8859-13", include_str!("../../../indexes/iso-8859-13.txt")),
    ("iso-8859-14", include_str!("../../../indexes/iso-8859-14.txt")),
    ("iso-8859-15", include_str!("../../../indexes/iso-8859-15.txt")),
    ("iso-8859-16", include_str!("../../../indexes/iso-8859-16.txt")),
    ("iso-8859-2", include_str!("../../../indexes/iso-8859-2.txt")),
    ("iso-8859-3", include_str!("../../../indexes/iso-8859-3.txt")),
    ("iso-8859-4", include_str!("../../../indexes/iso-8859-4.txt")),
    ("iso-8859-5", include_str!("../../../indexes/iso-8859-5.txt")),
    ("iso-8859-6", include_str!("../../../indexes/iso-8859-6.txt")),
    ("iso-8859-7", include_str!("../../../indexes/iso-8859-7.txt")),
    ("iso-8859-8", include_str!("../../../indexes/iso-8859-8.txt")),
    ("jis0208", include_str!("../../../indexes/jis0208.txt")),
    ("jis0212", include_str!("../../../indexes/jis0212.txt")),
    ("koi8-r", include_str!("../../../indexes/koi8-r.txt")),
    ("koi8-u", include_str!("../../../indexes/koi8-u.txt")),
    ("macintosh", include_str!("../../../indexes/macintosh.txt")),
    ("windows-1250", include_str!("../../../indexes/windows-1250.txt")),
    ("windows-1251", include_str!("../../../indexes/windows-1251.txt")),
    ("windows-1252", include_str!("../../../indexes/windows-1252.txt")),
    ("windows-1253", include_str!("../../../indexes/windows-1253.txt")),
    ("windows-1254", include_str!("../../../indexes/windows-1254.txt")),
    ("windows-1255", include_str!("../../../indexes/windows-1255.txt")),
    ("windows-1256", include_str!("../../../indexes/windows-1256.txt")),
    ("windows-1257", include_str!("../../../indexes/windows-1257.txt")),
    ("windows-1258", include_str!("../../../indexes/windows-1258.txt")),
    ("windows-874", include_str!("../../../indexes/windows-874.txt")),
    ("x-mac-cyrillic", include_str!("../../../indexes/x-mac-cyrillic.txt")),
];
