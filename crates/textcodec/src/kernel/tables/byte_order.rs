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
