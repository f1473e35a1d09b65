//! Shuffles that close gaps: for each mask, the bytes of 16 to keep, without gaps.
//!
//! Places past the last kept byte are [`NONE`], for which shuffles give 0.

use crate::table::{Table, table};

/// The index of no byte.
pub(crate) const NONE: u8 = 0x80;

/// By a mask of eight code units: these.
pub(crate) static UNITS: Table<[[u8; 16]; 256]> = table!(shuffles(2, &[Some(0), Some(0)]));

/// By a mask of eight pairs of bytes: all first bytes, and the second bytes of these.
pub(crate) static PAIRS: Table<[[u8; 16]; 256]> = table!(shuffles(2, &[None, Some(0)]));

/// By a mask of four lanes of four bytes, and in its upper half another one: all first bytes, the second bytes of the lanes in
/// the lower half, and the third bytes of those in the upper half.
pub(crate) static TRIPLES: Table<[[u8; 16]; 256]> = table!(shuffles(4, &[None, Some(0), Some(4)]));

/// By a mask of eight bytes: these.
pub(crate) static BYTES: [[u8; 8]; 256] = {
    let mut all = [[NONE; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut from, mut to) = (0_usize, 0);
        while from < 8 {
            if mask >> from & 1 == 1 {
                all[mask][to] = from as u8;
                to += 1;
            }
            from += 1;
        }
        mask += 1;
    }
    all
};

/// Shuffles by mask for lanes of `width` bytes. Of each byte of a lane, `bits` has the number of the first lane's bit in the mask;
/// none for bytes that are always kept. Bytes without an entry are never kept.
const fn shuffles(width: usize, bits: &[Option<usize>]) -> [[u8; 16]; 256] {
    let mut all = [[NONE; 16]; 256];
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
                all[mask][to] = from as u8;
                to += 1;
            }
            from += 1;
        }
        mask += 1;
    }
    all
}
