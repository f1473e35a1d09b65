//! Whether answers are right.

use textcodec::Encoding;
use textcodec_detect::{Confidence, Detection};

use crate::{
    kinds::{Text, Truth},
    repertoire::keep_bom,
};

/// What an answer of this program means for a text.
#[derive(Clone)]
pub(crate) struct Verdict {
    pub(crate) encoding: Encoding,
    pub(crate) confidence: Confidence,
    /// Whether the text decodes rightly with the answer, or with the errors that it has.
    pub(crate) is_exact: bool,
    /// Whether the answer is right: exact, or a refusal where that is right.
    pub(crate) is_right: bool,
    /// Whether `convert -f auto --in-place` would overwrite the text with a wrong one: the confidence is high, the text decodes
    /// without errors, and something changes.
    pub(crate) is_destroyed: bool,
    /// The time of the call in nanoseconds.
    pub(crate) time: u64,
}

impl Verdict {
    pub(crate) fn new(text: &Text, detection: &Detection, time: u64) -> Self {
        let (encoding, confidence) = (detection.encoding, detection.confidence);
        let is_exact = confidence != Confidence::None && is_exact(text, encoding);
        let is_refused = confidence < Confidence::High;
        let converts = || {
            encoding
                .decode_with(&text.bytes, keep_bom())
                .is_ok_and(|decoded| decoded.errors.is_empty() && decoded.text.as_bytes() != text.bytes)
        };
        Self {
            encoding,
            confidence,
            is_exact,
            is_right: is_exact || (is_refused && may_refuse(text)),
            is_destroyed: !is_exact && !is_refused && converts(),
            time,
        }
    }

    pub(crate) fn is_wrong_with(&self, confidence: Confidence) -> bool {
        let level = self.confidence.min(Confidence::High);
        !self.is_exact && level == confidence
    }
}

/// Returns whether a refusal is right.
pub(crate) fn may_refuse(text: &Text) -> bool {
    !matches!(text.truth, Truth::One(..))
}

/// Returns whether the text decodes rightly in an encoding.
pub(crate) fn is_exact(text: &Text, answer: Encoding) -> bool {
    let decode = |encoding: Encoding| encoding.decode_with(&text.bytes, keep_bom()).map(|decoded| decoded.text).ok();
    match &text.truth {
        Truth::One(encoding, truth) => answer == *encoding || decode(answer).is_some_and(|text| text == *truth),
        Truth::Damaged(encoding) | Truth::Unavailable(Some(encoding)) => {
            answer == *encoding || decode(answer) == decode(*encoding)
        }
        Truth::Several(truth) => decode(answer).is_some_and(|text| text == *truth),
        Truth::Unavailable(None) => false,
    }
}
