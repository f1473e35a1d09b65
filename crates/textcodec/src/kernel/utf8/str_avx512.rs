//! 64 bytes a step, always, of a text that is known to be well-formed. A character belongs to the step that its last byte is
//! in, so that no step waits for another to say where it starts.

use core::arch::x86_64::{
    __m256i, __m512i, _bzhi_u64, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cmpge_epu8_mask,
    _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8,
    _mm512_maskz_mov_epi8, _mm512_max_epu8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8, _mm512_slli_epi16,
    _mm512_storeu_si512,
};

use crate::kernel::Out;

/// Bytes a step.
const STEP: usize = 64;
/// What must be free in front of a step: the most that a step makes is one unit a byte, and one more where the first character
/// has four bytes.
const ROOM: usize = STEP + 1;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
pub(crate) fn to_utf16(src: &str, out: &mut Out<'_, u16>) -> usize {
    let mut at = 0;
    while at < src.len() && out.room() >= ROOM {
        let step = Step::load(src.as_bytes(), at);
        // The character that ends with the first byte may begin three before it.
        let begun = at > 0 && src.as_bytes()[at - 3] >= 0xF0;
        if begun || step.has_four_bytes() {
            characters(src, at, out);
        } else {
            let to = out.spare();
            // SAFETY: there is room for a whole step.
            unsafe { out.advance(step.store(to)) };
        }
        at += STEP;
    }
    if at >= src.len() {
        return src.len();
    }
    let mut read = floor_char_boundary(src, at);
    for character in src[read..].chars() {
        if !out.extend(character.encode_utf16(&mut [0; 2])) {
            break;
        }
        read += character.len_utf8();
    }
    read
}

/// The characters that end in a step, one by one. There must be room for them.
#[cold]
fn characters(src: &str, at: usize, out: &mut Out<'_, u16>) {
    let from = floor_char_boundary(src, at);
    let to = floor_char_boundary(src, at + STEP);
    for character in src[from..to].chars() {
        out.extend(character.encode_utf16(&mut [0; 2]));
    }
}

/// The last boundary between characters that is not behind `at`.
fn floor_char_boundary(src: &str, at: usize) -> usize {
    (0..4).find_map(|n| Some(at.min(src.len()) - n).filter(|&at| src.is_char_boundary(at))).unwrap_or(0)
}

/// 64 bytes, and for each of them the one and the two before it.
struct Step {
    bytes: [__m512i; 3],
    len: usize,
}

impl Step {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    fn load(src: &[u8], at: usize) -> Self {
        let len = STEP.min(src.len() - at);
        let lanes = _bzhi_u64(u64::MAX, len as u32);
        let before = |n: usize| {
            let lanes = if at == 0 { lanes & u64::MAX << n } else { lanes };
            // SAFETY: the mask has only lanes that lie in `src`, which begins at least `n` bytes before the step otherwise.
            unsafe { _mm512_maskz_loadu_epi8(lanes, src.as_ptr().wrapping_add(at).wrapping_sub(n).cast()) }
        };
        Self { bytes: [before(0), before(1), before(2)], len }
    }

    /// Whether a character of four bytes ends here or goes on behind this step.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn has_four_bytes(&self) -> bool {
        let any = _mm512_max_epu8(_mm512_max_epu8(self.bytes[0], self.bytes[1]), self.bytes[2]);
        at_least(any, 0xF0) != 0
    }

    /// Stores the code units of the characters that end here; returns how many.
    ///
    /// # Safety
    /// There is room for 64 of them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi2,popcnt")]
    unsafe fn store(&self, to: *mut u16) -> usize {
        let [last, before, first] = self.bytes;
        let high = _mm512_movepi8_mask(last);
        let three = at_least(first, 0xE0);
        let ends = !high | (at_least(before, 0xC0) & !at_least(before, 0xE0)) | three;
        let ends = _bzhi_u64(ends, self.len as u32);
        // A character that has no such byte gets 0.
        let last = _mm512_and_si512(last, _mm512_set1_epi8(0x7F));
        let before = _mm512_and_si512(_mm512_maskz_mov_epi8(high, before), _mm512_set1_epi8(0x3F));
        let first = _mm512_maskz_mov_epi8(three, first);
        let parts = [last, before, first].map(|part| _mm512_maskz_compress_epi8(ends, part));
        let units = |[last, before, first]: [__m256i; 3]| {
            let before = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(before));
            let first = _mm512_slli_epi16::<12>(_mm512_cvtepu8_epi16(first));
            _mm512_or_si512(_mm512_or_si512(_mm512_cvtepu8_epi16(last), before), first)
        };
        let count = ends.count_ones() as usize;
        // SAFETY: the caller's.
        unsafe {
            _mm512_storeu_si512(to.cast(), units(parts.map(|part| _mm512_castsi512_si256(part))));
            if count > STEP / 2 {
                let upper = units(parts.map(|part| _mm512_extracti64x4_epi64::<1>(part)));
                _mm512_storeu_si512(to.wrapping_add(STEP / 2).cast(), upper);
            }
        }
        count
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn at_least(bytes: __m512i, least: u8) -> u64 {
    _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(least.cast_signed()))
}
