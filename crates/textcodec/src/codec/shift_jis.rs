//! Shift_JIS, section 12.3.

use core::mem::take;

use super::{
    Decode, Encode, EncodeStep, Replay, Step, index_code_point,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
};
use crate::{
    conversion::DecodeReason,
    index,
    kernel::{
        Kernels, Out,
        tables::{FirstByte, Pairs, ToBytes},
    },
    once::table::{Table, table},
};

/// <https://encoding.spec.whatwg.org/#shift_jis-decoder>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    leading: u8,
}

impl Decoder {
    /// The initial state.
    pub(crate) const START: Self = Self { leading: 0x00 };
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(48, Useful::NonAscii);

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let Some(byte) = byte else {
            return match take(&mut self.leading) {
                0x00 => Step::Finished,                     // 2.
                _ => Step::Error(DecodeReason::Incomplete), // 1.
            };
        };
        if self.leading != 0x00 {
            // 3.
            if let Some(code_point) = pair(take(&mut self.leading), byte) {
                return Step::Emit(code_point); // 3.4, 3.6.
            }
            if byte.is_ascii() {
                queue.restore(&[byte]); // 3.7.
                return Step::Error(DecodeReason::Interrupted);
            }
            return Step::Error(DecodeReason::Unmapped); // 3.8.
        }
        match byte {
            0x00..=0x80 => Step::Emit(byte.into()),                             // 4.
            0xA1..=0xDF => Step::scalar_value(0xFF61 - 0xA1 + u32::from(byte)), // 5.
            0x81..=0x9F | 0xE0..=0xFC => {
                self.leading = byte;
                Step::Continue // 6.
            }
            _ => Step::Error(DecodeReason::InvalidByte), // 7.
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0x00
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| items.pair(&PAIRS, rest, |items, _| items.invalid_pair(rest)))
    }

    fn is_malformed(&self, byte: u8) -> bool {
        PAIRS.first_byte(byte) == FirstByte::Invalid
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        Unit::pairs(kernels, &PAIRS, src, out)
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        Unit::pairs(kernels, &PAIRS, src, out)
    }
}

/// Steps 3.1 to 3.6.
fn pair(leading: u8, byte: u8) -> Option<char> {
    let offset = if byte < 0x7F { 0x40 } else { 0x41 }; // 3.1.
    let leading_offset = if leading < 0xA0 { 0x81 } else { 0xC1 }; // 3.2.
    if !matches!(byte, 0x40..=0x7E | 0x80..=0xFC) {
        return None; // 3.3.
    }
    let pointer = u32::from(leading - leading_offset) * 188 + u32::from(byte - offset);
    if let 8836..=10715 = pointer {
        return char::from_u32(0xE000 - 8836 + pointer); // 3.4.
    }
    index_code_point(&index::JIS0208, pointer as usize) // 3.5.
}

static PAIRS: Table<Pairs> = table!(Pairs:
    Pairs::new(&index::JIS0208, 188)
        .with_ascii()
        .with_singles(0x80, 0x80)
        .with_singles(0xA1, 0xDF)
        .with_rows(0x81, 0x9F, 0)
        .with_rows(0xE0, 0xFC, 0xE0 - 0xC1)
        .with_columns(0x40, 0x7E, 0)
        .with_columns(0x80, 0xFC, 0x80 - 0x41)
);

/// <https://encoding.spec.whatwg.org/#shift_jis-encoder>
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(64, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished }; // 1.
        let unit = match code_point {
            '\0'..='\u{80}' => return EncodeStep::emit([code_point as u8]), // 2.
            '\u{A5}' => return EncodeStep::emit([0x5C]),                    // 3.
            '\u{203E}' => return EncodeStep::emit([0x7E]),                  // 4.
            '\u{FF61}'..='\u{FF9F}' => return EncodeStep::emit([(u32::from(code_point) - 0xFF61 + 0xA1) as u8]), // 5.
            '\u{2212}' => 0xFF0D,                                           // 6.
            _ => u32::from(code_point),
        };
        // 7-12: the table's pairs are the bytes.
        let pair = index::encode::SHIFT_JIS.pair(unit);
        pair.map_or(EncodeStep::Error(code_point), EncodeStep::emit)
    }

    #[inline]
    fn table(&self) -> Option<&'static ToBytes> {
        Some(&index::encode::SHIFT_JIS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::assert_pairs;

    #[test]
    fn kernel_table_has_the_pairs_of_the_standard() {
        assert_pairs(&PAIRS, (0x81..=0x9F).chain(0xE0..=0xFC), 0..=0xFF, pair);
    }
}
