//! x-user-defined, section 14.5: the upper half is a run of private-use characters.

use super::{Decode, Encode, EncodeStep, Replay, Step};
use crate::kernel::{Kernels, Out, single_byte::Upper};

/// The code points of the bytes 0x80 to 0xFF.
static UPPER: Upper = Upper::from(0xF780);

/// <https://encoding.spec.whatwg.org/#x-user-defined-decoder>
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    const ASCII: bool = true;

    fn handle(&mut self, byte: Option<u8>, _: &mut Replay) -> Step {
        match byte {
            None => Step::Finished,                                            // 1.
            Some(byte @ 0x00..=0x7F) => Step::Emit(byte.into()),               // 2.
            Some(byte) => Step::scalar_value(0xF780 + u32::from(byte) - 0x80), // 3.
        }
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

/// <https://encoding.spec.whatwg.org/#x-user-defined-encoder>
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const BYTES_PER_UNIT: usize = 1;

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        match item {
            None => EncodeStep::Finished,                           // 1.
            Some(c @ '\0'..='\x7F') => EncodeStep::emit([c as u8]), // 2.
            Some(c @ '\u{F780}'..='\u{F7FF}') => EncodeStep::emit([(u32::from(c) - 0xF780 + 0x80) as u8]), // 3.
            Some(c) => EncodeStep::Error(c),                        // 4.
        }
    }

    fn bulk_utf16(&mut self, _: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        let byte = |unit: u16| match unit {
            0..=0x7F => Some(unit as u8),
            0xF780..=0xF7FF => Some((unit - 0xF700) as u8),
            _ => None,
        };
        src.iter().take_while(|&&unit| byte(unit).is_some_and(|byte| out.push(byte))).count()
    }
}
