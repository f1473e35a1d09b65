//! [`DecodeWriter`] and [`EncodeWriter`].

use core::task::Poll;
use std::{
    io::{self, Write},
    thread,
};

use super::{
    convert::{Convert, FromUtf8},
    reading::now,
    writing::{Writing, uninterrupted},
};
use crate::{DecodeSummary, Decoder, EncodeSummary, Encoder};

/// Takes bytes and writes their text as UTF-8 to an inner writer.
///
/// [`finish`](Self::finish) ends the text, completes and writes what is left, and says what the whole input was like.
///
/// A writer that is dropped without it also completes and writes what is left, but does not flush the inner writer. Where
/// the inner writer fails then, dropping **panics**, because text would be lost without a word otherwise. It does not if the
/// last call had failed already, whatever the error was, or the thread is panicking. Bytes that the end of the input makes
/// malformed never make it panic: only `finish` tells of them. To give up, there is [`into_inner`](Self::into_inner).
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
/// says what the whole text was like.
///
/// A writer that is dropped without it also completes and writes what is left, but does not flush the inner writer. Where
/// the inner writer fails then, dropping **panics**, because text would be lost without a word otherwise. It does not if the
/// last call had failed already, whatever the error was, or the thread is panicking. A character that the end of the text
/// cuts off, or that is unmappable, never makes it panic: only `finish` tells of it. To give up, there is
/// [`into_inner`](Self::into_inner).
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
    /// Those of the inner writer, and of bytes that the end of the input makes malformed. The writer is dropped then, without
    /// a panic. To try again, call [`try_finish`](Self::try_finish) first.
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
    pub fn finish(mut self) -> io::Result<(W, DecodeSummary)> {
        self.try_finish()?;
        let decoder = self.decoder();
        let (encoding, bom_removed) = (decoder.encoding(), decoder.bom_removed());
        let summary = DecodeSummary { encoding, bom_removed, errors: decoder.errors().clone() };
        Ok((self.into_inner(), summary))
    }

    /// Ends the text as [`finish`](Self::finish) does, and keeps the writer: after a failure of the inner writer it can be
    /// called again. Nothing more can be written.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish). With [`Malformed::Fail`](crate::Malformed::Fail) an error in the bytes comes again at
    /// each call; with `Report` the next call goes on behind it.
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{DecodeOptions, Malformed, UTF_8, io::DecodeWriter};
    ///
    /// let report = DecodeOptions::new().malformed(Malformed::Report);
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.try_decoder_with(report)?);
    /// writer.write_all(b"a\xC3")?;
    /// assert!(writer.try_finish().is_err());
    /// assert_eq!(writer.finish()?.0, b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }

    /// The inner writer, without an end of the text. What still waits here is lost: up to 16 KiB of text, a begun character, and
    /// an error that was not yet given. Nothing is lost after a successful [`try_finish`](Self::try_finish).
    ///
    /// ```
    /// use std::io::Write;
    /// use textcodec::{UTF_8, io::DecodeWriter};
    ///
    /// let mut writer = DecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.write_all(b"a\xC3")?;
    /// writer.flush()?;
    /// writer.write_all(b"\xA9b")?;
    /// assert_eq!(writer.into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> W {
        self.0.take_inner()
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
    /// Later calls and further ones have no effect. A text that itself begins with U+FEFF has that, too: where it comes from
    /// a UTF-8 file with a mark, let a [`DecodeWriter`] or [`DecodeReader`](super::DecodeReader) of UTF-8 take it away.
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
    /// Those of the inner writer, and of a character that the end of the text cuts off. The writer is dropped then, without a
    /// panic. To try again, call [`try_finish`](Self::try_finish) first.
    ///
    /// ```
    /// use textcodec::{ISO_2022_JP, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP.encoder()?);
    /// writer.write_str("日")?;
    /// assert_eq!(writer.finish()?.0, b"\x1B$BF|\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> io::Result<(W, EncodeSummary)> {
        self.try_finish()?;
        // UTF-8 has no surrogates.
        let summary = EncodeSummary { errors: self.encoder().errors().clone(), unpaired_surrogates: 0 };
        Ok((self.into_inner(), summary))
    }

    /// Ends the text as [`finish`](Self::finish) does, and keeps the writer: after a failure of the inner writer it can be
    /// called again. Nothing more can be written.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish). An error of malformed text, and with [`Unmappable::Fail`](crate::Unmappable::Fail) of
    /// an unmappable character, comes again at each call.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(&mut [][..], UTF_16LE.encoder()?);
    /// writer.write_str("a")?;
    /// assert_eq!(writer.try_finish().unwrap_err().kind(), std::io::ErrorKind::WriteZero);
    /// let mut room = [0; 2];
    /// *writer.get_mut() = &mut room;
    /// writer.finish()?;
    /// assert_eq!(room, *b"a\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn try_finish(&mut self) -> io::Result<()> {
        self.0.finish()
    }

    /// The inner writer, without an end of the text. What still waits here is lost: up to 16 KiB of bytes, a begun character,
    /// ISO-2022-JP's way back to ASCII, and an error that was not yet given. Nothing is lost after a successful
    /// [`try_finish`](Self::try_finish).
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), UTF_16LE.encoder()?);
    /// writer.write_str("a")?;
    /// assert_eq!(writer.into_inner(), b"");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> W {
        self.0.take_inner()
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
    /// None only once it is taken, and the writer with it: nothing can be called then.
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
        self.inner.as_ref().expect("only the last call takes it")
    }

    fn inner_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect("only the last call takes it")
    }

    fn take_inner(&mut self) -> W {
        self.inner.take().expect("only the last call takes it")
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
        self.told = result.is_err();
        result
    }

    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        self.call(|writing, put| writing.take(|convert, dst| convert.convert(src, dst, false), put))
    }

    fn complete(&mut self) -> io::Result<()> {
        self.call(|writing, put| writing.complete(put))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.complete()?;
        self.panicked = true;
        let result = now(uninterrupted(|| Poll::Ready(self.inner_mut().flush())));
        self.panicked = false;
        self.told = result.is_err();
        result
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writing.end();
        self.flush()
    }
}

/// After so many errors in the text, dropping gives up: with `Fail` the same one comes again and again. With `Report` there are
/// fewer, and text may follow them: one may wait, and an end makes at most two, as of ISO-2022-JP's `ESC $`.
const ERRORS_AT_END: usize = 4;

impl<W: Write, C: Convert> Drop for Writer<W, C> {
    fn drop(&mut self) {
        if self.inner.is_none() || self.panicked {
            return;
        }
        let told = self.told;
        self.writing.end();
        for _ in 0..ERRORS_AT_END {
            match self.complete() {
                Ok(()) => return,
                Err(_) if self.writing.is_written() => {}
                Err(_) if told || thread::panicking() => return,
                Err(error) => {
                    panic!("a writer was dropped without `finish`, and what was left could not be written: {error}")
                }
            }
        }
    }
}
