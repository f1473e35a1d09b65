//! UTF-8 to UTF-16 in runs of characters of three bytes, eight at a time: faster than steps that find characters of any
//! length.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::vector::*;
use crate::kernel::{
    block::{block, block_mut},
    tables::ByteOrder,
};

/// Characters per step.
const CHARACTERS: usize = 8;

/// Converts a run that `src` begins with, in steps of eight characters. Returns their number.
#[cold]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_units(order: ByteOrder, src: &[u8], to: &mut [MaybeUninit<u16>]) -> usize {
    // Each character in the lower three of four bytes, the last byte first.
    let order_of_bytes = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
    let order_of_bytes = _mm256_broadcastsi128_si256(order_of_bytes);
    let splat = |four: u32| _mm256_set1_epi32(four.cast_signed());
    // A step loads 28 bytes.
    let steps = (src.len().saturating_sub(4) / (3 * CHARACTERS)).min(to.len() / CHARACTERS);
    let mut count = 0;
    for _ in 0..steps {
        // SAFETY: `3 * count + 28 <= src.len()`: `count` is at most `8 * (steps - 1)`, and `24 * steps + 4 <= src.len()`.
        let [first, second] = [0, 12].map(|from| load_half(unsafe { block(src, 3 * count + from) }));
        let characters = _mm256_shuffle_epi8(_mm256_set_m128i(second, first), order_of_bytes);
        let is_three = _mm256_cmpeq_epi32(_mm256_and_si256(characters, splat(0x00F0_C0C0)), splat(0x00E0_8080));
        // 0x0000aaaa 00bbbbcc 00dddddd: `cc` and `dddddd`, then `aaaa` and `bbbb`.
        let bits = _mm256_maddubs_epi16(_mm256_and_si256(characters, splat(0x000F_3F3F)), splat(0x0001_4001));
        let units = _mm256_madd_epi16(bits, splat(0x1000_0001));
        let units = _mm_packus_epi32(_mm256_castsi256_si128(units), _mm256_extracti128_si256::<1>(units));
        let upper = _mm_and_si128(units, _mm_set1_epi16(0xF800_u16.cast_signed()));
        let is_overlong = _mm_cmpeq_epi16(upper, _mm_setzero_si128());
        let is_surrogate = _mm_cmpeq_epi16(upper, _mm_set1_epi16(0xD800_u16.cast_signed()));
        let is_wrong = _mm_or_si128(is_overlong, is_surrogate);
        let swapped = _mm_or_si128(_mm_slli_epi16::<8>(units), _mm_srli_epi16::<8>(units));
        let units = if order == ByteOrder::Big { swapped } else { units };
        // SAFETY: `count + 8 <= 8 * steps <= to.len()`.
        store_half_units(units, unsafe { block_mut(to, count) });
        if _mm256_movemask_epi8(is_three) != -1 || _mm_testz_si128(is_wrong, is_wrong) == 0 {
            break;
        }
        count += CHARACTERS;
    }
    count
}
