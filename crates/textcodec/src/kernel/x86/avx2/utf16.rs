//! 16 code units a step, in the way of `avx512.rs`: to UTF-8 each surrogate becomes two of its pair's four bytes, so that
//! no step waits for another to say where it starts.
//!
//! Sequences are packed by two tables of 4 KiB: eight code units below U+0800, or any four.
//!
//! How long sequences are is asked once for 32 code units: for 64 or 128, pages lose a fifth of their speed, and for 16 a
//! long Russian text loses a third by branches that nobody can predict. Where a group ends is the number of bits in front
//! of its end in one mask; adding up each group's own made half the speed.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{groups::Groups, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of, bytes_of_slots, rest_mut},
    compaction, reference,
    tables::ByteOrder,
};

/// Code units a step.
const STEP: usize = UNITS;

/// Code units that are all treated alike on the way to UTF-8.
const PAIR: usize = 2 * STEP;

/// The room that a pair needs: what its first half becomes at most, and what is overwritten for the second one.
const PAIR_SPARE: usize = 3 * STEP + 64;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let read = ascii_to_utf8(src, out);
    if read == src.len() { read } else { read + text_to_utf8(&src[read..], out) }
}

/// Converts whole pairs of steps of ASCII, and what remains if all of it is ASCII. Other text costs it one branch: it is left to
/// [`text_to_utf8`], which has more to set up (cells `convert/utf-16/utf-8/*/16B` and `64B`).
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let spare = out.spare();
    let len = src.len().min(spare.len());
    let (src, spare) = (&src[..len], &mut spare[..len]);
    let mut at = 0;
    while let Some(pair) = src[at..].first_chunk::<PAIR>()
        && is_ascii(load_units(pair))
    {
        // SAFETY: `at + PAIR <= src.len() == spare.len()`: `pair` was there.
        store(narrow(load_units(pair)), unsafe { block_mut(spare, at) });
        at += PAIR;
    }
    if len - at < PAIR {
        // The last ones, some of them once more.
        if let (Some(pair), Some(to)) = (src.last_chunk::<PAIR>(), spare.last_chunk_mut()) {
            if is_ascii(load_units(pair)) {
                store(narrow(load_units(pair)), to);
                at = len;
            }
        } else if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
            let [front, back] = [load_unit_block(front), load_unit_block(back)];
            if is_ascii([front, back]) {
                let narrow = |units| _mm256_castsi256_si128(narrow([units, units]));
                if let Some(to) = spare.first_chunk_mut() {
                    store_half(narrow(front), to);
                }
                if let Some(to) = spare.last_chunk_mut() {
                    store_half(narrow(back), to);
                }
                at = len;
            }
        }
    }
    // SAFETY: the `at` slots are stored.
    unsafe { out.advance(at) };
    at
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf8(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    let spare = out.spare();
    let (mut at, mut written) = (0, 0);
    // Whether a high surrogate was the last code unit.
    let mut open = false;
    'steps: while let Some(pair) = src[at..].first_chunk::<PAIR>()
        && spare.len() - written >= PAIR_SPARE
    {
        let pair = load_units(pair);
        let [front, back] = pair;
        let any = or(front, back);
        if are_below(0x80, any) && !open {
            // SAFETY: `written + PAIR_ROOM <= spare.len()`: the loop condition, and `PAIR <= PAIR_ROOM`.
            store(narrow(pair), unsafe { block_mut(spare, written) });
            (at, written) = (at + PAIR, written + PAIR);
            continue;
        }
        if open || !are_below(0x800, any) && any_surrogate([front, back, front, back]) {
            for units in pair {
                let surrogates = Surrogates::of(units);
                if surrogates.unpaired(open) != 0 {
                    break 'steps;
                }
                let sequences = Sequences::with_surrogates(units, step_before(src, at), &surrogates);
                // SAFETY: 64 bytes are there: `PAIR_ROOM` were, and the first half becomes `3 * STEP` bytes at most.
                written += unsafe { sequences.packed(STEP).store(rest_mut(spare, written)) };
                open = surrogates.end_high(STEP);
                at += STEP;
            }
            continue;
        }
        for units in pair {
            // SAFETY: 64 bytes are there: `PAIR_ROOM` were, and the first half becomes `3 * STEP` bytes at most.
            written += unsafe {
                let to = rest_mut(spare, written);
                if are_below(0x800, any) {
                    up_to_two_bytes(units, STEP).store(to)
                } else {
                    Sequences::of_bmp(units).packed(STEP).store(to)
                }
            };
        }
        at += PAIR;
    }
    while at < src.len() {
        let count = (src.len() - at).min(STEP);
        let units = load_some_unit_block(&src[at..]);
        let spare = &mut spare[written..];
        let stored = if are_below(0x800, units) && !open {
            up_to_two_bytes(units, count).store_within(spare)
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
            let stored = sequences.packed(count).store_within(spare);
            open = if stored.is_some() { surrogates.end_high(count) } else { open };
            stored
        };
        let Some(stored) = stored else { break };
        written += stored;
        at += count;
    }
    // Half of a pair does not count.
    // SAFETY: the `written` slots are stored.
    unsafe { out.advance(written - 2 * usize::from(open)) };
    at -= usize::from(open);
    if at == src.len() { at } else { at + reference::utf16::to_utf8(&src[at..], out) }
}

super::super::utf16::kernels!("avx2,bmi1,bmi2,lzcnt,popcnt");

/// How many code units precede the first unpaired surrogate. With `COPY`, writes them to `dst`; `dst.len() >= src.len()`, or it
/// panics. `FROM_BIG` and `TO_BIG` say whether the upper byte of a code unit comes first.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn copy<const FROM_BIG: bool, const TO_BIG: bool, const COPY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    /// Bytes of four steps.
    const RUN: usize = 4 * LANES;
    let unit = |at: usize| {
        let unit = [src[2 * at], src[2 * at + 1]];
        if FROM_BIG { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) }
    };
    let is_high = |at: usize| unit(at) & 0xFC00 == 0xD800;
    let from_order = |units| if FROM_BIG { swapped(units) } else { units };
    let in_order = |units| if TO_BIG { swapped(units) } else { units };
    let steps = |run: &[u8; RUN]| [0, 1, 2, 3].map(|n| from_order(load_some(&run[n * LANES..])));
    let dst = if COPY { &mut dst[..src.len()] } else { dst };
    let len = src.len() / 2;
    let (mut at, mut open) = (0, false);
    while let Some(run) = src[2 * at..].first_chunk() {
        let units = steps(run);
        if COPY && let Some(to) = dst[2 * at..].first_chunk_mut::<RUN>() {
            for (units, to) in units.into_iter().zip(to.as_chunks_mut().0) {
                store(in_order(units), to);
            }
        }
        if open || any_surrogate(units) {
            let units_before = match at.checked_sub(1).and_then(|before| src[2 * before..].first_chunk()) {
                Some(run) => steps(run),
                None => [
                    before(splat(0), units[0]),
                    before(units[0], units[1]),
                    before(units[1], units[2]),
                    before(units[2], units[3]),
                ],
            };
            let wrong = [0, 1, 2, 3]
                .map(|n| _mm256_xor_si256(Surrogates::of(units_before[n]).highs, Surrogates::of(units[n]).lows));
            let [a, b, c, d] = wrong;
            if !is_zero(or(or(a, b), or(c, d))) {
                let wrong = wrong.map(|wrong| high_bits(wrong).trailing_zeros().min(64) as usize / 2);
                let step = wrong.iter().take_while(|&&first| first >= STEP).count();
                at += step * STEP + wrong[step];
                // A low one, or what comes after a high one, which is wrong itself then.
                return at - usize::from(at > 0 && is_high(at - 1));
            }
            open = is_high(at + RUN / 2 - 1);
        }
        at += RUN / 2;
    }
    while let Some(step) = src[2 * at..].first_chunk() {
        let units = from_order(load(step));
        if COPY && let Some(to) = dst[2 * at..].first_chunk_mut() {
            store(in_order(units), to);
        }
        let surrogates = Surrogates::of(units);
        if let Some(end) = surrogates.end(at, STEP, open) {
            return end;
        }
        open = surrogates.end_high(STEP);
        at += STEP;
    }
    if at < len {
        if len >= STEP {
            // The last step, some units of it once more.
            at = len - STEP;
            open = at > 0 && is_high(at - 1);
        }
        let units = from_order(load_some(&src[2 * at..]));
        if COPY {
            store_some(in_order(units), 2 * (len - at), &mut dst[2 * at..]);
        }
        let surrogates = Surrogates::of(units);
        if let Some(end) = surrogates.end(at, len - at, open) {
            return end;
        }
        open = surrogates.end_high(len - at);
        at = len;
    }
    at - usize::from(open)
}

/// The code units with their bytes swapped. By shifts: the compiler takes a shuffle whose order it knows apart, byte by byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn swapped(units: __m256i) -> __m256i {
    or(_mm256_slli_epi16::<8>(units), _mm256_srli_epi16::<8>(units))
}

/// The step before the one at `at`, a whole number of steps; zeros if it is the first.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn step_before(src: &[u16], at: usize) -> __m256i {
    src[..at].last_chunk().map_or_else(|| splat(0), |block| load_unit_block(block))
}

/// For each code unit the one before it, of which the first is the last of the step before.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn before(step_before: __m256i, units: __m256i) -> __m256i {
    _mm256_alignr_epi8::<14>(units, _mm256_permute2x128_si256::<0x21>(step_before, units))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn is_ascii([front, back]: [__m256i; 2]) -> bool {
    are_below(0x80, or(front, back))
}

/// Whether all code units are below a power of two. They may be an OR of others.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn are_below(power: u16, units: __m256i) -> bool {
    !any_exceeding(units, power - 1)
}

/// All bits where a code unit is at least `least`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn at_least(least: u16, units: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_max_epu16(units, splat_units(least)), units)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn any_surrogate(steps: [__m256i; 4]) -> bool {
    // Below 0x800 where there is one.
    let [a, b, c, d] = steps.map(|units| _mm256_sub_epi16(units, splat_units(0xD800)));
    let least = _mm256_min_epu16(_mm256_min_epu16(a, b), _mm256_min_epu16(c, d));
    high_bits(at_least(0x800, least)) != first_n(LANES)
}

/// The bytes that a shuffle chooses.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn shuffled(bytes: __m128i, shuffle: &[u8; 16]) -> __m128i {
    _mm_shuffle_epi8(bytes, load_half(shuffle))
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
        let kind = _mm256_and_si256(units, splat_units(0xFC00));
        Self {
            highs: _mm256_cmpeq_epi16(kind, splat_units(0xD800)),
            lows: _mm256_cmpeq_epi16(kind, splat_units(0xDC00)),
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn are_none(&self) -> bool {
        is_zero(or(self.highs, self.lows))
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

/// What is below U+0800: eight of the first `count` code units a group.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_two_bytes(units: __m256i, count: usize) -> Groups<2> {
    let first = _mm256_srli_epi16::<6>(units);
    let second = _mm256_and_si256(_mm256_slli_epi16::<8>(units), splat_units(0x3F00));
    let both = _mm256_or_si256(_mm256_or_si256(first, second), splat_units(0x80C0));
    let not_ascii = at_least(0x80, units);
    let bytes = _mm256_blendv_epi8(units, both, not_ascii);
    let two = _pext_u32(_mm256_movemask_epi8(not_ascii).cast_unsigned(), 0x5555_5555);
    let halves = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
    let [front, back, ..] = two.to_le_bytes();
    Groups {
        vectors: [
            shuffled(halves[0], &compaction::PAIRS[usize::from(front)]),
            shuffled(halves[1], &compaction::PAIRS[usize::from(back)]),
        ],
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
        let two_heads = _mm256_and_si256(more, splat_units(0xC000));
        Self::new(units, _mm256_blendv_epi8(two_heads, splat_units(0x80E0), three), three, more)
    }

    /// Surrogates as well: each has two bytes, made of its own bits but for two of the other's, which may be in the step
    /// before.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn with_surrogates(units: __m256i, step_before: __m256i, surrogates: &Surrogates) -> Self {
        let &Surrogates { highs, lows } = surrogates;
        let before = before(step_before, units);
        let either = _mm256_or_si256(highs, lows);
        let (three, more) = (_mm256_andnot_si256(either, at_least(0x800, units)), at_least(0x80, units));
        let heads = _mm256_blendv_epi8(_mm256_and_si256(more, splat_units(0xC000)), splat_units(0x80E0), three);
        let heads = _mm256_blendv_epi8(heads, splat_units(0x8000), lows);
        // As in `avx512.rs`.
        let high = _mm256_add_epi16(_mm256_srli_epi16::<2>(units), splat_units(0xC10_u16.wrapping_sub(0xD800 >> 2)));
        let low = _mm256_or_si256(
            _mm256_and_si256(units, splat_units(0x3FF)),
            _mm256_and_si256(_mm256_slli_epi16::<10>(before), splat_units(0xC00)),
        );
        let units = _mm256_blendv_epi8(_mm256_blendv_epi8(units, high, highs), low, lows);
        Self::new(units, heads, three, more)
    }

    /// `heads` are what the first two bytes begin with.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn new(units: __m256i, heads: __m256i, three: __m256i, more: __m256i) -> Self {
        let first = _mm256_srli_epi16::<12>(units);
        let second = _mm256_and_si256(_mm256_slli_epi16::<2>(units), splat_units(0x3F00));
        let firsts = _mm256_or_si256(_mm256_or_si256(first, second), heads);
        let last = _mm256_or_si256(_mm256_and_si256(units, splat_units(0x3F)), splat_units(0x80));
        let last = _mm256_blendv_epi8(units, last, more);
        Self {
            outer: _mm256_unpacklo_epi16(firsts, last),
            inner: _mm256_unpackhi_epi16(firsts, last),
            lengths: _mm256_movemask_epi8(_mm256_blendv_epi8(more, three, splat_units(0x00FF))).cast_unsigned(),
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
            vectors: [0, 1, 2, 3].map(|n| shuffled(vectors[n], &SEQUENCES[(lengths >> (8 * n) & 0xFF) as usize])),
            ends: [0, 1, 2, 3].map(|n| {
                let longer = lengths & u32::MAX >> (24 - 8 * n);
                count.min(4 * (n + 1)) + longer.count_ones() as usize
            }),
        }
    }
}

/// For each set of lengths of four sequences, the bytes used.
static SEQUENCES: [[u8; 16]; 256] = {
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
