//! Characters of one, two and four bytes, eight code units a step: made in lanes of four bytes, then stored one over the
//! other's end. A surrogate pair is written by its first lane.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{super::look_up, vector::load_half};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of},
    tables::{Bases, ToBytes},
};

/// Code units a step.
const STEP: usize = 8;

/// Converts whole steps of mapped characters, as far as there are four bytes among them; returns how many units it took.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    while let Some(units) = src[read..].first_chunk::<STEP>()
        && out.spare_len() >= 4 * STEP
    {
        // Known before anything is looked up: the next step need not wait for this one.
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

/// Eight code units: the bytes that they become, and how many these are.
struct Step {
    bytes: [u32; STEP],
    lens: [u32; STEP],
    /// How many are mapped; a surrogate whose other half is not here is not.
    mapped: usize,
    has_four: bool,
}

impl Step {
    /// Writes the first `len` units.
    ///
    /// # Panics
    /// If eight units of four bytes each do not fit.
    #[inline(always)]
    fn put(&self, len: usize, out: &mut Out<'_, u8>) {
        let to: &mut [_; 4 * STEP] = out.spare().first_chunk_mut().expect("room for four bytes each");
        let (mut written, mut after) = (0, 0);
        for n in 0..STEP {
            // SAFETY: `written + 4 <= 4 * STEP`: each of the `n < STEP` units before took four bytes at most.
            *unsafe { block_mut(to, written) } = self.bytes[n].to_le_bytes().map(MaybeUninit::new);
            written += self.lens[n] as usize;
            after = if n + 1 == len { written } else { after };
        }
        // SAFETY: the `after` slots are stored.
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
        let has_bytes = _mm256_cmpgt_epi32(entries, set(i32::from(ToBytes::LEAST) - 1));
        let four = _mm256_or_si256(first, _mm256_andnot_si256(has_bytes, has_entry));
        let nul = _mm256_cmpeq_epi32(units, zero);
        let mapped = _mm256_or_si256(_mm256_or_si256(first, second), _mm256_or_si256(has_entry, nul));

        let swap = _mm256_setr_epi8(
            1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12, -1, -1, 1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12,
            -1, -1,
        );
        let few = _mm256_shuffle_epi8(entries, swap);
        // One byte, none for a second half, one more for a pair.
        let is_pair = _mm256_cmpgt_epi32(_mm256_and_si256(entries, set(0xFF)), zero);
        let lens = _mm256_add_epi32(_mm256_add_epi32(set(1), second), _mm256_and_si256(is_pair, set(1)));
        let lens = _mm256_blendv_epi8(lens, set(4), four);
        let mut step = Self {
            bytes: [0; STEP],
            lens: [0; STEP],
            mapped: (!mask(mapped)).trailing_zeros() as usize,
            has_four: mask(four) != 0,
        };
        // SAFETY: both arrays have eight numbers.
        unsafe {
            let bytes = _mm256_blendv_epi8(few, four_bytes(pointers), four);
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

/// The four bytes of pointers. The quotients are exact: pointers have 21 bits, and half of one added keeps each product
/// farther from a whole number than it errs.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn four_bytes(pointers: __m256i) -> __m256i {
    let halves = _mm256_add_ps(_mm256_cvtepi32_ps(pointers), _mm256_set1_ps(0.5));
    let divide = |by: f32| _mm256_cvttps_epi32(_mm256_mul_ps(halves, _mm256_set1_ps(1.0 / by)));
    let (tens, thousands, most) = (divide(10.0), divide(10.0 * 126.0), divide(10.0 * 126.0 * 10.0));
    let times = |n, by: i32| _mm256_mullo_epi32(n, _mm256_set1_epi32(by));
    // Each quotient counts in its own byte, and takes away from the byte below what it stands for.
    let start = _mm256_set1_epi32(i32::from_le_bytes([0x81, 0x30, 0x81, 0x30]));
    let least = _mm256_add_epi32(_mm256_slli_epi32::<24>(pointers), start);
    let middle = _mm256_add_epi32(times(tens, (1 << 16) - (10 << 24)), times(thousands, (1 << 8) - (126 << 16)));
    _mm256_add_epi32(_mm256_add_epi32(least, middle), times(most, 1 - (10 << 8)))
}
