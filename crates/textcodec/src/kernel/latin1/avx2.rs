//! 32 bytes or code units a step.

use core::arch::x86_64::{
    _mm256_add_epi8, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_max_epu8,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_sub_epi8,
};

use crate::kernel::{
    Out,
    ascii::avx2::{above, pack, zero_extend},
    avx2::{self, load, load_units, one_to_one},
};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let byte = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let two = |bytes, _| {
        // As signed numbers, 0xC0 and above are greater than 0xBF among those that are not ASCII.
        let upper = _mm256_cmpgt_epi8(bytes, byte(0xBF));
        ([_mm256_sub_epi8(byte(0xC2), upper), _mm256_and_si256(bytes, byte(0xBF))], 0)
    };
    avx2::to_utf8(src, out, two, |_| _mm256_setzero_si256())
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    one_to_one(src, out, |src: &[u8]| (zero_extend(load(src)), 0))
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let step = |src: &[u16]| {
        let units = load_units(src);
        (pack(units), above(units, 0xFF))
    };
    one_to_one(src, out, step)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>) -> usize {
    let byte = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    avx2::from_utf8(src, out, |src| {
        let first = load(src);
        // All of the byte but a bit of the first.
        let last = load(&src[1.min(src.len())..]);
        let upper = _mm256_and_si256(_mm256_cmpeq_epi8(first, byte(0xC3)), byte(0x40));
        let last = _mm256_add_epi8(last, upper);
        // Where a byte is not less than the least wrong one, it is their maximum.
        let wrong = _mm256_cmpeq_epi8(first, _mm256_max_epu8(first, byte(0xC4)));
        let ascii = _mm256_cmpeq_epi8(first, _mm256_min_epu8(first, byte(0x7F)));
        (_mm256_blendv_epi8(last, first, ascii), _mm256_movemask_epi8(wrong).cast_unsigned())
    })
}
