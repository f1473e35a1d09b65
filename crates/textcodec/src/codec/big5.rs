//! Big5, section 11.1.

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

/// <https://encoding.spec.whatwg.org/#big5-decoder>
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
            match pair(take(&mut self.leading), byte) {
                Some((first, Some(second))) => return Step::EmitTwo(first, second), // 3.3.
                Some((code_point, None)) => return Step::Emit(code_point),          // 3.5.
                None => {}
            }
            if byte.is_ascii() {
                queue.restore(&[byte]); // 3.6.
                return Step::Error(DecodeReason::Interrupted);
            }
            return Step::Error(DecodeReason::Unmapped); // 3.7.
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
        items.each(src, stretch, |items, rest| {
            items.pair(&PAIRS, rest, |items, cell| {
                if let Some(code_point) = cell.and_then(plane_2) {
                    items.character(code_point, 2)
                } else if let Some((first, second)) = two_code_points(rest) {
                    items.two_characters(first, second, 2)
                } else {
                    items.invalid_pair(rest)
                }
            })
        })
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

/// Steps 3.1 to 3.5: one code point, or two.
fn pair(leading: u8, byte: u8) -> Option<(char, Option<char>)> {
    let offset = if byte < 0x7F { 0x40 } else { 0x62 }; // 3.1.
    if !matches!(byte, 0x40..=0x7E | 0xA1..=0xFE) {
        return None; // 3.2.
    }
    let pointer = usize::from(leading - 0x81) * 157 + usize::from(byte - offset);
    if let Some((first, second)) = two_code_points(&[leading, byte]) {
        return Some((first, Some(second))); // 3.3.
    }
    let entry = index::entry(&index::BIG5, pointer)?;
    let code_point = plane_2(entry).or_else(|| index_code_point(&index::BIG5, pointer))?; // 3.4.
    Some((code_point, None))
}

/// The table of step 3.3.
fn two_code_points(src: &[u8]) -> Option<(char, char)> {
    match *src {
        [0x88, 0x62, ..] => Some(('\u{CA}', '\u{304}')), // Pointer 1133.
        [0x88, 0x64, ..] => Some(('\u{CA}', '\u{30C}')), // Pointer 1135.
        [0x88, 0xA3, ..] => Some(('\u{EA}', '\u{304}')), // Pointer 1164.
        [0x88, 0xA5, ..] => Some(('\u{EA}', '\u{30C}')), // Pointer 1166.
        _ => None,
    }
}

/// The character of plane 2 that a surrogate in the table refers to, if any.
fn plane_2(cell: u16) -> Option<char> {
    let above = index::BIG5_PLANE_2.get(usize::from(cell.checked_sub(0xD800)?))?;
    char::from_u32(0x20000 + u32::from(*above))
}

static PAIRS: Table<Pairs> = table!(Pairs:
    Pairs::new(&index::BIG5, 157).with_ascii().with_rows(0x81, 0xFE, 0).with_columns(0x40, 0x7E, 0).with_columns(
        0xA1,
        0xFE,
        0xA1 - 0x62
    )
);

/// <https://encoding.spec.whatwg.org/#big5-encoder>
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(64, Useful::NonAscii);

    // Items call it for each character: cell `hostile/encode/big5/utf-16/report/4KiB/pair*20+emoji`.
    #[cfg_attr(not(textcodec_small), inline(always))]
    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished }; // 1.
        if code_point.is_ascii() {
            return EncodeStep::emit([code_point as u8]); // 2.
        }
        // 3-8: the tables' pairs are the bytes.
        let pair = match u32::from(code_point) {
            unit @ 0..=0xFFFF => index::encode::BIG5.pair(unit),
            above => index::big5_plane_2_bytes(above),
        };
        pair.map_or(EncodeStep::Error(code_point), EncodeStep::emit)
    }

    #[inline]
    fn table(&self) -> Option<&'static ToBytes> {
        Some(&index::encode::BIG5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_table_has_the_pairs_of_the_standard() {
        for leading in 0x81..=0xFE {
            for trailing in 0..=0xFF {
                // Kernels decline surrogates in the table and pairs that map to two code points.
                let bmp = match pair(leading, trailing) {
                    Some((code_point @ '\0'..='\u{FFFF}', None)) => Some(code_point as u16),
                    _ => None,
                };
                assert_eq!(PAIRS.get(leading, trailing), bmp, "{leading:02X} {trailing:02X}");
            }
        }
    }
}
