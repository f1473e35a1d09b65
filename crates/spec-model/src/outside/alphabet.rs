//! The inputs of tests: parts of sequences.

/// Bytes that start, continue, end or interrupt sequences in some encoding.
pub const BOUNDARIES: &[u8] =
    b"\x00\n\x0E\x0F\x1B $)C+-&/,.A\x21\x30~{}\x7E\x7F\x80\x84\x88\xA1\xB0\xBF\xC2\xD8\xD9\xDC\xDE\xDF\xE0\xED\xFE\xFF0x";

/// Parts of the sequences of the encoding of a [name](super::NAMES), which combine to well-formed and malformed ones.
///
/// # Panics
/// Panics if there is no such name.
#[must_use]
pub fn alphabet(name: &str) -> &'static [&'static [u8]] {
    match name {
        "UTF-7" | "UTF-7-IMAP" => &[
            b"+", b"&", b"-", b"A", b"AOk", b"AOl", b"2D3eAA", b"2D0", b"3gA", b"/", b",", b".", b"~", b"AGE", b"AGF",
            b"\xFF",
        ],
        "UTF-32" | "UTF-32BE" | "UTF-32LE" => {
            &[b"\0", b"\0\0\xFE\xFF", b"\xFF\xFE\0\0", b"\0\x01\xF6\0", b"a\0\0\0", b"\0\0\0a", b"\xD8", b"\x11"]
        }
        "true-ucs-2be" | "true-ucs-2le" => &[b"\0", b"a", b"\xD8", b"\xDC", b"\xFE\xFF", b"\xFF"],
        "CESU-8" => &[
            b"a",
            b"\xC3\xA9",
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xED",
            b"\xA0",
            b"\xB8",
            b"\xE2\x82",
            b"\xF0\x9F\x98\x80",
            b"\xE0\xA0",
            b"\xED\x9F\xBF",
        ],
        "true-hz" => &[b"~", b"{", b"}", b"\n", b"VP", b"~{", b"~}", b"a", b"\x21\x24", b"\x80", b" ", b"*!"],
        "true-iso-2022-kr" => {
            &[b"\x1B$)C", b"\x1B", b"$", b")", b"C", b"\x0E", b"\x0F", b"\n", b"0!", b"a", b" ", b"\x80", b"I!"]
        }
        "JOHAB" => &[b"a", b"\x88a", b"\x84A", b"\xD3", b"\xD91", b"\xDA\xA1", b"\xDA\xD4", b"\xE0\x91", b"\x80", b"1"],
        "GSM-03.38" => &[b"a", b"\x1B", b"\x1Be", b"(", b"\0", b"\x80", b"<"],
        _ => panic!("no alphabet for {name}"),
    }
}
