//! 64 bytes or code units a step; the last step under a mask.

use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask, _mm512_cmpgt_epu8_mask,
    _mm512_mask_add_epi8, _mm512_mask_mov_epi8, _mm512_set1_epi8, _mm512_setzero_si512,
};

use super::{
    ascii::{self, pack_up_to, widen_run, zero_extend},
    vector::{self, LONG, in_runs, load, one_to_one},
};
use crate::kernel::Out;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if ascii::begins_with_run(src) {
        return to_utf8_behind_run(src, out);
    }
    vector::to_utf8(src, out, |bytes, _| {
        let first = _mm512_mask_mov_epi8(byte(0xC2), _mm512_cmpge_epu8_mask(bytes, byte(0xC0)), byte(0xC3));
        ([first, _mm512_and_si512(bytes, byte(0xBF)), _mm512_setzero_si512()], 0)
    })
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn to_utf8_behind_run(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src, out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + to_utf8(&src[run..], out) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn byte(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let step = |src: &[u8]| (zero_extend(load(src)), 0);
    if src.len() >= LONG { to_utf16_long(src, out) } else { one_to_one(src, out, step) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
fn to_utf16_long(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    in_runs(src, out, |src| Some(widen_run(src)), |src| (zero_extend(load(src)), 0))
}

#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
pub(crate) fn from_utf16(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    pack_up_to::<0xFF>(src, out)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(src: &str, out: &mut Out<'_, u8>) -> usize {
    if ascii::begins_with_run(src.as_bytes()) {
        return from_utf8_behind_run(src, out);
    }
    vector::from_utf8(src.as_bytes(), out, |src| {
        let first = load(src);
        (one(first, load(&src[1.min(src.len())..])), _mm512_cmpgt_epu8_mask(first, byte(0xC3)))
    })
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
fn from_utf8_behind_run(src: &str, out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src.as_bytes(), out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + from_utf8(&src[run..], out) }
}

/// ASCII, and the bytes of characters up to U+00FF by their first and last byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) fn one(first: __m512i, last: __m512i) -> __m512i {
    // The last one is all of the byte but a bit of the first.
    let last = _mm512_mask_add_epi8(last, _mm512_cmpeq_epi8_mask(first, byte(0xC3)), last, byte(0x40));
    _mm512_mask_mov_epi8(first, _mm512_cmpge_epu8_mask(first, byte(0xC0)), last)
}
