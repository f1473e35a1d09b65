//! In small builds, the enum of all decoders is a decoder itself, and that of all encoders an encoder. So the loop, items and bulk
//! conversion are compiled once, not for each codec.

use super::{AnyDecoder, AnyEncoder};
use crate::{
    codec::{
        Decode, Encode, EncodeStep, Replay, Step,
        feature::If,
        items::Items,
        progress::{Costs, Useful},
        sink::Unit,
    },
    conversion::DecodeReason,
    kernel::{Kernels, Out, tables::ToBytes},
};

impl Decode for AnyDecoder {
    /// All, although it depends on the decoder. The loop of small builds then needs no code that counts non-ASCII bytes.
    const COSTS: Costs = Costs::new(32, Useful::All);

    fn unread(&self, reason: DecodeReason, read: usize) -> usize {
        with_decoder!(self, codec => codec.unread(reason, read))
    }

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        with_decoder!(self, codec => codec.handle(byte, queue))
    }

    fn is_neutral(&self) -> bool {
        with_decoder!(self, codec => codec.is_neutral())
    }

    fn is_initial_state(&self) -> bool {
        with_decoder!(self, codec => codec.is_initial_state())
    }

    fn cannot_unread(&self) -> bool {
        with_decoder!(self, codec => codec.cannot_unread())
    }

    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        with_decoder!(self, codec => codec.items(src, stretch, items))
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        with_decoder!(self, codec => codec.bulk_utf16(kernels, src, out))
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        with_decoder!(self, codec => codec.bulk_utf8(kernels, src, out))
    }
}

impl Encode for AnyEncoder {
    /// False, because it depends on the encoder. The loop of small builds then treats ASCII like other characters. Each
    /// encoder's `bulk_utf8` uses its own constant.
    const ASCII: bool = false;
    /// The maximum of all encoders: that of ISO-2022-JP, or of the encodings of feature `oem`.
    const MIN_ITEM_CAPACITY: usize = if cfg!(feature = "oem") { 20 } else { 13 };

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        Self::handle(self, item, queue)
    }

    fn is_initial_state(&self) -> bool {
        with_encoder!(self, codec => codec.is_initial_state())
    }

    fn end(&mut self, out: &mut Out<'_, u8>) -> bool {
        with_encoder!(self, codec => codec.end(out))
    }

    fn unmappable(&self, character: char) -> Option<char> {
        with_encoder!(self, codec => codec.unmappable(character))
    }

    #[cfg(feature = "oem")]
    fn cannot_unread(&self, character: char) -> bool {
        with_encoder!(self, codec => codec.cannot_unread(character))
    }

    const WIDENS: bool = cfg!(feature = "oem");

    #[cfg(feature = "oem")]
    fn widen(&self, ascii: u8) -> ([u8; 2], usize) {
        with_encoder!(self, codec => codec.widen(ascii))
    }

    fn table(&self) -> Option<&'static ToBytes> {
        with_encoder!(self, codec => codec.table())
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        with_encoder!(self, codec => codec.bulk_utf16(kernels, src, out))
    }

    fn declines(&self, character: char) -> bool {
        with_encoder!(self, codec => codec.declines(character))
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        with_encoder!(self, codec => codec.bulk_utf8(kernels, src, out))
    }
}
