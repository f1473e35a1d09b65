//! When to call a kernel and when to convert item by item.
//!
//! A kernel call has a fixed cost, and a double-byte kernel examines up to 128 bytes before it finds that it can convert none
//! of them. Input that makes kernels stop often would pay this cost at each stop. So after a call that converted little, a
//! stretch of input is converted item by item before the next kernel call, and the stretch doubles each time. On any input, at
//! most one short kernel call is wasted per stretch. On ordinary text, none is. Malformed sequences that are far enough apart for
//! kernel calls between them do not make the stretch longer.
//!
//! Without stretches, `hostile/decode/iso-2022-jp/utf-16/replace/4KiB/pair:kanji+unmapped` takes 21 times as long. With
//! stretches that never grow, `hostile/decode/euc-kr/utf-8/replace/4KiB/c9_5439*38_b0a1*2_…` takes 4.9 times as long.

/// Tracks how far recent kernel calls got. It belongs to a decoder or an encoder, not to one call, because hostile input can
/// come in small chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// The number of units to convert item by item before the next kernel call.
    left: u16,
    /// The length of the last such stretch.
    stretch: u16,
    /// The number of malformed sequences in the last items that had any, since the last kernel call that stopped.
    malformed: u16,
    /// The number of units of these items.
    units: u16,
}

/// The minimum input in units for a kernel call. Chunks of single bytes are common: without a minimum,
/// `hostile/encode/euc-kr/utf-8/html/1-unit-chunks/hanja` takes 3.2 times as long.
const MIN_KERNEL_INPUT: usize = 8;
/// The first stretch after a poor call.
const SHORTEST: u16 = 32;
/// The maximum stretch.
const LONGEST: u16 = 512;

impl Pace {
    pub(crate) const START: Self = Self { left: 0, stretch: 0, malformed: 0, units: 0 };

    /// Whether to call a kernel for `units` units of input and `spare_len` units of output capacity. If the output is smaller
    /// than the input, its capacity must be at least `worthwhile`.
    #[inline]
    pub(crate) fn should_call_kernel(self, units: usize, spare_len: usize, worthwhile: usize) -> bool {
        self.left == 0 && units >= MIN_KERNEL_INPUT && spare_len >= units.min(worthwhile)
    }

    /// Whether the input and the output capacity are worth a kernel call that expects to convert all of the input.
    #[inline]
    pub(crate) fn is_enough(units: usize, spare_len: usize) -> bool {
        units >= MIN_KERNEL_INPUT && spare_len >= units
    }

    /// Whether no kernel has stopped early of late.
    #[inline]
    pub(crate) fn is_unused(self) -> bool {
        self.left == 0 && self.stretch == 0
    }

    /// The number of units to convert item by item before the next kernel call. After a kernel stopped, this is at least 1: the
    /// item that it declined.
    #[inline]
    pub(crate) fn stretch(self) -> usize {
        if self.left == 0 { SHORTEST.into() } else { self.left.into() }
    }

    /// Records a kernel call that stopped before the end of its input, after `taken` units of which `useful` count. If `useful <
    /// worthwhile`, converting them item by item would have been faster, unless malformed sequences are `apart` units apart on
    /// average.
    #[inline]
    pub(crate) fn kernel_stopped(&mut self, useful: usize, taken: usize, worthwhile: usize, apart: usize) {
        if useful >= worthwhile || useful == taken && self.malformed_are_apart(taken, apart) {
            (self.left, self.stretch) = (1, 0);
        } else {
            self.stretch = (2 * self.stretch).clamp(SHORTEST, LONGEST);
            self.left = self.stretch;
        }
        (self.malformed, self.units) = (0, 0);
    }

    /// Whether malformed sequences since the last kernel call are at least `apart` units apart on average.
    ///
    /// A stretch that ends shortly before such a sequence would be followed by a longer one, even if a kernel would convert all
    /// between two of them: `decode/utf-8/utf-8/ja+1-per-64B/4KiB` would take twice the time.
    ///
    /// This says nothing if the kernel has converted nothing. The text before was probably ASCII, which items convert to its
    /// end: `hostile/decode/gbk/utf-8/replace/4KiB/ascii*200+cut-lead-ascii` would take twice the time.
    #[inline]
    fn malformed_are_apart(self, taken: usize, apart: usize) -> bool {
        let (malformed, units) = (usize::from(self.malformed), usize::from(self.units));
        !cfg!(textcodec_small) && malformed > 0 && taken > 0 && taken * malformed + units >= apart * malformed
    }

    /// Records a kernel call that converted all of its input.
    #[inline]
    pub(crate) fn kernel_finished(&mut self, taken: usize, worthwhile: usize) {
        if taken >= worthwhile {
            self.stretch = 0;
        }
    }

    /// Records `malformed` sequences among `units`.
    #[inline]
    pub(crate) fn count_malformed(&mut self, units: usize, malformed: u64) {
        self.units = units.min(u16::MAX.into()) as u16;
        self.malformed = malformed.min(u16::MAX.into()) as u16;
    }

    /// Records `units` that were converted item by item.
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
        let mut pace = Pace::START;
        for expected in [32, 64, 128, 256, 512, 512] {
            assert!(
                pace.should_call_kernel(MIN_KERNEL_INPUT, MIN_KERNEL_INPUT, 16)
                    && !pace.should_call_kernel(MIN_KERNEL_INPUT - 1, 16, 16)
            );
            assert!(pace.should_call_kernel(17, 16, 16) && !pace.should_call_kernel(17, 15, 16));
            pace.kernel_stopped(15, 15, 16, 16);
            assert_eq!(pace.stretch(), expected);
            pace.spend(expected - 1);
            assert!(!pace.should_call_kernel(usize::MAX, usize::MAX, 16));
            pace.spend(usize::MAX);
        }
        pace.kernel_stopped(16, 16, 16, 16);
        assert_eq!(pace.stretch(), 1);
        pace.spend(2);
        pace.kernel_stopped(0, 0, 16, 16);
        assert_eq!(pace.stretch(), 32);
    }

    #[cfg(not(textcodec_small))]
    #[test]
    fn a_stretch_does_not_grow_while_malformed_sequences_are_apart() {
        let stretch_after = |units, malformed, useful, taken| {
            let mut pace = Pace::START;
            pace.kernel_stopped(0, 0, 16, 16);
            pace.count_malformed(units, malformed);
            pace.kernel_stopped(useful, taken, 16, 16);
            pace.stretch()
        };
        // Three sequences, 16 units apart on average, and one unit less.
        assert_eq!(stretch_after(36, 3, 4, 4), 1);
        assert_eq!(stretch_after(35, 3, 4, 4), 64);
        // None, ASCII that does not count, and no text at all: the items stopped at the sequence too, as they do after ASCII.
        assert_eq!(stretch_after(36, 0, 4, 4), 64);
        assert_eq!(stretch_after(36, 3, 3, 4), 64);
        assert_eq!(stretch_after(360, 3, 0, 0), 64);
    }
}
