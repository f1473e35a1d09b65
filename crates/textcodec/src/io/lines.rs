//! [`Lines`]: an iterator over lines.

use core::iter::FusedIterator;
use std::{
    io::{self, Read},
    string::String,
    vec::Vec,
};

use super::DecodeReader;
use crate::conversion::{DecodeError, Malformed};

/// An iterator over the lines of a [`DecodeReader`], without the LF or CRLF at their ends. Items are `String`s;
/// [`next_line`](Self::next_line) borrows each line instead, with its number and its errors.
///
/// Malformed sequences never end a line: they become U+FFFD, with [`Malformed::Replace`] and [`Malformed::Pause`]. Only with
/// `Pause` does [`Line::errors`] have them. With [`Malformed::Fail`], the text before the first one is returned as a line, and
/// then the error, which is the last item. An error of the inner reader is returned immediately. The incomplete line is kept,
/// and the next call continues it.
///
/// ```
/// use textcodec::{Malformed, SHIFT_JIS, io::DecodeReader};
///
/// let mut lines = DecodeReader::new(&b"\x93\xFA\r\n\x96{\xFF\n"[..], SHIFT_JIS.decoder_with(Malformed::Fail)).lines();
/// assert_eq!(lines.next().transpose()?.as_deref(), Some("日"));
/// assert_eq!(lines.next().transpose()?.as_deref(), Some("本"));
/// let error = lines.next().transpose().unwrap_err();
/// assert_eq!(error.to_string(), "malformed Shift_JIS at byte 6 (FF): this byte cannot start a character");
/// assert!(lines.next().is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Lines<R> {
    reader: DecodeReader<R>,
    /// Decoded text. The lines before `start` were returned.
    text: String,
    start: usize,
    /// There is no LF in `text[start..searched]`.
    searched: usize,
    /// The number of lines that were returned.
    number: u64,
    /// The errors in `text` from `start` on.
    errors: Vec<LineError>,
    /// The errors of the last line that was returned.
    line_errors: Vec<LineError>,
    /// Whether `text` is followed by the end, or by an error that is the end.
    ended: bool,
}

/// A line of [`Lines`].
///
/// ```
/// use textcodec::{Malformed, UTF_8, io::{DecodeReader, LineError}};
///
/// let mut lines = DecodeReader::new(&b"a\nb\xFFc\n"[..], UTF_8.decoder_with(Malformed::Pause)).lines();
/// while let Some(line) = lines.next_line()? {
///     for LineError { at, error, .. } in line.errors {
///         assert_eq!((line.number, line.text, *at, error.range()), (2, "b\u{FFFD}c", 1, 3..4));
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'a> {
    /// The text, without the LF or CRLF at its end.
    pub text: &'a str,
    /// The number of the line, from 1.
    pub number: u64,
    /// The malformed sequences in the line, which are U+FFFD in its text. Empty unless the decoder has [`Malformed::Pause`].
    pub errors: &'a [LineError],
}

/// A malformed sequence in a [`Line`].
///
/// ```
/// use textcodec::{Malformed, SHIFT_JIS, io::DecodeReader};
///
/// let mut lines = DecodeReader::new(&b"\x93\xFA \xFF"[..], SHIFT_JIS.decoder_with(Malformed::Pause)).lines();
/// let line = lines.next_line()?.unwrap();
/// let column = line.text[..line.errors[0].at].chars().count() + 1;
/// assert_eq!((line.number, column), (1, 3));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineError {
    /// The offset in bytes of its U+FFFD in the text of the line.
    pub at: usize,
    /// The error, with its offsets in the input.
    pub error: DecodeError,
}

impl<R: Read> Lines<R> {
    #[inline]
    pub(super) fn new(reader: DecodeReader<R>) -> Self {
        Self {
            reader,
            text: String::new(),
            start: 0,
            searched: 0,
            number: 0,
            errors: Vec::new(),
            line_errors: Vec::new(),
            ended: false,
        }
    }

    /// Returns the next line, or `None` at the end.
    ///
    /// # Errors
    /// Returns malformed sequences and errors of the inner reader, as described for [`Lines`]. Also fails if the reader was
    /// read before, and that read ended within a character.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::DecodeReader};
    ///
    /// let mut lines = DecodeReader::new(&b"a\0\n\0b\0"[..], UTF_16LE.decoder()).lines();
    /// let mut longest = 0;
    /// while let Some(line) = lines.next_line()? {
    ///     longest = longest.max(line.text.len());
    /// }
    /// assert_eq!(longest, 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[inline]
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let line = loop {
            if let Some(at) = self.text[self.searched..].find('\n') {
                let end = self.searched + at;
                let line = self.start..end - usize::from(self.text[self.start..end].ends_with('\r'));
                (self.start, self.searched) = (end + 1, end + 1);
                break line;
            }
            self.searched = self.text.len();
            if self.ended {
                let line = self.start..self.searched;
                self.start = self.searched;
                if !line.is_empty() {
                    break line;
                }
                return self.reader.reading.source.error.take().map_or(Ok(None), Err);
            }
            self.discard_returned();
            self.read()?;
        };
        let errors = self.errors.partition_point(|error| error.at < self.start);
        self.line_errors.clear();
        self.line_errors.try_reserve(errors)?;
        let in_line = |error: LineError| LineError { at: error.at - line.start, ..error };
        self.line_errors.extend(self.errors.drain(..errors).map(in_line));
        self.number += 1;
        Ok(Some(Line { text: &self.text[line], number: self.number, errors: &self.line_errors }))
    }

    /// Removes the lines that were returned.
    #[inline]
    fn discard_returned(&mut self) {
        if self.start == 0 {
            // A long line may have many errors, and each of them ends a read.
            return;
        }
        self.text.drain(..self.start);
        self.errors.iter_mut().for_each(|error| error.at -= self.start);
        (self.start, self.searched) = (0, self.text.len());
    }

    /// Appends more text.
    #[inline]
    fn read(&mut self) -> io::Result<()> {
        self.reader.append_buffered(&mut self.text)?;
        let has_more = match self.reader.append(&mut self.text) {
            Ok(has_more) => has_more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Err(error) => return Err(error),
        };
        let decoder = &self.reader.reading.source.convert;
        // A decoder without its encoding returns its error again and again.
        let may_continue = decoder.malformed() == Malformed::Pause && decoder.check().is_ok();
        let error = &mut self.reader.reading.source.error;
        if may_continue
            && let Some(malformed) = error.as_ref().and_then(|error| error.get_ref()?.downcast_ref::<DecodeError>())
        {
            self.errors.try_reserve(1)?;
            self.text.try_reserve(char::REPLACEMENT_CHARACTER.len_utf8())?;
            self.errors.push(LineError { at: self.text.len(), error: malformed.clone() });
            self.text.push(char::REPLACEMENT_CHARACTER);
            *error = None;
        } else {
            self.ended = !has_more;
        }
        Ok(())
    }

    /// Returns the reader. It may have read more lines than were returned. With [`Malformed::Replace`], its
    /// [`decoder`](DecodeReader::decoder) has the errors; with [`Malformed::Pause`], only [`Line::errors`] has them.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// let mut lines = DecodeReader::new(&b"a\nb\xFF"[..], UTF_8.decoder()).lines();
    /// assert_eq!(lines.by_ref().count(), 2);
    /// assert_eq!(lines.reader().decoder().errors().count(), 1);
    /// ```
    #[inline]
    pub fn reader(&self) -> &DecodeReader<R> {
        &self.reader
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<String>;

    #[inline]
    fn next(&mut self) -> Option<io::Result<String>> {
        self.next_line().map(|line| line.map(|line| line.text.into())).transpose()
    }
}

impl<R: Read> FusedIterator for Lines<R> {}
