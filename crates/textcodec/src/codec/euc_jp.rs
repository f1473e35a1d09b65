//! EUC-JP, section 12.1.

use core::mem::replace;

use super::{
    Decode, Encode, EncodeStep, Replay, Step, code_point, index_code_point,
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

/// <https://encoding.spec.whatwg.org/#euc-jp-decoder>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    jis0212: bool,
    leading: u8,
}

impl Decoder {
    /// The initial state.
    pub(crate) const START: Self = Self { jis0212: false, leading: 0x00 };
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(48, Useful::NonAscii);

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let Some(byte) = byte else {
            return match replace(self, Self::START).leading {
                0x00 => Step::Finished,                     // 2.
                _ => Step::Error(DecodeReason::Incomplete), // 1.
            };
        };
        match (self.leading, byte) {
            (0x8E, 0xA1..=0xDF) => {
                self.leading = 0x00;
                return Step::scalar_value(0xFF61 - 0xA1 + u32::from(byte)); // 3.
            }
            (0x8F, 0xA1..=0xFE) => {
                *self = Self { jis0212: true, leading: byte };
                return Step::Continue; // 4.
            }
            _ => {}
        }
        if self.leading != 0x00 {
            // 5.
            let Self { jis0212, leading } = replace(self, Self::START); // 5.3.
            if let Some(code_point) = pair(jis0212, leading, byte) {
                return Step::Emit(code_point); // 5.4.
            }
            if byte.is_ascii() {
                queue.restore(&[byte]); // 5.5.
                return Step::Error(DecodeReason::Interrupted);
            }
            return Step::Error(DecodeReason::Unmapped); // 5.6.
        }
        match byte {
            0x00..=0x7F => Step::Emit(byte.into()), // 6.
            0x8E | 0x8F | 0xA1..=0xFE => {
                self.leading = byte;
                Step::Continue // 7.
            }
            _ => Step::Error(DecodeReason::InvalidByte), // 8.
        }
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0x00
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| match *rest {
            [0x8F, leading @ 0xA1..=0xFE, trailing, ..] => match three_byte(leading, trailing) {
                Some(unit) => items.unit(unit, 3),
                None if trailing.is_ascii() => items.error(2, DecodeReason::Interrupted),
                None => items.error(3, DecodeReason::Unmapped),
            },
            [0x8F] | [0x8F, 0xA1..=0xFE] => 0,
            [0x8F, ..] => items.invalid_pair(rest),
            _ => items.pair(&PAIRS, rest, |items, _| items.invalid_pair(rest)),
        })
    }

    fn is_malformed(&self, byte: u8) -> bool {
        // 0x8F begins a character of three bytes.
        byte != 0x8F && PAIRS.first_byte(byte) == FirstByte::Invalid
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        Unit::pairs(kernels, &PAIRS, src, out)
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        Unit::pairs(kernels, &PAIRS, src, out)
    }
}

/// Steps 5.1 and 5.2.
fn pair(jis0212: bool, leading: u8, byte: u8) -> Option<char> {
    if jis0212 {
        return three_byte(leading, byte).and_then(code_point);
    }
    index_code_point(&index::JIS0208, pointer(leading, byte)?)
}

/// The code point of the byte 0x8F and two more bytes. It is in the BMP.
#[inline(always)]
fn three_byte(leading: u8, byte: u8) -> Option<u16> {
    index::JIS0212.get(pointer(leading, byte)?).copied().filter(|&unit| unit != 0)
}

#[inline(always)]
fn pointer(leading: u8, byte: u8) -> Option<usize> {
    let (0xA1..=0xFE, 0xA1..=0xFE) = (leading, byte) else { return None };
    Some(usize::from(leading - 0xA1) * 94 + usize::from(byte - 0xA1))
}

/// Row 120 has the half-width katakana of step 3.
static PAIRS: Table<Pairs> = table!(Pairs:
    Pairs::new(&index::JIS0208, 94)
        .with_ascii()
        .with_rows(0x8E, 0x8E, 120)
        .with_rows(0xA1, 0xFE, 0)
        .with_columns(0xA1, 0xFE, 0)
);

/// <https://encoding.spec.whatwg.org/#euc-jp-encoder>
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(64, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished }; // 1.
        let unit = match code_point {
            '\0'..='\x7F' => return EncodeStep::emit([code_point as u8]), // 2.
            '\u{A5}' => return EncodeStep::emit([0x5C]),                  // 3.
            '\u{203E}' => return EncodeStep::emit([0x7E]),                // 4.
            '\u{FF61}'..='\u{FF9F}' => {
                return EncodeStep::emit([0x8E, (u32::from(code_point) - 0xFF61 + 0xA1) as u8]); // 5.
            }
            '\u{2212}' => 0xFF0D, // 6.
            _ => u32::from(code_point),
        };
        // 7-11: the table's pairs are the bytes.
        let pair = index::encode::EUC_JP.pair(unit);
        pair.map_or(EncodeStep::Error(code_point), EncodeStep::emit)
    }

    #[inline]
    fn table(&self) -> Option<&'static ToBytes> {
        Some(&index::encode::EUC_JP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::assert_pairs;

    #[test]
    fn kernel_table_has_the_pairs_of_the_standard() {
        assert_pairs(&PAIRS, 0x80..=0xFF, 0..=0xFF, |leading, trailing| match (leading, trailing) {
            (0x8E, 0xA1..=0xDF) => char::from_u32(0xFF61 - 0xA1 + u32::from(trailing)),
            _ => pair(false, leading, trailing),
        });
    }
}
