//! The tables of single-byte encodings.

use super::CommonRows;

/// Maps the bytes 0x80 to 0xFF to characters, in planes: one array for each byte of the result.
#[derive(Debug)]
#[cfg_attr(test, derive(PartialEq))]
#[repr(align(64))]
pub(crate) struct UpperHalf {
    /// The lower and upper bytes of the code points. U+0000 is unmapped.
    pub(crate) utf16: [[u8; 128]; 2],
    /// See [`utf8`](Self::utf8).
    utf8: [[u8; 128]; 3],
    /// The byte from which on every byte is its own code point, as in Latin-1, or 0 if 0xFF is not. Compared as signed numbers,
    /// these bytes and ASCII are not less than it.
    pub(crate) identity_from: i8,
    /// Whether a byte is unmapped.
    pub(crate) has_unmapped: bool,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
    pub(crate) regular: super::regular::Regular,
}

impl UpperHalf {
    /// Creates a table from code points. 0 is unmapped.
    pub(crate) const fn new(code_points: &[u16; 128]) -> Self {
        let mut upper = Self {
            utf16: [[0; 128]; 2],
            utf8: [[0; 128]; 3],
            identity_from: 0,
            has_unmapped: false,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
            regular: super::regular::Regular::new(code_points),
        };
        let mut n = 0;
        while n < 128 {
            let unit = code_points[n];
            assert!(unit == 0 || unit >= 0x80 && unit & 0xF800 != 0xD800, "a character above ASCII");
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

    /// The number of bytes of a table in the file that `cargo xtask tables` generates.
    pub(crate) const FILE_LEN: usize = 5 * 128 + 2 + 5 * 16 + 4;

    /// Reads a table from the file: the fields in this order.
    pub(crate) const fn read(mut file: &[u8]) -> Self {
        let file = &mut file;
        Self {
            utf16: [take(file), take(file)],
            utf8: [take(file), take(file), take(file)],
            identity_from: take::<1>(file)[0].cast_signed(),
            has_unmapped: take::<1>(file)[0] != 0,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(textcodec_small)))]
            regular: super::regular::Regular::read(file),
        }
    }

    /// Returns the first, second and third bytes of UTF-8, or 0.
    ///
    /// Kernels rely on this for safety: the second byte of a mapped character has its high bit set, and so has the third
    /// exactly if the first is 0xE0 or above. All bytes of an unmapped one are 0.
    #[inline(always)]
    pub(crate) const fn utf8(&self) -> &[[u8; 128]; 3] {
        &self.utf8
    }

    /// Whether the bytes from 0xC0 on are as in Latin-1, and all bytes are mapped.
    #[inline(always)]
    pub(crate) const fn is_identity_from_c0(&self) -> bool {
        !self.has_unmapped && self.identity_from < 0 && self.identity_from <= 0xC0_u8.cast_signed()
    }

    /// Returns the code point of byte `0x80 + n`, or 0 if it is unmapped.
    #[inline(always)]
    pub(crate) const fn get(&self, n: usize) -> u16 {
        u16::from_le_bytes([self.utf16[0][n], self.utf16[1][n]])
    }
}

/// Removes the first bytes.
pub(super) const fn take<const N: usize>(file: &mut &[u8]) -> [u8; N] {
    let (first, rest) = file.split_first_chunk().expect("the file has all tables");
    *file = rest;
    *first
}

/// Maps code points of the BMP to bytes above 0x7F, in two stages. 0 is unmapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToByte {
    /// The number of the block of each 64 code points.
    pub(crate) stages: &'static [u8; 1024],
    /// The bytes of 64 code points each.
    pub(crate) blocks: &'static [[u8; 64]],
    /// The rows that contain most characters.
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
    /// Returns the byte of a code point above U+007F.
    #[inline(always)]
    pub(crate) fn get(self, unit: u16) -> Option<u8> {
        let block = self.blocks.get(usize::from(self.stages[usize::from(unit >> 6)]))?;
        Some(block[usize::from(unit & 63)]).filter(|&byte| byte != 0)
    }

    /// Returns the byte of the first character of well-formed UTF-8, if that is above U+007F.
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
