//! 64 bytes a step, always: a sequence belongs to the step that its last byte is in, and the bytes before a step are loaded
//! with it again. So no step waits for another to say where it starts.
//!
//! What holds these loops back is neither the permutations nor the compressions but the few registers for masks: every
//! comparison takes one until it retires. Telling sequences apart by masks alone (leads, continuations, what is due, by
//! shifts between them) ran at half the speed of the look-ups below, 15 GB/s against 30. Also slower: the bytes before a
//! step by `valignq` and `vpalignr` instead of loads, 25 GB/s; leaving the four-byte checks out while there are none, 10 %
//! less. A test for ASCII every 64 bytes gains a quarter on pages of 4 KiB, whose order the branch predictor learns, and
//! halves the speed on those of 1 MiB: every 256 bytes it is.

use core::arch::x86_64::{
    __m512i, _bzhi_u64, _mm512_add_epi8, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_castsi512_si256,
    _mm512_cmpge_epu8_mask, _mm512_cmplt_epu8_mask, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64,
    _mm512_loadu_si512, _mm512_mask_add_epi8, _mm512_mask_mov_epi8, _mm512_mask_shuffle_epi8, _mm512_mask_storeu_epi16,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8, _mm512_max_epu8, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_permutex2var_epi8, _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_srli_epi16, _mm512_storeu_si512, _mm512_subs_epu8, _mm512_ternarylogic_epi64,
    _mm512_test_epi8_mask, _mm512_xor_si512, _pdep_u64,
};

use super::ascii;
use crate::kernel::{
    Out,
    tables::utf8::{self as pairs, begun, ends_in_ascii},
};

/// Bytes a step.
const STEP: usize = 64;

/// Bytes that are all ASCII or all treated alike, so that pages do not make a branch of every step that nobody can predict.
const WIDE: usize = 4 * STEP;

/// The operands of `_mm512_ternarylogic_epi64`: an expression of them is its table.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;
/// B where A has a bit, else C.
const SELECT: i32 = A & B | !A & C;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = src.len() - at;
        let lanes = low_bits(rest);
        let bytes = load(src, at, lanes);
        if _mm512_movepi8_mask(bytes) != 0 || !ends_in_ascii(&src[..at]) {
            let wrong = nonzero(Window::around(src, at, bytes, lanes).errors()) & lanes;
            if wrong != 0 {
                return before(src, at, wrong);
            }
            if rest <= STEP {
                return src.len() - begun(src);
            }
        } else if rest <= STEP {
            return src.len();
        }
        at += STEP;
        if at == 2 * STEP {
            // Some once more, so that no vector lies in two lines of the cache.
            at -= src.as_ptr().wrapping_add(at).addr() % STEP;
        }
        // Not at once, for text in which an error comes soon.
        while at > STEP && src.len() - at >= WIDE {
            let steps = [0, 1, 2, 3].map(|n| load(src, at + n * STEP, ALL));
            if !is_ascii(steps) || !ends_in_ascii(&src[..at]) {
                let errors = [0, 1, 2, 3].map(|n| Window::around(src, at + n * STEP, steps[n], ALL).errors());
                if nonzero(any(errors)) != 0 {
                    let wrong = errors.map(|errors| nonzero(errors));
                    let step = wrong.iter().take_while(|&&wrong| wrong == 0).count();
                    return before(src, at + step * STEP, wrong[step]);
                }
            }
            at += WIDE;
        }
    }
}

/// Where the sequence of the first wrong byte of a step begins.
#[inline]
fn before(src: &[u8], at: usize, wrong: u64) -> usize {
    let at = at + wrong.trailing_zeros() as usize;
    at - begun(&src[..at])
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let is_run = ascii::begins_with_run(src);
    let read = if is_run { ascii::to_utf16(src, out) } else { ascii_to_utf16(src, out) };
    if read == src.len() { read } else { read + text_to_utf16(&src[read..], out) }
}

/// Steps of ASCII, without all that other text has to set up.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
fn ascii_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let dst = out.spare();
    let most = src.len().min(out.room());
    let mut at = 0;
    while most - at >= STEP {
        let bytes = load(src, at, ALL);
        if _mm512_movepi8_mask(bytes) != 0 {
            break;
        }
        // SAFETY: there is room for as many units as `most`.
        unsafe { store(dst.add(at), widen(bytes)) };
        // After the first ones, to where a line of the cache begins: some of them once more.
        at += STEP - if at == 0 { dst.wrapping_add(STEP).addr() % 64 / 2 } else { 0 };
    }
    let rest = most - at;
    if rest < STEP {
        let bytes = load(src, at, low_bits(rest));
        if _mm512_movepi8_mask(bytes) == 0 {
            // SAFETY: as above.
            unsafe { store_some(dst.add(at), widen(bytes), rest) };
            at = most;
        }
    }
    // SAFETY: so many are stored.
    unsafe { out.advance(at) };
    at
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn text_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let (mut dst, mut room) = (out.spare(), out.room());
    let (mut at, mut written, mut was_ascii) = (0, 0, false);
    while src.len() - at >= STEP && room - written >= STEP {
        let mut steps = 1;
        if src.len() - at >= WIDE && room - written >= WIDE {
            steps = WIDE / STEP;
            let bytes = [0, 1, 2, 3].map(|n| load(src, at + n * STEP, ALL));
            if is_ascii(bytes) && ends_in_ascii(&src[..at]) {
                for bytes in bytes {
                    // SAFETY: there is room for a unit for each byte.
                    unsafe { store(dst.add(written), widen(bytes)) };
                    written += STEP;
                }
                at += WIDE;
                if was_ascii {
                    // SAFETY: so many are stored.
                    unsafe { out.advance(written) };
                    at += ascii::to_utf16(&src[at..], out);
                    (dst, room, written) = (out.spare(), out.room(), 0);
                }
                was_ascii = true;
                continue;
            }
        }
        for _ in 0..steps {
            let window = Window::around(src, at, load(src, at, ALL), ALL);
            let mut units = Units::of_bmp(&window);
            let errors = window.errors();
            if nonzero(_mm512_or_si512(errors, window.ends_of_four())) != 0 {
                units.add_pairs(&window);
                let wrong = nonzero(errors);
                if wrong != 0 {
                    return stop(src, at, written, &units, units.lanes & before_lowest(wrong), out);
                }
            }
            // SAFETY: there is room for a unit for each byte.
            unsafe { store(dst.add(written), units.packed(units.lanes)) };
            written += units.lanes.count_ones() as usize;
            at += STEP;
        }
        was_ascii = false;
    }
    let rest = src.len() - at;
    if rest == 0 && begun(src) == 0 {
        // SAFETY: so many are stored.
        unsafe { out.advance(written) };
        return at;
    }
    if rest < STEP {
        let lanes = low_bits(rest);
        let window = Window::around(src, at, load(src, at, lanes), lanes);
        let mut units = Units::of_bmp(&window);
        if nonzero(window.ends_of_four()) != 0 {
            units.add_pairs(&window);
        }
        let count = (units.lanes & lanes).count_ones() as usize;
        if nonzero(window.errors()) == 0 && count <= room - written {
            // SAFETY: they fit; `written + count` are stored.
            unsafe {
                store_some(dst.add(written), units.packed(units.lanes & lanes), count);
                out.advance(written + count);
            }
            return src.len();
        }
    }
    careful_to_utf16(src, at, written, out)
}

/// The rest of the text from a step on, up to what is wrong or does not fit. `written` units, not yet counted, are what is
/// before the step.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn careful_to_utf16(src: &[u8], mut at: usize, mut written: usize, out: &mut Out<'_, u16>) -> usize {
    loop {
        let rest = src.len() - at;
        let lanes = low_bits(rest);
        let window = Window::around(src, at, load(src, at, lanes), lanes);
        let mut units = Units::of_bmp(&window);
        units.add_pairs(&window);
        let wrong = nonzero(window.errors()) & lanes;
        let good = units.lanes & lanes & before_lowest(wrong);
        let count = good.count_ones() as usize;
        if rest <= STEP || wrong != 0 || count > out.room() - written {
            return stop(src, at, written, &units, good, out);
        }
        // SAFETY: they fit.
        unsafe { store_some(out.spare().add(written), units.packed(good), count) };
        written += count;
        at += STEP;
    }
}

/// Takes what fits of `good` units of the step at `at`, and counts them and the `written` ones before it. Returns where the
/// next sequence begins.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn stop(src: &[u8], at: usize, mut written: usize, units: &Units, good: u64, out: &mut Out<'_, u16>) -> usize {
    let mut taken = _pdep_u64(low_bits(out.room() - written), good);
    let last = 1_u64.rotate_right(1 + taken.leading_zeros());
    taken &= !(last & units.firsts_of_pairs);
    let count = taken.count_ones() as usize;
    // SAFETY: they fit.
    unsafe { store_some(out.spare().add(written), units.packed(taken), count) };
    written += count;
    let mut read = at + STEP - taken.leading_zeros() as usize;
    if taken == 0 {
        // A pair's first unit may be in the step before, when its last byte was to come.
        let begun = begun(&src[..read]);
        written -= usize::from(begun == 3);
        read -= begun;
    }
    // SAFETY: so many are stored.
    unsafe { out.advance(written) };
    read
}

/// The bits below the lowest one; all where there is none.
#[target_feature(enable = "bmi1")]
#[inline]
fn before_lowest(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}

/// All lanes of a step.
const ALL: u64 = u64::MAX;

/// As many bits as asked for, or all.
#[target_feature(enable = "bmi2")]
#[inline]
fn low_bits(count: usize) -> u64 {
    _bzhi_u64(ALL, count.min(64) as u32)
}

/// The bytes from `at` on, as many as there are lanes; zeros in the other lanes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(src: &[u8], at: usize, lanes: u64) -> __m512i {
    debug_assert!(src.len() - at >= 64 - lanes.leading_zeros() as usize);
    // SAFETY: lanes outside of `src` are not read.
    unsafe { _mm512_maskz_loadu_epi8(lanes, src.as_ptr().add(at).cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn vector(bytes: &[u8; STEP]) -> __m512i {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// The lanes that are not 0.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn nonzero(bytes: __m512i) -> u64 {
    _mm512_test_epi8_mask(bytes, bytes)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn any([a, b, c, d]: [__m512i; 4]) -> __m512i {
    _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn is_ascii(steps: [__m512i; 4]) -> bool {
    _mm512_movepi8_mask(any(steps)) == 0
}

/// ASCII as code units.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn widen(bytes: __m512i) -> [__m512i; 2] {
    [_mm512_castsi512_si256(bytes), _mm512_extracti64x4_epi64::<1>(bytes)].map(|half| _mm512_cvtepu8_epi16(half))
}

/// # Safety
/// There is room for 64 units.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn store(dst: *mut u16, [front, back]: [__m512i; 2]) {
    // SAFETY: the caller's promise.
    unsafe {
        _mm512_storeu_si512(dst.cast(), front);
        _mm512_storeu_si512(dst.add(STEP / 2).cast(), back);
    }
}

/// # Safety
/// There is room for `count` units; they are at most 64.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
unsafe fn store_some(dst: *mut u16, [front, back]: [__m512i; 2], count: usize) {
    // SAFETY: the masks have `count` lanes together, and the others are not written to.
    unsafe {
        _mm512_mask_storeu_epi16(dst.cast(), low_bits(count) as u32, front);
        if count > STEP / 2 {
            _mm512_mask_storeu_epi16(dst.add(STEP / 2).cast(), low_bits(count - STEP / 2) as u32, back);
        }
    }
}

/// 64 bytes, and for each of them the three before it.
struct Window {
    bytes: __m512i,
    first_before: __m512i,
    second_before: __m512i,
    third_before: __m512i,
}

impl Window {
    /// Around what is at `at` and loaded already. Zeros stand for what is before the text and behind `lanes`.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn around(src: &[u8], at: usize, bytes: __m512i, lanes: u64) -> Self {
        let [first_before, second_before, third_before] = if at >= 3 {
            [1, 2, 3].map(|back| load(src, at - back, !(!lanes << back)))
        } else {
            // Each quarter beside the one before it.
            let before = _mm512_alignr_epi64::<6>(bytes, _mm512_setzero_si512());
            [
                _mm512_alignr_epi8::<15>(bytes, before),
                _mm512_alignr_epi8::<14>(bytes, before),
                _mm512_alignr_epi8::<13>(bytes, before),
            ]
        };
        Self { bytes, first_before, second_before, third_before }
    }

    /// Not zero where the third or fourth byte of a sequence of four is.
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    fn ends_of_four(&self) -> __m512i {
        _mm512_subs_epu8(_mm512_max_epu8(self.second_before, self.third_before), splat(0xEF))
    }

    /// Not zero where a byte does not go with the three before it.
    ///
    /// A sequence that is wrong has such a byte, or is followed by one, and all before the first of them are either whole
    /// and well-formed or belong to that sequence.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    #[inline]
    fn errors(&self) -> __m512i {
        // Of an index six bits count, of which the lower four matter.
        let look_up = |halves, table| _mm512_permutexvar_epi8(halves, vector(table));
        let pair = _mm512_ternarylogic_epi64::<{ A & B & C }>(
            look_up(_mm512_srli_epi16::<4>(self.first_before), &const { pairs::repeated(pairs::FIRST_HIGH) }),
            look_up(self.first_before, &const { pairs::repeated(pairs::FIRST_LOW) }),
            look_up(_mm512_srli_epi16::<4>(self.bytes), &const { pairs::repeated(pairs::SECOND_HIGH) }),
        );
        // The uppermost bit where a third or fourth byte has to be: after E0.. or F0.. two or three bytes before.
        let third = _mm512_subs_epu8(self.second_before, splat(0xE0 - 0x80));
        let fourth = _mm512_subs_epu8(self.third_before, splat(0xF0 - 0x80));
        let due = _mm512_ternarylogic_epi64::<{ (A | B) & C }>(third, fourth, splat(pairs::CONTINUATIONS));
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
    #[target_feature(enable = "avx512f,avx512bw")]
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
    #[target_feature(enable = "avx512f,avx512bw")]
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
        self.upper_bytes = _mm512_mask_shuffle_epi8(upper_bytes, seconds, vector(&UPPER_BYTES), upper_bytes);
    }

    /// Those in `lanes`, one behind the other.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
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
        let lower_bytes = _mm512_maskz_compress_epi8(lanes, self.lower_bytes);
        let upper_bytes = _mm512_maskz_compress_epi8(lanes, self.upper_bytes);
        [&const { interleaved(0) }, &const { interleaved(32) }]
            .map(|indexes| _mm512_permutex2var_epi8(lower_bytes, vector(indexes), upper_bytes))
    }
}
