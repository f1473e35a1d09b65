//! The two output forms of decoding, UTF-8 and UTF-16, and converted output that did not fit.

use super::{Decode, pivot};
use crate::kernel::{
    Kernels, Out,
    reference::double_byte::decode::Form,
    short,
    tables::{ByteOrder, EscapeState, EscapedPairs, FirstByte, Pairs, four_bytes::FourByteRuns},
};

/// A code unit of an output form: `u8` for UTF-8, `u16` for UTF-16.
pub(crate) trait Unit: Form {
    /// Calls the codec's bulk conversion to this form.
    fn bulk<D: Decode>(codec: &mut D, kernels: &Kernels, src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// The kernel for ASCII.
    fn ascii(kernels: &Kernels) -> fn(&[u8], &mut Out<'_, Self>) -> usize;
    /// The kernel for well-formed UTF-8.
    #[cfg(feature = "oem")]
    fn utf_8(kernels: &Kernels) -> fn(&[u8], &mut Out<'_, Self>) -> usize;
    /// The kernel for double-byte text.
    fn double_byte(kernels: &Kernels) -> fn(&Pairs, &[u8], &mut Out<'_, Self>) -> usize;
    /// The kernel for ASCII and pairs, with escape sequences between them.
    fn escaped(kernels: &Kernels) -> fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, Self>) -> usize;

    /// Converts double-byte text of an ASCII-compatible encoding. Text that starts with ASCII is probably all ASCII, which has
    /// a faster kernel: cells `decode/big5/*/en/4KiB`.
    #[inline]
    fn pairs(kernels: &Kernels, pairs: &Pairs, src: &[u8], out: &mut Out<'_, Self>) -> usize {
        let ascii = if src.first().is_some_and(u8::is_ascii) { Self::ascii(kernels)(src, out) } else { 0 };
        // The double-byte kernel would return 0 too, but only after it has converted a block: cell
        // `hostile/decode/big5/utf-8/replace/4KiB/ascii*20+plane-2`.
        let is_declined = |src: &[u8]| match *src {
            [leading, trailing, ..] => match pairs.first_byte(leading) {
                FirstByte::Single(_) => false,
                FirstByte::Lead => pairs.get(leading, trailing).is_none(),
                FirstByte::Invalid => true,
            },
            _ => true,
        };
        if is_declined(&src[ascii..]) { ascii } else { ascii + Self::double_byte(kernels)(pairs, &src[ascii..], out) }
    }

    /// Converts four-byte characters of gb18030, and ASCII and pairs between them.
    fn four_bytes(kernels: &Kernels, runs: &FourByteRuns, pairs: &Pairs, src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// Converts UTF-16 with unpaired surrogates as U+FFFD, and adds their number to `replaced`. Returns how many bytes were read.
    fn replaced_utf16(
        kernels: &Kernels,
        order: ByteOrder,
        src: &[u8],
        out: &mut Out<'_, Self>,
        replaced: &mut u64,
    ) -> usize;

    /// Writes a short input that is all ASCII; returns false if it is not, or does not fit.
    fn short_ascii(src: &[u8], out: &mut Out<'_, Self>) -> bool;

    /// Whether UTF-16 that starts with `first` may have a short conversion to this form.
    fn may_be_short_utf16(first: u16) -> bool;

    /// Writes short UTF-16 that has a short conversion to this form: ASCII to UTF-8, or anything well-formed to UTF-16.
    /// Returns false if it has none, or does not fit.
    fn short_utf16(order: ByteOrder, src: &[u8], out: &mut Out<'_, Self>) -> bool;

    /// Writes the first `len` bytes of `eight`, which are ASCII; returns false if they do not fit.
    fn put_ascii(eight: [u8; 8], len: usize, out: &mut Out<'_, Self>) -> bool;

    /// The maximum code units of an item: one character, or the two that a pair of Big5 can map to.
    const LONGEST_ITEM: usize;

    /// Writes a character; returns false if it does not fit.
    fn put(character: char, out: &mut Out<'_, Self>) -> bool;
}

impl Unit for u8 {
    fn bulk<D: Decode>(codec: &mut D, kernels: &Kernels, src: &[u8], out: &mut Out<'_, Self>) -> usize {
        codec.bulk_utf8(kernels, src, out)
    }

    #[inline]
    fn ascii(kernels: &Kernels) -> fn(&[u8], &mut Out<'_, Self>) -> usize {
        kernels.ascii_copy
    }

    #[cfg(feature = "oem")]
    #[inline]
    fn utf_8(kernels: &Kernels) -> fn(&[u8], &mut Out<'_, Self>) -> usize {
        kernels.utf8_copy
    }

    #[inline]
    fn double_byte(kernels: &Kernels) -> fn(&Pairs, &[u8], &mut Out<'_, Self>) -> usize {
        kernels.double_byte_to_utf8
    }

    #[inline]
    fn escaped(kernels: &Kernels) -> fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, Self>) -> usize {
        kernels.escaped_to_utf8
    }

    #[inline]
    fn four_bytes(kernels: &Kernels, runs: &FourByteRuns, pairs: &Pairs, src: &[u8], out: &mut Out<'_, Self>) -> usize {
        pivot::decode(kernels, src, out, |src, stage| (kernels.four_bytes_to_utf16)(runs, pairs, src, stage))
    }

    fn replaced_utf16(
        kernels: &Kernels,
        order: ByteOrder,
        src: &[u8],
        out: &mut Out<'_, Self>,
        replaced: &mut u64,
    ) -> usize {
        pivot::decode(kernels, src, out, |src, stage| (kernels.utf16_replaced)(order, src, stage, replaced))
    }

    #[inline]
    fn short_ascii(src: &[u8], out: &mut Out<'_, Self>) -> bool {
        src.first().is_some_and(u8::is_ascii) && short::ascii_copy(src, out)
    }

    #[inline]
    fn may_be_short_utf16(first: u16) -> bool {
        first < 0x80
    }

    #[inline]
    fn short_utf16(order: ByteOrder, src: &[u8], out: &mut Out<'_, Self>) -> bool {
        let (units, odd) = src.as_chunks();
        odd.is_empty() && short::ascii_from_utf16(order, units, out)
    }

    #[inline(always)]
    fn put_ascii(eight: [u8; 8], len: usize, out: &mut Out<'_, Self>) -> bool {
        out.extend_some(&eight, len)
    }

    const LONGEST_ITEM: usize = 4;

    // One store of fixed length instead of the variable-length copy that `char::encode_utf8` would need. A word instead of an
    // array: a four-byte load right after byte stores stalls the processor.
    #[inline(always)]
    fn put(character: char, out: &mut Out<'_, Self>) -> bool {
        let code_point = u32::from(character);
        let lead = |mark: u32, shift: u32| mark | code_point >> shift;
        let tail = |shift: u32| 0x80 | code_point >> shift & 0x3F;
        let (word, len) = match code_point {
            0..=0x7F => (code_point, 1),
            0x80..=0x7FF => (lead(0xC0, 6) | tail(0) << 8, 2),
            0x800..=0xFFFF => (lead(0xE0, 12) | tail(6) << 8 | tail(0) << 16, 3),
            _ => (lead(0xF0, 18) | tail(12) << 8 | tail(6) << 16 | tail(0) << 24, 4),
        };
        out.extend_some(&word.to_le_bytes(), len)
    }
}

impl Unit for u16 {
    fn bulk<D: Decode>(codec: &mut D, kernels: &Kernels, src: &[u8], out: &mut Out<'_, Self>) -> usize {
        codec.bulk_utf16(kernels, src, out)
    }

    #[inline]
    fn ascii(kernels: &Kernels) -> fn(&[u8], &mut Out<'_, Self>) -> usize {
        kernels.utf16().ascii_to_utf16
    }

    #[cfg(feature = "oem")]
    #[inline]
    fn utf_8(kernels: &Kernels) -> fn(&[u8], &mut Out<'_, Self>) -> usize {
        kernels.utf8_to_utf16
    }

    #[inline]
    fn double_byte(kernels: &Kernels) -> fn(&Pairs, &[u8], &mut Out<'_, Self>) -> usize {
        kernels.utf16().double_byte_to_utf16
    }

    #[inline]
    fn escaped(kernels: &Kernels) -> fn(&EscapedPairs, &mut EscapeState, &[u8], &mut Out<'_, Self>) -> usize {
        kernels.utf16().escaped_to_utf16
    }

    #[inline]
    fn four_bytes(kernels: &Kernels, runs: &FourByteRuns, pairs: &Pairs, src: &[u8], out: &mut Out<'_, Self>) -> usize {
        (kernels.four_bytes_to_utf16)(runs, pairs, src, out)
    }

    fn replaced_utf16(
        kernels: &Kernels,
        order: ByteOrder,
        src: &[u8],
        out: &mut Out<'_, Self>,
        replaced: &mut u64,
    ) -> usize {
        (kernels.utf16_replaced)(order, src, out, replaced)
    }

    #[inline]
    fn short_ascii(src: &[u8], out: &mut Out<'_, Self>) -> bool {
        short::ascii_to_utf16(ByteOrder::NATIVE, src, out)
    }

    #[inline]
    fn may_be_short_utf16(_: u16) -> bool {
        true
    }

    #[inline]
    fn short_utf16(order: ByteOrder, src: &[u8], out: &mut Out<'_, Self>) -> bool {
        short::utf16_from_bytes(order, src, out)
    }

    #[inline(always)]
    fn put_ascii(eight: [u8; 8], len: usize, out: &mut Out<'_, Self>) -> bool {
        out.extend_some(&eight.map(u16::from), len)
    }

    const LONGEST_ITEM: usize = 2;

    #[inline(always)]
    fn put(character: char, out: &mut Out<'_, Self>) -> bool {
        let mut units = [0; 2];
        let len = character.encode_utf16(&mut units).len();
        out.extend_some(&units, len)
    }
}

/// Counts the ASCII bytes at the front of eight bytes.
#[inline(always)]
pub(super) fn leading_ascii(eight: [u8; 8]) -> usize {
    let non_ascii = u64::from_le_bytes(eight) & 0x8080_8080_8080_8080;
    non_ascii.trailing_zeros() as usize / 8
}

/// Up to two decoded characters that did not fit into the destination.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldCharacters([Option<char>; 2]);

impl HeldCharacters {
    pub(crate) const EMPTY: Self = Self([None; 2]);

    /// Writes a character, or holds it if it does not fit or others are held before it.
    #[inline]
    pub(crate) fn put<U: Unit>(&mut self, character: char, out: &mut Out<'_, U>) {
        if self.0[0].is_some() {
            self.0[1] = Some(character);
        } else if !U::put(character, out) {
            self.0[0] = Some(character);
        }
    }

    /// Writes the held characters; returns false if not all fit.
    #[inline]
    pub(crate) fn flush<U: Unit>(&mut self, out: &mut Out<'_, U>) -> bool {
        while let Some(character) = self.0[0] {
            if !U::put(character, out) {
                return false;
            }
            self.0 = [self.0[1], None];
        }
        true
    }

    pub(crate) fn len(self) -> usize {
        self.0.iter().flatten().count()
    }
}

/// Encoded bytes that did not fit into the destination. The longest are an HTML reference, `&#1114111;`. In UCS-2 it has 20 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldBytes {
    bytes: [u8; Self::MAX],
    start: u8,
    end: u8,
}

impl HeldBytes {
    pub(crate) const MAX: usize = if cfg!(feature = "oem") { 20 } else { 10 };

    pub(crate) const EMPTY: Self = Self { bytes: [0; Self::MAX], start: 0, end: 0 };

    /// Holds `bytes`, and writes them as [`flush`](Self::flush) does. No bytes may be held already.
    pub(crate) fn put(&mut self, bytes: &[u8], may_split: bool, out: &mut Out<'_, u8>) {
        self.hold(bytes);
        self.flush(may_split, out);
    }

    /// Holds `bytes`. No bytes may be held already.
    pub(crate) fn hold(&mut self, bytes: &[u8]) {
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        (self.start, self.end) = (0, bytes.len() as u8);
    }

    /// Writes the held bytes; returns false if not all fit. They are split only if `may_split` is set and the whole destination
    /// is too small for them.
    #[cfg_attr(textcodec_small, inline(never))]
    #[cfg_attr(not(textcodec_small), inline)]
    pub(crate) fn flush(&mut self, may_split: bool, out: &mut Out<'_, u8>) -> bool {
        if self.len() > out.spare_len() && (out.filled() > 0 || !may_split) {
            return false;
        }
        while self.start < self.end {
            if !out.push(self.bytes[usize::from(self.start)]) {
                return false;
            }
            self.start += 1;
        }
        true
    }

    pub(crate) fn len(&self) -> usize {
        usize::from(self.end - self.start)
    }
}
