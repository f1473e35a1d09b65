//! simd128, which a WebAssembly module either has or not.

use core::arch::wasm32::{
    i8x16_lt, i8x16_narrow_i16x8, u8x16_bitmask, u8x16_eq, u8x16_narrow_i16x8, u8x16_shr, u8x16_shuffle, u8x16_splat,
    u8x16_sub_sat, u8x16_swizzle, u16x8_add, u16x8_eq, u16x8_shl, u16x8_shr, u16x8_shuffle, u16x8_splat, u32x4_shr,
    u32x4_splat, v128, v128_and, v128_any_true, v128_bitselect, v128_load, v128_or, v128_store, v128_xor,
};

/// 16 bytes, or eight code units in little-endian order.
#[derive(Clone, Copy)]
pub(super) struct Vector(v128);

impl Vector {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: there are 16 bytes.
        Self(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(super) fn load_units(units: &[u16; 8]) -> Self {
        // SAFETY: there are 16 bytes.
        Self(unsafe { v128_load(units.as_ptr().cast()) })
    }

    /// # Safety
    /// There are 16 bytes to write to.
    #[inline(always)]
    pub(super) unsafe fn store<T>(self, to: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { v128_store(to.cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn zero() -> Self {
        Self(u8x16_splat(0))
    }

    #[inline(always)]
    pub(super) fn splat(byte: u8) -> Self {
        Self(u8x16_splat(byte))
    }

    #[inline(always)]
    pub(super) fn splat_units(unit: u16) -> Self {
        Self(u16x8_splat(unit))
    }

    #[inline(always)]
    pub(super) fn splat_wide(number: u32) -> Self {
        Self(u32x4_splat(number))
    }

    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }

    /// Where this is a mask: `yes` in the lanes that are set, `no` in the others.
    #[inline(always)]
    pub(super) fn select(self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, self.0))
    }

    /// All bits of a byte set where both are equal.
    #[inline(always)]
    pub(super) fn eq(self, other: Self) -> Self {
        Self(u8x16_eq(self.0, other.0))
    }

    /// The same for code units.
    #[inline(always)]
    pub(super) fn eq_units(self, other: Self) -> Self {
        Self(u16x8_eq(self.0, other.0))
    }

    /// All bits of a byte set where this is less than the other, both with a sign.
    #[inline(always)]
    pub(super) fn less_signed(self, other: Self) -> Self {
        Self(i8x16_lt(self.0, other.0))
    }

    /// Bytes less other bytes, at least 0.
    #[inline(always)]
    pub(super) fn saturating_sub(self, other: Self) -> Self {
        Self(u8x16_sub_sat(self.0, other.0))
    }

    /// Sums of code units, without what is carried out.
    #[inline(always)]
    pub(super) fn add_units(self, other: Self) -> Self {
        Self(u16x8_add(self.0, other.0))
    }

    /// Code units shifted to the right by 1 to 15.
    #[inline(always)]
    pub(super) fn shr_units<const BY: i32>(self) -> Self {
        Self(u16x8_shr(self.0, BY.cast_unsigned()))
    }

    /// Code units shifted to the left by 1 to 15.
    #[inline(always)]
    pub(super) fn shl_units<const BY: i32>(self) -> Self {
        Self(u16x8_shl(self.0, BY.cast_unsigned()))
    }

    /// Numbers of 32 bits shifted to the right by 1 to 31.
    #[inline(always)]
    pub(super) fn shr_wide<const BY: i32>(self) -> Self {
        Self(u32x4_shr(self.0, BY.cast_unsigned()))
    }

    /// Bytes shifted to the right by four.
    #[inline(always)]
    pub(super) fn upper_halves(self) -> Self {
        Self(u8x16_shr(self.0, 4))
    }

    /// At each place the byte that an index names; 0 where the index is 0x80 or more. Others above 15 mean nothing.
    #[inline(always)]
    pub(super) fn swizzle(self, indices: Self) -> Self {
        Self(u8x16_swizzle(self.0, indices.0))
    }

    /// The same; 0 where the index is above 15.
    #[inline(always)]
    pub(super) fn swizzle_within(self, indices: Self) -> Self {
        self.swizzle(indices)
    }

    /// At each place the byte `16 - FROM` places before it, the first of which come from the vector before.
    #[inline(always)]
    pub(super) fn behind<const FROM: i32>(self, before: Self) -> Self {
        // The instruction's places are constants, and a constant parameter cannot be calculated with.
        Self(match FROM {
            15 => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(before.0, self.0),
            14 => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(before.0, self.0),
            13 => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(before.0, self.0),
            _ => unreachable!(),
        })
    }

    /// The first eight bytes and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_low(self, other: Self) -> Self {
        Self(u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(self.0, other.0))
    }

    /// The last eight bytes and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_high(self, other: Self) -> Self {
        Self(u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(self.0, other.0))
    }

    /// The first four code units and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_units_low(self, other: Self) -> Self {
        Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(self.0, other.0))
    }

    /// The last four code units and those of another in turn.
    #[inline(always)]
    pub(super) fn zip_units_high(self, other: Self) -> Self {
        Self(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(self.0, other.0))
    }

    /// The lower bytes of these code units and of another eight; units above 0x00FF become anything.
    #[inline(always)]
    pub(super) fn narrow(self, other: Self) -> Self {
        Self(u8x16_narrow_i16x8(self.0, other.0))
    }

    /// A mask of code units and that of another eight as a mask of bytes.
    #[inline(always)]
    pub(super) fn narrow_masks(self, other: Self) -> Self {
        Self(i8x16_narrow_i16x8(self.0, other.0))
    }

    /// The bytes' upper bits, the first byte's lowest.
    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        u8x16_bitmask(self.0).into()
    }

    /// Whether the upper bit of any byte is set.
    #[inline(always)]
    pub(super) fn any_upper_bit(self) -> bool {
        self.bits() != 0
    }

    /// Whether any bit is set.
    #[inline(always)]
    pub(super) fn any(self) -> bool {
        v128_any_true(self.0)
    }
}
