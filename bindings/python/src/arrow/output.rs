//! The result of a chunk, in the layout of its input.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{ArrowError, DataType};

use super::{
    chunk::{Bits, Layout},
    failure::Fault,
    pages,
    rows::{BYTES, Part},
};

/// The results of consecutive rows: bytes, and the length of `bytes` after each row.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// The rows that become null, as positions in `ends`.
    pub(super) failed: Vec<usize>,
}

impl Piece {
    /// Makes room for `additional` bytes.
    pub(super) fn reserve(&mut self, additional: usize) -> Result<(), Fault> {
        self.bytes.try_reserve(additional).map_err(|_| Fault::Memory)
    }

    /// Makes room for the ends of `rows` rows.
    pub(super) fn reserve_rows(&mut self, rows: usize) -> Result<(), Fault> {
        self.ends.try_reserve(rows).and_then(|()| self.failed.try_reserve(rows)).map_err(|_| Fault::Memory)
    }

    /// Ends a row here.
    pub(super) fn end_row(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Ends a row that failed, where it began at `start`.
    pub(super) fn fail_row(&mut self, start: usize) {
        self.bytes.truncate(start);
        self.failed.push(self.ends.len());
        self.end_row();
    }

    /// Adds rows that are null.
    pub(super) fn fail_rows(&mut self, rows: usize) {
        (0..rows).for_each(|_| self.fail_row(self.bytes.len()));
    }

    /// Appends rows whose results are the rows themselves. `span` is all of them.
    pub(super) fn copy(&mut self, part: Part<'_, '_>, span: &[u8]) -> Result<(), Fault> {
        self.reserve(span.len())?;
        let mut end = self.bytes.len();
        self.bytes.extend_from_slice(span);
        self.ends.extend(part.rows.iter().map(|row| {
            end += row.len();
            end
        }));
        Ok(())
    }
}

/// The results of the rows of a chunk.
pub(super) struct Output {
    /// The last block's results. `bytes` also holds those of the blocks before, from the start of the last buffer.
    pub(super) piece: Piece,
    places: Places,
    nulls: Nulls,
    rows: usize,
    limit: usize,
}

/// Why rows cannot be recorded.
pub(super) enum Full {
    /// With this row, the layout cannot hold the results.
    Layout(usize),
    /// There is not enough memory.
    Memory,
}

/// Where the results of rows are in `bytes`.
enum Places {
    Small(Vec<i32>),
    Large(Vec<i64>),
    View { views: Vec<u128>, buffers: Vec<Buffer>, start: usize },
}

impl Output {
    /// The output for `rows` rows. `limit` is the maximum length of a buffer whose offsets have 32 bits.
    pub(super) fn new(layout: Layout, rows: usize, nulls: Nulls, limit: usize) -> Result<Self, Fault> {
        let places = match layout {
            Layout::Small | Layout::Fixed(_) | Layout::Null => Places::Small(with_capacity(rows + 1, 0)?),
            Layout::Large => Places::Large(with_capacity(rows + 1, 0)?),
            Layout::View => Places::View { views: with_capacity(rows, None)?, buffers: Vec::new(), start: 0 },
        };
        let limit = limit.min(i32::MAX as usize);
        Ok(Self { piece: Piece::default(), places, nulls, rows, limit })
    }

    /// Records the rows of `piece`, and prepares it for the next block.
    #[expect(clippy::cast_possible_wrap, reason = "at most `limit`, or a length of memory")]
    pub(super) fn commit(&mut self) -> Result<(), Full> {
        let Self { piece, places, limit, .. } = self;
        let first = match places {
            Places::Small(offsets) => {
                let first = offsets.len() - 1;
                if piece.bytes.len() > *limit {
                    let over = piece.ends.iter().position(|end| end > limit).unwrap_or_default();
                    return Err(Full::Layout(first + over));
                }
                offsets.extend(piece.ends.iter().map(|&end| end as i32));
                first
            }
            Places::Large(offsets) => {
                let first = offsets.len() - 1;
                offsets.extend(piece.ends.iter().map(|&end| end as i64));
                first
            }
            Places::View { views, buffers, start } => {
                let first = views.len();
                commit_views(piece, views, buffers, start, *limit).map_err(|full| match full {
                    Full::Layout(row) => Full::Layout(first + row),
                    Full::Memory => Full::Memory,
                })?;
                first
            }
        };
        for row in piece.failed.drain(..) {
            self.nulls.set(first + row).map_err(|_| Full::Memory)?;
        }
        let first_of_next = first + piece.ends.len();
        piece.ends.clear();
        self.expect(first_of_next);
        Ok(())
    }

    /// Reserves memory for the remaining rows, from the mean length so far, if the next block might not fit. Most columns then
    /// need one allocation. If this fails, each block reserves its own.
    fn expect(&mut self, done: usize) {
        let bytes = &mut self.piece.bytes;
        if done == self.rows || bytes.capacity() - bytes.len() >= 3 * BYTES {
            return;
        }
        let rest = (bytes.len() / done.max(1) + 1).saturating_mul(self.rows - done);
        let most = match self.places {
            // A long first row says little about the others.
            Places::Large(_) => bytes.len().max(i32::MAX as usize),
            Places::Small(_) | Places::View { .. } => self.limit.saturating_sub(bytes.len()),
        };
        let additional = rest.saturating_add(rest / 32).max(bytes.len() / 4).min(most).saturating_add(4 * BYTES);
        if bytes.try_reserve_exact(additional).is_ok() {
            pages::prefer_huge(bytes);
        }
    }

    /// Returns the array, as one of bytes: their layout is the same as that of text.
    pub(super) fn finish(mut self) -> Result<ArrayData, ArrowError> {
        let bytes = &mut self.piece.bytes;
        if bytes.capacity() - bytes.len() > bytes.len() / 4 {
            bytes.shrink_to_fit();
        }
        let bytes = Buffer::from_vec(self.piece.bytes);
        let builder = match self.places {
            Places::Small(offsets) => {
                ArrayDataBuilder::new(DataType::Binary).add_buffer(Buffer::from_vec(offsets)).add_buffer(bytes)
            }
            Places::Large(offsets) => {
                ArrayDataBuilder::new(DataType::LargeBinary).add_buffer(Buffer::from_vec(offsets)).add_buffer(bytes)
            }
            Places::View { views, mut buffers, .. } => {
                if !bytes.is_empty() {
                    buffers.push(bytes);
                }
                ArrayDataBuilder::new(DataType::BinaryView).add_buffer(Buffer::from_vec(views)).add_buffers(buffers)
            }
        };
        builder.len(self.rows).nulls(self.nulls.finish()).build()
    }
}

/// Turns the rows of `piece` into views. The bytes of short rows are in the views, so they are removed from the buffer.
fn commit_views(
    piece: &mut Piece,
    views: &mut Vec<u128>,
    buffers: &mut Vec<Buffer>,
    start: &mut usize,
    limit: usize,
) -> Result<(), Full> {
    let Piece { bytes, ends, .. } = piece;
    if bytes.len() > limit {
        // The buffer is full: the rows of this block begin the next one.
        let mut rows = with_capacity(bytes.len() - *start, None).map_err(|_| Full::Memory)?;
        rows.extend_from_slice(&bytes[*start..]);
        bytes.truncate(*start);
        let full = std::mem::replace(bytes, rows);
        if !full.is_empty() {
            buffers.try_reserve(2).map_err(|_| Full::Memory)?;
            buffers.push(Buffer::from_vec(full));
        }
        for end in ends.iter_mut() {
            *end -= *start;
        }
        *start = 0;
        if bytes.len() > limit {
            return Err(Full::Layout(ends.iter().position(|&end| end > limit).unwrap_or_default()));
        }
    }
    let buffer = buffers.len() as u32;
    let (mut from, mut to) = (*start, *start);
    for &end in &*ends {
        let row = &bytes[from..end];
        let mut view = [0; 16];
        // `row.len() <= limit < 2^31`.
        view[..4].copy_from_slice(&(row.len() as u32).to_ne_bytes());
        if let Some(inline) = view[4..].get_mut(..row.len()) {
            inline.copy_from_slice(row);
        } else {
            view[4..8].copy_from_slice(&row[..4]);
            view[8..12].copy_from_slice(&buffer.to_ne_bytes());
            view[12..].copy_from_slice(&(to as u32).to_ne_bytes());
            if from != to {
                bytes.copy_within(from..end, to);
            }
            to += end - from;
        }
        views.push(u128::from_ne_bytes(view));
        from = end;
    }
    bytes.truncate(to);
    *start = to;
    Ok(())
}

/// A vector with room for `len` elements that begins with `first`.
fn with_capacity<T>(len: usize, first: impl Into<Option<T>>) -> Result<Vec<T>, Fault> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).map_err(|_| Fault::Memory)?;
    vec.extend(first.into());
    Ok(vec)
}

/// The rows that are null: those of the input, and others.
pub(super) struct Nulls {
    /// One bit for each row from bit `offset` on, set if the row is not null. Empty if no row is null.
    bits: Vec<u8>,
    offset: usize,
    rows: usize,
}

impl Nulls {
    pub(super) fn new(rows: usize, validity: Option<Bits<'_>>) -> Result<Self, Fault> {
        let Some(validity) = validity else { return Ok(Self { bits: Vec::new(), offset: 0, rows }) };
        let (bytes, offset) = validity.parts();
        let (bytes, offset) = (bytes.get(offset / 8..).unwrap_or_default(), offset % 8);
        let len = (offset + rows).div_ceil(8);
        let mut bits = with_capacity(len, None)?;
        bits.extend_from_slice(bytes.get(..len).unwrap_or(bytes));
        bits.resize(len, 0);
        Ok(Self { bits, offset, rows })
    }

    /// Makes a row null.
    pub(super) fn set(&mut self, row: usize) -> Result<(), Fault> {
        if self.bits.is_empty() {
            let len = self.rows.div_ceil(8);
            self.bits = with_capacity(len, None)?;
            self.bits.resize(len, 0xFF);
        }
        let bit = self.offset + row;
        if let Some(byte) = self.bits.get_mut(bit / 8) {
            *byte &= !(1 << (bit % 8));
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Option<NullBuffer> {
        let is_whole = self.bits.len() * 8 >= self.offset + self.rows && !self.bits.is_empty();
        let nulls = is_whole.then(|| NullBuffer::new(BooleanBuffer::new(self.bits.into(), self.offset, self.rows)))?;
        (nulls.null_count() > 0).then_some(nulls)
    }
}
