//! For small builds: implements [`Decode`] for [`AnyDecoder`] and [`Encode`] for [`AnyEncoder`], so that one loop is compiled
//! for all codecs instead of one for each. Kernel calls cost the same; each step of a handler costs a dispatch.

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    any::{AnyDecoder, AnyEncoder, with_decoder, with_encoder},
    feature::If,
    items::Items,
    sink::Unit,
};
use crate::{
    error::Reason,
    kernel::{Kernels, Out},
};

impl Decode for AnyDecoder {
    /// The default of `true` is not worth its code size.
    const ASCII: bool = false;
    const KERNEL_CALL: usize = 32;

    fn unread(&self, reason: Reason, read: usize) -> usize {
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

    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        with_decoder!(self, codec => codec.items(src, stretch, items))
    }

    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        with_decoder!(self, codec => codec.bulk_utf16(kernels, src, out))
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        with_decoder!(self, codec => codec.bulk_utf8(kernels, src, out))
    }
}

impl Encode for AnyEncoder {
    /// Not used: each encoder's `bulk_utf8` has its own constant.
    const ASCII: bool = false;
    /// The maximum of all encoders: that of ISO-2022-JP.
    const MIN_ITEM_CAPACITY: usize = 13;

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        with_encoder!(self, codec => codec.handle(item, queue))
    }

    fn is_initial_state(&self) -> bool {
        with_encoder!(self, codec => codec.is_initial_state())
    }

    fn unmappable(&self, character: char) -> Option<char> {
        with_encoder!(self, codec => codec.unmappable(character))
    }

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
