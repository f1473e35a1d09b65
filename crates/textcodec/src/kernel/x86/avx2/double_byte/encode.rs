//! Encoding in steps of eight code units: looked up with plain loads, checked together, and packed by a shuffle for each set of
//! single bytes among them.

use core::{arch::x86_64::*, array};

use super::super::{super::look_up, ascii, gb18030_encode, vector::*};
use crate::kernel::{Out, reference::double_byte::encode as reference, tables::ToBytes};

/// Code units per step.
const STEP: usize = 8;
/// The maximum number of bytes of a step, and the number that is stored.
const BYTES: usize = 16;
/// Code units per step of ASCII.
const ASCII: usize = 16;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.first().is_some_and(|&unit| table.declines_unit(unit)) {
        return 0;
    }
    let mut read = 0;
    while read < src.len() && out.spare_len() > 0 {
        let rest = &src[read..];
        if let Some(units) = rest.first_chunk::<ASCII>()
            && table.has_ascii()
            && put_ascii(units, out)
        {
            read += ASCII;
            // Cells `encode/*/utf-16/en/4KiB`: five times as fast.
            read += ascii::from_utf16(&src[read..], out);
            if table.bases().is_some() && reference::is_isolated_four_byte(table, &src[read..]) {
                read += reference::character_from_utf16(table, &src[read..], out);
            }
            continue;
        }
        if out.spare_len() >= BYTES {
            let padded;
            let units = if let Some(units) = rest.first_chunk() {
                units
            } else {
                padded = array::from_fn(|n| rest.get(n).copied().unwrap_or(0));
                &padded
            };
            let converted = put(table, units, rest.len().min(STEP), out);
            read += converted;
            if converted == STEP || read == src.len() {
                continue;
            }
        }
        let rest = &src[read..];
        let converted = match table.bases() {
            Some(bases) if !is_alone(table, rest) => gb18030_encode::from_utf16(table, bases, rest, out),
            _ => 0,
        };
        if converted > 0 {
            read += converted;
            continue;
        }
        // U+0000, an unmapped character, or few spare bytes.
        match reference::character_from_utf16(table, rest, out) {
            0 => break,
            converted => read += converted,
        }
    }
    read
}

/// Whether a step for four-byte characters is slower than converting the first character separately.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_alone(table: &ToBytes, src: &[u16]) -> bool {
    reference::is_isolated_four_byte(table, src) && !src[2..].first_chunk().is_some_and(|next| has_surrogate(next))
}

/// Whether one of 16 units is a surrogate.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn has_surrogate(units: &[u16; 16]) -> bool {
    let kinds = _mm256_and_si256(load_unit_block(units), splat_units(0xF800));
    !is_zero(_mm256_cmpeq_epi16(kinds, splat_units(0xD800)))
}

/// Writes 16 units if all are ASCII and fit. Otherwise returns false.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_ascii(units: &[u16; ASCII], out: &mut Out<'_, u8>) -> bool {
    let units = load_unit_block(units);
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return false };
    if any_exceeding(units, 0x7F) {
        return false;
    }
    store_half(_mm_packus_epi16(_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units)), to);
    // SAFETY: `store_half` has written `to`, the first 16 spare slots, and `ASCII` is 16.
    unsafe { out.advance(ASCII) };
    true
}

/// Writes the first `len` characters up to the first unmapped one, and returns how many. Writes none if eight pairs do not fit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put(table: &ToBytes, units: &[u16; STEP], len: usize, out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return 0 };
    let set = |entry: u16| _mm_set1_epi16(entry.cast_signed());
    let entries = _mm_and_si128(look_up::entries(table, units), set(table.kept_bits()));
    let min = set(ToBytes::MIN_BYTES);
    let mapped = _mm_cmpeq_epi16(_mm_min_epu16(entries, min), min);
    let singles = _mm_cmpeq_epi16(_mm_and_si128(entries, set(0xFF)), _mm_setzero_si128());
    let masks = _mm_movemask_epi8(_mm_packs_epi16(singles, mapped)).cast_unsigned();
    let (singles, mapped) = (masks & 0xFF, masks >> 8);
    store_half(_mm_shuffle_epi8(entries, load_half(&ORDERS[singles as usize])), to);
    // A branch instead of arithmetic, so that the next step does not wait for this one.
    if mapped == 0xFF && len == STEP {
        // SAFETY: `store_half` has written `to`, the first `BYTES` spare slots.
        unsafe { out.advance(BYTES - singles.count_ones() as usize) };
        return STEP;
    }
    let len = len.min(mapped.trailing_ones() as usize);
    // SAFETY: `store_half` has written `to`, the first `BYTES` spare slots, and `2 * len <= BYTES`: `mapped` has eight bits.
    unsafe { out.advance(2 * len - _bzhi_u32(singles, len as u32).count_ones() as usize) };
    len
}

/// For each set of entries that are single bytes, the shuffle that packs the bytes. The upper byte of an entry comes first.
static ORDERS: [[u8; BYTES]; 256] = {
    let mut all = [[0; BYTES]; 256];
    let mut singles = 0;
    while singles < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < STEP {
            all[singles][at] = 2 * lane as u8 + 1;
            at += 1;
            if singles >> lane & 1 == 0 {
                all[singles][at] = 2 * lane as u8;
                at += 1;
            }
            lane += 1;
        }
        singles += 1;
    }
    all
};
