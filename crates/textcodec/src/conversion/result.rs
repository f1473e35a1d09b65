//! The results of calls: [`Progress`] of one that writes to a slice, [`Decoded`] and [`Encoded`] of a whole input.

#[cfg(feature = "alloc")]
use crate::{
    conversion::{DecodeError, EncodeError, ErrorTally},
    names::Encoding,
};

/// The result of a call that writes to a slice. `E` is the error of the coder: [`DecodeError`],
/// [`EncodeError`] or [`TranscodeError`](crate::TranscodeError).
///
/// ```
/// use textcodec::{Status, WINDOWS_1252};
///
/// let mut buffer = [0; 4];
/// let progress = WINDOWS_1252.decoder().decode_to_utf8(b"caf\xE9", &mut buffer, true);
/// // The last character does not fit, and is not read.
/// assert_eq!((progress.read, progress.written, progress.status), (3, 3, Status::OutputFull));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "the call may have stopped before the end of its input"]
pub struct Progress<E> {
    /// The number of units read from the chunk: bytes, or code units for text in UTF-16.
    pub read: usize,
    /// The number of units written to the destination: bytes, or code units for text in UTF-16.
    pub written: usize,
    /// Why the call returned.
    pub status: Status<E>,
}

/// Why a call that writes to a slice returned.
///
/// ```
/// use textcodec::{SHIFT_JIS, Status};
///
/// let (mut rest, mut buffer, mut text) = (&b"\x93\xFA\x96{"[..], [0; 4], Vec::new());
/// let mut decoder = SHIFT_JIS.decoder();
/// loop {
///     let progress = decoder.decode_to_utf8(rest, &mut buffer, true);
///     text.extend_from_slice(&buffer[..progress.written]);
///     rest = &rest[progress.read..];
///     if progress.status != Status::OutputFull {
///         break;
///     }
/// }
/// assert_eq!(text, "日本".as_bytes());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias("CoderResult", "DecoderResult", "EncoderResult"))]
pub enum Status<E> {
    /// The whole chunk was read, and its output written. The coder keeps an incomplete character or byte order mark at its end.
    /// With `last`, the input is complete.
    InputEmpty,
    /// The next output does not fit. Call again with the rest of the chunk and the same `last`.
    ///
    /// The rest may be empty: the coder has read a character and holds its output, such as the U+FFFD for a malformed sequence, a
    /// character that started in an earlier chunk, or an escape sequence of ISO-2022-JP.
    OutputFull,
    /// An error at which the options say to stop, or one that no option changes: the build lacks the encoding. Nothing is written
    /// for it. All output before it is written.
    ///
    /// With [`Unmappable::Fail`](crate::Unmappable::Fail), an encoder of ISO-2022-JP returns to ASCII before it.
    Error(E),
}

/// A whole input, decoded. [`Decoder::finish`](crate::Decoder::finish) returns it without text (`T` is `()`), because the text is
/// in the caller's buffer.
///
/// ```
/// use std::borrow::Cow;
/// use textcodec::{UTF_8, UTF_16BE};
///
/// let decoded = UTF_8.decode(b"\xEF\xBB\xBFabc");
/// assert!(matches!(decoded.text, Cow::Borrowed("abc")));
/// assert!(decoded.bom_removed && decoded.errors.is_empty());
///
/// let mut text = String::new();
/// let mut decoder = UTF_8.decoder();
/// decoder.push(b"\xFE\xFF\0a", &mut text)?;
/// assert_eq!(decoder.finish(&mut text)?.encoding, UTF_16BE);
/// # Ok::<(), textcodec::DecodeError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded<T> {
    /// The text: `Cow<str>`, `Vec<u16>`, or `()`.
    pub text: T,
    /// The encoding that was used: the requested one, or that of the byte order mark.
    pub encoding: Encoding,
    /// Whether a byte order mark was removed.
    pub bom_removed: bool,
    /// The malformed sequences that were replaced.
    pub errors: ErrorTally<DecodeError>,
}

/// A whole text, encoded. [`Encoder::finish`](crate::Encoder::finish) returns it without bytes (`T` is `()`), because the bytes are
/// in the caller's buffer.
///
/// ```
/// use textcodec::{KOI8_R, Unmappable};
///
/// let encoded = KOI8_R.encode_with("да字", Unmappable::Replace('?'))?;
/// assert_eq!((&*encoded.bytes, encoded.errors.count()), (&b"\xC4\xC1?"[..], 1));
///
/// let mut bytes = Vec::new();
/// let mut encoder = KOI8_R.encoder_with(Unmappable::Skip);
/// encoder.push("да 字", &mut bytes)?;
/// assert_eq!(encoder.finish(&mut bytes)?.errors.count(), 1);
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded<T> {
    /// The encoded bytes: `Cow<[u8]>`, `Vec<u8>`, or `()`.
    pub bytes: T,
    /// The unmappable characters and [rejected surrogates](crate::EncodeOptions::reject_unpaired_surrogates) that were replaced or
    /// skipped.
    pub errors: ErrorTally<EncodeError>,
    /// The number of unpaired surrogates in the text. Each was encoded as U+FFFD, or is one of the errors.
    pub unpaired_surrogates: u64,
}
