//! UTF-7: RFC 2152.
//!
//! In base64, 16-bit units of UTF-16 are written without padding. Base64 starts with `+` and ends before the first byte that is
//! not one of its digits. If that byte is `-`, it belongs to the base64. `+-` is a plus sign.

/// Reads UTF-7 between two characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reader {
    in_base64: bool,
    /// Whether the last byte was the first of `+-`.
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
    /// Returns whether no character is incomplete. The bits that are left of a digit do not count.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.high.is_none() && self.len < 6 && !self.after_plus
    }

    /// Reads a byte. `next` is the byte after it: `+` needs it.
    ///
    /// Returns `None` if it cannot tell without the next byte.
    pub(crate) fn read(&mut self, byte: u8, next: Option<u8>) -> Option<Read> {
        if !self.in_base64 {
            if self.after_plus {
                self.after_plus = false;
                return Some(Read::Character('+'));
            }
            return match byte {
                b'+' if next? == b'-' => {
                    self.after_plus = true;
                    Some(Read::Nothing)
                }
                b'+' if digit(next?).is_some() => {
                    *self = Self { in_base64: true, ..Self::default() };
                    Some(Read::Nothing)
                }
                b'+' => Some(Read::Malformed),
                _ if is_plain(byte) => Some(Read::Character(byte.into())),
                _ => Some(Read::Malformed),
            };
        }
        let Some(digit) = digit(byte) else {
            // The end of base64: fewer than six bits are left, all zero.
            if self.high.is_some() || self.len >= 6 || self.bits != 0 {
                return Some(Read::Malformed);
            }
            if byte == b'-' {
                *self = Self::default();
                return Some(Read::Nothing);
            }
            let mut plain = Self::default();
            let read = plain.read(byte, next)?;
            if read != Read::Malformed {
                *self = plain;
            }
            return Some(read);
        };
        let before = *self;
        self.bits = self.bits << 6 | u32::from(digit);
        self.len += 6;
        if self.len < 16 {
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
        if read == Read::Malformed {
            *self = before;
        }
        Some(read)
    }
}

/// Writes UTF-7.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Writer {
    in_base64: bool,
    /// The bits that are not written yet, right-aligned.
    bits: u32,
    /// The number of these bits: 0, 2 or 4.
    len: u8,
}

/// The maximum number of bytes that are written for a character: `-` or `+`, and six digits for a surrogate pair.
pub(crate) const MAX_LEN: usize = 8;

impl Writer {
    /// Writes a character to the start of `dst`. Returns the number of bytes.
    pub(crate) fn write(&mut self, character: char, dst: &mut [u8; MAX_LEN]) -> usize {
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
            && is_direct(byte)
        {
            if self.in_base64 {
                let after = self.end(digit(byte).is_some() || byte == b'-');
                after.into_iter().flatten().for_each(&mut push);
            }
            push(byte);
            return len;
        }
        if !self.in_base64 {
            push(b'+');
            if character == '+' {
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
                push(DIGITS[(self.bits >> self.len & 63) as usize]);
            }
            self.bits &= (1 << self.len) - 1;
        }
        len
    }

    /// Ends base64. Returns the last digit, if bits are left, and `-`, if it is needed before the next byte.
    pub(crate) fn end(&mut self, needs_hyphen: bool) -> [Option<u8>; 2] {
        let Self { in_base64, bits, len } = core::mem::take(self);
        let last = (len != 0).then(|| DIGITS[(bits << (6 - len) & 63) as usize]);
        [last, (in_base64 && needs_hyphen).then_some(b'-')]
    }

    /// Ends the text, after which the writer is in its initial state.
    pub(crate) fn finish(&mut self) -> [Option<u8>; 2] {
        self.end(true)
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the value of a digit of base64.
fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Returns whether a byte outside of base64 is a character.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~') && !matches!(byte, b'~' | b'\\' | b'+')
}

/// Returns whether a character is written as its byte: those of set D in the RFC, and white space.
fn is_direct(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"\t\n\r '(),-./:?".contains(&byte)
}
