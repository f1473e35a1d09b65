//! UTF-7 of RFC 2152, and its form for mailboxes in RFC 3501, section 5.1.3.

use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    io_queue::{IoQueue, Item},
};

/// Returns the digits of base64, by value.
fn digits(is_imap: bool) -> Vec<u8> {
    let last: &[u8] = if is_imap { b"+," } else { b"+/" };
    (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9').chain(last.iter().copied()).collect()
}

/// Returns the bits of a number, the highest first.
fn bits(number: usize, len: usize) -> impl Iterator<Item = bool> {
    (0..len).rev().map(move |place| number >> place & 1 == 1)
}

fn number(bits: &[bool]) -> u32 {
    bits.iter().fold(0, |number, &bit| number * 2 + u32::from(bit))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Direct,
    AfterBase64,
    Base64,
}

#[derive(Clone, Debug)]
pub(crate) struct Utf7Decoder {
    is_imap: bool,
    state: State,
    /// The bits that are left of the last digit.
    left: Vec<bool>,
    digits: Vec<u8>,
}

impl Utf7Decoder {
    pub(crate) fn new(is_imap: bool) -> Self {
        Self { is_imap, state: State::Direct, left: Vec::new(), digits: digits(is_imap) }
    }

    fn value(&self, byte: u8) -> Option<usize> {
        self.digits.iter().position(|&digit| digit == byte)
    }

    fn next_digit(&self, io_queue: &IoQueue<u8>) -> Option<u8> {
        io_queue.peek(1).first().copied().filter(|&byte| self.value(byte).is_some())
    }

    /// Reads digits until there are 16 bits. Returns the digits, and the unit and the bits after it if there were enough.
    fn unit(&self, io_queue: &mut IoQueue<u8>, mut all: Vec<bool>) -> (Vec<u8>, Option<(u32, Vec<bool>)>) {
        let mut read = Vec::new();
        while all.len() < 16 {
            let Some(digit) = self.next_digit(io_queue) else { return (read, None) };
            io_queue.read();
            read.push(digit);
            all.extend(bits(self.value(digit).expect("a digit"), 6));
        }
        let left = all.split_off(16);
        (read, Some((number(&all), left)))
    }

    /// Whether base64 may end after a character, if it does.
    fn ends_well(&self, io_queue: &IoQueue<u8>, left: &[bool]) -> bool {
        if self.next_digit(io_queue).is_some() {
            return true;
        }
        let has_hyphen = io_queue.peek(1) == [b'-'];
        left.iter().all(|bit| !bit) && (has_hyphen || !self.is_imap)
    }

    fn character(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        let (_, unit) = self.unit(io_queue, self.left.clone());
        let Some((unit, left)) = unit else {
            self.left.clear();
            return Error(None);
        };
        self.left.clone_from(&left);
        if (0xDC00..=0xDFFF).contains(&unit) {
            return Error(None);
        }
        if (0xD800..=0xDBFF).contains(&unit) {
            let (read, second) = self.unit(io_queue, left);
            if let Some((second @ 0xDC00..=0xDFFF, after)) = second
                && self.ends_well(io_queue, &after)
            {
                self.left = after;
                let code_point = 0x10000 + (unit - 0xD800) * 0x400 + (second - 0xDC00);
                return items([char::from_u32(code_point).expect("a scalar value")]);
            }
            io_queue.restore_sequence(&read);
            return Error(None);
        }
        if self.is_imap && (0x20..=0x7E).contains(&unit) {
            return Error(None);
        }
        if !self.ends_well(io_queue, &left) {
            self.left.clear();
            return Error(None);
        }
        items([char::from_u32(unit).expect("not a surrogate")])
    }
}

impl Handler<u8, char> for Utf7Decoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = item else { return Finished };
        if self.state == State::Base64 {
            if self.value(byte).is_some() {
                io_queue.restore(item);
                return self.character(io_queue);
            }
            self.state = State::Direct;
            self.left.clear();
            if byte == b'-' {
                if self.is_imap {
                    self.state = State::AfterBase64;
                }
            } else {
                io_queue.restore(item);
            }
            return Continue;
        }
        let state = self.state;
        self.state = State::Direct;
        let shift = if self.is_imap { b'&' } else { b'+' };
        if byte == shift {
            if io_queue.peek(1) == [b'-'] {
                io_queue.read();
                return items([char::from(shift)]);
            }
            if self.next_digit(io_queue).is_some() && state == State::Direct {
                self.state = State::Base64;
                return Continue;
            }
            return Error(None);
        }
        let is_direct = if self.is_imap {
            (0x20..=0x7E).contains(&byte)
        } else {
            // Set D, set O, and Rule 3.
            byte.is_ascii_alphanumeric() || b"'(),-./:?!\"#$%&*;<=>@[]^_`{|} \t\r\n".contains(&byte)
        };
        if is_direct { items([char::from(byte)]) } else { Error(None) }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Utf7Encoder {
    is_imap: bool,
    in_base64: bool,
    left: Vec<bool>,
    digits: Vec<u8>,
}

impl Utf7Encoder {
    pub(crate) fn new(is_imap: bool) -> Self {
        Self { is_imap, in_base64: false, left: Vec::new(), digits: digits(is_imap) }
    }

    /// Ends base64: the last digit, with zero bits.
    fn end(&mut self) -> Vec<u8> {
        let mut output = Vec::new();
        if !self.left.is_empty() {
            self.left.resize(6, false);
            output.push(self.digits[number(&self.left) as usize]);
            self.left.clear();
        }
        self.in_base64 = false;
        output
    }
}

impl Handler<char, u8> for Utf7Encoder {
    fn handler(&mut self, _io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = item else {
            if !self.in_base64 {
                return Finished;
            }
            let mut output = self.end();
            output.push(b'-');
            return items(output);
        };
        let is_direct = if self.is_imap {
            (' '..='~').contains(&code_point)
        } else {
            // Set D and Rule 3.
            code_point.is_ascii_alphanumeric() || "'(),-./:? \t\r\n".contains(code_point)
        };
        if is_direct {
            let mut output = Vec::new();
            if self.in_base64 {
                output = self.end();
                if self.is_imap || code_point == '-' || self.digits.contains(&(code_point as u8)) {
                    output.push(b'-');
                }
            }
            output.push(code_point as u8);
            if self.is_imap && code_point == '&' {
                output.push(b'-');
            }
            return items(output);
        }
        let mut output = Vec::new();
        if !self.in_base64 {
            if code_point == '+' {
                return items(b"+-");
            }
            output.push(if self.is_imap { b'&' } else { b'+' });
            self.in_base64 = true;
        }
        for unit in code_point.encode_utf16(&mut [0; 2]) {
            self.left.extend(bits(usize::from(*unit), 16));
        }
        while self.left.len() >= 6 {
            let after = self.left.split_off(6);
            output.push(self.digits[number(&self.left) as usize]);
            self.left = after;
        }
        items(output)
    }
}
