//! The results of `spec-model`.

use std::ops::Range;

use textcodec::{Bom, Encoding};

/// The expected result of decoding an input.
pub type Decoded = spec_model::Decoded;

/// Returns the oracle's encoding of the same name.
///
/// # Panics
/// If the oracle has no such encoding.
#[must_use]
pub fn encoding(encoding: Encoding) -> spec_model::Encoding {
    let same = |other: &&spec_model::Encoding| other.name() == encoding.name();
    let all = spec_model::Encoding::all().iter().copied().chain(spec_model::Encoding::outside());
    all.into_iter().find(|other| same(&other)).expect("the oracle has the encoding")
}

/// Decodes an input. With `fatal`, stops at the first error.
///
/// # Panics
/// Panics if the policy is not in the standard.
pub fn decode(into: &mut Decoded, encoding: spec_model::Encoding, bytes: &[u8], bom: Bom, fatal: bool) {
    let bom = match bom {
        Bom::Sniff => spec_model::Bom::Sniff,
        Bom::StripOwn => spec_model::Bom::StripOwn,
        Bom::Keep => spec_model::Bom::Keep,
        other => panic!("{other:?} is not in the standard"),
    };
    let mode = if fatal { spec_model::Mode::Fatal } else { spec_model::Mode::Replacement };
    spec_model::decode_into(into, encoding, bytes, bom, mode);
}

/// The expected result of encoding text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes in error mode "html".
    pub html: Vec<u8>,
    /// The bytes in error mode "fatal": those before the first error, or all of them if there is none.
    pub fatal: Vec<u8>,
    /// The unmappable characters: the index of each in the text, and the code point that the error reports.
    pub errors: Vec<(usize, char)>,
}

/// Encodes text. Returns `None` if the standard has no encoder.
#[must_use]
pub fn encode(encoding: spec_model::Encoding, text: &[char]) -> Option<Encoded> {
    let html = spec_model::encode(encoding, text.iter().copied(), spec_model::EncodeMode::Html)?;
    let fatal = spec_model::encode(encoding, text.iter().copied(), spec_model::EncodeMode::Fatal)?;
    Some(Encoded { html: html.bytes, fatal: fatal.bytes, errors: html.errors })
}

/// Converts the oracle's ranges to the library's type.
#[must_use]
pub fn ranges(errors: &[Range<usize>]) -> Vec<Range<u64>> {
    errors.iter().map(|range| range.start as u64..range.end as u64).collect()
}
