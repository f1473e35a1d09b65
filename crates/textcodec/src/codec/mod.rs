//! One file per section 8 to 14 of the standard: the decoder above the encoder.
//!
//! Each encoding has three implementations. The *handler* takes one byte or character, like the standard's handler. It keeps
//! incomplete sequences and reports every error. The *bulk* methods convert a prefix of whole, well-formed sequences with
//! kernels (see [`crate::kernel`]) and decline everything else. They are called only between two characters. [`drive`]
//! alternates between the two. Where kernels stop often, it uses the third one, [`items`], which does in one step what the
//! handler does byte by byte.
//!
//! Over 600 lines because the tests of the codecs' common contract are here.
#![cfg_attr(
    not(all(feature = "all-encodings", feature = "encoders")),
    allow(dead_code, reason = "parts that only the codecs of some families use"),
    allow(
        clippy::default_constructed_unit_structs,
        clippy::unused_self,
        reason = "codecs of disabled families are empty"
    )
)]

pub(crate) mod any;
#[cfg(feature = "chinese")]
pub(crate) mod big5;
pub(crate) mod drive;
#[cfg(feature = "japanese")]
pub(crate) mod euc_jp;
#[cfg(feature = "korean")]
pub(crate) mod euc_kr;
pub(crate) mod feature;
#[cfg(feature = "chinese")]
pub(crate) mod gb18030;
#[cfg(feature = "japanese")]
pub(crate) mod iso_2022_jp;
pub(crate) mod isomorphic;
pub(crate) mod items;
#[cfg(not(feature = "all-encodings"))]
pub(crate) mod off;
mod pairs;
#[cfg(feature = "oem")]
pub(crate) mod permuted;
mod pivot;
pub(crate) mod progress;
#[cfg(feature = "oem")]
pub(crate) mod rare;
pub(crate) mod replacement;
#[cfg(feature = "japanese")]
pub(crate) mod shift_jis;
#[cfg(feature = "single-byte")]
pub(crate) mod single_byte;
pub(crate) mod sink;
pub(crate) mod source;
pub(crate) mod strict_ascii;
pub(crate) mod utf_16;
pub(crate) mod utf_8;
pub(crate) mod x_user_defined;

#[cfg(not(feature = "chinese"))]
pub(crate) use off as big5;
#[cfg(not(feature = "japanese"))]
pub(crate) use off as euc_jp;
#[cfg(not(feature = "korean"))]
pub(crate) use off as euc_kr;
#[cfg(not(feature = "chinese"))]
pub(crate) use off as gb18030;
#[cfg(not(feature = "japanese"))]
pub(crate) use off as iso_2022_jp;
#[cfg(not(feature = "japanese"))]
pub(crate) use off as shift_jis;
#[cfg(not(feature = "single-byte"))]
pub(crate) use off as single_byte;

use self::{
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
};
use crate::{
    conversion::DecodeReason,
    index,
    kernel::{Kernels, Out, tables::ToBytes},
};

/// The result of a decoder's handler (section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// An item.
    Emit(char),
    /// Two items, for four pointers of Big5.
    EmitTwo(char, char),
    /// Continue.
    Continue,
    /// Error, and its reason.
    Error(DecodeReason),
    /// Finished.
    Finished,
}

impl Step {
    /// Emits a code point. Callers compute it from a range without surrogates and values above U+10FFFF.
    pub(crate) fn scalar_value(code_point: u32) -> Self {
        char::from_u32(code_point).map_or(Self::Error(DecodeReason::Unmapped), Self::Emit)
    }
}

/// A decoder of section 8 to 14.
pub(crate) trait Decode: Sized {
    /// What a kernel call costs, compared with [`items`](Self::items).
    const COSTS: Costs = Costs::new(16, Useful::NonAscii);

    /// The number of restored bytes that a call leaves unread when an error stops it. `read` is the number of bytes of the
    /// chunk that were read, and an upper bound for the result.
    ///
    /// By default, this is the byte that revealed the error. The decoder keeps the bytes before it. Any number would be
    /// correct. This one is what encoding_rs does, and so what users of the drop-in expect.
    fn unread(&self, _: DecodeReason, read: usize) -> usize {
        read.min(1)
    }

    /// The standard's handler. `None` is end-of-queue.
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step;

    /// Whether no sequence is pending: if the input ends here, the handler returns [`Step::Finished`].
    fn is_neutral(&self) -> bool;

    /// Whether a character changes the state, so that its bytes must not be decoded again if it does not fit. It is held instead.
    fn cannot_unread(&self) -> bool {
        false
    }

    /// Whether the following bytes decode as at the start of an input.
    fn is_initial_state(&self) -> bool {
        self.is_neutral()
    }

    /// Converts items from the neutral state until at least `stretch` bytes of `src` are read; may stop earlier. Returns how
    /// many bytes were read. The output and the final state are those of the handler for the same bytes.
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize;

    /// Whether a byte between two characters is malformed, whatever follows it. False is always a legal result.
    fn is_malformed(&self, _: u8) -> bool {
        false
    }

    /// Returns the length of the malformed sequence that `src` starts with: what the decoder replaces by one U+FFFD. `None` is
    /// always a legal result.
    fn malformed_len(&self, src: &[u8]) -> Option<usize> {
        src.first().filter(|&&byte| self.is_malformed(byte)).map(|_| 1)
    }

    /// Replaces malformed sequences, and converts the text after each by a kernel, as long as the kernel converts enough of it.
    /// `src` starts where a kernel stopped.
    ///
    /// This saves a return to the loop at each sequence: cells `decode/utf-8/*/*+1-per-64B/*`, `decode/euc-kr/*/ko+1-per-64B/*`.
    #[cfg_attr(not(textcodec_small), inline(never))]
    fn replaced<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> Replaced {
        out.write_locally(|out| {
            let mut replaced = Replaced::default();
            while let Some(len) = self.malformed_len(&src[replaced.read..])
                && U::put_unit(0xFFFD, out)
            {
                replaced.read += len;
                replaced.malformed += 1;
                if src.get(replaced.read).is_some_and(|&byte| self.is_malformed(byte)) {
                    continue;
                }
                let text = U::bulk(self, kernels, &src[replaced.read..], out);
                replaced.read += text;
                if text < usize::from(Self::COSTS.kernel_call) {
                    break;
                }
            }
            replaced
        })
    }

    /// Converts a prefix of `src` to UTF-16 from the neutral state to the neutral state. Returns how many bytes were read.
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize;

    /// Like [`bulk_utf16`](Self::bulk_utf16), to UTF-8.
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize;
}

/// The result of [`Decode::replaced`].
#[derive(Default)]
pub(crate) struct Replaced {
    /// How many bytes were read.
    pub(crate) read: usize,
    /// How many malformed sequences were replaced.
    pub(crate) malformed: u64,
}

/// The bytes that a handler restored to the queue. They may be from an earlier chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Replay {
    bytes: [u8; Self::MAX],
    len: u8,
}

impl Replay {
    /// The most bytes that a handler restores. UTF-7 restores four: three digits, and the byte that ends a run.
    const MAX: usize = if cfg!(feature = "oem") { 4 } else { 3 };

    pub(crate) const EMPTY: Self = Self { bytes: [0; Self::MAX], len: 0 };

    /// Inserts `bytes` at the front of the queue.
    ///
    /// `bytes.len() + self.len() <= Self::MAX`: a handler restores no more bytes. If some are left in the queue at that time,
    /// then the restored bytes came from here too.
    pub(crate) fn restore(&mut self, bytes: &[u8]) {
        let len = usize::from(self.len);
        self.bytes.copy_within(..len, bytes.len());
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len() as u8;
    }

    /// Removes and returns the first byte.
    pub(crate) fn pop(&mut self) -> Option<u8> {
        self.len = self.len.checked_sub(1)?;
        let byte = self.bytes[0];
        self.bytes.rotate_left(1);
        Some(byte)
    }

    /// Removes up to `limit` bytes at the end, for callers that still have them in the chunk. Returns how many were removed.
    pub(crate) fn drop_last(&mut self, limit: usize) -> usize {
        let dropped = self.len().min(limit);
        self.len -= dropped as u8;
        dropped
    }

    pub(crate) fn len(self) -> usize {
        self.len.into()
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }
}

/// The result of an encoder's handler (section 4.1).
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
    /// Emits the bytes of a character.
    pub(crate) fn emit<const N: usize>(bytes: [u8; N]) -> Self {
        let all = bytes.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte));
        Self::Emit(Bytes { all, len: N as u8 })
    }

    /// Emits the first `len` bytes.
    #[cfg(feature = "oem")]
    pub(crate) fn emit_some(bytes: [u8; 4], len: usize) -> Self {
        Self::Emit(Bytes { all: u32::from_le_bytes(bytes), len: len as u8 })
    }
}

/// Up to four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    /// Little-endian. A word instead of an array: a four-byte load right after byte stores stalls the processor.
    all: u32,
    len: u8,
}

impl Bytes {
    /// The bytes and their number. The rest of the array is arbitrary.
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
    /// Whether an ASCII character always encodes to the same byte.
    const ASCII: bool;

    /// Whether this ASCII character encodes to the same byte in the current state.
    #[inline(always)]
    fn encodes_as_itself(&self, _ascii: u8) -> bool {
        Self::ASCII
    }

    /// What a kernel call costs, compared with the handler.
    const COSTS: Costs = Costs::new(16, if Self::ASCII { Useful::NonAscii } else { Useful::All });

    /// The output capacity in bytes below which characters are not encoded as items. An encoder whose handler changes its
    /// state before it writes a character sets this to the maximum length of a character or its replacement.
    const MIN_ITEM_CAPACITY: usize = 0;

    /// The standard's handler. `None` is end-of-queue. It restores a code point by leaving it in `queue`.
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep;

    /// Whether the handler returns [`EncodeStep::Finished`] if the text ends here.
    fn is_initial_state(&self) -> bool {
        true
    }

    /// Ends the text as the handler does. If the bytes for that do not fit, changes nothing and returns false.
    #[inline]
    fn end(&mut self, _: &mut Out<'_, u8>) -> bool {
        true
    }

    /// Looks up a two-byte character that needs no change of state. The result is that of [`unmappable`](Self::unmappable)
    /// and [`handle`](Self::handle), in a single step. `None` is always a legal result.
    #[inline(always)]
    fn common_pair(&self, _: char) -> Option<[u8; 2]> {
        None
    }

    /// Returns the code point of the error for a character that is unmappable in every state. Only handlers that change
    /// their state before they report the error need this.
    fn unmappable(&self, _: char) -> Option<char> {
        None
    }

    /// Whether the handler changes its state with the last bytes of this character. If these do not fit, the character must not be
    /// encoded again, and its bytes are held.
    #[cfg(feature = "oem")]
    fn cannot_unread(&self, _: char) -> bool {
        false
    }

    /// Whether [`widen`](Self::widen) may change a character.
    const WIDENS: bool = false;

    /// The bytes of an ASCII character of an HTML reference, and their number.
    #[cfg(feature = "oem")]
    fn widen(&self, ascii: u8) -> ([u8; 2], usize) {
        ([ascii, 0], 1)
    }

    /// The table for all characters but ASCII, of an encoding with pairs of bytes and without state.
    #[inline]
    fn table(&self) -> Option<&'static ToBytes> {
        None
    }

    /// Converts a prefix of `src`. Returns how many code units were read. Without a [`table`](Self::table), this needs an
    /// implementation.
    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        self.table().map_or(0, |table| (kernels.double_byte_from_utf16)(table, src, out))
    }

    /// Whether [`bulk_utf16`](Self::bulk_utf16) certainly declines the character, so that converting text to UTF-16 for it
    /// would be wasted: cell `hostile/encode/iso-2022-jp/utf-8/replace/4KiB/ascii*200+emoji`.
    #[inline]
    fn declines(&self, character: char) -> bool {
        self.table().is_some_and(|table| table.declines(character))
    }

    /// Converts a prefix of `src`. Returns how many bytes were read.
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize
    where
        Self: Sized,
    {
        match self.table() {
            Some(table) => pairs::encode(table, kernels, src, out),
            None => pivot::encode(self, kernels, src, out),
        }
    }
}

/// *Index code point*. `cells` are an index of the BMP, preceded by the cells of single bytes.
fn index_code_point(cells: &[u16], pointer: usize) -> Option<char> {
    code_point(index::entry(cells, pointer)?)
}

/// The code point of an index entry, if it is mapped and not a surrogate.
fn code_point(entry: u16) -> Option<char> {
    char::from_u32(entry.into()).filter(|&c| c != '\0')
}

/// Decodes a surrogate pair at the start of `units`.
fn surrogate_pair(units: &[u16]) -> Option<char> {
    let [first @ 0xD800..=0xDBFF, second @ 0xDC00..=0xDFFF, ..] = *units else { return None };
    char::from_u32(0x10000 + (u32::from(first - 0xD800) << 10) + u32::from(second - 0xDC00))
}

#[cfg(all(test, feature = "all-encodings"))]
mod tests {
    use core::ops::RangeInclusive;

    use super::{
        items::{End, OnMalformed},
        *,
    };
    use crate::kernel::{
        Level,
        tables::{ByteOrder, Pairs},
    };

    /// Checks that a kernel's table gives the code point of the standard's steps for each pair.
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

    /// The result of decoding a prefix of an input.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Prefix {
        read: usize,
        units: std::vec::Vec<u16>,
        malformed: u64,
        /// The last item, if it is a malformed sequence and all bytes that the handler restored with it are left unread.
        end: End,
        /// The length of that sequence, or 0.
        sequence_len: usize,
    }

    /// Decodes the first item of `src` by the handler. The result is empty if `src` is incomplete.
    fn by_handler(codec: &mut impl Decode, src: &[u8]) -> Prefix {
        let mut queue = Replay::EMPTY;
        let mut taken = 0;
        while let Some(byte) = queue.pop().or_else(|| src.get(taken).copied().inspect(|_| taken += 1)) {
            let (text, error) = match codec.handle(Some(byte), &mut queue) {
                // An escape sequence or a shift.
                Step::Continue if queue.len() < taken && codec.is_neutral() => (std::string::String::new(), None),
                Step::Continue => continue,
                Step::Error(reason) => ("\u{FFFD}".into(), Some(reason)),
                Step::Emit(character) => (character.into(), None),
                Step::EmitTwo(first, second) => ([first, second].iter().collect(), None),
                Step::Finished => break,
            };
            let read = taken - queue.len();
            let unreads_all = |reason| queue.len() <= codec.unread(reason, taken);
            let end = error.filter(|&reason| unreads_all(reason)).map_or(End::Open, End::Malformed);
            let sequence_len = if end == End::Open { 0 } else { read };
            let (units, malformed) = (text.encode_utf16().collect(), error.iter().count() as u64);
            return Prefix { read, units, malformed, end, sequence_len };
        }
        Prefix::default()
    }

    /// Decodes items by the handler until at least `len` bytes are read, because `items` reads ASCII in runs.
    fn by_handler_up_to(codec: &mut impl Decode, src: &[u8], len: usize) -> Prefix {
        let mut all = Prefix::default();
        loop {
            let Prefix { read, units, malformed, end, sequence_len } = by_handler(codec, &src[all.read..]);
            all.read += read;
            all.units.extend(units);
            all.malformed += malformed;
            (all.end, all.sequence_len) = (end, sequence_len);
            if read == 0 || all.read >= len {
                return all;
            }
        }
    }

    fn by_items(codec: &mut impl Decode, src: &[u8], on_malformed: OnMalformed) -> Prefix {
        let mut units = [0; 4];
        let mut out = Out::new(&mut units);
        let mut items = Items::new(&mut out, on_malformed, Level::best());
        let read = codec.items(src, 1, &mut items);
        let (malformed, end, sequence_len) = (items.malformed(), items.end(), items.sequence_len());
        Prefix { read, units: out.written().to_vec(), malformed, end, sequence_len }
    }

    /// Compares items with the handler for each byte and pair of bytes. If sequences can be longer, also for selected third
    /// and fourth bytes, complete and truncated.
    fn assert_items<D: Decode + Clone + PartialEq + core::fmt::Debug>(codec: &D, is_longer: bool) {
        let selected = [0x00, 0x24, 0x30, 0x39, 0x42, 0x7F, 0x81, 0xA1, 0xBF, 0xD8, 0xDC, 0xFE, 0xFF];
        let check = |src: &[u8]| {
            let (mut replacing, mut literal) = (codec.clone(), codec.clone());
            let actual = by_items(&mut replacing, src, OnMalformed::Replace);
            let expected = by_handler_up_to(&mut literal, src, actual.read);
            assert_eq!(actual, Prefix { end: End::Open, sequence_len: 0, ..expected.clone() }, "{codec:?} {src:02X?}");
            if actual.read > 0 {
                assert_eq!(replacing, literal, "state after {src:02X?}");
            }
            let (mut stopping, mut deferring) = (codec.clone(), codec.clone());
            let actual = by_items(&mut stopping, src, OnMalformed::Stop);
            let mut literal = codec.clone();
            let first = by_handler_up_to(&mut literal, src, actual.read);
            let stopped = Prefix { end: first.end, sequence_len: first.sequence_len, ..Prefix::default() };
            let expected = if first.malformed > 0 { stopped } else { first };
            assert_eq!(actual, expected, "{codec:?} {src:02X?}");
            let state = |is_done: bool| if is_done { &literal } else { codec };
            let is_done = actual.read > 0 || actual.end != End::Open;
            assert_eq!(&stopping, state(is_done), "state after {src:02X?}");
            let actual = by_items(&mut deferring, src, OnMalformed::Defer);
            assert_eq!(actual, Prefix { end: End::Open, sequence_len: 0, ..expected }, "{codec:?} {src:02X?}");
            assert_eq!(&deferring, state(actual.read > 0), "state after {src:02X?}");
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
        // The third and fourth bytes matter only after these first bytes.
        let longer = [
            0x0E, 0x1B, 0x21, 0x2B, 0x32, 0x7E, 0x80, 0x81, 0x8E, 0x8F, 0x95, 0xA1, 0xD8, 0xDB, 0xE0, 0xE1, 0xED, 0xF0,
            0xF4, 0xFE,
        ];
        for (first, second) in longer.into_iter().flat_map(|first| (0..=0xFF).map(move |second| (first, second))) {
            for third in selected {
                check(&[first, second, third]);
                for fourth in selected {
                    check(&[first, second, third, fourth]);
                }
            }
        }
    }

    #[test]
    fn items_match_the_handlers() {
        assert_items(&utf_8::Decoder::START, true);
        for order in [ByteOrder::Little, ByteOrder::Big] {
            assert_items(&utf_16::Decoder::new(order), true);
        }
        for row in 0..27 {
            assert_items(&single_byte::Decoder::new(row), false);
        }
        #[cfg(feature = "oem")]
        for page in (0..textcodec_oem::COUNT).filter_map(crate::beyond::page::Page::of) {
            match &page.order {
                Some(order) => assert_items(&permuted::Decoder::new(page, order), false),
                None => assert_items(&single_byte::Decoder::with(&page.upper), false),
            }
        }
        assert_items(&gb18030::Decoder::START, true);
        assert_items(&big5::Decoder::START, true);
        assert_items(&euc_jp::Decoder::START, true);
        assert_items(&shift_jis::Decoder::START, true);
        assert_items(&euc_kr::Decoder::START, true);
        assert_items(&x_user_defined::Decoder, false);
        assert_items(&isomorphic::Decoder, false);
        assert_items(&strict_ascii::Decoder, false);
        #[cfg(all(feature = "oem", not(textcodec_small)))]
        for kind in crate::beyond::oem::ALL.iter().filter_map(|encoding| encoding.rare()) {
            use rare::Kind::{Cesu8, Iso2022Kr, Utf7, Utf7Imap, Utf32};

            let is_longer = matches!(kind, Cesu8 | Iso2022Kr | Utf7 | Utf7Imap | Utf32);
            for selected in 0..=u8::MAX {
                let mut codec = rare::Decoder::new(kind);
                if codec.select(selected) {
                    // Only UTF-7 has more than three states. They differ in the first bytes.
                    assert_items(&codec, is_longer && selected < 3);
                }
            }
        }
        // Each state between two characters: directly after an escape sequence, and after a character.
        for escape in [&b""[..], b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"] {
            for character in [&b""[..], b"!!"] {
                let mut codec = iso_2022_jp::Decoder::START;
                for &byte in &[escape, character].concat() {
                    codec.handle(Some(byte), &mut { Replay::EMPTY });
                }
                assert_items(&codec, true);
            }
        }
    }

    #[test]
    fn restored_bytes_come_before_those_restored_earlier() {
        let mut queue = Replay::EMPTY;
        queue.restore(b"bc");
        queue.restore(b"a");
        assert_eq!([queue.pop(), queue.pop(), queue.pop(), queue.pop()], [Some(b'a'), Some(b'b'), Some(b'c'), None]);
    }
}
