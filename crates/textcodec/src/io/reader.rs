//! [`DecodeReader`] and [`EncodeReader`].

use core::task::Poll;
use std::{
    io::{self, BufRead, Read},
    string::String,
    vec::Vec,
};

use super::{
    Lines,
    convert::{FromUtf8, at_input},
    reading::{Reading, now},
};
use crate::{DecodeTarget, Decoder, Encoder};

/// Reads bytes from an inner reader and gives their text as UTF-8.
///
/// It implements [`Read`] and [`BufRead`] where the inner reader is a [`Read`], and the asynchronous traits where that
/// implements these: see [the module](super). What comes from it is valid UTF-8, but a buffer may end within a character.
///
/// The inner reader is never asked while there is something to give, so a call does not wait for more than it needs. Behind
/// its end it is not asked again.
///
/// ```
/// use std::io::Read;
/// use textcodec::{EUC_KR, io::DecodeReader};
///
/// let mut text = String::new();
/// DecodeReader::new(&b"\xC7\xD1\xB1\xDB"[..], EUC_KR.try_decoder()?).read_to_string(&mut text)?;
/// assert_eq!(text, "한글");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a reader does nothing until it is read"]
pub struct DecodeReader<R> {
    pub(super) inner: R,
    pub(super) reading: Reading<Decoder>,
}

/// Reads UTF-8 from an inner reader and gives it as bytes of another encoding.
///
/// It implements [`Read`] and [`BufRead`] where the inner reader is a [`Read`], and the asynchronous traits where that
/// implements these: see [the module](super). Characters may be cut anywhere, on both sides.
///
/// The inner reader gives UTF-8, otherwise reading fails with a [`DecodeError`](crate::DecodeError). To go from one encoding
/// to another, put a [`DecodeReader`] inside:
///
/// ```
/// use std::io::Read;
/// use textcodec::{ISO_2022_JP, SHIFT_JIS, io::{DecodeReader, EncodeReader}};
///
/// let mut bytes = Vec::new();
/// let text = DecodeReader::new(&b"\x93\xFA\x96{"[..], SHIFT_JIS.try_decoder()?);
/// EncodeReader::new(text, ISO_2022_JP.encoder()?).read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"\x1B$BF|K\\\x1B(B");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a reader does nothing until it is read"]
pub struct EncodeReader<R> {
    pub(super) inner: R,
    pub(super) reading: Reading<FromUtf8>,
}

impl<R> DecodeReader<R> {
    /// A reader with a decoder that says what to do about malformed bytes and a byte order mark. That of
    /// [`Encoding::try_decoder`](crate::Encoding::try_decoder) does what browsers do.
    ///
    /// ```
    /// use textcodec::{Bom, DecodeOptions, Malformed, UTF_16LE, io::DecodeReader};
    ///
    /// let options = DecodeOptions::new().bom(Bom::StripOwn).malformed(Malformed::Fail);
    /// let reader = DecodeReader::new(&b"\xFF\xFEa\0"[..], UTF_16LE.try_decoder_with(options)?);
    /// assert_eq!(std::io::read_to_string(reader)?, "a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: R, decoder: Decoder) -> Self {
        Self { inner, reading: Reading::new(at_input(decoder)) }
    }

    /// The decoder, which knows the encoding, whether a byte order mark was removed, the errors that were replaced, and how many
    /// bytes are decoded: about all of the input at its end, and before it about what is decoded, which may be more than what was
    /// given.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{UTF_16BE, WINDOWS_1252, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"\xFE\xFF\0a\xD8\0"[..], WINDOWS_1252.try_decoder()?);
    /// reader.read_to_string(&mut String::new())?;
    /// let decoder = reader.decoder();
    /// assert_eq!((decoder.encoding(), decoder.bom_removed(), decoder.errors().count()), (UTF_16BE, true, 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.reading.source.convert
    }

    /// The inner reader.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// assert_eq!(DecodeReader::new(&b"abc"[..], UTF_8.try_decoder()?).get_ref().len(), 3);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it is missing here.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"abc"[..], UTF_8.try_decoder()?);
    /// *reader.get_mut() = b"def";
    /// assert_eq!(std::io::read_to_string(reader)?, "def");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What was read from it and not yet asked for is dropped.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// assert_eq!(DecodeReader::new(&b"abc"[..], UTF_8.try_decoder()?).into_inner(), b"abc");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> DecodeReader<R> {
    /// The lines, without the LF or CRLF at their ends. Instead of [`BufRead::lines`], which checks UTF-8 again.
    ///
    /// ```
    /// use textcodec::{WINDOWS_1252, io::DecodeReader};
    ///
    /// let reader = DecodeReader::new(&b"caf\xE9\r\n\nth\xE9"[..], WINDOWS_1252.try_decoder()?);
    /// let lines: Vec<String> = reader.lines().collect::<Result<_, _>>()?;
    /// assert_eq!(lines, ["café", "", "thé"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn lines(self) -> Lines<R> {
        Lines::new(self)
    }

    /// Appends all that follows.
    fn append_all<T: DecodeTarget>(&mut self, out: &mut T) -> io::Result<()> {
        loop {
            match self.append(out) {
                Ok(true) => {}
                Ok(false) => return self.reading.source.error.take().map_or(Ok(()), Err),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Appends what the next piece becomes; see [`Source::append`](super::reading::Source::append).
    pub(super) fn append<T: DecodeTarget>(&mut self, out: &mut T) -> io::Result<bool> {
        let Self { inner, reading } = self;
        now(reading.source.append(out, |room| Poll::Ready(inner.read(room))))
    }

    /// Appends what waits in the buffer. That may begin within a character, where the caller's buffer was too small for it.
    pub(super) fn append_waiting(&mut self, out: &mut String) -> io::Result<()> {
        let waiting = self.reading.output.rest();
        let text = core::str::from_utf8(waiting).map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidData, "the text that was not read yet begins within a character")
        })?;
        out.push_str(text);
        let len = text.len();
        self.reading.output.consume(len);
        Ok(())
    }
}

impl<R: Read> Read for DecodeReader<R> {
    /// Decodes right into `dst`, where it has some room and nothing waits in the buffer.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{WINDOWS_1252, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"\x80"[..], WINDOWS_1252.try_decoder()?);
    /// let mut byte = [0];
    /// assert_eq!((reader.read(&mut byte)?, byte), (1, [0xE2]));
    /// assert_eq!(reader.bytes().count(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let Self { inner, reading } = self;
        now(reading.read(dst, |room| Poll::Ready(inner.read(room))))
    }

    /// Decodes right into `out`.
    fn read_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        out.extend_from_slice(self.reading.output.rest());
        self.reading.output.consume(usize::MAX);
        self.append_all(out)?;
        Ok(out.len() - before)
    }

    /// Decodes right into `out`, and checks only what waits in the buffer: it may begin within a character, which is an error
    /// then. `out` has what comes before an error.
    fn read_to_string(&mut self, out: &mut String) -> io::Result<usize> {
        let before = out.len();
        self.append_waiting(out)?;
        self.append_all(out)?;
        Ok(out.len() - before)
    }
}

impl<R: Read> BufRead for DecodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Self { inner, reading } = self;
        now(reading.fill(|room| Poll::Ready(inner.read(room))))
    }

    fn consume(&mut self, bytes: usize) {
        self.reading.output.consume(bytes);
    }
}

impl<R> EncodeReader<R> {
    /// A reader with an encoder, that says what to do about characters which its encoding cannot represent.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{ISO_8859_2, Unmappable, io::EncodeReader};
    ///
    /// let mut bytes = Vec::new();
    /// let encoder = ISO_8859_2.encoder_with(Unmappable::Html)?;
    /// EncodeReader::new("ř ж".as_bytes(), encoder).read_to_end(&mut bytes)?;
    /// assert_eq!(bytes, b"\xF8 &#1078;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: R, encoder: Encoder) -> Self {
        Self { inner, reading: Reading::new(FromUtf8::new(encoder)) }
    }

    /// Begins with a byte order mark, where the encoding is UTF-8, UTF-16LE or UTF-16BE; others have none. To be called before
    /// the first byte is read. The mark does not count in the positions of errors, and an empty text has one, too.
    ///
    /// Later calls and further ones have no effect. A text that itself begins with U+FEFF has that, too: a UTF-8 file with a
    /// mark is to be read through a [`DecodeReader`] of UTF-8, which takes it away.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{UTF_16BE, io::EncodeReader};
    ///
    /// let mut bytes = Vec::new();
    /// EncodeReader::new("a".as_bytes(), UTF_16BE.encoder()?).with_bom().read_to_end(&mut bytes)?;
    /// assert_eq!(bytes, b"\xFE\xFF\0a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_bom(mut self) -> Self {
        self.reading.source.convert.ask_for_bom();
        self
    }

    /// The encoder, which knows the encoding, the characters that were replaced or skipped, and how many bytes of UTF-8 are encoded:
    /// about all of the text at its end, and before it about what is encoded, which may be more than what was given.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{KOI8_R, Unmappable, io::EncodeReader};
    ///
    /// let mut reader = EncodeReader::new("да 字".as_bytes(), KOI8_R.encoder_with(Unmappable::Skip)?);
    /// reader.read_to_end(&mut Vec::new())?;
    /// assert_eq!(reader.encoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.reading.source.convert.encoder
    }

    /// The inner reader.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeReader};
    ///
    /// assert_eq!(EncodeReader::new(&b"abc"[..], UTF_16LE.encoder()?).get_ref().len(), 3);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it is missing here.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{UTF_16LE, io::EncodeReader};
    ///
    /// let mut reader = EncodeReader::new(&b"abc"[..], UTF_16LE.encoder()?);
    /// *reader.get_mut() = b"d";
    /// assert_eq!(reader.bytes().count(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What was read from it and not yet asked for is dropped.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeReader};
    ///
    /// assert_eq!(EncodeReader::new(&b"abc"[..], UTF_16LE.encoder()?).into_inner(), b"abc");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for EncodeReader<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let Self { inner, reading } = self;
        now(reading.read(dst, |room| Poll::Ready(inner.read(room))))
    }
}

impl<R: Read> BufRead for EncodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Self { inner, reading } = self;
        now(reading.fill(|room| Poll::Ready(inner.read(room))))
    }

    fn consume(&mut self, bytes: usize) {
        self.reading.output.consume(bytes);
    }
}
