//! 32 bytes or code units a step.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_cvtepu8_epi16,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16, _mm256_packus_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_testz_si256,
};

use crate::kernel::{
    Out,
    avx2::{LANES, load, load_units, one_to_one},
};

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut read = 0;
    for step in src.as_chunks::<{ 4 * LANES }>().0 {
        let part = |n: usize| load(&step[n * LANES..]);
        let all = _mm256_or_si256(_mm256_or_si256(part(0), part(1)), _mm256_or_si256(part(2), part(3)));
        if _mm256_movemask_epi8(all) != 0 {
            break;
        }
        read += 4 * LANES;
    }
    while read < src.len() {
        let mask = not_ascii(load(&src[read..]));
        if mask != 0 {
            return read + mask.trailing_zeros() as usize;
        }
        read += LANES;
    }
    src.len()
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn prefix_without(excluded: [u8; 3], src: &[u8]) -> usize {
    let byte = |n: usize| _mm256_set1_epi8(excluded[n].cast_signed());
    let excluded = [byte(0), byte(1), byte(2)];
    let mut read = 0;
    while read < src.len() {
        let bytes = load(&src[read..]);
        let is = |n: usize| _mm256_cmpeq_epi8(bytes, excluded[n]);
        let wrong = _mm256_or_si256(_mm256_or_si256(bytes, is(0)), _mm256_or_si256(is(1), is(2)));
        let mask = not_ascii(wrong);
        if mask != 0 {
            return src.len().min(read + mask.trailing_zeros() as usize);
        }
        read += LANES;
    }
    src.len()
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let step = |src: &[u8]| {
        let bytes = load(src);
        (bytes, not_ascii(bytes))
    };
    one_to_one(src, out, step)
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let step = |src: &[u8]| {
        let bytes = load(src);
        (zero_extend(bytes), not_ascii(bytes))
    };
    one_to_one(src, out, step)
}

#[inline]
#[target_feature(enable = "avx2")]
fn not_ascii(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes).cast_unsigned()
}

/// The code units of bytes that are code points.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn zero_extend(bytes: __m256i) -> [__m256i; 2] {
    let upper = _mm256_extracti128_si256::<1>(bytes);
    [_mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)), _mm256_cvtepu8_epi16(upper)]
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let step = |src: &[u16]| {
        let units = load_units(src);
        (pack(units), above(units, 0x7F))
    };
    one_to_one(src, out, step)
}

/// The code units that have other bits than those in `mask`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn above(units: [__m256i; 2], mask: i16) -> u32 {
    let others = _mm256_set1_epi16(!mask);
    if _mm256_testz_si256(_mm256_or_si256(units[0], units[1]), others) == 1 {
        return 0;
    }
    let none = |units| _mm256_cmpeq_epi16(_mm256_and_si256(units, others), _mm256_setzero_si256());
    let none = in_order(_mm256_packs_epi16(none(units[0]), none(units[1])));
    !_mm256_movemask_epi8(none).cast_unsigned()
}

/// The bytes of code units up to U+00FF.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn pack(units: [__m256i; 2]) -> __m256i {
    in_order(_mm256_packus_epi16(units[0], units[1]))
}

/// What `vpack…` has made of two vectors, the first one's before the second one's.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn in_order(packed: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}
