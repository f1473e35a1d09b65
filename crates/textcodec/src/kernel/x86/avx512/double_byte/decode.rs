//! Decoding in blocks of up to 512 bytes. Three passes go over each, loops whose steps of 64 bytes do not depend on each other:
//! find the characters and the numbers of the pairs' cells by arithmetic with masks; look the cells up by scalar loads; merge
//! ASCII and pairs.
//!
//! A single pass is bound by the latency of a step. So are steps that begin where the step before ended. Counts in memory are
//! slower than locals. Two gathers of 16 cells take longer than scalar loads that general registers combine, and `vpinsrw` from
//! memory takes longest. A step that is mostly
//! ASCII is converted character by character ([`SPARSE`]).

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::super::{
    super::{
        double_byte::{FIRST_STEPS, SPARSE, STEP, STEPS, is_sparse},
        masks::{before_first, leading},
    },
    vector::*,
};
use crate::kernel::{
    Out,
    block::{block, block_mut, bytes_of_slots, element, values},
    drivers::{
        ascii::{whole_steps, widened_step},
        one_to_one,
    },
    each::Each as _,
    reference::double_byte as reference,
    tables::{ByteOrder, Pairs},
};

/// The maximum number of pairs in a step.
const PAIRS: usize = STEP / 2;
/// Inputs of up to this many bytes are converted character by character: cells `decode/*/ja/16B`.
pub(crate) const SHORT: usize = 32;

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    // Without ASCII, pairs are decoded together with escape sequences: `iso_2022.rs`.
    if src.len() <= SHORT || !pairs.ascii {
        return reference::decode::to_utf16(pairs, src, out);
    }
    let simd = Avx512::new();
    let mut block = Block::new(pairs);
    let (mut at, mut follows) = (0, 0);
    let mut steps = FIRST_STEPS;
    while at < src.len() {
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
        block.find(rest, &mut follows, steps.min(out.spare_len() / PAIRS + 1));
        steps = STEPS;
        let end = block.put(rest, out);
        at += end;
        if block.is_last || end < block.end {
            break;
        }
    }
    at
}

/// The characters that the first two passes over a block found.
///
/// Invariant, except during these passes: `steps[..len]` are written; their `leads` have `count <= len * PAIRS` bits together;
/// and `cells[..count + PAIRS]` are written if `len > 0`.
pub(crate) struct Block<'a> {
    pub(crate) pairs: &'a Pairs,
    steps: [MaybeUninit<Step>; STEPS],
    len: usize,
    /// The offset in the source where the steps end. The trail byte of the last pair may follow.
    pub(crate) end: usize,
    /// Whether nothing after the steps can be converted.
    pub(crate) is_last: bool,
    count: usize,
    /// By pair: the number of its cell in the grid, until the cells are looked up. Zeros for a step follow.
    numbers: [MaybeUninit<u16>; (STEPS + 1) * PAIRS],
    /// By pair: its code point, or a surrogate if it is unmapped.
    cells: [MaybeUninit<u16>; (STEPS + 1) * PAIRS],
}

#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// The offset in the source.
    pub(crate) at: usize,
    /// The bytes that begin characters.
    pub(crate) starts: u64,
    /// The bytes that lead pairs. No two bits are neighbours, so there are up to [`PAIRS`].
    pub(crate) leads: u64,
}

/// The numbers of 32 cells, each of which is in the grid of the pairs that [`Tables`] was made from.
pub(crate) struct Numbers(__m512i);

impl<'a> Block<'a> {
    #[inline(always)]
    pub(crate) fn new(pairs: &'a Pairs) -> Self {
        Self {
            pairs,
            steps: [const { MaybeUninit::uninit() }; STEPS],
            len: 0,
            end: 0,
            is_last: false,
            count: 0,
            numbers: [const { MaybeUninit::uninit() }; (STEPS + 1) * PAIRS],
            cells: [const { MaybeUninit::uninit() }; (STEPS + 1) * PAIRS],
        }
    }

    /// Finds the characters that `src` begins with, in up to `max_steps` steps, and looks up the pairs. The caller keeps
    /// `follows` between two calls. It is 1 if the first byte is the trail byte of a pair that was found before; it is set
    /// to 1 if this holds for the byte after the steps, else to 0.
    #[inline(never)]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn find(&mut self, src: &[u8], follows: &mut u64, max_steps: usize) {
        let pairs = self.pairs;
        let tables = Tables::new(pairs);
        let max_steps = max_steps.min(STEPS);
        // Locals: in memory, they would make each step wait for the one before.
        let (mut at, mut len, mut count, mut end, mut is_last, mut carry) = (0, 0, 0, 0, false, *follows);
        while len < max_steps && !is_last {
            let rest = &src[at..];
            let is_tail = rest.len() <= STEP;
            let lanes = if is_tail { first_n(rest.len()) } else { u64::MAX };
            let (bytes, trailing) = (load_some(rest), load_some(rest.get(1..).unwrap_or_default()));
            let upper = high_bits(bytes);
            if u64::from(upper as u32) | carry == 0 && at > 0 && rest.len() >= STEP {
                // Stop here: more ASCII may follow, and copying ASCII is faster than looking it up.
                break;
            }

            let rows = tables.rows(bytes);
            let mut leads = leading(upper & !high_bits(rows) & !carry);
            let mut starts = lanes & !(leads << 1 | carry);
            carry = leads >> 63;
            let invalid = _mm512_cmpeq_epi8_mask(rows, _mm512_set1_epi8(Pairs::NONE.cast_signed()));
            let mut wrong = starts & invalid & upper;
            if is_tail {
                // A lead byte without its trail byte is for the handler.
                wrong |= leads & !(lanes >> 1);
            }

            let mut next = at + rest.len().min(STEP);
            if wrong != 0 {
                next = at + wrong.trailing_zeros() as usize;
                starts &= before_first(wrong);
                leads &= before_first(wrong);
            }
            is_last = is_tail || wrong != 0;

            let row = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(leads, rows));
            let trailing = _mm512_maskz_compress_epi8(leads, trailing);
            let (numbers, wrong) = tables.pairs(row, trailing);
            let wrong = u64::from(wrong) & first_n(leads.count_ones() as usize);
            if wrong != 0 {
                let first = _pdep_u64(wrong & wrong.wrapping_neg(), leads);
                next = at + first.trailing_zeros() as usize;
                starts &= before_first(first);
                is_last = true;
            }
            leads &= starts;
            // SAFETY: `len < max_steps <= STEPS`, `len` and `count` are those of the steps that were put before, `numbers` is
            // from a table of the block's pairs, and no two bits of `leads` are neighbours, by `leading`.
            unsafe { self.put_step(len, count, Step { at, starts, leads }, &numbers) };
            count += leads.count_ones() as usize;
            len += 1;
            (at, end) = (next, next);
        }
        *follows = if is_last { 0 } else { carry };
        (self.end, self.is_last) = (end, is_last);
        // SAFETY: `len` steps with `count` pairs were put.
        unsafe { self.look_up(len, count) };
    }

    /// Stores a step as number `len` of the block, and the numbers of its pairs after `count` others.
    ///
    /// # Safety
    /// `len < STEPS`, the steps before have `count` pairs, no two bits of `step.leads` are neighbours, and the `numbers` are
    /// from [`Tables`] of the block's pairs.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn put_step(&mut self, len: usize, count: usize, step: Step, numbers: &Numbers) {
        self.steps[len].write(step);
        // SAFETY: `count + PAIRS <= numbers.len()`, which is `(STEPS + 1) * PAIRS`: each of `len < STEPS` steps has up to
        // `PAIRS`.
        store_unit_block(numbers.0, unsafe { block_mut(&mut self.numbers, count) });
    }

    /// Ends the first pass, and looks up the pairs.
    ///
    /// # Safety
    /// `len` steps were [put](Self::put_step), which have `count` pairs.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn look_up(&mut self, len: usize, count: usize) {
        (self.len, self.count) = (len, count);
        // SAFETY: `count + PAIRS <= (STEPS + 1) * PAIRS`: each of `len <= STEPS` steps has up to `PAIRS` pairs.
        store_unit_block(_mm512_setzero_si512(), unsafe { block_mut(&mut self.numbers, count) });
        let grid = &self.pairs.cells()[usize::from(Pairs::GRID)..];
        let mut sixteen = 0;
        while sixteen < count {
            for from in [sixteen, sixteen + 4, sixteen + 8, sixteen + 12] {
                let cell = |n: usize| {
                    // SAFETY: `from + n < count + 16`, and `count + PAIRS` numbers are written. They are 0, or from `Numbers`,
                    // so they are less than `grid.len()`.
                    u64::from(*unsafe { element(grid, element(&self.numbers, from + n).assume_init().into()) })
                };
                let four = cell(0) | cell(1) << 16 | (cell(2) << 32 | cell(3) << 48);
                // SAFETY: `from + 4 <= sixteen + 16 <= STEPS * PAIRS`: `sixteen` and `STEPS * PAIRS` are multiples of 16, and
                // `sixteen < count <= STEPS * PAIRS`.
                let to: &mut [_; 4] = unsafe { block_mut(&mut self.cells, from) };
                if let Some(to) = bytes_of_slots(to).first_chunk_mut() {
                    *to = four.to_le_bytes().map(MaybeUninit::new);
                }
            }
            sixteen += 16;
        }
        // SAFETY: `sixteen + PAIRS <= (STEPS + 1) * PAIRS`: `sixteen` is `count <= STEPS * PAIRS`, rounded up to a multiple of
        // 16, and `STEPS * PAIRS` is such a multiple.
        store_unit_block(_mm512_setzero_si512(), unsafe { block_mut(&mut self.cells, sixteen) });
    }

    /// Returns 32 cells from number `from` on: those of pairs, then any cells up to a multiple of 16, then zeros.
    ///
    /// # Safety
    /// `from <= count`, and `len > 0`.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn cells(&self, from: usize) -> __m512i {
        // SAFETY: the caller promises `from + PAIRS <= count + PAIRS` and `len > 0`. Then that many cells are written, by the
        // invariant.
        load_unit_block(unsafe { values(block(&self.cells, from)) })
    }

    /// Returns whether all pairs are mapped.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn are_mapped(&self) -> bool {
        let mut surrogates = 0;
        for from in (0..self.count).step_by(PAIRS) {
            // SAFETY: `len > 0`, as `from < count`, by the range.
            let cells = unsafe { self.cells(from) };
            surrogates |= self::surrogates(cells) & first_n((self.count - from).min(PAIRS)) as u32;
        }
        surrogates == 0
    }

    /// Writes the characters, up to the first one that is unmapped or does not fit, and returns its offset in the source.
    #[inline(never)]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn put(&self, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        let mut from = 0;
        for step in &self.steps[..self.len] {
            // SAFETY: the invariant.
            let Step { at, mut starts, mut leads } = unsafe { step.assume_init() };
            // SAFETY: `len > 0`, as there is a step. `from <= count`: it is the number of pairs in the steps before, and in a half
            // of this one.
            let cells = |from: usize| unsafe { self.cells(from) };
            let first_cells = cells(from);
            let unmapped = u64::from(surrogates(first_cells)) & first_n(leads.count_ones() as usize);
            let mut end = None;
            if unmapped != 0 {
                let first = _pdep_u64(unmapped & unmapped.wrapping_neg(), leads);
                end = Some(first);
                starts &= before_first(first);
            }
            let spare_len = out.spare_len();
            if spare_len < STEP && starts.count_ones() as usize > spare_len {
                let first = _pdep_u64(1 << spare_len, starts);
                end = Some(first);
                starts &= before_first(first);
            }
            leads &= starts;

            let first_bytes = _mm512_maskz_compress_epi8(starts, load_some(&src[at..]));
            let is_pair = _pext_u64(leads, starts);
            let is_single = high_bits(first_bytes) & !is_pair;
            let mut low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(first_bytes));
            let mut high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(first_bytes));
            if is_single != 0 {
                low = _mm512_mask_mov_epi16(low, is_single as u32, singles(self.pairs, low));
                high = _mm512_mask_mov_epi16(high, (is_single >> 32) as u32, singles(self.pairs, high));
            }
            let middle = from + (is_pair as u32).count_ones() as usize;
            low = _mm512_mask_expand_epi16(low, is_pair as u32, first_cells);
            high = _mm512_mask_expand_epi16(high, (is_pair >> 32) as u32, cells(middle));
            from += leads.count_ones() as usize;

            let count = starts.count_ones() as usize;
            // SAFETY: only initialised values are stored in the slots.
            store_some_units([low, high], count, unsafe { out.spare() });
            // SAFETY: `count <= spare_len`, by the cut of `starts` above, so `store_some_units` has written the first `count`
            // slots.
            unsafe { out.advance(count) };
            if let Some(first) = end {
                return at + first.trailing_zeros() as usize;
            }
        }
        self.end
    }
}

/// [`Pairs`] in vectors.
pub(crate) struct Tables {
    row_numbers: [__m512i; 2],
    columns: [__m512i; 4],
    width: __m512i,
    /// The number of the last cell in the grid.
    last: __m512i,
}

impl Tables {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new(pairs: &Pairs) -> Self {
        let last = pairs.cells().len() - 1 - usize::from(Pairs::GRID);
        Self {
            row_numbers: [load_some(&pairs.row_numbers), load_some(&pairs.row_numbers[64..])],
            columns: [
                load_some(&pairs.columns),
                load_some(&pairs.columns[64..]),
                load_some(&pairs.columns[128..]),
                load_some(&pairs.columns[192..]),
            ],
            width: splat_units(pairs.width),
            last: splat_units(last as u16),
        }
    }

    /// Returns the numbers of the rows of 64 lead bytes.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn rows(&self, leading: __m512i) -> __m512i {
        _mm512_permutex2var_epi8(self.row_numbers[0], leading, self.row_numbers[1])
    }

    /// Returns the numbers of the cells of 32 pairs, and the trail bytes that end no pair.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn pairs(&self, row: __m256i, trailing: __m512i) -> (Numbers, u32) {
        let column = _mm512_castsi512_si256(_mm512_mask_mov_epi8(
            _mm512_permutex2var_epi8(self.columns[0], trailing, self.columns[1]),
            high_bits(trailing),
            _mm512_permutex2var_epi8(self.columns[2], trailing, self.columns[3]),
        ));
        let row = _mm512_mullo_epi16(_mm512_cvtepu8_epi16(row), self.width);
        let number = _mm512_min_epu16(_mm512_add_epi16(row, _mm512_cvtepu8_epi16(column)), self.last);
        (Numbers(number), _mm256_cmpeq_epi8_mask(column, _mm256_set1_epi8(Pairs::NONE.cast_signed())))
    }
}

/// Returns which of 32 units are surrogates.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn surrogates(units: __m512i) -> u32 {
    _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, splat_units(0xF800)), splat_units(0xD800))
}

/// Returns the code points of 32 bytes above ASCII that are characters by themselves.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn singles(pairs: &Pairs, bytes: __m512i) -> __m512i {
    let (upper, _) = pairs.cells()[0x80..].split_first_chunk::<0x80>().expect("cells of all bytes are there");
    let [a, b, c, d] = [0, 1, 2, 3].each(|n| load_unit_block(&upper.as_chunks().0[n]));
    let low = _mm512_permutex2var_epi16(a, bytes, b);
    let high = _mm512_permutex2var_epi16(c, bytes, d);
    _mm512_mask_mov_epi16(low, _mm512_test_epi16_mask(bytes, splat_units(0x40)), high)
}
