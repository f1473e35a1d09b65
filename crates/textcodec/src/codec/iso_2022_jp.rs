//! ISO-2022-JP, section 12.2.

use core::mem::take;

use super::{
    Decode, Encode, EncodeStep, Replay, Step, index_code_point,
    items::Items,
    pivot,
    progress::{Costs, Useful},
    sink::Unit,
};
use crate::{
    conversion::DecodeReason,
    index,
    kernel::{
        Kernels, Out,
        tables::{EscapeState, EscapedPairs, Escapes, Pairs},
    },
    once::table::{Derived, Table, derived, table},
};

/// A character set that an escape sequence selects. In the standard, the decoder's output state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Ascii,
    Roman,
    Katakana,
    /// The standard's "leading byte".
    Jis0208,
}

/// The decoder's states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// One of the four states between two characters.
    Mode(Mode),
    TrailingByte,
    EscapeStart,
    Escape,
}

/// <https://encoding.spec.whatwg.org/#iso-2022-jp-decoder>
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoder {
    state: State,
    output_state: Mode,
    leading: u8,
    output: bool,
}

impl Decoder {
    /// The initial state.
    pub(crate) const START: Self =
        Self { state: State::Mode(Mode::Ascii), output_state: Mode::Ascii, leading: 0x00, output: false };
}

impl Decode for Decoder {
    const COSTS: Costs = Costs::new(48, Useful::All);

    fn handle(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        match self.state {
            State::Mode(mode) => self.character(mode, byte),
            State::TrailingByte => self.trailing_byte(byte, queue),
            State::EscapeStart => self.escape_start(byte, queue),
            State::Escape => self.escape(byte, queue),
        }
    }

    /// This handler restores the escape byte that interrupts a pair. The standard's handler does not.
    fn unread(&self, reason: DecodeReason, read: usize) -> usize {
        if reason == DecodeReason::Interrupted { 0 } else { read.min(1) }
    }

    fn is_neutral(&self) -> bool {
        matches!(self.state, State::Mode(_))
    }

    fn is_initial_state(&self) -> bool {
        self.state == State::Mode(Mode::Ascii) && !self.output
    }

    #[inline(always)]
    fn items<U: Unit>(&mut self, src: &[u8], stretch: usize, items: &mut Items<'_, '_, U>) -> usize {
        let State::Mode(mut current) = self.state else { return 0 };
        let mut output = self.output;
        let read = items.each(src, stretch, |items, rest| {
            let Some(&byte) = rest.first() else { return 0 };
            let len = match (current, byte) {
                (_, 0x1B) => match (escape_at_front(rest), rest) {
                    // The second of two escape sequences without a character between them is an error, but still applies.
                    (Some(mode), _) => {
                        let len = if output { items.error(3, DecodeReason::EmptyEscape) } else { 3 };
                        if len > 0 || items.is_at_error() {
                            (current, output) = (mode, true);
                        }
                        return len;
                    }
                    (None, [_] | [_, 0x24 | 0x28]) => 0,
                    (None, [_, 0x24 | 0x28, ..]) => items.replace_or_defer(1),
                    (None, _) => items.error(1, DecodeReason::UnknownEscape),
                },
                (Mode::Jis0208, 0x21..=0x7E) => match *rest {
                    [_] => 0,
                    [leading, trailing @ 0x21..=0x7E, ..] => items.character_or_error(pair(leading, trailing), 2),
                    // An escape byte interrupts the pair. Any other byte is part of the error.
                    [_, 0x1B, ..] => items.replace_or_defer(1),
                    _ => items.error(2, DecodeReason::Unmapped),
                },
                _ => match single_unit(current, byte) {
                    Some(unit) => items.units(unit, 1, rest[1..].iter().map_while(|&byte| single_unit(current, byte))),
                    None => items.error(1, DecodeReason::InvalidByte),
                },
            };
            output &= len == 0 && !items.is_at_error();
            len
        });
        (self.state, self.output_state, self.output) = (State::Mode(current), current, output);
        read
    }

    fn bulk_utf8(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u8>) -> usize {
        self.bulk(kernels, src, out)
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, u16>) -> usize {
        self.bulk(kernels, src, out)
    }
}

impl Decoder {
    /// Discards an incomplete pair or escape sequence. Keeps the character set.
    pub(crate) fn discard_sequence(&mut self) {
        (self.state, self.leading) = (State::Mode(self.output_state), 0x00);
    }

    /// The character set, and whether an escape sequence precedes directly, before an incomplete sequence: 0 to 7. It is 0 in
    /// the initial state.
    pub(crate) fn selected(self) -> u8 {
        // A lead byte has cleared `output`. If it is read again, it does so again.
        2 * self.output_state as u8 + u8::from(self.output)
    }

    /// Changes the state to one that [`selected`](Self::selected) has returned.
    pub(crate) fn select(&mut self, selected: u8) {
        let mode = match selected / 2 {
            0 => Mode::Ascii,
            1 => Mode::Roman,
            2 => Mode::Katakana,
            _ => Mode::Jis0208,
        };
        self.set(mode);
        self.output = selected & 1 != 0;
    }

    /// The states ASCII, Roman, katakana and leading byte.
    fn character(&mut self, mode: Mode, byte: Option<u8>) -> Step {
        let Some(byte) = byte else { return Step::Finished };
        if byte == 0x1B {
            self.state = State::EscapeStart;
            return Step::Continue;
        }
        self.output = false;
        match (mode, byte) {
            (Mode::Roman, 0x5C) => Step::Emit('\u{A5}'),
            (Mode::Roman, 0x7E) => Step::Emit('\u{203E}'),
            (Mode::Ascii | Mode::Roman, 0x0E | 0x0F) => Step::Error(DecodeReason::InvalidByte),
            (Mode::Ascii | Mode::Roman, 0x00..=0x7F) => Step::Emit(byte.into()),
            (Mode::Katakana, 0x21..=0x5F) => Step::scalar_value(0xFF61 - 0x21 + u32::from(byte)),
            (Mode::Jis0208, 0x21..=0x7E) => {
                self.leading = byte;
                self.state = State::TrailingByte;
                Step::Continue
            }
            _ => Step::Error(DecodeReason::InvalidByte),
        }
    }

    fn trailing_byte(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        self.state = State::Mode(Mode::Jis0208);
        let leading = take(&mut self.leading);
        match byte {
            Some(0x1B) => {
                // The standard sets the escape start state here. Restoring the byte has the same effect, and excludes it from
                // the range of this error: it starts a separate sequence.
                queue.restore(&[0x1B]);
                Step::Error(DecodeReason::Interrupted)
            }
            Some(byte @ 0x21..=0x7E) => {
                pair(leading, byte).map_or(Step::Error(DecodeReason::Unmapped), Step::Emit) // 2-5.
            }
            Some(_) => Step::Error(DecodeReason::Unmapped),
            None => Step::Error(DecodeReason::Incomplete),
        }
    }

    fn escape_start(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        if let Some(byte @ (0x24 | 0x28)) = byte {
            self.leading = byte;
            self.state = State::Escape;
            return Step::Continue; // 1.
        }
        if let Some(byte) = byte {
            queue.restore(&[byte]); // 2.
        }
        self.unknown_escape() // 3.
    }

    fn escape(&mut self, byte: Option<u8>, queue: &mut Replay) -> Step {
        let leading = take(&mut self.leading); // 1.
        let Some(mode) = byte.and_then(|byte| mode(leading, byte)) else {
            match byte {
                Some(byte) => queue.restore(&[leading, byte]), // 8.
                None => queue.restore(&[leading]),
            }
            return self.unknown_escape(); // 9.
        };
        let output = self.output; // 7.2.
        self.set(mode); // 7.1, 7.3.
        if output { Step::Error(DecodeReason::EmptyEscape) } else { Step::Continue } // 7.4.
    }

    fn unknown_escape(&mut self) -> Step {
        self.output = false;
        self.state = State::Mode(self.output_state);
        Step::Error(DecodeReason::UnknownEscape)
    }

    fn set(&mut self, mode: Mode) {
        self.state = State::Mode(mode);
        self.output_state = mode;
        self.output = true;
    }

    /// Converts ASCII and JIS X 0208. Roman and katakana are rare, and are converted item by item.
    fn bulk<U: Unit>(&mut self, kernels: &Kernels, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let State::Mode(mode @ (Mode::Ascii | Mode::Jis0208)) = self.state else { return 0 };
        let mut state = EscapeState { pairs: mode == Mode::Jis0208, escaped: self.output };
        let read = U::escaped(kernels)(&PAIRS, &mut state, src, out);
        self.set(if state.pairs { Mode::Jis0208 } else { Mode::Ascii });
        self.output = state.escaped;
        read
    }
}

/// Escape, steps 3 to 6.
fn mode(leading: u8, byte: u8) -> Option<Mode> {
    match [leading, byte] {
        [0x28, 0x42] => Some(Mode::Ascii),          // 3.
        [0x28, 0x4A] => Some(Mode::Roman),          // 4.
        [0x28, 0x49] => Some(Mode::Katakana),       // 5.
        [0x24, 0x40 | 0x42] => Some(Mode::Jis0208), // 6.
        _ => None,                                  // 2.
    }
}

fn escape_at_front(src: &[u8]) -> Option<Mode> {
    match *src {
        [0x1B, leading, byte, ..] => mode(leading, byte),
        _ => None,
    }
}

/// The code point of a single byte, in the states that have single-byte characters.
fn single_unit(mode: Mode, byte: u8) -> Option<u16> {
    match (mode, byte) {
        (Mode::Roman, 0x5C) => Some(0xA5),
        (Mode::Roman, 0x7E) => Some(0x203E),
        (Mode::Ascii | Mode::Roman, 0x00..=0x0D | 0x10..=0x1A | 0x1C..=0x7F) => Some(byte.into()),
        (Mode::Katakana, 0x21..=0x5F) => Some(0xFF61 - 0x21 + u16::from(byte)),
        _ => None,
    }
}

/// Trailing byte, steps 2 and 3.
fn pair(leading: u8, byte: u8) -> Option<char> {
    index_code_point(&index::JIS0208, usize::from(leading - 0x21) * 94 + usize::from(byte - 0x21))
}

static PAIRS: Table<EscapedPairs> = table!(EscapedPairs: EscapedPairs {
    pairs: Pairs::new(&index::JIS0208, 94).with_rows(0x21, 0x7E, 0).with_columns(0x21, 0x7E, 0),
    excluded: [0xE, 0xF, 0x1B],
    to_ascii: *b"(B",
    to_pairs: [*b"$B", *b"$@"],
});

/// <https://encoding.spec.whatwg.org/#iso-2022-jp-encoder>
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder {
    /// ASCII, Roman or JIS X 0208, but never katakana.
    state: Mode,
}

impl Encoder {
    /// The initial state.
    pub(crate) const START: Self = Self { state: Mode::Ascii };
}

impl Encode for Encoder {
    const ASCII: bool = false;
    const COSTS: Costs = Costs::new(64, Useful::All);
    /// An escape sequence of three bytes, and a reference of ten.
    const MIN_ITEM_CAPACITY: usize = 13;

    #[inline(always)]
    fn encodes_as_itself(&self, ascii: u8) -> bool {
        self.state == Mode::Ascii && !matches!(ascii, 0x0E | 0x0F | 0x1B)
    }

    fn handle(&mut self, item: Option<char>, queue: &mut Option<char>) -> EncodeStep {
        let Some(code_point) = item else {
            return match self.state {
                Mode::Ascii => EncodeStep::Finished, // 2.
                _ => self.escape(Mode::Ascii),       // 1: end-of-queue stays in the queue.
            };
        };
        if self.state != Mode::Jis0208 && matches!(code_point, '\u{E}' | '\u{F}' | '\u{1B}') {
            return EncodeStep::Error(char::REPLACEMENT_CHARACTER); // 3: not the code point, to prevent attacks.
        }
        if let Some(byte) = single_byte(self.state, code_point) {
            return EncodeStep::emit([byte]); // 4, 5.
        }
        let pair = match code_point {
            '\0'..='\x7F' => return self.escape_before(Mode::Ascii, code_point, queue), // 6.
            '\u{A5}' | '\u{203E}' => return self.escape_before(Mode::Roman, code_point, queue), // 7.
            _ => u16::try_from(u32::from(code_point)).ok().and_then(encode_pair),       // 8-10.
        };
        match pair {
            // 11.1: the handler reports the error in the ASCII state.
            None if self.state == Mode::Jis0208 => self.escape_before(Mode::Ascii, code_point, queue),
            None => EncodeStep::Error(code_point), // 11.2.
            Some(_) if self.state != Mode::Jis0208 => self.escape_before(Mode::Jis0208, code_point, queue), // 12.
            Some(pair) => EncodeStep::emit(pair),  // 13-15.
        }
    }

    fn is_initial_state(&self) -> bool {
        self.state == Mode::Ascii
    }

    #[inline]
    fn end(&mut self, out: &mut Out<'_, u8>) -> bool {
        let fits = self.is_initial_state() || out.extend(&escape_sequence(Mode::Ascii));
        if fits {
            self.state = Mode::Ascii;
        }
        fits
    }

    #[inline(always)]
    fn common_pair(&self, character: char) -> Option<[u8; 2]> {
        if self.state != Mode::Jis0208 {
            return None;
        }
        encode_pair(u16::try_from(u32::from(character)).ok()?)
    }

    fn unmappable(&self, character: char) -> Option<char> {
        match character {
            '\u{E}' | '\u{F}' | '\u{1B}' => Some(char::REPLACEMENT_CHARACTER),
            '\0'..='\x7F' | '\u{A5}' | '\u{203E}' => None,
            _ => match u16::try_from(u32::from(character)).ok().and_then(encode_pair) {
                Some(_) => None,
                None => Some(character),
            },
        }
    }

    #[inline]
    fn declines(&self, character: char) -> bool {
        !matches!(character, '\u{A5}' | '\u{203E}') && ESCAPES.declines(character)
    }

    #[inline]
    fn bulk_utf16(&mut self, kernels: &Kernels, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        let mut read = 0;
        loop {
            let mut bulk = 0;
            if self.state != Mode::Roman {
                let mut pairs = self.state == Mode::Jis0208;
                bulk = (kernels.escaped_from_utf16)(&ESCAPES, &mut pairs, &src[read..], out);
                self.state = if pairs { Mode::Jis0208 } else { Mode::Ascii };
            }
            read += bulk;
            let roman = self.bulk_roman(&src[read..], out);
            read += roman;
            // With less text between Roman runs, converting item by item is faster.
            if roman == 0 || self.state == Mode::Roman || bulk < 8 {
                return read;
            }
        }
    }

    /// Text that starts with ASCII is probably all ASCII, which needs no pivot: cells `encode/iso-2022-jp/utf-8/en/4KiB`.
    fn bulk_utf8(&mut self, kernels: &Kernels, src: &str, out: &mut Out<'_, u8>) -> usize {
        let mut ascii = 0;
        if self.state == Mode::Ascii && src.as_bytes().first().is_some_and(u8::is_ascii) {
            let fits = &src.as_bytes()[..src.len().min(out.spare_len())];
            ascii = (kernels.ascii_prefix_without)([0x0E, 0x0F, 0x1B], fits);
            out.extend(&fits[..ascii]);
        }
        if ascii == src.len() { ascii } else { ascii + pivot::encode(self, kernels, &src[ascii..], out) }
    }
}

impl Encoder {
    /// The character set as a number: 0 for ASCII, or 2 or 3.
    pub(crate) fn selected(self) -> u8 {
        match self.state {
            Mode::Ascii => 0,
            Mode::Roman => 2,
            Mode::Jis0208 | Mode::Katakana => 3,
        }
    }

    /// Changes the character set to that of 2 or 3.
    pub(crate) fn select(&mut self, selected: u8) {
        self.state = if selected == 2 { Mode::Roman } else { Mode::Jis0208 };
    }

    /// Encodes a run in the Roman state, with the escape sequences before and after it.
    fn bulk_roman(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        let mut read = 0;
        while let Some(&unit) = src.get(read) {
            let code_point = char::from_u32(unit.into()).filter(|c| !matches!(c, '\u{E}' | '\u{F}' | '\u{1B}'));
            let Some(code_point) = code_point else { return read };
            let byte = single_byte(Mode::Roman, code_point);
            let fits = match (self.state, byte) {
                (Mode::Roman, Some(byte)) => out.push(byte),
                (Mode::Roman, None) => {
                    let next = if code_point.is_ascii() { Mode::Ascii } else { Mode::Jis0208 };
                    if (next == Mode::Ascii || encode_pair(unit).is_some()) && out.extend(&escape_sequence(next)) {
                        self.state = next;
                    }
                    return read;
                }
                (_, Some(byte)) if !code_point.is_ascii() => {
                    let [a, b, c] = escape_sequence(Mode::Roman);
                    out.extend(&[a, b, c, byte])
                }
                _ => false,
            };
            if !fits {
                return read;
            }
            self.state = Mode::Roman;
            read += 1;
        }
        read
    }

    fn escape(&mut self, state: Mode) -> EncodeStep {
        self.state = state;
        EncodeStep::emit(escape_sequence(state))
    }

    fn escape_before(&mut self, state: Mode, code_point: char, queue: &mut Option<char>) -> EncodeStep {
        *queue = Some(code_point);
        self.escape(state)
    }
}

const fn escape_sequence(mode: Mode) -> [u8; 3] {
    match mode {
        Mode::Ascii => *b"\x1B(B",
        Mode::Roman => *b"\x1B(J",
        Mode::Katakana => *b"\x1B(I",
        Mode::Jis0208 => *b"\x1B$B",
    }
}

/// Steps 4 and 5: the character's byte in the ASCII or Roman state.
fn single_byte(state: Mode, code_point: char) -> Option<u8> {
    match (state, code_point) {
        (Mode::Roman, '\u{A5}') => Some(0x5C),
        (Mode::Roman, '\u{203E}') => Some(0x7E),
        (Mode::Roman, '\x5C' | '\x7E') => None,
        (Mode::Ascii | Mode::Roman, '\0'..='\x7F') => Some(code_point as u8),
        _ => None,
    }
}

/// Steps 8 to 10 and 13 to 15.
fn encode_pair(unit: u16) -> Option<[u8; 2]> {
    let unit = match unit {
        0x2212 => 0xFF0D,                                                           // 8.
        0xFF61..=0xFF9F => index::ISO_2022_JP_KATAKANA[usize::from(unit - 0xFF61)], // 9.
        _ => unit,
    };
    index::encode::ISO_2022_JP.pair(unit.into())
}

/// Steps 3 to 6 and 8 to 15.
static ESCAPES: Derived<Escapes> = derived!(Escapes {
    table: &index::encode::ISO_2022_JP,
    excluded: [0xE, 0xF, 0x1B],
    to_ascii: escape_sequence(Mode::Ascii),
    to_pairs: escape_sequence(Mode::Jis0208),
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::assert_pairs;

    #[test]
    fn kernel_table_has_the_pairs_of_the_standard() {
        assert_pairs(&PAIRS.pairs, 0x21..=0x7E, 0x21..=0x7E, pair);
    }
}
