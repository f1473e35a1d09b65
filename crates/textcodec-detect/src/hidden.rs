//! Encodings that write other characters in ASCII, and EBCDIC whose bytes are all below 80.

use alloc::vec::Vec;
use core::fmt;

use textcodec::{Alias, Encoding};
use textcodec_language::{Char, Group};

use crate::detection::Confidence;

/// What ASCII may be instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// ISO-2022-KR: its header is an escape sequence.
    Iso2022Kr,
    /// Another form of ISO-2022.
    Iso2022,
    /// HZ: pairs of bytes between `~{` and `~}`.
    Hz,
    /// UTF-7: UTF-16 in base64 between `+` and `-`.
    Utf7,
    /// EBCDIC, whose space is `@`.
    Ebcdic,
}

impl Hidden {
    /// Looks for one of them in ASCII.
    pub(crate) fn find(block: &[u8]) -> Option<Self> {
        // Most text has none of these bytes, and looking for one is fast.
        if block.contains(&0x1B) {
            if contains(block, b"\x1B$)C") {
                return Some(Self::Iso2022Kr);
            }
            if contains(block, b"\x1B$") {
                return Some(Self::Iso2022);
            }
        }
        if block.contains(&b'~') && find_all(block, b"~{").any(is_hz) {
            return Some(Self::Hz);
        }
        if is_ebcdic(block) {
            return Some(Self::Ebcdic);
        }
        (block.contains(&b'+') && is_utf_7(block)).then_some(Self::Utf7)
    }

    /// Returns the encoding, if this build has it. UTF-7 is never an answer, because text in ASCII that is read as UTF-7 is an attack.
    pub(crate) fn encoding(self) -> Option<Encoding> {
        let name = match self {
            Self::Iso2022Kr => "true-iso-2022-kr",
            Self::Hz => "true-hz",
            Self::Iso2022 | Self::Utf7 | Self::Ebcdic => return None,
        };
        Alias::for_name(name).map(|alias| alias.encoding)
    }

    pub(crate) fn confidence(self) -> Confidence {
        if self == Self::Iso2022Kr { Confidence::High } else { Confidence::Medium }
    }
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Iso2022Kr => "there is the header of ISO-2022-KR",
            Self::Iso2022 => "there is an escape sequence of ISO-2022",
            Self::Hz => "there are sequences of HZ",
            Self::Utf7 => "there are sequences of UTF-7, which -f UTF-7 decodes",
            Self::Ebcdic => "they have no spaces and many @, as text in EBCDIC has",
        })
    }
}

fn contains(block: &[u8], pattern: &[u8]) -> bool {
    block.windows(pattern.len()).any(|window| window == pattern)
}

/// Returns what follows each occurrence of a pattern.
fn find_all<'a>(block: &'a [u8], pattern: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let is_found = move |at: &usize| block[*at..].starts_with(pattern);
    (0..block.len()).filter(is_found).map(move |at| &block[at + pattern.len()..])
}

/// Returns whether pairs of bytes follow until `~}`, as in GB 2312.
fn is_hz(after: &[u8]) -> bool {
    let is_pair = |pair: &&[u8; 2]| matches!(pair, [0x21..=0x77, 0x21..=0x7E]);
    let (pairs, _) = after.as_chunks::<2>();
    let count = pairs.iter().take_while(is_pair).take(MAX_HZ).count();
    count > 0 && pairs.get(count) == Some(b"~}")
}

/// The maximum number of pairs in a line of HZ that are looked at.
const MAX_HZ: usize = 128;

/// Returns whether every `+` starts letters beyond ASCII in base64, or is written as `+-`.
fn is_utf_7(block: &[u8]) -> bool {
    let mut has_letters = false;
    let mut rest = block;
    while let Some(at) = rest.iter().position(|&byte| byte == b'+') {
        rest = &rest[at + 1..];
        if rest.first() == Some(&b'-') {
            continue;
        }
        let Some(len) = len_of_letters(rest) else { return false };
        has_letters = true;
        rest = &rest[len..];
    }
    has_letters
}

/// Returns the length of letters beyond ASCII in base64.
fn len_of_letters(after: &[u8]) -> Option<usize> {
    let value = |byte: &u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let values: Vec<u8> = after.iter().map_while(value).collect();
    let bits: Vec<bool> = values.iter().flat_map(|value| (0..6).rev().map(move |bit| value >> bit & 1 == 1)).collect();
    let unit = |bits: &[bool]| bits.iter().fold(0_u16, |unit, &bit| unit << 1 | u16::from(bit));
    let (units, end) = bits.as_chunks::<16>();
    let is_letter = |bits: &[bool; 16]| {
        // Signs of ASCII are often written in base64, too.
        let c = char::from_u32(unit(bits).into());
        c.is_none_or(|c| c.is_ascii() || c >= '\u{A0}' && !matches!(Char::new(c).group(), Group::Never | Group::Rare))
    };
    let is_text = !units.is_empty() && units.iter().all(is_letter) && end.len() < 6 && !end.contains(&true);
    is_text.then_some(values.len())
}

/// Returns whether the block has no white space of ASCII, but many `@`.
fn is_ebcdic(block: &[u8]) -> bool {
    let is_possible = block.len() >= 16 && !block.contains(&b' ') && !block.contains(&b'\n');
    is_possible && block.iter().map(|&byte| usize::from(byte == b'@')).sum::<usize>() * 20 > block.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ascii_may_hide() {
        for (text, hidden) in [
            (&b"\x1B$)C\x0E>H3g\x0F"[..], Some(Hidden::Iso2022Kr)),
            (b"~{<:Ky2;S{#,NpJ)l6HK!#~}", Some(Hidden::Hz)),
            (b"Hi Mom +Jjo-!", Some(Hidden::Utf7)),
            (b"a+AOQ-b", Some(Hidden::Utf7)),
            (b"HELLO@@WORLD@@@@AND@MORE", Some(Hidden::Ebcdic)),
            (b"C++ and 1+1-2, +49-30, a+b-c, +1234-", None),
            (b"~{ a ~} ~{x~}", None),
            (b"someone@example.org wrote", None),
        ] {
            assert_eq!(Hidden::find(text), hidden, "{}", text.escape_ascii());
        }
    }
}
