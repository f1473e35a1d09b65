//! Encoding to characters of one, two and four bytes, in steps of 16 code units with lanes of four bytes. The first lane of a
//! surrogate pair writes its bytes.

use core::arch::x86_64::*;

use super::{super::look_up, vector::*};
use crate::kernel::{
    Out,
    tables::{Bases, ToBytes},
};

/// Code units per step.
const STEP: usize = 16;
/// The first byte of each lane.
const FIRSTS: u64 = 0x1111_1111_1111_1111;

/// Converts the first 16 units, up to one that is unmapped or does not fit. Returns how many it read, and whether the step has
/// characters of four bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> (usize, bool) {
    let len = src.len().min(STEP);
    let padded;
    let units = match src.first_chunk() {
        Some(units) => units,
        None => {
            padded = half_to_units(_mm512_castsi512_si256(load_some_unit_block(src)));
            &padded
        }
    };
    let loaded = load_half_units(units);
    let [lower, upper] = units.as_chunks::<8>().0 else { return (0, false) };
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
        | (_mm512_cmplt_epu32_mask(entries, _mm512_set1_epi32(ToBytes::MIN_BYTES.into()))
            & _mm512_test_epi32_mask(entries, entries));
    let mapped = first | second | _mm512_test_epi32_mask(entries, entries) | _mm512_testn_epi32_mask(units, units);
    let swap = _mm_setr_epi8(1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12, -1, -1);
    let bytes = _mm512_shuffle_epi8(entries, _mm512_broadcast_i32x4(swap));
    let bytes = _mm512_mask_mov_epi32(bytes, four, four_bytes(pointers));
    // The first byte of a lane is kept even if it is 0, for U+0000, except in the second lane of a surrogate pair.
    let keep = _mm512_test_epi8_mask(bytes, bytes) | (FIRSTS & !_pdep_u64(second.into(), FIRSTS));
    let has_four = four != 0;
    // A branch instead of arithmetic, so that the next step does not wait for this one.
    if mapped.trailing_ones() as usize >= len
        // SAFETY: only initialised values are stored in the slots.
        && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
    {
        let stored = store_kept(bytes, keep & first_n(4 * len), to);
        // SAFETY: `stored <= 64 == to.len()`, and `store_kept` has written that many of the first spare slots.
        unsafe { out.advance(stored) };
        return (len, has_four);
    }
    let len = len.min(mapped.trailing_ones() as usize);
    let keep = keep & first_n(4 * len);
    let (len, count) = fitting::<4>(len, keep, out.spare_len());
    // SAFETY: only initialised values are stored in the slots.
    store_some(compress(bytes, keep), count, unsafe { out.spare() });
    // SAFETY: `count <= out.spare_len()`, by `fitting`, so `store_some` has written the first `count` spare slots.
    unsafe { out.advance(count) };
    (len, has_four)
}

/// Returns the pointers of surrogate pairs in their first lanes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn pointers_above(units: __m512i) -> __m512i {
    let next = _mm512_alignr_epi32::<1>(_mm512_setzero_si512(), units);
    _mm512_add_epi32(_mm512_add_epi32(_mm512_slli_epi32::<10>(units), next), _mm512_set1_epi32(look_up::PAIR_OFFSET))
}

/// Returns the four bytes of pointers. The quotients are exact: pointers have 21 bits, and the added half keeps each product
/// farther from a whole number than its rounding error.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn four_bytes(pointers: __m512i) -> __m512i {
    let halves = _mm512_add_ps(_mm512_cvtepi32_ps(pointers), _mm512_set1_ps(0.5));
    let divide = |by: f32| _mm512_cvttps_epi32(_mm512_mul_ps(halves, _mm512_set1_ps(1.0 / by)));
    let (third, second, first) = (divide(10.0), divide(10.0 * 126.0), divide(10.0 * 126.0 * 10.0));
    let times = |n, by: i32| _mm512_mullo_epi32(n, _mm512_set1_epi32(by));
    // Each quotient is added to its byte, and its multiple is subtracted from the byte after it.
    let fourth = _mm512_add_epi32(
        _mm512_slli_epi32::<24>(pointers),
        _mm512_set1_epi32(i32::from_le_bytes([0x81, 0x30, 0x81, 0x30])),
    );
    let middle = _mm512_add_epi32(times(third, (1 << 16) - (10 << 24)), times(second, (1 << 8) - (126 << 16)));
    _mm512_add_epi32(_mm512_add_epi32(fourth, middle), times(first, 1 - (10 << 8)))
}
