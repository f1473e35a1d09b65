//! 64 bytes or code units a step; the last step under a mask.

use core::arch::x86_64::{
    __m512i, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64,
    _mm512_loadu_si512, _mm512_movepi8_mask, _mm512_or_si512, _mm512_packus_epi16, _mm512_permutexvar_epi64,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_setr_epi64, _mm512_test_epi16_mask,
};

use crate::kernel::{
    Out,
    avx512::{LANES, load, load_units, one_to_one},
};

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut read = 0;
    for step in src.as_chunks::<{ 4 * LANES }>().0 {
        let from = step.as_ptr();
        // SAFETY: four times 64 bytes are in the step.
        let part = |n: usize| unsafe { _mm512_loadu_si512(from.wrapping_add(n * LANES).cast()) };
        let all = _mm512_or_si512(_mm512_or_si512(part(0), part(1)), _mm512_or_si512(part(2), part(3)));
        if _mm512_movepi8_mask(all) != 0 {
            break;
        }
        read += 4 * LANES;
    }
    while read < src.len() {
        let mask = _mm512_movepi8_mask(load(&src[read..]));
        if mask != 0 {
            return read + mask.trailing_zeros() as usize;
        }
        read += LANES;
    }
    src.len()
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn prefix_without(excluded: [u8; 3], src: &[u8]) -> usize {
    let excluded = excluded.map(|byte| _mm512_set1_epi8(byte.cast_signed()));
    let mut read = 0;
    while read < src.len() {
        let bytes = load(&src[read..]);
        let mask =
            excluded.iter().fold(_mm512_movepi8_mask(bytes), |mask, &byte| mask | _mm512_cmpeq_epi8_mask(bytes, byte));
        if mask != 0 {
            return src.len().min(read + mask.trailing_zeros() as usize);
        }
        read += LANES;
    }
    src.len()
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn copy(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let step = |src: &[u8]| {
        let bytes = load(src);
        (bytes, _mm512_movepi8_mask(bytes))
    };
    one_to_one(src, out, step)
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let step = |src: &[u8]| {
        let bytes = load(src);
        (zero_extend(bytes), _mm512_movepi8_mask(bytes))
    };
    one_to_one(src, out, step)
}

/// The code units of bytes that are code points.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn zero_extend(bytes: __m512i) -> [__m512i; 2] {
    let upper = _mm512_extracti64x4_epi64::<1>(bytes);
    [_mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)), _mm512_cvtepu8_epi16(upper)]
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let step = |src: &[u16]| {
        let units = load_units(src);
        (pack(units), above(units, 0x7F))
    };
    one_to_one(src, out, step)
}

/// The code units that have other bits than those in `mask`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn above(units: [__m512i; 2], mask: i16) -> u64 {
    let others = _mm512_set1_epi16(!mask);
    let [low, high] = [_mm512_test_epi16_mask(units[0], others), _mm512_test_epi16_mask(units[1], others)];
    u64::from(high) << 32 | u64::from(low)
}

/// The bytes of code units up to U+00FF.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn pack(units: [__m512i; 2]) -> __m512i {
    in_order(_mm512_packus_epi16(units[0], units[1]))
}

/// What `vpack…` has made of two vectors, the first one's before the second one's.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn in_order(packed: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}
