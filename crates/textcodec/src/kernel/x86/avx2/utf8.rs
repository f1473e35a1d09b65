//! Conversion and validation of UTF-8, in steps of 32 bytes.
//!
//! A sequence belongs to the step that its last byte is in, as in `avx512/utf8.rs`. Code units are compressed eight at a time,
//! by a table of 4 KiB.
//!
//! Loading each half again with a widening load, instead of splitting a vector, is no faster, and half as fast if the loads
//! cross cache lines.

use core::arch::x86_64::*;

use super::{ascii, groups::Groups, three_bytes, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of_slots, rest_mut},
    compaction,
    drivers::{
        ascii::{load_run, widen_blocks},
        utf8,
    },
    each::Each as _,
    reference,
    simd::Simd,
    tables::{
        ByteOrder,
        utf8::{self as errors, ends_in_ascii, pending},
    },
};

/// Bytes per step.
const STEP: usize = LANES;

/// The number of bytes that are tested together: once for ASCII, and once for four-byte sequences.
const RUN: usize = 4 * STEP;

super::super::utf8::kernels!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

/// Converts to code units in a byte order.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn to_units(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let read = if ascii::begins_with_run(src) {
        ascii::widen(order, src, out)
    } else {
        widen_blocks(Avx2::new(), order, src, out)
    };
    if read == src.len() { read } else { read + text_to_units(order, &src[read..], out) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_units(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let simd = Avx2::new();
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut written) = (0, 0);
    // Where a run of characters of three bytes was looked for.
    let mut tried = usize::MAX;
    'runs: loop {
        // Not in the loop over steps: its constants would not stay in registers.
        if tried == at {
            // The character that `at` is in, of which no unit is written.
            let begun = pending(&src[..at]);
            let count = three_bytes::to_units(order, &src[at - begun..], &mut spare[written..]);
            if count > 0 {
                (at, written) = (at - begun + 3 * count, written + count);
            }
        }
        'steps: while let Some(blocks) = src[at..].as_chunks().0.first_chunk::<4>()
            && spare.len() - written >= RUN
        {
            let run = load_run(simd, blocks);
            if simd.is_ascii(run) && ends_in_ascii(&src[..at]) {
                for (n, bytes) in run.into_iter().enumerate() {
                    let units = ascii_units(order, bytes);
                    // SAFETY: `written + (n + 1) * STEP <= written + RUN <= spare.len()`: `n < 4`, and the loop condition.
                    store_units(units, unsafe { block_mut(spare, written + n * STEP) });
                }
                (at, written) = (at + RUN, written + RUN);
                continue;
            }
            let [a, b, c, d] = run;
            let before = if at == 0 { a } else { load_some(&src[at - 3..]) };
            let max = _mm256_max_epu8(before, _mm256_max_epu8(_mm256_max_epu8(a, b), _mm256_max_epu8(c, d)));
            let has_four = !is_zero(at_least(0xF0, max));
            for block in blocks {
                let bytes = load(block);
                let high = simd.high_bits(bytes);
                if path!("utf-8-step-ascii") && high == 0 && ends_in_ascii(&src[..at]) {
                    let units = ascii_units(order, bytes);
                    // SAFETY: `written + STEP <= spare.len()`: the loop condition left `RUN == 4 * STEP` slots, and each of up to
                    // three steps before this one wrote at most `STEP`.
                    store_units(units, unsafe { block_mut(spare, written) });
                    (at, written) = (at + STEP, written + STEP);
                    continue;
                }
                if path!("utf-8-three-bytes") && high == u64::from(u32::MAX) && !has_four && at != tried {
                    tried = at;
                    continue 'runs;
                }
                let window = Window::around(src, at, bytes);
                if !is_zero(window.errors()) {
                    break 'steps;
                }
                let mut units = Units::of_bmp(&window);
                if has_four {
                    units.add_pairs(&window);
                }
                // SAFETY: `written + STEP <= spare.len()`, and `Groups<4>` needs `STEP` units, which are 64 bytes: the loop
                // condition left `RUN == 4 * STEP` slots, and each of up to three steps before this one wrote at most `STEP`.
                written += unsafe { units.packed(order).store(bytes_of_slots(rest_mut(spare, written))) } / 2;
                at += STEP;
            }
        }
        break;
    }
    while at < src.len() {
        let rest = (src.len() - at).min(STEP);
        let bytes = load_some(&src[at..]);
        if path!("utf-8-tail-ascii")
            && simd.high_bits(bytes) == 0
            && ends_in_ascii(&src[..at])
            && spare.len() - written >= rest
        {
            let units = ascii_units(order, bytes);
            simd.store_some_units(units, rest, &mut spare[written..]);
            (at, written) = (at + rest, written + rest);
            continue;
        }
        let window = Window::around(src, at, bytes);
        let errors = window.errors();
        let well_formed = rest.min(nonzero(errors).trailing_zeros() as usize);
        let mut units = Units::of_bmp(&window);
        if !is_zero(window.ends_of_four()) {
            units.add_pairs(&window);
        }
        units.lanes = _bzhi_u32(units.lanes, well_formed as u32);
        let Some(stored) = units.packed(order).store_within(bytes_of_slots(&mut spare[written..])) else { break };
        written += stored / 2;
        at += well_formed;
        if !is_zero(errors) {
            break;
        }
    }
    // The last sequence may continue in a step that is not converted, or past the end. The first code unit of a pair is then
    // written.
    let pending = pending(&src[..at]);
    // SAFETY: the first `written` spare slots are written: each step wrote `n` slots from `written` on, and then added `n` to
    // it. With `pending == 3`, the last of them is the first unit of a pair, so `written >= 1`.
    unsafe { out.advance(written - usize::from(pending == 3)) };
    at -= pending;
    if at == src.len() { at } else { at + reference::utf8::to_units_in(order, &src[at..], out) }
}

/// Returns the code units of ASCII in a byte order.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_units(order: ByteOrder, bytes: __m256i) -> [__m256i; 2] {
    widen(bytes).each(|units| if order == ByteOrder::Big { swapped(units) } else { units })
}

/// Returns a row in both halves.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn row(row: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load_half(row))
}

/// Sets all bits of the bytes that are at least `min`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn at_least(min: u8, bytes: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, splat(min)), bytes)
}

/// Returns `yes` where `mask` has a bit, `no` elsewhere.
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
    /// Loads the window of 32 bytes, given with the three bytes before them.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn within(seen: &[u8; 3 + STEP]) -> Self {
        let [third_before, second_before, first_before, bytes] = [0, 1, 2, 3].each(|n| load_some(&seen[n..]));
        Self { bytes, first_before, second_before, third_before }
    }

    /// Loads the window of the bytes at `at`, of which `bytes` are loaded already. Before the start and past the end of the
    /// input are zeros. `at` is 0 or at least 32.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn around(src: &[u8], at: usize, bytes: __m256i) -> Self {
        if at >= 3
            && let Some(seen) = src[at - 3..].first_chunk()
        {
            return Self::within(seen);
        }
        debug_assert!(at == 0 || at >= STEP, "the block before `at` is in the input");
        let block_before = src[..at].last_chunk().map_or_else(|| splat(0), |block| load(block));
        // For each half, the one before it.
        let before = _mm256_permute2x128_si256::<0x21>(block_before, bytes);
        Self {
            bytes,
            first_before: _mm256_alignr_epi8::<15>(bytes, before),
            second_before: _mm256_alignr_epi8::<14>(bytes, before),
            third_before: _mm256_alignr_epi8::<13>(bytes, before),
        }
    }

    /// Returns a vector that is not zero in the third and fourth byte of sequences of four.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn ends_of_four(&self) -> __m256i {
        _mm256_subs_epu8(_mm256_max_epu8(self.second_before, self.third_before), splat(0xEF))
    }

    /// Returns a vector that is not zero where a byte cannot follow the three bytes before it.
    ///
    /// Each malformed sequence contains such a byte or is followed by one. Before the first such byte, all sequences but this
    /// one are whole and well-formed.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn errors(&self) -> __m256i {
        let upper_half = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), splat(0x0F));
        let lower_half = |bytes| _mm256_and_si256(bytes, splat(0x0F));
        let first_high = _mm256_shuffle_epi8(row(&errors::FIRST_HIGH), upper_half(self.first_before));
        let first_low = _mm256_shuffle_epi8(row(&errors::FIRST_LOW), lower_half(self.first_before));
        let second_high = _mm256_shuffle_epi8(row(&errors::SECOND_HIGH), upper_half(self.bytes));
        let pair = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
        // The high bit where a third or fourth byte is expected: two bytes after 0xE0 and above, or three after 0xF0 and above.
        let third = _mm256_subs_epu8(self.second_before, splat(0xE0 - 0x80));
        let fourth = _mm256_subs_epu8(self.third_before, splat(0xF0 - 0x80));
        let expected = _mm256_and_si256(_mm256_or_si256(third, fourth), splat(errors::CONTINUATIONS));
        _mm256_xor_si256(expected, pair)
    }
}

/// The code units of well-formed text, each in the lane of its sequence's last byte. The first unit of a pair is in the lane
/// before, that of the third byte.
struct Units {
    lanes: u32,
    lower_bytes: __m256i,
    upper_bytes: __m256i,
}

impl Units {
    /// Computes the units of sequences of up to three bytes.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of_bmp(window: &Window) -> Self {
        let &Window { bytes, first_before, second_before, .. } = window;
        // Leads, and the bytes after leads of three or four bytes.
        let after_long_lead = _mm256_subs_epu8(first_before, splat(0xE0 - 0xC0));
        let others = at_least(0xC0, _mm256_max_epu8(bytes, after_long_lead));
        // 1110aaaa 10bbbbcc 10dddddd, or 110bbbcc 10dddddd. Shifts are of 16 bits; `select` drops bits from the other byte.
        let dddddd = bytes;
        let cc = _mm256_slli_epi16::<6>(first_before);
        let bbbb = _mm256_srli_epi16::<2>(first_before);
        let aaaa = _mm256_slli_epi16::<4>(_mm256_subs_epu8(second_before, splat(0xE0)));
        // Blends select by the high bit of `bytes`, which is clear in ASCII.
        Self {
            lanes: !_mm256_movemask_epi8(others).cast_unsigned(),
            lower_bytes: _mm256_blendv_epi8(bytes, select(0x3F, dddddd, cc), bytes),
            upper_bytes: _mm256_blendv_epi8(_mm256_setzero_si256(), select(0x0F, bbbb, aaaa), bytes),
        }
    }

    /// Adds surrogate pairs where sequences of four bytes end.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn add_pairs(&mut self, window: &Window) {
        let &Window { bytes, first_before, second_before, third_before } = window;
        let firsts = at_least(0xF0, second_before);
        let seconds = at_least(0xF0, third_before);
        // 11110aaa 10bbcccc 10dd....: 0xD800 + aaabbccccdd - 0x40. If bb is 0, the subtraction borrows from aaa.
        let bbcccc = _mm256_slli_epi16::<2>(_mm256_add_epi8(first_before, splat(0xF0)));
        let dd = _mm256_srli_epi16::<4>(bytes);
        let kept = at_least(0x90, first_before);
        let upper_bytes = _mm256_add_epi8(second_before, splat(0xD8_u8.wrapping_sub(0xF1)));
        let upper_bytes = _mm256_sub_epi8(upper_bytes, kept);
        let upper_bytes = _mm256_blendv_epi8(self.upper_bytes, upper_bytes, firsts);
        self.lower_bytes = _mm256_blendv_epi8(self.lower_bytes, select(0xFC, bbcccc, dd), firsts);
        // The lower byte of the second unit is that of a sequence of three bytes, and so are two bits of the upper byte.
        self.upper_bytes = _mm256_blendv_epi8(upper_bytes, select(0x03, upper_bytes, splat(0xDC)), seconds);
    }

    /// Packs the units in groups of eight lanes, in a byte order.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn packed(&self, order: ByteOrder) -> Groups<4> {
        let &Self { lower_bytes, upper_bytes, .. } = self;
        let [first, second] =
            if order == ByteOrder::Big { [upper_bytes, lower_bytes] } else { [lower_bytes, upper_bytes] };
        let outer = _mm256_unpacklo_epi8(first, second);
        let inner = _mm256_unpackhi_epi8(first, second);
        let eights = quarters([outer, inner]);
        let lanes = self.lanes;
        let vectors = [0, 1, 2, 3]
            .each(|n| _mm_shuffle_epi8(eights[n], load_half(&compaction::UNITS[(lanes >> (8 * n) & 0xFF) as usize])));
        let ends = [24, 16, 8, 0].each(|following| 2 * (lanes & u32::MAX >> following).count_ones() as usize);
        // SAFETY: `ends[n] - ends[n - 1] <= 16`, and `ends[0]` too: a group has two bytes for each of up to eight lanes.
        unsafe { Groups::new(vectors, ends) }
    }
}
