//! The text form of a page, in `crates/textcodec-oem/pages`.
//!
//! ```text
//! # IBM437
//! # Sources: glibc, java, cpython
//! 80: 00C7 00FC 00E9 …
//! 90: 00C9 00E6 00C6 …
//! ```
//!
//! A line of entries has a byte, a colon, and the code points of 16 bytes; `----` is an unassigned byte. A page whose lower half
//! is ASCII has only the lines from 80 on.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};

use super::unpack::UNMAPPED;

/// The code points of all bytes.
pub(super) type CodePoints = [u16; 256];

/// The start of the header line with the bytes that encoders do not write, because their characters have other bytes.
pub(super) const DUPLICATES: &str = "Duplicates: ";

/// Returns whether the lower half is ASCII.
pub(super) fn is_ascii_compatible(page: &CodePoints) -> bool {
    (0..0x80).all(|byte| page[usize::from(byte)] == byte)
}

/// Returns the text of a code point.
pub(super) fn code(code_point: u16) -> String {
    if code_point == UNMAPPED { "----".to_owned() } else { format!("{code_point:04X}") }
}

/// Parses the text of a code point.
pub(super) fn parse_code(text: &str) -> Result<u16> {
    if text == "----" {
        return Ok(UNMAPPED);
    }
    ensure!(text.len() == 4, "not a code point: {text:?}");
    let code_point = u16::from_str_radix(text, 16)?;
    ensure!(char::from_u32(code_point.into()).is_some(), "not a scalar value: {text}");
    Ok(code_point)
}

/// Parses bytes, separated by spaces.
pub(super) fn parse_bytes(text: &str) -> Result<Vec<u8>> {
    Ok(text.split(' ').map(|byte| u8::from_str_radix(byte, 16)).collect::<Result<_, _>>()?)
}

/// Returns the text of bytes.
pub(super) fn bytes_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Checks that each character has one byte that encoders write.
pub(super) fn check_duplicates(page: &CodePoints, duplicates: &[u8]) -> Result<()> {
    for (byte, code_point) in page.iter().enumerate().filter(|(_, code)| **code != UNMAPPED) {
        let bytes = (0..=255).filter(|&other| page[usize::from(other)] == *code_point && !duplicates.contains(&other));
        let written = bytes.collect::<Vec<u8>>();
        ensure!(
            written.len() == 1,
            "U+{code_point:04X} of byte {byte:02X} must have one byte: {}",
            bytes_text(&written)
        );
    }
    ensure!(
        duplicates.iter().all(|&byte| page[usize::from(byte)] != UNMAPPED),
        "an unassigned byte among the duplicates"
    );
    Ok(())
}

/// Writes a page. Each line of the header becomes a comment.
pub(super) fn to_text(header: &[String], page: &CodePoints) -> String {
    let mut text = String::new();
    for line in header {
        let _ = writeln!(text, "# {line}");
    }
    let skipped = if is_ascii_compatible(page) { 8 } else { 0 };
    for (line, codes) in page.as_chunks::<16>().0.iter().enumerate().skip(skipped) {
        let _ = writeln!(text, "{line:X}0: {}", codes.map(code).join(" "));
    }
    text
}

/// Parses a page. Returns its code points, and the bytes that encoders do not write.
pub(super) fn parse(text: &str) -> Result<(CodePoints, Vec<u8>)> {
    let mut page = [UNMAPPED; 256];
    (0..0x80).for_each(|byte: u16| page[usize::from(byte)] = byte);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let start = page.len() / 16 - lines.len().min(16);
    for (line, text) in (start..).zip(&lines) {
        let codes =
            text.strip_prefix(&format!("{line:X}0: ")).with_context(|| format!("not line {line:X}0: {text:?}"))?;
        let codes = codes.split(' ').map(parse_code).collect::<Result<Vec<_>>>()?;
        ensure!(codes.len() == 16, "not 16 code points: {text:?}");
        page[line * 16..][..16].copy_from_slice(&codes);
    }
    ensure!(lines.len() == if is_ascii_compatible(&page) { 8 } else { 16 }, "{} lines of entries", lines.len());
    // Kernels use U+0000 for unassigned bytes.
    ensure!(page.iter().filter(|&&code| code == 0).count() == 1, "not exactly one byte is U+0000");
    let duplicates = text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(DUPLICATES));
    let duplicates = duplicates.map(parse_bytes).transpose()?.unwrap_or_default();
    check_duplicates(&page, &duplicates)?;
    Ok((page, duplicates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips() {
        let mut page: CodePoints = std::array::from_fn(|byte| byte as u16);
        page[0x81] = UNMAPPED;
        for (first, lines) in [("80: 0080 ---- 0082 ", 8), ("00: 0000 0001 0002 ", 16)] {
            let text = to_text(&["a".to_owned()], &page);
            assert!(text.starts_with(&format!("# a\n{first}")) && text.lines().count() == lines + 1, "{text}");
            assert_eq!(parse(&text).unwrap(), (page, vec![]));
            page[0x7F] = 0x100;
        }
        page[0x82] = 0x80;
        assert!(parse(&to_text(&[], &page)).is_err());
        assert_eq!(parse(&to_text(&["Duplicates: 82".to_owned()], &page)).unwrap(), (page, vec![0x82]));
    }

    #[test]
    fn incomplete_pages_are_rejected() {
        let text = to_text(&[], &std::array::from_fn(|byte| byte as u16));
        assert!(parse(&text.replace("90: ", "91: ")).is_err());
        assert!(parse(&text.replace(" 0085", "")).is_err());
        assert!(parse(&text.replace("0085", "0000")).is_err());
        assert!(parse(&text.replace("0085", "D800")).is_err());
        assert!(parse(text.split_once('\n').unwrap().1).is_err());
    }
}
