//! Decoding of ASCII and four-byte characters in long runs of code points, in steps of 64 bytes, eight characters at a time.

use core::arch::x86_64::*;

use super::{
    super::gb18030::{self, Characters, STEP, Step},
    vector::*,
};
use crate::kernel::{
    Out,
    block::block,
    each::Each as _,
    reference::gb18030 as reference,
    tables::four_bytes::{FourByteRuns, HALVES},
};

/// Bytes that a step loads: four from each offset.
const LOADED: usize = STEP + 3;
/// Inputs of up to this many bytes are converted character by character: cells `decode/gb18030/*/ko/16B`.
const SHORT: usize = 24;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(table: &FourByteRuns, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return reference::to_utf16(table, src, out);
    }
    let runs = Runs::new(table);
    gb18030::to_utf16(table, src, out, |src, out| runs.step(src, out))
}

/// [`FourByteRuns::longest`] in vectors: the first pointer, the number of pointers that follow it, and the code point.
struct Runs([[__m256i; 3]; 4]);

impl Runs {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &FourByteRuns) -> Self {
        Self(
            table
                .longest
                .each(|run| [run.first, run.len - 1, run.code_point].each(|value| _mm256_set1_epi32(value.into()))),
        )
    }

    /// Converts ASCII and characters in long runs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, src: &[u8], out: &mut Out<'_, u16>) -> Step {
        let mut copy = [0; LOADED];
        let loaded = src.first_chunk::<LOADED>().unwrap_or_else(|| {
            copy[..src.len()].copy_from_slice(src);
            &copy
        });
        let bytes: &[u8; STEP] = loaded.first_chunk().expect("a step and three bytes");
        let [low, high] = load_two(bytes);
        let upper = high_bits_of_two([low, high]);
        let is = |byte: u8| {
            let byte = splat(byte);
            high_bits_of_two([_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)])
        };
        let digits = high_bits_of_two([is_digit(low), is_digit(high)]);
        Characters::find(upper, upper & !is(0x80) & !is(0xFF), digits, src.len()).convert(out, |starts| {
            let mut next = || {
                let start = starts.trailing_zeros() as usize & (STEP - 1);
                *starts &= starts.wrapping_sub(1);
                // SAFETY: `start + 4 <= LOADED`: `start < STEP`, by the mask.
                i32::from_le_bytes(*unsafe { block(loaded, start) })
            };
            self.convert(_mm256_setr_epi32(next(), next(), next(), next(), next(), next(), next(), next()))
        })
    }

    /// Converts eight characters in lanes of four bytes. Returns the code units, and which characters are ASCII or in long
    /// runs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert(&self, bytes: __m256i) -> ([u16; 8], u32) {
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
            // The lane of an ASCII character also has the bytes after it.
            let within = _mm256_andnot_si256(is_ascii, within);
            units = _mm256_blendv_epi8(units, _mm256_add_epi32(offset, code_point), within);
            found = _mm256_or_si256(found, within);
            if bits(found) == 0xFF {
                break;
            }
        }
        let packed = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(units, units));
        (half_to_units(_mm256_castsi256_si128(packed)), bits(found))
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_digit(bytes: __m256i) -> __m256i {
    let offset = _mm256_sub_epi8(bytes, splat(b'0'));
    _mm256_cmpeq_epi8(offset, _mm256_min_epu8(offset, splat(9)))
}
