//! *Get an encoding*: labels to encodings.

use crate::{Encoding, encoding::Id};

#[rustfmt::skip]
#[path = "../tables/labels.rs"]
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
    let at = table::SORTED.binary_search_by(|(label, _)| label.as_bytes().cmp(lower)).ok()?;
    Encoding::ALL.get(usize::from(table::SORTED[at].1)).copied()
}

/// The name of an encoding of the standard. Empty for other encodings.
pub(crate) fn name(id: Id) -> &'static str {
    table::NAMES.get(id as usize).copied().unwrap_or_default()
}

/// The labels of an encoding of the standard. Empty for other encodings.
pub(crate) fn labels(id: Id) -> &'static [&'static str] {
    table::LABELS.get(id as usize).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_label_is_longer_than_the_buffer() {
        assert_eq!(table::SORTED.iter().map(|(label, _)| label.len()).max(), Some(LONGEST));
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
