//! US-ASCII and nothing else. It is not an encoding of the standard, where the label "us-ascii" means windows-1252.

use super::{Decode, Encode, EncodeStep, Replay, Step, items::Items, sink::Unit};
use crate::{
    conversion::DecodeReason,
    kernel::{Kernels, Out},
};

/// Reports bytes from 0x80 on as errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        match byte {
            None => Step::Finished,
            Some(byte @ 0x00..=0x7F) => Step::Emit(byte.into()),
            Some(_) => Step::Error(DecodeReason::InvalidByte),
        }
    }

    fn is_neutral(&self) -> bool {
        true
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| match rest.first() {
            None => 0,
            Some(0x00..=0x7F) => items.ascii(rest),
            Some(_) => items.error(1, DecodeReason::InvalidByte),
        })
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.utf16().ascii_to_utf16)(src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.ascii_copy)(src, out)
    }
}

/// Reports characters from U+0080 on as errors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        match item {
            None => EncodeStep::Finished,
            Some(c @ '\0'..='\x7F') => EncodeStep::emit([c as u8]),
            Some(c) => EncodeStep::Error(c),
        }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16().ascii_from_utf16)(src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        (kernels.ascii_copy)(src.as_bytes(), out)
    }
}
