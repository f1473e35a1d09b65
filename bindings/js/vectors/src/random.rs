//! Random numbers, the same on each run.

/// Marsaglia's xorshift.
pub(crate) struct Random(u64);

impl Random {
    /// A row of numbers of its own for each seed.
    pub(crate) fn new(seed: &str) -> Self {
        Self(
            seed.bytes().fold(0x9E37_79B9_7F4A_7C15, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
                | 1,
        )
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// One of several.
    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
