//! Byte orders of UTF-16.

/// The order of the bytes in a code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    /// UTF-16LE.
    Little,
    /// UTF-16BE.
    Big,
}

impl ByteOrder {
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

/// Returns bytes as code units, without a last odd byte, if `order` is the native one and the bytes are aligned.
pub(crate) fn as_units(order: ByteOrder, src: &[u8]) -> Option<&[u16]> {
    let native = if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Big };
    // SAFETY: all bit patterns of a `u16` are valid.
    let (before, units, _) = unsafe { src.align_to() };
    (order == native && before.is_empty()).then_some(units)
}

/// Reads `N` little-endian units, from unit `from` on.
///
/// As one copy, because a loop in the compiler's interpreter takes seconds for all tables.
pub(crate) const fn units<const N: usize>(bytes: &[u8], from: usize) -> [u16; N] {
    assert!(2 * (from + N) <= bytes.len(), "the units are within the bytes");
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
