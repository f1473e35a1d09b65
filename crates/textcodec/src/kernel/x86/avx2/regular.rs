//! Single-byte encodings in which most bytes are regular (`tables/regular.rs`): their code points are sums, and the few others are
//! looked up one by one.
//!
//! For cells `decode/windows-1251/*/ru/*`. Looking the first irregular byte up in every step, without a branch, gains less.
//! KOI8-U and windows-1256, whose letters are in another order than in Unicode, could look up the letters only. That gains little
//! to UTF-16 and nothing to UTF-8, needs more code and tables, and slows the regular encodings down if both share a function.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    single_byte::{identity_run, look_up_all, to_utf16_step, zip},
    vector::{Avx2, LANES, high_bits, load, load_half, splat, store, store_units, widen},
};
use crate::kernel::{
    Out,
    block::{block, block_mut, rest_mut},
    drivers::one_to_one,
    each::Each as _,
    simd::{Lanes as _, Simd as _},
    tables::UpperHalf,
};

/// The maximum number of irregular bytes in a step that are looked up one by one.
const FEW: u32 = 2;

/// Converts bytes that are mostly regular.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf16(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let offsets = both_halves(&upper.regular.offsets);
    let simd = Avx2::new();
    let identity_from = splat(upper.identity_from.cast_unsigned());
    let irregular = Irregular::new(&upper.regular.irregular);
    let high = both_halves(&upper.regular.high);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let len = src.len().min(spare.len());
    let mut read = 0;
    // The first step overlaps with the next one, which is aligned.
    if let (Some(block), Some(to)) = (src.first_chunk(), spare.first_chunk_mut()) {
        read = look_up_all(upper, block, to).min(LANES - to.as_ptr().addr() % LANES / 2);
    }
    'mapped: for run in src[read..len].as_chunks().0.as_chunks().0 {
        // SAFETY: `read + 4 * LANES <= len <= spare.len()`: `run` is the `4 * LANES` bytes from `read` on.
        let to: &mut [_; 4 * LANES] = unsafe { block_mut(spare, read) };
        let to = to.as_chunks_mut().0;
        if let Some(all) = identity_run(identity_from, run) {
            all.into_iter().zip(to).for_each(|(units, to)| units.store(simd, to));
            read += 4 * LANES;
            continue;
        }
        for (block, to) in run.iter().zip(to) {
            let bytes = load(block);
            if high_bits(_mm256_cmpgt_epi8(identity_from, bytes)) == 0 {
                store_units(widen(bytes), to);
                read += LANES;
                continue;
            }
            let rows = upper_four(bytes);
            let low = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(offsets, rows));
            let mut irregular = irregular.find(bytes, rows);
            store_units(zip(low, _mm256_shuffle_epi8(high, rows)), to);
            if irregular.count_ones() > FEW {
                let mapped = look_up_all(upper, block, to);
                read += mapped;
                if mapped < LANES {
                    break 'mapped;
                }
                continue;
            }
            while irregular != 0 {
                let lane = irregular.trailing_zeros() as usize;
                let unit = upper.get(usize::from(block[lane] & 0x7F));
                if unit == 0 {
                    read += lane;
                    break 'mapped;
                }
                to[lane].write(unit);
                irregular &= irregular - 1;
            }
            read += LANES;
        }
    }
    // SAFETY: `read <= len <= spare.len()`, and the first `read` spare slots are written: each block wrote `LANES` slots from
    // `read` on, and then added at most `LANES` to it.
    unsafe { out.advance(read) };
    // After an unmapped byte, this converts nothing.
    read + one_to_one(simd, &src[read..], out, |src| to_utf16_step(upper, src))
}

/// Converts bytes that are mostly ASCII or regular, until more than [`FEW`] irregular bytes are in one step, or fewer bytes than a step
/// are left or may not fit. `THREES` says whether regular bytes become three bytes instead of two.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf8<const THREES: bool>(upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let simd = Avx2::new();
    let [offsets, last_but_one] =
        [&upper.regular.offsets, &upper.regular.last_but_one].each(|table| both_halves(table));
    let lead = splat(upper.regular.lead);
    let irregular = Irregular::new(&upper.regular.irregular_utf8);
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    // What fits for any input, so steps do not check capacity.
    let end = src.len().min(spare.len().saturating_sub(Avx2::OVERHANG) / 3);
    let (mut read, mut written) = (0, 0);
    while end - read >= LANES {
        // SAFETY: `read + LANES <= end <= src.len()`.
        let block = unsafe { block(src, read) };
        let bytes = load(block);
        let others = high_bits(bytes);
        // SAFETY: `written + 3 * (end - read) + OVERHANG <= spare.len()`: it holds for `end`, and each byte read becomes at most
        // three.
        let to = unsafe { rest_mut(spare, written) };
        if others == 0 {
            // SAFETY: `LANES <= end - read <= to.len()`.
            store(bytes, unsafe { block_mut(to, 0) });
            (read, written) = (read + LANES, written + LANES);
            continue;
        }
        let rows = upper_four(bytes);
        let low = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(offsets, rows));
        let irregular = irregular.find(bytes, rows);
        let last_but_one = _mm256_shuffle_epi8(last_but_one, rows);
        let last = _mm256_or_si256(_mm256_and_si256(low, splat(0x3F)), splat(0x80));
        // SAFETY: `3 * LANES + OVERHANG <= to.len()`, because `LANES <= end - read`. The planes may be any.
        let len = unsafe {
            if THREES {
                let first = _mm256_blendv_epi8(bytes, lead, bytes);
                simd.store_up_to_three_bytes([first, last_but_one, last], [others, others], LANES, None, to)
            } else {
                let first = _mm256_blendv_epi8(bytes, last_but_one, bytes);
                simd.store_up_to_two_bytes([first, last], others, LANES, None, to)
            }
        };
        if irregular == 0 {
            (read, written) = (read + LANES, written + len);
            continue;
        }
        // The characters before the irregular one are stored.
        let lane = irregular.trailing_zeros() as usize;
        let character = upper.utf8().each_ref().each(|plane| plane[usize::from(block[lane] & 0x7F)]);
        if irregular.count_ones() > FEW || character[0] == 0 {
            break;
        }
        let before = _bzhi_u32(others as u32, lane as u32).count_ones() as usize;
        written += lane + before * if THREES { 2 } else { 1 };
        // SAFETY: `written + 3 <= spare.len()`: `3 * LANES` slots are for this step, and at most `LANES - 1` characters of up to
        // three bytes precede this one.
        let to: &mut [_; 3] = unsafe { block_mut(spare, written) };
        *to = character.each(MaybeUninit::new);
        read += lane + 1;
        written += if character[2] == 0 { 2 } else { 3 };
    }
    // SAFETY: `written <= spare.len()`, and the first `written` slots are initialised: each step wrote `n` slots from `written`
    // on, and then added `n` to it.
    unsafe { out.advance(written) };
    read
}

/// Loads 16 bytes into both halves of a vector.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn both_halves(bytes: &[u8; LANES / 2]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(bytes))
}

/// Returns the upper four bits of bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn upper_four(bytes: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), splat(0x0F))
}

/// A set of bytes above ASCII: see `Regular::irregular`.
struct Irregular {
    set: __m256i,
    /// By the upper four bits of a byte: the bit of its row.
    row_bits: __m256i,
}

impl Irregular {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(set: &[u8; 16]) -> Self {
        const ROW_BITS: [u8; 16] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, 128];
        Self { set: both_halves(set), row_bits: both_halves(&ROW_BITS) }
    }

    /// Returns the mask of the bytes in the set. `rows` are their upper four bits.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find(&self, bytes: __m256i, rows: __m256i) -> u32 {
        // ASCII has the sign bit, for which `vpshufb` gives 0.
        let set = _mm256_shuffle_epi8(self.set, _mm256_xor_si256(bytes, splat(0x80)));
        let bit = _mm256_shuffle_epi8(self.row_bits, rows);
        high_bits(_mm256_cmpeq_epi8(_mm256_and_si256(set, bit), bit)) as u32
    }
}
