//! Permutation of bytes: 32 per step, looked up in two planes of 128.
//!
//! Measured on Zen 4, with inputs of 1 KiB: 8.6 GB/s. The scalar loop makes 3.3 GB/s.

use core::arch::x86_64::*;

use super::{
    single_byte::Index,
    vector::{Avx2, load_some},
};
use crate::kernel::{Out, drivers::one_to_one, permuted::Fused, simd::Bytes};

/// Changing the order takes most of the time, so one step would be no faster.
pub(crate) const FUSED: Option<Fused> = None;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn permute(table: &[u8; 256], src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let [low, high] = table.as_chunks().0 else { unreachable!() };
    one_to_one(Avx2::new(), src, out, |src| {
        let bytes = load_some(src);
        let index = Index::new(bytes);
        (Bytes(_mm256_blendv_epi8(index.look_up(low), index.look_up(high), bytes)), 0)
    })
}
