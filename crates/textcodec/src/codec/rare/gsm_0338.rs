//! GSM 03.38: the default alphabet of 3GPP TS 23.038, one septet in each byte, with the extension table by escape 0x1B.
//!
//! [`pack`] and its neighbours convert between these bytes and packed septets.
//!
//! A byte from 0x80 on is malformed. So is an escape whose next byte is not in the extension table: only the escape, so that the
//! byte is decoded again and is visible, as the specification says of receivers that do not know an extension. The
//! characters that ASCII lacks or has at another place are text of their own here: 0x00 is `@`.

use alloc::vec::Vec;
use core::mem::take;

use super::{Bytes, EncodeHandler, EncodeStep, Handler, Replay, Step, in_runs};
use crate::{codec::sink::Unit, conversion::DecodeReason, kernel::Out};

const ESCAPE: u8 = 0x1B;

/// The default alphabet: 0x00 to 0x1F, and the others that are not those of ASCII. 0x1B is the escape.
const CONTROLS: [char; 32] = [
    '@', '£', '$', '¥', 'è', 'é', 'ù', 'ì', 'ò', 'Ç', '\n', 'Ø', 'ø', '\r', 'Å', 'å', 'Δ', '_', 'Φ', 'Γ', 'Λ', 'Ω',
    'Π', 'Ψ', 'Σ', 'Θ', 'Ξ', '\u{1B}', 'Æ', 'æ', 'ß', 'É',
];
const OTHERS: [(u8, char); 12] = [
    (0x24, '¤'),
    (0x40, '¡'),
    (0x5B, 'Ä'),
    (0x5C, 'Ö'),
    (0x5D, 'Ñ'),
    (0x5E, 'Ü'),
    (0x5F, '§'),
    (0x60, '¿'),
    (0x7B, 'ä'),
    (0x7C, 'ö'),
    (0x7D, 'ñ'),
    (0x7E, 'ü'),
];
/// The last character of the default alphabet, 0x7F.
const LAST: char = 'à';
/// The extension table.
const EXTENSION: [(u8, char); 10] = [
    (0x0A, '\u{C}'),
    (0x14, '^'),
    (0x28, '{'),
    (0x29, '}'),
    (0x2F, '\\'),
    (0x3C, '['),
    (0x3D, '~'),
    (0x3E, ']'),
    (0x40, '|'),
    (0x65, '€'),
];

/// The characters of the bytes below 0x80.
const ALPHABET: [char; 128] = {
    let mut alphabet = ['\0'; 128];
    let mut at = 0;
    while at < alphabet.len() {
        alphabet[at] = if at < CONTROLS.len() { CONTROLS[at] } else { at as u8 as char };
        at += 1;
    }
    at = 0;
    while at < OTHERS.len() {
        alphabet[OTHERS[at].0 as usize] = OTHERS[at].1;
        at += 1;
    }
    alphabet[0x7F] = LAST;
    alphabet
};

/// The bytes of the characters below U+0100, or [`NONE`].
const LATIN: [u8; 256] = {
    let mut bytes = [NONE; 256];
    let mut at = 0;
    while at < ALPHABET.len() {
        let character = ALPHABET[at] as usize;
        if character < bytes.len() && at != ESCAPE as usize {
            bytes[character] = at as u8;
        }
        at += 1;
    }
    bytes
};
const NONE: u8 = 0xFF;

/// The byte of a character of the default alphabet.
fn byte(character: char) -> Option<u8> {
    match LATIN.get(character as usize) {
        Some(&byte) => Some(byte).filter(|&byte| byte != NONE),
        None => CONTROLS.iter().position(|&other| other == character).map(|at| at as u8),
    }
}

/// The byte of a character of the extension table.
fn extension(character: char) -> Option<u8> {
    EXTENSION.iter().find(|&&(_, other)| other == character).map(|&(byte, _)| byte)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    is_escaped: bool,
}

impl Decoder {
    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        in_runs(self, src, out, |_, src, out| {
            let is_put = |&&byte: &&u8| byte.is_ascii() && byte != ESCAPE && U::put(ALPHABET[usize::from(byte)], out);
            src.iter().take_while(is_put).count()
        })
    }
}

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let is_escaped = take(&mut self.is_escaped);
        let Some(byte) = byte else {
            return if is_escaped { Step::Error(DecodeReason::Incomplete) } else { Step::Finished };
        };
        if is_escaped {
            if let Some((_, character)) = EXTENSION.iter().find(|(other, _)| *other == byte) {
                return Step::Emit(*character);
            }
            queue.restore(&[byte]);
            return Step::Error(DecodeReason::UnknownEscape);
        }
        match byte {
            ESCAPE => {
                self.is_escaped = true;
                Step::Continue
            }
            0x80.. => Step::Error(DecodeReason::InvalidByte),
            _ => Step::Emit(ALPHABET[usize::from(byte)]),
        }
    }

    fn is_neutral(&self) -> bool {
        !self.is_escaped
    }

    fn select(&mut self, _: u8) {
        self.is_escaped = false;
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder;

impl EncodeHandler for Encoder {
    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        match byte(character) {
            Some(byte) => Some(Bytes::new([byte], 1)),
            None => Some(Bytes::new([ESCAPE, extension(character)?], 2)),
        }
    }

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else { return EncodeStep::Finished };
        if let Some(byte) = byte(character) {
            return EncodeStep::emit([byte]);
        }
        extension(character).map_or(EncodeStep::Error(character), |byte| EncodeStep::emit([ESCAPE, byte]))
    }
}

/// Packs septets into octets, as section 6.1.2.1 of 3GPP TS 23.038 does for short messages: the first septet is in the lowest bits of
/// the first octet. The highest bit of each byte of `septets` is ignored.
///
/// The packed septets start after `fill_bits` bits, which are 0. After a user data header, these are the bits up to the next
/// septet: [`fill_bits`]. The unused bits of the last octet are 0. The number of septets is not part of the octets: a short message
/// has it in its user data length. Without such a number, use [`pack_with_cr`].
///
/// ```
/// use textcodec::oem::{GSM_03_38, gsm};
///
/// let septets = GSM_03_38.encode("hellohello")?;
/// assert_eq!(gsm::pack(&septets, 0), *b"\xE8\x32\x9B\xFD\x46\x97\xD9\xEC\x37");
/// # Ok::<(), textcodec::EncodeError>(())
/// ```
#[must_use]
pub fn pack(septets: &[u8], fill_bits: u8) -> Vec<u8> {
    let mut octets = Vec::with_capacity((septets.len() * 7).div_ceil(8) + 1);
    let (mut bits, mut len) = (0, u32::from(fill_bits % 8));
    for septet in septets {
        bits |= u32::from(septet & 0x7F) << len;
        len += 7;
        while len >= 8 {
            octets.push(bits as u8);
            bits >>= 8;
            len -= 8;
        }
    }
    if len > 0 && !septets.is_empty() {
        octets.push(bits as u8);
    }
    octets
}

/// Unpacks `len` septets, one into each byte, or fewer if the octets end before. Reverses [`pack`] with the same `fill_bits`.
///
/// ```
/// use textcodec::oem::{GSM_03_38, gsm};
///
/// let septets = gsm::unpack(b"\xE8\x32\x9B\xFD\x46\x97\xD9\xEC\x37", 0, 10);
/// assert_eq!(GSM_03_38.decode(&septets).text, "hellohello");
/// ```
#[must_use]
pub fn unpack(octets: &[u8], fill_bits: u8, len: usize) -> Vec<u8> {
    let available = (octets.len() * 8).saturating_sub(usize::from(fill_bits % 8)) / 7;
    (0..len.min(available))
        .map(|septet| {
            let at = usize::from(fill_bits % 8) + 7 * septet;
            let octet = |n: usize| octets.get(at / 8 + n).map_or(0, |&octet| u16::from(octet));
            ((octet(0) | octet(1) << 8) >> (at % 8)) as u8 & 0x7F
        })
        .collect()
}

/// Returns the number of fill bits after a user data header of `header_len` octets, its length octet included: those up to the
/// next multiple of seven bits.
///
/// ```
/// // The header of a concatenated message has six octets, 48 bits.
/// assert_eq!(textcodec::oem::gsm::fill_bits(6), 1);
/// ```
#[must_use]
pub fn fill_bits(header_len: usize) -> u8 {
    ((7 - header_len % 7 * 8 % 7) % 7) as u8
}

/// Packs septets into octets whose number does not tell that of the septets, as section 6.1.2.3 of 3GPP TS 23.038 does for USSD.
///
/// Seven unused bits would be another `@`. So CR, 0x0D, is in their place. If the last septet is CR and ends in the last bit of
/// an octet, another CR follows, because the receiver removes one there.
///
/// ```
/// use textcodec::oem::gsm;
///
/// let packed = gsm::pack_with_cr(b"1234567");
/// assert_eq!(packed, gsm::pack(b"1234567\r", 0));
/// assert_eq!(gsm::unpack_with_cr(&packed), *b"1234567");
/// assert_eq!(gsm::unpack_with_cr(&gsm::pack_with_cr(b"1234567\r")), *b"1234567\r\r");
/// ```
#[must_use]
pub fn pack_with_cr(septets: &[u8]) -> Vec<u8> {
    const CR: u8 = 0x0D;

    let ends_in_cr = septets.last().is_some_and(|septet| septet & 0x7F == CR);
    let mut all = septets.to_vec();
    if septets.len() % 8 == 7 || septets.len().is_multiple_of(8) && ends_in_cr {
        all.push(CR);
    }
    pack(&all, 0)
}

/// Unpacks all septets, one into each byte, without a last CR that ends in the last bit of an octet. Reverses [`pack_with_cr`], except
/// that a CR that was last in the text and in its octet is doubled, which has no effect on a screen.
///
/// ```
/// assert_eq!(textcodec::oem::gsm::unpack_with_cr(b"\x61"), *b"a");
/// ```
#[must_use]
pub fn unpack_with_cr(octets: &[u8]) -> Vec<u8> {
    const CR: u8 = 0x0D;

    let mut septets = unpack(octets, 0, usize::MAX);
    if septets.len().is_multiple_of(8) && septets.last() == Some(&CR) {
        septets.pop();
    }
    septets
}
