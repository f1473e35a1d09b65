//! From an encoding to its decoder and encoder: one enum each, so that a call dispatches once.

use super::{
    Decode, Encode, big5, euc_jp, euc_kr, gb18030, iso_2022_jp, isomorphic, replacement, shift_jis, single_byte,
    strict_ascii, utf_8, utf_16, x_user_defined,
};
use crate::{
    encoding::{Encoding, Id},
    kernel::utf16::ByteOrder,
};

/// What to do with a decoder, whichever it is.
pub(crate) trait DecodeVisitor {
    type Output;

    fn visit<D: Decode>(self, codec: &mut D) -> Self::Output;
}

/// What to do with an encoder, whichever it is.
pub(crate) trait EncodeVisitor {
    type Output;

    fn visit<E: Encode>(self, codec: &mut E) -> Self::Output;
}

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

    /// Whether nothing is kept between two characters.
    #[inline]
    pub(crate) fn is_stateless(&self) -> bool {
        !matches!(self, Self::Iso2022Jp(_) | Self::Replacement(_))
    }

    /// Does something with the decoder that is in here.
    #[inline]
    pub(crate) fn visit<V: DecodeVisitor>(&mut self, visitor: V) -> V::Output {
        match self {
            Self::Utf8(codec) => visitor.visit(codec),
            Self::SingleByte(codec) => visitor.visit(codec),
            Self::Gb18030(codec) => visitor.visit(codec),
            Self::Big5(codec) => visitor.visit(codec),
            Self::EucJp(codec) => visitor.visit(codec),
            Self::Iso2022Jp(codec) => visitor.visit(codec),
            Self::ShiftJis(codec) => visitor.visit(codec),
            Self::EucKr(codec) => visitor.visit(codec),
            Self::Replacement(codec) => visitor.visit(codec),
            Self::Utf16(codec) => visitor.visit(codec),
            Self::XUserDefined(codec) => visitor.visit(codec),
            Self::Isomorphic(codec) => visitor.visit(codec),
            Self::StrictAscii(codec) => visitor.visit(codec),
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

    /// Whether nothing is kept between two characters.
    #[inline]
    pub(crate) fn is_stateless(&self) -> bool {
        !matches!(self, Self::Iso2022Jp(_))
    }

    /// Does something with the encoder that is in here.
    #[inline]
    pub(crate) fn visit<V: EncodeVisitor>(&mut self, visitor: V) -> V::Output {
        match self {
            Self::Utf8(codec) => visitor.visit(codec),
            Self::SingleByte(codec) => visitor.visit(codec),
            Self::Gb18030(codec) => visitor.visit(codec),
            Self::Big5(codec) => visitor.visit(codec),
            Self::EucJp(codec) => visitor.visit(codec),
            Self::Iso2022Jp(codec) => visitor.visit(codec),
            Self::ShiftJis(codec) => visitor.visit(codec),
            Self::EucKr(codec) => visitor.visit(codec),
            Self::Utf16(codec) => visitor.visit(codec),
            Self::XUserDefined(codec) => visitor.visit(codec),
            Self::Isomorphic(codec) => visitor.visit(codec),
            Self::StrictAscii(codec) => visitor.visit(codec),
        }
    }
}
