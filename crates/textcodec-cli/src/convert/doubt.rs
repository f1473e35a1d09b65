//! Detected encodings that are less certain than the user wants.
//!
//! In place, such a file is left unchanged. Any other output is written, with a warning and exit status 1.

use textcodec::REPLACEMENT;
use textcodec_detect::{Confidence, Detection, declaration::Declaration};

use super::Settings;
use crate::{
    charset::Charset,
    detect, labels,
    source::{InputEncoding, Opened},
};

/// Why an encoding is too uncertain.
pub(super) struct Doubt {
    /// In a few words.
    pub(super) brief: String,
    /// With the reason and advice, for an output that is written nevertheless.
    pub(super) warning: String,
    /// The same, for a file that is not replaced.
    pub(super) refusal: String,
}

impl Doubt {
    /// Returns why the encoding of an input is too uncertain, or `None` if it is not, or if a wrong answer would change nothing.
    pub(super) fn of(settings: &Settings, opened: &Opened) -> Option<Self> {
        let Opened { source, bom, detection: Some(detection), metadata, .. } = opened else { return None };
        let encoding = source.encoding;
        if settings.force || *bom == 0 && keeps_text(detection, encoding, settings.recipe.to) {
            return None;
        }
        let mut why = detect::why(detection);
        let advice = match settings.from {
            // The two bytes of a mark are letters.
            InputEncoding::Fixed(from)
                if from.is_single_byte() && metadata.as_ref().is_some_and(|metadata| metadata.len() == *bom) =>
            {
                why = "no text follows the byte order mark".into();
                format!("if the text is {from}, use --input-bom=own")
            }
            _ if detection.probability >= settings.min_probability => return None,
            InputEncoding::Fixed(from) => format!("if the text is {from}, use --input-bom=own"),
            InputEncoding::Auto(_) => detect::what_to_do(detection, if *bom > 0 { " and --input-bom=own" } else { "" }),
        };
        let warning = detect::uncertain(detection, &why, &advice);
        Some(Self {
            brief: format!("{encoding} is uncertain ({})", detection.confidence),
            refusal: against_declaration(detection, encoding).unwrap_or_else(|| warning.clone()),
            warning,
        })
    }
}

/// Returns whether a wrong answer would change nothing, because the text is well-formed in the encoding of the output: at most a byte
/// order mark, and a label that a message names.
fn keeps_text(detection: &Detection, encoding: Charset, to: Charset) -> bool {
    let is_well_formed = detection.candidates.first().is_some_and(|answer| answer.malformed == 0);
    // A label that cannot be followed may be the only evidence that the text is something else.
    let is_believed = detection.confidence >= Confidence::Medium || unserved(detection).is_none();
    encoding == to && is_well_formed && is_believed
}

/// Returns the message about a text that declares an encoding that cannot be decoded.
fn against_declaration(detection: &Detection, encoding: Charset) -> Option<String> {
    let declaration = unserved(detection)?;
    // The label may mean an encoding that only browsers do not know.
    let label = declaration.label();
    let known = labels::known(label, false).filter(|named| named.encoding != REPLACEMENT).map(|_| label);
    let advice = match known.or_else(|| labels::outside(label)) {
        Some(label) => format!("-f {label} decodes it if that is right"),
        None => "give the encoding with -f".to_owned(),
    };
    let is = if detect::is_guess(detection) { "only a guess" } else { "not certain" };
    Some(format!("declared as '{label}' by {declaration}, and {encoding} is {is}; {advice}"))
}

/// Returns the declaration of an encoding that cannot be decoded, if it contradicts the detected one.
fn unserved(detection: &Detection) -> Option<&Declaration> {
    let is_unserved = |found: &&Declaration| matches!(found.encoding(), None | Some(REPLACEMENT));
    detection.declarations.iter().filter(|found| !found.is_right_for(detection.encoding)).find(is_unserved)
}
