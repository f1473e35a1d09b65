//! Decoding with escape sequences, in blocks and with the passes of `double_byte/decode.rs`. Arithmetic with masks also finds
//! which bytes are pairs.

use core::{arch::x86_64::*, mem::MaybeUninit};

use super::{
    super::{
        double_byte::{STEP, STEPS},
        iso_2022::{Before, BlockResult, ByteClasses, LevelFunctions},
    },
    ascii,
    double_byte::decode::{Block, SHORT, Step, Tables},
    utf16,
    vector::*,
};
use crate::kernel::{
    Out,
    each::Each as _,
    tables::{EscapeState, EscapedPairs, Range, as_bytes},
};

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let mut block = Block::new(&escapes.pairs);
    LevelFunctions {
        ascii: |src: &[u8], out: &mut Out<'_, u16>| ascii::to_utf16(escapes.ascii(src, out, prefix), out),
        is_ascii: |src: &[u8]| prefix(escapes.excluded, src) == src.len(),
        steps: |spare_len| spare_len / STEP,
        block: |src: &[u8], state: &mut EscapeState, max_steps, out: &mut Out<'_, u16>| {
            block.convert_escaped(escapes, src, state, max_steps, out)
        },
    }
    .convert::<_, SHORT>(escapes, state, src, out)
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let mut block = Block::new(&escapes.pairs);
    LevelFunctions {
        ascii: |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(escapes.ascii(src, out, prefix), out),
        is_ascii: |src: &[u8]| prefix(escapes.excluded, src) == src.len(),
        steps: |spare_len| spare_len / (3 * STEP),
        block: |src: &[u8], state: &mut EscapeState, max_steps, out: &mut Out<'_, u8>| {
            let mut units = [const { MaybeUninit::uninit() }; STEPS * STEP];
            let mut units = Out::uninit(&mut units);
            let result = block.convert_escaped(escapes, src, state, max_steps, &mut units);
            let converted = utf16::to_utf8::<false>(as_bytes(units.written()), out);
            assert_eq!(converted, units.filled(), "all steps fit");
            result
        },
    }
    .convert::<_, SHORT>(escapes, state, src, out)
}

impl Block<'_> {
    /// Converts the characters at the start of `src`, in up to `max_steps` steps, whose characters fit.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn convert_escaped(
        &mut self,
        escapes: &EscapedPairs,
        src: &[u8],
        state: &mut EscapeState,
        max_steps: usize,
        out: &mut Out<'_, u16>,
    ) -> BlockResult {
        let end = self.find_escaped(escapes, src, state, max_steps);
        let is_written = self.are_mapped();
        if is_written {
            assert_eq!(self.put(src, out), self.end, "all steps fit");
        }
        BlockResult { end, is_written, is_last: self.is_last }
    }

    /// Finds the characters at the start of `src`, in up to `max_steps` steps, and looks up the pairs. Returns the offset of
    /// their end, with the trail byte of the last pair. The block has the pairs of `escapes`.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_escaped(&mut self, escapes: &EscapedPairs, src: &[u8], state: &mut EscapeState, max_steps: usize) -> usize {
        let tables = Tables::new(self.pairs);
        let mut before = Before { pairs: state.pairs.into(), escaped: state.escaped.into(), follows: 0 };
        let (mut at, mut len, mut count, mut is_last) = (0, 0, 0, false);
        while len < max_steps.min(STEPS) && !is_last {
            let rest = &src[at..];
            let [bytes, second, third] = [0, 1, 2].each(|n| load_some(rest.get(n..).unwrap_or_default()));
            let sequence = |[a, b]: [u8; 2]| are(escapes.escape(), bytes) & are(a, second) & are(b, third);
            let excluded = escapes.excluded.each(|byte| are(byte, bytes));
            let leading = are_in(escapes.pairs.leading[0], bytes);
            let step = ByteClasses {
                escape: excluded[2],
                to_ascii: sequence(escapes.to_ascii),
                to_pairs: sequence(escapes.to_pairs[0]) | sequence(escapes.to_pairs[1]),
                ascii: !(high_bits(bytes) | excluded[0] | excluded[1] | excluded[2]),
                pair: leading & are_in(escapes.pairs.trailing[0], second),
            };
            let found = step.find(rest.len(), &mut before);
            let row = _mm512_castsi512_si256(compress(tables.rows(bytes), found.leads));
            let (numbers, _) = tables.pairs(row, compress(second, found.leads));
            let step = Step { at, starts: found.starts, leads: found.leads };
            // SAFETY: `len < STEPS`, `len` and `count` are those of the steps that were put before, `numbers` is from a table
            // of the block's pairs, and no two bits of `leads` are neighbours, by `Found`.
            unsafe { self.put_step(len, count, step, &numbers) };
            count += found.leads.count_ones() as usize;
            len += 1;
            at += found.len;
            is_last = found.is_wrong || rest.len() <= STEP;
        }
        (self.end, self.is_last) = (at, is_last);
        // SAFETY: `len` steps with `count` pairs were put.
        unsafe { self.look_up(len, count) };
        *state = EscapeState { pairs: before.pairs != 0, escaped: before.escaped != 0 };
        at + before.follows as usize
    }
}

/// Returns the lanes that are this byte.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are(byte: u8, bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, splat(byte))
}

/// Returns the lanes that are in the range.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are_in(range: Range, bytes: __m512i) -> u64 {
    let offset = _mm512_sub_epi8(bytes, splat(range.first));
    _mm512_cmple_epu8_mask(offset, splat(range.last - range.first))
}
