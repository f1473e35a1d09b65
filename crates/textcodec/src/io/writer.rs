//! [`DecodeWriter`] and [`EncodeWriter`].

use core::task::Poll;
use std::io::{self, Write};

use super::{
    convert::{Convert, from_utf8},
    reading::expect_ready,
    writing::{Writing, retry_interrupted},
};
use crate::conversion::{Decoded, Decoder, Encoded, Encoder, Transcoder};

/// A writer that decodes bytes, and writes the text as UTF-8 to an inner writer.
///
/// [`finish`](Self::finish) ends the input, writes all remaining output, and returns a summary.
///
/// Dropping a writer without `finish` also ends the input and writes all remaining output, but does not flush the inner writer.
/// **All errors are ignored then**, as with the standard library's `BufWriter`: malformed bytes at the end of the input are not
/// reported, and output is lost if the inner writer fails. To discard the remaining output, call
/// [`into_inner`](Self::into_inner).
///
/// ```
/// use std::io::Write;
/// use textcodec::{BIG5, io::DecodeWriter};
///
/// let mut writer = DecodeWriter::new(Vec::new(), BIG5.decoder());
/// for byte in b"\xA4\xA4\xA4\xE5" {
///     writer.write_all(&[*byte])?;
/// }
/// let (text, summary) = writer.finish()?;
/// assert_eq!((text, summary.errors.count()), ("中文".into(), 0));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer must be finished"]
pub struct DecodeWriter<W: Write>(Writer<W, Decoder>);

/// A writer that encodes UTF-8, and writes the bytes to an inner writer. A single write can end within a character.
///
/// [`finish`](Self::finish) ends the text, writes all remaining output, such as the escape sequence with which ISO-2022-JP
/// returns to ASCII, and returns a summary.
///
/// Dropping a writer without `finish` also ends the text and writes all remaining output, but does not flush the inner writer.
/// **All errors are ignored then**, as with the standard library's `BufWriter`: an incomplete or unmappable character at the end
/// of the text is not reported, and output is lost if the inner writer fails. To discard the remaining output, call
/// [`into_inner`](Self::into_inner).
///
/// ```
/// use std::io::Write;
/// use textcodec::{Unmappable, WINDOWS_1252, io::EncodeWriter};
///
/// let mut writer = EncodeWriter::new(Vec::new(), WINDOWS_1252.encoder_with(Unmappable::Replace('?')));
/// write!(writer, "{} € {}", 5, '字')?;
/// let (bytes, summary) = writer.finish()?;
/// assert_eq!((bytes.as_slice(), summary.errors.count()), (&b"5 \x80 ?"[..], 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer must be finished"]
pub struct EncodeWriter<W: Write>(Writer<W, Transcoder>);

impl<W: Write> DecodeWriter<W> {
    /// Creates a writer. The options of the decoder determine how malformed bytes and a byte order mark are handled.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let writer = DecodeWriter::new(std::io::stdout(), UTF_8.decoder());
    /// # writer.finish()?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: W, decoder: Decoder) -> Self {
        Self(Writer::new(inner, decoder))
    }

    /// Ends the input, writes all remaining output, and flushes the inner writer. Returns the inner writer and a summary.
    ///
    /// # Errors
    /// Returns errors of the inner writer, and malformed bytes at the end of the input. The writer is then dropped. To be able to try again, call [`try_finish`](Self::try_finish) first.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.write_all(b"\xEF\xBB\xBFab\xC3")?;
    /// let (text, summary) = writer.finish()?;
    /// assert_eq!((text, summary.bom_removed), ("ab\u{FFFD}".into(), true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> io::Result<(W, Decoded<()>)> {
        self.try_finish()?;
        let decoder = self.decoder();
        let (encoding, bom_removed) = (decoder.encoding(), decoder.bom_removed());
        let summary = Decoded { text: (), encoding, bom_removed, errors: decoder.errors().clone() };
        Ok((self.into_inner(), summary))
    }

    /// Ends the input like [`finish`](Self::finish), and keeps the writer: this can be called again after a failure of the
    /// inner writer. Further writes fail.
    ///
    /// # Errors
    /// The same as for [`finish`](Self::finish). With [`Malformed::Fail`](crate::Malformed::Fail), each call returns an error
    /// in the bytes again. With `Pause`, the next call continues after it.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{DecodeOptions, Malformed, UTF_8, io::DecodeWriter};
    ///
    /// let report = DecodeOptions::new().malformed(Malformed::Pause);
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder_with(report));
    /// writer.write_all(b"a\xC3")?;
    /// assert!(writer.try_finish().is_err());
    /// assert_eq!(writer.finish()?.0, b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }

    /// Returns the inner writer, without ending the input. Up to 16 KiB of buffered text, an incomplete character, and an
    /// unreported error are lost. Nothing is lost after a successful [`try_finish`](Self::try_finish).
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.write_all(b"a\xC3")?;
    /// writer.flush()?;
    /// writer.write_all(b"\xA9b")?;
    /// assert_eq!(writer.into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> W {
        self.0.take_inner()
    }

    /// Returns the decoder: the encoding in use, whether a byte order mark was removed, and the errors that were replaced so
    /// far.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.write_all(b"a\xFFb")?;
    /// assert_eq!(writer.decoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.0.writing.convert
    }

    /// Returns a reference to the inner writer. Some output may still be buffered.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.write_all(b"a\xC3")?;
    /// writer.flush()?;
    /// assert_eq!(writer.get_ref(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        self.0.inner()
    }

    /// Returns a mutable reference to the inner writer. Bytes that are written to it directly precede the buffered output.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.get_mut().push(b'a');
    /// assert_eq!(writer.finish()?.0, b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        self.0.inner_mut()
    }
}

impl<W: Write> Write for DecodeWriter<W> {
    /// Decodes bytes to a buffer. The buffer is written when it is full, by [`flush`](Self::flush) and by
    /// [`finish`](DecodeWriter::finish).
    ///
    /// A failed call has accepted none of `bytes`. If a malformed sequence follows valid bytes, this accepts those, and the
    /// next call fails.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    /// Writes the text of all bytes so far, except for an incomplete character, and flushes the inner writer.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> EncodeWriter<W> {
    /// Creates a writer. The setting of the encoder determines how unmappable characters are handled.
    ///
    /// ```
    /// use textcodec::{GBK, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), GBK.encoder());
    /// writer.write_str("你好")?;
    /// assert_eq!(writer.finish()?.0, b"\xC4\xE3\xBA\xC3");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: W, encoder: Encoder) -> Self {
        Self(Writer::new(inner, from_utf8(encoder)))
    }

    /// Writes text. Unlike [`write_all`](Write::write_all), this does not validate it again.
    ///
    /// # Errors
    /// The same as for `write_all`. If the last [`write`](Write::write) ended within a character, that character is malformed.
    ///
    /// ```
    /// use textcodec::{EncodeError, KOI8_R, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_R.encoder());
    /// let error = writer.write_str("да, 字").unwrap_err();
    /// assert_eq!(error.downcast::<EncodeError>().unwrap().range(), 6..9);
    /// ```
    pub fn write_str(&mut self, mut text: &str) -> io::Result<()> {
        loop {
            let read = self.0.call(|writing, write_inner| {
                writing.accept(|convert, dst| convert.transcode_str(text, dst).into(), write_inner)
            })?;
            text = &text[read..];
            if text.is_empty() {
                // `write` can report this error only in the next call. Here, all text was accepted.
                return self.0.call(|writing, _| Poll::Ready(writing.take_error()));
            }
        }
    }

    /// Ends the text, writes all remaining output, and flushes the inner writer. Returns the inner writer and a summary.
    ///
    /// # Errors
    /// Returns errors of the inner writer, and an incomplete character at the end of the text. The writer is then dropped. To be able to try again, call [`try_finish`](Self::try_finish) first.
    ///
    /// ```
    /// use textcodec::{ISO_2022_JP, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder());
    /// writer.write_str("日")?;
    /// assert_eq!(writer.finish()?.0, b"\x1B$BF|\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> io::Result<(W, Encoded<()>)> {
        self.try_finish()?;
        // UTF-8 has no surrogates.
        let summary = Encoded { bytes: (), errors: self.encoder().errors().clone(), unpaired_surrogates: 0 };
        Ok((self.into_inner(), summary))
    }

    /// Ends the text like [`finish`](Self::finish), and keeps the writer: this can be called again after a failure of the inner
    /// writer. Further writes fail.
    ///
    /// # Errors
    /// The same as for [`finish`](Self::finish). Each call returns the error of malformed text again, and with
    /// [`Unmappable::Fail`](crate::Unmappable::Fail) that of an unmappable character.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(&mut [][..], UTF_16LE.encoder());
    /// writer.write_str("a")?;
    /// assert_eq!(writer.try_finish().unwrap_err().kind(), std::io::ErrorKind::WriteZero);
    /// let mut output = [0; 2];
    /// *writer.get_mut() = &mut output;
    /// writer.finish()?;
    /// assert_eq!(output, *b"a\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }

    /// Returns the inner writer, without ending the text. Up to 16 KiB of buffered bytes, an incomplete character, the escape
    /// sequence with which ISO-2022-JP returns to ASCII, and an unreported error are lost. Nothing is lost after a successful
    /// [`try_finish`](Self::try_finish).
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder());
    /// writer.write_str("a")?;
    /// assert_eq!(writer.into_inner(), b"");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> W {
        self.0.take_inner()
    }

    /// Returns the encoder: the encoding, and the characters that were replaced or skipped so far.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_R.encoder_with(Unmappable::Skip));
    /// writer.write_str("字")?;
    /// assert_eq!(writer.encoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.0.writing.convert.encoder
    }

    /// Returns a reference to the inner writer. Some output may still be buffered.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder());
    /// writer.write_str("a")?;
    /// writer.flush()?;
    /// assert_eq!(writer.get_ref(), b"a\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        self.0.inner()
    }

    /// Returns a mutable reference to the inner writer. Bytes that are written to it directly precede the buffered output.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder());
    /// writer.get_mut().push(b'a');
    /// assert_eq!(writer.finish()?.0, b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        self.0.inner_mut()
    }
}

impl<W: Write> Write for EncodeWriter<W> {
    /// Encodes UTF-8, which can end within a character, to a buffer. The buffer is written when it is full, by
    /// [`flush`](Self::flush) and by [`finish`](EncodeWriter::finish).
    ///
    /// A failed call has accepted nothing of `text`. If an error follows text that can be encoded, this accepts that text, and
    /// the next call fails.
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write(text)
    }

    /// Writes the bytes of all text so far, except for an incomplete character, and flushes the inner writer. ISO-2022-JP does
    /// not return to ASCII.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The implementation of both writers.
#[derive(Debug)]
struct Writer<W: Write, C: Convert> {
    /// `None` only after `into_inner` and `finish`, which consume the writer.
    inner: Option<W>,
    writing: Writing<C>,
    /// Whether the inner writer has panicked. If so, it is unknown how much it has written.
    panicked: bool,
}

impl<W: Write, C: Convert> Writer<W, C> {
    fn new(inner: W, convert: C) -> Self {
        Self { inner: Some(inner), writing: Writing::new(convert), panicked: false }
    }

    fn inner(&self) -> &W {
        self.inner.as_ref().expect("only the last call takes the inner writer")
    }

    fn inner_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect("only the last call takes the inner writer")
    }

    fn take_inner(&mut self) -> W {
        self.inner.take().expect("only the last call takes the inner writer")
    }

    /// Calls `act` with a function that writes to the inner writer, and records whether it panicked.
    fn call<T>(
        &mut self,
        act: impl FnOnce(&mut Writing<C>, &mut dyn FnMut(&[u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<T>>,
    ) -> io::Result<T> {
        self.panicked = true;
        let Self { inner, writing, .. } = self;
        let mut write_inner = |bytes: &[u8]| Poll::Ready(inner.as_mut().map_or(Ok(0), |inner| inner.write(bytes)));
        let result = expect_ready(act(writing, &mut write_inner));
        self.panicked = false;
        result
    }

    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        self.call(|writing, write_inner| writing.accept(|convert, dst| convert.convert(src, dst, false), write_inner))
    }

    fn complete(&mut self) -> io::Result<()> {
        self.call(|writing, write_inner| writing.complete(write_inner))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.complete()?;
        self.panicked = true;
        let result = expect_ready(retry_interrupted(|| Poll::Ready(self.inner_mut().flush())));
        self.panicked = false;
        result
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writing.end();
        self.flush()
    }
}

/// The number of errors in the text after which dropping gives up. With `Fail`, each attempt returns the same error. With
/// `Pause`, text can follow an error, but there are fewer errors than this: one can be pending, and the end of the input
/// causes at most two, as in an incomplete `ESC $` of ISO-2022-JP.
const ERRORS_AT_END: usize = 4;

impl<W: Write, C: Convert> Drop for Writer<W, C> {
    fn drop(&mut self) {
        if self.inner.is_none() || self.panicked {
            return;
        }
        self.writing.end();
        for _ in 0..ERRORS_AT_END {
            // After an error in the text, output may remain. After one of the inner writer, it is lost, as with `BufWriter`.
            if self.complete().is_ok() || !self.writing.is_written() {
                return;
            }
        }
    }
}
