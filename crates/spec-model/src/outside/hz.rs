//! HZ of RFC 1843, with index gb18030.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::GB18030,
    io_queue::{IoQueue, Item},
};

#[derive(Clone, Debug, Default)]
pub(crate) struct HzDecoder {
    is_gb: bool,
    /// Whether nothing follows `~{` yet.
    is_empty: bool,
}

impl Handler<u8, char> for HzDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else { return Finished };
        let is_empty = self.is_empty;
        self.is_empty = false;
        if byte == b'~' {
            let next = io_queue.peek(1);
            match (self.is_gb, &next[..]) {
                (false, b"~") => {
                    io_queue.read();
                    return items(['~']);
                }
                (false, b"\n") => {
                    io_queue.read();
                    return Continue;
                }
                (false, b"{") => {
                    io_queue.read();
                    (self.is_gb, self.is_empty) = (true, true);
                    return Continue;
                }
                (true, b"}") => {
                    io_queue.read();
                    self.is_gb = false;
                    return if is_empty { Error(None) } else { Continue };
                }
                _ => return Error(None),
            }
        }
        if !self.is_gb {
            return if byte.is_ascii() { items([char::from(byte)]) } else { Error(None) };
        }
        if byte == b'\n' {
            self.is_gb = false;
            return items(['\n']);
        }
        if !(0x21..=0x77).contains(&byte) {
            return Error(None);
        }
        let [second @ 0x21..=0x7E] = io_queue.peek(1)[..] else { return Error(None) };
        io_queue.read();
        // The pointer of the pair with both high bits, as in step 5.3 and 5.4 of gb18030's decoder.
        let pointer = (u32::from(byte | 0x80) - 0x81) * 190 + (u32::from(second | 0x80) - 0x41);
        GB18030.code_point(pointer).map_or(Error(None), |code_point| items([code_point]))
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct HzEncoder {
    is_gb: bool,
}

/// Returns the pair that gb18030's encoder writes, without its high bits.
fn pair(code_point: char) -> Option<[u8; 2]> {
    let mut encoder = crate::codec::gb18030::Gb18030Encoder::new(false);
    let HandlerResult::Items(output) = encoder.handler(&mut IoQueue::new(), Item::Value(code_point)) else {
        return None;
    };
    match *output.as_slice() {
        [leading @ 0xA1..=0xF7, trailing @ 0xA1..=0xFE] => Some([leading - 0x80, trailing - 0x80]),
        _ => None,
    }
}

impl Handler<char, u8> for HzEncoder {
    fn handler(&mut self, io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let pair = match item {
            Item::Value(code_point) if !code_point.is_ascii() => pair(code_point),
            _ => None,
        };
        if pair.is_none() && self.is_gb {
            self.is_gb = false;
            io_queue.restore(item);
            return items(b"~}");
        }
        if pair.is_some() && !self.is_gb {
            self.is_gb = true;
            io_queue.restore(item);
            return items(b"~{");
        }
        match (item, pair) {
            (Item::EndOfQueue, _) => Finished,
            (_, Some(pair)) => items(pair),
            (Item::Value('~'), _) => items(b"~~"),
            (Item::Value(code_point), _) if code_point.is_ascii() => items([code_point as u8]),
            (Item::Value(code_point), _) => Error(Some(code_point)),
        }
    }
}
