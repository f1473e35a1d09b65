//! Makes lines of records before they are decoded.

use super::Recipe;
use crate::{charset::Charset, records};

/// A reader of records. It adds and removes bytes before the decoder, so it keeps the offset of the first malformed one.
pub(super) struct Reader {
    pub(super) records: records::Reader,
    pub(super) lines: Vec<u8>,
    /// The bytes that are malformed.
    is_malformed: [bool; 256],
    pub(super) first_malformed: Option<u64>,
}

impl Reader {
    pub(super) fn new(recipe: Recipe, from: Charset) -> Option<Self> {
        let (form, trim) = recipe.records.read?;
        let is_malformed = |byte| {
            let mut decoder = from.decoder_with(textcodec::Malformed::Fail);
            decoder.push(&[byte], &mut String::new()).is_err()
        };
        Some(Self {
            records: records::Reader::new(form, trim),
            lines: Vec::new(),
            is_malformed: std::array::from_fn(|byte| is_malformed(byte as u8)),
            first_malformed: None,
        })
    }

    /// Makes lines of the next bytes of the input, at this offset.
    pub(super) fn read(&mut self, bytes: &[u8], offset: u64) {
        self.lines.clear();
        self.records.read(bytes, &mut self.lines);
        if self.first_malformed.is_none() {
            let first = bytes.iter().position(|&byte| self.is_malformed[usize::from(byte)]);
            self.first_malformed = first.map(|first| offset + first as u64);
        }
    }
}
