//! Encoding to characters of one, two and four bytes, in steps of eight code units. The bytes are computed in lanes of four,
//! and each lane is stored over the unused bytes of the one before. The first lane of a surrogate pair writes its bytes.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{super::look_up, vector::load_half};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of},
    tables::{Bases, ToBytes},
};

/// Code units per step.
const STEP: usize = 8;

/// Converts whole steps of mapped characters, as long as they have characters of four bytes. Returns how many units it read.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(units) = src[read..].first_chunk::<STEP>()
        && out.spare_len() >= 4 * STEP
    {
        // Does not depend on look-ups, so that the next step does not wait for this one.
        let len = if matches!(units[STEP - 1], 0xD800..=0xDBFF) { STEP - 1 } else { STEP };
        let step = Step::new(table, bases, units);
        if step.mapped < len {
            return read;
        }
        step.put(len, out);
        read += len;
        if !step.has_four {
            return read;
        }
    }
    read
}

/// Eight code units after the look-up.
struct Step {
    /// The bytes that they become.
    bytes: [u32; STEP],
    /// How many bytes these are: at most 4 each.
    lens: [u32; STEP],
    /// The number of mapped units before the first unmapped one. A surrogate whose other half is not in the step is unmapped.
    mapped: usize,
    /// Whether one of them becomes four bytes.
    has_four: bool,
}

impl Step {
    /// Writes the first `len` units.
    ///
    /// # Panics
    /// If eight units of four bytes each do not fit.
    #[inline(always)]
    fn put(&self, len: usize, out: &mut Out<'_, u8>) {
        // SAFETY: only initialised values are stored in the slots.
        let to: &mut [_; 4 * STEP] =
            unsafe { out.spare() }.first_chunk_mut().expect("four bytes for each unit are free");
        let (mut written, mut after) = (0, 0);
        for n in 0..STEP {
            // SAFETY: `written + 4 <= 4 * STEP`: each of the `n < STEP` units before added at most 4, by `lens`.
            *unsafe { block_mut(to, written) } = self.bytes[n].to_le_bytes().map(MaybeUninit::new);
            written += self.lens[n] as usize;
            after = if n + 1 == len { written } else { after };
        }
        // SAFETY: `after <= 4 * STEP`, and the first `after` spare slots are written: each unit stored four bytes at the offset
        // where the bytes of the one before end.
        unsafe { out.advance(after) };
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &ToBytes, bases: Bases, src: &[u16; STEP]) -> Self {
        let set = |n: i32| _mm256_set1_epi32(n);
        let zero = _mm256_setzero_si256();
        let units = _mm256_cvtepu16_epi32(load_half(bytes_of(src).first_chunk().expect("eight code units")));
        let entries = look_up::entries(table, src);
        let pointers = _mm_add_epi16(entries, look_up::bases(bases, src));
        let (entries, pointers) = (_mm256_cvtepu16_epi32(entries), _mm256_cvtepu16_epi32(pointers));

        let surrogates = |from| _mm256_cmpeq_epi32(_mm256_and_si256(units, set(0xFC00)), set(from));
        let next = |lanes| _mm256_permutevar8x32_epi32(lanes, _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0));
        let before = |lanes| _mm256_permutevar8x32_epi32(lanes, _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
        let (first, second) = (surrogates(0xD800), surrogates(0xDC00));
        let not_last = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0);
        let first = _mm256_and_si256(_mm256_and_si256(first, next(second)), not_last);
        let second = before(first);

        let above =
            _mm256_add_epi32(_mm256_add_epi32(_mm256_slli_epi32::<10>(units), next(units)), set(look_up::PAIR_OFFSET));
        let pointers = _mm256_blendv_epi8(pointers, above, first);
        let has_entry = _mm256_cmpgt_epi32(entries, zero);
        let has_bytes = _mm256_cmpgt_epi32(entries, set(i32::from(ToBytes::MIN_BYTES) - 1));
        let four = _mm256_or_si256(first, _mm256_andnot_si256(has_bytes, has_entry));
        let nul = _mm256_cmpeq_epi32(units, zero);
        let mapped = _mm256_or_si256(_mm256_or_si256(first, second), _mm256_or_si256(has_entry, nul));

        let swap = _mm256_setr_epi8(
            1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12, -1, -1, 1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12,
            -1, -1,
        );
        let swapped = _mm256_shuffle_epi8(entries, swap);
        // One byte; none for the second half of a surrogate pair; one more for a pair of bytes.
        let is_pair = _mm256_cmpgt_epi32(_mm256_and_si256(entries, set(0xFF)), zero);
        let lens = _mm256_add_epi32(_mm256_add_epi32(set(1), second), _mm256_and_si256(is_pair, set(1)));
        let lens = _mm256_blendv_epi8(lens, set(4), four);
        let mut step = Self {
            bytes: [0; STEP],
            lens: [0; STEP],
            mapped: (!mask(mapped)).trailing_zeros() as usize,
            has_four: mask(four) != 0,
        };
        // SAFETY: each array has eight numbers of 32 bits, the size of a vector.
        unsafe {
            let bytes = _mm256_blendv_epi8(swapped, four_bytes(pointers), four);
            _mm256_storeu_si256(step.bytes.as_mut_ptr().cast(), bytes);
            _mm256_storeu_si256(step.lens.as_mut_ptr().cast(), lens);
        }
        step
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn mask(lanes: __m256i) -> i32 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes))
}

/// Returns the four bytes of pointers. The quotients are exact: pointers have 21 bits, and the added half keeps each product
/// farther from a whole number than its rounding error.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn four_bytes(pointers: __m256i) -> __m256i {
    let halves = _mm256_add_ps(_mm256_cvtepi32_ps(pointers), _mm256_set1_ps(0.5));
    let divide = |by: f32| _mm256_cvttps_epi32(_mm256_mul_ps(halves, _mm256_set1_ps(1.0 / by)));
    let (third, second, first) = (divide(10.0), divide(10.0 * 126.0), divide(10.0 * 126.0 * 10.0));
    let times = |n, by: i32| _mm256_mullo_epi32(n, _mm256_set1_epi32(by));
    // Each quotient is added to its byte, and its multiple is subtracted from the byte after it.
    let start = _mm256_set1_epi32(i32::from_le_bytes([0x81, 0x30, 0x81, 0x30]));
    let fourth = _mm256_add_epi32(_mm256_slli_epi32::<24>(pointers), start);
    let middle = _mm256_add_epi32(times(third, (1 << 16) - (10 << 24)), times(second, (1 << 8) - (126 << 16)));
    _mm256_add_epi32(_mm256_add_epi32(fourth, middle), times(first, 1 - (10 << 8)))
}
