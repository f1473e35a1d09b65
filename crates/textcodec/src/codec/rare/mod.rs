//! Encodings outside of the standard that need an algorithm, of feature `oem`.
//!
//! They are rare, so they share one compiled loop: [`Decoder`] and [`Encoder`] are enums, and each step is a dispatch. The bulk
//! methods run the handler in a short loop, or convert runs where that is simple. JOHAB has the kernels for pairs. Small builds leave all
//! but the pairs of JOHAB to the handlers.
//!
//! Each file states what its decoder does with a malformed sequence that contains ASCII. The rule is that of the standard: an ASCII
//! byte that does not continue a sequence is decoded again, so that it is never hidden.

pub(crate) mod cesu_8;
pub(crate) mod gsm_0338;
pub(crate) mod hz;
pub(crate) mod iso_2022_kr;
pub(crate) mod johab;
mod length;
pub(crate) mod shifts;
mod utf_32;
pub(crate) mod utf_7;

use core::ops::RangeInclusive;

use super::{Decode, Encode, EncodeStep, Replay, Step, items::Items, pairs, sink::Unit};
use crate::codec::progress::{Costs, Useful};
use crate::{
    conversion::DecodeReason,
    kernel::{
        Kernels, Out,
        tables::{ByteOrder, ToBytes},
    },
    names::{Encoding, encodings::Id},
};

/// An encoding of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Utf7,
    Utf7Imap,
    Utf32,
    Utf32Be,
    Utf32Le,
    Ucs2Be,
    Ucs2Le,
    Cesu8,
    Hz,
    Iso2022Kr,
    Johab,
    Gsm0338,
}

impl Kind {
    /// See [`Encoding::is_ascii_compatible`](crate::Encoding::is_ascii_compatible).
    pub(crate) const fn is_ascii_compatible(self) -> bool {
        matches!(self, Self::Cesu8 | Self::Johab)
    }

    /// What the encoder writes before any text, whatever the options say.
    pub(crate) const fn header(self) -> &'static [u8] {
        match self {
            Self::Utf32 => &utf_32::MARK,
            Self::Iso2022Kr => &iso_2022_kr::HEADER,
            _ => &[],
        }
    }
}

impl Encoding {
    /// The encoding as one of this module, if it is one.
    pub(crate) const fn rare(self) -> Option<Kind> {
        Some(match self.id() {
            Id::Utf7 => Kind::Utf7,
            Id::Utf7Imap => Kind::Utf7Imap,
            Id::Utf32 => Kind::Utf32,
            Id::Utf32be => Kind::Utf32Be,
            Id::Utf32le => Kind::Utf32Le,
            Id::TrueUcs2be => Kind::Ucs2Be,
            Id::TrueUcs2le => Kind::Ucs2Le,
            Id::Cesu8 => Kind::Cesu8,
            Id::TrueHz => Kind::Hz,
            Id::TrueIso2022Kr => Kind::Iso2022Kr,
            Id::Johab => Kind::Johab,
            Id::Gsm03_38 => Kind::Gsm0338,
            _ => return None,
        })
    }
}

/// Evaluates an expression for the codec in a [`Decoder`] or an [`Encoder`].
macro_rules! with {
    ($any:expr, $codec:ident => $act:expr) => {
        match $any {
            Self::Utf7($codec) => $act,
            Self::Utf32($codec) => $act,
            Self::Ucs2($codec) => $act,
            Self::Cesu8($codec) => $act,
            Self::Hz($codec) => $act,
            Self::Iso2022Kr($codec) => $act,
            Self::Johab($codec) => $act,
            Self::Gsm0338($codec) => $act,
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoder {
    Utf7(utf_7::Decoder),
    Utf32(utf_32::Decoder),
    Ucs2(utf_32::Ucs2Decoder),
    Cesu8(cesu_8::Decoder),
    Hz(hz::Decoder),
    Iso2022Kr(iso_2022_kr::Decoder),
    Johab(johab::Decoder),
    Gsm0338(gsm_0338::Decoder),
}

impl Decoder {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Utf7 => Self::Utf7(utf_7::Decoder::new(false)),
            Kind::Utf7Imap => Self::Utf7(utf_7::Decoder::new(true)),
            Kind::Utf32 => Self::Utf32(utf_32::Decoder::new(None)),
            Kind::Utf32Be => Self::Utf32(utf_32::Decoder::new(Some(ByteOrder::Big))),
            Kind::Utf32Le => Self::Utf32(utf_32::Decoder::new(Some(ByteOrder::Little))),
            Kind::Ucs2Be => Self::Ucs2(utf_32::Ucs2Decoder::new(ByteOrder::Big)),
            Kind::Ucs2Le => Self::Ucs2(utf_32::Ucs2Decoder::new(ByteOrder::Little)),
            Kind::Cesu8 => Self::Cesu8(cesu_8::Decoder::default()),
            Kind::Hz => Self::Hz(hz::Decoder::default()),
            Kind::Iso2022Kr => Self::Iso2022Kr(iso_2022_kr::Decoder::default()),
            Kind::Johab => Self::Johab(johab::Decoder::default()),
            Kind::Gsm0338 => Self::Gsm0338(gsm_0338::Decoder::default()),
        }
    }

    /// The state before an incomplete sequence, as a number. It is 0 in the initial state.
    pub(crate) fn selected(&self) -> u8 {
        with!(self, codec => codec.selected())
    }

    /// Discards an incomplete sequence, and changes the state to one that [`selected`](Self::selected) has returned; returns false if
    /// it cannot have returned it.
    pub(crate) fn select(&mut self, selected: u8) -> bool {
        with!(self, codec => codec.select(selected));
        self.selected() == selected
    }

    /// Converts an item by the handler, without a return to the loop. Returns its length in bytes. Returns 0 and does not change
    /// the state if the item is incomplete, does not fit, or is left to the loop.
    fn item<U: Unit>(&mut self, src: &[u8], items: &mut Items<'_, '_, U>) -> usize {
        let (selected, mut read) = (self.selected(), 0);
        while let Some(&byte) = src.get(read) {
            let mut queue = Replay::EMPTY;
            let step = self.handle(Some(byte), &mut queue);
            // The restored bytes are the last ones that were read.
            read = read + 1 - queue.len();
            let len = match step {
                Step::Continue if read > 0 && self.is_neutral() => read,
                Step::Continue => continue,
                Step::Emit(character) => items.character(character, read),
                Step::Error(reason) => items.error(read, reason),
                Step::EmitTwo(..) | Step::Finished => 0,
            };
            if len > 0 || items.is_at_error() {
                return len;
            }
            break;
        }
        self.select(selected);
        0
    }

    /// Converts a prefix of `src` by the handler, from the neutral state to the neutral state.
    fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        match self {
            // Without memory for the grid, the handler converts.
            Self::Johab(_) => johab::pairs().map_or(0, |pairs| U::pairs(kernels, pairs, src, out)),
            Self::Cesu8(codec) => codec.bulk(kernels, src, out),
            _ if cfg!(textcodec_small) => 0,
            Self::Hz(codec) => codec.bulk(kernels, src, out),
            Self::Iso2022Kr(codec) => codec.bulk(kernels, src, out),
            Self::Utf32(codec) => codec.bulk(src, out),
            Self::Ucs2(codec) => codec.bulk(src, out),
            Self::Utf7(codec) => out.write_locally(|out| codec.bulk(src, out)),
            Self::Gsm0338(codec) => out.write_locally(|out| codec.bulk(src, out)),
        }
    }
}

/// Converts a prefix of `src` from neutral state to neutral state: runs by `run`, and each character between them by the handler.
#[inline(always)]
fn in_runs<H: Handler, U: Unit>(
    codec: &mut H,
    src: &[u8],
    out: &mut Out<'_, U>,
    run: impl Fn(&mut H, &[u8], &mut Out<'_, U>) -> usize,
) -> usize {
    let mut read = 0;
    loop {
        let converted = match run(codec, &src[read..], out) {
            0 => one_character(codec, &src[read..], out),
            run => run,
        };
        read += converted;
        if converted == 0 {
            return read;
        }
    }
}

/// Converts ASCII at the start of `src`, without some bytes, as far as it fits. Returns how many bytes were read.
fn ascii_run<U: Unit>(kernels: &Kernels, excluded: [u8; 3], src: &[u8], out: &mut Out<'_, U>) -> usize {
    /// The longest run that is converted without a kernel.
    const SHORT: usize = 16;

    let is_plain = |byte: u8| byte.is_ascii() && !excluded.contains(&byte);
    let short = src.iter().take(SHORT).take_while(|&&byte| is_plain(byte) && U::put_unit(byte.into(), out)).count();
    if short < SHORT {
        return short;
    }
    // Not all of it: a call must not search more than it converts.
    let rest = &src[short..];
    let rest = &rest[..rest.len().min(out.spare_len())];
    let len = (kernels.ascii_prefix_without)(excluded, rest);
    short + U::ascii(kernels)(&rest[..len], out)
}

/// Converts pairs at the start of `src`, whose first byte is in `leading`, and the second from 0x21 to 0x7E. Returns how many bytes were
/// read.
#[inline(always)]
fn pair_run<U: Unit>(
    leading: RangeInclusive<u8>,
    pair: impl Fn(u8, u8) -> Option<char>,
    src: &[u8],
    out: &mut Out<'_, U>,
) -> usize {
    out.write_locally(|out| {
        let is_put = |&&[first, second]: &&[u8; 2]| {
            leading.contains(&first)
                && matches!(second, 0x21..=0x7E)
                && pair(first, second).is_some_and(|c| U::put(c, out))
        };
        2 * src.as_chunks().0.iter().take_while(is_put).count()
    })
}

/// A decoder of this module, in the terms of [`Decode`].
trait Handler {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step;
    fn is_neutral(&self) -> bool;

    /// The state before an incomplete sequence, as a number.
    fn selected(&self) -> u8 {
        0
    }

    /// Discards an incomplete sequence, and changes the state to one that [`selected`](Self::selected) has returned.
    fn select(&mut self, selected: u8);
}

/// Converts bytes by a handler, up to the next neutral state. Returns 0 and does not change the state if an error, the end of the
/// input, or a character that does not fit is before it.
// The state is saved as a number: copying a codec right after its fields were stored one by one stalls the processor.
#[inline(never)]
fn one_character<H: Handler, U: Unit>(codec: &mut H, src: &[u8], out: &mut Out<'_, U>) -> usize {
    let (selected, mut read) = (codec.selected(), 0);
    while let Some(&byte) = src.get(read) {
        let mut queue = Replay::EMPTY;
        read += 1;
        match codec.handle(Some(byte), &mut queue) {
            Step::Continue => {}
            Step::Emit(character) if U::put(character, out) => {}
            Step::Emit(_) | Step::EmitTwo(..) | Step::Error(_) | Step::Finished => break,
        }
        read -= queue.len();
        if codec.is_neutral() {
            return read;
        }
    }
    codec.select(selected);
    0
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(16, Useful::All);

    /// All that the handler has restored, as far as it is in the chunk.
    fn unread(&self, _: DecodeReason, read: usize) -> usize {
        read
    }

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        with!(self, codec => codec.handle(byte, queue))
    }

    fn is_neutral(&self) -> bool {
        with!(self, codec => codec.is_neutral())
    }

    fn is_initial_state(&self) -> bool {
        self.is_neutral() && self.selected() == 0
    }

    /// The bits that are left of the last digit change with each character.
    fn cannot_unread(&self) -> bool {
        matches!(self, Self::Utf7(_))
    }

    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        if cfg!(textcodec_small) {
            return 0;
        }
        let mut read = 0;
        // Malformed sequences count, unlike in `Items::each`: after a single one, the bulk methods are faster.
        while read < stretch {
            let rest = &src[read..];
            let len = if let Self::Johab(_) = self { johab::item(rest, items) } else { self.item(rest, items) };
            read += len;
            if len == 0 {
                break;
            }
        }
        read
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        self.bulk(kernels, src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        self.bulk(kernels, src, out)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Encoder {
    Utf7(utf_7::Encoder),
    Utf32(utf_32::Encoder),
    Ucs2(utf_32::Ucs2Encoder),
    Cesu8(cesu_8::Encoder),
    Hz(shifts::Encoder<hz::Hz>),
    Iso2022Kr(shifts::Encoder<iso_2022_kr::Iso2022Kr>),
    Johab(johab::Encoder),
    Gsm0338(gsm_0338::Encoder),
}

impl Encoder {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Utf7 => Self::Utf7(utf_7::Encoder::new(false)),
            Kind::Utf7Imap => Self::Utf7(utf_7::Encoder::new(true)),
            // UTF-32 has its mark as the header.
            Kind::Utf32 | Kind::Utf32Be => Self::Utf32(utf_32::Encoder(ByteOrder::Big)),
            Kind::Utf32Le => Self::Utf32(utf_32::Encoder(ByteOrder::Little)),
            Kind::Ucs2Be => Self::Ucs2(utf_32::Ucs2Encoder(ByteOrder::Big)),
            Kind::Ucs2Le => Self::Ucs2(utf_32::Ucs2Encoder(ByteOrder::Little)),
            Kind::Cesu8 => Self::Cesu8(cesu_8::Encoder::default()),
            Kind::Hz => Self::Hz(shifts::Encoder::new()),
            Kind::Iso2022Kr => Self::Iso2022Kr(shifts::Encoder::new()),
            Kind::Johab => Self::Johab(johab::Encoder),
            Kind::Gsm0338 => Self::Gsm0338(gsm_0338::Encoder),
        }
    }

    /// The state between two characters as a number: 0 in the initial state.
    pub(crate) fn selected(&self) -> u8 {
        match self {
            Self::Utf7(codec) => codec.selected(),
            Self::Hz(codec) => codec.selected(),
            Self::Iso2022Kr(codec) => codec.selected(),
            _ => 0,
        }
    }

    /// Changes the state to one that [`selected`](Self::selected) has returned; returns false if it cannot have returned it.
    pub(crate) fn select(&mut self, selected: u8) -> bool {
        match self {
            Self::Utf7(codec) => codec.select(selected),
            Self::Hz(codec) => codec.select(selected),
            Self::Iso2022Kr(codec) => codec.select(selected),
            _ => return selected == 0,
        }
        self.selected() == selected
    }

    /// Encodes a prefix of some characters. Returns the number of units of those that were encoded.
    #[inline(never)]
    fn each(&mut self, characters: impl Iterator<Item = (char, usize)>, out: &mut Out<'_, u8>) -> usize {
        out.write_locally(|out| with!(self, codec => encode_each(codec, characters, out)))
    }
}

/// An encoder of this module, in the terms of [`Encode`].
trait EncodeHandler {
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep;

    /// Returns all bytes of a character, with those that must precede it: what the steps of the handler would write. `None` if it is
    /// unmappable; then the state is unchanged.
    fn encode(&mut self, character: char) -> Option<Bytes>;
}

/// The most bytes of a character, with all that must precede it.
const LONGEST: usize = 8;

/// The bytes of a character.
#[derive(Clone, Copy, Default)]
struct Bytes {
    /// Little-endian. A word instead of an array: an eight-byte load right after byte stores stalls the processor.
    all: u64,
    len: usize,
}

impl Bytes {
    /// The first `len` bytes of an array. The others are 0.
    #[inline(always)]
    fn new<const N: usize>(bytes: [u8; N], len: usize) -> Self {
        Self { all: bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)), len }
    }

    #[inline(always)]
    fn push(&mut self, byte: u8) {
        self.append(Self { all: byte.into(), len: 1 });
    }

    #[inline(always)]
    fn append(&mut self, more: Self) {
        self.all |= more.all << (8 * self.len);
        self.len += more.len;
    }

    /// At most four bytes, as a step.
    fn emit(self) -> EncodeStep {
        EncodeStep::emit_some((self.all as u32).to_le_bytes(), self.len)
    }
}

#[inline(always)]
fn encode_each<H: EncodeHandler>(
    codec: &mut H,
    characters: impl Iterator<Item = (char, usize)>,
    out: &mut Out<'_, u8>,
) -> usize {
    let mut read = 0;
    for (character, units) in characters {
        // Before the state changes.
        if out.spare_len() < LONGEST {
            break;
        }
        let Some(Bytes { all, len }) = codec.encode(character) else { break };
        out.extend_some(&all.to_le_bytes(), len);
        read += units;
    }
    read
}

impl Encode for Encoder {
    const ASCII: bool = false;
    /// The longest HTML reference, in UCS-2. It is more than any character with what precedes it.
    const MIN_ITEM_CAPACITY: usize = 20;

    fn encodes_as_itself(&self, _: u8) -> bool {
        matches!(self, Self::Cesu8(_) | Self::Johab(_))
    }

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        with!(self, codec => codec.handle(item, queue))
    }

    fn is_initial_state(&self) -> bool {
        self.selected() == 0
    }

    fn end(&mut self, out: &mut Out<'_, u8>) -> bool {
        if self.is_initial_state() {
            return true;
        }
        let mut ended = *self;
        let EncodeStep::Emit(bytes) = ended.handle(None, &mut None) else { return true };
        let fits = bytes.put(out);
        if fits {
            *self = ended;
        }
        fits
    }

    fn unmappable(&self, character: char) -> Option<char> {
        match self {
            Self::Hz(_) => <hz::Hz as shifts::Shifts>::unmappable(character),
            Self::Iso2022Kr(_) => <iso_2022_kr::Iso2022Kr as shifts::Shifts>::unmappable(character),
            _ => None,
        }
    }

    fn cannot_unread(&self, character: char) -> bool {
        match self {
            Self::Utf7(_) => true,
            // It is in two parts.
            Self::Cesu8(_) => character > '\u{FFFF}',
            _ => false,
        }
    }

    const WIDENS: bool = true;

    fn widen(&self, ascii: u8) -> ([u8; 2], usize) {
        match self {
            Self::Ucs2(codec) => (codec.0.bytes(ascii.into()), 2),
            _ => ([ascii, 0], 1),
        }
    }

    fn table(&self) -> Option<&'static ToBytes> {
        match self {
            // Without memory for the table, the handler converts.
            Self::Johab(_) if !cfg!(textcodec_small) => johab::bytes(),
            _ => None,
        }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        if let Some(table) = self.table() {
            return (kernels.double_byte_from_utf16)(table, src, out);
        }
        let ascii = if self.encodes_as_itself(b' ') { (kernels.utf16().ascii_from_utf16)(src, out) } else { 0 };
        let characters = char::decode_utf16(src[ascii..].iter().copied());
        // Unpaired surrogates are left to the loop, which knows what to do with them.
        if cfg!(textcodec_small) {
            return ascii;
        }
        ascii + self.each(characters.map_while(Result::ok).map(|c| (c, c.len_utf16())), out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        if let Some(table) = self.table() {
            return pairs::encode(table, kernels, src, out);
        }
        let ascii = if self.encodes_as_itself(b' ') { (kernels.ascii_copy)(src.as_bytes(), out) } else { 0 };
        if cfg!(textcodec_small) {
            return ascii;
        }
        if let Self::Utf7(codec) = self {
            return out.write_locally(|out| codec.bulk(src, out));
        }
        ascii + self.each(src[ascii..].chars().map(|c| (c, c.len_utf8())), out)
    }
}
