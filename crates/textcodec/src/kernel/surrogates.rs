//! Pairs of surrogates, by masks of up to 64 code units.

/// Which of up to 64 code units are surrogates. The first unit is in the lowest bit.
#[derive(Clone, Copy)]
pub(crate) struct Surrogates {
    pub(crate) highs: u64,
    pub(crate) lows: u64,
}

impl Surrogates {
    /// Returns the lanes where a low surrogate must be. `pending_high` says whether the unit before these is a high surrogate.
    #[inline(always)]
    fn expected_lows(self, pending_high: bool) -> u64 {
        self.highs << 1 | u64::from(pending_high)
    }

    /// Returns the low surrogates that do not follow a high one, and the other units that do. A high surrogate in lane 63 affects
    /// none; lanes after the units have to be ignored.
    #[inline(always)]
    pub(crate) fn wrong(self, pending_high: bool) -> u64 {
        self.lows ^ self.expected_lows(pending_high)
    }

    /// Returns the offset of the first unpaired surrogate in `lanes`. The first lane is at `at`; the surrogate may be the unit
    /// before it.
    #[inline(always)]
    pub(crate) fn first_unpaired(self, at: usize, lanes: u64, pending_high: bool) -> Option<usize> {
        let expected = self.expected_lows(pending_high);
        let wrong = self.wrong(pending_high) & lanes;
        let first = wrong.trailing_zeros();
        // If a low surrogate was expected, the unpaired one is the high surrogate before.
        (wrong != 0).then(|| at + first as usize - (expected >> first & 1) as usize)
    }

    /// Returns the unpaired surrogates: low ones in `lanes`, and high ones before a unit in `lanes`.
    #[inline(always)]
    pub(crate) fn unpaired(self, lanes: u64, pending_high: bool) -> Unpaired {
        let expected = self.expected_lows(pending_high);
        let (lows, after_highs) = (self.lows & !expected & lanes, expected & !self.lows & lanes);
        Unpaired { lanes: lows | after_highs >> 1, is_before: after_highs & 1 != 0 }
    }

    /// Returns whether the last of the first `count` code units is a high surrogate; `1 <= count <= 64`.
    #[inline(always)]
    pub(crate) fn end_high(self, count: usize) -> bool {
        self.highs >> (count - 1) & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn are_none(self) -> bool {
        self.highs | self.lows == 0
    }
}

/// Unpaired surrogates among code units.
pub(crate) struct Unpaired {
    pub(crate) lanes: u64,
    /// Whether the unit before the first lane is one.
    pub(crate) is_before: bool,
}

impl Unpaired {
    #[inline(always)]
    pub(crate) fn count(&self) -> u64 {
        u64::from(self.lanes.count_ones()) + u64::from(self.is_before)
    }
}
