//! Single-byte encodings in steps of 32 bytes or code units, each looked up in a plane of 128 by eight `vpshufb`: the lower
//! four bits select within a row of 16, the other three select the row.
//!
//! Encodings in which most bytes are regular have other loops, in `regular.rs`, for inputs that are not short.
//!
//! Encoding looks up one row of code points, the fullest. Characters in other rows are looked up one by one in the two stages.
//!
//! ORs and blends select the row: blends alone are slower. Bytes that are their own code points are not looked up: cells
//! `decode/windows-1252/utf-16/fr/*`. If all letters are in the upper half of the plane, only its four rows are looked up.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    ascii, latin1, regular,
    vector::{
        Avx2, LANES, at_least_e0, character_starts, high_bits, in_order, load_half, load_some, load_some_units, narrow,
        splat, splat_units, store_units, widen,
    },
};
use crate::kernel::{
    Out,
    drivers::{
        LONG,
        ascii::{load_run, narrow_run, units_begin_with_run, widened_run},
        from_utf8, in_runs, one_to_one, to_utf8,
    },
    simd::{Bytes, Units},
    tables::{ByteOrder, ToByte, UpperHalf},
};

/// The positions of bytes in a plane.
#[derive(Clone, Copy)]
pub(super) struct Index {
    /// For each of four rows, the lower four bits of the bytes in it. Other bytes have the sign bit, for which `vpshufb` gives
    /// 0.
    columns: [__m256i; 4],
    /// Bit 6 as a sign bit, which selects the upper four rows.
    upper: __m256i,
    /// Whether all bytes that matter have bit 6. The lower four rows are then not looked up.
    all_upper: bool,
}

impl Index {
    /// Computes the positions of bytes to decode, among which ASCII does not matter. Most alphabets have their letters from
    /// 0xC0 on.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of_bytes(bytes: __m256i) -> Self {
        let index = Self::new(bytes);
        let all_upper = path!("single-byte-upper") && high_bits(_mm256_andnot_si256(index.upper, bytes)) == 0;
        Self { all_upper, ..index }
    }

    /// Computes positions from the lower seven bits.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn new(bytes: __m256i) -> Self {
        let six = _mm256_and_si256(bytes, splat(0x3F));
        // Bytes in the row become 0 to 15, and others at least 0x80.
        let column = |n: u8| {
            let off = _mm256_xor_si256(six, splat(n << 4));
            _mm256_adds_epu8(off, splat(0x70))
        };
        // The shift is of 16 bits. The bit that it moves in from the next lower byte becomes bit 0, not the sign bit.
        let upper = _mm256_slli_epi16::<1>(bytes);
        Self { columns: [column(0), column(1), column(2), column(3)], upper, all_upper: false }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn look_up(self, plane: &[u8; 128]) -> __m256i {
        let rows = plane.as_chunks::<16>().0;
        let row = |n: usize| _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(&rows[n])), self.columns[n % 4]);
        let four =
            |n: usize| _mm256_or_si256(_mm256_or_si256(row(n), row(n + 1)), _mm256_or_si256(row(n + 2), row(n + 3)));
        if self.all_upper { four(4) } else { _mm256_blendv_epi8(four(0), four(4), self.upper) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() < LONG {
        return one_to_one(Avx2::new(), src, out, |src| to_utf16_step(upper, src));
    }
    if upper.regular.suits_utf16 { regular::to_utf16(upper, src, out) } else { to_utf16_long(upper, src, out) }
}

/// Converts bytes of which any may be irregular or unmapped. Returns how many precede the first one that is unmapped.
#[cold] // `inline(never)` has no effect on functions with CPU features: rustc 1.95.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn look_up_all(upper: &UpperHalf, bytes: &[u8; LANES], to: &mut [MaybeUninit<u16>; LANES]) -> usize {
    let (Units(units), unmapped) = to_utf16_step(upper, bytes);
    store_units(units, to);
    LANES.min(unmapped.trailing_zeros() as usize)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16_long(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let identity_from = splat(upper.identity_from.cast_unsigned());
    in_runs(Avx2::new(), src, out, |run| identity_run(identity_from, run), |src| to_utf16_step(upper, src))
}

/// Converts a run of bytes that are their own code points.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn identity_run(identity_from: __m256i, run: &[[u8; LANES]; 4]) -> Option<[Units<__m256i>; 4]> {
    let simd = Avx2::new();
    let [a, b, c, d] = load_run(simd, run);
    let min = _mm256_min_epi8(_mm256_min_epi8(a, b), _mm256_min_epi8(c, d));
    (high_bits(_mm256_cmpgt_epi8(identity_from, min)) == 0).then(|| widened_run(simd, ByteOrder::Little, run))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf16_step(upper: &UpperHalf, src: &[u8]) -> (Units<__m256i>, u64) {
    units(upper, load_some(src))
}

/// Returns the code units of bytes, and the lanes of those that are unmapped.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn units(upper: &UpperHalf, bytes: __m256i) -> (Units<__m256i>, u64) {
    let (zero, identity_from) = (splat(0), splat(upper.identity_from.cast_unsigned()));
    if high_bits(_mm256_cmpgt_epi8(identity_from, bytes)) == 0 {
        return (Units(widen(bytes)), 0);
    }
    let [low, high] = planes(upper, bytes);
    let mut unmapped = 0;
    if upper.has_unmapped {
        let none = _mm256_cmpeq_epi8(_mm256_or_si256(low, high), zero);
        // NUL is mapped: its high bit is not set.
        unmapped = high_bits(_mm256_and_si256(none, bytes));
    }
    (Units(zip(low, high)), unmapped)
}

/// Returns the lower and upper bytes of code units, or 0 and 0 for unmapped bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn planes(upper: &UpperHalf, bytes: __m256i) -> [__m256i; 2] {
    let index = Index::of_bytes(bytes);
    let low = _mm256_blendv_epi8(bytes, index.look_up(&upper.utf16[0]), bytes);
    [low, _mm256_and_si256(index.look_up(&upper.utf16[1]), _mm256_cmpgt_epi8(splat(0), bytes))]
}

/// Interleaves the bytes of two vectors.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn zip(first: __m256i, second: __m256i) -> [__m256i; 2] {
    let [low, high] = [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)];
    [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let mut read = if ascii::begins_with_run(src) { ascii::copy(src, out) } else { 0 };
    if upper.regular.suits_utf8 {
        let mut detour = 4 * LANES;
        while src.len() - read >= LONG {
            let rest = &src[read..];
            let more = match upper.regular.lead {
                0 => regular::to_utf8::<false>(upper, rest, out),
                _ => regular::to_utf8::<true>(upper, rest, out),
            };
            read += more;
            // Many irregular bytes in one step, and probably more in the next ones. Ukrainian windows-1251 has so many that
            // the other loop is faster.
            detour = if more < detour { 2 * detour } else { 4 * LANES };
            let rest = &src[read..];
            let some = &rest[..rest.len().min(detour)];
            let converted = to_utf8_any(upper, some, out);
            read += converted;
            if converted < some.len() {
                return read;
            }
        }
    }
    read + to_utf8_any(upper, &src[read..], out)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8_any(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    to_utf8_ordered(upper, src, out, |bytes| bytes)
}

/// Converts bytes that `ordered` changes first.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf8_ordered(
    upper: &UpperHalf,
    src: &[u8],
    out: &mut Out<'_, u8>,
    ordered: impl Fn(__m256i) -> __m256i,
) -> usize {
    let identity_from = splat(upper.identity_from.cast_unsigned());
    let first_two = |bytes, others| {
        if high_bits(_mm256_cmpgt_epi8(identity_from, bytes)) == 0 {
            return (latin1::encode(bytes), 0, 0);
        }
        let index = Index::of_bytes(bytes);
        let planes = [index.look_up(&upper.utf8()[0]), index.look_up(&upper.utf8()[1])];
        (planes, at_least_e0(planes[0]) & others, others & !high_bits(planes[1]))
    };
    let third = |bytes| Index::new(bytes).look_up(&upper.utf8()[2]);
    // SAFETY: AVX2's `store_up_to_three_bytes` counts the lanes in the masks, whatever the planes are.
    unsafe { to_utf8::to_utf8(Avx2::new(), src, out, ordered, first_two, third) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() >= LONG {
        from_utf16_long(table, src, out)
    } else {
        one_to_one(Avx2::new(), src, out, |src| from_utf16_step(table, src))
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf16_long(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let simd = Avx2::new();
    // Text that is all ASCII needs no rows.
    let ascii_len = if units_begin_with_run(simd, src) { ascii::from_utf16(src, out) } else { 0 };
    if ascii_len == src.len() {
        return ascii_len;
    }
    let run = |run: &_| narrow_run(simd, 0x7F, run);
    ascii_len + in_runs(simd, &src[ascii_len..], out, run, |src| from_utf16_step(table, src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn from_utf16_step(table: &ToByte, src: &[u16]) -> (Bytes<__m256i>, u64) {
    let common = table.common;
    let (zero, byte) = (splat(0), splat_units(0xFF));
    let units = load_some_units(src);
    let low = narrow([_mm256_and_si256(units[0], byte), _mm256_and_si256(units[1], byte)]);
    let row = in_order(_mm256_packs_epi16(_mm256_srai_epi16::<7>(units[0]), _mm256_srai_epi16::<7>(units[1])));
    // 0 if all units are ASCII or equal to their bytes.
    let looked_up = _mm256_or_si256(
        _mm256_and_si256(row, splat(!1)),
        _mm256_cmpgt_epi8(splat(common.identity_from.cast_unsigned()), low),
    );
    if _mm256_testz_si256(looked_up, looked_up) == 1 {
        return (Bytes(low), 0);
    }
    let number = splat(common.numbers[common.main].cast_unsigned());
    let found = _mm256_and_si256(Index::new(low).look_up(&common.rows[common.main]), _mm256_cmpeq_epi8(row, number));
    let is_ascii = _mm256_cmpeq_epi8(row, zero);
    let bytes = _mm256_blendv_epi8(found, low, is_ascii);
    let missing = high_bits(_mm256_andnot_si256(is_ascii, _mm256_cmpeq_epi8(bytes, zero)));
    if missing == 0 {
        return (Bytes(bytes), 0);
    }
    let (bytes, wrong) = look_up_missing(bytes, missing, |lane| table.get(src[lane]));
    (Bytes(bytes), wrong)
}

/// Replaces the bytes of the `missing` lanes by those that `byte` returns, up to the first lane without one. Returns the lanes
/// that are left.
///
/// Not inlined: its registers would slow the loop down (cells `encode/windows-1251/utf-8/ru/*`).
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up_missing(mut bytes: __m256i, mut missing: u64, byte: impl Fn(usize) -> Option<u8>) -> (__m256i, u64) {
    while missing != 0 {
        let lane = missing.trailing_zeros();
        let Some(byte) = byte(lane as usize) else { break };
        let is_lane = _mm256_cmpeq_epi8(lanes(), splat(lane as u8));
        bytes = _mm256_blendv_epi8(bytes, splat(byte), is_lane);
        missing &= missing - 1;
    }
    (bytes, missing)
}

/// Returns the numbers of the lanes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lanes() -> __m256i {
    _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
        30, 31,
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    let src = src.as_bytes();
    let ascii_len = if ascii::begins_with_run(src) { ascii::copy(src, out) } else { 0 };
    if ascii_len == src.len() {
        return ascii_len;
    }
    let common = table.common;
    let identity_from = splat(common.identity_from.cast_unsigned());
    let [lead, second] = [splat(common.leads[0][common.main]), splat(common.leads[1][common.main])];
    let three = common.main >= 2;
    let step = |src: &[u8]| {
        let first = load_some(src);
        let other = character_starts(first) & high_bits(first);
        let mut last = load_some(&src[1..]);
        if common.identity_from != 0 {
            let bytes = latin1::decode(first, last);
            // Characters below `identity_from` or above U+00FF have to be looked up.
            let looked_up =
                _mm256_or_si256(_mm256_cmpgt_epi8(identity_from, bytes), _mm256_cmpgt_epi8(first, splat(0xC3)));
            if other & high_bits(looked_up) == 0 {
                return (bytes, 0);
            }
        }
        let mut before = first;
        let mut found = splat(0xFF);
        if three {
            found = _mm256_cmpeq_epi8(first, lead);
            before = last;
            last = load_some(&src[2.min(src.len())..]);
        }
        let row = if three { second } else { lead };
        found = _mm256_and_si256(found, _mm256_cmpeq_epi8(_mm256_and_si256(before, splat(0xFE)), row));
        let index = _mm256_or_si256(
            _mm256_and_si256(last, splat(0x3F)),
            _mm256_and_si256(_mm256_slli_epi16::<6>(before), splat(0x40)),
        );
        let bytes = _mm256_and_si256(Index::new(index).look_up(&common.rows[common.main]), found);
        let bytes = _mm256_blendv_epi8(first, bytes, first);
        let missing = other & high_bits(_mm256_cmpeq_epi8(bytes, splat(0)));
        if missing == 0 {
            return (bytes, 0);
        }
        look_up_missing(bytes, missing, |lane| table.get_utf8(&src[lane..]))
    };
    ascii_len + from_utf8::from_utf8(Avx2::new(), &src[ascii_len..], out, step)
}
