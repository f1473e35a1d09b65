//! Escape sequences for AVX2 and AVX-512: the loop over passes, and where characters and escape sequences are, by arithmetic with
//! masks of 64 bytes.

use super::{
    double_byte::{FIRST_STEPS, STEPS},
    masks::{before_first, first_n, leading},
};
use crate::kernel::{
    Out,
    reference::{double_byte::decode::Form, iso_2022 as reference},
    tables::{EscapeState, EscapedPairs},
};

/// What the loop over passes needs of a level.
pub(crate) struct Level<A, I, S, P> {
    /// Converts the ASCII that the input begins with and that fits.
    pub(crate) ascii: A,
    /// Whether the input is ASCII that needs no escape sequence.
    pub(crate) is_ascii: I,
    /// How many steps fit in any case into that many units.
    pub(crate) steps: S,
    /// Finds the characters that the input begins with, in up to that many steps, and writes them.
    pub(crate) pass: P,
}

/// What a pass has done.
pub(crate) struct Pass {
    /// Up to where it found characters.
    pub(crate) end: usize,
    /// Whether it wrote them. Otherwise one is unmapped, and it wrote nothing.
    pub(crate) is_written: bool,
    /// Whether nothing after `end` can be converted.
    pub(crate) is_last: bool,
}

impl<A, I, S, P> Level<A, I, S, P> {
    /// Converts inputs of up to `SHORT` bytes character by character, and others in passes.
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
        P: FnMut(&[u8], &mut EscapeState, usize, &mut Out<'_, F>) -> Pass,
    {
        let Self { ascii, is_ascii, steps, mut pass } = self;
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
            let pass = pass(rest, state, fitting.min(max_steps), out);
            max_steps = STEPS;
            if !pass.is_written {
                *state = before;
                let read = reference::convert(&ascii, escapes, state, &rest[..pass.end], out);
                if read < pass.end {
                    return at + read;
                }
            }
            at += pass.end;
            if pass.is_last {
                return at;
            }
        }
    }
}

/// Classes of 64 bytes: a mask each.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    /// The escape byte.
    pub(crate) escape: u64,
    /// It begins the escape sequence that selects ASCII.
    pub(crate) to_ascii: u64,
    /// It begins an escape sequence that selects pairs.
    pub(crate) to_pairs: u64,
    /// A character if ASCII is selected.
    pub(crate) ascii: u64,
    /// A pair with the next byte if pairs are selected.
    pub(crate) pair: u64,
}

/// The state before a step: a bit each.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// [`EscapeState::pairs`].
    pub(crate) pairs: u64,
    /// [`EscapeState::escaped`].
    pub(crate) escaped: u64,
    /// The first byte is the trailing byte of a pair that was found before.
    pub(crate) follows: u64,
}

/// The characters of a step.
pub(crate) struct Found {
    /// The bytes that begin characters.
    pub(crate) starts: u64,
    /// Those that lead pairs. No two of them are neighbours.
    pub(crate) leads: u64,
    /// How many bytes the step has.
    pub(crate) len: usize,
    /// Whether nothing after them can be converted.
    pub(crate) is_wrong: bool,
}

impl Bytes {
    /// Finds the characters in the first 64 bytes of `len`.
    #[inline(always)]
    pub(crate) fn find(self, len: usize, before: &mut Before) -> Found {
        let lanes = first_n(len.min(64));
        let others = !self.escape;
        // The carry of the addition runs up to the next escape sequence.
        let in_pairs = others & !others.wrapping_add(self.to_pairs << 3 | before.pairs);
        let changes = self.to_ascii | self.to_pairs;
        let sequences = changes | changes << 1 | changes << 2;
        let mut leads = leading(lanes & in_pairs & !before.follows);
        let alone = lanes & !in_pairs & !sequences;
        let wrong = alone & !self.ascii | leads & !self.pair | changes & (changes << 3 | before.escaped);
        // An escape sequence that does not end in this step begins the next one.
        let crossing = if len > 64 { changes & !first_n(62) } else { 0 };
        let mut starts = alone | leads;
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
