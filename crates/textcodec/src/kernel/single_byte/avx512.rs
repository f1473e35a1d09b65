//! 64 bytes a step, each looked up in a plane of 128 by `vpermi2b`, whose index is a byte's lower seven bits.

use core::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_mask_mov_epi8, _mm512_mask_testn_epi8_mask, _mm512_maskz_permutex2var_epi8,
    _mm512_movepi8_mask, _mm512_or_si512,
};

use super::Upper;
use crate::kernel::{
    Out,
    avx512::{self, load, one_to_one, zip_bytes},
};

/// A table of 128 bytes.
#[derive(Clone, Copy)]
struct Plane([__m512i; 2]);

impl Plane {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(bytes: &[u8; 128]) -> Self {
        let half = bytes.as_ptr().cast::<__m512i>();
        // SAFETY: there are twice 64 bytes.
        unsafe { Self([_mm512_loadu_si512(half), _mm512_loadu_si512(half.wrapping_add(1))]) }
    }

    /// The entries that the lower seven bits of each byte in `lanes` say; 0 elsewhere.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    fn get(self, lanes: u64, bytes: __m512i) -> __m512i {
        _mm512_maskz_permutex2var_epi8(lanes, self.0[0], bytes, self.0[1])
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(crate) fn to_utf16(upper: &Upper, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let [low, high] = [Plane::new(&upper.utf16[0]), Plane::new(&upper.utf16[1])];
    let step = |src: &[u8]| {
        let bytes = load(src);
        let lanes = _mm512_movepi8_mask(bytes);
        let low = _mm512_mask_mov_epi8(bytes, lanes, low.get(lanes, bytes));
        let high = high.get(lanes, bytes);
        let any = _mm512_or_si512(low, high);
        let unmapped = _mm512_mask_testn_epi8_mask(lanes, any, any);
        (zip_bytes(low, high), unmapped)
    };
    one_to_one(src, out, step)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(upper: &Upper, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let [first, second, third] = [Plane::new(&upper.utf8[0]), Plane::new(&upper.utf8[1]), Plane::new(&upper.utf8[2])];
    avx512::to_utf8(src, out, |bytes, lanes| {
        let planes = [first.get(lanes, bytes), second.get(lanes, bytes), third.get(lanes, bytes)];
        (planes, lanes & !_mm512_movepi8_mask(planes[1]))
    })
}
