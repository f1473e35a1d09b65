//! Three passes over up to 512 bytes, each a loop whose steps of 64 bytes do not wait for each other: where characters begin
//! and the pairs' cells, by arithmetic with masks; the code points, by plain loads; ASCII and pairs put together.
//!
//! One pass that does it all is bound by how long a step takes from its first instruction to its last: 2.6 GB/s instead of
//! 4.9 for Japanese. So is one that keeps its counts in memory (4.4) or in which a step begins where the one before said
//! that it ended (2.4). Two gathers of 16 cells take 1.8 times as long as plain loads put together in general registers,
//! and `vpinsrw` from memory 7 times. A step that is mostly
//! ASCII is converted one by one ([`SPARSE`]).

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::super::{
    super::masks::{before_first, leading},
    vector::*,
};
use crate::kernel::{
    Out,
    drivers::{
        ascii::{whole_steps, widened_step},
        one_to_one,
    },
    reference::double_byte as reference,
    tables::Pairs,
};

/// Bytes of a step.
pub(crate) const STEP: usize = 64;
/// Steps of a pass.
pub(crate) const STEPS: usize = 8;
/// Steps of the first pass: an unmapped pair shows only at the end of a pass, so a kernel must not look far ahead before it has
/// converted something.
pub(crate) const FIRST_STEPS: usize = 2;
/// Pairs in a step.
pub(crate) const PAIRS: usize = STEP / 2;
/// So few bytes are converted one by one.
pub(crate) const SHORT: usize = 32;
/// A step with so many bytes of ASCII is converted one by one.
const SPARSE: u32 = 40;

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return reference::decode::to_utf16(pairs, src, out);
    }
    let simd = Avx512::new();
    let mut block = Block::new();
    let (mut at, mut follows) = (0, 0);
    let mut steps = FIRST_STEPS;
    while at < src.len() {
        if pairs.ascii && follows == 0 {
            at += one_to_one(simd, whole_steps(&src[at..], out), out, |src| widened_step(simd, src));
            if is_sparse(&src[at..]) {
                let few = reference::decode::convert(|_, _| 0, pairs, &src[at..at + STEP], out);
                at += few;
                if few > 0 {
                    continue;
                }
            }
        }
        let rest = &src[at..];
        block.find(pairs, rest, &mut follows, steps.min(out.spare_len() / PAIRS + 1));
        steps = STEPS;
        block.look_up(pairs);
        let end = block.put(pairs, rest, out);
        at += end;
        if block.is_last || end < block.end {
            break;
        }
    }
    at
}

/// Whether most of a step is ASCII.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn is_sparse(src: &[u8]) -> bool {
    src.first_chunk::<STEP>().is_some_and(|step| high_bits(load_some(step)).count_zeros() >= SPARSE)
}

/// What one pass leaves for the next.
pub(crate) struct Block {
    pub(crate) steps: [MaybeUninit<Step>; STEPS],
    pub(crate) len: usize,
    /// How far the steps got in the source. A pair's trailing byte may be behind.
    pub(crate) end: usize,
    /// There is nothing to convert behind them.
    pub(crate) is_last: bool,
    /// Bytes above ASCII are characters alone.
    pub(crate) has_singles: bool,
    /// How many characters of two bytes there are in all steps.
    pub(crate) count: usize,
    /// By such a character: the number of its cell in the grid or behind. One step's zeros follow.
    numbers: [MaybeUninit<u16>; (STEPS + 1) * PAIRS],
    pub(crate) cells: [MaybeUninit<u16>; (STEPS + 1) * PAIRS],
}

#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Where in the source.
    pub(crate) at: usize,
    /// Where characters begin, counted from there.
    pub(crate) starts: u64,
    /// Those of two bytes.
    pub(crate) leads: u64,
}

impl Block {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            steps: [const { MaybeUninit::uninit() }; STEPS],
            len: 0,
            end: 0,
            is_last: false,
            has_singles: false,
            count: 0,
            numbers: [const { MaybeUninit::uninit() }; (STEPS + 1) * PAIRS],
            cells: [const { MaybeUninit::uninit() }; (STEPS + 1) * PAIRS],
        }
    }

    /// Finds the characters at the front of `src`, in so many steps at most. `follows` is 1 where the first byte
    /// is the trailing byte of a pair that was found before, and says the same of what is behind the end.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn find(&mut self, pairs: &Pairs, src: &[u8], follows: &mut u64, most: usize) {
        let tables = Tables::new(pairs);
        debug_assert!(most <= STEPS, "there is no room for more");
        let most = most.min(STEPS);
        // Locals: what lies in memory would make each step wait for the one before.
        let (mut at, mut len, mut count, mut end, mut is_last, mut carry) = (0, 0, 0, 0, false, *follows);
        let mut singles = 0;
        while len < most && !is_last {
            let rest = &src[at..];
            let is_tail = rest.len() <= STEP;
            let lanes = if is_tail { first_n(rest.len()) } else { u64::MAX };
            let (bytes, trailing) = (load_some(rest), load_some(rest.get(1..).unwrap_or_default()));
            let upper = high_bits(bytes);
            if pairs.ascii && u64::from(upper as u32) | carry == 0 && at > 0 && rest.len() >= STEP {
                // From here on there may be more ASCII than is worth a look-up.
                break;
            }

            let half = if pairs.ascii { upper } else { lanes & !upper };
            let rows = tables.rows(bytes);
            let mut leads = leading(half & !high_bits(rows) & !carry);
            let mut starts = lanes & !(leads << 1 | carry);
            carry = leads >> 63;
            let nothing = _mm512_cmpeq_epi8_mask(rows, _mm512_set1_epi8(Pairs::NONE.cast_signed()));
            let mut wrong = starts & if pairs.ascii { nothing & half } else { nothing | !half };
            if is_tail {
                // A leading byte without its trailing byte is for the handler.
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
                let place = _pdep_u64(wrong & wrong.wrapping_neg(), leads);
                next = at + place.trailing_zeros() as usize;
                starts &= before_first(place);
                is_last = true;
            }
            leads &= starts;
            singles |= starts & upper & !leads;
            self.steps[len].write(Step { at, starts, leads });
            // SAFETY: a step has at most half as many pairs as bytes, and there is room for one step more.
            unsafe { self.put_numbers(count, numbers) };
            count += leads.count_ones() as usize;
            len += 1;
            (at, end) = (next, next);
        }
        // SAFETY: as above.
        unsafe { self.put_numbers(count, _mm512_setzero_si512()) };
        *follows = if is_last { 0 } else { carry };
        (self.len, self.count, self.end, self.is_last) = (len, count, end, is_last);
        self.has_singles = singles != 0;
    }

    /// Stores the numbers of a step's cells behind `count` others.
    ///
    /// # Safety
    /// There are places for 32 more.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) unsafe fn put_numbers(&mut self, count: usize, numbers: __m512i) {
        // SAFETY: the caller's.
        unsafe { _mm512_storeu_si512(self.numbers.as_mut_ptr().add(count).cast(), numbers) };
    }

    /// What has been found.
    #[inline(always)]
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> {
        // SAFETY: what has found them has written so many.
        self.steps[..self.len].iter().map(|step| unsafe { step.assume_init() })
    }

    /// Looks the cells up, a few more than there are.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn look_up(&mut self, pairs: &Pairs) {
        let grid = &pairs.cells[usize::from(Pairs::GRID)..];
        let mut sixteen = 0;
        while sixteen < self.count {
            for from in [sixteen, sixteen + 4, sixteen + 8, sixteen + 12] {
                // SAFETY: numbers of the grid are stored up to `count`, and zeros for 32 more.
                let cell = |n: usize| unsafe {
                    let number = self.numbers.get_unchecked(from + n).assume_init();
                    u64::from(*grid.get_unchecked(usize::from(number)))
                };
                let four = cell(0) | cell(1) << 16 | (cell(2) << 32 | cell(3) << 48);
                // SAFETY: there are as many places as numbers.
                unsafe { self.cells.as_mut_ptr().add(from).cast::<u64>().write_unaligned(four) };
            }
            sixteen += 16;
        }
        // SAFETY: there are places for a step more than there are cells: what is loaded with the last ones is there, too.
        unsafe { _mm512_storeu_si512(self.cells.as_mut_ptr().add(sixteen).cast(), _mm512_setzero_si512()) };
    }

    /// Whether all pairs are mapped.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn are_mapped(&self) -> bool {
        let mut surrogates = 0;
        for from in (0..self.count).step_by(PAIRS) {
            // SAFETY: cells are there, and zeros for 32 more.
            let cells = unsafe { _mm512_loadu_si512(self.cells.as_ptr().add(from).cast()) };
            surrogates |= self::surrogates(cells) & first_n((self.count - from).min(PAIRS)) as u32;
        }
        surrogates == 0
    }

    /// Writes the characters, up to the first that is unmapped or does not fit; returns where in the source that is.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn put(&self, pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        let mut from = 0;
        for Step { at, mut starts, mut leads } in self.steps() {
            // SAFETY: cells are there, and zeros for 32 more.
            let cells = |from: usize| unsafe { _mm512_loadu_si512(self.cells.as_ptr().add(from).cast()) };
            let first_cells = cells(from);
            let unmapped = u64::from(surrogates(first_cells)) & first_n(leads.count_ones() as usize);
            let mut end = None;
            if unmapped != 0 {
                let place = _pdep_u64(unmapped & unmapped.wrapping_neg(), leads);
                end = Some(place);
                starts &= before_first(place);
            }
            let spare_len = out.spare_len();
            if spare_len < STEP && starts.count_ones() as usize > spare_len {
                let place = _pdep_u64(1 << spare_len, starts);
                end = Some(place);
                starts &= before_first(place);
            }
            leads &= starts;

            let first_bytes = _mm512_maskz_compress_epi8(starts, load_some(&src[at..]));
            let is_pair = _pext_u64(leads, starts);
            let is_single = high_bits(first_bytes) & !is_pair;
            let mut low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(first_bytes));
            let mut high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(first_bytes));
            if is_single != 0 {
                low = _mm512_mask_mov_epi16(low, is_single as u32, singles(pairs, low));
                high = _mm512_mask_mov_epi16(high, (is_single >> 32) as u32, singles(pairs, high));
            }
            let middle = from + (is_pair as u32).count_ones() as usize;
            low = _mm512_mask_expand_epi16(low, is_pair as u32, first_cells);
            high = _mm512_mask_expand_epi16(high, (is_pair >> 32) as u32, cells(middle));
            from += leads.count_ones() as usize;

            let count = starts.count_ones() as usize;
            store_some_units([low, high], count, out.spare());
            // SAFETY: the `count` slots are stored: `count <= room`, as `starts` has no more bits.
            unsafe { out.advance(count) };
            if let Some(place) = end {
                return at + place.trailing_zeros() as usize;
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
    /// The last cell's number.
    last: __m512i,
}

impl Tables {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new(pairs: &Pairs) -> Self {
        let last = pairs.cells.len() - 1 - usize::from(Pairs::GRID);
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

    /// The numbers of 64 leading bytes' rows.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn rows(&self, leading: __m512i) -> __m512i {
        _mm512_permutex2var_epi8(self.row_numbers[0], leading, self.row_numbers[1])
    }

    /// The numbers of 32 pairs' cells, and which trailing bytes end no pair.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn pairs(&self, row: __m256i, trailing: __m512i) -> (__m512i, u32) {
        let column = _mm512_castsi512_si256(_mm512_mask_mov_epi8(
            _mm512_permutex2var_epi8(self.columns[0], trailing, self.columns[1]),
            high_bits(trailing),
            _mm512_permutex2var_epi8(self.columns[2], trailing, self.columns[3]),
        ));
        let row = _mm512_mullo_epi16(_mm512_cvtepu8_epi16(row), self.width);
        let number = _mm512_min_epu16(_mm512_add_epi16(row, _mm512_cvtepu8_epi16(column)), self.last);
        (number, _mm256_cmpeq_epi8_mask(column, _mm256_set1_epi8(Pairs::NONE.cast_signed())))
    }
}

/// Which of 32 units are surrogates.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn surrogates(units: __m512i) -> u32 {
    _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, splat_units(0xF800)), splat_units(0xD800))
}

/// The code points of 32 bytes above ASCII that are characters alone.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn singles(pairs: &Pairs, bytes: __m512i) -> __m512i {
    let (upper, _) = pairs.cells[0x80..].split_first_chunk::<0x80>().expect("cells of all bytes are there");
    // SAFETY: four vectors are in the half.
    let load = |n: usize| unsafe { _mm512_loadu_si512(upper.as_ptr().add(32 * n).cast()) };
    let low = _mm512_permutex2var_epi16(load(0), bytes, load(1));
    let high = _mm512_permutex2var_epi16(load(2), bytes, load(3));
    _mm512_mask_mov_epi16(low, _mm512_test_epi16_mask(bytes, splat_units(0x40)), high)
}
