//! The allowed differences.

use std::fmt;

use crate::{characters, decode, encode, inputs, replaced};

/// A difference between a model and a program.
pub(crate) struct Case<'a> {
    pub(crate) encoding: &'a str,
    pub(crate) program: &'a str,
    pub(crate) is_decoding: bool,
    /// Bytes, or a text in UTF-32.
    pub(crate) input: &'a [u8],
    /// Text in UTF-32, or bytes; `None` for an error.
    pub(crate) ours: Option<&'a [u8]>,
    pub(crate) theirs: Option<&'a [u8]>,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X?}: {:02X?}, theirs {:02X?}", self.input, self.ours, self.theirs)
    }
}

impl Case<'_> {
    /// Whether only the program accepts the input.
    fn only_theirs(&self) -> bool {
        self.ours.is_none() && self.theirs.is_some()
    }

    fn only_ours(&self) -> bool {
        self.ours.is_some() && self.theirs.is_none()
    }

    fn has(&self, bytes: &[u8]) -> bool {
        self.input.windows(bytes.len()).any(|part| part == bytes)
    }

    /// Whether the input has one of some first bytes, followed by the end or by one of the second ones.
    fn has_pair(&self, first: impl Fn(u8) -> bool, second: impl Fn(Option<u8>) -> bool) -> bool {
        (0..self.input.len()).any(|at| first(self.input[at]) && second(self.input.get(at + 1).copied()))
    }

    /// Whether the model reads the program's bytes as the same text.
    fn is_same_text(&self) -> bool {
        self.theirs.is_some_and(|theirs| decode(self.encoding, theirs).as_deref() == Some(self.input))
    }

    /// Whether the program returns the text that the model returns with errors, without these.
    fn ignores_errors(&self) -> bool {
        self.is_decoding && self.theirs == Some(&replaced(self.encoding, self.input))
    }

    /// Whether the text is a single character, or the bytes have a single pair.
    fn is_single_character(&self) -> bool {
        if self.is_decoding { matches!(self.input, [b'~', b'{', _, _, b'~', b'}']) } else { self.input.len() == 4 }
    }

    /// Whether the program writes nothing but a header.
    fn is_header(&self) -> bool {
        self.theirs.is_some_and(|theirs| theirs.is_empty() || theirs == b"\x1B$)C")
    }

    /// Whether the program's result is that of the model for the text without some characters.
    fn is_without(&self, dropped: impl Fn(char) -> bool) -> bool {
        let rest: String = characters(self.input).filter(|&c| !dropped(c)).collect();
        rest.chars().count() * 4 < self.input.len()
            && encode(self.encoding, &inputs::utf32(&rest)).as_deref() == self.theirs
    }
}

type Rule = (&'static str, fn(&Case<'_>) -> bool);

/// Each rule with its reason. The first one that applies is counted.
const RULES: &[Rule] = &[
    ("UTF-7: ICU and CPython write set O directly, which RFC 2152 makes optional", |case| {
        case.encoding == "UTF-7" && !case.is_decoding && case.program != "glibc" && case.is_same_text()
    }),
    (
        "UTF-7: CPython decodes every ASCII byte outside of base64, RFC 2152 has no tilde, backslash and controls",
        |case| {
            let is_excluded = |byte| matches!(byte, 0..=8 | 11..=12 | 14..=31 | b'\\' | b'~' | 0x7F);
            (case.encoding, case.program) == ("UTF-7", "python")
                && case.only_theirs()
                && case.has_pair(is_excluded, |_| true)
        },
    ),
    ("UTF-32: without a mark, CPython and glibc use the order of the machine", |case| {
        let has_mark = case.input.starts_with(b"\0\0\xFE\xFF") || case.input.starts_with(b"\xFF\xFE\0\0");
        let order = if cfg!(target_endian = "big") { "UTF-32BE" } else { "UTF-32LE" };
        case.encoding == "UTF-32"
            && case.is_decoding
            && !has_mark
            && decode(order, case.input).as_deref() == case.theirs
    }),
    ("UTF-32: all three write the order of the machine, with a mark", |case| {
        let order = if cfg!(target_endian = "big") { "UTF-32BE" } else { "UTF-32LE" };
        let text = [&[0x00, 0x00, 0xFE, 0xFF], case.input].concat();
        case.encoding == "UTF-32" && !case.is_decoding && encode(order, &text).as_deref() == case.theirs
    }),
    ("glibc drops tag characters instead of reporting them", |case| {
        !case.is_decoding && case.program == "glibc" && case.is_without(|c| ('\u{E0000}'..='\u{E007F}').contains(&c))
    }),
    ("CESU-8, UTF-7, UTF-7-IMAP: ICU and CPython decode unpaired surrogates", |case| {
        let is_surrogate = |four: &[u8]| matches!(four, [0, 0, 0xD8..=0xDF, _]);
        case.program != "glibc"
            && case.only_theirs()
            && case.theirs.is_some_and(|text| text.chunks(4).any(is_surrogate))
    }),
    ("UTF-7: CPython and ICU accept a plus sign at the end of the input", |case| {
        case.encoding == "UTF-7" && case.program != "glibc" && case.input.ends_with(b"+") && case.ignores_errors()
    }),
    ("UTF-7, UTF-7-IMAP: glibc ignores digits that are no code unit, and a shift character without digits", |case| {
        case.encoding.starts_with("UTF-7") && case.program == "glibc" && case.ignores_errors()
    }),
    ("UTF-7-IMAP: glibc accepts a run that the input ends without a hyphen", |case| {
        let closed = [case.input, b"-"].concat();
        case.encoding == "UTF-7-IMAP"
            && case.program == "glibc"
            && decode(case.encoding, &closed).as_deref() == case.theirs
    }),
    ("HZ: CPython has GB 2312 without the additions of GBK and without private use", |case| {
        (case.encoding, case.program) == ("true-hz", "python") && case.only_ours() && case.is_single_character()
    }),
    ("HZ: CPython has U+30FB and U+2015 in GB 2312 where GBK has U+00B7 and U+2014", |case| {
        let (text, bytes) =
            if case.is_decoding { (case.theirs, Some(case.input)) } else { (Some(case.input), case.theirs) };
        case.encoding == "true-hz"
            && case.program == "python"
            && matches!(
                (text, bytes),
                (Some([0, 0, 0x30, 0xFB]), Some(b"~{!$~}")) | (Some([0, 0, 0x20, 0x15]), Some(b"~{!*~}"))
            )
    }),
    ("HZ: ICU has the characters of old tables for private use in pairs that have others now", |case| {
        let other = if case.is_decoding { case.theirs } else { Some(case.input) };
        (case.encoding, case.program) == ("true-hz", "icu")
            && case.is_single_character()
            && matches!(other, Some([0, 0, 0xE0..=0xF8, _]))
    }),
    ("HZ: ICU encodes rows 0x78 to 0x7E, which RFC 1843 excludes, and decodes them", |case| {
        let rows =
            |bytes: &[u8]| matches!(bytes, [b'~', b'{', 0x78..=0x7E, ..] | [b'~', b'}', b'~', b'{', 0x78..=0x7E, ..]);
        let bytes = if case.is_decoding { Some(case.input) } else { case.theirs };
        (case.encoding, case.program) == ("true-hz", "icu") && case.only_theirs() && bytes.is_some_and(rows)
    }),
    ("HZ: ICU starts an ASCII text with ~} and does not end in ASCII", |case| {
        let theirs = case.theirs.map(|theirs| theirs.strip_prefix(b"~}").unwrap_or(theirs));
        case.encoding == "true-hz"
            && !case.is_decoding
            && theirs.is_some_and(|theirs| decode(case.encoding, theirs).as_deref() == Some(case.input))
    }),
    ("HZ: CPython accepts an empty run", |case| {
        (case.encoding, case.program) == ("true-hz", "python") && case.has(b"~{~}") && case.ignores_errors()
    }),
    ("HZ: CPython reports a line feed in GB 2312", |case| {
        (case.encoding, case.program) == ("true-hz", "python") && case.only_ours() && case.has(b"\n")
    }),
    ("HZ: ICU ignores ~} in ASCII and ~{ in GB 2312", |case| {
        (case.encoding, case.program) == ("true-hz", "icu")
            && case.only_theirs()
            && (case.has(b"~}") || case.has(b"~{"))
    }),
    ("HZ: ICU drops a line feed in GB 2312", |case| {
        (case.encoding, case.program) == ("true-hz", "icu") && case.is_decoding && case.has(b"\n") && case.has(b"~{")
    }),
    ("ISO-2022-KR: CPython writes the header before the first pair only", |case| {
        let without = |bytes: Option<&[u8]>| {
            let bytes = bytes?;
            let at = bytes.windows(4).position(|part| part == b"\x1B$)C");
            Some(at.map_or(bytes.to_vec(), |at| [&bytes[..at], &bytes[at + 4..]].concat()))
        };
        let is_encoding = case.encoding == "true-iso-2022-kr" && case.program == "python" && !case.is_decoding;
        is_encoding && case.theirs.is_some() && without(case.ours) == without(case.theirs)
    }),
    ("ISO-2022-KR: CPython and glibc accept SO before SI, and ICU does with a header between them", |case| {
        case.encoding == "true-iso-2022-kr" && case.has(b"\x0E") && case.ignores_errors()
    }),
    ("ISO-2022-KR, JOHAB: glibc has U+327E, which index EUC-KR lacks", |case| {
        let text = if case.is_decoding { case.theirs } else { Some(case.input) };
        case.program == "glibc" && case.only_theirs() && text == Some(&[0, 0, 0x32, 0x7E])
    }),
    ("ISO-2022-KR: CPython and glibc write U+000E, U+000F and U+001B", |case| {
        case.encoding == "true-iso-2022-kr"
            && case.only_theirs()
            && !case.is_decoding
            && matches!(case.input, [0, 0, 0, 0x0E | 0x0F | 0x1B])
    }),
    ("JOHAB: glibc has the won sign U+20A9 at 5C", |case| {
        let won =
            |text: &[u8]| inputs::utf32(&characters(text).map(|c| if c == '\\' { '₩' } else { c }).collect::<String>());
        let backslash =
            |text: &[u8]| inputs::utf32(&characters(text).map(|c| if c == '₩' { '\\' } else { c }).collect::<String>());
        let is_same = match case.is_decoding {
            true => case.ours.map(won).as_deref() == case.theirs,
            false if characters(case.input).any(|c| c == '\\') => case.theirs.is_none(),
            false => encode(case.encoding, &backslash(case.input)).as_deref() == case.theirs,
        };
        (case.encoding, case.program) == ("JOHAB", "glibc") && is_same
    }),
    ("ICU drops characters that are ignored by default instead of reporting them", |case| {
        !case.is_decoding
            && case.program == "icu"
            && case.only_theirs()
            && case.is_single_character()
            && case.is_header()
    }),
    ("GSM: ICU decodes an escape without a known extension as a space or a no-break space", |case| {
        (case.encoding, case.program) == ("GSM-03.38", "icu") && case.only_theirs() && case.has(b"\x1B")
    }),
    (
        "ISO-2022-KR: ICU has IBM's table: other characters for some pairs and controls, private use, no backslash",
        |case| {
            let is_icu = (case.encoding, case.program) == ("true-iso-2022-kr", "icu");
            let is_pair = case.is_decoding && case.input.len() == 8 && case.has(b"\x0E");
            let is_private = |four: &[u8]| matches!(four, [0, 0, 0xE0..=0xF8, _]);
            let has_private = case.is_decoding && case.theirs.is_some_and(|text| text.chunks(4).any(is_private));
            let has_backslash = !case.is_decoding && case.only_ours() && characters(case.input).any(|c| c == '\\');
            is_icu && (has_private || is_pair || has_backslash || !case.is_decoding && case.is_single_character())
        },
    ),
    ("UTF-7, UTF-7-IMAP: glibc and ICU do not check the bits and digits that are left at the end of a run", |case| {
        let shift: &[u8] = if case.encoding == "UTF-7" { b"+" } else { b"&" };
        case.encoding.starts_with("UTF-7") && case.program != "python" && case.only_theirs() && case.has(shift)
    }),
    ("UTF-32, ISO-2022-KR: glibc or ICU write no header before an empty text", |case| {
        !case.is_decoding && case.input.is_empty() && case.theirs == Some(&[])
    }),
    ("HZ: ICU accepts a tilde at the end of the input", |case| {
        (case.encoding, case.program) == ("true-hz", "icu") && case.input.ends_with(b"~") && case.ignores_errors()
    }),
    ("HZ: ICU lacks the characters that index gb18030 has instead of private use", |case| {
        (case.encoding, case.program) == ("true-hz", "icu")
            && case.only_ours()
            && !case.is_decoding
            && case.is_single_character()
    }),
    ("HZ: ICU writes ~~ in GB 2312, and ~} after ~~", |case| {
        let is_icu = (case.encoding, case.program) == ("true-hz", "icu");
        is_icu && !case.is_decoding && characters(case.input).any(|c| c == '~') && case.theirs.is_some()
    }),
    ("ISO-2022-KR: CPython accepts controls in KS X 1001", |case| {
        let has_control = case.has_pair(|byte| matches!(byte, b'\t' | b'\r' | b' '), |_| true);
        let is_python = (case.encoding, case.program) == ("true-iso-2022-kr", "python");
        is_python && case.only_theirs() && case.has(b"\x0E") && has_control
    }),
    ("ISO-2022-KR: glibc and ICU report a line feed in KS X 1001", |case| {
        case.encoding == "true-iso-2022-kr" && case.only_ours() && case.has(b"\x0E") && case.has(b"\n")
    }),
    ("JOHAB: glibc lacks the fill codes, 84 41", |case| {
        (case.encoding, case.program) == ("JOHAB", "glibc") && case.only_ours() && case.has(b"\x84\x41")
    }),
    ("HZ: ICU reports an empty run at the end of the input", |case| {
        (case.encoding, case.program) == ("true-hz", "icu") && case.only_ours() && case.input.ends_with(b"~{")
    }),
    ("JOHAB: glibc lacks lone final consonants that are also initial ones", |case| {
        (case.encoding, case.program) == ("JOHAB", "glibc") && case.only_ours() && matches!(case.input, [0x84, _])
    }),
    ("ISO-2022-KR: ICU reports a repeated SO before SI", |case| {
        (case.encoding, case.program) == ("true-iso-2022-kr", "icu") && case.only_ours() && case.has(b"\x0E\x0F")
    }),
];

/// The names of all rules.
pub(crate) const ALL: &[&str] = &{
    let mut names = [""; RULES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = RULES[at].0;
        at += 1;
    }
    names
};

/// Returns the rule for a difference.
pub(crate) fn explain(case: &Case<'_>) -> Option<&'static str> {
    RULES.iter().find(|(_, applies)| applies(case)).map(|(name, _)| *name)
}
