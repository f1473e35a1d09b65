//! Shuffles that compact a vector: for each mask, the indices of the bytes to keep, without gaps. `cargo xtask tables` writes them
//! to `tables/shuffles.bin`. Small builds compute them at first use.

/// An index that selects no byte: shuffles give 0. It follows the last kept byte.
pub(crate) const NONE: u8 = 0x80;

/// The shuffles of `N` bytes for 256 masks.
pub(crate) type Shuffles<const N: usize> = [[u8; N]; 256];

/// Indexed by a mask of eight code units: keeps the units in the mask.
pub(crate) fn units() -> Shuffles<16> {
    compacted(|mask, byte| has(mask, byte / 2))
}

/// Indexed by a mask of eight pairs of bytes: keeps all first bytes, and the second bytes of the pairs in the mask.
pub(crate) fn pairs() -> Shuffles<16> {
    compacted(|mask, byte| byte % 2 == 0 || has(mask, byte / 2))
}

/// Indexed by two masks of four lanes of four bytes: keeps all first bytes, the second bytes of the lanes in the lower four
/// bits, and the third bytes of the lanes in the upper four bits.
pub(crate) fn triples() -> Shuffles<16> {
    compacted(|mask, byte| match byte % 4 {
        0 => true,
        1 => has(mask, byte / 4),
        2 => has(mask, 4 + byte / 4),
        _ => false,
    })
}

/// Indexed by a mask of eight bytes: keeps the bytes in the mask.
pub(crate) fn bytes() -> Shuffles<8> {
    compacted(has)
}

/// Indexed by two bits for each of four lanes of four bytes: keeps the first and the second byte of a lane if their bits are set,
/// and all third bytes.
pub(crate) fn sequences() -> Shuffles<16> {
    compacted(|mask, byte| match byte % 4 {
        2 => true,
        3 => false,
        n => has(mask, 2 * (byte / 4) + n),
    })
}

/// Indexed by two masks of four lanes of four bytes, `more` in the lower four bits and `others` in the upper ones. Keeps two bytes
/// of a lane that is in `more`, four if it is in both, none if it is only in `others`, and otherwise one.
pub(crate) fn orders() -> Shuffles<16> {
    compacted(|mask, byte| {
        let len = match (has(mask, byte / 4), has(mask, 4 + byte / 4)) {
            (false, true) => 0,
            (false, false) => 1,
            (true, false) => 2,
            (true, true) => 4,
        };
        byte % 4 < len
    })
}

fn has(mask: usize, bit: usize) -> bool {
    mask >> bit & 1 == 1
}

/// Creates shuffles. `keeps` decides for a mask and the index of a byte.
fn compacted<const N: usize>(keeps: impl Fn(usize, usize) -> bool) -> Shuffles<N> {
    core::array::from_fn(|mask| {
        let mut kept = (0..N).filter(|&byte| keeps(mask, byte)).map(|byte| byte as u8);
        core::array::from_fn(|_| kept.next().unwrap_or(NONE))
    })
}
