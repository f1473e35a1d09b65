//! 64 bytes a step; the tail under a mask.

use core::arch::x86_64::{
    __mmask64, _mm256_loadu_si256, _mm512_cvtepu8_epi16, _mm512_loadu_si512, _mm512_maskz_loadu_epi8,
    _mm512_movepi8_mask, _mm512_storeu_si512,
};

use super::scalar;
use crate::kernel::Out;

#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let (steps, rest) = src.as_chunks::<64>();
    for (n, step) in steps.iter().enumerate() {
        // SAFETY: the step has 64 bytes.
        let mask = _mm512_movepi8_mask(unsafe { _mm512_loadu_si512(step.as_ptr().cast()) });
        if mask != 0 {
            return n * 64 + mask.trailing_zeros() as usize;
        }
    }
    let lanes: __mmask64 = (1 << rest.len()) - 1;
    // SAFETY: the mask has the rest's bytes, of which there are less than 64; others are not read.
    let mask = _mm512_movepi8_mask(unsafe { _mm512_maskz_loadu_epi8(lanes, rest.as_ptr().cast()) });
    src.len() - rest.len() + (mask.trailing_zeros() as usize).min(rest.len())
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    for step in src.as_chunks::<32>().0 {
        // SAFETY: the step has 32 bytes.
        let units = _mm512_cvtepu8_epi16(unsafe { _mm256_loadu_si256(step.as_ptr().cast()) });
        if out.room() < 32 || !step.is_ascii() {
            break;
        }
        // SAFETY: there is room for 32 units, and all of them are stored.
        unsafe {
            _mm512_storeu_si512(out.spare().cast(), units);
            out.advance(32);
        }
        read += 32;
    }
    read + scalar::to_utf16(&src[read..], out)
}
