//! ASCII and pairs in one text, an escape sequence before each change, on the way to Unicode.

use super::{
    Pairs,
    places::{before_first, below, leading},
    scalar::Form,
};
use crate::kernel::Out;

/// The two sets and what leads to each.
#[derive(Debug)]
pub(crate) struct EscapedPairs {
    /// The pairs, whose leading and trailing bytes are a range of ASCII bytes each.
    pub(crate) pairs: Pairs,
    /// ASCII that is not taken. The last one begins escape sequences.
    pub(crate) excluded: [u8; 3],
    /// What is behind it.
    pub(crate) to_ascii: [u8; 2],
    pub(crate) to_pairs: [[u8; 2]; 2],
}

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    /// Whether pairs are in force.
    pub(crate) pairs: bool,
    /// Whether an escape sequence was the last. Another one is not taken then.
    pub(crate) escaped: bool,
}

impl EscapedPairs {
    pub(super) const fn escape(&self) -> u8 {
        self.excluded[2]
    }

    /// The ASCII at the front that is taken and fits; `prefix_without` is a kernel.
    #[inline(always)]
    pub(crate) fn ascii<'a, F: Copy>(
        &self,
        src: &'a [u8],
        out: &Out<'_, F>,
        prefix_without: impl Fn([u8; 3], &[u8]) -> usize,
    ) -> &'a [u8] {
        let src = &src[..src.len().min(out.room())];
        &src[..prefix_without(self.excluded, src)]
    }

    /// Whether pairs are in force behind the escape sequence at the front.
    #[inline(always)]
    fn change_at_front(&self, src: &[u8]) -> Option<bool> {
        match *src {
            [escape, a, b, ..] if escape == self.escape() => match [a, b] {
                set if set == self.to_ascii => Some(false),
                set if self.to_pairs.contains(&set) => Some(true),
                _ => None,
            },
            _ => None,
        }
    }
}

pub(crate) fn to_utf16(escapes: &EscapedPairs, begun: &mut Begun, src: &[u8], out: &mut Out<'_, u16>) -> usize {
    convert(|_, _| 0, escapes, begun, src, out)
}

pub(crate) fn to_utf8(escapes: &EscapedPairs, begun: &mut Begun, src: &[u8], out: &mut Out<'_, u8>) -> usize {
    convert(|_, _| 0, escapes, begun, src, out)
}

/// So much ASCII is converted one by one: the next escape sequence is often near.
const FEW: usize = 20;

/// With a level's kernel for long runs of ASCII.
#[inline(always)]
pub(crate) fn convert<F: Form>(
    ascii: impl Fn(&[u8], &mut Out<'_, F>) -> usize,
    escapes: &EscapedPairs,
    begun: &mut Begun,
    src: &[u8],
    out: &mut Out<'_, F>,
) -> usize {
    let mut read = 0;
    loop {
        let before = read;
        if begun.pairs {
            while let [leading, trailing, ..] = src[read..]
                && let Some(unit) = escapes.pairs.get(leading, trailing)
                && F::put_unit(unit, out)
            {
                read += 2;
            }
        } else {
            let mut few = FEW;
            while let Some(&byte) = src.get(read)
                && byte.is_ascii()
                && !escapes.excluded.contains(&byte)
                && F::put_unit(byte.into(), out)
            {
                read += 1;
                few -= 1;
                if few == 0 {
                    read += ascii(&src[read..], out);
                    few = FEW;
                }
            }
        }
        begun.escaped &= read == before;
        let Some(pairs) = escapes.change_at_front(&src[read..]).filter(|_| !begun.escaped) else { return read };
        *begun = Begun { pairs, escaped: true };
        read += 3;
    }
}

/// What 64 bytes can be.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    /// Begin an escape sequence, of any kind.
    pub(super) escape: u64,
    /// Begin one of these.
    pub(super) to_ascii: u64,
    pub(super) to_pairs: u64,
    /// Are taken where ASCII is in force.
    pub(super) ascii: u64,
    /// Lead a pair, with the byte behind them.
    pub(super) pair: u64,
}

/// What is before a step: a bit each.
#[derive(Clone, Copy)]
pub(super) struct Before {
    pub(super) pairs: u64,
    pub(super) escaped: u64,
    /// The first byte is the trailing byte of a pair that was found before.
    pub(super) follows: u64,
}

/// What a step has.
pub(super) struct Found {
    pub(super) starts: u64,
    pub(super) leads: u64,
    /// How long it is.
    pub(super) len: usize,
    /// What is behind it cannot be taken.
    pub(super) is_wrong: bool,
}

impl Bytes {
    /// Finds the characters in the first 64 bytes of `len`.
    #[inline(always)]
    pub(super) fn find(self, len: usize, before: &mut Before) -> Found {
        let lanes = below(len.min(64));
        let others = !self.escape;
        // The carry of an addition runs up to the next escape sequence.
        let in_pairs = others & !others.wrapping_add(self.to_pairs << 3 | before.pairs);
        let changes = self.to_ascii | self.to_pairs;
        let sequences = changes | changes << 1 | changes << 2;
        let mut leads = leading(lanes & in_pairs & !before.follows);
        let alone = lanes & !in_pairs & !sequences;
        let wrong = alone & !self.ascii | leads & !self.pair | changes & (changes << 3 | before.escaped);
        // The next step begins with the escape sequence that does not end here.
        let crossing = if len > 64 { changes & !below(62) } else { 0 };
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
