//! From an encoding to its decoder and encoder: one enum each, so that a call dispatches once.

use super::{
    big5,
    drive::{Call, DecodeState, EncodeState, Stop},
    euc_jp, euc_kr, gb18030, iso_2022_jp, isomorphic, replacement, shift_jis, single_byte,
    sink::Unit,
    source::Source,
    strict_ascii, utf_8, utf_16, x_user_defined,
};
use crate::{
    encoding::{Encoding, Id},
    error::{DecodeError, EncodeError},
    kernel::{Out, utf16::ByteOrder},
    options::Unmappable,
};

/// The place of a single-byte encoding's index in section 9's table.
fn single_byte_place(id: Id) -> Option<usize> {
    let first = Id::Ibm866 as usize;
    let row = (id as usize).checked_sub(first).filter(|_| id <= Id::XMacCyrillic)?;
    // ISO-8859-8-I shares the index of ISO-8859-8, which stands before it.
    Some(row - usize::from(id >= Id::Iso8859_8I))
}

#[derive(Clone, Debug)]
pub(crate) enum AnyDecoder {
    Utf8(utf_8::Decoder),
    SingleByte(single_byte::Decoder),
    Gb18030(gb18030::Decoder),
    Big5(big5::Decoder),
    EucJp(euc_jp::Decoder),
    Iso2022Jp(iso_2022_jp::Decoder),
    ShiftJis(shift_jis::Decoder),
    EucKr(euc_kr::Decoder),
    Replacement(replacement::Decoder),
    Utf16(utf_16::Decoder),
    XUserDefined(x_user_defined::Decoder),
    Isomorphic(isomorphic::Decoder),
    StrictAscii(strict_ascii::Decoder),
}

impl AnyDecoder {
    pub(crate) fn new(encoding: Encoding) -> Self {
        let id = encoding.id();
        if let Some(place) = single_byte_place(id) {
            return Self::SingleByte(single_byte::Decoder::new(place));
        }
        match id {
            Id::Gbk | Id::Gb18030 => Self::Gb18030(gb18030::Decoder::default()),
            Id::Big5 => Self::Big5(big5::Decoder::default()),
            Id::EucJp => Self::EucJp(euc_jp::Decoder::default()),
            Id::Iso2022Jp => Self::Iso2022Jp(iso_2022_jp::Decoder::default()),
            Id::ShiftJis => Self::ShiftJis(shift_jis::Decoder::default()),
            Id::EucKr => Self::EucKr(euc_kr::Decoder::default()),
            Id::Replacement => Self::Replacement(replacement::Decoder::default()),
            Id::Utf16Be => Self::Utf16(utf_16::Decoder::new(ByteOrder::Big)),
            Id::Utf16Le => Self::Utf16(utf_16::Decoder::new(ByteOrder::Little)),
            Id::XUserDefined => Self::XUserDefined(x_user_defined::Decoder),
            Id::Isomorphic => Self::Isomorphic(isomorphic::Decoder),
            Id::StrictAscii => Self::StrictAscii(strict_ascii::Decoder),
            _ => Self::Utf8(utf_8::Decoder::default()),
        }
    }

    pub(crate) fn run<U: Unit>(
        &mut self,
        state: &mut DecodeState,
        call: &Call<'_, [u8], bool>,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<DecodeError>) {
        match self {
            Self::Utf8(codec) => state.run(codec, call, out),
            Self::SingleByte(codec) => state.run(codec, call, out),
            Self::Gb18030(codec) => state.run(codec, call, out),
            Self::Big5(codec) => state.run(codec, call, out),
            Self::EucJp(codec) => state.run(codec, call, out),
            Self::Iso2022Jp(codec) => state.run(codec, call, out),
            Self::ShiftJis(codec) => state.run(codec, call, out),
            Self::EucKr(codec) => state.run(codec, call, out),
            Self::Replacement(codec) => state.run(codec, call, out),
            Self::Utf16(codec) => state.run(codec, call, out),
            Self::XUserDefined(codec) => state.run(codec, call, out),
            Self::Isomorphic(codec) => state.run(codec, call, out),
            Self::StrictAscii(codec) => state.run(codec, call, out),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum AnyEncoder {
    Utf8(utf_8::Encoder),
    SingleByte(single_byte::Encoder),
    Gb18030(gb18030::Encoder),
    Big5(big5::Encoder),
    EucJp(euc_jp::Encoder),
    Iso2022Jp(iso_2022_jp::Encoder),
    ShiftJis(shift_jis::Encoder),
    EucKr(euc_kr::Encoder),
    Utf16(utf_16::Encoder),
    XUserDefined(x_user_defined::Encoder),
    Isomorphic(isomorphic::Encoder),
    StrictAscii(strict_ascii::Encoder),
}

impl AnyEncoder {
    /// None for `replacement`.
    pub(crate) fn new(encoding: Encoding) -> Option<Self> {
        let id = encoding.id();
        if let Some(place) = single_byte_place(id) {
            return Some(Self::SingleByte(single_byte::Encoder::new(place)));
        }
        Some(match id {
            Id::Gbk => Self::Gb18030(gb18030::Encoder::new(true)),
            Id::Gb18030 => Self::Gb18030(gb18030::Encoder::new(false)),
            Id::Big5 => Self::Big5(big5::Encoder),
            Id::EucJp => Self::EucJp(euc_jp::Encoder),
            Id::Iso2022Jp => Self::Iso2022Jp(iso_2022_jp::Encoder::default()),
            Id::ShiftJis => Self::ShiftJis(shift_jis::Encoder),
            Id::EucKr => Self::EucKr(euc_kr::Encoder),
            Id::Replacement => return None,
            Id::Utf16Be => Self::Utf16(utf_16::Encoder::new(ByteOrder::Big)),
            Id::Utf16Le => Self::Utf16(utf_16::Encoder::new(ByteOrder::Little)),
            Id::XUserDefined => Self::XUserDefined(x_user_defined::Encoder),
            Id::Isomorphic => Self::Isomorphic(isomorphic::Encoder),
            Id::StrictAscii => Self::StrictAscii(strict_ascii::Encoder),
            _ => Self::Utf8(utf_8::Encoder),
        })
    }

    pub(crate) fn run<S: Source + ?Sized>(
        &mut self,
        state: &mut EncodeState,
        call: &Call<'_, S, Unmappable>,
        out: &mut Out<'_, u8>,
    ) -> (usize, Stop<EncodeError>) {
        match self {
            Self::Utf8(codec) => state.run(codec, call, out),
            Self::SingleByte(codec) => state.run(codec, call, out),
            Self::Gb18030(codec) => state.run(codec, call, out),
            Self::Big5(codec) => state.run(codec, call, out),
            Self::EucJp(codec) => state.run(codec, call, out),
            Self::Iso2022Jp(codec) => state.run(codec, call, out),
            Self::ShiftJis(codec) => state.run(codec, call, out),
            Self::EucKr(codec) => state.run(codec, call, out),
            Self::Utf16(codec) => state.run(codec, call, out),
            Self::XUserDefined(codec) => state.run(codec, call, out),
            Self::Isomorphic(codec) => state.run(codec, call, out),
            Self::StrictAscii(codec) => state.run(codec, call, out),
        }
    }

    /// The standard's handler, for one character.
    pub(crate) fn can_encode(&mut self, character: char) -> bool {
        use super::{Encode as _, EncodeStep};
        let queue = &mut None;
        let item = Some(character);
        let step = match self {
            Self::Utf8(codec) => codec.handle(item, queue),
            Self::SingleByte(codec) => codec.handle(item, queue),
            Self::Gb18030(codec) => codec.handle(item, queue),
            Self::Big5(codec) => codec.handle(item, queue),
            Self::EucJp(codec) => codec.handle(item, queue),
            Self::Iso2022Jp(codec) => codec.handle(item, queue),
            Self::ShiftJis(codec) => codec.handle(item, queue),
            Self::EucKr(codec) => codec.handle(item, queue),
            Self::Utf16(codec) => codec.handle(item, queue),
            Self::XUserDefined(codec) => codec.handle(item, queue),
            Self::Isomorphic(codec) => codec.handle(item, queue),
            Self::StrictAscii(codec) => codec.handle(item, queue),
        };
        !matches!(step, EncodeStep::Error(_))
    }
}
