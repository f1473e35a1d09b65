//! [`Lines`].

use core::{iter::FusedIterator, ops::Range};
use std::{
    io::{self, Read},
    string::String,
};

use super::DecodeReader;
use crate::DecodeError;

/// The lines of a [`DecodeReader`], without the LF or CRLF at their ends: an iterator of `String`s, or
/// [`next_line`](Self::next_line) without an allocation for each.
///
/// Where the text is malformed, what precedes the error is a line, then comes the error. With
/// [`Malformed::Fail`](crate::Malformed::Fail) that is the end; with `Report` what follows the error begins a line. An error of
/// the inner reader comes at once; the line that it cuts is kept, and the next call goes on.
///
/// ```
/// use textcodec::{DecodeOptions, Malformed, SHIFT_JIS, io::DecodeReader};
///
/// let strict = DecodeOptions::new().malformed(Malformed::Fail);
/// let mut lines = DecodeReader::new(&b"\x93\xFA\r\n\x96{\xFF"[..], SHIFT_JIS.try_decoder_with(strict)?).lines();
/// assert_eq!(lines.next().transpose()?.as_deref(), Some("日"));
/// assert_eq!(lines.next().transpose()?.as_deref(), Some("本"));
/// let error = lines.next().transpose().unwrap_err();
/// assert_eq!(error.to_string(), "malformed Shift_JIS at byte 6 (FF): no character begins with this byte");
/// assert!(lines.next().is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "an iterator does nothing until it is asked"]
pub struct Lines<R> {
    reader: DecodeReader<R>,
    /// What is decoded: lines that were given, up to `start`, and those to come.
    text: String,
    start: usize,
    /// Up to here there is no LF behind `start`.
    looked: usize,
    /// Nothing follows `text`, or an error.
    ended: bool,
    /// Where the error was that came last.
    failed: Option<Range<u64>>,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: DecodeReader<R>) -> Self {
        Self { reader, text: String::new(), start: 0, looked: 0, ended: false, failed: None }
    }

    /// The next line. None at the end.
    ///
    /// # Errors
    /// As the type says; and where the reader was read before, up to within a character.
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
            if let Some(at) = self.text[self.looked..].find('\n') {
                let end = self.looked + at;
                let line = self.start..end - usize::from(self.text[self.start..end].ends_with('\r'));
                (self.start, self.looked) = (end + 1, end + 1);
                break line;
            }
            self.looked = self.text.len();
            if self.ended {
                let line = self.start..self.looked;
                self.start = self.looked;
                if !line.is_empty() {
                    break line;
                }
                return self.error().map_or(Ok(None), Err);
            }
            self.text.drain(..self.start);
            (self.start, self.looked) = (0, self.text.len());
            self.reader.append_waiting(&mut self.text)?;
            match self.reader.append(&mut self.text) {
                Ok(more) => self.ended = !more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        Ok(Some(&self.text[line]))
    }

    /// The error that waits behind `text`. With `Fail` it comes again: that is the end.
    fn error(&mut self) -> Option<io::Error> {
        let error = self.reader.reading.source.error.take()?;
        let at = error.get_ref().and_then(|error| error.downcast_ref()).map(DecodeError::range);
        if at == self.failed {
            return None;
        }
        (self.failed, self.ended) = (at, false);
        Some(error)
    }

    /// The reader, whose [`decoder`](DecodeReader::decoder) knows about errors that were replaced. It is behind the lines that
    /// were given.
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
