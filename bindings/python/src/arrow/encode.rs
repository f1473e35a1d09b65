//! Encodes blocks of rows from UTF-8.

use textcodec::{
    EncodeError, Encoder, Encoding as Target, Status, UTF_8, Unmappable,
    utf::{ascii_valid_up_to, utf8_valid_up_to},
};

use super::{
    convert::{Convert, Rejected},
    failure::Fault,
    joined::{self, Engine, Joined},
    output::Piece,
    rows::Part,
};
use crate::{encode::has_other_references, objects::short};

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

    fn unmappable(self, encoding: Target) -> Unmappable {
        match self {
            // Those of Python's handler are of the characters themselves: see `encode`.
            Self::References if has_other_references(encoding) => Unmappable::Pause,
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
    encoders: Vec<Row>,
    joined: Joined,
}

impl Encoding {
    pub(super) fn new(errors: Errors) -> Self {
        let records = errors == Errors::Null;
        Self { errors, records, encoders: Vec::new(), joined: Joined::default() }
    }
}

impl Convert for Encoding {
    fn records_failures(&self) -> bool {
        self.records
    }

    fn fresh(&self, records: bool) -> Self {
        Self { records, ..Self::new(self.errors) }
    }

    fn convert(&mut self, encoding: Target, part: Part<'_, '_>, piece: &mut Piece) -> Result<(), Rejected> {
        let rejected = |(row, fault)| Rejected { row, fault };
        let is_valid = |bytes: &[u8]| utf8_valid_up_to(bytes) == bytes.len();
        // If the span is valid and every row begins with a character, then every row is valid.
        let are_valid = part.span.is_some_and(is_valid)
            && part.rows.iter().all(|row| row.first().is_none_or(|byte| byte & 0xC0 != 0x80));
        if let Some(span) = part.span.filter(|_| are_valid)
            && (encoding == UTF_8 || encoding.is_ascii_compatible() && ascii_valid_up_to(span) == span.len())
        {
            return piece.copy(part, span).map_err(|fault| rejected((0, fault)));
        }
        let found = self.encoders.iter().position(|row| row.encoding == encoding).unwrap_or_else(|| {
            self.encoders.push(Row::new(encoding, self.errors, self.records));
            self.encoders.len() - 1
        });
        let row = &mut self.encoders[found];
        piece.reserve(room(part.size())).map_err(|fault| rejected((0, fault)))?;
        if are_valid && row.can_join && joined::is_faster(part) {
            return self.joined.convert(row, part, piece).map_err(rejected);
        }
        for (n, bytes) in part.rows.iter().enumerate() {
            row.convert_row(bytes, piece).map_err(|fault| rejected((n, fault)))?;
        }
        Ok(())
    }
}

/// Encodes rows in one encoding.
struct Row {
    encoding: Target,
    /// The error if the encoding has no encoder. Then every character is unmappable.
    encoder: Result<Encoder, EncodeError>,
    records: bool,
    /// See [`encode`].
    references: bool,
    can_join: bool,
}

impl Row {
    fn new(encoding: Target, errors: Errors, records: bool) -> Self {
        let encoder = encoding.encoder_with(errors.unmappable(encoding));
        // Without an encoder, or memory for its table, even an empty call fails.
        let encoder = match encoder.clone().encode_from_utf8("", &mut [0; 0], false).status {
            Status::Error(error) => Err(error),
            _ => Ok(encoder),
        };
        Self {
            encoding,
            encoder,
            records,
            references: errors == Errors::References,
            can_join: joined::is_exact(encoding),
        }
    }
}

impl Engine for Row {
    fn convert(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<Option<usize>, Fault> {
        let (Ok(encoder), Some(text)) = (&mut self.encoder, text(input)) else { return Err(Fault::NotUtf8) };
        match encode(encoder, text, output, false) {
            Err(Fault::Unmappable(error)) => {
                encoder.reset();
                Ok(Some(usize::try_from(error.range().start).unwrap_or(usize::MAX)))
            }
            other => other.map(|()| None),
        }
    }

    fn convert_row(&mut self, row: &[u8], piece: &mut Piece) -> Result<(), Fault> {
        let text = text(row).ok_or(Fault::NotUtf8)?;
        let start = piece.bytes.len();
        let result = match &mut self.encoder {
            Ok(encoder) => encode(encoder, text, &mut piece.bytes, self.references),
            Err(_) if text.is_empty() => Ok(()),
            Err(error) => Err(Fault::Unmappable(error.clone())),
        };
        match result {
            Ok(()) => piece.end_row(),
            Err(Fault::Unmappable(_)) if self.records => {
                piece.fail_row(start);
                if let Ok(encoder) = &mut self.encoder {
                    encoder.reset();
                }
            }
            Err(fault) => return Err(fault),
        }
        Ok(())
    }
}

/// Returns bytes as text, if they are valid UTF-8.
fn text(bytes: &[u8]) -> Option<&str> {
    let is_valid = utf8_valid_up_to(bytes) == bytes.len();
    // SAFETY: `utf8_valid_up_to` has found all bytes valid.
    is_valid.then(|| unsafe { str::from_utf8_unchecked(bytes) })
}

/// The room for `len` bytes of text at first: enough for most encodings.
fn room(len: usize) -> usize {
    len + len / 2 + 64
}

/// Encodes a text. With `references`, an encoder that pauses at unmappable characters continues with references to them.
fn encode(encoder: &mut Encoder, mut text: &str, output: &mut Vec<u8>, references: bool) -> Result<(), Fault> {
    loop {
        let progress = encoder.encode_within_capacity(text, output, true);
        text = text.get(progress.read..).unwrap_or_default();
        match progress.status {
            Status::InputEmpty => return Ok(()),
            Status::Error(error) if references => {
                let code_point = u32::from(error.character().unwrap_or_default());
                let reference = short(format_args!("&#{code_point};"));
                output.try_reserve(room(reference.len())).map_err(|_| Fault::Memory)?;
                // ASCII, so it is mappable and it fits.
                let _ = encoder.encode_within_capacity(&reference, output, false);
            }
            Status::Error(error) => return Err(Fault::Unmappable(error)),
            _ => output.try_reserve(room(text.len())).map_err(|_| Fault::Memory)?,
        }
    }
}
