//! The UTF-8 of 32 code units, in lanes of two or four bytes of which a mask tells those in use.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{utf16::loaded, vector::*};
use crate::kernel::{surrogates::Surrogates, tables::ByteOrder};

/// Code units per step.
pub(super) const STEP: usize = UNITS;

/// The operands of `_mm512_ternarylogic_epi64`, whose table is an expression of them.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;
/// B where A has a bit, C elsewhere.
const SELECT: i32 = A & B | !A & C;

/// Returns the surrogates among 32 code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn surrogates_of(units: __m512i) -> Surrogates {
    let kind = _mm512_and_si512(units, splat_units(0xFC00));
    let lanes = |first| u64::from(_mm512_cmpeq_epi16_mask(kind, splat_units(first)));
    Surrogates { highs: lanes(0xD800), lows: lanes(0xDC00) }
}

/// 64 bytes, and a mask of those in use.
pub(super) struct Sparse {
    pub(super) bytes: __m512i,
    pub(super) used: u64,
}

impl Sparse {
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.used.count_ones() as usize
    }

    /// Stores the bytes in use, and returns how many there are. May overwrite the rest of `to`.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    pub(super) fn store(&self, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
        store_kept(self.bytes, self.used, to)
    }

    /// Stores the bytes in use, as many as `to` holds, and nothing else.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn store_exactly(&self, to: &mut [MaybeUninit<u8>]) {
        store_some_kept(self.bytes, self.used, to);
    }
}

/// Converts units below U+0800, in lanes of two bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn up_to_two_bytes(units: __m512i) -> Sparse {
    // The bits from bit 6 and bit 0 on of each unit.
    let shifts = _mm512_set1_epi64(0x3036_2026_1016_0006);
    let digits = _mm512_multishift_epi64_epi8(shifts, units);
    let bytes = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3F3F), digits, splat_units(0x80C0));
    let ascii = _mm512_cmplt_epu16_mask(units, splat_units(0x80));
    let bytes = _mm512_mask_mov_epi16(bytes, ascii, units);
    // All first bytes, and the second bytes that are continuation bytes.
    Sparse { bytes, used: _mm512_movepi8_mask(bytes) | 0x5555_5555_5555_5555 }
}

/// Converts units that are not surrogates. Each half becomes at most 48 bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn up_to_three_bytes(units: __m512i) -> [Sparse; 2] {
    let units = in_quarters(units);
    let [first_heads, last_heads] = heads(units);
    sequences(units, first_heads, last_heads)
}

/// Converts the code units at `at`, with surrogates. Each surrogate has two bytes, which are made of its bits and two bits of
/// the other one. Each half becomes at most 48 bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn with_surrogates(
    order: ByteOrder,
    src: &[[u8; 2]],
    at: usize,
    units: __m512i,
    surrogates: Surrogates,
) -> [Sparse; 2] {
    let (highs, lows) = (surrogates.highs as u32, surrogates.lows as u32);
    // Matters only for low surrogates, which have a code unit before them.
    let before = match at.checked_sub(1) {
        Some(before) => loaded(order, &src[before..]),
        None => _mm512_maskz_expand_epi16(!1, units),
    };
    let [first_heads, last_heads] = heads(units);
    let first_heads = _mm512_mask_mov_epi16(first_heads, highs, splat_units(0xC000));
    let first_heads = _mm512_mask_mov_epi16(first_heads, lows, splat_units(0x8000));
    // 11110aaa 10bbbbbb 10ccdddd 10eeeeee: aaabbbbbbcc are the ten bits of the high surrogate plus 0x40, ddddeeeeee those of
    // the low one. The high surrogate becomes the number 110aaabbbbbb, with heads 11 and 10 for its bytes, and the low one
    // ccddddeeeeee, with heads 10 and 10.
    let high = splat_units(0xC10_u16.wrapping_sub(0xD800 >> 2));
    let low = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3FF), units, _mm512_slli_epi16::<10>(before));
    let units = _mm512_mask_add_epi16(units, highs, _mm512_srli_epi16::<2>(units), high);
    let units = _mm512_mask_mov_epi16(units, lows, low);
    sequences(in_quarters(units), in_quarters(first_heads), in_quarters(last_heads))
}

/// Returns the heads of the first two of three bytes, and those of the last byte. A head is the upper bits of a byte, and 0 for
/// a byte that is not in use. ASCII below 0x40 has no upper bits, so its head is 1 to mark the byte as in use; [`sequences`]
/// takes that bit from the code unit.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn heads(units: __m512i) -> [__m512i; 2] {
    /// Makes a table by the upper ten bits of units, at most 32.
    const fn table(ascii: [u16; 2], two_bytes: u16, three_bytes: u16) -> [u16; 64] {
        let mut table = [two_bytes; 64];
        [table[0], table[1], table[32]] = [ascii[0], ascii[1], three_bytes];
        table
    }
    let index = _mm512_min_epu16(_mm512_srli_epi16::<6>(units), splat_units(32));
    let look_up = |table: &[u16; 64]| {
        let [front, back] = load_some_units(table);
        _mm512_permutex2var_epi16(front, index, back)
    };
    [look_up(&const { table([0, 0], 0xC000, 0x80E0) }), look_up(&const { table([0x01, 0x40], 0x80, 0x80) })]
}

/// Returns lanes of four bytes, of which the last is not in use: heads, and the bits from bit 12, 6 and 0 on of the code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn sequences(units: __m512i, first_heads: __m512i, last_heads: __m512i) -> [Sparse; 2] {
    let shifts = _mm512_set1_epi64(0x363C_262C_161C_060C);
    let first_digits = _mm512_multishift_epi64_epi8(shifts, units);
    let firsts = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3F0F), first_digits, first_heads);
    let lasts = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x003F), units, last_heads);
    let used = |heads| _mm512_test_epi8_mask(heads, heads);
    [
        Sparse {
            bytes: _mm512_unpacklo_epi16(firsts, lasts),
            used: used(_mm512_unpacklo_epi16(first_heads, last_heads)),
        },
        Sparse {
            bytes: _mm512_unpackhi_epi16(firsts, lasts),
            used: used(_mm512_unpackhi_epi16(first_heads, last_heads)),
        },
    ]
}

/// Returns the sequences of the first `count` code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
pub(super) fn first_sequences(count: usize, [front, back]: [Sparse; 2]) -> [Sparse; 2] {
    let [front_used, back_used] = [first_n(4 * count), first_n(4 * count.saturating_sub(STEP / 2))];
    [Sparse { used: front.used & front_used, ..front }, Sparse { used: back.used & back_used, ..back }]
}
