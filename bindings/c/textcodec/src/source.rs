//! What the encoder reads: UTF-8, UTF-16 and UTF-32, all of which may be ill-formed.
//!
//! The library encodes `str` and UTF-16. Ill-formed UTF-8 and UTF-32 become [`UNPAIRED`] in UTF-16, so that the library handles
//! them like unpaired surrogates, under each policy.

use textcodec::utf;

/// Stands for an ill-formed sequence. A low surrogate: no following unit can make it well-formed. The encoder never gives the
/// library a high surrogate before it.
pub(crate) const UNPAIRED: u16 = 0xDC00;

/// Returns the longest well-formed prefix.
#[inline]
pub(crate) fn valid_prefix(bytes: &[u8]) -> &str {
    let valid = utf::utf8_valid_up_to(bytes);
    // SAFETY: `utf8_valid_up_to` has validated these bytes.
    unsafe { str::from_utf8_unchecked(&bytes[..valid]) }
}

/// The sequence at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// A character of this length.
    Character(usize),
    /// An ill-formed sequence of this length: what the standard's decoder replaces by one U+FFFD.
    IllFormed(usize),
    /// All bytes are the start of a character.
    Incomplete,
}

impl Sequence {
    /// Returns the sequence at the start of `bytes`, at least one and at most four.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let (text, error) = match str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (valid_prefix(bytes), Some(error)),
        };
        match (text.chars().next(), error.and_then(|error| error.error_len())) {
            (Some(character), _) => Self::Character(character.len_utf8()),
            (None, Some(len)) => Self::IllFormed(len),
            (None, None) => Self::Incomplete,
        }
    }
}

/// The end of a chunk that is not encoded yet: the start of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pending {
    #[default]
    None,
    /// Bytes of UTF-8: one to three.
    Utf8 { bytes: [u8; 3], len: u8 },
    /// A high surrogate.
    Utf16(u16),
}

impl Pending {
    /// Keeps up to three bytes.
    pub(crate) fn utf8(bytes: &[u8]) -> Self {
        let mut kept = [0; 3];
        let len = bytes.len().min(3);
        kept[..len].copy_from_slice(&bytes[..len]);
        Self::Utf8 { bytes: kept, len: len as u8 }
    }

    /// Returns the number of units.
    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            Self::None => 0,
            Self::Utf8 { len, .. } => len.into(),
            Self::Utf16(_) => 1,
        }
    }
}

/// Converts UTF-32 to UTF-16, with [`UNPAIRED`] for each number that is not a scalar value. Returns the numbers read and the units
/// written. The block has room for two units for each number.
pub(crate) fn narrow(numbers: &[u32], block: &mut [u16]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < numbers.len() {
        let progress = utf::utf32_to_utf16(&numbers[read..], &mut block[written..]);
        (read, written) = (read + progress.read, written + progress.written);
        if read < numbers.len() {
            let Some(unit) = block.get_mut(written) else { break };
            *unit = UNPAIRED;
            (read, written) = (read + 1, written + 1);
        }
    }
    (read, written)
}

/// Returns how many numbers these units of [`narrow`] are.
pub(crate) fn numbers(units: &[u16]) -> usize {
    // In a sum of `u16` per chunk, which compilers vectorize.
    let high = |chunk: &[u16]| chunk.iter().map(|unit| u16::from(unit & 0xFC00 == 0xD800)).sum::<u16>();
    units.len() - units.chunks(1024).map(|chunk| usize::from(high(chunk))).sum::<usize>()
}
