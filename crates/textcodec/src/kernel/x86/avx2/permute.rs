//! Permutation of bytes: 32 per step, looked up in a table of 256.
//!
//! Rows are combined in pairs by ORs, and these by blends. Slower on Zen 3: fours by ORs, blends alone, and a chain of subtractions
//! with each row as its difference to the one before. Two vectors for each load of a row are no faster. Leaving the rows below
//! 0x40 out where no byte is in them gains without line ends, and loses with lines of 72 characters.
//!
//! Long inputs are converted in the same step. Permuting blocks first is slower, from Latin-1. From other pages, one
//! step that looks permuted bytes up in two planes of 128 was no faster than blocks, so [`Planes`] come in the order of the page.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    latin1,
    regular::{both_halves, upper_four},
    single_byte::{self, zip},
    vector::{Avx2, LANES, high_bits, load, load_half, load_some, or, splat, store, widen},
};
use crate::kernel::{
    Out,
    block::values,
    drivers::{LONG, in_runs, one_to_one, to_utf8},
    each::Each as _,
    permuted::Fused,
    simd::{Bytes, Units},
    tables::UpperHalf,
};

/// The conversions in one step.
pub(crate) const FUSED: Option<Fused> = if path!("permuted-at-once") {
    Some(Fused {
        // SAFETY: the CPU has the features, because only the table of this level has these functions.
        to_utf8: |order, upper, src, out| unsafe { to_utf8(order, upper, src, out) },
        // SAFETY: the same.
        to_utf16: |order, upper, src, out| unsafe { to_utf16(order, upper, src, out) },
    })
} else {
    None
};

/// The length of the beginning of a long input that is converted without [`Planes`], because a call may stop early. They take eight
/// steps of two look-ups.
const FIRST: usize = 4 * LANES;

/// Looks bytes up in a table: the lower four bits select within a row of 16, of which two are combined by OR, and these by blends.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(table: &[u8; 256], bytes: __m256i) -> __m256i {
    let rows = table.as_chunks::<16>().0;
    // Bit 4 becomes the sign bit, for which `vpshufb` gives 0.
    let even = _mm256_add_epi8(_mm256_and_si256(bytes, splat(0x1F)), splat(0x70));
    let odd = _mm256_xor_si256(even, splat(0x80));
    let row = |n: usize, columns| _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(&rows[n])), columns);
    let two = |n: usize| or(row(n, even), row(n + 1, odd));
    // Bits 5 and 6 as sign bits. The shifts are of 16 bits.
    let [five, six] = [_mm256_slli_epi16::<2>(bytes), _mm256_slli_epi16::<1>(bytes)];
    let four = |n: usize| _mm256_blendv_epi8(two(n), two(n + 2), five);
    // Not by a closure of eight rows: it is not inlined, and gets all vectors through memory.
    let [low, high] = [_mm256_blendv_epi8(four(0), four(4), six), _mm256_blendv_epi8(four(8), four(12), six)];
    _mm256_blendv_epi8(low, high, bytes)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn permute(table: &[u8; 256], src: &[u8], out: &mut Out<'_, u8>) -> usize {
    one_to_one(Avx2::new(), src, out, |src| (Bytes(look_up(table, load_some(src))), 0))
}

/// Whether the upper half is that of Latin-1.
fn is_latin1(upper: &UpperHalf) -> bool {
    upper.identity_from == i8::MIN
}

/// Converts bytes that are permuted first, up to [`LONG`]. Except for Latin-1 to UTF-16, one step is slower for 64 to 256
/// bytes: it waits for more tables.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn in_two_steps(order: &[u8; 256], src: &[u8], convert: impl FnOnce(&[u8]) -> usize) -> usize {
    let mut block = [const { MaybeUninit::uninit() }; LONG];
    let mut stage = Out::uninit(&mut block);
    permute(order, src, &mut stage);
    convert(stage.written())
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf16(order: &[u8; 256], upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let src = &src[..src.len().min(out.spare_len())];
    let two_steps = |src: &[u8], out: &mut Out<'_, u16>| {
        in_two_steps(order, src, |ordered| single_byte::to_utf16(upper, ordered, out))
    };
    if src.len() < LONG {
        return if is_latin1(upper) {
            one_to_one(Avx2::new(), src, out, |src| identity_step(order, upper, src))
        } else {
            two_steps(src, out)
        };
    }
    let read = identity_to_utf16(order, upper, src, out);
    let rest = &src[read..];
    if rest.len() < LONG {
        return read + two_steps(rest, out);
    }
    let (first, rest) = rest.split_at(FIRST);
    let more = two_steps(first, out);
    read + if more < FIRST { more } else { more + any_to_utf16(order, upper, rest, out) }
}

/// Converts bytes up to the first that does not become its own code point by permutation. In Latin-1, all do.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn identity_to_utf16(order: &[u8; 256], upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    in_runs(Avx2::new(), src, out, |_| None, |src| identity_step(order, upper, src))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn identity_step(order: &[u8; 256], upper: &UpperHalf, src: &[u8]) -> (Units<__m256i>, u64) {
    let bytes = look_up(order, load_some(src));
    let identity_from = splat(upper.identity_from.cast_unsigned());
    (Units(widen(bytes)), high_bits(_mm256_cmpgt_epi8(identity_from, bytes)))
}

/// The code units of all bytes. Most upper bytes are 0 or one other, so a set takes the place of a second table.
struct Planes {
    /// The lower bytes. 0 if the upper byte is neither 0 nor `high`.
    low: [u8; 256],
    /// The most frequent upper byte, except 0.
    high: __m256i,
    /// The set of the bytes with `high`: by their lower four bits, a bit for each row of 16 bytes below 0x80, and one for each
    /// from there on.
    has_high: [__m256i; 2],
    /// By the upper four bits of a byte: the bit of its row.
    row_bits: __m256i,
}

impl Planes {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn new(order: &[u8; 256], upper: &UpperHalf) -> Self {
        const ROW_BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let high = splat(upper.regular.frequent_high);
        let (mut low, mut has_high) = ([const { MaybeUninit::uninit() }; 256], [splat(0); 2]);
        for (n, (bytes, to)) in order.as_chunks::<LANES>().0.iter().zip(low.as_chunks_mut::<LANES>().0).enumerate() {
            let [low, highs] = single_byte::planes(upper, load(bytes));
            let is_high = _mm256_cmpeq_epi8(highs, high);
            let is_known = or(is_high, _mm256_cmpeq_epi8(highs, splat(0)));
            store(_mm256_and_si256(low, is_known), to);
            // Two rows.
            let bits = _mm256_set_m128i(_mm_set1_epi8(2 << (2 * n % 8)), _mm_set1_epi8(1 << (2 * n % 8)));
            has_high[n / 4] = or(has_high[n / 4], _mm256_and_si256(is_high, bits));
        }
        let has_high = has_high.each(|set| or(set, _mm256_permute2x128_si256::<1>(set, set)));
        // SAFETY: the loop has written all: eight times 32.
        let low = *unsafe { values(&low) };
        Self { low, high, has_high, row_bits: both_halves(&ROW_BITS) }
    }

    /// Returns the lower and upper bytes of code units. Both are 0 for NUL and for bytes that have to be looked up.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn get(&self, bytes: __m256i) -> [__m256i; 2] {
        // `vpshufb` gives 0 for bytes with the sign bit.
        let [below, above] = self.has_high;
        let set =
            or(_mm256_shuffle_epi8(below, bytes), _mm256_shuffle_epi8(above, _mm256_xor_si256(bytes, splat(0x80))));
        let bit = _mm256_shuffle_epi8(self.row_bits, upper_four(bytes));
        let has_high = _mm256_cmpeq_epi8(_mm256_and_si256(set, bit), bit);
        [look_up(&self.low, bytes), _mm256_and_si256(has_high, self.high)]
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn any_to_utf16(order: &[u8; 256], upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let planes = Planes::new(order, upper);
    let step = |src: &[u8]| {
        let [low, high] = planes.get(load_some(src));
        if high_bits(_mm256_cmpeq_epi8(or(low, high), splat(0))) == 0 {
            return (Units(zip(low, high)), 0);
        }
        rare(order, upper, src)
    };
    in_runs(Avx2::new(), src, out, |_| None, step)
}

/// Converts a step with NUL, an unmapped byte or one with an upper byte that few have.
#[cold] // As `single_byte::look_up_all`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn rare(order: &[u8; 256], upper: &UpperHalf, src: &[u8]) -> (Units<__m256i>, u64) {
    single_byte::units(upper, look_up(order, load_some(src)))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn to_utf8(order: &[u8; 256], upper: &UpperHalf, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    if src.len() < LONG {
        return in_two_steps(order, src, |ordered| single_byte::to_utf8(upper, ordered, out));
    }
    let ordered = |bytes| look_up(order, bytes);
    if is_latin1(upper) {
        let first_two = |bytes, _| (latin1::encode(bytes), 0, 0);
        // SAFETY: the mask of third bytes is always 0.
        return unsafe { to_utf8::to_utf8(Avx2::new(), src, out, ordered, first_two, |_| splat(0)) };
    }
    single_byte::to_utf8_ordered(upper, src, out, ordered)
}
