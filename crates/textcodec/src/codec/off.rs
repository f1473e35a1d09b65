//! The codec in place of those that this build lacks, so that they are not compiled. [`If`](super::feature::If) has no values
//! for it, so nothing calls it.

use super::{Decode, Encode, EncodeStep, Replay, Step, items::Items, sink::Unit};
use crate::kernel::{Kernels, Out};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder {}

impl Decoder {
    pub(crate) const START: Self = Self {};

    pub(crate) const fn new(_: u8) -> Self {
        Self {}
    }

    pub(crate) fn reject_controls(&mut self) {}

    pub(crate) fn discard_sequence(&mut self) {}

    pub(crate) fn selected(self) -> u8 {
        0
    }

    pub(crate) fn select(&mut self, _: u8) {}
}

impl Decode for Decoder {
    fn handle(&mut self, _: Option<u8>, _: &mut Replay) -> Step {
        Step::Finished
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn items<U: Unit>(&mut self, _: &[u8], _: usize, _: &mut Items<'_, '_, U>) -> usize {
        0
    }

    #[inline]
    fn bulk_utf16(&mut self, _: &Kernels, _: &[u8], _: &mut Out<'_, u16>) -> usize {
        0
    }

    fn bulk_utf8(&mut self, _: &Kernels, _: &[u8], _: &mut Out<'_, u8>) -> usize {
        0
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder;

impl Encoder {
    pub(crate) const START: Self = Self;

    pub(crate) const fn new<T: Copy>(_: T) -> Self {
        Self
    }

    pub(crate) fn selected(self) -> u8 {
        0
    }

    pub(crate) fn select(&mut self, _: u8) {}
}

impl Encode for Encoder {
    const ASCII: bool = true;

    fn handle(&mut self, _: Option<char>, _: &mut Option<char>) -> EncodeStep {
        EncodeStep::Finished
    }

    #[inline]
    fn bulk_utf16(&mut self, _: &Kernels, _: &[u16], _: &mut Out<'_, u8>) -> usize {
        0
    }

    fn bulk_utf8(&mut self, _: &Kernels, _: &str, _: &mut Out<'_, u8>) -> usize {
        0
    }
}
