//! UTF-16 in steps of 32 code units.
//!
//! To UTF-8, a code unit becomes up to three bytes in a lane of four, and each surrogate becomes two of its pair's four bytes.
//! So steps start at fixed offsets and do not wait for each other. The length of sequences is tested once per 128 units: in
//! pages, a branch for every 32 units is unpredictable, and German runs at 22 GB/s instead of 36.
//!
//! Look-ups by `vpermi2w` and lengths by `vptestmb` leave two masks per step. Comparisons, each of which holds one of the few
//! mask registers until it retires, run Chinese text at 23 GB/s instead of 28. Arithmetic without masks or tables is slower,
//! too. A single decision for all of the last 128 units costs short inputs 4 ns.

use core::{arch::x86_64::*, mem::MaybeUninit, ops::Range};

use super::vector::*;
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of, bytes_of_slots},
    drivers,
    each::Each as _,
    reference,
    surrogates::Surrogates,
    tables::ByteOrder,
};

/// Code units per step.
const STEP: usize = UNITS;

/// Code units whose conversion is chosen by one test.
const RUN: usize = 4 * STEP;

/// The spare bytes that `RUN` code units need: they are eight half steps, each of which becomes at most 48 bytes and is stored
/// as 64.
const RUN_SPARE: usize = 7 * 48 + 64;

/// The operands of `_mm512_ternarylogic_epi64`, whose table is an expression of them.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;
/// B where A has a bit, C elsewhere.
const SELECT: i32 = A & B | !A & C;

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    if src.len() <= 2 * STEP && short_to_utf8(ByteOrder::of(BIG), src, out) {
        return src.len();
    }
    let is_ascii = |&bytes: &[u8; 2]| ByteOrder::of(BIG).unit(bytes) < 0x80;
    let read = if src.first().is_some_and(is_ascii) { ascii_to_utf8::<BIG>(src, out) } else { 0 };
    if read == src.len() { read } else { read + text_to_utf8::<BIG>(&src[read..], out) }
}

/// Converts up to two steps. Returns false, and writes nothing, if they are ill-formed or may not fit.
///
/// A separate function, because it needs fewer constants than the loops, and decides for both steps at once (cells
/// `convert/utf-16/utf-8/*/100B`).
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn short_to_utf8(order: ByteOrder, src: &[[u8; 2]], out: &mut Out<'_, u8>) -> bool {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    if spare.len() < 3 * src.len() {
        return false;
    }
    let counts = [src.len().min(STEP), src.len().saturating_sub(STEP)];
    let (front, back) = src.split_at(counts[0]);
    let steps = [front, back].each(|step| loaded(order, step));
    let [a, b] = steps;
    let mut written = 0;
    if are_below(0x800, or(a, b)) {
        for (units, count) in steps.into_iter().zip(counts) {
            if count == 0 {
                break;
            }
            let Sparse { bytes, used } = up_to_two_bytes(units);
            let sequences = Sparse { bytes, used: used & first_n(2 * count) };
            sequences.store_exactly(&mut spare[written..]);
            written += sequences.len();
        }
    } else {
        let has_surrogates = any_surrogate([a, a, b, b]);
        let mut pending_high = false;
        for (n, (units, count)) in steps.into_iter().zip(counts).enumerate() {
            if count == 0 {
                break;
            }
            let halves = if has_surrogates {
                let surrogates = surrogates_of(units);
                if surrogates.wrong(pending_high) & first_n(count) != 0 {
                    return false;
                }
                pending_high = surrogates.end_high(count);
                with_surrogates(order, src, n * STEP, units, surrogates)
            } else {
                up_to_three_bytes(units)
            };
            let Some(stored) = store_both(&first_sequences(count, halves), &mut spare[written..]) else { return false };
            written += stored;
        }
        if pending_high {
            return false;
        }
    }
    // SAFETY: `store_exactly` has written the first `written` spare slots, because `3 * src.len() <= spare.len()`, and each
    // code unit became at most three bytes.
    unsafe { out.advance(written) };
    true
}

/// Converts whole steps of ASCII, and the remainder if it is all ASCII. Other text costs one branch: it is left to
/// [`text_to_utf8`], which has more set-up (cells `convert/utf-16/utf-8/*/16B` and `64B`).
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let src = &src[..src.len().min(spare.len())];
    let mut at = 0;
    while let Some(run) = src[at..].first_chunk() {
        let steps = load_run(run);
        if !are_ascii::<BIG>(any(steps)) {
            break;
        }
        // SAFETY: `at + RUN <= src.len() <= spare.len()`: `run` is the `RUN` units of `src` from `at` on.
        store_ascii::<BIG>(steps, unsafe { block_mut(spare, at) });
        // The second run overlaps the first one, so that stores are aligned to cache lines from there on.
        at += RUN - if at == 0 && src.len() >= 3 * RUN { src.as_ptr().addr() % LANES / 2 } else { 0 };
    }
    while let Some(step) = src[at..].first_chunk::<STEP>() {
        let units = load_some(step.as_flattened());
        if !are_ascii::<BIG>(units) {
            break;
        }
        // SAFETY: `at + STEP <= src.len() <= spare.len()`: `step` is the `STEP` units of `src` from `at` on.
        store_half(narrow_ascii::<BIG>(units), unsafe { block_mut(spare, at) });
        at += STEP;
    }
    let rest = &src[at..];
    if rest.len() < STEP {
        let units = load_some(rest.as_flattened());
        if are_ascii::<BIG>(units) {
            store_some_half(narrow_ascii::<BIG>(units), rest.len(), &mut spare[at..]);
            at = src.len();
        }
    }
    // SAFETY: `at <= src.len() <= spare.len()`, and the first `at` spare slots are written: each store began at the old `at`
    // and reached the new one.
    unsafe { out.advance(at) };
    at
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut written) = (0, 0);
    // Whether the last code unit was a high surrogate.
    let mut pending_high = false;
    'steps: while let Some(run) = src[at..].first_chunk()
        && spare.len() - written >= RUN_SPARE
    {
        let steps = load_run(run);
        if are_ascii::<BIG>(any(steps)) && !pending_high {
            // SAFETY: `written + RUN <= spare.len()`: the loop condition, and `RUN <= RUN_SPARE`.
            store_ascii::<BIG>(steps, unsafe { block_mut(spare, written) });
            (at, written) = (at + RUN, written + RUN);
            continue;
        }
        let steps = steps.each(|units| in_order::<BIG>(units));
        let any = any(steps);
        if pending_high || !are_below(0x800, any) && any_surrogate(steps) {
            for units in steps {
                let surrogates = surrogates_of(units);
                if surrogates.wrong(pending_high) & first_n(STEP) != 0 {
                    break 'steps;
                }
                pending_high = surrogates.end_high(STEP);
                for half in with_surrogates(ByteOrder::of(BIG), src, at, units, surrogates) {
                    // SAFETY: `written + 64 <= spare.len()`: the loop condition left `RUN_SPARE == 7 * 48 + 64` bytes, and
                    // each of up to seven halves before this one became at most 48.
                    written += half.store(unsafe { block_mut(spare, written) });
                }
                at += STEP;
            }
            continue;
        }
        for units in steps {
            if are_below(0x800, any) {
                // SAFETY: `written + 64 <= spare.len()`: the loop condition left `RUN_SPARE >= 4 * 64` bytes, and each of up
                // to three steps before this one became at most 64.
                written += up_to_two_bytes(units).store(unsafe { block_mut(spare, written) });
            } else {
                for half in up_to_three_bytes(units) {
                    // SAFETY: `written + 64 <= spare.len()`: the loop condition left `RUN_SPARE == 7 * 48 + 64` bytes, and
                    // each of up to seven halves before this one became at most 48.
                    written += half.store(unsafe { block_mut(spare, written) });
                }
            }
        }
        at += RUN;
    }
    while at < src.len() {
        let rest = &src[at..];
        let count = rest.len().min(STEP);
        let units = in_order::<BIG>(load_some(rest.as_flattened()));
        let spare = &mut spare[written..];
        if are_below(0x800, units) && !pending_high {
            let Sparse { bytes, used } = up_to_two_bytes(units);
            let sequences = Sparse { bytes, used: used & first_n(2 * count) };
            if sequences.len() > spare.len() {
                break;
            }
            sequences.store_exactly(spare);
            written += sequences.len();
            at += count;
            continue;
        }
        let surrogates = surrogates_of(units);
        if surrogates.wrong(pending_high) & first_n(count) != 0 {
            break;
        }
        pending_high = surrogates.end_high(count);
        let sequences = if surrogates.are_none() {
            first_sequences(count, up_to_three_bytes(units))
        } else {
            first_sequences(count, with_surrogates(ByteOrder::of(BIG), src, at, units, surrogates))
        };
        let Some(stored) = store_both(&sequences, spare) else { break };
        written += stored;
        at += count;
    }
    if at < src.len() || pending_high {
        // SAFETY: the first `written` spare slots are written: each step stored bytes within `spare` from `written` on, and
        // added their number. They are the UTF-8 of all units before `at`.
        return unsafe { finish_to_utf8(ByteOrder::of(BIG), src, at, written, out) };
    }
    // SAFETY: the first `written` spare slots are written: each step stored bytes within `spare` from `written` on, and added
    // their number.
    unsafe { out.advance(written) };
    at
}

/// Stores both halves if they fit, and returns how many bytes they have.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn store_both([front, back]: &[Sparse; 2], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let to = to.get_mut(..front.len() + back.len())?;
    let len = to.len();
    front.store_exactly(to);
    if back.used != 0 {
        back.store_exactly(&mut to[front.len()..]);
    }
    Some(len)
}

/// Converts the input from the step at `at` on, up to the first code unit that is unpaired or does not fit. Advances `out`
/// over what it writes, and over the `written` bytes before.
///
/// # Safety
/// The first `written` spare slots of `out` are initialised. They have the UTF-8 of `src[..at]`, with two bytes of a high
/// surrogate at its end.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn finish_to_utf8(
    order: ByteOrder,
    src: &[[u8; 2]],
    mut at: usize,
    mut written: usize,
    out: &mut Out<'_, u8>,
) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    loop {
        let rest = &src[at..];
        let pending_high = at > 0 && order.unit(src[at - 1]) & 0xFC00 == 0xD800;
        let units = loaded(order, rest);
        let mut surrogates = surrogates_of(units);
        let wrong = surrogates.wrong(pending_high) & first_n(rest.len().min(STEP));
        surrogates.lows &= !wrong;
        let mut count = (wrong.trailing_zeros() as usize).min(rest.len()).min(STEP);
        if count == 0 {
            // A high surrogate at the end of the step before is not converted: its two bytes are dropped.
            // SAFETY: the first `written` spare slots are written, by the caller's promise and by `store_both`. With
            // `pending_high`, the last two of them are from the high surrogate, so `written >= 2`.
            unsafe { out.advance(written - 2 * usize::from(pending_high)) };
            return at - usize::from(pending_high);
        }
        let sequences = first_sequences(count, with_surrogates(order, src, at, units, surrogates));
        let spare_len = spare.len() - written;
        let is_last = rest.len() <= STEP || wrong != 0 || fitting(&sequences, spare_len) < count;
        if is_last {
            count = count.min(fitting(&sequences, spare_len));
            // A high surrogate without its low one is not converted. It may be in the step before.
            if count == 0 && pending_high {
                written -= 2;
                at -= 1;
            } else if count > 0 && surrogates.end_high(count) {
                count -= 1;
            }
        }
        written +=
            store_both(&first_sequences(count, sequences), &mut spare[written..]).expect("the first `count` fit");
        at += count;
        if is_last {
            // SAFETY: the first `written` spare slots are written, by the caller's promise and by `store_both`.
            unsafe { out.advance(written) };
            return at;
        }
    }
}

super::super::utf16::kernels!(Avx512, "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn load_run(run: &[[u8; 2]; RUN]) -> [__m512i; 4] {
    [0, 1, 2, 3].each(|n| load_some(run[n * STEP..].as_flattened()))
}

/// Loads the first 32 code units, and zeros past the end.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn loaded(order: ByteOrder, src: &[[u8; 2]]) -> __m512i {
    let units = load_some(src.as_flattened());
    if order == ByteOrder::Big { swapped(units) } else { units }
}

/// Swaps the bytes of each code unit if they are in big-endian order.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn in_order<const BIG: bool>(units: __m512i) -> __m512i {
    if BIG { swapped(units) } else { units }
}

/// Returns whether code units are ASCII, which may be in big-endian order. `units` may be an OR of several vectors.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are_ascii<const BIG: bool>(units: __m512i) -> bool {
    !any_exceeding(units, if BIG { 0x7F00 } else { 0x7F })
}

/// Returns ASCII as bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn narrow_ascii<const BIG: bool>(units: __m512i) -> __m256i {
    _mm512_cvtepi16_epi8(if BIG { _mm512_srli_epi16::<8>(units) } else { units })
}

/// Returns whether all code units are below a power of two. `units` may be an OR of several vectors.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are_below(power: u16, units: __m512i) -> bool {
    !any_exceeding(units, power - 1)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn any([a, b, c, d]: [__m512i; 4]) -> __m512i {
    or(or(a, b), or(c, d))
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn store_ascii<const BIG: bool>(steps: [__m512i; 4], to: &mut [MaybeUninit<u8>; RUN]) {
    let [a, b, c, d] = if BIG { steps.each(|units| _mm512_srli_epi16::<8>(units)) } else { steps };
    let [front, back] = to.as_chunks_mut().0 else { unreachable!() };
    store(narrow([a, b]), front);
    store(narrow([c, d]), back);
}

/// Returns the surrogates among 32 code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn surrogates_of(units: __m512i) -> Surrogates {
    let kind = _mm512_and_si512(units, splat_units(0xFC00));
    let lanes = |first| u64::from(_mm512_cmpeq_epi16_mask(kind, splat_units(first)));
    Surrogates { highs: lanes(0xD800), lows: lanes(0xDC00) }
}

/// 64 bytes, and a mask of those in use.
struct Sparse {
    bytes: __m512i,
    used: u64,
}

impl Sparse {
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn len(&self) -> usize {
        self.used.count_ones() as usize
    }

    /// Stores the bytes in use, and returns how many there are. May overwrite the rest of `to`.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn store(&self, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
        store_kept(self.bytes, self.used, to)
    }

    /// Stores the bytes in use, as many as `to` holds, and nothing else.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn store_exactly(&self, to: &mut [MaybeUninit<u8>]) {
        store_some_kept(self.bytes, self.used, to);
    }
}

/// Converts units below U+0800, in lanes of two bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_two_bytes(units: __m512i) -> Sparse {
    // The bits from bit 6 and bit 0 on of each unit.
    let shifts = _mm512_set1_epi64(0x3036_2026_1016_0006);
    let digits = _mm512_multishift_epi64_epi8(shifts, units);
    let bytes = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3F3F), digits, splat_units(0x80C0));
    let ascii = _mm512_cmplt_epu16_mask(units, splat_units(0x80));
    let bytes = _mm512_mask_mov_epi16(bytes, ascii, units);
    // All first bytes, and the second bytes that are continuation bytes.
    Sparse { bytes, used: _mm512_movepi8_mask(bytes) | 0x5555_5555_5555_5555 }
}

/// Converts units that are not surrogates. Each half becomes at most 48 bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_three_bytes(units: __m512i) -> [Sparse; 2] {
    let units = in_quarters(units);
    let [first_heads, last_heads] = heads(units);
    sequences(units, first_heads, last_heads)
}

/// Converts the code units at `at`, with surrogates. Each surrogate has two bytes, which are made of its bits and two bits of
/// the other one. Each half becomes at most 48 bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn with_surrogates(
    order: ByteOrder,
    src: &[[u8; 2]],
    at: usize,
    units: __m512i,
    surrogates: Surrogates,
) -> [Sparse; 2] {
    let (highs, lows) = (surrogates.highs as u32, surrogates.lows as u32);
    // Matters only for low surrogates, which have a code unit before them.
    let before = match at.checked_sub(1) {
        Some(before) => loaded(order, &src[before..]),
        None => _mm512_maskz_expand_epi16(!1, units),
    };
    let [first_heads, last_heads] = heads(units);
    let first_heads = _mm512_mask_mov_epi16(first_heads, highs, splat_units(0xC000));
    let first_heads = _mm512_mask_mov_epi16(first_heads, lows, splat_units(0x8000));
    // 11110aaa 10bbbbbb 10ccdddd 10eeeeee: aaabbbbbbcc are the ten bits of the high surrogate plus 0x40, ddddeeeeee those of
    // the low one. The high surrogate becomes the number 110aaabbbbbb, with heads 11 and 10 for its bytes, and the low one
    // ccddddeeeeee, with heads 10 and 10.
    let high = splat_units(0xC10_u16.wrapping_sub(0xD800 >> 2));
    let low = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3FF), units, _mm512_slli_epi16::<10>(before));
    let units = _mm512_mask_add_epi16(units, highs, _mm512_srli_epi16::<2>(units), high);
    let units = _mm512_mask_mov_epi16(units, lows, low);
    sequences(in_quarters(units), in_quarters(first_heads), in_quarters(last_heads))
}

/// Returns the heads of the first two of three bytes, and those of the last byte. A head is the upper bits of a byte, and 0 for
/// a byte that is not in use. ASCII below 0x40 has no upper bits, so its head is 1 to mark the byte as in use; [`sequences`]
/// takes that bit from the code unit.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn heads(units: __m512i) -> [__m512i; 2] {
    /// Makes a table by the upper ten bits of units, at most 32.
    const fn table(ascii: [u16; 2], two_bytes: u16, three_bytes: u16) -> [u16; 64] {
        let mut table = [two_bytes; 64];
        [table[0], table[1], table[32]] = [ascii[0], ascii[1], three_bytes];
        table
    }
    let index = _mm512_min_epu16(_mm512_srli_epi16::<6>(units), splat_units(32));
    let look_up = |table: &[u16; 64]| {
        let [front, back] = load_some_units(table);
        _mm512_permutex2var_epi16(front, index, back)
    };
    [look_up(&const { table([0, 0], 0xC000, 0x80E0) }), look_up(&const { table([0x01, 0x40], 0x80, 0x80) })]
}

/// Returns lanes of four bytes, of which the last is not in use: heads, and the bits from bit 12, 6 and 0 on of the code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn sequences(units: __m512i, first_heads: __m512i, last_heads: __m512i) -> [Sparse; 2] {
    let shifts = _mm512_set1_epi64(0x363C_262C_161C_060C);
    let first_digits = _mm512_multishift_epi64_epi8(shifts, units);
    let firsts = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3F0F), first_digits, first_heads);
    let lasts = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x003F), units, last_heads);
    let used = |heads| _mm512_test_epi8_mask(heads, heads);
    [
        Sparse {
            bytes: _mm512_unpacklo_epi16(firsts, lasts),
            used: used(_mm512_unpacklo_epi16(first_heads, last_heads)),
        },
        Sparse {
            bytes: _mm512_unpackhi_epi16(firsts, lasts),
            used: used(_mm512_unpackhi_epi16(first_heads, last_heads)),
        },
    ]
}

/// Returns the sequences of the first `count` code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn first_sequences(count: usize, [front, back]: [Sparse; 2]) -> [Sparse; 2] {
    let [front_used, back_used] = [first_n(4 * count), first_n(4 * count.saturating_sub(STEP / 2))];
    [Sparse { used: front.used & front_used, ..front }, Sparse { used: back.used & back_used, ..back }]
}

/// Returns how many sequences fit into `spare_len` bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn fitting([front, back]: &[Sparse; 2], spare_len: usize) -> usize {
    const LAST_BYTES: u64 = 0x4444_4444_4444_4444;
    let fitting = |used, spare_len| (lowest(used, spare_len) & LAST_BYTES).count_ones() as usize;
    if spare_len < front.len() {
        fitting(front.used, spare_len)
    } else {
        STEP / 2 + fitting(back.used, spare_len - front.len())
    }
}
