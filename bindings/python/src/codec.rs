//! Codecs: the native parts of a `codecs.CodecInfo`.

use std::{
    mem,
    sync::{Mutex, PoisonError},
};

use pyo3::{
    exceptions::PyValueError,
    intern,
    prelude::*,
    types::{PyBytes, PyString, PyTuple, PyType},
};
use textcodec::{Bom, Decoder, DecoderState, Encoder, EncoderState, UTF_8, UTF_16BE, UTF_16LE};

use crate::{
    buffer::Input,
    bytes::{copy, join},
    decode, encode,
    encoding::{EncodingArgument, PyEncoding, codec_name, object},
    handler::Errors,
    objects,
    shared::{Shared, State},
    text,
};

/// A codec. Its methods are the functions of `codecs.CodecInfo`.
#[pyclass(frozen, module = "textcodec._native")]
pub(crate) struct Codec {
    source: decode::Source,
    target: encode::Target,
}

#[pymethods]
impl Codec {
    /// A codec that keeps byte order marks or, with `bom`, removes and writes them.
    #[new]
    fn new(encoding: EncodingArgument, bom: bool) -> Self {
        let encoding = encoding.0;
        let sniff = if bom { Bom::Sniff } else { Bom::Keep };
        Self { source: decode::Source::new(encoding, sniff), target: encode::Target::new(encoding, bom) }
    }

    /// The name in `CodecInfo`.
    #[getter]
    fn name(&self) -> String {
        codec_name(self.source.encoding) + if self.target.bom { "-bom" } else { "" }
    }

    #[getter]
    fn encoding(&self, py: Python<'_>) -> PyResult<Py<PyEncoding>> {
        object(py, self.source.encoding)
    }

    /// Decodes bytes. Returns the text, and the number of bytes.
    #[pyo3(signature = (input, errors = None, /))]
    fn decode<'py>(&self, py: Python<'py>, input: Input<'py>, errors: Option<&str>) -> PyResult<Bound<'py, PyTuple>> {
        let text = decode::decode(py, self.source, &input, &errors_of(errors)?)?;
        let len = objects::int(py, input.as_slice().len() as u64)?;
        objects::tuple(py, [text.into_any(), len.into_any()])
    }

    /// Encodes text. Returns the bytes, and the number of characters.
    #[pyo3(signature = (input, errors = None, /))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        input: Bound<'py, PyString>,
        errors: Option<&str>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = encode::encode(py, self.target, &input, &errors_of(errors)?)?;
        let len = objects::int(py, text::len(&input) as u64)?;
        objects::tuple(py, [bytes.into_any(), len.into_any()])
    }

    /// Creates an incremental decoder.
    #[pyo3(signature = (errors = "strict"))]
    fn incremental_decoder(&self, errors: &str) -> PyResult<IncrementalDecoder> {
        let errors = Errors::new(errors)?;
        let state = Decoding { decoder: self.source.decoder(&errors), prefix: Vec::new() };
        Ok(IncrementalDecoder { source: self.source, errors: Mutex::new(errors), state: Shared::new(state) })
    }

    /// Creates an incremental encoder.
    #[pyo3(signature = (errors = "strict"))]
    fn incremental_encoder(&self, errors: &str) -> PyResult<IncrementalEncoder> {
        let errors = Mutex::new(Errors::new(errors)?);
        Ok(IncrementalEncoder { state: Shared::new(self.target.encoder().ok()), target: self.target, errors })
    }
}

fn errors_of(name: Option<&str>) -> PyResult<Errors> {
    name.map_or(Ok(Errors::Strict), Errors::new)
}

/// Copies the handler that an object has now.
fn copy_of(errors: &Mutex<Errors>) -> PyResult<Errors> {
    errors.lock().unwrap_or_else(PoisonError::into_inner).copy()
}

/// Replaces the handler of an object.
fn replace(errors: &Mutex<Errors>, name: &str) -> PyResult<()> {
    let new = Errors::new(name)?;
    *errors.lock().unwrap_or_else(PoisonError::into_inner) = new;
    Ok(())
}

/// Returns the codec of a class of coders: `codec`, which a subclass defines.
fn codec_of<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, Codec>> {
    Ok(class.getattr(intern!(class.py(), "codec"))?.cast_into()?)
}

/// An incremental decoder, as in `codecs.IncrementalDecoder`. Subclasses define `codec`.
#[pyclass(frozen, subclass, module = "textcodec._native")]
pub(crate) struct IncrementalDecoder {
    source: decode::Source,
    errors: Mutex<Errors>,
    state: Shared<Decoding>,
}

/// The state of an incremental decoder.
struct Decoding {
    decoder: Decoder,
    /// Bytes that come before the next chunk and are not yet given to the decoder.
    prefix: Vec<u8>,
}

impl State for Decoding {
    fn copy(&self) -> PyResult<Self> {
        Ok(Self { decoder: self.decoder.clone(), prefix: copy(&self.prefix)? })
    }

    fn is_same(&self, other: &Self) -> bool {
        is_same(&self.decoder, &other.decoder) && self.prefix == other.prefix
    }
}

/// Whether two decoders with the same options decode further bytes alike.
pub(crate) fn is_same(one: &Decoder, other: &Decoder) -> bool {
    one.state() == other.state() && *one.pending_bytes() == *other.pending_bytes()
}

#[pymethods]
impl IncrementalDecoder {
    #[new]
    #[classmethod]
    #[pyo3(signature = (errors = "strict"))]
    fn new(class: &Bound<'_, PyType>, errors: &str) -> PyResult<Self> {
        codec_of(class)?.get().incremental_decoder(errors)
    }

    /// The name of the error handler.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let errors = copy_of(&self.errors)?;
        objects::string(py, errors.name())
    }

    #[setter]
    fn set_errors(&self, errors: &str) -> PyResult<()> {
        replace(&self.errors, errors)
    }

    /// Decodes a chunk. `final` means that the input ends with it. After an exception, the decoder is in the state before the
    /// call.
    #[pyo3(signature = (input, r#final = false))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        input: Input<'py>,
        #[pyo3(from_py_with = objects::truth)] r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let errors = copy_of(&self.errors)?;
        self.state.update(|state| state.decode(py, self.source, &errors, &input, r#final))
    }

    /// Discards the state, for a new input.
    fn reset(&self) -> PyResult<()> {
        self.state.set(Decoding { decoder: self.source.decoder(&copy_of(&self.errors)?), prefix: Vec::new() });
        Ok(())
    }

    /// Returns the bytes that are not decoded yet, and the state before them as a number. It is 0 if the bytes decode as at the
    /// start of an input whose byte order mark is kept.
    fn getstate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Decoding { decoder, prefix } = self.state.read(Decoding::copy)?;
        let bytes = join(py, &[&decoder.pending_bytes(), &prefix])?;
        let state = u8::from(decoder.state().unwrap_or(DecoderState::TEXT));
        objects::tuple(py, [bytes.into_any(), objects::int(py, state.into())?.into_any()])
    }

    /// Restores a state.
    fn setstate(&self, state: (Input<'_>, u8)) -> PyResult<()> {
        let (bytes, state) = state;
        let state = DecoderState::try_from(state).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let decoder = self.source.decoder_at(state, &copy_of(&self.errors)?)?;
        self.state.set(Decoding { decoder, prefix: copy(bytes.as_slice())? });
        Ok(())
    }
}

impl Decoding {
    /// Decodes a chunk. After an exception, the state is not defined.
    fn decode<'py>(
        &mut self,
        py: Python<'py>,
        source: decode::Source,
        errors: &Errors,
        input: &Input<'py>,
        last: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        self.decoder.set_malformed(decode::malformed(errors));
        let pending = self.decoder.pending_bytes();
        let prefix = mem::take(&mut self.prefix);
        let held = if last { 0 } else { self.half_surrogate(errors, &pending, &prefix, input.as_slice()) };
        let joined;
        let input = if prefix.is_empty() && held == 0 {
            input
        } else {
            let bytes = join(py, &[&prefix, input.as_slice()])?;
            let (kept, held) = bytes.as_bytes().split_at(bytes.as_bytes().len() - held);
            self.prefix = copy(held)?;
            joined = Input::Bytes(if held.is_empty() { bytes } else { join(py, &[kept])? });
            &joined
        };
        let chunk = decode::Chunk { source, input, last, errors, before: &pending };
        let text = chunk.decode(py, &mut self.decoder)?;
        if last {
            self.rest(source, errors)?;
        }
        Ok(text)
    }

    /// Returns how many bytes at the end belong to the first two bytes of a surrogate in UTF-8. They are malformed, but
    /// the handler `surrogatepass` needs the third byte too.
    fn half_surrogate(&self, errors: &Errors, pending: &[u8], prefix: &[u8], chunk: &[u8]) -> usize {
        if self.decoder.encoding() != UTF_8 || !matches!(errors, Errors::Other(_)) {
            return 0;
        }
        let mut backwards = [pending, prefix, chunk].into_iter().flatten().rev();
        match (backwards.next(), backwards.next()) {
            (Some(0xA0..=0xBF), Some(0xED)) => 2.min(prefix.len() + chunk.len()),
            _ => 0,
        }
    }

    /// Prepares for bytes after the end of an input: they continue in the same encoding, and have no byte order mark.
    fn rest(&mut self, source: decode::Source, errors: &Errors) -> PyResult<()> {
        let encoding = self.decoder.encoding();
        if encoding == source.encoding {
            self.decoder = source.decoder_at(DecoderState::TEXT, errors)?;
        } else {
            // A byte order mark leads to the other encoding again.
            let mark: &[u8] = match encoding {
                UTF_16BE => b"\xFE\xFF",
                UTF_16LE => b"\xFF\xFE",
                _ => b"\xEF\xBB\xBF",
            };
            self.decoder = source.decoder(errors);
            let _mark = self.decoder.decode_to_utf16(mark, &mut [0; 0], false);
        }
        Ok(())
    }
}

/// An incremental encoder, as in `codecs.IncrementalEncoder`. Subclasses define `codec`.
#[pyclass(frozen, subclass, module = "textcodec._native")]
pub(crate) struct IncrementalEncoder {
    target: encode::Target,
    errors: Mutex<Errors>,
    /// None for `replacement`, which encodes nothing.
    state: Shared<Option<Encoder>>,
}

impl State for Option<Encoder> {
    fn copy(&self) -> PyResult<Self> {
        Ok(self.clone())
    }

    fn is_same(&self, other: &Self) -> bool {
        self.as_ref().map(Encoder::state) == other.as_ref().map(Encoder::state)
    }
}

#[pymethods]
impl IncrementalEncoder {
    #[new]
    #[classmethod]
    #[pyo3(signature = (errors = "strict"))]
    fn new(class: &Bound<'_, PyType>, errors: &str) -> PyResult<Self> {
        codec_of(class)?.get().incremental_encoder(errors)
    }

    /// The name of the error handler.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let errors = copy_of(&self.errors)?;
        objects::string(py, errors.name())
    }

    #[setter]
    fn set_errors(&self, errors: &str) -> PyResult<()> {
        replace(&self.errors, errors)
    }

    /// Encodes a chunk. `final` means that the text ends with it. After an exception, the encoder is in the state before the
    /// call.
    #[pyo3(signature = (input, r#final = false))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        input: Bound<'py, PyString>,
        #[pyo3(from_py_with = objects::truth)] r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let errors = copy_of(&self.errors)?;
        let source = text::Source::new(&input)?;
        self.state.update(|encoder| {
            let Some(encoder) = encoder else {
                return encode::encode(py, self.target, &input, &errors);
            };
            let chunk =
                encode::Chunk { target: self.target, text: &input, source: &source, last: r#final, errors: &errors };
            let bytes = chunk.encode(py, encoder)?;
            if r#final {
                *encoder = self.target.encoder_at(EncoderState::TEXT)?;
            }
            Ok(bytes)
        })
    }

    /// Discards the state, for a new text.
    fn reset(&self) {
        self.state.set(self.target.encoder().ok());
    }

    /// Returns the state as a number. It is 0 if the following text is encoded as at the start of a text without a byte order
    /// mark.
    fn getstate(&self) -> u8 {
        let state = self.state.read(|encoder| encoder.as_ref().and_then(Encoder::state));
        state.unwrap_or(EncoderState::TEXT).into()
    }

    /// Restores a state.
    fn setstate(&self, state: u8) -> PyResult<()> {
        let state = EncoderState::try_from(state).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if self.target.encoding.has_encoder() {
            self.state.set(Some(self.target.encoder_at(state)?));
        }
        Ok(())
    }
}
