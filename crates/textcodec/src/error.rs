//! The errors of decoding and encoding. Offsets count from the start of the whole input.

use core::{error::Error, fmt, ops::Range};

use crate::Encoding;

/// Why a byte sequence is malformed.
///
/// ```
/// use textcodec::{EUC_KR, Reason};
///
/// let reason = |bytes: &[u8]| EUC_KR.decode(bytes).errors.first().map(|error| error.reason());
/// assert_eq!(reason(b"\xFF"), Some(Reason::InvalidByte));
/// assert_eq!(reason(b"\xC7 "), Some(Reason::Interrupted));
/// assert_eq!(reason(b"\xC9\xA1"), Some(Reason::Unmapped));
/// assert_eq!(reason(b"\xC7"), Some(Reason::Incomplete));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A byte that cannot start a character.
    InvalidByte,
    /// An incomplete sequence that the next byte does not continue. That byte is not part of the error and is decoded next.
    Interrupted,
    /// A complete sequence that does not map to a character.
    Unmapped,
    /// An incomplete sequence at the end of the input.
    Incomplete,
    /// UTF-16: an unpaired surrogate.
    UnpairedSurrogate,
    /// ISO-2022-JP: an escape byte that does not start a known escape sequence.
    UnknownEscape,
    /// ISO-2022-JP: an escape sequence directly after another one.
    EmptyEscape,
    /// The encoding is `replacement`. It decodes no text, to prevent attacks that abuse legacy encodings.
    Replacement,
    /// This build cannot decode the encoding, because the Cargo feature of its family is disabled. No byte was read. See
    /// [`Encoding::is_available`].
    Unavailable,
}

impl fmt::Display for Reason {
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
        })
    }
}

/// A malformed byte sequence: an error of a decoder in
/// [section 4.1](https://encoding.spec.whatwg.org/#encoders-and-decoders) of the standard.
///
/// Also the error of a build that cannot decode the encoding: [`Reason::Unavailable`].
///
/// ```
/// use textcodec::{Reason, SHIFT_JIS};
///
/// let error = SHIFT_JIS.decode_strict(b"abc \x82\xA0 \x82").unwrap_err();
/// assert_eq!((error.range(), error.bytes(), error.reason()), (7..8, &[0x82][..], Reason::Incomplete));
/// assert_eq!(error.to_string(), "malformed Shift_JIS at byte 7 (82): the input ends within a character");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DecodeError {
    encoding: Encoding,
    reason: Reason,
    len: u8,
    bytes: [u8; 4],
    start: u64,
}

impl DecodeError {
    /// `bytes` starts with the bytes at `range`, which are at most four. The rest of it is ignored.
    pub(crate) fn new(encoding: Encoding, range: Range<u64>, bytes: [u8; 4], reason: Reason) -> Self {
        let len = (range.end - range.start).min(4) as u8;
        let mask = (1 << (8 * len)) - 1;
        let bytes = ((u64::from(u32::from_le_bytes(bytes)) & mask) as u32).to_le_bytes();
        Self { encoding, reason, len, bytes, start: range.start }
    }

    /// Creates the error of a build that cannot decode `encoding`.
    pub(crate) fn unavailable(encoding: Encoding) -> Self {
        Self::new(encoding, 0..0, [0; 4], Reason::Unavailable)
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
    /// The byte at the end of the range is decoded next. The range has one to four bytes. It is empty for
    /// [`Reason::Unavailable`].
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
    /// use textcodec::{ISO_2022_JP, Reason};
    ///
    /// let error = ISO_2022_JP.decode_strict(b"\x1B.A").unwrap_err();
    /// assert_eq!(error.reason(), Reason::UnknownEscape);
    /// ```
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason == Reason::Unavailable {
            return write!(f, "this build cannot decode {}", self.encoding);
        }
        write!(f, "malformed {} at byte {} (", self.encoding, self.start)?;
        for (n, byte) in self.bytes().iter().enumerate() {
            write!(f, "{}{byte:02X}", if n == 0 { "" } else { " " })?;
        }
        write!(f, "): {}", self.reason)
    }
}

impl Error for DecodeError {}

/// Why text could not be encoded.
///
/// ```
/// use textcodec::{EncodeError, WINDOWS_1252};
///
/// let error = WINDOWS_1252.encode("a €, not a 字").unwrap_err();
/// assert_eq!((error.character(), error.range()), (Some('字'), Some(13..16)));
/// assert_eq!(error.to_string(), "windows-1252 cannot represent U+5B57 '字' at offset 13");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeError {
    /// A character that the encoding cannot represent.
    Unmappable {
        /// The encoding.
        encoding: Encoding,
        /// The character in the text.
        character: char,
        /// The code point of the standard's error. It is `character`, except for U+000E, U+000F and U+001B in ISO-2022-JP:
        /// there it is U+FFFD, to prevent the injection of escape sequences.
        code_point: char,
        /// The offsets of `character`, counted from the start of the whole text: in bytes for UTF-8, in code units for UTF-16.
        range: Range<u64>,
    },
    /// The encoding is `replacement`, which has no encoder.
    NoEncoder {
        /// The encoding.
        encoding: Encoding,
    },
    /// This build has no encoder for the encoding, because feature `encoders` or the Cargo feature of its family is disabled.
    /// See [`Encoding::has_encoder`].
    Unavailable {
        /// The encoding.
        encoding: Encoding,
    },
}

impl EncodeError {
    /// Returns the encoding that cannot represent the character, or has no encoder.
    ///
    /// ```
    /// use textcodec::REPLACEMENT;
    ///
    /// assert_eq!(REPLACEMENT.encode("a").unwrap_err().encoding(), REPLACEMENT);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        match self {
            Self::Unmappable { encoding, .. } | Self::NoEncoder { encoding } | Self::Unavailable { encoding } => {
                *encoding
            }
        }
    }

    /// Returns the character that the encoding cannot represent. `None` if there is no encoder.
    ///
    /// ```
    /// use textcodec::{KOI8_R, REPLACEMENT};
    ///
    /// assert_eq!(KOI8_R.encode("да, 字").unwrap_err().character(), Some('字'));
    /// assert_eq!(REPLACEMENT.encode("字").unwrap_err().character(), None);
    /// ```
    #[must_use]
    pub fn character(&self) -> Option<char> {
        match self {
            Self::Unmappable { character, .. } => Some(*character),
            Self::NoEncoder { .. } | Self::Unavailable { .. } => None,
        }
    }

    /// Returns the offsets of the character, counted from the start of the whole text: in bytes for UTF-8, in code units for
    /// UTF-16. `None` if there is no encoder.
    ///
    /// ```
    /// use textcodec::{KOI8_R, Unmappable};
    ///
    /// assert_eq!(KOI8_R.encode("да字").unwrap_err().range(), Some(4..7));
    /// let units: Vec<u16> = "да字".encode_utf16().collect();
    /// assert_eq!(KOI8_R.encode_utf16(&units, Unmappable::Fail).unwrap_err().range(), Some(2..3));
    /// ```
    #[must_use]
    pub fn range(&self) -> Option<Range<u64>> {
        match self {
            Self::Unmappable { range, .. } => Some(range.clone()),
            Self::NoEncoder { .. } | Self::Unavailable { .. } => None,
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unmappable { encoding, character, range, .. } => {
                write!(f, "{encoding} cannot represent U+{:04X} ", u32::from(*character))?;
                write!(f, "{character:?} at offset {}", range.start)
            }
            Self::NoEncoder { encoding } => write!(f, "{encoding} has no encoder"),
            Self::Unavailable { encoding } => write!(f, "this build cannot encode {encoding}"),
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
        Self { count: 0, first: None }
    }
}

impl<E> ErrorTally<E> {
    pub(crate) fn add(&mut self, error: E) {
        self.count += 1;
        self.first.get_or_insert(error);
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
