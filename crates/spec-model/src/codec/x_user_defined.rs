//! Section 14.5: x-user-defined.

use super::code_point;
use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Error, Finished},
        items,
    },
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#x-user-defined-decoder>
#[derive(Clone, Debug, Default)]
pub struct XUserDefinedDecoder;

impl Handler<u8, char> for XUserDefinedDecoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            return Finished; // 1.
        };
        if byte.is_ascii() {
            return items([char::from(byte)]); // 2.
        }
        items([code_point(0xF780 + u32::from(byte) - 0x80)]) // 3.
    }
}

/// <https://encoding.spec.whatwg.org/#x-user-defined-encoder>
#[derive(Clone, Debug, Default)]
pub struct XUserDefinedEncoder;

impl Handler<char, u8> for XUserDefinedEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        if ('\u{F780}'..='\u{F7FF}').contains(&code_point) {
            return items([(u32::from(code_point) - 0xF780 + 0x80) as u8]); // 3.
        }
        Error(Some(code_point)) // 4.
    }
}
