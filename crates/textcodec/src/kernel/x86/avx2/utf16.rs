//! 16 code units a step, in the way of `avx512.rs`: to UTF-8 each surrogate becomes two of its pair's four bytes, so that
//! no step waits for another to say where it starts.
//!
//! Sequences are packed by two tables of 4 KiB: eight code units below U+0800, or any four.
//!
//! How long sequences are is asked once for 32 code units: for 64 or 128, pages lose a fifth of their speed, and for 16 a
//! long Russian text loses a third by branches that nobody can predict. Where a group ends is the number of bits in front
//! of its end in one mask; adding up each group's own made half the speed.
//!
//! Over 500 lines: three operations that share loads, surrogates and stores, and two tables.

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u32, _mm_loadu_si128, _mm_or_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_srli_epi16,
    _mm_storeu_si128, _mm256_add_epi16, _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpeq_epi16, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_max_epu16,
    _mm256_min_epu16, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packus_epi16, _mm256_permute2x128_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_sub_epi16, _mm256_testz_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
    _mm256_xor_si256, _pext_u32,
};

use super::partial::{Groups, load_up_to_32};
use crate::kernel::{Out, reference, tables::ByteOrder};

/// Code units a step.
const STEP: usize = 16;

/// Code units that are all treated alike on the way to UTF-8.
const PAIR: usize = 2 * STEP;

/// The most bytes that these become, and what is overwritten behind them.
const PAIR_ROOM: usize = 3 * PAIR + 4;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let read = ascii_to_utf8(src, out);
    if read == src.len() { read } else { read + text_to_utf8(&src[read..], out) }
}

/// Steps of ASCII, without all that other text has to set up.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn ascii_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let dst = out.spare_ptr();
    let most = src.len().min(out.room());
    let mut at = 0;
    let pair = |at| [load(src, at), load(src, at + STEP)];
    let is_ascii = |[front, back]: [__m256i; 2]| are_below(0x80, _mm256_or_si256(front, back));
    while most - at >= PAIR && is_ascii(pair(at)) {
        // SAFETY: there is room for as many bytes as `most`.
        unsafe { _mm256_storeu_si256(dst.add(at).cast(), ascii(pair(at))) };
        at += PAIR;
    }
    if most - at < PAIR {
        // The last ones, some of them once more.
        if most >= PAIR && is_ascii(pair(most - PAIR)) {
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(dst.add(most - PAIR).cast(), ascii(pair(most - PAIR))) };
            at = most;
        } else if (STEP..PAIR).contains(&most) && is_ascii([load(src, 0), load(src, most - STEP)]) {
            for from in [0, most - STEP] {
                let units = load(src, from);
                let bytes = _mm256_castsi256_si128(ascii([units, units]));
                // SAFETY: as above.
                unsafe { _mm_storeu_si128(dst.add(from).cast(), bytes) };
            }
            at = most;
        }
    }
    // SAFETY: so many are stored.
    unsafe { out.advance(at) };
    at
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn text_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let dst = out.spare_ptr();
    let room = out.room();
    let (mut at, mut written) = (0, 0);
    // A high surrogate is the last that was read.
    let mut open = false;
    'steps: while src.len() - at >= PAIR && room - written >= PAIR_ROOM {
        let pair = [load(src, at), load(src, at + STEP)];
        let [front, back] = pair;
        let any = _mm256_or_si256(front, back);
        if are_below(0x80, any) && !open {
            // SAFETY: there is room for all that both steps become.
            unsafe { _mm256_storeu_si256(dst.add(written).cast(), ascii(pair)) };
            written += PAIR;
            at += PAIR;
            continue;
        }
        if open || !are_below(0x800, any) && any_surrogate([front, back, front, back]) {
            for units in pair {
                let surrogates = Surrogates::of(units);
                if surrogates.unpaired(open) != 0 {
                    break 'steps;
                }
                let sequences = Sequences::with_surrogates(units, step_before(src, at), &surrogates);
                // SAFETY: as above.
                written += unsafe { sequences.packed(STEP).store(dst.add(written)) };
                open = surrogates.end_high(STEP);
                at += STEP;
            }
            continue;
        }
        // SAFETY: as above.
        unsafe {
            if are_below(0x800, any) {
                for units in pair {
                    written += up_to_two_bytes(units, STEP).store(dst.add(written));
                }
            } else {
                for units in pair {
                    written += Sequences::of_bmp(units).packed(STEP).store(dst.add(written));
                }
            }
        }
        at += PAIR;
    }
    while at < src.len() {
        let count = (src.len() - at).min(STEP);
        let units = load_some(src, at);
        let dst = dst.wrapping_add(written);
        let room = room - written;
        let stored = if are_below(0x800, units) && !open {
            // SAFETY: there is so much room.
            unsafe { up_to_two_bytes(units, count).store_within(room, dst) }
        } else {
            let surrogates = Surrogates::of(units);
            if _bzhi_u32(surrogates.unpaired(open), 2 * count as u32) != 0 {
                break;
            }
            let sequences = if surrogates.are_none() && !open {
                Sequences::of_bmp(units)
            } else {
                Sequences::with_surrogates(units, step_before(src, at), &surrogates)
            };
            // SAFETY: as above.
            let stored = unsafe { sequences.packed(count).store_within(room, dst) };
            open = if stored.is_some() { surrogates.end_high(count) } else { open };
            stored
        };
        let Some(stored) = stored else { break };
        written += stored;
        at += count;
    }
    // Half of a pair does not count.
    // SAFETY: so many are stored.
    unsafe { out.advance(written - 2 * usize::from(open)) };
    at -= usize::from(open);
    if at == src.len() { at } else { at + reference::utf16::to_utf8(&src[at..], out) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn prefix(src: &[u16]) -> usize {
    // SAFETY: as many units as there are; nothing is written.
    unsafe { copy::<false, false, false>(src.as_ptr().cast::<u8>(), src.len(), core::ptr::null_mut()) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
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
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
unsafe fn copy<const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
) -> usize {
    const FOUR: usize = 4 * STEP;
    let load = |at: usize| {
        // SAFETY: callers stay within the `len` units.
        let units = unsafe { _mm256_loadu_si256(src.add(2 * at).cast()) };
        if FROM_BIG { swapped(units) } else { units }
    };
    let store = |at: usize, units| {
        if COPY {
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(dst.add(2 * at).cast(), if TO_BIG { swapped(units) } else { units }) };
        }
    };
    let mut at = 0;
    let mut open = false;
    while len - at >= FOUR {
        let steps = [0, 1, 2, 3].map(|n| load(at + n * STEP));
        for (n, &units) in steps.iter().enumerate() {
            store(at + n * STEP, units);
        }
        if open || any_surrogate(steps) {
            let wrong = [0, 1, 2, 3].map(|n| {
                let before = if at + n == 0 { before_first(steps[0]) } else { load(at + n * STEP - 1) };
                _mm256_xor_si256(Surrogates::of(before).highs, Surrogates::of(steps[n]).lows)
            });
            let [a, b, c, d] = wrong;
            let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            if _mm256_testz_si256(any, any) == 0 {
                let wrong = wrong.map(|wrong| _mm256_movemask_epi8(wrong).trailing_zeros() as usize / 2);
                let step = wrong.iter().take_while(|&&first| first == STEP).count();
                at += step * STEP + wrong[step];
                // A low one, or what is behind a high one, which is wrong itself then.
                // SAFETY: the unit before is one of the `len`.
                let is_due = at > 0 && is_high::<FROM_BIG>(unsafe { *src.add(2 * at - 2).cast::<[u8; 2]>() });
                return at - usize::from(is_due);
            }
            // SAFETY: so many units are there.
            open = is_high::<FROM_BIG>(unsafe { *src.add(2 * (at + FOUR) - 2).cast::<[u8; 2]>() });
        }
        at += FOUR;
    }
    while at < len {
        let mut count = STEP;
        let units = if len >= STEP {
            // The next 16, or the last 16, some of them once more.
            at = at.min(len - STEP);
            let units = load(at);
            store(at, units);
            // SAFETY: the unit before is one of the `len`.
            open = at > 0 && is_high::<FROM_BIG>(unsafe { *src.add(2 * at - 2).cast::<[u8; 2]>() });
            units
        } else {
            count = len;
            // SAFETY: so many bytes are there.
            let bytes = unsafe { core::slice::from_raw_parts(src, 2 * len) };
            if COPY {
                // SAFETY: the caller's promise.
                unsafe { copy_up_to_30::<FROM_BIG, TO_BIG>(bytes, dst) };
            }
            let units = load_up_to_32(bytes);
            if FROM_BIG { swapped(units) } else { units }
        };
        let surrogates = Surrogates::of(units);
        if let Some(end) = surrogates.end(at, count, open) {
            return end;
        }
        open = surrogates.end_high(count);
        at += count;
    }
    at - usize::from(open)
}

/// By pieces that overlap.
///
/// # Safety
/// There is room for as many bytes.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
unsafe fn copy_up_to_30<const FROM_BIG: bool, const TO_BIG: bool>(src: &[u8], dst: *mut u8) {
    let swap = FROM_BIG != TO_BIG;
    // SAFETY: the caller's promise; both ends have so many bytes.
    unsafe {
        if let (Some(front), Some(back)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
            let [front, back] = [front, back].map(|end| {
                let units = _mm_loadu_si128(end.as_ptr().cast());
                if swap { _mm_or_si128(_mm_slli_epi16::<8>(units), _mm_srli_epi16::<8>(units)) } else { units }
            });
            _mm_storeu_si128(dst.cast(), front);
            _mm_storeu_si128(dst.add(src.len() - 16).cast(), back);
        } else {
            for (n, &unit) in src.as_chunks::<2>().0.iter().enumerate() {
                let unit = u16::from_ne_bytes(unit);
                dst.add(2 * n).cast::<u16>().write_unaligned(if swap { unit.swap_bytes() } else { unit });
            }
        }
    }
}

/// By shifts: the compiler takes a shuffle whose order it knows apart, byte by byte.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn swapped(units: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units))
}

fn is_high<const BIG: bool>(unit: [u8; 2]) -> bool {
    let unit = if BIG { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) };
    unit & 0xFC00 == 0xD800
}

/// The code units from `at` on, of which there are at least 16.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn load(src: &[u16], at: usize) -> __m256i {
    debug_assert!(src.len() - at >= STEP);
    // SAFETY: callers have seen that they are there.
    unsafe { _mm256_loadu_si256(src.as_ptr().add(at).cast()) }
}

/// The code units from `at` on, as many as there are; zeros stand for the others.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn load_some(src: &[u16], at: usize) -> __m256i {
    if src.len() - at >= STEP {
        return load(src, at);
    }
    let rest = &src[at..];
    // SAFETY: the code units' own bytes.
    load_up_to_32(unsafe { core::slice::from_raw_parts(rest.as_ptr().cast::<u8>(), 2 * rest.len()) })
}

/// What is before each of the first 16 code units.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn before_first(units: __m256i) -> __m256i {
    _mm256_alignr_epi8::<14>(units, _mm256_permute2x128_si256::<0x08>(units, units))
}

/// The step before the one at `at`, a whole number of steps; zeros if it is the first.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn step_before(src: &[u16], at: usize) -> __m256i {
    if at >= STEP { load(src, at - STEP) } else { _mm256_setzero_si256() }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn splat(unit: u16) -> __m256i {
    _mm256_set1_epi16(unit.cast_signed())
}

/// Whether all code units are below a power of two. They may be an OR of others.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn are_below(power: u16, units: __m256i) -> bool {
    _mm256_testz_si256(units, splat(power.wrapping_neg())) != 0
}

/// All bits where a code unit is at least `least`.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn at_least(least: u16, units: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_max_epu16(units, splat(least)), units)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn any_surrogate(steps: [__m256i; 4]) -> bool {
    // Below 0800 where there is one.
    let [a, b, c, d] = steps.map(|units| _mm256_sub_epi16(units, splat(0xD800)));
    let least = _mm256_min_epu16(_mm256_min_epu16(a, b), _mm256_min_epu16(c, d));
    _mm256_movemask_epi8(at_least(0x800, least)) != -1
}

/// Where surrogates are: all bits of a code unit.
struct Surrogates {
    highs: __m256i,
    lows: __m256i,
}

impl Surrogates {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of(units: __m256i) -> Self {
        let kind = _mm256_and_si256(units, splat(0xFC00));
        Self { highs: _mm256_cmpeq_epi16(kind, splat(0xD800)), lows: _mm256_cmpeq_epi16(kind, splat(0xDC00)) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn are_none(&self) -> bool {
        let either = _mm256_or_si256(self.highs, self.lows);
        _mm256_testz_si256(either, either) != 0
    }

    /// Where a low one is due, two bits for each code unit: behind a high one. `open` says that there is one before these.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn due(&self, open: bool) -> u32 {
        let behind = _mm256_movemask_epi8(self.highs).cast_unsigned() << 2;
        if open { behind | 0b11 } else { behind }
    }

    /// Where a low one is or is due, but not both.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn unpaired(&self, open: bool) -> u32 {
        _mm256_movemask_epi8(self.lows).cast_unsigned() ^ self.due(open)
    }

    /// Where the first unpaired one is, if there is one in the first `count` code units, of which the first is at `at`.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn end(&self, at: usize, count: usize, open: bool) -> Option<usize> {
        let wrong = _bzhi_u32(self.unpaired(open), 2 * count as u32);
        let first = wrong.trailing_zeros();
        // A high one before it is wrong itself.
        let is_due = (self.due(open) >> (first & 31) & 1) as usize;
        (wrong != 0).then(|| at + first as usize / 2 - is_due)
    }

    /// Whether the last of the first `count` code units is a high surrogate.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn end_high(&self, count: usize) -> bool {
        _mm256_movemask_epi8(self.highs) >> (2 * count - 1) & 1 != 0
    }
}

/// ASCII as bytes.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn ascii([front, back]: [__m256i; 2]) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(front, back))
}

/// What is below U+0800: eight of the first `count` code units a group.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_two_bytes(units: __m256i, count: usize) -> Groups<2> {
    let first = _mm256_srli_epi16::<6>(units);
    let second = _mm256_and_si256(_mm256_slli_epi16::<8>(units), splat(0x3F00));
    let both = _mm256_or_si256(_mm256_or_si256(first, second), splat(0x80C0));
    let not_ascii = at_least(0x80, units);
    let bytes = _mm256_blendv_epi8(units, both, not_ascii);
    let two = _pext_u32(_mm256_movemask_epi8(not_ascii).cast_unsigned(), 0x5555_5555);
    let halves = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
    let [front, back, ..] = two.to_le_bytes();
    Groups {
        vectors: [packed(&PACK_TWO[usize::from(front)], halves[0]), packed(&PACK_TWO[usize::from(back)], halves[1])],
        ends: [count.min(8) + front.count_ones() as usize, count + two.count_ones() as usize],
    }
}

/// Lanes of four bytes, of which up to three are used.
struct Sequences {
    /// The first four code units of both halves, and the other four.
    outer: __m256i,
    inner: __m256i,
    /// Two bits for each code unit: that it has three bytes, and that it has more than one.
    lengths: u32,
}

impl Sequences {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn of_bmp(units: __m256i) -> Self {
        let (three, more) = (at_least(0x800, units), at_least(0x80, units));
        let two_heads = _mm256_and_si256(more, splat(0xC000));
        Self::new(units, _mm256_blendv_epi8(two_heads, splat(0x80E0), three), three, more)
    }

    /// Surrogates as well: each has two bytes, made of its own bits but for two of the other's, which may be in the step
    /// before.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn with_surrogates(units: __m256i, step_before: __m256i, surrogates: &Surrogates) -> Self {
        let &Surrogates { highs, lows } = surrogates;
        let halves_before = _mm256_permute2x128_si256::<0x21>(step_before, units);
        let before = _mm256_alignr_epi8::<14>(units, halves_before);
        let either = _mm256_or_si256(highs, lows);
        let (three, more) = (_mm256_andnot_si256(either, at_least(0x800, units)), at_least(0x80, units));
        let heads = _mm256_blendv_epi8(_mm256_and_si256(more, splat(0xC000)), splat(0x80E0), three);
        let heads = _mm256_blendv_epi8(heads, splat(0x8000), lows);
        // As in `avx512.rs`.
        let high = _mm256_add_epi16(_mm256_srli_epi16::<2>(units), splat(0xC10_u16.wrapping_sub(0xD800 >> 2)));
        let low = _mm256_or_si256(
            _mm256_and_si256(units, splat(0x3FF)),
            _mm256_and_si256(_mm256_slli_epi16::<10>(before), splat(0xC00)),
        );
        let units = _mm256_blendv_epi8(_mm256_blendv_epi8(units, high, highs), low, lows);
        Self::new(units, heads, three, more)
    }

    /// `heads` are what the first two bytes begin with.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn new(units: __m256i, heads: __m256i, three: __m256i, more: __m256i) -> Self {
        let first = _mm256_srli_epi16::<12>(units);
        let second = _mm256_and_si256(_mm256_slli_epi16::<2>(units), splat(0x3F00));
        let firsts = _mm256_or_si256(_mm256_or_si256(first, second), heads);
        let last = _mm256_or_si256(_mm256_and_si256(units, splat(0x3F)), splat(0x80));
        let last = _mm256_blendv_epi8(units, last, more);
        Self {
            outer: _mm256_unpacklo_epi16(firsts, last),
            inner: _mm256_unpackhi_epi16(firsts, last),
            lengths: _mm256_movemask_epi8(_mm256_blendv_epi8(more, three, splat(0x00FF))).cast_unsigned(),
        }
    }

    /// Four of the first `count` code units a group.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn packed(&self, count: usize) -> Groups<4> {
        let vectors = [
            _mm256_castsi256_si128(self.outer),
            _mm256_castsi256_si128(self.inner),
            _mm256_extracti128_si256::<1>(self.outer),
            _mm256_extracti128_si256::<1>(self.inner),
        ];
        let lengths = self.lengths;
        Groups {
            vectors: [0, 1, 2, 3].map(|n| packed(&PACK_THREE[(lengths >> (8 * n) & 0xFF) as usize], vectors[n])),
            ends: [0, 1, 2, 3].map(|n| {
                let longer = lengths & u32::MAX >> (24 - 8 * n);
                count.min(4 * (n + 1)) + longer.count_ones() as usize
            }),
        }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn packed(row: &[u8; 16], bytes: __m128i) -> __m128i {
    // SAFETY: the row has 16 bytes.
    _mm_shuffle_epi8(bytes, unsafe { _mm_loadu_si128(row.as_ptr().cast()) })
}

/// For each set of eight lanes of two bytes that have two, the bytes used.
static PACK_TWO: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut two = 0;
    while two < 256 {
        let (mut lane, mut used) = (0, 0);
        while lane < 8 {
            table[two][used] = 2 * lane;
            used += 1;
            if two >> lane & 1 == 1 {
                table[two][used] = 2 * lane + 1;
                used += 1;
            }
            lane += 1;
        }
        two += 1;
    }
    table
};

/// For each set of lengths of four sequences, the bytes used.
static PACK_THREE: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut lengths = 0;
    while lengths < 256 {
        let (mut lane, mut used) = (0, 0);
        while lane < 4 {
            let length = lengths >> (2 * lane) & 3;
            let mut byte = 0;
            while byte < 3 {
                if byte == 2 || length >> byte & 1 == 1 {
                    table[lengths][used] = 4 * lane + byte;
                    used += 1;
                }
                byte += 1;
            }
            lane += 1;
        }
        lengths += 1;
    }
    table
};
