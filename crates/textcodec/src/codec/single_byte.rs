//! The legacy single-byte encodings, section 9: one decoder and one encoder, driven by an index for each encoding. The indexes may
//! be from elsewhere: see [`crate::beyond::page`].

use super::{
    Decode, Encode, EncodeStep, Replay, Step, code_point,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
};
use crate::{
    conversion::DecodeReason,
    index,
    kernel::{
        Kernels, Out,
        tables::{ToByte, UpperHalf},
    },
};

/// The index of a decoder.
#[cfg(not(any(textcodec_small, feature = "packed-tables")))]
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(PartialEq))]
struct Index(&'static UpperHalf);

#[cfg(not(any(textcodec_small, feature = "packed-tables")))]
impl Index {
    const fn of_row(row: u8) -> Self {
        Self(&index::SINGLE_BYTE[row as usize])
    }

    #[cfg(feature = "oem")]
    fn of_page(page: &'static UpperHalf) -> Self {
        Self(page)
    }

    #[inline(always)]
    fn get(self) -> &'static UpperHalf {
        self.0
    }
}

/// The index of a decoder: a constant cannot refer to one that is unpacked at first use.
#[cfg(any(textcodec_small, feature = "packed-tables"))]
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(PartialEq))]
enum Index {
    /// The row of section 9's table.
    Row(u8),
    #[cfg(feature = "oem")]
    Page(&'static UpperHalf),
}

#[cfg(any(textcodec_small, feature = "packed-tables"))]
impl Index {
    const fn of_row(row: u8) -> Self {
        Self::Row(row)
    }

    #[cfg(feature = "oem")]
    fn of_page(page: &'static UpperHalf) -> Self {
        Self::Page(page)
    }

    #[inline(always)]
    fn get(self) -> &'static UpperHalf {
        match self {
            Self::Row(row) => &index::SINGLE_BYTE[usize::from(row)],
            #[cfg(feature = "oem")]
            Self::Page(page) => page,
        }
    }
}

/// <https://encoding.spec.whatwg.org/#single-byte-decoder>
#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct Decoder {
    index: Index,
    /// See [`reject_controls`](Self::reject_controls).
    rejects_controls: bool,
}

impl Decoder {
    /// `row` is the row of the index in section 9's table.
    pub(crate) const fn new(row: u8) -> Self {
        Self { index: Index::of_row(row), rejects_controls: false }
    }

    #[cfg(feature = "oem")]
    pub(crate) fn with(page: &'static UpperHalf) -> Self {
        Self { index: Index::of_page(page), rejects_controls: false }
    }

    #[inline(always)]
    fn index(self) -> &'static UpperHalf {
        self.index.get()
    }

    /// Makes bytes malformed that decode to C1 controls.
    pub(crate) fn reject_controls(&mut self) {
        self.rejects_controls = true;
    }

    /// Returns the prefix of `src` that kernels and items may convert: at most `limit` bytes if the rest must be searched, so that
    /// a call does not search more than it converts. In small builds, it is empty then.
    #[inline(always)]
    fn convertible(self, src: &[u8], limit: usize) -> &[u8] {
        if self.rejects_controls { self.before_rejected(&src[..src.len().min(limit)]) } else { src }
    }

    #[cold]
    fn before_rejected(self, src: &[u8]) -> &[u8] {
        if cfg!(textcodec_small) {
            return &[];
        }
        let index = self.index();
        let is_control = |&byte: &u8| byte >= 0x80 && matches!(index.get(usize::from(byte - 0x80)), 0x80..=0x9F);
        &src[..src.iter().position(is_control).unwrap_or(src.len())]
    }
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(32, Useful::NonAscii);

    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        match byte {
            None => Step::Finished,                              // 1.
            Some(byte @ 0x00..=0x7F) => Step::Emit(byte.into()), // 2.
            Some(byte) => match code_point(self.index().get(usize::from(byte - 0x80))) {
                None => Step::Error(DecodeReason::InvalidByte), // 4.
                // Not in the standard.
                Some('\u{80}'..='\u{9F}') if self.rejects_controls => Step::Error(DecodeReason::InvalidByte),
                Some(code_point) => Step::Emit(code_point), // 5.
            },
        }
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn is_malformed(&self, byte: u8) -> bool {
        byte >= 0x80 && code_point(self.index().get(usize::from(byte - 0x80))).is_none()
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        let index = self.index();
        items.each(self.convertible(src, stretch), stretch, |items, rest| match rest.first() {
            None => 0,
            Some(0x00..=0x7F) => items.ascii(rest),
            Some(byte) => match index.get(usize::from(byte - 0x80)) {
                0 => items.error(1, DecodeReason::InvalidByte),
                unit => items.units(
                    unit,
                    1,
                    rest[1..].iter().map_while(|&byte| match byte {
                        0x00..=0x7F => Some(byte.into()),
                        _ => Some(index.get(usize::from(byte - 0x80))).filter(|&unit| unit != 0),
                    }),
                ),
            },
        })
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.utf16().single_byte_to_utf16)(self.index(), self.convertible(src, out.spare_len()), out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_to_utf8)(self.index(), self.convertible(src, out.spare_len()), out)
    }
}

/// <https://encoding.spec.whatwg.org/#single-byte-encoder>
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    /// The row of the index in section 9's table.
    row: u8,
    /// The table in its place.
    #[cfg(feature = "oem")]
    page: Option<&'static ToByte>,
}

impl Encoder {
    /// `row` is the row of the index in section 9's table.
    pub(crate) const fn new(row: u8) -> Self {
        Self {
            row,
            #[cfg(feature = "oem")]
            page: None,
        }
    }

    #[cfg(feature = "oem")]
    pub(crate) fn with(page: &'static ToByte) -> Self {
        Self { row: 0, page: Some(page) }
    }

    fn table(self) -> &'static ToByte {
        #[cfg(feature = "oem")]
        if let Some(page) = self.page {
            return page;
        }
        index::single_byte_encode(self.row.into())
    }
}

impl Encode for Encoder {
    const ASCII: bool = true;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished }; // 1.
        if code_point.is_ascii() {
            return EncodeStep::emit([code_point as u8]); // 2.
        }
        match u16::try_from(u32::from(code_point)).ok().and_then(|unit| self.table().get(unit)) {
            None => EncodeStep::Error(code_point),  // 4.
            Some(byte) => EncodeStep::emit([byte]), // 5.
        }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16().single_byte_from_utf16)(self.table(), src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_from_utf8)(self.table(), src, out)
    }
}
