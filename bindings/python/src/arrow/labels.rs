//! The encodings of rows.

use textcodec::Encoding;

use super::{chunk::Column, failure::Failure, rows::Source};
use crate::{encoding::for_name, objects::SHOWN};

/// The encoding of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Encoding(Encoding),
    /// The label is null.
    Null,
    /// There is no such label.
    Unknown,
}

/// The encoding of a label, or of a name outside the standard.
fn encoding_of(label: &[u8]) -> Option<Encoding> {
    str::from_utf8(label).ok().and_then(for_name)
}

/// The encodings of the rows of a column, in order.
pub(super) struct Labels<'a> {
    /// The encoding of all rows, or the last label and what it means.
    last: (&'a [u8], Label),
    /// `None` if all rows have the same encoding.
    column: Option<&'a Column>,
    /// The next chunk of the column.
    chunk: usize,
    source: Option<Source<'a>>,
    /// The row of the column where the source starts.
    start: usize,
    /// The next row of the source.
    row: usize,
}

impl<'a> Labels<'a> {
    /// One encoding for all rows.
    pub(super) fn one(encoding: Encoding) -> Self {
        let last = (&[][..], Label::Encoding(encoding));
        Self { last, column: None, chunk: 0, source: None, start: 0, row: 0 }
    }

    /// An encoding for each row.
    pub(super) fn rows(column: &'a Column) -> Self {
        Self { last: (&[], Label::Unknown), column: Some(column), ..Self::one(textcodec::UTF_8) }
    }

    /// Reads the encodings of the next `rows` rows into `runs`, as encodings with numbers of rows.
    pub(super) fn read(&mut self, rows: usize, runs: &mut Vec<(Label, usize)>) -> Result<(), Failure> {
        runs.clear();
        runs.try_reserve(rows).map_err(|_| Failure::Memory)?;
        if self.column.is_none() {
            runs.push((self.last.1, rows));
            return Ok(());
        }
        for _ in 0..rows {
            let label = self.next()?;
            match runs.last_mut() {
                Some((last, len)) if *last == label => *len += 1,
                _ => runs.push((label, 1)),
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Label, Failure> {
        let source = loop {
            match &self.source {
                Some(source) if self.row < source.len() => break source,
                _ => {}
            }
            // The column is as long as that of the rows.
            let Some(chunk) = self.column.and_then(|column| column.chunks.get(self.chunk)) else {
                return Ok(Label::Null);
            };
            self.start += self.row;
            (self.source, self.chunk, self.row) =
                (Some(Source::new(chunk).map_err(|invalid| Failure::invalid("encoding", invalid))?), self.chunk + 1, 0);
        };
        let label = source.get(self.row).map_err(|broken| Failure::broken("encoding", self.start, &broken))?;
        self.row += 1;
        let Some(label) = label else { return Ok(Label::Null) };
        if self.last.0 != label {
            self.last = (label, encoding_of(label).map_or(Label::Unknown, Label::Encoding));
        }
        Ok(self.last.1)
    }

    /// The failure of a row whose label is unknown.
    pub(super) fn unknown(&self, row: usize) -> Failure {
        let mut start = 0;
        let chunks = self.column.map_or(&[][..], |column| &column.chunks);
        let chunk = chunks.iter().find(|chunk| {
            start += chunk.len();
            row < start
        });
        let label = chunk.and_then(|chunk| Source::new(chunk).ok()?.get(row + chunk.len() - start).ok()?);
        // A message shows less of a long label.
        let label = label.unwrap_or_default();
        let label = &label[..label.len().min(SHOWN)];
        Failure::UnknownLabel { row, label: String::from_utf8_lossy(label).into() }
    }
}
