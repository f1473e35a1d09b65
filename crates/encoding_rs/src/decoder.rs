//! [`Decoder`]: bytes to Unicode, in chunks, into fixed-size destinations.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

use textcodec::{DecodeError, DecodeReason, Malformed, Progress, Status};

use crate::{Encoding, REPLACEMENT, UTF_16BE, UTF_16LE, statics::reference};

/// Why a call with replacement returned.
///
/// ```
/// use encoding_rs::CoderResult;
///
/// let mut buffer = [0; 4];
/// let (result, ..) = encoding_rs::UTF_8.new_decoder().decode_to_utf8(b"abc def", &mut buffer, true);
/// assert_eq!(result, CoderResult::OutputFull);
/// ```
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum CoderResult {
    /// The whole chunk was read, and its output was written except for an incomplete character. With `last`, the input has
    /// ended.
    InputEmpty,
    /// The next character does not fit. Call again with the rest of the chunk, which may be empty, and the same `last`.
    OutputFull,
}

/// Why a call without replacement of malformed sequences returned.
///
/// ```
/// use encoding_rs::DecoderResult;
///
/// let mut buffer = [0; 16];
/// let mut decoder = encoding_rs::UTF_8.new_decoder();
/// let (result, read, written) = decoder.decode_to_utf8_without_replacement(b"a\xE2\x82!", &mut buffer, true);
/// assert_eq!((result, read, written), (DecoderResult::Malformed(2, 0), 3, 1));
/// ```
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum DecoderResult {
    /// See [`CoderResult::InputEmpty`].
    InputEmpty,
    /// See [`CoderResult::OutputFull`].
    OutputFull,
    /// A malformed sequence: its length, 1 to 4 bytes, and the number of bytes read after it, 0 to 3. These bytes may be from
    /// an earlier chunk. Nothing is written for the sequence. The next call continues after it.
    Malformed(u8, u8),
}

/// Decodes one input, in any number of chunks, to UTF-8 or UTF-16.
///
/// The methods return the reason for returning, the number of bytes read from the chunk and the number of code units written.
/// Those that append to a `String` do not return the latter. Methods that replace malformed sequences also return whether there
/// were any. `last` means that the input ends with the chunk.
///
/// Only whole characters are written. The rest of a slice may be overwritten. A `str` remains well-formed UTF-8.
///
/// ```
/// use encoding_rs::{CoderResult, SHIFT_JIS};
///
/// let (mut decoder, mut buffer) = (SHIFT_JIS.new_decoder(), [0; 16]);
/// let (result, read, first, _) = decoder.decode_to_utf8(b"\x93\xFA\x96", &mut buffer, false);
/// assert_eq!((result, read, first), (CoderResult::InputEmpty, 3, 3));
/// let (result, _, second, had_errors) = decoder.decode_to_utf8(b"{", &mut buffer[first..], true);
/// assert_eq!((result, had_errors), (CoderResult::InputEmpty, false));
/// assert_eq!(&buffer[..first + second], "日本".as_bytes());
/// ```
pub struct Decoder {
    core: textcodec::Decoder,
    /// The input has ended.
    finished: bool,
}

impl Decoder {
    #[inline]
    pub(crate) fn new(core: textcodec::Decoder) -> Self {
        Self { core, finished: false }
    }

    /// Returns the encoding in use: that of the byte order mark if there was one, otherwise the requested one.
    ///
    /// ```
    /// use encoding_rs::{UTF_8, UTF_16BE};
    ///
    /// let mut decoder = UTF_8.new_decoder();
    /// let _ = decoder.decode_to_utf16(b"\xFE\xFF", &mut [0; 4], false);
    /// assert_eq!(decoder.encoding(), UTF_16BE);
    /// ```
    pub fn encoding(&self) -> &'static Encoding {
        reference(self.core.encoding())
    }

    /// Returns the maximum length of UTF-8 that `byte_length` more bytes can decode to, with U+FFFD for malformed sequences.
    /// Returns `None` if it exceeds `usize::MAX`.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
    /// assert!(decoder.max_utf8_buffer_length(100).is_some_and(|max| max >= 300));
    /// ```
    pub fn max_utf8_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.assert_not_finished();
        let mut core = self.core.clone();
        core.set_malformed(Malformed::Replace);
        core.max_utf8_len(byte_length)
    }

    /// Like [`max_utf8_buffer_length`](Self::max_utf8_buffer_length), for the methods without replacement.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let decoder = encoding_rs::EUC_KR.new_decoder_without_bom_handling();
    /// assert!(decoder.max_utf8_buffer_length_without_replacement(100).is_some_and(|max| max >= 150));
    /// ```
    pub fn max_utf8_buffer_length_without_replacement(&self, byte_length: usize) -> Option<usize> {
        self.assert_not_finished();
        let mut core = self.core.clone();
        core.set_malformed(Malformed::Pause);
        core.max_utf8_len(byte_length)
    }

    /// Returns the maximum number of UTF-16 code units that `byte_length` more bytes can decode to, with or without
    /// replacement. Returns `None` if it exceeds `usize::MAX`.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let decoder = encoding_rs::BIG5.new_decoder();
    /// assert!(decoder.max_utf16_buffer_length(100).is_some_and(|max| max >= 100));
    /// ```
    pub fn max_utf16_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.assert_not_finished();
        self.core.max_utf16_len(byte_length)
    }

    /// Decodes a chunk to UTF-8. Malformed sequences become U+FFFD.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let mut buffer = [0; 16];
    /// let mut decoder = encoding_rs::UTF_8.new_decoder();
    /// let (_, _, written, had_errors) = decoder.decode_to_utf8(b"a\xFF", &mut buffer, true);
    /// assert_eq!((&buffer[..written], had_errors), ("a\u{FFFD}".as_bytes(), true));
    /// ```
    #[inline]
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.decode_to_utf8(src, dst, last))
    }

    /// Like [`decode_to_utf8`](Self::decode_to_utf8), into a `str`.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let mut text = String::from("........");
    /// let (_, _, written, _) = encoding_rs::KOI8_R.new_decoder().decode_to_str(b"\xC1\xC2", &mut text, true);
    /// assert_eq!(&text[..written], "аб");
    /// ```
    pub fn decode_to_str(&mut self, src: &[u8], dst: &mut str, last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.decode_to_str(src, dst, last))
    }

    /// Like [`decode_to_utf8`](Self::decode_to_utf8), but appends to a `String` within its capacity.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let mut text = String::with_capacity(16);
    /// let (_, read, _) = encoding_rs::KOI8_R.new_decoder().decode_to_string(b"\xC1\xC2", &mut text, true);
    /// assert_eq!((read, text.as_str()), (2, "аб"));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_to_string(&mut self, src: &[u8], dst: &mut String, last: bool) -> (CoderResult, usize, bool) {
        let (result, read, _, had_errors) = self.replacing(last, |core| core.decode_within_capacity(src, dst, last));
        (result, read, had_errors)
    }

    /// Decodes a chunk to UTF-16. Malformed sequences become U+FFFD.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let mut buffer = [0; 16];
    /// let (_, _, written, _) = encoding_rs::GBK.new_decoder().decode_to_utf16(b"\xC4\xE3", &mut buffer, true);
    /// assert_eq!(buffer[..written], [0x4F60]);
    /// ```
    #[inline]
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.decode_to_utf16(src, dst, last))
    }

    /// Decodes a chunk to UTF-8, up to the first malformed sequence.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// use encoding_rs::DecoderResult;
    ///
    /// let mut decoder = encoding_rs::GB18030.new_decoder();
    /// let (result, read, _) = decoder.decode_to_utf8_without_replacement(b"\x81\x30a", &mut [0; 16], true);
    /// // Only the lead byte is malformed. The digit after it was read, and the next call decodes it.
    /// assert_eq!((result, read), (DecoderResult::Malformed(1, 1), 2));
    /// ```
    #[inline]
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.reporting(last, |core| core.decode_to_utf8(src, dst, last))
    }

    /// Like [`decode_to_utf8_without_replacement`](Self::decode_to_utf8_without_replacement), into a `str`.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// use encoding_rs::DecoderResult;
    ///
    /// let mut text = String::from("........");
    /// let mut decoder = encoding_rs::UTF_8.new_decoder();
    /// let (result, _, written) = decoder.decode_to_str_without_replacement(b"ab\xFF", &mut text, true);
    /// assert_eq!((result, &text[..written]), (DecoderResult::Malformed(1, 0), "ab"));
    /// ```
    pub fn decode_to_str_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.reporting(last, |core| core.decode_to_str(src, dst, last))
    }

    /// Like [`decode_to_utf8_without_replacement`](Self::decode_to_utf8_without_replacement), but appends to a `String` within
    /// its capacity.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// use encoding_rs::DecoderResult;
    ///
    /// let mut text = String::with_capacity(16);
    /// let mut decoder = encoding_rs::UTF_8.new_decoder();
    /// let (result, read) = decoder.decode_to_string_without_replacement(b"ab\xFFc", &mut text, true);
    /// assert_eq!((result, read, text.as_str()), (DecoderResult::Malformed(1, 0), 3, "ab"));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (DecoderResult, usize) {
        let (result, read, _) = self.reporting(last, |core| core.decode_within_capacity(src, dst, last));
        (result, read)
    }

    /// Decodes a chunk to UTF-16, up to the first malformed sequence.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// use encoding_rs::DecoderResult;
    ///
    /// let mut decoder = encoding_rs::UTF_16LE.new_decoder();
    /// let (result, ..) = decoder.decode_to_utf16_without_replacement(b"\x00\xDC", &mut [0; 16], true);
    /// assert_eq!(result, DecoderResult::Malformed(2, 0));
    /// ```
    #[inline]
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.reporting(last, |core| core.decode_to_utf16(src, dst, last))
    }

    /// Returns the length of the prefix of `bytes` that would decode to the characters U+0000 to U+00FF of the same values.
    /// Engines can store such strings as bytes.
    ///
    /// Returns `None` for UTF-16 and `replacement`, within a character or an escape sequence, and while a byte order mark is
    /// possible.
    ///
    /// # Panics
    /// If the input has ended.
    ///
    /// ```
    /// let decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
    /// assert_eq!(decoder.latin1_byte_compatible_up_to(b"caf\xE9 \x80"), Some(5));
    /// ```
    pub fn latin1_byte_compatible_up_to(&self, bytes: &[u8]) -> Option<usize> {
        self.assert_not_finished();
        let encoding = self.encoding();
        if self.core.has_pending_state() || encoding == UTF_16LE || encoding == UTF_16BE || encoding == REPLACEMENT {
            return None;
        }
        Some(encoding.latin1_byte_compatible_up_to(bytes))
    }

    #[inline]
    fn replacing(
        &mut self,
        last: bool,
        decode: impl FnOnce(&mut textcodec::Decoder) -> Progress<DecodeError>,
    ) -> (CoderResult, usize, usize, bool) {
        let errors = self.core.errors().count();
        let progress = self.decode(last, Malformed::Replace, decode);
        let result = match progress.status {
            Status::InputEmpty => CoderResult::InputEmpty,
            _ => CoderResult::OutputFull,
        };
        (result, progress.read, progress.written, self.core.errors().count() > errors)
    }

    #[inline]
    fn reporting(
        &mut self,
        last: bool,
        decode: impl FnOnce(&mut textcodec::Decoder) -> Progress<DecodeError>,
    ) -> (DecoderResult, usize, usize) {
        let progress = self.decode(last, Malformed::Pause, decode);
        let result = match progress.status {
            Status::InputEmpty => DecoderResult::InputEmpty,
            Status::Error(error) => {
                let read_after = match error.reason() {
                    // encoding_rs reports the first of two adjacent escape sequences as malformed. The second one has been
                    // read.
                    DecodeReason::EmptyEscape => 3,
                    _ => self.core.position() - error.range().end,
                };
                DecoderResult::Malformed(error.bytes().len() as u8, read_after as u8)
            }
            _ => DecoderResult::OutputFull,
        };
        (result, progress.read, progress.written)
    }

    #[inline]
    fn decode(
        &mut self,
        last: bool,
        malformed: Malformed,
        decode: impl FnOnce(&mut textcodec::Decoder) -> Progress<DecodeError>,
    ) -> Progress<DecodeError> {
        self.assert_not_finished();
        self.core.set_malformed(malformed);
        let progress = decode(&mut self.core);
        self.finished = last && progress.status == Status::InputEmpty;
        progress
    }

    #[inline]
    fn assert_not_finished(&self) {
        assert!(!self.finished, "the input of this decoder has ended; use a new decoder for a new input");
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("encoding", self.encoding()).finish_non_exhaustive()
    }
}
