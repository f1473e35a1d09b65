//! Decoding.

use textcodec::{
    Bom, DecodeError, DecodeOptions, DecodeReason, Decoder, DecoderState, Encoding, ISO_2022_JP, Malformed, Status,
    WINDOWS_1252, utf,
};

use crate::{MALFORMED, Module, NoMemory, OK, Outcome, call, encoding};

/// How decoded text is stored.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// Code units.
    Utf16 = 0,
    /// Code units below U+0100, a byte each.
    Latin1 = 1,
    /// The same as UTF-8, for engines that make strings from it. Only with the flag [`AS_UTF8`].
    Utf8 = 2,
}

/// A flag of [`decode`]: the input ends with this chunk.
const LAST: u32 = 1;
/// Malformed input ends the call.
const FATAL: u32 = 2;
/// Text in Latin-1 is returned as UTF-8.
const AS_UTF8: u32 = 4;

/// Decodes the first `len` bytes of the input. A byte order mark is text.
///
/// `state`, `pending` and `pending_len` are those of the outcome before, or 0 at the start. The first `limit` errors are
/// listed, each as three numbers: the offsets in the input of its first byte and one past its last byte, which may be
/// negative, and the index of its U+FFFD in the text.
#[unsafe(no_mangle)]
extern "C" fn decode(
    number: u32,
    state: u32,
    pending: u32,
    pending_len: usize,
    len: usize,
    flags: u32,
    limit: usize,
) -> u32 {
    call(|module| {
        let before = pending.to_le_bytes();
        let before = &before[..pending_len];
        let encoding = encoding(number);
        if before.is_empty() && state == 0 && module.decode_simple(encoding, len, flags)? {
            return Ok(OK);
        }
        let malformed = if flags & FATAL != 0 || limit > 0 { Malformed::Pause } else { Malformed::Replace };
        let options = DecodeOptions::new().bom(Bom::Keep).malformed(malformed);
        let state = DecoderState::try_from(state as u8).unwrap_or(DecoderState::TEXT);
        let Ok(mut decoder) = encoding.decoder_at(state, options) else { no_such_state() };
        module.decode_all(&mut decoder, before, len, flags, limit)
    })
}

/// Panics. JavaScript never has a state of another encoding. The message omits the error, because the code that
/// formats it would be larger than the rest of this crate.
pub(crate) fn no_such_state() -> ! {
    panic!("no such state")
}

impl Module {
    /// Decodes text whose bytes are its code units. Returns false for other text.
    fn decode_simple(&mut self, encoding: Encoding, len: usize, flags: u32) -> Result<bool, NoMemory> {
        let input = &self.input.slice()[..len];
        let ascii = if encoding.is_ascii_compatible() { utf::ascii_valid_up_to(input) } else { 0 };
        let is_ascii = ascii == len;
        // Each byte decodes to the code point of the same value.
        let is_latin1 = || encoding == WINDOWS_1252 && !input[ascii..].iter().any(|byte| (0x80..0xA0).contains(byte));
        if !is_ascii && !is_latin1() {
            return Ok(false);
        }
        self.outcome =
            Outcome { address: self.input.address(), len: len as u32, form: Form::Latin1 as u32, ..Outcome::default() };
        if flags & AS_UTF8 == 0 {
            return Ok(true);
        }
        if is_ascii {
            self.outcome.form = Form::Utf8 as u32;
        } else {
            self.bytes.grow(2 * len)?;
            let progress = utf::latin1_to_utf8(&self.input.slice()[..len], self.bytes.slice_mut());
            self.put_utf8(progress.written);
        }
        Ok(true)
    }

    /// Says that the text is the first `len` bytes of the output, in UTF-8.
    fn put_utf8(&mut self, len: usize) {
        self.outcome.address = self.bytes.address();
        self.outcome.len = len as u32;
        self.outcome.form = Form::Utf8 as u32;
    }

    fn decode_all(
        &mut self,
        decoder: &mut Decoder,
        before: &[u8],
        len: usize,
        flags: u32,
        limit: usize,
    ) -> Result<u32, NoMemory> {
        self.list.clear();
        let mut written = 0;
        let mut status = OK;
        let input = &self.input.slice()[..len];
        for (chunk, last) in [(before, false), (input, flags & LAST != 0)] {
            let mut rest = chunk;
            loop {
                // At most one code unit per byte, and some for an error or the end of the input.
                self.text.grow(written + rest.len() + 16)?;
                let progress = decoder.decode_to_utf16(rest, &mut self.text.slice_mut()[written..], last);
                rest = &rest[progress.read..];
                written += progress.written;
                let error = match progress.status {
                    Status::InputEmpty => break,
                    Status::Error(error) => error,
                    _ => continue,
                };
                list_error(&mut self.list, &error, before.len(), written, limit)?;
                if flags & FATAL != 0 {
                    discard_pending(decoder, &error);
                    status = MALFORMED;
                    break;
                }
                self.text.grow(written + 1)?;
                self.text.slice_mut()[written] = 0xFFFD;
                written += 1;
            }
            if status == MALFORMED {
                break;
            }
        }
        let pending = decoder.pending_bytes();
        let mut bytes = [0; 4];
        bytes[..pending.len()].copy_from_slice(&pending);
        self.outcome = Outcome {
            state: decoder.state().map_or(0, u8::from).into(),
            pending_len: pending.len() as u32,
            pending: u32::from_le_bytes(bytes),
            list: self.list.as_ptr().addr() as u32,
            list_len: self.list.len() as u32 / 3,
            ..Outcome::default()
        };
        self.put_text(written, flags)?;
        Ok(status)
    }

    /// Says that the text is the first `len` code units, or the same in a shorter form.
    fn put_text(&mut self, len: usize, flags: u32) -> Result<(), NoMemory> {
        let text = &self.text.slice()[..len];
        // Most text that is not Latin-1 has another character near its start.
        let (start, rest) = text.split_at(len.min(64));
        if utf::max_unit(start) > 0xFF || utf::max_unit(rest) > 0xFF {
            self.outcome.address = self.text.address();
            self.outcome.len = len as u32;
            self.outcome.form = Form::Utf16 as u32;
            return Ok(());
        }
        if flags & AS_UTF8 != 0 {
            self.bytes.grow(2 * len)?;
            let progress = utf::utf16_to_utf8(text, self.bytes.slice_mut());
            self.put_utf8(progress.written);
            return Ok(());
        }
        self.bytes.grow(len)?;
        let progress = utf::utf16_to_latin1(text, self.bytes.slice_mut());
        self.outcome.address = self.bytes.address();
        self.outcome.len = progress.written as u32;
        self.outcome.form = Form::Latin1 as u32;
        Ok(())
    }
}

/// Discards the bytes that the handler restored, as browsers do after a fatal error. The escape byte that interrupts a pair of
/// ISO-2022-JP is pending too, but the standard's handler does not restore it: it changes its state.
fn discard_pending(decoder: &mut Decoder, error: &DecodeError) {
    if (error.encoding(), error.reason()) != (ISO_2022_JP, DecodeReason::Interrupted) {
        decoder.discard_pending_bytes();
    }
}

fn list_error(
    list: &mut Vec<u32>,
    error: &DecodeError,
    before: usize,
    index: usize,
    limit: usize,
) -> Result<(), NoMemory> {
    if list.len() / 3 < limit {
        list.try_reserve(3).map_err(|_| NoMemory)?;
        let offset = |position: u64| (position as u32).wrapping_sub(before as u32);
        let range = error.range();
        list.extend([offset(range.start), offset(range.end), index as u32]);
    }
    Ok(())
}
