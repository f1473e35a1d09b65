//! Codecs for [`tokio_util::codec`] whose items are text. Requires feature `tokio-util`.
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

use super::convert::{Convert, FromUtf8, MIN_DST_LEN, Step, Stop, at_input_start};
use crate::{Decoder, Encoder};

/// A codec that decodes bytes to chunks of text. The chunks have whole characters and are not empty.
///
/// The end of the bytes ends the input. Any further bytes are a new input. An error is an [`io::Error`] that contains a
/// [`DecodeError`](crate::DecodeError); the text before it is returned first. `FramedRead` ends at any error, so
/// [`Malformed::Pause`](crate::Malformed::Pause) does not continue after it there: use `Replace` or `Fail`.
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
    /// An error after the text that was returned last.
    error: Option<io::Error>,
    ended: bool,
}

/// A codec that encodes chunks of text: `&str`, `String` and other types that implement `AsRef<str>`.
///
/// All chunks up to [`End`] are a single text. **Without `End`, ISO-2022-JP does not return to ASCII**; closing a `FramedWrite`
/// is not enough.
///
/// No type implements both this and [`TextDecoder`] for `Framed`. Split the stream instead, and use a `FramedRead` and a
/// `FramedWrite`.
///
/// An error is an [`io::Error`] that contains an [`EncodeError`](crate::EncodeError), whose range counts from the start of the
/// first chunk. The part of the chunk before the error is encoded; the part after it is not.
///
/// ```
/// use textcodec::{EncodeOptions, UTF_16LE, io::codec::TextEncoder};
/// use tokio_util::{bytes::BytesMut, codec::Encoder};
///
/// let mut bytes = BytesMut::new();
/// let mut encoder = TextEncoder::new(UTF_16LE.encoder_with(EncodeOptions::new().bom(true))?);
/// encoder.encode("a", &mut bytes)?;
/// encoder.encode(String::from("b"), &mut bytes)?;
/// assert_eq!(*bytes, *b"\xFF\xFEa\0b\0");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextEncoder(FromUtf8);

/// An item for [`TextEncoder`] that ends the text. It is necessary because tokio-util does not notify encoders of the end of a
/// stream.
///
/// It returns ISO-2022-JP to ASCII, and writes nothing for other encodings. The next chunk starts a new text.
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
    /// Creates a codec. The options of the decoder determine how malformed bytes and a byte order mark are handled.
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
        Self { decoder: at_input_start(decoder), error: None, ended: false }
    }

    /// Returns the decoder: the encoding in use, whether a byte order mark was removed, and the errors that were replaced so
    /// far.
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
        let result = self.decoder.push_chunk(src, &mut text, last);
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
    /// Creates a codec. The setting of the encoder determines how unmappable characters are handled.
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

    /// Returns the encoder: the encoding, and the characters that were replaced or skipped so far.
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
        append(text.as_ref(), dst, |text, dst| self.0.convert_str(text, dst))
    }
}

impl codec::Encoder<End> for TextEncoder {
    type Error = io::Error;

    fn encode(&mut self, _: End, dst: &mut BytesMut) -> io::Result<()> {
        append("", dst, |_, dst| self.0.convert(&[], dst, true))
    }
}

/// Appends the output of `step`, until it has read all of `text`.
fn append(mut text: &str, dst: &mut BytesMut, mut step: impl FnMut(&str, &mut [u8]) -> Step) -> io::Result<()> {
    loop {
        let start = dst.len();
        dst.resize(start + text.len() + MIN_DST_LEN, 0);
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
