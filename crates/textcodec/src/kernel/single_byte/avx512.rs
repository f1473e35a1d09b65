//! 64 bytes or code units a step, each looked up in a plane of 128 by `vpermi2b`, whose index is the lower seven bits.
//!
//! Encoding looks up four rows of code points, so that punctuation does not stop it; others are taken from the two stages,
//! one by one. Copying the ASCII that a text begins with, before anything is loaded, made short mixed text 4 ns slower.

use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask, _mm512_mask_cmpeq_epi8_mask,
    _mm512_mask_mov_epi8, _mm512_mask_set1_epi8, _mm512_mask_testn_epi8_mask, _mm512_maskz_permutex2var_epi8,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_packs_epi16, _mm512_permutex2var_epi8, _mm512_set1_epi8,
    _mm512_slli_epi16, _mm512_srai_epi16, _mm512_storeu_si512, _mm512_ternarylogic_epi32,
};

use super::{Near, ToByte, Upper};
use crate::kernel::{
    Out,
    ascii::avx512::{above, in_order, pack},
    avx512::{self, LANES, load, load_units, one_to_one, starts, zip_bytes},
};

/// A table of 128 bytes.
#[derive(Clone, Copy)]
struct Plane([__m512i; 2]);

impl Plane {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn new(bytes: &[u8; 128]) -> Self {
        Self([load(&bytes[..LANES]), load(&bytes[LANES..])])
    }

    /// The entries that the lower seven bits of each byte in `lanes` say; 0 elsewhere.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vbmi")]
    fn get(self, lanes: u64, bytes: __m512i) -> __m512i {
        _mm512_maskz_permutex2var_epi8(lanes, self.0[0], bytes, self.0[1])
    }
}

/// Many short texts are ASCII: for them no table is loaded. Writes all of one, of 64 to 128 bytes, or nothing.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
fn put_short_ascii(src: &[u8], out: &mut Out<'_, u8>) -> bool {
    let (Some(front), Some(back)) = (src.first_chunk::<LANES>(), src.last_chunk::<LANES>()) else { return false };
    if src.len() > 2 * LANES || out.room() < src.len() {
        return false;
    }
    let [front, back] = [load(front), load(back)];
    if _mm512_movepi8_mask(_mm512_or_si512(front, back)) != 0 {
        return false;
    }
    let to = out.spare();
    // SAFETY: there is room for all of `src`; the first 64 bytes and the last are all of it.
    unsafe {
        _mm512_storeu_si512(to.cast(), front);
        _mm512_storeu_si512(to.add(src.len() - LANES).cast(), back);
        out.advance(src.len());
    }
    true
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
    if put_short_ascii(src, out) {
        return src.len();
    }
    let [first, second, third] = [Plane::new(&upper.utf8[0]), Plane::new(&upper.utf8[1]), Plane::new(&upper.utf8[2])];
    avx512::to_utf8(src, out, |bytes, lanes| {
        let planes = [first.get(lanes, bytes), second.get(lanes, bytes), third.get(lanes, bytes)];
        (planes, lanes & !_mm512_movepi8_mask(planes[1]))
    })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let Near { rows: [a, b, c, d], numbers, .. } = table.near;
    let rows = [Plane::new(a), Plane::new(b), Plane::new(c), Plane::new(d)];
    let number = |n: usize| _mm512_set1_epi8(numbers[n]);
    let numbers = [number(0), number(1), number(2), number(3)];
    let step = |src: &[u16]| {
        let units = load_units(src);
        let other = above(units, 0x7F);
        if other == 0 {
            return (pack(units), 0);
        }
        let low = _mm512_permutex2var_epi8(units[0], load(&EVEN), units[1]);
        let row = in_order(_mm512_packs_epi16(_mm512_srai_epi16::<7>(units[0]), _mm512_srai_epi16::<7>(units[1])));
        let found = |n: usize| rows[n].get(_mm512_cmpeq_epi8_mask(row, numbers[n]), low);
        let bytes = _mm512_or_si512(_mm512_or_si512(found(0), found(1)), _mm512_or_si512(found(2), found(3)));
        let bytes = _mm512_mask_mov_epi8(low, other, bytes);
        let missing = _mm512_mask_testn_epi8_mask(other, bytes, bytes);
        if missing == 0 {
            return (bytes, 0);
        }
        elsewhere(bytes, missing, |lane| table.get(src[lane]))
    };
    one_to_one(src, out, step)
}

/// Puts in the bytes of characters that are elsewhere, up to the first that is nowhere.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi1")]
fn elsewhere(mut bytes: __m512i, mut missing: u64, byte: impl Fn(usize) -> Option<u8>) -> (__m512i, u64) {
    while missing != 0 {
        let lane = missing.trailing_zeros();
        let Some(byte) = byte(lane as usize) else { break };
        bytes = _mm512_mask_set1_epi8(bytes, 1 << lane, byte.cast_signed());
        missing &= missing - 1;
    }
    (bytes, missing)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    if put_short_ascii(src.as_bytes(), out) {
        return src.len();
    }
    let Near { rows: [a, b, c, d], leads, .. } = table.near;
    let rows = [Plane::new(a), Plane::new(b), Plane::new(c), Plane::new(d)];
    let byte = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let seconds = [byte(leads[1][2]), byte(leads[1][3])];
    let leads = [byte(leads[0][0]), byte(leads[0][1]), byte(leads[0][2]), byte(leads[0][3])];
    let step = |src: &[u8]| {
        let first = load(src);
        let second = load(&src[1.min(src.len())..]);
        let other = starts(first) & _mm512_movepi8_mask(first);
        let index = last_seven(first, second);
        let row = _mm512_and_si512(first, byte(0xFE));
        let found = |n: usize| rows[n].get(_mm512_cmpeq_epi8_mask(row, leads[n]), index);
        let mut bytes = _mm512_or_si512(found(0), found(1));
        let long = _mm512_cmpge_epu8_mask(first, byte(0xE0));
        if long != 0 {
            let third = load(&src[2.min(src.len())..]);
            let index = last_seven(second, third);
            let row = _mm512_and_si512(second, byte(0xFE));
            let found = |n: usize| {
                let lanes = _mm512_cmpeq_epi8_mask(first, leads[2 + n]);
                rows[2 + n].get(_mm512_mask_cmpeq_epi8_mask(lanes, row, seconds[n]), index)
            };
            bytes = _mm512_or_si512(bytes, _mm512_or_si512(found(0), found(1)));
        }
        let bytes = _mm512_mask_mov_epi8(first, other, bytes);
        let missing = _mm512_mask_testn_epi8_mask(other, bytes, bytes);
        if missing == 0 {
            return (bytes, 0);
        }
        elsewhere(bytes, missing, |lane| table.get_utf8(&src[lane..]))
    };
    avx512::from_utf8(src, out, step)
}

/// The lower seven bits of a code point, by its last two bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn last_seven(before: __m512i, last: __m512i) -> __m512i {
    /// The lower six bits of one, the others of the other.
    const SELECT: i32 = 0xCA;
    let six = _mm512_set1_epi8(0x3F);
    _mm512_ternarylogic_epi32::<SELECT>(six, last, _mm512_slli_epi16::<6>(before))
}

/// The lower bytes of 64 code units.
static EVEN: [u8; LANES] = {
    let mut even = [0; LANES];
    let mut n = 0;
    while n < LANES {
        even[n] = 2 * n as u8;
        n += 1;
    }
    even
};
