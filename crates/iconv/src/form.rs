//! [`Form`]: what a name of iconv means.

use textcodec::{EncodeError, EncodeReason, Encoding, ISO_2022_JP, Status, US_ASCII, UTF_16BE, UTF_16LE, oem};

/// The order of the bytes in a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The least significant byte first.
    Little,
    /// The most significant byte first.
    Big,
}

impl Order {
    /// The order of this machine.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };

    pub(crate) fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    pub(crate) fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    pub(crate) fn bytes_of_u16(self, unit: u16) -> [u8; 2] {
        match self {
            Self::Little => unit.to_le_bytes(),
            Self::Big => unit.to_be_bytes(),
        }
    }

    pub(crate) fn bytes_of_u32(self, code_point: u32) -> [u8; 4] {
        match self {
            Self::Little => code_point.to_le_bytes(),
            Self::Big => code_point.to_be_bytes(),
        }
    }

    /// The order of an encoding of UTF-16.
    pub(crate) fn of_utf16(encoding: Encoding) -> Self {
        if encoding == UTF_16BE { Self::Big } else { Self::Little }
    }

    /// The encoding of UTF-16 in this order.
    pub(crate) fn utf16(self) -> Encoding {
        match self {
            Self::Little => UTF_16LE,
            Self::Big => UTF_16BE,
        }
    }
}

/// How text is represented as bytes: an encoding of the library, or a form of Unicode that only iconv has.
///
/// ```
/// use textcodec::SHIFT_JIS;
/// use textcodec_iconv::{Form, Order};
///
/// assert_eq!(Form::for_name("CP932"), Some(Form::Encoding(SHIFT_JIS)));
/// assert_eq!(Form::for_name("UCS-4BE"), Some(Form::Utf32(Order::Big)));
/// assert_eq!(Form::for_name("no-such-name"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// An encoding. A byte order mark in it is text.
    Encoding(Encoding),
    /// UTF-16 with a byte order mark. Without one, input is in the order of the machine. Output is in that order, too.
    MarkedUtf16,
    /// UTF-32 with a byte order mark, otherwise like [`MarkedUtf16`](Self::MarkedUtf16).
    MarkedUtf32,
    /// UTF-32 in one order. A byte order mark is text. Numbers that are not scalar values are malformed.
    Utf32(Order),
    /// UTF-16 without surrogates, so without characters beyond U+FFFF. A byte order mark is text.
    Ucs2(Order),
    /// UTF-7 of RFC 2152.
    Utf7,
    /// The form of UTF-7 for names of mailboxes, RFC 3501, section 5.1.3.
    Utf7Imap,
}

impl Form {
    /// Returns whether the form can represent a character.
    ///
    /// Some characters are represented although [`Encoding::can_encode`] says no: those that only the decoder of the encoding
    /// has, and those that are written in [another form](crate::other_form()).
    ///
    /// ```
    /// use textcodec_iconv::{Form, Order};
    ///
    /// assert!(!Form::Ucs2(Order::Little).has('😀'));
    /// // A character of JIS X 0212, which the encoder of the standard does not write.
    /// assert!(Form::Encoding(textcodec::EUC_JP).has('丂'));
    /// ```
    #[must_use]
    pub fn has(self, character: char) -> bool {
        match self {
            Self::Encoding(encoding) => {
                encoding.can_encode(character)
                    || crate::write_back(encoding, character).is_some()
                    || crate::other_form(encoding, character).is_some()
            }
            Self::MarkedUtf16 | Self::MarkedUtf32 | Self::Utf32(_) | Self::Utf7 | Self::Utf7Imap => true,
            Self::Ucs2(_) => u32::from(character) <= 0xFFFF,
        }
    }

    /// Derives the tables of a code page, which takes about 4 KB of memory for ever. Returns whether there is enough memory.
    ///
    /// Other forms need no memory. After this call, conversions from and to this form do not allocate.
    ///
    /// ```
    /// use textcodec_iconv::Form;
    ///
    /// let form = Form::for_name("CP437").unwrap();
    /// assert!(form.prepare());
    /// ```
    #[must_use = "a conversion without enough memory ends the program"]
    pub fn prepare(self) -> bool {
        let Self::Encoding(encoding) = self else { return true };
        // Programs open a descriptor for each string, so this must cost little. Code pages come after the other encodings.
        if encoding <= US_ASCII {
            return true;
        }
        // Without a table, even an empty call fails.
        let decoded = encoding.decoder().decode_to_utf16(b"", &mut [0; 0], false);
        let encoded = encoding.encoder().encode_from_utf8("", &mut [0; 0], false);
        let is_missing = |error: &EncodeError| error.reason() == EncodeReason::OutOfMemory;
        !matches!(decoded.status, Status::Error(_)) && !matches!(&encoded.status, Status::Error(e) if is_missing(e))
    }

    /// Returns the minimum number of bytes of a character.
    pub(crate) fn min_character_len(self) -> usize {
        match self {
            Self::MarkedUtf32 | Self::Utf32(_) => 4,
            Self::Encoding(UTF_16BE | UTF_16LE) | Self::MarkedUtf16 | Self::Ucs2(_) => 2,
            Self::Encoding(_) | Self::Utf7 | Self::Utf7Imap => 1,
        }
    }

    /// Returns whether text starts with a byte order mark.
    pub(crate) fn has_mark(self) -> bool {
        matches!(self, Self::MarkedUtf16 | Self::MarkedUtf32)
    }
}

/// Returns whether escape sequences or shifts select the meaning of the bytes after them.
pub(crate) fn has_shifts(encoding: Encoding) -> bool {
    matches!(encoding, ISO_2022_JP | oem::TRUE_ISO_2022_KR | oem::TRUE_HZ)
}
