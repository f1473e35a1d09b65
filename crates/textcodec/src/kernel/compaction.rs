//! Shuffles that compact a vector: for each mask, the indices of the bytes to keep, without gaps.
//!
//! The entries after the last kept byte are [`NONE`], for which shuffles give 0.

use crate::table::{Table, table};

/// An index that selects no byte.
pub(crate) const NONE: u8 = 0x80;

/// Indexed by a mask of eight code units: keeps the units in the mask.
pub(crate) static UNITS: Table<[[u8; 16]; 256]> = table!(shuffles(2, &[Some(0), Some(0)]));

/// Indexed by a mask of eight pairs of bytes: keeps all first bytes, and the second bytes of the pairs in the mask.
pub(crate) static PAIRS: Table<[[u8; 16]; 256]> = table!(shuffles(2, &[None, Some(0)]));

/// Indexed by two masks of four lanes of four bytes: keeps all first bytes, the second bytes of the lanes in the lower four
/// bits, and the third bytes of the lanes in the upper four bits.
pub(crate) static TRIPLES: Table<[[u8; 16]; 256]> = table!(shuffles(4, &[None, Some(0), Some(4)]));

/// Indexed by a mask of eight bytes: keeps the bytes in the mask.
pub(crate) static BYTES: [[u8; 8]; 256] = {
    let mut shuffles = [[NONE; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut from, mut to) = (0_usize, 0);
        while from < 8 {
            if mask >> from & 1 == 1 {
                shuffles[mask][to] = from as u8;
                to += 1;
            }
            from += 1;
        }
        mask += 1;
    }
    shuffles
};

/// Creates the shuffles for lanes of `width` bytes. `bits` has an entry for each byte of a lane: the bit of the mask that
/// decides for the first lane, or `None` if the byte is always kept. Bytes without an entry are never kept.
const fn shuffles(width: usize, bits: &[Option<usize>]) -> [[u8; 16]; 256] {
    let mut shuffles = [[NONE; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut from, mut to) = (0, 0);
        while from < 16 {
            let (lane, byte) = (from / width, from % width);
            let is_kept = byte < bits.len()
                && match bits[byte] {
                    Some(first) => mask >> (first + lane) & 1 == 1,
                    None => true,
                };
            if is_kept {
                shuffles[mask][to] = from as u8;
                to += 1;
            }
            from += 1;
        }
        mask += 1;
    }
    shuffles
}
