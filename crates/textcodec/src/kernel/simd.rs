//! What the loops of [`drivers`](super::drivers) need of a level's vectors.

use core::mem::MaybeUninit;

/// A level's vector instructions, for vectors of `N` bytes.
///
/// A value proves that the CPU has them, because only a function with the level's target features can make one. So the
/// operations are safe.
pub(crate) trait Simd<const N: usize>: Copy {
    /// `N` bytes, or half as many code units.
    type Vector: Copy;

    /// Whether loading and storing a part of a vector costs no more than all of it.
    const HAS_MASKS: bool;
    /// Whether an inner loop for ASCII pays among other text.
    const LOOPS_OVER_ASCII: bool;
    /// How many bytes [`store_pairs`](Self::store_pairs) and [`store_triples`](Self::store_triples) overwrite past three for
    /// each lane.
    const OVERHANG: usize;

    /// All of a block.
    fn load(self, block: &[u8; N]) -> Self::Vector;
    /// The first `N` bytes; zeros past the end.
    fn load_some(self, bytes: &[u8]) -> Self::Vector;
    /// The first `N` code units; zeros past the end.
    fn load_units(self, units: &[u16]) -> [Self::Vector; 2];
    /// Bytes as code units. From memory this is cheaper than [`widen`](Self::widen).
    fn load_widened(self, block: &[u8; N]) -> [Self::Vector; 2];

    /// Stores all bytes.
    fn store(self, bytes: Self::Vector, to: &mut [MaybeUninit<u8>; N]);
    /// Stores all code units.
    fn store_units(self, units: [Self::Vector; 2], to: &mut [MaybeUninit<u16>; N]);
    /// Stores the first `count` bytes, or as many as `to` holds. May overwrite the rest of `to`.
    fn store_some(self, bytes: Self::Vector, count: usize, to: &mut [MaybeUninit<u8>]);
    /// Stores the first `count` code units, or as many as `to` holds. May overwrite the rest of `to`.
    fn store_some_units(self, units: [Self::Vector; 2], count: usize, to: &mut [MaybeUninit<u16>]);

    /// The byte in all lanes.
    fn splat(self, byte: u8) -> Self::Vector;
    /// All bits of both.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Whether no bit is set.
    fn is_zero(self, bytes: Self::Vector) -> bool;
    /// The lanes that are not 0.
    fn nonzero(self, bytes: Self::Vector) -> u64;
    /// The first `count` lanes, or all 64.
    fn first_n(self, count: usize) -> u64;
    /// The lanes whose high bit is set: bytes that are not ASCII.
    fn high_bits(self, bytes: Self::Vector) -> u64;
    /// The lanes whose high bit is set or that are one of three bytes.
    fn high_bits_or_any(self, bytes: Self::Vector, excluded: [Self::Vector; 3]) -> u64;
    /// The lanes that begin a character of well-formed UTF-8.
    fn character_starts(self, utf8: Self::Vector) -> u64;
    /// `high` where the high bit of `bytes` is set, `bytes` elsewhere.
    fn where_high(self, bytes: Self::Vector, high: Self::Vector) -> Self::Vector;
    /// Bytes as code units.
    fn widen(self, bytes: Self::Vector) -> [Self::Vector; 2];
    /// Code units below 0x100 as bytes.
    fn narrow(self, units: [Self::Vector; 2]) -> Self::Vector;
    /// The lanes of code units that have other bits than those in `mask`, which is 0x7F or 0xFF.
    fn exceeding(self, units: [Self::Vector; 2], mask: u16) -> u64;
    /// Whether a code unit has other bits than those in `mask`.
    fn any_exceeding(self, units: Self::Vector, mask: u16) -> bool;

    /// Stores the lanes in a mask without gaps; returns how many there are. May overwrite the rest of `to`.
    fn store_kept(self, bytes: Self::Vector, kept: u64, to: &mut [MaybeUninit<u8>; N]) -> usize;
    /// Stores the lanes in a mask without gaps, as many as `to` holds. May overwrite the rest of `to`.
    fn store_some_kept(self, bytes: Self::Vector, kept: u64, to: &mut [MaybeUninit<u8>]);
    /// Stores the UTF-8 of characters of one or two bytes, in two planes: their first bytes, and the second bytes of those in
    /// `twos`. Returns how many bytes it stored: those of the first `len` characters, and maybe of more.
    ///
    /// # Safety
    /// `len <= N`. With `exact`, this is what the first `len` characters become, no more is stored, and
    /// `exact <= to.len()`; without, `to.len() >= 3 * N + OVERHANG`.
    unsafe fn store_pairs(
        self,
        planes: [Self::Vector; 2],
        twos: u64,
        len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize;
    /// [`store_pairs`](Self::store_pairs) with a third plane: the third bytes of the characters in the second mask.
    ///
    /// # Safety
    /// The same.
    unsafe fn store_triples(
        self,
        planes: [Self::Vector; 3],
        masks: [u64; 2],
        len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize;

    /// Whether a run of four blocks is ASCII.
    #[inline(always)]
    fn is_ascii(self, [a, b, c, d]: [Self::Vector; 4]) -> bool {
        self.high_bits(self.or(self.or(a, b), self.or(c, d))) == 0
    }
}

/// `N` results of a step: bytes or code units.
pub(crate) trait Lanes<S: Simd<N>, const N: usize>: Copy {
    /// `u8` or `u16`.
    type Unit: Copy;

    /// Stores all of them.
    fn store(self, simd: S, to: &mut [MaybeUninit<Self::Unit>; N]);

    /// Stores the first `count`, or as many as `to` holds. May overwrite the rest of `to`.
    fn store_some(self, simd: S, count: usize, to: &mut [MaybeUninit<Self::Unit>]);
}

/// `N` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<V>(pub(crate) V);

/// `N` code units.
#[derive(Clone, Copy)]
pub(crate) struct Units<V>(pub(crate) [V; 2]);

impl<S: Simd<N>, const N: usize> Lanes<S, N> for Bytes<S::Vector> {
    type Unit = u8;

    #[inline(always)]
    fn store(self, simd: S, to: &mut [MaybeUninit<u8>; N]) {
        simd.store(self.0, to);
    }

    #[inline(always)]
    fn store_some(self, simd: S, count: usize, to: &mut [MaybeUninit<u8>]) {
        simd.store_some(self.0, count, to);
    }
}

impl<S: Simd<N>, const N: usize> Lanes<S, N> for Units<S::Vector> {
    type Unit = u16;

    #[inline(always)]
    fn store(self, simd: S, to: &mut [MaybeUninit<u16>; N]) {
        simd.store_units(self.0, to);
    }

    #[inline(always)]
    fn store_some(self, simd: S, count: usize, to: &mut [MaybeUninit<u16>]) {
        simd.store_some_units(self.0, count, to);
    }
}

/// Implements operations of [`Simd`] by the functions of the same names in a level's `vector`.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) $(-> $result)? {
            // SAFETY: `self` exists only where the CPU has the level's features, which are this function's.
            unsafe { $name($($argument),*) }
        }
    )*};
}
pub(crate) use operations;
