//! Encoding to characters of one, two and four bytes, in steps of eight code units. The bytes are computed in lanes of four, and
//! packed by a shuffle for each combination of lengths in four lanes. The first lane of a surrogate pair has its bytes.

use core::{arch::x86_64::*, mem::MaybeUninit, ptr};

use super::{
    super::look_up,
    vector::{load_half, load_half_units, load_unit_block, store, store_half},
};
use crate::kernel::{
    Out,
    block::block_mut,
    compaction::ORDERS,
    each::Each as _,
    tables::{Bases, ToBytes},
};

/// Code units per step.
const STEP: usize = 8;
/// Code units per step of surrogate pairs.
const PAIRS: usize = 16;

/// Converts whole steps of mapped characters, as long as they have characters of four bytes. Returns how many units it read.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(table: &ToBytes, bases: Bases, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    out.write_locally(|out| {
        let mut read = 0;
        while let Some(units) = src[read..].first_chunk::<STEP>()
            && out.spare_len() >= 4 * STEP
        {
            if path!("gb18030-surrogate-pairs")
                && let Some(pairs) = src[read..].first_chunk::<PAIRS>()
                && put_surrogate_pairs(pairs, out)
            {
                read += PAIRS;
                continue;
            }
            // Does not depend on look-ups, so that the next step does not wait for this one.
            let len = STEP - usize::from(is_cut(units));
            let step = Step::new(table, bases, units);
            if step.mapped < len {
                return read;
            }
            step.put(out);
            read += len;
            if !step.has_four {
                return read;
            }
        }
        read
    })
}

/// Writes eight surrogate pairs if all units are pairs and they fit. Otherwise returns false.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put_surrogate_pairs(units: &[u16; PAIRS], out: &mut Out<'_, u8>) -> bool {
    let units = load_unit_block(units);
    let kinds = _mm256_and_si256(units, _mm256_set1_epi16(0xFC00_u16.cast_signed()));
    let is_pair = _mm256_cmpeq_epi32(kinds, _mm256_set1_epi32(0xDC00_D800_u32.cast_signed()));
    // SAFETY: only initialised values are stored in the slots.
    let Some(to) = unsafe { out.spare() }.first_chunk_mut::<32>() else { return false };
    if mask(is_pair) != 0xFF {
        return false;
    }
    let high = _mm256_and_si256(units, _mm256_set1_epi32(0xFFFF));
    store(four_bytes(above(high, _mm256_srli_epi32::<16>(units))), to);
    // SAFETY: `store` has written `to`, the first 32 spare slots.
    unsafe { out.advance(32) };
    true
}

/// Returns the pointers of surrogate pairs.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn above(high: __m256i, low: __m256i) -> __m256i {
    _mm256_add_epi32(_mm256_add_epi32(_mm256_slli_epi32::<10>(high), low), _mm256_set1_epi32(look_up::PAIR_OFFSET))
}

/// Eight code units after the look-up.
struct Step {
    /// In lanes of four, the bytes that they become.
    bytes: __m256i,
    /// The lanes of two bytes, and those of four.
    more: u8,
    /// The lanes of no byte, and those of four.
    others: u8,
    /// The number of mapped units before the first unmapped one. A surrogate whose other half is not in the step is unmapped.
    mapped: usize,
    /// Whether one of them becomes four bytes.
    has_four: bool,
}

impl Step {
    /// Writes all units, except for a high surrogate at the end.
    ///
    /// # Panics
    /// If eight units of four bytes each do not fit.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn put(&self, out: &mut Out<'_, u8>) {
        // SAFETY: only initialised values are stored in the slots.
        let to: &mut [_; 4 * STEP] =
            unsafe { out.spare() }.first_chunk_mut().expect("four bytes for each unit are free");
        let mut written = 0;
        let halves = [_mm256_castsi256_si128(self.bytes), _mm256_extracti128_si256::<1>(self.bytes)];
        for (n, half) in halves.into_iter().enumerate() {
            let [more, others] = [self.more >> (4 * n) & 0xF, self.others >> (4 * n) & 0xF];
            let order = load_half(&ORDERS[usize::from(more | others << 4)]);
            // SAFETY: `written + 16 <= 4 * STEP`: the first half wrote up to 16 bytes.
            let to: &mut [MaybeUninit<u8>; 16] = unsafe { block_mut(to, written) };
            store_half(_mm_shuffle_epi8(half, order), to);
            written += byte_count(more, others);
        }
        // SAFETY: the stores have written the first `written` spare slots, without gaps: each order begins with as many bytes as
        // `byte_count` returns, which are up to 16.
        unsafe { out.advance(written) };
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &ToBytes, bases: Bases, src: &[u16; STEP]) -> Self {
        let zero = _mm_setzero_si128();
        let set = |n: u16| _mm_set1_epi16(n.cast_signed());
        let units = load_half_units(src);
        let kinds = _mm_and_si128(units, set(0xFC00));
        let (high, low) = (_mm_cmpeq_epi16(kinds, set(0xD800)), _mm_cmpeq_epi16(kinds, set(0xDC00)));
        let above_ascii = _mm_cmpeq_epi16(_mm_max_epu16(units, set(0x80)), units);
        let is_ascii_or_surrogate = _mm_or_si128(_mm_or_si128(high, low), _mm_cmpeq_epi16(above_ascii, zero));
        let entries = if _mm_movemask_epi8(is_ascii_or_surrogate) == 0xFFFF {
            _mm_andnot_si128(above_ascii, _mm_slli_epi16::<8>(units))
        } else {
            look_up::entries(table, &src.each_ref().each(read))
        };

        let first = _mm_and_si128(high, _mm_srli_si128::<2>(low));
        let unmapped = _mm_andnot_si128(_mm_cmpeq_epi16(units, zero), _mm_cmpeq_epi16(entries, zero));
        let has_bytes = _mm_cmpeq_epi16(_mm_max_epu16(entries, set(ToBytes::MIN_BYTES)), entries);
        let in_bmp = _mm_andnot_si128(has_bytes, _mm_cmpgt_epi16(entries, zero));
        let four = _mm_or_si128(first, in_bmp);
        let is_single = _mm_cmpeq_epi16(_mm_and_si128(entries, set(0xFF)), zero);
        let masks = |a, b| _mm_movemask_epi8(_mm_packs_epi16(a, b)).cast_unsigned();
        let of_four = masks(four, first);
        let (four_mask, first_mask) = (of_four & 0xFF, of_four >> 8);
        let others = masks(unmapped, is_single);
        let (unmapped, single) = (others & 0xFF, others >> 8);
        let second = first_mask << 1;

        let swap = _mm256_setr_epi8(
            1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12, -1, -1, 1, 0, -1, -1, 5, 4, -1, -1, 9, 8, -1, -1, 13, 12,
            -1, -1,
        );
        let mut bytes = _mm256_shuffle_epi8(_mm256_cvtepu16_epi32(entries), swap);
        if four_mask != 0 {
            let mut pointers = above(_mm256_cvtepu16_epi32(units), _mm256_cvtepu16_epi32(_mm_srli_si128::<2>(units)));
            if four_mask != first_mask {
                let others =
                    _mm256_cvtepu16_epi32(_mm_add_epi16(entries, look_up::bases(bases, &src.each_ref().each(read))));
                pointers = _mm256_blendv_epi8(others, pointers, _mm256_cvtepi16_epi32(first));
            }
            bytes = _mm256_blendv_epi8(bytes, four_bytes(pointers), _mm256_cvtepi16_epi32(four));
        }
        Self {
            bytes,
            more: (!single | four_mask) as u8,
            others: (second | u32::from(is_cut(src)) << (STEP - 1) | four_mask) as u8,
            mapped: (unmapped & !(first_mask | second) | 1 << STEP).trailing_zeros() as usize,
            has_four: four_mask != 0,
        }
    }
}

/// Whether the last unit is a high surrogate, which belongs to the next step.
#[inline(always)]
fn is_cut(units: &[u16; STEP]) -> bool {
    read(&units[STEP - 1]) & 0xFC00 == 0xD800
}

/// Reads a unit. The compiler would extract the units from a vector that was loaded from the same memory, which takes more time:
/// cell `encode/gb18030/utf-16/ko/4KiB`.
#[inline(always)]
fn read(unit: &u16) -> u16 {
    // SAFETY: the pointer is from a reference.
    unsafe { ptr::read_volatile(unit) }
}

/// Returns the number of bytes of four lanes.
#[inline(always)]
fn byte_count(more: u8, others: u8) -> usize {
    (4 + more.count_ones() + 3 * (more & others).count_ones() - others.count_ones()) as usize
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
