//! Strings to bytes: whole texts, and chunks with error handlers.
#![expect(unsafe_code, reason = "the bytes that an encoder reports are initialised")]

use std::mem::MaybeUninit;

use arrayvec::ArrayString;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{
    EncodeOptions, EncodeReason, Encoder, EncoderState, Encoding, ISO_2022_JP, LATIN1, Status, US_ASCII, UTF_8,
    Unmappable, WINDOWS_1252, custom::SingleByte, oem,
};

use crate::{
    buffer::LONG,
    bytes::{BytesWriter, join, no_memory},
    decode::has_c1,
    handler::{Errors, Handler, MAX_NAME, encode_error, name},
    objects::short,
    text::{Source, characters},
};

/// Up to this number of characters, text is encoded on the stack, which saves a reallocation of the bytes.
const SHORT: usize = 256;

/// The number of code units that are converted at a time, where a string is not UTF-16 in memory.
const BLOCK: usize = 4096;
/// [`Run::window`] after an error.
const AFTER_ERROR: usize = 16;

/// An encoding, and whether a byte order mark is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) encoding: Encoding,
    pub(crate) bom: bool,
    /// The table, if the encoding is `CUSTOM`.
    pub(crate) table: Option<&'static SingleByte>,
}

impl Target {
    pub(crate) fn new(encoding: Encoding, bom: bool) -> Self {
        Self { encoding, bom, table: None }
    }

    /// Returns an encoder for the start of a text, or why there is none.
    pub(crate) fn encoder(self) -> Result<Encoder, EncodeReason> {
        let encoder = match self.table {
            Some(table) => table.encoder(self.options()),
            None => self.encoding.encoder_with(self.options()),
        };
        if self.encoding <= US_ASCII && self.encoding.has_encoder() {
            return Ok(encoder);
        }
        // Without an encoder, or memory for the table of a code page, even an empty call fails.
        match encoder.clone().encode_from_utf8("", &mut [0; 0], false).status {
            Status::Error(error) => Err(error.reason()),
            _ => Ok(encoder),
        }
    }

    /// Returns an encoder that continues in a state.
    pub(crate) fn encoder_at(self, state: EncoderState) -> PyResult<Encoder> {
        let encoder = self.encoding.encoder_at(state, self.options());
        encoder.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The name in exceptions.
    fn name(self) -> ArrayString<MAX_NAME> {
        match self.encoding {
            // The encoder writes big-endian, but `surrogatepass` takes the other name for the order of the machine.
            oem::UTF_32 => name(oem::UTF_32BE, None),
            encoding => name(encoding, self.table),
        }
    }

    fn options(self) -> EncodeOptions {
        EncodeOptions::new().bom(self.bom).unmappable(Unmappable::Pause)
    }
}

/// Encodes a whole text.
pub(crate) fn encode<'py>(
    py: Python<'py>,
    target: Target,
    text: &Bound<'py, PyString>,
    errors: &Errors,
) -> PyResult<Bound<'py, PyBytes>> {
    let source = Source::new(text)?;
    if let Some(bytes) = without_encoder(target, &source) {
        return join(py, &[bytes]);
    }
    let mut encoder = match target.encoder() {
        Ok(encoder) => encoder,
        Err(_) if source.len() == 0 => return Ok(PyBytes::new(py, b"")),
        Err(reason) => {
            return Err(PyErr::from_value(encode_error(&target.name(), text, 0, reason)?));
        }
    };
    if source.len() <= SHORT {
        let mut bytes = [MaybeUninit::uninit(); 4 * SHORT];
        let (written, stop) = if source.is_utf16() {
            advance(&mut encoder, &source, &mut 0, (&mut [], &mut { SHORT }), &mut bytes, true)
        } else {
            advance(&mut encoder, &source, &mut 0, (&mut [0; SHORT], &mut { SHORT }), &mut bytes, true)
        };
        if let Stop::End = stop {
            // SAFETY: `advance` initialises what it reports as written.
            return join(py, &[unsafe { bytes[..written].assume_init_ref() }]);
        }
        encoder.reset();
    }
    Chunk { target, text, source: &source, last: true, errors }.encode(py, &mut encoder)
}

/// Returns a text as bytes if its memory has them: ASCII, and ISO-8859-1.
fn without_encoder<'a>(target: Target, source: &Source<'a>) -> Option<&'a [u8]> {
    if target.bom {
        return None;
    }
    if let Some(ascii) = source.ascii() {
        return (target.encoding.is_ascii_compatible() && target.encoding.has_encoder()).then_some(ascii);
    }
    let latin1 = source.latin1()?;
    (target.encoding == LATIN1 || (target.encoding == WINDOWS_1252 && !has_c1(latin1))).then_some(latin1)
}

/// Why encoding stopped.
enum Stop {
    End,
    Full,
    /// At a character that cannot be encoded. It is read.
    Unmappable(usize, EncodeReason),
}

/// Encodes characters from `position` on, and advances it. Returns the number of bytes, which are initialised. `block` is memory
/// for a part of the text as UTF-16, and `window` the number of code units that are converted first.
fn advance(
    encoder: &mut Encoder,
    source: &Source<'_>,
    position: &mut usize,
    (block, window): (&mut [u16], &mut usize),
    mut out: &mut [MaybeUninit<u8>],
    last: bool,
) -> (usize, Stop) {
    let mut written = 0;
    loop {
        let (units, len) = source.units(*position, *window, block);
        *window = BLOCK.min(4 * *window);
        let end = *position + len == source.len();
        let progress = encoder.encode_from_utf16(units, out, last && end);
        written += progress.written;
        out = &mut out[progress.written..];
        // Counting characters is only necessary where the string has four bytes for each.
        *position += match progress.read {
            all if all == units.len() => len,
            some if len == units.len() => some,
            some => characters(&units[..some]),
        };
        match progress.status {
            Status::Error(error) => return (written, Stop::Unmappable(*position - 1, error.reason())),
            Status::InputEmpty if end => return (written, Stop::End),
            Status::InputEmpty => {
                if source.surrogate_at(*position).is_some() {
                    *position += 1;
                    return (written, Stop::Unmappable(*position - 1, EncodeReason::UnpairedSurrogate));
                }
            }
            _ => return (written, Stop::Full),
        }
    }
}

/// A part of a text that is encoded in one call of Python.
pub(crate) struct Chunk<'a, 'py> {
    pub(crate) target: Target,
    pub(crate) text: &'a Bound<'py, PyString>,
    pub(crate) source: &'a Source<'a>,
    /// Whether the whole text ends with this chunk.
    pub(crate) last: bool,
    pub(crate) errors: &'a Errors,
}

impl<'py> Chunk<'_, 'py> {
    /// Encodes the chunk. After an exception, the state of the encoder is not defined.
    pub(crate) fn encode(&self, py: Python<'py>, encoder: &mut Encoder) -> PyResult<Bound<'py, PyBytes>> {
        // Handlers that are built into encoders only see unpaired surrogates.
        encoder.set_unmappable(self.unmappable());
        let out = BytesWriter::new(py, self.estimate())?;
        let mut run = Run { chunk: self, encoder, out, block: Vec::new(), window: BLOCK, handler: None, py };
        let mut position = 0;
        while let Some((at, reason)) = run.advance(self.source, &mut position, self.last)? {
            position = run.answer(at, reason)?;
        }
        run.out.finish()
    }

    /// What the encoder does about characters that it cannot encode. If it lacks what would replace them, the handler sees them all.
    fn unmappable(&self) -> Unmappable {
        let Target { encoding, table, .. } = self.target;
        let has = |text: &str| match table {
            Some(table) => table.encode(text).is_ok(),
            None => encoding <= US_ASCII || text.chars().all(|character| encoding.can_encode(character)),
        };
        match self.errors {
            Errors::Replace if has("?") => Unmappable::Replace('?'),
            Errors::Ignore => Unmappable::Skip,
            Errors::XmlCharRefReplace if !has_other_references(encoding) && has("&#0123456789;") => Unmappable::Html,
            _ => Unmappable::Pause,
        }
    }

    /// The expected number of bytes.
    fn estimate(&self) -> usize {
        let unit = match self.target.encoding {
            encoding if encoding.is_single_byte() => 1,
            UTF_8 => self.source.max_utf8_len(),
            _ => 2,
        };
        self.source.len().saturating_mul(unit).saturating_add(16)
    }
}

/// Whether references of the encoder have other numbers than those of Python's handler: U+FFFD for the characters that are shifts.
pub(crate) fn has_other_references(encoding: Encoding) -> bool {
    matches!(encoding, ISO_2022_JP | oem::TRUE_ISO_2022_KR)
}

/// The state of one call.
struct Run<'a, 'py> {
    chunk: &'a Chunk<'a, 'py>,
    encoder: &'a mut Encoder,
    out: BytesWriter<'py>,
    /// Memory for a part of the text as UTF-16, if it is needed. Not on the stack: a handler may encode, and so on.
    block: Vec<u16>,
    /// The number of code units that are converted before they are encoded: few after an error, because those after the next
    /// error are converted again.
    window: usize,
    handler: Option<Handler<'py>>,
    py: Python<'py>,
}

impl<'py> Run<'_, 'py> {
    /// Encodes up to the end, or a character that cannot be encoded. Returns its offset.
    fn advance(
        &mut self,
        source: &Source<'_>,
        position: &mut usize,
        last: bool,
    ) -> PyResult<Option<(usize, EncodeReason)>> {
        if !source.is_utf16() && self.block.is_empty() {
            self.block.try_reserve_exact(BLOCK).map_err(no_memory)?;
            self.block.resize(BLOCK, 0);
        }
        loop {
            let (encoder, block, window) = (&mut *self.encoder, &mut self.block, &mut self.window);
            let spare = self.out.spare();
            let is_long = source.len() - *position >= LONG && *window == BLOCK;
            let mut run = || advance(encoder, source, position, (block, window), spare, last);
            let (written, stop) = if is_long { self.py.detach(run) } else { run() };
            // SAFETY: `advance` initialises what it reports as written.
            unsafe { self.out.advance(written) };
            match stop {
                Stop::End => return Ok(None),
                Stop::Unmappable(at, reason) => return Ok(Some((at, reason))),
                Stop::Full => self.out.grow()?,
            }
        }
    }

    /// Does what the handler says about the character at an offset. Returns where to continue.
    fn answer(&mut self, at: usize, reason: EncodeReason) -> PyResult<usize> {
        let Chunk { target, text, source, errors, .. } = self.chunk;
        self.window = AFTER_ERROR;
        let exception = || encode_error(&target.name(), text, at, reason);
        let fail = || exception().map_or_else(|error| error, PyErr::from_value);
        let character = source.code_point(at);
        let replacement = match errors {
            Errors::Strict => return Err(fail()),
            Errors::Ignore => return Ok(at + 1),
            Errors::Replace => short("?"),
            Errors::XmlCharRefReplace => short(format_args!("&#{character};")),
            Errors::BackslashReplace => match character {
                0..=0xFF => short(format_args!("\\x{character:02x}")),
                0x100..=0xFFFF => short(format_args!("\\u{character:04x}")),
                _ => short(format_args!("\\U{character:08x}")),
            },
            Errors::SurrogateEscape => {
                let surrogates = (at..source.len()).map_while(|at| source.surrogate_at(at));
                let bytes = surrogates.take_while(|surrogate| matches!(surrogate, 0xDC80..=0xDCFF));
                let mut block = [0; SHORT];
                let places = block.iter_mut().zip(bytes);
                let len = places.map(|(place, surrogate)| *place = surrogate as u8).count();
                if len == 0 {
                    return Err(fail());
                }
                self.push_raw(&block[..len])?;
                return Ok(at + len);
            }
            Errors::Other(_) => {
                if self.handler.is_none() {
                    self.handler = Some(Handler::new(self.py, errors)?);
                }
                let Some(handler) = &mut self.handler else { return Err(fail()) };
                let answer = handler.call(text, source.len(), (at, at + 1), &short(reason), false, exception)?;
                match answer.replacement.cast::<PyString>() {
                    Ok(replacement) => self.push_str(replacement, fail)?,
                    Err(_) => self.push_raw(answer.replacement.cast::<PyBytes>()?.as_bytes())?,
                }
                return Ok(answer.position);
            }
        };
        self.push_text(&replacement, fail)?;
        Ok(at + 1)
    }

    /// Encodes a built-in replacement, which is ASCII.
    fn push_text(&mut self, mut replacement: &str, fail: impl FnOnce() -> PyErr) -> PyResult<()> {
        loop {
            let progress = self.encoder.encode_from_utf8(replacement, self.out.spare(), false);
            replacement = &replacement[progress.read..];
            // SAFETY: an encoder initialises what it reports as written.
            unsafe { self.out.advance(progress.written) };
            match progress.status {
                Status::InputEmpty => return Ok(()),
                Status::Error(_) => return Err(fail()),
                _ => self.out.grow()?,
            }
        }
    }

    /// Encodes a replacement. If that cannot be encoded, the error is that of the original character.
    fn push_str(&mut self, replacement: &Bound<'py, PyString>, fail: impl FnOnce() -> PyErr) -> PyResult<()> {
        match self.advance(&Source::new(replacement)?, &mut 0, false)? {
            None => Ok(()),
            Some(_) => Err(fail()),
        }
    }

    /// Writes bytes verbatim, after a pending byte order mark and in the ASCII state of ISO-2022-JP.
    fn push_raw(&mut self, bytes: &[u8]) -> PyResult<()> {
        if bytes.is_empty() {
            // ISO-2022-JP: two escape sequences in a row would be malformed.
            return Ok(());
        }
        if self.encoder.state() != Some(EncoderState::TEXT) {
            self.advance(&Source::EMPTY, &mut 0, true)?;
            *self.encoder = self.chunk.target.encoder_at(EncoderState::TEXT)?;
        }
        self.out.push(bytes)
    }
}
