//! The lines of a batch as Arrow arrays.

use std::{collections::TryReserveError, sync::Arc};

use arrow_array::{Array, ArrayRef, BinaryArray, Int64Array, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field};

/// Bytes of a row in addition to its text and its malformed bytes: two array offsets, a file offset, and three validity bits rounded up to a byte.
const ROW: usize = 4 + 4 + 8 + 1;

/// Collects lines. Unlike the builders of arrow, it does not abort if there is no memory.
pub(super) struct Rows {
    text: Column,
    offsets: Vec<i64>,
    corrupt: Column,
    bytes: usize,
    limit: usize,
    row: usize,
}

/// Why a line is not appended.
pub(super) enum Refused {
    /// It is too long for Arrow's 32-bit offsets.
    TooLong,
    /// There is not enough memory.
    Memory,
}

impl From<TryReserveError> for Refused {
    fn from(_: TryReserveError) -> Self {
        Self::Memory
    }
}

impl Rows {
    /// `limit` is the length in bytes of a batch, and `others` that of a row in columns that the caller adds.
    pub(super) fn new(limit: usize, others: usize) -> Self {
        Self {
            text: Column::default(),
            offsets: Vec::new(),
            corrupt: Column::default(),
            bytes: 0,
            limit,
            row: others.saturating_add(ROW),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Returns how many rows fit into a batch that has no other bytes. At least 1.
    pub(super) fn capacity(&self) -> usize {
        (self.limit / self.row).max(1)
    }

    /// Returns whether the text of `source` bytes in `rows` lines fits. If there are no rows yet, everything fits.
    pub(super) fn fits(&self, source: usize, rows: usize) -> bool {
        // A byte decodes to three at most. If it is malformed, it is in the column of malformed bytes, too.
        let most = source.saturating_mul(4).saturating_add(rows.saturating_mul(self.row));
        self.is_empty() || self.bytes.saturating_add(most) <= self.limit
    }

    /// Appends a line. If it is refused, the rows are unchanged.
    pub(super) fn push(&mut self, text: Option<&str>, offset: u64, corrupt: Option<&[u8]>) -> Result<(), Refused> {
        let (text_len, corrupt_len) = (text.map_or(0, str::len), corrupt.map_or(0, <[u8]>::len));
        let bytes = self.bytes.saturating_add(text_len).saturating_add(corrupt_len).saturating_add(self.row);
        // `bytes` is at least the length of each array.
        let (Ok(offset), true) = (i64::try_from(offset), i32::try_from(bytes).is_ok()) else {
            return Err(Refused::TooLong);
        };
        self.offsets.try_reserve(1)?;
        self.text.reserve(text_len)?;
        self.corrupt.reserve(corrupt_len)?;
        self.offsets.push(offset);
        self.text.push(text.map(str::as_bytes));
        self.corrupt.push(corrupt);
        self.bytes = bytes;
        Ok(())
    }

    /// Returns the lines as arrays.
    pub(super) fn finish(self) -> Lines {
        Lines { text: self.text, offsets: self.offsets, corrupt: self.corrupt }
    }
}

/// A column of bytes.
#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    /// The end of each row in `bytes`, after a 0. Empty if there are no rows.
    ends: Vec<i32>,
    /// One bit for each row, set if the row is not null.
    valid: Vec<u8>,
}

impl Column {
    /// Makes room for a row of `len` bytes.
    fn reserve(&mut self, len: usize) -> Result<(), TryReserveError> {
        self.ends.try_reserve(2)?;
        self.valid.try_reserve(1)?;
        self.bytes.try_reserve(len)
    }

    /// Appends a row, or null. The length of all rows must fit into 31 bits.
    #[expect(clippy::cast_possible_wrap, reason = "the caller has checked it")]
    fn push(&mut self, row: Option<&[u8]>) {
        if self.ends.is_empty() {
            self.ends.push(0);
        }
        let (index, bit) = ((self.ends.len() - 1) / 8, (self.ends.len() - 1) % 8);
        if index == self.valid.len() {
            self.valid.push(0);
        }
        if let Some(row) = row {
            self.bytes.extend_from_slice(row);
            self.valid[index] |= 1 << bit;
        }
        self.ends.push(self.bytes.len() as i32);
    }

    /// Returns a row, or `None` if it is null.
    fn get(&self, row: usize) -> Option<&[u8]> {
        let is_valid = self.valid.get(row / 8)? & (1 << (row % 8)) != 0;
        let (start, end) = (*self.ends.get(row)?, *self.ends.get(row + 1)?);
        is_valid.then(|| self.bytes.get(start as usize..end as usize))?
    }

    /// Returns the parts of an array of `rows` rows.
    fn into_parts(self, rows: usize) -> (OffsetBuffer<i32>, Buffer, Option<NullBuffer>) {
        let nulls = NullBuffer::new(BooleanBuffer::new(self.valid.into(), 0, rows));
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        (OffsetBuffer::new(ScalarBuffer::from(self.ends)), self.bytes.into(), nulls)
    }
}

/// The lines of a batch, at least one.
pub(super) struct Lines {
    text: Column,
    offsets: Vec<i64>,
    corrupt: Column,
}

impl Lines {
    /// Returns text, offset and malformed bytes of each line.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (Option<&str>, i64, Option<&[u8]>)> {
        self.offsets.iter().enumerate().map(|(row, &offset)| {
            let text = self.text.get(row).map(|text| str::from_utf8(text).unwrap_or_default());
            (text, offset, self.corrupt.get(row))
        })
    }

    /// Returns structs of `value`, `_offset` and `_corrupt`, with their type.
    pub(super) fn into_structs(self) -> Result<(Field, ArrayData), ArrowError> {
        let rows = self.offsets.len();
        let (ends, bytes, nulls) = self.text.into_parts(rows);
        let text = StringArray::try_new(ends, bytes, nulls)?;
        let (ends, bytes, nulls) = self.corrupt.into_parts(rows);
        let corrupt = BinaryArray::try_new(ends, bytes, nulls)?;
        let columns: [(Field, ArrayRef); 3] = [
            (Field::new("value", DataType::Utf8, true), Arc::new(text)),
            (Field::new("_offset", DataType::Int64, true), Arc::new(Int64Array::from(self.offsets))),
            (Field::new("_corrupt", DataType::Binary, true), Arc::new(corrupt)),
        ];
        let structs = StructArray::from(columns.map(|(field, array)| (Arc::new(field), array)).to_vec());
        Ok((Field::new("", structs.data_type().clone(), false), structs.into_data()))
    }
}
