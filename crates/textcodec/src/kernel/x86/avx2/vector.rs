//! Vectors of 32 bytes: loads, stores, masks and compaction.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::partial::{by_copy, load_up_to_32};
pub(crate) use crate::kernel::x86::masks::{first_n, lowest};
use crate::kernel::{
    block::{block_mut, bytes_of},
    compaction,
    each::Each as _,
    simd::{Simd, operations},
    surrogates::Surrogates,
};

/// Bytes of a vector.
pub(crate) const LANES: usize = 32;

/// Code units of a vector.
pub(crate) const UNITS: usize = LANES / 2;

/// Memory for vectors that are stored and then read in parts.
#[repr(align(32))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Proves that the CPU has the features of this level.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

// SAFETY: only `new` creates values, and it needs the features of the level. The functions do what the trait documents.
unsafe impl Simd<LANES> for Avx2 {
    type Vector = __m256i;

    const HAS_MASKS: bool = false;
    const OVERHANG: usize = 16;

    operations!(__m256i, LANES);

    #[inline(always)]
    unsafe fn store_up_to_two_bytes(
        self,
        planes: [__m256i; 2],
        twos: u64,
        len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize {
        // SAFETY: the CPU has the features, as `self` exists. The conditions of `store_up_to_two_bytes` are those of this
        // function.
        unsafe { store_up_to_two_bytes(planes, twos, len, exact, to) }
    }

    #[inline(always)]
    unsafe fn store_up_to_three_bytes(
        self,
        planes: [__m256i; 3],
        masks: [u64; 2],
        len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize {
        // SAFETY: the CPU has the features, as `self` exists. The conditions of `store_up_to_three_bytes` are those of this
        // function.
        unsafe { store_up_to_three_bytes(planes, masks, len, exact, to) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load(bytes: &[u8; LANES]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_some(bytes: &[u8]) -> __m256i {
    match bytes.first_chunk() {
        Some(block) => load(block),
        None => load_up_to_32(bytes),
    }
}

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_half(bytes: &[u8; LANES / 2]) -> __m128i {
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Loads eight code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_half_units(units: &[u16; UNITS / 2]) -> __m128i {
    load_half(bytes_of(units).first_chunk().expect("16 bytes"))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_some_units(units: &[u16]) -> [__m256i; 2] {
    let bytes = bytes_of(units);
    [load_some(bytes), load_some(&bytes[LANES.min(bytes.len())..])]
}

/// Loads 16 code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_unit_block(units: &[u16; UNITS]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

/// Loads 64 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_two(bytes: &[u8; 2 * LANES]) -> [__m256i; 2] {
    let [low, high] = bytes.as_chunks().0 else { unreachable!() };
    [load(low), load(high)]
}

/// Returns the mask of the lanes of two vectors whose high bit is set.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn high_bits_of_two([low, high]: [__m256i; 2]) -> u64 {
    high_bits(low) | high_bits(high) << LANES
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_widened(bytes: &[u8; LANES]) -> [__m256i; 2] {
    let [low, high] = bytes.as_chunks().0 else { unreachable!() };
    [_mm256_cvtepu8_epi16(load_half(low)), _mm256_cvtepu8_epi16(load_half(high))]
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store(bytes: __m256i, to: &mut [MaybeUninit<u8>; LANES]) {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) };
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_units([low, high]: [__m256i; 2], to: &mut [MaybeUninit<u16>; LANES]) {
    let to = to.as_mut_ptr();
    // SAFETY: the array has 64 bytes, and `add` skips 16 code units, which are 32 of them.
    unsafe {
        _mm256_storeu_si256(to.cast(), low);
        _mm256_storeu_si256(to.add(LANES / 2).cast(), high);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some(bytes: __m256i, count: usize, to: &mut [MaybeUninit<u8>]) {
    by_copy(to, count, |to| store(bytes, to));
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some_units(units: [__m256i; 2], count: usize, to: &mut [MaybeUninit<u16>]) {
    by_copy(to, count, |to| store_units(units, to));
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn splat_units(unit: u16) -> __m256i {
    _mm256_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn or(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_zero(bytes: __m256i) -> bool {
    _mm256_testz_si256(bytes, bytes) == 1
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn nonzero(bytes: __m256i) -> u64 {
    high_bits(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) ^ first_n(LANES)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn high_bits(bytes: __m256i) -> u64 {
    _mm256_movemask_epi8(bytes).cast_unsigned().into()
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn high_bits_or_any(bytes: __m256i, [a, b, c]: [__m256i; 3]) -> u64 {
    let is = |byte| _mm256_cmpeq_epi8(bytes, byte);
    high_bits(or(or(bytes, is(a)), or(is(b), is(c))))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn character_starts(utf8: __m256i) -> u64 {
    // As signed numbers, continuation bytes are below all others.
    high_bits(_mm256_cmpgt_epi8(utf8, splat(0xBF)))
}

/// Returns the mask of the lanes that are 0xE0 or above.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn at_least_e0(bytes: __m256i) -> u64 {
    high_bits(_mm256_cmpeq_epi8(bytes, _mm256_max_epu8(bytes, splat(0xE0))))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn where_high(bytes: __m256i, high: __m256i) -> __m256i {
    _mm256_blendv_epi8(bytes, high, bytes)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen(bytes: __m256i) -> [__m256i; 2] {
    let upper = _mm256_extracti128_si256::<1>(bytes);
    [_mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)), _mm256_cvtepu8_epi16(upper)]
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn any_surrogate(units: [__m256i; 4]) -> bool {
    // Surrogates become numbers below 0x800.
    let [a, b, c, d] = units.each(|units| _mm256_sub_epi16(units, splat_units(0xD800)));
    let min = _mm256_min_epu16(_mm256_min_epu16(a, b), _mm256_min_epu16(c, d));
    high_bits(_mm256_cmpeq_epi16(_mm256_max_epu16(min, splat_units(0x800)), min)) != first_n(LANES)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn surrogates(units: [__m256i; 2]) -> Surrogates {
    let [low, high] = units.each(|units| _mm256_and_si256(units, splat_units(0xFC00)));
    let lanes = |kind: u16| {
        let is = |units| _mm256_cmpeq_epi16(units, splat_units(kind));
        high_bits(in_order(_mm256_packs_epi16(is(low), is(high))))
    };
    Surrogates { highs: lanes(0xD800), lows: lanes(0xDC00) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn with_units([low, high]: [__m256i; 2], lanes: u64, unit: u16) -> [__m256i; 2] {
    const BITS: [u16; UNITS] = {
        let mut bits = [1; UNITS];
        let mut n = 0;
        while n < UNITS {
            bits[n] <<= n;
            n += 1;
        }
        bits
    };
    let bits = load_unit_block(&BITS);
    let replaced = |units, lanes: u64| {
        let is_in_lanes = _mm256_cmpeq_epi16(_mm256_and_si256(splat_units(lanes as u16), bits), bits);
        _mm256_blendv_epi8(units, splat_units(unit), is_in_lanes)
    };
    [replaced(low, lanes), replaced(high, lanes >> UNITS)]
}

// Shifts, because the compiler takes a shuffle by constants apart, byte by byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn swapped(units: __m256i) -> __m256i {
    or(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow([low, high]: [__m256i; 2]) -> __m256i {
    in_order(_mm256_packus_epi16(low, high))
}

/// Sorts the lanes that `vpack…` has made of two vectors: those of the first, then those of the second.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn in_order(packed: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn exceeding([low, high]: [__m256i; 2], mask: u16) -> u64 {
    if !any_exceeding(or(low, high), mask) {
        return 0;
    }
    let within = |units| _mm256_cmpeq_epi16(_mm256_and_si256(units, splat_units(!mask)), _mm256_setzero_si256());
    !high_bits(in_order(_mm256_packs_epi16(within(low), within(high)))) & first_n(LANES)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn any_exceeding(units: __m256i, mask: u16) -> bool {
    _mm256_testz_si256(units, splat_units(!mask)) == 0
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_kept(bytes: __m256i, kept: u64, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
    let shuffle = |kept: u8| _mm_cvtsi64_si128(i64::from_le_bytes(compaction::BYTES[usize::from(kept)]));
    let mut at = 0;
    for (n, half) in [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)].into_iter().enumerate() {
        let [low, high] = [(kept >> (16 * n)) as u8, (kept >> (16 * n + 8)) as u8];
        let order = _mm_unpacklo_epi64(shuffle(low), _mm_add_epi8(shuffle(high), _mm_set1_epi8(8)));
        let bytes = _mm_shuffle_epi8(half, order);
        // SAFETY: `at + 8 <= 32`: `at <= 8 * k` before store number `k <= 3`, as each moves it by eight at most.
        unsafe {
            _mm_storel_epi64(block_mut::<_, 8>(to, at).as_mut_ptr().cast(), bytes);
            at += low.count_ones() as usize;
            // Not `_mm_storeh_pd`, which takes a pointer to an aligned `f64`.
            let upper = _mm_unpackhi_epi64(bytes, bytes);
            _mm_storel_epi64(block_mut::<_, 8>(to, at).as_mut_ptr().cast(), upper);
            at += high.count_ones() as usize;
        }
    }
    at
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some_kept(bytes: __m256i, kept: u64, to: &mut [MaybeUninit<u8>]) {
    by_copy(to, kept.count_ones() as usize, |to| {
        store_kept(bytes, kept, to);
    });
}

/// Implements [`Simd::store_up_to_two_bytes`], in groups of eight characters.
///
/// # Safety
/// The same conditions as for [`Simd::store_up_to_two_bytes`].
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn store_up_to_two_bytes(
    [first, second]: [__m256i; 2],
    twos: u64,
    len: usize,
    exact: Option<usize>,
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let eights = quarters([_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)]);
    match exact {
        Some(exact) if to.len() < exact + Avx2::OVERHANG => {
            let mut all = [const { MaybeUninit::uninit() }; 2 * LANES + Avx2::OVERHANG];
            // SAFETY: 32 characters have at most `2 * LANES` bytes.
            unsafe { store_eights(eights, twos as u32, len, &mut all) };
            to[..exact].copy_from_slice(&all[..exact]);
            exact
        }
        // SAFETY: `exact + 16 <= to.len()`, and `exact` is the number of bytes of the first `len` characters. Without `exact`, the
        // caller promises `3 * LANES + 16 <= to.len()`.
        _ => unsafe { store_eights(eights, twos as u32, len, to) },
    }
}

/// Stores groups of eight characters, until the first `len` characters are stored. Returns the number of bytes.
///
/// # Safety
/// `to.len()` is at least 16 more than the number of bytes of the first `len` characters.
// A function: a closure is not inlined, and gets all vectors through memory.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn store_eights(eights: [__m128i; 4], all_twos: u32, len: usize, to: &mut [MaybeUninit<u8>]) -> usize {
    let mut at = 0;
    for (n, characters) in eights.into_iter().enumerate() {
        if 8 * n >= len {
            break;
        }
        let twos = (all_twos >> (8 * n)) as u8;
        let bytes = _mm_shuffle_epi8(characters, load_half(&compaction::PAIRS[usize::from(twos)]));
        // SAFETY: `at + 16 <= to.len()`: `8 * n < len`, so `at` is at most the number of bytes of the first `len` characters.
        unsafe { store_half(bytes, block_mut(to, at)) };
        // Not added to `at`, so that stores do not wait for each other's counts.
        let end = 8 * (n + 1);
        at = end + (all_twos & (u32::MAX >> (32 - end))).count_ones() as usize;
    }
    at
}

/// Implements [`Simd::store_up_to_three_bytes`], in groups of four characters.
///
/// # Safety
/// The same conditions as for [`Simd::store_up_to_three_bytes`].
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn store_up_to_three_bytes(
    [first, second, third]: [__m256i; 3],
    [twos, threes]: [u64; 2],
    len: usize,
    exact: Option<usize>,
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let zero = _mm256_setzero_si256();
    let [low, high] = [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)];
    let [low3, high3] = [_mm256_unpacklo_epi8(third, zero), _mm256_unpackhi_epi8(third, zero)];
    let low = quarters([_mm256_unpacklo_epi16(low, low3), _mm256_unpackhi_epi16(low, low3)]);
    let high = quarters([_mm256_unpacklo_epi16(high, high3), _mm256_unpackhi_epi16(high, high3)]);
    let fours = [low[0], low[1], high[0], high[1], low[2], low[3], high[2], high[3]];
    match exact {
        Some(exact) if to.len() < exact + Avx2::OVERHANG => {
            let mut all = [const { MaybeUninit::uninit() }; 3 * LANES + Avx2::OVERHANG];
            // SAFETY: 32 characters have at most `3 * LANES` bytes.
            unsafe { store_fours(fours, [twos, threes], len, &mut all) };
            to[..exact].copy_from_slice(&all[..exact]);
            exact
        }
        // SAFETY: `exact + 16 <= to.len()`, and `exact` is the number of bytes of the first `len` characters. Without `exact`, the
        // caller promises `3 * LANES + 16 <= to.len()`.
        _ => unsafe { store_fours(fours, [twos, threes], len, to) },
    }
}

/// Stores groups of four characters, until the first `len` characters are stored. Returns the number of bytes.
///
/// # Safety
/// `to.len()` is at least 16 more than the number of bytes of the first `len` characters.
// A function, as `store_eights`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn store_fours(fours: [__m128i; 8], [twos, threes]: [u64; 2], len: usize, to: &mut [MaybeUninit<u8>]) -> usize {
    let mut at = 0;
    for (n, characters) in fours.into_iter().enumerate() {
        if 4 * n >= len {
            break;
        }
        let longer = ((twos >> (4 * n)) & 15 | ((threes >> (4 * n)) & 15) << 4) as u8;
        let bytes = _mm_shuffle_epi8(characters, load_half(&compaction::TRIPLES[usize::from(longer)]));
        // SAFETY: `at + 16 <= to.len()`: `4 * n < len`, so `at` is at most the number of bytes of the first `len` characters.
        unsafe { store_half(bytes, block_mut(to, at)) };
        // As in `store_eights`.
        let end = 4 * (n + 1);
        let before = u64::from(u32::MAX >> (32 - end));
        at = end + ((twos & before).count_ones() + (threes & before).count_ones()) as usize;
    }
    at
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_half(bytes: __m128i, to: &mut [MaybeUninit<u8>; LANES / 2]) {
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), bytes) };
}

/// Stores eight code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_half_units(units: __m128i, to: &mut [MaybeUninit<u16>; UNITS / 2]) {
    // SAFETY: the array has 16 bytes.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), units) };
}

/// Stores 16 code units.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_unit_block(units: __m256i, to: &mut [MaybeUninit<u16>; UNITS]) {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), units) };
}

/// Returns the lower halves of both vectors, then the upper ones. If `vpunpckl…` has made `low` and `vpunpckh…` has made
/// `high`, these are the interleaved lanes in order.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn quarters([low, high]: [__m256i; 2]) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(low),
        _mm256_castsi256_si128(high),
        _mm256_extracti128_si256::<1>(low),
        _mm256_extracti128_si256::<1>(high),
    ]
}
