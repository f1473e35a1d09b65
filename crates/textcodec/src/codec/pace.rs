//! When to call a kernel and when to convert character by character.
//!
//! A kernel call has a fixed cost, and a double-byte kernel looks at up to 128 bytes before it sees that it can convert none of
//! them. Input that makes kernels stop again and again would pay for that at each stop. So after a call that converted little,
//! the loop converts a stretch of input one item at a time before it tries a kernel again, and the stretch doubles each time.
//! On any input, at most one short kernel call is wasted for each such stretch; on ordinary text there are none.

/// Remembers how well kernels did on what came before. It belongs to a decoder or an encoder, not to one call: input
/// can be hostile across calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pace {
    /// Units that are to be converted one item at a time before the next kernel call.
    left: u16,
    /// How long the last such stretch was.
    stretch: u16,
}

/// Fewer units of input than this are never worth a kernel call: chunks of single bytes are common.
const FEW: usize = 8;
/// The first stretch after a poor call, and the longest.
const SHORTEST: u16 = 32;
const LONGEST: u16 = 512;

impl Pace {
    /// Whether a kernel is worth a call for `units` units of input and `room` units of output. If the output is smaller than the
    /// input, it must have room for `worthwhile` units.
    #[inline]
    pub(crate) fn is_for_kernels(self, units: usize, room: usize, worthwhile: usize) -> bool {
        self.left == 0 && units >= FEW && room >= units.min(worthwhile)
    }

    /// How many units to convert one item at a time before a kernel is asked: after one that stopped, at least the item that it did
    /// not convert.
    #[inline]
    pub(crate) fn stretch(self) -> usize {
        if self.left == 0 { SHORTEST.into() } else { self.left.into() }
    }

    /// After a kernel that stopped before the end of its input, `taken` units on. Where it took fewer than `worthwhile`, to
    /// convert them one by one would have been faster.
    #[inline]
    pub(crate) fn kernel_stopped(&mut self, taken: usize, worthwhile: usize) {
        if taken >= worthwhile {
            (self.left, self.stretch) = (1, 0);
        } else {
            self.stretch = (2 * self.stretch).clamp(SHORTEST, LONGEST);
            self.left = self.stretch;
        }
    }

    /// After a kernel that converted all of its input.
    #[inline]
    pub(crate) fn kernel_finished(&mut self, taken: usize, worthwhile: usize) {
        if taken >= worthwhile {
            self.stretch = 0;
        }
    }

    /// After `units` were converted one item at a time.
    #[inline]
    pub(crate) fn spend(&mut self, units: usize) {
        self.left = usize::from(self.left).saturating_sub(units) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_double_while_kernels_stop_early() {
        let mut pace = Pace::default();
        for expected in [32, 64, 128, 256, 512, 512] {
            assert!(pace.is_for_kernels(FEW, FEW, 16) && !pace.is_for_kernels(FEW - 1, 16, 16));
            assert!(pace.is_for_kernels(17, 16, 16) && !pace.is_for_kernels(17, 15, 16));
            pace.kernel_stopped(15, 16);
            assert_eq!(pace.stretch(), expected);
            pace.spend(expected - 1);
            assert!(!pace.is_for_kernels(usize::MAX, usize::MAX, 16));
            pace.spend(usize::MAX);
        }
        pace.kernel_stopped(16, 16);
        assert_eq!(pace.stretch(), 1);
        pace.spend(2);
        pace.kernel_stopped(0, 16);
        assert_eq!(pace.stretch(), 32);
    }
}
