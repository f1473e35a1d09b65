//! x-user-defined, section 14.5: ASCII, and bytes from 0x80 on as private-use characters.

use super::{
    Decode, Encode, EncodeStep, Replay, Step,
    items::Items,
    progress::{Costs, Useful},
    sink::Unit,
};
use crate::kernel::{
    Kernels, Out,
    tables::{CommonRows, ToByte, UpperHalf},
};

/// The code points of the bytes 0x80 to 0xFF.
static UPPER: UpperHalf = UpperHalf::from(0xF780);

/// The bytes of these code points.
static TO_BYTE: ToByte = {
    static COMMON_ROWS: CommonRows = CommonRows::new([0, 0, 0xF780 >> 7, 0], &UPPER);
    static BLOCKS: [[u8; 64]; 3] = {
        let mut blocks = [[0; 64]; 3];
        let mut n = 0;
        while n < 128 {
            blocks[1 + n / 64][n % 64] = 0x80 + n as u8;
            n += 1;
        }
        blocks
    };
    static STAGES: [u8; 1024] = {
        let mut stages = [0; 1024];
        stages[0xF780 >> 6] = 1;
        stages[(0xF780 >> 6) + 1] = 2;
        stages
    };
    ToByte { stages: &STAGES, blocks: &BLOCKS, common: &COMMON_ROWS }
};

/// Steps 2 and 3.
#[inline(always)]
fn unit(byte: u8) -> u16 {
    i16::from(byte.cast_signed()).cast_unsigned() & 0xF7FF
}

/// <https://encoding.spec.whatwg.org/#x-user-defined-decoder>
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

    /// Uses arithmetic, which compilers vectorize. With the table kernel,
    /// `hostile/decode/x-user-defined/utf-16/replace/4KiB/ascii*20+private` takes 3.9 times as long.
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        if cfg!(textcodec_small) {
            return (kernels.single_byte_to_utf16)(&UPPER, src, out);
        }
        let (steps, _) = src.as_chunks::<32>();
        let whole = steps.iter().take_while(|step| out.extend(&step.map(unit))).count() * 32;
        whole + src[whole..].iter().take_while(|&&byte| out.push(unit(byte))).count()
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
    const COSTS: Costs = Costs::new(32, Useful::NonAscii);

    fn handle(&mut self, item: Option<char>, _: &mut Option<char>) -> EncodeStep {
        match item {
            None => EncodeStep::Finished,                           // 1.
            Some(c @ '\0'..='\x7F') => EncodeStep::emit([c as u8]), // 2.
            Some(c @ '\u{F780}'..='\u{F7FF}') => EncodeStep::emit([(u32::from(c) - 0xF780 + 0x80) as u8]), // 3.
            Some(c) => EncodeStep::Error(c),                        // 4.
        }
    }

    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_from_utf16)(&TO_BYTE, src, out)
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        (kernels.single_byte_from_utf8)(&TO_BYTE, src, out)
    }
}
