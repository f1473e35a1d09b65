//! Decoding one item at a time, for input that makes kernels stop often.
//!
//! An item is a character or a malformed sequence. A codec finds it in one step, where its handler needs a step for each byte.
//! The result is that of the handler for the same bytes. The codec may stop before any item, and the handler continues there.

use super::{
    sink::{Unit, leading_ascii},
    source::MAX_SHORT_ASCII,
};
use crate::{
    conversion::DecodeReason,
    kernel::{
        Level, Out,
        tables::{ByteOrder, FirstByte, Pairs},
    },
};

/// The destination of items.
pub(crate) struct Items<'a, 'o, U> {
    out: &'a mut Out<'o, U>,
    on_malformed: OnMalformed,
    level: Level,
    malformed: u64,
    end: End,
    /// The length in bytes of the malformed sequence of [`End::Malformed`]; otherwise 0.
    sequence_len: usize,
    /// How many bytes of the input are read.
    read: usize,
    /// Where the stretch ends in the input. Bytes that do not count towards it move this end.
    until: usize,
}

/// How malformed sequences are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnMalformed {
    /// Replace with U+FFFD, and count.
    Replace,
    /// Stop, with the sequence in [`End::Malformed`].
    Stop,
    /// Stop, and leave the sequence to the handler.
    Defer,
}

/// What follows the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// More items, or bytes for the handler.
    #[default]
    Open,
    /// A character that does not fit.
    Full,
    /// A malformed sequence at which the items [stop](OnMalformed::Stop).
    // Without its length, because a value of one byte is moved as it was stored. Moving more of it at once would stall the processor:
    // cell `hostile/decode/utf-16le/utf-16/report/4KiB/low`.
    Malformed(DecodeReason),
}

impl<'a, 'o, U: Unit> Items<'a, 'o, U> {
    pub(crate) fn new(out: &'a mut Out<'o, U>, on_malformed: OnMalformed, level: Level) -> Self {
        Self { out, on_malformed, level, malformed: 0, end: End::Open, sequence_len: 0, read: 0, until: 0 }
    }

    /// The number of malformed sequences that were replaced.
    pub(crate) fn malformed(&self) -> u64 {
        self.malformed
    }

    pub(crate) fn end(&self) -> End {
        self.end
    }

    /// The length in bytes of the malformed sequence at which the items have stopped, or 0.
    pub(crate) fn sequence_len(&self) -> usize {
        self.sequence_len
    }

    /// Whether the items have stopped at a malformed sequence.
    #[inline(always)]
    pub(super) fn is_at_error(&self) -> bool {
        matches!(self.end, End::Malformed(..))
    }

    /// Returns the length of an item if it was written. Otherwise ends the items and returns 0.
    #[inline(always)]
    fn len_if(&mut self, fits: bool, len: usize) -> usize {
        if fits {
            return len;
        }
        self.end = End::Full;
        0
    }

    /// Calls `item` with the rest of `src` until `stretch` bytes are read or it returns 0. `item` writes an item and returns
    /// its length in bytes. Malformed sequences do not count towards the stretch: after one, another is likely, and would stop
    /// a kernel: cell `hostile/decode/utf-8/utf-8/replace/4KiB/three*20+overlong-two`.
    #[inline(always)]
    pub(super) fn each(
        &mut self,
        src: &[u8],
        stretch: usize,
        mut item: impl FnMut(&mut Self, &[u8]) -> usize,
    ) -> usize {
        (self.read, self.until) = (0, stretch);
        while self.read < self.until {
            let len = item(self, &src[self.read..]);
            if len == 0 {
                break;
            }
            self.read += len;
        }
        self.read
    }

    /// Writes ASCII, a single-byte character, or pairs. Calls `other` for a lead byte that starts no pair of the table, with
    /// the pair's cell if there is one.
    #[inline(always)]
    pub(super) fn pair(
        &mut self,
        pairs: &Pairs,
        src: &[u8],
        other: impl FnOnce(&mut Self, Option<u16>) -> usize,
    ) -> usize {
        let Some(&leading) = src.first() else { return 0 };
        match pairs.first_byte(leading) {
            FirstByte::Single(_) if leading.is_ascii() => self.ascii(src),
            FirstByte::Single(unit) => self.unit(unit, 1),
            FirstByte::Invalid => self.error(1, DecodeReason::InvalidByte),
            FirstByte::Lead => {
                let Some(&trailing) = src.get(1) else { return 0 };
                match pairs.cell(leading, trailing) {
                    Some(cell @ (..0xD800 | 0xE000..)) => {
                        let next = src[2..].as_chunks::<2>().0.iter();
                        self.units(cell, 2, next.map_while(|&[leading, trailing]| pairs.get(leading, trailing)))
                    }
                    cell => other(self, cell),
                }
            }
        }
    }

    /// Writes a character of `len` bytes.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn character(&mut self, character: char, len: usize) -> usize {
        let fits = U::put(character, self.out);
        self.len_if(fits, len)
    }

    /// Writes two characters that share `len` bytes. If not both fit, leaves them to the handler, which can write the first one
    /// alone.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn two_characters(&mut self, first: char, second: char, len: usize) -> usize {
        let fit = self.out.spare_len() >= U::LONGEST_ITEM && U::put(first, self.out) && U::put(second, self.out);
        if fit { len } else { 0 }
    }

    /// Writes a character of `len` bytes, or handles them as a malformed sequence.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn character_or_error(&mut self, character: Option<char>, len: usize) -> usize {
        match character {
            Some(character) => self.character(character, len),
            None => self.error(len, DecodeReason::Unmapped),
        }
    }

    /// Writes a character of the BMP, of `len` bytes.
    #[inline(always)]
    pub(super) fn unit(&mut self, unit: u16, len: usize) -> usize {
        let fits = U::put_unit(unit, self.out);
        self.len_if(fits, len)
    }

    /// Writes `unit`, and then the units of `next` as far as they fit and the stretch allows. Each has `len` bytes. `next` has
    /// a separate loop: cell `hostile/decode/windows-1253/utf-8/replace/4KiB/~common+bad`.
    #[inline(always)]
    pub(super) fn units(&mut self, unit: u16, len: usize, next: impl Iterator<Item = u16>) -> usize {
        let first = self.unit(unit, len);
        if first == 0 || cfg!(textcodec_small) {
            return first;
        }
        let limit = (self.until - self.read).div_ceil(len) - 1;
        len + len * next.take(limit).take_while(|&unit| U::put_unit(unit, self.out)).count()
    }

    /// Writes the ASCII at the front of `src`, as far as it fits. The first byte is ASCII. Bytes that a kernel converts do not
    /// count towards the stretch: cell `hostile/decode/iso-8859-6/utf-8/replace/4KiB/ascii*200+hole`.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn ascii(&mut self, src: &[u8]) -> usize {
        if cfg!(textcodec_small) {
            return src.first().map_or(0, |&byte| self.unit(byte.into(), 1));
        }
        let mut len = 0;
        while let Some(&eight) = src[len..].first_chunk() {
            if len == MAX_SHORT_ASCII {
                let ascii = U::ascii(self.level.kernels());
                let long = self.out.write_locally(|out| ascii(&src[len..], out));
                self.until += long;
                return len + long;
            }
            let ascii = leading_ascii(eight);
            // A branch for eight ASCII bytes: adding the count to `len` instead would make each step wait for the previous one.
            if ascii == eight.len() && U::put_ascii(eight, eight.len(), self.out) {
                len += eight.len();
                continue;
            }
            if ascii == eight.len() || !U::put_ascii(eight, ascii, self.out) {
                break;
            }
            return len + ascii;
        }
        while let Some(&byte @ 0x00..=0x7F) = src.get(len)
            && U::put_unit(byte.into(), self.out)
        {
            len += 1;
        }
        self.len_if(len > 0, len)
    }

    /// Writes eight characters of ASCII; returns false if they do not fit.
    #[inline(always)]
    pub(super) fn eight_ascii(&mut self, eight: [u8; 8]) -> bool {
        U::put_ascii(eight, 8, self.out)
    }

    /// Handles a malformed sequence of `len` bytes. Requires that the handler leaves the bytes after it unread.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn error(&mut self, len: usize, reason: DecodeReason) -> usize {
        if self.on_malformed == OnMalformed::Stop {
            (self.end, self.sequence_len) = (End::Malformed(reason), len);
        }
        self.replace_or_defer(len)
    }

    /// Replaces a malformed sequence of `len` bytes, or leaves it to the handler. Unlike [`error`](Self::error), it never stops
    /// at the sequence, for errors at which the handler reads and keeps more bytes.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn replace_or_defer(&mut self, len: usize) -> usize {
        let is_replaced = self.on_malformed == OnMalformed::Replace && U::put_unit(0xFFFD, self.out);
        if !is_replaced {
            return 0;
        }
        self.malformed += 1;
        self.until += len;
        len
    }

    /// Converts UTF-16 by a kernel that replaces unpaired surrogates, if they are to be replaced. Returns how many bytes were read.
    ///
    /// Declines small inputs and outputs: cell `hostile/decode/utf-16be/utf-8/replace/room-16/ascii*20+low`.
    pub(super) fn replaced_utf16(&mut self, order: ByteOrder, src: &[u8]) -> usize {
        /// The minimum input and output in units.
        const MIN: usize = 64;

        let is_small = src.len() < MIN || self.out.spare_len() < MIN;
        if self.on_malformed != OnMalformed::Replace || is_small || cfg!(textcodec_small) {
            return 0;
        }
        U::replaced_utf16(self.level.kernels(), order, src, self.out, &mut self.malformed)
    }

    /// Handles two bytes that are not a pair. If the second is ASCII, the handler restores it to the queue.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn invalid_pair(&mut self, src: &[u8]) -> usize {
        match src {
            [_, 0x00..=0x7F, ..] => self.error(1, DecodeReason::Interrupted),
            _ => self.error(2, DecodeReason::Unmapped),
        }
    }
}
