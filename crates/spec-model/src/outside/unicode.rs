//! UTF-32 of the Unicode Standard, section 3.10; UCS-2; and CESU-8 of Unicode Technical Report #26.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    io_queue::{IoQueue, Item},
};

/// Reads the rest of a code unit of `len` bytes, of which `first` was read. `None` if the queue ends before.
fn code_unit(io_queue: &mut IoQueue<u8>, first: u8, len: usize, is_be: bool) -> Option<u32> {
    let mut bytes = vec![first];
    bytes.extend(io_queue.read_number(len - 1));
    if bytes.len() < len {
        return None;
    }
    if !is_be {
        bytes.reverse();
    }
    Some(bytes.iter().fold(0, |unit, &byte| unit << 8 | u32::from(byte)))
}

fn bytes(unit: u32, len: usize, is_be: bool) -> Vec<u8> {
    let mut bytes = unit.to_be_bytes()[4 - len..].to_vec();
    if !is_be {
        bytes.reverse();
    }
    bytes
}

#[derive(Clone, Debug)]
pub(crate) struct Utf32Decoder {
    /// `None` before the place of a byte order mark.
    is_be: Option<bool>,
}

impl Utf32Decoder {
    pub(crate) fn new(is_be: Option<bool>) -> Self {
        Self { is_be }
    }
}

impl Handler<u8, char> for Utf32Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(first) = item else { return Finished };
        let Some(unit) = code_unit(io_queue, first, 4, self.is_be.unwrap_or(true)) else { return Error(None) };
        if self.is_be.is_none() {
            self.is_be = Some(unit != 0xFFFE_0000);
            if unit == 0x0000_FEFF || unit == 0xFFFE_0000 {
                return Continue;
            }
        }
        char::from_u32(unit).map_or(Error(None), |code_point| items([code_point]))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Utf32Encoder {
    is_be: bool,
    writes_mark: bool,
}

impl Utf32Encoder {
    pub(crate) fn new(is_be: bool, writes_mark: bool) -> Self {
        Self { is_be, writes_mark }
    }
}

impl Handler<char, u8> for Utf32Encoder {
    fn handler(&mut self, io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        if self.writes_mark {
            self.writes_mark = false;
            io_queue.restore(item);
            return items([0x00, 0x00, 0xFE, 0xFF]);
        }
        let Item::Value(code_point) = item else { return Finished };
        items(bytes(code_point.into(), 4, self.is_be))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Ucs2Decoder {
    pub(crate) is_be: bool,
}

impl Handler<u8, char> for Ucs2Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(first) = item else { return Finished };
        let unit = code_unit(io_queue, first, 2, self.is_be);
        unit.and_then(char::from_u32).map_or(Error(None), |code_point| items([code_point]))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Ucs2Encoder {
    pub(crate) is_be: bool,
}

impl Handler<char, u8> for Ucs2Encoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else { return Finished };
        if code_point > '\u{FFFF}' {
            return Error(Some(code_point));
        }
        items(bytes(code_point.into(), 2, self.is_be))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Cesu8Decoder;

/// Reads the trail bytes of a lead byte. Returns the code unit, or `None` if one of them is missing; those before it are read.
fn three_byte_unit(io_queue: &mut IoQueue<u8>, leading: u8) -> Option<u32> {
    let len = match leading {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => return None,
    };
    let mut unit = u32::from(leading) & if len == 2 { 0x1F } else { 0x0F };
    for at in 1..len {
        let lowest = if leading == 0xE0 && at == 1 { 0xA0 } else { 0x80 };
        match io_queue.peek(1)[..] {
            [byte] if (lowest..=0xBF).contains(&byte) => {
                io_queue.read();
                unit = unit << 6 | u32::from(byte & 0x3F);
            }
            _ => return None,
        }
    }
    Some(unit)
}

impl Handler<u8, char> for Cesu8Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else { return Finished };
        if byte.is_ascii() {
            return items([char::from(byte)]);
        }
        let Some(unit) = three_byte_unit(io_queue, byte) else { return Error(None) };
        if let 0xD800..=0xDBFF = unit {
            if let [0xED, second @ 0xB0..=0xBF, third @ 0x80..=0xBF] = io_queue.peek(3)[..] {
                io_queue.read_number(3);
                let low = u32::from(second & 0x0F) << 6 | u32::from(third & 0x3F);
                let code_point = 0x10000 + ((unit - 0xD800) << 10 | low);
                return items([char::from_u32(code_point).expect("a scalar value")]);
            }
            return Error(None);
        }
        char::from_u32(unit).map_or(Error(None), |code_point| items([code_point]))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Cesu8Encoder;

impl Handler<char, u8> for Cesu8Encoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else { return Finished };
        let mut output = Vec::new();
        for unit in code_point.encode_utf16(&mut [0; 2]) {
            let unit = *unit;
            match unit {
                0..0x80 => output.push(unit as u8),
                0x80..0x800 => output.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
                _ => output.extend([
                    0xE0 | (unit >> 12) as u8,
                    0x80 | (unit >> 6 & 0x3F) as u8,
                    0x80 | (unit & 0x3F) as u8,
                ]),
            }
        }
        items(output)
    }
}
