//! One byte a character: ASCII below, a table above.

use super::CommonRows;

/// What the bytes 0x80 to 0xFF are, in planes: one array for each byte of a result, as vectors look bytes up.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Upper {
    /// The code points' lower and upper bytes; 0 and 0 is unmapped.
    pub(crate) utf16: [[u8; 128]; 2],
    /// The first, second and third bytes of UTF-8. Where there is no such byte, 0.
    pub(crate) utf8: [[u8; 128]; 3],
    /// From here on a byte is its own code point, as in Latin-1: as a signed number, so that ASCII is greater too. 0 where
    /// not even 0xFF is.
    pub(crate) identity_from: i8,
    /// Some byte is no character.
    pub(crate) has_unmapped: bool,
}

impl Upper {
    /// From code points; 0 is unmapped.
    pub(crate) const fn new(code_points: &[u16; 128]) -> Self {
        let mut upper = Self { utf16: [[0; 128]; 2], utf8: [[0; 128]; 3], identity_from: 0, has_unmapped: false };
        let mut n = 0;
        while n < 128 {
            let unit = code_points[n];
            upper.has_unmapped |= unit == 0;
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
        while n > 0 && code_points[n - 1] as usize == 0x80 + n - 1 {
            n -= 1;
            upper.identity_from = (0x80 + n as u8).cast_signed();
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

    /// The upper half of the upper half is as in Latin-1, and all bytes are characters.
    #[inline(always)]
    pub(crate) const fn is_identity_from_c0(&self) -> bool {
        !self.has_unmapped && self.identity_from < 0 && self.identity_from <= 0xC0_u8.cast_signed()
    }

    /// The code point of the `n`-th byte from 0x80 on; 0 is unmapped.
    #[inline(always)]
    pub(crate) const fn get(&self, n: usize) -> u16 {
        u16::from_le_bytes([self.utf16[0][n], self.utf16[1][n]])
    }
}

/// From a code point of the BMP to a byte above 0x7F; 0 is unmapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToByte {
    /// 1,024 block numbers.
    pub(crate) stages: &'static [u8; 1024],
    /// Blocks of 64 bytes.
    pub(crate) blocks: &'static [[u8; 64]],
    /// Where most characters are.
    #[cfg_attr(
        not(any(
            all(target_arch = "x86_64", target_feature = "sse2"),
            all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
            all(target_arch = "wasm32", target_feature = "simd128")
        )),
        expect(dead_code, reason = "scalar kernels look characters up one by one")
    )]
    pub(crate) common: &'static CommonRows,
}

impl ToByte {
    /// The byte of a code point above U+007F.
    #[inline(always)]
    pub(crate) fn get(self, unit: u16) -> Option<u8> {
        let block = self.blocks.get(usize::from(self.stages[usize::from(unit >> 6)]))?;
        Some(block[usize::from(unit & 63)]).filter(|&byte| byte != 0)
    }

    /// The byte of the character above U+007F that UTF-8 begins with.
    #[inline(always)]
    pub(crate) fn get_utf8(self, text: &[u8]) -> Option<u8> {
        let six = |byte: u8| u16::from(byte & 0x3F);
        match *text {
            [first @ 0xC0..=0xDF, second, ..] => self.get(u16::from(first & 0x1F) << 6 | six(second)),
            [first @ 0xE0..=0xEF, second, third, ..] => {
                self.get(u16::from(first) << 12 | six(second) << 6 | six(third))
            }
            _ => None,
        }
    }
}
