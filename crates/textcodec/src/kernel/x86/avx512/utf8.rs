//! Conversion and validation of UTF-8, in steps of 64 bytes.
//!
//! A sequence belongs to the step that its last byte is in, and each step loads the three bytes before it again. So steps start
//! at fixed offsets and do not wait for each other.

use core::arch::x86_64::*;

use super::{super::masks::before_first, ascii, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, rest_mut},
    drivers::{ascii::widen_blocks, utf8},
    each::Each as _,
    simd::Simd,
    tables::{
        ByteOrder,
        utf8::{self as errors, ends_in_ascii, pending},
    },
};

/// Bytes per step.
const STEP: usize = LANES;

/// Bytes with one test for ASCII: in pages, a branch for every step would be unpredictable.
const RUN: usize = 2 * STEP;

/// The operands of `_mm512_ternarylogic_epi64`, whose table is an expression of them.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;
/// B where A has a bit, C elsewhere.
const SELECT: i32 = A & B | !A & C;

super::super::utf8::kernels!(Avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");

/// Converts to code units in a byte order.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn to_units(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= STEP {
        // SAFETY: no slot has to be initialised for an empty prefix.
        return unsafe { last_to_units(order, src, 0, 0, out) };
    }
    let read = match src.first() {
        Some(0x80..) => 0,
        _ if ascii::begins_with_run(src) => ascii::widen(order, src, out),
        _ => widen_blocks(Avx512::new(), order, src, out),
    };
    if read == src.len() { read } else { read + text_to_units(order, &src[read..], out) }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_units(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let mut spare = unsafe { out.spare() };
    let (mut at, mut written, mut ascii_runs) = (0, 0, 0);
    while src.len() - at >= STEP && spare.len() - written >= STEP {
        let mut steps = 1;
        if let Some(run) = src[at..].as_chunks().0.first_chunk::<2>()
            && spare.len() - written >= RUN
        {
            steps = RUN / STEP;
            let run = [load(&run[0]), load(&run[1])];
            if high_bits(or(run[0], run[1])) == 0 && ends_in_ascii(&src[..at]) {
                for (n, bytes) in run.into_iter().enumerate() {
                    let units = widen(bytes).each(|units| if order == ByteOrder::Big { swapped(units) } else { units });
                    // SAFETY: `written + (n + 1) * STEP <= written + RUN <= spare.len()`: checked above, and `n < 2`.
                    store_units(units, unsafe { block_mut(spare, written + n * STEP) });
                }
                (at, written) = (at + RUN, written + RUN);
                ascii_runs += 1;
                // Cell `convert/utf-8/utf-16/en-page/4KiB`.
                if ascii_runs > 4 {
                    // SAFETY: `written <= spare.len()`, and the first `written` slots are initialised: each step wrote `n`
                    // slots from `written` on, and then added `n` to it.
                    unsafe { out.advance(written) };
                    at += ascii::widen(order, &src[at..], out);
                    // The spare slots now start after those that were advanced over, so `written` restarts at 0.
                    // SAFETY: only initialised values are stored in the slots.
                    (spare, written) = (unsafe { out.spare() }, 0);
                }
                continue;
            }
        }
        for _ in 0..steps {
            let window = match at.checked_sub(3).and_then(|from| src[from..].first_chunk()) {
                Some(seen) => Window::within(seen),
                None => Window::around(src, at, load_some(&src[at..])),
            };
            let mut units = Units::of_bmp(&window);
            let errors = window.errors();
            if !is_zero(or(errors, window.ends_of_four())) {
                units.add_pairs(&window);
                let wrong = nonzero(errors);
                if wrong != 0 {
                    let good = units.without_half_pair(units.lanes & before_first(wrong));
                    // SAFETY: `written + STEP <= spare.len()`: see the store below.
                    store_units(units.packed(order, good), unsafe { block_mut(spare, written) });
                    // SAFETY: the first `written` spare slots are written: each step wrote `n` slots from `written` on, and
                    // then added `n` to it, and the units in `good` follow. They are the units before `at` since the last
                    // `advance`.
                    return unsafe { end_in_step(src, at, written, good, out) };
                }
            }
            // SAFETY: `written + STEP <= spare.len()`: `steps * STEP` slots were spare, and each step before wrote at most
            // `STEP`.
            store_units(units.packed(order, units.lanes), unsafe { block_mut(spare, written) });
            written += units.lanes.count_ones() as usize;
            at += STEP;
        }
        ascii_runs = 0;
    }
    let rest = &src[at..];
    if rest.is_empty() && pending(src) == 0 {
        // SAFETY: `written <= spare.len()`, and the first `written` slots are initialised: each step wrote `n` slots from
        // `written` on, and then added `n` to it.
        unsafe { out.advance(written) };
        return at;
    }
    // SAFETY: the first `written` spare slots are written: each step wrote `n` slots from `written` on, and then added `n` to it.
    // They are the units before `at` since the last `advance`.
    unsafe { last_to_units(order, src, at, written, out) }
}

/// Converts the input from the step at `at` on, probably the last one. Advances `out` over what it writes, and over the `written`
/// code units before.
///
/// A function of its own, because it needs fewer constants than the loop (cells `convert/utf-8/utf-16/*/16B` and `64B`).
///
/// # Safety
/// The same conditions as for [`finish_to_utf16`].
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn last_to_units(order: ByteOrder, src: &[u8], at: usize, written: usize, out: &mut Out<'_, u16>) -> usize {
    let rest = &src[at..];
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    // In a whole step, no lane after an incomplete sequence reveals it.
    if rest.len() < STEP || rest.len() == STEP && pending(src) == 0 {
        let lanes = first_n(rest.len());
        let window = Window::around(src, at, load_some(rest));
        let mut units = Units::of_bmp(&window);
        if !is_zero(window.ends_of_four()) {
            units.add_pairs(&window);
        }
        let count = (units.lanes & lanes).count_ones() as usize;
        if is_zero(window.errors()) && count <= spare.len() - written {
            // SAFETY: `written + count <= spare.len()` was checked above. The first `written` spare slots are written, as the
            // caller promises. This store writes `count` more.
            unsafe {
                store_some_units(units.packed(order, units.lanes & lanes), count, rest_mut(spare, written));
                out.advance(written + count);
            }
            return src.len();
        }
    }
    // SAFETY: the caller promises the same.
    unsafe { finish_to_utf16(order, src, at, written, out) }
}

/// Converts the input from the step at `at` on, up to the first sequence that is malformed or does not fit. Advances `out` over
/// what it writes, and over the `written` code units before.
///
/// # Safety
/// The first `written` spare slots of `out` are initialised. They have the code units of the sequences that end before `at`,
/// except for those that `out` was advanced over, and the first unit of a pair whose last byte is at `at`.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn finish_to_utf16(
    order: ByteOrder,
    src: &[u8],
    mut at: usize,
    mut written: usize,
    out: &mut Out<'_, u16>,
) -> usize {
    loop {
        let rest = &src[at..];
        let lanes = first_n(rest.len());
        let window = Window::around(src, at, load_some(rest));
        let mut units = Units::of_bmp(&window);
        units.add_pairs(&window);
        let wrong = nonzero(window.errors()) & lanes;
        let good = units.lanes & lanes & before_first(wrong);
        // SAFETY: only initialised values are stored in the slots.
        let spare = &mut unsafe { out.spare() }[written..];
        let fitting = lowest(good, spare.len());
        let is_last = rest.len() <= STEP || wrong != 0 || fitting != good;
        let stored = if is_last { units.without_half_pair(fitting) } else { fitting };
        let count = stored.count_ones() as usize;
        store_some_units(units.packed(order, stored), count, spare);
        if is_last {
            // SAFETY: the first `written` spare slots are as the caller promises, with those that the steps before have added.
            // The store has initialised `count` more, which are at most `spare.len()`.
            return unsafe { end_in_step(src, at, written, stored, out) };
        }
        written += count;
        at += STEP;
    }
}

/// Advances `out` over the `written` code units before the step at `at`, and those of the step that are in `stored`. Returns the
/// offset of the next sequence.
///
/// # Safety
/// The same conditions as for [`finish_to_utf16`], and the units in `stored` follow the `written` ones in `out`. The last one is
/// not the first unit of a pair.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn end_in_step(src: &[u8], at: usize, mut written: usize, stored: u64, out: &mut Out<'_, u16>) -> usize {
    written += stored.count_ones() as usize;
    let mut read = at + STEP - stored.leading_zeros() as usize;
    if stored == 0 {
        // The step before may have stored the first unit of a pair whose last byte is in this one.
        let pending = pending(&src[..read]);
        written -= usize::from(pending == 3);
        read -= pending;
    }
    // SAFETY: the first `written` spare slots are initialised, as the caller promises. With `pending == 3` the first unit of a
    // pair is among them, so `written >= 1` before the subtraction.
    unsafe { out.advance(written) };
    read
}

/// 64 bytes, and for each of them the three before it.
struct Window {
    bytes: __m512i,
    first_before: __m512i,
    second_before: __m512i,
    third_before: __m512i,
}

impl Window {
    /// Loads the window of 64 bytes, given with the three bytes before them.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn within(seen: &[u8; 3 + STEP]) -> Self {
        let [third_before, second_before, first_before, bytes] = [0, 1, 2, 3].each(|n| load_some(&seen[n..]));
        Self { bytes, first_before, second_before, third_before }
    }

    /// Loads the window of the bytes at `at`, of which `bytes` are loaded already. Before the start and past the end of the
    /// input are zeros.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn around(src: &[u8], at: usize, bytes: __m512i) -> Self {
        if at < 3 {
            // For each quarter, the one before it.
            let before = _mm512_alignr_epi64::<6>(bytes, splat(0));
            return Self {
                bytes,
                first_before: _mm512_alignr_epi8::<15>(bytes, before),
                second_before: _mm512_alignr_epi8::<14>(bytes, before),
                third_before: _mm512_alignr_epi8::<13>(bytes, before),
            };
        }
        let [third_before, second_before, first_before] = [3, 2, 1].each(|back| load_some(&src[at - back..]));
        Self { bytes, first_before, second_before, third_before }
    }

    /// Returns a vector that is not zero in the third and fourth byte of sequences of four.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn ends_of_four(&self) -> __m512i {
        _mm512_subs_epu8(_mm512_max_epu8(self.second_before, self.third_before), splat(0xEF))
    }

    /// Returns a vector that is not zero where a byte cannot follow the three bytes before it.
    ///
    /// Each malformed sequence contains such a byte or is followed by one. Before the first such byte, all sequences but this
    /// one are whole and well-formed.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn errors(&self) -> __m512i {
        // An index has six bits. Only the lower four select, as tables are repeated.
        let look_up = |halves, table| _mm512_permutexvar_epi8(halves, load(table));
        let pair = _mm512_ternarylogic_epi64::<{ A & B & C }>(
            look_up(_mm512_srli_epi16::<4>(self.first_before), &const { errors::repeated(errors::FIRST_HIGH) }),
            look_up(self.first_before, &const { errors::repeated(errors::FIRST_LOW) }),
            look_up(_mm512_srli_epi16::<4>(self.bytes), &const { errors::repeated(errors::SECOND_HIGH) }),
        );
        // The high bit where a third or fourth byte is expected: two bytes after 0xE0 and above, or three after 0xF0 and above.
        let third = _mm512_subs_epu8(self.second_before, splat(0xE0 - 0x80));
        let fourth = _mm512_subs_epu8(self.third_before, splat(0xF0 - 0x80));
        let expected = _mm512_ternarylogic_epi64::<{ (A | B) & C }>(third, fourth, splat(errors::CONTINUATIONS));
        _mm512_xor_si512(expected, pair)
    }
}

/// The code units of well-formed text, each in the lane of its sequence's last byte. The first unit of a pair is in the lane
/// before, that of the third byte.
struct Units {
    lanes: u64,
    firsts_of_pairs: u64,
    lower_bytes: __m512i,
    upper_bytes: __m512i,
}

impl Units {
    /// Computes the units of sequences of up to three bytes.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of_bmp(window: &Window) -> Self {
        let &Window { bytes, first_before, second_before, .. } = window;
        // All lanes but those of a lead, and of the byte after a lead of three or four bytes.
        let after_long_lead = _mm512_subs_epu8(first_before, splat(0xE0 - 0xC0));
        let lanes = _mm512_cmplt_epu8_mask(_mm512_max_epu8(bytes, after_long_lead), splat(0xC0));
        let not_ascii = _mm512_movepi8_mask(bytes);
        // 1110aaaa 10bbbbcc 10dddddd, or 110bbbcc 10dddddd. Shifts are of 16 bits; `SELECT` drops bits from the other byte.
        let dddddd = bytes;
        let cc = _mm512_slli_epi16::<6>(first_before);
        let bbbb = _mm512_srli_epi16::<2>(first_before);
        let aaaa = _mm512_slli_epi16::<4>(_mm512_subs_epu8(second_before, splat(0xE0)));
        let lower_bytes = _mm512_ternarylogic_epi64::<SELECT>(splat(0x3F), dddddd, cc);
        let upper_bytes = _mm512_ternarylogic_epi64::<SELECT>(splat(0x0F), bbbb, aaaa);
        Self {
            lanes,
            firsts_of_pairs: 0,
            lower_bytes: _mm512_mask_mov_epi8(bytes, not_ascii, lower_bytes),
            upper_bytes: _mm512_maskz_mov_epi8(not_ascii, upper_bytes),
        }
    }

    /// Adds surrogate pairs where sequences of four bytes end.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn add_pairs(&mut self, window: &Window) {
        /// 0xDC and the lower two bits of the index.
        const UPPER_BYTES: [u8; STEP] = {
            let mut table = [0; STEP];
            let mut n = 0;
            while n < STEP {
                table[n] = 0xDC | n as u8 & 3;
                n += 1;
            }
            table
        };
        let &Window { bytes, first_before, second_before, third_before } = window;
        let firsts = _mm512_cmpge_epu8_mask(second_before, splat(0xF0));
        let seconds = _mm512_cmpge_epu8_mask(third_before, splat(0xF0));
        // 11110aaa 10bbcccc 10dd....: 0xD800 + aaabbccccdd - 0x40. If bb is 0, the subtraction borrows from aaa.
        let bbcccc = _mm512_slli_epi16::<2>(_mm512_add_epi8(first_before, splat(0xF0)));
        let dd = _mm512_srli_epi16::<4>(bytes);
        let lower_bytes = _mm512_ternarylogic_epi64::<SELECT>(splat(0xFC), bbcccc, dd);
        let borrows = firsts & _mm512_cmplt_epu8_mask(first_before, splat(0x90));
        let upper_bytes =
            _mm512_mask_add_epi8(self.upper_bytes, firsts, second_before, splat(0xD8_u8.wrapping_sub(0xF0)));
        let upper_bytes = _mm512_mask_add_epi8(upper_bytes, borrows, upper_bytes, splat(0xFF));
        self.firsts_of_pairs = firsts;
        self.lower_bytes = _mm512_mask_mov_epi8(self.lower_bytes, firsts, lower_bytes);
        // The lower byte of the second unit is that of a sequence of three bytes, and so are two bits of the upper byte.
        self.upper_bytes = _mm512_mask_shuffle_epi8(upper_bytes, seconds, load(&UPPER_BYTES), upper_bytes);
    }

    /// Returns the lanes without the last one if that is the first unit of a pair.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn without_half_pair(&self, lanes: u64) -> u64 {
        let last = 1_u64.rotate_right(1 + lanes.leading_zeros());
        lanes & !(last & self.firsts_of_pairs)
    }

    /// Returns the units in `lanes` without gaps, in a byte order.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn packed(&self, order: ByteOrder, lanes: u64) -> [__m512i; 2] {
        /// Interleaves the bytes of two vectors, from a lane on.
        const fn interleaved(from: u8) -> [u8; STEP] {
            let mut indexes = [0; STEP];
            let mut n = 0;
            while n < STEP {
                indexes[n] = from + n as u8 / 2 + n as u8 % 2 * 64;
                n += 1;
            }
            indexes
        }
        let lower_bytes = compress(self.lower_bytes, lanes);
        let upper_bytes = compress(self.upper_bytes, lanes);
        let (first, second) = match order {
            ByteOrder::Little => (lower_bytes, upper_bytes),
            ByteOrder::Big => (upper_bytes, lower_bytes),
        };
        [&const { interleaved(0) }, &const { interleaved(32) }]
            .each(|indexes| _mm512_permutex2var_epi8(first, load(indexes), second))
    }
}
