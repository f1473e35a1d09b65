//! Permutation of bytes: 64 per step, looked up in two planes of 128.
//!
//! Measured on Zen 4, with inputs of 1 KiB: 48 GB/s.

use core::arch::x86_64::*;

use super::{
    single_byte::Plane,
    vector::{Avx512, high_bits, load_some},
};
use crate::kernel::{Out, drivers::one_to_one, simd::Bytes};

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn permute(table: &[u8; 256], src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let [low, high] = table.as_chunks().0 else { unreachable!() };
    let (low, high) = (Plane::new(low), Plane::new(high));
    one_to_one(Avx512::new(), src, out, |src| {
        let bytes = load_some(src);
        let lanes = high_bits(bytes);
        (Bytes(_mm512_or_si512(low.get(!lanes, bytes), high.get(lanes, bytes))), 0)
    })
}
