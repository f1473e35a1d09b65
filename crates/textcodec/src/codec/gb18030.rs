//! GBK and gb18030, section 10: one decoder, and an encoder with a flag.

use core::mem::{replace, take};

use super::{
    Decode, Encode, EncodeStep, Replay, Step, index_code_point,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
    source::Text as _,
};
use crate::{
    conversion::DecodeReason,
    index::{self, gb18030_ranges},
    kernel::{
        Kernels, Out,
        tables::{Pairs, ToBytes},
    },
    once::table::{Table, table},
};

/// <https://encoding.spec.whatwg.org/#gb18030-decoder>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    first: u8,
    second: u8,
    third: u8,
}

impl Decoder {
    /// The initial state.
    pub(crate) const START: Self = Self { first: 0x00, second: 0x00, third: 0x00 };
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(48, Useful::NonAscii);

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let Some(byte) = byte else {
            if self.is_neutral() {
                return Step::Finished; // 1.
            }
            *self = Self::START;
            return Step::Error(DecodeReason::Incomplete); // 2.
        };
        if self.third != 0x00 {
            // 3.
            let Self { first, second, third } = replace(self, Self::START);
            if !byte.is_ascii_digit() {
                queue.restore(&[second, third, byte]); // 3.1.
                return Step::Error(DecodeReason::Interrupted);
            }
            return match four_byte(first, second, third, byte) {
                None => Step::Error(DecodeReason::Unmapped), // 3.4.
                Some(code_point) => Step::Emit(code_point),  // 3.5.
            };
        }
        if self.second != 0x00 {
            // 4.
            if let 0x81..=0xFE = byte {
                self.third = byte;
                return Step::Continue; // 4.1.
            }
            queue.restore(&[replace(self, Self::START).second, byte]);
            return Step::Error(DecodeReason::Interrupted); // 4.2.
        }
        if self.first != 0x00 {
            // 5.
            if byte.is_ascii_digit() {
                self.second = byte;
                return Step::Continue; // 5.1.
            }
            if let Some(code_point) = pair(take(&mut self.first), byte) {
                return Step::Emit(code_point); // 5.6.
            }
            if byte.is_ascii() {
                queue.restore(&[byte]); // 5.7.
                return Step::Error(DecodeReason::Interrupted);
            }
            return Step::Error(DecodeReason::Unmapped); // 5.8.
        }
        match byte {
            0x00..=0x7F => Step::Emit(byte.into()), // 6.
            0x80 => Step::Emit('\u{20AC}'),         // 7.
            0x81..=0xFE => {
                self.first = byte;
                Step::Continue // 8.
            }
            0xFF => Step::Error(DecodeReason::InvalidByte), // 9.
        }
    }

    fn is_neutral(&self) -> bool {
        self.first == 0x00
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| match *rest {
            [first @ 0x81..=0xFE, second @ b'0'..=b'9', third @ 0x81..=0xFE, fourth @ b'0'..=b'9', ..] => {
                items.character_or_error(four_byte(first, second, third, fourth), 4)
            }
            _ => items.pair(&PAIRS, rest, |items, _| match *rest {
                [_, b'0'..=b'9'] | [_, b'0'..=b'9', 0x81..=0xFE] => 0,
                // The handler restores all but the first byte of an incomplete sequence to the queue.
                [_, b'0'..=b'9', ..] => items.replace_or_defer(1),
                _ => items.invalid_pair(rest),
            }),
        })
    }

    /// For [`replaced`](Decode::replaced): cells `decode/gbk/*/zh_cn+1-per-64B/*`.
    fn is_malformed(&self, byte: u8) -> bool {
        byte == 0xFF
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        bulk(kernels, src, out)
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        bulk(kernels, src, out)
    }
}

/// Converts runs of pairs and runs of four-byte characters, as long as a kernel call for each is worthwhile.
fn bulk<U: Unit>(kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
    /// A call in a loop costs less than one after items.
    const COSTS: Costs = Costs::new(16, Useful::NonAscii);

    let mut read = 0;
    loop {
        let rest = &src[read..];
        let run = if !starts_four_byte(rest) {
            U::pairs(kernels, &PAIRS, rest, out)
        } else if is_with_others(rest) {
            U::four_bytes(kernels, &gb18030_ranges::FOUR_BYTE_RUNS, &PAIRS, rest, out)
        } else {
            // Items convert a four-byte character alone in ASCII in less time than a kernel.
            0
        };
        if let None | Some(0xFF) = rest.get(run) {
            return read + run;
        }
        let useful = COSTS.useful_units(run, &|recent| rest.count_non_ascii(run - recent..run));
        read += run;
        if run == 0 || useful < COSTS.kernel_call.into() && !is_with_others(&src[read..]) {
            return read;
        }
    }
}

fn starts_four_byte(src: &[u8]) -> bool {
    matches!(src, [0x81..=0xFE, b'0'..=b'9', ..])
}

/// Whether a four-byte character is before a character of more than one byte. There may be a space between two words.
fn is_with_others(src: &[u8]) -> bool {
    let next = src.get(4..).filter(|_| starts_four_byte(src));
    next.is_some_and(|next| matches!(next, [0x81..=0xFE, ..]) || next.get(1..).is_some_and(starts_four_byte))
}

/// Steps 5.2 to 5.5.
fn pair(leading: u8, byte: u8) -> Option<char> {
    let offset = if byte < 0x7F { 0x40 } else { 0x41 }; // 5.3.
    if !matches!(byte, 0x40..=0x7E | 0x80..=0xFE) {
        return None; // 5.4.
    }
    let pointer = usize::from(leading - 0x81) * 190 + usize::from(byte - offset);
    index_code_point(&index::GB18030, pointer) // 5.5.
}

/// Steps 3.2 to 3.4.
#[inline(always)]
fn four_byte(first: u8, second: u8, third: u8, fourth: u8) -> Option<char> {
    let pointer = u32::from(first - 0x81) * (10 * 126 * 10)
        + u32::from(second - 0x30) * (10 * 126)
        + u32::from(third - 0x81) * 10
        + u32::from(fourth - 0x30);
    gb18030_ranges::code_point(pointer)
}

static PAIRS: Table<Pairs> = table!(Pairs:
    Pairs::new(&index::GB18030, 190)
        .with_ascii()
        .with_singles(0x80, 0x80)
        .with_rows(0x81, 0xFE, 0)
        .with_columns(0x40, 0x7E, 0)
        .with_columns(0x80, 0xFE, 0x80 - 0x41)
);

/// <https://encoding.spec.whatwg.org/#gb18030-encoder>
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    is_gbk: bool,
}

impl Encoder {
    pub(crate) const fn new(is_gbk: bool) -> Self {
        Self { is_gbk }
    }
}

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(64, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished }; // 1.
        match code_point {
            '\0'..='\x7F' => return EncodeStep::emit([code_point as u8]), // 2.
            '\u{E5E5}' => return EncodeStep::Error(code_point),           // 3.
            '\u{20AC}' if self.is_gbk => return EncodeStep::emit([0x80]), // 4.
            _ => {}
        }
        // The side table of GB18030-2022, then 5-6: the table's pairs are the bytes.
        if let Some(pair) = index::encode::GB18030.pair(code_point.into()) {
            return EncodeStep::emit(pair);
        }
        if self.is_gbk {
            return EncodeStep::Error(code_point); // 7.
        }
        EncodeStep::emit(four_bytes(code_point))
    }

    /// The table of steps 2 to 13.
    #[inline]
    fn table(&self) -> Option<&'static ToBytes> {
        Some(if self.is_gbk { &index::encode::GBK } else { &index::encode::GB18030 })
    }
}

/// Steps 8 to 13.
fn four_bytes(code_point: char) -> [u8; 4] {
    let pointer = gb18030_ranges::pointer(code_point.into());
    let digit = |n: u32| (n % 10) as u8 + 0x30;
    let upper = |n: u32| (n % 126) as u8 + 0x81;
    [upper(pointer / (10 * 126 * 10)), digit(pointer / (10 * 126)), upper(pointer / 10), digit(pointer)]
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
