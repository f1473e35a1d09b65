//! 64 bytes or code units a step; the last step under a mask.

use core::arch::x86_64::{
    _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask, _mm512_cmpgt_epu8_mask, _mm512_mask_add_epi8,
    _mm512_mask_mov_epi8, _mm512_set1_epi8, _mm512_setzero_si512,
};

use crate::kernel::{
    Out,
    ascii::avx512::{above, pack, zero_extend},
    avx512::{self, load, load_units, one_to_one},
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let byte = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    avx512::to_utf8(src, out, |bytes, _| {
        let first = _mm512_mask_mov_epi8(byte(0xC2), _mm512_cmpge_epu8_mask(bytes, byte(0xC0)), byte(0xC3));
        let second = _mm512_and_si512(bytes, byte(0xBF));
        ([first, second, _mm512_setzero_si512()], 0)
    })
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    one_to_one(src, out, |src: &[u8]| (zero_extend(load(src)), 0))
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let step = |src: &[u16]| {
        let units = load_units(src);
        (pack(units), above(units, 0xFF))
    };
    one_to_one(src, out, step)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>) -> usize {
    let byte = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    avx512::from_utf8(src, out, |src| {
        let first = load(src);
        // All of the byte but a bit of the first.
        let last = load(&src[1.min(src.len())..]);
        let last = _mm512_mask_add_epi8(last, _mm512_cmpeq_epi8_mask(first, byte(0xC3)), last, byte(0x40));
        let wrong = _mm512_cmpgt_epu8_mask(first, byte(0xC3));
        (_mm512_mask_mov_epi8(first, _mm512_cmpge_epu8_mask(first, byte(0xC0)), last), wrong)
    })
}
