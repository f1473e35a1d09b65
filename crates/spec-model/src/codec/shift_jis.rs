//! Section 12.3: `Shift_JIS`.

use super::code_point;
use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::{JIS0208, shift_jis_pointer},
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#shift_jis-decoder>
#[derive(Clone, Debug, Default)]
pub struct ShiftJisDecoder {
    leading: u8,
}

impl Handler<u8, char> for ShiftJisDecoder {
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
            let offset = if byte < 0x7F { 0x40 } else { 0x41 }; // 3.1.
            let leading_offset = if leading < 0xA0 { 0x81 } else { 0xC1 }; // 3.2.
            if (0x40..=0x7E).contains(&byte) || (0x80..=0xFC).contains(&byte) {
                pointer = Some((u32::from(leading) - leading_offset) * 188 + u32::from(byte) - offset); // 3.3.
            }
            if let Some(pointer @ 8836..=10715) = pointer {
                return items([code_point(0xE000 - 8836 + pointer)]); // 3.4.
            }
            let code_point = pointer.and_then(|pointer| JIS0208.code_point(pointer)); // 3.5.
            if let Some(code_point) = code_point {
                return items([code_point]); // 3.6.
            }
            if byte.is_ascii() {
                io_queue.restore(item); // 3.7.
            }
            return Error(None); // 3.8.
        }
        if byte.is_ascii() || byte == 0x80 {
            return items([char::from(byte)]); // 4.
        }
        if (0xA1..=0xDF).contains(&byte) {
            return items([code_point(0xFF61 - 0xA1 + u32::from(byte))]); // 5.
        }
        if (0x81..=0x9F).contains(&byte) || (0xE0..=0xFC).contains(&byte) {
            self.leading = byte;
            return Continue; // 6.
        }
        Error(None) // 7.
    }

    fn is_neutral(&self) -> bool {
        self.leading == 0x00
    }
}

/// <https://encoding.spec.whatwg.org/#shift_jis-encoder>
#[derive(Clone, Debug, Default)]
pub struct ShiftJisEncoder;

impl Handler<char, u8> for ShiftJisEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(mut code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() || code_point == '\u{0080}' {
            return items([code_point as u8]); // 2.
        }
        if code_point == '\u{00A5}' {
            return items([0x5C]); // 3.
        }
        if code_point == '\u{203E}' {
            return items([0x7E]); // 4.
        }
        if ('\u{FF61}'..='\u{FF9F}').contains(&code_point) {
            return items([(u32::from(code_point) - 0xFF61 + 0xA1) as u8]); // 5.
        }
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}'; // 6.
        }
        let pointer = shift_jis_pointer(code_point); // 7.
        let Some(pointer) = pointer else {
            return Error(Some(code_point)); // 8.
        };
        let leading = pointer / 188; // 9.
        let leading_offset = if leading < 0x1F { 0x81 } else { 0xC1 }; // 10.
        let trailing = pointer % 188; // 11.
        let offset = if trailing < 0x3F { 0x40 } else { 0x41 }; // 12.
        items([(leading + leading_offset) as u8, (trailing + offset) as u8]) // 13.
    }
}
