//! Permutation of bytes: 64 per step, looked up in two planes of 128.
//!
//! The conversions of permuted bytes do both in one step. Permuting blocks first is slower.

use core::arch::x86_64::*;

use super::{
    latin1,
    single_byte::{Plane, Utf8Planes, Utf16},
    vector::{Avx512, high_bits, in_quarters, load, load_some, splat},
};
use crate::kernel::{
    Out,
    drivers::{in_runs, one_to_one, to_utf8},
    each::Each,
    permuted::Fused,
    simd::{Bytes, Units},
    tables::UpperHalf,
};

/// The conversions in one step.
pub(crate) const FUSED: Option<Fused> = Some(Fused {
    // SAFETY: the CPU has the features, because only the table of this level has these functions.
    to_utf8: |order, upper, src, out| unsafe { to_utf8(order, upper, src, out) },
    // SAFETY: the same.
    to_utf16: |order, upper, src, out| unsafe { to_utf16(order, upper, src, out) },
});

/// A table of 256 bytes.
struct Table([Plane; 2]);

impl Table {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(bytes: &[u8; 256]) -> Self {
        let [low, high] = bytes.as_chunks().0 else { unreachable!() };
        Self([Plane::new(low), Plane::new(high)])
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn get(&self, bytes: __m512i) -> __m512i {
        let lanes = high_bits(bytes);
        _mm512_or_si512(self.0[0].get(!lanes, bytes), self.0[1].get(lanes, bytes))
    }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn permute(table: &[u8; 256], src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let table = Table::new(table);
    one_to_one(Avx512::new(), src, out, |src| (Bytes(table.get(load_some(src))), 0))
}

/// The lower bytes of code units.
const LOW_BYTES: u64 = 0x5555_5555_5555_5555;
/// Where the bytes of 32 code units are in 64 bytes.
const HALVES: [[u8; 64]; 2] = {
    let mut halves = [[0; 64]; 2];
    let mut n = 0;
    while n < 64 {
        halves[n / 32][2 * n % 64] = n as u8;
        n += 1;
    }
    halves
};

/// Whether the upper half is that of Latin-1.
fn is_latin1(upper: &UpperHalf) -> bool {
    upper.identity_from == i8::MIN
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16(order: &[u8; 256], upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let order = Table::new(order);
    if is_latin1(upper) {
        // By two permutations, of which `widen` has three.
        let halves = [load(&HALVES[0]), load(&HALVES[1])];
        let units = |bytes| {
            let ordered = order.get(bytes);
            Units(halves.each(|half| _mm512_maskz_permutexvar_epi8(LOW_BYTES, half, ordered)))
        };
        return in_runs(Avx512::new(), src, out, |_| None, |src| (units(load_some(src)), 0));
    }
    let planes = Utf16::new(upper);
    in_runs(Avx512::new(), src, out, |_| None, |src| planes.quarters(order.get(in_quarters(load_some(src)))))
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8(order: &[u8; 256], upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let order = Table::new(order);
    let ordered = |bytes| order.get(bytes);
    if is_latin1(upper) {
        let first_two = |bytes, _| (latin1::encode(bytes), 0, 0);
        // SAFETY: the mask of third bytes is always 0.
        return unsafe { to_utf8::to_utf8(Avx512::new(), src, out, ordered, first_two, |_| splat(0)) };
    }
    let planes = Utf8Planes::new(upper);
    let (first_two, third) = (|bytes, others| planes.first_two(bytes, others), |bytes| planes.third(bytes));
    // SAFETY: see `Utf8Planes`.
    unsafe { to_utf8::to_utf8(Avx512::new(), src, out, ordered, first_two, third) }
}
