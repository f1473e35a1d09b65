//! One byte a character: ASCII below, a table above.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod avx512;
pub(crate) mod scalar;

/// What the bytes 0x80 to 0xFF are, in planes: one array for each byte of a result, as vectors look bytes up.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Upper {
    /// The code points' lower and upper bytes; 0 and 0 is unmapped.
    pub(crate) utf16: [[u8; 128]; 2],
    /// The first, second and third bytes of UTF-8. Where there is no such byte, 0.
    pub(crate) utf8: [[u8; 128]; 3],
}

impl Upper {
    /// From code points; 0 is unmapped.
    pub(crate) const fn new(code_points: &[u16; 128]) -> Self {
        let mut upper = Self { utf16: [[0; 128]; 2], utf8: [[0; 128]; 3] };
        let mut n = 0;
        while n < 128 {
            let unit = code_points[n];
            let [low, high] = unit.to_le_bytes();
            upper.utf16[0][n] = low;
            upper.utf16[1][n] = high;
            let last = 0x80 | low & 0x3F;
            if unit >= 0x800 {
                upper.utf8[0][n] = 0xE0 | high >> 4;
                upper.utf8[1][n] = 0x80 | (unit >> 6) as u8 & 0x3F;
                upper.utf8[2][n] = last;
            } else if unit >= 0x80 {
                upper.utf8[0][n] = 0xC0 | (unit >> 6) as u8;
                upper.utf8[1][n] = last;
            }
            n += 1;
        }
        upper
    }

    /// 128 code points in a row.
    pub(crate) const fn from(first: u16) -> Self {
        let mut code_points = [0; 128];
        let mut n = 0;
        while n < 128 {
            code_points[n] = first + n as u16;
            n += 1;
        }
        Self::new(&code_points)
    }

    /// The code point of the `n`-th byte from 0x80 on; 0 is unmapped.
    #[inline(always)]
    pub(crate) fn get(&self, n: usize) -> u16 {
        u16::from_le_bytes([self.utf16[0][n], self.utf16[1][n]])
    }
}

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
