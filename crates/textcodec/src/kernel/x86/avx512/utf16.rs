//! 32 code units a step.
//!
//! Over 600 lines: each operation of `utf16/scalar.rs` once more; they share loads, surrogates and stores.
//!
//! On the way to UTF-8 a code unit becomes up to three bytes in a lane of four, and each surrogate two of its pair's four
//! bytes, so that no step waits for another to say where it starts. How long the sequences are is asked once for 128
//! units, because pages make a branch of every 32 that nobody can predict: 22 GB/s instead of 36 for German.
//!
//! Look-ups by `vpermi2w` and lengths by `vptestmb` leave two masks a step; with comparisons instead, of which each takes one
//! of the few registers for masks until it retires, Chinese text runs at 23 GB/s instead of 28. Arithmetic without masks or
//! tables is slower too. One decision for all of the last 128 units costs short texts 4 ns.

use core::arch::x86_64::{
    __m512i, _bzhi_u32, _bzhi_u64, _mm256_mask_storeu_epi8, _mm256_storeu_si256, _mm512_and_si512,
    _mm512_cmpeq_epi16_mask, _mm512_cmplt_epu16_mask, _mm512_cvtepi16_epi8, _mm512_loadu_si512, _mm512_mask_add_epi16,
    _mm512_mask_mov_epi16, _mm512_mask_storeu_epi8, _mm512_mask_storeu_epi16, _mm512_maskz_compress_epi8,
    _mm512_maskz_loadu_epi16, _mm512_min_epu16, _mm512_movepi8_mask, _mm512_multishift_epi64_epi8, _mm512_or_si512,
    _mm512_permutex2var_epi16, _mm512_permutexvar_epi64, _mm512_set1_epi16, _mm512_set1_epi64, _mm512_set4_epi32,
    _mm512_setr_epi64, _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_storeu_si512,
    _mm512_ternarylogic_epi64, _mm512_test_epi8_mask, _mm512_test_epi16_mask, _mm512_testn_epi16_mask,
    _mm512_unpackhi_epi16, _mm512_unpacklo_epi16, _mm512_xor_si512, _pdep_u64,
};

use super::vector::narrow as pack;
use crate::kernel::{Out, tables::ByteOrder};

/// Code units a step.
const STEP: usize = 32;

/// Code units that are all treated alike.
const WIDE: usize = 4 * STEP;

/// The most bytes that these become, and what is overwritten behind them.
const WIDE_ROOM: usize = 3 * WIDE + 16;

/// All lanes of a step.
const ALL: u32 = u32::MAX;

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

/// Steps of ASCII, without all that other text has to set up.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn ascii_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let dst = out.spare_ptr();
    let most = src.len().min(out.room());
    let mut at = 0;
    while most - at >= WIDE {
        let steps = [0, 1, 2, 3].map(|n| load(src, at + n * STEP, ALL));
        if !are_below(0x80, any(steps)) {
            break;
        }
        // SAFETY: there is room for as many bytes as `most`.
        unsafe { store_ascii(dst.add(at), steps) };
        // After the first ones, to where a line of the cache begins: some of them once more.
        at += WIDE - if at == 0 { dst.wrapping_add(WIDE).addr() % 64 } else { 0 };
    }
    while most - at >= STEP {
        let units = load(src, at, ALL);
        if !are_below(0x80, units) {
            break;
        }
        // SAFETY: there is room for as many bytes as `most`.
        unsafe { _mm256_storeu_si256(dst.add(at).cast(), _mm512_cvtepi16_epi8(units)) };
        at += STEP;
    }
    let rest = most - at;
    if rest < STEP {
        let units = load(src, at, low_bits(rest));
        if are_below(0x80, units) {
            // SAFETY: as above; others are not written to.
            unsafe { _mm256_mask_storeu_epi8(dst.add(at).cast(), low_bits(rest), _mm512_cvtepi16_epi8(units)) };
            at = most;
        }
    }
    // SAFETY: so many are stored.
    unsafe { out.advance(at) };
    at
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn text_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let dst = out.spare_ptr();
    let room = out.room();
    let (mut at, mut written) = (0, 0);
    // A high surrogate is the last that was read.
    let mut open = false;
    'steps: while src.len() - at >= WIDE && room - written >= WIDE_ROOM {
        let steps = [0, 1, 2, 3].map(|n| load(src, at + n * STEP, ALL));
        let any = any(steps);
        if are_below(0x80, any) && !open {
            // SAFETY: there is room for the whole of `WIDE`.
            unsafe { store_ascii(dst.add(written), steps) };
            written += WIDE;
            at += WIDE;
            continue;
        }
        if open || !are_below(0x800, any) && any_surrogate(steps) {
            for _ in steps {
                let units = load(src, at, ALL);
                let surrogates = Surrogates::of(units);
                if surrogates.unpaired(open) != 0 {
                    break 'steps;
                }
                open = surrogates.end_high(STEP);
                let [front, back] = with_surrogates(src, at, units, &surrogates);
                // SAFETY: there is room for the whole of `WIDE`.
                unsafe {
                    written += front.store(dst.add(written));
                    written += back.store(dst.add(written));
                }
                at += STEP;
            }
            continue;
        }
        for units in steps {
            // SAFETY: there is room for the whole of `WIDE`.
            unsafe {
                if are_below(0x800, any) {
                    written += up_to_two_bytes(units).store(dst.add(written));
                } else {
                    let [front, back] = up_to_three_bytes(units);
                    written += front.store(dst.add(written));
                    written += back.store(dst.add(written));
                }
            }
        }
        at += WIDE;
    }
    while at < src.len() {
        let count = (src.len() - at).min(STEP);
        let units = load(src, at, low_bits(count));
        if are_below(0x800, units) && !open {
            let Sparse { bytes, used } = up_to_two_bytes(units);
            let sequences = Sparse { bytes, used: used & low_bytes(2 * count) };
            if sequences.len() > room - written {
                break;
            }
            // SAFETY: they fit.
            unsafe { sequences.store_exactly(dst.add(written)) };
            written += sequences.len();
            at += count;
            continue;
        }
        let surrogates = Surrogates::of(units);
        if surrogates.unpaired(open) & low_bits(count) != 0 {
            break;
        }
        open = surrogates.end_high(count);
        let [front, back] = if surrogates.highs | surrogates.lows == 0 {
            only(count, up_to_three_bytes(units))
        } else {
            only(count, with_surrogates(src, at, units, &surrogates))
        };
        if front.len() + back.len() > room - written {
            break;
        }
        // SAFETY: they fit.
        unsafe {
            front.store_exactly(dst.add(written));
            if back.used != 0 {
                back.store_exactly(dst.add(written + front.len()));
            }
        }
        written += front.len() + back.len();
        at += count;
    }
    if at < src.len() || open {
        return careful_to_utf8(src, at, written, out);
    }
    // SAFETY: so many are stored.
    unsafe { out.advance(written) };
    at
}

/// The rest of the text from a step on, up to what is wrong or does not fit. `written` bytes, not yet counted, are what is
/// before the step.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn careful_to_utf8(src: &[u16], mut at: usize, mut written: usize, out: &mut Out<'_, u8>) -> usize {
    let dst = out.spare_ptr();
    let room = out.room();
    loop {
        let rest = src.len() - at;
        let lanes = low_bits(rest);
        let open = at > 0 && src[at - 1] & 0xFC00 == 0xD800;
        let units = load(src, at, lanes);
        let mut surrogates = Surrogates::of(units);
        let wrong = surrogates.unpaired(open) & lanes;
        surrogates.lows &= !wrong;
        let mut count = (wrong.trailing_zeros() as usize).min(rest).min(STEP);
        if count == 0 {
            // Half of a pair does not count; it was in the step before.
            // SAFETY: so many are stored.
            unsafe { out.advance(written - 2 * usize::from(open)) };
            return at - usize::from(open);
        }
        let sequences = only(count, with_surrogates(src, at, units, &surrogates));
        let is_last = rest <= STEP || wrong != 0 || fitting(&sequences, room - written) < count;
        if is_last {
            count = count.min(fitting(&sequences, room - written));
            // Not half of a pair: it may have begun in the step before.
            if count == 0 && open {
                written -= 2;
                at -= 1;
            } else if surrogates.end_high(count) {
                count -= 1;
            }
        }
        let [front, back] = only(count, sequences);
        // SAFETY: they fit.
        unsafe {
            front.store_exactly(dst.add(written));
            back.store_exactly(dst.add(written + front.len()));
        }
        written += front.len() + back.len();
        at += count;
        if is_last {
            // SAFETY: so many are stored.
            unsafe { out.advance(written) };
            return at;
        }
    }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix(src: &[u16]) -> usize {
    // SAFETY: as many units as there are; nothing is written.
    unsafe { copy::<false, false, false>(src.as_ptr().cast::<u8>(), src.len(), core::ptr::null_mut()) }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn from_bytes(order: ByteOrder, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let len = (src.len() / 2).min(out.room());
    let (src, dst) = (src.as_ptr(), out.spare_ptr().cast::<u8>());
    // SAFETY: so many units are there, and there is room for them.
    unsafe {
        let read = match order {
            ByteOrder::Little => copy::<false, false, true>(src, len, dst),
            ByteOrder::Big => copy::<true, false, true>(src, len, dst),
        };
        out.advance(read);
        read * 2
    }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_bytes(order: ByteOrder, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let len = src.len().min(out.room() / 2);
    let (src, dst) = (src.as_ptr().cast::<u8>(), out.spare_ptr());
    // SAFETY: so many units are there, and there is room for them.
    unsafe {
        let read = match order {
            ByteOrder::Little => copy::<false, false, true>(src, len, dst),
            ByteOrder::Big => copy::<false, true, true>(src, len, dst),
        };
        out.advance(read * 2);
        read
    }
}

/// How many code units are before the first unpaired surrogate; they are copied where `COPY` says so. `FROM_BIG` and
/// `TO_BIG` say that they have their upper byte first here or there.
///
/// # Safety
/// `src` points to `len` code units, and `dst` has room for as many where `COPY` says so.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
unsafe fn copy<const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
) -> usize {
    const PAIR: usize = 2 * STEP;
    let load = |at: usize, lanes| {
        // SAFETY: `lanes` are those within the `len` units; others are not read.
        let units = unsafe { _mm512_maskz_loadu_epi16(lanes, src.wrapping_add(2 * at).cast()) };
        if FROM_BIG { swapped(units) } else { units }
    };
    // Whether a high surrogate is the last unit before `at`, which is not 0.
    let ends_high = |at: usize| {
        // SAFETY: it is one of the `len` units.
        let unit = unsafe { src.add(2 * at - 2).cast::<u16>().read_unaligned() };
        (if FROM_BIG { unit.swap_bytes() } else { unit }) & 0xFC00 == 0xD800
    };
    let store = |at: usize, lanes, units| {
        if COPY {
            let units = if TO_BIG { swapped(units) } else { units };
            // SAFETY: as above.
            unsafe { _mm512_mask_storeu_epi16(dst.wrapping_add(2 * at).cast(), lanes, units) };
        }
    };
    let mut at = 0;
    let mut open = false;
    while at < len {
        let count = (len - at).min(PAIR);
        let lanes = low_bytes(count);
        let [front, back] = [load(at, lanes as u32), load(at + STEP, (lanes >> 32) as u32)];
        store(at, lanes as u32, front);
        store(at + STEP, (lanes >> 32) as u32, back);
        if open || any_surrogate([front, front, back, back]) {
            let [front, back] = [Surrogates::of(front), Surrogates::of(back)];
            let highs = u64::from(front.highs) | u64::from(back.highs) << 32;
            let lows = u64::from(front.lows) | u64::from(back.lows) << 32;
            let due = highs << 1 | u64::from(open);
            let wrong = (lows ^ due) & lanes;
            if wrong != 0 {
                // A low one, or what is behind a high one, which is wrong itself then.
                let first = wrong.trailing_zeros();
                return at + first as usize - (due >> first & 1) as usize;
            }
            open = highs >> (count - 1) & 1 != 0;
        }
        at += count;
        // Not at once, for text in which an error comes soon.
        if at == PAIR && len - at >= WIDE {
            // Some once more, so that no vector lies in two lines of the cache.
            at -= (if COPY { dst } else { src.cast_mut() }).addr() % 64 / 2;
            open = ends_high(at);
        }
        while len - at >= WIDE {
            let steps = [0, 1, 2, 3].map(|n| load(at + n * STEP, ALL));
            if open || any_surrogate(steps) {
                let wrong = any([0, 1, 2, 3].map(|n| unpaired(load(at + n * STEP - 1, ALL), steps[n])));
                if _mm512_test_epi16_mask(wrong, wrong) != 0 {
                    break;
                }
                open = ends_high(at + WIDE);
            }
            for units in steps {
                store(at, ALL, units);
                at += STEP;
            }
        }
    }
    at - usize::from(open)
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn swapped(units: __m512i) -> __m512i {
    _mm512_shuffle_epi8(units, _mm512_set4_epi32(0x0E0F_0C0D, 0x0A0B_0809, 0x0607_0405, 0x0203_0001))
}

/// As many bits as asked for, or all.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn low_bits(count: usize) -> u32 {
    _bzhi_u32(ALL, count.min(32) as u32)
}

/// The same for bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn low_bytes(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(64) as u32)
}

/// The code units from `at` on, as many as there are lanes; zeros in the other lanes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn load(src: &[u16], at: usize, lanes: u32) -> __m512i {
    debug_assert!(src.len() - at >= 32 - lanes.leading_zeros() as usize);
    // SAFETY: lanes outside of `src` are not read.
    unsafe { _mm512_maskz_loadu_epi16(lanes, src.as_ptr().add(at).cast()) }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

/// Whether all code units are below a power of two. They may be an OR of others.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn are_below(power: u16, units: __m512i) -> bool {
    _mm512_test_epi16_mask(units, splat(power.wrapping_neg())) == 0
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn any([a, b, c, d]: [__m512i; 4]) -> __m512i {
    _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))
}

/// # Safety
/// There is room for 128 bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
unsafe fn store_ascii(dst: *mut u8, [a, b, c, d]: [__m512i; 4]) {
    // SAFETY: the caller's promise.
    unsafe {
        _mm512_storeu_si512(dst.cast(), pack([a, b]));
        _mm512_storeu_si512(dst.add(2 * STEP).cast(), pack([c, d]));
    }
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn any_surrogate(steps: [__m512i; 4]) -> bool {
    // 0 where there is one.
    let [a, b, c, d] =
        steps.map(|units| _mm512_ternarylogic_epi64::<{ A & B ^ C }>(units, splat(0xF800), splat(0xD800)));
    let least = _mm512_min_epu16(_mm512_min_epu16(a, b), _mm512_min_epu16(c, d));
    _mm512_testn_epi16_mask(least, least) != 0
}

/// Not zero where a unit is a low surrogate and the one before it is no high one, or the other way round.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn unpaired(before: __m512i, units: __m512i) -> __m512i {
    // 0 where it is one, else 1.
    let is = |units, kind| {
        _mm512_min_epu16(_mm512_ternarylogic_epi64::<{ A & B ^ C }>(units, splat(0xFC00), splat(kind)), splat(1))
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
        let kind = _mm512_and_si512(units, splat(0xFC00));
        let highs = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
        let lows = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
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

    /// Stores those used and returns how many they are.
    ///
    /// # Safety
    /// There is room for 64 bytes.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    unsafe fn store(&self, dst: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(dst.cast(), _mm512_maskz_compress_epi8(self.used, self.bytes)) };
        self.len()
    }

    /// # Safety
    /// There is room for those used.
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    unsafe fn store_exactly(&self, dst: *mut u8) {
        let bytes = _mm512_maskz_compress_epi8(self.used, self.bytes);
        // SAFETY: the caller's promise; others are not written to.
        unsafe { _mm512_mask_storeu_epi8(dst.cast(), low_bytes(self.len()), bytes) };
    }
}

/// What is below U+0800, in lanes of two bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_two_bytes(units: __m512i) -> Sparse {
    // Bits 6.. and 0.. of each.
    let shifts = _mm512_set1_epi64(0x3036_2026_1016_0006);
    let digits = _mm512_multishift_epi64_epi8(shifts, units);
    let bytes = _mm512_ternarylogic_epi64::<SELECT>(splat(0x3F3F), digits, splat(0x80C0));
    let ascii = _mm512_cmplt_epu16_mask(units, splat(0x80));
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
    // SAFETY: each low surrogate in `lows` has a code unit before it; other lanes are not read.
    let before = unsafe { _mm512_maskz_loadu_epi16(lows, src.as_ptr().wrapping_add(at).wrapping_sub(1).cast()) };
    let [first_heads, last_heads] = heads(units);
    let first_heads = _mm512_mask_mov_epi16(first_heads, highs, splat(0xC000));
    let first_heads = _mm512_mask_mov_epi16(first_heads, lows, splat(0x8000));
    // 11110aaa 10bbbbbb 10ccdddd 10eeeeee: aaabbbbbbcc are the high one's ten bits plus 40, ddddeeeeee the low one's. As
    // numbers of twelve bits, 110aaabbbbbb and ccddddeeeeee, they give these bytes under heads of 11 and 10, and of 10 and
    // 10.
    let high = splat(0xC10_u16.wrapping_sub(0xD800 >> 2));
    let low = _mm512_ternarylogic_epi64::<SELECT>(splat(0x3FF), units, _mm512_slli_epi16::<10>(before));
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
    let index = _mm512_min_epu16(_mm512_srli_epi16::<6>(units), splat(32));
    let look_up = |table: &[u16; 64]| {
        // SAFETY: the table has two vectors.
        let (front, back) =
            unsafe { (_mm512_loadu_si512(table.as_ptr().cast()), _mm512_loadu_si512(table.as_ptr().add(32).cast())) };
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
    let firsts = _mm512_ternarylogic_epi64::<SELECT>(splat(0x3F0F), first_digits, first_heads);
    let lasts = _mm512_ternarylogic_epi64::<SELECT>(splat(0x003F), units, last_heads);
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
    let [front_used, back_used] = [low_bytes(4 * count), low_bytes(4 * count.saturating_sub(STEP / 2))];
    [Sparse { used: front.used & front_used, ..front }, Sparse { used: back.used & back_used, ..back }]
}

/// How many sequences fit into `room` bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn fitting([front, back]: &[Sparse; 2], room: usize) -> usize {
    const LAST_BYTES: u64 = 0x4444_4444_4444_4444;
    let taken = |used, room| (_pdep_u64(low_bytes(room), used) & LAST_BYTES).count_ones() as usize;
    if room < front.len() { taken(front.used, room) } else { STEP / 2 + taken(back.used, room - front.len()) }
}
