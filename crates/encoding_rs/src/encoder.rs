//! [`Encoder`]: Unicode to bytes, in chunks, into fixed-size destinations.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use textcodec::{EncodeError, Progress, Status, Unmappable, hooks};

use crate::{CoderResult, Encoding, ISO_2022_JP};

/// Why a call without replacement of unmappable characters returned.
///
/// ```
/// use encoding_rs::EncoderResult;
///
/// let mut buffer = [0; 16];
/// let mut encoder = encoding_rs::WINDOWS_1252.new_encoder();
/// let (result, read, written) = encoder.encode_from_utf8_without_replacement("é字!", &mut buffer, true);
/// assert_eq!((result, read, written), (EncoderResult::Unmappable('字'), 5, 1));
/// ```
#[must_use]
#[derive(Debug, PartialEq, Eq)]
pub enum EncoderResult {
    /// See [`CoderResult::InputEmpty`].
    InputEmpty,
    /// See [`CoderResult::OutputFull`].
    OutputFull,
    /// An unmappable character. Nothing is written for it, and the encoder is in a state in which the caller may write ASCII in
    /// its place. The next call continues after it.
    Unmappable(char),
}

/// Encodes one text, in any number of chunks of UTF-8 or UTF-16.
///
/// The methods return the reason for returning, the number of units read from the chunk (bytes of UTF-8 or code units of
/// UTF-16) and the number of bytes written. Those that append to a `Vec` do not return the latter. Methods that replace
/// unmappable characters also return whether there were any.
///
/// `last` means that the text ends with the chunk, which matters to ISO-2022-JP. Do not split surrogate pairs between chunks: a
/// surrogate that is unpaired within its chunk becomes U+FFFD.
///
/// ```
/// use encoding_rs::{CoderResult, ISO_2022_JP};
///
/// let (mut encoder, mut buffer) = (ISO_2022_JP.new_encoder(), [0; 32]);
/// let (result, _, written, _) = encoder.encode_from_utf8("日本", &mut buffer, true);
/// assert_eq!((result, &buffer[..written]), (CoderResult::InputEmpty, &b"\x1B$BF|K\\\x1B(B"[..]));
/// ```
pub struct Encoder {
    core: textcodec::Encoder,
    encoding: &'static Encoding,
    /// The text has ended. The next call starts another one.
    finished: bool,
}

impl Encoder {
    /// Creates an encoder for an output encoding.
    #[inline]
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        let core = hooks::get_an_encoder(encoding.core()).expect("every output encoding has an encoder in this build");
        Self { core, encoding, finished: false }
    }

    /// Returns the encoding, which is an output encoding.
    ///
    /// ```
    /// assert_eq!(encoding_rs::GBK.new_encoder().encoding(), encoding_rs::GBK);
    /// ```
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns whether the encoding is ISO-2022-JP and its state is not ASCII. Such output must end with an escape sequence.
    ///
    /// ```
    /// let mut encoder = encoding_rs::ISO_2022_JP.new_encoder();
    /// let _ = encoder.encode_from_utf8("日", &mut [0; 32], false);
    /// assert!(encoder.has_pending_state());
    /// ```
    pub fn has_pending_state(&self) -> bool {
        self.encoding == ISO_2022_JP && self.core.has_pending_state()
    }

    /// Returns the maximum number of bytes that `byte_length` more bytes of UTF-8 can be encoded to if all characters are
    /// mappable. Returns `None` if it exceeds `usize::MAX`.
    ///
    /// ```
    /// let encoder = encoding_rs::GBK.new_encoder();
    /// assert!(encoder.max_buffer_length_from_utf8_if_no_unmappables(100).is_some_and(|max| max >= 100));
    /// ```
    pub fn max_buffer_length_from_utf8_if_no_unmappables(&self, byte_length: usize) -> Option<usize> {
        self.max_buffer_length_from_utf8_without_replacement(byte_length)?.checked_add(self.reference_len())
    }

    /// Returns the maximum number of bytes that `byte_length` more bytes of UTF-8 can be encoded to without replacement.
    /// Returns `None` if it exceeds `usize::MAX`.
    ///
    /// ```
    /// let encoder = encoding_rs::GBK.new_encoder();
    /// assert!(encoder.max_buffer_length_from_utf8_without_replacement(100).is_some_and(|max| max >= 100));
    /// ```
    pub fn max_buffer_length_from_utf8_without_replacement(&self, byte_length: usize) -> Option<usize> {
        self.reporter().max_len_from_utf8(byte_length)
    }

    /// Returns the maximum number of bytes that `u16_length` more code units of UTF-16 can be encoded to if all characters are
    /// mappable. Returns `None` if it exceeds `usize::MAX`.
    ///
    /// ```
    /// let encoder = encoding_rs::GBK.new_encoder();
    /// assert!(encoder.max_buffer_length_from_utf16_if_no_unmappables(100).is_some_and(|max| max >= 200));
    /// ```
    pub fn max_buffer_length_from_utf16_if_no_unmappables(&self, u16_length: usize) -> Option<usize> {
        self.max_buffer_length_from_utf16_without_replacement(u16_length)?.checked_add(self.reference_len())
    }

    /// Returns the maximum number of bytes that `u16_length` more code units of UTF-16 can be encoded to without replacement.
    /// Returns `None` if it exceeds `usize::MAX`.
    ///
    /// ```
    /// let encoder = encoding_rs::GBK.new_encoder();
    /// assert!(encoder.max_buffer_length_from_utf16_without_replacement(100).is_some_and(|max| max >= 200));
    /// ```
    pub fn max_buffer_length_from_utf16_without_replacement(&self, u16_length: usize) -> Option<usize> {
        self.reporter().max_len_from_utf16(u16_length)
    }

    /// Returns the length of one `&#1114111;`, so that one reference fits into a buffer for a short text.
    fn reference_len(&self) -> usize {
        if self.encoding.can_encode_everything() { 0 } else { 10 }
    }

    fn reporter(&self) -> textcodec::Encoder {
        let mut core = self.core.clone();
        core.set_unmappable(Unmappable::Pause);
        core
    }

    /// Encodes a chunk of UTF-8. Unmappable characters become `&#…;`.
    ///
    /// ```
    /// let mut buffer = [0; 16];
    /// let mut encoder = encoding_rs::WINDOWS_1252.new_encoder();
    /// let (_, read, written, had_unmappables) = encoder.encode_from_utf8("é字", &mut buffer, true);
    /// assert_eq!((read, &buffer[..written], had_unmappables), (5, &b"\xE9&#23383;"[..], true));
    /// ```
    #[inline]
    pub fn encode_from_utf8(&mut self, src: &str, dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        self.replacing(last, |core| core.encode_from_utf8(src, dst, last))
    }

    /// Like [`encode_from_utf8`](Self::encode_from_utf8), but appends to a `Vec` within its capacity.
    ///
    /// ```
    /// let mut bytes = Vec::with_capacity(16);
    /// let (_, read, _) = encoding_rs::KOI8_R.new_encoder().encode_from_utf8_to_vec("аб", &mut bytes, true);
    /// assert_eq!((read, bytes.as_slice()), (4, &b"\xC1\xC2"[..]));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec(&mut self, src: &str, dst: &mut Vec<u8>, last: bool) -> (CoderResult, usize, bool) {
        let (result, read, _, had_unmappables) =
            self.replacing(last, |core| core.encode_within_capacity(src, dst, last));
        (result, read, had_unmappables)
    }

    /// Encodes a chunk of UTF-8, up to the first unmappable character.
    ///
    /// ```
    /// use encoding_rs::EncoderResult;
    ///
    /// let mut encoder = encoding_rs::ISO_8859_2.new_encoder();
    /// let (result, ..) = encoder.encode_from_utf8_without_replacement("ř", &mut [0; 16], true);
    /// assert_eq!(result, EncoderResult::InputEmpty);
    /// ```
    #[inline]
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        self.reporting(last, |core| core.encode_from_utf8(src, dst, last))
    }

    /// Like [`encode_from_utf8_without_replacement`](Self::encode_from_utf8_without_replacement), but appends to a `Vec` within
    /// its capacity.
    ///
    /// ```
    /// use encoding_rs::EncoderResult;
    ///
    /// let mut bytes = Vec::with_capacity(16);
    /// let mut encoder = encoding_rs::KOI8_R.new_encoder();
    /// let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement("а字б", &mut bytes, true);
    /// assert_eq!((result, read, bytes.as_slice()), (EncoderResult::Unmappable('字'), 5, &b"\xC1"[..]));
    /// ```
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec_without_replacement(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (EncoderResult, usize) {
        let (result, read, _) = self.reporting(last, |core| core.encode_within_capacity(src, dst, last));
        (result, read)
    }

    /// Encodes a chunk of UTF-16. Unmappable characters become `&#…;`, unpaired surrogates become U+FFFD.
    ///
    /// ```
    /// let mut buffer = [0; 16];
    /// let mut encoder = encoding_rs::GB18030.new_encoder();
    /// let (_, read, written, _) = encoder.encode_from_utf16(&[0xD83D, 0xDE00], &mut buffer, true);
    /// assert_eq!((read, &buffer[..written]), (2, &b"\x94\x39\xFC\x36"[..]));
    /// ```
    #[inline]
    pub fn encode_from_utf16(&mut self, src: &[u16], dst: &mut [u8], last: bool) -> (CoderResult, usize, usize, bool) {
        match before_high_surrogate(src) {
            None => self.replacing(last, |core| core.encode_from_utf16(src, dst, last)),
            Some(before) => self.replacing(last, |core| encode_before_surrogate(core, before, dst, last)),
        }
    }

    /// Encodes a chunk of UTF-16, up to the first unmappable character. Unpaired surrogates become U+FFFD.
    ///
    /// ```
    /// use encoding_rs::EncoderResult;
    ///
    /// let mut encoder = encoding_rs::WINDOWS_1251.new_encoder();
    /// let (result, read, _) = encoder.encode_from_utf16_without_replacement(&[0x416, 0xD800], &mut [0; 16], true);
    /// assert_eq!((result, read), (EncoderResult::Unmappable('\u{FFFD}'), 2));
    /// ```
    #[inline]
    pub fn encode_from_utf16_without_replacement(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        match before_high_surrogate(src) {
            None => self.reporting(last, |core| core.encode_from_utf16(src, dst, last)),
            Some(before) => self.reporting(last, |core| encode_before_surrogate(core, before, dst, last)),
        }
    }

    #[inline]
    fn replacing(
        &mut self,
        last: bool,
        encode: impl FnOnce(&mut textcodec::Encoder) -> Progress<EncodeError>,
    ) -> (CoderResult, usize, usize, bool) {
        let errors = if self.finished { 0 } else { self.core.errors().count() };
        let progress = self.encode(last, Unmappable::Html, encode);
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
        encode: impl FnOnce(&mut textcodec::Encoder) -> Progress<EncodeError>,
    ) -> (EncoderResult, usize, usize) {
        let progress = self.encode(last, Unmappable::Pause, encode);
        let result = match progress.status {
            Status::InputEmpty => EncoderResult::InputEmpty,
            Status::Error(error) => EncoderResult::Unmappable(error.code_point().unwrap_or_default()),
            _ => EncoderResult::OutputFull,
        };
        (result, progress.read, progress.written)
    }

    #[inline]
    fn encode(
        &mut self,
        last: bool,
        unmappable: Unmappable,
        encode: impl FnOnce(&mut textcodec::Encoder) -> Progress<EncodeError>,
    ) -> Progress<EncodeError> {
        self.core.set_unmappable(unmappable);
        let progress = encode(&mut self.core);
        self.finished = last && progress.status == Status::InputEmpty;
        progress
    }
}

/// Returns the chunk without the high surrogate at its end, if it has one.
#[inline]
fn before_high_surrogate(src: &[u16]) -> Option<&[u16]> {
    src.split_last().filter(|(last, _)| matches!(last, 0xD800..=0xDBFF)).map(|(_, before)| before)
}

/// Encodes a chunk without the high surrogate at its end, which becomes U+FFFD: no state is kept for the next chunk.
// Its result and that of the ordinary call are not one value. Such a value would be in memory, and a caller that moves two of its
// fields at once would wait until the whole text is in the cache: 15 ns in a call of 4 KiB.
#[cold]
fn encode_before_surrogate(
    core: &mut textcodec::Encoder,
    before: &[u16],
    dst: &mut [u8],
    last: bool,
) -> Progress<EncodeError> {
    let mut progress = core.encode_from_utf16(before, dst, false);
    if progress.status != Status::InputEmpty {
        return progress;
    }
    let before_surrogate = core.clone();
    let replaced = core.encode_from_utf16(&[0xFFFD], &mut dst[progress.written..], last);
    if replaced.status == Status::OutputFull && progress.written > 0 {
        // Leave the surrogate unread. The next call has the whole destination for it.
        *core = before_surrogate;
        progress.status = Status::OutputFull;
        return progress;
    }
    progress.read += replaced.read;
    progress.written += replaced.written;
    progress.status = replaced.status;
    progress
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").field("encoding", self.encoding).finish_non_exhaustive()
    }
}
