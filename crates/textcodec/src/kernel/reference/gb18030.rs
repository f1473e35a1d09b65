//! The four-byte sequences of gb18030, and ASCII: one sequence per step.
//!
//! Tried without success: a table of 39,420 code points, looked up like the pairs. It is larger and slower.

use super::ascii;
use crate::kernel::{
    Out,
    tables::four_bytes::{ABOVE_BMP, FourByteRuns, HALVES},
};

pub(crate) fn to_utf16(table: &FourByteRuns, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    loop {
        let len = match src[read..] {
            [0x00..=0x7F, ..] => ascii::to_utf16(&src[read..], out),
            _ => character(table, &src[read..], out),
        };
        if len == 0 {
            return read;
        }
        read += len;
    }
}

/// Converts one four-byte sequence.
pub(crate) fn character(table: &FourByteRuns, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let [first @ 0x81..=0xFE, second @ b'0'..=b'9', third @ 0x81..=0xFE, fourth @ b'0'..=b'9', ..] = *src else {
        return 0;
    };
    let half = |leading: u8, digit: u8| u32::from(leading - 0x81) * 10 + u32::from(digit - b'0');
    let pointer = half(first, second) * u32::from(HALVES) + half(third, fourth);
    let fits = match (table.get(pointer), pointer.checked_sub(ABOVE_BMP).and_then(|n| char::from_u32(0x10000 + n))) {
        (Some(unit), _) => out.push(unit),
        (None, Some(above)) => out.extend(above.encode_utf16(&mut [0; 2])),
        (None, None) => false,
    };
    if fits { 4 } else { 0 }
}
