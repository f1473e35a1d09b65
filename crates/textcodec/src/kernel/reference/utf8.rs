//! UTF-8: one sequence per step; ASCII in runs.
//!
//! Well-formed sequences are those of table 3-7 of the Unicode standard and of the grammar in RFC 3629.

use super::ascii;
use crate::kernel::{Out, tables::ByteOrder};

#[inline(never)]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut read = ascii::prefix(src);
    while let Some((_, len)) = sequence(&src[read..]) {
        read += len;
        if len == 1 {
            read += ascii::prefix(&src[read..]);
        }
    }
    read
}

pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let read = prefix(&src[..src.len().min(out.spare_len())]);
    out.extend(&src[..read]);
    read
}

pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if ByteOrder::NATIVE == ByteOrder::Big { to_units::<true>(src, out) } else { to_units::<false>(src, out) }
}

pub(crate) fn str_to_utf16<const BIG: bool>(src: &str, out: &mut Out<'_, u16>) -> usize {
    to_units::<BIG>(src.as_bytes(), out)
}

/// Converts to code units that are in a byte order in memory.
pub(crate) fn to_units_in(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    match order {
        ByteOrder::Little => to_units::<false>(src, out),
        ByteOrder::Big => to_units::<true>(src, out),
    }
}

/// Converts to code units that are in little-endian order in memory, or with `BIG` in big-endian order.
pub(crate) fn to_units<const BIG: bool>(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let order = ByteOrder::of(BIG);
    let mut read = ascii::to_units::<BIG>(src, out);
    while let Some((code_point, len)) = sequence(&src[read..]) {
        let fits = match code_point {
            0..=0xFFFF => out.push(order.in_memory(code_point as u16)),
            _ => out.extend(&surrogates(code_point).map(|unit| order.in_memory(unit))),
        };
        if !fits {
            break;
        }
        read += len;
        if len == 1 {
            read += ascii::to_units::<BIG>(&src[read..], out);
        }
    }
    read
}

/// Returns the first code point and its length in bytes, if the sequence is well-formed.
#[inline(always)]
fn sequence(src: &[u8]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let is_continuation = |byte: u8| byte & 0xC0 == 0x80;
    let &first = src.first()?;
    if first < 0x80 {
        return Some((first.into(), 1));
    }
    let &second = src.get(1)?;
    let in_range = match first {
        0xC2..=0xDF => {
            return is_continuation(second).then(|| (u32::from(first & 0x1F) << 6 | bits(second), 2));
        }
        0xE0 => matches!(second, 0xA0..=0xBF),
        0xED => matches!(second, 0x80..=0x9F),
        0xF0 => matches!(second, 0x90..=0xBF),
        0xF4 => matches!(second, 0x80..=0x8F),
        0xE1..=0xEF | 0xF1..=0xF3 => is_continuation(second),
        _ => false,
    };
    let &third = src.get(2)?;
    if !in_range || !is_continuation(third) {
        return None;
    }
    let tail = bits(second) << 6 | bits(third);
    if first < 0xF0 {
        return Some((u32::from(first & 0x0F) << 12 | tail, 3));
    }
    let &fourth = src.get(3)?;
    is_continuation(fourth).then(|| (u32::from(first & 0x07) << 18 | tail << 6 | bits(fourth), 4))
}

fn surrogates(code_point: u32) -> [u16; 2] {
    let offset = code_point - 0x10000;
    [0xD800 + (offset >> 10) as u16, 0xDC00 + (offset & 0x3FF) as u16]
}
