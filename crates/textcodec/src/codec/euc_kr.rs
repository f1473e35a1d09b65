//! EUC-KR, section 13.1.

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

/// <https://encoding.spec.whatwg.org/#euc-kr-decoder>
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
                return Step::Emit(code_point); // 3.3.
            }
            if byte.is_ascii() {
                queue.restore(&[byte]); // 3.4.
                return Step::Error(DecodeReason::Interrupted);
            }
            return Step::Error(DecodeReason::Unmapped); // 3.5.
        }
        match byte {
            0x00..=0x7F => Step::Emit(byte.into()), // 4.
            0x81..=0xFE => {
                self.leading = byte;
                Step::Continue // 5.
            }
            _ => Step::Error(DecodeReason::InvalidByte), // 6.
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

/// Steps 3.1 and 3.2.
fn pair(leading: u8, byte: u8) -> Option<char> {
    if !matches!(byte, 0x41..=0xFE) {
        return None; // 3.1.
    }
    let pointer = usize::from(leading - 0x81) * 190 + usize::from(byte - 0x41);
    index_code_point(&index::EUC_KR, pointer) // 3.2.
}

static PAIRS: Table<Pairs> =
    table!(Pairs: Pairs::new(&index::EUC_KR, 190).with_ascii().with_rows(0x81, 0xFE, 0).with_columns(0x41, 0xFE, 0));

/// <https://encoding.spec.whatwg.org/#euc-kr-encoder>
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(64, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished }; // 1.
        if code_point.is_ascii() {
            return EncodeStep::emit([code_point as u8]); // 2.
        }
        // 3-7: the table's pairs are the bytes.
        let pair = index::encode::EUC_KR.pair(code_point.into());
        pair.map_or(EncodeStep::Error(code_point), EncodeStep::emit)
    }

    #[inline]
    fn table(&self) -> Option<&'static ToBytes> {
        Some(&index::encode::EUC_KR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::assert_pairs;

    #[test]
    fn kernel_table_has_the_pairs_of_the_standard() {
        assert_pairs(&PAIRS, 0x81..=0xFE, 0..=0xFF, pair);
    }
}
