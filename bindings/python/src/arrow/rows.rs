//! Rows in blocks: every layout becomes a list of slices.

use super::{
    chunk::{Chunk, Invalid, Keys, Rows, Values},
    failure::Fault,
    output::Nulls,
};

/// Some consecutive rows of a chunk. A null row is an empty slice.
pub(super) struct Block<'a> {
    pub(super) rows: Vec<&'a [u8]>,
    /// All rows in one slice, if they follow each other in memory without a gap.
    span: Option<&'a [u8]>,
}

/// Some consecutive rows of a block.
#[derive(Clone, Copy)]
pub(super) struct Part<'b, 'a> {
    pub(super) rows: &'b [&'a [u8]],
    /// All rows in one slice, if they follow each other in memory without a gap.
    pub(super) span: Option<&'a [u8]>,
}

impl<'a> Block<'a> {
    /// An empty block, with room for all rows that it may have.
    pub(super) fn new() -> Result<Self, Fault> {
        let mut rows = Vec::new();
        rows.try_reserve_exact(ROWS).map_err(|_| Fault::Memory)?;
        Ok(Self { rows, span: None })
    }

    pub(super) fn part(&self) -> Part<'_, 'a> {
        Part { rows: &self.rows, span: self.span }
    }
}

impl Part<'_, '_> {
    /// Splits it after `rows` rows.
    pub(super) fn split(self, rows: usize) -> (Self, Self) {
        let Some((left, right)) = self.rows.split_at_checked(rows).filter(|(_, right)| !right.is_empty()) else {
            return (self, Self { rows: &[], span: None });
        };
        let len = left.iter().map(|row| row.len()).sum();
        let (left_span, right_span) = self.span.and_then(|span| span.split_at_checked(len)).unzip();
        (Self { rows: left, span: left_span }, Self { rows: right, span: right_span })
    }

    /// The bytes of all rows.
    pub(super) fn size(self) -> usize {
        self.span.map_or_else(|| self.rows.iter().map(|row| row.len()).sum(), <[u8]>::len)
    }
}

/// What is wrong with a row.
pub(super) struct Broken {
    pub(super) row: usize,
    pub(super) what: &'static str,
}

/// The maximum number of rows of a block.
const ROWS: usize = 1024;
/// A block ends before the row with which it would be longer than this, in bytes. So a longer row is a block by itself.
pub(super) const BYTES: usize = 1 << 15;

/// The rows of a chunk, of any layout.
pub(super) struct Source<'a> {
    keys: Option<Keys<'a>>,
    rows: Rows<'a>,
}

impl<'a> Source<'a> {
    pub(super) fn new(chunk: &'a Chunk) -> Result<Self, Invalid> {
        Ok(Self { keys: chunk.keys()?, rows: chunk.rows()? })
    }

    /// The values of the dictionary as rows.
    pub(super) fn values(chunk: &'a Chunk) -> Result<Self, Invalid> {
        Ok(Self { keys: None, rows: chunk.rows()? })
    }

    pub(super) fn len(&self) -> usize {
        self.keys.as_ref().map_or(self.rows.len, |keys| keys.len)
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        self.get(row).is_ok_and(|row| row.is_none())
    }

    /// The rows that are null.
    pub(super) fn nulls(&self) -> Result<Nulls, Fault> {
        let Some(keys) = &self.keys else { return Nulls::new(self.rows.len, self.rows.validity) };
        let mut nulls = Nulls::new(keys.len, keys.validity)?;
        if let Some(values) = self.rows.validity {
            let is_null = |row: &usize| keys.get(*row).is_some_and(|key| key < self.rows.len && !values.get(key));
            (0..keys.len).filter(is_null).try_for_each(|row| nulls.set(row))?;
        }
        Ok(nulls)
    }

    /// Returns a row, or `None` if it is null.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Result<Option<&'a [u8]>, Broken> {
        let broken = |what| Broken { row, what };
        let Some(keys) = &self.keys else { return self.rows.get(row).map_err(broken) };
        if keys.validity.is_some_and(|bits| !bits.get(row)) {
            return Ok(None);
        }
        let key = keys.get(row).filter(|&key| key < self.rows.len).ok_or(broken(KEY))?;
        self.rows.get(key).map_err(broken)
    }

    /// Reads rows from `start` on into `block`, at least one if there is one.
    pub(super) fn read(&self, start: usize, block: &mut Block<'a>) -> Result<(), Broken> {
        block.rows.clear();
        let end = self.len().min(start.saturating_add(ROWS));
        let mut size = 0;
        for row in start..end {
            let value = self.get(row)?.unwrap_or_default();
            size += value.len();
            if size > BYTES && !block.rows.is_empty() {
                size -= value.len();
                break;
            }
            block.rows.push(value);
        }
        let span = if self.keys.is_none() { self.rows.span(start, start + block.rows.len()) } else { None };
        // Other lengths mean that a null row has bytes.
        block.span = span.filter(|span| span.len() == size);
        Ok(())
    }
}

impl<'a> Rows<'a> {
    /// Returns a row, or `None` if it is null.
    #[inline]
    fn get(&self, row: usize) -> Result<Option<&'a [u8]>, &'static str> {
        if self.validity.is_some_and(|bits| !bits.get(row)) {
            return Ok(None);
        }
        self.value(row).map(Some)
    }

    #[inline]
    fn value(&self, row: usize) -> Result<&'a [u8], &'static str> {
        match &self.values {
            Values::Small(offsets, data) => {
                let [Some(start), Some(end)] = [row, row + 1].map(|at| offsets.get(at)) else { return Err(OFFSETS) };
                let [start, end] = [start, end].map(|offset| position(*offset));
                data.get(start..end).ok_or(OFFSETS)
            }
            Values::Large(offsets, data) => {
                let [Some(start), Some(end)] = [row, row + 1].map(|at| offsets.get(at)) else { return Err(OFFSETS) };
                let [start, end] = [start, end].map(|offset| usize::try_from(i64::from_ne_bytes(*offset)));
                let (Ok(start), Ok(end)) = (start, end) else { return Err(OFFSETS) };
                data.get(start..end).ok_or(OFFSETS)
            }
            Values::View(views, buffers) => {
                let view = views.get(row).ok_or(VIEW)?;
                let [len, _, buffer, offset] = view.as_chunks().0 else { return Err(VIEW) };
                let [len, buffer, offset] = [len, buffer, offset].map(|field| position(*field));
                if let Some(inline) = view[4..].get(..len) {
                    return Ok(inline);
                }
                let data = buffers.get(buffer).ok_or(VIEW)?;
                data.get(offset..).and_then(|data| data.get(..len)).ok_or(VIEW)
            }
            Values::Fixed(width, data) => data.get(row * width..(row + 1) * width).ok_or(OFFSETS),
        }
    }

    /// The memory of rows, if it is one slice. It also has the bytes of null rows. No offset is less than the one before, so if
    /// the rows that are not null are as long as the slice, then they are the slice.
    fn span(&self, start: usize, end: usize) -> Option<&'a [u8]> {
        let range = match &self.values {
            Values::Small(offsets, _) => {
                // Rows that are not null were checked when they were read.
                if self.validity.is_some() && !ascend(offsets.get(start..=end)?, i32::from_ne_bytes) {
                    return None;
                }
                position(*offsets.get(start)?)..position(*offsets.get(end)?)
            }
            Values::Large(offsets, _) => {
                if self.validity.is_some() && !ascend(offsets.get(start..=end)?, i64::from_ne_bytes) {
                    return None;
                }
                let [start, end] = [start, end].map(|at| offsets.get(at));
                usize::try_from(i64::from_ne_bytes(*start?)).ok()?..usize::try_from(i64::from_ne_bytes(*end?)).ok()?
            }
            Values::Fixed(width, _) => start * width..end * width,
            Values::View(..) => return None,
        };
        match &self.values {
            Values::Small(_, data) | Values::Large(_, data) | Values::Fixed(_, data) => data.get(range),
            Values::View(..) => None,
        }
    }
}

/// Whether no offset is less than the one before. Without an early exit, the loop becomes one of vectors.
fn ascend<const N: usize, T: Ord>(offsets: &[[u8; N]], read: impl Fn([u8; N]) -> T) -> bool {
    let next = offsets.get(1..).unwrap_or_default();
    offsets.iter().zip(next).fold(true, |all, (one, next)| all & (read(*one) <= read(*next)))
}

/// Reads a position of 32 bits. A negative one becomes one that is outside all data.
#[expect(clippy::cast_sign_loss, reason = "the sign is extended")]
fn position(bytes: [u8; 4]) -> usize {
    i32::from_ne_bytes(bytes) as usize
}

const OFFSETS: &str = "the offsets decrease or point outside the data";
const VIEW: &str = "the view points outside the data";
const KEY: &str = "the key points outside the dictionary";
