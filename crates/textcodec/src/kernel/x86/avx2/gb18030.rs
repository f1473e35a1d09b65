//! ASCII and four bytes in long runs of code points, 64 bytes a step and eight characters at a time; others one by one.

use core::arch::x86_64::*;

use super::{super::masks::FourByteMasks, partial::by_copy, vector::*};
use crate::kernel::{
    Out,
    block::block,
    reference::gb18030 as reference,
    tables::four_bytes::{FourByteRuns, HALVES},
};

/// Bytes that a step sees.
const STEP: usize = 64;
/// Four bytes are loaded from each.
const LOADED: usize = STEP + 3;
/// Characters that are converted at a time.
const CHARACTERS: usize = 8;
/// So few bytes are converted one by one.
const SHORT: usize = 24;

/// A step that converts fewer bytes is not worth another one.
const FEW: usize = 16;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(table: &FourByteRuns, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return reference::to_utf16(table, src, out);
    }
    let runs = Runs::new(table);
    let mut read = 0;
    while read < src.len() {
        let rest = &src[read..];
        let mut copy = [0; LOADED];
        let loaded = match rest.first_chunk::<LOADED>() {
            Some(loaded) => loaded,
            None => {
                copy[..rest.len()].copy_from_slice(rest);
                &copy
            }
        };
        let bytes: &[u8; STEP] = loaded.first_chunk().expect("a step and three bytes");
        let halves = load_two(bytes);
        let upper = high_bits_of_two(halves);
        if upper == 0
            && rest.len() >= LOADED
            && let Some(to) = out.spare().first_chunk_mut::<STEP>()
        {
            for (bytes, to) in bytes.as_chunks().0.iter().zip(to.as_chunks_mut().0) {
                store_units(load_widened(bytes), to);
            }
            // SAFETY: the 64 slots are stored.
            unsafe { out.advance(STEP) };
            read += STEP;
            continue;
        }
        let [low, high] = halves;
        let is = |byte: u8| {
            let byte = splat(byte);
            high_bits_of_two([_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)])
        };
        let masks = FourByteMasks::find(
            upper,
            upper & !is(0x80) & !is(0xFF),
            high_bits_of_two([is_digit(low), is_digit(high)]),
            rest.len(),
        );
        let (mut chars, mut end) = (masks.chars, masks.end);
        while chars != 0 {
            let left = chars;
            let mut next = || {
                let place = chars.trailing_zeros() as usize & (STEP - 1);
                chars &= chars.wrapping_sub(1);
                // SAFETY: `place + 4 <= LOADED`: `place < STEP`, by the mask.
                i32::from_le_bytes(*unsafe { block(loaded, place) })
            };
            let bytes = _mm256_setr_epi32(next(), next(), next(), next(), next(), next(), next(), next());
            let (units, right) = runs.convert(bytes);
            let some = left.count_ones().min(CHARACTERS as u32);
            let count = right.trailing_ones().min(some);
            let done = count.min(out.spare_len().min(STEP) as u32);
            by_copy(out.spare(), done as usize, |to| store_half_units(units, to));
            // SAFETY: the `done` slots are stored: `done <= out.spare_len()`.
            unsafe { out.advance(done as usize) };
            if done < some {
                // The first that is not in a long run, or does not fit.
                let behind = (0..done).fold(left, |left, _| left & left.wrapping_sub(1));
                end = behind.trailing_zeros() as usize;
                if done < count {
                    return read + end;
                }
                break;
            }
        }
        read += end;
        if end < masks.end || !masks.is_all {
            let one = reference::character(table, &src[read..], out);
            read += one;
            // Where only few are in long runs, to convert them one by one is faster.
            if one == 0 || end < FEW {
                return read;
            }
        }
    }
    read
}

/// [`FourByteRuns::longest`] in vectors: the first pointer, how many follow it, and the code point.
struct Runs([[__m256i; 3]; 4]);

impl Runs {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &FourByteRuns) -> Self {
        Self(
            table
                .longest
                .map(|run| [run.first, run.len - 1, run.code_point].map(|value| _mm256_set1_epi32(value.into()))),
        )
    }

    /// Eight characters in lanes of four bytes, and which of them are ASCII or in long runs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&self, bytes: __m256i) -> (__m128i, u32) {
        let all = |value: u32| _mm256_set1_epi32(value.cast_signed());
        let digits = _mm256_sub_epi8(bytes, all(u32::from_le_bytes([0x81, b'0', 0x81, b'0'])));
        let halves = _mm256_maddubs_epi16(digits, all(u32::from_le_bytes([10, 1, 10, 1])));
        let pointers = _mm256_madd_epi16(halves, all(1 << 16 | u32::from(HALVES)));
        let is_ascii = _mm256_cmpeq_epi32(_mm256_and_si256(bytes, all(0x80)), _mm256_setzero_si256());
        let bits = |lanes| _mm256_movemask_ps(_mm256_castsi256_ps(lanes)).cast_unsigned();
        let (mut units, mut found) = (_mm256_and_si256(bytes, all(0x7F)), is_ascii);
        for [first, following, code_point] in self.0 {
            let offset = _mm256_sub_epi32(pointers, first);
            let within = _mm256_cmpeq_epi32(_mm256_min_epu32(offset, following), offset);
            // An ASCII character's lane has what follows it, too.
            let within = _mm256_andnot_si256(is_ascii, within);
            units = _mm256_blendv_epi8(units, _mm256_add_epi32(offset, code_point), within);
            found = _mm256_or_si256(found, within);
            if bits(found) == 0xFF {
                break;
            }
        }
        let packed = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(units, units));
        (_mm256_castsi256_si128(packed), bits(found))
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_digit(bytes: __m256i) -> __m256i {
    let offset = _mm256_sub_epi8(bytes, splat(b'0'));
    _mm256_cmpeq_epi8(offset, _mm256_min_epu8(offset, splat(9)))
}
