//! True ISO-8859-1, the Infra Standard's "isomorphic": byte n is U+0000 plus n.
//!
//! It is not an encoding of the standard, where the label "iso-8859-1" means windows-1252.

use super::{Decode, Encode, EncodeStep, Replay, Step, items::Items, sink::Unit};
use crate::kernel::{Kernels, Out};

/// Maps every byte to the code point of the same value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        byte.map_or(Step::Finished, |byte| Step::Emit(byte.into()))
    }

    fn is_neutral(&self) -> bool {
        true
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| rest.first().map_or(0, |&byte| items.unit(byte.into(), 1)))
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.utf16().latin1_to_utf16)(src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.latin1_to_utf8)(src, out)
    }
}

/// Maps characters up to U+00FF to bytes of the same value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        match item {
            None => EncodeStep::Finished,
            Some(c) => u8::try_from(c).map_or(EncodeStep::Error(c), |byte| EncodeStep::emit([byte])),
        }
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16().latin1_from_utf16)(src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        (kernels.latin1_from_utf8)(src.as_bytes(), out)
    }
}
