//! All inputs of one, two and three bytes, all four-byte sequences of gb18030, all scalar values.

use textcodec::{Bom, Encoding};

use crate::{Quick, in_parallel};

/// Bytes at the boundaries of some decoder's ranges.
pub const BOUNDARIES: &[u8] =
    b"\x00$(09@AB\x5C~\x7F\x80\x81\x8E\x8F\x9F\xA0\xA1\xBB\xBF\xC2\xD8\xDC\xDF\xE0\xEF\xFC\xFD\xFE\xFF";

/// Decodes all inputs of one byte, of two bytes, and of three bytes if the last is in `thirds`. Returns how many inputs were
/// compared.
///
/// # Panics
/// If the library's result differs from the oracle's.
#[must_use]
pub fn inputs(encoding: Encoding, thirds: &[u8]) -> u64 {
    count(encoding, 256, |quick, first| {
        let first = first as u8;
        // A byte order mark can only be at the start, so other inputs give the same result with every policy.
        let policies: &[Bom] = match first {
            0xEF | 0xFE | 0xFF => &[Bom::Sniff, Bom::StripOwn, Bom::Keep],
            _ => &[Bom::Sniff],
        };
        for &bom in policies {
            quick.decode(&[first], bom);
            for second in 0..=0xFF {
                quick.decode(&[first, second], bom);
                for &third in thirds {
                    quick.decode(&[first, second, third], bom);
                }
            }
        }
    })
}

/// Decodes all four-byte sequences of gb18030. Returns how many inputs were compared.
///
/// # Panics
/// If the library's result differs from the oracle's.
#[must_use]
pub fn four_byte_sequences(encoding: Encoding) -> u64 {
    count(encoding, 126, |quick, first| {
        for second in 0x30..=0x39 {
            for third in 0x81..=0xFE {
                for fourth in 0x30..=0x39 {
                    quick.decode(&[first as u8 + 0x81, second, third, fourth], Bom::Sniff);
                }
            }
        }
    })
}

/// Encodes all scalar values of the first planes, of which there are 17. Returns how many were compared: 0 if the standard has
/// no encoder.
///
/// # Panics
/// If the library's result differs from the oracle's.
#[must_use]
pub fn scalar_values(encoding: Encoding, planes: usize) -> u64 {
    count(encoding, 0x10 * planes, |quick, part| {
        let part = part as u32 * 0x1000;
        (part..part + 0x1000).filter_map(char::from_u32).for_each(|character| quick.encode(character));
    })
}

fn count(encoding: Encoding, parts: usize, work: impl Fn(&mut Quick, usize) + Sync) -> u64 {
    in_parallel(parts, || Quick::new(encoding), work).iter().map(|quick| quick.inputs).sum()
}
