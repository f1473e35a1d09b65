//! All inputs of one, two and three bytes, all four-byte sequences of gb18030, all scalar values.

use textcodec::{Bom, Encoding};

use crate::{Quick, in_parallel};

/// All inputs of one byte, of two, and of three whose last is in `thirds`. Returns how many inputs were compared.
///
/// # Panics
/// Where the library differs from the oracle.
#[must_use]
pub fn inputs(encoding: Encoding, thirds: &[u8]) -> u64 {
    count(encoding, 256, |quick, first| {
        let first = first as u8;
        // A byte order mark is only at the front, so only what begins like one needs the other policies.
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

/// All sequences of gb18030's four-byte form. Returns how many inputs were compared.
///
/// # Panics
/// Where the library differs from the oracle.
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

/// All scalar values through the encoder. Returns how many were compared: none where the standard has no encoder.
///
/// # Panics
/// Where the library differs from the oracle.
#[must_use]
pub fn scalar_values(encoding: Encoding) -> u64 {
    count(encoding, 0x110, |quick, part| {
        let part = part as u32 * 0x1000;
        (part..part + 0x1000).filter_map(char::from_u32).for_each(|character| quick.encode(character));
    })
}

fn count(encoding: Encoding, parts: usize, work: impl Fn(&mut Quick, usize) + Sync) -> u64 {
    in_parallel(parts, || Quick::new(encoding), work).iter().map(|quick| quick.inputs).sum()
}
