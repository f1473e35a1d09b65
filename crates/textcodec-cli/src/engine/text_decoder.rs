//! [`TextDecoder`]: decodes an input in one encoding or in several.

use std::borrow::Cow;

use textcodec::{Bom, DecodeError, DecodeOptions, DecodeTarget, Decoder};
use textcodec_detect::{Mixed, MixedError, MixedSummary};

use super::{
    ConvertError,
    recipe::{Count, Malformed, Recipe, Tally},
};
use crate::charset::Charset;

/// A decoder for text after its byte order mark.
pub(super) enum TextDecoder {
    One(Decoder),
    Mixed(Box<Mixed>),
}

impl TextDecoder {
    pub(super) fn new(recipe: Recipe, from: Charset) -> Self {
        if let Some(mix) = recipe.mix.filter(|mix| mix.has(from)) {
            return Self::Mixed(mix.decoder(from).into());
        }
        let malformed = match recipe.malformed {
            Malformed::Fail => textcodec::Malformed::Fail,
            Malformed::Replace | Malformed::Skip | Malformed::Escape => textcodec::Malformed::Replace,
        };
        Self::One(from.decoder_with(DecodeOptions::new().bom(Bom::Keep).malformed(malformed)))
    }

    /// Returns a copy of the decoder before a chunk, unless the input is mixed.
    pub(super) fn one(&self) -> Option<Decoder> {
        match self {
            Self::One(decoder) => Some(decoder.clone()),
            Self::Mixed(_) => None,
        }
    }

    /// Returns whether text is written only when more input is known, such as the rest of a line.
    pub(super) fn holds_text(&self) -> bool {
        matches!(self, Self::Mixed(_))
    }

    /// Decodes bytes. An error comes with its offset in the input.
    pub(super) fn push<T: DecodeTarget>(
        &mut self,
        malformed: Malformed,
        src: &[u8],
        out: &mut T,
    ) -> Result<(), (u64, ConvertError)> {
        match self {
            Self::One(decoder) if malformed.is_text() => {
                let text = |error: &DecodeError| malformed.text(error).map(Into::into);
                decoder.push_with(src, out, text).map_err(malformed_error)
            }
            Self::One(decoder) => decoder.push(src, out).map_err(malformed_error),
            Self::Mixed(mixed) => {
                mixed.push_with(src, out, |error| mixed_text(malformed, error)).map_err(|error| mixed_error(&error))
            }
        }
    }

    /// Ends the input, and records what was decoded.
    pub(super) fn finish<T: DecodeTarget>(
        self,
        malformed: Malformed,
        out: &mut T,
        tally: &mut Tally,
    ) -> Result<(), (u64, ConvertError)> {
        match self {
            Self::One(decoder) => {
                let summary = if malformed.is_text() {
                    decoder.finish_with(out, |error| malformed.text(error).map(Into::into))
                } else {
                    decoder.finish(out)
                };
                tally.malformed = summary.map_err(malformed_error)?.errors.into();
            }
            Self::Mixed(mixed) => {
                let text = |error: &MixedError| mixed_text(malformed, error);
                record(mixed.finish_with(out, text).map_err(|error| mixed_error(&error))?, tally);
            }
        }
        Ok(())
    }

    /// Records what was decoded so far.
    pub(super) fn record(&self, tally: &mut Tally) {
        match self {
            Self::One(decoder) => tally.malformed = decoder.errors().clone().into(),
            Self::Mixed(mixed) => record(mixed.summary().clone(), tally),
        }
    }
}

fn record(summary: MixedSummary, tally: &mut Tally) {
    let first = summary.first_error().map(|error| (error.range().start, error.decode_error().clone()));
    tally.malformed = Count { count: summary.errors(), first };
    tally.mixed = Some((0, summary));
}

/// Returns the text to write for a sequence that fits no encoding.
fn mixed_text(malformed: Malformed, error: &MixedError) -> Option<Cow<'static, str>> {
    match malformed {
        Malformed::Fail => None,
        Malformed::Replace => Some("\u{FFFD}".into()),
        Malformed::Skip | Malformed::Escape => malformed.text(error.decode_error()).map(Into::into),
    }
}

pub(super) fn malformed_error(error: DecodeError) -> (u64, ConvertError) {
    let offset = error.range().start;
    (offset, ConvertError::Malformed(offset, error))
}

fn mixed_error(error: &MixedError) -> (u64, ConvertError) {
    let offset = error.range().start;
    (offset, ConvertError::Malformed(offset, error.decode_error().clone()))
}
