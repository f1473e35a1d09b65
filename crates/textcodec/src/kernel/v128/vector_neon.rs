//! NEON, which every aarch64 CPU has.

use core::arch::aarch64::{
    uint8x16_t, uint16x8_t, vaddq_u16, vaddv_u8, vandq_u8, vbslq_u8, vceqq_u8, vceqq_u16, vcltq_s8, vcltzq_s8,
    vcombine_u8, vdupq_n_u8, vdupq_n_u16, vdupq_n_u32, veorq_u8, vextq_u8, vget_high_u8, vget_low_u8, vld1q_u8,
    vld1q_u16, vmaxvq_u8, vmovn_u16, vorrq_u8, vqsubq_u8, vqtbl1q_u8, vreinterpretq_s8_u8, vreinterpretq_u8_u16,
    vreinterpretq_u8_u32, vreinterpretq_u16_u8, vreinterpretq_u32_u8, vshlq_n_u16, vshrq_n_u8, vshrq_n_u16,
    vshrq_n_u32, vst1q_u8, vzip1q_u8, vzip1q_u16, vzip2q_u8, vzip2q_u16,
};

/// 16 bytes, or eight code units in little-endian order.
#[derive(Clone, Copy)]
pub(super) struct Vector(uint8x16_t);

impl Vector {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: there are 16 bytes.
        Self(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    pub(super) fn load_units(units: &[u16; 8]) -> Self {
        // SAFETY: there are eight units.
        Self(unsafe { vreinterpretq_u8_u16(vld1q_u16(units.as_ptr())) })
    }

    /// # Safety
    /// There are 16 bytes to write to.
    #[inline(always)]
    pub(super) unsafe fn store<T>(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u8(to.cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn zero() -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vdupq_n_u8(0) })
    }

    #[inline(always)]
    pub(super) fn splat(byte: u8) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vdupq_n_u8(byte) })
    }

    #[inline(always)]
    pub(super) fn splat_units(unit: u16) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vdupq_n_u16(unit)) })
    }

    #[inline(always)]
    pub(super) fn splat_wide(number: u32) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u32(vdupq_n_u32(number)) })
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { veorq_u8(self.0, other.0) })
    }

    /// Where this is a mask: `yes` in the lanes that are set, `no` in the others.
    #[inline(always)]
    pub(super) fn select(self, yes: Self, no: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vbslq_u8(self.0, yes.0, no.0) })
    }

    /// All bits of a byte set where both are equal.
    #[inline(always)]
    pub(super) fn eq(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vceqq_u8(self.0, other.0) })
    }

    /// The same for code units.
    #[inline(always)]
    pub(super) fn eq_units(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vceqq_u16(self.units(), other.units())) })
    }

    /// All bits of a byte set where this is less than the other, both with a sign.
    #[inline(always)]
    pub(super) fn less_signed(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vcltq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(other.0)) })
    }

    /// Bytes less other bytes, at least 0.
    #[inline(always)]
    pub(super) fn saturating_sub(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vqsubq_u8(self.0, other.0) })
    }

    /// Sums of code units, without what is carried out.
    #[inline(always)]
    pub(super) fn add_units(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vaddq_u16(self.units(), other.units())) })
    }

    /// Code units shifted to the right by 1 to 15.
    #[inline(always)]
    pub(super) fn shr_units<const BY: i32>(self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vshrq_n_u16::<BY>(self.units())) })
    }

    /// Code units shifted to the left by 1 to 15.
    #[inline(always)]
    pub(super) fn shl_units<const BY: i32>(self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vshlq_n_u16::<BY>(self.units())) })
    }

    /// Numbers of 32 bits shifted to the right by 1 to 31.
    #[inline(always)]
    pub(super) fn shr_wide<const BY: i32>(self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u32(vshrq_n_u32::<BY>(vreinterpretq_u32_u8(self.0))) })
    }

    /// Bytes shifted to the right by four.
    #[inline(always)]
    pub(super) fn upper_halves(self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vshrq_n_u8::<4>(self.0) })
    }

    /// At each place the byte that an index names; 0 where the index is 0x80 or more. Others above 15 mean nothing.
    #[inline(always)]
    pub(super) fn swizzle(self, indices: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vqtbl1q_u8(self.0, indices.0) })
    }

    /// The same; 0 where the index is above 15.
    #[inline(always)]
    pub(super) fn swizzle_within(self, indices: Self) -> Self {
        self.swizzle(indices)
    }

    /// At each place the byte `16 - FROM` places before it, the first of which come from the vector before.
    #[inline(always)]
    pub(super) fn behind<const FROM: i32>(self, before: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vextq_u8::<FROM>(before.0, self.0) })
    }

    /// The first eight bytes and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_low(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vzip1q_u8(self.0, other.0) })
    }

    /// The last eight bytes and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_high(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vzip2q_u8(self.0, other.0) })
    }

    /// The first four code units and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_units_low(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vzip1q_u16(self.units(), other.units())) })
    }

    /// The last four code units and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_units_high(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vreinterpretq_u8_u16(vzip2q_u16(self.units(), other.units())) })
    }

    /// The lower bytes of these code units and of another eight; units above 0x00FF become anything.
    #[inline(always)]
    pub(super) fn narrow(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vcombine_u8(vmovn_u16(self.units()), vmovn_u16(other.units())) })
    }

    /// A mask of code units and that of another eight as a mask of bytes.
    #[inline(always)]
    pub(super) fn narrow_masks(self, other: Self) -> Self {
        // SAFETY: NEON is there.
        Self(unsafe { vcombine_u8(vmovn_u16(self.units()), vmovn_u16(other.units())) })
    }

    /// The bytes' upper bits, the first byte's lowest.
    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: NEON is there, and there are 16 bytes.
        unsafe {
            let bits = vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(self.0)), vld1q_u8(WEIGHTS.as_ptr()));
            u32::from(vaddv_u8(vget_low_u8(bits))) | u32::from(vaddv_u8(vget_high_u8(bits))) << 8
        }
    }

    /// Whether the upper bit of any byte is set.
    #[inline(always)]
    pub(super) fn any_upper_bit(self) -> bool {
        // SAFETY: NEON is there.
        unsafe { vmaxvq_u8(self.0) >= 0x80 }
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub(super) fn any(self) -> bool {
        // SAFETY: NEON is there.
        unsafe { vmaxvq_u8(self.0) != 0 }
    }

    #[inline(always)]
    fn units(self) -> uint16x8_t {
        // SAFETY: NEON is there.
        unsafe { vreinterpretq_u16_u8(self.0) }
    }
}
