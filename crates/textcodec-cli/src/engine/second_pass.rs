//! [`SecondPass`]: converts the result of a conversion once more, to see whether it would change.

use textcodec::EncodeError;

use super::{Stage, recipe::Recipe};
use crate::charset::Charset;

/// A conversion whose result is dropped.
pub(crate) struct SecondPass {
    stage: Stage,
    out: Vec<u8>,
    has_failed: bool,
}

impl SecondPass {
    /// `from` is the encoding of a text without a byte order mark.
    pub(crate) fn new(recipe: Recipe, from: Charset) -> Result<Self, EncodeError> {
        Ok(Self { stage: Stage::new(recipe, from)?, out: Vec::new(), has_failed: false })
    }

    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        if !self.has_failed {
            self.has_failed = self.stage.convert(chunk, false, &mut self.out).is_err();
            self.out.clear();
        }
    }

    /// Returns whether the text would not stay the same.
    pub(crate) fn changes(mut self) -> bool {
        let has_failed = self.has_failed || self.stage.convert(&[], true, &mut self.out).is_err();
        self.out.clear();
        let has_failed = has_failed || self.stage.finish(&mut self.out).is_err();
        has_failed || !self.out.is_empty() || !self.stage.take_tally().same
    }
}
