//! 64 bytes a step, always, of a text that is known to be well-formed. A character belongs to the step that its last byte is
//! in, so that no step waits for another to say where it starts.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::vector::*;
use crate::kernel::Out;

/// Bytes a step.
const STEP: usize = LANES;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn str_to_utf16(src: &str, out: &mut Out<'_, u16>) -> usize {
    let mut at = 0;
    // One unit of room is left at least.
    while at < src.len() && out.spare_len() > STEP {
        let step = Step::load(src.as_bytes(), at);
        let Some(to) = out.spare().first_chunk_mut() else { break };
        let stored = step.store(to);
        // SAFETY: the `stored` slots are stored.
        unsafe { out.advance(stored) };
        at += STEP;
    }
    if at >= src.len() {
        return src.len();
    }
    let mut read = at - incomplete_len(src, at);
    let mut half = at - read == 3;
    for character in src[read..].chars() {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units);
        // The first half of a character that began three bytes before is written.
        let rest = if half { &units[1..] } else { units };
        if !out.extend(rest) {
            break;
        }
        half = false;
        read += character.len_utf8();
    }
    read
}

/// How many bytes of a character stand before `at` that does not end there.
fn incomplete_len(src: &str, at: usize) -> usize {
    (0..4).find(|&n| src.is_char_boundary(at - n)).unwrap_or(0)
}

/// 64 bytes, and for each of them the one and the two before it.
struct Step {
    bytes: [__m512i; 3],
    len: usize,
    /// The first byte is the last of four.
    is_fourth: bool,
}

impl Step {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn load(src: &[u8], at: usize) -> Self {
        let len = STEP.min(src.len() - at);
        let bytes = load_some(&src[at..]);
        let before = if at == 0 {
            // Each quarter next to the one before it.
            let before = _mm512_alignr_epi64::<6>(bytes, splat(0));
            [_mm512_alignr_epi8::<15>(bytes, before), _mm512_alignr_epi8::<14>(bytes, before)]
        } else {
            [load_some(&src[at - 1..]), load_some(&src[at - 2..])]
        };
        let is_fourth = at > 0 && src[at - 3] >= 0xF0;
        Self { bytes: [bytes, before[0], before[1]], len, is_fourth }
    }

    /// Stores the code units of the characters that end here; returns how many. The first half of a surrogate pair belongs to
    /// the third of four bytes.
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
        // A character that has no such byte gets 0.
        let last = _mm512_and_si512(last, splat(0x7F));
        let before = _mm512_and_si512(_mm512_maskz_mov_epi8(high, before), splat(0x3F));
        let first = _mm512_maskz_mov_epi8(three, first);
        let parts = [last, before, first].map(|part| compress(part, ends));
        let (halves, others) =
            if third | fourth == 0 { (0, 0) } else { (_pext_u64(third, ends), _pext_u64(fourth, ends)) };
        let units = |[last, before, first]: [__m256i; 3], halves: u64, others: u64| {
            let before = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(before));
            let first = _mm512_slli_epi16::<12>(_mm512_cvtepu8_epi16(first));
            let units = _mm512_or_si512(_mm512_or_si512(_mm512_cvtepu8_epi16(last), before), first);
            if halves | others == 0 {
                return units;
            }
            // Of 21 bits the first 11 and the last 10, less one in the eleventh.
            let half = _mm512_add_epi16(_mm512_srli_epi16::<4>(units), splat_units(0xD800 - 0x40));
            let other = _mm512_or_si512(_mm512_and_si512(units, splat_units(0x3FF)), splat_units(0xDC00));
            _mm512_mask_mov_epi16(_mm512_mask_mov_epi16(units, halves as u32, half), others as u32, other)
        };
        let count = ends.count_ones() as usize;
        let lower = units(parts.map(|part| _mm512_castsi512_si256(part)), halves, others);
        let upper = parts.map(|part| _mm512_extracti64x4_epi64::<1>(part));
        store_units([lower, units(upper, halves >> 32, others >> 32)], to);
        count
    }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn at_least(bytes: __m512i, least: u8) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, splat(least))
}
