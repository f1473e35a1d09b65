//! Single-byte encodings in steps of 64 bytes or code units, each looked up in a plane of 128 by `vpermi2b`, whose index is the
//! lower seven bits.
//!
//! Inputs of at most 64 units, except to UTF-16, have functions without a loop.
//!
//! Encoding looks up four rows of code points, so that punctuation is found together with letters. Characters in other rows are
//! looked up one by one in the two stages. ASCII is copied before any table is loaded only if it is at least the first 256 bytes
//! of a long input: otherwise, it slows short text down.
//!
//! On Sapphire Rapids `vpermi2b` takes two cycles of the only port for permutations, which bounds decoding to UTF-16. Permuting
//! bytes before the look-up instead of code points after it, and no test for unmapped bytes in encodings without them,
//! gain a third. Bytes that are their own code points, as most of windows-1252, are not looked up.

use core::arch::x86_64::*;

use super::{
    ascii,
    vector::{
        Avx512, LANES, at_least_e0, character_starts, high_bits, in_order, in_quarters, load, load_some,
        load_some_units, splat, zip_quarters,
    },
};
use crate::kernel::{
    Out,
    drivers::{
        LONG,
        ascii::{load_run, narrow_run, units_begin_with_run, widened_run},
        from_utf8, in_runs, one_step, one_to_one, to_utf8,
    },
    simd::{Bytes, Units},
    tables::{ByteOrder, CommonRows, ToByte, UpperHalf},
};

/// A table of 128 bytes.
#[derive(Clone, Copy)]
pub(super) struct Plane([__m512i; 2]);

impl Plane {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn new(bytes: &[u8; 128]) -> Self {
        let [low, high] = bytes.as_chunks().0 else { unreachable!() };
        Self([load(low), load(high)])
    }

    /// Returns the entries for the lower seven bits of the bytes in `lanes`, and 0 elsewhere.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn get(self, lanes: u64, bytes: __m512i) -> __m512i {
        _mm512_maskz_permutex2var_epi8(lanes, self.0[0], bytes, self.0[1])
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() >= LONG {
        return to_utf16_long(upper, src, out);
    }
    let planes = Utf16::new(upper);
    one_to_one(Avx512::new(), src, out, |src| planes.step(src))
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_long(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let simd = Avx512::new();
    let identity_from = splat(upper.identity_from.cast_unsigned());
    let run = |run: &_| {
        let [a, b, c, d] = load_run(simd, run);
        let min = _mm512_min_epi8(_mm512_min_epi8(a, b), _mm512_min_epi8(c, d));
        (_mm512_cmplt_epi8_mask(min, identity_from) == 0).then(|| widened_run(simd, ByteOrder::Little, run))
    };
    // One look-up instead of four: cell `decode/windows-1252/utf-16/de/4KiB`.
    if upper.is_identity_from_c0() {
        let [low, high] = [load_some(&upper.utf16[0]), load_some(&upper.utf16[1])];
        let step = |src: &[u8]| {
            let bytes = in_quarters(load_some(src));
            // 0x80 to 0xBF. The shift is of 16 bits. The bit that it moves in from the next lower byte becomes bit 0, not the
            // sign bit.
            let lanes = high_bits(_mm512_andnot_si512(_mm512_slli_epi16::<1>(bytes), bytes));
            let low = _mm512_mask_permutexvar_epi8(bytes, lanes, bytes, low);
            let high = _mm512_maskz_permutexvar_epi8(lanes, bytes, high);
            (Units(zip_quarters(low, high)), 0)
        };
        return in_runs(simd, src, out, run, step);
    }
    let planes = Utf16::new(upper);
    in_runs(simd, src, out, run, |src| planes.step(src))
}

/// The planes of code points.
pub(super) struct Utf16 {
    low: Plane,
    high: Plane,
    has_unmapped: bool,
}

impl Utf16 {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn new(upper: &UpperHalf) -> Self {
        let [low, high] = [Plane::new(&upper.utf16[0]), Plane::new(&upper.utf16[1])];
        Self { low, high, has_unmapped: upper.has_unmapped }
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, src: &[u8]) -> (Units<__m512i>, u64) {
        self.quarters(in_quarters(load_some(src)))
    }

    /// Converts bytes that are [`in_quarters`].
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn quarters(&self, bytes: __m512i) -> (Units<__m512i>, u64) {
        let lanes = high_bits(bytes);
        let low = _mm512_mask_mov_epi8(bytes, lanes, self.low.get(lanes, bytes));
        let high = self.high.get(lanes, bytes);
        let mut unmapped = 0;
        if self.has_unmapped {
            let any = _mm512_or_si512(low, high);
            unmapped = _mm512_mask_testn_epi8_mask(lanes, any, any);
            if unmapped != 0 {
                unmapped = high_bits(in_order(_mm512_movm_epi8(unmapped)));
            }
        }
        (Units(zip_quarters(low, high)), unmapped)
    }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= LANES {
        // SAFETY: see `Utf8Planes`.
        return unsafe {
            to_utf8::short(
                Avx512::new(),
                src,
                out,
                |bytes, others| Utf8Planes::new(upper).first_two(bytes, others),
                |bytes| Utf8Planes::new(upper).third(bytes),
            )
        };
    }
    to_utf8_long(upper, src, out)
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8_long(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let ascii_len = if ascii::begins_with_run(src) { ascii::copy(src, out) } else { 0 };
    if ascii_len == src.len() {
        return ascii_len;
    }
    let planes = Utf8Planes::new(upper);
    let (first_two, third) = (|bytes, others| planes.first_two(bytes, others), |bytes| planes.third(bytes));
    // SAFETY: see `Utf8Planes`.
    ascii_len + unsafe { to_utf8::to_utf8(Avx512::new(), &src[ascii_len..], out, |bytes| bytes, first_two, third) }
}

/// The planes of UTF-8: the first, second and third bytes.
///
/// `store_up_to_three_bytes` keeps the bytes of the second and third plane whose high bit is set. ASCII has 0 in both. For all
/// other mapped bytes, `UpperHalf::utf8` has the bit in the second plane, and in the third plane where the first byte is 0xE0 or
/// above.
pub(super) struct Utf8Planes([Plane; 3]);

impl Utf8Planes {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn new(upper: &UpperHalf) -> Self {
        let [first, second, third] = upper.utf8();
        Self([Plane::new(first), Plane::new(second), Plane::new(third)])
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn first_two(&self, bytes: __m512i, others: u64) -> ([__m512i; 2], u64, u64) {
        let planes = [self.0[0].get(others, bytes), self.0[1].get(others, bytes)];
        (planes, at_least_e0(planes[0]), others & !high_bits(planes[1]))
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn third(&self, bytes: __m512i) -> __m512i {
        self.0[2].get(high_bits(bytes), bytes)
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= LANES {
        return one_step(Avx512::new(), src, out, |src| Rows::new(table).step(src));
    }
    if src.len() >= LONG { from_utf16_long(table, src, out) } else { from_utf16_medium(table, src, out) }
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf16_medium(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let rows = Rows::new(table);
    one_to_one(Avx512::new(), src, out, |src| rows.step(src))
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf16_long(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let simd = Avx512::new();
    // Text that is all ASCII needs no rows: cells `encode/*/utf-16/en/stream`.
    let ascii_len = if units_begin_with_run(simd, src) { ascii::from_utf16(src, out) } else { 0 };
    if ascii_len == src.len() {
        return ascii_len;
    }
    let rows = Rows::new(table);
    ascii_len + in_runs(simd, &src[ascii_len..], out, |run| narrow_run(simd, 0x7F, run), |src| rows.step(src))
}

/// The rows that most characters are in.
struct Rows<'a> {
    table: &'a ToByte,
    planes: [Plane; 4],
    numbers: [__m512i; 4],
    identity_from: __m512i,
}

impl<'a> Rows<'a> {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &'a ToByte) -> Self {
        let CommonRows { rows: [a, b, c, d], numbers, .. } = table.common;
        let planes = [Plane::new(a), Plane::new(b), Plane::new(c), Plane::new(d)];
        let number = |n: usize| splat(numbers[n].cast_unsigned());
        let numbers = [number(0), number(1), number(2), number(3)];
        Self { table, planes, numbers, identity_from: splat(table.common.identity_from.cast_unsigned()) }
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, src: &[u16]) -> (Bytes<__m512i>, u64) {
        let units = load_some_units(src);
        let low = _mm512_permutex2var_epi8(units[0], load(&EVEN), units[1]);
        let row = in_order(_mm512_packs_epi16(_mm512_srai_epi16::<7>(units[0]), _mm512_srai_epi16::<7>(units[1])));
        // All units are ASCII or equal to their bytes.
        if _mm512_test_epi8_mask(row, splat(!1)) | _mm512_cmplt_epi8_mask(low, self.identity_from) == 0 {
            return (Bytes(low), 0);
        }
        let other = _mm512_test_epi8_mask(row, row);
        let found = |n: usize| self.planes[n].get(_mm512_cmpeq_epi8_mask(row, self.numbers[n]), low);
        let bytes = _mm512_or_si512(_mm512_or_si512(found(0), found(1)), _mm512_or_si512(found(2), found(3)));
        let bytes = _mm512_mask_mov_epi8(low, other, bytes);
        let missing = _mm512_mask_testn_epi8_mask(other, bytes, bytes);
        if missing == 0 {
            return (Bytes(bytes), 0);
        }
        let (bytes, wrong) = look_up_missing(bytes, missing, |lane| self.table.get(src[lane]));
        (Bytes(bytes), wrong)
    }
}

/// Replaces the bytes of the `missing` lanes by those that `byte` returns, up to the first lane without one. Returns the lanes
/// that are left.
///
/// Not inlined: its registers would slow the loop down (cells `encode/windows-1251/utf-8/ru/*`).
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_missing(mut bytes: __m512i, mut missing: u64, byte: impl Fn(usize) -> Option<u8>) -> (__m512i, u64) {
    while missing != 0 {
        let lane = missing.trailing_zeros();
        let Some(byte) = byte(lane as usize) else { break };
        bytes = _mm512_mask_set1_epi8(bytes, 1 << lane, byte.cast_signed());
        missing &= missing - 1;
    }
    (bytes, missing)
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    if src.len() <= LANES {
        return from_utf8::short(Avx512::new(), src, out, |src| Utf8Rows::new(table).step(src));
    }
    from_utf8_long(table, src, out)
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf8_long(table: &ToByte, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let ascii_len = if ascii::begins_with_run(src) { ascii::copy(src, out) } else { 0 };
    if ascii_len == src.len() {
        return ascii_len;
    }
    let rows = Utf8Rows::new(table);
    ascii_len + from_utf8::from_utf8(Avx512::new(), &src[ascii_len..], out, |src| rows.step(src))
}

/// The rows that most characters are in, by the first bytes of their UTF-8.
struct Utf8Rows<'a> {
    table: &'a ToByte,
    planes: [Plane; 4],
    leads: [__m512i; 4],
    seconds: [__m512i; 2],
}

impl<'a> Utf8Rows<'a> {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &'a ToByte) -> Self {
        let CommonRows { rows: [a, b, c, d], leads, .. } = table.common;
        let planes = [Plane::new(a), Plane::new(b), Plane::new(c), Plane::new(d)];
        let seconds = [splat(leads[1][2]), splat(leads[1][3])];
        let leads = [splat(leads[0][0]), splat(leads[0][1]), splat(leads[0][2]), splat(leads[0][3])];
        Self { table, planes, leads, seconds }
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, src: &[u8]) -> (__m512i, u64) {
        let first = load_some(src);
        let second = load_some(&src[1.min(src.len())..]);
        let other = character_starts(first) & high_bits(first);
        let index = last_seven(first, second);
        let row = _mm512_and_si512(first, splat(0xFE));
        let found = |n: usize| self.planes[n].get(_mm512_cmpeq_epi8_mask(row, self.leads[n]), index);
        let mut bytes = _mm512_or_si512(found(0), found(1));
        let long = _mm512_cmpge_epu8_mask(first, splat(0xE0));
        if long != 0 {
            let third = load_some(&src[2.min(src.len())..]);
            let index = last_seven(second, third);
            let row = _mm512_and_si512(second, splat(0xFE));
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
        look_up_missing(bytes, missing, |lane| self.table.get_utf8(&src[lane..]))
    }
}

/// Returns the lower seven bits of code points, given the last two bytes of their UTF-8.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn last_seven(before: __m512i, last: __m512i) -> __m512i {
    /// B where A has a bit, C elsewhere.
    const SELECT: i32 = 0xCA;
    let six = splat(0x3F);
    _mm512_ternarylogic_epi32::<SELECT>(six, last, _mm512_slli_epi16::<6>(before))
}

/// The indexes of the lower bytes of 64 code units.
static EVEN: [u8; LANES] = {
    let mut even = [0; LANES];
    let mut n = 0;
    while n < LANES {
        even[n] = 2 * n as u8;
        n += 1;
    }
    even
};
