//! simd128, a feature of the WebAssembly module. `vector_sse41.rs` documents the operations.

use core::arch::wasm32::{
    i8x16_lt, i8x16_narrow_i16x8, u8x16_bitmask, u8x16_eq, u8x16_ge, u8x16_max, u8x16_narrow_i16x8, u8x16_popcnt,
    u8x16_shl, u8x16_shr, u8x16_shuffle, u8x16_splat, u8x16_sub_sat, u8x16_swizzle, u16x8_add, u16x8_eq,
    u16x8_extend_high_u8x16, u16x8_extend_low_u8x16, u16x8_shl, u16x8_shr, u16x8_shuffle, u16x8_splat,
    u64x2_extract_lane, u64x2_splat, v128, v128_and, v128_any_true, v128_bitselect, v128_load, v128_or, v128_store,
    v128_xor,
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
    pub(super) fn at_least(self, other: Self) -> Self {
        Self(u8x16_ge(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        Self(u8x16_max(self.0, other.0))
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
    pub(super) fn shr<const BY: i32>(self) -> Self {
        Self(u8x16_shr(self.0, BY.cast_unsigned()))
    }

    #[inline(always)]
    pub(super) fn shl_insert<const BY: i32>(self, lower: Self) -> Self {
        let mask = u8x16_splat(0xFF << BY);
        Self(v128_bitselect(u8x16_shl(self.0, BY.cast_unsigned()), lower.0, mask))
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
            8 => u8x16_shuffle::<8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23>(before.0, self.0),
            _ => unreachable!(),
        })
    }

    #[inline(always)]
    pub(super) fn flip_high_bits_after_leads(self, second_last: Self, third_last: Self) -> Self {
        let third = second_last.saturating_sub(Self::splat(0xE0 - 0x80));
        let fourth = third_last.saturating_sub(Self::splat(0xF0 - 0x80));
        third.or(fourth).and(Self::splat(0x80)).xor(self)
    }

    #[inline(always)]
    pub(super) fn widen(self) -> [Self; 2] {
        [Self(u16x8_extend_low_u8x16(self.0)), Self(u16x8_extend_high_u8x16(self.0))]
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
    pub(super) fn narrow_upper(self, other: Self) -> Self {
        Self(u8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn narrow_lower(self, other: Self) -> Self {
        Self(u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(self.0, other.0))
    }

    #[inline(always)]
    pub(super) fn store_triples([Self(first), Self(second), Self(third)]: [Self; 3], to: &mut [MaybeUninit<u8>; 48]) {
        let [a, b, c] = to.as_chunks_mut().0 else { unreachable!() };
        let pairs = u8x16_shuffle::<0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5>(first, second);
        Self(u8x16_shuffle::<0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15>(pairs, third)).store(a);
        let pairs = u8x16_shuffle::<21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26>(first, second);
        Self(u8x16_shuffle::<0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15>(pairs, third)).store(b);
        let pairs = u8x16_shuffle::<0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0>(first, second);
        Self(u8x16_shuffle::<26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31>(pairs, third)).store(c);
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
    pub(super) fn bits_of([a, b, c, d]: [Self; 4]) -> u64 {
        u64::from(a.bits() | b.bits() << 16) | u64::from(c.bits() | d.bits() << 16) << 32
    }

    #[inline(always)]
    pub(super) fn columns_of_four(lower: Self, upper: Self) -> u32 {
        spread(lower.bits()) | spread(upper.bits()) << 4
    }

    #[inline(always)]
    pub(super) fn ones_of_bytes(bits: u64) -> u64 {
        u64x2_extract_lane::<0>(u8x16_popcnt(u64x2_splat(bits)))
    }

    #[inline(always)]
    pub(super) fn high_bits(self) -> HighBits {
        HighBits(self.bits())
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

/// Returns 16 bits, four in the lower half of each byte.
#[inline(always)]
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    (bits | bits << 4) & 0x0F0F_0F0F
}

/// The high bits of 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct HighBits(u32);

impl HighBits {
    #[inline(always)]
    pub(super) fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    #[inline(always)]
    pub(super) fn are_dense(self) -> bool {
        let rest = self.0 & self.0.wrapping_sub(1);
        rest & rest.wrapping_sub(1) != 0
    }
}

#[inline(always)]
pub(super) fn ones_of_byte(byte: u32) -> usize {
    byte.count_ones() as usize
}
