//! Positions at which an input can be split so that the parts can be converted separately.

use textcodec::{UTF_16BE, UTF_16LE};

use crate::{charset::Charset, normalize::ends_segment};

/// Returns the last position in a block at which the input can be split: see [`Encoding::split_point`].
///
/// With `after_segment`, the character before the position ends a [segment](crate::normalize), so that the parts can also be
/// normalized separately.
pub(super) fn split_point(encoding: Charset, block: &[u8], after_segment: bool) -> Option<usize> {
    if !after_segment || !encoding.is_splittable() {
        return encoding.split_point(block);
    }
    match encoding.encoding() {
        UTF_16LE => after_last_unit(block, u16::from_le_bytes),
        UTF_16BE => after_last_unit(block, u16::from_be_bytes),
        _ if encoding.is_single_byte() && !encoding.is_ascii_compatible() => {
            let ends: [bool; 256] =
                std::array::from_fn(|byte| encoding.decode(&[byte as u8]).chars().all(ends_segment));
            block.iter().rposition(|&byte| ends[usize::from(byte)]).map(|at| at + 1)
        }
        // In every other encoding, it is the character with this number, after which a segment ends.
        _ => block.iter().rposition(|&byte| byte < 0x30).map(|at| at + 1),
    }
}

/// Returns the position after the last code unit that ends a segment.
fn after_last_unit(block: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Option<usize> {
    let at = block.as_chunks().0.iter().rposition(|&bytes| unit(bytes) < 0x30);
    at.map(|at| (at + 1) * 2)
}

#[cfg(test)]
mod tests {
    use textcodec::{Bom, Encoding};

    use super::*;

    #[test]
    fn a_part_ends_with_a_segment() {
        let bytes = b"\0\n /09Az\x80\x81\x84\xA1\xB0\xC2\xD8\xDC\xE3\xF0\xFE\xFF";
        let mut random = 1_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut cuts = 0;
        for &encoding in Encoding::ALL.iter().chain(textcodec::oem::ALL) {
            for _ in 0..2_000 {
                let block: Vec<u8> = (0..next(12)).map(|_| bytes[next(bytes.len())]).collect();
                let Some(at) = split_point(encoding.into(), &block, true) else { continue };
                let decode = |part: &[u8]| encoding.decode_with(part, Bom::Keep).unwrap().text.into_owned();
                let (before, after) = block.split_at(at);
                assert_eq!(decode(before) + &decode(after), decode(&block), "{encoding}: {before:X?} {after:X?}");
                assert!(decode(before).ends_with(|last| last < '0'), "{encoding}: {before:X?}");
                cuts += 1;
            }
        }
        assert!(cuts > 40_000, "{cuts}");
    }
}
