//! Decoding with escape sequences, in blocks and with the passes of `double_byte/decode.rs`. Arithmetic with masks also finds
//! which bytes are pairs.

use core::arch::x86_64::*;

use super::{
    super::{
        double_byte::{STEP, STEPS},
        iso_2022::{Before, BlockResult, ByteClasses, LevelFunctions},
    },
    ascii,
    double_byte::{
        decode::{Block, SHORT, in_ranges},
        decode_utf8::{OVERHANG, put},
    },
    vector::*,
};
use crate::kernel::{
    Out,
    each::Each as _,
    tables::{EscapeState, EscapedPairs},
};

/// Bytes that a step loads.
const LOADED: usize = STEP + 2;

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
        steps: |spare_len: usize| spare_len.saturating_sub(OVERHANG) / (3 * STEP),
        block: |src: &[u8], state: &mut EscapeState, max_steps, out: &mut Out<'_, u8>| {
            let end = block.find_escaped(escapes, src, state, max_steps);
            let is_written = put::<true>(&block, out) == block.count();
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
            // In vectors as far as possible: each mask takes four instructions.
            let [a, b, escape] = escapes.excluded.each(|byte| are(byte, bytes));
            let ends = |[a, b]: [u8; 2]| and(are(a, second), are(b, third));
            let [ends_kanji, ends_old_kanji] = escapes.to_pairs.each(ends);
            let step = ByteClasses {
                escape: high_bits_of_two(escape),
                to_ascii: high_bits_of_two(and(escape, ends(escapes.to_ascii))),
                to_pairs: high_bits_of_two(and(escape, or_two(ends_kanji, ends_old_kanji))),
                ascii: !high_bits_of_two(or_two(or_two(bytes, escape), or_two(a, b))),
                pair: high_bits_of_two(and(
                    in_ranges(bytes, escapes.pairs.leading),
                    in_ranges(second, escapes.pairs.trailing),
                )),
            };
            let found = step.find(rest.len(), &mut before);
            let marked = mark(bytes, found.leads);
            let quarters = [
                part(marked, 0),
                part(marked, 1),
                part(marked, 2),
                part(marked, 3),
                _mm_cvtsi32_si128(loaded[STEP].into()),
            ];
            for (n, pair) in quarters.windows(2).enumerate() {
                let bytes = [pair[0], _mm_alignr_epi8::<1>(pair[1], pair[0])];
                // SAFETY: `count <= STEPS * STEP - 16`: each of these 16 bytes and of those before begins up to one character,
                // and there are up to `STEPS` steps. `count` is that of the calls before.
                count += unsafe { self.put_chosen(count, bytes, (found.starts >> (16 * n)) as u16) };
            }
            at += found.len;
            is_last = found.is_wrong || rest.len() <= STEP;
            if is_last {
                break;
            }
        }
        // SAFETY: `count` characters were put.
        unsafe { self.end_at(at, count, is_last) };
        *state = EscapeState { pairs: before.pairs != 0, escaped: before.escaped != 0 };
        at + before.follows as usize
    }
}

/// Sets all bits of the lanes that are this byte.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn are(byte: u8, [low, high]: [__m256i; 2]) -> [__m256i; 2] {
    let byte = splat(byte);
    [_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)]
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn and(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_and_si256(a[0], b[0]), _mm256_and_si256(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn or_two(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
    [or(a[0], b[0]), or(a[1], b[1])]
}

/// Sets the high bits of the bytes in a mask.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn mark([low, high]: [__m256i; 2], mask: u64) -> [__m256i; 2] {
    let marked = |bytes: __m256i, mask: u32| {
        let parts = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        let lanes = _mm256_shuffle_epi8(_mm256_set1_epi32(mask.cast_signed()), parts);
        let lanes = _mm256_cmpeq_epi8(_mm256_and_si256(lanes, bits), bits);
        _mm256_or_si256(bytes, _mm256_and_si256(lanes, splat(0x80)))
    };
    [marked(low, mask as u32), marked(high, (mask >> 32) as u32)]
}

/// Returns the `n`-th 16 of 64 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn part([low, high]: [__m256i; 2], n: usize) -> __m128i {
    let half = if n < 2 { low } else { high };
    if n.is_multiple_of(2) { _mm256_castsi256_si128(half) } else { _mm256_extracti128_si256::<1>(half) }
}
