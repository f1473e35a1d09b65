//! ASCII and four bytes in long runs of code points, 64 bytes a step and 16 characters at a time; others one by one.

use core::arch::x86_64::*;

use super::{super::masks::FourByteMasks, vector::*};
use crate::kernel::{
    Out,
    reference::gb18030 as reference,
    tables::four_bytes::{FourByteRuns, HALVES},
};

/// Bytes that a step sees.
const STEP: usize = 64;
/// Characters that are converted at a time.
const CHARACTERS: u32 = 16;
/// The first byte of each lane.
const FIRSTS: u64 = 0x1111_1111_1111_1111;

/// A step that converts fewer bytes is not worth another one.
const FEW: usize = 16;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(table: &FourByteRuns, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let runs = Runs::new(table);
    let mut read = 0;
    while read < src.len() {
        let rest = &src[read..];
        let bytes = load_some(rest);
        let upper = high_bits(bytes);
        if upper == 0
            && rest.len() >= STEP
            && let Some(to) = out.spare().first_chunk_mut()
        {
            store_units(widen(bytes), to);
            // SAFETY: the 64 slots are stored.
            unsafe { out.advance(STEP) };
            read += STEP;
            continue;
        }
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
        let offset = _mm512_sub_epi8(bytes, splat(b'0'));
        let digits = _mm512_cmplt_epu8_mask(offset, splat(10));
        let masks = FourByteMasks::find(upper, upper & !is(0x80) & !is(0xFF), digits, rest.len());

        let (mut chars, mut end) = (masks.chars, masks.end);
        while chars != 0 {
            let place = chars.trailing_zeros();
            let some = _pdep_u64(first_n(CHARACTERS as usize), chars);
            let four = _pext_u64(masks.four, some);
            // A lane has one byte or four.
            let expanded = (_pdep_u64(four, FIRSTS) * 0xF) | FIRSTS;
            let (units, right) =
                runs.convert(_mm512_maskz_expand_epi8(expanded, load_some(&rest[place as usize..])), four as u32);
            let units = _mm512_cvtepi32_epi16(units);
            let count = right.trailing_ones().min(some.count_ones());
            let spare_len = out.spare_len().min(STEP) as u32;
            store_some_half_units(units, CHARACTERS as usize, out.spare());
            let done = count.min(spare_len);
            // SAFETY: the first `CHARACTERS` slots are stored, or all there are, and `done` is no more than either.
            unsafe { out.advance(done as usize) };
            chars ^= some;
            if done < some.count_ones() {
                // The first that is not in a long run, or does not fit.
                end = _pdep_u64(1 << done, some).trailing_zeros() as usize;
                if done < count {
                    return read + end;
                }
                break;
            }
        }
        read += end;
        if end < masks.end || !masks.is_all {
            let one = reference::character(table, &src[read..], out);
            read += one;
            // Where only few are in long runs, to convert them one by one is faster.
            if one == 0 || end < FEW {
                return read;
            }
        }
    }
    read
}

/// [`FourByteRuns::longest`] in vectors.
struct Runs([[__m512i; 3]; 4]);

impl Runs {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &FourByteRuns) -> Self {
        Self(table.longest.map(|run| [run.first, run.len, run.code_point].map(|value| _mm512_set1_epi32(value.into()))))
    }

    /// 16 characters in lanes of four bytes, and which of them are ASCII or in long runs; `four` says which have four.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&self, bytes: __m512i, four: u32) -> (__m512i, u32) {
        let all = |value: u32| _mm512_set1_epi32(value.cast_signed());
        let digits = _mm512_sub_epi8(bytes, all(u32::from_le_bytes([0x81, b'0', 0x81, b'0'])));
        let halves = _mm512_maddubs_epi16(digits, all(u32::from_le_bytes([10, 1, 10, 1])));
        let pointers = _mm512_madd_epi16(halves, all(1 << 16 | u32::from(HALVES)));
        let (mut units, mut right) = (bytes, !four);
        for [first, len, code_point] in self.0 {
            let offset = _mm512_sub_epi32(pointers, first);
            let within = _mm512_cmplt_epu32_mask(offset, len) & four as u16;
            units = _mm512_mask_add_epi32(units, within, offset, code_point);
            right |= u32::from(within);
            if right == u32::MAX {
                break;
            }
        }
        (units, right)
    }
}
