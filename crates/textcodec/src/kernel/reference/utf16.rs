//! UTF-16: one code point per step; ASCII in runs to UTF-8.

use super::ascii;
use crate::kernel::{Out, tables::ByteOrder};

pub(crate) fn prefix(src: &[u16]) -> usize {
    let mut read = 0;
    while let Some((_, len)) = code_point(|at| src.get(read + at).copied()) {
        read += len;
    }
    read
}

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
pub(crate) fn to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let order = ByteOrder::of(BIG);
    let mut read = ascii::from_units::<BIG>(src, out);
    while let Some((code_point, len)) = code_point(|at| src.get(read + at).map(|&bytes| order.unit(bytes))) {
        let tail = |shift: u32| 0x80 | (code_point >> shift) as u8 & 0x3F;
        let fits = match code_point {
            0..=0x7F => out.push(code_point as u8),
            0x80..=0x7FF => out.extend(&[0xC0 | (code_point >> 6) as u8, tail(0)]),
            0x800..=0xFFFF => out.extend(&[0xE0 | (code_point >> 12) as u8, tail(6), tail(0)]),
            _ => out.extend(&[0xF0 | (code_point >> 18) as u8, tail(12), tail(6), tail(0)]),
        };
        if !fits {
            break;
        }
        read += len;
        if code_point < 0x80 {
            read += ascii::from_units::<BIG>(&src[read..], out);
        }
    }
    read
}

#[inline]
pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut read = 0;
    while let Some((_, len)) = code_point(|at| units.get(read + at).map(|&bytes| order.unit(bytes))) {
        let fits = match len {
            1 => out.push(order.unit(units[read])),
            _ => out.extend(&[order.unit(units[read]), order.unit(units[read + 1])]),
        };
        if !fits {
            break;
        }
        read += len;
    }
    read * 2
}

pub(crate) fn from_bytes_replaced(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>, replaced: &mut u64) -> usize {
    // No unit after those that fit is examined, as in the kernels for vectors.
    let len = (src.len() / 2).min(out.spare_len());
    let mut read = 0;
    loop {
        read += from_bytes(order, &src[2 * read..2 * len], out) / 2;
        let is_high = |at: usize| order.unit([src[2 * at], src[2 * at + 1]]) & 0xFC00 == 0xD800;
        if read == len || read + 1 == len && is_high(read) || !out.push(0xFFFD) {
            return 2 * read;
        }
        read += 1;
        *replaced += 1;
    }
}

pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some((_, len)) = code_point(|at| src.get(read + at).copied()) {
        let fits = match len {
            1 => out.extend(&order.bytes(src[read])),
            _ => {
                let ([a, b], [c, d]) = (order.bytes(src[read]), order.bytes(src[read + 1]));
                out.extend(&[a, b, c, d])
            }
        };
        if !fits {
            break;
        }
        read += len;
    }
    read
}

/// Returns the first code point and its length in code units. `unit` returns the unit at an offset.
#[inline(always)]
pub(super) fn code_point(unit: impl Fn(usize) -> Option<u16>) -> Option<(u32, usize)> {
    match unit(0)? {
        first @ 0xD800..=0xDBFF => match unit(1)? {
            second @ 0xDC00..=0xDFFF => {
                Some((0x10000 + (u32::from(first - 0xD800) << 10) + u32::from(second - 0xDC00), 2))
            }
            _ => None,
        },
        0xDC00..=0xDFFF => None,
        unit => Some((unit.into(), 1)),
    }
}
