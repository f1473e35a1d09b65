//! 32 bytes or code units a step.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_sub_epi8,
};

use crate::kernel::{
    Out,
    ascii::avx2::{above, pack, zero_extend},
    avx2::{self, load, load_behind, load_units, one_to_one},
};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    avx2::to_utf8(src, out, |bytes, _| (two(bytes), 0), |_| _mm256_setzero_si256())
}

/// The two bytes of UTF-8 of those that are not ASCII.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn two(bytes: __m256i) -> [__m256i; 2] {
    // As signed numbers, 0xC0 and above are greater than 0xBF among those that are not ASCII.
    let upper = _mm256_cmpgt_epi8(bytes, byte(0xBF));
    [_mm256_sub_epi8(byte(0xC2), upper), _mm256_and_si256(bytes, byte(0xBF))]
}

#[inline]
#[target_feature(enable = "avx2")]
fn byte(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
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
    avx2::from_utf8(src, out, |src| {
        let first = load(src);
        // Where a byte is not less than the least wrong one, it is their maximum.
        let wrong = _mm256_cmpeq_epi8(first, _mm256_max_epu8(first, byte(0xC4)));
        let bytes = one(first, load_behind::<1>(first, src));
        (bytes, _mm256_movemask_epi8(wrong).cast_unsigned())
    })
}

/// ASCII, and the bytes of characters up to U+00FF by their first and last byte.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn one(first: __m256i, last: __m256i) -> __m256i {
    // The last one is all of the byte but a bit of the first.
    let upper = _mm256_and_si256(_mm256_cmpeq_epi8(first, byte(0xC3)), byte(0x40));
    _mm256_blendv_epi8(first, _mm256_or_si256(last, upper), first)
}
