//! UTF-7 of RFC 2152, and UTF-7-IMAP of RFC 3501, as glibc reads and writes them.
//!
//! In base64, 16-bit units of UTF-16 are written without padding. Base64 starts with `+` and ends before the first byte that is
//! not one of its digits. If that byte is `-`, it belongs to the base64. `+-` is a plus sign.
//!
//! UTF-7-IMAP has `&` instead of `+`, and `,` instead of the digit `/`. Base64 must end with `-`, and all characters from U+0020 to U+007E
//! are written directly. The RFC forbids these characters in base64, and base64 directly after other base64. glibc reads both.

/// One of both encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Utf7,
    Imap,
}

impl Variant {
    /// The byte that starts base64.
    fn shift(self) -> u8 {
        match self {
            Self::Utf7 => b'+',
            Self::Imap => b'&',
        }
    }

    /// The digits of base64 by value.
    fn digits(self) -> &'static [u8; 64] {
        match self {
            Self::Utf7 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
            Self::Imap => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,",
        }
    }

    /// Returns the value of a digit of base64.
    fn digit(self, byte: u8) -> Option<u8> {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' if self == Self::Utf7 => 63,
            b',' if self == Self::Imap => 63,
            _ => return None,
        })
    }

    /// Returns whether a byte outside of base64 is a character.
    fn is_plain(self, byte: u8) -> bool {
        match self {
            Self::Utf7 => matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~') && !matches!(byte, b'~' | b'\\' | b'+'),
            Self::Imap => matches!(byte, b' '..=b'~') && byte != b'&',
        }
    }

    /// Returns whether a character is written as its byte. In UTF-7, these are set D of the RFC, and white space.
    fn is_direct(self, byte: u8) -> bool {
        match self {
            Self::Utf7 => byte.is_ascii_alphanumeric() || b"\t\n\r '(),-./:?".contains(&byte),
            Self::Imap => self.is_plain(byte),
        }
    }
}

/// Reads UTF-7 between two characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    variant: Variant,
    in_base64: bool,
    /// Whether the last byte was the first of `+-`, or of `&-`.
    after_plus: bool,
    /// Bits of the next unit, right-aligned.
    bits: u32,
    /// The number of these bits, less than 16.
    len: u8,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

/// What one byte of UTF-7 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// The byte completes no character.
    Nothing,
    Character(char),
    /// The byte, or the character that it completes, is malformed.
    Malformed,
}

impl Reader {
    pub(crate) fn new(variant: Variant) -> Self {
        Self { variant, in_base64: false, after_plus: false, bits: 0, len: 0, high: None }
    }

    /// Returns whether no character is incomplete. The bits that are left of a digit do not count.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.high.is_none() && self.len < 6 && !self.after_plus
    }

    /// Reads a byte. `next` is the byte after it: `+` and `&` need it.
    ///
    /// Returns `None` if it cannot tell without the next byte. After a malformed byte, the reader is where glibc continues if it
    /// skips that byte: after base64, or after an unpaired second half of a pair.
    pub(crate) fn read(&mut self, byte: u8, next: Option<u8>) -> Option<Read> {
        let variant = self.variant;
        if !self.in_base64 {
            if self.after_plus {
                self.after_plus = false;
                return Some(Read::Character(variant.shift().into()));
            }
            if byte != variant.shift() {
                let is_plain = variant.is_plain(byte);
                return Some(if is_plain { Read::Character(byte.into()) } else { Read::Malformed });
            }
            let next = next?;
            self.after_plus = next == b'-';
            self.in_base64 = variant.digit(next).is_some();
            return Some(if self.after_plus || self.in_base64 { Read::Nothing } else { Read::Malformed });
        }
        let Some(digit) = variant.digit(byte) else {
            // The end of base64: fewer than six bits are left, all zero.
            let is_end = byte == b'-' || variant == Variant::Utf7;
            let is_malformed = self.high.is_some() || self.len >= 6 || self.bits != 0 || !is_end;
            *self = Self::new(variant);
            return match byte {
                _ if is_malformed => Some(Read::Malformed),
                b'-' => Some(Read::Nothing),
                _ => self.read(byte, next),
            };
        };
        self.bits = self.bits << 6 | u32::from(digit);
        self.len += 6;
        if self.len < 16 {
            // The first bits of the second half of a pair, which glibc examines as soon as it has them.
            let is_low = self.len < 6 || self.bits >> (self.len - 6) == 0xDC00 >> 10;
            if self.high.is_some() && !is_low {
                *self = Self::new(variant);
                return Some(Read::Malformed);
            }
            return Some(Read::Nothing);
        }
        self.len -= 16;
        let unit = (self.bits >> self.len) as u16;
        self.bits &= (1 << self.len) - 1;
        let read = match (self.high.take(), unit) {
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(unit);
                Read::Nothing
            }
            (Some(high), 0xDC00..=0xDFFF) => {
                let code_point = 0x1_0000 + ((u32::from(high) - 0xD800) << 10 | (u32::from(unit) - 0xDC00));
                char::from_u32(code_point).map_or(Read::Malformed, Read::Character)
            }
            (None, _) => char::from_u32(unit.into()).map_or(Read::Malformed, Read::Character),
            (Some(_), _) => Read::Malformed,
        };
        Some(read)
    }
}

/// Writes UTF-7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writer {
    variant: Variant,
    in_base64: bool,
    /// The bits that are not written yet, right-aligned.
    bits: u32,
    /// The number of these bits: 0, 2 or 4.
    len: u8,
}

/// The maximum number of bytes that are written for a character: `-` or `+`, and six digits for a surrogate pair.
pub(crate) const MAX_LEN: usize = 8;

impl Writer {
    pub(crate) fn new(variant: Variant) -> Self {
        Self { variant, in_base64: false, bits: 0, len: 0 }
    }

    /// Writes a character to the start of `dst`. Returns the number of bytes.
    pub(crate) fn write(&mut self, character: char, dst: &mut [u8; MAX_LEN]) -> usize {
        let variant = self.variant;
        let mut bytes = dst.iter_mut();
        let mut len = 0;
        let mut push = |byte: u8| {
            if let Some(place) = bytes.next() {
                *place = byte;
                len += 1;
            }
        };
        let code_point = u32::from(character);
        if let Ok(byte) = u8::try_from(code_point)
            && (variant.is_direct(byte) || byte == b'&' && variant == Variant::Imap)
        {
            if self.in_base64 {
                let needs_hyphen = variant == Variant::Imap || variant.digit(byte).is_some() || byte == b'-';
                self.end(needs_hyphen).into_iter().flatten().for_each(&mut push);
            }
            push(byte);
            if !variant.is_direct(byte) {
                push(b'-');
            }
            return len;
        }
        if !self.in_base64 {
            push(variant.shift());
            if character == '+' && variant == Variant::Utf7 {
                push(b'-');
                return len;
            }
            self.in_base64 = true;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            self.bits = self.bits << 16 | u32::from(*unit);
            self.len += 16;
            while self.len >= 6 {
                self.len -= 6;
                push(variant.digits()[(self.bits >> self.len & 63) as usize]);
            }
            self.bits &= (1 << self.len) - 1;
        }
        len
    }

    /// Ends base64. Returns the last digit, if bits are left, and `-`, if it is needed before the next byte.
    pub(crate) fn end(&mut self, needs_hyphen: bool) -> [Option<u8>; 2] {
        let Self { variant, in_base64, bits, len } = core::mem::replace(self, Self::new(self.variant));
        let last = (len != 0).then(|| variant.digits()[(bits << (6 - len) & 63) as usize]);
        [last, (in_base64 && needs_hyphen).then_some(b'-')]
    }

    /// Ends the text, after which the writer is in its initial state.
    pub(crate) fn finish(&mut self) -> [Option<u8>; 2] {
        self.end(true)
    }
}
