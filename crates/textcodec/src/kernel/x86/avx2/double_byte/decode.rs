//! Decoding in blocks of up to 512 bytes. Three passes go over each, loops whose steps do not depend on each other: find the
//! characters by arithmetic with masks of 64 bytes, and collect their bytes; compute the numbers of their cells from these, 16
//! characters at a time; look the cells up by scalar loads. ASCII characters have cells, too. The second pass also finds
//! malformed pairs.
//!
//! Slower: computing numbers before collecting, for each byte of the source; keeping counts in memory instead of locals; blocks of
//! half the length.
//!
//! In pages, converting up to eight pairs after ASCII by vectors, without a loop over pairs, is slower than one by one:
//! the next step waits for it, but predicts the end of a loop.
//!
//! Finding the characters in up to 64 bytes by masks, and converting each without a branch on its length, is slower, except to
//! UTF-16 for Korean, whose words are short. Masks take as long to start as the loop over pairs takes to end.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::super::{
    super::{
        double_byte::{FIRST_STEPS, SPARSE, STEP, STEPS, is_sparse},
        masks::{leading, nth_bit},
    },
    vector::*,
};
use crate::kernel::{
    Out,
    block::{block, block_mut, element, values},
    compaction,
    drivers::{
        ascii::{whole_steps, widened_step},
        one_to_one,
    },
    each::Each as _,
    reference::double_byte as reference,
    tables::{ByteOrder, Pairs, Range},
};

/// Bytes that a step loads.
pub(crate) const LOADED: usize = STEP + 1;
/// Inputs of up to this many bytes are converted character by character: cells `decode/*/ja/16B`.
pub(crate) const SHORT: usize = 48;

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    // Without ASCII, pairs are decoded together with escape sequences: `iso_2022.rs`.
    if src.len() <= SHORT || !pairs.ascii {
        return reference::decode::to_utf16(pairs, src, out);
    }
    let simd = Avx2::new();
    let mut block = Block::new(pairs);
    let (mut at, mut follows) = (0, 0);
    let mut steps = FIRST_STEPS;
    loop {
        if follows == 0 {
            at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| widened_step(simd, ByteOrder::Little, src));
            if is_sparse(simd, &src[at..], SPARSE) {
                let read = reference::decode::convert(|_, _| 0, pairs, &src[at..at + STEP], out);
                at += read;
                if read > 0 {
                    continue;
                }
            }
        }
        let rest = &src[at..];
        if rest.is_empty() {
            return at;
        }
        // The trail byte of the last pair belongs to the next block: with `follows`, `rest` begins with that of a pair which
        // is written. So the characters of this block are `rest[from..block.end]`, and one more byte if `find` sets `follows`.
        let from = usize::from(follows != 0);
        block.find(rest, &mut follows, steps.min(out.spare_len() / STEP).max(1));
        steps = STEPS;
        match block.put(out) {
            Some(count) if count == block.count() => at += block.end,
            // The next character is malformed or unmapped.
            Some(count) => return at + block.offset(count),
            None => {
                let found = &rest[from..block.end + usize::from(follows != 0)];
                let read = reference::decode::to_utf16(pairs, found, out);
                at += from + read;
                if read < found.len() {
                    return at;
                }
                follows = 0;
            }
        }
        if block.is_last {
            return at;
        }
    }
}

/// The characters that the first pass over a block found.
pub(crate) struct Block<'a> {
    pub(crate) pairs: &'a Pairs,
    /// The offset in the source where the steps end. The trail byte of the last pair may follow.
    pub(crate) end: usize,
    /// Whether nothing after the steps can be converted.
    pub(crate) is_last: bool,
    count: usize,
    /// By step: the bytes that begin characters.
    starts: [u64; STEPS],
    /// Whether any of the characters may be a single byte above ASCII.
    has_singles: bool,
    /// Each character, and zeros for 16 more: the first byte in the lower half and the byte after it in the upper half. The first
    /// byte of a pair has its high bit set, even in encodings whose lead bytes are ASCII bytes.
    ///
    /// Invariant, except during the first pass: `characters[..count + UNITS]` are written.
    characters: [MaybeUninit<u16>; STEPS * STEP + UNITS],
}

impl<'a> Block<'a> {
    #[inline(always)]
    pub(crate) fn new(pairs: &'a Pairs) -> Self {
        let mut characters = [const { MaybeUninit::uninit() }; STEPS * STEP + UNITS];
        characters[..UNITS].fill(MaybeUninit::new(0));
        Self { pairs, end: 0, is_last: false, count: 0, starts: [0; STEPS], has_singles: false, characters }
    }

    /// Finds the characters that `src` begins with, in up to `max_steps` steps. The caller keeps `follows` between two calls.
    /// It is 1 if the first byte is the trail byte of a pair that was found before; it is set to 1 if this holds for the
    /// byte after the steps, else to 0.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn find(&mut self, src: &[u8], follows: &mut u64, max_steps: usize) {
        let pairs = self.pairs;
        // Locals: in memory, they would make each step wait for the one before.
        let (mut at, mut count, mut is_last, mut carry, mut all_singles) = (0, 0, false, *follows, 0);
        for _ in 0..max_steps.min(STEPS) {
            let rest = &src[at..];
            let len = rest.len().min(STEP);
            let padded;
            let bytes = if let Some(bytes) = rest.first_chunk::<LOADED>() {
                bytes
            } else {
                padded = pad(rest);
                &padded
            };
            let step = load_two(bytes.first_chunk().expect("64 bytes and more"));
            let upper = high_bits_of_two(step);
            if u64::from(upper as u32) | carry == 0 && at > 0 && rest.len() >= STEP {
                // Stop here: more ASCII may follow, and copying ASCII is faster than looking it up.
                break;
            }

            let mut can_lead = upper & !carry;
            if let Some(singles) = pairs.singles {
                let singles = high_bits_of_two(in_ranges(step, singles));
                can_lead &= !singles;
                all_singles |= singles;
            }
            let leads = leading(can_lead);
            let starts = first_n(len) & !(leads << 1 | carry);
            self.starts[at / STEP] = starts;
            carry = leads >> 63;
            at += len;
            is_last = rest.len() <= STEP;

            for (n, loaded) in bytes.windows(17).step_by(16).take(4).enumerate() {
                let loaded = [0, 1].each(|from| load_half(loaded[from..].first_chunk().expect("17 bytes")));
                // SAFETY: `count <= STEPS * STEP - 16`: each of these 16 bytes and of those before begins up to one character,
                // and there are up to `STEPS` steps. `count` is that of the calls before.
                count += unsafe { self.put_chosen(count, loaded, (starts >> (16 * n)) as u16) };
            }
            if is_last {
                break;
            }
        }
        // SAFETY: `count` characters were put.
        unsafe { self.end_at(at, count, is_last) };
        self.has_singles = all_singles != 0;
        // An incomplete pair at the end of the source is malformed.
        *follows = if is_last { 0 } else { carry };
    }

    /// Stores those of 16 characters whose bits are set in `chosen` after `count` others; returns how many. `bytes` has the first
    /// bytes of the characters and the bytes after these.
    ///
    /// # Safety
    /// `count <= STEPS * STEP - 16`, and all calls since the last [`end_at`](Self::end_at) returned `count` together.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn put_chosen(&mut self, count: usize, [first, second]: [__m128i; 2], chosen: u16) -> usize {
        let halves = [_mm_unpacklo_epi8(first, second), _mm_unpackhi_epi8(first, second)];
        let mut put = 0;
        for (characters, chosen) in halves.into_iter().zip(chosen.to_le_bytes()) {
            let shuffle = load_half(&compaction::UNITS[usize::from(chosen)]);
            // SAFETY: `count + put + 8 <= characters.len()`, which is more than `STEPS * STEP + 8`: `put <= 8`.
            let to = unsafe { block_mut(&mut self.characters, count + put) };
            store_half_units(_mm_shuffle_epi8(characters, shuffle), to);
            put += chosen.count_ones() as usize;
        }
        put
    }

    /// Replaces a character that was put by U+0000.
    #[inline(always)]
    pub(crate) fn clear(&mut self, character: usize) {
        self.characters[character] = MaybeUninit::new(0);
    }

    /// Ends the first pass.
    ///
    /// # Safety
    /// `count` characters were [put](Self::put_chosen).
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn end_at(&mut self, end: usize, count: usize, is_last: bool) {
        (self.end, self.is_last, self.count, self.has_singles) = (end, is_last, count, self.pairs.singles.is_some());
        self.characters[count..count + UNITS].fill(MaybeUninit::new(0));
    }

    /// Writes the characters, up to the first one that is malformed or unmapped, and returns how many. Returns `None` if the
    /// destination has fewer than `count` slots, rounded up to a multiple of eight.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn put(&self, out: &mut Out<'_, u16>) -> Option<usize> {
        // SAFETY: only initialised values are stored in the slots.
        let count = self.write(unsafe { out.spare() })?;
        // SAFETY: `write` has written the first `count` spare slots.
        unsafe { out.advance(count) };
        Some(count)
    }

    /// [`put`](Self::put) for all characters or none.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn put_all(&self, out: &mut Out<'_, u16>) -> bool {
        // SAFETY: only initialised values are stored in the slots.
        let is_all = self.write(unsafe { out.spare() }) == Some(self.count);
        if is_all {
            // SAFETY: `write` has written the first `count` spare slots.
            unsafe { out.advance(self.count) };
        }
        is_all
    }

    /// Writes the characters to `to`, if they fit, and returns how many precede the first one that is malformed or unmapped.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn write(&self, to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        let to = to.get_mut(..self.count.next_multiple_of(8))?;
        let cells = Cells::new(self.pairs, self.has_singles);
        let mut count = self.count;
        // The numbers go through memory, from where they are loaded one by one. In one loop with the look-ups, the compiler
        // would extract them from the vector instead, with two instructions for each. And with a bounds check or anything else
        // that is a branch in the second loop, it would load cells into registers before it inserts them into a vector.
        let mut numbers = Aligned([const { [const { MaybeUninit::uninit() }; UNITS] }; STEPS * STEP / UNITS]);
        for (n, to) in numbers.0.iter_mut().enumerate().take(count.div_ceil(UNITS)) {
            let (numbers, malformed) = cells.numbers(self.step(n));
            store_unit_block(numbers, to);
            // A branch for each step, instead of looking the whole block up: cells `decode/gbk/*/zh_cn+1-per-64B/*`.
            if !is_zero(malformed) {
                count = count.min(UNITS * n + first(high_bits(malformed) as u32));
                break;
            }
        }
        let to = &mut to[..count.next_multiple_of(8)];
        let mut unmapped = _mm_setzero_si128();
        for (numbers, to) in numbers.0.as_flattened().as_chunks().0.iter().zip(to.as_chunks_mut().0) {
            // SAFETY: `cells.numbers` returned these numbers: `to` has `count`, rounded up to a multiple of eight, and the
            // first loop has stored `count`, rounded up to a multiple of 16.
            let units = unsafe { cells.look_up(numbers) };
            unmapped = _mm_or_si128(unmapped, surrogates(units));
            store_half_units(units, to);
        }
        if _mm_testz_si128(unmapped, unmapped) == 1 {
            return Some(count);
        }
        // SAFETY: the second loop has written all of `to`.
        Some(count.min(unsafe { mapped(to) }))
    }

    /// Returns 16 characters from `16 * n` on.
    ///
    /// Panics if there is none.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step(&self, n: usize) -> __m256i {
        assert!(UNITS * n < self.count && self.count <= STEPS * STEP, "the step has a character");
        // SAFETY: `16 * n < count`, and `count + 16` characters and zeros are written, by the invariant.
        load_unit_block(unsafe { values(block(&self.characters, UNITS * n)) })
    }

    /// Returns the offset in the source where a character begins.
    pub(crate) fn offset(&self, character: usize) -> usize {
        let mut left = character;
        for (n, &starts) in self.starts.iter().enumerate() {
            let count = starts.count_ones() as usize;
            if left < count {
                return STEP * n + nth_bit(starts, left);
            }
            left -= count;
        }
        self.end
    }

    /// Returns how many characters were found.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

/// Returns how many units precede the first one of an unmapped pair.
///
/// Panics if there is none.
///
/// # Safety
/// All units are written.
#[cold]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn mapped(units: &[MaybeUninit<u16>]) -> usize {
    let masks = units.as_chunks::<8>().0.iter().map(|units| {
        // SAFETY: all are written: this function's contract.
        let units = unsafe { values(units) };
        _mm_movemask_epi8(surrogates(load_half_units(units))).cast_unsigned()
    });
    let (n, mask) = masks.enumerate().find(|(_, mask)| *mask != 0).expect("a pair is unmapped");
    8 * n + first(mask)
}

/// Returns the first lane of a mask that has two bits for each.
fn first(mask: u32) -> usize {
    mask.trailing_zeros() as usize / 2
}

/// Adds zeros to up to [`LOADED`] bytes.
fn pad(bytes: &[u8]) -> [u8; LOADED] {
    let mut padded = [0; LOADED];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

/// Looks cells up.
pub(crate) struct Cells<'a> {
    table: &'a [u16],
    singles: Option<[[__m256i; 2]; 2]>,
    /// The first byte of each range and the number of bytes after it, for both bytes of a character.
    ranges: [[__m256i; 2]; 2],
    /// What to subtract from the second range on.
    gap: __m256i,
    width: __m256i,
    base: __m256i,
    last: __m256i,
}

impl<'a> Cells<'a> {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new(pairs: &'a Pairs, has_singles: bool) -> Self {
        let both = |bytes| splat_units(u16::from_le_bytes(bytes));
        let range = |range: Range| [splat_units(range.first.into()), splat_units((range.last - range.first).into())];
        let grid = &pairs.grid;
        let width = u8::try_from(pairs.width).expect("a width is a byte");
        Self {
            table: pairs.cells(),
            singles: pairs.singles.filter(|_| has_singles).map(|ranges| ranges.each(range)),
            ranges: [0, 1].each(|n| [both(grid.first[n]), both(grid.following[n])]),
            gap: both(grid.gap),
            width: both([width, 1]),
            // `units` subtracts 0x80 from columns.
            base: splat_units(grid.origin.wrapping_add(0x80)),
            last: splat_units((pairs.cells().len() - 1) as u16),
        }
    }

    /// Returns the numbers of the cells of 16 [characters](Block::characters). The second vector is not 0 in lanes with malformed
    /// characters, and only there.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn numbers(&self, characters: __m256i) -> (__m256i, __m256i) {
        let [low, high] = self.ranges.each(|[first, following]| {
            let offset = _mm256_sub_epi8(characters, first);
            (offset, _mm256_cmpeq_epi8(offset, _mm256_min_epu8(offset, following)))
        });
        let offsets = _mm256_sub_epi8(low.0, _mm256_and_si256(high.1, self.gap));
        // `vpmaddubsw` multiplies signed bytes.
        let offsets = _mm256_xor_si256(offsets, splat_units(0x8000));
        let number = _mm256_add_epi16(_mm256_maddubs_epi16(self.width, offsets), self.base);

        let first = _mm256_and_si256(characters, splat_units(0xFF));
        let mut is_pair = _mm256_srai_epi16::<15>(_mm256_slli_epi16::<8>(characters));
        if let Some(singles) = self.singles {
            let [low, high] = singles.each(|[from, following]| {
                let offset = _mm256_sub_epi16(first, from);
                _mm256_cmpeq_epi16(offset, _mm256_min_epu16(offset, following))
            });
            is_pair = _mm256_andnot_si256(or(low, high), is_pair);
        }
        let malformed = _mm256_andnot_si256(or(low.1, high.1), is_pair);
        let number = _mm256_min_epu16(_mm256_blendv_epi8(first, number, is_pair), self.last);

        (number, malformed)
    }

    /// Returns the cells with eight numbers.
    ///
    /// # Safety
    /// The numbers are results of [`numbers`](Self::numbers), so they are written, and less than `table.len()`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn look_up(&self, numbers: &[MaybeUninit<u16>; 8]) -> __m128i {
        let cell = |n: usize| {
            // SAFETY: the number is written and less than `table.len()`: this function's contract.
            let unit = *unsafe { element(self.table, numbers[n].assume_init().into()) };
            unit.cast_signed()
        };
        _mm_set_epi16(cell(7), cell(6), cell(5), cell(4), cell(3), cell(2), cell(1), cell(0))
    }

    /// Returns the code units of the first eight of 16 [characters](Block::characters), of which none is malformed.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn units(&self, characters: __m256i) -> __m128i {
        let mut numbers = [MaybeUninit::uninit(); UNITS];
        store_unit_block(self.numbers(characters).0, &mut numbers);
        // SAFETY: `numbers` are results of `self.numbers`.
        unsafe { self.look_up(numbers.first_chunk().expect("16 numbers")) }
    }
}

/// Sets all bits of the surrogates: the cells of unmapped pairs, and of those that only the handler converts.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn surrogates(units: __m128i) -> __m128i {
    let set = |unit: u16| _mm_set1_epi16(unit.cast_signed());
    _mm_cmpeq_epi16(_mm_and_si128(units, set(0xF800)), set(0xD800))
}

/// Sets all bits of the bytes that are in one of the ranges.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn in_ranges([low, high]: [__m256i; 2], [first, second]: [Range; 2]) -> [__m256i; 2] {
    let in_range = |bytes: __m256i, range: Range| {
        let offset = _mm256_sub_epi8(bytes, splat(range.first));
        let last = splat(range.last - range.first);
        _mm256_cmpeq_epi8(offset, _mm256_min_epu8(offset, last))
    };
    let in_ranges = |bytes: __m256i| _mm256_or_si256(in_range(bytes, first), in_range(bytes, second));
    [in_ranges(low), in_ranges(high)]
}
