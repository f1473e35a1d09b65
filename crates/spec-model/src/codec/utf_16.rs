//! Sections 14.2 to 14.4: UTF-16BE/LE. They have no encoder.

use super::code_point;
use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    io_queue::{IoQueue, Item},
};

/// <https://encoding.spec.whatwg.org/#shared-utf-16-decoder>
#[derive(Clone, Debug)]
pub struct SharedUtf16Decoder {
    leading_byte: Option<u8>,
    leading_surrogate: Option<u16>,
    is_utf_16be_decoder: bool,
}

impl SharedUtf16Decoder {
    /// Creates the decoder of `UTF-16BE` or `UTF-16LE`.
    #[must_use]
    pub fn new(is_utf_16be_decoder: bool) -> Self {
        Self { leading_byte: None, leading_surrogate: None, is_utf_16be_decoder }
    }
}

impl Handler<u8, char> for SharedUtf16Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            if self.leading_byte.is_some() || self.leading_surrogate.is_some() {
                self.leading_byte = None;
                self.leading_surrogate = None;
                return Error(None); // 1.
            }
            return Finished; // 2.
        };
        let Some(leading_byte) = self.leading_byte else {
            self.leading_byte = Some(byte);
            return Continue; // 3.
        };
        let code_unit = if self.is_utf_16be_decoder {
            (u16::from(leading_byte) << 8) + u16::from(byte)
        } else {
            (u16::from(byte) << 8) + u16::from(leading_byte)
        };
        self.leading_byte = None; // 4.
        if let Some(leading_surrogate) = self.leading_surrogate {
            self.leading_surrogate = None; // 5.
            if (0xDC00..=0xDFFF).contains(&code_unit) {
                return items([code_point(
                    0x10000 + ((u32::from(leading_surrogate) - 0xD800) << 10) + (u32::from(code_unit) - 0xDC00),
                )]); // 5.1.
            }
            let byte1 = (code_unit >> 8) as u8; // 5.2.
            let byte2 = (code_unit & 0x00FF) as u8; // 5.3.
            let bytes = if self.is_utf_16be_decoder { [byte1, byte2] } else { [byte2, byte1] }; // 5.4.
            io_queue.restore_sequence(&bytes);
            return Error(None); // 5.5.
        }
        if (0xD800..=0xDBFF).contains(&code_unit) {
            self.leading_surrogate = Some(code_unit);
            return Continue; // 6.
        }
        if (0xDC00..=0xDFFF).contains(&code_unit) {
            return Error(None); // 7.
        }
        items([code_point(u32::from(code_unit))]) // 8.
    }

    fn is_neutral(&self) -> bool {
        self.leading_byte.is_none() && self.leading_surrogate.is_none()
    }
}
