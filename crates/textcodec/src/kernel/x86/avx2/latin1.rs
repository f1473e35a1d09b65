//! Latin-1: the kernels of `x86/latin1.rs`, and a step of each direction.

use core::arch::x86_64::*;

use super::{
    ascii,
    vector::{Avx2, high_bits, load_shifted, load_some, splat},
};
use crate::kernel::simd::Simd as _;

super::super::latin1::kernels!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

/// The two bytes of UTF-8 of bytes that are not ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn encode(bytes: __m256i) -> [__m256i; 2] {
    // As signed numbers, 0xC0 and above are greater than 0xBF among bytes that are not ASCII.
    let upper = _mm256_cmpgt_epi8(bytes, splat(0xBF));
    [_mm256_sub_epi8(splat(0xC2), upper), _mm256_and_si256(bytes, splat(0xBF))]
}

/// The bytes of characters where these begin, and the lanes that begin others.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn decode_step(src: &[u8]) -> (__m256i, u64) {
    let first = load_some(src);
    // A byte is their maximum where it is not less.
    let others = _mm256_cmpeq_epi8(first, _mm256_max_epu8(first, splat(0xC4)));
    (decode(first, load_shifted::<1>(first, src)), high_bits(others))
}

/// ASCII, and the bytes of characters up to U+00FF by their first and last byte of UTF-8.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn decode(first: __m256i, last: __m256i) -> __m256i {
    // The last byte has all bits but one, which is the first byte's lowest.
    let upper = _mm256_and_si256(_mm256_cmpeq_epi8(first, splat(0xC3)), splat(0x40));
    _mm256_blendv_epi8(first, _mm256_or_si256(last, upper), first)
}
