//! [`DecodeReader`] and [`EncodeReader`].

use core::task::Poll;
use std::{
    io::{self, BufRead, Read},
    string::String,
    vec::Vec,
};

use super::{
    Lines,
    convert::{at_input_start, from_utf8},
    reading::{Reading, expect_ready},
};
use crate::conversion::{DecodeTarget, Decoder, Encoder, Transcoder};

/// A reader that decodes the bytes of an inner reader to UTF-8.
///
/// Implements [`Read`] and [`BufRead`] if the inner reader implements [`Read`], and the asynchronous traits if it implements
/// those: see [the module](super). The output is valid UTF-8, but a single read can end within a character.
///
/// A call reads from the inner reader only if no output is available, so it never waits for more than it needs. After the
/// end, the inner reader is not called again.
///
/// ```
/// use std::io::Read;
/// use textcodec::{EUC_KR, io::DecodeReader};
///
/// let mut text = String::new();
/// DecodeReader::new(&b"\xC7\xD1\xB1\xDB"[..], EUC_KR.decoder()).read_to_string(&mut text)?;
/// assert_eq!(text, "한글");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a reader does nothing until it is read"]
#[doc(alias("DecodeReaderBytes", "iconv", "transcode"))]
pub struct DecodeReader<R> {
    pub(super) inner: R,
    pub(super) reading: Reading<Decoder>,
}

/// A reader that encodes the UTF-8 text of an inner reader.
///
/// Implements [`Read`] and [`BufRead`] if the inner reader implements [`Read`], and the asynchronous traits if it implements
/// those: see [the module](super). Reads of the input and of the output can end within a character.
///
/// The input must be UTF-8, otherwise reading fails with a [`DecodeError`](crate::DecodeError). To convert from another
/// encoding, use a [`DecodeReader`] as the inner reader:
///
/// ```
/// use std::io::Read;
/// use textcodec::{ISO_2022_JP, SHIFT_JIS, io::{DecodeReader, EncodeReader}};
///
/// let mut bytes = Vec::new();
/// let text = DecodeReader::new(&b"\x93\xFA\x96{"[..], SHIFT_JIS.decoder());
/// EncodeReader::new(text, ISO_2022_JP.encoder()).read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"\x1B$BF|K\\\x1B(B");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a reader does nothing until it is read"]
pub struct EncodeReader<R> {
    pub(super) inner: R,
    pub(super) reading: Reading<Transcoder>,
}

impl<R> DecodeReader<R> {
    /// Creates a reader. The options of the decoder determine how malformed bytes and a byte order mark are handled. A decoder
    /// of [`Encoding::decoder`](crate::Encoding::decoder) behaves like browsers.
    ///
    /// ```
    /// use textcodec::{Bom, DecodeOptions, Malformed, UTF_16LE, io::DecodeReader};
    ///
    /// let options = DecodeOptions::new().bom(Bom::StripOwn).malformed(Malformed::Fail);
    /// let reader = DecodeReader::new(&b"\xFF\xFEa\0"[..], UTF_16LE.decoder_with(options));
    /// assert_eq!(std::io::read_to_string(reader)?, "a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: R, decoder: Decoder) -> Self {
        Self { inner, reading: Reading::new(at_input_start(decoder)) }
    }

    /// Returns the decoder: the encoding in use, whether a byte order mark was removed, the errors that were replaced, and how
    /// many bytes were decoded. Before the end of the input, this can include bytes whose text is still buffered.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{UTF_16BE, WINDOWS_1252, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"\xFE\xFF\0a\xD8\0"[..], WINDOWS_1252.decoder());
    /// reader.read_to_string(&mut String::new())?;
    /// let decoder = reader.decoder();
    /// assert_eq!((decoder.encoding(), decoder.bom_removed(), decoder.errors().count()), (UTF_16BE, true, 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn decoder(&self) -> &Decoder {
        &self.reading.source.convert
    }

    /// Returns a reference to the inner reader.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// assert_eq!(DecodeReader::new(&b"abc"[..], UTF_8.decoder()).get_ref().len(), 3);
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns a mutable reference to the inner reader. Bytes that are read from it directly are missing in the output.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"abc"[..], UTF_8.decoder());
    /// *reader.get_mut() = b"def";
    /// assert_eq!(std::io::read_to_string(reader)?, "def");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. Buffered data that was read from it is lost.
    ///
    /// ```
    /// use textcodec::{UTF_8, io::DecodeReader};
    ///
    /// assert_eq!(DecodeReader::new(&b"abc"[..], UTF_8.decoder()).into_inner(), b"abc");
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> DecodeReader<R> {
    /// Returns an iterator over the lines, without the LF or CRLF at their ends. It is faster than [`BufRead::lines`], which
    /// validates the UTF-8 again.
    ///
    /// ```
    /// use textcodec::{WINDOWS_1252, io::DecodeReader};
    ///
    /// let reader = DecodeReader::new(&b"caf\xE9\r\n\nth\xE9"[..], WINDOWS_1252.decoder());
    /// let lines: Vec<String> = reader.lines().collect::<Result<_, _>>()?;
    /// assert_eq!(lines, ["café", "", "thé"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn lines(self) -> Lines<R> {
        Lines::new(self)
    }

    /// Appends all remaining text.
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

    /// Appends the text of the next chunk. See [`Source::append`](super::reading::Source::append).
    pub(super) fn append<T: DecodeTarget>(&mut self, out: &mut T) -> io::Result<bool> {
        let Self { inner, reading } = self;
        expect_ready(reading.source.append(out, |dst| Poll::Ready(inner.read(dst))))
    }

    /// Appends the buffered text. It can start within a character, if an earlier read ended there.
    pub(super) fn append_buffered(&mut self, out: &mut String) -> io::Result<()> {
        let buffered = self.reading.output.rest();
        let text = core::str::from_utf8(buffered).map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidData, "the rest of the text starts within a character")
        })?;
        out.try_reserve(text.len())?;
        out.push_str(text);
        let len = text.len();
        self.reading.output.consume(len);
        Ok(())
    }
}

impl<R: Read> Read for DecodeReader<R> {
    /// Decodes directly to `dst` if it is large enough and no text is buffered.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{WINDOWS_1252, io::DecodeReader};
    ///
    /// let mut reader = DecodeReader::new(&b"\x80"[..], WINDOWS_1252.decoder());
    /// let mut byte = [0];
    /// assert_eq!((reader.read(&mut byte)?, byte), (1, [0xE2]));
    /// assert_eq!(reader.bytes().count(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let Self { inner, reading } = self;
        expect_ready(reading.read(dst, |dst| Poll::Ready(inner.read(dst))))
    }

    /// Decodes directly to `out`.
    fn read_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        out.try_reserve(self.reading.output.rest().len())?;
        out.extend_from_slice(self.reading.output.rest());
        self.reading.output.consume(usize::MAX);
        self.append_all(out)?;
        Ok(out.len() - before)
    }

    /// Decodes directly to `out`. Fails if an earlier read ended within a character. After an error, `out` has the text before
    /// it.
    fn read_to_string(&mut self, out: &mut String) -> io::Result<usize> {
        let before = out.len();
        self.append_buffered(out)?;
        self.append_all(out)?;
        Ok(out.len() - before)
    }
}

impl<R: Read> BufRead for DecodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Self { inner, reading } = self;
        expect_ready(reading.fill(|dst| Poll::Ready(inner.read(dst))))
    }

    fn consume(&mut self, bytes: usize) {
        self.reading.output.consume(bytes);
    }
}

impl<R> EncodeReader<R> {
    /// Creates a reader. The setting of the encoder determines how unmappable characters are handled.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{ISO_8859_2, Unmappable, io::EncodeReader};
    ///
    /// let mut bytes = Vec::new();
    /// let encoder = ISO_8859_2.encoder_with(Unmappable::Html);
    /// EncodeReader::new("ř ж".as_bytes(), encoder).read_to_end(&mut bytes)?;
    /// assert_eq!(bytes, b"\xF8 &#1078;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(inner: R, encoder: Encoder) -> Self {
        Self { inner, reading: Reading::new(from_utf8(encoder)) }
    }

    /// Returns the encoder: the encoding, the characters that were replaced or skipped, and how many bytes of UTF-8 were
    /// encoded. Before the end of the text, this can include text whose bytes are still buffered.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{KOI8_R, Unmappable, io::EncodeReader};
    ///
    /// let mut reader = EncodeReader::new("да 字".as_bytes(), KOI8_R.encoder_with(Unmappable::Skip));
    /// reader.read_to_end(&mut Vec::new())?;
    /// assert_eq!(reader.encoder().errors().count(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn encoder(&self) -> &Encoder {
        &self.reading.source.convert.encoder
    }

    /// Returns a reference to the inner reader.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeReader};
    ///
    /// assert_eq!(EncodeReader::new(&b"abc"[..], UTF_16LE.encoder()).get_ref().len(), 3);
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns a mutable reference to the inner reader. Bytes that are read from it directly are missing in the output.
    ///
    /// ```
    /// use std::io::Read;
    /// use textcodec::{UTF_16LE, io::EncodeReader};
    ///
    /// let mut reader = EncodeReader::new(&b"abc"[..], UTF_16LE.encoder());
    /// *reader.get_mut() = b"d";
    /// assert_eq!(reader.bytes().count(), 2);
    /// ```
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. Buffered data that was read from it is lost.
    ///
    /// ```
    /// use textcodec::{UTF_16LE, io::EncodeReader};
    ///
    /// assert_eq!(EncodeReader::new(&b"abc"[..], UTF_16LE.encoder()).into_inner(), b"abc");
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for EncodeReader<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let Self { inner, reading } = self;
        expect_ready(reading.read(dst, |dst| Poll::Ready(inner.read(dst))))
    }
}

impl<R: Read> BufRead for EncodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Self { inner, reading } = self;
        expect_ready(reading.fill(|dst| Poll::Ready(inner.read(dst))))
    }

    fn consume(&mut self, bytes: usize) {
        self.reading.output.consume(bytes);
    }
}
