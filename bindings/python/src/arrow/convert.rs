//! Converts the chunks of a column.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::DataType;
use textcodec::Encoding;

use super::{
    chunk::{Chunk, Column, Invalid, Layout},
    decode::Counting,
    failure::{self, Failure, Fault},
    labels::{Label, Labels},
    output::{Full, Nulls, Output, Piece},
    rows::{Block, Part, Source},
};

/// A row that cannot be converted, as a position in the rows given to [`Convert::convert`].
pub(super) struct Rejected {
    pub(super) row: usize,
    pub(super) fault: Fault,
}

/// A conversion of rows.
pub(super) trait Convert: Sized {
    /// Whether rows that fail become null.
    fn records_failures(&self) -> bool;

    /// Returns the same conversion without state, in which rows that fail become null if `records` is set.
    fn fresh(&self, records: bool) -> Self;

    /// Appends the results of rows to `piece`.
    fn convert(&mut self, encoding: Encoding, part: Part<'_, '_>, piece: &mut Piece) -> Result<(), Rejected>;
}

/// The encodings of a column.
pub(super) enum Encodings {
    One(Encoding),
    /// Labels, as many as the column has rows.
    Rows(Column),
}

/// The failure of the column as a whole.
fn invalid(what: impl Into<Invalid>) -> Failure {
    Failure::invalid("array", what)
}

/// The failure of an allocation for all rows.
fn memory(_: Fault) -> Failure {
    Failure::Memory
}

/// A column to convert.
pub(super) struct Job<'a> {
    column: &'a Column,
    encodings: &'a Encodings,
    limit: usize,
}

/// A result, one array for each chunk.
pub(super) struct Converted {
    pub(super) chunks: Vec<ArrayData>,
    pub(super) form: Form,
}

/// How a result is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As the column: a dictionary stays one.
    Same,
    /// As the values of the dictionary.
    Values,
    /// Numbers.
    Counts,
}

impl<'a> Job<'a> {
    pub(super) fn new(column: &'a Column, encodings: &'a Encodings, limit: Option<usize>) -> Self {
        Self { column, encodings, limit: limit.unwrap_or(usize::MAX) }
    }

    /// Converts the column.
    pub(super) fn convert<C: Convert>(&self, converter: &C) -> Result<Converted, Failure> {
        let is_dictionary = self.column.kind.as_ref().is_some_and(|kind| kind.keys.is_some());
        if let (Encodings::One(encoding), true) = (self.encodings, is_dictionary) {
            return Ok(Converted { chunks: self.convert_dictionaries(converter, *encoding)?, form: Form::Same });
        }
        let mut converter = converter.fresh(converter.records_failures());
        let mut labels = self.labels();
        let chunks = self.for_chunks(|chunk, start| {
            self.convert_rows(&mut converter, &mut labels, &Source::new(chunk).map_err(invalid)?, start)
        })?;
        Ok(Converted { chunks, form: if is_dictionary { Form::Values } else { Form::Same } })
    }

    /// Counts the malformed sequences of each row.
    pub(super) fn count(&self) -> Result<Converted, Failure> {
        let mut counting = Counting::new();
        let mut labels = self.labels();
        let chunks = self.for_chunks(|chunk, start| Self::count_rows(&mut counting, &mut labels, chunk, start))?;
        Ok(Converted { chunks, form: Form::Counts })
    }

    fn labels(&self) -> Labels<'a> {
        match self.encodings {
            Encodings::One(encoding) => Labels::one(*encoding),
            Encodings::Rows(labels) => Labels::rows(labels),
        }
    }

    /// Converts each chunk. The function gets a chunk and the row of the column where it starts.
    fn for_chunks(
        &self,
        mut convert: impl FnMut(&'a Chunk, usize) -> Result<ArrayData, Failure>,
    ) -> Result<Vec<ArrayData>, Failure> {
        let mut start = 0;
        let mut converted = Vec::new();
        converted.try_reserve_exact(self.column.chunks.len()).map_err(|_| Failure::Memory)?;
        for chunk in &self.column.chunks {
            converted.push(convert(chunk, start)?);
            start += chunk.len();
        }
        Ok(converted)
    }

    /// Converts the rows of `source`, of which the first is row `start` of the column.
    fn convert_rows<C: Convert>(
        &self,
        converter: &mut C,
        labels: &mut Labels<'_>,
        source: &Source<'_>,
        start: usize,
    ) -> Result<ArrayData, Failure> {
        let layout = self.column.kind.as_ref().map_or(Layout::Small, |kind| kind.layout);
        let output = source.nulls().and_then(|nulls| Output::new(layout, source.len(), nulls, self.limit));
        let mut output = output.map_err(memory)?;
        let (mut block, mut runs, mut at) = (Block::new().map_err(memory)?, Vec::new(), 0);
        while at < source.len() {
            source.read(at, &mut block).map_err(|broken| Failure::broken("array", start, &broken))?;
            labels.read(block.rows.len(), &mut runs)?;
            output.piece.reserve_rows(block.rows.len()).map_err(memory)?;
            let (mut rest, mut first) = (block.part(), start + at);
            for &(label, len) in &runs {
                let part;
                (part, rest) = rest.split(len);
                match label {
                    Label::Encoding(encoding) => {
                        converter.convert(encoding, part, &mut output.piece).map_err(|Rejected { row, fault }| {
                            Failure::new(fault, first + row, part.rows.get(row).copied().unwrap_or_default())
                        })?;
                    }
                    Label::Unknown if !converter.records_failures() => {
                        // A null row needs no encoding.
                        if let Some(row) = (first..first + len).find(|row| !source.is_null(row - start)) {
                            return Err(labels.unknown(row));
                        }
                        output.piece.fail_rows(len);
                    }
                    Label::Unknown | Label::Null => output.piece.fail_rows(len),
                }
                first += len;
            }
            output.commit().map_err(|full| match full {
                Full::Layout(row) => self.overflow(start + row),
                Full::Memory => Failure::Memory,
            })?;
            at += block.rows.len();
        }
        output.finish().map_err(|error| invalid(error.to_string()))
    }

    fn overflow(&self, row: usize) -> Failure {
        let kind = self.column.kind.as_ref();
        let is_view = kind.is_some_and(|kind| kind.layout == Layout::View);
        let to_text = kind.is_some_and(|kind| !kind.is_text);
        Failure::Overflow { row, in_dictionary: false, is_view, to_text }
    }

    /// Converts the values of dictionaries, and keeps their keys.
    fn convert_dictionaries<C: Convert>(&self, converter: &C, encoding: Encoding) -> Result<Vec<ArrayData>, Failure> {
        let mut recording = converter.fresh(true);
        // The values of the chunk before: often all chunks have the same.
        let mut last: Option<(&Chunk, ArrayData)> = None;
        self.for_chunks(|chunk, start| {
            let values = match last.take() {
                Some((before, values)) if before.shares_values_with(chunk) => values,
                _ => {
                    let source = Source::values(chunk).map_err(invalid)?;
                    self.convert_rows(&mut recording, &mut Labels::one(encoding), &source, 0)
                        .map_err(Failure::in_dictionary)?
                }
            };
            let result = Self::with_keys(converter, encoding, chunk, start, &values);
            last = Some((chunk, values));
            result
        })
    }

    /// Makes a dictionary of converted values with the keys of a chunk.
    ///
    /// A value that failed is null in the dictionary. Rows with its key also become null, because some consumers ignore nulls in
    /// a dictionary. With `strict`, the first such row is the error. Unused values are never errors.
    fn with_keys<C: Convert>(
        converter: &C,
        encoding: Encoding,
        chunk: &Chunk,
        start: usize,
        values: &ArrayData,
    ) -> Result<ArrayData, Failure> {
        let source = Source::new(chunk).map_err(invalid)?;
        let keys = chunk.keys().and_then(|keys| Ok(keys.ok_or("it has no keys")?)).map_err(invalid)?;
        let mut nulls = Nulls::new(keys.len, keys.validity).map_err(memory)?;
        for row in 0..keys.len {
            let is_valid = |key| key < values.len() && values.nulls().is_none_or(|nulls| nulls.is_valid(key));
            if keys.get(row).is_some_and(is_valid) {
                continue;
            }
            let bytes = source.get(row).map_err(|broken| Failure::broken("array", start, &broken))?;
            let Some(bytes) = bytes else { continue };
            if !converter.records_failures() {
                let part = Part { rows: &[bytes], span: None };
                if let Err(Rejected { fault, .. }) =
                    converter.fresh(false).convert(encoding, part, &mut Piece::default())
                {
                    return Err(Failure::new(fault, start + row, bytes));
                }
            }
            nulls.set(row).map_err(memory)?;
        }
        // The memory of allocators is aligned for integers, so that `align_buffers` need not copy it.
        let copy = failure::copy(keys.data).ok_or(Failure::Memory)?;
        ArrayDataBuilder::new(DataType::Dictionary(Box::new(keys.kind.clone()), Box::new(values.data_type().clone())))
            .len(keys.len)
            .nulls(nulls.finish())
            .add_buffer(Buffer::from_vec(copy))
            .align_buffers(true)
            .add_child_data(values.clone())
            .build()
            .map_err(|error| invalid(error.to_string()))
    }

    fn count_rows(
        counting: &mut Counting,
        labels: &mut Labels<'_>,
        chunk: &Chunk,
        start: usize,
    ) -> Result<ArrayData, Failure> {
        let source = Source::new(chunk).map_err(invalid)?;
        let mut nulls = source.nulls().map_err(memory)?;
        let mut counts = Vec::new();
        counts.try_reserve_exact(source.len()).map_err(|_| Failure::Memory)?;
        let (mut block, mut runs, mut at) = (Block::new().map_err(memory)?, Vec::new(), 0);
        while at < source.len() {
            source.read(at, &mut block).map_err(|broken| Failure::broken("array", start, &broken))?;
            labels.read(block.rows.len(), &mut runs)?;
            let (mut rest, mut first) = (block.part(), at);
            for &(label, len) in &runs {
                let part;
                (part, rest) = rest.split(len);
                if let Label::Encoding(encoding) = label {
                    counting.count(encoding, part, &mut counts).map_err(memory)?;
                } else {
                    let rows = first..first + len;
                    if let (Label::Unknown, Some(row)) = (label, rows.clone().find(|&row| !source.is_null(row))) {
                        return Err(labels.unknown(start + row));
                    }
                    rows.into_iter().try_for_each(|row| nulls.set(row)).map_err(memory)?;
                    counts.resize(counts.len() + len, 0);
                }
                first += len;
            }
            at += block.rows.len();
        }
        ArrayDataBuilder::new(DataType::UInt32)
            .len(counts.len())
            .nulls(nulls.finish())
            .add_buffer(Buffer::from_vec(counts))
            .build()
            .map_err(|error| invalid(error.to_string()))
    }
}
