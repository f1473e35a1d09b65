//! Encoding in steps of 32 code units: looked up with plain loads, checked together, and the second bytes that single bytes
//! lack are removed.
//!
//! Branches decide how many units a step converts, not arithmetic: when the next step's address waited for this step's
//! look-ups, text of four bytes took three times as long. A kernel from UTF-8 with decoding and look-ups in one step had
//! half the speed of UTF-16 in a block as the pivot: with look-ups at the end of a long chain, the next step cannot begin
//! early.

use core::arch::x86_64::*;

use super::super::{super::look_up, ascii, gb18030_encode, vector::*};
use crate::kernel::{
    Out,
    reference::double_byte::encode as reference,
    tables::{Bases, ToBytes},
};

/// Code units per step.
pub(crate) const STEP: usize = UNITS;
/// After this much ASCII, other characters are likely to be few: cell `encode/gb18030/utf-16/zh_cn-page/4KiB`.
const MUCH_ASCII: usize = 16;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.first().is_some_and(|&unit| table.declines_unit(unit)) {
        return 0;
    }
    let mut read = 0;
    // Before the loop, which has more to set up: ASCII of 200 to 2,048 units takes 0.85 to 0.9 of the time.
    if table.has_ascii() && src.first_chunk::<STEP>().is_some_and(|step| not_ascii(load_some_unit_block(step)) == 0) {
        read = ascii::from_utf16(src, out);
    }
    while read < src.len() && out.spare_len() > 0 {
        let rest = &src[read..];
        let len = rest.len().min(STEP);
        let loaded = load_some_unit_block(rest);
        let ascii = len.min(not_ascii(loaded).trailing_zeros() as usize);
        if table.has_ascii()
            && (ascii >= MUCH_ASCII || ascii == len)
            // SAFETY: only initialised values are stored in the slots.
            && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
        {
            store_half(_mm512_cvtepi16_epi8(loaded), to);
            // SAFETY: `store_half` has written the first 32 spare slots, and `ascii <= len <= STEP`, which is 32.
            unsafe { out.advance(ascii) };
            read += ascii;
            // Cells `encode/*/utf-16/en/4KiB`: three times as fast.
            if ascii == STEP {
                read += ascii::from_utf16(&src[read..], out);
            }
            if table.bases().is_some() && reference::is_isolated_four_byte(table, &src[read..]) {
                read += reference::character_from_utf16(table, &src[read..], out);
            }
            continue;
        }
        let padded;
        let units = match rest.first_chunk() {
            Some(units) => units,
            None => {
                padded = to_units(loaded);
                &padded
            }
        };
        let step = Step::new(table, units, len);
        if step.put(out) {
            read += len;
            continue;
        }
        let converted = match table.bases() {
            Some(bases) if !table.declines_unit(step.first_unmapped(units)) => with_four_bytes(table, bases, rest, out),
            _ => step.put_some(table, units, out),
        };
        read += converted;
        if converted < len {
            break;
        }
    }
    read
}

/// Converts characters of up to four bytes: at least [`STEP`] units, and then as long as steps have characters of four bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn with_four_bytes(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while read < src.len() {
        let (converted, has_four) = gb18030_encode::from_utf16(table, bases, &src[read..], out);
        read += converted;
        if converted == 0 || read >= STEP && !has_four {
            break;
        }
    }
    read
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn not_ascii(units: __m512i) -> u32 {
    _mm512_cmpge_epu16_mask(units, splat_units(0x80))
}

/// Returns the entries of the first `len` units or more.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn entries(table: &ToBytes, units: &[u16; STEP], len: usize) -> __m512i {
    let [a, b, c, d] = units.as_chunks::<8>().0 else { return _mm512_setzero_si512() };
    let a = look_up::entries(table, a);
    if len <= 8 {
        return _mm512_castsi128_si512(a);
    }
    let ab = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), look_up::entries(table, b));
    if len <= 16 {
        return _mm512_castsi256_si512(ab);
    }
    let mut cd = _mm256_castsi128_si256(look_up::entries(table, c));
    if len > 24 {
        cd = _mm256_inserti128_si256::<1>(cd, look_up::entries(table, d));
    }
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(ab), cd)
}

/// Characters after the look-up.
pub(crate) struct Step {
    /// Two bytes per character.
    pub(crate) bytes: __m512i,
    /// The bytes to write.
    keep: u64,
    /// The characters that are mapped.
    pub(crate) mapped: u32,
    len: usize,
}

impl Step {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new(table: &ToBytes, units: &[u16; STEP], len: usize) -> Self {
        let entries = entries(table, units, len);
        let entries = _mm512_and_si512(entries, splat_units(table.kept_bits()));
        let mapped = _mm512_cmpge_epu16_mask(entries, splat_units(ToBytes::MIN_BYTES));
        let swap = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
        let bytes = _mm512_shuffle_epi8(entries, _mm512_broadcast_i32x4(swap));
        // The first byte of each entry, and the second byte if the entry has one.
        let keep = _mm512_test_epi8_mask(bytes, bytes) | 0x5555_5555_5555_5555;
        Self { bytes, keep, mapped, len }
    }

    /// Writes all characters. Writes nothing and returns false if one is unmapped, or if 64 bytes do not fit.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn put(&self, out: &mut Out<'_, u8>) -> bool {
        let lanes = first_n(self.len) as u32;
        if self.mapped & lanes != lanes {
            return false;
        }
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return false };
        let stored = store_kept(self.bytes, self.keep & first_n(2 * self.len), to);
        // SAFETY: `stored <= 64 == to.len()`, and `store_kept` has written that many of the first spare slots.
        unsafe { out.advance(stored) };
        true
    }

    /// Returns the first unit that is not mapped, or U+0000 if all are.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn first_unmapped(&self, units: &[u16; STEP]) -> u16 {
        units.get(self.mapped.trailing_ones() as usize).copied().unwrap_or(0)
    }

    /// Writes the characters up to the first one that is unmapped or does not fit, and returns how many.
    #[cold]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn put_some(&self, table: &ToBytes, units: &[u16; STEP], out: &mut Out<'_, u8>) -> usize {
        let units = load_some_unit_block(units);
        // U+0000 has no entry.
        let nul = if table.has_ascii() { _mm512_testn_epi16_mask(units, units) } else { 0 };
        let len = self.len.min((self.mapped | nul).trailing_ones() as usize);
        let keep = self.keep & first_n(2 * len);
        let (len, count) = fitting::<2>(len, keep, out.spare_len());
        // SAFETY: only initialised values are stored in the slots.
        store_some(compress(self.bytes, keep), count, unsafe { out.spare() });
        // SAFETY: `count <= out.spare_len()`, by `fitting`, so `store_some` has written the first `count` spare slots.
        unsafe { out.advance(count) };
        len
    }
}
