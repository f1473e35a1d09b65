//! Conversion of well-formed UTF-8, in steps of exactly 64 bytes. A character belongs to the step that its last byte is in, so
//! steps do not wait for each other.

use crate::kernel::each::Each as _;
use core::{arch::x86_64::*, mem::MaybeUninit};

use super::vector::*;
use crate::kernel::Out;

/// Bytes per step.
const STEP: usize = LANES;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn str_to_utf16(src: &str, out: &mut Out<'_, u16>) -> usize {
    let mut at = 0;
    // One slot stays spare, for the second unit of a pair whose first unit is written.
    while at < src.len() && out.spare_len() > STEP {
        let step = Step::load(src.as_bytes(), at);
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { break };
        let stored = step.store(to);
        // SAFETY: `store` has written all of `to`, the first 64 spare slots, and `stored <= 64`: it is the count of a mask.
        unsafe { out.advance(stored) };
        at += STEP;
    }
    if at >= src.len() {
        return src.len();
    }
    let mut read = at - incomplete_len(src, at);
    let mut is_half_written = at - read == 3;
    for character in src[read..].chars() {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units);
        // The first unit of a character that began three bytes before is written.
        let rest = if is_half_written { &units[1..] } else { units };
        if !out.extend(rest) {
            break;
        }
        is_half_written = false;
        read += character.len_utf8();
    }
    read
}

/// Returns how many bytes before `at` belong to a character that continues there.
fn incomplete_len(src: &str, at: usize) -> usize {
    (0..4).find(|&n| src.is_char_boundary(at - n)).unwrap_or(0)
}

/// 64 bytes, and for each of them the two bytes before it.
struct Step {
    /// The bytes, the bytes before them, and the second bytes before them.
    bytes: [__m512i; 3],
    len: usize,
    /// Whether the first byte is the last of four.
    is_fourth: bool,
}

impl Step {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn load(src: &[u8], at: usize) -> Self {
        if let Some(seen) = at.checked_sub(3).and_then(|from| src[from..].first_chunk::<{ 3 + STEP }>()) {
            let bytes = [3, 2, 1].each(|n| load_some(&seen[n..]));
            return Self { bytes, len: STEP, is_fourth: seen[0] >= 0xF0 };
        }
        let len = STEP.min(src.len() - at);
        let bytes = load_some(&src[at..]);
        let before = if at == 0 {
            // For each quarter, the one before it.
            let before = _mm512_alignr_epi64::<6>(bytes, splat(0));
            [_mm512_alignr_epi8::<15>(bytes, before), _mm512_alignr_epi8::<14>(bytes, before)]
        } else {
            [load_some(&src[at - 1..]), load_some(&src[at - 2..])]
        };
        let is_fourth = at > 0 && src[at - 3] >= 0xF0;
        Self { bytes: [bytes, before[0], before[1]], len, is_fourth }
    }

    /// Stores the code units of the characters that end here, and returns how many. The first unit of a pair belongs to the
    /// third of four bytes. Writes all of `to`.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn store(&self, to: &mut [MaybeUninit<u16>; LANES]) -> usize {
        let [last, before, first] = self.bytes;
        let high = high_bits(last);
        let three = at_least(first, 0xE0);
        let third = at_least(first, 0xF0);
        let fourth = third << 1 | u64::from(self.is_fourth);
        let ends = !high | (at_least(before, 0xC0) & !at_least(before, 0xE0)) | three | fourth;
        let ends = ends & first_n(self.len);
        // 0 for the bytes that a character lacks.
        let last = _mm512_and_si512(last, splat(0x7F));
        let before = _mm512_and_si512(_mm512_maskz_mov_epi8(high, before), splat(0x3F));
        let first = _mm512_maskz_mov_epi8(three, first);
        let parts = [last, before, first].each(|part| compress(part, ends));
        let (halves, others) =
            if third | fourth == 0 { (0, 0) } else { (_pext_u64(third, ends), _pext_u64(fourth, ends)) };
        let units = |[last, before, first]: [__m256i; 3], halves: u64, others: u64| {
            let before = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(before));
            let first = _mm512_slli_epi16::<12>(_mm512_cvtepu8_epi16(first));
            let units = _mm512_or_si512(_mm512_or_si512(_mm512_cvtepu8_epi16(last), before), first);
            if halves | others == 0 {
                return units;
            }
            // The first 11 and the last 10 of 21 bits, less 0x10000.
            let half = _mm512_add_epi16(_mm512_srli_epi16::<4>(units), splat_units(0xD800 - 0x40));
            let other = _mm512_or_si512(_mm512_and_si512(units, splat_units(0x3FF)), splat_units(0xDC00));
            _mm512_mask_mov_epi16(_mm512_mask_mov_epi16(units, halves as u32, half), others as u32, other)
        };
        let count = ends.count_ones() as usize;
        let lower = units(parts.each(|part| _mm512_castsi512_si256(part)), halves, others);
        let upper = parts.each(|part| _mm512_extracti64x4_epi64::<1>(part));
        store_units([lower, units(upper, halves >> 32, others >> 32)], to);
        count
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn at_least(bytes: __m512i, least: u8) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, splat(least))
}
