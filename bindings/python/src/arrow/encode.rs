//! Encodes blocks of rows from UTF-8.

use textcodec::{
    EncodeError, EncodeStatus, Encoder, Encoding as Target, UTF_8, Unmappable,
    utf::{ascii_valid_up_to, utf8_valid_up_to},
};

use super::{
    convert::{Convert, Rejected},
    failure::Fault,
    output::Piece,
    rows::Part,
};

/// What happens to characters that the encoding lacks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Errors {
    Strict,
    Replace,
    Ignore,
    Null,
    References,
}

impl Errors {
    pub(super) const NAMES: &[&str] = &["strict", "replace", "ignore", "null", "xmlcharrefreplace"];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "strict" => Some(Self::Strict),
            "replace" => Some(Self::Replace),
            "ignore" => Some(Self::Ignore),
            "null" => Some(Self::Null),
            "xmlcharrefreplace" => Some(Self::References),
            _ => None,
        }
    }

    fn unmappable(self) -> Unmappable {
        match self {
            Self::Strict | Self::Null => Unmappable::Fail,
            Self::Replace => Unmappable::Replace('?'),
            Self::Ignore => Unmappable::Skip,
            Self::References => Unmappable::Html,
        }
    }
}

/// Encoders, one for each encoding so far.
pub(super) struct Encoding {
    errors: Errors,
    /// Whether a row that fails becomes null.
    records: bool,
    encoders: Vec<Encoder>,
}

impl Encoding {
    pub(super) fn new(errors: Errors) -> Self {
        Self { errors, records: errors == Errors::Null, encoders: Vec::new() }
    }

    fn encoder(&mut self, encoding: Target) -> Result<&mut Encoder, EncodeError> {
        let found = match self.encoders.iter().position(|encoder| encoder.encoding() == encoding) {
            Some(found) => found,
            None => {
                self.encoders.push(encoding.encoder_with(self.errors.unmappable())?);
                self.encoders.len() - 1
            }
        };
        Ok(&mut self.encoders[found])
    }
}

impl Convert for Encoding {
    fn records_failures(&self) -> bool {
        self.records
    }

    fn fresh(&self, records: bool) -> Self {
        Self { errors: self.errors, records, encoders: Vec::new() }
    }

    fn convert(&mut self, encoding: Target, part: Part<'_, '_>, piece: &mut Piece) -> Result<(), Rejected> {
        let Part { rows, span } = part;
        let failed = |fault| Rejected { row: 0, fault };
        // If the span is valid and every row begins with a character, then every row is valid.
        let are_valid = span.is_some_and(|span| utf8_valid_up_to(span) == span.len())
            && rows.iter().all(|row| row.first().is_none_or(|byte| byte & 0xC0 != 0x80));
        if let Some(span) = span.filter(|_| are_valid)
            && (encoding == UTF_8 || encoding.is_ascii_compatible() && ascii_valid_up_to(span) == span.len())
        {
            return piece.copy(part, span).map_err(failed);
        }
        let (errors, records) = (self.errors, self.records);
        let mut encoder = self.encoder(encoding);
        if let Ok(encoder) = &encoder {
            let size = part.size();
            let room = encoder.max_len_from_utf8(size).unwrap_or(size).min(size * 2 + 64);
            piece.reserve(room).map_err(failed)?;
        }
        for (row, &bytes) in rows.iter().enumerate() {
            let rejected = |fault| Rejected { row, fault };
            if !are_valid && utf8_valid_up_to(bytes) != bytes.len() {
                return Err(rejected(Fault::NotUtf8));
            }
            // SAFETY: `utf8_valid_up_to` has found the row valid, or the span whose part it is: see `are_valid`.
            let text = unsafe { str::from_utf8_unchecked(bytes) };
            let start = piece.bytes.len();
            let result = match &mut encoder {
                Ok(encoder) => encode(encoder, text, piece),
                // The encoding has no encoder, so every character is unmappable.
                Err(_) if text.is_empty() || errors == Errors::Ignore => Ok(()),
                Err(error) => Err(Fault::Unmappable(error.clone())),
            };
            match result {
                Ok(()) => piece.end_row(),
                Err(Fault::Unmappable(_)) if records => {
                    piece.fail_row(start);
                    if let Ok(encoder) = &mut encoder {
                        encoder.reset();
                    }
                }
                Err(fault) => return Err(rejected(fault)),
            }
        }
        Ok(())
    }
}

/// Encodes a row.
fn encode(encoder: &mut Encoder, mut text: &str, piece: &mut Piece) -> Result<(), Fault> {
    loop {
        let progress = encoder.encode_within_capacity(text, &mut piece.bytes, true);
        text = text.get(progress.read..).unwrap_or_default();
        match progress.status {
            EncodeStatus::InputEmpty => return Ok(()),
            EncodeStatus::Unmappable(error) => return Err(Fault::Unmappable(error)),
            _ => piece.reserve(text.len() + text.len() / 2 + 64)?,
        }
    }
}
