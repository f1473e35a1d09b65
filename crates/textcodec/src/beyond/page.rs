//! Single-byte encodings by a table of 256 characters: the code pages of `textcodec-oem`, and tables of one's own.
//!
//! Kernels know one form: the bytes below 0x80 are ASCII, and an [`UpperHalf`] has the others. A page whose bytes are in another
//! order, such as EBCDIC, is such a form after an [`Order`]: a map of bytes.

use alloc::vec::Vec;

use crate::{
    index::derive,
    kernel::tables::{CommonRows, ToByte, UpperHalf},
    once::{OnceRef, leak},
};

/// A byte without a character.
const UNMAPPED: u16 = textcodec_oem::UNMAPPED;

/// The tables of a page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The upper half, in the order of `order`.
    pub(crate) upper: UpperHalf,
    /// `None` if the bytes below 0x80 are ASCII, and all others are not.
    pub(crate) order: Option<Order>,
    to_byte: OnceRef<ToByte>,
}

/// Another order of bytes. In it, the ASCII characters of a page have their own bytes, and up to 128 others those from 0x80 on.
#[derive(Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct Order {
    /// The characters of the page by its own bytes.
    code_points: [u16; 256],
    /// From the bytes of the page. Bytes without a character, and those that do not fit, become one that is unmapped.
    pub(crate) to: [u8; 256],
    /// Back, to the byte that encoders write.
    pub(crate) from: [u8; 256],
    /// The ASCII characters that the page lacks, as bits.
    missing: u128,
}

impl Page {
    /// Creates a page whose lower half is ASCII. 0 is unmapped.
    pub(crate) const fn ascii(upper: &[u16; 128]) -> Self {
        Self { upper: UpperHalf::new(upper), order: None, to_byte: OnceRef::new() }
    }

    /// Creates a page from the code points of its bytes, or [`UNMAPPED`]. Encoders never write the bytes in `duplicates`, whose
    /// characters have others; if several other bytes have a character, they write the first one.
    pub(crate) fn new(code_points: &[u16; 256], duplicates: &[u8]) -> Self {
        let (lower, upper) = code_points.split_at(128);
        if lower.iter().copied().eq(0..128) && upper.iter().all(|&unit| unit >= 0x80) {
            return Self::ascii(&core::array::from_fn(|n| if upper[n] == UNMAPPED { 0 } else { upper[n] }));
        }
        let (order, upper) = Order::new(code_points, duplicates);
        Self { order: Some(order), ..Self::ascii(&upper) }
    }

    /// Returns a page of `textcodec-oem`, which is derived at first use. `None` if there is not enough memory.
    pub(crate) fn of(number: usize) -> Option<&'static Self> {
        static PAGES: [OnceRef<Page>; textcodec_oem::COUNT] = [const { OnceRef::new() }; _];

        PAGES[number].get().or_else(|| {
            let (mut duplicates, mut count) = ([0; 256], 0);
            for byte in textcodec_oem::duplicates(number) {
                duplicates[count] = byte;
                count += 1;
            }
            PAGES[number].get_or_keep(Self::new(&textcodec_oem::code_points(number), &duplicates[..count]))
        })
    }

    /// Returns the bytes of an ASCII character, as bits.
    pub(crate) fn bytes_of(&self, ascii: u8) -> [u128; 2] {
        let Some(order) = &self.order else { return [1 << ascii, 0] };
        let (lower, upper) = order.code_points.split_at(128);
        let bits =
            |half: &[u16]| half.iter().rev().fold(0, |bits, &unit| bits << 1 | u128::from(unit == u16::from(ascii)));
        [bits(lower), bits(upper)]
    }

    /// The length in UTF-8 of the longest character.
    pub(crate) fn longest_utf8(&self) -> usize {
        let upper = (0..128).map(|n| match self.upper.get(n) {
            0..0x80 => 1,
            0x80..0x800 => 2,
            0x800.. => 3,
        });
        let order =
            self.order.iter().flat_map(|order| &order.code_points).filter(|&&unit| unit >= 0x800 && unit != UNMAPPED);
        upper.chain(order.map(|_| 3)).max().unwrap_or(1)
    }

    /// The length of the longest reference to a character of ASCII that the page lacks, or 1 if it has all.
    pub(crate) fn longest_ascii_reference(&self) -> usize {
        match self.order.as_ref().and_then(|order| order.missing.checked_ilog2()) {
            None => 1,
            Some(0..10) => "&#9;".len(),
            Some(10..100) => "&#99;".len(),
            Some(100..) => "&#127;".len(),
        }
    }

    /// Returns the table for encoding, which is derived at first use. `None` if there is not enough memory.
    pub(crate) fn to_byte(&'static self) -> Option<&'static ToByte> {
        self.to_byte.get().or_else(|| self.to_byte.get_or_keep(to_byte(&self.upper)?))
    }
}

impl Order {
    /// Returns the order of a page, and its upper half in it.
    fn new(code_points: &[u16; 256], duplicates: &[u8]) -> (Self, [u16; 128]) {
        let mut order = Self { code_points: *code_points, to: [0; 256], from: [0; 256], missing: u128::MAX };
        // The characters that are not ASCII. Nothing is allocated here, because that could fail.
        let (mut others, mut count) = ([0; 256], 0);
        let mut upper = [0; 128];
        for &unit in code_points {
            match unit {
                0..=0x7F => order.missing &= !(1 << unit),
                UNMAPPED => {}
                _ if others[..count].contains(&unit) => {}
                _ => {
                    others[count] = unit;
                    count += 1;
                }
            }
        }
        // One byte of the upper half stays unmapped if the page needs it.
        let has_room = count <= 128 && !code_points.contains(&UNMAPPED);
        let others = &others[..count.min(if has_room { 128 } else { 127 })];
        // The characters of Latin-1 have the bytes of Latin-1, for which there are faster kernels.
        for &unit in others.iter().filter(|&&unit| unit <= 0xFF) {
            upper[usize::from(unit) - 0x80] = unit;
        }
        let mut rest = others.iter().copied().filter(|&unit| unit > 0xFF);
        for slot in upper.iter_mut().filter(|slot| **slot == 0) {
            *slot = rest.next().unwrap_or(0);
        }
        let unmapped = upper.iter().position(|&unit| unit == 0).unwrap_or(0);
        for (byte, &unit) in code_points.iter().enumerate().rev() {
            let to = match unit {
                0..=0x7F => unit as u8,
                _ => 0x80 + upper.iter().position(|&other| other == unit).unwrap_or(unmapped) as u8,
            };
            order.to[byte] = to;
            if !duplicates.contains(&(byte as u8)) {
                order.from[usize::from(to)] = byte as u8;
            }
        }
        (order, upper)
    }

    /// The character of a byte of the page.
    pub(crate) fn code_point(&self, byte: u8) -> Option<char> {
        Some(self.code_points[usize::from(byte)])
            .filter(|&unit| unit != UNMAPPED)
            .and_then(|unit| char::from_u32(unit.into()))
    }

    /// The byte of a character of the page. `table` is that of the upper half.
    pub(crate) fn byte(&self, unit: u16, table: &ToByte) -> Option<u8> {
        if unit < 0x80 {
            return (!self.lacks(unit as u8)).then(|| self.from[usize::from(unit)]);
        }
        let in_upper = table.get(unit).map(|byte| self.from[usize::from(byte)]);
        // Few pages have characters that do not fit into the upper half.
        in_upper.or_else(|| {
            self.code_points.iter().position(|&other| other == unit && unit != UNMAPPED).map(|byte| byte as u8)
        })
    }

    /// Whether this is an ASCII character that the page lacks.
    pub(crate) fn lacks(&self, byte: u8) -> bool {
        byte < 0x80 && self.missing >> byte & 1 != 0
    }

    /// Whether the page has all of ASCII.
    pub(crate) fn has_ascii(&self) -> bool {
        self.missing == 0
    }
}

/// Derives the table for encoding.
fn to_byte(upper: &UpperHalf) -> Option<ToByte> {
    let index: [u16; 128] = core::array::from_fn(|n| upper.get(n));
    let mut stages = [0; 1024];
    let count = derive::single_byte_stages(&index, &mut stages);
    let mut blocks: Vec<[u8; 64]> = Vec::new();
    blocks.try_reserve_exact(count).ok()?;
    blocks.resize(count, [0; 64]);
    derive::single_byte_blocks(&index, &stages, &mut blocks);
    let common = CommonRows::new(derive::single_byte_rows(&index), upper);
    Some(ToByte { stages: leak(stages)?, blocks: blocks.leak(), common: leak(common)? })
}
