//! How long an output can get: every worst case in one place, each reached by some input.
//!
//! The functions for a whole input are tight; those for the middle of a stream add what the decoder or encoder keeps.

use crate::{Decoder, Encoder, Encoding, Unmappable, encoding::Id};

/// Bytes of UTF-8 from `n` bytes; `replaced` says whether malformed sequences become U+FFFD. No byte order mark.
fn utf8(encoding: Encoding, replaced: bool, n: usize) -> Option<usize> {
    match encoding.id() {
        // A unit of the BMP has three bytes, and so has U+FFFD for a byte that is left over.
        Id::Utf16Le | Id::Utf16Be => (n / 2 + n % 2 * usize::from(replaced)).checked_mul(3),
        Id::Replacement => Some(n.min(usize::from(replaced)) * 3),
        // Every byte is a character below U+0800.
        Id::Iso8859_2 | Id::Iso8859_4 | Id::Isomorphic => n.checked_mul(2),
        // Every other encoding has malformed bytes.
        _ if replaced => n.checked_mul(3),
        Id::Utf8 | Id::StrictAscii => Some(n),
        Id::Iso8859_3 | Id::Iso8859_6 => n.checked_mul(2),
        // Pairs of the BMP, or two characters of four bytes together.
        Id::EucJp | Id::EucKr => n.checked_add(n / 2),
        Id::Big5 => (n / 2).checked_mul(4)?.checked_add(n % 2),
        // A byte that is a character of three.
        _ => n.checked_mul(3),
    }
}

/// Code units of UTF-16 from `n` bytes.
fn utf16(encoding: Encoding, n: usize) -> usize {
    match encoding.id() {
        Id::Utf16Le | Id::Utf16Be => n.div_ceil(2),
        Id::Replacement => n.min(1),
        _ => n,
    }
}

/// Bytes from `n` bytes of UTF-8.
fn from_utf8(encoding: Encoding, unmappable: Unmappable, n: usize) -> Option<usize> {
    let html = unmappable == Unmappable::Html;
    let replaced = matches!(unmappable, Unmappable::Replace(_));
    match encoding.id() {
        Id::Utf8 | Id::Replacement => Some(n),
        Id::Utf16Le | Id::Utf16Be => n.checked_mul(2),
        // U+000E has one byte and is unmappable: `&#65533;`, or a pair where another character replaces it.
        Id::Iso2022Jp if html => n.checked_mul(8),
        Id::Iso2022Jp if replaced => iso_2022_jp(n),
        // A pair of a two-byte character and an ASCII one, an escape sequence before each, over and over; and one at the end.
        Id::Iso2022Jp if n > 1 => n.checked_mul(3)?.checked_add(2),
        Id::Iso2022Jp => Some(n),
        // U+E5E5, `&#58853;`, is all that is unmappable, and two-byte characters have four bytes.
        Id::Gb18030 if html => (n / 3).checked_mul(8)?.checked_add([0, 1, 4][n % 3]),
        Id::Gb18030 => (n / 2).checked_mul(4)?.checked_add(n % 2),
        // `&#1000;` for two bytes.
        _ if html => (n / 2).checked_mul(7)?.checked_add(n % 2),
        _ => Some(n),
    }
}

/// Bytes from `n` code units of UTF-16, surrogates without their other half included.
fn from_utf16(encoding: Encoding, unmappable: Unmappable, n: usize) -> Option<usize> {
    let html = unmappable == Unmappable::Html;
    let per_unit = match encoding.id() {
        Id::Utf8 => 3,
        Id::Utf16Le | Id::Utf16Be => 2,
        // `&#10000;` and above.
        _ if html => 8,
        Id::Iso2022Jp => return iso_2022_jp(n),
        Id::Gb18030 => 4,
        Id::Gbk | Id::Big5 | Id::EucJp | Id::ShiftJis | Id::EucKr => 2,
        _ => 1,
    };
    n.checked_mul(per_unit)
}

/// Pairs and single bytes in turn, an escape sequence before each, and one at the end.
fn iso_2022_jp(n: usize) -> Option<usize> {
    if n == 0 { Some(0) } else { Some(n.checked_mul(9)?.checked_add(7)? / 2) }
}

impl Decoder {
    /// How many bytes of UTF-8 decoding `bytes` more bytes can give: a destination of this size takes a whole chunk of this
    /// size, and the end of the input. It depends on what the decoder does about malformed sequences, for which only
    /// [`Malformed::Replace`](crate::Malformed::Replace) writes something. None where it is more than `usize::MAX`.
    ///
    /// ```
    /// assert_eq!(textcodec::BIG5.decoder().max_utf8_len(100), Some(300));
    /// assert_eq!(textcodec::BIG5.decoder().max_utf8_len(usize::MAX), None);
    /// ```
    #[must_use]
    pub fn max_utf8_len(&self, bytes: usize) -> Option<usize> {
        let (begun, held) = self.pending();
        let bytes = bytes.checked_add(begun)?;
        let replaced = self.replaces();
        let mut max = utf8(self.next_encoding(), replaced, bytes)?;
        if self.may_sniff() {
            // Behind another encoding's byte order mark.
            max = max.max(utf8(crate::UTF_8, replaced, bytes.saturating_sub(3))?);
            max = max.max(utf8(crate::UTF_16LE, replaced, bytes.saturating_sub(2))?);
        }
        max.checked_add(4 * held)
    }

    /// How many code units of UTF-16 decoding `bytes` more bytes can give; see [`max_utf8_len`](Self::max_utf8_len).
    ///
    /// ```
    /// assert_eq!(textcodec::UTF_8.decoder().max_utf16_len(100), Some(100));
    /// ```
    #[must_use]
    pub fn max_utf16_len(&self, bytes: usize) -> Option<usize> {
        let (begun, held) = self.pending();
        let bytes = bytes.checked_add(begun)?;
        let mut max = utf16(self.next_encoding(), bytes);
        if self.may_sniff() {
            max = max.max(utf16(crate::UTF_8, bytes.saturating_sub(3)));
        }
        max.checked_add(2 * held)
    }
}

impl Encoder {
    /// How many bytes encoding `bytes` more bytes of UTF-8 can give: a destination of this size takes a whole chunk of this
    /// size, and the end of the text. None where it is more than `usize::MAX`.
    ///
    /// ```
    /// assert_eq!(textcodec::GBK.encoder()?.max_len_from_utf8(100), Some(100));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn max_len_from_utf8(&self, bytes: usize) -> Option<usize> {
        from_utf8(self.encoding(), self.unmappable(), bytes)?.checked_add(self.pending()?)
    }

    /// How many bytes encoding `units` more code units of UTF-16 can give; see
    /// [`max_len_from_utf8`](Self::max_len_from_utf8).
    ///
    /// ```
    /// assert_eq!(textcodec::GBK.encoder()?.max_len_from_utf16(100), Some(200));
    /// # Ok::<(), textcodec::EncodeError>(())
    /// ```
    #[must_use]
    pub fn max_len_from_utf16(&self, units: usize) -> Option<usize> {
        from_utf16(self.encoding(), self.unmappable(), units)?.checked_add(self.pending()?)
    }

    /// What the encoder keeps, as bytes of output.
    fn pending(&self) -> Option<usize> {
        if self.is_fresh() {
            return Some(0);
        }
        // Bytes that wait, a character in the handler's hands, half a surrogate pair, and a last escape sequence.
        let one = from_utf16(self.encoding(), self.unmappable(), 1)?;
        Some(self.held_len() + 2 * one + 3)
    }
}
