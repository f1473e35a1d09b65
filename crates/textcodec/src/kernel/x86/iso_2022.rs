//! Where characters and escape sequences are, by arithmetic with masks of 64 places.

use super::masks::{before_first, first_n, leading};

/// What 64 bytes can be.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    /// Begin an escape sequence, of any kind.
    pub(crate) escape: u64,
    /// Begin one of these.
    pub(crate) to_ascii: u64,
    pub(crate) to_pairs: u64,
    /// Are taken where ASCII is in force.
    pub(crate) ascii: u64,
    /// Lead a pair, with the byte behind them.
    pub(crate) pair: u64,
}

/// What is before a step: a bit each.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) pairs: u64,
    pub(crate) escaped: u64,
    /// The first byte is the trailing byte of a pair that was found before.
    pub(crate) follows: u64,
}

/// What a step has.
pub(crate) struct Found {
    pub(crate) starts: u64,
    pub(crate) leads: u64,
    /// How long it is.
    pub(crate) len: usize,
    /// What is behind it cannot be taken.
    pub(crate) is_wrong: bool,
}

impl Bytes {
    /// Finds the characters in the first 64 bytes of `len`.
    #[inline(always)]
    pub(crate) fn find(self, len: usize, before: &mut Before) -> Found {
        let lanes = first_n(len.min(64));
        let others = !self.escape;
        // The carry of an addition runs up to the next escape sequence.
        let in_pairs = others & !others.wrapping_add(self.to_pairs << 3 | before.pairs);
        let changes = self.to_ascii | self.to_pairs;
        let sequences = changes | changes << 1 | changes << 2;
        let mut leads = leading(lanes & in_pairs & !before.follows);
        let alone = lanes & !in_pairs & !sequences;
        let wrong = alone & !self.ascii | leads & !self.pair | changes & (changes << 3 | before.escaped);
        // The next step begins with the escape sequence that does not end here.
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
