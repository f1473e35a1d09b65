//! Characters of one, two and four bytes, 16 code units a step in lanes of four bytes. A surrogate pair is written by its first
//! lane.

use core::arch::x86_64::*;

use super::{super::look_up, vector::*};
use crate::kernel::{
    Out,
    tables::{Bases, ToBytes},
};

/// Code units a step.
const STEP: usize = 16;
/// The first byte of each lane.
const FIRSTS: u64 = 0x1111_1111_1111_1111;

/// Converts what it can of the first 16 units. Returns how many it took, and whether there were four bytes among them.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> (usize, bool) {
    let len = src.len().min(STEP);
    let loaded = load_some_unit_block(&src[..len]);
    let units = to_units(loaded);
    let loaded = _mm512_castsi512_si256(loaded);
    let [lower, upper, ..] = units.as_chunks::<8>().0 else { return (0, false) };
    let entries = _mm256_set_m128i(look_up::entries(table, upper), look_up::entries(table, lower));
    let bases = _mm256_set_m128i(look_up::bases(bases, upper), look_up::bases(bases, lower));
    let pointers = _mm512_cvtepu16_epi32(_mm256_add_epi16(entries, bases));
    let (units, entries) = (_mm512_cvtepu16_epi32(loaded), _mm512_cvtepu16_epi32(entries));

    let surrogates = |from: i32| {
        _mm512_cmpeq_epi32_mask(_mm512_and_si512(units, _mm512_set1_epi32(0xFC00)), _mm512_set1_epi32(from))
    };
    let (first, second) = (surrogates(0xD800), surrogates(0xDC00));
    let (first, second) = (first & second >> 1, second & first << 1);
    let pointers = _mm512_mask_mov_epi32(pointers, first, pointers_above(units));
    let four = first
        | (_mm512_cmplt_epu32_mask(entries, _mm512_set1_epi32(ToBytes::LEAST.into()))
            & _mm512_test_epi32_mask(entries, entries));
    let mapped = first | second | _mm512_test_epi32_mask(entries, entries) | _mm512_testn_epi32_mask(units, units);
    let swap = _mm_setr_epi8(1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12, -1, -1);
    let bytes = _mm512_shuffle_epi8(entries, _mm512_broadcast_i32x4(swap));
    let bytes = _mm512_mask_mov_epi32(bytes, four, four_bytes(pointers));
    // Of all bytes that are 0, only U+0000 is one.
    let keep = _mm512_test_epi8_mask(bytes, bytes) | (FIRSTS & !_pdep_u64(second.into(), FIRSTS));
    let any = four != 0;
    // A branch, not arithmetic: the next step need not wait for this one.
    if mapped.trailing_ones() as usize >= len
        && let Some(to) = out.spare().first_chunk_mut()
    {
        let stored = store_kept(bytes, keep & first_n(4 * len), to);
        // SAFETY: the `stored` slots are stored.
        unsafe { out.advance(stored) };
        return (len, any);
    }
    let len = len.min(mapped.trailing_ones() as usize);
    let keep = keep & first_n(4 * len);
    let (len, count) = fitting::<4>(len, keep, out.spare_len());
    store_some(compress(bytes, keep), count, out.spare());
    // SAFETY: the `count` slots are stored: `count <= out.spare_len()`, by `fitting`.
    unsafe { out.advance(count) };
    (len, any)
}

/// The pointers of surrogate pairs, in their first lanes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn pointers_above(units: __m512i) -> __m512i {
    let next = _mm512_alignr_epi32::<1>(_mm512_setzero_si512(), units);
    _mm512_add_epi32(_mm512_add_epi32(_mm512_slli_epi32::<10>(units), next), _mm512_set1_epi32(look_up::PAIR_OFFSET))
}

/// The four bytes of pointers. The quotients are exact: pointers have 21 bits, and half of one added keeps each product
/// farther from a whole number than it errs.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn four_bytes(pointers: __m512i) -> __m512i {
    let halves = _mm512_add_ps(_mm512_cvtepi32_ps(pointers), _mm512_set1_ps(0.5));
    let divide = |by: f32| _mm512_cvttps_epi32(_mm512_mul_ps(halves, _mm512_set1_ps(1.0 / by)));
    let (tens, thousands, most) = (divide(10.0), divide(10.0 * 126.0), divide(10.0 * 126.0 * 10.0));
    let times = |n, by: i32| _mm512_mullo_epi32(n, _mm512_set1_epi32(by));
    // Each quotient counts in its own byte, and takes away from the byte below what it stands for.
    let least = _mm512_add_epi32(
        _mm512_slli_epi32::<24>(pointers),
        _mm512_set1_epi32(i32::from_le_bytes([0x81, 0x30, 0x81, 0x30])),
    );
    let middle = _mm512_add_epi32(times(tens, (1 << 16) - (10 << 24)), times(thousands, (1 << 8) - (126 << 16)));
    _mm512_add_epi32(_mm512_add_epi32(least, middle), times(most, 1 - (10 << 8)))
}
