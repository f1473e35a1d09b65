//! Section 11: the legacy multi-byte Chinese (traditional) encoding, Big5.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::{BIG5, big5_pointer},
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#big5-decoder>
#[derive(Clone, Debug, Default)]
pub struct Big5Decoder {
    leading: u8,
}

impl Handler<u8, char> for Big5Decoder {
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
            let offset = if byte < 0x7F { 0x40 } else { 0x62 }; // 3.1.
            if (0x40..=0x7E).contains(&byte) || (0xA1..=0xFE).contains(&byte) {
                pointer = Some((u32::from(leading) - 0x81) * 157 + (u32::from(byte) - offset)); // 3.2.
            }
            match pointer {
                Some(1133) => return items(['\u{00CA}', '\u{0304}']),
                Some(1135) => return items(['\u{00CA}', '\u{030C}']),
                Some(1164) => return items(['\u{00EA}', '\u{0304}']),
                Some(1166) => return items(['\u{00EA}', '\u{030C}']),
                _ => {}
            } // 3.3.
            let code_point = pointer.and_then(|pointer| BIG5.code_point(pointer)); // 3.4.
            if let Some(code_point) = code_point {
                return items([code_point]); // 3.5.
            }
            if byte.is_ascii() {
                io_queue.restore(item); // 3.6.
            }
            return Error(None); // 3.7.
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

/// <https://encoding.spec.whatwg.org/#big5-encoder>
#[derive(Clone, Debug, Default)]
pub struct Big5Encoder;

impl Handler<char, u8> for Big5Encoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        let pointer = big5_pointer(code_point); // 3.
        let Some(pointer) = pointer else {
            return Error(Some(code_point)); // 4.
        };
        let leading = pointer / 157 + 0x81; // 5.
        let trailing = pointer % 157; // 6.
        let offset = if trailing < 0x3F { 0x40 } else { 0x62 }; // 7.
        items([leading as u8, (trailing + offset) as u8]) // 8.
    }
}
