//! NEON, which every aarch64 CPU has. `vector_sse41.rs` documents the operations.

use core::arch::aarch64::{
    uint8x16_t, uint16x8_t, vaddq_u16, vaddv_u8, vandq_u8, vbslq_u8, vceqq_u8, vceqq_u16, vcltq_s8, vcltzq_s8,
    vcombine_u8, vdupq_n_u8, vdupq_n_u16, vdupq_n_u32, veorq_u8, vextq_u8, vget_high_u8, vget_low_u8, vld1q_u8,
    vld1q_u16, vmaxvq_u8, vmovn_u16, vorrq_u8, vqsubq_u8, vqtbl1q_u8, vreinterpretq_s8_u8, vreinterpretq_u8_u16,
    vreinterpretq_u8_u32, vreinterpretq_u16_u8, vreinterpretq_u32_u8, vshlq_n_u16, vshrq_n_u8, vshrq_n_u16,
    vshrq_n_u32, vst1q_u8, vzip1q_u8, vzip1q_u16, vzip2q_u8, vzip2q_u16,
};
use core::mem::MaybeUninit;

/// Defines functions whose bodies are NEON instructions without access to memory.
macro_rules! instructions {
    ($($visibility:vis fn $name:ident $(<const $constant:ident: i32>)? ($($argument:tt)*) -> $result:ty { $body:expr })*) => {$(
        #[inline(always)]
        $visibility fn $name $(<const $constant: i32>)? ($($argument)*) -> $result {
            // SAFETY: NEON is a feature of the target: `kernel/mod.rs` compiles this module only then.
            unsafe { $body }
        }
    )*};
}

/// 16 bytes, or eight code units in little-endian order.
#[derive(Clone, Copy)]
pub(super) struct Vector(uint8x16_t);

impl Vector {
    #[inline(always)]
    pub(super) fn load(bytes: &[u8; 16]) -> Self {
        // SAFETY: the array has 16 bytes.
        Self(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    pub(super) fn load_units(units: &[u16; 8]) -> Self {
        // SAFETY: the array has eight units.
        Self(unsafe { vreinterpretq_u8_u16(vld1q_u16(units.as_ptr())) })
    }

    #[inline(always)]
    pub(super) fn store(self, to: &mut [MaybeUninit<u8>; 16]) {
        // SAFETY: the array has 16 bytes.
        unsafe { vst1q_u8(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn store_units(self, to: &mut [MaybeUninit<u16>; 8]) {
        // SAFETY: the array has 16 bytes.
        unsafe { vst1q_u8(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    pub(super) fn swizzle_within(self, indices: Self) -> Self {
        self.swizzle(indices)
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: NEON is a feature of the target, and `WEIGHTS` has 16 bytes.
        unsafe {
            let bits = vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(self.0)), vld1q_u8(WEIGHTS.as_ptr()));
            u32::from(vaddv_u8(vget_low_u8(bits))) | u32::from(vaddv_u8(vget_high_u8(bits))) << 8
        }
    }

    instructions! {
        pub(super) fn zero() -> Self { Self(vdupq_n_u8(0)) }
        pub(super) fn splat(byte: u8) -> Self { Self(vdupq_n_u8(byte)) }
        pub(super) fn splat_units(unit: u16) -> Self { Self(vreinterpretq_u8_u16(vdupq_n_u16(unit))) }
        pub(super) fn splat_u32(number: u32) -> Self { Self(vreinterpretq_u8_u32(vdupq_n_u32(number))) }
        pub(super) fn and(self, other: Self) -> Self { Self(vandq_u8(self.0, other.0)) }
        pub(super) fn or(self, other: Self) -> Self { Self(vorrq_u8(self.0, other.0)) }
        pub(super) fn xor(self, other: Self) -> Self { Self(veorq_u8(self.0, other.0)) }
        pub(super) fn select(self, yes: Self, no: Self) -> Self { Self(vbslq_u8(self.0, yes.0, no.0)) }
        pub(super) fn eq(self, other: Self) -> Self { Self(vceqq_u8(self.0, other.0)) }
        pub(super) fn eq_units(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vceqq_u16(self.units(), other.units())))
        }
        pub(super) fn less_signed(self, other: Self) -> Self {
            Self(vcltq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(other.0)))
        }
        pub(super) fn saturating_sub(self, other: Self) -> Self { Self(vqsubq_u8(self.0, other.0)) }
        pub(super) fn add_units(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vaddq_u16(self.units(), other.units())))
        }
        pub(super) fn shr_units<const BY: i32>(self) -> Self {
            Self(vreinterpretq_u8_u16(vshrq_n_u16::<BY>(self.units())))
        }
        pub(super) fn shl_units<const BY: i32>(self) -> Self {
            Self(vreinterpretq_u8_u16(vshlq_n_u16::<BY>(self.units())))
        }
        pub(super) fn shr_u32<const BY: i32>(self) -> Self {
            Self(vreinterpretq_u8_u32(vshrq_n_u32::<BY>(vreinterpretq_u32_u8(self.0))))
        }
        pub(super) fn high_nibbles(self) -> Self { Self(vshrq_n_u8::<4>(self.0)) }
        pub(super) fn swizzle(self, indices: Self) -> Self { Self(vqtbl1q_u8(self.0, indices.0)) }
        pub(super) fn preceding<const FROM: i32>(self, before: Self) -> Self {
            Self(vextq_u8::<FROM>(before.0, self.0))
        }
        pub(super) fn zip_low(self, other: Self) -> Self { Self(vzip1q_u8(self.0, other.0)) }
        pub(super) fn zip_high(self, other: Self) -> Self { Self(vzip2q_u8(self.0, other.0)) }
        pub(super) fn zip_units_low(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vzip1q_u16(self.units(), other.units())))
        }
        pub(super) fn zip_units_high(self, other: Self) -> Self {
            Self(vreinterpretq_u8_u16(vzip2q_u16(self.units(), other.units())))
        }
        pub(super) fn narrow(self, other: Self) -> Self {
            Self(vcombine_u8(vmovn_u16(self.units()), vmovn_u16(other.units())))
        }
        pub(super) fn narrow_masks(self, other: Self) -> Self {
            Self(vcombine_u8(vmovn_u16(self.units()), vmovn_u16(other.units())))
        }
        pub(super) fn any_high_bit(self) -> bool { vmaxvq_u8(self.0) >= 0x80 }
        pub(super) fn any(self) -> bool { vmaxvq_u8(self.0) != 0 }
        fn units(self) -> uint16x8_t { vreinterpretq_u16_u8(self.0) }
    }
}
