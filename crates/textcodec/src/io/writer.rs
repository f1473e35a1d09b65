//! [`DecodeWriter`] and [`EncodeWriter`].

use core::{error::Error, fmt, task::Poll};
use std::{
    boxed::Box,
    io::{self, Write},
    thread,
};

use super::{
    convert::{Convert, FromUtf8},
    reading::now,
    writing::Writing,
};
use crate::{DecodeSummary, Decoder, EncodeSummary, Encoder};

/// Takes bytes and writes their text as UTF-8 to an inner writer.
///
/// [`finish`](Self::finish) ends the text, completes and writes what is left, and says what the whole input was like. A
/// writer that is dropped without it does the same; if that fails, and no error was returned before, dropping **panics**,
/// because text would be lost without a word otherwise. It does not while the thread is panicking already.
///
/// ```
/// use std::io::Write;
/// use textcodec::{BIG5, io::DecodeWriter};
///
/// let mut writer = DecodeWriter::new(Vec::new(), BIG5.try_decoder()?);
/// for byte in b"\xA4\xA4\xA4\xE5" {
///     writer.write_all(&[*byte])?;
/// }
/// let (text, summary) = writer.finish()?;
/// assert_eq!((text, summary.errors.count()), ("中文".into(), 0));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer is to be finished"]
pub struct DecodeWriter<W: Write>(Writer<W, Decoder>);

/// Takes UTF-8, cut anywhere, and writes it as bytes of another encoding to an inner writer.
///
/// [`finish`](Self::finish) ends the text, completes and writes what is left, such as ISO-2022-JP's way back to ASCII, and
/// says what the whole text was like. A writer that is dropped without it does the same; if that fails, and no error was
/// returned before, dropping **panics**, because text would be lost without a word otherwise. It does not while the thread
/// is panicking already.
///
/// ```
/// use std::io::Write;
/// use textcodec::{Unmappable, WINDOWS_1252, io::EncodeWriter};
///
/// let mut writer = EncodeWriter::new(Vec::new(), WINDOWS_1252.encoder_with(Unmappable::Replace('?'))?);
/// write!(writer, "{} € {}", 5, '字')?;
/// let (bytes, summary) = writer.finish()?;
/// assert_eq!((bytes.as_slice(), summary.errors.count()), (&b"5 \x80 ?"[..], 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer is to be finished"]
pub struct EncodeWriter<W: Write>(Writer<W, FromUtf8>);

impl<W: Write> DecodeWriter<W> {
    /// A writer with a decoder, that says what to do about malformed bytes and a byte order mark.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let writer = DecodeWriter::new(std::io::stdout(), UTF_8.try_decoder()?);
    /// # writer.finish()?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: W, decoder: Decoder) -> Self {
        Self(Writer::new(inner, decoder))
    }

    /// Ends the text: writes all that is left, flushes the inner writer and gives it back.
    ///
    /// # Errors
    /// Those of the inner writer, and of bytes that the end of the input makes malformed. The error has this writer, so that
    /// one can try again.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.write_all(b"\xEF\xBB\xBFab\xC3")?;
    /// let (text, summary) = writer.finish()?;
    /// assert_eq!((text, summary.bom_removed), ("ab\u{FFFD}".into(), true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<(W, DecodeSummary), FinishError<Self>> {
        match self.0.finish() {
            Ok(inner) => {
                let decoder = self.decoder();
                let (encoding, bom_removed) = (decoder.encoding(), decoder.bom_removed());
                Ok((inner, DecodeSummary { encoding, bom_removed, errors: decoder.errors().clone() }))
            }
            Err(error) => Err(FinishError::new(self, error)),
        }
    }

    /// The decoder, which knows the encoding, whether a byte order mark was removed, and the errors that were replaced so far.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.write_all(b"a\xFFb")?;
    /// assert_eq!(writer.decoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.0.writing.convert
    }

    /// The inner writer, which may not have all that was written yet.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.write_all(b"a\xC3")?;
    /// writer.flush()?;
    /// assert_eq!(writer.get_ref(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        self.0.inner()
    }

    /// The inner writer. What is written to it comes before what still waits here.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.get_mut().push(b'a');
    /// assert_eq!(writer.finish()?.0, b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        self.0.inner_mut()
    }
}

impl<W: Write> Write for DecodeWriter<W> {
    /// Takes bytes. Their text is written when the buffer is full, by [`flush`](Self::flush) and by
    /// [`finish`](DecodeWriter::finish).
    ///
    /// Where this fails, none of `bytes` is taken. If some are taken and then comes a malformed sequence, the answer is how
    /// many, and the next call fails.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    /// Writes the text of all bytes so far but a begun character, and flushes the inner writer.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> EncodeWriter<W> {
    /// A writer with an encoder, that says what to do about characters which its encoding cannot represent.
    ///
    /// ```
    /// use textcodec::{GBK, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), GBK.encoder()?);
    /// writer.write_str("你好")?;
    /// assert_eq!(writer.finish()?.0, b"\xC4\xE3\xBA\xC3");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: W, encoder: Encoder) -> Self {
        Self(Writer::new(inner, FromUtf8::new(encoder)))
    }

    /// Begins with a byte order mark, where the encoding is UTF-8, UTF-16LE or UTF-16BE; others have none. To be called before
    /// the first byte is written. The mark does not count in the positions of errors, and an empty text has one, too.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder()?).with_bom();
    /// writer.write_str("a")?;
    /// assert_eq!(writer.finish()?.0, b"\xFF\xFEa\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_bom(mut self) -> Self {
        self.0.writing.convert.ask_for_bom();
        self
    }

    /// Writes a text, which is not checked again to be UTF-8.
    ///
    /// # Errors
    /// As of [`write_all`](Write::write_all). If a character is begun by [`write`](Write::write), it is malformed.
    ///
    /// ```
    /// use textcodec::{EncodeError, KOI8_R, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_R.encoder()?);
    /// let error = writer.write_str("да, 字").unwrap_err();
    /// assert_eq!(error.downcast::<EncodeError>().unwrap().range(), Some(6..9));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_str(&mut self, mut text: &str) -> io::Result<()> {
        loop {
            let read = self.0.call(|writing, put| writing.take(|convert, dst| convert.convert_str(text, dst), put))?;
            text = &text[read..];
            if text.is_empty() {
                // Not at the next call, as `write` has to.
                return self.0.call(|writing, _| Poll::Ready(writing.error()));
            }
        }
    }

    /// Ends the text: writes all that is left, flushes the inner writer and gives it back.
    ///
    /// # Errors
    /// Those of the inner writer, and of a character that the end of the text cuts off. The error has this writer, so that
    /// one can try again.
    ///
    /// ```
    /// use textcodec::{ISO_2022_JP, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder()?);
    /// writer.write_str("日")?;
    /// assert_eq!(writer.finish()?.0, b"\x1B$BF|\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> Result<(W, EncodeSummary), FinishError<Self>> {
        match self.0.finish() {
            Ok(inner) => {
                // UTF-8 has no surrogates.
                Ok((inner, EncodeSummary { errors: self.encoder().errors().clone(), unpaired_surrogates: 0 }))
            }
            Err(error) => Err(FinishError::new(self, error)),
        }
    }

    /// The encoder, which knows the encoding and the characters that were replaced or skipped so far.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_R.encoder_with(Unmappable::Skip)?);
    /// writer.write_str("字")?;
    /// assert_eq!(writer.encoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.0.writing.convert.encoder
    }

    /// The inner writer, which may not have all that was written yet.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder()?);
    /// writer.write_str("a")?;
    /// writer.flush()?;
    /// assert_eq!(writer.get_ref(), b"a\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        self.0.inner()
    }

    /// The inner writer. What is written to it comes before what still waits here.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder()?);
    /// writer.get_mut().push(b'a');
    /// assert_eq!(writer.finish()?.0, b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        self.0.inner_mut()
    }
}

impl<W: Write> Write for EncodeWriter<W> {
    /// Takes UTF-8, which may end within a character. Its bytes are written when the buffer is full, by
    /// [`flush`](Self::flush) and by [`finish`](EncodeWriter::finish).
    ///
    /// Where this fails, none of `text` is taken. If some is taken and then comes an error, the answer is how much, and the
    /// next call fails.
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write(text)
    }

    /// Writes the bytes of all text so far but a begun character, and flushes the inner writer. ISO-2022-JP does not go back
    /// to ASCII by this.
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What both writers are.
#[derive(Debug)]
struct Writer<W: Write, C: Convert> {
    /// None only once it is finished, which takes it: nothing can be called then.
    inner: Option<W>,
    writing: Writing<C>,
    /// The last call has returned an error, so that its caller knows that something is wrong.
    told: bool,
    /// The inner writer has panicked: nobody knows what it has written.
    panicked: bool,
}

impl<W: Write, C: Convert> Writer<W, C> {
    fn new(inner: W, convert: C) -> Self {
        Self { inner: Some(inner), writing: Writing::new(convert), told: false, panicked: false }
    }

    fn inner(&self) -> &W {
        self.inner.as_ref().expect("only `finish` takes it")
    }

    fn inner_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect("only `finish` takes it")
    }

    /// Calls `act` with a function that writes to the inner writer, and keeps in mind how that went.
    fn call<T>(
        &mut self,
        act: impl FnOnce(&mut Writing<C>, &mut dyn FnMut(&[u8]) -> Poll<io::Result<usize>>) -> Poll<io::Result<T>>,
    ) -> io::Result<T> {
        self.panicked = true;
        let Self { inner, writing, .. } = self;
        let mut put = |bytes: &[u8]| Poll::Ready(inner.as_mut().map_or(Ok(0), |inner| inner.write(bytes)));
        let result = now(act(writing, &mut put));
        self.panicked = false;
        self.keep_in_mind(result)
    }

    fn keep_in_mind<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        match &result {
            Ok(_) => self.told = false,
            // The caller is to try again.
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => self.told = true,
        }
        result
    }

    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        self.call(|writing, put| writing.take(|convert, dst| convert.convert(src, dst, false), put))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call(|writing, put| writing.complete(put))?;
        self.flush_inner()
    }

    fn flush_inner(&mut self) -> io::Result<()> {
        self.panicked = true;
        let result = self.inner_mut().flush();
        self.panicked = false;
        self.keep_in_mind(result)
    }

    fn finish(&mut self) -> io::Result<W> {
        self.writing.end();
        self.flush()?;
        Ok(self.inner.take().expect("only this takes it"))
    }
}

impl<W: Write, C: Convert> Drop for Writer<W, C> {
    fn drop(&mut self) {
        if self.inner.is_none() || self.panicked {
            return;
        }
        let told = self.told;
        if let Err(error) = self.finish()
            && !told
            && !thread::panicking()
        {
            panic!("a writer was dropped without `finish`, and text is lost: {error}");
        }
    }
}

/// A writer could not be finished, and why. The writer is still there.
///
/// ```
/// use textcodec::{UTF_16LE, io::EncodeWriter};
///
/// let mut full = [0; 3];
/// let mut writer = EncodeWriter::new(&mut full[..], UTF_16LE.encoder()?);
/// writer.write_str("ab")?;
/// let (writer, error) = writer.finish().unwrap_err().into_parts();
/// assert_eq!(error.kind(), std::io::ErrorKind::WriteZero);
/// assert!(writer.finish().is_err());
/// assert_eq!(full, *b"a\0b");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FinishError<S>(Box<(S, io::Error)>);

impl<S> FinishError<S> {
    fn new(writer: S, error: io::Error) -> Self {
        Self(Box::new((writer, error)))
    }

    /// What went wrong.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(&mut [][..], UTF_16LE.encoder()?);
    /// writer.write_str("a")?;
    /// assert_eq!(writer.finish().unwrap_err().error().kind(), std::io::ErrorKind::WriteZero);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn error(&self) -> &io::Error {
        &self.0.1
    }

    /// The writer as it is, to finish it once more, and what went wrong.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(&mut [][..], UTF_16LE.encoder()?);
    /// writer.write_str("a")?;
    /// let (mut writer, _) = writer.finish().unwrap_err().into_parts();
    /// let mut buffer = [0; 2];
    /// *writer.get_mut() = &mut buffer;
    /// writer.finish()?;
    /// assert_eq!(buffer, *b"a\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (S, io::Error) {
        *self.0
    }
}

impl<S> From<FinishError<S>> for io::Error {
    /// What went wrong; the writer is dropped.
    ///
    /// ```
    /// fn finish(writer: textcodec::io::EncodeWriter<std::fs::File>) -> std::io::Result<()> {
    ///     writer.finish()?;
    ///     Ok(())
    /// }
    /// ```
    fn from(error: FinishError<S>) -> Self {
        error.into_parts().1
    }
}

impl<S> fmt::Debug for FinishError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FinishError").field(self.error()).finish()
    }
}

impl<S> fmt::Display for FinishError<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error().fmt(f)
    }
}

impl<S> Error for FinishError<S> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error().source()
    }
}
