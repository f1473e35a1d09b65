//! [`Decoder`]: bytes to Unicode, in chunks, into destinations of a fixed size.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

use textcodec::{DecodeProgress, DecodeStatus, Malformed, Reason};

use crate::{Encoding, REPLACEMENT, UTF_16BE, UTF_16LE, statics::reference};

/// Why a call that replaces what it cannot convert has ended.
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
    /// All of the chunk is read and all of its output is written, a begun character aside. With `last`, the input is done.
    InputEmpty,
    /// What comes next has no room. Call again with the rest of the chunk, which may be empty, and the same `last`.
    OutputFull,
}

/// Why a call that does not replace malformed sequences has ended.
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
    /// As [`CoderResult::InputEmpty`].
    InputEmpty,
    /// As [`CoderResult::OutputFull`].
    OutputFull,
    /// A malformed sequence: how many bytes it has, 1 to 4, and how many bytes behind it are read, 0 to 3. They may have come
    /// with an earlier chunk. Nothing is written for it; the next call goes on behind it.
    Malformed(u8, u8),
}

/// Decodes one input, in any number of chunks, to UTF-8 or UTF-16.
///
/// The calls give what has ended them, how many bytes of the chunk are read, how many code units are written (for a `String`,
/// see its length), and those that replace malformed sequences, whether they did. `last` says that the input ends with the chunk.
/// Only whole characters are written; behind them, a slice may be overwritten. A `str` stays one.
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
    pub(crate) fn new(core: textcodec::Decoder) -> Self {
        Self { core, finished: false }
    }

    /// The encoding in use: the one asked for, until a byte order mark says another.
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

    /// How many bytes of UTF-8 decoding `byte_length` more bytes can give, U+FFFD for malformed sequences included. None where it
    /// is more than `usize::MAX`.
    ///
    /// # Panics
    /// Where the input has ended.
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

    /// [`max_utf8_buffer_length`](Self::max_utf8_buffer_length) for the calls without replacement.
    ///
    /// # Panics
    /// Where the input has ended.
    ///
    /// ```
    /// let decoder = encoding_rs::EUC_KR.new_decoder_without_bom_handling();
    /// assert!(decoder.max_utf8_buffer_length_without_replacement(100).is_some_and(|max| max >= 150));
    /// ```
    pub fn max_utf8_buffer_length_without_replacement(&self, byte_length: usize) -> Option<usize> {
        self.assert_not_finished();
        let mut core = self.core.clone();
        core.set_malformed(Malformed::Report);
        core.max_utf8_len(byte_length)
    }

    /// How many code units of UTF-16 decoding `byte_length` more bytes can give, with or without replacement. None where it is
    /// more than `usize::MAX`.
    ///
    /// # Panics
    /// Where the input has ended.
    ///
    /// ```
    /// let decoder = encoding_rs::BIG5.new_decoder();
    /// assert!(decoder.max_utf16_buffer_length(100).is_some_and(|max| max >= 100));
    /// ```
    pub fn max_utf16_buffer_length(&self, byte_length: usize) -> Option<usize> {
        self.assert_not_finished();
        self.core.max_utf16_len(byte_length)
    }

    /// Decodes a chunk to UTF-8; malformed sequences become U+FFFD.
    ///
    /// # Panics
    /// Where the input has ended.
    ///
    /// ```
    /// let mut buffer = [0; 16];
    /// let mut decoder = encoding_rs::UTF_8.new_decoder();
    /// let (_, _, written, had_errors) = decoder.decode_to_utf8(b"a\xFF", &mut buffer, true);
    /// assert_eq!((&buffer[..written], had_errors), ("a\u{FFFD}".as_bytes(), true));
    /// ```
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.decode_to_utf8(src, dst, last))
    }

    /// [`decode_to_utf8`](Self::decode_to_utf8) into a `str`, which stays one.
    ///
    /// # Panics
    /// Where the input has ended.
    ///
    /// ```
    /// let mut text = String::from("........");
    /// let (_, _, written, _) = encoding_rs::KOI8_R.new_decoder().decode_to_str(b"\xC1\xC2", &mut text, true);
    /// assert_eq!(&text[..written], "аб");
    /// ```
    pub fn decode_to_str(&mut self, src: &[u8], dst: &mut str, last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.decode_to_str(src, dst, last))
    }

    /// [`decode_to_utf8`](Self::decode_to_utf8) to the end of a `String`, whose spare capacity is the destination: it does not
    /// grow.
    ///
    /// # Panics
    /// Where the input has ended.
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

    /// Decodes a chunk to UTF-16; malformed sequences become U+FFFD.
    ///
    /// # Panics
    /// Where the input has ended.
    ///
    /// ```
    /// let mut buffer = [0; 16];
    /// let (_, _, written, _) = encoding_rs::GBK.new_decoder().decode_to_utf16(b"\xC4\xE3", &mut buffer, true);
    /// assert_eq!(buffer[..written], [0x4F60]);
    /// ```
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.decode_to_utf16(src, dst, last))
    }

    /// Decodes a chunk to UTF-8, up to the first malformed sequence.
    ///
    /// # Panics
    /// Where the input has ended.
    ///
    /// ```
    /// use encoding_rs::DecoderResult;
    ///
    /// let mut decoder = encoding_rs::GB18030.new_decoder();
    /// let (result, read, _) = decoder.decode_to_utf8_without_replacement(b"\x81\x30a", &mut [0; 16], true);
    /// // The lead byte alone is malformed. The digit behind it is read, and is the first of what is decoded next.
    /// assert_eq!((result, read), (DecoderResult::Malformed(1, 1), 2));
    /// ```
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.reporting(last, |core| core.decode_to_utf8(src, dst, last))
    }

    /// [`decode_to_utf8_without_replacement`](Self::decode_to_utf8_without_replacement) into a `str`, which stays one.
    ///
    /// # Panics
    /// Where the input has ended.
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

    /// [`decode_to_utf8_without_replacement`](Self::decode_to_utf8_without_replacement) to the end of a `String`, whose spare
    /// capacity is the destination: it does not grow.
    ///
    /// # Panics
    /// Where the input has ended.
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
    /// Where the input has ended.
    ///
    /// ```
    /// use encoding_rs::DecoderResult;
    ///
    /// let mut decoder = encoding_rs::UTF_16LE.new_decoder();
    /// let (result, ..) = decoder.decode_to_utf16_without_replacement(b"\x00\xDC", &mut [0; 16], true);
    /// assert_eq!(result, DecoderResult::Malformed(2, 0));
    /// ```
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.reporting(last, |core| core.decode_to_utf16(src, dst, last))
    }

    /// How many of `bytes` would decode to the characters U+0000 to U+00FF of the same value. None while a byte order mark may
    /// come, within a character or an escape sequence, and for UTF-16 and `replacement`. For engines that store such strings in
    /// bytes.
    ///
    /// # Panics
    /// Where the input has ended.
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

    fn replacing(
        &mut self,
        last: bool,
        decode: impl FnOnce(&mut textcodec::Decoder) -> DecodeProgress,
    ) -> (CoderResult, usize, usize, bool) {
        let errors = self.core.errors().count();
        let progress = self.decode(last, Malformed::Replace, decode);
        let result = match progress.status {
            DecodeStatus::InputEmpty => CoderResult::InputEmpty,
            DecodeStatus::OutputFull | DecodeStatus::Malformed(_) => CoderResult::OutputFull,
        };
        (result, progress.read, progress.written, self.core.errors().count() > errors)
    }

    fn reporting(
        &mut self,
        last: bool,
        decode: impl FnOnce(&mut textcodec::Decoder) -> DecodeProgress,
    ) -> (DecoderResult, usize, usize) {
        let progress = self.decode(last, Malformed::Report, decode);
        let result = match progress.status {
            DecodeStatus::InputEmpty => DecoderResult::InputEmpty,
            DecodeStatus::OutputFull => DecoderResult::OutputFull,
            DecodeStatus::Malformed(error) => {
                let behind = match error.reason() {
                    // To encoding_rs the escape sequence is malformed that has no text, and the one right behind it is read.
                    Reason::EmptyEscape => 3,
                    _ => self.core.position() - error.range().end,
                };
                DecoderResult::Malformed(error.bytes().len() as u8, behind as u8)
            }
        };
        (result, progress.read, progress.written)
    }

    fn decode(
        &mut self,
        last: bool,
        malformed: Malformed,
        decode: impl FnOnce(&mut textcodec::Decoder) -> DecodeProgress,
    ) -> DecodeProgress {
        self.assert_not_finished();
        self.core.set_malformed(malformed);
        let progress = decode(&mut self.core);
        self.finished = last && progress.status == DecodeStatus::InputEmpty;
        progress
    }

    fn assert_not_finished(&self) {
        assert!(!self.finished, "the input of this decoder has ended: a new input needs a new decoder");
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("encoding", self.encoding()).finish_non_exhaustive()
    }
}
