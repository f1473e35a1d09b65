//! Bytes to bytes, without a string in between for the handlers `strict`, `replace` and `ignore`.
#![expect(unsafe_code, reason = "the bytes that converters report are initialised")]

use pyo3::{
    exceptions::{PyUnicodeDecodeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{Bom, DecodeError, Decoder, Status, TranscodeError, UTF_8, Unmappable};

use crate::{
    buffer::{Input, LONG},
    bytes::{BytesWriter, join},
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
    let encoder = builtin(&errors).filter(|_| target.encoder().is_ok()).and_then(|unmappable| match unmappable {
        // Otherwise the exception is that of `str.encode`.
        Unmappable::Replace(character) if !target.encoding.can_encode(character) => None,
        _ => Some(target.encoding.encoder_with(unmappable)),
    });
    if let Some(encoder) = encoder {
        let len = data.as_slice().len().saturating_add(16);
        let mut out = BytesWriter::new(py, if target.encoding == UTF_8 { estimate(source, &data) } else { len })?;
        let mut transcoder = textcodec::Transcoder::new(source.decoder(&errors), encoder);
        match convert(py, &mut transcoder, &data, true, &errors, &mut out)? {
            None => return out.finish(),
            Some(TranscodeError::Decode(error)) => return Err(exception(&data.to_bytes()?, &error, 0)?),
            // The exception has the text.
            Some(TranscodeError::Encode(_)) => {}
        }
    }
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

/// Converts a chunk. Returns the first error of `strict`.
fn convert<'py>(
    py: Python<'py>,
    transcoder: &mut textcodec::Transcoder,
    input: &Input<'py>,
    last: bool,
    errors: &Errors,
    out: &mut BytesWriter<'py>,
) -> PyResult<Option<TranscodeError>> {
    let bytes = input.as_slice();
    let mut at = 0;
    loop {
        let (rest, spare) = (&bytes[at..], out.spare());
        let mut run = || transcoder.transcode(rest, spare, last);
        let progress = if input.is_frozen() && rest.len() >= LONG { py.detach(run) } else { run() };
        at += progress.read;
        // SAFETY: a transcoder initialises what it reports as written.
        unsafe { out.advance(progress.written) };
        match progress.status {
            Status::InputEmpty => return Ok(None),
            Status::Error(TranscodeError::Decode(_)) if *errors == Errors::Ignore => {}
            Status::Error(error) => return Ok(Some(error)),
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
        let mut transcoder = textcodec::Transcoder::new(decoder.clone(), UTF_8.encoder());
        let error = convert(py, &mut transcoder, input, last, &self.errors, &mut out)?;
        decoder.clone_from(transcoder.decoder());
        match error {
            None => out.finish(),
            Some(TranscodeError::Encode(error)) => Err(PyValueError::new_err(error.to_string())),
            Some(TranscodeError::Decode(error)) => {
                let object = join(py, &[pending, input.as_slice()])?;
                Err(exception(&object, &error, start)?)
            }
        }
    }
}
