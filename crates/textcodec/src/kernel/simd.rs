//! The vector operations that the loops of [`drivers`](super::drivers) need, as a trait that AVX2 and AVX-512 implement.

use core::mem::MaybeUninit;

use super::surrogates::Surrogates;

/// A level's instructions for vectors of `N` bytes.
///
/// A value proves that the CPU has the level's features, because only a function with these features can create one. So the
/// operations are safe.
///
/// # Safety
/// Values can only exist where the CPU has the level's features. The operations do what they document: the mask of a vector's
/// lanes has no bits from `N` on, and stores initialise the elements that they name. If a store returns a number, and no
/// `exact` is given, that number of elements is initialised.
pub(crate) unsafe trait Simd<const N: usize>: Copy {
    /// `N` bytes, or `N / 2` code units.
    type Vector: Copy;

    /// Whether loading and storing a part of a vector costs no more than all of it.
    const HAS_MASKS: bool;
    /// The number of bytes that [`store_up_to_two_bytes`](Self::store_up_to_two_bytes) and
    /// [`store_up_to_three_bytes`](Self::store_up_to_three_bytes) may overwrite after the first `3 * N`.
    const OVERHANG: usize;

    /// Loads a block.
    fn load(self, block: &[u8; N]) -> Self::Vector;
    /// Loads the first `N` bytes. Lanes after the end are 0.
    fn load_some(self, bytes: &[u8]) -> Self::Vector;
    /// Loads the first `N` code units. Lanes after the end are 0.
    fn load_some_units(self, units: &[u16]) -> [Self::Vector; 2];
    /// Loads bytes as code units. Cheaper than [`load`](Self::load) and [`widen`](Self::widen).
    fn load_widened(self, block: &[u8; N]) -> [Self::Vector; 2];

    /// Stores all bytes.
    fn store(self, bytes: Self::Vector, to: &mut [MaybeUninit<u8>; N]);
    /// Stores all code units.
    fn store_units(self, units: [Self::Vector; 2], to: &mut [MaybeUninit<u16>; N]);
    /// Stores the first `min(count, N, to.len())` bytes. May overwrite the rest of `to`.
    fn store_some(self, bytes: Self::Vector, count: usize, to: &mut [MaybeUninit<u8>]);
    /// Stores the first `min(count, N, to.len())` code units. May overwrite the rest of `to`.
    fn store_some_units(self, units: [Self::Vector; 2], count: usize, to: &mut [MaybeUninit<u16>]);

    /// Broadcasts a byte to all lanes.
    fn splat(self, byte: u8) -> Self::Vector;
    /// The bitwise OR.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Whether all bits are 0.
    fn is_zero(self, bytes: Self::Vector) -> bool;
    /// The mask of the lanes that are not 0.
    fn nonzero(self, bytes: Self::Vector) -> u64;
    /// The mask of the first `min(count, 64)` lanes.
    fn first_n(self, count: usize) -> u64;
    /// The lowest `count` bits of a mask, or all if it has fewer.
    fn lowest(self, mask: u64, count: usize) -> u64;
    /// The mask of the lanes whose high bit is set: bytes that are not ASCII.
    fn high_bits(self, bytes: Self::Vector) -> u64;
    /// The mask of the lanes whose high bit is set or that equal one of three bytes.
    fn high_bits_or_any(self, bytes: Self::Vector, excluded: [Self::Vector; 3]) -> u64;
    /// The mask of the lanes that are not continuation bytes of UTF-8.
    fn character_starts(self, utf8: Self::Vector) -> u64;
    /// Selects `high` in the lanes where the high bit of `bytes` is set, `bytes` in the others.
    fn where_high(self, bytes: Self::Vector, high: Self::Vector) -> Self::Vector;
    /// Zero-extends bytes to code units.
    fn widen(self, bytes: Self::Vector) -> [Self::Vector; 2];
    /// Whether any code unit is a surrogate.
    fn any_surrogate(self, units: [Self::Vector; 4]) -> bool;
    /// The surrogates among `N` code units.
    fn surrogates(self, units: [Self::Vector; 2]) -> Surrogates;
    /// Replaces the code units in `lanes`.
    fn with_units(self, units: [Self::Vector; 2], lanes: u64, unit: u16) -> [Self::Vector; 2];
    /// Swaps the bytes of each code unit.
    fn swapped(self, units: Self::Vector) -> Self::Vector;
    /// Truncates code units below 0x100 to bytes.
    fn narrow(self, units: [Self::Vector; 2]) -> Self::Vector;
    /// The mask of the code units with bits outside `mask`, which is 0x7F or 0xFF.
    fn exceeding(self, units: [Self::Vector; 2], mask: u16) -> u64;
    /// Whether any code unit has bits outside `mask`.
    fn any_exceeding(self, units: Self::Vector, mask: u16) -> bool;

    /// Stores the lanes in `kept` without gaps, and returns their number. May overwrite the rest of `to`.
    fn store_kept(self, bytes: Self::Vector, kept: u64, to: &mut [MaybeUninit<u8>; N]) -> usize;
    /// Stores the lanes in `kept` without gaps, as far as they fit into `to`. May overwrite the rest of `to`.
    fn store_some_kept(self, bytes: Self::Vector, kept: u64, to: &mut [MaybeUninit<u8>]);
    /// Stores characters that have one or two bytes in UTF-8, given as two planes: their first bytes, and the second bytes of
    /// those in `twos`. Returns the number of bytes stored: those of the first `len` characters, and possibly of more. May
    /// overwrite the rest of `to`. A caller that passes `exact` must use `exact` instead of the result.
    ///
    /// `twos` decides how many bytes a character has. AVX2 stores groups of eight characters up to the one with character
    /// `len - 1`. AVX-512 ignores `len`: it stores all `N` characters, or the first `exact` bytes of them.
    ///
    /// # Safety
    /// `len <= N`. If `exact` is `Some`, it is the number of bytes of the first `len` characters, and `exact <= to.len()`.
    /// Otherwise `to.len() >= 3 * N + OVERHANG`.
    unsafe fn store_up_to_two_bytes(
        self,
        planes: [Self::Vector; 2],
        twos: u64,
        len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize;
    /// Like [`store_up_to_two_bytes`](Self::store_up_to_two_bytes), with a third plane: the third bytes of the characters in
    /// the second mask.
    ///
    /// On AVX2, the masks decide how many bytes a character has, and groups have four characters. AVX-512 ignores the masks: it
    /// stores the bytes of the second and third plane whose high bit is set.
    ///
    /// # Safety
    /// The same conditions as for [`store_up_to_two_bytes`](Self::store_up_to_two_bytes), with the number of bytes that the
    /// level stores.
    unsafe fn store_up_to_three_bytes(
        self,
        planes: [Self::Vector; 3],
        masks: [u64; 2],
        len: usize,
        exact: Option<usize>,
        to: &mut [MaybeUninit<u8>],
    ) -> usize;

    /// Whether four blocks are all ASCII.
    #[inline(always)]
    fn is_ascii(self, [a, b, c, d]: [Self::Vector; 4]) -> bool {
        self.high_bits(self.or(self.or(a, b), self.or(c, d))) == 0
    }
}

/// The result of a step: `N` bytes or code units.
///
/// # Safety
/// Both functions initialise the elements that they name.
pub(crate) unsafe trait Lanes<S: Simd<N>, const N: usize>: Copy {
    /// `u8` or `u16`.
    type Unit: Copy;

    /// Stores all elements.
    fn store(self, simd: S, to: &mut [MaybeUninit<Self::Unit>; N]);

    /// Stores the first `min(count, N, to.len())` elements. May overwrite the rest of `to`.
    fn store_some(self, simd: S, count: usize, to: &mut [MaybeUninit<Self::Unit>]);
}

/// `N` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<V>(pub(crate) V);

/// `N` code units.
#[derive(Clone, Copy)]
pub(crate) struct Units<V>(pub(crate) [V; 2]);

// SAFETY: `Simd::store` and `Simd::store_some` initialise these elements.
unsafe impl<S: Simd<N>, const N: usize> Lanes<S, N> for Bytes<S::Vector> {
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

// SAFETY: `Simd::store_units` and `Simd::store_some_units` initialise these elements.
unsafe impl<S: Simd<N>, const N: usize> Lanes<S, N> for Units<S::Vector> {
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

/// Implements the operations of [`Simd`] for vectors of `$n` bytes by the safe functions of the same names in a level's `vector`.
macro_rules! operations {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $type),*) $(-> $result)? {
            // SAFETY: the CPU has the features of the function, because `self` proves those of the level.
            unsafe { $name($($argument),*) }
        }
    )*};
    ($vector:ty, $n:ident) => {
        crate::kernel::simd::operations! {
            load(bytes: &[u8; $n]) -> $vector;
            load_some(bytes: &[u8]) -> $vector;
            load_some_units(units: &[u16]) -> [$vector; 2];
            load_widened(block: &[u8; $n]) -> [$vector; 2];
            store(bytes: $vector, to: &mut [MaybeUninit<u8>; $n]);
            store_units(units: [$vector; 2], to: &mut [MaybeUninit<u16>; $n]);
            store_some(bytes: $vector, count: usize, to: &mut [MaybeUninit<u8>]);
            store_some_units(units: [$vector; 2], count: usize, to: &mut [MaybeUninit<u16>]);
            splat(byte: u8) -> $vector;
            or(a: $vector, b: $vector) -> $vector;
            is_zero(bytes: $vector) -> bool;
            nonzero(bytes: $vector) -> u64;
            first_n(count: usize) -> u64;
            lowest(mask: u64, count: usize) -> u64;
            high_bits(bytes: $vector) -> u64;
            high_bits_or_any(bytes: $vector, excluded: [$vector; 3]) -> u64;
            character_starts(utf8: $vector) -> u64;
            where_high(bytes: $vector, high: $vector) -> $vector;
            widen(bytes: $vector) -> [$vector; 2];
            any_surrogate(units: [$vector; 4]) -> bool;
            surrogates(units: [$vector; 2]) -> Surrogates;
            with_units(units: [$vector; 2], lanes: u64, unit: u16) -> [$vector; 2];
            swapped(units: $vector) -> $vector;
            narrow(units: [$vector; 2]) -> $vector;
            exceeding(units: [$vector; 2], mask: u16) -> u64;
            any_exceeding(units: $vector, mask: u16) -> bool;
            store_kept(bytes: $vector, kept: u64, to: &mut [MaybeUninit<u8>; $n]) -> usize;
            store_some_kept(bytes: $vector, kept: u64, to: &mut [MaybeUninit<u8>]);
        }
    };
}
pub(crate) use operations;
