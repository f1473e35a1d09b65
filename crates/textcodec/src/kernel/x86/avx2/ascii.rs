//! 32 bytes or code units a step.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_cvtepu8_epi16,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16, _mm256_packus_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_testz_si256,
};

use super::vector::{LANES, LONG, RUN, in_runs, load, load_half, load_units, one_to_one};
use crate::kernel::Out;

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut read = 0;
    for run in src.as_chunks::<RUN>().0 {
        if !is_ascii(load_run(run)) {
            break;
        }
        read += RUN;
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
    if src.len() >= LONG { copy_long(src, out) } else { one_to_one(src, out, |src| copy_step(src)) }
}

/// A long text that begins with a run of ASCII, which [`copy`] stores aligned, as kernels that convert to and from UTF-8
/// cannot.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn begins_with_run(src: &[u8]) -> bool {
    src.len() >= LONG && src.first_chunk().is_some_and(|run| is_ascii(load_run(run)))
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn copy_long(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let run = |src: &[u8; RUN]| {
        let steps = load_run(src);
        is_ascii(steps).then_some(steps)
    };
    in_runs(src, out, run, |src| copy_step(src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn copy_step(src: &[u8]) -> (__m256i, u32) {
    let bytes = load(src);
    (bytes, not_ascii(bytes))
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() >= LONG { to_utf16_long(src, out) } else { one_to_one(src, out, |src| to_utf16_step(src)) }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn to_utf16_long(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let run = |src: &[u8; RUN]| is_ascii(load_run(src)).then(|| widen_run(src));
    in_runs(src, out, run, |src| to_utf16_step(src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn to_utf16_step(src: &[u8]) -> ([__m256i; 2], u32) {
    let bytes = load(src);
    (zero_extend(bytes), not_ascii(bytes))
}

/// A run's vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn load_run(src: &[u8; RUN]) -> [__m256i; 4] {
    let part = |n: usize| load(&src[n * LANES..]);
    [part(0), part(1), part(2), part(3)]
}

/// The code units of a run's bytes, which are code points.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn widen_run(src: &[u8; RUN]) -> [[__m256i; 2]; 4] {
    let halves = src.as_chunks().0;
    // From memory, the upper half of a vector need not be moved down.
    let half = |n: usize| _mm256_cvtepu8_epi16(load_half(&halves[n]));
    let part = |n: usize| [half(2 * n), half(2 * n + 1)];
    [part(0), part(1), part(2), part(3)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii([a, b, c, d]: [__m256i; 4]) -> bool {
    not_ascii(_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))) == 0
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
    pack_up_to::<0x7F>(src, out)
}

/// Code units that have no other bits than those in the mask, which is 0x7F or 0xFF.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn pack_up_to<const MASK: i16>(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() >= LONG { pack_long::<MASK>(src, out) } else { one_to_one(src, out, |src| pack_step::<MASK>(src)) }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn pack_long<const MASK: i16>(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    in_runs(src, out, |src| pack_run::<MASK>(src), |src| pack_step::<MASK>(src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn pack_step<const MASK: i16>(src: &[u16]) -> (__m256i, u32) {
    let units = load_units(src);
    (pack(units), above(units, MASK))
}

/// The bytes of a run's code units, if none has other bits than those in the mask.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn pack_run<const MASK: i16>(src: &[u16; RUN]) -> Option<[__m256i; 4]> {
    let part = |n: usize| load_units(&src[n * LANES..]);
    let [a, b, c, d] = [part(0), part(1), part(2), part(3)];
    let any = |[low, high]: [__m256i; 2]| _mm256_or_si256(low, high);
    let all = _mm256_or_si256(_mm256_or_si256(any(a), any(b)), _mm256_or_si256(any(c), any(d)));
    if _mm256_testz_si256(all, _mm256_set1_epi16(!MASK)) == 0 {
        return None;
    }
    Some([pack(a), pack(b), pack(c), pack(d)])
}

/// The code units that have other bits than those in `mask`.
#[inline]
#[target_feature(enable = "avx2")]
fn above(units: [__m256i; 2], mask: i16) -> u32 {
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
