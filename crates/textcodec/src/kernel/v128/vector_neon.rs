//! NEON, which every aarch64 CPU has. `vector_sse41.rs` documents the operations.

use core::arch::aarch64::{
    uint8x16_t, uint8x16x3_t, uint8x16x4_t, uint16x8_t, vaddq_u16, vaddvq_u16, vandq_u8, vbslq_u8, vceqq_u8, vceqq_u16,
    vcgeq_u8, vcltq_s8, vcltzq_s8, vcnt_u8, vcombine_u8, vcombine_u16, vcreate_u8, vdupq_n_u8, vdupq_n_u16, veorq_u8,
    vextq_u8, vget_lane_u32, vget_lane_u64, vget_low_u8, vgetq_lane_u64, vld1q_u8, vld1q_u8_x4, vld1q_u16, vmaxq_u8,
    vmaxvq_u8, vmlaq_u8, vmovl_high_u8, vmovl_u8, vmovn_u16, vmovn_u32, vorrq_u8, vpaddlq_u8, vpaddlq_u16, vpaddq_u8,
    vqsubq_u8, vqtbl1q_u8, vqtbl4q_u8, vqtbx4q_u8, vreinterpret_u32_u8, vreinterpret_u64_u8, vreinterpretq_s8_u8,
    vreinterpretq_u8_u16, vreinterpretq_u16_u8, vreinterpretq_u64_u8, vshlq_n_u16, vshrn_n_u16, vshrq_n_u8,
    vshrq_n_u16, vsliq_n_u8, vst1q_u8, vst3q_u8, vsubq_u8, vuzp2q_u8, vzip1q_u8, vzip1q_u16, vzip2q_u8, vzip2q_u16,
};
use core::{marker::PhantomData, mem::MaybeUninit};

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
    pub(super) fn narrow_lower(self, other: Self) -> Self {
        self.narrow(other)
    }

    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        // SAFETY: NEON is a feature of the target.
        unsafe {
            let bits = self.weighted();
            // The bits of the first eight bytes are in the lower bytes of the lanes.
            u32::from(vaddvq_u16(vreinterpretq_u16_u8(vzip1q_u8(bits, vextq_u8::<8>(bits, bits)))))
        }
    }

    #[inline(always)]
    pub(super) fn bits_of([a, b, c, d]: [Self; 4]) -> u64 {
        // SAFETY: NEON is a feature of the target.
        unsafe {
            let sums = vpaddq_u8(vpaddq_u8(a.weighted(), b.weighted()), vpaddq_u8(c.weighted(), d.weighted()));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
        }
    }

    /// Returns a bit of its own in each group of eight lanes for each lane whose high bit is set.
    #[inline(always)]
    fn weighted(self) -> uint8x16_t {
        self.weighted_by(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]).0
    }

    /// Returns the weights of the lanes whose high bit is set, and 0 in the others.
    #[inline(always)]
    fn weighted_by(self, weights: &[u8; 16]) -> Self {
        // SAFETY: NEON is a feature of the target.
        Self(unsafe { vcltzq_s8(vreinterpretq_s8_u8(self.0)) }).and(Self::load(weights))
    }

    #[inline(always)]
    pub(super) fn columns_of_four(lower: Self, upper: Self) -> u32 {
        const LOWER: [u8; 16] = [1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8];
        const UPPER: [u8; 16] = [16, 32, 64, 128, 16, 32, 64, 128, 16, 32, 64, 128, 16, 32, 64, 128];
        // SAFETY: NEON is a feature of the target.
        unsafe {
            let columns = lower.weighted_by(&LOWER).or(upper.weighted_by(&UPPER));
            let sums = vmovn_u32(vpaddlq_u16(vpaddlq_u8(columns.0)));
            vget_lane_u32::<0>(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(sums, sums))))
        }
    }

    #[inline(always)]
    pub(super) fn store_triples([first, second, third]: [Self; 3], to: &mut [MaybeUninit<u8>; 48]) {
        // SAFETY: the array has 48 bytes.
        unsafe { vst3q_u8(to.as_mut_ptr().cast(), uint8x16x3_t(first.0, second.0, third.0)) }
    }

    #[inline(always)]
    pub(super) fn ones_of_bytes(bits: u64) -> u64 {
        // SAFETY: NEON is a feature of the target.
        unsafe { vget_lane_u64::<0>(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits)))) }
    }

    #[inline(always)]
    pub(super) fn high_bits(self) -> HighBits {
        // SAFETY: NEON is a feature of the target.
        HighBits(unsafe {
            let lanes = vreinterpretq_u16_u8(vcltzq_s8(vreinterpretq_s8_u8(self.0)));
            vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(lanes)))
        })
    }

    #[inline(always)]
    pub(super) fn flip_high_bits_after_leads(self, second_last: Self, third_last: Self) -> Self {
        let leads = second_last.max(third_last.saturating_sub(Self::splat(0x10))).at_least(Self::splat(0xE0));
        // Adding 0xFF * 0x80 inverts the high bit.
        // SAFETY: NEON is a feature of the target.
        Self(unsafe { vmlaq_u8(self.0, leads.0, vdupq_n_u8(0x80)) })
    }

    instructions! {
        pub(super) fn zero() -> Self { Self(vdupq_n_u8(0)) }
        pub(super) fn splat(byte: u8) -> Self { Self(vdupq_n_u8(byte)) }
        pub(super) fn splat_units(unit: u16) -> Self { Self(vreinterpretq_u8_u16(vdupq_n_u16(unit))) }
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
        pub(super) fn at_least(self, other: Self) -> Self { Self(vcgeq_u8(self.0, other.0)) }
        pub(super) fn max(self, other: Self) -> Self { Self(vmaxq_u8(self.0, other.0)) }
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
        pub(super) fn shr<const BY: i32>(self) -> Self { Self(vshrq_n_u8::<BY>(self.0)) }
        pub(super) fn shl_insert<const BY: i32>(self, lower: Self) -> Self { Self(vsliq_n_u8::<BY>(lower.0, self.0)) }
        pub(super) fn swizzle(self, indices: Self) -> Self { Self(vqtbl1q_u8(self.0, indices.0)) }
        pub(super) fn preceding<const FROM: i32>(self, before: Self) -> Self {
            Self(vextq_u8::<FROM>(before.0, self.0))
        }
        pub(super) fn widen(self) -> [Self; 2] {
            [
                Self(vreinterpretq_u8_u16(vmovl_u8(vget_low_u8(self.0)))),
                Self(vreinterpretq_u8_u16(vmovl_high_u8(self.0))),
            ]
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
        pub(super) fn narrow_upper(self, other: Self) -> Self { Self(vuzp2q_u8(self.0, other.0)) }
        pub(super) fn narrow_masks(self, other: Self) -> Self {
            Self(vcombine_u8(vmovn_u16(self.units()), vmovn_u16(other.units())))
        }
        pub(super) fn any_high_bit(self) -> bool { vmaxvq_u8(self.0) >= 0x80 }
        pub(super) fn any(self) -> bool { vmaxvq_u8(self.0) != 0 }
        fn units(self) -> uint16x8_t { vreinterpretq_u16_u8(self.0) }
    }
}

/// The high bits of 16 bytes, four times each.
#[derive(Clone, Copy)]
pub(super) struct HighBits(u64);

impl HighBits {
    #[inline(always)]
    pub(super) fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize / 4)
    }

    #[inline(always)]
    pub(super) fn are_dense(self) -> bool {
        let once = self.0 & 0x1111_1111_1111_1111;
        let rest = once & once.wrapping_sub(1);
        rest & rest.wrapping_sub(1) != 0
    }
}

#[inline(always)]
pub(super) fn ones_of_byte(byte: u32) -> usize {
    // A scalar register would have to be moved to a vector and back to count its bits.
    static ONES: [u8; 256] = {
        let mut ones = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            ones[byte] = byte.count_ones() as u8;
            byte += 1;
        }
        ones
    };
    ONES[byte as usize].into()
}

/// A table of 128 bytes.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a>([uint8x16x4_t; 2], PhantomData<&'a [u8; 128]>);

impl<'a> Rows<'a> {
    #[inline(always)]
    pub(super) fn load(bytes: &'a [u8; 128]) -> Self {
        // SAFETY: NEON is a feature of the target, and each half of the table has 64 bytes.
        Self(unsafe { [vld1q_u8_x4(bytes.as_ptr()), vld1q_u8_x4(bytes.as_ptr().add(64))] }, PhantomData)
    }

    #[inline(always)]
    pub(super) fn look_up(self, indices: Vector) -> Vector {
        let [lower, upper] = self.0;
        // An index that is not in a half gives 0, and then the lane of the other half.
        // SAFETY: NEON is a feature of the target.
        Vector(unsafe { vqtbx4q_u8(vqtbl4q_u8(lower, indices.0), upper, vsubq_u8(indices.0, vdupq_n_u8(64))) })
    }
}
