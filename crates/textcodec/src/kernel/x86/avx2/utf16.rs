//! UTF-16 in steps of 16 code units. As in `avx512/utf16.rs`, each surrogate becomes two of its pair's four bytes in UTF-8, so
//! steps do not wait for each other.
//!
//! Sequences are packed by two tables of 4 KiB: eight code units below U+0800, or any four.
//!
//! The length of sequences is tested once per 32 code units. With 64 or 128, pages are slower; with 16, a long Russian text
//! is slower, because of unpredictable branches. The end of a group is a count of the bits before it in one
//! mask; adding up the lengths of groups makes each wait for the one before.

use core::{arch::x86_64::*, mem::MaybeUninit, ops::Range};

use super::{groups::Groups, vector::*};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of, bytes_of_slots, rest_mut},
    compaction, drivers,
    each::Each as _,
    reference,
    tables::ByteOrder,
};

/// Code units per step.
const STEP: usize = UNITS;

/// Code units of two steps, whose conversion to UTF-8 is chosen by one test.
const TWO_STEPS: usize = 2 * STEP;

/// The spare bytes that two steps need: the first one becomes at most `3 * STEP` bytes, and the second one is stored with 64.
const TWO_STEPS_SPARE: usize = 3 * STEP + 64;

/// Converts code units in little-endian order, or with `BIG` in big-endian order.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    let is_ascii = |&bytes: &[u8; 2]| ByteOrder::of(BIG).unit(bytes) < 0x80;
    let read = if path!("utf-16-ascii-first") && src.first().is_some_and(is_ascii) {
        ascii_to_utf8::<BIG>(src, out)
    } else {
        0
    };
    if read == src.len() { read } else { read + text_to_utf8::<BIG>(&src[read..], out) }
}

/// Converts steps of ASCII, two at a time, and the remainder if it is all ASCII. Other text costs one branch: it is left to
/// [`text_to_utf8`], which has more set-up (cells `convert/utf-16/utf-8/*/16B` and `64B`).
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn ascii_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let len = src.len().min(spare.len());
    let (src, spare) = (&src[..len], &mut spare[..len]);
    let mut at = 0;
    while let Some(steps) = src[at..].first_chunk::<TWO_STEPS>()
        && are_ascii::<BIG>(load_two_steps(steps))
    {
        // SAFETY: `at + TWO_STEPS <= src.len() == spare.len()`: `steps` is the `TWO_STEPS` units of `src` from `at` on.
        store(narrow_ascii::<BIG>(load_two_steps(steps)), unsafe { block_mut(spare, at) });
        at += TWO_STEPS;
    }
    if len - at < TWO_STEPS {
        // The last two steps overlap those before. Two steps that may overlap cover a shorter input.
        if let (Some(steps), Some(to)) = (src.last_chunk::<TWO_STEPS>(), spare.last_chunk_mut()) {
            if are_ascii::<BIG>(load_two_steps(steps)) {
                store(narrow_ascii::<BIG>(load_two_steps(steps)), to);
                at = len;
            }
        } else if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
            let [front, back] = [load_step(front), load_step(back)];
            if are_ascii::<BIG>([front, back]) {
                let narrow = |units| _mm256_castsi256_si128(narrow_ascii::<BIG>([units, units]));
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
    // SAFETY: `at <= len`, which is the length of `spare`, and the first `at` slots of it are written: the loop wrote up to
    // the old `at`. If `at` is now `len`, the last store wrote from `len - TWO_STEPS <= at` on, or two stores wrote
    // `len <= 2 * STEP` slots.
    unsafe { out.advance(at) };
    at
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn text_to_utf8<const BIG: bool>(src: &[[u8; 2]], out: &mut Out<'_, u8>) -> usize {
    // SAFETY: only initialised values are stored in the slots.
    let spare = unsafe { out.spare() };
    let (mut at, mut written) = (0, 0);
    // Whether the last code unit was a high surrogate.
    let mut pending_high = false;
    'steps: while let Some(steps) = src[at..].first_chunk::<TWO_STEPS>()
        && spare.len() - written >= TWO_STEPS_SPARE
    {
        let steps = load_two_steps(steps);
        if are_ascii::<BIG>(steps) && !pending_high {
            // SAFETY: `written + TWO_STEPS <= spare.len()`: the loop condition, and `TWO_STEPS <= TWO_STEPS_SPARE`.
            store(narrow_ascii::<BIG>(steps), unsafe { block_mut(spare, written) });
            (at, written) = (at + TWO_STEPS, written + TWO_STEPS);
            continue;
        }
        let steps = steps.each(|units| in_order::<BIG>(units));
        let [front, back] = steps;
        let any = or(front, back);
        let is_short = !any_exceeding(any, 0x7FF);
        if pending_high || !is_short && any_surrogate([front, back, front, back]) {
            for units in steps {
                let surrogates = SurrogateLanes::of(units);
                if surrogates.unpaired(pending_high) != 0 {
                    break 'steps;
                }
                let sequences = Sequences::with_surrogates(units, step_before::<BIG>(src, at), &surrogates);
                // SAFETY: `written + 64 <= spare.len()`, and `Groups<4>` needs 64: the loop condition left
                // `TWO_STEPS_SPARE == 3 * STEP + 64` bytes, and the first step wrote at most `3 * STEP`.
                written += unsafe { sequences.packed(STEP).store(rest_mut(spare, written)) };
                pending_high = surrogates.end_high(STEP);
                at += STEP;
            }
            continue;
        }
        for units in steps {
            // SAFETY: `written + 64 <= spare.len()`, and `Groups<4>` needs 64, `Groups<2>` 32: the loop condition left
            // `TWO_STEPS_SPARE == 3 * STEP + 64` bytes, and the first step wrote at most `3 * STEP`.
            written += unsafe {
                let to = rest_mut(spare, written);
                if is_short {
                    up_to_two_bytes(units, STEP).store(to)
                } else {
                    Sequences::of_bmp(units).packed(STEP).store(to)
                }
            };
        }
        at += TWO_STEPS;
    }
    while at < src.len() {
        let count = (src.len() - at).min(STEP);
        let units = in_order::<BIG>(load_some(src[at..].as_flattened()));
        let spare = &mut spare[written..];
        let stored = if !any_exceeding(units, 0x7FF) && !pending_high {
            up_to_two_bytes(units, count).store_within(spare)
        } else {
            let surrogates = SurrogateLanes::of(units);
            if _bzhi_u32(surrogates.unpaired(pending_high), 2 * count as u32) != 0 {
                break;
            }
            let sequences = if surrogates.are_none() && !pending_high {
                Sequences::of_bmp(units)
            } else {
                Sequences::with_surrogates(units, step_before::<BIG>(src, at), &surrogates)
            };
            let stored = sequences.packed(count).store_within(spare);
            pending_high = if stored.is_some() { surrogates.end_high(count) } else { pending_high };
            stored
        };
        let Some(stored) = stored else { break };
        written += stored;
        at += count;
    }
    // A high surrogate without its low one is not converted: its two bytes are dropped.
    // SAFETY: the first `written` spare slots are written: each step stored bytes within `spare` from `written` on, and added
    // their number. With `pending_high`, the last two of them are from the high surrogate, so `written >= 2`.
    unsafe { out.advance(written - 2 * usize::from(pending_high)) };
    at -= usize::from(pending_high);
    if at == src.len() { at } else { at + reference::utf16::to_utf8::<BIG>(&src[at..], out) }
}

super::super::utf16::kernels!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

/// Loads the step before the one at `at`, which is a multiple of [`STEP`]; zeros before the first step.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn step_before<const BIG: bool>(src: &[[u8; 2]], at: usize) -> __m256i {
    src[..at].last_chunk().map_or_else(|| splat(0), |step| in_order::<BIG>(load_step(step)))
}

/// Returns for each code unit the one before it. The first is the last unit of the step before.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn before(step_before: __m256i, units: __m256i) -> __m256i {
    _mm256_alignr_epi8::<14>(units, _mm256_permute2x128_si256::<0x21>(step_before, units))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn are_ascii<const BIG: bool>([front, back]: [__m256i; 2]) -> bool {
    !any_exceeding(or(front, back), if BIG { 0x7F00 } else { 0x7F })
}

/// Returns ASCII as bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn narrow_ascii<const BIG: bool>(steps: [__m256i; 2]) -> __m256i {
    narrow(if BIG { steps.each(|units| _mm256_srli_epi16::<8>(units)) } else { steps })
}

/// Swaps the bytes of each code unit if they are in big-endian order.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn in_order<const BIG: bool>(units: __m256i) -> __m256i {
    if BIG { swapped(units) } else { units }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load_step(step: &[[u8; 2]; STEP]) -> __m256i {
    load_some(step.as_flattened())
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load_two_steps(steps: &[[u8; 2]; TWO_STEPS]) -> [__m256i; 2] {
    let [front, back] = steps.as_chunks().0 else { unreachable!() };
    [load_step(front), load_step(back)]
}

/// Sets all bits of the code units that are at least `min`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn at_least(min: u16, units: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_max_epu16(units, splat_units(min)), units)
}

/// Returns the bytes that a shuffle chooses.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn shuffled(bytes: __m128i, shuffle: &[u8; 16]) -> __m128i {
    _mm_shuffle_epi8(bytes, load_half(shuffle))
}

/// The lanes of surrogates, with all bits set.
struct SurrogateLanes {
    highs: __m256i,
    lows: __m256i,
}

impl SurrogateLanes {
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

    /// Returns the units after a high surrogate, where a low one is expected, with two bits each. `pending_high` says whether
    /// the unit before these is a high surrogate.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn expected_lows(&self, pending_high: bool) -> u32 {
        let after_high = _mm256_movemask_epi8(self.highs).cast_unsigned() << 2;
        if pending_high { after_high | 0b11 } else { after_high }
    }

    /// Returns the low surrogates that do not follow a high one, and the other units that do, with two bits each.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn unpaired(&self, pending_high: bool) -> u32 {
        _mm256_movemask_epi8(self.lows).cast_unsigned() ^ self.expected_lows(pending_high)
    }

    /// Returns whether the last of the first `count` code units is a high surrogate; `count > 0`.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn end_high(&self, count: usize) -> bool {
        _mm256_movemask_epi8(self.highs) >> (2 * count - 1) & 1 != 0
    }
}

/// Converts units below U+0800, in groups of eight of the first `count`. Units from `count` on must be 0.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn up_to_two_bytes(units: __m256i, count: usize) -> Groups<2> {
    let count = count.min(STEP);
    let first = _mm256_srli_epi16::<6>(units);
    let second = _mm256_and_si256(_mm256_slli_epi16::<8>(units), splat_units(0x3F00));
    let both = _mm256_or_si256(_mm256_or_si256(first, second), splat_units(0x80C0));
    let not_ascii = at_least(0x80, units);
    let bytes = _mm256_blendv_epi8(units, both, not_ascii);
    let two = _pext_u32(_mm256_movemask_epi8(not_ascii).cast_unsigned(), 0x5555_5555);
    let halves = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
    let [front, back, ..] = two.to_le_bytes();
    let vectors = [
        shuffled(halves[0], &compaction::PAIRS[usize::from(front)]),
        shuffled(halves[1], &compaction::PAIRS[usize::from(back)]),
    ];
    let ends = [count.min(8) + front.count_ones() as usize, count + two.count_ones() as usize];
    // SAFETY: each group has up to eight units of one byte, and one byte more for each of the eight bits of `front` or `back`:
    // at most 16.
    unsafe { Groups::new(vectors, ends) }
}

/// Lanes of four bytes, of which up to three are in use.
pub(crate) struct Sequences {
    /// The first four code units of each half.
    outer: __m256i,
    /// The other four code units of each half.
    inner: __m256i,
    /// Two bits for each code unit: whether it has three bytes, and whether it has more than one.
    lengths: u32,
}

impl Sequences {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    pub(crate) fn of_bmp(units: __m256i) -> Self {
        let (three, more) = (at_least(0x800, units), at_least(0x80, units));
        let two_heads = _mm256_and_si256(more, splat_units(0xC000));
        Self::new(units, _mm256_blendv_epi8(two_heads, splat_units(0x80E0), three), three, more)
    }

    /// Converts units with surrogates. Each surrogate has two bytes, which are made of its bits and two bits of the other one.
    /// That may be in the step before.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    fn with_surrogates(units: __m256i, step_before: __m256i, surrogates: &SurrogateLanes) -> Self {
        let &SurrogateLanes { highs, lows } = surrogates;
        let before = before(step_before, units);
        let either = _mm256_or_si256(highs, lows);
        let (three, more) = (_mm256_andnot_si256(either, at_least(0x800, units)), at_least(0x80, units));
        let heads = _mm256_blendv_epi8(_mm256_and_si256(more, splat_units(0xC000)), splat_units(0x80E0), three);
        let heads = _mm256_blendv_epi8(heads, splat_units(0x8000), lows);
        // The same bits as in `with_surrogates` of `avx512/utf16.rs`.
        let high = _mm256_add_epi16(_mm256_srli_epi16::<2>(units), splat_units(0xC10_u16.wrapping_sub(0xD800 >> 2)));
        let low = _mm256_or_si256(
            _mm256_and_si256(units, splat_units(0x3FF)),
            _mm256_and_si256(_mm256_slli_epi16::<10>(before), splat_units(0xC00)),
        );
        let units = _mm256_blendv_epi8(_mm256_blendv_epi8(units, high, highs), low, lows);
        Self::new(units, heads, three, more)
    }

    /// Puts the bits of units into sequences. `heads` are the upper bits of the first two bytes.
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

    /// Packs the first `count` code units into groups of four. Units from `count` on must be 0.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    pub(crate) fn packed(&self, count: usize) -> Groups<4> {
        let vectors = [
            _mm256_castsi256_si128(self.outer),
            _mm256_castsi256_si128(self.inner),
            _mm256_extracti128_si256::<1>(self.outer),
            _mm256_extracti128_si256::<1>(self.inner),
        ];
        let lengths = self.lengths;
        let vectors =
            [0, 1, 2, 3].each(|n| shuffled(vectors[n], &compaction::SEQUENCES[(lengths >> (8 * n) & 0xFF) as usize]));
        let ends = [0, 1, 2, 3].each(|n| {
            let longer = lengths & u32::MAX >> (24 - 8 * n);
            count.min(4 * (n + 1)) + longer.count_ones() as usize
        });
        // SAFETY: `ends[n] - ends[n - 1] <= 4 + 8`, and `ends[0]` too: each group has up to four units of one byte, and one
        // byte more for each of eight bits of `lengths`.
        unsafe { Groups::new(vectors, ends) }
    }
}
