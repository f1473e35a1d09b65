//! Section 13: the legacy multi-byte Korean encoding, EUC-KR.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::EUC_KR,
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#euc-kr-decoder>
#[derive(Clone, Debug, Default)]
pub struct EucKrDecoder {
    leading: u8,
}

impl Handler<u8, char> for EucKrDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            if self.leading != 0x00 {
                self.leading = 0x00;
                return Error(None); // 1.
            }
            return Finished; // 2.
        };
        if self.leading != 0x00 {
            let leading = self.leading;
            let mut pointer = None;
            self.leading = 0x00; // 3.
            if (0x41..=0xFE).contains(&byte) {
                pointer = Some((u32::from(leading) - 0x81) * 190 + (u32::from(byte) - 0x41)); // 3.1.
            }
            let code_point = pointer.and_then(|pointer| EUC_KR.code_point(pointer)); // 3.2.
            if let Some(code_point) = code_point {
                return items([code_point]); // 3.3.
            }
            if byte.is_ascii() {
                io_queue.restore(item); // 3.4.
            }
            return Error(None); // 3.5.
        }
        if byte.is_ascii() {
            return items([char::from(byte)]); // 4.
        }
        if (0x81..=0xFE).contains(&byte) {
            self.leading = byte;
            return Continue; // 5.
        }
        Error(None) // 6.
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0x00
    }
}

/// <https://encoding.spec.whatwg.org/#euc-kr-encoder>
#[derive(Clone, Debug, Default)]
pub struct EucKrEncoder;

impl Handler<char, u8> for EucKrEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        let pointer = EUC_KR.pointer(code_point); // 3.
        let Some(pointer) = pointer else {
            return Error(Some(code_point)); // 4.
        };
        let leading = pointer / 190 + 0x81; // 5.
        let trailing = pointer % 190 + 0x41; // 6.
        items([leading as u8, trailing as u8]) // 7.
    }
}
