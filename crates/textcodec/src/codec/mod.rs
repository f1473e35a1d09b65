//! One file per section 8 to 14 of the standard: the decoder above the encoder.
//!
//! There are two ways through an encoding. The *handler* takes one item, as the standard's handler does, owns partial
//! sequences, and knows every error. The *bulk* methods convert prefixes of whole, valid sequences with kernels
//! (see [`crate::kernel`]) and decline whatever else; they are called only in the neutral state. [`drive`] alternates
//! between the two.

pub(crate) mod any;
pub(crate) mod big5;
pub(crate) mod drive;
pub(crate) mod euc_jp;
pub(crate) mod euc_kr;
pub(crate) mod feature;
pub(crate) mod gb18030;
pub(crate) mod iso_2022_jp;
pub(crate) mod isomorphic;
pub(crate) mod items;
#[cfg(textcodec_small)]
mod one_loop;
pub(crate) mod pace;
mod pivot;
pub(crate) mod replacement;
pub(crate) mod shift_jis;
pub(crate) mod single_byte;
pub(crate) mod sink;
pub(crate) mod source;
pub(crate) mod strict_ascii;
pub(crate) mod utf_16;
pub(crate) mod utf_8;
pub(crate) mod x_user_defined;

use self::{items::Items, sink::Unit};
use crate::{
    error::Reason,
    index,
    kernel::{Kernels, Out},
};

/// What a decoder's handler answers (section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// An item.
    Emit(char),
    /// Two items: four pointers of Big5.
    EmitTwo(char, char),
    /// Continue.
    Continue,
    /// Error, and why.
    Error(Reason),
    /// Finished.
    Finished,
}

impl Step {
    /// The item of a code point that cannot be a surrogate, nor above U+10FFFF, by the range it was computed from.
    pub(crate) fn scalar_value(code_point: u32) -> Self {
        char::from_u32(code_point).map_or(Self::Error(Reason::Unmapped), Self::Emit)
    }
}

/// A decoder of section 8 to 14.
pub(crate) trait Decode {
    /// Whether a byte of ASCII that begins a sequence is always its own character.
    const ASCII: bool = true;

    /// How many bytes [`items`](Self::items) gets through in the time of a kernel call that converts next to nothing.
    const KERNEL_CALL: usize = 16;

    /// How many bytes that the handler restores with an error are left unread, where the error stops a call that has read so
    /// many: the one that shows it. Those before it are read, and kept. Any number would do; this one is what users of encoding_rs
    /// see, and so those of the drop-in.
    fn unread(&self, _: Reason, read: usize) -> usize {
        read.min(1)
    }

    /// The standard's handler; no byte is end-of-queue.
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step;

    /// No sequence is begun: if the input ends here, the handler answers [`Step::Finished`].
    fn is_neutral(&self) -> bool;

    /// What follows is decoded as at the start of an input.
    fn is_at_rest(&self) -> bool {
        self.is_neutral()
    }

    /// Converts items in the neutral state until `stretch` bytes of `src` are read, or earlier; returns how many are. It does as
    /// the handler would, and leaves the state as the handler would.
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize;

    /// Bulk conversion in the neutral state; returns how many bytes of `src` it took, and leaves the state neutral.
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize;

    /// The same to UTF-8.
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize;
}

/// The bytes that a handler restored to the queue, which may have come from an earlier chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Replay {
    bytes: [u8; 3],
    len: u8,
}

impl Replay {
    /// Puts `bytes` back in front of the queue, in this order.
    ///
    /// Three places suffice: no handler restores more than three bytes, and what is still in here when a handler restores
    /// is what follows the bytes it took from here.
    pub(crate) fn restore(&mut self, bytes: &[u8]) {
        let len = usize::from(self.len);
        self.bytes.copy_within(..len, bytes.len());
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len() as u8;
    }

    /// Takes the first byte.
    pub(crate) fn pop(&mut self) -> Option<u8> {
        self.len = self.len.checked_sub(1)?;
        let byte = self.bytes[0];
        self.bytes.rotate_left(1);
        Some(byte)
    }

    /// Drops the last bytes, `limit` at most, because they are still where they came from; says how many.
    pub(crate) fn give_back(&mut self, limit: usize) -> usize {
        let back = self.len().min(limit);
        self.len -= back as u8;
        back
    }

    pub(crate) fn len(self) -> usize {
        self.len.into()
    }
}

/// What an encoder's handler answers (section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodeStep {
    /// One to four bytes.
    Emit(Bytes),
    /// Error with a code point.
    Error(char),
    /// Finished.
    Finished,
}

impl EncodeStep {
    /// The bytes of a character.
    pub(crate) fn emit<const N: usize>(bytes: [u8; N]) -> Self {
        let all = bytes.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte));
        Self::Emit(Bytes { all, len: N as u8 })
    }
}

/// Up to four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// Little-endian. Not an array, of which bytes are written and four are read soon after: processors wait then.
    all: u32,
    len: u8,
}

impl Bytes {
    /// Them, and scratch behind them.
    pub(crate) fn as_array(self) -> ([u8; 4], usize) {
        (self.all.to_le_bytes(), self.len.into())
    }

    #[inline(always)]
    fn put(self, out: &mut Out<'_, u8>) -> bool {
        let (all, len) = self.as_array();
        out.extend_some(&all, len)
    }
}

/// An encoder of section 8 to 14.
pub(crate) trait Encode {
    /// Whether an ASCII character is always its own byte.
    const ASCII: bool;

    /// Whether this ASCII character is its own byte where it comes next.
    #[inline(always)]
    fn is_own_byte(&self, _ascii: u8) -> bool {
        Self::ASCII
    }

    /// How many units the handler gets through in the time of a kernel call that converts next to nothing.
    const KERNEL_CALL: usize = 16;

    /// Room in bytes without which no item is converted outside of the handler. An encoder whose handler changes its state before it
    /// writes a character says how much the longest one takes, and what stands for it.
    const ITEM_ROOM: usize = 0;

    /// The standard's handler; no item is end-of-queue. It restores a code point by leaving it in `queue`.
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep;

    /// Whether the handler answers [`EncodeStep::Finished`] if the text ends here.
    fn is_at_rest(&self) -> bool {
        true
    }

    /// The bytes of a character that is common where it comes next: in one look-up, which changes no state, what
    /// [`unmappable`](Self::unmappable) and [`handle`](Self::handle) come to.
    #[inline(always)]
    fn common(&self, _: char) -> Option<[u8; 2]> {
        None
    }

    /// The code point of a character's error, if it is unmappable in every state: for handlers that change their state before
    /// they say so.
    fn unmappable(&self, _: char) -> Option<char> {
        None
    }

    /// Bulk conversion; returns how many code units of `src` it took.
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize;

    /// Whether [`bulk_utf16`](Self::bulk_utf16) surely does not take the character, so that text need not be brought there.
    #[inline]
    fn declines(&self, _: char) -> bool {
        false
    }

    /// Bulk conversion; returns how many bytes of `src` it took.
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize
    where
        Self: Sized,
    {
        pivot::encode(self, kernels, src, out)
    }
}

/// *Index code point*, of cells: of an index of the BMP behind what bytes are alone.
fn index_code_point(cells: &[u16], pointer: usize) -> Option<char> {
    code_point(index::entry(cells, pointer)?)
}

/// The code point of an index's entry, where it has one.
fn code_point(entry: u16) -> Option<char> {
    char::from_u32(entry.into()).filter(|&c| c != '\0')
}

/// The character that begins with the code unit `units[0]`, if it is outside the BMP.
fn surrogate_pair(units: &[u16]) -> Option<char> {
    let [first @ 0xD800..=0xDBFF, second @ 0xDC00..=0xDFFF, ..] = *units else { return None };
    char::from_u32(0x10000 + (u32::from(first - 0xD800) << 10) + u32::from(second - 0xDC00))
}

#[cfg(test)]
mod tests {
    use core::ops::RangeInclusive;

    use super::{
        items::{End, OnMalformed},
        *,
    };
    use crate::kernel::tables::{ByteOrder, Pairs};

    /// A kernel's table holds for each pair what the standard's steps give: a code point of the BMP, or none.
    pub(super) fn assert_pairs(
        pairs: &Pairs,
        leading: impl Iterator<Item = u8>,
        trailing: RangeInclusive<u8>,
        expected: impl Fn(u8, u8) -> Option<char>,
    ) {
        for leading in leading {
            for trailing in trailing.clone() {
                let expected = expected(leading, trailing).map(u32::from);
                assert_eq!(pairs.get(leading, trailing).map(u32::from), expected, "{leading:02X} {trailing:02X}");
            }
        }
    }

    /// What was made of the front of an input.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Made {
        read: usize,
        units: std::vec::Vec<u16>,
        malformed: u64,
        /// The last item, if it is a malformed sequence of which the handler keeps nothing that follows.
        end: End,
    }

    /// The first item of `src` by the handler; nothing where the bytes are too few to tell.
    fn by_handler(codec: &mut impl Decode, src: &[u8]) -> Made {
        let mut queue = Replay::default();
        let begins_escape = src.first() == Some(&0x1B);
        for taken in 1..=src.len() {
            let (text, error) = match codec.handle(Some(src[taken - 1]), &mut queue) {
                Step::Continue if begins_escape && codec.is_neutral() => (std::string::String::new(), None),
                Step::Continue => continue,
                Step::Error(reason) => ("\u{FFFD}".into(), Some(reason)),
                Step::Emit(character) => (character.into(), None),
                Step::EmitTwo(first, second) => ([first, second].iter().collect(), None),
                Step::Finished => break,
            };
            let read = taken - queue.len();
            let keeps_none = |reason| queue.len() <= codec.unread(reason, taken);
            let end =
                error.filter(|&reason| keeps_none(reason)).map_or(End::Open, |reason| End::Malformed(read, reason));
            return Made { read, units: text.encode_utf16().collect(), malformed: error.iter().count() as u64, end };
        }
        Made::default()
    }

    /// Items by the handler until at least `len` bytes are read: ASCII comes in runs.
    fn by_handler_up_to(codec: &mut impl Decode, src: &[u8], len: usize) -> Made {
        let mut all = Made::default();
        loop {
            let Made { read, units, malformed, end } = by_handler(codec, &src[all.read..]);
            all.read += read;
            all.units.extend(units);
            all.malformed += malformed;
            all.end = end;
            if read == 0 || all.read >= len {
                return all;
            }
        }
    }

    fn by_items(codec: &mut impl Decode, src: &[u8], on_malformed: OnMalformed) -> Made {
        let mut units = [0; 4];
        let mut out = Out::new(&mut units);
        let mut items = Items::new(&mut out, on_malformed, Kernels::best());
        let read = codec.items(src, 1, &mut items);
        let (malformed, end) = (items.malformed(), items.end());
        Made { read, units: out.written().to_vec(), malformed, end }
    }

    /// Compares items with the handler: each pair of bytes; where sequences are `longer`, with some third and fourth ones, whole and
    /// cut off.
    fn assert_items<D: Decode + Clone + core::fmt::Debug>(codec: &D, is_longer: bool) {
        let some = [0x00, 0x24, 0x30, 0x39, 0x42, 0x7F, 0x81, 0xA1, 0xBF, 0xD8, 0xDC, 0xFE, 0xFF];
        let check = |src: &[u8]| {
            let (mut fast, mut literal) = (codec.clone(), codec.clone());
            let made = by_items(&mut fast, src, OnMalformed::Replace);
            let expected = by_handler_up_to(&mut literal, src, made.read);
            assert_eq!(made, Made { end: End::Open, ..expected.clone() }, "{codec:?} {src:02X?}");
            if made.read > 0 {
                assert_eq!(std::format!("{fast:?}"), std::format!("{literal:?}"), "state after {src:02X?}");
            }
            let (mut stops, mut leaves) = (codec.clone(), codec.clone());
            let made = by_items(&mut stops, src, OnMalformed::Stop);
            let mut literal = codec.clone();
            let first = by_handler_up_to(&mut literal, src, made.read);
            let stopped = Made { end: first.end, ..Made::default() };
            let expected = if first.malformed > 0 { stopped } else { first };
            assert_eq!(made, expected, "{codec:?} {src:02X?}");
            let state = |is_done| if is_done { std::format!("{literal:?}") } else { std::format!("{codec:?}") };
            let is_done = made.read > 0 || made.end != End::Open;
            assert_eq!(std::format!("{stops:?}"), state(is_done), "state after {src:02X?}");
            let made = by_items(&mut leaves, src, OnMalformed::Leave);
            assert_eq!(made, Made { end: End::Open, ..expected }, "{codec:?} {src:02X?}");
            assert_eq!(std::format!("{leaves:?}"), state(made.read > 0), "state after {src:02X?}");
        };
        check(&[]);
        for first in 0..=0xFF {
            check(&[first]);
            for second in 0..=0xFF {
                check(&[first, second]);
            }
        }
        if !is_longer {
            return;
        }
        // More bytes matter only after what begins something longer.
        let longer = [
            0x0E, 0x1B, 0x21, 0x7E, 0x80, 0x81, 0x8E, 0x8F, 0x95, 0xA1, 0xD8, 0xDB, 0xE0, 0xE1, 0xED, 0xF0, 0xF4, 0xFE,
        ];
        for (first, second) in longer.into_iter().flat_map(|first| (0..=0xFF).map(move |second| (first, second))) {
            for third in some {
                check(&[first, second, third]);
                for fourth in some {
                    check(&[first, second, third, fourth]);
                }
            }
        }
    }

    #[test]
    fn items_are_what_the_handlers_say() {
        assert_items(&utf_8::Decoder::default(), true);
        for order in [ByteOrder::Little, ByteOrder::Big] {
            assert_items(&utf_16::Decoder::new(order), true);
        }
        for place in 0..27 {
            assert_items(&single_byte::Decoder::new(place), false);
        }
        assert_items(&gb18030::Decoder::default(), true);
        assert_items(&big5::Decoder::default(), true);
        assert_items(&euc_jp::Decoder::default(), true);
        assert_items(&shift_jis::Decoder::default(), true);
        assert_items(&euc_kr::Decoder::default(), true);
        assert_items(&x_user_defined::Decoder, false);
        assert_items(&isomorphic::Decoder, false);
        assert_items(&strict_ascii::Decoder, false);
        // Each state between two characters, as an escape sequence leaves it, and after a character.
        for escape in [&b""[..], b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"] {
            for character in [&b""[..], b"!!"] {
                let mut codec = iso_2022_jp::Decoder::default();
                for &byte in &[escape, character].concat() {
                    codec.handle(Some(byte), &mut Replay::default());
                }
                assert_items(&codec, true);
            }
        }
    }

    #[test]
    fn restored_bytes_come_before_those_restored_earlier() {
        let mut queue = Replay::default();
        queue.restore(b"bc");
        queue.restore(b"a");
        assert_eq!([queue.pop(), queue.pop(), queue.pop(), queue.pop()], [Some(b'a'), Some(b'b'), Some(b'c'), None]);
    }
}
