//! x-user-defined, section 14.5: ASCII, and bytes from 0x80 on as private-use characters.
//!
//! It has the kernels and the tables of single-byte encodings. Builds without these convert it item by item, except for ASCII.

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
};
#[cfg(all(feature = "single-byte", feature = "encoders"))]
use crate::index::single_byte_encode;
#[cfg(feature = "single-byte")]
use crate::index::{SINGLE_BYTE, X_USER_DEFINED};
use crate::kernel::{Kernels, Out};

/// Steps 2 and 3.
#[inline(always)]
fn unit(byte: u8) -> u16 {
    i16::from(byte.cast_signed()).cast_unsigned() & 0xF7FF
}

/// <https://encoding.spec.whatwg.org/#x-user-defined-decoder>
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoder;

impl Decode for Decoder {
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

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        items.each(src, stretch, |items, rest| match rest.first() {
            None => 0,
            Some(0x00..=0x7F) => items.ascii(rest),
            Some(&byte) => items.unit(unit(byte), 1),
        })
    }

    /// In small builds, by the table kernel that is there anyway.
    #[cfg(all(feature = "single-byte", textcodec_small))]
    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        (kernels.utf16().single_byte_to_utf16)(&SINGLE_BYTE[X_USER_DEFINED], src, out)
    }

    /// Uses arithmetic, which compilers vectorize, in place of the table kernel: cell
    /// `hostile/decode/x-user-defined/utf-16/replace/4KiB/ascii*20+private`.
    #[cfg(not(all(feature = "single-byte", textcodec_small)))]
    #[inline]
    fn bulk_utf16(&mut self, _: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        let (steps, _) = src.as_chunks::<32>();
        let whole = steps.iter().take_while(|step| out.extend(&step.map(unit))).count() * 32;
        whole + src[whole..].iter().take_while(|&&byte| out.push(unit(byte))).count()
    }

    #[cfg(feature = "single-byte")]
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_to_utf8)(&SINGLE_BYTE[X_USER_DEFINED], src, out)
    }

    #[cfg(not(feature = "single-byte"))]
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        (kernels.ascii_copy)(src, out)
    }
}

/// <https://encoding.spec.whatwg.org/#x-user-defined-encoder>
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    const ASCII: bool = true;
    const COSTS: Costs = Costs::new(32, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        match item {
            None => EncodeStep::Finished,                           // 1.
            Some(c @ '\0'..='\x7F') => EncodeStep::emit([c as u8]), // 2.
            Some(c @ '\u{F780}'..='\u{F7FF}') => EncodeStep::emit([(u32::from(c) - 0xF780 + 0x80) as u8]), // 3.
            Some(c) => EncodeStep::Error(c),                        // 4.
        }
    }

    #[cfg(all(feature = "single-byte", feature = "encoders"))]
    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16().single_byte_from_utf16)(single_byte_encode(X_USER_DEFINED), src, out)
    }

    #[cfg(all(feature = "single-byte", feature = "encoders"))]
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_from_utf8)(single_byte_encode(X_USER_DEFINED), src, out)
    }

    #[cfg(not(all(feature = "single-byte", feature = "encoders")))]
    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.utf16().ascii_from_utf16)(src, out)
    }

    #[cfg(not(all(feature = "single-byte", feature = "encoders")))]
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        (kernels.ascii_copy)(src.as_bytes(), out)
    }
}
