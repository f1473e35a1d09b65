//! What can go wrong, and where: positions are absolute, counted from the start of the whole input.

use core::{error::Error, fmt, ops::Range};

use crate::Encoding;

/// Why a byte sequence is malformed: what the decoder was in the middle of.
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
    /// A byte that neither is a character nor begins one.
    InvalidByte,
    /// A sequence that makes no character with what follows, which is not part of the error and is decoded next.
    Interrupted,
    /// A sequence of full length that stands for no character.
    Unmapped,
    /// The input ends within a sequence.
    Incomplete,
    /// UTF-16: half of a surrogate pair without the other half.
    UnpairedSurrogate,
    /// ISO-2022-JP: an escape byte that begins no known escape sequence.
    UnknownEscape,
    /// ISO-2022-JP: an escape sequence right behind another one.
    EmptyEscape,
    /// The encoding is `replacement`: nothing is decoded, so that old encodings cannot be abused.
    Replacement,
    /// This build cannot decode the encoding at all, because the Cargo feature of its family is off; no byte is read. See
    /// [`Encoding::is_available`].
    Unavailable,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidByte => "no character begins with this byte",
            Self::Interrupted => "the next byte does not continue this sequence",
            Self::Unmapped => "this sequence stands for no character",
            Self::Incomplete => "the input ends within a character",
            Self::UnpairedSurrogate => "a surrogate without its other half",
            Self::UnknownEscape => "no escape sequence that is known",
            Self::EmptyEscape => "an escape sequence right behind another one",
            Self::Replacement => "text in this encoding is not decoded, for security",
            Self::Unavailable => "this build cannot decode this encoding",
        })
    }
}

/// A malformed byte sequence: what [section 4.1](https://encoding.spec.whatwg.org/#encoders-and-decoders) calls an error of
/// a decoder. Or, in a build without the encoding's family, that there is no decoder: [`Reason::Unavailable`].
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
    /// `bytes` are those at the range, which has four at most, and perhaps those behind it.
    pub(crate) fn new(encoding: Encoding, range: Range<u64>, bytes: [u8; 4], reason: Reason) -> Self {
        let len = (range.end - range.start).min(4) as u8;
        let of_range = (1 << (8 * len)) - 1;
        let bytes = ((u64::from(u32::from_le_bytes(bytes)) & of_range) as u32).to_le_bytes();
        Self { encoding, reason, len, bytes, start: range.start }
    }

    /// There is no decoder in this build.
    pub(crate) fn unavailable(encoding: Encoding) -> Self {
        Self::new(encoding, 0..0, [0; 4], Reason::Unavailable)
    }

    /// The encoding in use, which a byte order mark may have chosen.
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

    /// Where the malformed sequence is: from its first byte to before the byte that is decoded next. Bytes from the start of
    /// the input, a byte order mark included. One to four bytes; none for [`Reason::Unavailable`].
    ///
    /// ```
    /// let error = textcodec::UTF_8.decode_strict(b"\xEF\xBB\xBFab\xE2\x82!").unwrap_err();
    /// assert_eq!(error.range(), 5..7);
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.start..self.start + u64::from(self.len)
    }

    /// The bytes at [`range`](Self::range).
    ///
    /// ```
    /// let error = textcodec::UTF_8.decode_strict(b"ab\xE2\x82!").unwrap_err();
    /// assert_eq!(error.bytes(), b"\xE2\x82");
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len.into()]
    }

    /// Why the bytes are malformed.
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
/// assert_eq!(error.to_string(), "windows-1252 cannot represent U+5B57 '字' at 13");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeError {
    /// A character that the encoding cannot represent.
    Unmappable {
        /// The encoding.
        encoding: Encoding,
        /// The character of the text.
        character: char,
        /// The code point that the standard's error carries. It is `character`, except for U+000E, U+000F and U+001B in
        /// ISO-2022-JP, which are reported as U+FFFD so that nobody can smuggle in escape sequences.
        code_point: char,
        /// Where `character` is, counted from the start of the whole text: in bytes where the text is UTF-8, in code units
        /// where it is UTF-16.
        range: Range<u64>,
    },
    /// The encoding has no encoder: `replacement`.
    NoEncoder {
        /// The encoding.
        encoding: Encoding,
    },
    /// This build has no encoder for the encoding, because the Cargo feature of its family, or `encoders`, is off. See
    /// [`Encoding::has_encoder`].
    Unavailable {
        /// The encoding.
        encoding: Encoding,
    },
}

impl EncodeError {
    /// The encoding that cannot represent the character, or has no encoder.
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

    /// The character that the encoding cannot represent. None where there is no encoder.
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

    /// Where the character is, from the start of the whole text: bytes of UTF-8, or code units of UTF-16. None where there
    /// is no encoder.
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
                write!(f, "{character:?} at {}", range.start)
            }
            Self::NoEncoder { encoding } => write!(f, "{encoding} has no encoder"),
            Self::Unavailable { encoding } => write!(f, "this build cannot encode {encoding}"),
        }
    }
}

impl Error for EncodeError {}

/// How many errors were passed over, and the first of them.
///
/// ```
/// let decoded = textcodec::UTF_8.decode(b"a\xFFb\xFF");
/// assert_eq!(decoded.errors.count(), 2);
/// assert_eq!(decoded.errors.first().map(|error| error.range()), Some(1..2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Errors<E> {
    count: u64,
    first: Option<E>,
}

impl<E> Default for Errors<E> {
    fn default() -> Self {
        Self { count: 0, first: None }
    }
}

impl<E> Errors<E> {
    pub(crate) fn add(&mut self, error: E) {
        self.count += 1;
        self.first.get_or_insert(error);
    }

    /// Counts errors that are not the first.
    pub(crate) fn count_more(&mut self, errors: u64) {
        self.count += errors;
    }

    /// How many errors there were.
    ///
    /// ```
    /// // One for each malformed sequence, whatever its length.
    /// assert_eq!(textcodec::UTF_8.decode(b"\xE2\x82 \xFF").errors.count(), 2);
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The first one.
    ///
    /// ```
    /// let decoded = textcodec::UTF_8.decode(b"a\xFFb\xE2\x82");
    /// assert_eq!(decoded.errors.first().map(|error| error.bytes()), Some(&b"\xFF"[..]));
    /// ```
    #[must_use]
    pub fn first(&self) -> Option<&E> {
        self.first.as_ref()
    }

    /// Whether there were none.
    ///
    /// ```
    /// assert!(textcodec::BIG5.decode(b"\xA4\xA4").errors.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
