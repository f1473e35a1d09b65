//! Reproducible random numbers.

/// Marsaglia's xorshift generator.
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator. Each seed has its own sequence.
    pub(crate) fn new(seed: &str) -> Self {
        Self(
            seed.bytes().fold(0x9E37_79B9_7F4A_7C15, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
                | 1,
        )
    }

    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// Returns one element of a slice.
    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
