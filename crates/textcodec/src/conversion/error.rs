//! The errors of decoding and encoding. Offsets count from the start of the whole input.

use core::{error::Error, fmt, ops::Range};

use crate::names::Encoding;

/// Why a byte sequence is malformed.
///
/// ```
/// use textcodec::{DecodeReason, EUC_KR};
///
/// let reason = |bytes: &[u8]| EUC_KR.decode(bytes).errors.first().map(|error| error.reason());
/// assert_eq!(reason(b"\xFF"), Some(DecodeReason::InvalidByte));
/// assert_eq!(reason(b"\xC7 "), Some(DecodeReason::Interrupted));
/// assert_eq!(reason(b"\xC9\xA1"), Some(DecodeReason::Unmapped));
/// assert_eq!(reason(b"\xC7"), Some(DecodeReason::Incomplete));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeReason {
    /// A byte that cannot start a character.
    InvalidByte,
    /// An incomplete sequence that the next byte does not continue. That byte is not part of the error and is decoded next.
    Interrupted,
    /// A complete sequence that does not map to a character.
    Unmapped,
    /// An incomplete sequence at the end of the input.
    Incomplete,
    /// UTF-16, and in feature `oem` other encodings of Unicode: an unpaired surrogate.
    UnpairedSurrogate,
    /// ISO-2022-JP, and in feature `oem` ISO-2022-KR, HZ and GSM 03.38: an escape byte that does not start a known escape sequence.
    UnknownEscape,
    /// ISO-2022-JP, and in feature `oem` other encodings with shifts: an escape sequence directly after another one.
    EmptyEscape,
    /// The encoding is `replacement`. It decodes no text, to prevent attacks that abuse legacy encodings.
    Replacement,
    /// This build cannot decode the encoding, because the Cargo feature of its family is disabled. No byte was read. See
    /// [`Encoding::feature`].
    Unavailable,
    /// There is not enough memory for the text. The input may be well-formed.
    OutOfMemory,
}

impl fmt::Display for DecodeReason {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidByte => "this byte cannot start a character",
            Self::Interrupted => "the next byte does not continue this sequence",
            Self::Unmapped => "this sequence does not map to a character",
            Self::Incomplete => "the input ends within a character",
            Self::UnpairedSurrogate => "this surrogate is unpaired",
            Self::UnknownEscape => "this escape sequence is unknown",
            Self::EmptyEscape => "this escape sequence directly follows another one",
            Self::Replacement => "text in this encoding is not decoded for security reasons",
            Self::Unavailable => "this build cannot decode this encoding",
            Self::OutOfMemory => "there is not enough memory for the text",
        })
    }
}

/// A malformed byte sequence: an error of a decoder in
/// [section 4.1](https://encoding.spec.whatwg.org/#encoders-and-decoders) of the standard.
///
/// Also the error of a build that cannot decode the encoding, [`DecodeReason::Unavailable`], and of a text that does not fit into
/// memory, [`DecodeReason::OutOfMemory`].
///
/// ```
/// use textcodec::{DecodeReason, SHIFT_JIS};
///
/// let error = SHIFT_JIS.decode_strict(b"abc \x82\xA0 \x82").unwrap_err();
/// assert_eq!((error.range(), error.bytes(), error.reason()), (7..8, &[0x82][..], DecodeReason::Incomplete));
/// assert_eq!(error.to_string(), "malformed Shift_JIS at byte 7 (82): the input ends within a character");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DecodeError {
    encoding: Encoding,
    reason: DecodeReason,
    len: u8,
    bytes: [u8; 4],
    start: u64,
}

impl DecodeError {
    /// `bytes` starts with the bytes at `range`, which are at most four. The rest of it is ignored.
    pub(crate) fn new(encoding: Encoding, range: Range<u64>, bytes: [u8; 4], reason: DecodeReason) -> Self {
        let len = (range.end - range.start).min(4) as u8;
        let mask = (1 << (8 * len)) - 1;
        let bytes = ((u64::from(u32::from_le_bytes(bytes)) & mask) as u32).to_le_bytes();
        Self { encoding, reason, len, bytes, start: range.start }
    }

    /// Creates the error of text that does not fit into memory. `position` is the number of bytes read.
    #[cfg(feature = "alloc")]
    #[cold]
    pub(crate) fn out_of_memory(encoding: Encoding, position: u64) -> Self {
        Self::new(encoding, position..position, [0; 4], DecodeReason::OutOfMemory)
    }

    /// Returns the encoding in use: the requested one, or that of the byte order mark.
    ///
    /// ```
    /// use textcodec::{UTF_8, WINDOWS_1252};
    ///
    /// let error = WINDOWS_1252.decode_strict(b"\xEF\xBB\xBF\xFF").unwrap_err();
    /// assert_eq!(error.encoding(), UTF_8);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns the offsets of the malformed bytes, counted from the start of the whole input, including a byte order mark.
    ///
    /// The byte at the end of the range is decoded next. The range has one to four bytes. It is empty at 0 for
    /// [`DecodeReason::Unavailable`], and empty for [`DecodeReason::OutOfMemory`], at the number of bytes that were read.
    ///
    /// ```
    /// let error = textcodec::UTF_8.decode_strict(b"\xEF\xBB\xBFab\xE2\x82!").unwrap_err();
    /// assert_eq!(error.range(), 5..7);
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + u64::from(self.len)
    }

    /// Returns the malformed bytes, those at [`range`](Self::range).
    ///
    /// ```
    /// let error = textcodec::UTF_8.decode_strict(b"ab\xE2\x82!").unwrap_err();
    /// assert_eq!(error.bytes(), b"\xE2\x82");
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }

    /// Returns why the bytes are malformed.
    ///
    /// ```
    /// use textcodec::{DecodeReason, ISO_2022_JP};
    ///
    /// let error = ISO_2022_JP.decode_strict(b"\x1B.A").unwrap_err();
    /// assert_eq!(error.reason(), DecodeReason::UnknownEscape);
    /// ```
    #[must_use]
    pub fn reason(&self) -> DecodeReason {
        self.reason
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "`range` and `bytes` have them")]
impl fmt::Debug for DecodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeError")
            .field("encoding", &self.encoding)
            .field("reason", &self.reason)
            .field("range", &self.range())
            .field("bytes", &format_args!("{:02X?}", self.bytes()))
            .finish()
    }
}

impl fmt::Display for DecodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason == DecodeReason::Unavailable {
            let feature = self.encoding.feature().unwrap_or_default();
            return write!(f, "this build cannot decode {}: enable feature `{feature}` of textcodec", self.encoding);
        }
        if self.reason == DecodeReason::OutOfMemory {
            let Self { encoding, start, .. } = self;
            return write!(
                f,
                "out of memory for the text of {encoding} from byte {start} on; decode it in smaller chunks"
            );
        }
        write!(f, "malformed {} at byte {} (", self.encoding, self.start)?;
        for (n, byte) in self.bytes().iter().enumerate() {
            write!(f, "{}{byte:02X}", if n == 0 { "" } else { " " })?;
        }
        write!(f, "): {}", self.reason)
    }
}

impl Error for DecodeError {}

/// Why text cannot be encoded.
///
/// ```
/// use textcodec::{EncodeReason, REPLACEMENT, Unmappable, WINDOWS_1252};
///
/// assert_eq!(WINDOWS_1252.encode("字").unwrap_err().reason(), EncodeReason::Unmappable);
/// let error = WINDOWS_1252.encode_with("a字", Unmappable::Replace('〓')).unwrap_err();
/// assert_eq!((error.reason(), error.range()), (EncodeReason::UnmappableReplacement, 1..4));
/// assert_eq!(REPLACEMENT.encode("a").unwrap_err().reason(), EncodeReason::NoEncoder);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeReason {
    /// The encoding cannot represent a character of the text.
    Unmappable,
    /// UTF-16: an unpaired surrogate, with
    /// [`EncodeOptions::reject_unpaired_surrogates`](crate::EncodeOptions::reject_unpaired_surrogates).
    UnpairedSurrogate,
    /// The encoding cannot represent a character of the text, and not that of [`Unmappable::Replace`](crate::Unmappable::Replace)
    /// either. [`Encoding::can_encode`] tells before.
    UnmappableReplacement,
    /// The encoding is `replacement`, or one that is not an output encoding in [`hooks`](crate::hooks).
    NoEncoder,
    /// This build has no encoder for the encoding, because feature `encoders` or the Cargo feature of its family is disabled.
    /// See [`Encoding::has_encoder`].
    Unavailable,
    /// There is not enough memory for the bytes. All characters may be mappable.
    OutOfMemory,
}

impl fmt::Display for EncodeReason {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unmappable => "the encoding cannot represent this character",
            Self::UnpairedSurrogate => "this surrogate is unpaired",
            Self::UnmappableReplacement => "the encoding can represent neither this character nor the replacement",
            Self::NoEncoder => "the encoding has no encoder",
            Self::Unavailable => "this build has no encoder for the encoding",
            Self::OutOfMemory => "there is not enough memory for the bytes",
        })
    }
}

/// What an offset in text counts.
///
/// ```
/// use textcodec::{KOI8_R, TextUnit};
///
/// let error = KOI8_R.encode_from_utf16(&[0x434, 0x5B57]).unwrap_err();
/// assert_eq!((error.range(), error.unit()), (1..2, TextUnit::Utf16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextUnit {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
    /// Bytes of the input of a [`Transcoder`](crate::Transcoder), in the encoding of that input.
    Input,
}

/// A character that the encoding cannot represent: an error of an encoder in
/// [section 4.1](https://encoding.spec.whatwg.org/#encoders-and-decoders) of the standard.
///
/// Also the error of an unpaired surrogate, if the options reject them, of an encoding without an encoder, and of bytes that do not
/// fit into memory.
///
/// ```
/// use textcodec::{EncodeReason, WINDOWS_1252};
///
/// let error = WINDOWS_1252.encode("a €, not a 字").unwrap_err();
/// assert_eq!((error.range(), error.character(), error.reason()), (13..16, Some('字'), EncodeReason::Unmappable));
/// assert_eq!(error.to_string(), "windows-1252 cannot represent U+5B57 '字' at byte 13 of the UTF-8 text");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EncodeError {
    encoding: Encoding,
    reason: EncodeReason,
    character: Option<char>,
    code_point: Option<char>,
    unit: TextUnit,
    len: u8,
    start: u64,
}

impl EncodeError {
    /// `code_point` is that of the standard's error.
    pub(crate) fn new(
        encoding: Encoding,
        reason: EncodeReason,
        character: char,
        code_point: char,
        range: &Range<u64>,
        unit: TextUnit,
    ) -> Self {
        Self {
            encoding,
            reason,
            character: Some(character),
            code_point: Some(code_point),
            unit,
            len: (range.end - range.start) as u8,
            start: range.start,
        }
    }

    /// Creates the error of bytes that do not fit into memory.
    #[cfg(feature = "alloc")]
    #[cold]
    pub(crate) fn out_of_memory(encoding: Encoding) -> Self {
        Self::without_position(encoding, EncodeReason::OutOfMemory)
    }

    /// Sets the offsets of the character.
    pub(crate) fn place(&mut self, range: Range<u64>, unit: TextUnit) {
        (self.start, self.len, self.unit) = (range.start, (range.end - range.start) as u8, unit);
    }

    /// Creates an error without a position.
    pub(crate) fn without_position(encoding: Encoding, reason: EncodeReason) -> Self {
        Self { encoding, reason, character: None, code_point: None, unit: TextUnit::Utf8, len: 0, start: 0 }
    }

    /// Returns the encoding that cannot represent the character, or has no encoder.
    ///
    /// ```
    /// use textcodec::REPLACEMENT;
    ///
    /// assert_eq!(REPLACEMENT.encode("a").unwrap_err().encoding(), REPLACEMENT);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns why the text cannot be encoded.
    ///
    /// ```
    /// use textcodec::{EncodeReason, KOI8_R};
    ///
    /// assert_eq!(KOI8_R.encode("字").unwrap_err().reason(), EncodeReason::Unmappable);
    /// ```
    #[must_use]
    pub fn reason(&self) -> EncodeReason {
        self.reason
    }

    /// Returns the character that the encoding cannot represent: U+FFFD for an unpaired surrogate. `None` if there is no
    /// encoder, or not enough memory.
    ///
    /// ```
    /// use textcodec::{KOI8_R, REPLACEMENT};
    ///
    /// assert_eq!(KOI8_R.encode("да, 字").unwrap_err().character(), Some('字'));
    /// assert_eq!(REPLACEMENT.encode("字").unwrap_err().character(), None);
    /// ```
    #[must_use]
    pub fn character(&self) -> Option<char> {
        self.character
    }

    /// Returns the code point of the standard's error. It is [`character`](Self::character), except for U+000E, U+000F and
    /// U+001B in ISO-2022-JP and ISO-2022-KR: there it is U+FFFD, to prevent the injection of escape sequences.
    ///
    /// ```
    /// let error = textcodec::ISO_2022_JP.encode("\u{1B}").unwrap_err();
    /// assert_eq!((error.character(), error.code_point()), (Some('\u{1B}'), Some('\u{FFFD}')));
    /// ```
    #[must_use]
    pub fn code_point(&self) -> Option<char> {
        self.code_point
    }

    /// Returns the offsets of the character, counted from the start of the whole text in [`unit`](Self::unit)s: bytes of UTF-8,
    /// code units of UTF-16, or bytes of a transcoder's input. The range is empty for [`EncodeReason::NoEncoder`],
    /// [`EncodeReason::Unavailable`] and [`EncodeReason::OutOfMemory`].
    ///
    /// ```
    /// use textcodec::KOI8_R;
    ///
    /// assert_eq!(KOI8_R.encode("да字").unwrap_err().range(), 4..7);
    /// let units: Vec<u16> = "да字".encode_utf16().collect();
    /// assert_eq!(KOI8_R.encode_from_utf16(&units).unwrap_err().range(), 2..3);
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + u64::from(self.len)
    }

    /// Returns what the offsets of [`range`](Self::range) count.
    ///
    /// ```
    /// use textcodec::{KOI8_R, TextUnit};
    ///
    /// assert_eq!(KOI8_R.encode("字").unwrap_err().unit(), TextUnit::Utf8);
    /// ```
    #[must_use]
    pub fn unit(&self) -> TextUnit {
        self.unit
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "`range` has them")]
impl fmt::Debug for EncodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("EncodeError");
        debug.field("encoding", &self.encoding).field("reason", &self.reason);
        if let Some(character) = self.character {
            debug.field("character", &character);
        }
        if self.len > 0 {
            debug.field("range", &self.range()).field("unit", &self.unit);
        }
        debug.finish()
    }
}

impl fmt::Display for EncodeError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { encoding, start, .. } = self;
        let character = self.character.unwrap_or_default();
        match self.reason {
            EncodeReason::Unmappable | EncodeReason::UnmappableReplacement => {
                write!(f, "{encoding} cannot represent U+{:04X} {character:?} at ", u32::from(character))?;
                match self.unit {
                    TextUnit::Utf8 => write!(f, "byte {start} of the UTF-8 text"),
                    TextUnit::Utf16 => write!(f, "code unit {start} of the UTF-16 text"),
                    TextUnit::Input => write!(f, "byte {start} of the input"),
                }?;
                f.write_str(if self.reason == EncodeReason::Unmappable { "" } else { ", nor the replacement" })
            }
            EncodeReason::UnpairedSurrogate => write!(f, "unpaired surrogate at code unit {start} of the UTF-16 text"),
            EncodeReason::NoEncoder => write!(f, "{encoding} has no encoder"),
            EncodeReason::OutOfMemory => {
                write!(f, "out of memory for the text in {encoding}; encode it in smaller chunks")
            }
            EncodeReason::Unavailable => {
                write!(f, "this build cannot encode {encoding}: enable ")?;
                match encoding.feature().filter(|_| !encoding.is_available()) {
                    Some(feature) => write!(f, "features `encoders` and `{feature}` of textcodec"),
                    None => f.write_str("feature `encoders` of textcodec"),
                }
            }
        }
    }
}

impl Error for EncodeError {}

/// The number of errors at which a conversion did not stop, and the first of them.
///
/// ```
/// let decoded = textcodec::UTF_8.decode(b"a\xFFb\xFF");
/// assert_eq!(decoded.errors.count(), 2);
/// assert_eq!(decoded.errors.first().map(|error| error.range()), Some(1..2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ErrorTally<E> {
    count: u64,
    first: Option<E>,
}

impl<E> Default for ErrorTally<E> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<E> ErrorTally<E> {
    pub(crate) const EMPTY: Self = Self { count: 0, first: None };

    pub(crate) fn add(&mut self, error: E) {
        self.count += 1;
        self.first.get_or_insert(error);
    }

    pub(crate) fn first_mut(&mut self) -> Option<&mut E> {
        self.first.as_mut()
    }

    /// Counts errors after the first one.
    pub(crate) fn count_more(&mut self, errors: u64) {
        self.count += errors;
    }

    /// Returns the number of errors.
    ///
    /// ```
    /// // One for each malformed sequence, of any length.
    /// assert_eq!(textcodec::UTF_8.decode(b"\xE2\x82 \xFF").errors.count(), 2);
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the first error.
    ///
    /// ```
    /// let decoded = textcodec::UTF_8.decode(b"a\xFFb\xE2\x82");
    /// assert_eq!(decoded.errors.first().map(|error| error.bytes()), Some(&b"\xFF"[..]));
    /// ```
    #[must_use]
    pub fn first(&self) -> Option<&E> {
        self.first.as_ref()
    }

    /// Returns whether there were no errors.
    ///
    /// ```
    /// assert!(textcodec::BIG5.decode(b"\xA4\xA4").errors.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
