//! Byte orders of UTF-16.

use crate::kernel::block::bytes_of;

/// The order of the bytes in a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    /// UTF-16LE.
    Little,
    /// UTF-16BE.
    Big,
}

impl ByteOrder {
    /// The order of `u16` in memory.
    pub(crate) const NATIVE: Self = if cfg!(target_endian = "little") { Self::Little } else { Self::Big };

    /// Returns one of the two orders.
    pub(crate) const fn of(is_big: bool) -> Self {
        if is_big { Self::Big } else { Self::Little }
    }

    #[inline(always)]
    pub(crate) fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    #[inline(always)]
    pub(crate) fn bytes(self, unit: u16) -> [u8; 2] {
        match self {
            Self::Little => unit.to_le_bytes(),
            Self::Big => unit.to_be_bytes(),
        }
    }
}

impl ByteOrder {
    /// Returns the number that has the bytes of `unit` in this order in memory.
    #[inline(always)]
    pub(crate) fn in_memory(self, unit: u16) -> u16 {
        u16::from_ne_bytes(self.bytes(unit))
    }
}

/// Returns the bytes of each code unit, in native order.
#[inline(always)]
pub(crate) fn as_bytes(units: &[u16]) -> &[[u8; 2]] {
    bytes_of(units).as_chunks().0
}

/// Reads `N` little-endian units, from unit `from` on.
///
/// As one copy, because a loop in the compiler's interpreter takes seconds for all tables.
pub(crate) const fn units<const N: usize>(bytes: &[u8], from: usize) -> [u16; N] {
    assert!(from <= bytes.len() / 2 && N <= bytes.len() / 2 - from, "the units are within the bytes");
    // SAFETY: the assertion above, and all bit patterns of a `u16` are valid.
    let mut units: [u16; N] = unsafe { bytes.as_ptr().add(2 * from).cast::<[u16; N]>().read_unaligned() };
    if cfg!(target_endian = "big") {
        let mut n = 0;
        while n < N {
            units[n] = units[n].swap_bytes();
            n += 1;
        }
    }
    units
}
