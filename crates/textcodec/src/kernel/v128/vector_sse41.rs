//! SSE4.1, which includes SSSE3 and its shuffle.
//!
//! The docs of the operations apply to `vector_neon.rs` and `vector_simd128.rs` too.

use core::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_adds_epu8, _mm_alignr_epi8, _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi8,
    _mm_cmpeq_epi16, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi16,
    _mm_packus_epi16, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_slli_epi16, _mm_srli_epi16, _mm_srli_epi32, _mm_storeu_si128, _mm_subs_epu8, _mm_testz_si128,
    _mm_unpackhi_epi8, _mm_unpackhi_epi16, _mm_unpacklo_epi8, _mm_unpacklo_epi16, _mm_xor_si128,
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
    pub(super) fn splat_u32(number: u32) -> Self {
        Self(_mm_set1_epi32(number.cast_signed()))
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

    /// Shifts numbers of 32 bits right by 1 to 31.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shr_u32<const BY: i32>(self) -> Self {
        Self(_mm_srli_epi32::<BY>(self.0))
    }

    /// Shifts bytes right by four.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn high_nibbles(self) -> Self {
        self.shr_units::<4>().and(Self::splat(0x0F))
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
