//! One byte a character: ASCII below, a table above.

pub(crate) mod scalar;

/// The code points of the bytes 0x80 to 0xFF; 0 is unmapped.
pub(crate) type Upper = [u16; 128];

/// From a code point of the BMP to a byte above 0x7F: 1,024 block numbers, blocks of 64 bytes; 0 is unmapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToByte {
    pub(crate) stages: &'static [u8; 1024],
    pub(crate) blocks: &'static [[u8; 64]],
}

impl ToByte {
    /// The byte of a code point above U+007F.
    #[inline(always)]
    pub(crate) fn get(self, unit: u16) -> Option<u8> {
        let block = self.blocks.get(usize::from(self.stages[usize::from(unit >> 6)]))?;
        Some(block[usize::from(unit & 63)]).filter(|&byte| byte != 0)
    }
}
