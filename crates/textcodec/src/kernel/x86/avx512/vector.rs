//! Vectors of 64 bytes: loads and stores under masks, and compaction.

use core::{arch::x86_64::*, mem::MaybeUninit};

pub(crate) use crate::kernel::x86::masks::{first_n, lowest};
use crate::kernel::{
    block::block_mut,
    each::Each as _,
    simd::{Simd, operations},
    surrogates::Surrogates,
};

/// Bytes of a vector.
pub(crate) const LANES: usize = 64;

/// Code units of a vector.
pub(crate) const UNITS: usize = LANES / 2;

/// Proves that the CPU has the features of this level.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

// SAFETY: only `new` creates values, and it needs the features of the level. The functions do what the trait documents.
unsafe impl Simd<LANES> for Avx512 {
    type Vector = __m512i;

    const HAS_MASKS: bool = true;
    const OVERHANG: usize = 0;

    operations!(__m512i, LANES);

    #[inline(always)]
    unsafe fn store_up_to_two_bytes(
        self,
        [first, second]: [__m512i; 2],
        twos: u64,
        _len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize {
        // SAFETY: the CPU has the features, as `self` exists. With `exact`, the caller promises `exact <= to.len()`. Without,
        // it promises `3 * 64 + OVERHANG <= to.len()`, and there are two pieces.
        unsafe { store_pieces(zip_two(first, second, twos), exact, to) }
    }

    #[inline(always)]
    unsafe fn store_up_to_three_bytes(
        self,
        planes: [__m512i; 3],
        _masks: [u64; 2],
        _len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize {
        // SAFETY: the CPU has the features, as `self` exists. With `exact`, the caller promises `exact <= to.len()`. Without,
        // it promises `3 * 64 + OVERHANG <= to.len()`, and there are three pieces.
        unsafe { store_pieces(zip_three(planes), exact, to) }
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load(bytes: &[u8; LANES]) -> __m512i {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_some(bytes: &[u8]) -> __m512i {
    // No branch on the length: at the end of an input it would be mispredicted.
    // SAFETY: the mask has at most the first `bytes.len()` lanes, and a masked load does not access other lanes.
    unsafe { _mm512_maskz_loadu_epi8(first_n(bytes.len()), bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_some_units(units: &[u16]) -> [__m512i; 2] {
    let (lanes, from) = (first_n(units.len()), units.as_ptr().cast::<i16>());
    // SAFETY: together the masks have at most the first `units.len()` lanes, and a masked load does not access other lanes.
    unsafe {
        [
            _mm512_maskz_loadu_epi16(lanes as u32, from),
            _mm512_maskz_loadu_epi16((lanes >> 32) as u32, from.wrapping_add(UNITS)),
        ]
    }
}

/// Loads 32 code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_unit_block(units: &[u16; UNITS]) -> __m512i {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
}

/// Loads 16 code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_half_units(units: &[u16; UNITS / 2]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

/// Loads the first 32 code units, and zeros past the end.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_some_unit_block(units: &[u16]) -> __m512i {
    // SAFETY: the mask has at most the first `units.len()` lanes, and a masked load does not access other lanes.
    unsafe { _mm512_maskz_loadu_epi16(first_n(units.len()) as u32, units.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn load_widened(bytes: &[u8; LANES]) -> [__m512i; 2] {
    let from = bytes.as_ptr();
    // SAFETY: the array has 64 bytes, 32 for each half.
    let [low, high] = unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(LANES / 2).cast())] };
    [_mm512_cvtepu8_epi16(low), _mm512_cvtepu8_epi16(high)]
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store(bytes: __m512i, to: &mut [MaybeUninit<u8>; LANES]) {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), bytes) };
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_units([low, high]: [__m512i; 2], to: &mut [MaybeUninit<u16>; LANES]) {
    let to = to.as_mut_ptr();
    // SAFETY: the array has 128 bytes, and `add` skips 32 code units, which are 64 of them.
    unsafe {
        _mm512_storeu_si512(to.cast(), low);
        _mm512_storeu_si512(to.add(LANES / 2).cast(), high);
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some(bytes: __m512i, count: usize, to: &mut [MaybeUninit<u8>]) {
    // SAFETY: the mask has at most the first `to.len()` lanes, and a masked store does not access other lanes.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), first_n(count.min(to.len())), bytes) };
}

/// Stores 32 bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_half(bytes: __m256i, to: &mut [MaybeUninit<u8>; LANES / 2]) {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) };
}

/// Returns the code units of half a vector.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn half_to_units(units: __m256i) -> [u16; UNITS / 2] {
    let mut array = [0; UNITS / 2];
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), units) };
    array
}

/// Stores 32 code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_unit_block(units: __m512i, to: &mut [MaybeUninit<u16>; UNITS]) {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), units) };
}

/// Stores the first `count` of 32 bytes, or as many as `to` holds.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some_half(bytes: __m256i, count: usize, to: &mut [MaybeUninit<u8>]) {
    // SAFETY: the mask has at most the first `to.len()` lanes, and a masked store does not access other lanes.
    unsafe { _mm256_mask_storeu_epi8(to.as_mut_ptr().cast(), first_n(count.min(to.len())) as u32, bytes) };
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some_units([low, high]: [__m512i; 2], count: usize, to: &mut [MaybeUninit<u16>]) {
    let lanes = first_n(count.min(to.len()));
    let to = to.as_mut_ptr().cast::<i16>();
    // SAFETY: together the masks have at most the first `to.len()` lanes, and a masked store does not access other lanes.
    unsafe {
        _mm512_mask_storeu_epi16(to, lanes as u32, low);
        _mm512_mask_storeu_epi16(to.wrapping_add(LANES / 2), (lanes >> 32) as u32, high);
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn splat_units(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn or(a: __m512i, b: __m512i) -> __m512i {
    _mm512_or_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_zero(bytes: __m512i) -> bool {
    nonzero(bytes) == 0
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn nonzero(bytes: __m512i) -> u64 {
    _mm512_test_epi8_mask(bytes, bytes)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn high_bits(bytes: __m512i) -> u64 {
    _mm512_movepi8_mask(bytes)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn high_bits_or_any(bytes: __m512i, [a, b, c]: [__m512i; 3]) -> u64 {
    let is = |byte| _mm512_cmpeq_epi8_mask(bytes, byte);
    high_bits(bytes) | is(a) | is(b) | is(c)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn character_starts(utf8: __m512i) -> u64 {
    // As signed numbers, continuation bytes are below all others.
    _mm512_cmpge_epi8_mask(utf8, splat(0xC0))
}

/// Returns the mask of the lanes that are 0xE0 or above.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn at_least_e0(bytes: __m512i) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, splat(0xE0))
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn where_high(bytes: __m512i, high: __m512i) -> __m512i {
    _mm512_mask_mov_epi8(bytes, high_bits(bytes), high)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widen(bytes: __m512i) -> [__m512i; 2] {
    let upper = _mm512_extracti64x4_epi64::<1>(bytes);
    [_mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)), _mm512_cvtepu8_epi16(upper)]
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn any_surrogate(units: [__m512i; 4]) -> bool {
    /// The operation `a & b ^ c`.
    const AND_XOR: i32 = 0xF0 & 0xCC ^ 0xAA;
    // 0 in the lanes of surrogates.
    let [a, b, c, d] =
        units.each(|units| _mm512_ternarylogic_epi64::<AND_XOR>(units, splat_units(0xF800), splat_units(0xD800)));
    let min = _mm512_min_epu16(_mm512_min_epu16(a, b), _mm512_min_epu16(c, d));
    _mm512_testn_epi16_mask(min, min) != 0
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn surrogates(units: [__m512i; 2]) -> Surrogates {
    let [low, high] = units.each(|units| _mm512_and_si512(units, splat_units(0xFC00)));
    let lanes = |kind: u16| {
        let is = |units| u64::from(_mm512_cmpeq_epi16_mask(units, splat_units(kind)));
        is(low) | is(high) << UNITS
    };
    Surrogates { highs: lanes(0xD800), lows: lanes(0xDC00) }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn with_units([low, high]: [__m512i; 2], lanes: u64, unit: u16) -> [__m512i; 2] {
    let unit = splat_units(unit);
    [_mm512_mask_mov_epi16(low, lanes as u32, unit), _mm512_mask_mov_epi16(high, (lanes >> UNITS) as u32, unit)]
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn swapped(units: __m512i) -> __m512i {
    _mm512_shuffle_epi8(units, _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001))
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn narrow([low, high]: [__m512i; 2]) -> __m512i {
    in_order(_mm512_packus_epi16(low, high))
}

/// Sorts the lanes that `vpack…` has made of two vectors: those of the first, then those of the second.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn in_order(packed: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn exceeding([low, high]: [__m512i; 2], mask: u16) -> u64 {
    let exceeding = |units| u64::from(_mm512_test_epi16_mask(units, splat_units(!mask)));
    exceeding(high) << 32 | exceeding(low)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn any_exceeding(units: __m512i, mask: u16) -> bool {
    _mm512_test_epi16_mask(units, splat_units(!mask)) != 0
}

/// Returns the mask of the lanes in a mask without gaps, and zeros after them.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn compress(bytes: __m512i, kept: u64) -> __m512i {
    // To a register: the form with a memory operand is slow on Zen 4.
    _mm512_maskz_compress_epi8(kept, bytes)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_kept(bytes: __m512i, kept: u64, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
    store(compress(bytes, kept), to);
    kept.count_ones() as usize
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn store_some_kept(bytes: __m512i, kept: u64, to: &mut [MaybeUninit<u8>]) {
    store_some(compress(bytes, kept), kept.count_ones() as usize, to);
}

/// Returns how many of `len` characters fit into `spare_len` bytes, and how many bytes they have, which is at most `spare_len`.
/// Each character has a lane of `N` bytes, of which those in `keep` are stored.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn fitting<const N: u32>(len: usize, keep: u64, spare_len: usize) -> (usize, usize) {
    let count = keep.count_ones() as usize;
    if count <= spare_len {
        return (len, count);
    }
    // The lane of the first byte that does not fit.
    let fit = _pdep_u64(1 << spare_len, keep).trailing_zeros() / N;
    (fit as usize, _bzhi_u64(keep, N * fit).count_ones() as usize)
}

/// Interleaves the bytes of two vectors.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn zip(first: __m512i, second: __m512i) -> [__m512i; 2] {
    zip_quarters(in_quarters(first), in_quarters(second))
}

/// Orders bytes as [`zip_quarters`] needs them: in each 16 bytes, eight of the first half and eight of the second half.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn in_quarters(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// Interleaves the bytes of two vectors that are [`in_quarters`].
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn zip_quarters(first: __m512i, second: __m512i) -> [__m512i; 2] {
    [_mm512_unpacklo_epi8(first, second), _mm512_unpackhi_epi8(first, second)]
}

/// Interleaves the bytes of two planes. Also returns which bytes to keep: all of the first plane, and those of the second in
/// `twos`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn zip_two(first: __m512i, second: __m512i, twos: u64) -> [(__m512i, u64); 2] {
    const FIRSTS: u64 = 0x5555_5555_5555_5555;
    let [low, high] = zip(first, second);
    [(low, _pdep_u64(twos, !FIRSTS) | FIRSTS), (high, _pdep_u64(twos >> 32, !FIRSTS) | FIRSTS)]
}

/// Interleaves the bytes of three planes. Also returns which bytes to keep: all of the first plane, and those of the others
/// whose high bit is set. A character without such a byte has 0 in the plane.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn zip_three([first, second, third]: [__m512i; 3]) -> [(__m512i, u64); 3] {
    let piece = |n: usize| {
        let bytes = _mm512_permutex2var_epi8(first, load(&ZIP_THREE[n][0]), second);
        let bytes = _mm512_mask_permutexvar_epi8(bytes, every_third(2, n), load(&ZIP_THREE[n][1]), third);
        (bytes, every_third(0, n) | high_bits(bytes))
    };
    [piece(0), piece(1), piece(2)]
}

/// Returns which bytes of the `n`-th vector of three come from a plane.
const fn every_third(plane: usize, n: usize) -> u64 {
    const FIRSTS: u64 = 0x9249_2492_4924_9249;
    // 64 is one more than a multiple of three.
    FIRSTS << ((plane + 2 * n) % 3)
}

/// Indexes of 192 bytes, of which number `n` is byte `n / 3` of plane `n % 3`: into the first two planes together, and into the
/// third.
static ZIP_THREE: [[[u8; LANES]; 2]; 3] = {
    let mut all = [[[0; LANES]; 2]; 3];
    let mut n = 0;
    while n < 3 * LANES {
        let lane = n / 3;
        all[n / LANES][0][n % LANES] = (if n % 3 == 1 { LANES + lane } else { lane }) as u8;
        all[n / LANES][1][n % LANES] = lane as u8;
        n += 1;
    }
    all
};

/// Stores the bytes to keep of all vectors without gaps, or the first `exact` of them. Returns how many there are to keep.
///
/// # Safety
/// With `exact`, `exact <= to.len()`; without, `to.len() >= N * 64`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn store_pieces<const N: usize>(
    pieces: [(__m512i, u64); N],
    exact: Option<usize>,
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let mut at = 0;
    for (bytes, kept) in pieces {
        let piece = compress(bytes, kept);
        match exact {
            // SAFETY: `at + 64 <= N * 64`: each piece before this one has at most 64 bytes. The caller promises
            // `N * 64 <= to.len()`.
            None => store(piece, unsafe { block_mut(to, at) }),
            Some(exact) => {
                let to = to.as_mut_ptr().wrapping_add(at);
                // SAFETY: the mask has at most the first `exact - at` lanes, and none for `exact <= at`. A masked store does
                // not access other lanes, and the caller promises `exact <= to.len()`.
                unsafe { _mm512_mask_storeu_epi8(to.cast(), first_n(exact.saturating_sub(at)), piece) };
            }
        }
        at += kept.count_ones() as usize;
    }
    at
}
