//! Conversion into fixed buffers, in chunks and destinations of any size.
//!
//! A canary after each destination must stay unchanged. The destination after the written units is scratch memory and may
//! change.

use std::ops::Range;

use textcodec::{DecodeError, Decoder, EncodeError, Encoder, Progress, Status};

/// The number of code units in the canary after a destination.
const CANARY: usize = 32;

/// A code unit of an output form of decoding.
pub trait Unit: Copy + PartialEq + std::fmt::Debug + 'static {
    /// The value of unwritten memory.
    const UNWRITTEN: Self;
    /// U+FFFD.
    const REPLACEMENT: &[Self];
    /// The minimum capacity with which decoding always makes progress.
    const MIN_CAPACITY: usize;

    /// Calls the decoder's method for this form.
    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> Progress<DecodeError>;

    /// Returns the decoder's upper bound for the length of the output in this form.
    fn max_len(decoder: &Decoder, bytes: usize) -> Option<usize>;

    /// Converts text to this form.
    fn from_str(text: &str) -> Vec<Self>;

    /// Returns whether `units` are `text` in this form.
    fn is_text(units: &[Self], text: &str) -> bool;
}

impl Unit for u8 {
    const UNWRITTEN: Self = 0xA5;
    const REPLACEMENT: &[Self] = "\u{FFFD}".as_bytes();
    const MIN_CAPACITY: usize = Decoder::MIN_UTF8_BUFFER_LEN;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> Progress<DecodeError> {
        decoder.decode_to_utf8(src, dst, last)
    }

    fn max_len(decoder: &Decoder, bytes: usize) -> Option<usize> {
        decoder.max_utf8_len(bytes)
    }

    fn from_str(text: &str) -> Vec<Self> {
        text.into()
    }

    fn is_text(units: &[Self], text: &str) -> bool {
        units == text.as_bytes()
    }
}

impl Unit for u16 {
    const UNWRITTEN: Self = 0xA5A5;
    const REPLACEMENT: &[Self] = &[0xFFFD];
    const MIN_CAPACITY: usize = Decoder::MIN_UTF16_BUFFER_LEN;

    fn decode(decoder: &mut Decoder, src: &[u8], dst: &mut [Self], last: bool) -> Progress<DecodeError> {
        decoder.decode_to_utf16(src, dst, last)
    }

    fn max_len(decoder: &Decoder, bytes: usize) -> Option<usize> {
        decoder.max_utf16_len(bytes)
    }

    fn from_str(text: &str) -> Vec<Self> {
        text.encode_utf16().collect()
    }

    fn is_text(units: &[Self], text: &str) -> bool {
        units.iter().copied().eq(text.encode_utf16())
    }
}

/// Decodes `chunks`, the last of which ends the input, and appends the text to `out`. `capacity` returns the size of each
/// destination. `on_error` receives each reported error and returns whether to continue.
///
/// # Panics
/// If the decoder writes past the destination, reads past the input, or makes no progress.
pub fn decode<U: Unit>(
    decoder: &mut Decoder,
    chunks: &[&[u8]],
    mut capacity: impl FnMut() -> usize,
    out: &mut Vec<U>,
    mut on_error: impl FnMut(DecodeError, &mut Vec<U>) -> bool,
) {
    for (n, chunk) in chunks.iter().enumerate() {
        let last = n + 1 == chunks.len();
        let mut rest = *chunk;
        let mut stuck = 0;
        loop {
            let capacity = capacity();
            let before = out.len();
            out.resize(before + capacity + CANARY, U::UNWRITTEN);
            let progress = U::decode(decoder, rest, &mut out[before..before + capacity], last);
            let end = before + progress.written;
            assert!(progress.written <= capacity, "more written than the destination's capacity");
            assert!(out[before + capacity..].iter().all(|&unit| unit == U::UNWRITTEN), "written past the destination");
            out.truncate(end);
            rest = &rest[progress.read..];
            stuck = if progress.read == 0 && progress.written == 0 { stuck + 1 } else { 0 };
            assert!(stuck < 3 || capacity < U::MIN_CAPACITY, "no progress with capacity {capacity}");
            match progress.status {
                Status::InputEmpty => {
                    assert!(rest.is_empty(), "InputEmpty, but input remains");
                    break;
                }
                Status::Error(error) => {
                    stuck = 0;
                    if !on_error(error, out) {
                        return;
                    }
                }
                status => assert_eq!(status, Status::OutputFull),
            }
        }
    }
}

/// Text to encode, in either form.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// UTF-8.
    Utf8(&'a str),
    /// UTF-16.
    Utf16(&'a [u16]),
}

impl Source<'_> {
    /// Returns the number of units.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Utf8(text) => text.len(),
            Self::Utf16(text) => text.len(),
        }
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns whether the text may be cut before the unit at `at`.
    #[must_use]
    pub fn may_cut(self, at: usize) -> bool {
        match self {
            Self::Utf8(text) => text.is_char_boundary(at),
            Self::Utf16(_) => true,
        }
    }

    /// Returns part of the text.
    #[must_use]
    pub fn slice(self, range: Range<usize>) -> Self {
        match self {
            Self::Utf8(text) => Self::Utf8(&text[range]),
            Self::Utf16(text) => Self::Utf16(&text[range]),
        }
    }

    /// Calls the encoder's method for this form.
    pub fn encode(self, encoder: &mut Encoder, dst: &mut [u8], last: bool) -> Progress<EncodeError> {
        match self {
            Self::Utf8(text) => encoder.encode_from_utf8(text, dst, last),
            Self::Utf16(text) => encoder.encode_from_utf16(text, dst, last),
        }
    }

    /// Returns the encoder's upper bound for the length of the output.
    #[must_use]
    pub fn max_len(self, encoder: &Encoder) -> Option<usize> {
        match self {
            Self::Utf8(text) => encoder.max_len_from_utf8(text.len()),
            Self::Utf16(text) => encoder.max_len_from_utf16(text.len()),
        }
    }
}

/// Encodes `chunks`, the last of which ends the text, and appends the bytes to `out`; see [`decode`].
///
/// # Panics
/// If the encoder writes past the destination, reads past the input, or makes no progress.
pub fn encode(
    encoder: &mut Encoder,
    chunks: &[Source<'_>],
    mut capacity: impl FnMut() -> usize,
    out: &mut Vec<u8>,
    mut on_error: impl FnMut(EncodeError) -> bool,
) {
    for (n, chunk) in chunks.iter().enumerate() {
        let last = n + 1 == chunks.len();
        let mut rest = *chunk;
        let mut stuck = 0;
        loop {
            let capacity = capacity();
            let before = out.len();
            out.resize(before + capacity + CANARY, u8::UNWRITTEN);
            let progress = rest.encode(encoder, &mut out[before..before + capacity], last);
            let end = before + progress.written;
            assert!(progress.written <= capacity, "more written than the destination's capacity");
            assert!(out[before + capacity..].iter().all(|&byte| byte == u8::UNWRITTEN), "written past the destination");
            out.truncate(end);
            rest = rest.slice(progress.read..rest.len());
            stuck = if progress.read == 0 && progress.written == 0 { stuck + 1 } else { 0 };
            assert!(stuck < 3 || capacity == 0, "no progress with capacity {capacity}");
            match progress.status {
                Status::InputEmpty => {
                    assert!(rest.is_empty(), "InputEmpty, but input remains");
                    break;
                }
                Status::Error(error) => {
                    stuck = 0;
                    if !on_error(error) {
                        return;
                    }
                }
                status => assert_eq!(status, Status::OutputFull),
            }
        }
    }
}
