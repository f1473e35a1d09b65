//! UTF-32 in both orders and with a mark, and UCS-2 in both orders.
//!
//! UTF-32BE and UTF-32LE have no mark: U+FEFF is text. In UTF-32, a mark at the start decides the order. Without one it is
//! big-endian, by section 3.10 of the Unicode Standard, D101, and as in GNU libiconv; glibc, Python and this project's `iconv` take the order
//! of the machine, on which results of this library must not depend. The encoder writes a big-endian mark, as GNU libiconv does,
//! also for an empty text, as Python does.
//!
//! UCS-2 is UTF-16 in which surrogates are malformed, also in pairs.
//!
//! A malformed sequence is a whole code unit: a surrogate, a number above U+10FFFF, or an incomplete unit at the end of the input. A unit is
//! never split, so its bytes are not decoded again, whether they are those of ASCII or not. UTF-16 does the same.

use core::mem::take;

use super::{Bytes, EncodeHandler, EncodeStep, Handler, Replay, Step};
use crate::{
    codec::sink::Unit,
    conversion::DecodeReason,
    kernel::{Out, tables::ByteOrder},
};

/// The mark in big-endian order.
pub(crate) const MARK: [u8; 4] = [0x00, 0x00, 0xFE, 0xFF];

/// Up to `N` bytes of a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CodeUnit<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> Default for CodeUnit<N> {
    fn default() -> Self {
        Self { bytes: [0; N], len: 0 }
    }
}

impl<const N: usize> CodeUnit<N> {
    /// Adds a byte. Returns the unit in big-endian order if it is complete, and the step for the handler otherwise.
    fn push(&mut self, order: ByteOrder, byte: Option<u8>) -> Result<[u8; N], Step> {
        let Some(byte) = byte else {
            return Err(match take(&mut self.len) {
                0 => Step::Finished,
                _ => Step::Error(DecodeReason::Incomplete),
            });
        };
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
        if usize::from(self.len) < N {
            return Err(Step::Continue);
        }
        let Self { mut bytes, .. } = take(self);
        if order == ByteOrder::Little {
            bytes.reverse();
        }
        Ok(bytes)
    }
}

fn scalar_value(code_point: u32) -> Step {
    match char::from_u32(code_point) {
        Some(character) => Step::Emit(character),
        None if code_point < 0x11_0000 => Step::Error(DecodeReason::UnpairedSurrogate),
        None => Step::Error(DecodeReason::Unmapped),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    unit: CodeUnit<4>,
    /// `None` before the place of a mark.
    order: Option<ByteOrder>,
    has_mark: bool,
}

impl Decoder {
    pub(super) fn new(order: Option<ByteOrder>) -> Self {
        Self { unit: CodeUnit::default(), order, has_mark: order.is_none() }
    }

    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let Some(order) = self.order else { return 0 };
        let character = |bytes| match order {
            ByteOrder::Big => char::from_u32(u32::from_be_bytes(bytes)),
            ByteOrder::Little => char::from_u32(u32::from_le_bytes(bytes)),
        };
        out.write_locally(|out| {
            let units = src.as_chunks().0.iter();
            4 * units.take_while(|&&bytes| character(bytes).is_some_and(|c| U::put(c, out))).count()
        })
    }
}

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        let order = self.order.unwrap_or(ByteOrder::Big);
        let code_point = match self.unit.push(order, byte) {
            Ok(bytes) => u32::from_be_bytes(bytes),
            Err(step) => return step,
        };
        if self.order.is_none() {
            const SWAPPED: u32 = u32::from_le_bytes(MARK);

            self.order = Some(if code_point == SWAPPED { ByteOrder::Little } else { ByteOrder::Big });
            if matches!(code_point, 0xFEFF | SWAPPED) {
                return Step::Continue;
            }
        }
        scalar_value(code_point)
    }

    fn is_neutral(&self) -> bool {
        self.unit.len == 0
    }

    /// The order of UTF-32 as a number: 0 if it is not decided yet, and if the name of the encoding decides it.
    fn selected(&self) -> u8 {
        match self.order {
            Some(ByteOrder::Big) if self.has_mark => 1,
            Some(ByteOrder::Little) if self.has_mark => 2,
            _ => 0,
        }
    }

    fn select(&mut self, selected: u8) {
        self.unit = CodeUnit::default();
        if self.has_mark {
            self.order =
                [None, Some(ByteOrder::Big), Some(ByteOrder::Little)].get(usize::from(selected)).copied().flatten();
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder(pub(super) ByteOrder);

impl Encoder {
    fn bytes(self, character: char) -> [u8; 4] {
        match self.0 {
            ByteOrder::Big => u32::from(character).to_be_bytes(),
            ByteOrder::Little => u32::from(character).to_le_bytes(),
        }
    }
}

impl EncodeHandler for Encoder {
    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        item.map_or(EncodeStep::Finished, |character| EncodeStep::emit(self.bytes(character)))
    }

    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        Some(Bytes::new(self.bytes(character), 4))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ucs2Decoder {
    unit: CodeUnit<2>,
    order: ByteOrder,
}

impl Ucs2Decoder {
    pub(super) fn new(order: ByteOrder) -> Self {
        Self { unit: CodeUnit::default(), order }
    }

    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let order = self.order;
        out.write_locally(|out| {
            let units = src.as_chunks().0.iter().map(|&bytes| order.unit(bytes));
            2 * units.take_while(|&unit| !matches!(unit, 0xD800..=0xDFFF) && U::put_unit(unit, out)).count()
        })
    }
}

impl Handler for Ucs2Decoder {
    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        match self.unit.push(self.order, byte) {
            Ok(bytes) => scalar_value(u16::from_be_bytes(bytes).into()),
            Err(step) => step,
        }
    }

    fn is_neutral(&self) -> bool {
        self.unit.len == 0
    }

    fn select(&mut self, _: u8) {
        self.unit = CodeUnit::default();
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ucs2Encoder(pub(super) ByteOrder);

impl EncodeHandler for Ucs2Encoder {
    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(character) = item else { return EncodeStep::Finished };
        self.encode(character).map_or(EncodeStep::Error(character), Bytes::emit)
    }

    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        let unit = u16::try_from(u32::from(character)).ok()?;
        Some(Bytes::new(self.0.bytes(unit), 2))
    }
}
