//! Converts many short rows in one call.
//!
//! A call of a decoder takes about as long as ten characters. So the rows of a block are joined with a separator, converted
//! together, and divided at the separators.
//!
//! This is exact for encodings that are compatible with ASCII. Each of their decoders is between two characters before and
//! after [`SEPARATOR`], because it is no trail byte, or else reports an error before it. Each of their encoders has no state.
//! It is also exact for single-byte encodings such as EBCDIC, if the separator is the same byte in them.
//! If rows contain the separator, there are more than expected; these rows are converted one by one.

use textcodec::Encoding;

use super::{failure::Fault, output::Piece, rows::Part};

/// A character that is rare in text.
const SEPARATOR: u8 = 0x02;
/// The minimum number of rows, and the maximum length of the mean row in bytes, with which this is faster.
const MIN_ROWS: usize = 4;
const MAX_MEAN: usize = 256;

/// Memory for rows that are joined.
#[derive(Default)]
pub(super) struct Joined {
    input: Vec<u8>,
    output: Vec<u8>,
}

/// Converts input that can be joined.
pub(super) trait Engine {
    /// Appends the result of a whole input to `output`, or of its part before an error. Returns the offset of the error.
    fn convert(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<Option<usize>, Fault>;

    /// Appends one row to `piece`.
    fn convert_row(&mut self, row: &[u8], piece: &mut Piece) -> Result<(), Fault>;
}

/// Whether rows in an encoding can be joined.
pub(super) fn is_exact(encoding: Encoding) -> bool {
    let keeps_separator = || {
        const TEXT: &str = "\x02";
        encoding.decode(&[SEPARATOR]).text == TEXT && encoding.encode(TEXT).is_ok_and(|bytes| *bytes == [SEPARATOR])
    };
    encoding.is_ascii_compatible() || encoding.is_single_byte() && keeps_separator()
}

/// Whether rows are short enough.
pub(super) fn is_faster(part: Part<'_, '_>) -> bool {
    part.rows.len() >= MIN_ROWS && part.size() / part.rows.len() <= MAX_MEAN
}

impl Joined {
    /// Appends the results of rows to `piece`.
    ///
    /// # Errors
    /// Returns a row that cannot be converted, and why.
    pub(super) fn convert<E: Engine>(
        &mut self,
        engine: &mut E,
        part: Part<'_, '_>,
        piece: &mut Piece,
    ) -> Result<(), (usize, Fault)> {
        let Self { input, output } = self;
        let len = part.size() + part.rows.len() + SHORT;
        input.try_reserve(len).map_err(|_| (0, Fault::Memory))?;
        join(part, input);
        // The first row that is not converted yet, and where it starts in the input.
        let (mut next, mut start) = (0, 0);
        let mut errors = 0;
        while next < part.rows.len() {
            output.clear();
            let error = engine.convert(&input[start..], output).map_err(|fault| (next, fault))?;
            let first = next;
            let end = error.map_or(input.len(), |error| start + error);
            while let Some(row) = part.rows.get(next).filter(|row| start + row.len() < end) {
                start += row.len() + 1;
                next += 1;
            }
            let rows = part.rows.get(first..next).unwrap_or_default();
            if !divide(output, rows.len(), piece).map_err(|fault| (first, fault))? {
                for (n, row) in rows.iter().enumerate() {
                    engine.convert_row(row, piece).map_err(|fault| (first + n, fault))?;
                }
            }
            // The row with the error, and all others if there are many errors.
            errors += 1;
            let others = if errors > next / 8 + 4 { part.rows.len() } else { next + 1 };
            while let Some(row) = part.rows.get(next).filter(|_| next < others) {
                engine.convert_row(row, piece).map_err(|fault| (next, fault))?;
                start += row.len() + 1;
                next += 1;
            }
        }
        Ok(())
    }
}

/// Joins rows, with a separator after each.
fn join(part: Part<'_, '_>, input: &mut Vec<u8>) {
    input.clear();
    let mut at = 0;
    for row in part.rows {
        match part.span {
            Some(span) => append(input, span, at, at + row.len()),
            None => input.extend_from_slice(row),
        }
        input.push(SEPARATOR);
        at += row.len();
    }
}

/// Divides a result at its separators and appends the rows to `piece`. Returns false, without effect, if there are not `rows`
/// separators.
fn divide(output: &[u8], rows: usize, piece: &mut Piece) -> Result<bool, Fault> {
    let (len, ends) = (piece.bytes.len(), piece.ends.len());
    piece.reserve(output.len() + SHORT)?;
    let mut start = 0;
    for end in memchr::memchr_iter(SEPARATOR, output) {
        append(&mut piece.bytes, output, start, end);
        piece.end_row();
        start = end + 1;
    }
    let is_right = piece.ends.len() - ends == rows;
    if !is_right {
        piece.bytes.truncate(len);
        piece.ends.truncate(ends);
    }
    Ok(is_right)
}

/// The length of a copy without a call.
const SHORT: usize = 32;

/// Appends `from[start..end]`. A copy of a fixed length is faster than one of a variable length, if more bytes follow.
#[inline]
fn append(to: &mut Vec<u8>, from: &[u8], start: usize, end: usize) {
    let before = to.len();
    match from.get(start..start + SHORT) {
        Some(more) if end - start <= SHORT => {
            to.extend_from_slice(more);
            to.truncate(before + end - start);
        }
        _ => to.extend_from_slice(from.get(start..end).unwrap_or_default()),
    }
}
