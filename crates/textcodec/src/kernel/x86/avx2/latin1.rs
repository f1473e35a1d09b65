//! 32 bytes or code units a step.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_sub_epi8,
};

use super::{
    ascii::{self, pack_up_to, widen_run, zero_extend},
    vector::{self, LONG, in_runs, load, load_behind, one_to_one},
};
use crate::kernel::Out;

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if ascii::begins_with_run(src) {
        return to_utf8_behind_run(src, out);
    }
    vector::to_utf8(src, out, |bytes, _| (two(bytes), 0), |_| _mm256_setzero_si256())
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn to_utf8_behind_run(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src, out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + to_utf8(&src[run..], out) }
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
    let step = |src: &[u8]| (zero_extend(load(src)), 0);
    if src.len() >= LONG { to_utf16_long(src, out) } else { one_to_one(src, out, step) }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn to_utf16_long(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    in_runs(src, out, |src| Some(widen_run(src)), |src| (zero_extend(load(src)), 0))
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    pack_up_to::<0xFF>(src, out)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>) -> usize {
    if ascii::begins_with_run(src.as_bytes()) {
        return from_utf8_behind_run(src, out);
    }
    vector::from_utf8(src, out, |src| {
        let first = load(src);
        // Where a byte is not less than the least wrong one, it is their maximum.
        let wrong = _mm256_cmpeq_epi8(first, _mm256_max_epu8(first, byte(0xC4)));
        let bytes = one(first, load_behind::<1>(first, src));
        (bytes, _mm256_movemask_epi8(wrong).cast_unsigned())
    })
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn from_utf8_behind_run(src: &str, out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src.as_bytes(), out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + from_utf8(&src[run..], out) }
}

/// ASCII, and the bytes of characters up to U+00FF by their first and last byte.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn one(first: __m256i, last: __m256i) -> __m256i {
    // The last one is all of the byte but a bit of the first.
    let upper = _mm256_and_si256(_mm256_cmpeq_epi8(first, byte(0xC3)), byte(0x40));
    _mm256_blendv_epi8(first, _mm256_or_si256(last, upper), first)
}
