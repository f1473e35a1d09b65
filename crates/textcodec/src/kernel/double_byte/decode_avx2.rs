//! Two passes over up to 256 bytes, each a loop of independent steps: where characters begin and each one's cell, by mask
//! arithmetic; then the cells, by plain loads.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{Pairs, Range, below, four, leading, scalar};
use crate::kernel::Out;

/// Steps of 64 bytes in a pass.
const STEPS: usize = 4;
/// Up to here, one by one is faster.
const SHORT: usize = 48;
/// Bytes that a step loads.
const SEEN: usize = 64 + 16;
const DIGITS: Range = Range { first: b'0', last: b'9', number: 0 };

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return scalar::to_utf16(pairs, src, out);
    }
    let mut block = Block::new();
    let (mut at, mut carry) = (0, 0);
    loop {
        if pairs.ascii && carry == 0 {
            at += ascii(&src[at..], out);
        }
        let rest = &src[at..];
        if rest.is_empty() {
            return at;
        }
        let begun = carry as usize;
        let done = block.find(pairs, rest, &mut carry, out.room());
        if !block.put(pairs, out) {
            // An unmapped pair, or no room for all.
            let whole = &rest[begun..block.end + carry as usize];
            return at + begun + scalar::to_utf16(pairs, whole, out);
        }
        at += block.end;
        if done {
            return at;
        }
    }
}

/// The ASCII at the front, as far as there are whole steps.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let mut read = 0;
    while let Some(step) = src[read..].first_chunk::<64>()
        && out.room() >= 64
    {
        for n in (0..64).step_by(16) {
            unsafe {
                let units = _mm256_cvtepu8_epi16(_mm_loadu_si128(step[n..].as_ptr().cast()));
                _mm256_storeu_si256(out.spare().add(n).cast(), units);
            }
        }
        let load = |n: usize| unsafe { _mm256_loadu_si256(step[n..].as_ptr().cast()) };
        let run = mask([load(0), load(32)]).trailing_zeros() as usize;
        unsafe { out.advance(run) };
        read += run;
        if run < 64 {
            break;
        }
    }
    read
}

/// Characters of a few steps.
struct Block {
    /// Where the characters end in the source; one byte before where `carry` is set.
    end: usize,
    chars: usize,
    /// By character: the number of its cell.
    numbers: [MaybeUninit<u16>; STEPS * 64 + 8],
}

impl Block {
    #[inline(always)]
    fn new() -> Self {
        Self { end: 0, chars: 0, numbers: [const { MaybeUninit::uninit() }; STEPS * 64 + 8] }
    }

    /// Finds the characters at the front of `src`. `carry` says that the first byte belongs to a character before, and then
    /// whether the first byte behind belongs to the last character. True where there is no more to find.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find(&mut self, pairs: &Pairs, src: &[u8], carry: &mut u64, room: usize) -> bool {
        let cells = Cells::new(pairs);
        let has_singles = pairs.singles[0].first <= pairs.singles[0].last;
        let most = STEPS.min(room / 64).max(1);
        // Locals: what lies in memory would make each step wait for the one before.
        let (mut chars, mut end, mut follows) = (0, 0, *carry);
        let mut done = false;
        for step in 0..most {
            let rest = &src[end..];
            let len = rest.len().min(64);
            let mut copy = [0; SEEN];
            let bytes = if let Some(seen) = rest.first_chunk::<SEEN>() {
                seen
            } else {
                copy[..rest.len()].copy_from_slice(rest);
                &copy
            };
            let load = |from: usize| unsafe { _mm256_loadu_si256(bytes[from..].as_ptr().cast()) };
            let halves = [load(0), load(32)];
            let upper = mask(halves);
            if pairs.ascii && u64::from(upper as u32) | follows == 0 && end > 0 && rest.len() >= 64 {
                break;
            }
            let can_lead = in_ranges(halves, pairs.leading);
            let leads = leading(mask(can_lead) & !follows);
            let can_trail = mask(in_ranges(halves, pairs.trailing));
            let next_can_trail = u64::from(pairs.columns[usize::from(bytes[64])] != Pairs::NONE);
            let whole = leads & (can_trail >> 1 | next_can_trail << 63);
            let mut alone = if pairs.ascii { !upper } else { 0 };
            if has_singles {
                alone |= mask(in_ranges(halves, pairs.singles));
            }
            let mut starts = below(len) & !(leads << 1 | follows);
            follows = leads >> 63;
            let (mut good, mut next) = (whole | alone, end + len);
            let mut has_fours = false;
            if pairs.four != 0 {
                let digits = mask(in_ranges(halves, [DIGITS; 2])) >> 1 | u64::from(bytes[64].is_ascii_digit()) << 63;
                let halves = leads & digits;
                has_fours = halves != 0;
                if has_fours {
                    let firsts = four::firsts(halves);
                    let crossing = firsts >> 61 << 61;
                    if rest.len() > 64 && crossing != 0 {
                        // The next step begins with the four bytes that do not end here.
                        let place = crossing.trailing_zeros() as usize;
                        next = end + place;
                        starts &= below(place);
                        follows = 0;
                    }
                    good |= firsts & halves >> 2;
                    starts &= !(firsts << 2);
                }
            }
            let bad = starts & !good;
            done = rest.len() <= 64;
            if bad != 0 {
                let place = bad.trailing_zeros() as usize;
                next = end + place;
                starts &= below(place);
                follows = 0;
                done = true;
            }
            end = next;
            for n in 0..4 {
                let load = |from: usize| unsafe { _mm_loadu_si128(bytes[16 * n + from..].as_ptr().cast()) };
                let can_lead = can_lead[n / 2];
                let can_lead =
                    if n % 2 == 0 { _mm256_castsi256_si128(can_lead) } else { _mm256_extracti128_si256::<1>(can_lead) };
                let mut numbers = cells.numbers(load(0), load(1), can_lead);
                if has_fours {
                    numbers = cells.fours([load(0), load(1), load(2), load(3)], numbers);
                }
                chars = self.add(chars, _mm256_castsi256_si128(numbers), (starts >> (16 * n)) as u8);
                chars = self.add(chars, _mm256_extracti128_si256::<1>(numbers), (starts >> (16 * n + 8)) as u8);
            }
            if done {
                break;
            }
        }
        unsafe { _mm_storeu_si128(self.numbers[chars..].as_mut_ptr().cast(), _mm_setzero_si128()) };
        (self.chars, self.end, *carry) = (chars, end, follows);
        done
    }

    /// Adds those of eight numbers that `chosen` says to the `chars` that are there; returns how many there are then.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn add(&mut self, chars: usize, numbers: __m128i, chosen: u8) -> usize {
        let chosen = usize::from(chosen);
        unsafe {
            let shuffle = _mm_loadu_si128(SHUFFLES[chosen].as_ptr().cast());
            _mm_storeu_si128(self.numbers.as_mut_ptr().add(chars).cast(), _mm_shuffle_epi8(numbers, shuffle));
        }
        chars + chosen.count_ones() as usize
    }

    /// Writes the characters; false where one is unmapped or not all fit.
    #[inline(always)]
    fn put(&self, pairs: &Pairs, out: &mut Out<'_, u16>) -> bool {
        if out.room() < self.chars.next_multiple_of(8) {
            return false;
        }
        let spare = out.spare();
        let mut wrong = 0;
        let mut n = 0;
        while n < self.chars {
            for n in [n, n + 4] {
                let cell = |m: usize| unsafe {
                    u64::from(*pairs.cells.get_unchecked(usize::from(self.numbers.get_unchecked(n + m).assume_init())))
                };
                let four = cell(0) | cell(1) << 16 | (cell(2) << 32 | cell(3) << 48);
                wrong |= surrogates(four);
                unsafe { spare.add(n).cast::<u64>().write_unaligned(four) };
            }
            n += 8;
        }
        if wrong == 0 {
            unsafe { out.advance(self.chars) };
        }
        wrong == 0
    }
}

/// What makes the numbers of cells.
struct Cells {
    width: __m256i,
    base: __m256i,
    /// From where on the second range is, and what to subtract there.
    leading: [__m256i; 2],
    trailing: [__m256i; 2],
    last: __m256i,
    four: __m256i,
}

impl Cells {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(pairs: &Pairs) -> Self {
        let all = |value: u16| _mm256_set1_epi16(value as i16);
        let origin =
            |range: Range, width: u16| u16::from(range.number).wrapping_sub(range.first.into()).wrapping_mul(width);
        let split = |[low, high]: [Range; 2], width: u16| {
            [all(u16::from(high.first) - 1), all(origin(low, width).wrapping_sub(origin(high, width)))]
        };
        let base = origin(pairs.leading[0], pairs.width).wrapping_add(origin(pairs.trailing[0], 1));
        Self {
            width: all(pairs.width),
            base: all(base.wrapping_add(Pairs::GRID)),
            leading: split(pairs.leading, pairs.width),
            trailing: split(pairs.trailing, 1),
            last: all((pairs.cells.len() - 1) as u16),
            four: all(pairs.four),
        }
    }

    /// The numbers of 16 cells: of pairs where the first byte can lead one, else of the first byte.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn numbers(&self, first: __m128i, second: __m128i, can_lead: __m128i) -> __m256i {
        let (first, second) = (_mm256_cvtepu8_epi16(first), _mm256_cvtepu8_epi16(second));
        let beyond = |byte: __m256i, [from, less]: [__m256i; 2]| _mm256_and_si256(_mm256_cmpgt_epi16(byte, from), less);
        let number = _mm256_add_epi16(_mm256_mullo_epi16(first, self.width), _mm256_add_epi16(second, self.base));
        let number = _mm256_sub_epi16(number, beyond(first, self.leading));
        let number = _mm256_sub_epi16(number, beyond(second, self.trailing));
        let number = _mm256_blendv_epi8(first, number, _mm256_cvtepi8_epi16(can_lead));
        _mm256_min_epu16(number, self.last)
    }
}

impl Cells {
    /// `numbers`, but of four bytes where a leading byte and a digit begin. What is above the BMP gets an unmapped cell.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn fours(&self, bytes: [__m128i; 4], numbers: __m256i) -> __m256i {
        let all = |value: u16| _mm256_set1_epi16(value as i16);
        let [first, second, third, fourth] = [
            _mm256_cvtepu8_epi16(bytes[0]),
            _mm256_cvtepu8_epi16(bytes[1]),
            _mm256_cvtepu8_epi16(bytes[2]),
            _mm256_cvtepu8_epi16(bytes[3]),
        ];
        let number = |leading: __m256i, digit: __m256i| {
            let number = _mm256_add_epi16(_mm256_mullo_epi16(leading, all(10)), digit);
            _mm256_sub_epi16(number, all(0x81 * 10 + b'0' as u16))
        };
        let half = number(first, second);
        let pointer = _mm256_add_epi16(_mm256_mullo_epi16(half, all(four::HALVES)), number(third, fourth));
        let at_most = |value: __m256i, most: u16| _mm256_cmpeq_epi16(_mm256_min_epu16(value, all(most)), value);
        let in_bmp = _mm256_and_si256(at_most(half, four::LAST_HALF), at_most(pointer, four::LAST));
        let cell = _mm256_blendv_epi8(all(Pairs::UNMAPPED), _mm256_add_epi16(pointer, self.four), in_bmp);
        let is_half = _mm256_and_si256(
            _mm256_cmpgt_epi16(first, all(0x80)),
            at_most(_mm256_sub_epi16(second, all(b'0'.into())), 9),
        );
        _mm256_blendv_epi8(numbers, cell, is_half)
    }
}

/// The upper bits of 64 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: [__m256i; 2]) -> u64 {
    u64::from(_mm256_movemask_epi8(low) as u32) | u64::from(_mm256_movemask_epi8(high) as u32) << 32
}

/// All ones where a byte is in one of the ranges.
#[inline]
#[target_feature(enable = "avx2")]
fn in_ranges([low, high]: [__m256i; 2], [first, second]: [Range; 2]) -> [__m256i; 2] {
    let in_range = |bytes: __m256i, range: Range| {
        let offset = _mm256_sub_epi8(bytes, _mm256_set1_epi8(range.first as i8));
        _mm256_cmpeq_epi8(offset, _mm256_min_epu8(offset, _mm256_set1_epi8((range.last - range.first) as i8)))
    };
    let in_ranges = |bytes: __m256i| _mm256_or_si256(in_range(bytes, first), in_range(bytes, second));
    [in_ranges(low), in_ranges(high)]
}

/// Not 0 if one of four units is a surrogate.
#[inline(always)]
fn surrogates(four: u64) -> u64 {
    const ONES: u64 = 0x0001_0001_0001_0001;
    let zero_if_surrogate = four & 0xF800 * ONES ^ 0xD800 * ONES;
    zero_if_surrogate.wrapping_sub(ONES) & !zero_if_surrogate & 0x8000 * ONES
}

/// By mask: what moves the chosen ones of eight units to the front.
static SHUFFLES: [[u8; 16]; 256] = {
    let mut shuffles = [[0; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 8 {
            if mask >> from & 1 == 1 {
                shuffles[mask][to] = 2 * from;
                shuffles[mask][to + 1] = 2 * from + 1;
                to += 2;
            }
            from += 1;
        }
        mask += 1;
    }
    shuffles
};
