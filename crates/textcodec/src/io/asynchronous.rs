//! [`AsyncDecodeWriter`] and [`AsyncEncodeWriter`]: one type each for tokio's traits and those of futures-io.

use super::{convert::FromUtf8, writing::Writing};
use crate::{Decoder, Encoder};

/// Takes bytes and writes their text as UTF-8 to an inner asynchronous writer.
///
/// Shutting it down (tokio) or closing it (futures-io) ends the text, completes and writes what is left, and then does the
/// same to the inner writer. [`end`](Self::end) and flushing leave the inner writer open. **A writer that is dropped without
/// either loses** what waits in its buffer, up to 16 KiB of text, and a begun character: dropping cannot wait, so it cannot
/// write.
///
/// Where the inner writer is not ready, nothing is taken, and what was taken before is kept: a call can be cancelled and made
/// again. Where an error of strict decoding has ended the text, shutting down gives it again and leaves the inner writer open.
///
/// ```
/// use textcodec::{EUC_KR, io::AsyncDecodeWriter};
/// # #[cfg(feature = "futures-io")]
/// use futures_util::AsyncWriteExt; // With tokio's, it is `shutdown` instead of `close`.
///
/// # #[cfg(feature = "futures-io")]
/// async fn decode(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
///     let mut writer = AsyncDecodeWriter::new(Vec::new(), EUC_KR.try_decoder()?);
///     writer.write_all(bytes).await?;
///     writer.close().await?;
///     Ok(writer.into_inner())
/// }
/// # #[cfg(feature = "futures-io")]
/// # let text = futures_util::FutureExt::now_or_never(decode(b"\xC7\xD1")).expect("nothing here waits")?;
/// # #[cfg(feature = "futures-io")]
/// # assert_eq!(text, "한".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer is to be shut down or closed"]
pub struct AsyncDecodeWriter<W> {
    pub(super) inner: W,
    pub(super) writing: Writing<Decoder>,
}

/// Takes UTF-8, cut anywhere, and writes it as bytes of another encoding to an inner asynchronous writer.
///
/// Shutting it down (tokio) or closing it (futures-io) ends the text, completes and writes what is left, such as
/// ISO-2022-JP's way back to ASCII, and then does the same to the inner writer. [`end`](Self::end) and flushing leave the
/// inner writer open. **A writer that is dropped without either loses** what waits in its buffer, up to 16 KiB, and that
/// end: dropping cannot wait, so it cannot write.
///
/// Where the inner writer is not ready, nothing is taken, and what was taken before is kept: a call can be cancelled and made
/// again. Where an error has ended the text, shutting down gives it again and leaves the inner writer open.
///
/// ```
/// use textcodec::{ISO_2022_JP, io::AsyncEncodeWriter};
/// # #[cfg(feature = "futures-io")]
/// use futures_util::AsyncWriteExt; // With tokio's, it is `shutdown` instead of `close`.
///
/// # #[cfg(feature = "futures-io")]
/// async fn encode(text: &str) -> std::io::Result<Vec<u8>> {
///     let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP.encoder()?);
///     writer.write_all(text.as_bytes()).await?;
///     writer.close().await?;
///     Ok(writer.into_inner())
/// }
/// # #[cfg(feature = "futures-io")]
/// # let bytes = futures_util::FutureExt::now_or_never(encode("日")).expect("nothing here waits")?;
/// # #[cfg(feature = "futures-io")]
/// # assert_eq!(bytes, b"\x1B$BF|\x1B(B");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a writer is to be shut down or closed"]
pub struct AsyncEncodeWriter<W> {
    pub(super) inner: W,
    pub(super) writing: Writing<FromUtf8>,
}

impl<W> AsyncDecodeWriter<W> {
    /// A writer with a decoder, that says what to do about malformed bytes and a byte order mark.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, UTF_8, io::AsyncDecodeWriter};
    ///
    /// let strict = DecodeOptions::new().malformed(Malformed::Fail);
    /// let writer = AsyncDecodeWriter::new(vec![b'a'], UTF_8.try_decoder_with(strict)?);
    /// assert_eq!(writer.into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: W, decoder: Decoder) -> Self {
        Self { inner, writing: Writing::new(decoder) }
    }

    /// Ends the text: flushing then completes and writes all of it, and the inner writer can go on being used. Nothing more can
    /// be written here.
    ///
    /// ```
    /// # #[cfg(feature = "futures-io")]
    /// # futures_util::FutureExt::now_or_never(async {
    /// use futures_util::AsyncWriteExt;
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// let mut writer = AsyncDecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.write_all(b"a\xC3").await?;
    /// writer.end();
    /// writer.flush().await?;
    /// assert_eq!(writer.into_inner(), "a\u{FFFD}".as_bytes());
    /// # Ok::<(), std::io::Error>(())
    /// # }).expect("nothing here waits")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn end(&mut self) {
        self.writing.end();
    }

    /// The decoder, which knows the encoding, whether a byte order mark was removed, and the errors that were replaced: those of
    /// the whole input once the writer is shut down or closed.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// let writer = AsyncDecodeWriter::new(vec![b'a'], UTF_8.try_decoder()?);
    /// assert!(writer.decoder().errors().is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.writing.convert
    }

    /// The inner writer, which may not have all that was written yet.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// assert_eq!(AsyncDecodeWriter::new(vec![b'a'], UTF_8.try_decoder()?).get_ref(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it comes before what still waits here.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// let mut writer = AsyncDecodeWriter::new(Vec::new(), UTF_8.try_decoder()?);
    /// writer.get_mut().push(b'a');
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer. What still waits here is dropped: nothing, where [`end`](Self::end) and flushing, or shutting down,
    /// came before.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::AsyncDecodeWriter};
    ///
    /// assert_eq!(AsyncDecodeWriter::new(vec![b'a'], UTF_8.try_decoder()?).into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W> AsyncEncodeWriter<W> {
    /// A writer with an encoder, that says what to do about characters which its encoding cannot represent.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable, io::AsyncEncodeWriter};
    ///
    /// let writer = AsyncEncodeWriter::new(vec![b'a'], KOI8_R.encoder_with(Unmappable::Html)?);
    /// assert_eq!(writer.into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: W, encoder: Encoder) -> Self {
        Self { inner, writing: Writing::new(FromUtf8::new(encoder)) }
    }

    /// Begins with a byte order mark, where the encoding is UTF-8, UTF-16LE or UTF-16BE; others have none. To be called before
    /// the first byte is written. The mark does not count in the positions of errors, and an empty text has one, too.
    ///
    /// Later calls and further ones have no effect. A text that itself begins with U+FEFF has that, too: where it comes from
    /// a UTF-8 file with a mark, let an [`AsyncDecodeWriter`] or [`DecodeReader`](super::DecodeReader) of UTF-8 take it away.
    ///
    /// ```
    /// # #[cfg(feature = "futures-io")]
    /// # futures_util::FutureExt::now_or_never(async {
    /// use futures_util::AsyncWriteExt;
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// let mut writer = AsyncEncodeWriter::new(Vec::new(), UTF_16LE.encoder()?).with_bom();
    /// writer.write_all(b"a").await?;
    /// writer.close().await?;
    /// assert_eq!(writer.into_inner(), b"\xFF\xFEa\0");
    /// # Ok::<(), std::io::Error>(())
    /// # }).expect("nothing here waits")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_bom(mut self) -> Self {
        self.writing.convert.ask_for_bom();
        self
    }

    /// Ends the text: flushing then completes and writes all of it, and the inner writer can go on being used. Nothing more can
    /// be written here.
    ///
    /// ```
    /// # #[cfg(feature = "futures-io")]
    /// # futures_util::FutureExt::now_or_never(async {
    /// use futures_util::AsyncWriteExt;
    /// use textcodec::{ISO_2022_JP, io::AsyncEncodeWriter};
    ///
    /// let mut writer = AsyncEncodeWriter::new(Vec::new(), ISO_2022_JP.encoder()?);
    /// writer.write_all("日".as_bytes()).await?;
    /// writer.flush().await?;
    /// assert_eq!(writer.get_ref(), b"\x1B$BF|");
    /// writer.end();
    /// writer.flush().await?;
    /// assert_eq!(writer.into_inner(), b"\x1B$BF|\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// # }).expect("nothing here waits")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn end(&mut self) {
        self.writing.end();
    }

    /// The encoder, which knows the encoding and the characters that were replaced or skipped so far.
    ///
    /// ```
    /// use textcodec::{KOI8_R, io::AsyncEncodeWriter};
    ///
    /// assert_eq!(AsyncEncodeWriter::new(vec![b'a'], KOI8_R.encoder()?).encoder().encoding(), KOI8_R);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.writing.convert.encoder
    }

    /// The inner writer, which may not have all that was written yet.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// assert_eq!(AsyncEncodeWriter::new(vec![b'a'], UTF_16LE.encoder()?).get_ref(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The inner writer. What is written to it comes before what still waits here.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// let mut writer = AsyncEncodeWriter::new(Vec::new(), UTF_16LE.encoder()?);
    /// writer.get_mut().push(b'a');
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The inner writer. What still waits here is dropped: nothing, where [`end`](Self::end) and flushing, or shutting down,
    /// came before.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::AsyncEncodeWriter};
    ///
    /// assert_eq!(AsyncEncodeWriter::new(vec![b'a'], UTF_16LE.encoder()?).into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> W {
        self.inner
    }
}
