//! Single-byte encodings whose bytes are in another order than ASCII and an upper half: EBCDIC, and some tables of one's own.
//!
//! Kernels change the order of the bytes, and convert them as those of `single_byte.rs`. What these cannot represent, the handlers
//! look up in the page itself: characters that do not fit into the upper half, and ASCII that the page lacks.

use core::mem::MaybeUninit;

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
    source::Source,
};
use crate::{
    beyond::page::{Order, Page},
    conversion::DecodeReason,
    kernel::{
        Kernels, Out,
        tables::{ToByte, UpperHalf},
    },
};

/// Bytes in a block.
const BLOCK: usize = 1024;
/// The first block of a call. After a block that is converted completely, the next one is four times as long, so that a kernel that
/// stops early has not changed the order of many bytes in vain.
const FIRST_BLOCK: usize = 1024;

/// A block of bytes in the order of the upper half.
struct Block {
    bytes: [MaybeUninit<u8>; BLOCK],
    size: usize,
}

impl Block {
    fn new() -> Self {
        Self { bytes: [const { MaybeUninit::uninit() }; BLOCK], size: FIRST_BLOCK }
    }

    fn grow(&mut self) {
        self.size = BLOCK.min(self.size * 4);
    }
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(crate) struct Decoder {
    order: &'static Order,
    upper: &'static UpperHalf,
}

impl Decoder {
    pub(crate) fn new(page: &'static Page, order: &'static Order) -> Self {
        Self { order, upper: &page.upper }
    }
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(32, Useful::NonAscii);

    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        match byte.map(|byte| self.order.code_point(byte)) {
            None => Step::Finished,
            Some(None) => Step::Error(DecodeReason::InvalidByte),
            Some(Some(code_point)) => Step::Emit(code_point),
        }
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn is_malformed(&self, byte: u8) -> bool {
        self.order.code_point(byte).is_none()
    }

    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        let order = self.order;
        items.each(src, stretch, |items, rest| match rest.first().map(|&byte| order.code_point(byte)) {
            None => 0,
            Some(None) => items.error(1, DecodeReason::InvalidByte),
            Some(Some(code_point)) => items.character(code_point, 1),
        })
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        kernels.permuted_to_utf16(&self.order.to, self.upper, src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        kernels.permuted_to_utf8(&self.order.to, self.upper, src, out)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    order: &'static Order,
    table: &'static ToByte,
}

impl Encoder {
    pub(crate) fn new(order: &'static Order, table: &'static ToByte) -> Self {
        Self { order, table }
    }

    /// Converts a prefix of `src` by a kernel. `units` returns the length in units of a number of characters.
    #[inline(always)]
    fn bulk<S: Source + ?Sized>(
        &self,
        kernels: &Kernels,
        src: &S,
        out: &mut Out<'_, u8>,
        kernel: impl Fn(&ToByte, &S, &mut Out<'_, u8>) -> usize,
        units: impl Fn(&S, usize) -> usize,
    ) -> usize {
        let (mut block, mut read) = (Block::new(), 0);
        while read < src.units() {
            let len = block.size.min(out.spare_len());
            let mut stage = Out::uninit(&mut block.bytes[..len]);
            let rest = src.rest(read);
            let taken = kernel(self.table, rest, &mut stage);
            let bytes = stage.written();
            let missing =
                if self.order.has_ascii() { None } else { bytes.iter().position(|&byte| self.order.lacks(byte)) };
            let bytes = &bytes[..missing.unwrap_or(bytes.len())];
            read += if missing.is_some() { units(rest, bytes.len()) } else { taken };
            (kernels.permute)(&self.order.from, bytes, out);
            if bytes.len() < block.size {
                break;
            }
            block.grow();
        }
        read
    }
}

impl Encode for Encoder {
    const ASCII: bool = false;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else { return EncodeStep::Finished };
        let unit = u16::try_from(u32::from(code_point)).ok();
        match unit.and_then(|unit| self.order.byte(unit, self.table)) {
            None => EncodeStep::Error(code_point),
            Some(byte) => EncodeStep::emit([byte]),
        }
    }

    const WIDENS: bool = true;

    fn widen(&self, ascii: u8) -> ([u8; 2], usize) {
        ([self.order.from[usize::from(ascii)], 0], 1)
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        self.bulk(kernels, src, out, kernels.utf16().single_byte_from_utf16, |_, characters| characters)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        let bytes = |src: &str, characters| src.chars().take(characters).map(char::len_utf8).sum();
        self.bulk(kernels, src, out, kernels.single_byte_from_utf8, bytes)
    }
}
