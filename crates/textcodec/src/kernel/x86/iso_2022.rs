//! Escape sequences for AVX2 and AVX-512: the loop over blocks, and where characters and escape sequences are, by arithmetic
//! with masks of 64 bytes.

use super::{
    double_byte::{FIRST_STEPS, STEPS},
    masks::{before_first, first_n, leading},
};
use crate::kernel::{
    Out,
    reference::{double_byte::decode::Form, iso_2022 as reference},
    tables::{EscapeState, EscapedPairs},
};

/// The functions of a level that the loop over blocks calls. They are closures, so that they are inlined into a kernel with the
/// level's CPU features.
pub(crate) struct LevelFunctions<A, I, S, B> {
    /// Converts the input's ASCII prefix, as far as it fits.
    pub(crate) ascii: A,
    /// Returns whether the input is ASCII without escape sequences.
    pub(crate) is_ascii: I,
    /// Returns how many steps fit into a destination of this many units, whatever the text.
    pub(crate) steps: S,
    /// Finds the characters of a block, in up to this many steps, and writes them.
    pub(crate) block: B,
}

/// The result of a block.
pub(crate) struct BlockResult {
    /// The offset where the characters of the block end, with the trail byte of the last pair.
    pub(crate) end: usize,
    /// Whether the characters are written. Otherwise one is unmapped, and nothing is written.
    pub(crate) is_written: bool,
    /// Whether nothing after `end` can be converted.
    pub(crate) is_last: bool,
}

impl<A, I, S, B> LevelFunctions<A, I, S, B> {
    /// Converts inputs of up to `SHORT` bytes character by character, and others in blocks.
    #[inline(always)]
    pub(crate) fn convert<F: Form, const SHORT: usize>(
        self,
        escapes: &EscapedPairs,
        state: &mut EscapeState,
        src: &[u8],
        out: &mut Out<'_, F>,
    ) -> usize
    where
        A: Fn(&[u8], &mut Out<'_, F>) -> usize,
        I: Fn(&[u8]) -> bool,
        S: Fn(usize) -> usize,
        B: FnMut(&[u8], &mut EscapeState, usize, &mut Out<'_, F>) -> BlockResult,
    {
        let Self { ascii, is_ascii, steps, mut block } = self;
        let mut at = 0;
        let mut max_steps = FIRST_STEPS;
        loop {
            let rest = &src[at..];
            let fitting = steps(out.spare_len());
            if rest.len() <= SHORT || fitting == 0 {
                return at + reference::convert(ascii, escapes, state, rest, out);
            }
            if !state.pairs && is_ascii(&rest[..SHORT]) {
                at += ascii(rest, out);
                state.escaped = false;
                continue;
            }
            let before = *state;
            let block = block(rest, state, fitting.min(max_steps), out);
            max_steps = STEPS;
            if !block.is_written {
                *state = before;
                let read = reference::convert(&ascii, escapes, state, &rest[..block.end], out);
                if read < block.end {
                    return at + read;
                }
            }
            at += block.end;
            if block.is_last {
                return at;
            }
        }
    }
}

/// Classes of 64 bytes, each as a mask.
#[derive(Clone, Copy)]
pub(crate) struct ByteClasses {
    /// Escape bytes.
    pub(crate) escape: u64,
    /// Escape bytes of the sequence that selects ASCII.
    pub(crate) to_ascii: u64,
    /// Escape bytes of sequences that select pairs.
    pub(crate) to_pairs: u64,
    /// Bytes that are characters if ASCII is selected.
    pub(crate) ascii: u64,
    /// Bytes that are pairs with the next byte if pairs are selected.
    pub(crate) pair: u64,
}

/// The state before a step, each as one bit.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// [`EscapeState::pairs`].
    pub(crate) pairs: u64,
    /// [`EscapeState::escaped`].
    pub(crate) escaped: u64,
    /// 1 if the first byte is the trail byte of a pair that was found before.
    pub(crate) follows: u64,
}

/// The characters of a step.
pub(crate) struct Found {
    /// The bytes that begin characters.
    pub(crate) starts: u64,
    /// The bytes that lead pairs. No two bits are neighbours.
    pub(crate) leads: u64,
    /// The number of bytes in the step.
    pub(crate) len: usize,
    /// Whether nothing after these bytes can be converted.
    pub(crate) is_wrong: bool,
}

impl ByteClasses {
    /// Finds the characters in the first 64 bytes of an input of `len` bytes.
    ///
    /// For example, bytes 1 to 3 of `a ESC $ B x y x y ESC ( B b` select pairs: `to_pairs` is bit 1. Pairs begin after the
    /// three bytes of the sequence, so `in_pairs` adds bit 4 to the mask of all bytes that are not escape bytes. The carry
    /// clears bits 4 to 7 and stops at the next escape byte, bit 8. The cleared bits are the bytes of pairs, and every second
    /// one is a lead byte.
    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(crate) fn find(self, len: usize, before: &mut Before) -> Found {
        let lanes = first_n(len);
        let others = !self.escape;
        // The carry of the addition runs up to the next escape sequence.
        let in_pairs = others & !others.wrapping_add(self.to_pairs << 3 | before.pairs);
        let changes = self.to_ascii | self.to_pairs;
        let sequences = changes | changes << 1 | changes << 2;
        let mut leads = leading(lanes & in_pairs & !before.follows);
        let singles = lanes & !in_pairs & !sequences;
        let wrong = singles & !self.ascii | leads & !self.pair | changes & (changes << 3 | before.escaped);
        // An escape sequence that does not end in this step begins the next one.
        let crossing = if len > 64 { changes & !first_n(62) } else { 0 };
        let mut starts = singles | leads;
        let (mut end, mut is_wrong) = (len.min(64), false);
        let stop = wrong | crossing;
        if stop != 0 {
            end = stop.trailing_zeros() as usize;
            is_wrong = wrong & (stop & stop.wrapping_neg()) != 0;
            starts &= before_first(stop);
            leads &= before_first(stop);
        }
        if end > 0 {
            before.pairs = (in_pairs | self.to_pairs << 2) >> (end - 1) & 1;
            before.escaped = changes << 2 >> (end - 1) & 1;
        }
        before.follows = leads >> 63;
        Found { starts, leads, len: end, is_wrong }
    }
}
