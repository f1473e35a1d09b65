//! ASCII: the kernels of `x86/ascii.rs`.

use super::vector::Avx2;

super::super::ascii::kernels!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

/// Copies ASCII, faster for long inputs.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn copy_long(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let simd = Avx2::new();
    drivers::in_runs(simd, src, out, |run| ascii::run(simd, run), |src| ascii::step(simd, src))
}
