//! Pairs and ASCII in one text, an escape sequence before each change.

use super::{ToBytes, encode_scalar};
use crate::kernel::Out;

/// The two sets and what leads to each.
#[derive(Debug)]
pub(crate) struct Escapes {
    /// The pairs, without ASCII.
    pub(crate) table: &'static ToBytes,
    /// ASCII that is not taken.
    pub(crate) excluded: [u16; 3],
    pub(crate) to_ascii: [u8; 3],
    pub(crate) to_pairs: [u8; 3],
}

impl Escapes {
    /// The sequence before a change to pairs, or to ASCII, in its three lower bytes.
    #[inline(always)]
    pub(super) fn sequence(&self, pairs: bool) -> u64 {
        let [a, b, c] = if pairs { self.to_pairs } else { self.to_ascii };
        u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])
    }

    /// Whether the unit is ASCII that is taken.
    #[inline(always)]
    fn takes_ascii(&self, unit: u16) -> bool {
        unit < 0x80 && !self.excluded.contains(&unit)
    }

    /// Whether the character is in neither set.
    #[inline]
    pub(crate) fn declines(&self, character: char) -> bool {
        !u16::try_from(u32::from(character)).is_ok_and(|unit| !self.declines_unit(unit))
    }

    /// Whether the unit is no character of either set.
    #[inline(always)]
    pub(super) fn declines_unit(&self, unit: u16) -> bool {
        self.table.entry(unit) < ToBytes::LEAST && !self.takes_ascii(unit)
    }

    /// A character's bytes, the first one lowest, and how many they are; `pairs` says whether pairs are in force, and is
    /// changed.
    #[inline(always)]
    fn bytes(&self, unit: u16, pairs: &mut bool) -> Option<(u64, usize)> {
        let entry = self.table.entry(unit);
        let is_pair = entry >= ToBytes::LEAST;
        if !is_pair && !self.takes_ascii(unit) {
            return None;
        }
        let bytes = u64::from(if is_pair { entry.swap_bytes() } else { unit });
        let change = is_pair != core::mem::replace(pairs, is_pair);
        let escaped = bytes << 24 | self.sequence(is_pair);
        Some((if change { escaped } else { bytes }, 1 + usize::from(is_pair) + 3 * usize::from(change)))
    }
}

/// `pairs` says whether pairs are in force, before and after. A character is written with its escape sequence or not at all.
pub(crate) fn from_utf16(escapes: &Escapes, pairs: &mut bool, src: &[u16], out: &mut Out<'_, u8>) -> usize {
    runs(escapes, pairs, src, out, encode_scalar::from_utf16)
}

/// Characters one by one, and the pairs behind one by `pair_run`.
#[inline]
pub(super) fn runs(
    escapes: &Escapes,
    pairs: &mut bool,
    src: &[u16],
    out: &mut Out<'_, u8>,
    pair_run: impl Fn(&ToBytes, &[u16], &mut Out<'_, u8>) -> usize,
) -> usize {
    let mut read = 0;
    while let Some(&unit) = src.get(read) {
        let mut next = *pairs;
        let Some((bytes, len)) = escapes.bytes(unit, &mut next) else { break };
        if out.room() >= 8 {
            // SAFETY: there is room for eight bytes.
            unsafe {
                out.spare().cast::<[u8; 8]>().write(bytes.to_le_bytes());
                out.advance(len);
            }
        } else if !out.extend(&bytes.to_le_bytes()[..len]) {
            break;
        }
        *pairs = next;
        read += 1;
        if next {
            read += pair_run(escapes.table, &src[read..], out);
        } else {
            let ascii = src[read..].iter().take_while(|&&unit| escapes.takes_ascii(unit) && out.push(unit as u8));
            read += ascii.count();
        }
    }
    read
}
