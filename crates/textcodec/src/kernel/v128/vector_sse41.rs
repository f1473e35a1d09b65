//! SSE4.1, which implies SSSE3's shuffle, and POPCNT.

use core::arch::x86_64::{
    __m128i, _mm_add_epi16, _mm_adds_epu8, _mm_alignr_epi8, _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi8,
    _mm_cmpeq_epi16, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi16,
    _mm_packus_epi16, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_epi8,
    _mm_slli_epi16, _mm_srli_epi16, _mm_srli_epi32, _mm_storeu_si128, _mm_subs_epu8, _mm_testz_si128,
    _mm_unpackhi_epi8, _mm_unpackhi_epi16, _mm_unpacklo_epi8, _mm_unpacklo_epi16, _mm_xor_si128,
};

/// 16 bytes, or eight code units in little-endian order.
#[derive(Clone, Copy)]
pub(super) struct Vector(__m128i);

impl Vector {
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: there are 16 bytes.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn load_units(units: &[u16; 8]) -> Self {
        // SAFETY: there are 16 bytes.
        Self(unsafe { _mm_loadu_si128(units.as_ptr().cast()) })
    }

    /// # Safety
    /// There are 16 bytes to write to.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) unsafe fn store<T>(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
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
    pub(super) fn splat_wide(number: u32) -> Self {
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

    /// Where this is a mask: `yes` in the lanes that are set, `no` in the others.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn select(self, yes: Self, no: Self) -> Self {
        Self(_mm_blendv_epi8(no.0, yes.0, self.0))
    }

    /// All bits of a byte set where both are equal.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn eq(self, other: Self) -> Self {
        Self(_mm_cmpeq_epi8(self.0, other.0))
    }

    /// The same for code units.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn eq_units(self, other: Self) -> Self {
        Self(_mm_cmpeq_epi16(self.0, other.0))
    }

    /// All bits of a byte set where this is less than the other, both with a sign.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn less_signed(self, other: Self) -> Self {
        Self(_mm_cmpgt_epi8(other.0, self.0))
    }

    /// Bytes less other bytes, at least 0.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn saturating_sub(self, other: Self) -> Self {
        Self(_mm_subs_epu8(self.0, other.0))
    }

    /// Sums of code units, without what is carried out.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn add_units(self, other: Self) -> Self {
        Self(_mm_add_epi16(self.0, other.0))
    }

    /// Code units shifted to the right by 1 to 15.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shr_units<const BY: i32>(self) -> Self {
        Self(_mm_srli_epi16::<BY>(self.0))
    }

    /// Code units shifted to the left by 1 to 15.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shl_units<const BY: i32>(self) -> Self {
        Self(_mm_slli_epi16::<BY>(self.0))
    }

    /// Numbers of 32 bits shifted to the right by 1 to 31.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn shr_wide<const BY: i32>(self) -> Self {
        Self(_mm_srli_epi32::<BY>(self.0))
    }

    /// Bytes shifted to the right by four.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn upper_halves(self) -> Self {
        self.shr_units::<4>().and(Self::splat(0x0F))
    }

    /// At each place the byte that an index names; 0 where the index is 0x80 or more. Others above 15 mean nothing.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn swizzle(self, indices: Self) -> Self {
        Self(_mm_shuffle_epi8(self.0, indices.0))
    }

    /// The same; 0 where the index is above 15.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn swizzle_within(self, indices: Self) -> Self {
        self.swizzle(Self(_mm_adds_epu8(indices.0, _mm_set1_epi8(0x70))))
    }

    /// At each place the byte `16 - FROM` places before it, the first of which come from the vector before.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn behind<const FROM: i32>(self, before: Self) -> Self {
        Self(_mm_alignr_epi8::<FROM>(self.0, before.0))
    }

    /// The first eight bytes and those of another in turn.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_low(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi8(self.0, other.0))
    }

    /// The last eight bytes and those of another in turn.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_high(self, other: Self) -> Self {
        Self(_mm_unpackhi_epi8(self.0, other.0))
    }

    /// The first four code units and those of another in turn.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_units_low(self, other: Self) -> Self {
        Self(_mm_unpacklo_epi16(self.0, other.0))
    }

    /// The last four code units and those of another in turn.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn zip_units_high(self, other: Self) -> Self {
        Self(_mm_unpackhi_epi16(self.0, other.0))
    }

    /// The lower bytes of these code units and of another eight; units above 0x00FF become anything.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn narrow(self, other: Self) -> Self {
        Self(_mm_packus_epi16(self.0, other.0))
    }

    /// A mask of code units and that of another eight as a mask of bytes.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn narrow_masks(self, other: Self) -> Self {
        Self(_mm_packs_epi16(self.0, other.0))
    }

    /// The bytes' upper bits, the first byte's lowest.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn bits(self) -> u32 {
        _mm_movemask_epi8(self.0).cast_unsigned()
    }

    /// Whether the upper bit of any byte is set.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn any_upper_bit(self) -> bool {
        self.bits() != 0
    }

    /// Whether any bit is set.
    #[inline]
    #[target_feature(enable = "sse4.1")]
    pub(super) fn any(self) -> bool {
        _mm_testz_si128(self.0, self.0) == 0
    }
}
