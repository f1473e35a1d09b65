//! The maximum length of an output. The maxima are sufficient for every input; unlike those of the encodings of the standard, not all of them
//! are reached.

use super::Kind;
use crate::conversion::Unmappable;

impl Kind {
    /// The maximum bytes of UTF-8 from `n` bytes. `replaced` is whether malformed sequences become U+FFFD.
    pub(crate) fn max_utf8_len(self, replaced: bool, n: usize) -> Option<usize> {
        match self {
            // Three or four bytes for a unit, and three for U+FFFD if there is an incomplete one.
            Self::Ucs2Be | Self::Ucs2Le => (n / 2).checked_add(n % 2)?.checked_mul(3),
            Self::Utf32 | Self::Utf32Be | Self::Utf32Le => n.checked_add(3),
            // Each byte can be malformed.
            _ if replaced => n.checked_mul(3),
            // Characters of three bytes have three digits, or two after another one.
            Self::Utf7 | Self::Utf7Imap => n.checked_mul(2),
            Self::Cesu8 => Some(n),
            Self::Hz | Self::Iso2022Kr | Self::Johab => n.checked_add(n / 2),
            Self::Gsm0338 => n.checked_mul(2),
        }
    }

    /// The maximum code units of UTF-16 from `n` bytes.
    pub(crate) fn max_utf16_len(self, n: usize) -> usize {
        match self {
            Self::Ucs2Be | Self::Ucs2Le => n.div_ceil(2),
            // A surrogate pair has one unit of four bytes.
            Self::Utf32 | Self::Utf32Be | Self::Utf32Le => n / 4 * 2 + usize::from(!n.is_multiple_of(4)),
            _ => n,
        }
    }

    /// The maximum bytes from `n` bytes of UTF-8, without the header.
    pub(crate) fn max_len_from_utf8(self, unmappable: Unmappable, n: usize) -> Option<usize> {
        let html = unmappable == Unmappable::Html;
        match self {
            // `+AH4-` for a tilde.
            Self::Utf7 | Self::Utf7Imap => n.checked_mul(5),
            Self::Utf32 | Self::Utf32Be | Self::Utf32Le => n.checked_mul(4),
            // The 20 bytes of `&#1114111;` for a character of four bytes.
            Self::Ucs2Be | Self::Ucs2Le => n.checked_mul(if html { 5 } else { 2 }),
            Self::Cesu8 => n.checked_add(n / 2),
            // A pair and two shifts for a character of two bytes, `&#1000;` for an unmappable one.
            Self::Hz => n.checked_mul(if html { 4 } else { 3 }),
            // `&#65533;` for U+000E, and a pair and two shifts for a replacement.
            Self::Iso2022Kr => n.checked_mul(if html { 8 } else { 4 }),
            Self::Johab => n.checked_mul(if html { 4 } else { 1 }),
            // `&#127;` for U+007F.
            Self::Gsm0338 => n.checked_mul(if html { 6 } else { 2 }),
        }
    }

    /// The maximum bytes from `n` code units of UTF-16, without the header.
    pub(crate) fn max_len_from_utf16(self, unmappable: Unmappable, n: usize) -> Option<usize> {
        let html = unmappable == Unmappable::Html;
        n.checked_mul(match self {
            // Eight for a replacement of an unpaired surrogate beyond U+FFFF: `+2D3eAA-`.
            Self::Utf7 | Self::Utf7Imap => 8,
            Self::Utf32 | Self::Utf32Be | Self::Utf32Le => 4,
            // `&#1114111;` for two units.
            Self::Ucs2Be | Self::Ucs2Le if html => 10,
            Self::Ucs2Be | Self::Ucs2Le => 2,
            // Six for a replacement of an unpaired surrogate beyond U+FFFF.
            Self::Cesu8 => 6,
            Self::Hz | Self::Iso2022Kr | Self::Johab | Self::Gsm0338 if html => 8,
            // A pair and two shifts.
            Self::Hz => 6,
            Self::Iso2022Kr => 4,
            Self::Johab | Self::Gsm0338 => 2,
        })
    }
}
