//! As without escape sequences, in the same three passes: where which set is in force is arithmetic with masks, too.

use core::arch::x86_64::*;

use super::{
    super::iso_2022::{Before, Bytes},
    ascii,
    double_byte::{
        decode::{Block, FIRST_STEPS, SHORT, STEP, STEPS, Step, Tables},
        decode_utf8,
    },
    vector::*,
};
use crate::kernel::{
    Out,
    reference::{double_byte::decode::Form, iso_2022 as reference},
    tables::{EscapeState, EscapedPairs, Range},
};

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf16(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let ascii = |src: &[u8], out: &mut Out<'_, u16>| ascii::to_utf16(escapes.ascii(src, out, prefix), out);
    let put = |block: &Block, src: &[u8], out: &mut Out<'_, u16>| {
        let is_mapped = block.are_mapped();
        if is_mapped {
            let end = block.put(&escapes.pairs, src, out);
            assert_eq!(end, block.end, "all of it fits");
        }
        is_mapped
    };
    convert(ascii, |spare_len| spare_len / STEP, put, escapes, state, src, out)
}

#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(crate) fn to_utf8(escapes: &EscapedPairs, state: &mut EscapeState, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    let prefix = |excluded, src: &[u8]| ascii::prefix_without(excluded, src);
    let ascii = |src: &[u8], out: &mut Out<'_, u8>| ascii::copy(escapes.ascii(src, out, prefix), out);
    let put = |block: &Block, src: &[u8], out: &mut Out<'_, u8>| decode_utf8::put(block, src, out);
    convert(ascii, decode_utf8::steps, put, escapes, state, src, out)
}

/// `steps` says how many steps surely fit, and `put` writes what is found, or nothing and false.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn convert<F: Form>(
    ascii: impl Fn(&[u8], &mut Out<'_, F>) -> usize,
    steps: impl Fn(usize) -> usize,
    put: impl Fn(&Block, &[u8], &mut Out<'_, F>) -> bool,
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
        block.look_up(&escapes.pairs);
        if !put(&block, rest, out) {
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
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_escaped(&mut self, escapes: &EscapedPairs, src: &[u8], state: &mut EscapeState, most: usize) -> usize {
        let tables = Tables::new(&escapes.pairs);
        let mut before = Before { pairs: state.pairs.into(), escaped: state.escaped.into(), follows: 0 };
        let (mut at, mut len, mut count, mut is_last) = (0, 0, 0, false);
        while len < most.min(STEPS) && !is_last {
            let rest = &src[at..];
            let [bytes, second, third] = [0, 1, 2].map(|n| load_some(rest.get(n..).unwrap_or_default()));
            let sequence = |[a, b]: [u8; 2]| are(escapes.escape(), bytes) & are(a, second) & are(b, third);
            let excluded = escapes.excluded.map(|byte| are(byte, bytes));
            let leading = are_in(escapes.pairs.leading[0], bytes);
            let step = Bytes {
                escape: excluded[2],
                to_ascii: sequence(escapes.to_ascii),
                to_pairs: sequence(escapes.to_pairs[0]) | sequence(escapes.to_pairs[1]),
                ascii: !(high_bits(bytes) | excluded[0] | excluded[1] | excluded[2]),
                pair: leading & are_in(escapes.pairs.trailing[0], second),
            };
            let found = step.find(rest.len(), &mut before);
            let row = _mm512_castsi512_si256(compress(tables.rows(bytes), found.leads));
            let (numbers, _) = tables.pairs(row, compress(second, found.leads));
            self.steps[len].write(Step { at, starts: found.starts, leads: found.leads });
            // SAFETY: a step has at most half as many pairs as bytes, and there is room for one step more.
            unsafe { self.put_numbers(count, numbers) };
            count += found.leads.count_ones() as usize;
            len += 1;
            at += found.len;
            is_last = found.is_wrong || rest.len() <= STEP;
        }
        // SAFETY: as above.
        unsafe { self.put_numbers(count, _mm512_setzero_si512()) };
        (self.len, self.count, self.end, self.is_last) = (len, count, at, is_last);
        *state = EscapeState { pairs: before.pairs != 0, escaped: before.escaped != 0 };
        at + before.follows as usize
    }
}

/// Which bytes are this one.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are(byte: u8, bytes: __m512i) -> u64 {
    _mm512_cmpeq_epi8_mask(bytes, splat(byte))
}

/// Which bytes are in the range.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn are_in(range: Range, bytes: __m512i) -> u64 {
    let offset = _mm512_sub_epi8(bytes, splat(range.first));
    _mm512_cmple_epu8_mask(offset, splat(range.last - range.first))
}
