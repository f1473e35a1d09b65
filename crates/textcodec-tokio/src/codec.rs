//! Codecs for [`tokio_util::codec`] whose items are text.

use std::io;

use textcodec::{Decoder, Encoder, Status};
use tokio_util::{
    bytes::{Buf, BytesMut},
    codec,
};

use crate::convert::{Convert, Converted};

/// A codec that decodes bytes to chunks of text. The chunks have whole characters and are not empty.
///
/// The end of the bytes ends the input. Any further bytes are a new input. An error is an [`io::Error`] that contains a
/// [`DecodeError`](textcodec::DecodeError); the text before it is returned first. `FramedRead` ends at any error, so
/// [`Malformed::Pause`](textcodec::Malformed::Pause) does not continue after it there: use `Replace` or `Fail`.
///
/// ```
/// use textcodec::EUC_KR;
/// use textcodec_tokio::DecodeCodec;
/// use tokio_util::{bytes::BytesMut, codec::Decoder};
///
/// let mut decoder = DecodeCodec::new(EUC_KR.decoder());
/// let mut bytes = BytesMut::from(&b"\xC7\xD1\xB1"[..]);
/// assert_eq!(decoder.decode(&mut bytes)?.as_deref(), Some("한"));
/// assert_eq!(decoder.decode_eof(&mut bytes)?.as_deref(), Some("\u{FFFD}"));
/// assert_eq!(decoder.decode_eof(&mut bytes)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct DecodeCodec {
    decoder: Decoder,
    /// An error after the text that was returned last.
    error: Option<io::Error>,
    ended: bool,
}

impl DecodeCodec {
    /// Creates a codec. The options of the decoder determine how malformed bytes and a byte order mark are handled.
    ///
    /// ```
    /// use textcodec::{DecodeOptions, Malformed, UTF_8};
    /// use textcodec_tokio::DecodeCodec;
    ///
    /// let strict = DecodeOptions::new().malformed(Malformed::Fail);
    /// let decoder = DecodeCodec::new(UTF_8.decoder_with(strict));
    /// ```
    #[must_use]
    pub fn new(decoder: Decoder) -> Self {
        Self { decoder, error: None, ended: false }
    }

    /// Returns the decoder: the encoding in use, whether a byte order mark was removed, and the errors that were replaced so
    /// far.
    ///
    /// ```
    /// use textcodec::UTF_8;
    /// use textcodec_tokio::DecodeCodec;
    /// use tokio_util::codec::Decoder;
    ///
    /// let mut decoder = DecodeCodec::new(UTF_8.decoder());
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
        let Converted { output, read, error } = self.decoder.convert(src, last);
        src.advance(read);
        self.ended = last && error.is_none();
        self.error = error.map(io::Error::from);
        if output.is_none() { self.error.take().map_or(Ok(None), Err) } else { Ok(output) }
    }
}

impl codec::Decoder for DecodeCodec {
    type Item = String;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        if src.is_empty() && self.error.is_none() { Ok(None) } else { self.next(src, false) }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<String>> {
        if src.is_empty() && self.ended { Ok(None) } else { self.next(src, true) }
    }
}

/// A codec that encodes chunks of text: `&str`, `String` and other types that implement `AsRef<str>`.
///
/// All chunks up to [`End`] are a single text. **Without `End`, ISO-2022-JP does not return to ASCII**; closing a `FramedWrite`
/// is not enough.
///
/// No type implements both this and [`DecodeCodec`] for `Framed`. Split the stream instead, and use a `FramedRead` and a
/// `FramedWrite`.
///
/// An error is an [`io::Error`] that contains an [`EncodeError`](textcodec::EncodeError), whose range counts from the start of
/// the first chunk. The part of the chunk before the error is encoded; the part after it is not.
///
/// ```
/// use textcodec::{EncodeOptions, UTF_16LE};
/// use textcodec_tokio::EncodeCodec;
/// use tokio_util::{bytes::BytesMut, codec::Encoder};
///
/// let mut bytes = BytesMut::new();
/// let mut encoder = EncodeCodec::new(UTF_16LE.encoder_with(EncodeOptions::new().bom(true)));
/// encoder.encode("a", &mut bytes)?;
/// encoder.encode(String::from("b"), &mut bytes)?;
/// assert_eq!(*bytes, *b"\xFF\xFEa\0b\0");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EncodeCodec(Encoder);

/// An item for [`EncodeCodec`] that ends the text. It is necessary because tokio-util does not notify encoders of the end of a
/// stream.
///
/// It returns ISO-2022-JP to ASCII. The next chunk starts a new text, with a byte order mark if the options of the encoder say so.
///
/// ```
/// use textcodec::ISO_2022_JP;
/// use textcodec_tokio::{EncodeCodec, End};
/// use tokio_util::{bytes::BytesMut, codec::Encoder};
///
/// let mut bytes = BytesMut::new();
/// let mut encoder = EncodeCodec::new(ISO_2022_JP.encoder());
/// encoder.encode("日", &mut bytes)?;
/// encoder.encode(End, &mut bytes)?;
/// assert_eq!(*bytes, *b"\x1B$BF|\x1B(B");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End;

impl EncodeCodec {
    /// Creates a codec. The options of the encoder determine how unmappable characters are handled, and whether
    /// the output starts with a byte order mark.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable};
    /// use textcodec_tokio::EncodeCodec;
    /// use tokio_util::{bytes::BytesMut, codec::Encoder};
    ///
    /// let mut bytes = BytesMut::new();
    /// EncodeCodec::new(KOI8_R.encoder_with(Unmappable::Html)).encode("字", &mut bytes)?;
    /// assert_eq!(*bytes, *b"&#23383;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(encoder: Encoder) -> Self {
        Self(encoder)
    }

    /// Returns the encoder: the encoding, and the characters that were replaced or skipped so far.
    ///
    /// ```
    /// use textcodec::KOI8_R;
    /// use textcodec_tokio::EncodeCodec;
    ///
    /// assert_eq!(EncodeCodec::new(KOI8_R.encoder()).encoder().encoding(), KOI8_R);
    /// ```
    #[must_use]
    pub fn encoder(&self) -> &Encoder {
        &self.0
    }

    /// Encodes `text` and appends the bytes to `dst`. Does not go through a vector of its own.
    fn append(&mut self, mut text: &str, dst: &mut BytesMut, last: bool) -> io::Result<()> {
        loop {
            let start = dst.len();
            // Enough for most text, and for an escape sequence.
            dst.resize(start + text.len() + 16, 0);
            let progress = self.0.encode_from_utf8(text, &mut dst[start..], last);
            dst.truncate(start + progress.written);
            text = &text[progress.read..];
            match progress.status {
                Status::InputEmpty => return Ok(()),
                Status::Error(error) => return Err(error.into()),
                // The output is full.
                _ => {}
            }
        }
    }
}

impl<T: AsRef<str>> codec::Encoder<T> for EncodeCodec {
    type Error = io::Error;

    fn encode(&mut self, text: T, dst: &mut BytesMut) -> io::Result<()> {
        self.append(text.as_ref(), dst, false)
    }
}

impl codec::Encoder<End> for EncodeCodec {
    type Error = io::Error;

    fn encode(&mut self, _: End, dst: &mut BytesMut) -> io::Result<()> {
        self.append("", dst, true)
    }
}
