//! [`AsyncDecodeWriter`] and [`AsyncEncodeWriter`]. Require feature `tokio`.

use super::{convert::from_utf8, writing::Writing};
use crate::conversion::{Decoder, Encoder, Transcoder};

/// A writer that decodes bytes, and writes the text as UTF-8 to an inner asynchronous writer.
///
/// Shutting it down ends the input, writes all remaining output, and then shuts down the inner writer. To keep the inner writer
/// open, call [`end`](Self::end) and flush.
///
/// **A writer that is dropped without either loses data**: its buffer of up to 16 KiB of text, and an incomplete character.
/// Dropping cannot wait, so it cannot write.
///
/// While the inner writer is not ready, a call accepts nothing, and input that earlier calls accepted is kept. So calls can be
/// cancelled and repeated. After an error with [`Malformed::Fail`](crate::Malformed::Fail), shutting down returns the error
/// again and leaves the inner writer open.
///
/// ```
/// use textcodec::{EUC_KR, io::AsyncDecodeWriter};
/// use tokio::io::AsyncWriteExt;
///
/// async fn decode(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
///     let mut writer = AsyncDecodeWriter::new(Vec::new(), EUC_KR.decoder());
///     writer.write_all(bytes).await?;
///     writer.shutdown().await?;
///     Ok(writer.into_inner())
/// }
/// # let text = tokio::runtime::Builder::new_current_thread().build()?.block_on(decode(b"\xC7\xD1"))?;
/// # assert_eq!(text, "한".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer must be shut down"]
pub struct AsyncDecodeWriter<W> {
    pub(super) inner: W,
    pub(super) writing: Writing<Decoder>,
}

/// A writer that encodes UTF-8, and writes the bytes to an inner asynchronous writer. A single write can end within a
/// character.
///
/// Shutting it down ends the text, writes all remaining output, and then shuts down the inner writer. The output ends with the
/// escape sequence with which ISO-2022-JP returns to ASCII, if necessary. To keep the inner writer open, call
/// [`end`](Self::end) and flush.
///
/// **A writer that is dropped without either loses data**: its buffer of up to 16 KiB, and that escape sequence. Dropping
/// cannot wait, so it cannot write.
///
/// While the inner writer is not ready, a call accepts nothing, and input that earlier calls accepted is kept. So calls can be
/// cancelled and repeated. After an error that has ended the text, shutting down returns the error again and leaves the inner
/// writer open.
///
/// ```
/// use textcodec::{ISO_2022_JP, io::AsyncEncodeWriter};
/// use tokio::io::AsyncWriteExt;
///
/// async fn encode(text: &str) -> std::io::Result<Vec<u8>> {
///     let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP.encoder());
///     writer.write_all(text.as_bytes()).await?;
///     writer.shutdown().await?;
///     Ok(writer.into_inner())
/// }
/// # let bytes = tokio::runtime::Builder::new_current_thread().build()?.block_on(encode("日"))?;
/// # assert_eq!(bytes, b"\x1B$BF|\x1B(B");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer must be shut down"]
pub struct AsyncEncodeWriter<W> {
    pub(super) inner: W,
    pub(super) writing: Writing<Transcoder>,
}

impl<W> AsyncDecodeWriter<W> {
    /// Creates a writer. The options of the decoder determine how malformed bytes and a byte order mark are handled.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, UTF_8, io::AsyncDecodeWriter};
    ///
    /// let strict = DecodeOptions::new().malformed(Malformed::Fail);
    /// let writer = AsyncDecodeWriter::new(vec![b'a'], UTF_8.decoder_with(strict));
    /// assert_eq!(writer.into_inner(), b"a");
    /// ```
    pub fn new(inner: W, decoder: Decoder) -> Self {
        Self { inner, writing: Writing::new(decoder) }
    }

    /// Ends the text, without shutting down the inner writer. A flush then writes all remaining output. Further writes fail.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use tokio::io::AsyncWriteExt;
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// let mut writer = AsyncDecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.write_all(b"a\xC3").await?;
    /// writer.end();
    /// writer.flush().await?;
    /// assert_eq!(writer.into_inner(), "a\u{FFFD}".as_bytes());
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn end(&mut self) {
        self.writing.end();
    }

    /// Returns the decoder: the encoding in use, whether a byte order mark was removed, and the errors that were replaced. They
    /// are complete after the writer is shut down.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// let writer = AsyncDecodeWriter::new(vec![b'a'], UTF_8.decoder());
    /// assert!(writer.decoder().errors().is_empty());
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.writing.convert
    }

    /// Returns a reference to the inner writer. Some output may still be buffered.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// assert_eq!(AsyncDecodeWriter::new(vec![b'a'], UTF_8.decoder()).get_ref(), b"a");
    /// ```
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns a mutable reference to the inner writer. Bytes that are written to it directly precede the buffered output.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// let mut writer = AsyncDecodeWriter::new(Vec::new(), UTF_8.decoder());
    /// writer.get_mut().push(b'a');
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the inner writer. Buffered output is lost. There is none after [`end`](Self::end) and a flush, or after shutting
    /// down the writer.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// assert_eq!(AsyncDecodeWriter::new(vec![b'a'], UTF_8.decoder()).into_inner(), b"a");
    /// ```
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W> AsyncEncodeWriter<W> {
    /// Creates a writer. The setting of the encoder determines how unmappable characters are handled.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable, io::AsyncEncodeWriter};
    ///
    /// let writer = AsyncEncodeWriter::new(vec![b'a'], KOI8_R.encoder_with(Unmappable::Html));
    /// assert_eq!(writer.into_inner(), b"a");
    /// ```
    pub fn new(inner: W, encoder: Encoder) -> Self {
        Self { inner, writing: Writing::new(from_utf8(encoder)) }
    }

    /// Ends the text, without shutting down the inner writer. A flush then writes all remaining output. Further writes fail.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use tokio::io::AsyncWriteExt;
    /// use textcodec::{ISO_2022_JP, io::AsyncEncodeWriter};
    ///
    /// let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP.encoder());
    /// writer.write_all("日".as_bytes()).await?;
    /// writer.flush().await?;
    /// assert_eq!(writer.get_ref(), b"\x1B$BF|");
    /// writer.end();
    /// writer.flush().await?;
    /// assert_eq!(writer.into_inner(), b"\x1B$BF|\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn end(&mut self) {
        self.writing.end();
    }

    /// Returns the encoder: the encoding, and the characters that were replaced or skipped so far.
    ///
    /// ```
    /// use textcodec::{KOI8_R, io::AsyncEncodeWriter};
    ///
    /// assert_eq!(AsyncEncodeWriter::new(vec![b'a'], KOI8_R.encoder()).encoder().encoding(), KOI8_R);
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.writing.convert.encoder
    }

    /// Returns a reference to the inner writer. Some output may still be buffered.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// assert_eq!(AsyncEncodeWriter::new(vec![b'a'], UTF_16LE.encoder()).get_ref(), b"a");
    /// ```
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns a mutable reference to the inner writer. Bytes that are written to it directly precede the buffered output.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// let mut writer = AsyncEncodeWriter::new(Vec::new(), UTF_16LE.encoder());
    /// writer.get_mut().push(b'a');
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the inner writer. Buffered output is lost. There is none after [`end`](Self::end) and a flush, or after shutting
    /// down the writer.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// assert_eq!(AsyncEncodeWriter::new(vec![b'a'], UTF_16LE.encoder()).into_inner(), b"a");
    /// ```
    pub fn into_inner(self) -> W {
        self.inner
    }
}
