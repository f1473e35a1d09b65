//! 64 bytes or code units a step, each looked up in a plane of 128 by `vpermi2b`, whose index is the lower seven bits.
//!
//! Encoding looks up four rows of code points, so that punctuation does not stop it; others are taken from the two stages,
//! one by one. Copying the ASCII that a mixed text begins with, before anything is loaded, made short text 4 ns slower. So only
//! text of 64 to 128 bytes that is all ASCII is stored at once, and long text copied that begins with 256 bytes of it.
//!
//! On Sapphire Rapids `vpermi2b` takes two cycles of the only port for permutations, so decoding to UTF-16 is bound by that:
//! bytes put in order before they are looked up, not code points, and no test for unmapped bytes where there are none make
//! 25 GB/s instead of 19. What is its own code point, as most of windows-1252, is not looked up.

use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask,
    _mm512_cmplt_epi8_mask, _mm512_mask_cmpeq_epi8_mask, _mm512_mask_mov_epi8, _mm512_mask_permutexvar_epi8,
    _mm512_mask_set1_epi8, _mm512_mask_testn_epi8_mask, _mm512_maskz_permutex2var_epi8, _mm512_maskz_permutexvar_epi8,
    _mm512_min_epi8, _mm512_movepi8_mask, _mm512_movm_epi8, _mm512_or_si512, _mm512_packs_epi16,
    _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_slli_epi16, _mm512_srai_epi16, _mm512_storeu_si512,
    _mm512_ternarylogic_epi32, _mm512_test_epi8_mask,
};

use super::{
    ascii::{self, in_order, load_run, pack_run, widen_run},
    vector::{self, LANES, LONG, RUN, in_halves, in_runs, load, load_units, one_to_one, starts, zip_halves},
};
use crate::kernel::{
    Out,
    tables::{Near, ToByte, Upper},
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
    if src.len() >= LONG {
        return to_utf16_long(upper, src, out);
    }
    let planes = Utf16::new(upper);
    one_to_one(src, out, |src: &[u8]| planes.step(src))
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
fn to_utf16_long(upper: &Upper, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let own_from = _mm512_set1_epi8(upper.own_from);
    let run = |src: &[u8; RUN]| {
        let [a, b, c, d] = load_run(src);
        let least = _mm512_min_epi8(_mm512_min_epi8(a, b), _mm512_min_epi8(c, d));
        (_mm512_cmplt_epi8_mask(least, own_from) == 0).then(|| widen_run(src))
    };
    if upper.is_own_above() {
        let [low, high] = [load(&upper.utf16[0][..LANES]), load(&upper.utf16[1][..LANES])];
        let step = |src: &[u8]| {
            let bytes = in_halves(load(src));
            // 0x80 to 0xBF: what comes from the byte below does not reach the sign bit.
            let lanes = _mm512_movepi8_mask(_mm512_andnot_si512(_mm512_slli_epi16::<1>(bytes), bytes));
            let low = _mm512_mask_permutexvar_epi8(bytes, lanes, bytes, low);
            let high = _mm512_maskz_permutexvar_epi8(lanes, bytes, high);
            (zip_halves(low, high), 0)
        };
        return in_runs(src, out, run, step);
    }
    let planes = Utf16::new(upper);
    in_runs(src, out, run, |src: &[u8]| planes.step(src))
}

/// The planes of code points.
struct Utf16 {
    low: Plane,
    high: Plane,
    has_unmapped: bool,
}

impl Utf16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn new(upper: &Upper) -> Self {
        let [low, high] = [Plane::new(&upper.utf16[0]), Plane::new(&upper.utf16[1])];
        Self { low, high, has_unmapped: upper.has_unmapped }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
    fn step(&self, src: &[u8]) -> ([__m512i; 2], u64) {
        let bytes = in_halves(load(src));
        let lanes = _mm512_movepi8_mask(bytes);
        let low = _mm512_mask_mov_epi8(bytes, lanes, self.low.get(lanes, bytes));
        let high = self.high.get(lanes, bytes);
        let mut unmapped = 0;
        if self.has_unmapped {
            let any = _mm512_or_si512(low, high);
            unmapped = _mm512_mask_testn_epi8_mask(lanes, any, any);
            if unmapped != 0 {
                unmapped = _mm512_movepi8_mask(in_order(_mm512_movm_epi8(unmapped)));
            }
        }
        (zip_halves(low, high), unmapped)
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(upper: &Upper, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if put_short_ascii(src, out) {
        return src.len();
    }
    if ascii::begins_with_run(src) {
        return to_utf8_behind_run(upper, src, out);
    }
    let [first, second, third] = [Plane::new(&upper.utf8[0]), Plane::new(&upper.utf8[1]), Plane::new(&upper.utf8[2])];
    vector::to_utf8(src, out, |bytes, lanes| {
        let planes = [first.get(lanes, bytes), second.get(lanes, bytes), third.get(lanes, bytes)];
        (planes, lanes & !_mm512_movepi8_mask(planes[1]))
    })
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn to_utf8_behind_run(upper: &Upper, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src, out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + to_utf8(upper, &src[run..], out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() >= LONG {
        return from_utf16_long(table, src, out);
    }
    let rows = Rows::new(table);
    one_to_one(src, out, |src: &[u16]| rows.step(src))
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
fn from_utf16_long(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let rows = Rows::new(table);
    in_runs(src, out, |src| pack_run::<0x7F>(src), |src: &[u16]| rows.step(src))
}

/// The rows that most characters are in.
struct Rows<'a> {
    table: &'a ToByte,
    planes: [Plane; 4],
    numbers: [__m512i; 4],
    own_from: __m512i,
}

impl<'a> Rows<'a> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn new(table: &'a ToByte) -> Self {
        let Near { rows: [a, b, c, d], numbers, .. } = table.near;
        let planes = [Plane::new(a), Plane::new(b), Plane::new(c), Plane::new(d)];
        let number = |n: usize| _mm512_set1_epi8(numbers[n]);
        let numbers = [number(0), number(1), number(2), number(3)];
        Self { table, planes, numbers, own_from: _mm512_set1_epi8(table.near.own_from) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
    fn step(&self, src: &[u16]) -> (__m512i, u64) {
        let units = load_units(src);
        let low = _mm512_permutex2var_epi8(units[0], load(&EVEN), units[1]);
        let row = in_order(_mm512_packs_epi16(_mm512_srai_epi16::<7>(units[0]), _mm512_srai_epi16::<7>(units[1])));
        // ASCII, or bytes that are their own code points.
        if _mm512_test_epi8_mask(row, _mm512_set1_epi8(!1)) | _mm512_cmplt_epi8_mask(low, self.own_from) == 0 {
            return (low, 0);
        }
        let other = _mm512_test_epi8_mask(row, row);
        let found = |n: usize| self.planes[n].get(_mm512_cmpeq_epi8_mask(row, self.numbers[n]), low);
        let bytes = _mm512_or_si512(_mm512_or_si512(found(0), found(1)), _mm512_or_si512(found(2), found(3)));
        let bytes = _mm512_mask_mov_epi8(low, other, bytes);
        let missing = _mm512_mask_testn_epi8_mask(other, bytes, bytes);
        if missing == 0 {
            return (bytes, 0);
        }
        elsewhere(bytes, missing, |lane| self.table.get(src[lane]))
    }
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
    let bytes = src.as_bytes();
    if put_short_ascii(bytes, out) {
        return src.len();
    }
    if ascii::begins_with_run(bytes) {
        return from_utf8_behind_run(table, src, out);
    }
    if bytes.len() >= LONG && table.near.own_from != 0 {
        return from_utf8_latin(table, bytes, out);
    }
    let rows = Utf8Rows::new(table);
    vector::from_utf8(bytes, out, |src| rows.step(src))
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn from_utf8_behind_run(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src.as_bytes(), out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + from_utf8(table, &src[run..], out) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn from_utf8_latin(table: &ToByte, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let rows = Utf8Rows::new(table);
    vector::latin_from_utf8(table.near.own_from, src, out, |src| rows.step(src))
}

/// The rows that most characters are in, by the first bytes of UTF-8.
struct Utf8Rows<'a> {
    table: &'a ToByte,
    planes: [Plane; 4],
    leads: [__m512i; 4],
    seconds: [__m512i; 2],
}

impl<'a> Utf8Rows<'a> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn new(table: &'a ToByte) -> Self {
        let Near { rows: [a, b, c, d], leads, .. } = table.near;
        let planes = [Plane::new(a), Plane::new(b), Plane::new(c), Plane::new(d)];
        let seconds = [byte(leads[1][2]), byte(leads[1][3])];
        let leads = [byte(leads[0][0]), byte(leads[0][1]), byte(leads[0][2]), byte(leads[0][3])];
        Self { table, planes, leads, seconds }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
    fn step(&self, src: &[u8]) -> (__m512i, u64) {
        let first = load(src);
        let second = load(&src[1.min(src.len())..]);
        let other = starts(first) & _mm512_movepi8_mask(first);
        let index = last_seven(first, second);
        let row = _mm512_and_si512(first, byte(0xFE));
        let found = |n: usize| self.planes[n].get(_mm512_cmpeq_epi8_mask(row, self.leads[n]), index);
        let mut bytes = _mm512_or_si512(found(0), found(1));
        let long = _mm512_cmpge_epu8_mask(first, byte(0xE0));
        if long != 0 {
            let third = load(&src[2.min(src.len())..]);
            let index = last_seven(second, third);
            let row = _mm512_and_si512(second, byte(0xFE));
            let found = |n: usize| {
                let lanes = _mm512_cmpeq_epi8_mask(first, self.leads[2 + n]);
                self.planes[2 + n].get(_mm512_mask_cmpeq_epi8_mask(lanes, row, self.seconds[n]), index)
            };
            bytes = _mm512_or_si512(bytes, _mm512_or_si512(found(0), found(1)));
        }
        let bytes = _mm512_mask_mov_epi8(first, other, bytes);
        let missing = _mm512_mask_testn_epi8_mask(other, bytes, bytes);
        if missing == 0 {
            return (bytes, 0);
        }
        elsewhere(bytes, missing, |lane| self.table.get_utf8(&src[lane..]))
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn byte(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
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
