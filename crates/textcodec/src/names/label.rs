//! *Get an encoding*: labels to encodings.

use crate::names::{Encoding, encodings::Id};

#[rustfmt::skip]
#[path = "../../tables/labels.rs"]
mod table;

/// The length of the longest label in bytes.
const LONGEST: usize = 19;

/// The encoding of a label. Ignores ASCII case and surrounding ASCII white space.
pub(crate) fn get(label: &[u8]) -> Option<Encoding> {
    // `trim_ascii` removes the Encoding Standard's ASCII white space: tab, LF, FF, CR and space.
    let label = label.trim_ascii();
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..label.len())?;
    lower.copy_from_slice(label);
    lower.make_ascii_lowercase();
    let lower: &[u8] = lower;
    let at = table::SORTED.binary_search_by(|&entry| text(entry).as_bytes().cmp(lower)).ok()?;
    Encoding::ALL.get(usize::from(table::SORTED[at].2)).copied()
}

/// The label of an entry.
fn text((start, len, _): (u16, u8, u8)) -> &'static str {
    &table::SORTED_TEXT[usize::from(start)..][..usize::from(len)]
}

/// The label that is most similar to this string: at most a third of its letters differ, and no digit, because labels that
/// differ in a digit are of different encodings.
pub(crate) fn nearest(string: &[u8]) -> Option<&'static str> {
    let digits = |string: &[u8]| string.iter().copied().filter(u8::is_ascii_digit).fold(1, digits_append);
    let number = digits(string);
    let labels = table::SORTED.into_iter().map(text).filter(|label| digits(label.as_bytes()) == number);
    let (distance, label) = labels.map(|label| (distance(string, label), label)).min()?;
    (distance * 3 <= label.len()).then_some(label)
}

fn digits_append(number: u64, digit: u8) -> u64 {
    number.wrapping_mul(10).wrapping_add(u64::from(digit))
}

/// The Levenshtein distance between a string and a label, in bytes, without ASCII case.
fn distance(string: &[u8], label: &str) -> usize {
    // One row of the matrix: the distances between a prefix of `string` and each prefix of `label`.
    let mut row: [usize; LONGEST + 1] = core::array::from_fn(|n| n);
    for (n, byte) in string.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = n + 1;
        for (m, other) in label.bytes().enumerate() {
            let substituted = diagonal + usize::from(!byte.eq_ignore_ascii_case(&other));
            diagonal = row[m + 1];
            row[m + 1] = substituted.min(diagonal + 1).min(row[m] + 1);
        }
    }
    row[label.len()]
}

/// The name of an encoding of the standard. Empty for other encodings.
pub(crate) const fn name(id: Id) -> &'static str {
    if (id as usize) < table::NAMES.len() { table::NAMES[id as usize] } else { "" }
}

/// The labels of an encoding of the standard. Empty for other encodings.
pub(crate) const fn labels(id: Id) -> &'static [&'static str] {
    if (id as usize) < table::LABELS.len() { table::LABELS[id as usize] } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_is_longer_than_the_buffer() {
        assert_eq!(table::SORTED.into_iter().map(|entry| text(entry).len()).max(), Some(LONGEST));
    }

    #[test]
    fn similar_labels() {
        assert_eq!(distance(b"kitten", "sitting"), 3);
        assert_eq!(distance(b"", "utf-8"), 5);
        assert_eq!(nearest(b"WIDOWS-1252"), Some("windows-1252"));
        assert_eq!(nearest(b"windows-1259"), None);
        assert_eq!(nearest(b"xyz"), None);
    }

    #[test]
    fn white_space_is_ascii_white_space() {
        assert!(get(b"\t\n\x0C\r utf-8\t\n\x0C\r ").is_some());
        assert!(get(b"\x0Butf-8").is_none());
        assert!(get("\u{A0}utf-8".as_bytes()).is_none());
        assert!(get(b"utf-8\0").is_none());
    }

    #[test]
    fn non_ascii_does_not_fold_to_ascii() {
        assert!(get("\u{212A}oi8-r".as_bytes()).is_none(), "the Kelvin sign is not a k");
    }

    #[test]
    fn every_label_in_upper_case_is_found() {
        for encoding in Encoding::ALL {
            for label in encoding.labels() {
                assert_eq!(get(label.to_ascii_uppercase().as_bytes()), Some(*encoding), "{label}");
            }
        }
    }
}
