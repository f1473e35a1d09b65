//! UTF-7 of RFC 2152, and UTF-7-IMAP, its form for names of mailboxes in RFC 3501, section 5.1.3.
//!
//! Both write runs of UTF-16 in base64 without padding. The shift character, `+` or `&`, begins a run, and `-` ends it. The shift
//! character itself is `+-` or `&-`.
//!
//! | | UTF-7 | UTF-7-IMAP |
//! |---|---|---|
//! | direct characters | sets D and O of the RFC, space, tab, CR, LF | U+0020 to U+007E |
//! | the encoder writes directly | the same without set O | the same |
//! | the 64th digit | `/` | `,` |
//! | a run ends at | any byte that is no digit; `-` belongs to the run | `-` only |
//! | a direct character in a run | allowed | malformed |
//! | a run directly after another one | allowed | malformed: the first byte of the second |
//!
//! In both, a code unit that lacks digits, an unpaired surrogate, and a run whose last bits are not 0 are malformed. The malformed
//! sequence is that of the digits of the last code unit. If the unit is the second half of a pair, then each half is one. So the
//! decoder knows whether a character is well-formed only when it has read the next byte, if bits are left after it.
//!
//! A malformed sequence consists of digits, or of the shift character alone. No byte that ends a run is part of one: it is
//! decoded again, so no ASCII character outside of a run is ever hidden.

use super::{Bytes, EncodeHandler, EncodeStep, Handler, LONGEST, Replay, Step, in_runs};
use crate::{
    codec::{sink::Unit, surrogate_pair},
    conversion::DecodeReason,
    kernel::Out,
};

/// Bits of a code unit that is not complete, right-aligned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bits {
    bits: u32,
    len: u8,
}

impl Bits {
    fn push(self, bits: u32, len: u8) -> Self {
        Self { bits: self.bits << len | bits, len: self.len + len }
    }

    /// Removes the first `len` bits, which are returned.
    fn take(&mut self, len: u8) -> u32 {
        self.len -= len;
        let taken = self.bits >> self.len;
        self.bits &= (1 << self.len) - 1;
        taken
    }

    /// A number for the bits that can be left between two characters: none, two, or four.
    fn number(self) -> u8 {
        match self.len {
            0 => 0,
            2 => 1 + self.bits as u8,
            _ => 5 + self.bits as u8,
        }
    }

    /// The bits of a [`number`](Self::number).
    fn from_number(number: u8) -> Self {
        match number {
            0 => Self::default(),
            1..=4 => Self { bits: u32::from(number - 1), len: 2 },
            _ => Self { bits: u32::from(number - 5) & 15, len: 4 },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Outside of base64.
    Direct,
    /// Directly after a run.
    AfterRun,
    /// After a shift character outside of base64. `true` means that it is directly after a run.
    Shift(bool),
    Base64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    is_imap: bool,
    state: State,
    /// The bits that were left before the incomplete character.
    before: Bits,
    /// Those and the bits of the code unit that is not complete, or those after a complete character.
    bits: Bits,
    /// The first half of a pair, and the bits that were left after it.
    high: Option<(u16, Bits)>,
    /// The digits that were read since the last complete code unit, or those of the complete character's last one.
    digits: [u8; 3],
    digits_len: u8,
    /// A character that is well-formed if the next byte is right.
    complete: Option<char>,
}

impl Decoder {
    pub(crate) fn new(is_imap: bool) -> Self {
        Self {
            is_imap,
            state: State::Direct,
            before: Bits::default(),
            bits: Bits::default(),
            high: None,
            digits: [0; 3],
            digits_len: 0,
            complete: None,
        }
    }

    /// Whether a byte outside of base64 is a character.
    fn is_direct(&self, byte: u8) -> bool {
        match byte {
            b' '..=b'~' => self.is_imap || !matches!(byte, b'\\' | b'~'),
            b'\t' | b'\n' | b'\r' => !self.is_imap,
            _ => false,
        }
    }

    /// Converts a prefix of `src`.
    pub(super) fn bulk<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        in_runs(self, src, out, |codec, src, out| match codec.state {
            State::Base64 => codec.digits(src, out),
            _ => codec.direct_run(src, out),
        })
    }

    /// Converts direct characters, and starts the run after them.
    #[inline(always)]
    fn direct_run<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let is_put =
            |&&byte: &&u8| byte != shift(self.is_imap) && self.is_direct(byte) && U::put_unit(byte.into(), out);
        let direct = src.iter().take_while(is_put).count();
        if direct > 0 {
            self.state = State::Direct;
        }
        match src[direct..] {
            [byte, first, ..] if byte == shift(self.is_imap) && self.state == State::Direct => {
                if digit(self.is_imap, first).is_none() {
                    return direct;
                }
                self.begin(Bits::default());
                direct + 1
            }
            _ => direct,
        }
    }

    /// Converts characters of a run, up to its end. Stops before a surrogate, a malformed sequence, and a character after which the
    /// input ends.
    #[inline(always)]
    fn digits<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let (mut bits, mut read) = (self.bits, 0);
        loop {
            // Those of a code unit.
            let count = if bits.len < 4 { 3 } else { 2 };
            let Some((digits, &[next, ..])) = src[read..].split_at_checked(count) else { break };
            let mut rest = bits;
            for &byte in digits {
                let Some(digit) = digit(self.is_imap, byte) else { break };
                rest = rest.push(digit, 6);
            }
            if rest.len < 16 {
                break;
            }
            let Some(character) = char::from_u32(rest.take(16)) else { break };
            let is_last = digit(self.is_imap, next).is_none();
            let is_end = rest.bits == 0 && (!self.is_imap || next == b'-');
            let is_valid = (!is_last || is_end) && !(self.is_imap && matches!(character, ' '..='~'));
            if !is_valid || !U::put(character, out) {
                break;
            }
            read += count;
            bits = rest;
            if is_last {
                self.select(0);
                if next != b'-' {
                    return read;
                }
                if self.is_imap {
                    self.state = State::AfterRun;
                }
                return read + 1;
            }
        }
        self.begin(bits);
        read
    }

    /// A byte outside of base64.
    fn direct(&mut self, byte: u8) -> Step {
        let is_after_run = self.state == State::AfterRun;
        self.state = State::Direct;
        if byte == shift(self.is_imap) {
            self.state = State::Shift(is_after_run);
            return Step::Continue;
        }
        if self.is_direct(byte) { Step::Emit(byte.into()) } else { Step::Error(DecodeReason::InvalidByte) }
    }

    /// A byte after a shift character.
    fn after_shift(&mut self, is_after_run: bool, byte: Option<u8>, queue: &mut Replay) -> Step {
        self.state = State::Direct;
        let Some(byte) = byte else { return Step::Error(DecodeReason::Incomplete) };
        if byte == b'-' {
            return Step::Emit(shift(self.is_imap).into());
        }
        queue.restore(&[byte]);
        match digit(self.is_imap, byte) {
            None => Step::Error(DecodeReason::Interrupted),
            Some(_) if is_after_run => Step::Error(DecodeReason::EmptyEscape),
            Some(_) => {
                // The digit is decoded again, as the first one of a run.
                *self = Self { state: State::Base64, ..Self::new(self.is_imap) };
                Step::Continue
            }
        }
    }

    /// A digit in a run.
    fn digit(&mut self, byte: u8, digit: u32, queue: &mut Replay) -> Step {
        if let Some(character) = self.complete.take() {
            queue.restore(&[byte]);
            self.begin(self.bits);
            return Step::Emit(character);
        }
        self.digits[usize::from(self.digits_len)] = byte;
        self.digits_len += 1;
        self.bits = self.bits.push(digit, 6);
        if self.bits.len < 16 {
            return Step::Continue;
        }
        let unit = self.bits.take(16) as u16;
        let Some((high, _)) = self.high else {
            return match unit {
                0xD800..=0xDBFF => {
                    self.high = Some((unit, self.bits));
                    self.digits_len = 0;
                    Step::Continue
                }
                _ => self.character(char::from_u32(unit.into())),
            };
        };
        match surrogate_pair(&[high, unit]) {
            Some(character) => self.character(Some(character)),
            None => self.unpaired(queue, None),
        }
    }

    /// The end of a character, or of an unpaired second half of a pair.
    fn character(&mut self, character: Option<char>) -> Step {
        let Some(character) = character else {
            self.begin(self.bits);
            return Step::Error(DecodeReason::UnpairedSurrogate);
        };
        if self.is_imap && matches!(character, ' '..='~') {
            self.begin(self.bits);
            return Step::Error(DecodeReason::Unmapped);
        }
        if self.is_imap || self.bits.bits != 0 {
            self.complete = Some(character);
            return Step::Continue;
        }
        self.begin(self.bits);
        Step::Emit(character)
    }

    /// The error for the first half of a pair. The digits after it are decoded again, and then `end`, the byte that ends the run.
    fn unpaired(&mut self, queue: &mut Replay, end: Option<u8>) -> Step {
        if let Some(end) = end {
            queue.restore(&[end]);
        }
        queue.restore(&self.digits[..self.digits_len.into()]);
        let left = self.high.map_or(self.bits, |(_, left)| left);
        self.begin(left);
        Step::Error(DecodeReason::UnpairedSurrogate)
    }

    /// The end of a run: a byte that is no digit, or the end of the input.
    fn end(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        if let Some(character) = self.complete {
            let is_valid = self.bits.bits == 0 && (!self.is_imap || byte == Some(b'-'));
            if !is_valid && self.high.is_some() {
                return self.unpaired(queue, byte);
            }
            if let Some(byte) = byte {
                queue.restore(&[byte]);
            }
            self.begin(Bits::default());
            return match byte {
                _ if is_valid => Step::Emit(character),
                Some(_) => Step::Error(DecodeReason::Interrupted),
                None => Step::Error(DecodeReason::Incomplete),
            };
        }
        if self.high.is_some() {
            return self.unpaired(queue, byte);
        }
        if self.digits_len > 0 {
            // Digits that are no code unit.
            self.begin(Bits::default());
            let Some(byte) = byte else { return Step::Error(DecodeReason::Incomplete) };
            queue.restore(&[byte]);
            return Step::Error(DecodeReason::Interrupted);
        }
        let Some(byte) = byte else { return Step::Finished };
        *self = Self::new(self.is_imap);
        if byte != b'-' {
            return self.direct(byte);
        }
        if self.is_imap {
            self.state = State::AfterRun;
        }
        Step::Continue
    }

    /// Starts a character in a run.
    fn begin(&mut self, bits: Bits) {
        *self = Self { state: State::Base64, before: bits, bits, ..Self::new(self.is_imap) };
    }
}

impl Handler for Decoder {
    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        match (self.state, byte) {
            (State::Base64, byte) => match byte.and_then(|byte| Some((byte, digit(self.is_imap, byte)?))) {
                Some((byte, digit)) => self.digit(byte, digit, queue),
                None => self.end(byte, queue),
            },
            (State::Shift(is_after_run), byte) => self.after_shift(is_after_run, byte, queue),
            (State::Direct | State::AfterRun, Some(byte)) => self.direct(byte),
            (State::Direct | State::AfterRun, None) => Step::Finished,
        }
    }

    fn is_neutral(&self) -> bool {
        !matches!(self.state, State::Shift(_)) && self.digits_len == 0 && self.high.is_none() && self.complete.is_none()
    }

    /// 0 to 22.
    fn selected(&self) -> u8 {
        match self.state {
            State::Direct | State::Shift(false) => 0,
            State::AfterRun | State::Shift(true) => 1,
            State::Base64 => 2 + self.before.number(),
        }
    }

    fn select(&mut self, selected: u8) {
        let state = match selected {
            0 => State::Direct,
            // UTF-7 does not distinguish this state.
            1 if self.is_imap => State::AfterRun,
            1 => State::Direct,
            _ => State::Base64,
        };
        let before = Bits::from_number(selected.saturating_sub(2));
        *self = Self { state, before, bits: before, ..Self::new(self.is_imap) };
    }
}

/// The character that begins a run.
fn shift(is_imap: bool) -> u8 {
    if is_imap { b'&' } else { b'+' }
}

/// Returns the value of a digit of base64.
fn digit(is_imap: bool, byte: u8) -> Option<u32> {
    let value = match byte {
        b',' if is_imap => 63,
        b'/' if is_imap => NO_DIGIT,
        _ => VALUES[usize::from(byte)],
    };
    (value != NO_DIGIT).then_some(value.into())
}

/// The values of digits in UTF-7, by their bytes.
static VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};
const NO_DIGIT: u8 = 0xFF;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const IMAP_DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    is_imap: bool,
    in_base64: bool,
    /// The bits that are not written yet.
    bits: Bits,
    /// Whether the first half of a pair is written, and the second is not.
    is_half: bool,
}

impl Encoder {
    pub(super) fn new(is_imap: bool) -> Self {
        Self { is_imap, in_base64: false, bits: Bits::default(), is_half: false }
    }

    /// The state between two characters as a number: 0 to 21.
    pub(super) fn selected(&self) -> u8 {
        if self.in_base64 { 1 + self.bits.number() } else { 0 }
    }

    pub(super) fn select(&mut self, selected: u8) {
        self.in_base64 = selected > 0;
        self.bits = Bits::from_number(selected.saturating_sub(1));
    }

    /// Whether a character outside of base64 is written as its byte. In UTF-7, those of set D, and white space.
    fn is_direct(&self, character: char) -> bool {
        if self.is_imap {
            return matches!(character, ' '..='~');
        }
        matches!(character, 'A'..='Z' | 'a'..='z' | '\t' | '\n' | '\r' | ' ' | '\''..=')' | ','..=':' | '?')
    }

    /// Whether a character outside of base64 is written as its byte, and as nothing else.
    fn is_byte(&self, character: char) -> bool {
        self.is_direct(character) && character != char::from(shift(self.is_imap))
    }

    fn digits(&self) -> &'static [u8; 64] {
        if self.is_imap { IMAP_DIGITS } else { DIGITS }
    }

    /// Starts base64, unless it is started.
    fn start(&mut self, bytes: &mut Bytes) {
        if !self.in_base64 {
            bytes.push(shift(self.is_imap));
            self.in_base64 = true;
        }
    }

    /// The bytes of a character: at most four, or seven beyond U+FFFF.
    #[inline(never)]
    fn bytes(&mut self, character: char) -> Bytes {
        let mut bytes = Bytes::default();
        if self.is_direct(character) {
            let byte = character as u8;
            self.end(self.is_imap || byte == b'-' || digit(false, byte).is_some(), &mut bytes);
            bytes.push(byte);
            if byte == shift(self.is_imap) {
                bytes.push(b'-');
            }
        } else if character == '+' && !self.in_base64 {
            bytes.push(b'+');
            bytes.push(b'-');
        } else {
            self.start(&mut bytes);
            for &unit in &*character.encode_utf16(&mut [0; 2]) {
                self.push_unit(unit, &mut bytes);
            }
        }
        bytes
    }

    /// Ends base64.
    fn end(&mut self, needs_hyphen: bool, bytes: &mut Bytes) {
        if self.bits.len > 0 {
            bytes.push(self.digits()[(self.bits.bits << (6 - self.bits.len)) as usize]);
        }
        if self.in_base64 && needs_hyphen {
            bytes.push(b'-');
        }
        (self.in_base64, self.bits) = (false, Bits::default());
    }

    /// Writes a code unit in base64: two or three digits.
    fn push_unit(&mut self, unit: u16, bytes: &mut Bytes) {
        let mut bits = self.bits.push(unit.into(), 16);
        let from_top = bits.bits << (24 - bits.len);
        let digit = |shift: u32| self.digits()[(from_top >> shift & 63) as usize];
        let len = bits.len / 6;
        bytes.append(Bytes::new([digit(18), digit(12), if len == 3 { digit(6) } else { 0 }], len.into()));
        bits.take(6 * len);
        self.bits = bits;
    }

    /// Encodes a prefix of `src`: direct characters in runs.
    pub(super) fn bulk(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        let mut read = 0;
        loop {
            if !self.in_base64 {
                let rest = &src.as_bytes()[read..];
                let run = rest.iter().take(out.spare_len()).take_while(|&&byte| self.is_byte(byte.into())).count();
                out.extend(&rest[..run]);
                read += run;
            }
            let Some(character) = src[read..].chars().next().filter(|_| out.spare_len() >= LONGEST) else {
                return read;
            };
            let Bytes { all, len } = self.bytes(character);
            out.extend_some(&all.to_le_bytes(), len);
            read += character.len_utf8();
        }
    }
}

impl EncodeHandler for Encoder {
    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        let mut bytes = Bytes::default();
        let Some(character) = item else {
            if !self.in_base64 {
                return EncodeStep::Finished;
            }
            self.end(true, &mut bytes);
            return bytes.emit();
        };
        let mut units = [0; 2];
        let [high, low] = *character.encode_utf16(&mut units) else { return self.bytes(character).emit() };
        // A step for each half.
        self.is_half = !self.is_half;
        if self.is_half {
            *queue = Some(character);
            self.start(&mut bytes);
        }
        self.push_unit(if self.is_half { high } else { low }, &mut bytes);
        bytes.emit()
    }

    #[inline(always)]
    fn encode(&mut self, character: char) -> Option<Bytes> {
        let is_byte = !self.in_base64 && self.is_byte(character);
        Some(if is_byte { Bytes::new([character as u8], 1) } else { self.bytes(character) })
    }
}
