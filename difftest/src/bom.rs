//! Byte order marks: complete, incomplete and in chunks.

use fastrand::Rng;

use crate::{
    decode::{BOMS, chunked, one_shot},
    report::Report,
    trio::{Trio, hex},
};

/// The bytes of byte order marks, and two others.
const BYTES: [u8; 7] = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, b'A', 0];

/// Returns all strings over [`BYTES`] up to a length.
fn strings(longest: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..=longest).flat_map(|len| {
        (0..7_usize.pow(len)).map(move |number| (0..len).map(|digit| BYTES[number / 7_usize.pow(digit) % 7]).collect())
    })
}

/// Compares short inputs of these bytes: in one call, and byte by byte with an empty chunk in between.
pub(crate) fn every_short_input(report: &mut Report, trio: Trio) {
    let mut rng = Rng::with_seed(1);
    for bytes in strings(4) {
        one_shot(report, trio, &bytes, ["BOM, one call, UTF-8", "BOM, one call, UTF-16"]);
        let mut cuts: Vec<_> = (0..bytes.len()).map(|at| at..at + 1).collect();
        cuts.push(bytes.len()..bytes.len());
        let empty = bytes.len() / 2;
        cuts.insert(empty, empty..empty);
        for bom in BOMS {
            chunked::<u8>(report, trio, &bytes, bom, &cuts, ("BOM, byte by byte, UTF-8", &mut rng));
            chunked::<u16>(report, trio, &bytes, bom, &cuts, ("BOM, byte by byte, UTF-16", &mut rng));
        }
    }
}

/// Compares `for_bom`.
pub(crate) fn for_bom(report: &mut Report) {
    for bytes in strings(5) {
        let library = textcodec::Encoding::for_bom(&bytes).map(|(encoding, len)| (encoding.name(), len));
        let witness = encoding_rs::Encoding::for_bom(&bytes).map(|(encoding, len)| (encoding.name(), len));
        let model = || {
            let queue = spec_model::io_queue::IoQueue::from_list(bytes.iter().copied());
            let encoding = spec_model::hooks::bom_sniff(&queue)?;
            Some((encoding.name(), if encoding == spec_model::Encoding::UTF_8 { 3 } else { 2 }))
        };
        report.comparison("for_bom").case("(any)", || hex(&bytes), &library, &witness, model);
    }
}
