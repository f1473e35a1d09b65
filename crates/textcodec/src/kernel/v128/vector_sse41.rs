//! SSE4.1, which includes SSSE3 and its shuffle.
//!
//! The docs of the operations apply to `vector_neon.rs` and `vector_simd128.rs` too.

use core::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_adds_epu8, _mm_alignr_epi8, _mm_and_si128, _mm_andnot_si128, _mm_blendv_epi8,
    _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128,
    _mm_packs_epi16, _mm_packus_epi16, _mm_set1_epi8, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_slli_epi16, _mm_srli_epi16, _mm_storeu_si128, _mm_subs_epu8, _mm_testz_si128, _mm_unpackhi_epi8,
    _mm_unpackhi_epi16, _mm_unpacklo_epi8, _mm_unpacklo_epi16, _mm_xor_si128,
};
use core::mem::MaybeUninit;

/// 16 bytes, or eight code units in little-endian order.
#[derive(Clone, Copy)]
pub(super) struct Vector(__m128i);

impl Vector {
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the array has 16 bytes.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn load_units(units: &[u16; 8]) -> Self {
        // SAFETY: the array has 16 bytes.
        Self(unsafe { _mm_loadu_si128(units.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn store(self, to: &mut [MaybeUninit<u8>; 16]) {
        // SAFETY: the array has 16 bytes.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn store_units(self, to: &mut [MaybeUninit<u16>; 8]) {
        // SAFETY: the array has 16 bytes.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zero() -> Self {
        Self(_mm_setzero_si128())
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn splat(byte: u8) -> Self {
        Self(_mm_set1_epi8(byte.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn splat_units(unit: u16) -> Self {
        Self(_mm_set1_epi16(unit.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn and(self, other: Self) -> Self {
        Self(_mm_and_si128(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn or(self, other: Self) -> Self {
        Self(_mm_or_si128(self.0, other.0))
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn xor(self, other: Self) -> Self {
        Self(_mm_xor_si128(self.0, other.0))
    }

    /// Selects `yes` in the lanes of this mask that are set, `no` in the others.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn select(self, yes: Self, no: Self) -> Self {
        Self(_mm_blendv_epi8(no.0, yes.0, self.0))
    }

    /// Compares bytes: 0xFF in the lanes that are equal, otherwise 0.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn eq(self, other: Self) -> Self {
        Self(_mm_cmpeq_epi8(self.0, other.0))
    }

    /// Compares code units: 0xFFFF in the lanes that are equal, otherwise 0.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn eq_units(self, other: Self) -> Self {
        Self(_mm_cmpeq_epi16(self.0, other.0))
    }

    /// Compares signed bytes: 0xFF in the lanes where `self < other`, otherwise 0.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn less_signed(self, other: Self) -> Self {
        Self(_mm_cmpgt_epi8(other.0, self.0))
    }

    /// Compares unsigned bytes: 0xFF in the lanes where `self >= other`, otherwise 0.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn at_least(self, other: Self) -> Self {
        self.eq(self.max(other))
    }

    /// Returns the greater one of unsigned bytes.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn max(self, other: Self) -> Self {
        Self(_mm_max_epu8(self.0, other.0))
    }

    /// Subtracts bytes, saturating at 0.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn saturating_sub(self, other: Self) -> Self {
        Self(_mm_subs_epu8(self.0, other.0))
    }

    /// Adds code units, wrapping around.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn add_units(self, other: Self) -> Self {
        Self(_mm_add_epi16(self.0, other.0))
    }

    /// Shifts code units right by 1 to 15.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shr_units<const BY: i32>(self) -> Self {
        Self(_mm_srli_epi16::<BY>(self.0))
    }

    /// Shifts code units left by 1 to 15.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shl_units<const BY: i32>(self) -> Self {
        Self(_mm_slli_epi16::<BY>(self.0))
    }

    /// Shifts bytes right by 1 to 7.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shr<const BY: i32>(self) -> Self {
        self.shr_units::<BY>().and(Self::splat(0xFF >> BY))
    }

    /// Shifts bytes left by 1 to 7, and takes the lower `BY` bits from `lower`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shl_insert<const BY: i32>(self, lower: Self) -> Self {
        let mask = Self::splat(0xFF << BY);
        self.shl_units::<BY>().and(mask).or(Self(_mm_andnot_si128(mask.0, lower.0)))
    }

    /// Looks up the byte at each index: 0 for an index from 0x80 on, unspecified for one from 16 to 0x7F.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn swizzle(self, indices: Self) -> Self {
        Self(_mm_shuffle_epi8(self.0, indices.0))
    }

    /// Looks up the byte at each index: 0 for an index above 15.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn swizzle_within(self, indices: Self) -> Self {
        self.swizzle(Self(_mm_adds_epu8(indices.0, _mm_set1_epi8(0x70))))
    }

    /// Returns for each lane the byte `16 - FROM` positions before it. The first ones come from `before`, the preceding vector.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn preceding<const FROM: i32>(self, before: Self) -> Self {
        Self(_mm_alignr_epi8::<FROM>(self.0, before.0))
    }

    /// Inverts the high bits in the lanes where `second_last` leads three bytes or more, or `third_last` leads four.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn flip_high_bits_after_leads(self, second_last: Self, third_last: Self) -> Self {
        let third = second_last.saturating_sub(Self::splat(0xE0 - 0x80));
        let fourth = third_last.saturating_sub(Self::splat(0xF0 - 0x80));
        third.or(fourth).and(Self::splat(0x80)).xor(self)
    }

    /// Returns the bytes as code units.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn widen(self) -> [Self; 2] {
        [self.zip_low(Self::zero()), self.zip_high(Self::zero())]
    }

    /// Interleaves the first eight bytes with those of `other`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_low(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi8(self.0, other.0))
    }

    /// Interleaves the last eight bytes with those of `other`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_high(self, other: Self) -> Self {
        Self(_mm_unpackhi_epi8(self.0, other.0))
    }

    /// Interleaves the first four code units with those of `other`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_units_low(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi16(self.0, other.0))
    }

    /// Interleaves the last four code units with those of `other`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_units_high(self, other: Self) -> Self {
        Self(_mm_unpackhi_epi16(self.0, other.0))
    }

    /// Narrows these code units and those of `other` to bytes. The result for units above 0x00FF is unspecified.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn narrow(self, other: Self) -> Self {
        Self(_mm_packus_epi16(self.0, other.0))
    }

    /// Returns the upper bytes of these code units and of those of `other`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn narrow_upper(self, other: Self) -> Self {
        self.shr_units::<8>().narrow(other.shr_units::<8>())
    }

    /// Returns the lower bytes of these code units and of those of `other`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn narrow_lower(self, other: Self) -> Self {
        let lower = Self::splat_units(0xFF);
        self.and(lower).narrow(other.and(lower))
    }

    /// Stores the first, second and third bytes of 16 triples.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn store_triples([first, second, third]: [Self; 3], to: &mut [MaybeUninit<u8>; 48]) {
        for (to, [a, b, c]) in to.as_chunks_mut().0.iter_mut().zip(&TRIPLES) {
            let (first, second) = (first.swizzle(Self::load(a)), second.swizzle(Self::load(b)));
            first.or(second).or(third.swizzle(Self::load(c))).store(to);
        }
    }

    /// Narrows this mask of code units and `other` to a mask of bytes.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn narrow_masks(self, other: Self) -> Self {
        Self(_mm_packs_epi16(self.0, other.0))
    }

    /// Returns a mask of the high bits. Bit `n` is that of byte `n`.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn bits(self) -> u32 {
        _mm_movemask_epi8(self.0).cast_unsigned()
    }

    /// Returns masks of the high bits of 64 bytes.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn bits_of([a, b, c, d]: [Self; 4]) -> u64 {
        u64::from(a.bits() | b.bits() << 16) | u64::from(c.bits() | d.bits() << 16) << 32
    }

    /// Returns, for each four lanes, the high bits of `lower` in the lower half of a byte, and those of `upper` in the upper half.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn columns_of_four(lower: Self, upper: Self) -> u32 {
        spread(lower.bits()) | spread(upper.bits()) << 4
    }

    /// Returns the number of bits in each byte.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn ones_of_bytes(bits: u64) -> u64 {
        let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    }

    /// Returns the high bits, to find the first ones.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn high_bits(self) -> HighBits {
        HighBits(self.bits())
    }

    /// Whether the high bit of any byte is set.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn any_high_bit(self) -> bool {
        self.bits() != 0
    }

    /// Whether any bit is set.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn any(self) -> bool {
        _mm_testz_si128(self.0, self.0) == 0
    }
}

/// Returns the number of bits in a byte.
#[inline]
#[target_feature(enable = "popcnt")]
pub(super) fn ones_of_byte(byte: u32) -> usize {
    byte.count_ones() as usize
}

/// Returns 16 bits, four in the lower half of each byte.
#[inline]
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    (bits | bits << 4) & 0x0F0F_0F0F
}

/// For each of three vectors of triples, the shuffles that select its bytes from the planes.
static TRIPLES: [[[u8; 16]; 3]; 3] = {
    let mut shuffles = [[[0x80; 16]; 3]; 3];
    let mut at = 0;
    while at < 48 {
        shuffles[at / 16][at % 3][at % 16] = (at / 3) as u8;
        at += 1;
    }
    shuffles
};

/// The high bits of 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct HighBits(u32);

impl HighBits {
    /// Returns the index of the first byte whose high bit is set.
    #[inline]
    pub(super) fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    /// Whether at least three high bits are set.
    #[inline]
    pub(super) fn are_dense(self) -> bool {
        let rest = self.0 & self.0.wrapping_sub(1);
        rest & rest.wrapping_sub(1) != 0
    }
}
