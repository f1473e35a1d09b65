//! ASCII and pairs, with a three-byte escape sequence before each change.

use super::{Pairs, ToBytes};
use crate::kernel::Out;

/// An encoding with escape sequences, for encoders.
#[derive(Debug)]
pub(crate) struct Escapes {
    /// The pairs, without ASCII.
    pub(crate) table: &'static ToBytes,
    /// ASCII that kernels decline.
    pub(crate) excluded: [u16; 3],
    /// The escape sequences.
    pub(crate) to_ascii: [u8; 3],
    pub(crate) to_pairs: [u8; 3],
}

impl Escapes {
    /// Returns the escape sequence to pairs or to ASCII, in the three lower bytes.
    #[inline(always)]
    pub(crate) fn sequence(&self, pairs: bool) -> u64 {
        let [a, b, c] = if pairs { self.to_pairs } else { self.to_ascii };
        u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0])
    }

    /// Whether the unit is ASCII and not [excluded](Self::excluded).
    #[inline(always)]
    pub(crate) fn accepts_ascii(&self, unit: u16) -> bool {
        // Not `contains`, which is a call if others use it too: it would dominate the encoding of ASCII one by one.
        unit < 0x80 && self.excluded.iter().all(|&excluded| excluded != unit)
    }

    /// Whether kernels decline the character.
    #[inline]
    pub(crate) fn declines(&self, character: char) -> bool {
        !u16::try_from(u32::from(character)).is_ok_and(|unit| !self.declines_unit(unit))
    }

    /// Whether kernels decline the code unit.
    #[inline(always)]
    pub(crate) fn declines_unit(&self, unit: u16) -> bool {
        self.table.entry(unit) < ToBytes::MIN_BYTES && !self.accepts_ascii(unit)
    }

    /// Returns the bytes of a character, with an escape sequence if the set changes, and their number. The first byte is the
    /// lowest. `pairs` is whether the current set is that of pairs, and is updated.
    #[inline(always)]
    pub(crate) fn bytes(&self, unit: u16, pairs: &mut bool) -> Option<(u64, usize)> {
        let entry = self.table.entry(unit);
        let is_pair = entry >= ToBytes::MIN_BYTES;
        if !is_pair && !self.accepts_ascii(unit) {
            return None;
        }
        let bytes = u64::from(if is_pair { entry.swap_bytes() } else { unit });
        let change = is_pair != core::mem::replace(pairs, is_pair);
        let escaped = bytes << 24 | self.sequence(is_pair);
        Some((if change { escaped } else { bytes }, 1 + usize::from(is_pair) + 3 * usize::from(change)))
    }
}

/// An encoding with escape sequences, for decoders.
#[derive(Debug)]
pub(crate) struct EscapedPairs {
    /// The pairs. Their lead bytes are one range of ASCII bytes, and so are their trail bytes.
    pub(crate) pairs: Pairs,
    /// ASCII that kernels decline. The last byte begins escape sequences.
    pub(crate) excluded: [u8; 3],
    /// The second and third bytes of the escape sequences.
    pub(crate) to_ascii: [u8; 2],
    pub(crate) to_pairs: [[u8; 2]; 2],
}

/// The state of a decoder between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EscapeState {
    /// Whether the current set is that of pairs.
    pub(crate) pairs: bool,
    /// Whether the last sequence was an escape sequence. Then kernels decline another one.
    pub(crate) escaped: bool,
}

impl EscapedPairs {
    /// The byte that begins escape sequences.
    pub(crate) const fn escape(&self) -> u8 {
        self.excluded[2]
    }

    /// Returns the longest prefix of ASCII that is not excluded and fits. `prefix_without` is a kernel.
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

    /// Parses an escape sequence at the start of `src`. Returns whether the set after it is that of pairs.
    #[inline(always)]
    pub(crate) fn parse(&self, src: &[u8]) -> Option<bool> {
        match *src {
            [escape, a, b, ..] if escape == self.escape() => match [a, b] {
                sequence if sequence == self.to_ascii => Some(false),
                sequence if self.to_pairs.contains(&sequence) => Some(true),
                _ => None,
            },
            _ => None,
        }
    }
}
