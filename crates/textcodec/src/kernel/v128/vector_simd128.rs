//! simd128, a feature of the WebAssembly module. `vector_sse41.rs` documents the operations.

use core::arch::wasm32::{
    i8x16_lt, i8x16_narrow_i16x8, u8x16_bitmask, u8x16_eq, u8x16_narrow_i16x8, u8x16_shr, u8x16_shuffle, u8x16_splat,
    u8x16_sub_sat, u8x16_swizzle, u16x8_add, u16x8_eq, u16x8_shl, u16x8_shr, u16x8_shuffle, u16x8_splat, u32x4_shr,
    u32x4_splat, v128, v128_and, v128_any_true, v128_bitselect, v128_load, v128_or, v128_store, v128_xor,
};
use core::mem::MaybeUninit;

/// 16 bytes, or eight code units in little-endian order.
#[derive(Clone, Copy)]
pub(super) struct Vector(v128);

impl Vector {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the array has 16 bytes.
        Self(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(super) fn load_units(units: &[u16; 8]) -> Self {
        // SAFETY: the array has 16 bytes.
        Self(unsafe { v128_load(units.as_ptr().cast()) })
    }

    #[inline(always)]
    pub(super) fn store(self, to: &mut [MaybeUninit<u8>; 16]) {
        // SAFETY: the array has 16 bytes.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn store_units(self, to: &mut [MaybeUninit<u16>; 8]) {
        // SAFETY: the array has 16 bytes.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
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
    pub(super) fn splat_u32(number: u32) -> Self {
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

    #[inline(always)]
    pub(super) fn select(self, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, self.0))
    }

    #[inline(always)]
    pub(super) fn eq(self, other: Self) -> Self {
        Self(u8x16_eq(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn eq_units(self, other: Self) -> Self {
        Self(u16x8_eq(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn less_signed(self, other: Self) -> Self {
        Self(i8x16_lt(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn saturating_sub(self, other: Self) -> Self {
        Self(u8x16_sub_sat(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn add_units(self, other: Self) -> Self {
        Self(u16x8_add(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn shr_units<const BY: i32>(self) -> Self {
        Self(u16x8_shr(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    pub(super) fn shl_units<const BY: i32>(self) -> Self {
        Self(u16x8_shl(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    pub(super) fn shr_u32<const BY: i32>(self) -> Self {
        Self(u32x4_shr(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    pub(super) fn high_nibbles(self) -> Self {
        Self(u8x16_shr(self.0, 4))
    }

    #[inline(always)]
    pub(super) fn swizzle(self, indices: Self) -> Self {
        Self(u8x16_swizzle(self.0, indices.0))
    }

    #[inline(always)]
    pub(super) fn swizzle_within(self, indices: Self) -> Self {
        self.swizzle(indices)
    }

    #[inline(always)]
    pub(super) fn preceding<const FROM: i32>(self, before: Self) -> Self {
        // The indices must be constants, and cannot be calculated from a constant parameter.
        Self(match FROM {
            15 => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(before.0, self.0),
            14 => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(before.0, self.0),
            13 => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(before.0, self.0),
            _ => unreachable!(),
        })
    }

    #[inline(always)]
    pub(super) fn zip_low(self, other: Self) -> Self {
        Self(u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn zip_high(self, other: Self) -> Self {
        Self(u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn zip_units_low(self, other: Self) -> Self {
        Self(u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn zip_units_high(self, other: Self) -> Self {
        Self(u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn narrow(self, other: Self) -> Self {
        Self(u8x16_narrow_i16x8(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn narrow_masks(self, other: Self) -> Self {
        Self(i8x16_narrow_i16x8(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        u8x16_bitmask(self.0).into()
    }

    #[inline(always)]
    pub(super) fn any_high_bit(self) -> bool {
        self.bits() != 0
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        v128_any_true(self.0)
    }
}
