//! UTF-8 in: 32 bytes a step.
//!
//! A sequence belongs to the step that its last byte is in, as in AVX-512's kernels. Instead of a compression of 64 bytes there is
//! one of eight code units, by a table of 4 KiB.
//!
//! No faster: loading each half again and widening it on the way, instead of taking a vector apart. Where the loads then lie in two
//! cache lines, it is half as fast.

use core::arch::x86_64::*;

use super::{ascii, groups::Groups, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of_slots, rest_mut},
    compaction,
    drivers::{
        ascii::{load_run, widen_blocks},
        utf8,
    },
    reference,
    simd::Simd as _,
    tables::utf8::{self as errors, ends_in_ascii, pending},
};

/// Bytes a step.
const STEP: usize = LANES;

/// Bytes that are all ASCII or all treated alike.
const WIDE: usize = 4 * STEP;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let errors = |src: &[u8], at, bytes| Window::around(src, at, bytes).errors();
    let errors_of_run = |seen: &[u8]| {
        [0, 1, 2, 3].map(|n| Window::within(seen[n * STEP..].first_chunk().expect("a block and three bytes")).errors())
    };
    utf8::prefix(Avx2::new(), src, errors, errors_of_run)
}

/// [`to_utf16`]. Known validity does not make it faster.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn str_to_utf16(src: &str, out: &mut Out<'_, u16>) -> usize {
    to_utf16(src.as_bytes(), out)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let is_run = ascii::begins_with_run(src);
    let read = if is_run { ascii::to_utf16(src, out) } else { widen_blocks(Avx2::new(), src, out) };
    if read == src.len() { read } else { read + text_to_utf16(&src[read..], out) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let simd = Avx2::new();
    let mut spare = out.spare();
    let (mut at, mut written, mut ascii_runs) = (0, 0, 0);
    'steps: while let Some(run) = src[at..].as_chunks().0.first_chunk()
        && spare.len() - written >= WIDE
    {
        let run = load_run(simd, run);
        if simd.is_ascii(run) && ends_in_ascii(&src[..at]) {
            for (n, bytes) in run.into_iter().enumerate() {
                // SAFETY: `written + WIDE <= spare.len()`: the loop condition, and `n < 4`.
                store_units(widen(bytes), unsafe { block_mut(spare, written + n * STEP) });
            }
            (at, written) = (at + WIDE, written + WIDE);
            ascii_runs += 1;
            if ascii_runs > 2 {
                // SAFETY: the `written` slots are stored.
                unsafe { out.advance(written) };
                at += ascii::to_utf16(&src[at..], out);
                (spare, written) = (out.spare(), 0);
            }
            continue;
        }
        let [a, b, c, d] = run;
        let before = if at == 0 { a } else { load_some(&src[at - 3..]) };
        let most = _mm256_max_epu8(before, _mm256_max_epu8(_mm256_max_epu8(a, b), _mm256_max_epu8(c, d)));
        let has_four = !is_zero(at_least(0xF0, most));
        for _ in run {
            let window = Window::around(src, at, load_some(&src[at..]));
            if !is_zero(window.errors()) {
                break 'steps;
            }
            let mut units = Units::of_bmp(&window);
            if has_four {
                units.add_pairs(&window);
            }
            // SAFETY: `written + STEP <= spare.len()`, which are 64 bytes: as for `WIDE` before, a byte gives one code unit at most.
            written += unsafe { units.packed().store(bytes_of_slots(rest_mut(spare, written))) } / 2;
            at += STEP;
        }
        ascii_runs = 0;
    }
    while at < src.len() {
        let rest = (src.len() - at).min(STEP);
        let window = Window::around(src, at, load_some(&src[at..]));
        let errors = window.errors();
        let right = rest.min(nonzero(errors).trailing_zeros() as usize);
        let mut units = Units::of_bmp(&window);
        if !is_zero(window.ends_of_four()) {
            units.add_pairs(&window);
        }
        units.lanes = _bzhi_u32(units.lanes, right as u32);
        let Some(stored) = units.packed().store_within(bytes_of_slots(&mut spare[written..])) else { break };
        written += stored / 2;
        at += right;
        if !is_zero(errors) {
            break;
        }
    }
    // A sequence may continue in a step that is not converted, or past the end. The first code unit of a pair is stored then.
    let pending = pending(&src[..at]);
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written - usize::from(pending == 3)) };
    at -= pending;
    if at == src.len() { at } else { at + reference::utf8::to_utf16(&src[at..], out) }
}

/// A row in both halves.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn row(row: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(row))
}

/// All bits where a byte is at least `least`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn at_least(least: u8, bytes: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, splat(least)), bytes)
}

/// `yes` where `mask` has a bit, else `no`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn select(mask: u8, yes: __m256i, no: __m256i) -> __m256i {
    or(_mm256_and_si256(splat(mask), yes), _mm256_andnot_si256(splat(mask), no))
}

/// 32 bytes, and for each of them the three before it.
struct Window {
    bytes: __m256i,
    first_before: __m256i,
    second_before: __m256i,
    third_before: __m256i,
}

impl Window {
    /// The window of 32 bytes, given with the three before them.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn within(seen: &[u8; 3 + STEP]) -> Self {
        let [third_before, second_before, first_before, bytes] = [0, 1, 2, 3].map(|n| load_some(&seen[n..]));
        Self { bytes, first_before, second_before, third_before }
    }

    /// The window of the bytes at `at`, which are loaded already. Before the start of the input and past its end are zeros. `at` is 0
    /// or 32 and more.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn around(src: &[u8], at: usize, bytes: __m256i) -> Self {
        if at >= 3
            && let Some(seen) = src[at - 3..].first_chunk()
        {
            return Self::within(seen);
        }
        let block_before = src[..at].last_chunk().map_or_else(|| splat(0), |block| load(block));
        // Each half next to the one before it.
        let before = _mm256_permute2x128_si256::<0x21>(block_before, bytes);
        Self {
            bytes,
            first_before: _mm256_alignr_epi8::<15>(bytes, before),
            second_before: _mm256_alignr_epi8::<14>(bytes, before),
            third_before: _mm256_alignr_epi8::<13>(bytes, before),
        }
    }

    /// Not zero where the third or fourth byte of a sequence of four is.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn ends_of_four(&self) -> __m256i {
        _mm256_subs_epu8(_mm256_max_epu8(self.second_before, self.third_before), splat(0xEF))
    }

    /// Not zero where a byte does not go with the three before it.
    ///
    /// A sequence that is wrong has such a byte, or is followed by one, and all before the first of them are either whole
    /// and well-formed or belong to that sequence.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn errors(&self) -> __m256i {
        let upper_half = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), splat(0x0F));
        let lower_half = |bytes| _mm256_and_si256(bytes, splat(0x0F));
        let first_high = _mm256_shuffle_epi8(row(&errors::FIRST_HIGH), upper_half(self.first_before));
        let first_low = _mm256_shuffle_epi8(row(&errors::FIRST_LOW), lower_half(self.first_before));
        let second_high = _mm256_shuffle_epi8(row(&errors::SECOND_HIGH), upper_half(self.bytes));
        let pair = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
        // The uppermost bit where a third or fourth byte has to be: after E0.. or F0.. two or three bytes before.
        let third = _mm256_subs_epu8(self.second_before, splat(0xE0 - 0x80));
        let fourth = _mm256_subs_epu8(self.third_before, splat(0xF0 - 0x80));
        let due = _mm256_and_si256(_mm256_or_si256(third, fourth), splat(errors::CONTINUATIONS));
        _mm256_xor_si256(due, pair)
    }
}

/// The code units of well-formed text, each in the lane of its sequence's last byte; of a pair, the first is in the lane
/// before, that of the third byte.
struct Units {
    lanes: u32,
    lower_bytes: __m256i,
    upper_bytes: __m256i,
}

impl Units {
    /// Those of sequences of up to three bytes.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of_bmp(window: &Window) -> Self {
        let &Window { bytes, first_before, second_before, .. } = window;
        // Everywhere but on a lead, and behind one of three or four bytes.
        let behind = _mm256_subs_epu8(first_before, splat(0xE0 - 0xC0));
        let others = at_least(0xC0, _mm256_max_epu8(bytes, behind));
        // 1110aaaa 10bbbbcc 10dddddd, or 110bbbcc 10dddddd. Shifts are of 16 bits; a selection takes what they keep.
        let dddddd = bytes;
        let cc = _mm256_slli_epi16::<6>(first_before);
        let bbbb = _mm256_srli_epi16::<2>(first_before);
        let aaaa = _mm256_slli_epi16::<4>(_mm256_subs_epu8(second_before, splat(0xE0)));
        // A blend looks at the uppermost bit: that of ASCII is not set.
        Self {
            lanes: !_mm256_movemask_epi8(others).cast_unsigned(),
            lower_bytes: _mm256_blendv_epi8(bytes, select(0x3F, dddddd, cc), bytes),
            upper_bytes: _mm256_blendv_epi8(_mm256_setzero_si256(), select(0x0F, bbbb, aaaa), bytes),
        }
    }

    /// Puts pairs of surrogates where sequences of four bytes end.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn add_pairs(&mut self, window: &Window) {
        let &Window { bytes, first_before, second_before, third_before } = window;
        let firsts = at_least(0xF0, second_before);
        let seconds = at_least(0xF0, third_before);
        // 11110aaa 10bbcccc 10dd....: D800 + aaabbccccdd - 40. What is borrowed from aaa is taken when bb is 0.
        let bbcccc = _mm256_slli_epi16::<2>(_mm256_add_epi8(first_before, splat(0xF0)));
        let dd = _mm256_srli_epi16::<4>(bytes);
        let kept = at_least(0x90, first_before);
        let upper_bytes = _mm256_add_epi8(second_before, splat(0xD8_u8.wrapping_sub(0xF1)));
        let upper_bytes = _mm256_sub_epi8(upper_bytes, kept);
        let upper_bytes = _mm256_blendv_epi8(self.upper_bytes, upper_bytes, firsts);
        self.lower_bytes = _mm256_blendv_epi8(self.lower_bytes, select(0xFC, bbcccc, dd), firsts);
        // The second's lower byte is what it would be in a sequence of three; of its upper one two bits are.
        self.upper_bytes = _mm256_blendv_epi8(upper_bytes, select(0x03, upper_bytes, splat(0xDC)), seconds);
    }

    /// Eight lanes a group.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn packed(&self) -> Groups<4> {
        let outer = _mm256_unpacklo_epi8(self.lower_bytes, self.upper_bytes);
        let inner = _mm256_unpackhi_epi8(self.lower_bytes, self.upper_bytes);
        let eights = quarters([outer, inner]);
        let lanes = self.lanes;
        Groups {
            vectors: [0, 1, 2, 3].map(|n| {
                _mm_shuffle_epi8(eights[n], load_half(&compaction::UNITS[(lanes >> (8 * n) & 0xFF) as usize]))
            }),
            ends: [24, 16, 8, 0].map(|behind| 2 * (lanes & u32::MAX >> behind).count_ones() as usize),
        }
    }
}
