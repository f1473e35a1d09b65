//! Three passes over up to 512 bytes, each a loop of independent steps: where characters begin and the pairs' pointers, by mask
//! arithmetic; the code points, by plain loads; ASCII and pairs put together.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{Pairs, below, four, leading, scalar};
use crate::kernel::Out;

/// Steps of 64 bytes in a pass.
const STEPS: usize = 8;
/// Up to here, one by one is faster.
const SHORT: usize = 32;
/// Pairs in a step.
const PAIRS: usize = 32;

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    if src.len() <= SHORT {
        return scalar::to_utf16(pairs, src, out);
    }
    let mut block = Block::new();
    let (mut at, mut carry) = (0, 0);
    while at < src.len() {
        let stop = block.find(pairs, &src[at..], &mut carry, out.room());
        block.look_up(&pairs.cells[usize::from(Pairs::GRID)..]);
        let end = block.put(pairs, &src[at..], out);
        at += end;
        if stop || end < block.end {
            break;
        }
    }
    at
}

#[derive(Clone, Copy)]
struct Step {
    at: usize,
    starts: u64,
    leads: u64,
}

struct Block {
    steps: [MaybeUninit<Step>; STEPS],
    len: usize,
    /// How far the steps got.
    end: usize,
    pairs: usize,
    pointers: [MaybeUninit<u16>; STEPS * PAIRS + PAIRS],
    code_points: [MaybeUninit<u16>; STEPS * PAIRS + PAIRS],
}

impl Block {
    #[inline(always)]
    fn new() -> Self {
        Self {
            steps: [const { MaybeUninit::uninit() }; STEPS],
            len: 0,
            end: 0,
            pairs: 0,
            pointers: [const { MaybeUninit::uninit() }; STEPS * PAIRS + PAIRS],
            code_points: [const { MaybeUninit::uninit() }; STEPS * PAIRS + PAIRS],
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn find(&mut self, pairs: &Pairs, src: &[u8], carry: &mut u64, room: usize) -> bool {
        let load = |bytes: *const u8| unsafe { _mm512_loadu_si512(bytes.cast()) };
        let row_numbers = [load(pairs.row_numbers.as_ptr()), load(pairs.row_numbers[64..].as_ptr())];
        let columns = [
            load(pairs.columns.as_ptr()),
            load(pairs.columns[64..].as_ptr()),
            load(pairs.columns[128..].as_ptr()),
            load(pairs.columns[192..].as_ptr()),
        ];
        let width = _mm512_set1_epi16(pairs.width as i16);
        let last = _mm512_set1_epi16((pairs.cells.len() - 1 - usize::from(Pairs::GRID)) as i16);
        let none = _mm512_set1_epi8(-1);

        static NEXT_LANES: [u16; 32] = {
            let mut lanes = [31; 32];
            let mut n = 0;
            while n < 31 {
                lanes[n] = n as u16 + 1;
                n += 1;
            }
            lanes
        };
        let next_lanes = load(NEXT_LANES.as_ptr().cast());
        let most = STEPS.min(room / PAIRS + 1);
        // Locals: what lies in memory would make each step wait for the one before.
        let (mut len, mut at, mut found, mut follows) = (0, 0, 0, *carry);
        let mut stop = None;
        let mut end = 0;
        while len < most && stop.is_none() {
            let rest = &src[at..];
            let is_tail = rest.len() <= 64;
            let (bytes, following, lanes) = if is_tail {
                let lanes = below(rest.len());
                unsafe {
                    (
                        _mm512_maskz_loadu_epi8(lanes, rest.as_ptr().cast()),
                        _mm512_maskz_loadu_epi8(lanes >> 1, rest.as_ptr().wrapping_add(1).cast()),
                        lanes,
                    )
                }
            } else {
                (load(rest.as_ptr()), load(rest[1..].as_ptr()), u64::MAX)
            };
            let upper = _mm512_movepi8_mask(bytes);
            if pairs.ascii && upper | follows == 0 && at > 0 && rest.get(64..128).is_some_and(<[u8]>::is_ascii) {
                // A long run of ASCII is for its own kernel.
                stop = Some(0);
                end = at;
                break;
            }
            let half = if pairs.ascii { upper } else { lanes & !upper };
            let rows = _mm512_permutex2var_epi8(row_numbers[0], bytes, row_numbers[1]);
            let mut leads = leading(half & !_mm512_movepi8_mask(rows) & !follows);
            let mut starts = lanes & !(leads << 1 | follows);
            follows = leads >> 63;
            let bad = _mm512_cmpeq_epi8_mask(rows, none) & half;
            let mut bad = starts & if pairs.ascii { bad } else { bad | !half };
            let mut next = at + 64;
            let mut halves = 0;
            let mut firsts = 0;
            if pairs.four != 0 {
                let digit =
                    _mm512_cmplt_epu8_mask(_mm512_sub_epi8(bytes, _mm512_set1_epi8(b'0' as i8)), _mm512_set1_epi8(10));
                let next_digit = rest.get(64).is_some_and(u8::is_ascii_digit);
                halves = leads & (digit >> 1 | u64::from(next_digit) << 63);
                if halves != 0 {
                    firsts = four::firsts(halves);
                    let crossing = if is_tail { 0 } else { firsts >> 61 << 61 };
                    if crossing != 0 {
                        // The next step begins with the four bytes that do not end here.
                        let end = crossing.trailing_zeros() as usize;
                        next = at + end;
                        starts &= below(end);
                        leads &= starts;
                        firsts &= starts;
                        halves &= starts;
                        follows = 0;
                    }
                    bad |= firsts & !(halves >> 2);
                    starts &= !(firsts << 2);
                }
            }
            if is_tail {
                // A leading byte without its trailing byte is for the handler.
                bad |= leads & !(lanes >> 1);
                stop = Some(rest.len());
            }
            if bad != 0 {
                let end = bad.trailing_zeros() as usize;
                starts &= below(end);
                leads &= below(end);
                firsts &= below(end);
                stop = Some(end);
            }
            let row = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(leads, rows));
            let trailing = _mm512_maskz_compress_epi8(leads, following);
            let column = _mm512_mask_mov_epi8(
                _mm512_permutex2var_epi8(columns[0], trailing, columns[1]),
                _mm512_movepi8_mask(trailing),
                _mm512_permutex2var_epi8(columns[2], trailing, columns[3]),
            );
            let column = _mm512_castsi512_si256(column);
            let wrong = _mm256_cmpeq_epi8_mask(column, _mm256_set1_epi8(-1));
            let mut wrong = u64::from(wrong) & below(leads.count_ones() as usize);
            let pointers =
                _mm512_add_epi16(_mm512_mullo_epi16(_mm512_cvtepu8_epi16(row), width), _mm512_cvtepu8_epi16(column));
            let mut pointers = _mm512_min_epu16(pointers, last);
            if halves != 0 {
                let first = _pext_u64(firsts, leads);
                let digits = _mm512_sub_epi16(
                    _mm512_cvtepu8_epi16(_mm512_castsi512_si256(trailing)),
                    _mm512_set1_epi16(b'0'.into()),
                );
                let numbers =
                    _mm512_add_epi16(_mm512_mullo_epi16(_mm512_cvtepu8_epi16(row), _mm512_set1_epi16(10)), digits);
                let seconds = _mm512_permutexvar_epi16(next_lanes, numbers);
                let fours =
                    _mm512_add_epi16(_mm512_mullo_epi16(numbers, _mm512_set1_epi16(four::HALVES as i16)), seconds);
                let above = _mm512_cmpgt_epu16_mask(numbers, _mm512_set1_epi16(four::LAST_HALF as i16))
                    | _mm512_cmpgt_epu16_mask(fours, _mm512_set1_epi16(four::LAST as i16));
                wrong = wrong & !(first | first << 1) | u64::from(above) & first;
                let cells = _mm512_add_epi16(fours, _mm512_set1_epi16((pairs.four - Pairs::GRID) as i16));
                pointers = _mm512_mask_mov_epi16(pointers, first as u32, cells);
                pointers = _mm512_maskz_compress_epi16(!(first << 1) as u32, pointers);
            }
            if wrong != 0 {
                let place = _pdep_u64(wrong & wrong.wrapping_neg(), leads);
                starts &= place - 1;
                stop = Some(place.trailing_zeros() as usize);
            }
            leads &= starts;
            self.steps[len].write(Step { at, starts, leads });
            unsafe { _mm512_storeu_si512(self.pointers.as_mut_ptr().add(found).cast(), pointers) };
            found += leads.count_ones() as usize;
            len += 1;
            end = at + stop.unwrap_or(0);
            at = next;
        }
        unsafe { _mm512_storeu_si512(self.pointers[found..].as_mut_ptr().cast(), _mm512_setzero_si512()) };
        *carry = follows;
        (self.len, self.pairs) = (len, found);
        self.end = if stop.is_some() { end } else { at };
        stop.is_some()
    }

    #[inline(always)]
    fn look_up(&mut self, table: &[u16]) {
        let mut n = 0;
        while n < self.pairs {
            for n in (n..n + 16).step_by(4) {
                let at = |m: usize| unsafe {
                    u64::from(*table.get_unchecked(usize::from(self.pointers.get_unchecked(n + m).assume_init())))
                };
                let four = at(0) | at(1) << 16 | (at(2) << 32 | at(3) << 48);
                unsafe { self.code_points.as_mut_ptr().add(n).cast::<u64>().write_unaligned(four) };
            }
            n += 16;
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn put(&self, pairs: &Pairs, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        let mut from = 0;
        for n in 0..self.len {
            let Step { at, mut starts, mut leads } = unsafe { self.steps[n].assume_init() };
            let rest = &src[at..];
            let bytes = if rest.len() >= 64 {
                unsafe { _mm512_loadu_si512(rest.as_ptr().cast()) }
            } else {
                unsafe { _mm512_maskz_loadu_epi8(below(rest.len()), rest.as_ptr().cast()) }
            };
            let room = out.room();
            let mut end = usize::MAX;
            if room < 64 && starts.count_ones() as usize > room {
                end = at + _pdep_u64(1 << room, starts).trailing_zeros() as usize;
                starts &= _pdep_u64(1 << room, starts) - 1;
                leads &= starts;
            }
            let found = |from: usize| unsafe { _mm512_loadu_si512(self.code_points[from..].as_ptr().cast()) };
            let first_found = found(from);
            let wrong = _mm512_cmpeq_epi16_mask(
                _mm512_and_si512(first_found, _mm512_set1_epi16(0xF800_u16 as i16)),
                _mm512_set1_epi16(0xD800_u16 as i16),
            );
            let wrong = u64::from(wrong) & below(leads.count_ones() as usize);
            if wrong != 0 {
                let place = _pdep_u64(wrong & wrong.wrapping_neg(), leads);
                end = at + place.trailing_zeros() as usize;
                starts &= place - 1;
                leads &= starts;
            }
            let chars = starts.count_ones() as usize;
            let firsts = _mm512_maskz_compress_epi8(starts, bytes);
            let is_pair = _pext_u64(leads, starts);
            let mut low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(firsts));
            let mut high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(firsts));
            let upper = _mm512_movepi8_mask(firsts);
            let alone = upper & !is_pair;
            if alone != 0 {
                low = _mm512_mask_mov_epi16(low, alone as u32, singles(pairs, low));
                high = _mm512_mask_mov_epi16(high, (alone >> 32) as u32, singles(pairs, high));
            }
            low = _mm512_mask_expand_epi16(low, is_pair as u32, first_found);
            let middle = from + (is_pair as u32).count_ones() as usize;
            high = _mm512_mask_expand_epi16(high, (is_pair >> 32) as u32, found(middle));
            from += leads.count_ones() as usize;
            unsafe {
                if room >= 64 {
                    _mm512_storeu_si512(out.spare().cast(), low);
                    _mm512_storeu_si512(out.spare().add(32).cast(), high);
                } else {
                    _mm512_mask_storeu_epi16(out.spare().cast(), below(chars) as u32, low);
                    if chars > 32 {
                        _mm512_mask_storeu_epi16(out.spare().add(32).cast(), (below(chars) >> 32) as u32, high);
                    }
                }
                out.advance(chars);
            }
            if end != usize::MAX {
                return end;
            }
        }
        self.end
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn singles(pairs: &Pairs, bytes: __m512i) -> __m512i {
    let load = |n: usize| unsafe { _mm512_loadu_si512(pairs.cells[128 + 32 * n..].as_ptr().cast()) };
    let low = _mm512_permutex2var_epi16(load(0), bytes, load(1));
    let high = _mm512_permutex2var_epi16(load(2), bytes, load(3));
    _mm512_mask_mov_epi16(low, _mm512_test_epi16_mask(bytes, _mm512_set1_epi16(0x40)), high)
}
