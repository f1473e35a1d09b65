//! 64 bytes or code units a step; the last step under a mask.

use core::arch::x86_64::{
    __m512i, _mm256_loadu_si256, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cvtepu8_epi16,
    _mm512_extracti64x4_epi64, _mm512_movepi8_mask, _mm512_or_si512, _mm512_packus_epi16, _mm512_permutexvar_epi64,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_setr_epi64, _mm512_test_epi16_mask,
};

use super::vector::{LANES, LONG, RUN, in_runs, load, load_units, one_to_one};
use crate::kernel::Out;

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut read = 0;
    for run in src.as_chunks::<RUN>().0 {
        if !is_ascii(load_run(run)) {
            break;
        }
        read += RUN;
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
    if src.len() >= LONG { copy_long(src, out) } else { one_to_one(src, out, |src| copy_step(src)) }
}

/// A long text that begins with a run of ASCII, which [`copy`] stores aligned, as kernels that convert to and from UTF-8
/// cannot.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn begins_with_run(src: &[u8]) -> bool {
    src.len() >= LONG && src.first_chunk().is_some_and(|run| is_ascii(load_run(run)))
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn copy_long(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let run = |src: &[u8; RUN]| {
        let steps = load_run(src);
        is_ascii(steps).then_some(steps)
    };
    in_runs(src, out, run, |src| copy_step(src))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn copy_step(src: &[u8]) -> (__m512i, u64) {
    let bytes = load(src);
    (bytes, _mm512_movepi8_mask(bytes))
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() >= LONG { to_utf16_long(src, out) } else { one_to_one(src, out, |src| to_utf16_step(src)) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn to_utf16_long(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let run = |src: &[u8; RUN]| is_ascii(load_run(src)).then(|| widen_run(src));
    in_runs(src, out, run, |src| to_utf16_step(src))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn to_utf16_step(src: &[u8]) -> ([__m512i; 2], u64) {
    let bytes = load(src);
    (zero_extend(bytes), _mm512_movepi8_mask(bytes))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn is_ascii([a, b, c, d]: [__m512i; 4]) -> bool {
    _mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) == 0
}

/// A run's vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(crate) fn load_run(src: &[u8; RUN]) -> [__m512i; 4] {
    let part = |n: usize| load(&src[n * LANES..]);
    [part(0), part(1), part(2), part(3)]
}

/// The code units of a run's bytes, which are code points.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn widen_run(src: &[u8; RUN]) -> [[__m512i; 2]; 4] {
    let halves = src.as_chunks::<{ LANES / 2 }>().0;
    // From memory, the upper half of a vector need not be moved down.
    // SAFETY: each half has 32 bytes.
    let half = |n: usize| _mm512_cvtepu8_epi16(unsafe { _mm256_loadu_si256(halves[n].as_ptr().cast()) });
    let part = |n: usize| [half(2 * n), half(2 * n + 1)];
    [part(0), part(1), part(2), part(3)]
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
    pack_up_to::<0x7F>(src, out)
}

/// Code units that have no other bits than those in the mask, which is 0x7F or 0xFF.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn pack_up_to<const MASK: i16>(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() >= LONG { pack_long::<MASK>(src, out) } else { one_to_one(src, out, |src| pack_step::<MASK>(src)) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn pack_long<const MASK: i16>(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    in_runs(src, out, |src| pack_run::<MASK>(src), |src| pack_step::<MASK>(src))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn pack_step<const MASK: i16>(src: &[u16]) -> (__m512i, u64) {
    let units = load_units(src);
    (pack(units), above::<MASK>(units))
}

/// The code units that have other bits than those in the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn above<const MASK: i16>(units: [__m512i; 2]) -> u64 {
    let others = _mm512_set1_epi16(!MASK);
    let [low, high] = [_mm512_test_epi16_mask(units[0], others), _mm512_test_epi16_mask(units[1], others)];
    u64::from(high) << 32 | u64::from(low)
}

/// The bytes of a run's code units, if none has other bits than those in the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(crate) fn pack_run<const MASK: i16>(src: &[u16; RUN]) -> Option<[__m512i; 4]> {
    let part = |n: usize| load_units(&src[n * LANES..]);
    let [a, b, c, d] = [part(0), part(1), part(2), part(3)];
    let any = |[low, high]: [__m512i; 2]| _mm512_or_si512(low, high);
    let all = _mm512_or_si512(_mm512_or_si512(any(a), any(b)), _mm512_or_si512(any(c), any(d)));
    if _mm512_test_epi16_mask(all, _mm512_set1_epi16(!MASK)) != 0 {
        return None;
    }
    Some([pack(a), pack(b), pack(c), pack(d)])
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
