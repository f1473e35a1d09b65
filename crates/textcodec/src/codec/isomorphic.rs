//! True ISO-8859-1, which the Infra Standard calls isomorphic: byte n is U+0000 plus n. Not an encoding of the standard,
//! whose label "iso-8859-1" means windows-1252.

use super::{Decode, Encode, EncodeStep, Replay, Step};
use crate::kernel::{Kernels, Out, single_byte::Upper};

/// The code points of the bytes 0x80 to 0xFF.
static UPPER: Upper = {
    let mut upper = [0; 128];
    let mut n = 0;
    while n < 128 {
        upper[n] = 0x80 + n as u16;
        n += 1;
    }
    upper
};

/// Every byte is a character.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    const ASCII: bool = true;

    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        byte.map_or(Step::Finished, |byte| Step::Emit(byte.into()))
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.single_byte_to_utf16)(&UPPER, src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_to_utf8)(&UPPER, src, out)
    }
}

/// Characters up to U+00FF are bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const BYTES_PER_UNIT: usize = 1;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        match item {
            None => EncodeStep::Finished,
            Some(c) => u8::try_from(c).map_or(EncodeStep::Error(c), |byte| EncodeStep::emit([byte])),
        }
    }

    fn bulk_utf16(&mut self, _: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        src.iter().take_while(|&&unit| u8::try_from(unit).is_ok_and(|byte| out.push(byte))).count()
    }
}
