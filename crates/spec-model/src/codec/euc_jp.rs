//! Section 12.1: EUC-JP.

use super::code_point;
use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::{JIS0208, JIS0212},
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#euc-jp-decoder>
#[derive(Clone, Debug, Default)]
pub struct EucJpDecoder {
    jis0212: bool,
    leading: u8,
}

impl Handler<u8, char> for EucJpDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            if self.leading != 0x00 {
                self.leading = 0x00;
                return Error(None); // 1.
            }
            return Finished; // 2.
        };
        if self.leading == 0x8E && (0xA1..=0xDF).contains(&byte) {
            self.leading = 0x00;
            return items([code_point(0xFF61 - 0xA1 + u32::from(byte))]); // 3.
        }
        if self.leading == 0x8F && (0xA1..=0xFE).contains(&byte) {
            self.jis0212 = true;
            self.leading = byte;
            return Continue; // 4.
        }
        if self.leading != 0x00 {
            let leading = self.leading;
            self.leading = 0x00; // 5.
            let mut code_point = None; // 5.1.
            if (0xA1..=0xFE).contains(&leading) && (0xA1..=0xFE).contains(&byte) {
                let pointer = (u32::from(leading) - 0xA1) * 94 + u32::from(byte) - 0xA1;
                code_point = if self.jis0212 { &JIS0212 } else { &JIS0208 }.code_point(pointer); // 5.2.
            }
            self.jis0212 = false; // 5.3.
            if let Some(code_point) = code_point {
                return items([code_point]); // 5.4.
            }
            if byte.is_ascii() {
                io_queue.restore(item); // 5.5.
            }
            return Error(None); // 5.6.
        }
        if byte.is_ascii() {
            return items([char::from(byte)]); // 6.
        }
        if matches!(byte, 0x8E | 0x8F | 0xA1..=0xFE) {
            self.leading = byte;
            return Continue; // 7.
        }
        Error(None) // 8.
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0x00
    }
}

/// <https://encoding.spec.whatwg.org/#euc-jp-encoder>
#[derive(Clone, Debug, Default)]
pub struct EucJpEncoder;

impl Handler<char, u8> for EucJpEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(mut code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        if code_point == '\u{00A5}' {
            return items([0x5C]); // 3.
        }
        if code_point == '\u{203E}' {
            return items([0x7E]); // 4.
        }
        if ('\u{FF61}'..='\u{FF9F}').contains(&code_point) {
            return items([0x8E, (u32::from(code_point) - 0xFF61 + 0xA1) as u8]); // 5.
        }
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}'; // 6.
        }
        let pointer = JIS0208.pointer(code_point); // 7.
        let Some(pointer) = pointer else {
            return Error(Some(code_point)); // 8.
        };
        let leading = pointer / 94 + 0xA1; // 9.
        let trailing = pointer % 94 + 0xA1; // 10.
        items([leading as u8, trailing as u8]) // 11.
    }
}
