//! Labels and properties of encodings.

use fastrand::Rng;

use crate::{report::Report, trio::Trio};

/// Strings to insert into labels: white space of the standard and other white space, and characters that non-ASCII case
/// mappings turn into ASCII letters.
const PARTS: &[&str] = &[
    " ", "\t", "\n", "\x0C", "\r", "\x0B", "\0", "\u{A0}", "\u{3000}", "\u{85}", "-", "_", ":", ".", "8", "x", "ſ",
    "K", "İ", "é", "utf", "iso",
];

/// Compares all 228 labels, in any case, and mutations of them.
pub(crate) fn labels(report: &mut Report, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let labels: Vec<&str> = textcodec::Encoding::ALL.iter().flat_map(|encoding| encoding.labels()).copied().collect();
    for label in &labels {
        for form in [(*label).to_owned(), label.to_uppercase(), format!("\t\n\x0C\r {label} \r\x0C\n\t")] {
            case(report, "labels", &form);
        }
        for at in 0..=label.len() {
            for part in PARTS {
                case(report, "labels, one insertion", &[&label[..at], part, &label[at..]].concat());
            }
            if let Some(next) = label.get(at..at + 1) {
                case(report, "labels, one deletion", &[&label[..at], &label[at + 1..]].concat());
                let next = next.to_uppercase();
                case(report, "labels, one capital", &[&label[..at], &next, &label[at + 1..]].concat());
            }
        }
    }
    for _ in 0..200_000 {
        let mut label = labels[rng.usize(..labels.len())].to_owned();
        for _ in 0..rng.usize(1..4) {
            let at = label.ceil_char_boundary(rng.usize(..=label.len()));
            match label[at..].chars().next() {
                Some(next) if rng.bool() => {
                    let other = char::from(rng.u8(..0x80));
                    label.replace_range(at..at + next.len_utf8(), other.encode_utf8(&mut [0; 4]));
                }
                _ => label.insert_str(at, PARTS[rng.usize(..PARTS.len())]),
            }
        }
        case(report, "labels, random mutations", &label);
    }
}

fn case(report: &mut Report, name: &'static str, label: &str) {
    let library = textcodec::Encoding::for_label(label).map(textcodec::Encoding::name);
    let witness = encoding_rs::Encoding::for_label(label.as_bytes()).map(encoding_rs::Encoding::name);
    let model = || spec_model::get_an_encoding(label).map(spec_model::Encoding::name);
    report.comparison(name).case("(labels)", || format!("{label:?}"), &library, &witness, model);
}

/// Compares output encodings and the two properties that the witness also has. The model does not have these properties, so any
/// difference counts as an error of the library.
pub(crate) fn properties(report: &mut Report) {
    for trio in Trio::all() {
        let name = trio.name();
        let library = trio.library.output_encoding().name();
        let witness = trio.witness.output_encoding().name();
        let model = || spec_model::get_an_output_encoding(trio.model).name();
        report.comparison("output encoding").case(name, String::new, &library, &witness, model);
        let library = (trio.library.is_single_byte(), trio.library.is_ascii_compatible());
        let witness = (trio.witness.is_single_byte(), trio.witness.is_ascii_compatible());
        report
            .comparison("is_single_byte, is_ascii_compatible")
            .case(name, String::new, &library, &witness, || witness);
        let library = textcodec_encoding_rs::from_encoding_rs(trio.witness);
        report.comparison("from_encoding_rs").case(name, String::new, &library, &trio.library, || trio.library);
        let library = textcodec_encoding_rs::to_encoding_rs(trio.library);
        report
            .comparison("to_encoding_rs")
            .case(name, String::new, &library, &Some(trio.witness), || Some(trio.witness));
    }
}
