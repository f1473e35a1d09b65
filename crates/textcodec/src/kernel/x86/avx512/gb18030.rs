//! Decoding of ASCII and four-byte characters in long runs of code points, in steps of 64 bytes, 16 characters at a time.

use core::arch::x86_64::*;

use super::{
    super::gb18030::{self, Characters, Step},
    vector::*,
};
use crate::kernel::{
    Out,
    each::Each as _,
    tables::four_bytes::{FourByteRuns, HALVES},
};

/// Characters that are converted at a time.
const GROUP: usize = 16;
/// The first byte of each lane.
const FIRSTS: u64 = 0x1111_1111_1111_1111;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(table: &FourByteRuns, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let runs = Runs::new(table);
    gb18030::to_utf16(table, src, out, |src, out| runs.step(src, out))
}

/// [`FourByteRuns::longest`] in vectors.
struct Runs([[__m512i; 3]; 4]);

impl Runs {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &FourByteRuns) -> Self {
        Self(
            table
                .longest
                .each(|run| [run.first, run.len, run.code_point].each(|value| _mm512_set1_epi32(value.into()))),
        )
    }

    /// Converts ASCII and characters in long runs.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, src: &[u8], out: &mut Out<'_, u16>) -> Step {
        let bytes = load_some(src);
        let upper = high_bits(bytes);
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
        let offset = _mm512_sub_epi8(bytes, splat(b'0'));
        let digits = _mm512_cmplt_epu8_mask(offset, splat(10));
        let characters = Characters::find(upper, upper & !is(0x80) & !is(0xFF), digits, src.len());
        characters.convert(out, |starts| {
            let first = starts.trailing_zeros() as usize;
            let group = _pdep_u64(first_n(GROUP), *starts);
            *starts ^= group;
            let four = _pext_u64(characters.four, group);
            // A lane has one byte or four.
            let expanded = (_pdep_u64(four, FIRSTS) * 0xF) | FIRSTS;
            let bytes = _mm512_maskz_expand_epi8(expanded, load_some(&src[first..]));
            self.convert(bytes, four as u32)
        })
    }

    /// Converts 16 characters in lanes of four bytes. Those in `four` use all four, the others only the first. Returns the code
    /// units, and which characters are ASCII or in long runs.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&self, bytes: __m512i, four: u32) -> ([u16; GROUP], u32) {
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
        (half_to_units(_mm512_cvtepi32_epi16(units)), right)
    }
}
