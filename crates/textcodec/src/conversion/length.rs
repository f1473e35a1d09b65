//! The maximum length of an output. Some input reaches each maximum.
//!
//! The maxima are exact for a whole input. In the middle of a stream, they include the pending state of the decoder or encoder.

#[cfg(feature = "oem")]
use crate::beyond::page::Page;
use crate::{
    codec::drive::EncodePolicy,
    conversion::{Decoder, Encoder, Unmappable},
    names::{Encoding, encodings::Id},
};

/// The maximum bytes of UTF-8 from `n` bytes without a byte order mark. `replaced` is whether malformed sequences become
/// U+FFFD.
#[cfg_attr(not(textcodec_small), inline)]
fn utf8(encoding: Encoding, replaced: bool, n: usize) -> Option<usize> {
    #[cfg(feature = "oem")]
    if let Some(page) = crate::beyond::oem::page(encoding).and_then(Page::of) {
        return n.checked_mul(if replaced && !encoding.is_total() { 3 } else { page.longest_utf8() });
    }
    #[cfg(feature = "oem")]
    if let Some(kind) = encoding.rare() {
        return kind.max_utf8_len(replaced, n);
    }
    match encoding.id() {
        // Three bytes for a code unit of the BMP, and three for U+FFFD if there is an odd byte.
        Id::Utf16le | Id::Utf16be => (n / 2 + n % 2 * usize::from(replaced)).checked_mul(3),
        Id::Replacement => Some(n.min(usize::from(replaced)) * 3),
        // Every byte is a character below U+0800.
        Id::Iso8859_2 | Id::Iso8859_4 | Id::Latin1 => n.checked_mul(2),
        // In every other encoding, each byte can be malformed.
        _ if replaced => n.checked_mul(3),
        Id::Utf8 | Id::UsAscii => Some(n),
        Id::Iso8859_3 | Id::Iso8859_6 => n.checked_mul(2),
        // A pair is a character of the BMP: three bytes.
        Id::EucJp | Id::EucKr => n.checked_add(n / 2),
        // A pair can also be a character of plane 2, or two characters: four bytes.
        Id::Big5 => (n / 2).checked_mul(4)?.checked_add(n % 2),
        // A single byte can be a character of three bytes.
        _ => n.checked_mul(3),
    }
}

/// The maximum code units of UTF-16 from `n` bytes.
#[cfg_attr(not(textcodec_small), inline)]
fn utf16(encoding: Encoding, n: usize) -> usize {
    #[cfg(feature = "oem")]
    if let Some(kind) = encoding.rare() {
        return kind.max_utf16_len(n);
    }
    match encoding.id() {
        Id::Utf16le | Id::Utf16be => n.div_ceil(2),
        Id::Replacement => n.min(1),
        _ => n,
    }
}

/// The maximum bytes from `n` bytes of UTF-8.
#[cfg_attr(not(textcodec_small), inline)]
fn from_utf8(encoding: Encoding, unmappable: Unmappable, n: usize) -> Option<usize> {
    #[cfg(feature = "oem")]
    if let Some(kind) = encoding.rare() {
        return kind.max_len_from_utf8(unmappable, n);
    }
    let html = unmappable == Unmappable::Html;
    let replaced = matches!(unmappable, Unmappable::Replace(_));
    // ASCII that a page lacks becomes a reference.
    #[cfg(feature = "oem")]
    if html && encoding.id() as u8 >= Id::Custom as u8 {
        let longest = match crate::beyond::oem::page(encoding).and_then(Page::of) {
            Some(page) => page.longest_ascii_reference(),
            None => "&#127;".len(),
        };
        if longest > 1 {
            return n.checked_mul(longest);
        }
    }
    match encoding.id() {
        Id::Utf8 | Id::Replacement => Some(n),
        Id::Utf16le | Id::Utf16be => n.checked_mul(2),
        // U+000E has one byte and is unmappable: eight bytes for `&#65533;`, or a pair for the replacement character.
        Id::Iso2022Jp if html => n.checked_mul(8),
        Id::Iso2022Jp if replaced => iso_2022_jp(n),
        // A two-byte character and an ASCII character, alternating, with an escape sequence before each and one at the end.
        Id::Iso2022Jp if n > 1 => n.checked_mul(3)?.checked_add(2),
        Id::Iso2022Jp => Some(n),
        // Only U+E5E5 is unmappable: `&#58853;` for three bytes. Characters of two bytes can become four.
        Id::Gb18030 if html => (n / 3).checked_mul(8)?.checked_add([0, 1, 4][n % 3]),
        Id::Gb18030 => (n / 2).checked_mul(4)?.checked_add(n % 2),
        // `&#1000;` for two bytes.
        _ if html => (n / 2).checked_mul(7)?.checked_add(n % 2),
        _ => Some(n),
    }
}

/// The maximum bytes from `n` code units of UTF-16, which may be ill-formed.
#[cfg_attr(not(textcodec_small), inline)]
fn from_utf16(encoding: Encoding, policy: EncodePolicy, n: usize) -> Option<usize> {
    #[cfg(feature = "oem")]
    if let Some(kind) = encoding.rare() {
        return kind.max_len_from_utf16(policy.unmappable, n);
    }
    let html = policy.unmappable == Unmappable::Html;
    let surrogates_replaced = policy.reject_unpaired && matches!(policy.unmappable, Unmappable::Replace(_));
    let per_unit = match encoding.id() {
        // The replacement can be a character beyond the BMP.
        Id::Utf8 | Id::Utf16le | Id::Utf16be if surrogates_replaced => 4,
        Id::Utf8 => 3,
        Id::Utf16le | Id::Utf16be => 2,
        // References from `&#10000;` on.
        _ if html => 8,
        Id::Iso2022Jp => return iso_2022_jp(n),
        Id::Gb18030 => 4,
        Id::Gbk | Id::Big5 | Id::EucJp | Id::ShiftJis | Id::EucKr => 2,
        _ => 1,
    };
    n.checked_mul(per_unit)
}

/// Pairs and single bytes, alternating, with an escape sequence before each and one at the end.
#[cfg_attr(not(textcodec_small), inline)]
fn iso_2022_jp(n: usize) -> Option<usize> {
    if n == 0 { Some(0) } else { Some(n.checked_mul(9)?.checked_add(7)? / 2) }
}

impl Decoder {
    /// Returns the maximum bytes of UTF-8 that `bytes` more bytes of input can decode to, the end of the input included.
    ///
    /// A destination of this length is never too small for a chunk of `bytes` bytes. The result depends on how malformed
    /// sequences are handled: only [`Malformed::Replace`](crate::Malformed::Replace) writes output for them. Returns `None` if
    /// the result exceeds `usize::MAX`.
    ///
    /// ```
    /// assert_eq!(textcodec::BIG5.decoder().max_utf8_len(100), Some(300));
    /// assert_eq!(textcodec::BIG5.decoder().max_utf8_len(usize::MAX), None);
    /// ```
    #[must_use]
    #[doc(alias("max_utf8_buffer_length"))]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn max_utf8_len(&self, bytes: usize) -> Option<usize> {
        let (incomplete, held) = self.pending();
        let bytes = bytes.checked_add(incomplete)?;
        let replaced = self.replaces();
        let mut max = utf8(self.next_encoding(), replaced, bytes)?;
        if self.may_sniff() {
            // The encoding after a byte order mark.
            max = max.max(utf8(crate::UTF_8, replaced, bytes.saturating_sub(3))?);
            max = max.max(utf8(crate::UTF_16LE, replaced, bytes.saturating_sub(2))?);
        }
        max.checked_add(4 * held)
    }

    /// Returns the maximum code units of UTF-16 that `bytes` more bytes of input can decode to. See
    /// [`max_utf8_len`](Self::max_utf8_len).
    ///
    /// ```
    /// assert_eq!(textcodec::UTF_8.decoder().max_utf16_len(100), Some(100));
    /// ```
    #[must_use]
    #[doc(alias("max_utf16_buffer_length"))]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn max_utf16_len(&self, bytes: usize) -> Option<usize> {
        let (incomplete, held) = self.pending();
        let bytes = bytes.checked_add(incomplete)?;
        let mut max = utf16(self.next_encoding(), bytes);
        if self.may_sniff() {
            max = max.max(utf16(crate::UTF_8, bytes.saturating_sub(3)));
        }
        max.checked_add(2 * held)
    }
}

impl Encoder {
    /// Returns the maximum bytes that `bytes` more bytes of UTF-8 can encode to, the end of the text included.
    ///
    /// A destination of this length is never too small for a chunk of `bytes` bytes. Returns `None` if the result exceeds
    /// `usize::MAX`.
    ///
    /// ```
    /// assert_eq!(textcodec::GBK.encoder().max_len_from_utf8(100), Some(100));
    /// ```
    #[must_use]
    #[doc(alias("max_buffer_length_from_utf8_if_no_unmappables"))]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn max_len_from_utf8(&self, bytes: usize) -> Option<usize> {
        from_utf8(self.encoding(), self.policy().unmappable, bytes)?.checked_add(self.pending()?)
    }

    /// Returns the maximum bytes that `units` more code units of UTF-16 can encode to. See
    /// [`max_len_from_utf8`](Self::max_len_from_utf8).
    ///
    /// ```
    /// assert_eq!(textcodec::GBK.encoder().max_len_from_utf16(100), Some(200));
    /// ```
    #[must_use]
    #[doc(alias("max_buffer_length_from_utf16_if_no_unmappables"))]
    #[cfg_attr(not(textcodec_small), inline)]
    pub fn max_len_from_utf16(&self, units: usize) -> Option<usize> {
        from_utf16(self.encoding(), self.policy(), units)?.checked_add(self.pending()?)
    }

    /// The maximum output of the pending state, in bytes.
    #[cfg_attr(not(textcodec_small), inline)]
    fn pending(&self) -> Option<usize> {
        if self.is_fresh() {
            return Some(self.bom_len());
        }
        // Held bytes, a restored character, a pending surrogate, and a final escape sequence.
        let one = from_utf16(self.encoding(), self.policy(), 1)?;
        Some(self.held_len() + 2 * one + 3)
    }
}
