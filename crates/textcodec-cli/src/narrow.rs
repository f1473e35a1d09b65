//! Labels that name a narrower encoding than they mean.
//!
//! On the web, `ascii` and `latin1` mean windows-1252, `gb2312` means GBK and `ks_c_5601-1987` means EUC-KR with all of its
//! later extensions. The program follows the standard, and reports bytes and characters that the named encoding lacks.

use textcodec::{Alias, EUC_KR, Encoding, GBK, LATIN1, US_ASCII, WINDOWS_874, WINDOWS_1252, WINDOWS_1254};

/// An encoding that labels name, although they mean a wider one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Narrow {
    /// The name for messages.
    pub(crate) name: &'static str,
    /// The encoding that the labels mean. ASCII is the same in both.
    pub(crate) means: Encoding,
    /// The name of the encoding in this program, if it has it.
    exact: Option<&'static str>,
    labels: &'static str,
    pub(crate) bytes: Bytes,
}

/// The bytes of an encoding beyond ASCII.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// Single bytes that are not in the narrow encoding. Bit n is byte 0x80 + n.
    Single { outside: u128 },
    /// Pairs that are in the narrow encoding: for each lead byte from 0xA1, bit n is trail byte 0xA1 + n.
    Pairs { inside: &'static [u128; ROWS] },
}

/// The number of rows of GB 2312 and of KS C 5601, and of the characters in a row.
const ROWS: usize = 94;

/// Returns the narrower encoding that a label or alias names, if there is one.
pub(crate) fn find(label: &str) -> Option<&'static Narrow> {
    let label = label.trim_ascii().to_ascii_lowercase();
    // An alias may be spelled with other separators.
    let alias = Alias::for_name(&label).map(|alias| alias.name);
    ALL.iter().find(|narrow| narrow.labels.split(' ').any(|other| other == label || alias == Some(other)))
}

/// Returns the name of the encoding that a label names exactly, if the user wants to know about everything else: a narrower
/// encoding than the label means, or one of the exact encodings. A byte order mark contradicts such a label.
pub(crate) fn exact_name(label: &str, encoding: Encoding) -> Option<&'static str> {
    match encoding {
        US_ASCII => Some("ASCII"),
        LATIN1 => Some("ISO-8859-1"),
        _ => find(label).map(|narrow| narrow.name),
    }
}

/// Returns the narrower encodings that labels of this encoding name, each with these labels and aliases.
pub(crate) fn named_by_labels_of(encoding: Encoding) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let all = ALL.iter().filter(move |narrow| narrow.means == encoding);
    all.map(|narrow| (narrow.name, narrow.labels.split(' ').collect()))
}

/// The narrower encodings that labels of `--from` and `--to` name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) from: Option<&'static Narrow>,
    pub(crate) to: Option<&'static Narrow>,
    /// Whether anything outside these encodings is an error.
    pub(crate) strict: bool,
}

impl Narrow {
    /// Returns whether the narrow encoding has this character.
    pub(crate) fn contains(&self, character: char) -> bool {
        let mut buffer = [0; 4];
        match self.means.encode(character.encode_utf8(&mut buffer)).as_deref() {
            Ok([byte]) => !self.is_outside(*byte),
            Ok([lead, trail]) => self.has_pair(*lead, *trail),
            _ => false,
        }
    }

    /// Returns whether a single byte is a character that the narrow encoding lacks.
    pub(crate) fn is_outside(&self, byte: u8) -> bool {
        match self.bytes {
            Bytes::Single { outside } => byte >= 0x80 && outside >> (byte - 0x80) & 1 == 1,
            // A single byte in GBK: the euro sign.
            Bytes::Pairs { .. } => byte >= 0x80,
        }
    }

    /// Returns whether the narrow encoding has this pair of bytes.
    pub(crate) fn has_pair(&self, lead: u8, trail: u8) -> bool {
        match self.bytes {
            Bytes::Single { .. } => false,
            Bytes::Pairs { inside } => {
                let row = usize::from(lead).checked_sub(0xA1).and_then(|row| inside.get(row));
                (0xA1..=0xFE).contains(&trail) && row.is_some_and(|row| row >> (trail - 0xA1) & 1 == 1)
            }
        }
    }

    /// Explains the label and says what to use instead.
    pub(crate) fn advice(&self, label: &str) -> String {
        let Self { name, means, exact, .. } = self;
        let web = if Encoding::for_label(label).is_some() { ", as on the web" } else { "" };
        let exact = exact.map(|exact| format!("; for {name} alone, use {exact}")).unwrap_or_default();
        format!("'{}' means {means} here{web}; if that is meant, use {means}{exact}", label.trim_ascii())
    }
}

/// Each label and alias that names a narrower encoding than it means, except those that name a vendor's extension of it.
///
/// Sources of the repertoires: ISO/IEC 8859 with the control characters of ISO 6429, as in IANA's ISO-8859-1; TIS 620-2533;
/// GB 2312-80, 7,445 characters; KS C 5601-1987, 8,224 characters, so without the three that later editions added in row 2
/// (the euro sign, the registered sign, and the postal code mark of Korea).
static ALL: [Narrow; 7] = [
    Narrow {
        name: "ASCII",
        means: WINDOWS_1252,
        exact: Some("strict-ascii"),
        labels: "ascii us-ascii ansi_x3.4-1968 us csascii ansi-x3-4-1968 ansi-x3.4-1986",
        bytes: Bytes::Single { outside: u128::MAX },
    },
    Narrow {
        name: "ISO-8859-1",
        means: WINDOWS_1252,
        exact: Some("isomorphic"),
        labels: "iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 latin1 l1 cp819 ibm819 csisolatin1 iso-ir-100 \
                 latin-1 latin 8859 iso8859 iso-8859-1-1987",
        // 81, 8D, 8F, 90 and 9D are control characters in both.
        bytes: Bytes::Single {
            outside: bits(0x80, &[(0x80, 0x80), (0x82, 0x8C), (0x8E, 0x8E), (0x91, 0x9C), (0x9E, 0x9F)]),
        },
    },
    Narrow {
        name: "ISO-8859-9",
        means: WINDOWS_1254,
        exact: None,
        labels: "iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 latin5 l5 csisolatin5 iso-ir-148 cp28599 \
                 iso-8859-9-1989",
        bytes: Bytes::Single { outside: bits(0x80, &[(0x80, 0x80), (0x82, 0x8C), (0x91, 0x9C), (0x9F, 0x9F)]) },
    },
    Narrow {
        name: "ISO-8859-11",
        means: WINDOWS_874,
        exact: None,
        labels: "iso-8859-11 iso8859-11 iso885911 iso-8859-11-2001 thai",
        bytes: Bytes::Single { outside: bits(0x80, &[(0x80, 0x80), (0x85, 0x85), (0x91, 0x97)]) },
    },
    Narrow {
        name: "TIS-620",
        means: WINDOWS_874,
        exact: None,
        labels: "tis-620 tis620 tis-620-0 tis-620-2529-0 tis-620-2529-1 iso-ir-166",
        // Unlike ISO-8859-11, it has neither control characters nor a no-break space here.
        bytes: Bytes::Single { outside: bits(0x80, &[(0x80, 0xA0)]) },
    },
    Narrow {
        name: "GB 2312",
        means: GBK,
        exact: None,
        labels: "gb2312 gb_2312 gb_2312-80 chinese csgb2312 csiso58gb231280 iso-ir-58 euc-cn euccn cp20936 cp51936 \
                 eucgb2312-cn gb2312-1980 gb2312-80",
        bytes: Bytes::Pairs { inside: &GB_2312_ROWS },
    },
    Narrow {
        name: "KS C 5601",
        means: EUC_KR,
        exact: None,
        labels: "ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean csksc56011987 iso-ir-149 cp20949 ks-c-5601 ksx1001 \
                 ks-x-1001",
        bytes: Bytes::Pairs { inside: &KS_C_5601_ROWS },
    },
];

/// Ranges of lead bytes, with the ranges of trail bytes of their characters.
type Rows = [((u8, u8), &'static [(u8, u8)])];

const GB_2312: &Rows = &[
    ((0xA1, 0xA1), ALL_TRAILS),
    ((0xA2, 0xA2), &[(0xB1, 0xE2), (0xE5, 0xEE), (0xF1, 0xFC)]),
    ((0xA3, 0xA3), ALL_TRAILS),
    ((0xA4, 0xA4), &[(0xA1, 0xF3)]),
    ((0xA5, 0xA5), &[(0xA1, 0xF6)]),
    ((0xA6, 0xA6), &[(0xA1, 0xB8), (0xC1, 0xD8)]),
    ((0xA7, 0xA7), &[(0xA1, 0xC1), (0xD1, 0xF1)]),
    ((0xA8, 0xA8), &[(0xA1, 0xBA), (0xC5, 0xE9)]),
    ((0xA9, 0xA9), &[(0xA4, 0xEF)]),
    ((0xB0, 0xD6), ALL_TRAILS),
    ((0xD7, 0xD7), &[(0xA1, 0xF9)]),
    ((0xD8, 0xF7), ALL_TRAILS),
];

const KS_C_5601: &Rows = &[
    ((0xA1, 0xA1), ALL_TRAILS),
    ((0xA2, 0xA2), &[(0xA1, 0xE5)]),
    ((0xA3, 0xA4), ALL_TRAILS),
    ((0xA5, 0xA5), &[(0xA1, 0xAA), (0xB0, 0xB9), (0xC1, 0xD8), (0xE1, 0xF8)]),
    ((0xA6, 0xA6), &[(0xA1, 0xE4)]),
    ((0xA7, 0xA7), &[(0xA1, 0xEF)]),
    ((0xA8, 0xA8), &[(0xA1, 0xA4), (0xA6, 0xA6), (0xA8, 0xAF), (0xB1, 0xFE)]),
    ((0xA9, 0xA9), ALL_TRAILS),
    ((0xAA, 0xAA), &[(0xA1, 0xF3)]),
    ((0xAB, 0xAB), &[(0xA1, 0xF6)]),
    ((0xAC, 0xAC), &[(0xA1, 0xC1), (0xD1, 0xF1)]),
    ((0xB0, 0xC8), ALL_TRAILS),
    ((0xCA, 0xFD), ALL_TRAILS),
];

const ALL_TRAILS: &[(u8, u8)] = &[(0xA1, 0xFE)];

static GB_2312_ROWS: [u128; ROWS] = rows(GB_2312);
static KS_C_5601_ROWS: [u128; ROWS] = rows(KS_C_5601);

const fn rows(ranges: &Rows) -> [u128; ROWS] {
    let mut rows = [0; ROWS];
    let mut n = 0;
    while n < ranges.len() {
        let ((first, last), trails) = ranges[n];
        let mut lead = first;
        while lead <= last {
            rows[lead as usize - 0xA1] = bits(0xA1, trails);
            lead += 1;
        }
        n += 1;
    }
    rows
}

/// Returns a set of bytes in which bit n is byte `start` + n.
const fn bits(start: u8, ranges: &[(u8, u8)]) -> u128 {
    let mut bits = 0;
    let mut n = 0;
    while n < ranges.len() {
        let (first, last) = ranges[n];
        bits |= (u128::MAX >> (127 - (last - first))) << (first - start);
        n += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use textcodec::{Bom, DecodeOptions, LATIN1, US_ASCII};

    use super::*;
    use crate::labels;

    fn named(label: &str) -> &'static Narrow {
        find(label).unwrap()
    }

    /// Returns the character of these bytes, if there is one.
    fn character(encoding: Encoding, bytes: &[u8]) -> Option<char> {
        let decoded = encoding.decode_with(bytes, DecodeOptions::new().bom(Bom::Keep)).unwrap();
        decoded.text.chars().next().filter(|_| decoded.errors.is_empty())
    }

    #[test]
    fn every_label_means_the_wider_encoding_and_is_in_one_list() {
        let mut seen = std::collections::HashSet::new();
        for narrow in &ALL {
            for label in narrow.labels.split(' ') {
                assert_eq!(labels::find(label, true).map(|named| named.encoding), Ok(narrow.means), "{label}");
                assert!(seen.insert(label), "{label}");
            }
        }
    }

    #[test]
    fn the_names_of_encodings_and_of_code_pages_are_not_narrower() {
        for label in Encoding::ALL.iter().map(|encoding| encoding.name()) {
            assert!(find(label).is_none(), "{label}");
        }
        for label in "cp1252 x-cp1252 cp1254 x-cp1254 dos-874 x-gbk windows-949 cseuckr sjis strict-ascii".split(' ') {
            assert!(find(label).is_none(), "{label}");
        }
        assert_eq!(named(" Latin1\n").name, "ISO-8859-1");
    }

    #[test]
    fn ascii_and_iso_8859_1_are_the_exact_encodings() {
        for (label, exact) in [("ascii", US_ASCII), ("latin1", LATIN1)] {
            for byte in 0..=0xFF {
                let same = character(exact, &[byte]) == character(WINDOWS_1252, &[byte]);
                assert_eq!(named(label).is_outside(byte), !same, "{label} {byte:02X}");
            }
        }
    }

    #[test]
    fn the_control_characters_of_iso_8859_are_not_outside() {
        for label in ["iso-8859-9", "iso-8859-11"] {
            let narrow = named(label);
            for byte in 0x80..=0xFF {
                let is_added = byte < 0xA0 && character(narrow.means, &[byte]) != Some(char::from(byte));
                assert_eq!(narrow.is_outside(byte), is_added, "{label} {byte:02X}");
            }
        }
    }

    #[test]
    fn the_double_byte_sets_have_the_published_number_of_characters() {
        for (label, count) in [("gb2312", 7445), ("ks_c_5601-1987", 8224)] {
            let narrow = named(label);
            let mut inside = 0;
            for (lead, trail) in (0x81..=0xFE).flat_map(|lead| (0x40..=0xFE).map(move |trail| (lead, trail))) {
                let character = character(narrow.means, &[lead, trail]);
                let is_inside = narrow.has_pair(lead, trail);
                inside += usize::from(is_inside);
                assert!(!is_inside || character.is_some(), "{label} {lead:02X} {trail:02X}");
                // A second form of the ideographic space.
                if let Some(character) = character.filter(|_| (lead, trail) != (0xA3, 0xA0)) {
                    assert_eq!(narrow.contains(character), is_inside, "{label} {lead:02X} {trail:02X}");
                }
            }
            assert_eq!(inside, count, "{label}");
        }
    }

    #[test]
    fn characters_that_extensions_added_are_outside() {
        for (label, inside, outside) in [
            ("ascii", "a~\u{7F}", "é\u{80}€😀"),
            ("latin1", "aÿ\u{A0}\u{81}", "€“Ÿ"),
            ("latin5", "aÿğİ\u{81}", "€š"),
            ("tis-620", "aกโ฿", "€…\u{A0}\u{81}"),
            ("iso-8859-11", "aก\u{A0}\u{81}", "€…"),
            ("gb2312", "a、啊齄ㄅ─Ωа", "€國ⅰ︵ǹ〇鎔"),
            ("ksc5601", "a가각힝伽詰、ㆎ㉻\u{3164}", "€®㉾힣갂뷁똠"),
        ] {
            let narrow = named(label);
            for c in inside.chars() {
                assert!(narrow.contains(c), "{label} {c}");
            }
            for c in outside.chars() {
                assert!(!narrow.contains(c), "{label} {c}");
            }
        }
    }

    #[test]
    fn the_advice_names_the_encoding_that_the_label_means() {
        assert_eq!(
            named("ascii").advice(" ascii"),
            "'ascii' means windows-1252 here, as on the web; if that is meant, use windows-1252; \
             for ASCII alone, use strict-ascii"
        );
        assert_eq!(
            named("cp28599").advice("cp28599"),
            "'cp28599' means windows-1254 here; if that is meant, use windows-1254"
        );
    }
}
