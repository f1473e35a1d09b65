//! Sections 8 to 14: the decoders and encoders, one file per encoding.

pub mod big5;
pub mod euc_jp;
pub mod euc_kr;
pub mod gb18030;
pub mod iso_2022_jp;
pub mod replacement;
pub mod shift_jis;
pub mod single_byte;
pub mod utf_16;
pub mod utf_8;
pub mod x_user_defined;

use crate::{
    Encoding,
    handler::{Decoder, Encoder},
    outside,
};

/// Creates an instance of an encoding's decoder.
pub(crate) fn decoder(encoding: Encoding) -> Decoder {
    if encoding.is_outside() {
        return outside::decoder(encoding.name());
    }
    match encoding {
        Encoding::UTF_8 => Box::new(utf_8::Utf8Decoder::default()),
        // "GBK's decoder is gb18030's decoder."
        Encoding::GBK | Encoding::GB18030 => Box::new(gb18030::Gb18030Decoder::default()),
        Encoding::BIG5 => Box::new(big5::Big5Decoder::default()),
        Encoding::EUC_JP => Box::new(euc_jp::EucJpDecoder::default()),
        Encoding::ISO_2022_JP => Box::new(iso_2022_jp::Iso2022JpDecoder::default()),
        Encoding::SHIFT_JIS => Box::new(shift_jis::ShiftJisDecoder::default()),
        Encoding::EUC_KR => Box::new(euc_kr::EucKrDecoder::default()),
        Encoding::REPLACEMENT => Box::new(replacement::ReplacementDecoder::default()),
        Encoding::UTF_16BE => Box::new(utf_16::SharedUtf16Decoder::new(true)),
        Encoding::UTF_16LE => Box::new(utf_16::SharedUtf16Decoder::new(false)),
        Encoding::X_USER_DEFINED => Box::new(x_user_defined::XUserDefinedDecoder),
        _ => Box::new(single_byte::SingleByteDecoder::new(encoding)),
    }
}

/// Creates an instance of an encoding's encoder, if it has one.
pub(crate) fn encoder(encoding: Encoding) -> Option<Encoder> {
    if encoding.is_outside() {
        return Some(outside::encoder(encoding.name()));
    }
    Some(match encoding {
        Encoding::UTF_8 => Box::new(utf_8::Utf8Encoder),
        // "GBK's encoder is gb18030's encoder with its is GBK set to true."
        Encoding::GBK => Box::new(gb18030::Gb18030Encoder::new(true)),
        Encoding::GB18030 => Box::new(gb18030::Gb18030Encoder::new(false)),
        Encoding::BIG5 => Box::new(big5::Big5Encoder),
        Encoding::EUC_JP => Box::new(euc_jp::EucJpEncoder),
        Encoding::ISO_2022_JP => Box::new(iso_2022_jp::Iso2022JpEncoder::default()),
        Encoding::SHIFT_JIS => Box::new(shift_jis::ShiftJisEncoder),
        Encoding::EUC_KR => Box::new(euc_kr::EucKrEncoder),
        Encoding::REPLACEMENT | Encoding::UTF_16BE | Encoding::UTF_16LE => return None,
        Encoding::X_USER_DEFINED => Box::new(x_user_defined::XUserDefinedEncoder),
        _ => Box::new(single_byte::SingleByteEncoder::new(encoding)),
    })
}

/// "A code point whose value is …"
pub(crate) fn code_point(value: u32) -> char {
    char::from_u32(value).expect("handlers return only scalar values")
}
