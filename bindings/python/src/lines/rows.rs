//! The lines of a batch as Arrow arrays.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BinaryArray, Int64Array, StringArray, StructArray,
    builder::{BinaryBuilder, Int64Builder, StringBuilder},
};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

/// Bytes of a row in addition to its text and its malformed bytes: two array offsets, a file offset, and three validity bits rounded up to a byte.
const ROW: usize = 4 + 4 + 8 + 1;

/// Collects lines.
pub(super) struct Rows {
    text: StringBuilder,
    offsets: Int64Builder,
    corrupt: BinaryBuilder,
    len: usize,
    bytes: usize,
    limit: usize,
    row: usize,
}

impl Rows {
    /// `limit` is the length in bytes of a batch, and `others` that of a row in columns that the caller adds.
    pub(super) fn new(limit: usize, others: usize) -> Self {
        Self {
            text: StringBuilder::new(),
            offsets: Int64Builder::new(),
            corrupt: BinaryBuilder::new(),
            len: 0,
            bytes: 0,
            limit,
            row: others.saturating_add(ROW),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
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

    /// Appends a line. Returns false if it is too long for Arrow's 32-bit offsets.
    #[must_use]
    pub(super) fn push(&mut self, text: Option<&str>, offset: u64, corrupt: Option<&[u8]>) -> bool {
        let (text_len, corrupt_len) = (text.map_or(0, str::len), corrupt.map_or(0, <[u8]>::len));
        let bytes = self.bytes.saturating_add(text_len).saturating_add(corrupt_len).saturating_add(self.row);
        // `bytes` is at least the length of each array.
        let (Ok(offset), true) = (i64::try_from(offset), i32::try_from(bytes).is_ok()) else {
            return false;
        };
        self.text.append_option(text);
        self.offsets.append_value(offset);
        self.corrupt.append_option(corrupt);
        self.len += 1;
        self.bytes = bytes;
        true
    }

    /// Returns the lines as arrays.
    pub(super) fn finish(mut self) -> Lines {
        Lines { text: self.text.finish(), offsets: self.offsets.finish(), corrupt: self.corrupt.finish() }
    }
}

/// Lines in arrays of the same length.
pub(super) struct Lines {
    text: StringArray,
    offsets: Int64Array,
    corrupt: BinaryArray,
}

impl Lines {
    /// Returns text, offset and malformed bytes of each line.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (Option<&str>, i64, Option<&[u8]>)> {
        (0..self.text.len()).map(|row| {
            let text = self.text.is_valid(row).then(|| self.text.value(row));
            (text, self.offsets.value(row), self.corrupt.is_valid(row).then(|| self.corrupt.value(row)))
        })
    }

    /// Returns structs of `value`, `_offset` and `_corrupt`, with their type.
    pub(super) fn into_structs(self) -> (Field, ArrayData) {
        let columns: [(Field, ArrayRef); 3] = [
            (Field::new("value", DataType::Utf8, true), Arc::new(self.text)),
            (Field::new("_offset", DataType::Int64, true), Arc::new(self.offsets)),
            (Field::new("_corrupt", DataType::Binary, true), Arc::new(self.corrupt)),
        ];
        let structs = StructArray::from(columns.map(|(field, array)| (Arc::new(field), array)).to_vec());
        (Field::new("", structs.data_type().clone(), false), structs.into_data())
    }
}
