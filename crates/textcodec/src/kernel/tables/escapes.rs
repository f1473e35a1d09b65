//! Pairs and ASCII in one text, an escape sequence before each change.

use super::{Pairs, ToBytes};
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
    pub(crate) fn sequence(&self, pairs: bool) -> u64 {
        let [a, b, c] = if pairs { self.to_pairs } else { self.to_ascii };
        u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])
    }

    /// Whether the unit is ASCII that is taken.
    #[inline(always)]
    pub(crate) fn takes_ascii(&self, unit: u16) -> bool {
        unit < 0x80 && !self.excluded.contains(&unit)
    }

    /// Whether the character is in neither set.
    #[inline]
    pub(crate) fn declines(&self, character: char) -> bool {
        !u16::try_from(u32::from(character)).is_ok_and(|unit| !self.declines_unit(unit))
    }

    /// Whether the unit is no character of either set.
    #[inline(always)]
    pub(crate) fn declines_unit(&self, unit: u16) -> bool {
        self.table.entry(unit) < ToBytes::LEAST && !self.takes_ascii(unit)
    }

    /// A character's bytes, the first one lowest, and how many they are; `pairs` says whether pairs are in force, and is
    /// changed.
    #[inline(always)]
    pub(crate) fn bytes(&self, unit: u16, pairs: &mut bool) -> Option<(u64, usize)> {
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

/// The two sets and what leads to each.
#[derive(Debug)]
pub(crate) struct EscapedPairs {
    /// The pairs, whose leading and trailing bytes are a range of ASCII bytes each.
    pub(crate) pairs: Pairs,
    /// ASCII that is not taken. The last one begins escape sequences.
    pub(crate) excluded: [u8; 3],
    /// What is behind it.
    pub(crate) to_ascii: [u8; 2],
    pub(crate) to_pairs: [[u8; 2]; 2],
}

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EscapeState {
    /// Whether pairs are in force.
    pub(crate) pairs: bool,
    /// Whether an escape sequence was the last. Another one is not taken then.
    pub(crate) escaped: bool,
}

impl EscapedPairs {
    pub(crate) const fn escape(&self) -> u8 {
        self.excluded[2]
    }

    /// The ASCII at the front that is taken and fits; `prefix_without` is a kernel.
    #[inline(always)]
    pub(crate) fn ascii<'a, F: Copy>(
        &self,
        src: &'a [u8],
        out: &Out<'_, F>,
        prefix_without: impl Fn([u8; 3], &[u8]) -> usize,
    ) -> &'a [u8] {
        let src = &src[..src.len().min(out.spare_len())];
        &src[..prefix_without(self.excluded, src)]
    }

    /// Whether pairs are in force behind the escape sequence at the front.
    #[inline(always)]
    pub(crate) fn change_at_front(&self, src: &[u8]) -> Option<bool> {
        match *src {
            [escape, a, b, ..] if escape == self.escape() => match [a, b] {
                set if set == self.to_ascii => Some(false),
                set if self.to_pairs.contains(&set) => Some(true),
                _ => None,
            },
            _ => None,
        }
    }
}
