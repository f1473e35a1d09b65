//! replacement, section 14.1: the decoder for labels of encodings that must not be decoded. It has no encoder.

use super::{Decode, Replay, Step, items::Items, sink::Unit};
use crate::{
    conversion::DecodeReason,
    kernel::{Kernels, Out},
};

/// <https://encoding.spec.whatwg.org/#replacement-decoder>
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoder {
    error_returned: bool,
}

impl Decoder {
    /// The initial state.
    pub(crate) const START: Self = Self { error_returned: false };

    /// Changes the state to that after the error.
    pub(crate) fn resume(&mut self) {
        self.error_returned = true;
    }
}

impl Decode for Decoder {
    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        if byte.is_some() && !self.error_returned {
            self.error_returned = true;
            return Step::Error(DecodeReason::Replacement); // 2.
        }
        Step::Finished // 1, 3.
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn is_initial_state(&self) -> bool {
        !self.error_returned
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
