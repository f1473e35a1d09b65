//! Codecs for [`tokio_util::codec`] (feature `tokio-util`): text instead of frames.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! use futures_util::{SinkExt, TryStreamExt};
//! use textcodec::{ISO_2022_JP, SHIFT_JIS, io::codec::{End, TextDecoder, TextEncoder}};
//! use tokio_util::codec::{FramedRead, FramedWrite};
//!
//! let mut input = FramedRead::new(&b"\x93\xFA\x96{"[..], TextDecoder::new(SHIFT_JIS.try_decoder()?));
//! let mut output = FramedWrite::new(Vec::new(), TextEncoder::new(ISO_2022_JP.encoder()?));
//! while let Some(text) = input.try_next().await? {
//!     output.send(text).await?;
//! }
//! output.send(End).await?;
//! assert_eq!(output.get_ref(), b"\x1B$BF|K\\\x1B(B");
//! # Ok::<(), std::io::Error>(())
//! # })?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::{io, string::String};

use tokio_util::{
    bytes::{Buf, BytesMut},
    codec,
};

use super::convert::{Convert, FromUtf8, MIN_ROOM, Step, Stop, at_input};
use crate::{Decoder, Encoder};

/// Gives the text of bytes as it comes, in pieces of whole characters that are not empty.
///
/// The end of the bytes ends the text; should more follow, they are a new one. An error is an [`io::Error`] around a
/// [`DecodeError`](crate::DecodeError); the text before it comes first. `FramedRead` ends at any error, so
/// [`Malformed::Report`](crate::Malformed::Report) does not go on behind it there: use `Replace` or `Fail`.
///
/// ```
/// use textcodec::{EUC_KR, io::codec::TextDecoder};
/// use tokio_util::{bytes::BytesMut, codec::Decoder};
///
/// let mut decoder = TextDecoder::new(EUC_KR.try_decoder()?);
/// let mut bytes = BytesMut::from(&b"\xC7\xD1\xB1"[..]);
/// assert_eq!(decoder.decode(&mut bytes)?.as_deref(), Some("한"));
/// assert_eq!(decoder.decode_eof(&mut bytes)?.as_deref(), Some("\u{FFFD}"));
/// assert_eq!(decoder.decode_eof(&mut bytes)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextDecoder {
    decoder: Decoder,
    /// Behind the text that was given last.
    error: Option<io::Error>,
    ended: bool,
}

/// Gives the bytes of texts: of `&str`, `String` and whatever else is `AsRef<str>`. They are one text, up to [`End`].
/// **Without `End`, ISO-2022-JP does not go back to ASCII**; to close a `FramedWrite` does not do it.
///
/// This and [`TextDecoder`] are two types, and there is none of both for `Framed`: split the stream, for a `FramedRead` and a
/// `FramedWrite`.
///
/// An error is an [`io::Error`] around an [`EncodeError`](crate::EncodeError), whose range counts from the start of the first of
/// these texts. What comes before it in its text is encoded, what follows is not.
///
/// ```
/// use textcodec::{UTF_16LE, io::codec::TextEncoder};
/// use tokio_util::{bytes::BytesMut, codec::Encoder};
///
/// let mut bytes = BytesMut::new();
/// let mut encoder = TextEncoder::new(UTF_16LE.encoder()?).with_bom();
/// encoder.encode("a", &mut bytes)?;
/// encoder.encode(String::from("b"), &mut bytes)?;
/// assert_eq!(*bytes, *b"\xFF\xFEa\0b\0");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextEncoder(FromUtf8);

/// The end of a text, for [`TextEncoder`]: an item of its own, because tokio-util's encoders are not told of an end. ISO-2022-JP
/// goes back to ASCII by it; other encodings have nothing to do there. What follows is a new text.
///
/// ```
/// use textcodec::{ISO_2022_JP, io::codec::{End, TextEncoder}};
/// use tokio_util::{bytes::BytesMut, codec::Encoder};
///
/// let mut bytes = BytesMut::new();
/// let mut encoder = TextEncoder::new(ISO_2022_JP.encoder()?);
/// encoder.encode("日", &mut bytes)?;
/// encoder.encode(End, &mut bytes)?;
/// assert_eq!(*bytes, *b"\x1B$BF|\x1B(B");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End;

impl TextDecoder {
    /// With a decoder that says what to do about malformed bytes and a byte order mark.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, UTF_8, io::codec::TextDecoder};
    ///
    /// let strict = DecodeOptions::new().malformed(Malformed::Fail);
    /// let decoder = TextDecoder::new(UTF_8.try_decoder_with(strict)?);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(decoder: Decoder) -> Self {
        Self { decoder: at_input(decoder), error: None, ended: false }
    }

    /// The decoder, which knows the encoding, whether a byte order mark was removed, and the errors that were replaced so far.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::codec::TextDecoder};
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut decoder = TextDecoder::new(UTF_8.try_decoder()?);
    /// decoder.decode(&mut b"a\xFF"[..].into())?;
    /// assert_eq!(decoder.decoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    fn next(&mut self, src: &mut BytesMut, last: bool) -> io::Result<Option<String>> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if self.ended {
            self.decoder.reset();
        }
        let mut text = String::new();
        let before = self.decoder.position();
        let result = self.decoder.grow(src, &mut text, last);
        self.ended = last && result.is_ok();
        match result {
            Ok(()) => src.clear(),
            Err(error) => {
                src.advance(self.decoder.position().saturating_sub(before) as usize);
                self.error = Some(error.into());
            }
        }
        if text.is_empty() { self.error.take().map_or(Ok(None), Err) } else { Ok(Some(text)) }
    }
}

impl codec::Decoder for TextDecoder {
    type Item = String;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        if src.is_empty() && self.error.is_none() { Ok(None) } else { self.next(src, false) }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        if src.is_empty() && self.ended { Ok(None) } else { self.next(src, true) }
    }
}

impl TextEncoder {
    /// With an encoder that says what to do about characters which its encoding cannot represent.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable, io::codec::TextEncoder};
    /// use tokio_util::{bytes::BytesMut, codec::Encoder};
    ///
    /// let mut bytes = BytesMut::new();
    /// TextEncoder::new(KOI8_R.encoder_with(Unmappable::Html)?).encode("字", &mut bytes)?;
    /// assert_eq!(*bytes, *b"&#23383;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(encoder: Encoder) -> Self {
        Self(FromUtf8::new(encoder))
    }

    /// Begins with a byte order mark, where the encoding is UTF-8, UTF-16LE or UTF-16BE; others have none. To be called before
    /// the first text; later calls and further ones have no effect, and a text behind [`End`] has none. A text that itself
    /// begins with U+FEFF has that, too.
    ///
    /// ```
    /// use textcodec::{UTF_16BE, io::codec::TextEncoder};
    /// use tokio_util::{bytes::BytesMut, codec::Encoder};
    ///
    /// let mut bytes = BytesMut::new();
    /// TextEncoder::new(UTF_16BE.encoder()?).with_bom().encode("a", &mut bytes)?;
    /// assert_eq!(*bytes, *b"\xFE\xFF\0a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_bom(mut self) -> Self {
        self.0.ask_for_bom();
        self
    }

    /// The encoder, which knows the encoding and the characters that were replaced or skipped so far.
    ///
    /// ```
    /// use textcodec::{KOI8_R, io::codec::TextEncoder};
    ///
    /// assert_eq!(TextEncoder::new(KOI8_R.encoder()?).encoder().encoding(), KOI8_R);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn encoder(&self) -> &Encoder {
        &self.0.encoder
    }
}

impl<T: AsRef<str>> codec::Encoder<T> for TextEncoder {
    type Error = io::Error;

    fn encode(&mut self, text: T, dst: &mut BytesMut) -> io::Result<()> {
        append(text.as_ref(), dst, |text, room| self.0.convert_str(text, room))
    }
}

impl codec::Encoder<End> for TextEncoder {
    type Error = io::Error;

    fn encode(&mut self, _: End, dst: &mut BytesMut) -> io::Result<()> {
        append("", dst, |_, room| self.0.convert(&[], room, true))
    }
}

/// Appends what `step` writes, until it has read all of `text`.
fn append(mut text: &str, dst: &mut BytesMut, mut step: impl FnMut(&str, &mut [u8]) -> Step) -> io::Result<()> {
    loop {
        let start = dst.len();
        dst.resize(start + text.len() + MIN_ROOM, 0);
        let Step { read, written, stop } = step(text, &mut dst[start..]);
        dst.truncate(start + written);
        text = &text[read..];
        match stop {
            Stop::InputEmpty => return Ok(()),
            Stop::OutputFull => {}
            Stop::Error(error) => return Err(error),
        }
    }
}
