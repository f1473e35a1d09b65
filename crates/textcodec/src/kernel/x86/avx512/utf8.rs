//! UTF-8 in: 64 bytes a step.
//!
//! A sequence belongs to the step that its last byte is in, and the bytes before a step are loaded with it again. So no step waits
//! for another one to find where it starts.
//!
//! The limit of these loops is neither permutations nor compressions but the few mask registers: each comparison holds one until
//! it retires. Slower, on Zen 5: telling sequences apart by masks alone (leads, continuations, and where they are due, by shifts
//! between them), 15 GB/s instead of 30 by the look-ups below; the bytes before a step by `valignq` and `vpalignr` instead of
//! loads, 25 GB/s; leaving out the checks of four-byte sequences while there are none, 10 % less. A test for ASCII every 64 bytes
//! gains a quarter on pages of 4 KiB, whose order the branch predictor learns, and halves the speed on pages of 1 MiB: it is made
//! every 256 bytes.

use core::arch::x86_64::*;

pub(crate) use super::utf8_str::str_to_utf16;

use super::{ascii, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, rest_mut},
    drivers::{
        ascii::{load_run, widen_blocks},
        utf8,
    },
    simd::Simd as _,
    tables::utf8::{self as errors, ends_in_ascii, pending},
};

/// Bytes a step.
const STEP: usize = LANES;

/// Bytes that are all ASCII or all treated alike, so that pages do not make a branch of every step that cannot be predicted.
const WIDE: usize = 4 * STEP;

/// The operands of `_mm512_ternarylogic_epi64`: an expression of them is its table.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;
/// B where A has a bit, else C.
const SELECT: i32 = A & B | !A & C;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let errors = |src: &[u8], at, bytes| Window::around(src, at, bytes).errors();
    let errors_of_run = |seen: &[u8]| {
        [0, 1, 2, 3].map(|n| Window::within(seen[n * STEP..].first_chunk().expect("a block and three bytes")).errors())
    };
    utf8::prefix(Avx512::new(), src, errors, errors_of_run)
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let read = match src.first() {
        Some(0x80..) => 0,
        _ if ascii::begins_with_run(src) => ascii::to_utf16(src, out),
        _ => widen_blocks(Avx512::new(), src, out),
    };
    if read == src.len() { read } else { read + text_to_utf16(&src[read..], out) }
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let simd = Avx512::new();
    let mut spare = out.spare();
    let (mut at, mut written, mut was_ascii) = (0, 0, false);
    while src.len() - at >= STEP && spare.len() - written >= STEP {
        let mut steps = 1;
        if let Some(run) = src[at..].as_chunks().0.first_chunk()
            && spare.len() - written >= WIDE
        {
            steps = WIDE / STEP;
            let run = load_run(simd, run);
            if simd.is_ascii(run) && ends_in_ascii(&src[..at]) {
                for (n, bytes) in run.into_iter().enumerate() {
                    // SAFETY: `written + WIDE <= spare.len()`, and `n < 4`.
                    store_units(widen(bytes), unsafe { block_mut(spare, written + n * STEP) });
                }
                (at, written) = (at + WIDE, written + WIDE);
                if was_ascii {
                    // SAFETY: the `written` slots are stored.
                    unsafe { out.advance(written) };
                    at += ascii::to_utf16(&src[at..], out);
                    (spare, written) = (out.spare(), 0);
                }
                was_ascii = true;
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
                    return stop(src, at, written, &units, units.lanes & below_lowest(wrong), out);
                }
            }
            // SAFETY: `written + STEP <= spare.len()`: as many slots as bytes were left, and a byte gives one code unit at most.
            store_units(units.packed(units.lanes), unsafe { block_mut(spare, written) });
            written += units.lanes.count_ones() as usize;
            at += STEP;
        }
        was_ascii = false;
    }
    let rest = &src[at..];
    if rest.is_empty() && pending(src) == 0 {
        // SAFETY: the `written` slots are stored.
        unsafe { out.advance(written) };
        return at;
    }
    if rest.len() < STEP {
        let lanes = first_n(rest.len());
        let window = Window::around(src, at, load_some(rest));
        let mut units = Units::of_bmp(&window);
        if !is_zero(window.ends_of_four()) {
            units.add_pairs(&window);
        }
        let count = (units.lanes & lanes).count_ones() as usize;
        if is_zero(window.errors()) && count <= spare.len() - written {
            // SAFETY: `written <= spare.len()`; then `count` more slots are stored, which are there.
            unsafe {
                store_some_units(units.packed(units.lanes & lanes), count, rest_mut(spare, written));
                out.advance(written + count);
            }
            return src.len();
        }
    }
    finish_to_utf16(src, at, written, out)
}

/// Converts the rest of the input from a step on, up to the first sequence that is malformed or does not fit. The `written` code
/// units before it are stored, but not counted.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn finish_to_utf16(src: &[u8], mut at: usize, mut written: usize, out: &mut Out<'_, u16>) -> usize {
    loop {
        let rest = &src[at..];
        let lanes = first_n(rest.len());
        let window = Window::around(src, at, load_some(rest));
        let mut units = Units::of_bmp(&window);
        units.add_pairs(&window);
        let wrong = nonzero(window.errors()) & lanes;
        let good = units.lanes & lanes & below_lowest(wrong);
        let count = good.count_ones() as usize;
        if rest.len() <= STEP || wrong != 0 || count > out.spare_len() - written {
            return stop(src, at, written, &units, good, out);
        }
        store_some_units(units.packed(good), count, &mut out.spare()[written..]);
        written += count;
        at += STEP;
    }
}

/// Stores those of the `good` code units of the step at `at` that fit, and counts them and the `written` ones before it. Returns
/// where the next sequence begins.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn stop(src: &[u8], at: usize, mut written: usize, units: &Units, good: u64, out: &mut Out<'_, u16>) -> usize {
    let spare = &mut out.spare()[written..];
    let mut taken = _pdep_u64(first_n(spare.len()), good);
    let last = 1_u64.rotate_right(1 + taken.leading_zeros());
    taken &= !(last & units.firsts_of_pairs);
    let count = taken.count_ones() as usize;
    store_some_units(units.packed(taken), count, spare);
    written += count;
    let mut read = at + STEP - taken.leading_zeros() as usize;
    if taken == 0 {
        // The first unit of a pair may be stored, in the step before, where its last byte was still missing.
        let pending = pending(&src[..read]);
        written -= usize::from(pending == 3);
        read -= pending;
    }
    // SAFETY: the `written` slots are stored: `taken` has no more lanes than slots are left.
    unsafe { out.advance(written) };
    read
}

/// The bits below the lowest one; all where there is none.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn below_lowest(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}

/// 64 bytes, and for each of them the three before it.
struct Window {
    bytes: __m512i,
    first_before: __m512i,
    second_before: __m512i,
    third_before: __m512i,
}

impl Window {
    /// The window of 64 bytes, given with the three before them.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn within(seen: &[u8; 3 + STEP]) -> Self {
        let [third_before, second_before, first_before, bytes] = [0, 1, 2, 3].map(|n| load_some(&seen[n..]));
        Self { bytes, first_before, second_before, third_before }
    }

    /// The window of the bytes at `at`, which are loaded already. Before the start of the input and past its end are zeros.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn around(src: &[u8], at: usize, bytes: __m512i) -> Self {
        if at < 3 {
            // Each quarter next to the one before it.
            let before = _mm512_alignr_epi64::<6>(bytes, splat(0));
            return Self {
                bytes,
                first_before: _mm512_alignr_epi8::<15>(bytes, before),
                second_before: _mm512_alignr_epi8::<14>(bytes, before),
                third_before: _mm512_alignr_epi8::<13>(bytes, before),
            };
        }
        let [third_before, second_before, first_before] = [3, 2, 1].map(|back| load_some(&src[at - back..]));
        Self { bytes, first_before, second_before, third_before }
    }

    /// Not zero where the third or fourth byte of a sequence of four is.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn ends_of_four(&self) -> __m512i {
        _mm512_subs_epu8(_mm512_max_epu8(self.second_before, self.third_before), splat(0xEF))
    }

    /// Not zero where a byte does not go with the three before it.
    ///
    /// A sequence that is wrong has such a byte, or is followed by one, and all before the first of them are either whole
    /// and well-formed or belong to that sequence.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn errors(&self) -> __m512i {
        // Of an index six bits count, of which the lower four matter.
        let look_up = |halves, table| _mm512_permutexvar_epi8(halves, load(table));
        let pair = _mm512_ternarylogic_epi64::<{ A & B & C }>(
            look_up(_mm512_srli_epi16::<4>(self.first_before), &const { errors::repeated(errors::FIRST_HIGH) }),
            look_up(self.first_before, &const { errors::repeated(errors::FIRST_LOW) }),
            look_up(_mm512_srli_epi16::<4>(self.bytes), &const { errors::repeated(errors::SECOND_HIGH) }),
        );
        // The uppermost bit where a third or fourth byte has to be: after E0.. or F0.. two or three bytes before.
        let third = _mm512_subs_epu8(self.second_before, splat(0xE0 - 0x80));
        let fourth = _mm512_subs_epu8(self.third_before, splat(0xF0 - 0x80));
        let due = _mm512_ternarylogic_epi64::<{ (A | B) & C }>(third, fourth, splat(errors::CONTINUATIONS));
        _mm512_xor_si512(due, pair)
    }
}

/// The code units of well-formed text, each in the lane of its sequence's last byte; of a pair, the first is in the lane
/// before, that of the third byte.
struct Units {
    lanes: u64,
    firsts_of_pairs: u64,
    lower_bytes: __m512i,
    upper_bytes: __m512i,
}

impl Units {
    /// Those of sequences of up to three bytes.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of_bmp(window: &Window) -> Self {
        let &Window { bytes, first_before, second_before, .. } = window;
        // Everywhere but on a lead, and behind one of three or four bytes.
        let behind = _mm512_subs_epu8(first_before, splat(0xE0 - 0xC0));
        let lanes = _mm512_cmplt_epu8_mask(_mm512_max_epu8(bytes, behind), splat(0xC0));
        let not_ascii = _mm512_movepi8_mask(bytes);
        // 1110aaaa 10bbbbcc 10dddddd, or 110bbbcc 10dddddd. Shifts are of 16 bits; a selection takes what they keep.
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

    /// Puts pairs of surrogates where sequences of four bytes end.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn add_pairs(&mut self, window: &Window) {
        /// DC, or'ed with the lower two bits of the index.
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
        // 11110aaa 10bbcccc 10dd....: D800 + aaabbccccdd - 40. What is borrowed from aaa is taken when bb is 0.
        let bbcccc = _mm512_slli_epi16::<2>(_mm512_add_epi8(first_before, splat(0xF0)));
        let dd = _mm512_srli_epi16::<4>(bytes);
        let lower_bytes = _mm512_ternarylogic_epi64::<SELECT>(splat(0xFC), bbcccc, dd);
        let borrows = firsts & _mm512_cmplt_epu8_mask(first_before, splat(0x90));
        let upper_bytes =
            _mm512_mask_add_epi8(self.upper_bytes, firsts, second_before, splat(0xD8_u8.wrapping_sub(0xF0)));
        let upper_bytes = _mm512_mask_add_epi8(upper_bytes, borrows, upper_bytes, splat(0xFF));
        self.firsts_of_pairs = firsts;
        self.lower_bytes = _mm512_mask_mov_epi8(self.lower_bytes, firsts, lower_bytes);
        // The second's lower byte is what it would be in a sequence of three; of its upper one two bits are.
        self.upper_bytes = _mm512_mask_shuffle_epi8(upper_bytes, seconds, load(&UPPER_BYTES), upper_bytes);
    }

    /// Those in `lanes`, one behind the other.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn packed(&self, lanes: u64) -> [__m512i; 2] {
        /// Bytes of two vectors in turn, from a lane on.
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
        [&const { interleaved(0) }, &const { interleaved(32) }]
            .map(|indexes| _mm512_permutex2var_epi8(lower_bytes, load(indexes), upper_bytes))
    }
}
