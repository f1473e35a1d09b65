//! Section 12.2: ISO-2022-JP.

use super::code_point;
use crate::{
    handler::{
        Handler,
        HandlerResult::{self, Continue, Error, Finished},
        items,
    },
    indexes::{ISO_2022_JP_KATAKANA, JIS0208},
    io_queue::{IoQueue, Item},
};

/// The states of the [`Iso2022JpDecoder`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DecoderState {
    #[default]
    Ascii,
    Roman,
    Katakana,
    LeadingByte,
    TrailingByte,
    EscapeStart,
    Escape,
}

/// <https://encoding.spec.whatwg.org/#iso-2022-jp-decoder>
#[derive(Clone, Debug, Default)]
pub struct Iso2022JpDecoder {
    decoder_state: DecoderState,
    decoder_output_state: DecoderState,
    leading: u8,
    output: bool,
}

impl Handler<u8, char> for Iso2022JpDecoder {
    fn handler(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        match self.decoder_state {
            DecoderState::Ascii => self.ascii(item),
            DecoderState::Roman => self.roman(item),
            DecoderState::Katakana => self.katakana(item),
            DecoderState::LeadingByte => self.leading_byte(item),
            DecoderState::TrailingByte => self.trailing_byte(io_queue, item),
            DecoderState::EscapeStart => self.escape_start(io_queue, item),
            DecoderState::Escape => self.escape(io_queue, item),
        }
    }

    fn is_neutral(&self) -> bool {
        matches!(
            self.decoder_state,
            DecoderState::Ascii | DecoderState::Roman | DecoderState::Katakana | DecoderState::LeadingByte
        )
    }
}

/// One function for each row of the switch.
impl Iso2022JpDecoder {
    fn ascii(&mut self, item: Item<u8>) -> HandlerResult<char> {
        match item {
            Item::Value(0x1B) => {
                self.decoder_state = DecoderState::EscapeStart;
                Continue // ASCII, 0x1B
            }
            Item::Value(byte) if byte.is_ascii() && !matches!(byte, 0x0E | 0x0F | 0x1B) => {
                self.output = false;
                items([char::from(byte)]) // ASCII, 0x00 to 0x7F, excluding 0x0E, 0x0F, and 0x1B
            }
            Item::EndOfQueue => Finished, // ASCII, end-of-queue
            Item::Value(_) => {
                self.output = false;
                Error(None) // ASCII, otherwise
            }
        }
    }

    fn roman(&mut self, item: Item<u8>) -> HandlerResult<char> {
        match item {
            Item::Value(0x1B) => {
                self.decoder_state = DecoderState::EscapeStart;
                Continue // Roman, 0x1B
            }
            Item::Value(0x5C) => {
                self.output = false;
                items(['\u{00A5}']) // Roman, 0x5C
            }
            Item::Value(0x7E) => {
                self.output = false;
                items(['\u{203E}']) // Roman, 0x7E
            }
            Item::Value(byte) if byte.is_ascii() && !matches!(byte, 0x0E | 0x0F | 0x1B | 0x5C | 0x7E) => {
                self.output = false;
                items([char::from(byte)]) // Roman, 0x00 to 0x7F, excluding 0x0E, 0x0F, 0x1B, 0x5C, and 0x7E
            }
            Item::EndOfQueue => Finished, // Roman, end-of-queue
            Item::Value(_) => {
                self.output = false;
                Error(None) // Roman, otherwise
            }
        }
    }

    fn katakana(&mut self, item: Item<u8>) -> HandlerResult<char> {
        match item {
            Item::Value(0x1B) => {
                self.decoder_state = DecoderState::EscapeStart;
                Continue // katakana, 0x1B
            }
            Item::Value(byte @ 0x21..=0x5F) => {
                self.output = false;
                items([code_point(0xFF61 - 0x21 + u32::from(byte))]) // katakana, 0x21 to 0x5F
            }
            Item::EndOfQueue => Finished, // katakana, end-of-queue
            Item::Value(_) => {
                self.output = false;
                Error(None) // katakana, otherwise
            }
        }
    }

    fn leading_byte(&mut self, item: Item<u8>) -> HandlerResult<char> {
        match item {
            Item::Value(0x1B) => {
                self.decoder_state = DecoderState::EscapeStart;
                Continue // leading byte, 0x1B
            }
            Item::Value(byte @ 0x21..=0x7E) => {
                self.output = false;
                self.leading = byte;
                self.decoder_state = DecoderState::TrailingByte;
                Continue // leading byte, 0x21 to 0x7E
            }
            Item::EndOfQueue => Finished, // leading byte, end-of-queue
            Item::Value(_) => {
                self.output = false;
                Error(None) // leading byte, otherwise
            }
        }
    }

    fn trailing_byte(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        match item {
            Item::Value(0x1B) => {
                self.decoder_state = DecoderState::EscapeStart;
                Error(None) // trailing byte, 0x1B: not restored, because it starts an escape sequence
            }
            Item::Value(byte @ 0x21..=0x7E) => {
                self.decoder_state = DecoderState::LeadingByte; // 1.
                let pointer = (u32::from(self.leading) - 0x21) * 94 + u32::from(byte) - 0x21; // 2.
                let code_point = JIS0208.code_point(pointer); // 3.
                match code_point {
                    None => Error(None),                     // 4.
                    Some(code_point) => items([code_point]), // 5.
                }
            }
            Item::EndOfQueue => {
                self.decoder_state = DecoderState::LeadingByte;
                io_queue.restore(item);
                Error(None) // trailing byte, end-of-queue
            }
            Item::Value(_) => {
                self.decoder_state = DecoderState::LeadingByte;
                Error(None) // trailing byte, otherwise: an ASCII byte is masked here
            }
        }
    }

    fn escape_start(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        if let Item::Value(byte @ (0x24 | 0x28)) = item {
            self.leading = byte;
            self.decoder_state = DecoderState::Escape;
            return Continue; // 1.
        }
        io_queue.restore(item); // 2.
        self.output = false;
        self.decoder_state = self.decoder_output_state;
        Error(None) // 3.
    }

    fn escape(&mut self, io_queue: &mut IoQueue<u8>, item: Item<u8>) -> HandlerResult<char> {
        let leading = self.leading;
        self.leading = 0x00; // 1.
        let mut state = None; // 2.
        if leading == 0x28 && item == Item::Value(0x42) {
            state = Some(DecoderState::Ascii); // 3.
        }
        if leading == 0x28 && item == Item::Value(0x4A) {
            state = Some(DecoderState::Roman); // 4.
        }
        if leading == 0x28 && item == Item::Value(0x49) {
            state = Some(DecoderState::Katakana); // 5.
        }
        if leading == 0x24 && (item == Item::Value(0x40) || item == Item::Value(0x42)) {
            state = Some(DecoderState::LeadingByte); // 6.
        }
        if let Some(state) = state {
            self.decoder_state = state;
            self.decoder_output_state = state; // 7.1.
            let output = self.output; // 7.2.
            self.output = true; // 7.3.
            return if output { Error(None) } else { Continue }; // 7.4.
        }
        io_queue.restore(item);
        io_queue.restore(Item::Value(leading)); // 8. The next item is now `leading`, followed by `item`.
        self.output = false;
        self.decoder_state = self.decoder_output_state;
        Error(None) // 9.
    }
}

/// The states of the [`Iso2022JpEncoder`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EncoderState {
    #[default]
    Ascii,
    Roman,
    Jis0208,
}

/// <https://encoding.spec.whatwg.org/#iso-2022-jp-encoder>
#[derive(Clone, Debug, Default)]
pub struct Iso2022JpEncoder {
    encoder_state: EncoderState,
}

impl Handler<char, u8> for Iso2022JpEncoder {
    fn handler(&mut self, io_queue: &mut IoQueue<char>, item: Item<char>) -> HandlerResult<u8> {
        let Item::Value(mut code_point) = item else {
            if self.encoder_state != EncoderState::Ascii {
                io_queue.restore(item);
                self.encoder_state = EncoderState::Ascii;
                return items([0x1B, 0x28, 0x42]); // 1.
            }
            return Finished; // 2.
        };
        if matches!(self.encoder_state, EncoderState::Ascii | EncoderState::Roman)
            && matches!(code_point, '\u{000E}' | '\u{000F}' | '\u{001B}')
        {
            return Error(Some('\u{FFFD}')); // 3. Not `code_point`, which would enable attacks.
        }
        if self.encoder_state == EncoderState::Ascii && code_point.is_ascii() {
            return items([code_point as u8]); // 4.
        }
        if self.encoder_state == EncoderState::Roman
            && ((code_point.is_ascii() && !matches!(code_point, '\u{005C}' | '\u{007E}'))
                || matches!(code_point, '\u{00A5}' | '\u{203E}'))
        {
            if code_point.is_ascii() {
                return items([code_point as u8]); // 5.1.
            }
            if code_point == '\u{00A5}' {
                return items([0x5C]); // 5.2.
            }
            if code_point == '\u{203E}' {
                return items([0x7E]); // 5.3.
            }
        }
        if code_point.is_ascii() && self.encoder_state != EncoderState::Ascii {
            io_queue.restore(item);
            self.encoder_state = EncoderState::Ascii;
            return items([0x1B, 0x28, 0x42]); // 6.
        }
        if matches!(code_point, '\u{00A5}' | '\u{203E}') && self.encoder_state != EncoderState::Roman {
            io_queue.restore(item);
            self.encoder_state = EncoderState::Roman;
            return items([0x1B, 0x28, 0x4A]); // 7.
        }
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}'; // 8.
        }
        if ('\u{FF61}'..='\u{FF9F}').contains(&code_point) {
            let pointer = u32::from(code_point) - 0xFF61;
            code_point = ISO_2022_JP_KATAKANA.code_point(pointer).expect("this index has no gaps"); // 9.
        }
        let pointer = JIS0208.pointer(code_point); // 10.
        let Some(pointer) = pointer else {
            if self.encoder_state == EncoderState::Jis0208 {
                io_queue.restore(Item::Value(code_point));
                self.encoder_state = EncoderState::Ascii;
                return items([0x1B, 0x28, 0x42]); // 11.1.
            }
            return Error(Some(code_point)); // 11.2.
        };
        if self.encoder_state != EncoderState::Jis0208 {
            io_queue.restore(Item::Value(code_point)); // may differ from `item` after steps 8 and 9
            self.encoder_state = EncoderState::Jis0208;
            return items([0x1B, 0x24, 0x42]); // 12.
        }
        let leading = pointer / 94 + 0x21; // 13.
        let trailing = pointer % 94 + 0x21; // 14.
        items([leading as u8, trailing as u8]) // 15.
    }
}
