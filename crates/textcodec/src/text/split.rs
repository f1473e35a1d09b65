//! Positions at which an input can be split, so that the parts can be decoded separately.

use crate::names::{EUC_JP, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

impl Encoding {
    /// Returns whether [`split_point`](Self::split_point) can find positions in this encoding.
    ///
    /// This is false for ISO-2022-JP, where an escape sequence affects all following bytes, and for `replacement`.
    ///
    /// ```
    /// assert!(textcodec::GB18030.is_splittable() && !textcodec::ISO_2022_JP.is_splittable());
    /// ```
    #[must_use]
    pub const fn is_splittable(self) -> bool {
        !matches!(self, ISO_2022_JP | REPLACEMENT) && !self.is_rare()
    }

    /// Returns the length in bytes of the longest known prefix of `block` after which another decoder can continue, whatever
    /// bytes precede and follow: the decoder is between two characters there.
    ///
    /// So the parts of a large file can be decoded in parallel, with the same text and errors as in one piece. `block` must start
    /// at the start of the text, after its byte order mark, or at such a position. The decoders of later parts must not look for
    /// a byte order mark: use [`Bom::Keep`](crate::Bom::Keep).
    ///
    /// Returns `None` if there is no such position in the block: read more of the input then. Text without ASCII may have none.
    /// Never returns `Some(0)`. Encodings that are not [splittable](Self::is_splittable) have no such positions.
    ///
    /// ```
    /// use textcodec::{Bom, SHIFT_JIS};
    ///
    /// let text = b"\x93\xFA\x96{ \x8C\xEA";
    /// // The last two bytes may be a part of a pair that starts before them, so it is safe only after the space.
    /// let at = SHIFT_JIS.split_point(text).unwrap();
    /// assert_eq!(at, 5);
    /// let decode = |part| SHIFT_JIS.decode_with(part, Bom::Keep).unwrap().text;
    /// assert_eq!(decode(&text[..at]) + &*decode(&text[at..]), "日本 語");
    /// ```
    #[must_use]
    #[inline]
    pub fn split_point(self, block: &[u8]) -> Option<usize> {
        let at = match self {
            ISO_2022_JP | REPLACEMENT => None,
            _ if self.is_rare() => None,
            UTF_16LE => after_last_unit(block, u16::from_le_bytes),
            UTF_16BE => after_last_unit(block, u16::from_be_bytes),
            _ if self.is_single_byte() => Some(block.len()),
            // No byte of ASCII is a part of a longer sequence.
            UTF_8 | EUC_JP => after_last(block, 0x80),
            // The digits in four-byte sequences of gb18030 are >= 0x30, and all other trail bytes are >= 0x40. Even if a byte below
            // interrupts a sequence, it is a character.
            _ => after_last(block, 0x30),
        };
        at.filter(|&at| at > 0)
    }
}

/// The position after the last byte below `limit`.
#[inline]
fn after_last(block: &[u8], limit: u8) -> Option<usize> {
    block.iter().rposition(|&byte| byte < limit).map(|at| at + 1)
}

/// The position after the last code unit that is not a high surrogate.
fn after_last_unit(block: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Option<usize> {
    let is_end = |&bytes: &[u8; 2]| !(0xD800..0xDC00).contains(&unit(bytes));
    block.as_chunks().0.iter().rposition(is_end).map(|at| (at + 1) * 2)
}
