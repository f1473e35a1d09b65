//! The two input forms of encoding: UTF-8, which is always well-formed, and UTF-16, which need not be.

use core::ops::Range;

use super::{Encode, sink::leading_ascii, surrogate_pair};
use crate::kernel::{Kernels, Out, short};

/// Text to encode.
pub(crate) trait Source {
    /// The codec's bulk conversion of the text from the `from`-th unit on; returns how many units it took.
    fn bulk<E: Encode>(&self, from: usize, codec: &mut E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize;

    /// How many of these units are not ASCII.
    fn count_others(&self, range: Range<usize>) -> usize;

    /// Writes a short text that is all ASCII; false where it is not, or does not fit.
    fn short_ascii(&self, out: &mut Out<'_, u8>) -> bool;

    /// Writes the ASCII from the `from`-th unit on whose characters are their own bytes, as far as it fits; returns how many units
    /// that is.
    fn put_ascii<E: Encode>(&self, from: usize, codec: &E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize;

    /// The character at the `from`-th unit. None where the next chunk decides.
    fn item(&self, from: usize, last: bool) -> Option<Item>;

    /// The character at the `from`-th unit. `high` is a surrogate that the last chunk ended with.
    fn next(&self, from: usize, high: &mut Option<u16>, last: bool) -> Next;

    /// How long it is, in its units.
    fn units(&self) -> usize;

    /// The text from the `from`-th unit on.
    #[cfg(feature = "alloc")]
    fn rest(&self, from: usize) -> &Self;
}

/// More ASCII than this in a row is for a kernel.
pub(crate) const FEW_ASCII: usize = 32;

/// See [`Source::put_ascii`]. `narrow` makes bytes of units, and says how many of them are ASCII, from the first on.
#[inline(always)]
pub(super) fn put_ascii<E: Encode, T: Copy>(
    src: &[T],
    narrow: impl Fn(&[T; 8]) -> ([u8; 8], usize),
    codec: &E,
    kernel: fn(&[T], &mut Out<'_, u8>) -> usize,
    out: &mut Out<'_, u8>,
) -> usize {
    let own = |bytes: &[u8]| bytes.iter().take_while(|byte| codec.is_own_byte(**byte)).count();
    let mut len = 0;
    while let Some(eight) = src[len..].first_chunk() {
        if E::ASCII && len == FEW_ASCII {
            return len + out.write_locally(|out| kernel(&src[len..], out));
        }
        let (bytes, ascii) = narrow(eight);
        let own = if E::ASCII { ascii } else { own(&bytes[..ascii]) };
        // Not both in one: what follows eight need not wait for the count.
        if own == eight.len() && out.extend(&bytes) {
            len += eight.len();
            continue;
        }
        if own == eight.len() || !out.extend_some(&bytes, own) {
            break;
        }
        return len + own;
    }
    let is_put = |&&unit: &&T| {
        let ([byte, ..], ascii) = narrow(&[unit; 8]);
        ascii > 0 && codec.is_own_byte(byte) && out.push(byte)
    };
    len + src[len..].iter().take_while(is_put).count()
}

/// The bytes of eight units, and how many of them are ASCII, from the first on. In words: compilers do worse with an array.
#[inline(always)]
fn narrow(eight: &[u16; 8]) -> ([u8; 8], usize) {
    const BYTES: u64 = 0x00FF_00FF_00FF_00FF;
    const NOT_ASCII: u64 = 0xFF80_FF80_FF80_FF80;

    let word = |at: usize| (0..4).fold(0, |word, n| word | u64::from(eight[at + n]) << (16 * n));
    let words = [word(0), word(4)];
    let [low, high] = words.map(|word| {
        let pairs = (word & BYTES | (word & BYTES) >> 8) & 0x0000_FFFF_0000_FFFF;
        pairs & 0xFFFF | pairs >> 16
    });
    let [ascii_low, ascii_high] = words.map(|word| (word & NOT_ASCII).trailing_zeros() as usize / 16);
    let ascii = if ascii_low == 4 { 4 + ascii_high } else { ascii_low };
    ((low | high << 32).to_le_bytes(), ascii)
}

/// A character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) character: char,
    /// How many units it has.
    pub(crate) units: usize,
    /// It stands for half a surrogate pair.
    pub(crate) unpaired: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A scalar value. It takes `read` units of this chunk, after `before` of an earlier one.
    Item { character: char, before: usize, read: usize, unpaired: bool },
    /// The chunk is used up, `read` units included that begin a character.
    Empty { read: usize },
}

impl Source for str {
    fn bulk<E: Encode>(&self, from: usize, codec: &mut E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        codec.bulk_utf8(kernels, &self[from..], out)
    }

    #[inline]
    fn count_others(&self, range: Range<usize>) -> usize {
        self.as_bytes()[range].iter().filter(|byte| !byte.is_ascii()).count()
    }

    #[inline]
    fn short_ascii(&self, out: &mut Out<'_, u8>) -> bool {
        short::ascii_copy(self.as_bytes(), out)
    }

    #[inline(always)]
    fn put_ascii<E: Encode>(&self, from: usize, codec: &E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        put_ascii(&self.as_bytes()[from..], |&eight| (eight, leading_ascii(eight)), codec, kernels.ascii_copy, out)
    }

    #[inline(always)]
    fn item(&self, from: usize, _: bool) -> Option<Item> {
        self[from..].chars().next().map(|character| Item { character, units: character.len_utf8(), unpaired: false })
    }

    #[inline]
    fn next(&self, from: usize, high: &mut Option<u16>, last: bool) -> Next {
        if (from < self.len() || last) && high.take().is_some() {
            // UTF-16 was pushed before, and what follows its last surrogate is no surrogate.
            return Next::Item { character: char::REPLACEMENT_CHARACTER, before: 1, read: 0, unpaired: true };
        }
        match self[from..].chars().next() {
            Some(character) => Next::Item { character, before: 0, read: character.len_utf8(), unpaired: false },
            None => Next::Empty { read: 0 },
        }
    }

    fn units(&self) -> usize {
        self.len()
    }

    #[cfg(feature = "alloc")]
    fn rest(&self, from: usize) -> &Self {
        &self[from..]
    }
}

impl Source for [u16] {
    fn bulk<E: Encode>(&self, from: usize, codec: &mut E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        codec.bulk_utf16(kernels, &self[from..], out)
    }

    #[inline]
    fn count_others(&self, range: Range<usize>) -> usize {
        self[range].iter().filter(|&&unit| unit >= 0x80).count()
    }

    #[inline]
    fn short_ascii(&self, out: &mut Out<'_, u8>) -> bool {
        short::ascii_from_utf16(self, out)
    }

    #[inline(always)]
    fn put_ascii<E: Encode>(&self, from: usize, codec: &E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        put_ascii(&self[from..], narrow, codec, kernels.ascii_from_utf16, out)
    }

    #[inline(always)]
    fn item(&self, from: usize, last: bool) -> Option<Item> {
        let &first = self.get(from)?;
        if let Some(character) = char::from_u32(first.into()) {
            return Some(Item { character, units: 1, unpaired: false });
        }
        let rest = &self[from..];
        match surrogate_pair(rest) {
            Some(character) => Some(Item { character, units: 2, unpaired: false }),
            None if rest.len() == 1 && first < 0xDC00 && !last => None,
            None => Some(Item { character: char::REPLACEMENT_CHARACTER, units: 1, unpaired: true }),
        }
    }

    /// *Convert code unit to scalar value* of section 7: a surrogate without its other half is U+FFFD.
    fn next(&self, from: usize, high: &mut Option<u16>, last: bool) -> Next {
        let mut units = self[from..].iter().copied();
        let before = usize::from(high.is_some());
        let Some(first) = high.or_else(|| units.next()) else { return Next::Empty { read: 0 } };
        let second = units.next();
        if let (0xD800..=0xDBFF, None, false) = (first, second, last) {
            *high = Some(first);
            return Next::Empty { read: 1 - before };
        }
        *high = None;
        let mut decoded = char::decode_utf16([first].into_iter().chain(second));
        match decoded.next() {
            Some(Ok(character)) => {
                Next::Item { character, before, read: character.len_utf16() - before, unpaired: false }
            }
            _ => Next::Item { character: char::REPLACEMENT_CHARACTER, before, read: 1 - before, unpaired: true },
        }
    }

    fn units(&self) -> usize {
        self.len()
    }

    #[cfg(feature = "alloc")]
    fn rest(&self, from: usize) -> &Self {
        &self[from..]
    }
}
