//! CESU-8 of Unicode Technical Report #26: UTF-8, but a character beyond U+FFFF is a surrogate pair, each half in three bytes.
//!
//! So sequences of four bytes are malformed, one error for each byte, as are other bytes that cannot start a character. An
//! unpaired surrogate is one malformed sequence of three bytes. A truncated sequence is one error, and the byte that interrupts it,
//! ASCII or not, is decoded again.

use core::mem::take;

use super::{Bytes, EncodeHandler, EncodeStep, Handler, Replay, Step, in_runs};
use crate::{
    codec::{sink::Unit, surrogate_pair},
    conversion::DecodeReason,
    kernel::{Kernels, Out},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder {
    /// The bytes of a code unit that is not complete.
    bytes: [u8; 2],
    len: u8,
    /// The first half of a pair.
    high: Option<u16>,
}

impl Decoder {
    /// The error for the first half of a pair. The bytes after it are decoded again.
    fn unpaired(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        if let Some(byte) = byte {
            queue.restore(&[byte]);
        }
        queue.restore(&self.bytes[..self.len.into()]);
        *self = Self::default();
        Step::Error(DecodeReason::UnpairedSurrogate)
    }

    /// Converts a prefix of `src`: all but pairs as UTF-8.
    pub(super) fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let run = |src: &[u8], out: &mut Out<'_, U>| {
            // Without the sequences of four bytes, which are malformed here. Few bytes, because the caller may stop at each.
            let block = &src[..src.len().min(BLOCK)];
            let has_four = block.iter().fold(0, |max, &byte| max.max(byte)) >= 0xF0;
            let len = if has_four { block.iter().take_while(|&&byte| byte < 0xF0).count() } else { block.len() };
            U::utf_8(kernels)(&block[..len], out)
        };
        if cfg!(textcodec_small) {
            return run(src, out);
        }
        in_runs(self, src, out, |_, src, out| run(src, out))
    }
}

/// The most bytes that are searched at a time.
const BLOCK: usize = 512;

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let first = self.bytes[0];
        let continues = byte.is_some_and(|byte| match (self.len, first) {
            // The second half of a pair, or any other unit.
            (0, _) => self.high.is_none() || byte == 0xED,
            (1, 0xE0) => matches!(byte, 0xA0..=0xBF),
            (1, 0xED) if self.high.is_some() => matches!(byte, 0xB0..=0xBF),
            _ => matches!(byte, 0x80..=0xBF),
        });
        if !continues && self.high.is_some() {
            return self.unpaired(byte, queue);
        }
        let Some(byte) = byte else {
            return match take(&mut self.len) {
                0 => Step::Finished,
                _ => Step::Error(DecodeReason::Incomplete),
            };
        };
        if !continues {
            queue.restore(&[byte]);
            *self = Self::default();
            return Step::Error(DecodeReason::Interrupted);
        }
        match (self.len, first) {
            (0, _) => match byte {
                0x00..=0x7F => return Step::Emit(byte.into()),
                0xC2..=0xEF => {}
                _ => return Step::Error(DecodeReason::InvalidByte),
            },
            (1, 0xC2..=0xDF) => {
                *self = Self::default();
                return Step::scalar_value(u32::from(first & 0x1F) << 6 | u32::from(byte & 0x3F));
            }
            (1, _) => {}
            _ => {
                let unit = u16::from(first & 0xF) << 12 | u16::from(self.bytes[1] & 0x3F) << 6 | u16::from(byte & 0x3F);
                return match (take(self).high, unit) {
                    (Some(high), _) => match surrogate_pair(&[high, unit]) {
                        Some(character) => Step::Emit(character),
                        None => Step::Error(DecodeReason::UnpairedSurrogate),
                    },
                    (None, 0xD800..=0xDBFF) => {
                        self.high = Some(unit);
                        Step::Continue
                    }
                    (None, 0xDC00..=0xDFFF) => Step::Error(DecodeReason::UnpairedSurrogate),
                    (None, _) => Step::scalar_value(unit.into()),
                };
            }
        }
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
        Step::Continue
    }

    fn is_neutral(&self) -> bool {
        self.len == 0 && self.high.is_none()
    }

    fn select(&mut self, _: u8) {
        *self = Self::default();
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder {
    /// Whether the first half of a pair is written, and the second is not.
    is_half: bool,
}

impl EncodeHandler for Encoder {
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else { return EncodeStep::Finished };
        if character.len_utf8() < 4 {
            return bytes(character).emit();
        }
        let mut units = [0; 2];
        character.encode_utf16(&mut units);
        let unit = units[usize::from(self.is_half)];
        self.is_half = !self.is_half;
        if self.is_half {
            *queue = Some(character);
        }
        EncodeStep::emit(half(unit))
    }

    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        Some(bytes(character))
    }
}

/// The bytes of a character.
#[inline(always)]
fn bytes(character: char) -> Bytes {
    let mut units = [0; 2];
    if let [high, low] = *character.encode_utf16(&mut units) {
        let mut bytes = Bytes::new(half(high), 3);
        bytes.append(Bytes::new(half(low), 3));
        return bytes;
    }
    let code_point = u32::from(character);
    let byte = |mark: u32, shift: u32| (mark | code_point >> shift & 0x3F) as u8;
    match code_point {
        0..0x80 => Bytes::new([code_point as u8], 1),
        0x80..0x800 => Bytes::new([byte(0xC0, 6), byte(0x80, 0)], 2),
        _ => Bytes::new([byte(0xE0, 12), byte(0x80, 6), byte(0x80, 0)], 3),
    }
}

/// The bytes of a surrogate.
fn half(unit: u16) -> [u8; 3] {
    [0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
}
