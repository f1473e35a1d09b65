//! What `spec-model` says.

use std::ops::Range;

use textcodec::{Bom, Encoding};

/// What is expected of decoding an input.
pub type Decoded = spec_model::Decoded;

/// The oracle's own name for an encoding.
///
/// # Panics
/// For encodings that are not the standard's.
#[must_use]
pub fn encoding(encoding: Encoding) -> spec_model::Encoding {
    let same = |other: &&spec_model::Encoding| other.name() == encoding.name();
    *spec_model::Encoding::all().iter().find(same).expect("an encoding of the standard")
}

/// Decodes an input; `fatal` stops at the first error.
pub fn decode(into: &mut Decoded, encoding: spec_model::Encoding, bytes: &[u8], bom: Bom, fatal: bool) {
    let bom = match bom {
        Bom::Sniff => spec_model::Bom::Sniff,
        Bom::StripOwn => spec_model::Bom::StripOwn,
        Bom::Keep => spec_model::Bom::Keep,
    };
    let mode = if fatal { spec_model::Mode::Fatal } else { spec_model::Mode::Replacement };
    spec_model::decode_into(into, encoding, bytes, bom, mode);
}

/// What is expected of encoding a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// With error mode "html".
    pub html: Vec<u8>,
    /// With error mode "fatal": what comes before the first error, and after the last character where there is none.
    pub fatal: Vec<u8>,
    /// The unmappable characters: which of the text's, and the code point reported.
    pub errors: Vec<(usize, char)>,
}

/// Encodes a text; none where the standard has no encoder.
#[must_use]
pub fn encode(encoding: spec_model::Encoding, text: &[char]) -> Option<Encoded> {
    let html = spec_model::encode(encoding, text.iter().copied(), spec_model::EncodeMode::Html)?;
    let fatal = spec_model::encode(encoding, text.iter().copied(), spec_model::EncodeMode::Fatal)?;
    Some(Encoded { html: html.bytes, fatal: fatal.bytes, errors: html.errors })
}

/// The oracle's ranges as the library gives them.
#[must_use]
pub fn ranges(errors: &[Range<usize>]) -> Vec<Range<u64>> {
    errors.iter().map(|range| range.start as u64..range.end as u64).collect()
}
