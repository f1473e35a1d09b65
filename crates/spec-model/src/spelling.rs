//! Not part of the standard: strings that may be labels, with the encodings that they name, for the tests of everything that
//! accepts a name.

use crate::{Encoding, get_an_encoding};

/// A string, and the encoding that the standard gets from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The string.
    pub text: String,
    /// The encoding, or `None` if the string is not a label.
    pub encoding: Option<Encoding>,
}

/// Returns strings like the labels of the standard: each label in five spellings that name its encoding, then similar strings. The
/// last strings are special in some language, or long.
///
/// ```
/// let spellings = spec_model::spellings();
/// let meaning = |text: &str| spellings.iter().find(|spelling| spelling.text == text).map(|spelling| spelling.encoding);
/// assert_eq!(meaning("KOI8-R"), Some(Some(spec_model::Encoding::KOI8_R)));
/// assert_eq!(meaning("\u{212A}oi8-r"), Some(None)); // the Kelvin sign is not a k
/// ```
#[must_use]
pub fn spellings() -> Vec<Spelling> {
    let labels = || Encoding::all().iter().flat_map(|encoding| encoding.labels()).copied();
    let special = SPECIAL.iter().map(|&text| text.to_owned());
    let all = labels().flat_map(same).chain(labels().flat_map(similar)).chain(special).chain(long());
    all.map(|text| Spelling { encoding: get_an_encoding(&text), text }).collect()
}

/// The spellings that the standard allows.
fn same(label: &str) -> [String; 5] {
    let upper = label.to_ascii_uppercase();
    let mixed = label.char_indices().map(|(n, c)| if n % 2 == 0 { c.to_ascii_uppercase() } else { c }).collect();
    let (spaced, far) = (format!("\t\n\x0C\r {upper}\r\x0C\n\t "), format!("{}{label}", " ".repeat(99)));
    [label.to_owned(), upper, mixed, spaced, far]
}

/// Strings that differ from a label, most of which are not labels.
fn similar(label: &str) -> Vec<String> {
    let mut all = Vec::new();
    // Only ASCII letters have a case, and only ASCII digits are digits.
    for (from, to) in [('k', '\u{212A}'), ('s', '\u{17F}'), ('i', '\u{130}'), ('i', '\u{131}'), ('8', '\u{FF18}')] {
        if label.contains(from) {
            all.push(label.replacen(from, &to.to_string(), 1));
        }
    }
    // Only ASCII white space is removed, and only at the ends.
    for other in ["\0", "\x0B", "\x1C", "\u{85}", "\u{A0}", "\u{2028}", "\u{3000}", "\u{FEFF}", "-", "x", "0", ";"] {
        all.push(format!("{other}{label}"));
        all.push(format!("{label}{other}"));
    }
    let (first, rest) = label.split_at(1);
    all.push(format!("{first} {rest}"));
    all.push(rest.to_owned());
    all.push(label[..label.len() - 1].to_owned());
    // Separators.
    for (from, to) in [("-", "_"), ("_", "-"), ("-", ""), ("_", ""), ("-", " ")] {
        if label.contains(from) {
            all.push(label.replace(from, to));
        }
    }
    all
}

/// Strings that mean something in a programming language, in iconv, or in a protocol.
const SPECIAL: &[&str] = &[
    "",
    " ",
    "\0",
    "-",
    "_",
    "/",
    "//",
    "//TRANSLIT",
    "utf-8//IGNORE",
    "utf-8/",
    "\"utf-8\"",
    "'utf-8'",
    "utf-8,gbk",
    "utf-8\ngbk",
    "charset=utf-8",
    "whatwg-utf-8",
    "0",
    "1",
    "-1",
    "NaN",
    "null",
    "undefined",
    "none",
    "None",
    "true",
    "auto",
    "__proto__",
    "constructor",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "prototype",
    "__class__",
    "%s%n",
    "../utf-8",
    "\u{FFFD}",
    "\u{1F600}",
];

/// Long strings, some of which are labels with white space.
fn long() -> Vec<String> {
    let mut all = Vec::new();
    for len in [32, 64, 1000] {
        let spaces = " ".repeat(len);
        all.extend([spaces.clone(), "a".repeat(len), "-".repeat(len), "8".repeat(len), "é".repeat(len)]);
        all.extend([
            format!("utf-8{spaces}"),
            format!("utf{spaces}-8"),
            format!("{spaces}gbk{spaces}x"),
            "utf-8".repeat(len),
        ]);
    }
    all
}
