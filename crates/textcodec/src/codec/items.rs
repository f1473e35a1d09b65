//! Decoding one item at a time: the way for input that stops kernels again and again.
//!
//! An item is a character or a malformed sequence. What a codec does here is what its handler would do with the same bytes, found
//! in one step instead of one for each byte. It may stop at any item, and the handler takes over there.

use super::{
    sink::{Unit, leading_ascii},
    source::FEW_ASCII,
};
use crate::{
    error::Reason,
    kernel::{
        Kernels, Out,
        tables::{Alone, Pairs},
    },
};

/// Where items go.
pub(crate) struct Items<'a, 'o, U> {
    out: &'a mut Out<'o, U>,
    on_malformed: OnMalformed,
    ascii: fn(&[u8], &mut Out<'_, U>) -> usize,
    malformed: u64,
    end: End,
    /// How many bytes are left of the stretch.
    left: usize,
}

/// What becomes of malformed sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnMalformed {
    /// They become U+FFFD and are counted.
    Replace,
    /// The first one ends the items, and counts as handled.
    Stop,
    /// The first one ends the items, and is for the handler.
    Leave,
}

/// What follows the items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// More items, or what is for the handler.
    #[default]
    Open,
    /// A character that does not fit.
    Full,
    /// A malformed sequence of so many bytes at which the items [stop](OnMalformed::Stop).
    Malformed(usize, Reason),
}

impl<'a, 'o, U: Unit> Items<'a, 'o, U> {
    pub(crate) fn new(out: &'a mut Out<'o, U>, on_malformed: OnMalformed, kernels: &Kernels) -> Self {
        Self { out, on_malformed, ascii: U::ascii(kernels), malformed: 0, end: End::Open, left: 0 }
    }

    /// How many malformed sequences were replaced.
    pub(crate) fn malformed(&self) -> u64 {
        self.malformed
    }

    pub(crate) fn end(&self) -> End {
        self.end
    }

    /// Whether the items have ended at a malformed sequence.
    #[inline(always)]
    pub(super) fn is_at_error(&self) -> bool {
        matches!(self.end, End::Malformed(..))
    }

    /// The length of an item that was written; 0 if it does not fit, and the items end there.
    #[inline(always)]
    fn len_if(&mut self, fits: bool, len: usize) -> usize {
        if fits {
            return len;
        }
        self.end = End::Full;
        0
    }

    /// Calls `item` with what is left of `src`, until `stretch` bytes are read or it answers 0. Otherwise it has written an item,
    /// and answers how many bytes that has. Malformed sequences do not count: after one, another is likely, and would stop a kernel.
    #[inline(always)]
    pub(super) fn each(
        &mut self,
        src: &[u8],
        stretch: usize,
        mut item: impl FnMut(&mut Self, &[u8]) -> usize,
    ) -> usize {
        let mut read = 0;
        self.left = stretch;
        while self.left > 0 {
            let len = item(self, &src[read..]);
            if len == 0 {
                break;
            }
            read += len;
            self.left = self.left.saturating_sub(len);
        }
        read
    }

    /// ASCII, a byte that is a character alone, or a pair. `other` gets what begins with a leading byte and is no pair of the
    /// table, and the cell if it has one all the same.
    #[inline(always)]
    pub(super) fn pair(
        &mut self,
        pairs: &Pairs,
        src: &[u8],
        other: impl FnOnce(&mut Self, Option<u16>) -> usize,
    ) -> usize {
        let Some(&leading) = src.first() else { return 0 };
        match pairs.alone(leading) {
            Alone::Character(_) if leading.is_ascii() => self.ascii(src),
            Alone::Character(unit) => self.unit(unit, 1),
            Alone::Nothing => self.error(1, Reason::InvalidByte),
            Alone::Leads => {
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

    /// A character of `len` bytes; 0 where it does not fit.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn character(&mut self, character: char, len: usize) -> usize {
        let fits = U::put(character, self.out);
        self.len_if(fits, len)
    }

    /// Two characters of `len` bytes; 0 where they do not fit. The handler writes the first one if that fits.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn two(&mut self, first: char, second: char, len: usize) -> usize {
        let fit = self.out.room() >= U::LONGEST_ITEM && U::put(first, self.out) && U::put(second, self.out);
        if fit { len } else { 0 }
    }

    /// The same, or a malformed sequence of `len` bytes.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn character_or_error(&mut self, character: Option<char>, len: usize) -> usize {
        match character {
            Some(character) => self.character(character, len),
            None => self.error(len, Reason::Unmapped),
        }
    }

    /// A character of `len` bytes that is a code point of the BMP.
    #[inline(always)]
    pub(super) fn unit(&mut self, unit: u16, len: usize) -> usize {
        let fits = U::put_unit(unit, self.out);
        self.len_if(fits, len)
    }

    /// The same, and what follows of the same length, as far as it fits and the stretch goes: a loop of its own is faster.
    #[inline(always)]
    pub(super) fn units(&mut self, unit: u16, len: usize, next: impl Iterator<Item = u16>) -> usize {
        let first = self.unit(unit, len);
        if first == 0 || cfg!(textcodec_small) {
            return first;
        }
        let most = self.left.div_ceil(len) - 1;
        len + len * next.take(most).take_while(|&unit| U::put_unit(unit, self.out)).count()
    }

    /// The ASCII at the front, which there is, as far as it fits. What a kernel takes does not count as part of the stretch.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn ascii(&mut self, src: &[u8]) -> usize {
        if cfg!(textcodec_small) {
            return src.first().map_or(0, |&byte| self.unit(byte.into(), 1));
        }
        let mut len = 0;
        while let Some(&eight) = src[len..].first_chunk() {
            if len == FEW_ASCII {
                let long = self.out.write_locally(|out| (self.ascii)(&src[len..], out));
                self.left += long;
                return len + long;
            }
            let ascii = leading_ascii(eight);
            // Not both in one: what follows eight need not wait for the count.
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

    /// Eight characters of ASCII; false where they do not fit.
    #[inline(always)]
    pub(super) fn eight_ascii(&mut self, eight: [u8; 8]) -> bool {
        U::put_ascii(eight, 8, self.out)
    }

    /// A malformed sequence of `len` bytes, of which the handler leaves what follows unread.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn error(&mut self, len: usize, reason: Reason) -> usize {
        if self.on_malformed == OnMalformed::Stop {
            self.end = End::Malformed(len, reason);
        }
        self.replaced(len)
    }

    /// A malformed sequence of `len` bytes. Where it is not replaced, it is for the handler, which reads more and keeps that.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn replaced(&mut self, len: usize) -> usize {
        let is_replaced = self.on_malformed == OnMalformed::Replace && U::put_unit(0xFFFD, self.out);
        if !is_replaced {
            return 0;
        }
        self.malformed += 1;
        self.left += len;
        len
    }

    /// Two bytes that are no pair: if the second is ASCII, it is restored to the queue.
    #[cfg_attr(not(textcodec_small), inline(always))]
    pub(super) fn no_pair(&mut self, src: &[u8]) -> usize {
        match src {
            [_, 0x00..=0x7F, ..] => self.error(1, Reason::Interrupted),
            _ => self.error(2, Reason::Unmapped),
        }
    }
}
