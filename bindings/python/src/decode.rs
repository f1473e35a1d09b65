//! Bytes to strings: whole inputs, and chunks with error handlers.
#![expect(unsafe_code, reason = "the code units that a decoder reports are initialised, and text that was validated")]

use std::{
    alloc::{Layout, handle_alloc_error},
    collections::TryReserveError,
    mem::MaybeUninit,
};

use memchr::memmem;
use pyo3::{
    exceptions::PyMemoryError,
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{
    Bom, DecodeError, DecodeOptions, Decoder, DecoderState, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP,
    LATIN1, Malformed, SHIFT_JIS, Status, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, custom::SingleByte, utf,
};

use crate::{
    buffer::{Input, LONG},
    bytes::{join, no_memory},
    handler::{Errors, Handler, decode_error, name},
    objects,
    text::{Builder, Writer, from_ascii, from_latin1, from_utf16},
};

/// Up to this number of bytes, text is decoded on the stack, which saves a reallocation of the string.
const SHORT: usize = 256;

/// An encoding, and what happens to byte order marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) encoding: Encoding,
    pub(crate) bom: Bom,
    /// The table, if the encoding is `CUSTOM`.
    pub(crate) table: Option<&'static SingleByte>,
}

impl Source {
    pub(crate) fn new(encoding: Encoding, bom: Bom) -> Self {
        Self { encoding, bom, table: None }
    }

    /// Returns a decoder for the start of an input.
    pub(crate) fn decoder(self, errors: &Errors) -> Decoder {
        match self.table {
            Some(table) => table.decoder(self.options(errors)),
            None => decoder_with(self.encoding, self.options(errors)),
        }
    }

    /// Returns a decoder that continues in a state.
    pub(crate) fn decoder_at(self, state: DecoderState, errors: &Errors) -> PyResult<Decoder> {
        if self.table.is_some() {
            // The only state.
            return Ok(self.decoder(errors));
        }
        let decoder = self.encoding.decoder_at(state, self.options(errors));
        decoder.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))
    }

    /// Whether all text is in the basic multilingual plane, so that UTF-16 has no surrogates.
    fn is_bmp(self) -> bool {
        let is_bmp =
            self.encoding.is_single_byte() || matches!(self.encoding, SHIFT_JIS | EUC_JP | EUC_KR | ISO_2022_JP);
        is_bmp && self.bom != Bom::Sniff
    }

    fn options(self, errors: &Errors) -> DecodeOptions {
        DecodeOptions::new().bom(self.bom).malformed(malformed(errors))
    }
}

/// Creates a decoder. Without memory for the table of a code page, the process ends: after any other error, the next call continues.
pub(crate) fn decoder_with(encoding: Encoding, options: impl Into<DecodeOptions>) -> Decoder {
    let decoder = encoding.decoder_with(options);
    // Without the table, even an empty call fails. Only code pages have one to allocate.
    if encoding > US_ASCII
        && let Status::Error(_) = decoder.clone().decode_to_utf8(b"", &mut [0; 0], false).status
    {
        handle_alloc_error(Layout::new::<[char; 256]>());
    }
    decoder
}

/// What the decoder does about malformed bytes.
pub(crate) fn malformed(errors: &Errors) -> Malformed {
    if *errors == Errors::Replace { Malformed::Replace } else { Malformed::Pause }
}

/// Decodes a whole input.
pub(crate) fn decode<'py>(
    py: Python<'py>,
    source: Source,
    input: &Input<'py>,
    errors: &Errors,
) -> PyResult<Bound<'py, PyString>> {
    let bytes = input.as_slice();
    if let Some(text) = without_decoder(py, source, input) {
        return text;
    }
    if bytes.len() <= SHORT {
        let mut block = [MaybeUninit::uninit(); SHORT];
        let progress = source.decoder(errors).decode_to_utf16(bytes, &mut block, true);
        if progress.status == Status::InputEmpty {
            // SAFETY: a decoder initialises what it reports as written.
            return from_utf16(py, unsafe { block[..progress.written].assume_init_ref() }, source.is_bmp());
        }
        // There is an error.
    }
    let chunk = Chunk { source, input, last: true, errors, before: &[] };
    chunk.decode(py, &mut source.decoder(errors))
}

/// Makes a string that has one byte for each character in memory, if that is known without decoding: ASCII, and ISO-8859-1.
fn without_decoder<'py>(py: Python<'py>, source: Source, input: &Input<'py>) -> Option<PyResult<Bound<'py, PyString>>> {
    let bytes = input.as_slice();
    if source.encoding.is_ascii_compatible() && utf::ascii_valid_up_to(bytes) == bytes.len() {
        return Some(from_ascii(py, bytes));
    }
    let sniffs = source.bom == Bom::Sniff && Encoding::for_bom(bytes).is_some();
    let is_latin1 = source.encoding == LATIN1 || (source.encoding == WINDOWS_1252 && !has_c1(bytes));
    if is_latin1 && !sniffs {
        return Some(from_latin1(py, bytes));
    }
    if source.encoding != UTF_8 || sniffs {
        return None;
    }
    let run = || latin1_of_utf8(bytes);
    let characters = if input.is_frozen() && bytes.len() >= LONG { py.detach(run) } else { run() };
    match characters {
        Ok(characters) => characters.map(|characters| from_latin1(py, &characters)),
        Err(error) => Some(Err(no_memory(error))),
    }
}

/// Converts UTF-8 to ISO-8859-1, which is the memory of the string, if it is well-formed and has no other characters. Takes less
/// time than UTF-16.
fn latin1_of_utf8(bytes: &[u8]) -> Result<Option<Vec<u8>>, TryReserveError> {
    /// The first byte of U+00FF.
    const LAST: u8 = 0xC3;
    // Without branches within a block, so that the compiler uses vectors.
    let max = |block: &[u8]| block.iter().fold(0, |max: u8, &byte| max.max(byte));
    if bytes.chunks(256).any(|block| max(block) > LAST) || utf::utf8_valid_up_to(bytes) < bytes.len() {
        return Ok(None);
    }
    let mut characters = Vec::new();
    characters.try_reserve_exact(bytes.len())?;
    characters.resize(bytes.len(), 0);
    let progress = utf::trusted_utf8_to_latin1(bytes, &mut characters);
    characters.truncate(progress.written);
    Ok((progress.read == bytes.len()).then_some(characters))
}

/// Returns whether there is a byte from 0x80 to 0x9F.
pub(crate) fn has_c1(bytes: &[u8]) -> bool {
    // Without branches within a block, so that the compiler uses vectors.
    let has = |block: &[u8]| block.iter().map(|byte| u8::from(byte & 0xE0 == 0x80)).fold(0, |any, one| any | one) != 0;
    bytes.chunks(256).any(has)
}

/// A part of an input that is decoded in one call of Python.
pub(crate) struct Chunk<'a, 'py> {
    pub(crate) source: Source,
    pub(crate) input: &'a Input<'py>,
    /// Whether the whole input ends with this chunk.
    pub(crate) last: bool,
    pub(crate) errors: &'a Errors,
    /// The bytes that the decoder has read and not decoded yet.
    pub(crate) before: &'a [u8],
}

impl<'py> Chunk<'_, 'py> {
    /// Decodes the chunk. After an exception, the state of the decoder is not defined.
    pub(crate) fn decode(&self, py: Python<'py>, decoder: &mut Decoder) -> PyResult<Bound<'py, PyString>> {
        let bytes = self.input.as_slice();
        let start = decoder.position().wrapping_sub(self.before.len() as u64);
        let capacity =
            decoder.max_utf16_len(bytes.len()).ok_or_else(|| PyMemoryError::new_err("the input is too long"))?;
        let mut text = Writer::new(py, capacity)?;
        let mut at = 0;
        let mut has_error = false;
        // After this number of units, each U+FFFD is a replacement.
        let mut replaced_from = None;
        loop {
            let (rest, spare, last) = (&bytes[at..], text.spare(), self.last);
            let mut run = || decoder.decode_to_utf16(rest, spare, last);
            let progress = if self.input.is_frozen() && rest.len() >= LONG { py.detach(run) } else { run() };
            at += progress.read;
            // SAFETY: a decoder initialises what it reports as written.
            unsafe { text.advance(progress.written) };
            match progress.status {
                Status::InputEmpty => {
                    if let Some(from) = replaced_from {
                        text.remove(from, 0xFFFD);
                        decoder.set_malformed(malformed(self.errors));
                    }
                    return text.finish(self.source.is_bmp());
                }
                Status::Error(_) if *self.errors == Errors::Ignore => {
                    // To replace them all takes less time than to stop at each.
                    if !has_error && !may_have_replacement_character(decoder, &bytes[at..]) {
                        replaced_from = Some(text.units().len());
                        decoder.set_malformed(Malformed::Replace);
                    }
                    has_error = true;
                }
                Status::Error(error) => return self.handle(py, decoder, &text, start, error),
                _ => text.grow()?,
            }
        }
    }

    /// Continues after the first error. `start` is the offset of the object of exceptions in the input of the decoder.
    fn handle(
        &self,
        py: Python<'py>,
        decoder: &mut Decoder,
        text: &Writer<'py>,
        start: u64,
        error: DecodeError,
    ) -> PyResult<Bound<'py, PyString>> {
        let object = if self.before.is_empty() {
            self.input.to_bytes()?
        } else {
            join(py, &[self.before, self.input.as_slice()])?
        };
        let mut run = Run { chunk: self, object, start, text: Builder::default(), handler: None };
        run.text.push_units(text.units())?;
        run.answer(decoder, &error)?;
        run.decode(decoder)?;
        run.text.finish(py)
    }
}

/// Returns whether well-formed bytes of the decoder's input may represent U+FFFD. `rest` has not been given to the decoder.
fn may_have_replacement_character(decoder: &Decoder, rest: &[u8]) -> bool {
    let character: &[u8] = match decoder.encoding() {
        UTF_8 => b"\xEF\xBF\xBD",
        GBK | GB18030 => b"\x84\x31\xA4\x37",
        UTF_16BE => b"\xFF\xFD",
        UTF_16LE => b"\xFD\xFF",
        // Not in their indexes.
        _ if decoder.encoding().is_single_byte() || !decoder.encoding().labels().is_empty() => return false,
        _ => return true,
    };
    let has = |bytes: &[u8]| memmem::find(bytes, character).is_some();
    let first = &rest[..rest.len().min(character.len())];
    has(rest) || has(&[&decoder.pending_bytes(), first].concat())
}

/// The part of a chunk after the first error.
struct Run<'a, 'py> {
    chunk: &'a Chunk<'a, 'py>,
    /// The bytes in which errors are located.
    object: Bound<'py, PyBytes>,
    /// The offset of `object` in the decoder's input. It may be negative, so all arithmetic wraps.
    start: u64,
    text: Builder,
    handler: Option<Handler<'py>>,
}

impl Run<'_, '_> {
    /// Decodes the rest.
    fn decode(&mut self, decoder: &mut Decoder) -> PyResult<()> {
        loop {
            let at = decoder.position().wrapping_sub(self.start) as usize;
            let rest = self.object.as_bytes().get(at..).unwrap_or_default();
            let units = self.text.units();
            let reserved = units.try_reserve(rest.len() + Decoder::MIN_UTF16_BUFFER_LEN);
            reserved.map_err(no_memory)?;
            // Not moved: a copy of the error right after it was written stalls the processor.
            match &decoder.decode_within_capacity(rest, units, self.chunk.last).status {
                Status::InputEmpty => return Ok(()),
                Status::Error(error) => self.answer(decoder, error)?,
                _ => {}
            }
        }
    }

    /// Does what the handler says about an error.
    fn answer(&mut self, decoder: &mut Decoder, error: &DecodeError) -> PyResult<()> {
        let range = error.range();
        let [from, to] = [range.start, range.end].map(|offset| offset.wrapping_sub(self.start) as usize);
        let name = name(decoder.encoding(), self.chunk.source.table);
        let exception = |object| decode_error(&name, object, (from, to), error.reason());
        match self.chunk.errors {
            Errors::Strict => return Err(PyErr::from_value(exception(&self.object)?)),
            Errors::Ignore => {}
            Errors::Replace => self.text.push_unit(0xFFFD)?,
            Errors::BackslashReplace => {
                let digit = |value: u8| u16::from(b"0123456789abcdef"[usize::from(value)]);
                for byte in error.bytes() {
                    let escaped = [b'\\'.into(), b'x'.into(), digit(byte >> 4), digit(byte & 0xF)];
                    self.text.push_units(&escaped)?;
                }
            }
            Errors::SurrogateEscape => {
                // ASCII must not be hidden in a surrogate.
                let escaped = error.bytes().iter().take_while(|byte| !byte.is_ascii()).count();
                if escaped == 0 {
                    return Err(PyErr::from_value(exception(&self.object)?));
                }
                for &byte in &error.bytes()[..escaped] {
                    self.text.push_unit(0xDC00 | u16::from(byte))?;
                }
                if from + escaped < to {
                    return self.go_to(decoder, from + escaped);
                }
            }
            errors @ (Errors::XmlCharRefReplace | Errors::Other(_)) => {
                if self.handler.is_none() {
                    self.handler = Some(Handler::new(self.object.py(), errors)?);
                }
                let Some(handler) = &mut self.handler else { return Ok(()) };
                let reason = objects::short(error.reason());
                let answer =
                    handler.call(&self.object, self.object.as_bytes().len(), (from, to), &reason, true, || {
                        exception(&self.object)
                    })?;
                self.text.push_str(answer.replacement.cast()?)?;
                if let Some(object) = answer.new_object {
                    self.object = object;
                    return self.go_to(decoder, answer.position);
                }
                if answer.position != to {
                    return self.go_to(decoder, answer.position);
                }
            }
        }
        Ok(())
    }

    /// Continues at an offset of the object. The character set that an escape sequence has selected stays.
    fn go_to(&mut self, decoder: &mut Decoder, position: usize) -> PyResult<()> {
        let state = decoder.state().unwrap_or(DecoderState::TEXT);
        *decoder = self.chunk.source.decoder_at(state, self.chunk.errors)?;
        self.start = decoder.position().wrapping_sub(position as u64);
        Ok(())
    }
}
