//! Section 10: the legacy multi-byte Chinese (simplified) encodings, GBK and gb18030.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::{GB18030, gb18030_ranges_code_point, gb18030_ranges_pointer},
    io_queue::{IoQueue, Item},
};

/// The decoder of gb18030 and GBK.
///
/// <https://encoding.spec.whatwg.org/#gb18030-decoder>
#[derive(Clone, Debug, Default)]
pub struct Gb18030Decoder {
    first: u8,
    second: u8,
    third: u8,
}

impl Handler<u8, char> for Gb18030Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else {
            if self.first == 0x00 && self.second == 0x00 && self.third == 0x00 {
                return Finished; // 1.
            }
            self.first = 0x00;
            self.second = 0x00;
            self.third = 0x00;
            return Error(None); // 2. This masks up to one ASCII byte: `second`.
        };
        if self.third != 0x00 {
            if !(0x30..=0x39).contains(&byte) {
                io_queue.restore_sequence(&[self.second, self.third, byte]); // 3.1.1.
                self.first = 0x00;
                self.second = 0x00;
                self.third = 0x00; // 3.1.2.
                return Error(None); // 3.1.3.
            }
            let code_point = gb18030_ranges_code_point(
                (u32::from(self.first) - 0x81) * (10 * 126 * 10)
                    + (u32::from(self.second) - 0x30) * (10 * 126)
                    + (u32::from(self.third) - 0x81) * 10
                    + u32::from(byte)
                    - 0x30,
            ); // 3.2.
            self.first = 0x00;
            self.second = 0x00;
            self.third = 0x00; // 3.3.
            return match code_point {
                None => Error(None),                     // 3.4.
                Some(code_point) => items([code_point]), // 3.5.
            };
        }
        if self.second != 0x00 {
            if (0x81..=0xFE).contains(&byte) {
                self.third = byte;
                return Continue; // 4.1.
            }
            io_queue.restore_sequence(&[self.second, byte]);
            self.first = 0x00;
            self.second = 0x00;
            return Error(None); // 4.2.
        }
        if self.first != 0x00 {
            if (0x30..=0x39).contains(&byte) {
                self.second = byte;
                return Continue; // 5.1.
            }
            let leading = self.first;
            let mut pointer = None;
            self.first = 0x00; // 5.2.
            let offset = if byte < 0x7F { 0x40 } else { 0x41 }; // 5.3.
            if (0x40..=0x7E).contains(&byte) || (0x80..=0xFE).contains(&byte) {
                pointer = Some((u32::from(leading) - 0x81) * 190 + (u32::from(byte) - offset)); // 5.4.
            }
            let code_point = pointer.and_then(|pointer| GB18030.code_point(pointer)); // 5.5.
            if let Some(code_point) = code_point {
                return items([code_point]); // 5.6.
            }
            if byte.is_ascii() {
                io_queue.restore(item); // 5.7.
            }
            return Error(None); // 5.8.
        }
        if byte.is_ascii() {
            return items([char::from(byte)]); // 6.
        }
        if byte == 0x80 {
            return items(['\u{20AC}']); // 7.
        }
        if (0x81..=0xFE).contains(&byte) {
            self.first = byte;
            return Continue; // 8.
        }
        Error(None) // 9.
    }

    fn is_neutral(&self) -> bool {
        self.first == 0x00 && self.second == 0x00 && self.third == 0x00
    }
}

/// The encoder of gb18030, and with `is_gbk` also of GBK.
///
/// The step numbers are those of the living standard. Its step 5 (the table) was added after June 2022.
///
/// <https://encoding.spec.whatwg.org/#gb18030-encoder>
#[derive(Clone, Debug)]
pub struct Gb18030Encoder {
    is_gbk: bool,
}

impl Gb18030Encoder {
    /// Creates GBK's encoder if `is_gbk`, otherwise gb18030's.
    #[must_use]
    pub fn new(is_gbk: bool) -> Self {
        Self { is_gbk }
    }
}

impl Handler<char, u8> for Gb18030Encoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            return Finished; // 1.
        };
        if code_point.is_ascii() {
            return items([code_point as u8]); // 2.
        }
        if code_point == '\u{E5E5}' {
            return Error(Some(code_point)); // 3. Index gb18030 maps 0xA3 0xA0 to U+3000.
        }
        if self.is_gbk && code_point == '\u{20AC}' {
            return items([0x80]); // 4.
        }
        if let Some(row) = TABLE.iter().find(|row| row.0 == code_point) {
            return items(row.1); // 5.
        }
        let pointer = GB18030.pointer(code_point); // 6.
        if let Some(pointer) = pointer {
            let leading = pointer / 190 + 0x81; // 7.1.
            let trailing = pointer % 190; // 7.2.
            let offset = if trailing < 0x3F { 0x40 } else { 0x41 }; // 7.3.
            return items([leading as u8, (trailing + offset) as u8]); // 7.4.
        }
        if self.is_gbk {
            return Error(Some(code_point)); // 8.
        }
        let mut pointer = gb18030_ranges_pointer(code_point); // 9.
        let byte1 = pointer / (10 * 126 * 10); // 10.
        pointer %= 10 * 126 * 10; // 11.
        let byte2 = pointer / (10 * 126); // 12.
        pointer %= 10 * 126; // 13.
        let byte3 = pointer / 10; // 14.
        let byte4 = pointer % 10; // 15.
        items([byte1 as u8 + 0x81, byte2 as u8 + 0x30, byte3 as u8 + 0x81, byte4 as u8 + 0x30]) // 16.
    }
}

/// The code points whose two bytes GB18030-2022 assigned to other code points. They are still encoded to these bytes.
const TABLE: [(char, [u8; 2]); 18] = [
    ('\u{E78D}', [0xA6, 0xD9]),
    ('\u{E78E}', [0xA6, 0xDA]),
    ('\u{E78F}', [0xA6, 0xDB]),
    ('\u{E790}', [0xA6, 0xDC]),
    ('\u{E791}', [0xA6, 0xDD]),
    ('\u{E792}', [0xA6, 0xDE]),
    ('\u{E793}', [0xA6, 0xDF]),
    ('\u{E794}', [0xA6, 0xEC]),
    ('\u{E795}', [0xA6, 0xED]),
    ('\u{E796}', [0xA6, 0xF3]),
    ('\u{E81E}', [0xFE, 0x59]),
    ('\u{E826}', [0xFE, 0x61]),
    ('\u{E82B}', [0xFE, 0x66]),
    ('\u{E82C}', [0xFE, 0x67]),
    ('\u{E832}', [0xFE, 0x6D]),
    ('\u{E843}', [0xFE, 0x7E]),
    ('\u{E854}', [0xFE, 0x90]),
    ('\u{E864}', [0xFE, 0xA0]),
];
