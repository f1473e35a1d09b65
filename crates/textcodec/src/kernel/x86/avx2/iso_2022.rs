//! As without escape sequences, in the same passes: where which set is in force is arithmetic with masks, too.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    super::iso_2022::{Before, Bytes},
    ascii,
    double_byte::decode::{Block, Cells, FIRST_STEPS, SEEN, SHORT, STEP, STEPS, in_ranges, seen_at},
    utf16,
    vector::*,
};
use crate::kernel::{
    Out,
    reference::{double_byte::decode::Form, iso_2022 as reference},
    tables::{EscapeState, EscapedPairs},
};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let ascii = |src: &[u8], out: &mut Out<'_, u16>| ascii::to_utf16(escapes.ascii(src, out, prefix), out);
    let put = |block: &Block, out: &mut Out<'_, u16>| block.put_all(&escapes.pairs, out);
    convert(ascii, |spare_len| spare_len / STEP, put, escapes, state, src, out)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let ascii = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(escapes.ascii(src, out, prefix), out);
    let put = |block: &Block, out: &mut Out<'_, u8>| {
        let mut stage = [const { MaybeUninit::uninit() }; STEPS * STEP + 8];
        let mut stage = Out::uninit(&mut stage);
        let is_put = block.put_all(&escapes.pairs, &mut stage);
        let converted = utf16::to_utf8(stage.written(), out);
        assert_eq!(converted, stage.filled(), "so many steps surely fit");
        is_put
    };
    convert(ascii, |spare_len| spare_len / (3 * STEP), put, escapes, state, src, out)
}

/// `steps` says how many steps surely fit, and `put` writes what is found, or nothing and false.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn convert<F: Form>(
    ascii: impl Fn(&[u8], &mut Out<'_, F>) -> usize,
    steps: impl Fn(usize) -> usize,
    put: impl Fn(&Block, &mut Out<'_, F>) -> bool,
    escapes: &EscapedPairs,
    state: &mut EscapeState,
    src: &[u8],
    out: &mut Out<'_, F>,
) -> usize {
    let mut block = Block::new();
    let mut at = 0;
    let mut allowed = FIRST_STEPS;
    loop {
        let rest = &src[at..];
        let most = steps(out.spare_len()).min(allowed);
        if rest.len() <= SHORT || most == 0 {
            return at + reference::convert(ascii, escapes, state, rest, out);
        }
        if !state.pairs && ascii::prefix_without(escapes.excluded, &rest[..SHORT]) == SHORT {
            at += ascii(rest, out);
            state.escaped = false;
            continue;
        }
        let before = *state;
        // With the trailing byte of the last pair.
        let len = block.find_escaped(escapes, rest, state, most);
        allowed = STEPS;
        if !put(&block, out) {
            *state = before;
            let taken = reference::convert(&ascii, escapes, state, &rest[..len], out);
            if taken < len {
                return at + taken;
            }
        }
        at += len;
        if block.is_last {
            return at;
        }
    }
}

impl Block {
    /// Finds the characters at the front of `src`, in so many steps at most. Returns where they end.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_escaped(&mut self, escapes: &EscapedPairs, src: &[u8], state: &mut EscapeState, most: usize) -> usize {
        let cells = Cells::new(&escapes.pairs);
        let mut before = Before { pairs: state.pairs.into(), escaped: state.escaped.into(), follows: 0 };
        let (mut at, mut count, mut is_last) = (0, 0, false);
        for _ in 0..most.min(STEPS) {
            let rest = &src[at..];
            let mut copy = [0; SEEN];
            let seen = rest.first_chunk::<SEEN>().unwrap_or_else(|| {
                copy[..rest.len()].copy_from_slice(rest);
                &copy
            });
            let [bytes, second, third] =
                [0, 1, 2].map(|n| load_two(seen[n..].first_chunk().expect("64 bytes and more")));
            let sequence = |[a, b]: [u8; 2]| are(escapes.escape(), bytes) & are(a, second) & are(b, third);
            let excluded = escapes.excluded.map(|byte| are(byte, bytes));
            let step = Bytes {
                escape: excluded[2],
                to_ascii: sequence(escapes.to_ascii),
                to_pairs: sequence(escapes.to_pairs[0]) | sequence(escapes.to_pairs[1]),
                ascii: !(high_bits_of_two(bytes) | excluded[0] | excluded[1] | excluded[2]),
                pair: high_bits_of_two(in_ranges(bytes, escapes.pairs.leading))
                    & high_bits_of_two(in_ranges(second, escapes.pairs.trailing)),
            };
            let found = step.find(rest.len(), &mut before);
            for (n, window) in seen.windows(17).step_by(16).take(4).enumerate() {
                let [chosen, leads] = [found.starts, found.leads].map(|places| (places >> (16 * n)) as u16);
                let numbers = cells.numbers([seen_at(window, 0), seen_at(window, 1)], spread(leads));
                // SAFETY: a step has no more characters than bytes, and there is room for eight more.
                unsafe {
                    count += self.put_chosen(count, _mm256_castsi256_si128(numbers), chosen as u8);
                    count += self.put_chosen(count, _mm256_extracti128_si256::<1>(numbers), (chosen >> 8) as u8);
                }
            }
            at += found.len;
            is_last = found.is_wrong || rest.len() <= STEP;
            if is_last {
                break;
            }
        }
        self.end_at(at, count, is_last);
        *state = EscapeState { pairs: before.pairs != 0, escaped: before.escaped != 0 };
        at + before.follows as usize
    }
}

/// Which bytes are this one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn are(byte: u8, [low, high]: [__m256i; 2]) -> u64 {
    let byte = splat(byte);
    high_bits_of_two([_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)])
}

/// A byte of ones for each that is set.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn spread(places: u16) -> __m128i {
    let halves = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let places = _mm_shuffle_epi8(_mm_set1_epi16(places.cast_signed()), halves);
    _mm_cmpeq_epi8(_mm_and_si128(places, bits), bits)
}
