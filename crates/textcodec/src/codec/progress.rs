//! How far a decoder or an encoder is, and when it calls a kernel and when it converts item by item.
//!
//! A kernel call has a fixed cost, and a double-byte kernel examines up to 128 bytes before it finds that it can convert none
//! of them. Input that makes kernels stop often would pay this cost at each stop. So after a call that converted little, a
//! stretch of input is converted item by item before the next kernel call, and the stretch doubles each time. On any input, at
//! most one short kernel call is wasted per stretch. On ordinary text, none is. Malformed sequences that are far enough apart for
//! kernel calls between them do not make the stretch longer.
//!
//! Without stretches, or with stretches that never grow, hostile input takes many times as long
//! ([hostile input](../../../../docs/design/hostile-input.md)).

use crate::testing;

/// Where a decoder or an encoder is in its whole input, and how far recent kernel calls got. It belongs to the coder, not to one
/// call, because hostile input can come in small chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// How many units of the whole input were read.
    pub(crate) position: u64,
    /// Whether the long chunks so far were all ASCII. Then the next one probably is, and needs no other kernel: cells
    /// `*/en/stream`.
    pub(crate) is_ascii: bool,
    /// Whether the next call can begin with a kernel: nothing is pending, and no kernel has stopped early of late. If false, the loop
    /// finds out.
    pub(crate) is_ready: bool,
    /// The number of units to convert item by item before the next kernel call.
    left: u16,
    /// The length of the last such stretch.
    stretch: u16,
    /// How far malformed sequences were apart on average, in units, in the last items that had any, since the last kernel call that
    /// stopped. 0 if there were none.
    distance: u16,
}

/// What a kernel call of a codec costs, and what makes it worth that. Data, read only when a kernel has stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// The number of units that are converted item by item in the time of a kernel call that converts almost nothing.
    pub(crate) kernel_call: u16,
    pub(crate) useful: Useful,
}

impl Costs {
    pub(crate) const fn new(kernel_call: u16, useful: Useful) -> Self {
        Self { kernel_call, useful }
    }

    /// How many of the `taken` units that a kernel has converted make the call worthwhile. See [`Progress::record`] for `non_ascii`.
    pub(crate) fn useful_units(self, taken: usize, non_ascii: &dyn Fn(usize) -> usize) -> usize {
        let recent = || non_ascii(taken.min(2 * usize::from(self.kernel_call)));
        match self.useful {
            Useful::AllUnlessAscii if recent() == 0 => 0,
            Useful::All | Useful::AllUnlessAscii => taken,
            Useful::NonAscii => taken.min(2 * recent()),
        }
    }

    /// How far malformed sequences must be apart on average to be worth a kernel call after each. Twice the cost where items are
    /// nearly as fast as a kernel: cell `hostile/decode/gbk/utf-16/replace/4KiB/pair*20+four-above`.
    fn apart(self) -> usize {
        let cost = usize::from(self.kernel_call);
        if path!("apart-twice") && matches!(self.useful, Useful::NonAscii) { 2 * cost } else { cost }
    }
}

/// Which units make a kernel call worthwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Useful {
    /// All alike.
    All,
    /// All, if one of the last ones is not ASCII.
    AllUnlessAscii,
    /// Those that are not ASCII, and as many others. ASCII is converted as fast without a kernel.
    NonAscii,
}

/// A kernel call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelCall {
    /// The units of input that the kernel was given.
    pub(crate) units: usize,
    /// The units that it converted.
    pub(crate) taken: usize,
    /// The output capacity after it.
    pub(crate) spare: usize,
}

/// The minimum input in units for a kernel call. Chunks of single bytes are common: cell
/// `hostile/encode/euc-kr/utf-8/html/1-unit-chunks/hanja`.
pub(crate) const MIN_KERNEL_INPUT: usize = 8;
/// The output capacity in units that makes a kernel call worthwhile for any length of input.
const KERNEL_CAPACITY: usize = 32;
/// The units at the end of a chunk that may be an incomplete character. A kernel that stops before them has finished.
const INCOMPLETE: usize = 3;
/// The output capacity in units below which a kernel is assumed to have stopped because the output is full: an escape sequence
/// and the longest reference fit into it.
const FULL_BELOW: usize = 16;
/// The first stretch after a poor call.
const SHORTEST: u16 = 32;
/// The maximum stretch.
const LONGEST: u16 = 512;

impl Progress {
    pub(crate) const START: Self =
        Self { position: 0, is_ascii: true, is_ready: true, left: 0, stretch: 0, distance: 0 };

    /// Starts a new input after the end of one. What kernels did is still a good guess.
    #[inline]
    pub(crate) fn restart(&mut self) {
        (self.position, self.is_ascii) = (0, true);
    }

    /// Records that a call has ended between two characters, with nothing pending.
    #[inline]
    pub(crate) fn end_between_characters(&mut self) {
        self.is_ready = self.left == 0 && self.stretch == 0;
    }

    /// Whether to call a kernel for `units` units of input and `spare` units of output capacity.
    #[inline]
    pub(crate) fn should_call_kernel(&self, units: usize, spare: usize) -> bool {
        self.left == 0 && units >= MIN_KERNEL_INPUT && spare >= units.min(KERNEL_CAPACITY)
    }

    /// The number of units to convert item by item before the next kernel call. After a kernel stopped, this is at least 1: the
    /// item that it declined.
    #[inline]
    pub(crate) fn stretch(&self) -> usize {
        if self.left == 0 { SHORTEST.into() } else { self.left.into() }
    }

    /// Counts `units` that a kernel, or a short conversion, has read.
    #[inline]
    pub(crate) fn advance(&mut self, units: usize) {
        self.position += units as u64;
        testing::count_bulk(units);
    }

    /// Records a kernel call: it finished, it stopped, or the output was full. `non_ascii` counts the units that are not ASCII
    /// among the last ones that were converted, as many as its argument.
    ///
    /// If the useful units are fewer than the call costs, converting them item by item would have been faster, unless malformed
    /// sequences are far apart.
    #[inline(never)]
    pub(crate) fn record(&mut self, call: KernelCall, costs: Costs, non_ascii: &dyn Fn(usize) -> usize) {
        let KernelCall { units, taken, spare } = call;
        self.advance(taken);
        let cost = usize::from(costs.kernel_call);
        if units - taken <= INCOMPLETE {
            if taken >= cost {
                self.stretch = 0;
            }
            return;
        }
        if spare < FULL_BELOW {
            return;
        }
        let useful = costs.useful_units(taken, non_ascii);
        if useful >= cost || useful == taken && self.malformed_are_apart(taken, costs.apart()) {
            (self.left, self.stretch) = (1, 0);
        } else {
            self.stretch = (2 * self.stretch).clamp(SHORTEST, LONGEST);
            self.left = self.stretch;
        }
        self.distance = 0;
    }

    /// Whether malformed sequences since the last kernel call are at least `apart` units apart on average.
    ///
    /// A stretch that ends shortly before such a sequence would be followed by a longer one, even if a kernel would convert all
    /// between two of them: cell `decode/utf-8/utf-8/ja+1-per-64B/4KiB`.
    ///
    /// This says nothing if the kernel has converted nothing. The text before was probably ASCII, which items convert to its
    /// end: cell `hostile/decode/gbk/utf-8/replace/4KiB/ascii*200+cut-lead-ascii`.
    fn malformed_are_apart(&self, taken: usize, apart: usize) -> bool {
        !cfg!(textcodec_small) && self.distance > 0 && taken > 0 && taken + usize::from(self.distance) >= apart
    }

    /// Records items of `units`, of which `malformed` sequences were replaced.
    #[inline]
    pub(crate) fn record_items(&mut self, units: usize, malformed: u64) {
        self.spend(units);
        if let Some(distance) = (units as u64).checked_div(malformed)
            && !cfg!(textcodec_small)
        {
            self.distance = distance.min(u16::MAX.into()) as u16;
        }
        testing::count_items(units);
    }

    /// Records units of one character that the handler has read.
    #[inline]
    pub(crate) fn record_handled(&mut self, units: usize) {
        self.spend(units);
        testing::count_handled(units);
    }

    /// Counts units that were converted without a kernel.
    #[cfg_attr(textcodec_small, inline(never))]
    #[cfg_attr(not(textcodec_small), inline)]
    fn spend(&mut self, units: usize) {
        self.position += units as u64;
        self.left = usize::from(self.left).saturating_sub(units) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs::new(16, Useful::All);

    /// Whether no kernel has stopped early of late.
    fn expects_kernel(mut progress: Progress) -> bool {
        progress.end_between_characters();
        progress.is_ready
    }

    /// Records a call that stopped after `taken` units, with much room left.
    fn stop_after(progress: &mut Progress, taken: usize, costs: Costs, non_ascii: usize) {
        progress.record(KernelCall { units: 1000, taken, spare: 1000 }, costs, &|_| non_ascii);
    }

    #[test]
    fn stretches_double_while_kernels_stop_early() {
        let mut progress = Progress::START;
        for expected in [32, 64, 128, 256, 512, 512] {
            assert!(progress.should_call_kernel(MIN_KERNEL_INPUT, MIN_KERNEL_INPUT));
            assert!(!progress.should_call_kernel(MIN_KERNEL_INPUT - 1, 16));
            assert!(progress.should_call_kernel(33, 32) && !progress.should_call_kernel(33, 31));
            stop_after(&mut progress, 15, COSTS, 15);
            assert_eq!(progress.stretch(), expected);
            assert!(!expects_kernel(progress));
            progress.record_items(expected - 1, 0);
            assert!(!progress.should_call_kernel(usize::MAX, usize::MAX));
            progress.record_handled(1000);
        }
        stop_after(&mut progress, 16, COSTS, 16);
        assert_eq!(progress.stretch(), 1);
        progress.record_items(2, 0);
        assert!(expects_kernel(progress));
        stop_after(&mut progress, 0, COSTS, 0);
        assert_eq!(progress.stretch(), 32);
    }

    #[test]
    fn a_call_that_finishes_or_fills_the_output_is_not_poor() {
        let mut progress = Progress::START;
        // Up to three units may be an incomplete character.
        progress.record(KernelCall { units: 10, taken: 7, spare: 1000 }, COSTS, &|_| 7);
        progress.record(KernelCall { units: 1000, taken: 0, spare: FULL_BELOW - 1 }, COSTS, &|_| 0);
        assert!(expects_kernel(progress));
        assert_eq!(progress.position, 7);
        progress.record(KernelCall { units: 10, taken: 6, spare: FULL_BELOW }, COSTS, &|_| 6);
        assert!(!expects_kernel(progress));
        // A short call does not show that the input is ordinary again; a long one does.
        progress.record_items(32, 0);
        progress.record(KernelCall { units: 15, taken: 15, spare: 0 }, COSTS, &|_| 15);
        assert!(!expects_kernel(progress));
        progress.record(KernelCall { units: 16, taken: 16, spare: 0 }, COSTS, &|_| 16);
        assert!(expects_kernel(progress));
    }

    #[test]
    fn ascii_does_not_make_a_call_worthwhile() {
        let stretch_after = |useful, taken, non_ascii| {
            let mut progress = Progress::START;
            stop_after(&mut progress, taken, Costs::new(16, useful), non_ascii);
            progress.stretch()
        };
        assert_eq!(stretch_after(Useful::All, 16, 0), 1);
        assert_eq!(stretch_after(Useful::AllUnlessAscii, 16, 0), 32);
        assert_eq!(stretch_after(Useful::AllUnlessAscii, 16, 1), 1);
        assert_eq!(stretch_after(Useful::NonAscii, 100, 7), 32);
        assert_eq!(stretch_after(Useful::NonAscii, 100, 8), 1);
    }

    #[cfg(not(textcodec_small))]
    #[test]
    fn a_stretch_does_not_grow_while_malformed_sequences_are_apart() {
        let stretch_after = |units, malformed, non_ascii, taken| {
            let mut progress = Progress::START;
            let costs = Costs::new(8, Useful::NonAscii);
            stop_after(&mut progress, 0, costs, 0);
            progress.record_items(units, malformed);
            stop_after(&mut progress, taken, costs, non_ascii);
            progress.stretch()
        };
        // Three sequences, 16 units apart on average, and one unit less.
        assert_eq!(stretch_after(36, 3, 4, 4), 1);
        assert_eq!(stretch_after(35, 3, 4, 4), 64);
        // None, ASCII that does not count, and no text at all: the items stopped at the sequence too, as they do after ASCII.
        assert_eq!(stretch_after(36, 0, 4, 4), 64);
        assert_eq!(stretch_after(36, 3, 1, 4), 64);
        assert_eq!(stretch_after(360, 3, 0, 0), 64);
    }
}
