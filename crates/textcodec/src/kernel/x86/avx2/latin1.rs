//! Latin-1: the kernels of `x86/latin1.rs`, and their steps from and to UTF-8.

use core::arch::x86_64::*;

use super::{
    ascii,
    vector::{Avx2, high_bits, load_some, splat},
};
use crate::kernel::simd::Simd as _;

super::super::latin1::kernels!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

/// Returns the two bytes of UTF-8 of bytes that are not ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn encode(bytes: __m256i) -> [__m256i; 2] {
    // A signed comparison: among bytes that are not ASCII, those from 0xC0 on are greater than 0xBF.
    let upper = _mm256_cmpgt_epi8(bytes, splat(0xBF));
    [_mm256_sub_epi8(splat(0xC2), upper), _mm256_and_si256(bytes, splat(0xBF))]
}

/// Returns the bytes of characters in the lanes where they begin, and the lanes where characters above U+00FF begin.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn decode_step(src: &[u8]) -> (__m256i, u64) {
    let first = load_some(src);
    // AVX2 lacks unsigned comparisons: a byte is the maximum if it is not less.
    let others = _mm256_cmpeq_epi8(first, _mm256_max_epu8(first, splat(0xC4)));
    (decode(first, load_some(&src[1..])), high_bits(others))
}

/// Returns ASCII, and the bytes of characters up to U+00FF, given the first and the last byte of their UTF-8.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn decode(first: __m256i, last: __m256i) -> __m256i {
    // The last byte lacks one bit, which is the lowest bit of the first byte.
    let upper = _mm256_and_si256(_mm256_cmpeq_epi8(first, splat(0xC3)), splat(0x40));
    _mm256_blendv_epi8(first, _mm256_or_si256(last, upper), first)
}
