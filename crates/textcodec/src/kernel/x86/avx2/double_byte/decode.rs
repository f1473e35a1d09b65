//! Decoding in blocks of up to 512 bytes. Two passes go over each, loops whose steps of 64 bytes do not depend on each other:
//! find the characters and the numbers of their cells by arithmetic with masks; look the cells up by scalar loads. ASCII
//! characters have cells, too.
//!
//! Keeping counts in memory instead of locals costs 4 %, and blocks of half the length cost 4 to 9 %.
//!
//! Finding the characters in up to 64 bytes by masks, and converting each without a branch on its length, was slower. To
//! UTF-16 on Sapphire Rapids that took 36 ns instead of 19 for 16 bytes of Chinese, and 38 instead of 50 for Korean, whose
//! words are short; to UTF-8 it took 54 instead of 28 and 59 instead of 49. Masks take as long to start as the loop over pairs
//! takes to end.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::super::{
    super::{
        double_byte::{FIRST_STEPS, SPARSE, STEP, STEPS},
        masks::{before_first, leading},
    },
    vector::*,
};
use crate::kernel::{
    Out,
    block::{block_mut, bytes_of_slots, element},
    compaction,
    drivers::{
        ascii::{whole_steps, widened_step},
        one_to_one,
    },
    each::Each as _,
    reference::double_byte as reference,
    tables::{ByteOrder, FirstByte, Pairs, Range},
};

/// Bytes that a step loads.
pub(crate) const LOADED: usize = STEP + 16;
/// Inputs of up to this many bytes are converted character by character: cells `decode/*/ja/16B`.
pub(crate) const SHORT: usize = 48;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return reference::decode::to_utf16(pairs, src, out);
    }
    let simd = Avx2::new();
    let mut block = Block::new(pairs);
    let (mut at, mut follows) = (0, 0);
    let mut steps = FIRST_STEPS;
    loop {
        if pairs.ascii && follows == 0 {
            at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| widened_step(simd, ByteOrder::Little, src));
            if is_sparse(&src[at..]) {
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
            // The next character is unmapped.
            Some(count) => return at + from + byte_len(pairs, &rest[from..], count),
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

/// Returns whether most of a step is ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn is_sparse(src: &[u8]) -> bool {
    src.first_chunk().is_some_and(|step| high_bits_of_two(load_two(step)).count_zeros() >= SPARSE)
}

/// The characters that the first pass over a block found.
///
/// Invariant, except during the first pass: `numbers[..count + 8]` are written, and each is less than `pairs.cells.len()`.
pub(crate) struct Block<'a> {
    pub(crate) pairs: &'a Pairs,
    /// The offset in the source where the steps end. The trail byte of the last pair may follow.
    pub(crate) end: usize,
    /// Whether nothing after the steps can be converted.
    pub(crate) is_last: bool,
    count: usize,
    /// By character: the number of its cell. Zeros for eight more follow.
    numbers: [MaybeUninit<u16>; STEPS * STEP + 8],
}

/// The numbers of 16 cells, each of which is less than the number of cells of the pairs that [`Cells`] was made from.
pub(crate) struct Numbers(__m256i);

impl<'a> Block<'a> {
    #[inline(always)]
    pub(crate) fn new(pairs: &'a Pairs) -> Self {
        let numbers = [const { MaybeUninit::uninit() }; STEPS * STEP + 8];
        let mut block = Self { pairs, end: 0, is_last: false, count: 0, numbers };
        block.numbers[..8].fill(MaybeUninit::new(0));
        block
    }

    /// Finds the characters that `src` begins with, in up to `max_steps` steps. The caller keeps `follows` between two calls.
    /// It is 1 if the first byte is the trail byte of a pair that was found before; it is set to 1 if this holds for the
    /// byte after the steps, else to 0.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn find(&mut self, src: &[u8], follows: &mut u64, max_steps: usize) {
        let pairs = self.pairs;
        let cells = Cells::new(pairs);
        // Locals: in memory, they would make each step wait for the one before.
        let (mut at, mut count, mut is_last, mut carry) = (0, 0, false, *follows);
        for _ in 0..max_steps.min(STEPS) {
            let rest = &src[at..];
            let len = rest.len().min(STEP);
            let mut copy = [0; LOADED];
            let bytes = match rest.first_chunk::<LOADED>() {
                Some(bytes) => bytes,
                None => {
                    copy[..rest.len()].copy_from_slice(rest);
                    &copy
                }
            };
            let (step, next_byte) = (load_two(bytes.first_chunk().expect("64 bytes and more")), bytes[STEP]);
            let upper = high_bits_of_two(step);
            if pairs.ascii && u64::from(upper as u32) | carry == 0 && at > 0 && rest.len() >= STEP {
                // Stop here: more ASCII may follow, and copying ASCII is faster than looking it up.
                break;
            }

            let can_lead = in_ranges(step, pairs.leading);
            let leads = leading(high_bits_of_two(can_lead) & !carry);
            let next_ends = u64::from(pairs.columns[usize::from(next_byte)] != Pairs::NONE);
            let mut right = leads & (high_bits_of_two(in_ranges(step, pairs.trailing)) >> 1 | next_ends << 63);
            if pairs.ascii {
                right |= !upper;
            }
            if let Some(singles) = pairs.singles {
                right |= high_bits_of_two(in_ranges(step, singles));
            }
            let mut starts = first_n(len) & !(leads << 1 | carry);
            carry = leads >> 63;

            let mut next = at + len;
            let wrong = starts & !right;
            if wrong != 0 {
                next = at + wrong.trailing_zeros() as usize;
                starts &= before_first(wrong);
                carry = 0;
            }
            is_last = rest.len() <= STEP || wrong != 0;
            at = next;

            for (n, loaded) in bytes.windows(19).step_by(16).take(4).enumerate() {
                let can_lead = part(can_lead, n);
                let numbers = cells.numbers([widened_at(loaded, 0), widened_at(loaded, 1)], can_lead);
                // SAFETY: `count <= STEPS * STEP - 16`: each of these 16 bytes and of those before begins up to one character,
                // and there are up to `STEPS` steps. `count` is that of the calls before, and `cells` is of the block's pairs.
                count += unsafe { self.put_chosen(count, &numbers, (starts >> (16 * n)) as u16) };
            }
            if is_last {
                break;
            }
        }
        *follows = carry;
        // SAFETY: `count` numbers were put.
        unsafe { self.end_at(at, count, is_last) };
    }

    /// Stores those of 16 numbers whose bits are set in `chosen` after `count` others; returns how many.
    ///
    /// # Safety
    /// `count <= STEPS * STEP - 16`, all calls since the last [`end_at`](Self::end_at) returned `count` together, and the
    /// `numbers` are from [`Cells`] of the block's pairs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn put_chosen(&mut self, count: usize, numbers: &Numbers, chosen: u16) -> usize {
        let halves = [_mm256_castsi256_si128(numbers.0), _mm256_extracti128_si256::<1>(numbers.0)];
        let mut put = 0;
        for (numbers, chosen) in halves.into_iter().zip(chosen.to_le_bytes()) {
            let shuffle = load_half(&compaction::UNITS[usize::from(chosen)]);
            // SAFETY: `count + put + 8 <= numbers.len()`, which is `STEPS * STEP + 8`: `put <= 8`.
            let to = unsafe { block_mut(&mut self.numbers, count + put) };
            store_half_units(_mm_shuffle_epi8(numbers, shuffle), to);
            put += chosen.count_ones() as usize;
        }
        put
    }

    /// Replaces a number that was put by that of U+0000.
    #[inline(always)]
    pub(crate) fn clear(&mut self, number: usize) {
        self.numbers[number] = MaybeUninit::new(0);
    }

    /// Ends the first pass.
    ///
    /// # Safety
    /// `count` numbers were [put](Self::put_chosen).
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn end_at(&mut self, end: usize, count: usize, is_last: bool) {
        (self.end, self.is_last, self.count) = (end, is_last, count);
        self.numbers[count..count + 8].fill(MaybeUninit::new(0));
    }

    /// Writes the characters, up to the first one that is unmapped, and returns how many. Returns `None` if the destination has
    /// fewer than `count` slots, rounded up to a multiple of eight.
    #[inline(always)]
    pub(crate) fn put(&self, out: &mut Out<'_, u16>) -> Option<usize> {
        // SAFETY: only initialised values are stored in the slots.
        let count = self.write(unsafe { out.spare() })?;
        // SAFETY: `write` has written the first `count` spare slots.
        unsafe { out.advance(count) };
        Some(count)
    }

    /// [`put`](Self::put) for all characters or none.
    #[inline(always)]
    pub(crate) fn put_all(&self, out: &mut Out<'_, u16>) -> bool {
        // SAFETY: only initialised values are stored in the slots.
        let is_all = self.write(unsafe { out.spare() }) == Some(self.count);
        if is_all {
            // SAFETY: `write` has written the first `count` spare slots.
            unsafe { out.advance(self.count) };
        }
        is_all
    }

    /// Writes the characters to `to`, if they fit, and returns how many precede the first one that is unmapped.
    #[inline(always)]
    pub(crate) fn write(&self, to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        let to = to.get_mut(..self.count.next_multiple_of(8))?;
        // A local, because stores to `to` might change a field.
        let cells = self.pairs.cells;
        let cell = |n: usize| {
            // SAFETY: `n < to.len() < count + 8`, and that many numbers are written and less than `cells.len()`, by the
            // invariant.
            u64::from(*unsafe { element(cells, element(&self.numbers, n).assume_init().into()) })
        };
        let mut unmapped = 0;
        for (n, to) in to.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (half, to) in bytes_of_slots(to).as_chunks_mut().0.iter_mut().enumerate() {
                let n = 8 * n + 4 * half;
                let four = cell(n) | cell(n + 1) << 16 | (cell(n + 2) << 32 | cell(n + 3) << 48);
                unmapped |= surrogates(four);
                *to = four.to_le_bytes().map(MaybeUninit::new);
            }
        }
        if unmapped == 0 {
            return Some(self.count);
        }
        // SAFETY: the loop has written all of `to`, whose length is a multiple of 8.
        let is_mapped = |cell: &&MaybeUninit<u16>| unsafe { cell.assume_init() } & 0xF800 != 0xD800;
        Some(to[..self.count].iter().take_while(is_mapped).count())
    }

    /// Returns how many characters were found.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

/// Returns how many bytes the first `count` characters of `src` have.
pub(crate) fn byte_len(pairs: &Pairs, src: &[u8], count: usize) -> usize {
    let next = |at: usize| at + if pairs.first_byte(src[at]) == FirstByte::Lead { 2 } else { 1 };
    (0..count).fold(0, |at, _| next(at))
}

impl Numbers {
    /// Returns the cells of the first eight numbers.
    ///
    /// # Safety
    /// The numbers are from [`Cells`] of these pairs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn first_eight(&self, pairs: &Pairs) -> [u64; 2] {
        [_mm256_extract_epi64::<0>(self.0), _mm256_extract_epi64::<1>(self.0)].each(|numbers| {
            let cell = |n: u32| {
                // SAFETY: each number is less than `cells.len()`: this function's contract.
                u64::from(*unsafe { element(pairs.cells, usize::from((numbers.cast_unsigned() >> (16 * n)) as u16)) })
            };
            cell(0) | cell(1) << 16 | (cell(2) << 32 | cell(3) << 48)
        })
    }
}

/// Computes the numbers of cells.
pub(crate) struct Cells {
    width: __m256i,
    base: __m256i,
    /// The last byte before the second range, and what to subtract from that range on.
    leading: [__m256i; 2],
    trailing: [__m256i; 2],
    last: __m256i,
}

impl Cells {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new(pairs: &Pairs) -> Self {
        let origin =
            |range: Range, width: u16| u16::from(range.number).wrapping_sub(range.first.into()).wrapping_mul(width);
        let split = |[low, high]: [Range; 2], width: u16| {
            [splat_units(u16::from(high.first) - 1), splat_units(origin(low, width).wrapping_sub(origin(high, width)))]
        };
        let base = origin(pairs.leading[0], pairs.width).wrapping_add(origin(pairs.trailing[0], 1));
        Self {
            width: splat_units(pairs.width),
            base: splat_units(base.wrapping_add(Pairs::GRID)),
            leading: split(pairs.leading, pairs.width),
            trailing: split(pairs.trailing, 1),
            last: splat_units((pairs.cells.len() - 1) as u16),
        }
    }

    /// Returns the numbers of the cells of 16 characters: of the pair if the first byte can lead one, else of the first byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn numbers(&self, [first, second]: [__m256i; 2], can_lead: __m128i) -> Numbers {
        let beyond = |byte: __m256i, [from, less]: [__m256i; 2]| _mm256_and_si256(_mm256_cmpgt_epi16(byte, from), less);
        let number = _mm256_add_epi16(_mm256_mullo_epi16(first, self.width), _mm256_add_epi16(second, self.base));
        let number = _mm256_sub_epi16(number, beyond(first, self.leading));
        let number = _mm256_sub_epi16(number, beyond(second, self.trailing));
        let number = _mm256_blendv_epi8(first, number, _mm256_cvtepi8_epi16(can_lead));
        Numbers(_mm256_min_epu16(number, self.last))
    }
}

/// Returns the 16 bytes from `from` on in lanes of 16 bits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn widened_at(loaded: &[u8], from: usize) -> __m256i {
    _mm256_cvtepu8_epi16(load_half(loaded[from..].first_chunk().expect("the bytes are loaded")))
}

/// Returns the `n`-th 16 of 64 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn part([low, high]: [__m256i; 2], n: usize) -> __m128i {
    let half = if n < 2 { low } else { high };
    if n.is_multiple_of(2) { _mm256_castsi256_si128(half) } else { _mm256_extracti128_si256::<1>(half) }
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

/// Returns a number that is not 0 if one of four units is a surrogate.
#[inline(always)]
fn surrogates(four: u64) -> u64 {
    const ONES: u64 = 0x0001_0001_0001_0001;
    let zero_if_surrogate = four & (0xF800 * ONES) ^ (0xD800 * ONES);
    zero_if_surrogate.wrapping_sub(ONES) & !zero_if_surrogate & (0x8000 * ONES)
}
