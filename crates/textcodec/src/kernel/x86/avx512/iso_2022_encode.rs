//! Encoding with escape sequences, in steps of 32 code units. A step within one character set is stored without escape
//! sequences. Otherwise each unit becomes a lane of eight bytes, escape sequence and pair or byte, and the unused bytes are
//! removed.

use core::arch::x86_64::*;

use super::{
    super::{avx2, look_up},
    vector::*,
};
use crate::kernel::{
    Out,
    each::Each as _,
    reference::iso_2022 as reference,
    tables::{Escapes, ToBytes},
};

/// Code units per step.
const STEP: usize = UNITS;
/// From this length on, the blocks of AVX2 are faster.
const LONG: usize = 128;

/// The lowest byte of each lane of eight.
const FIRSTS: u64 = 0x0101_0101_0101_0101;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    if src.len() >= LONG {
        return avx2::iso_2022_encode::from_utf16(escapes, pairs, src, out);
    }
    if src.first().is_some_and(|&unit| escapes.declines_unit(unit)) {
        return 0;
    }
    let mut read = 0;
    while read < src.len() {
        let rest = &src[read..];
        let len = rest.len().min(STEP);
        let loaded = load_some_unit_block(rest);
        let excluded = escapes.excluded.each(|unit| _mm512_cmpeq_epi16_mask(loaded, splat_units(unit)));
        let ascii = _mm512_cmplt_epu16_mask(loaded, splat_units(0x80)) & !excluded.iter().fold(0, |a, b| a | b);
        if !*pairs
            && ascii.trailing_ones() as usize >= len
            // SAFETY: only initialised values are stored in the slots.
            && let Some(to) = unsafe { out.spare() }.first_chunk_mut()
        {
            store_half(_mm512_cvtepi16_epi8(loaded), to);
            // SAFETY: `store_half` has written the first 32 spare slots, and `len <= STEP`, which is 32.
            unsafe { out.advance(len) };
            read += len;
            continue;
        }
        let padded;
        let units = match rest.first_chunk() {
            Some(units) => units,
            None => {
                padded = to_units(loaded);
                &padded
            }
        };
        let step = Step::new(escapes.table, units, len);
        if *pairs && step.put(out) {
            read += len;
            continue;
        }
        let fits = len.min((ascii | step.mapped).trailing_ones() as usize);
        // In each lane, the byte to write first is the lower one.
        let bytes = _mm512_mask_mov_epi16(step.bytes, ascii, loaded);
        let before = step.mapped << 1 | u32::from(*pairs);
        let lanes = [
            _mm512_castsi512_si128(bytes),
            _mm512_extracti32x4_epi32::<1>(bytes),
            _mm512_extracti32x4_epi32::<2>(bytes),
            _mm512_extracti32x4_epi32::<3>(bytes),
        ];
        for (n, bytes) in lanes.into_iter().enumerate() {
            let len = fits.saturating_sub(8 * n).min(8);
            let changes = (step.mapped ^ before) >> (8 * n);
            if len == 0 {
                break;
            }
            if !put(escapes, bytes, (step.mapped >> (8 * n)) as u8, changes as u8, len, out) {
                *pairs = before >> (8 * n) & 1 == 1;
                let converted = 8 * n;
                return read + converted + reference::from_utf16(escapes, pairs, &rest[converted..fits], out);
            }
        }
        if fits > 0 {
            *pairs = step.mapped >> (fits - 1) & 1 == 1;
        }
        read += fits;
        if fits < len {
            break;
        }
    }
    read
}

/// Writes the first `len` of eight characters: those in `pairs` as pairs, and those in `changes` after an escape sequence.
/// Writes nothing and returns false if they do not fit.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn put(escapes: &Escapes, bytes: __m128i, pairs: u8, changes: u8, len: usize, out: &mut Out<'_, u8>) -> bool {
    let sequence = |pairs| _mm512_set1_epi64(escapes.sequence(pairs).cast_signed());
    let sequences = _mm512_mask_mov_epi64(sequence(false), pairs, sequence(true));
    let bytes = _mm512_or_si512(_mm512_slli_epi64::<24>(_mm512_cvtepu16_epi64(bytes)), sequences);
    let lanes = |set: u8| _pdep_u64(set.into(), FIRSTS);
    let keep = _bzhi_u64((lanes(changes) * 7) | FIRSTS << 3 | lanes(pairs) << 4, 8 * len as u32);
    let count = keep.count_ones() as usize;
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    if let Some(to) = spare.first_chunk_mut() {
        store_kept(bytes, keep, to);
    } else if spare.len() >= count {
        store_some_kept(bytes, keep, spare);
    } else {
        return false;
    }
    // SAFETY: one of the stores has written the first `count` spare slots: `count <= 64 == to.len()`, or
    // `count <= spare.len()`.
    unsafe { out.advance(count) };
    true
}

/// Returns the entries of the first `len` units or more.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn entries(table: &ToBytes, units: &[u16; STEP], len: usize) -> __m512i {
    let [a, b, c, d] = units.as_chunks::<8>().0 else { return _mm512_setzero_si512() };
    let a = look_up::entries(table, a);
    if len <= 8 {
        return _mm512_castsi128_si512(a);
    }
    let ab = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), look_up::entries(table, b));
    if len <= 16 {
        return _mm512_castsi256_si512(ab);
    }
    let mut cd = _mm256_castsi128_si256(look_up::entries(table, c));
    if len > 24 {
        cd = _mm256_inserti128_si256::<1>(cd, look_up::entries(table, d));
    }
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(ab), cd)
}

/// Characters after the look-up.
struct Step {
    /// Two bytes per character.
    bytes: __m512i,
    /// The bytes to write.
    keep: u64,
    /// The characters that are mapped.
    mapped: u32,
    len: usize,
}

impl Step {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(table: &ToBytes, units: &[u16; STEP], len: usize) -> Self {
        let entries = entries(table, units, len);
        let entries = _mm512_and_si512(entries, splat_units(table.kept_bits()));
        let mapped = _mm512_cmpge_epu16_mask(entries, splat_units(ToBytes::MIN_BYTES));
        let swap = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
        let bytes = _mm512_shuffle_epi8(entries, _mm512_broadcast_i32x4(swap));
        // The first byte of each entry, and the second byte if the entry has one.
        let keep = _mm512_test_epi8_mask(bytes, bytes) | 0x5555_5555_5555_5555;
        Self { bytes, keep, mapped, len }
    }

    /// Writes all characters. Writes nothing and returns false if one is unmapped, or if 64 bytes do not fit.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn put(&self, out: &mut Out<'_, u8>) -> bool {
        let lanes = first_n(self.len) as u32;
        if self.mapped & lanes != lanes {
            return false;
        }
        // SAFETY: only initialised values are stored in the slots.
        let Some(to) = unsafe { out.spare() }.first_chunk_mut() else { return false };
        let stored = store_kept(self.bytes, self.keep & first_n(2 * self.len), to);
        // SAFETY: `stored <= 64 == to.len()`, and `store_kept` has written that many of the first spare slots.
        unsafe { out.advance(stored) };
        true
    }
}
