//! Bytes to bytes, without a string in between for the handlers `strict`, `replace` and `ignore`.
#![expect(unsafe_code, reason = "the bytes that converters report are initialised")]

use std::iter;

use pyo3::{
    exceptions::{PyUnicodeDecodeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{Bom, DecodeError, DecodeStatus, Decoder, EncodeStatus, Encoder, UTF_8, Unmappable};

use crate::{
    buffer::{Input, LONG},
    bytes::{BytesWriter, join, no_memory},
    codec::is_same,
    decode::{self, Source},
    encode::{self, Target},
    encoding::EncodingArgument,
    handler::{Errors, decode_error, name},
    report::BomArgument,
    shared::{Shared, State},
};

/// Converts bytes from one encoding to another.
#[pyfunction]
#[pyo3(
    signature = (data, source, target = EncodingArgument(UTF_8), errors = "strict", *, bom = BomArgument(Bom::Sniff)),
    text_signature = "(data, source, target='utf-8', errors='strict', *, bom='sniff')"
)]
pub(crate) fn transcode<'py>(
    py: Python<'py>,
    data: Input<'py>,
    source: EncodingArgument,
    target: EncodingArgument,
    errors: &str,
    bom: BomArgument,
) -> PyResult<Bound<'py, PyBytes>> {
    let (source, errors) = (Source::new(source.0, bom.0), Errors::new(errors)?);
    let target = Target::new(target.0, false);
    let converted = match (builtin(&errors), target.encoding) {
        (None, _) => None,
        (Some(_), UTF_8) => {
            let mut decoder = source.decoder(&errors);
            let mut out = BytesWriter::new(py, estimate(source, &data))?;
            match to_utf8(py, &mut decoder, &data, true, &errors, &mut out)? {
                None => return out.finish(),
                Some(error) => return Err(exception(&data.to_bytes()?, &error, 0)?),
            }
        }
        (Some(unmappable), _) => through_utf8(py, source, target, &data, &errors, unmappable)?,
    };
    if let Some(bytes) = converted {
        return Ok(bytes);
    }
    // A handler that is called, or an error whose exception needs the text.
    let text = decode::decode(py, source, &data, &errors)?;
    encode::encode(py, target, &text, &errors)
}

/// Returns what an encoder does for a handler that is built into decoders and encoders.
fn builtin(errors: &Errors) -> Option<Unmappable> {
    match errors {
        Errors::Strict => Some(Unmappable::Pause),
        Errors::Replace => Some(Unmappable::Replace('?')),
        Errors::Ignore => Some(Unmappable::Skip),
        _ => None,
    }
}

/// The expected number of bytes of UTF-8.
fn estimate(source: Source, input: &Input<'_>) -> usize {
    let len = input.as_slice().len();
    let half = if source.encoding.is_single_byte() { len } else { len / 2 };
    len.saturating_add(half).saturating_add(16)
}

/// Appends the UTF-8 of a chunk. Returns the first error of `strict`.
fn to_utf8<'py>(
    py: Python<'py>,
    decoder: &mut Decoder,
    input: &Input<'py>,
    last: bool,
    errors: &Errors,
    out: &mut BytesWriter<'py>,
) -> PyResult<Option<DecodeError>> {
    let bytes = input.as_slice();
    let mut at = 0;
    loop {
        let (rest, spare) = (&bytes[at..], out.spare());
        let mut run = || decoder.decode_to_utf8_uninit(rest, spare, last);
        let progress = if input.is_frozen() && rest.len() >= LONG { py.detach(run) } else { run() };
        at += progress.read;
        // SAFETY: a decoder initialises what it reports as written.
        unsafe { out.advance(progress.written) };
        match progress.status {
            DecodeStatus::InputEmpty => return Ok(None),
            DecodeStatus::Malformed(_) if *errors == Errors::Ignore => {}
            DecodeStatus::Malformed(error) => return Ok(Some(error)),
            _ => out.grow()?,
        }
    }
}

/// Converts through blocks of UTF-8. Returns nothing after an error of `strict`.
fn through_utf8<'py>(
    py: Python<'py>,
    source: Source,
    target: Target,
    input: &Input<'py>,
    errors: &Errors,
    unmappable: Unmappable,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let Ok(mut encoder) = target.encoding.encoder_with(unmappable) else { return Ok(None) };
    let mut decoder = source.decoder(errors);
    let mut out = BytesWriter::new(py, input.as_slice().len().saturating_add(16))?;
    let mut block = String::new();
    block.try_reserve_exact(4 * LONG).map_err(no_memory)?;
    block.extend(iter::repeat_n('\0', 4 * LONG));
    // Other inputs could change between two blocks.
    let detach = input.is_frozen();
    let (bytes, mut at) = (input.as_slice(), 0);
    loop {
        let mut run = || decoder.decode_to_str(&bytes[at..], &mut block, true);
        let progress = if detach && bytes.len() - at >= LONG { py.detach(run) } else { run() };
        at += progress.read;
        let ended = progress.status == DecodeStatus::InputEmpty;
        if !append(py, detach, &mut encoder, (&block[..progress.written], ended), &mut out)? {
            return Ok(None);
        }
        match progress.status {
            DecodeStatus::InputEmpty => return out.finish().map(Some),
            DecodeStatus::Malformed(_) if *errors != Errors::Ignore => return Ok(None),
            _ => {}
        }
    }
}

/// Encodes a block, the last one or not. With `detach`, other threads run meanwhile. Returns false at an unmappable character.
fn append(
    py: Python<'_>,
    detach: bool,
    encoder: &mut Encoder,
    (mut text, last): (&str, bool),
    out: &mut BytesWriter<'_>,
) -> PyResult<bool> {
    loop {
        let spare = out.spare();
        let mut run = || encoder.encode_from_utf8_uninit(text, spare, last);
        let progress = if detach && text.len() >= LONG { py.detach(run) } else { run() };
        text = &text[progress.read..];
        // SAFETY: an encoder initialises what it reports as written.
        unsafe { out.advance(progress.written) };
        match progress.status {
            EncodeStatus::InputEmpty => return Ok(true),
            EncodeStatus::Unmappable(_) => return Ok(false),
            _ => out.grow()?,
        }
    }
}

/// Returns the exception for an error. `start` is the offset of `object` in the input.
fn exception(object: &Bound<'_, PyBytes>, error: &DecodeError, start: u64) -> PyResult<PyErr> {
    let range = error.range();
    let [from, to] = [range.start, range.end].map(|offset| offset.wrapping_sub(start) as usize);
    Ok(PyErr::from_value(decode_error(&name(error.encoding(), None), object, (from, to), error.reason())?))
}

/// Converts chunks of one input to UTF-8.
#[pyclass(frozen, module = "textcodec._native")]
pub(crate) struct Transcoder {
    source: Source,
    errors: Errors,
    state: Shared<Transcoding>,
}

/// The state of a [`Transcoder`].
struct Transcoding {
    decoder: Decoder,
    /// The number of bytes in the chunks before.
    read: u64,
}

impl State for Transcoding {
    fn copy(&self) -> PyResult<Self> {
        Ok(Self { decoder: self.decoder.clone(), read: self.read })
    }

    fn is_same(&self, other: &Self) -> bool {
        is_same(&self.decoder, &other.decoder) && self.read == other.read
    }
}

#[pymethods]
impl Transcoder {
    #[new]
    fn new(encoding: EncodingArgument, errors: &str, bom: BomArgument) -> PyResult<Self> {
        let (source, errors) = (Source::new(encoding.0, bom.0), Errors::new(errors)?);
        if errors == Errors::SurrogateEscape {
            return Err(PyValueError::new_err(
                "UTF-8 cannot represent the surrogates of 'surrogateescape'; use 'replace' or 'backslashreplace'",
            ));
        }
        let state = Transcoding { decoder: source.decoder(&errors), read: 0 };
        Ok(Self { source, errors, state: Shared::new(state) })
    }

    /// Converts a chunk. `final` means that the input ends with it. After an exception, the state is that before the call.
    fn transcode<'py>(&self, py: Python<'py>, input: Input<'py>, r#final: bool) -> PyResult<Bound<'py, PyBytes>> {
        self.state.update(|state| {
            let pending = state.decoder.pending_bytes();
            let start = state.read.saturating_sub(pending.len() as u64);
            let bytes = self.convert(py, &mut state.decoder, &input, &pending, r#final).inspect_err(|error| {
                let value = error.value(py);
                if !value.is_instance_of::<PyUnicodeDecodeError>() {
                    return;
                }
                let Ok(first) = value.getattr("start").and_then(|first| first.extract::<u64>()) else { return };
                // Only for information, and only from Python 3.11 on.
                let _ = value.call_method1("add_note", (format!("at byte {} of the file", start + first),));
            })?;
            state.read += input.as_slice().len() as u64;
            Ok(bytes)
        })
    }
}

impl Transcoder {
    fn convert<'py>(
        &self,
        py: Python<'py>,
        decoder: &mut Decoder,
        input: &Input<'py>,
        pending: &[u8],
        last: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if builtin(&self.errors).is_none() {
            let chunk = decode::Chunk { source: self.source, input, last, errors: &self.errors, before: pending };
            let text: Bound<'py, PyString> = chunk.decode(py, decoder)?;
            return encode::encode(py, Target::new(UTF_8, false), &text, &Errors::Strict);
        }
        let start = decoder.position() - pending.len() as u64;
        let mut out = BytesWriter::new(py, estimate(self.source, input))?;
        match to_utf8(py, decoder, input, last, &self.errors, &mut out)? {
            None => out.finish(),
            Some(error) => {
                let object = join(py, &[pending, input.as_slice()])?;
                Err(exception(&object, &error, start)?)
            }
        }
    }
}
