//! Section 8: UTF-8.

use super::code_point;
use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#utf-8-decoder>
#[derive(Clone, Debug)]
pub struct Utf8Decoder {
    code_point: u32,
    bytes_seen: u32,
    bytes_needed: u32,
    lower_boundary: u8,
    upper_boundary: u8,
}

impl Default for Utf8Decoder {
    fn default() -> Self {
        Self { code_point: 0, bytes_seen: 0, bytes_needed: 0, lower_boundary: 0x80, upper_boundary: 0xBF }
    }
}

impl Handler<u8, char> for Utf8Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            if self.bytes_needed != 0 {
                self.bytes_needed = 0;
                return Error(None); // 1.
            }
            return Finished; // 2.
        };
        if self.bytes_needed == 0 {
            // 3.
            match byte {
                0x00..=0x7F => return items([char::from(byte)]),
                0xC2..=0xDF => {
                    self.bytes_needed = 1; // 0xC2 to 0xDF, 1.
                    self.code_point = u32::from(byte & 0x1F); // 0xC2 to 0xDF, 2.
                }
                0xE0..=0xEF => {
                    if byte == 0xE0 {
                        self.lower_boundary = 0xA0; // 0xE0 to 0xEF, 1.
                    }
                    if byte == 0xED {
                        self.upper_boundary = 0x9F; // 0xE0 to 0xEF, 2.
                    }
                    self.bytes_needed = 2; // 0xE0 to 0xEF, 3.
                    self.code_point = u32::from(byte & 0xF); // 0xE0 to 0xEF, 4.
                }
                0xF0..=0xF4 => {
                    if byte == 0xF0 {
                        self.lower_boundary = 0x90; // 0xF0 to 0xF4, 1.
                    }
                    if byte == 0xF4 {
                        self.upper_boundary = 0x8F; // 0xF0 to 0xF4, 2.
                    }
                    self.bytes_needed = 3; // 0xF0 to 0xF4, 3.
                    self.code_point = u32::from(byte & 0x7); // 0xF0 to 0xF4, 4.
                }
                _ => return Error(None),
            }
            return Continue;
        }
        if !(self.lower_boundary..=self.upper_boundary).contains(&byte) {
            self.code_point = 0;
            self.bytes_needed = 0;
            self.bytes_seen = 0;
            self.lower_boundary = 0x80;
            self.upper_boundary = 0xBF; // 4.1.
            io_queue.restore(item); // 4.2.
            return Error(None); // 4.3.
        }
        self.lower_boundary = 0x80;
        self.upper_boundary = 0xBF; // 5.
        self.code_point = (self.code_point << 6) | u32::from(byte & 0x3F); // 6.
        self.bytes_seen += 1; // 7.
        if self.bytes_seen != self.bytes_needed {
            return Continue; // 8.
        }
        let value = self.code_point; // 9.
        self.code_point = 0;
        self.bytes_needed = 0;
        self.bytes_seen = 0; // 10.
        items([code_point(value)]) // 11.
    }

    fn is_neutral(&self) -> bool {
        self.bytes_needed == 0
    }
}

/// <https://encoding.spec.whatwg.org/#utf-8-encoder>
#[derive(Clone, Debug, Default)]
pub struct Utf8Encoder;

impl Handler<char, u8> for Utf8Encoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        let (mut count, offset) = match code_point {
            '\u{0000}'..='\u{007F}' => unreachable!("returned in step 2"),
            '\u{0080}'..='\u{07FF}' => (1, 0xC0),
            '\u{0800}'..='\u{FFFF}' => (2, 0xE0),
            '\u{10000}'..='\u{10FFFF}' => (3, 0xF0),
        }; // 3.
        let mut bytes = [0; 4];
        let mut len = 1;
        bytes[0] = (u32::from(code_point) >> (6 * count)) as u8 + offset; // 4.
        while count > 0 {
            let temp = u32::from(code_point) >> (6 * (count - 1)); // 5.1.
            bytes[len] = 0x80 | (temp & 0x3F) as u8;
            len += 1; // 5.2.
            count -= 1; // 5.3.
        }
        items(&bytes[..len]) // 6.
    }
}
