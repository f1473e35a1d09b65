//! [`Lines`]: an iterator over lines.

use core::{iter::FusedIterator, ops::Range};
use std::{
    io::{self, Read},
    string::String,
};

use super::DecodeReader;
use crate::DecodeError;

/// An iterator over the lines of a [`DecodeReader`], without the LF or CRLF at their ends. Items are `String`s;
/// [`next_line`](Self::next_line) borrows each line instead.
///
/// At a malformed sequence, the text before it is returned as a line, and then the error. With
/// [`Malformed::Fail`](crate::Malformed::Fail), the error is the last item. With `Pause`, the text after it starts a new line.
/// An error of the inner reader is returned immediately. The incomplete line is kept, and the next call continues it.
///
/// ```
/// use textcodec::{DecodeOptions, Malformed, SHIFT_JIS, io::DecodeReader};
///
/// let strict = DecodeOptions::new().malformed(Malformed::Fail);
/// let mut lines = DecodeReader::new(&b"\x93\xFA\r\n\x96{\xFF"[..], SHIFT_JIS.try_decoder_with(strict)?).lines();
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
    /// Whether `text` is followed by the end or an error.
    ended: bool,
    /// The range of the last error in the text.
    failed: Option<Range<u64>>,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: DecodeReader<R>) -> Self {
        Self { reader, text: String::new(), start: 0, searched: 0, ended: false, failed: None }
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
    /// let mut lines = DecodeReader::new(&b"a\0\n\0b\0"[..], UTF_16LE.try_decoder()?).lines();
    /// let mut longest = 0;
    /// while let Some(line) = lines.next_line()? {
    ///     longest = longest.max(line.len());
    /// }
    /// assert_eq!(longest, 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn next_line(&mut self) -> io::Result<Option<&str>> {
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
                return self.error().map_or(Ok(None), Err);
            }
            self.text.drain(..self.start);
            (self.start, self.searched) = (0, self.text.len());
            self.reader.append_buffered(&mut self.text)?;
            match self.reader.append(&mut self.text) {
                Ok(more) => self.ended = !more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        Ok(Some(&self.text[line]))
    }

    /// Returns the error after `text`, if any. With `Fail`, the reader returns the same error again, which means the end.
    fn error(&mut self) -> Option<io::Error> {
        let error = self.reader.reading.source.error.take()?;
        let at = error.get_ref().and_then(|error| error.downcast_ref()).map(DecodeError::range);
        if at == self.failed {
            return None;
        }
        (self.failed, self.ended) = (at, false);
        Some(error)
    }

    /// Returns the reader. Its [`decoder`](DecodeReader::decoder) has the errors that were replaced. It may have read more
    /// lines than were returned.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// let mut lines = DecodeReader::new(&b"a\nb\xFF"[..], UTF_8.try_decoder()?).lines();
    /// assert_eq!(lines.by_ref().count(), 2);
    /// assert_eq!(lines.reader().decoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn reader(&self) -> &DecodeReader<R> {
        &self.reader
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<io::Result<String>> {
        self.next_line().map(|line| line.map(String::from)).transpose()
    }
}

impl<R: Read> FusedIterator for Lines<R> {}
