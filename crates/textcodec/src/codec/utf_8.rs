//! UTF-8, section 8.1.

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
};
use crate::{
    conversion::DecodeReason,
    kernel::{Kernels, Out},
};

/// <https://encoding.spec.whatwg.org/#utf-8-decoder>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    code_point: u32,
    bytes_seen: u8,
    bytes_needed: u8,
    lower_boundary: u8,
    upper_boundary: u8,
}

impl Decoder {
    /// The initial state.
    pub(crate) const START: Self =
        Self { code_point: 0, bytes_seen: 0, bytes_needed: 0, lower_boundary: 0x80, upper_boundary: 0xBF };
}

impl Decode for Decoder {
    /// Umlauts are rare in German, and the kernel is much faster than items: cells `decode/utf-8/*/de+1-per-KiB/*`.
    const COSTS: Costs = Costs::new(16, Useful::AllUnlessAscii);

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let Some(byte) = byte else {
            if self.bytes_needed != 0 {
                *self = Self::START;
                return Step::Error(DecodeReason::Incomplete); // 1.
            }
            return Step::Finished; // 2.
        };
        if self.bytes_needed == 0 {
            // 3.
            match byte {
                0x00..=0x7F => return Step::Emit(byte.into()),
                0xC2..=0xDF => {
                    self.bytes_needed = 1;
                    self.code_point = (byte & 0x1F).into();
                }
                0xE0..=0xEF => {
                    match byte {
                        0xE0 => self.lower_boundary = 0xA0,
                        0xED => self.upper_boundary = 0x9F,
                        _ => {}
                    }
                    self.bytes_needed = 2;
                    self.code_point = (byte & 0xF).into();
                }
                0xF0..=0xF4 => {
                    match byte {
                        0xF0 => self.lower_boundary = 0x90,
                        0xF4 => self.upper_boundary = 0x8F,
                        _ => {}
                    }
                    self.bytes_needed = 3;
                    self.code_point = (byte & 0x7).into();
                }
                _ => return Step::Error(DecodeReason::InvalidByte),
            }
            return Step::Continue;
        }
        if !(self.lower_boundary..=self.upper_boundary).contains(&byte) {
            *self = Self::START; // 4.1.
            queue.restore(&[byte]); // 4.2.
            return Step::Error(DecodeReason::Interrupted); // 4.3.
        }
        self.lower_boundary = 0x80; // 5.
        self.upper_boundary = 0xBF;
        self.code_point = self.code_point << 6 | u32::from(byte & 0x3F); // 6.
        self.bytes_seen += 1; // 7.
        if self.bytes_seen != self.bytes_needed {
            return Step::Continue; // 8.
        }
        let code_point = self.code_point; // 9.
        *self = Self::START; // 10.
        Step::scalar_value(code_point) // 11.
    }

    fn is_neutral(&self) -> bool {
        self.bytes_needed == 0
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| {
            let Some(&first) = rest.first() else { return 0 };
            let (needed, second) = match first {
                0x00..=0x7F => return items.ascii(rest),
                0xC2..=0xDF => (1, 0x80..=0xBF),
                0xE0 => (2, 0xA0..=0xBF),
                0xED => (2, 0x80..=0x9F),
                0xE1..=0xEF => (2, 0x80..=0xBF),
                0xF0 => (3, 0x90..=0xBF),
                0xF1..=0xF3 => (3, 0x80..=0xBF),
                0xF4 => (3, 0x80..=0x8F),
                _ => return items.error(1, DecodeReason::InvalidByte),
            };
            let mut code_point = u32::from(first) & (0x3F >> needed);
            for at in 1..=needed {
                let expected = if at == 1 { second.clone() } else { 0x80..=0xBF };
                match rest.get(at) {
                    None => return 0,
                    Some(byte) if !expected.contains(byte) => return items.error(at, DecodeReason::Interrupted),
                    Some(byte) => code_point = code_point << 6 | u32::from(byte & 0x3F),
                }
            }
            char::from_u32(code_point).map_or(0, |code_point| items.character(code_point, needed + 1))
        })
    }

    fn is_malformed(&self, byte: u8) -> bool {
        matches!(byte, 0x80..=0xC1 | 0xF5..)
    }

    fn malformed_len(&self, src: &[u8]) -> Option<usize> {
        if self.is_malformed(*src.first()?) {
            return Some(1);
        }
        let error = str::from_utf8(&src[..src.len().min(4)]).err()?;
        if error.valid_up_to() == 0 { error.error_len() } else { None }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.utf8_to_utf16)(src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf8_copy)(src, out)
    }
}

/// <https://encoding.spec.whatwg.org/#utf-8-encoder>
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(64, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item.map(u32::from) else { return EncodeStep::Finished }; // 1.
        let tail = |shift: u32| 0x80 | (code_point >> shift) as u8 & 0x3F; // 5.
        match code_point {
            0..=0x7F => EncodeStep::emit([code_point as u8]), // 2.
            0x80..=0x7FF => EncodeStep::emit([0xC0 + (code_point >> 6) as u8, tail(0)]), // 3-6.
            0x800..=0xFFFF => EncodeStep::emit([0xE0 + (code_point >> 12) as u8, tail(6), tail(0)]),
            _ => EncodeStep::emit([0xF0 + (code_point >> 18) as u8, tail(12), tail(6), tail(0)]),
        }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        kernels.units_to_utf8(src, out)
    }

    fn bulk_utf8(&mut self, _: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        let mut read = src.len().min(out.spare_len());
        while !src.is_char_boundary(read) {
            read -= 1;
        }
        out.extend(&src.as_bytes()[..read]);
        read
    }
}
