//! Decodes blocks of rows to UTF-8.

use textcodec::{
    Bom, DecodeOptions, Decoder, Encoding, Malformed, Status, UTF_8,
    utf::{ascii_valid_up_to, utf8_valid_up_to},
};

use super::{
    convert::{Convert, Rejected},
    failure::Fault,
    joined::{self, Engine, Joined},
    output::Piece,
    rows::Part,
};
use crate::decode::decoder_with;

/// What happens to malformed bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Errors {
    Strict,
    Replace,
    Ignore,
    Null,
}

impl Errors {
    pub(super) const NAMES: &[&str] = &["strict", "replace", "ignore", "null"];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "strict" => Some(Self::Strict),
            "replace" => Some(Self::Replace),
            "ignore" => Some(Self::Ignore),
            "null" => Some(Self::Null),
            _ => None,
        }
    }

    fn malformed(self) -> Malformed {
        match self {
            Self::Strict | Self::Null => Malformed::Fail,
            Self::Replace => Malformed::Replace,
            Self::Ignore => Malformed::Pause,
        }
    }
}

/// Decoders, one for each encoding so far.
pub(super) struct Decoding {
    errors: Errors,
    /// Whether a row that fails becomes null.
    records: bool,
    decoders: Vec<Row>,
    joined: Joined,
}

impl Decoding {
    pub(super) fn new(errors: Errors) -> Self {
        let records = errors == Errors::Null;
        Self { errors, records, decoders: Vec::new(), joined: Joined::default() }
    }
}

impl Convert for Decoding {
    fn records_failures(&self) -> bool {
        self.records
    }

    fn fresh(&self, records: bool) -> Self {
        Self { records, ..Self::new(self.errors) }
    }

    fn convert(&mut self, encoding: Encoding, part: Part<'_, '_>, piece: &mut Piece) -> Result<(), Rejected> {
        let rejected = |(row, fault)| Rejected { row, fault };
        if let Some(span) = part.span
            && is_unchanged(encoding, part.rows, span)
        {
            return piece.copy(part, span).map_err(|fault| rejected((0, fault)));
        }
        let found = self.decoders.iter().position(|row| row.decoder.encoding() == encoding).unwrap_or_else(|| {
            self.decoders.push(Row::new(encoding, self.errors, self.records));
            self.decoders.len() - 1
        });
        let row = &mut self.decoders[found];
        piece.reserve(room(part.size())).map_err(|fault| rejected((0, fault)))?;
        if row.can_join && joined::is_faster(part) {
            return self.joined.convert(row, part, piece).map_err(rejected);
        }
        for (n, bytes) in part.rows.iter().enumerate() {
            row.convert_row(bytes, piece).map_err(|fault| rejected((n, fault)))?;
        }
        Ok(())
    }
}

/// Decodes rows in one encoding.
struct Row {
    decoder: Decoder,
    /// Stops at errors.
    strict: Decoder,
    errors: Errors,
    records: bool,
    can_join: bool,
}

impl Row {
    fn new(encoding: Encoding, errors: Errors, records: bool) -> Self {
        let decoder = |malformed| decoder_with(encoding, DecodeOptions::new().bom(Bom::Keep).malformed(malformed));
        Self {
            decoder: decoder(errors.malformed()),
            strict: decoder(Malformed::Fail),
            errors,
            records,
            can_join: joined::is_exact(encoding),
        }
    }
}

impl Engine for Row {
    fn convert(&mut self, mut input: &[u8], output: &mut Vec<u8>) -> Result<Option<usize>, Fault> {
        let error = loop {
            output.try_reserve(room(input.len())).map_err(|_| Fault::Memory)?;
            let progress = self.strict.decode_within_capacity(input, output, true);
            input = input.get(progress.read..).unwrap_or_default();
            match progress.status {
                Status::InputEmpty => return Ok(None),
                Status::Error(error) => break error,
                _ => {}
            }
        };
        self.strict.reset();
        Ok(Some(usize::try_from(error.range().start).unwrap_or(usize::MAX)))
    }

    fn convert_row(&mut self, row: &[u8], piece: &mut Piece) -> Result<(), Fault> {
        let start = piece.bytes.len();
        match decode(&mut self.decoder, row, piece, self.errors) {
            Ok(()) => piece.end_row(),
            Err(Fault::Malformed(_)) if self.records => {
                piece.fail_row(start);
                self.decoder.reset();
            }
            Err(fault) => return Err(fault),
        }
        Ok(())
    }
}

/// Whether rows are well-formed and decode to the same bytes.
fn is_unchanged(encoding: Encoding, rows: &[&[u8]], span: &[u8]) -> bool {
    if encoding != UTF_8 {
        return encoding.is_ascii_compatible() && ascii_valid_up_to(span) == span.len();
    }
    // A row that begins with a continuation byte is malformed, although the span is not.
    utf8_valid_up_to(span) == span.len() && rows.iter().all(|row| row.first().is_none_or(|byte| byte & 0xC0 != 0x80))
}

/// The room for the text of `len` bytes at first: enough for all text of short rows, and for most of long ones.
fn room(len: usize) -> usize {
    if len <= super::rows::BYTES { 3 * len + 16 } else { len + len / 2 + 16 }
}

/// Decodes a row.
fn decode(decoder: &mut Decoder, mut bytes: &[u8], piece: &mut Piece, errors: Errors) -> Result<(), Fault> {
    loop {
        let progress = decoder.decode_within_capacity(bytes, &mut piece.bytes, true);
        bytes = bytes.get(progress.read..).unwrap_or_default();
        match progress.status {
            Status::InputEmpty => return Ok(()),
            Status::Error(_) if errors == Errors::Ignore => {}
            Status::Error(error) => return Err(Fault::Malformed(error)),
            _ => piece.reserve(room(bytes.len()))?,
        }
    }
}

/// The number of bytes of text that are decoded at a time, to count errors.
const SCRATCH: usize = 1 << 14;

/// Counts malformed sequences.
pub(super) struct Counting {
    decoders: Vec<Decoder>,
    scratch: Vec<u8>,
}

impl Counting {
    pub(super) fn new() -> Self {
        Self { decoders: Vec::new(), scratch: Vec::new() }
    }

    /// Returns the number of malformed sequences of each row.
    pub(super) fn count(&mut self, encoding: Encoding, part: Part<'_, '_>, counts: &mut Vec<u32>) -> Result<(), Fault> {
        let Part { rows, span } = part;
        if span.is_some_and(|span| is_unchanged(encoding, rows, span)) {
            counts.resize(counts.len() + rows.len(), 0);
            return Ok(());
        }
        let found = self.decoders.iter().position(|decoder| decoder.encoding() == encoding).unwrap_or_else(|| {
            self.decoders.push(decoder_with(encoding, Bom::Keep));
            self.decoders.len() - 1
        });
        let decoder = &mut self.decoders[found];
        self.scratch.clear();
        self.scratch.try_reserve(SCRATCH).map_err(|_| Fault::Memory)?;
        for &(mut bytes) in rows {
            let errors = loop {
                self.scratch.clear();
                let progress = decoder.decode_within_capacity(bytes, &mut self.scratch, true);
                bytes = bytes.get(progress.read..).unwrap_or_default();
                if progress.status != Status::OutputFull {
                    break decoder.errors().count();
                }
            };
            counts.push(u32::try_from(errors).unwrap_or(u32::MAX));
        }
        Ok(())
    }
}
