//! 32 bytes or code units a step, each looked up in a plane of 128 by eight `vpshufb`: the lower four bits choose in a row of
//! 16, the other three among the rows.
//!
//! Measured on Zen 5, to UTF-16: blends alone choose among the rows at 7.9 GB/s, ORs and blends at 9.1. Where bytes are their
//! own code points, nothing is looked up: 28 GB/s of French windows-1252, not 13. Encoding looks up one row of code points,
//! the fullest; others are taken from the two stages, one by one.
//! On Sapphire Rapids: four rows where all letters are in the upper half of the plane, 5.5 GB/s instead of 4.0.

use core::arch::x86_64::{
    __m256i, _mm256_adds_epu8, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_min_epi8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_packs_epi16, _mm256_permute2x128_si256, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srai_epi16, _mm256_storeu_si256,
    _mm256_testz_si256, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

use super::{
    ascii::{self, in_order, load_run, pack, pack_run, widen_run, zero_extend},
    latin1,
    vector::{self, LANES, LONG, RUN, in_runs, load, load_behind, load_half, load_units, one_to_one, starts},
};
use crate::kernel::{
    Out,
    tables::{ToByte, Upper},
};

/// The places of bytes in a plane.
#[derive(Clone, Copy)]
struct Index {
    /// For each of four rows, the lower four bits of the bytes that are in it; others have the sign bit, and `vpshufb` makes 0.
    places: [__m256i; 4],
    /// Bit 6, as a sign bit, chooses the other four rows.
    upper: __m256i,
    /// All that matter have bit 6.
    all_upper: bool,
}

impl Index {
    /// Of bytes to decode, among which ASCII does not matter. Most alphabets have their letters from 0xC0 on.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of_bytes(bytes: __m256i) -> Self {
        let index = Self::new(bytes);
        let all_upper = _mm256_movemask_epi8(_mm256_andnot_si256(index.upper, bytes)) == 0;
        Self { all_upper, ..index }
    }

    /// By the lower seven bits.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(bytes: __m256i) -> Self {
        let six = _mm256_and_si256(bytes, _mm256_set1_epi8(0x3F));
        // Below 16 only in its own row; others become 0x80 and above.
        let place = |n: i8| {
            let off = _mm256_xor_si256(six, _mm256_set1_epi8(n << 4));
            _mm256_adds_epu8(off, _mm256_set1_epi8(0x70))
        };
        // What comes from the byte below does not reach the sign bit.
        let upper = _mm256_slli_epi16::<1>(bytes);
        Self { places: [place(0), place(1), place(2), place(3)], upper, all_upper: false }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn look_up(self, plane: &[u8; 128]) -> __m256i {
        let rows = plane.as_chunks::<16>().0;
        let row = |n: usize| _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(&rows[n])), self.places[n % 4]);
        let four =
            |n: usize| _mm256_or_si256(_mm256_or_si256(row(n), row(n + 1)), _mm256_or_si256(row(n + 2), row(n + 3)));
        if self.all_upper { four(4) } else { _mm256_blendv_epi8(four(0), four(4), self.upper) }
    }
}

/// Many short texts are ASCII: for them no table is loaded. Writes all of one, of 32 to 128 bytes, or nothing.
#[inline]
#[target_feature(enable = "avx2")]
fn put_short_ascii(src: &[u8], out: &mut Out<'_, u8>) -> bool {
    if !matches!(src.len(), 32..=128) || out.room() < src.len() {
        return false;
    }
    let (last, middle) = (src.len() - LANES, src.len() / 2);
    // 64 bytes or fewer are in the first and the last vector; up to 128 have two more around their middle.
    let inner = if src.len() <= 2 * LANES { [0, last] } else { [middle - LANES, middle] };
    // SAFETY: 32 bytes are behind each place.
    let vectors =
        [0, inner[0], inner[1], last].map(|at| (at, unsafe { _mm256_loadu_si256(src.as_ptr().add(at).cast()) }));
    if vectors.iter().fold(0, |any, (_, bytes)| any | _mm256_movemask_epi8(*bytes)) != 0 {
        return false;
    }
    let to = out.spare();
    // SAFETY: there is room for all of `src`, of which all 32 bytes from each place on are written.
    unsafe {
        for (at, bytes) in vectors {
            _mm256_storeu_si256(to.add(at).cast(), bytes);
        }
        out.advance(src.len());
    }
    true
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn to_utf16(upper: &Upper, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() >= LONG {
        to_utf16_long(upper, src, out)
    } else {
        one_to_one(src, out, |src| to_utf16_step(upper, src))
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn to_utf16_long(upper: &Upper, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let own_from = _mm256_set1_epi8(upper.own_from);
    let run = |src: &[u8; RUN]| {
        let [a, b, c, d] = load_run(src);
        let least = _mm256_min_epi8(_mm256_min_epi8(a, b), _mm256_min_epi8(c, d));
        (_mm256_movemask_epi8(_mm256_cmpgt_epi8(own_from, least)) == 0).then(|| widen_run(src))
    };
    in_runs(src, out, run, |src: &[u8]| to_utf16_step(upper, src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn to_utf16_step(upper: &Upper, src: &[u8]) -> ([__m256i; 2], u32) {
    let (zero, own_from) = (_mm256_setzero_si256(), _mm256_set1_epi8(upper.own_from));
    let bytes = load(src);
    if _mm256_movemask_epi8(_mm256_cmpgt_epi8(own_from, bytes)) == 0 {
        return (zero_extend(bytes), 0);
    }
    let index = Index::of_bytes(bytes);
    let low = _mm256_blendv_epi8(bytes, index.look_up(&upper.utf16[0]), bytes);
    let high = _mm256_and_si256(index.look_up(&upper.utf16[1]), _mm256_cmpgt_epi8(zero, bytes));
    let mut unmapped = 0;
    if upper.has_unmapped {
        let none = _mm256_cmpeq_epi8(_mm256_or_si256(low, high), zero);
        // NUL is text.
        unmapped = _mm256_movemask_epi8(_mm256_and_si256(none, bytes)).cast_unsigned();
    }
    (zip(low, high), unmapped)
}

/// The bytes of both in turn.
#[inline]
#[target_feature(enable = "avx2")]
fn zip(first: __m256i, second: __m256i) -> [__m256i; 2] {
    let [low, high] = [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)];
    [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf8(upper: &Upper, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if put_short_ascii(src, out) {
        return src.len();
    }
    if ascii::begins_with_run(src) {
        return to_utf8_behind_run(upper, src, out);
    }
    let own_from = _mm256_set1_epi8(upper.own_from);
    let two = |bytes, lanes| {
        if _mm256_movemask_epi8(_mm256_cmpgt_epi8(own_from, bytes)) == 0 {
            return (latin1::two(bytes), 0);
        }
        let index = Index::of_bytes(bytes);
        let planes = [index.look_up(&upper.utf8[0]), index.look_up(&upper.utf8[1])];
        (planes, lanes & !_mm256_movemask_epi8(planes[1]).cast_unsigned())
    };
    vector::to_utf8(src, out, two, |bytes| Index::new(bytes).look_up(&upper.utf8[2]))
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn to_utf8_behind_run(upper: &Upper, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src, out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + to_utf8(upper, &src[run..], out) }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(crate) fn from_utf16(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() >= LONG {
        from_utf16_long(table, src, out)
    } else {
        one_to_one(src, out, |src| from_utf16_step(table, src))
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn from_utf16_long(table: &ToByte, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    in_runs(src, out, |src| pack_run::<0x7F>(src), |src| from_utf16_step(table, src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn from_utf16_step(table: &ToByte, src: &[u16]) -> (__m256i, u32) {
    let near = table.near;
    let (zero, byte) = (_mm256_setzero_si256(), _mm256_set1_epi16(0xFF));
    let units = load_units(src);
    let low = pack([_mm256_and_si256(units[0], byte), _mm256_and_si256(units[1], byte)]);
    let row = in_order(_mm256_packs_epi16(_mm256_srai_epi16::<7>(units[0]), _mm256_srai_epi16::<7>(units[1])));
    // ASCII, or bytes that are their own code points.
    let looked_up = _mm256_or_si256(
        _mm256_and_si256(row, _mm256_set1_epi8(!1)),
        _mm256_cmpgt_epi8(_mm256_set1_epi8(near.own_from), low),
    );
    if _mm256_testz_si256(looked_up, looked_up) == 1 {
        return (low, 0);
    }
    let number = _mm256_set1_epi8(near.numbers[near.main]);
    let found = _mm256_and_si256(Index::new(low).look_up(&near.rows[near.main]), _mm256_cmpeq_epi8(row, number));
    let is_ascii = _mm256_cmpeq_epi8(row, zero);
    let bytes = _mm256_blendv_epi8(found, low, is_ascii);
    elsewhere(bytes, !_mm256_movemask_epi8(is_ascii).cast_unsigned(), |lane| table.get(src[lane]))
}

/// Puts in the bytes of characters that are elsewhere, up to the first that is nowhere. `other` are those that are not
/// ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn elsewhere(mut bytes: __m256i, other: u32, byte: impl Fn(usize) -> Option<u8>) -> (__m256i, u32) {
    let mut missing = other & _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())).cast_unsigned();
    while missing != 0 {
        let lane = missing.trailing_zeros();
        let Some(byte) = byte(lane as usize) else { break };
        let is_lane = _mm256_cmpeq_epi8(lanes(), _mm256_set1_epi8(lane as i8));
        bytes = _mm256_blendv_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()), is_lane);
        missing &= missing - 1;
    }
    (bytes, missing)
}

/// The lanes' numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes() -> __m256i {
    _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
        30, 31,
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn from_utf8(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    if put_short_ascii(src.as_bytes(), out) {
        return src.len();
    }
    if ascii::begins_with_run(src.as_bytes()) {
        return from_utf8_behind_run(table, src, out);
    }
    let near = table.near;
    let byte = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let own_from = _mm256_set1_epi8(near.own_from);
    let [lead, second] = [byte(near.leads[0][near.main]), byte(near.leads[1][near.main])];
    let three = near.main >= 2;
    let step = |src: &[u8]| {
        let first = load(src);
        let other = starts(first) & _mm256_movemask_epi8(first).cast_unsigned();
        let mut last = load_behind::<1>(first, src);
        if near.own_from != 0 {
            let bytes = latin1::one(first, last);
            // Those that are ASCII or a Latin-1 byte in that range; the others are wrong.
            let wrong = _mm256_or_si256(_mm256_cmpgt_epi8(own_from, bytes), _mm256_cmpgt_epi8(first, byte(0xC3)));
            if other & _mm256_movemask_epi8(wrong).cast_unsigned() == 0 {
                return (bytes, 0);
            }
        }
        let mut before = first;
        let mut found = _mm256_set1_epi8(-1);
        if three {
            found = _mm256_cmpeq_epi8(first, lead);
            before = last;
            last = load_behind::<2>(first, src);
        }
        let row = if three { second } else { lead };
        found = _mm256_and_si256(found, _mm256_cmpeq_epi8(_mm256_and_si256(before, byte(0xFE)), row));
        let six = byte(0x3F);
        let index =
            _mm256_or_si256(_mm256_and_si256(last, six), _mm256_and_si256(_mm256_slli_epi16::<6>(before), byte(0x40)));
        let bytes = _mm256_and_si256(Index::new(index).look_up(&near.rows[near.main]), found);
        let bytes = _mm256_blendv_epi8(first, bytes, first);
        elsewhere(bytes, other, |lane| table.get_utf8(&src[lane..]))
    };
    vector::from_utf8(src, out, step)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn from_utf8_behind_run(table: &ToByte, src: &str, out: &mut Out<'_, u8>) -> usize {
    let run = ascii::copy(src.as_bytes(), out);
    // Without room, the rest may begin so, too.
    if out.room() == 0 { run } else { run + from_utf8(table, &src[run..], out) }
}
