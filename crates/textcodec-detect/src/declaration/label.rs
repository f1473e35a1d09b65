//! Labels that are not in the standard, such as `IBM437`: what looks like one, and what does not.

use alloc::string::String;

/// Returns whether text in the place of a label looks like the name of an encoding. This excludes expressions of template
/// languages, such as `{{ charset }}`, and placeholders, such as `CHARSET` in the PO files that xgettext writes.
pub(super) fn looks_like_label(label: &[u8]) -> bool {
    const MAX_LEN: usize = 40;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'+');
    let is_placeholder = PLACEHOLDERS.iter().any(|other| label.eq_ignore_ascii_case(other.as_bytes()));
    label.len() <= MAX_LEN
        && label.first().is_some_and(u8::is_ascii_alphanumeric)
        && label.iter().any(u8::is_ascii_alphabetic)
        && label.iter().all(is_name)
        && !is_placeholder
}

const PLACEHOLDERS: [&str; 2] = ["charset", "encoding"];

/// Returns whether a label is known, but says that the encoding is not.
pub(super) fn leaves_open(label: &str) -> bool {
    OPEN.iter().any(|other| label.eq_ignore_ascii_case(other))
}

/// Words of mail ([RFC 1428](https://www.rfc-editor.org/rfc/rfc1428)), of Emacs and of databases.
const OPEN: [&str; 13] = [
    "unknown",
    "unknown-8bit",
    "x-unknown",
    "8bit",
    "auto",
    "binary",
    "default",
    "no-conversion",
    "none",
    "prefer-utf-8",
    "raw-text",
    "sql_ascii",
    "undecided",
];

/// Returns whether an unknown label is the name of an encoding even where the text around it may be prose, as in
/// `# Encoding: see below`.
pub(super) fn is_unmistakable(label: &[u8]) -> bool {
    let lower = label.to_ascii_lowercase();
    let lower = lower.strip_prefix(b"x-").unwrap_or(&lower);
    let is_family = |family: &&str| lower.starts_with(family.as_bytes());
    lower.iter().any(u8::is_ascii_digit) && FAMILIES.iter().any(is_family)
        || [b"mac-", b"mac_"].iter().any(|start| lower.starts_with(*start))
}

/// The starts of names that have a number.
const FAMILIES: [&str; 19] = [
    "cp", "ibm", "iso", "latin", "windows", "win", "dos", "mac", "koi", "utf", "ucs", "big", "gb", "euc", "jis", "tis",
    "kz", "tcvn", "ebcdic",
];

/// Returns whether an unknown label is a name of UTF-8, such as Python's `utf-8-sig`.
pub(super) fn is_variant_of_utf_8(label: &str) -> bool {
    let letters: String = label.chars().filter(char::is_ascii_alphanumeric).collect();
    // Not a misspelled ISO-8859.
    letters.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("utf8"))
        && !letters[4..].starts_with(|next: char| next.is_ascii_digit())
}
