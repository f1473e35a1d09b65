//! 32 bytes a step, in the way of `avx512.rs`: a sequence belongs to the step that its last byte is in, and the bytes
//! before a step are loaded with it again.
//!
//! ASCII is stored where vectors begin. To load each half anew and widen it on the way, instead of taking a vector apart, is
//! no faster, and half as fast where the loads lie in two lines of the cache then.
//!
//! Instead of a compression of 64 bytes there is one of eight code units, by a table of 4 KiB.

use core::arch::x86_64::{
    __m256i, _bzhi_u32, _mm_cvtepu8_epi16, _mm_loadl_epi64, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128,
    _mm256_add_epi8, _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cvtepu8_epi16,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_max_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16,
    _mm256_srli_epi16, _mm256_storeu_si256, _mm256_sub_epi8, _mm256_subs_epu8, _mm256_testz_si256,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

use super::{
    ascii,
    partial::{Groups, is_ascii_up_to_32, load_up_to_32},
};
use crate::kernel::{
    Out, reference,
    tables::utf8::{self as pairs, begun, ends_in_ascii},
};

/// Bytes a step.
const STEP: usize = 32;

/// Bytes that are all ASCII or all treated alike.
const WIDE: usize = 4 * STEP;

#[target_feature(enable = "avx2,bmi1")]
pub(crate) fn prefix(src: &[u8]) -> usize {
    let is_short_ascii = match src.len() {
        0..=STEP => is_ascii_up_to_32(src),
        33..=WIDE if src[0].is_ascii() => is_ascii_up_to_128(src),
        _ => false,
    };
    if is_short_ascii {
        return src.len();
    }
    let mut at = 0;
    loop {
        let rest = src.len() - at;
        let bytes = load_some(src, at);
        if _mm256_movemask_epi8(bytes) != 0 || !ends_in_ascii(&src[..at]) {
            let errors = Window::at_edge(src, at, bytes).errors();
            if nonzero(errors) {
                // Where the text's end cuts a sequence, it is wrong behind the end.
                at += first_wrong(errors).min(rest);
                return at - begun(&src[..at]);
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
            let steps = [0, 1, 2, 3].map(|n| load(src, at + n * STEP));
            if !is_ascii(any(steps)) || !ends_in_ascii(&src[..at]) {
                let errors = [0, 1, 2, 3].map(|n| Window::within(src, at + n * STEP).errors());
                if nonzero(any(errors)) {
                    let step = errors.iter().take_while(|&&errors| !nonzero(errors)).count();
                    at += step * STEP + first_wrong(errors[step]);
                    return at - begun(&src[..at]);
                }
            }
            at += WIDE;
        }
    }
}

/// Whether 32 to 128 bytes are ASCII, by loads that overlap.
#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii_up_to_128(src: &[u8]) -> bool {
    let (last, middle) = (src.len() - STEP, src.len() / 2);
    // 64 bytes or fewer are in the first and the last step; up to 128 have two more around their middle.
    let inner = if src.len() <= 2 * STEP { [0, last] } else { [middle - STEP, middle] };
    is_ascii(any([load(src, 0), load(src, last), load(src, inner[0]), load(src, inner[1])]))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(crate) fn to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let is_run = ascii::begins_with_run(src);
    let read = if is_run { ascii::to_utf16(src, out) } else { ascii_to_utf16(src, out) };
    if read == src.len() { read } else { read + text_to_utf16(&src[read..], out) }
}

/// Steps of ASCII, without all that other text has to set up.
#[target_feature(enable = "avx2")]
#[inline]
fn ascii_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let dst = out.spare();
    let most = src.len().min(out.room());
    let mut at = 0;
    while most - at >= STEP {
        let bytes = load(src, at);
        if !is_ascii(bytes) {
            break;
        }
        // SAFETY: there is room for as many units as `most`.
        unsafe { store_ascii(dst.add(at), bytes) };
        // After the first ones, to where a vector begins: some of them once more.
        at += STEP - if at == 0 { dst.wrapping_add(STEP).addr() % STEP / 2 } else { 0 };
    }
    let rest = most - at;
    if rest >= STEP {
        // Not ASCII.
    } else if let Some(last) = src[..most].last_chunk::<STEP>() {
        // Some of them once more.
        let bytes = load(last, 0);
        if is_ascii(bytes) {
            // SAFETY: there is room for as many units as `most`, which are at least 32.
            unsafe { store_ascii(dst.add(most - STEP), bytes) };
            at = most;
        }
    } else if is_ascii_up_to_32(&src[..most]) {
        // SAFETY: there is room for as many units as `most`.
        unsafe { store_ascii_up_to_32(dst, &src[..most]) };
        at = most;
    }
    // SAFETY: so many are stored.
    unsafe { out.advance(at) };
    at
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn text_to_utf16(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let (mut dst, mut room) = (out.spare(), out.room());
    let (mut at, mut written, mut calm) = (0, 0, 0);
    'steps: while src.len() - at >= WIDE && room - written >= WIDE {
        let steps = [0, 1, 2, 3].map(|n| load(src, at + n * STEP));
        if is_ascii(any(steps)) && ends_in_ascii(&src[..at]) {
            for bytes in steps {
                // SAFETY: there is room for a unit for each byte.
                unsafe { store_ascii(dst.add(written), bytes) };
                written += STEP;
            }
            at += WIDE;
            calm += 1;
            if calm > 2 {
                // SAFETY: so many are stored.
                unsafe { out.advance(written) };
                at += ascii::to_utf16(&src[at..], out);
                (dst, room, written) = (out.spare(), out.room(), 0);
            }
            continue;
        }
        let [a, b, c, d] = steps;
        let before = if at == 0 { a } else { load(src, at - 3) };
        let most = _mm256_max_epu8(before, _mm256_max_epu8(_mm256_max_epu8(a, b), _mm256_max_epu8(c, d)));
        let has_four = nonzero(at_least(0xF0, most));
        for _ in steps {
            let window = if at == 0 { Window::at_edge(src, 0, a) } else { Window::within(src, at) };
            if nonzero(window.errors()) {
                break 'steps;
            }
            let mut units = Units::of_bmp(&window);
            if has_four {
                units.add_pairs(&window);
            }
            // SAFETY: there is room for a unit for each byte.
            written += unsafe { units.packed().store(dst.add(written).cast::<u8>()) } / 2;
            at += STEP;
        }
        calm = 0;
    }
    while at < src.len() {
        let rest = (src.len() - at).min(STEP);
        let window = Window::at_edge(src, at, load_some(src, at));
        let errors = window.errors();
        let right = first_wrong(errors).min(rest);
        let mut units = Units::of_bmp(&window);
        if nonzero(window.ends_of_four()) {
            units.add_pairs(&window);
        }
        units.lanes = _bzhi_u32(units.lanes, right as u32);
        // SAFETY: there is so much room.
        let stored = unsafe { units.packed().store_within(2 * (room - written), dst.add(written).cast::<u8>()) };
        let Some(stored) = stored else { break };
        written += stored / 2;
        at += right;
        if nonzero(errors) {
            break;
        }
    }
    // A sequence may go on in the step that is not taken, or behind the text; a pair's first unit is stored then.
    let begun = begun(&src[..at]);
    // SAFETY: so many are stored.
    unsafe { out.advance(written - usize::from(begun == 3)) };
    at -= begun;
    if at == src.len() { at } else { at + reference::utf8::to_utf16(&src[at..], out) }
}

/// The bytes from `at` on, of which there are at least 32.
#[target_feature(enable = "avx2")]
#[inline]
fn load(src: &[u8], at: usize) -> __m256i {
    debug_assert!(src.len() - at >= STEP);
    // SAFETY: callers have seen that they are there.
    unsafe { _mm256_loadu_si256(src.as_ptr().add(at).cast()) }
}

/// The bytes from `at` on, as many as there are; zeros stand for the others.
#[target_feature(enable = "avx2")]
#[inline]
fn load_some(src: &[u8], at: usize) -> __m256i {
    if src.len() - at >= STEP { load(src, at) } else { load_up_to_32(&src[at..]) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// A row in both halves.
#[target_feature(enable = "avx2")]
#[inline]
fn row(row: &[u8; 16]) -> __m256i {
    // SAFETY: the row has 16 bytes.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(row.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
#[inline]
fn nonzero(bytes: __m256i) -> bool {
    _mm256_testz_si256(bytes, bytes) == 0
}

/// The first lane that is not 0; 32 if all are.
#[target_feature(enable = "avx2,bmi1")]
#[inline]
fn first_wrong(errors: __m256i) -> usize {
    let fine = _mm256_movemask_epi8(_mm256_cmpeq_epi8(errors, _mm256_setzero_si256()));
    fine.trailing_ones() as usize
}

#[target_feature(enable = "avx2")]
#[inline]
fn any([a, b, c, d]: [__m256i; 4]) -> __m256i {
    _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))
}

#[target_feature(enable = "avx2")]
#[inline]
fn is_ascii(bytes: __m256i) -> bool {
    _mm256_movemask_epi8(bytes) == 0
}

/// All bits where a byte is at least `least`.
#[target_feature(enable = "avx2")]
#[inline]
fn at_least(least: u8, bytes: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, splat(least)), bytes)
}

/// `yes` where `mask` has a bit, else `no`.
#[target_feature(enable = "avx2")]
#[inline]
fn select(mask: u8, yes: __m256i, no: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_and_si256(splat(mask), yes), _mm256_andnot_si256(splat(mask), no))
}

/// # Safety
/// There is room for 32 units.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn store_ascii(dst: *mut u16, bytes: __m256i) {
    let front = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes));
    let back = _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(bytes));
    // SAFETY: the caller's promise.
    unsafe {
        _mm256_storeu_si256(dst.cast(), front);
        _mm256_storeu_si256(dst.add(STEP / 2).cast(), back);
    }
}

/// Stores that overlap.
///
/// # Safety
/// There is room for as many units as there are bytes.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn store_ascii_up_to_32(dst: *mut u16, src: &[u8]) {
    // SAFETY: the caller's promise; both ends have so many bytes.
    unsafe {
        if let (Some(front), Some(back)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
            let [front, back] = [front, back].map(|end| _mm256_cvtepu8_epi16(_mm_loadu_si128(end.as_ptr().cast())));
            _mm256_storeu_si256(dst.cast(), front);
            _mm256_storeu_si256(dst.add(src.len() - 16).cast(), back);
        } else if let (Some(front), Some(back)) = (src.first_chunk::<8>(), src.last_chunk::<8>()) {
            let [front, back] = [front, back].map(|end| _mm_cvtepu8_epi16(_mm_loadl_epi64(end.as_ptr().cast())));
            _mm_storeu_si128(dst.cast(), front);
            _mm_storeu_si128(dst.add(src.len() - 8).cast(), back);
        } else {
            for (n, &byte) in src.iter().enumerate() {
                dst.add(n).write(byte.into());
            }
        }
    }
}

/// 32 bytes, and for each of them the three before it.
struct Window {
    bytes: __m256i,
    first_before: __m256i,
    second_before: __m256i,
    third_before: __m256i,
}

impl Window {
    /// Around the 32 bytes at `at`, which three others are before.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn within(src: &[u8], at: usize) -> Self {
        debug_assert!(at >= 3);
        let [bytes, first_before, second_before, third_before] = [0, 1, 2, 3].map(|back| load(src, at - back));
        Self { bytes, first_before, second_before, third_before }
    }

    /// Around what is at `at`, a whole number of steps, and loaded already. Zeros stand for what is before the text.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn at_edge(src: &[u8], at: usize, bytes: __m256i) -> Self {
        let step_before = if at >= STEP { load(src, at - STEP) } else { _mm256_setzero_si256() };
        // Each half beside the one before it.
        let before = _mm256_permute2x128_si256::<0x21>(step_before, bytes);
        Self {
            bytes,
            first_before: _mm256_alignr_epi8::<15>(bytes, before),
            second_before: _mm256_alignr_epi8::<14>(bytes, before),
            third_before: _mm256_alignr_epi8::<13>(bytes, before),
        }
    }

    /// Not zero where the third or fourth byte of a sequence of four is.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn ends_of_four(&self) -> __m256i {
        _mm256_subs_epu8(_mm256_max_epu8(self.second_before, self.third_before), splat(0xEF))
    }

    /// Not zero where a byte does not go with the three before it.
    ///
    /// A sequence that is wrong has such a byte, or is followed by one, and all before the first of them are either whole
    /// and well-formed or belong to that sequence.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn errors(&self) -> __m256i {
        let upper_half = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), splat(0x0F));
        let lower_half = |bytes| _mm256_and_si256(bytes, splat(0x0F));
        let first_high = _mm256_shuffle_epi8(row(&pairs::FIRST_HIGH), upper_half(self.first_before));
        let first_low = _mm256_shuffle_epi8(row(&pairs::FIRST_LOW), lower_half(self.first_before));
        let second_high = _mm256_shuffle_epi8(row(&pairs::SECOND_HIGH), upper_half(self.bytes));
        let pair = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
        // The uppermost bit where a third or fourth byte has to be: after E0.. or F0.. two or three bytes before.
        let third = _mm256_subs_epu8(self.second_before, splat(0xE0 - 0x80));
        let fourth = _mm256_subs_epu8(self.third_before, splat(0xF0 - 0x80));
        let due = _mm256_and_si256(_mm256_or_si256(third, fourth), splat(pairs::CONTINUATIONS));
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
    #[target_feature(enable = "avx2")]
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
    #[target_feature(enable = "avx2")]
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
    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    fn packed(&self) -> Groups<4> {
        let outer = _mm256_unpacklo_epi8(self.lower_bytes, self.upper_bytes);
        let inner = _mm256_unpackhi_epi8(self.lower_bytes, self.upper_bytes);
        let eights = [
            _mm256_castsi256_si128(outer),
            _mm256_castsi256_si128(inner),
            _mm256_extracti128_si256::<1>(outer),
            _mm256_extracti128_si256::<1>(inner),
        ];
        let lanes = self.lanes;
        Groups {
            vectors: [0, 1, 2, 3].map(|n| {
                let row = &PACK[(lanes >> (8 * n) & 0xFF) as usize];
                // SAFETY: the row has 16 bytes.
                _mm_shuffle_epi8(eights[n], unsafe { _mm_loadu_si128(row.as_ptr().cast()) })
            }),
            ends: [24, 16, 8, 0].map(|behind| 2 * (lanes & u32::MAX >> behind).count_ones() as usize),
        }
    }
}

/// For each set of lanes of eight code units, the bytes of those units.
static PACK: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let mut lane = 0;
        let mut packed = 0;
        while lane < 8 {
            if lanes >> lane & 1 == 1 {
                table[lanes][packed] = 2 * lane;
                table[lanes][packed + 1] = 2 * lane + 1;
                packed += 2;
            }
            lane += 1;
        }
        lanes += 1;
    }
    table
};
