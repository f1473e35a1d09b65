//! ISO-2022-KR of RFC 1557, with index EUC-KR.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::EUC_KR,
    io_queue::{IoQueue, Item},
};

#[derive(Clone, Debug, Default)]
pub(crate) struct Iso2022KrDecoder {
    is_shifted_out: bool,
    /// Whether nothing follows SO yet.
    is_empty: bool,
}

impl Handler<u8, char> for Iso2022KrDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else { return Finished };
        let is_empty = self.is_empty;
        self.is_empty = false;
        if byte == b'\n' {
            self.is_shifted_out = false;
            return items(['\n']);
        }
        if byte == 0x1B {
            if io_queue.peek(3) == b"$)C" {
                io_queue.read_number(3);
                self.is_empty = is_empty;
                return Continue;
            }
            return Error(None);
        }
        match (self.is_shifted_out, byte) {
            (false, 0x0E) => {
                (self.is_shifted_out, self.is_empty) = (true, true);
                Continue
            }
            (true, 0x0F) => {
                self.is_shifted_out = false;
                if is_empty { Error(None) } else { Continue }
            }
            (false, 0x0F) => Continue,
            (true, 0x0E) => {
                self.is_empty = is_empty;
                Continue
            }
            (false, 0x80..) => Error(None),
            (false, _) => items([char::from(byte)]),
            (true, 0x21..=0x7E) => {
                let [second @ 0x21..=0x7E] = io_queue.peek(1)[..] else { return Error(None) };
                io_queue.read();
                // The pointer of the pair with both high bits, as in step 3.1 of EUC-KR's decoder.
                let pointer = (u32::from(byte | 0x80) - 0x81) * 190 + (u32::from(second | 0x80) - 0x41);
                EUC_KR.code_point(pointer).map_or(Error(None), |code_point| items([code_point]))
            }
            (true, _) => Error(None),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Iso2022KrEncoder {
    has_header: bool,
    is_shifted_out: bool,
}

impl Handler<char, u8> for Iso2022KrEncoder {
    fn handler(&mut self, io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        if !self.has_header {
            self.has_header = true;
            io_queue.restore(item);
            return items(b"\x1B$)C");
        }
        let pointer = match item {
            Item::Value(code_point) => EUC_KR.pointer(code_point),
            Item::EndOfQueue => None,
        };
        // The bytes of EUC-KR, steps 5 and 6 of its encoder.
        let pair = pointer.map(|pointer| [pointer / 190 + 0x81, pointer % 190 + 0x41]);
        let pair = pair.filter(|pair| pair[0] >= 0xA1 && pair[1] >= 0xA1);
        if pair.is_some() != self.is_shifted_out {
            self.is_shifted_out = pair.is_some();
            io_queue.restore(item);
            return items([if self.is_shifted_out { 0x0E } else { 0x0F }]);
        }
        match (item, pair) {
            (Item::EndOfQueue, _) => Finished,
            (_, Some(pair)) => items([(pair[0] - 0x80) as u8, (pair[1] - 0x80) as u8]),
            // As step 3 of ISO-2022-JP's encoder.
            (Item::Value('\u{0E}' | '\u{0F}' | '\u{1B}'), _) => Error(Some('\u{FFFD}')),
            (Item::Value(code_point), _) if code_point.is_ascii() => items([code_point as u8]),
            (Item::Value(code_point), _) => Error(Some(code_point)),
        }
    }
}
