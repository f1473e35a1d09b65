//! UTF-16BE and UTF-16LE, sections 14.2 to 14.4.
//!
//! The standard has no encoder for them: *get an output encoding* ([`crate::hooks`]) returns UTF-8 instead. The encoder here
//! writes each code unit as two bytes.

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    items::Items,
    pivot,
    progress::{Costs, Useful},
    sink::Unit,
    surrogate_pair,
};
use crate::{
    conversion::DecodeReason,
    kernel::{Kernels, Out, tables::ByteOrder},
};

/// <https://encoding.spec.whatwg.org/#shared-utf-16-decoder>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    order: ByteOrder,
    leading_byte: Option<u8>,
    leading_surrogate: Option<u16>,
}

impl Decoder {
    pub(crate) const fn new(order: ByteOrder) -> Self {
        Self { order, leading_byte: None, leading_surrogate: None }
    }

    pub(crate) fn order(self) -> ByteOrder {
        self.order
    }
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(64, Useful::All);

    /// Unreads the code unit that is not a low surrogate, if all four bytes were read by this call.
    fn unread(&self, _: DecodeReason, read: usize) -> usize {
        if read >= 4 { 2 } else { 0 }
    }

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let Some(byte) = byte else {
            if self.is_neutral() {
                return Step::Finished; // 2.
            }
            *self = Self::new(self.order);
            return Step::Error(DecodeReason::Incomplete); // 1.
        };
        let Some(leading_byte) = self.leading_byte.take() else {
            self.leading_byte = Some(byte);
            return Step::Continue; // 3.
        };
        let unit = self.order.unit([leading_byte, byte]); // 4.
        if let Some(leading) = self.leading_surrogate.take() {
            // 5.
            if let Some(code_point) = surrogate_pair(&[leading, unit]) {
                return Step::Emit(code_point); // 5.1.
            }
            queue.restore(&self.order.bytes(unit)); // 5.2-5.5.
            return Step::Error(DecodeReason::UnpairedSurrogate);
        }
        match unit {
            0xD800..=0xDBFF => {
                self.leading_surrogate = Some(unit);
                Step::Continue // 6.
            }
            0xDC00..=0xDFFF => Step::Error(DecodeReason::UnpairedSurrogate), // 7.
            _ => Step::scalar_value(unit.into()),                            // 8.
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading_byte.is_none() && self.leading_surrogate.is_none()
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        // Text with unpaired surrogates: cell `decode/utf-16le/utf-16/ja+1-per-64B/4KiB`.
        let replaced = items.replaced_utf16(self.order, src);
        if replaced > 0 {
            return replaced;
        }
        items.each(src, stretch, |items, rest| {
            let units = rest.as_chunks::<2>().0;
            let unit = |at: usize| units.get(at).map(|&bytes| self.order.unit(bytes));
            match (unit(0), unit(1)) {
                (None, _) | (Some(0xD800..=0xDBFF), None) => 0,
                (Some(first @ 0xD800..=0xDBFF), Some(second)) => match surrogate_pair(&[first, second]) {
                    Some(code_point) => items.character(code_point, 4),
                    None => items.error(2, DecodeReason::UnpairedSurrogate),
                },
                (Some(0xDC00..=0xDFFF), _) => items.error(2, DecodeReason::UnpairedSurrogate),
                (Some(0x00..=0x7F), _) if put_eight_ascii(self.order, units, items) => 16,
                (Some(first), _) => {
                    let next = units[1..].iter().map(|&bytes| self.order.unit(bytes));
                    items.units(first, 2, next.take_while(|unit| !matches!(unit, 0xD800..=0xDFFF)))
                }
            }
        })
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.utf16().utf16_from_bytes)(self.order, src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        2 * kernels.utf16_to_utf8(self.order, src.as_chunks().0, out)
    }
}

/// Writes the first eight characters if all are ASCII and fit. Returns whether they were written: cell
/// `hostile/decode/utf-16le/utf-8/replace/4KiB/ascii*20+high`.
#[inline(always)]
fn put_eight_ascii<U: Unit>(order: ByteOrder, units: &[[u8; 2]], items: &mut Items<'_, '_, U>) -> bool {
    let Some(eight) = units.first_chunk::<8>().filter(|_| !cfg!(textcodec_small)) else { return false };
    let eight = eight.map(|bytes| order.unit(bytes));
    eight.iter().all(|&unit| unit < 0x80) && items.eight_ascii(eight.map(|unit| unit as u8))
}

/// Writes two bytes for each code unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    order: ByteOrder,
}

impl Encoder {
    pub(crate) const fn new(order: ByteOrder) -> Self {
        Self { order }
    }

    pub(crate) fn order(self) -> ByteOrder {
        self.order
    }
}

impl Encode for Encoder {
    const ASCII: bool = false;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished };
        match *code_point.encode_utf16(&mut [0; 2]) {
            [unit] => EncodeStep::emit(self.order.bytes(unit)),
            ref pair => {
                let ([a, b], [c, d]) = (self.order.bytes(pair[0]), self.order.bytes(pair[1]));
                EncodeStep::emit([a, b, c, d])
            }
        }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16_to_bytes)(self.order, src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        let order = self.order;
        let in_place = out.write_units(|out| kernels.str_to_utf16(order, src, out));
        // At an odd address, through a block.
        in_place.unwrap_or_else(|| pivot::encode(self, kernels, src, out))
    }
}
