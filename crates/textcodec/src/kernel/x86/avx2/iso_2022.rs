//! Decoding with escape sequences, in blocks and with the passes of `double_byte/decode.rs`. Arithmetic with masks also finds
//! which bytes are pairs.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    super::{
        double_byte::{STEP, STEPS},
        iso_2022::{Before, BlockResult, ByteClasses, LevelFunctions},
    },
    ascii,
    double_byte::decode::{Block, Cells, LOADED, SHORT, in_ranges, widened_at},
    utf16,
    vector::*,
};
use crate::kernel::{
    Out,
    each::Each as _,
    tables::{EscapeState, EscapedPairs, as_bytes},
};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let mut block = Block::new(&escapes.pairs);
    LevelFunctions {
        ascii: |src: &[u8], out: &mut Out<'_, u16>| ascii::to_utf16(escapes.ascii(src, out, prefix), out),
        is_ascii: |src: &[u8]| prefix(escapes.excluded, src) == src.len(),
        steps: |spare_len| spare_len / STEP,
        block: |src: &[u8], state: &mut EscapeState, max_steps, out: &mut Out<'_, u16>| {
            let end = block.find_escaped(escapes, src, state, max_steps);
            BlockResult { end, is_written: block.put_all(out), is_last: block.is_last }
        },
    }
    .convert::<_, SHORT>(escapes, state, src, out)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let mut block = Block::new(&escapes.pairs);
    LevelFunctions {
        ascii: |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(escapes.ascii(src, out, prefix), out),
        is_ascii: |src: &[u8]| prefix(escapes.excluded, src) == src.len(),
        steps: |spare_len| spare_len / (3 * STEP),
        block: |src: &[u8], state: &mut EscapeState, max_steps, out: &mut Out<'_, u8>| {
            let end = block.find_escaped(escapes, src, state, max_steps);
            let mut stage = [const { MaybeUninit::uninit() }; STEPS * STEP + 8];
            let mut stage = Out::uninit(&mut stage);
            let is_written = block.put_all(&mut stage);
            let converted = utf16::to_utf8::<false>(as_bytes(stage.written()), out);
            assert_eq!(converted, stage.filled(), "the block did not fit");
            BlockResult { end, is_written, is_last: block.is_last }
        },
    }
    .convert::<_, SHORT>(escapes, state, src, out)
}

impl Block<'_> {
    /// Finds the characters at the start of `src`, in up to `max_steps` steps. Returns the offset of their end, with the
    /// trail byte of the last pair. The block has the pairs of `escapes`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_escaped(&mut self, escapes: &EscapedPairs, src: &[u8], state: &mut EscapeState, max_steps: usize) -> usize {
        let cells = Cells::new(self.pairs);
        let mut before = Before { pairs: state.pairs.into(), escaped: state.escaped.into(), follows: 0 };
        let (mut at, mut count, mut is_last) = (0, 0, false);
        for _ in 0..max_steps.min(STEPS) {
            let rest = &src[at..];
            let mut copy = [0; LOADED];
            let loaded = rest.first_chunk::<LOADED>().unwrap_or_else(|| {
                copy[..rest.len()].copy_from_slice(rest);
                &copy
            });
            let [bytes, second, third] =
                [0, 1, 2].each(|n| load_two(loaded[n..].first_chunk().expect("64 bytes and more")));
            let sequence = |[a, b]: [u8; 2]| are(escapes.escape(), bytes) & are(a, second) & are(b, third);
            let excluded = escapes.excluded.each(|byte| are(byte, bytes));
            let step = ByteClasses {
                escape: excluded[2],
                to_ascii: sequence(escapes.to_ascii),
                to_pairs: sequence(escapes.to_pairs[0]) | sequence(escapes.to_pairs[1]),
                ascii: !(high_bits_of_two(bytes) | excluded[0] | excluded[1] | excluded[2]),
                pair: high_bits_of_two(in_ranges(bytes, escapes.pairs.leading))
                    & high_bits_of_two(in_ranges(second, escapes.pairs.trailing)),
            };
            let found = step.find(rest.len(), &mut before);
            for (n, window) in loaded.windows(17).step_by(16).take(4).enumerate() {
                let [chosen, leads] = [found.starts, found.leads].each(|mask| (mask >> (16 * n)) as u16);
                let numbers = cells.numbers([widened_at(window, 0), widened_at(window, 1)], expand_mask(leads));
                // SAFETY: `count <= STEPS * STEP - 16`: each of these 16 bytes and of those before begins up to one character,
                // and there are up to `STEPS` steps. `count` is that of the calls before, and `cells` is of the block's pairs.
                count += unsafe { self.put_chosen(count, &numbers, chosen) };
            }
            at += found.len;
            is_last = found.is_wrong || rest.len() <= STEP;
            if is_last {
                break;
            }
        }
        // SAFETY: `count` numbers were put.
        unsafe { self.end_at(at, count, is_last) };
        *state = EscapeState { pairs: before.pairs != 0, escaped: before.escaped != 0 };
        at + before.follows as usize
    }
}

/// Returns the lanes that are this byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn are(byte: u8, [low, high]: [__m256i; 2]) -> u64 {
    let byte = splat(byte);
    high_bits_of_two([_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)])
}

/// Sets all bits of the lanes in a mask.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn expand_mask(lanes: u16) -> __m128i {
    let halves = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let lanes = _mm_shuffle_epi8(_mm_set1_epi16(lanes.cast_signed()), halves);
    _mm_cmpeq_epi8(_mm_and_si128(lanes, bits), bits)
}
