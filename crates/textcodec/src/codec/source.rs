//! What is converted: bytes, and the two input forms of encoding, UTF-8, which is always well-formed, and UTF-16, which may be
//! ill-formed.

use core::ops::Range;

use super::{Encode, sink::leading_ascii, surrogate_pair};
use crate::{
    conversion::TextUnit,
    kernel::{
        Kernels, Out, short,
        tables::{ByteOrder, as_bytes},
    },
};

/// Units to convert.
pub(crate) trait Text {
    /// The length in units.
    fn units(&self) -> usize;

    /// The units from `from` on.
    fn rest(&self, from: usize) -> &Self;

    /// Counts the units in `range` that are not ASCII.
    fn count_non_ascii(&self, range: Range<usize>) -> usize;

    /// Whether the first unit is ASCII.
    fn starts_with_ascii(&self) -> bool;
}

impl Text for [u8] {
    #[inline]
    fn units(&self) -> usize {
        self.len()
    }

    #[inline]
    fn rest(&self, from: usize) -> &Self {
        &self[from..]
    }

    #[inline]
    fn count_non_ascii(&self, range: Range<usize>) -> usize {
        self[range].iter().filter(|byte| !byte.is_ascii()).count()
    }

    #[inline]
    fn starts_with_ascii(&self) -> bool {
        self.first().is_some_and(u8::is_ascii)
    }
}

impl Text for str {
    #[inline]
    fn units(&self) -> usize {
        self.len()
    }

    #[inline]
    fn rest(&self, from: usize) -> &Self {
        &self[from..]
    }

    #[inline]
    fn count_non_ascii(&self, range: Range<usize>) -> usize {
        self.as_bytes().count_non_ascii(range)
    }

    #[inline]
    fn starts_with_ascii(&self) -> bool {
        self.as_bytes().starts_with_ascii()
    }
}

impl Text for [u16] {
    #[inline]
    fn units(&self) -> usize {
        self.len()
    }

    #[inline]
    fn rest(&self, from: usize) -> &Self {
        &self[from..]
    }

    #[inline]
    fn count_non_ascii(&self, range: Range<usize>) -> usize {
        self[range].iter().filter(|&&unit| unit >= 0x80).count()
    }

    #[inline]
    fn starts_with_ascii(&self) -> bool {
        self.first().is_some_and(|&unit| unit < 0x80)
    }
}

/// Text to encode.
pub(crate) trait Source: Text {
    /// What the offsets count.
    const UNIT: TextUnit;

    /// Calls the codec's bulk conversion for the text from unit `from` on. Returns how many units were read.
    fn bulk<E: Encode>(&self, from: usize, codec: &mut E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize;

    /// Writes a short text that is all ASCII; returns false if it is not, or does not fit.
    fn short_ascii(&self, out: &mut Out<'_, u8>) -> bool;

    /// Writes the ASCII at the start of the text, as far as it fits, by a kernel. Returns how many units were written.
    fn ascii(&self, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize;

    /// Whether the text may have a short conversion to UTF-16.
    fn may_be_short_utf16(&self) -> bool;

    /// Writes a short text that is all ASCII in UTF-16; returns false if it is not, or has no short conversion.
    fn short_utf16(&self, order: ByteOrder, out: &mut Out<'_, u8>) -> bool;

    /// Writes the ASCII from unit `from` on, as far as its characters [encode as themselves](Encode::encodes_as_itself) and
    /// fit. Returns how many units were written.
    fn put_ascii<E: Encode>(&self, from: usize, codec: &E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize;

    /// The character at unit `from`. `None` at the end, for a high surrogate that the next chunk may complete, and for an
    /// unpaired surrogate if they are errors.
    fn item(&self, from: usize, last: bool, reject_unpaired: bool) -> Option<Item>;

    /// The character at unit `from`. `high` is a surrogate at the end of the previous chunk.
    fn next(&self, from: usize, high: &mut Option<u16>, last: bool) -> Next;
}

/// The longest run of ASCII that is converted without a kernel.
pub(crate) const MAX_SHORT_ASCII: usize = 32;

/// Writes the ASCII at the start of UTF-8, as far as it fits. Returns its length.
#[inline(always)]
pub(super) fn put_ascii(src: &str, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
    put_same(src.as_bytes(), |&eight| (eight, leading_ascii(eight)), true, |_| true, kernels.ascii_copy, out)
}

/// See [`Source::put_ascii`]. `narrow` converts eight units to bytes and counts the ASCII units at their front. `is_same` is
/// whether a character is the same byte in the encoding, and `all` whether all are.
#[inline(always)]
fn put_same<T: Copy>(
    src: &[T],
    narrow: impl Fn(&[T; 8]) -> ([u8; 8], usize),
    all: bool,
    is_same: impl Fn(u8) -> bool,
    kernel: fn(&[T], &mut Out<'_, u8>) -> usize,
    out: &mut Out<'_, u8>,
) -> usize {
    let same = |bytes: &[u8]| bytes.iter().take_while(|byte| is_same(**byte)).count();
    let mut len = 0;
    while let Some(eight) = src[len..].first_chunk() {
        if all && len == MAX_SHORT_ASCII {
            return len + out.write_locally(|out| kernel(&src[len..], out));
        }
        let (bytes, ascii) = narrow(eight);
        let same = if all { ascii } else { same(&bytes[..ascii]) };
        // A branch for eight ASCII bytes: adding the count to `len` instead would make each step wait for the previous one.
        if same == eight.len() && out.extend(&bytes) {
            len += eight.len();
            continue;
        }
        if same == eight.len() || !out.extend_some(&bytes, same) {
            break;
        }
        return len + same;
    }
    let is_put = |&&unit: &&T| {
        let ([byte, ..], ascii) = narrow(&[unit; 8]);
        ascii > 0 && is_same(byte) && out.push(byte)
    };
    len + src[len..].iter().take_while(is_put).count()
}

/// Converts eight units to bytes and counts the ASCII units at their front. It computes in words because compilers generate
/// worse code for an array.
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
    /// The length in units.
    pub(crate) units: usize,
    /// Whether it is U+FFFD for an unpaired surrogate.
    pub(crate) unpaired: bool,
}

/// The result of [`Source::next`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A scalar value, of `before` units of an earlier chunk and `read` units of this one.
    Item { character: char, before: usize, read: usize, unpaired: bool },
    /// The end of the chunk. `read` units before it are an incomplete character.
    Empty { read: usize },
}

impl Source for str {
    const UNIT: TextUnit = TextUnit::Utf8;

    fn bulk<E: Encode>(&self, from: usize, codec: &mut E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        codec.bulk_utf8(kernels, &self[from..], out)
    }

    #[inline]
    fn short_ascii(&self, out: &mut Out<'_, u8>) -> bool {
        short::ascii_copy(self.as_bytes(), out)
    }

    #[inline]
    fn ascii(&self, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        (kernels.ascii_copy)(self.as_bytes(), out)
    }

    #[inline]
    fn may_be_short_utf16(&self) -> bool {
        self.as_bytes().first().is_some_and(u8::is_ascii)
    }

    #[inline]
    fn short_utf16(&self, order: ByteOrder, out: &mut Out<'_, u8>) -> bool {
        out.write_units(|out| short::ascii_to_utf16(order, self.as_bytes(), out)).unwrap_or(false)
    }

    #[inline(always)]
    fn put_ascii<E: Encode>(&self, from: usize, codec: &E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        let (bytes, is_same) = (&self.as_bytes()[from..], |byte| codec.encodes_as_itself(byte));
        put_same(bytes, |&eight| (eight, leading_ascii(eight)), E::ASCII, is_same, kernels.ascii_copy, out)
    }

    #[inline(always)]
    fn item(&self, from: usize, _: bool, _: bool) -> Option<Item> {
        self[from..].chars().next().map(|character| Item { character, units: character.len_utf8(), unpaired: false })
    }

    #[inline]
    fn next(&self, from: usize, high: &mut Option<u16>, last: bool) -> Next {
        if (from < self.len() || last) && high.take().is_some() {
            // The previous chunk was UTF-16 and ended with a high surrogate. UTF-8 cannot complete it.
            return Next::Item { character: char::REPLACEMENT_CHARACTER, before: 1, read: 0, unpaired: true };
        }
        match self[from..].chars().next() {
            Some(character) => Next::Item { character, before: 0, read: character.len_utf8(), unpaired: false },
            None => Next::Empty { read: 0 },
        }
    }
}

impl Source for [u16] {
    const UNIT: TextUnit = TextUnit::Utf16;

    fn bulk<E: Encode>(&self, from: usize, codec: &mut E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        codec.bulk_utf16(kernels, &self[from..], out)
    }

    #[inline]
    fn short_ascii(&self, out: &mut Out<'_, u8>) -> bool {
        short::ascii_from_utf16(ByteOrder::NATIVE, as_bytes(self), out)
    }

    #[inline]
    fn ascii(&self, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16().ascii_from_utf16)(self, out)
    }

    #[inline]
    fn may_be_short_utf16(&self) -> bool {
        false
    }

    #[inline]
    fn short_utf16(&self, _: ByteOrder, _: &mut Out<'_, u8>) -> bool {
        false
    }

    #[inline(always)]
    fn put_ascii<E: Encode>(&self, from: usize, codec: &E, kernels: &Kernels, out: &mut Out<'_, u8>) -> usize {
        let is_same = |byte| codec.encodes_as_itself(byte);
        put_same(&self[from..], narrow, E::ASCII, is_same, kernels.utf16().ascii_from_utf16, out)
    }

    #[inline(always)]
    fn item(&self, from: usize, last: bool, reject_unpaired: bool) -> Option<Item> {
        let &first = self.get(from)?;
        if let Some(character) = char::from_u32(first.into()) {
            return Some(Item { character, units: 1, unpaired: false });
        }
        let rest = &self[from..];
        match surrogate_pair(rest) {
            Some(character) => Some(Item { character, units: 2, unpaired: false }),
            None if reject_unpaired || rest.len() == 1 && first < 0xDC00 && !last => None,
            None => Some(Item { character: char::REPLACEMENT_CHARACTER, units: 1, unpaired: true }),
        }
    }

    /// *Convert code unit to scalar value* of section 7: an unpaired surrogate becomes U+FFFD.
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
}
