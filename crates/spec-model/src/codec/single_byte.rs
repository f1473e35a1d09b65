//! Section 9: the legacy single-byte encodings.

use crate::{
    Encoding,
    handler::{
        Handler,
        HandlerResult::{self, Error, Finished},
        items,
    },
    indexes::{Index, single_byte},
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#single-byte-decoder>
#[derive(Clone, Debug)]
pub struct SingleByteDecoder {
    index: &'static Index,
}

impl SingleByteDecoder {
    /// Creates the decoder of an encoding of section 9.
    ///
    /// # Panics
    ///
    /// If the encoding is not in section 9.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { index: single_byte(encoding) }
    }
}

impl Handler<u8, char> for SingleByteDecoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            return Finished; // 1.
        };
        if byte.is_ascii() {
            return items([char::from(byte)]); // 2.
        }
        let code_point = self.index.code_point(u32::from(byte) - 0x80); // 3.
        match code_point {
            None => Error(None),                     // 4.
            Some(code_point) => items([code_point]), // 5.
        }
    }
}

/// <https://encoding.spec.whatwg.org/#single-byte-encoder>
#[derive(Clone, Debug)]
pub struct SingleByteEncoder {
    index: &'static Index,
}

impl SingleByteEncoder {
    /// Creates the encoder of an encoding of section 9.
    ///
    /// # Panics
    ///
    /// If the encoding is not in section 9.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { index: single_byte(encoding) }
    }
}

impl Handler<char, u8> for SingleByteEncoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        let pointer = self.index.pointer(code_point); // 3.
        match pointer {
            None => Error(Some(code_point)),                // 4.
            Some(pointer) => items([pointer as u8 + 0x80]), // 5.
        }
    }
}
