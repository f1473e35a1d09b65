//! 32 code units a step.
//!
//! Over 600 lines: each operation of `reference/utf16.rs` once more; they share loads, surrogates and stores.
//!
//! On the way to UTF-8 a code unit becomes up to three bytes in a lane of four, and each surrogate two of its pair's four
//! bytes, so that no step waits for another to say where it starts. How long the sequences are is asked once for 128
//! units, because pages make a branch of every 32 that nobody can predict: 22 GB/s instead of 36 for German.
//!
//! Look-ups by `vpermi2w` and lengths by `vptestmb` leave two masks a step; with comparisons instead, of which each takes one
//! of the few registers for masks until it retires, Chinese text runs at 23 GB/s instead of 28. Arithmetic without masks or
//! tables is slower too. One decision for all of the last 128 units costs short texts 4 ns.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::vector::*;
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of, bytes_of_slots, rest_mut},
    tables::ByteOrder,
};

/// Code units a step.
const STEP: usize = UNITS;

/// Code units that are all treated alike.
const WIDE: usize = 4 * STEP;

/// The room that these need: a store of 64 bytes for each half of a step, which becomes 48 bytes at most.
const WIDE_SPARE: usize = 7 * 48 + 64;

/// The operands of `_mm512_ternarylogic_epi64`: an expression of them is its table.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;
/// B where A has a bit, else C.
const SELECT: i32 = A & B | !A & C;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let read = if src.first().is_some_and(|&first| first < 0x80) { ascii_to_utf8(src, out) } else { 0 };
    if read == src.len() { read } else { read + text_to_utf8(&src[read..], out) }
}

/// Converts whole steps of ASCII, and what remains if all of it is ASCII. Other text costs it one branch: it is left to
/// [`text_to_utf8`], which has more to set up (cells `convert/utf-16/utf-8/*/16B` and `64B`).
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let spare = out.spare();
    let src = &src[..src.len().min(spare.len())];
    let mut at = 0;
    while let Some(run) = src[at..].first_chunk() {
        let steps = load_wide(run);
        if !are_below(0x80, any(steps)) {
            break;
        }
        // SAFETY: `at + WIDE <= src.len() <= spare.len()`: `run` was there.
        store_ascii(steps, unsafe { block_mut(spare, at) });
        // From the second one on aligned to cache lines: some of the first one's once more.
        at += WIDE - if at == 0 { spare.as_ptr().wrapping_add(WIDE).addr() % LANES } else { 0 };
    }
    while let Some(step) = src[at..].first_chunk() {
        let units = load_unit_block(step);
        if !are_below(0x80, units) {
            break;
        }
        // SAFETY: `at + STEP <= src.len() <= spare.len()`: `step` was there.
        store_half(_mm512_cvtepi16_epi8(units), unsafe { block_mut(spare, at) });
        at += STEP;
    }
    let rest = &src[at..];
    if rest.len() < STEP {
        let units = load_some_unit_block(rest);
        if are_below(0x80, units) {
            store_some_half(_mm512_cvtepi16_epi8(units), rest.len(), &mut spare[at..]);
            at = src.len();
        }
    }
    // SAFETY: the `at` slots are stored.
    unsafe { out.advance(at) };
    at
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let spare = out.spare();
    let (mut at, mut written) = (0, 0);
    // Whether a high surrogate was the last code unit.
    let mut open = false;
    'steps: while let Some(run) = src[at..].first_chunk()
        && spare.len() - written >= WIDE_SPARE
    {
        let steps = load_wide(run);
        let any = any(steps);
        if are_below(0x80, any) && !open {
            // SAFETY: `written + WIDE <= spare.len()`, as for `WIDE_ROOM`, which is more.
            store_ascii(steps, unsafe { block_mut(spare, written) });
            (at, written) = (at + WIDE, written + WIDE);
            continue;
        }
        if open || !are_below(0x800, any) && any_surrogate(steps) {
            for units in steps {
                let surrogates = Surrogates::of(units);
                if surrogates.unpaired(open) != 0 {
                    break 'steps;
                }
                open = surrogates.end_high(STEP);
                for half in with_surrogates(src, at, units, &surrogates) {
                    // SAFETY: `written + 64 <= spare.len()`: each of up to seven halves before became 48 bytes at most, and
                    // `7 * 48 + 64 == WIDE_ROOM`.
                    written += half.store(unsafe { block_mut(spare, written) });
                }
                at += STEP;
            }
            continue;
        }
        for units in steps {
            if are_below(0x800, any) {
                // SAFETY: `written + 64 <= spare.len()`: each of up to three steps before became 64 bytes at most, and
                // `4 * 64 <= WIDE_ROOM`.
                written += up_to_two_bytes(units).store(unsafe { block_mut(spare, written) });
            } else {
                for half in up_to_three_bytes(units) {
                    // SAFETY: as for surrogates, `7 * 48 + 64 == WIDE_ROOM`.
                    written += half.store(unsafe { block_mut(spare, written) });
                }
            }
        }
        at += WIDE;
    }
    while at < src.len() {
        let rest = &src[at..];
        let count = rest.len().min(STEP);
        let units = load_some_unit_block(rest);
        let spare = &mut spare[written..];
        if are_below(0x800, units) && !open {
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
        let surrogates = Surrogates::of(units);
        if u64::from(surrogates.unpaired(open)) & first_n(count) != 0 {
            break;
        }
        open = surrogates.end_high(count);
        let sequences = if surrogates.highs | surrogates.lows == 0 {
            only(count, up_to_three_bytes(units))
        } else {
            only(count, with_surrogates(src, at, units, &surrogates))
        };
        let Some(stored) = store_both(&sequences, spare) else { break };
        written += stored;
        at += count;
    }
    if at < src.len() || open {
        return finish_to_utf8(src, at, written, out);
    }
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written) };
    at
}

/// Stores both halves, if they fit; returns how many bytes they have.
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

/// Converts the rest of the input from a step on, up to the first code unit that is wrong or does not fit. The `written` bytes
/// before it are stored, but not counted.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn finish_to_utf8(src: &[u16], mut at: usize, mut written: usize, out: &mut Out<'_, u8>) -> usize {
    let spare = out.spare();
    loop {
        let rest = &src[at..];
        let open = at > 0 && src[at - 1] & 0xFC00 == 0xD800;
        let units = load_some_unit_block(rest);
        let mut surrogates = Surrogates::of(units);
        let wrong = surrogates.unpaired(open) & first_n(rest.len()) as u32;
        surrogates.lows &= !wrong;
        let mut count = (wrong.trailing_zeros() as usize).min(rest.len()).min(STEP);
        if count == 0 {
            // Half of a pair does not count; it was in the step before.
            // SAFETY: the `written` slots are stored.
            unsafe { out.advance(written - 2 * usize::from(open)) };
            return at - usize::from(open);
        }
        let sequences = only(count, with_surrogates(src, at, units, &surrogates));
        let spare_len = spare.len() - written;
        let is_last = rest.len() <= STEP || wrong != 0 || fitting(&sequences, spare_len) < count;
        if is_last {
            count = count.min(fitting(&sequences, spare_len));
            // Not half of a pair: it may have begun in the step before.
            if count == 0 && open {
                written -= 2;
                at -= 1;
            } else if surrogates.end_high(count) {
                count -= 1;
            }
        }
        written += store_both(&only(count, sequences), &mut spare[written..]).expect("the first `count` fit");
        at += count;
        if is_last {
            // SAFETY: the `written` slots are stored.
            unsafe { out.advance(written) };
            return at;
        }
    }
}

super::super::utf16::kernels!("avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt");

/// How many code units precede the first unpaired surrogate. With `COPY`, writes them to `dst`; `dst.len() >= src.len()`, or it
/// panics. `FROM_BIG` and `TO_BIG` say whether the upper byte of a code unit comes first.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn copy<const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    /// Code units of a pair of steps, which are checked by masks.
    const PAIR: usize = 2 * STEP;
    /// Bytes of four steps.
    const RUN: usize = 4 * LANES;
    let is_high = |at: usize| {
        let unit = [src[2 * at], src[2 * at + 1]];
        (if FROM_BIG { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) }) & 0xFC00 == 0xD800
    };
    let from_order = |units| if FROM_BIG { swapped(units) } else { units };
    let in_order = |units| if TO_BIG { swapped(units) } else { units };
    let steps = |run: &[u8; RUN]| [0, 1, 2, 3].map(|n| from_order(load_some(&run[n * LANES..])));
    let dst = if COPY { &mut dst[..src.len()] } else { dst };
    let len = src.len() / 2;
    let (mut at, mut open) = (0, false);
    while at < len {
        let rest = &src[2 * at..];
        let count = (len - at).min(PAIR);
        let lanes = first_n(count);
        // SAFETY: `lanes` has `count <= rest.len() / 2` bits.
        let [front, back] = unsafe { load_pair_lanes(rest, lanes) }.map(from_order);
        if COPY {
            // SAFETY: `dst.len() == src.len()`, so as many bytes follow in `dst` as in `rest`.
            unsafe { store_pair_lanes([in_order(front), in_order(back)], lanes, rest_mut(dst, 2 * at)) };
        }
        if open || any_surrogate([front, front, back, back]) {
            let [front, back] = [Surrogates::of(front), Surrogates::of(back)];
            let highs = u64::from(front.highs) | u64::from(back.highs) << 32;
            let lows = u64::from(front.lows) | u64::from(back.lows) << 32;
            let due = highs << 1 | u64::from(open);
            let wrong = (lows ^ due) & lanes;
            if wrong != 0 {
                // A low one, or what comes after a high one, which is wrong itself then.
                let first = wrong.trailing_zeros();
                return at + first as usize - (due >> first & 1) as usize;
            }
            open = highs >> (count - 1) & 1 != 0;
        }
        at += count;
        // Not at once, for input with an error near its start.
        if at == PAIR && len - at >= RUN / 2 {
            // Some of them once more, so that no vector lies in two cache lines.
            at -= if COPY { dst.as_ptr().addr() } else { src.as_ptr().addr() } % LANES / 2;
            open = is_high(at - 1);
        }
        while let Some(run) = src[2 * at..].first_chunk() {
            let units = steps(run);
            if open || any_surrogate(units) {
                let Some(before) = src[2 * at - 2..].first_chunk() else { break };
                let (before, [a, b, c, d]) = (steps(before), units);
                let wrong =
                    [unpaired(before[0], a), unpaired(before[1], b), unpaired(before[2], c), unpaired(before[3], d)];
                if !is_zero(any(wrong)) {
                    break;
                }
                open = is_high(at + RUN / 2 - 1);
            }
            if COPY && let Some(to) = dst[2 * at..].first_chunk_mut::<RUN>() {
                for (units, to) in units.into_iter().zip(to.as_chunks_mut().0) {
                    store(in_order(units), to);
                }
            }
            at += RUN / 2;
        }
    }
    at - usize::from(open)
}

/// The code units with their bytes swapped.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn swapped(units: __m512i) -> __m512i {
    _mm512_shuffle_epi8(units, _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001))
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn load_wide(run: &[u16; WIDE]) -> [__m512i; 4] {
    [0, 1, 2, 3].map(|n| load_some_unit_block(&run[n * STEP..]))
}

/// Whether all code units are below a power of two. They may be an OR of others.
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
fn store_ascii([a, b, c, d]: [__m512i; 4], to: &mut [MaybeUninit<u8>; WIDE]) {
    let [front, back] = to.as_chunks_mut().0 else { unreachable!() };
    store(narrow([a, b]), front);
    store(narrow([c, d]), back);
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn any_surrogate(steps: [__m512i; 4]) -> bool {
    // 0 where there is one.
    let [a, b, c, d] =
        steps.map(|units| _mm512_ternarylogic_epi64::<{ A & B ^ C }>(units, splat_units(0xF800), splat_units(0xD800)));
    let least = _mm512_min_epu16(_mm512_min_epu16(a, b), _mm512_min_epu16(c, d));
    _mm512_testn_epi16_mask(least, least) != 0
}

/// Not zero where a unit is a low surrogate and the one before it is no high one, or the other way round.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn unpaired(before: __m512i, units: __m512i) -> __m512i {
    // 0 where it is one, else 1.
    let is = |units, kind| {
        _mm512_min_epu16(
            _mm512_ternarylogic_epi64::<{ A & B ^ C }>(units, splat_units(0xFC00), splat_units(kind)),
            splat_units(1),
        )
    };
    _mm512_xor_si512(is(before, 0xD800), is(units, 0xDC00))
}

/// Where surrogates are.
struct Surrogates {
    highs: u32,
    lows: u32,
}

impl Surrogates {
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of(units: __m512i) -> Self {
        let kind = _mm512_and_si512(units, splat_units(0xFC00));
        let highs = _mm512_cmpeq_epi16_mask(kind, splat_units(0xD800));
        let lows = _mm512_cmpeq_epi16_mask(kind, splat_units(0xDC00));
        Self { highs, lows }
    }

    /// Low ones that have no high one before them, and what is behind a high one and is no low one. `open` says that a high
    /// one is before these code units.
    fn unpaired(&self, open: bool) -> u32 {
        self.lows ^ (self.highs << 1 | u32::from(open))
    }

    /// Whether the last of the first `count` code units is a high surrogate.
    fn end_high(&self, count: usize) -> bool {
        count > 0 && self.highs >> (count - 1) & 1 != 0
    }
}

/// 64 bytes of which some are used.
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

    /// Stores those used, and returns how many they are.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn store(&self, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
        store_kept(self.bytes, self.used, to)
    }

    /// Stores those used, and nothing else, if they fit.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn store_exactly(&self, to: &mut [MaybeUninit<u8>]) {
        store_some_kept(self.bytes, self.used, to);
    }
}

/// What is below U+0800, in lanes of two bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_two_bytes(units: __m512i) -> Sparse {
    // Bits 6.. and 0.. of each.
    let shifts = _mm512_set1_epi64(0x3036_2026_1016_0006);
    let digits = _mm512_multishift_epi64_epi8(shifts, units);
    let bytes = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3F3F), digits, splat_units(0x80C0));
    let ascii = _mm512_cmplt_epu16_mask(units, splat_units(0x80));
    let bytes = _mm512_mask_mov_epi16(bytes, ascii, units);
    // Every first byte, and those second ones that are continuations.
    Sparse { bytes, used: _mm512_movepi8_mask(bytes) | 0x5555_5555_5555_5555 }
}

/// What is in the BMP.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_three_bytes(units: __m512i) -> [Sparse; 2] {
    let units = in_turn(units);
    let [first_heads, last_heads] = heads(units);
    sequences(units, first_heads, last_heads)
}

/// The code units at `at`, surrogates as well: each has two bytes, made of its own bits but for two of the other's.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn with_surrogates(src: &[u16], at: usize, units: __m512i, surrogates: &Surrogates) -> [Sparse; 2] {
    let &Surrogates { highs, lows } = surrogates;
    // Of low surrogates only, which have a code unit before them.
    let before = match at.checked_sub(1) {
        Some(before) => load_some_unit_block(&src[before..]),
        None => _mm512_maskz_expand_epi16(!1, units),
    };
    let [first_heads, last_heads] = heads(units);
    let first_heads = _mm512_mask_mov_epi16(first_heads, highs, splat_units(0xC000));
    let first_heads = _mm512_mask_mov_epi16(first_heads, lows, splat_units(0x8000));
    // 11110aaa 10bbbbbb 10ccdddd 10eeeeee: aaabbbbbbcc are the high one's ten bits plus 40, ddddeeeeee the low one's. As
    // numbers of twelve bits, 110aaabbbbbb and ccddddeeeeee, they give these bytes under heads of 11 and 10, and of 10 and
    // 10.
    let high = splat_units(0xC10_u16.wrapping_sub(0xD800 >> 2));
    let low = _mm512_ternarylogic_epi64::<SELECT>(splat_units(0x3FF), units, _mm512_slli_epi16::<10>(before));
    let units = _mm512_mask_add_epi16(units, highs, _mm512_srli_epi16::<2>(units), high);
    let units = _mm512_mask_mov_epi16(units, lows, low);
    sequences(in_turn(units), in_turn(first_heads), in_turn(last_heads))
}

/// Quarters such that interleaving two vectors within 128 bits gives the front half and the back half of them.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn in_turn(units: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), units)
}

/// What the first two of three bytes begin with, and what the last does: 0 if there is no such byte, so that ASCII has a
/// bit there that is not used.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn heads(units: __m512i) -> [__m512i; 2] {
    /// By the upper ten bits, at most 32.
    const fn table(ascii: [u16; 2], two_bytes: u16, three_bytes: u16) -> [u16; 64] {
        let mut table = [two_bytes; 64];
        [table[0], table[1], table[32]] = [ascii[0], ascii[1], three_bytes];
        table
    }
    let index = _mm512_min_epu16(_mm512_srli_epi16::<6>(units), splat_units(32));
    let look_up = |table: &[u16; 64]| {
        let [front, back] = load_units(table);
        _mm512_permutex2var_epi16(front, index, back)
    };
    [look_up(&const { table([0, 0], 0xC000, 0x80E0) }), look_up(&const { table([0x01, 0x40], 0x80, 0x80) })]
}

/// Lanes of four bytes, the last of them not used: heads, and bits 12.., 6.. and 0.. of the code units.
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

/// The sequences of the first `count` code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn only(count: usize, [front, back]: [Sparse; 2]) -> [Sparse; 2] {
    let [front_used, back_used] = [first_n(4 * count), first_n(4 * count.saturating_sub(STEP / 2))];
    [Sparse { used: front.used & front_used, ..front }, Sparse { used: back.used & back_used, ..back }]
}

/// How many sequences fit into `room` bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn fitting([front, back]: &[Sparse; 2], spare_len: usize) -> usize {
    const LAST_BYTES: u64 = 0x4444_4444_4444_4444;
    let taken = |used, spare_len| (_pdep_u64(first_n(spare_len), used) & LAST_BYTES).count_ones() as usize;
    if spare_len < front.len() {
        taken(front.used, spare_len)
    } else {
        STEP / 2 + taken(back.used, spare_len - front.len())
    }
}
