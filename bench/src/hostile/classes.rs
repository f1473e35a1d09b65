//! Classes of byte sequences to decode in each encoding: common, rare and malformed ones.

use Kind::{Ascii, Bad, Common, Rare};

/// The role of a class in ordinary text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ascii,
    Common,
    /// Well-formed, but rare in articles.
    Rare,
    /// Malformed or unmappable: the result has at least one U+FFFD or replacement.
    Bad,
}

/// Bytes or code units that represent a class of similar ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class<T: 'static> {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) units: &'static [T],
}

/// An encoding's classes. `prefix` selects the state of a stateful encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Classes<T: 'static> {
    pub(crate) encoding: &'static str,
    pub(crate) prefix: &'static [T],
    pub(crate) all: &'static [Class<T>],
}

pub(super) const fn class<T>(name: &'static str, kind: Kind, units: &'static [T]) -> Class<T> {
    Class { name, kind, units }
}

pub(super) const fn of<T>(encoding: &'static str, all: &'static [Class<T>]) -> Classes<T> {
    Classes { encoding, prefix: &[], all }
}

const ASCII: Class<u8> = class("ascii", Ascii, b"a");

/// The classes of UTF-8, UTF-16, all multi-byte encodings, and single-byte encodings with no, few and many unmapped bytes.
pub(crate) const ALL: [Classes<u8>; 22] = [
    of("UTF-8", UTF_8),
    of("UTF-16LE", UTF_16LE),
    of("UTF-16BE", UTF_16BE),
    of(
        "windows-1252",
        &[ASCII, class("letter", Common, b"\xE9"), class("euro", Rare, b"\x80"), class("c1", Rare, b"\x81")],
    ),
    of(
        "windows-1253",
        &[ASCII, class("letter", Common, b"\xE1"), class("euro", Rare, b"\x80"), class("hole", Bad, b"\xD2")],
    ),
    of(
        "windows-874",
        &[ASCII, class("letter", Common, b"\xA1"), class("c1", Rare, b"\x81"), class("hole", Bad, b"\xDB")],
    ),
    of(
        "windows-1255",
        &[ASCII, class("letter", Common, b"\xE0"), class("euro", Rare, b"\x80"), class("hole", Bad, b"\xD9")],
    ),
    of(
        "ISO-8859-6",
        &[ASCII, class("letter", Common, b"\xC7"), class("c1", Rare, b"\x81"), class("hole", Bad, b"\xA1")],
    ),
    of(
        "ISO-8859-8",
        &[ASCII, class("letter", Common, b"\xE0"), class("c1", Rare, b"\x81"), class("hole", Bad, b"\xBF")],
    ),
    of("KOI8-U", &[ASCII, class("letter", Common, b"\xC1"), class("box", Rare, b"\x80")]),
    of("macintosh", &[ASCII, class("letter", Common, b"\x8E"), class("apple", Rare, b"\xF0")]),
    of("x-user-defined", &[ASCII, class("private", Common, b"\x80")]),
    of("Big5", BIG5),
    of("EUC-JP", EUC_JP),
    of("EUC-KR", EUC_KR),
    of("GBK", GB18030),
    of("gb18030", GB18030),
    of("Shift_JIS", SHIFT_JIS),
    of("ISO-2022-JP", ISO_2022_JP_ESCAPES),
    Classes { encoding: "ISO-2022-JP", prefix: b"\x1B$B", all: ISO_2022_JP_PAIRS },
    Classes { encoding: "ISO-2022-JP", prefix: b"\x1B(I", all: ISO_2022_JP_KATAKANA },
    Classes { encoding: "ISO-2022-JP", prefix: b"\x1B(J", all: ISO_2022_JP_ROMAN },
];

const UTF_8: &[Class<u8>] = &[
    ASCII,
    class("two", Common, b"\xC3\xA9"),
    class("three", Common, "中".as_bytes()),
    class("four", Rare, "😀".as_bytes()),
    class("fffd", Rare, "\u{FFFD}".as_bytes()),
    class("trail", Bad, b"\x80"),
    class("ff", Bad, b"\xFF"),
    class("overlong-two", Bad, b"\xC0\x80"),
    class("overlong-three", Bad, b"\xE0\x80\x80"),
    class("overlong-four", Bad, b"\xF0\x80\x80\x80"),
    class("surrogate", Bad, b"\xED\xA0\x80"),
    class("above", Bad, b"\xF4\x90\x80\x80"),
    class("far-above", Bad, b"\xF5\x80\x80\x80"),
    class("cut-two", Bad, b"\xC3"),
    class("cut-three-1", Bad, b"\xE4"),
    class("cut-three-2", Bad, b"\xE4\xB8"),
    class("cut-four-1", Bad, b"\xF0"),
    class("cut-four-2", Bad, b"\xF0\x9F"),
    class("cut-four-3", Bad, b"\xF0\x9F\x98"),
    class("cut-three-ascii", Bad, b"\xE4\xB8a"),
];

const UTF_16LE: &[Class<u8>] = &[
    class("ascii", Ascii, b"a\0"),
    class("latin", Rare, b"\xE9\0"),
    class("han", Common, b"\x2D\x4E"),
    class("pair", Rare, b"\x3D\xD8\0\xDE"),
    class("high", Bad, b"\x3D\xD8"),
    class("low", Bad, b"\0\xDE"),
    class("low-high-ascii", Bad, b"\0\xDE\x3D\xD8a\0"),
];

const UTF_16BE: &[Class<u8>] = &[
    class("ascii", Ascii, b"\0a"),
    class("latin", Rare, b"\0\xE9"),
    class("han", Common, b"\x4E\x2D"),
    class("pair", Rare, b"\xD8\x3D\xDE\0"),
    class("high", Bad, b"\xD8\x3D"),
    class("low", Bad, b"\xDE\0"),
    class("low-high-ascii", Bad, b"\xDE\0\xD8\x3D\0a"),
];

const BIG5: &[Class<u8>] = &[
    ASCII,
    class("pair", Common, b"\xA4\xA4"),
    class("pair-ascii-trail", Common, b"\xA4\x40"),
    class("hkscs", Rare, b"\x87\x40"),
    class("plane-2", Rare, b"\x87\x45"),
    class("two-code-points", Rare, b"\x88\x62"),
    class("unmapped-ascii-trail", Bad, b"\x81a"),
    class("unmapped", Bad, b"\x81\xA1"),
    class("bad-lead", Bad, b"\xFF"),
    class("x80", Bad, b"\x80"),
    class("lead-ascii", Bad, b"\xA4 "),
    class("lead-bad", Bad, b"\xA4\xFF"),
    class("lead-lead", Bad, b"\x81\x81"),
];

const EUC_JP: &[Class<u8>] = &[
    ASCII,
    class("pair", Common, b"\xA4\xA2"),
    class("half-width", Rare, b"\x8E\xB1"),
    class("three", Rare, b"\x8F\xB0\xA1"),
    class("unmapped", Bad, b"\xA9\xA1"),
    class("three-unmapped", Bad, b"\x8F\xA1\xA1"),
    class("bad-lead", Bad, b"\xFF"),
    class("x80", Bad, b"\x80"),
    class("lead-ascii", Bad, b"\xA4a"),
    class("lead-bad", Bad, b"\xA4\xFF"),
    class("lead-8e", Bad, b"\xA4\x8E"),
    class("8e-ascii", Bad, b"\x8Ea"),
    class("8e-bad", Bad, b"\x8E\xFF"),
    class("8e-kanji-trail", Bad, b"\x8E\xE0"),
    class("8f-ascii", Bad, b"\x8Fa"),
    class("8f-lead-ascii", Bad, b"\x8F\xB0a"),
    class("8f-bad", Bad, b"\x8F\xFF"),
    class("8f-8f", Bad, b"\x8F\x8F"),
];

const EUC_KR: &[Class<u8>] = &[
    ASCII,
    class("pair", Common, b"\xB0\xA1"),
    class("pair-ascii-trail", Rare, b"\x81A"),
    class("hanja", Rare, b"\xCA\xA1"),
    class("unmapped-ascii-trail", Bad, b"\xC7a"),
    class("unmapped", Bad, b"\xC9\xA1"),
    class("bad-lead", Bad, b"\xFF"),
    class("x80", Bad, b"\x80"),
    class("lead-ascii", Bad, b"\xB0 "),
    class("lead-bad", Bad, b"\xB0\xFF"),
    class("lead-80", Bad, b"\xB0\x80"),
];

const GB18030: &[Class<u8>] = &[
    ASCII,
    class("pair", Common, b"\xB0\xA1"),
    class("pair-ascii-trail", Rare, b"\x81\x40"),
    class("private", Rare, b"\xAA\xA1"),
    class("euro", Rare, b"\x80"),
    class("hangul", Rare, b"\x82\x37\xCF\x35"),
    class("vietnamese", Rare, b"\x81\x35\xFE\x35"),
    class("short-range", Rare, b"\x81\x30\x84\x36"),
    class("emoji", Rare, b"\x94\x39\xFC\x36"),
    class("last", Rare, b"\xE3\x32\x9A\x35"),
    class("four-unmapped", Bad, b"\x84\x31\xA5\x30"),
    class("four-above", Bad, b"\xFE\x39\xFE\x39"),
    class("cut-ascii", Bad, b"\x81\x30!!"),
    class("cut-lead-ascii", Bad, b"\x81\x30\x81a"),
    class("cut-four-cut", Bad, b"\x81\x30\x81"),
    class("bad-lead", Bad, b"\xFF"),
    class("lead-ascii", Bad, b"\xB0 "),
    class("lead-7f", Bad, b"\xB0\x7F"),
    class("lead-bad", Bad, b"\xB0\xFF"),
];

const SHIFT_JIS: &[Class<u8>] = &[
    ASCII,
    class("pair", Common, b"\x82\xA0"),
    class("pair-ascii-trail", Common, b"\x83\x5C"),
    class("half-width", Rare, b"\xB1"),
    class("user-defined", Rare, b"\xF0\x40"),
    class("x80", Rare, b"\x80"),
    class("unmapped-ascii-trail", Bad, b"\x85\x40"),
    class("unmapped", Bad, b"\x85\x9F"),
    class("bad-lead", Bad, b"\xFF"),
    class("a0", Bad, b"\xA0"),
    class("lead-ascii", Bad, b"\x82 "),
    class("lead-bad", Bad, b"\x82\xFF"),
    class("lead-lead", Bad, b"\xEF\xEF"),
];

const ISO_2022_JP_ESCAPES: &[Class<u8>] = &[
    ASCII,
    class("kanji-word", Common, b"\x1B$B\x24\x22\x30\x21\x1B(B "),
    class("roman-word", Rare, b"\x1B(Ja\x1B(B "),
    class("katakana-word", Rare, b"\x1B(I1\x1B(B "),
    class("kanji-kanji", Rare, b"\x1B$B\x24\x22\x1B$@\x30\x21"),
    class("roman-katakana", Rare, b"\x1B(Ja\x1B(I1"),
    class("empty-escapes", Bad, b"\x1B$B\x1B(B"),
    class("same-escape", Bad, b"\x1B(B"),
    class("katakana-escape", Bad, b"\x1B(I"),
    class("esc", Bad, b"\x1B"),
    class("esc-ascii", Bad, b"\x1Ba"),
    class("esc-dollar", Bad, b"\x1B$"),
    class("esc-paren-ascii", Bad, b"\x1B(a"),
    class("shift-out", Bad, b"\x0E"),
    class("shift-in", Bad, b"\x0F"),
    class("high", Bad, b"\xFF"),
];

const ISO_2022_JP_PAIRS: &[Class<u8>] = &[
    class("pair", Common, b"\x24\x22"),
    class("kanji", Common, b"\x30\x21"),
    class("reentered-pair", Rare, b"\x1B$B\x24\x22"),
    class("unmapped", Bad, b"\x29\x21"),
    class("lead-newline", Bad, b"\x24\n"),
    class("lead-high", Bad, b"\x24\xFF"),
    class("lead-esc", Bad, b"\x24\x1B"),
    class("lead-escape-pair", Bad, b"\x24\x1B$B\x24\x22"),
    class("esc", Bad, b"\x1B"),
    class("empty-escape", Bad, b"\x1B$B"),
    class("newline", Bad, b"\n"),
    class("shift-out", Bad, b"\x0E"),
    class("high", Bad, b"\xFF"),
];

const ISO_2022_JP_KATAKANA: &[Class<u8>] = &[
    class("katakana", Common, b"1"),
    class("reentered", Rare, b"\x1B(I1"),
    class("ascii-above", Bad, b"a"),
    class("esc", Bad, b"\x1B"),
    class("high", Bad, b"\xFF"),
];

const ISO_2022_JP_ROMAN: &[Class<u8>] = &[
    ASCII,
    class("yen", Rare, b"\\"),
    class("overline", Rare, b"~"),
    class("esc", Bad, b"\x1B"),
    class("shift-out", Bad, b"\x0E"),
    class("high", Bad, b"\xFF"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bad_classes_are_malformed() {
        for Classes { encoding, prefix, all } in ALL {
            let ours = textcodec::Encoding::for_label(encoding).unwrap();
            for Class { name, kind, units: bytes } in all {
                // Twice, because two adjacent escape sequences are an error, but a single one is not.
                let start = if bytes.starts_with(b"\x1B") { &[] } else { prefix };
                let errors = ours.decode(&[start, *bytes, bytes].concat()).errors.count();
                assert_eq!(errors > 0, *kind == Bad, "{encoding} {name}");
            }
        }
    }

    #[test]
    fn names_are_unique() {
        for Classes { encoding, all, .. } in ALL {
            for (at, class) in all.iter().enumerate() {
                assert!(all[..at].iter().all(|other| other.name != class.name), "{encoding} {}", class.name);
            }
        }
    }
}
