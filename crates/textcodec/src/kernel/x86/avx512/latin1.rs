//! Latin-1: the kernels of `x86/latin1.rs`, and their steps from and to UTF-8.

use core::arch::x86_64::*;

use super::{
    ascii,
    vector::{Avx512, load_some, splat},
};
use crate::kernel::simd::Simd as _;

super::super::latin1::kernels!(Avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");

/// Returns the two bytes of UTF-8 of bytes that are not ASCII.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode(bytes: __m512i) -> [__m512i; 2] {
    let first = _mm512_mask_mov_epi8(splat(0xC2), _mm512_cmpge_epu8_mask(bytes, splat(0xC0)), splat(0xC3));
    [first, _mm512_and_si512(bytes, splat(0xBF))]
}

/// Returns the bytes of characters in the lanes where they begin, and the lanes where characters above U+00FF begin.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn decode_step(src: &[u8]) -> (__m512i, u64) {
    let first = load_some(src);
    let others = _mm512_cmpgt_epu8_mask(first, splat(0xC3));
    (decode(first, load_some(&src[1.min(src.len())..])), others)
}

/// Returns ASCII, and the bytes of characters up to U+00FF, given the first and the last byte of their UTF-8.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn decode(first: __m512i, last: __m512i) -> __m512i {
    // The last byte lacks one bit, which is the lowest bit of the first byte.
    let last = _mm512_mask_add_epi8(last, _mm512_cmpeq_epi8_mask(first, splat(0xC3)), last, splat(0x40));
    _mm512_mask_mov_epi8(first, _mm512_cmpge_epu8_mask(first, splat(0xC0)), last)
}
