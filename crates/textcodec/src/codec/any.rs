//! The decoders and encoders of this build as one enum each. A call dispatches on it for its kernel, and once more if it needs the
//! loop.
//!
//! In small builds, the enum is a codec itself (`small.rs`), and a step of the loop costs a dispatch.

#[cfg(feature = "oem")]
use super::permuted;
use super::{
    Decode, Encode, EncodeStep, big5,
    drive::{Call, DecodeState, EncodePolicy, EncodeState, Stop},
    euc_jp, euc_kr,
    feature::{
        Chinese, ChineseEncoders, If, Japanese, JapaneseEncoders, Korean, KoreanEncoders, Missing, SingleByte,
        SingleByteEncoders,
    },
    gb18030, iso_2022_jp, isomorphic,
    progress::Costs,
    replacement, shift_jis, single_byte,
    sink::Unit,
    source::Source,
    strict_ascii, utf_8, utf_16, x_user_defined,
};
#[cfg(feature = "oem")]
use crate::{beyond::page::Page, conversion::EncoderState};
use crate::{
    conversion::{DecodeReason, EncodeReason},
    kernel::{Kernels, Out, tables::ByteOrder},
    names::{Encoding, LATIN1, US_ASCII, encodings::Id},
};

/// The number of encodings without those of feature `oem`.
const COUNT: usize = Id::UsAscii as usize + 1;

/// The row of a single-byte encoding's index in section 9's table.
const fn single_byte_row(id: Id) -> Option<u8> {
    if !matches!(id as u8, FIRST_SINGLE_BYTE..=LAST_SINGLE_BYTE) {
        return None;
    }
    let row = id as u8 - FIRST_SINGLE_BYTE;
    // ISO-8859-8-I shares the index of ISO-8859-8, the row before it.
    Some(if id as u8 >= Id::Iso8859_8I as u8 { row - 1 } else { row })
}

const FIRST_SINGLE_BYTE: u8 = Id::Ibm866 as u8;
const LAST_SINGLE_BYTE: u8 = Id::XMacCyrillic as u8;

/// The reason why a codec of a disabled family cannot be created.
const fn unavailable<T: Copy>(_: T) -> EncodeReason {
    EncodeReason::Unavailable
}

/// The encodings whose new codecs are constants: those of the standard, Latin-1 and ASCII, by their number.
const WITH_NUMBERS: [Encoding; COUNT] = {
    let mut all = [US_ASCII; COUNT];
    let mut n = 0;
    while n < Encoding::ALL.len() {
        all[n] = Encoding::ALL[n];
        n += 1;
    }
    all[Id::Latin1 as usize] = LATIN1;
    all
};

/// Wraps a new codec of a family, or returns an error if that is disabled.
macro_rules! of_family {
    ($any:ident, $codec:expr, $missing:expr) => {
        match If::new($codec) {
            Ok(codec) => Ok(Self::$any(codec)),
            Err(off) => Err($missing(off)),
        }
    };
}

/// Evaluates an expression for the decoder in an [`AnyDecoder`].
macro_rules! with_decoder {
    ($any:expr, $codec:ident => $act:expr) => {
        match $any {
            AnyDecoder::Utf8($codec) => $act,
            AnyDecoder::SingleByte(If { 0: $codec, .. }) => $act,
            #[cfg(feature = "oem")]
            AnyDecoder::Permuted($codec) => $act,
            AnyDecoder::Gb18030(If { 0: $codec, .. }) => $act,
            AnyDecoder::Big5(If { 0: $codec, .. }) => $act,
            AnyDecoder::EucJp(If { 0: $codec, .. }) => $act,
            AnyDecoder::Iso2022Jp(If { 0: $codec, .. }) => $act,
            AnyDecoder::ShiftJis(If { 0: $codec, .. }) => $act,
            AnyDecoder::EucKr(If { 0: $codec, .. }) => $act,
            AnyDecoder::Replacement($codec) => $act,
            AnyDecoder::Utf16($codec) => $act,
            AnyDecoder::XUserDefined($codec) => $act,
            AnyDecoder::Isomorphic($codec) => $act,
            AnyDecoder::StrictAscii($codec) => $act,
            #[cfg(feature = "oem")]
            AnyDecoder::Rare($codec) => $act,
        }
    };
}

/// Evaluates an expression for the encoder in an [`AnyEncoder`].
macro_rules! with_encoder {
    ($any:expr, $codec:ident => $act:expr) => {
        match $any {
            AnyEncoder::Utf8($codec) => $act,
            AnyEncoder::SingleByte(If { 0: $codec, .. }) => $act,
            #[cfg(feature = "oem")]
            AnyEncoder::Permuted($codec) => $act,
            AnyEncoder::Gb18030(If { 0: $codec, .. }) => $act,
            AnyEncoder::Big5(If { 0: $codec, .. }) => $act,
            AnyEncoder::EucJp(If { 0: $codec, .. }) => $act,
            AnyEncoder::Iso2022Jp(If { 0: $codec, .. }) => $act,
            AnyEncoder::ShiftJis(If { 0: $codec, .. }) => $act,
            AnyEncoder::EucKr(If { 0: $codec, .. }) => $act,
            AnyEncoder::Utf16($codec) => $act,
            AnyEncoder::XUserDefined($codec) => $act,
            AnyEncoder::Isomorphic($codec) => $act,
            AnyEncoder::StrictAscii($codec) => $act,
            #[cfg(feature = "oem")]
            AnyEncoder::Rare($codec) => $act,
        }
    };
}

#[cfg(textcodec_small)]
#[path = "small.rs"]
mod small;

#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyDecoder {
    Utf8(utf_8::Decoder),
    SingleByte(If<SingleByte, single_byte::Decoder>),
    #[cfg(feature = "oem")]
    Permuted(permuted::Decoder),
    Gb18030(If<Chinese, gb18030::Decoder>),
    Big5(If<Chinese, big5::Decoder>),
    EucJp(If<Japanese, euc_jp::Decoder>),
    Iso2022Jp(If<Japanese, iso_2022_jp::Decoder>),
    ShiftJis(If<Japanese, shift_jis::Decoder>),
    EucKr(If<Korean, euc_kr::Decoder>),
    Replacement(replacement::Decoder),
    Utf16(utf_16::Decoder),
    XUserDefined(x_user_defined::Decoder),
    Isomorphic(isomorphic::Decoder),
    StrictAscii(strict_ascii::Decoder),
    #[cfg(feature = "oem")]
    Rare(super::rare::Decoder),
}

impl AnyDecoder {
    /// Creates the decoder of an encoding of the standard, Latin-1 or ASCII. Fails if its family is disabled.
    const fn of_standard(id: Id) -> Result<Self, Missing> {
        if let Some(row) = single_byte_row(id) {
            return of_family!(SingleByte, single_byte::Decoder::new(row), Missing::SingleByte);
        }
        match id {
            Id::Gbk | Id::Gb18030 => of_family!(Gb18030, gb18030::Decoder::START, Missing::Chinese),
            Id::Big5 => of_family!(Big5, big5::Decoder::START, Missing::Chinese),
            Id::EucJp => of_family!(EucJp, euc_jp::Decoder::START, Missing::Japanese),
            Id::Iso2022Jp => of_family!(Iso2022Jp, iso_2022_jp::Decoder::START, Missing::Japanese),
            Id::ShiftJis => of_family!(ShiftJis, shift_jis::Decoder::START, Missing::Japanese),
            Id::EucKr => of_family!(EucKr, euc_kr::Decoder::START, Missing::Korean),
            Id::Replacement => Ok(Self::Replacement(replacement::Decoder::START)),
            Id::Utf16be => Ok(Self::Utf16(utf_16::Decoder::new(ByteOrder::Big))),
            Id::Utf16le => Ok(Self::Utf16(utf_16::Decoder::new(ByteOrder::Little))),
            Id::XUserDefined => Ok(Self::XUserDefined(x_user_defined::Decoder)),
            Id::Latin1 => Ok(Self::Isomorphic(isomorphic::Decoder)),
            Id::UsAscii => Ok(Self::StrictAscii(strict_ascii::Decoder)),
            _ => Ok(Self::Utf8(utf_8::Decoder::START)),
        }
    }

    /// Creates the decoder of an encoding. Fails if its family is disabled.
    #[inline(never)]
    pub(crate) fn new(encoding: Encoding) -> Result<Self, Missing> {
        #[cfg(feature = "oem")]
        match (crate::beyond::oem::page(encoding), encoding.rare(), encoding.id()) {
            (Some(page), ..) => return Self::of_page(Page::of(page).ok_or(Missing::Memory)?),
            (_, Some(kind), _) => return Ok(Self::Rare(super::rare::Decoder::new(kind))),
            (.., Id::Custom) => return Ok(Self::Replacement(replacement::Decoder::START)),
            _ => {}
        }
        Self::of_standard(encoding.id())
    }

    /// Returns what [`new`](Self::new) does, where that is a constant. Small builds have none.
    ///
    /// Creating a decoder copies it once, in whole vectors. If fields were stored one by one and then moved as a whole, the processor
    /// would stall.
    #[inline(always)]
    pub(crate) fn constant(encoding: Encoding) -> Option<&'static Result<Self, Missing>> {
        static CONSTANTS: [Result<AnyDecoder, Missing>; COUNT] = {
            let mut all = [AnyDecoder::of_standard(Id::Utf8); COUNT];
            let mut n = 0;
            while n < COUNT {
                all[n] = AnyDecoder::of_standard(WITH_NUMBERS[n].id());
                n += 1;
            }
            all
        };
        if cfg!(textcodec_small) { None } else { CONSTANTS.get(encoding.id() as usize) }
    }

    /// Creates the decoder of a page.
    #[cfg(feature = "oem")]
    pub(crate) fn of_page(page: &'static Page) -> Result<Self, Missing> {
        Ok(match &page.order {
            Some(order) => Self::Permuted(permuted::Decoder::new(page, order)),
            None => Self::SingleByte(If::new(single_byte::Decoder::with(&page.upper)).map_err(Missing::SingleByte)?),
        })
    }

    /// Creates the decoder of UTF-8, UTF-16BE or UTF-16LE, the encodings with a byte order mark. Every build has them.
    pub(crate) fn unicode(encoding: Encoding) -> Self {
        match encoding.id() {
            Id::Utf16be => Self::Utf16(utf_16::Decoder::new(ByteOrder::Big)),
            Id::Utf16le => Self::Utf16(utf_16::Decoder::new(ByteOrder::Little)),
            _ => Self::Utf8(utf_8::Decoder::START),
        }
    }

    /// Makes bytes malformed that decode to C1 controls, in a legacy single-byte encoding.
    pub(crate) fn reject_controls(&mut self) {
        if let Self::SingleByte(If { 0: codec, .. }) = self {
            codec.reject_controls();
        }
    }

    /// Whether the decoder keeps no state between two characters.
    #[inline]
    pub(crate) fn is_stateless(&self) -> bool {
        #[cfg(feature = "oem")]
        if let Self::Rare(_) = self {
            return false;
        }
        !matches!(self, Self::Iso2022Jp(_) | Self::Replacement(_))
    }

    /// Discards an incomplete sequence. `encoding` is the encoding of this decoder.
    pub(crate) fn discard_sequence(&mut self, encoding: Encoding) {
        match self {
            Self::Iso2022Jp(If { 0: codec, .. }) => codec.discard_sequence(),
            // One has no sequences, and the other has a setting.
            Self::Replacement(_) | Self::SingleByte(_) => {}
            #[cfg(feature = "oem")]
            Self::Permuted(_) => {}
            #[cfg(feature = "oem")]
            Self::Rare(codec) => {
                codec.select(codec.selected());
            }
            // Cannot fail: this decoder was created in the same way.
            _ => *self = Self::new(encoding).unwrap_or_else(|_| Self::unicode(encoding)),
        }
    }

    /// See [`Decode::is_neutral`].
    pub(crate) fn is_neutral(&self) -> bool {
        with_decoder!(self, codec => codec.is_neutral())
    }

    /// See [`Decode::is_initial_state`].
    pub(crate) fn is_initial_state(&self) -> bool {
        with_decoder!(self, codec => codec.is_initial_state())
    }

    /// See [`Decode::COSTS`].
    pub(crate) fn costs(&self) -> Costs {
        fn of<D: Decode>(_: &D) -> Costs {
            D::COSTS
        }
        with_decoder!(self, codec => of(codec))
    }

    /// Converts a prefix of `src` by a kernel, from the neutral state to the neutral state. Returns how many bytes were read.
    #[inline]
    pub(crate) fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        with_decoder!(self, codec => U::bulk(codec, kernels, src, out))
    }

    /// Decodes a chunk by the loop. See [`DecodeState::decode`].
    #[inline]
    pub(crate) fn decode<U: Unit>(
        &mut self,
        state: &mut DecodeState,
        call: &Call<'_, [u8], bool>,
        out: &mut Out<'_, U>,
    ) -> (usize, Stop<DecodeReason>) {
        #[cfg(textcodec_small)]
        return state.decode(self, call, out);
        #[cfg(not(textcodec_small))]
        {
            let codec: &mut dyn super::drive::DecodeCodec<U> = with_decoder!(self, codec => codec);
            state.decode(codec, call, out)
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum AnyEncoder {
    Utf8(utf_8::Encoder),
    SingleByte(If<SingleByteEncoders, single_byte::Encoder>),
    #[cfg(feature = "oem")]
    Permuted(permuted::Encoder),
    Gb18030(If<ChineseEncoders, gb18030::Encoder>),
    Big5(If<ChineseEncoders, big5::Encoder>),
    EucJp(If<JapaneseEncoders, euc_jp::Encoder>),
    Iso2022Jp(If<JapaneseEncoders, iso_2022_jp::Encoder>),
    ShiftJis(If<JapaneseEncoders, shift_jis::Encoder>),
    EucKr(If<KoreanEncoders, euc_kr::Encoder>),
    Utf16(utf_16::Encoder),
    XUserDefined(x_user_defined::Encoder),
    Isomorphic(isomorphic::Encoder),
    StrictAscii(strict_ascii::Encoder),
    #[cfg(feature = "oem")]
    Rare(super::rare::Encoder),
}

impl AnyEncoder {
    /// Creates the encoder of an encoding of the standard, Latin-1 or ASCII. Fails if there is none, or its family is disabled.
    const fn of_standard(id: Id) -> Result<Self, EncodeReason> {
        if let Some(row) = single_byte_row(id) {
            return of_family!(SingleByte, single_byte::Encoder::new(row), unavailable);
        }
        match id {
            Id::Gbk => of_family!(Gb18030, gb18030::Encoder::new(true), unavailable),
            Id::Gb18030 => of_family!(Gb18030, gb18030::Encoder::new(false), unavailable),
            Id::Big5 => of_family!(Big5, big5::Encoder, unavailable),
            Id::EucJp => of_family!(EucJp, euc_jp::Encoder, unavailable),
            Id::Iso2022Jp => of_family!(Iso2022Jp, iso_2022_jp::Encoder::START, unavailable),
            Id::ShiftJis => of_family!(ShiftJis, shift_jis::Encoder, unavailable),
            Id::EucKr => of_family!(EucKr, euc_kr::Encoder, unavailable),
            Id::Replacement => Err(EncodeReason::NoEncoder),
            Id::Utf16be => Ok(Self::Utf16(utf_16::Encoder::new(ByteOrder::Big))),
            Id::Utf16le => Ok(Self::Utf16(utf_16::Encoder::new(ByteOrder::Little))),
            Id::XUserDefined => Ok(Self::XUserDefined(x_user_defined::Encoder)),
            Id::Latin1 => Ok(Self::Isomorphic(isomorphic::Encoder)),
            Id::UsAscii => Ok(Self::StrictAscii(strict_ascii::Encoder)),
            _ => Ok(Self::Utf8(utf_8::Encoder)),
        }
    }

    /// Creates the encoder of an encoding. Fails if there is none, or its family is disabled.
    #[inline(never)]
    pub(crate) fn new(encoding: Encoding) -> Result<Self, EncodeReason> {
        #[cfg(feature = "oem")]
        match (crate::beyond::oem::page(encoding), encoding.rare(), encoding.id()) {
            (Some(page), ..) => return Self::of_page(Page::of(page).ok_or(EncodeReason::OutOfMemory)?),
            (_, Some(kind), _) => return Ok(Self::Rare(super::rare::Encoder::new(kind))),
            (.., Id::Custom) => return Err(EncodeReason::NoEncoder),
            _ => {}
        }
        Self::of_standard(encoding.id())
    }

    /// Returns what [`new`](Self::new) does, where that is a constant. Small builds have none.
    ///
    /// See [`AnyDecoder::constant`].
    #[inline(always)]
    pub(crate) fn constant(encoding: Encoding) -> Option<&'static Result<Self, EncodeReason>> {
        static CONSTANTS: [Result<AnyEncoder, EncodeReason>; COUNT] = {
            let mut all = [AnyEncoder::of_standard(Id::Utf8); COUNT];
            let mut n = 0;
            while n < COUNT {
                all[n] = AnyEncoder::of_standard(WITH_NUMBERS[n].id());
                n += 1;
            }
            all
        };
        if cfg!(textcodec_small) { None } else { CONSTANTS.get(encoding.id() as usize) }
    }

    /// Creates the encoder of a page.
    #[cfg(feature = "oem")]
    pub(crate) fn of_page(page: &'static Page) -> Result<Self, EncodeReason> {
        let table = page.to_byte().ok_or(EncodeReason::OutOfMemory)?;
        Ok(match &page.order {
            Some(order) => Self::Permuted(permuted::Encoder::new(order, table)),
            None => Self::SingleByte(If::new(single_byte::Encoder::with(table)).map_err(unavailable)?),
        })
    }

    /// Whether a new encoder can represent a character. Changes its state.
    pub(crate) fn can_encode(&mut self, character: char) -> bool {
        !matches!(self.handle(Some(character), &mut None), EncodeStep::Error(_))
    }

    /// See [`Encode::handle`].
    pub(crate) fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        with_encoder!(self, codec => codec.handle(item, queue))
    }

    /// Starts again. `encoding` is the encoding of this encoder.
    pub(crate) fn reset(&mut self, encoding: Encoding) {
        match self {
            // They have no state, and maybe a table that `encoding` does not tell.
            Self::SingleByte(_) => {}
            #[cfg(feature = "oem")]
            Self::Permuted(_) => {}
            // Cannot fail: this encoder was created in the same way.
            _ => *self = Self::new(encoding).unwrap_or(Self::Utf8(utf_8::Encoder)),
        }
    }

    /// The character set that ISO-2022-JP has selected, as a number: 0 for ASCII, and in other encodings.
    pub(crate) fn selected(&self) -> u8 {
        #[cfg(feature = "oem")]
        if let Self::Rare(codec) = self {
            return match codec.selected() {
                0 => 0,
                selected => EncoderState::RARE + selected,
            };
        }
        if let Self::Iso2022Jp(codec) = self { codec.0.selected() } else { 0 }
    }

    /// Selects a character set of ISO-2022-JP other than ASCII; returns false in other encodings.
    pub(crate) fn select(&mut self, selected: u8) -> bool {
        #[cfg(feature = "oem")]
        if let Self::Rare(codec) = self {
            return selected > EncoderState::RARE && codec.select(selected - EncoderState::RARE);
        }
        let Self::Iso2022Jp(codec) = self else { return false };
        if !matches!(selected, 2 | 3) {
            return false;
        }
        codec.0.select(selected);
        true
    }

    /// See [`Encode::is_initial_state`].
    pub(crate) fn is_initial_state(&self) -> bool {
        with_encoder!(self, codec => codec.is_initial_state())
    }

    /// See [`Encode::COSTS`].
    pub(crate) fn costs(&self) -> Costs {
        fn of<E: Encode>(_: &E) -> Costs {
            E::COSTS
        }
        with_encoder!(self, codec => of(codec))
    }

    /// Converts a prefix of `src` by a kernel, and ends the text if that was all of the last chunk. Returns how many units were read,
    /// and whether nothing is left to do.
    #[inline]
    pub(crate) fn bulk<S: Source + ?Sized>(
        &mut self,
        kernels: &Kernels,
        src: &S,
        last: bool,
        out: &mut Out<'_, u8>,
    ) -> (usize, bool) {
        with_encoder!(self, codec => {
            let read = src.bulk(0, codec, kernels, out);
            (read, read == src.units() && (!last || codec.end(out)))
        })
    }

    /// Encodes a chunk by the loop. See [`EncodeState::encode`].
    #[inline]
    pub(crate) fn encode<S: Source + ?Sized>(
        &mut self,
        state: &mut EncodeState,
        call: &Call<'_, S, EncodePolicy>,
        out: &mut Out<'_, u8>,
    ) -> (usize, Stop<char>) {
        #[cfg(textcodec_small)]
        return state.encode(self, call, out);
        #[cfg(not(textcodec_small))]
        {
            let codec: &mut dyn super::drive::EncodeCodec<S> = with_encoder!(self, codec => codec);
            state.encode(codec, call, out)
        }
    }
}
