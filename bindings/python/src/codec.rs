//! Codecs: the native parts of a `codecs.CodecInfo`.

use std::mem;

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{Bom, Decoder, DecoderState, Encoder, EncoderState, UTF_8, UTF_16BE, UTF_16LE};

use crate::{
    buffer::Input,
    bytes::{copy, join},
    decode, encode,
    encoding::{EncodingArgument, PyEncoding, codec_name, object},
    handler::Errors,
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
        Self { source: decode::Source { encoding, bom: sniff }, target: encode::Target { encoding, bom } }
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
    fn decode<'py>(
        &self,
        py: Python<'py>,
        input: Input<'py>,
        errors: Option<&str>,
    ) -> PyResult<(Bound<'py, PyString>, usize)> {
        let text = decode::decode(py, self.source, &input, &errors_of(errors))?;
        Ok((text, input.as_slice().len()))
    }

    /// Encodes text. Returns the bytes, and the number of characters.
    #[pyo3(signature = (input, errors = None, /))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        input: Bound<'py, PyString>,
        errors: Option<&str>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let bytes = encode::encode(py, self.target, &input, &errors_of(errors))?;
        Ok((bytes, text::len(&input)))
    }

    /// Creates an incremental decoder.
    #[pyo3(signature = (errors = "strict"))]
    fn incremental_decoder(&self, errors: &str) -> IncrementalDecoder {
        let errors = Errors::new(errors);
        IncrementalDecoder { decoder: self.source.decoder(&errors), source: self.source, errors, prefix: Vec::new() }
    }

    /// Creates an incremental encoder.
    #[pyo3(signature = (errors = "strict"))]
    fn incremental_encoder(&self, errors: &str) -> IncrementalEncoder {
        IncrementalEncoder { encoder: self.target.encoder().ok(), target: self.target, errors: Errors::new(errors) }
    }
}

fn errors_of(name: Option<&str>) -> Errors {
    name.map_or(Errors::Strict, Errors::new)
}

/// An incremental decoder, as in `codecs.IncrementalDecoder`.
#[pyclass(module = "textcodec._native")]
pub(crate) struct IncrementalDecoder {
    source: decode::Source,
    errors: Errors,
    decoder: Decoder,
    /// Bytes that come before the next chunk and are not yet given to the decoder.
    prefix: Vec<u8>,
}

#[pymethods]
impl IncrementalDecoder {
    /// The name of the error handler.
    #[getter]
    fn errors(&self) -> &str {
        self.errors.name()
    }

    #[setter]
    fn set_errors(&mut self, errors: &str) {
        self.errors = Errors::new(errors);
        self.decoder.set_malformed(decode::malformed(&self.errors));
    }

    /// Decodes a chunk. `final` means that the input ends with it. After an exception, the decoder is in the state before the
    /// call.
    #[pyo3(signature = (input, r#final = false))]
    fn decode<'py>(&mut self, py: Python<'py>, input: Input<'py>, r#final: bool) -> PyResult<Bound<'py, PyString>> {
        let (state, pending) = (self.decoder.state().unwrap_or(DecoderState::TEXT), self.decoder.pending_bytes());
        let prefix = mem::take(&mut self.prefix);
        let held = if r#final { 0 } else { self.half_surrogate(&pending, &prefix, input.as_slice()) };
        let input = if prefix.is_empty() && held == 0 {
            input
        } else {
            let bytes = join(py, &[&prefix, input.as_slice()])?;
            let (kept, held) = bytes.as_bytes().split_at(bytes.as_bytes().len() - held);
            self.prefix = held.to_vec();
            Input::Bytes(if held.is_empty() { bytes } else { join(py, &[kept])? })
        };
        let (source, errors) = (self.source, &self.errors);
        let chunk = decode::Chunk { source, input: &input, last: r#final, errors, before: &pending };
        let text = chunk.decode(py, &mut self.decoder);
        if text.is_err() {
            self.decoder = source.decoder_at(state, errors)?;
            self.prefix = [&pending, &prefix[..]].concat();
        } else if r#final {
            self.rest()?;
        }
        text
    }

    /// Discards the state, for a new input.
    fn reset(&mut self) {
        self.decoder.reset();
        self.prefix.clear();
    }

    /// Returns the bytes that are not decoded yet, and the state before them as a number. It is 0 if the bytes decode as at the
    /// start of an input whose byte order mark is kept.
    fn getstate<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u8) {
        let bytes = [&self.decoder.pending_bytes(), &self.prefix[..]].concat();
        (PyBytes::new(py, &bytes), self.decoder.state().unwrap_or(DecoderState::TEXT).into())
    }

    /// Restores a state.
    fn setstate(&mut self, state: (Input<'_>, u8)) -> PyResult<()> {
        let (bytes, state) = state;
        let state = DecoderState::try_from(state).map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.decoder = self.source.decoder_at(state, &self.errors)?;
        self.prefix = copy(bytes.as_slice())?;
        Ok(())
    }
}

impl IncrementalDecoder {
    /// Returns how many bytes at the end belong to the first two bytes of a surrogate in UTF-8. They are malformed, but
    /// the handler `surrogatepass` needs the third byte too.
    fn half_surrogate(&self, pending: &[u8], prefix: &[u8], chunk: &[u8]) -> usize {
        if self.decoder.encoding() != UTF_8 || !matches!(self.errors, Errors::Other(_)) {
            return 0;
        }
        let mut backwards = [pending, prefix, chunk].into_iter().flatten().rev();
        match (backwards.next(), backwards.next()) {
            (Some(0xA0..=0xBF), Some(0xED)) => 2.min(prefix.len() + chunk.len()),
            _ => 0,
        }
    }

    /// Prepares for bytes after the end of an input: they continue in the same encoding, and have no byte order mark.
    fn rest(&mut self) -> PyResult<()> {
        let encoding = self.decoder.encoding();
        if encoding == self.source.encoding {
            self.decoder = self.source.decoder_at(DecoderState::TEXT, &self.errors)?;
        } else {
            // A byte order mark leads to the other encoding again.
            let mark: &[u8] = match encoding {
                UTF_16BE => b"\xFE\xFF",
                UTF_16LE => b"\xFF\xFE",
                _ => b"\xEF\xBB\xBF",
            };
            self.decoder = self.source.decoder(&self.errors);
            let _mark = self.decoder.decode_to_utf16(mark, &mut [], false);
        }
        Ok(())
    }
}

/// An incremental encoder, as in `codecs.IncrementalEncoder`.
#[pyclass(module = "textcodec._native")]
pub(crate) struct IncrementalEncoder {
    target: encode::Target,
    errors: Errors,
    /// None for `replacement`, which encodes nothing.
    encoder: Option<Encoder>,
}

#[pymethods]
impl IncrementalEncoder {
    /// The name of the error handler.
    #[getter]
    fn errors(&self) -> &str {
        self.errors.name()
    }

    #[setter]
    fn set_errors(&mut self, errors: &str) {
        self.errors = Errors::new(errors);
    }

    /// Encodes a chunk. `final` means that the text ends with it. After an exception, the encoder is in the state before the
    /// call.
    #[pyo3(signature = (input, r#final = false))]
    fn encode<'py>(
        &mut self,
        py: Python<'py>,
        input: Bound<'py, PyString>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let Some(encoder) = &mut self.encoder else {
            return encode::encode(py, self.target, &input, &self.errors);
        };
        let state = encoder.state().unwrap_or(EncoderState::TEXT);
        let source = text::Source::new(&input)?;
        let chunk =
            encode::Chunk { target: self.target, text: &input, source: &source, last: r#final, errors: &self.errors };
        let bytes = chunk.encode(py, encoder);
        if bytes.is_err() {
            *encoder = self.target.encoder_at(state)?;
        } else if r#final {
            *encoder = self.target.encoder_at(EncoderState::TEXT)?;
        }
        bytes
    }

    /// Discards the state, for a new text.
    fn reset(&mut self) {
        self.encoder = self.target.encoder().ok();
    }

    /// Returns the state as a number. It is 0 if the following text is encoded as at the start of a text without a byte order
    /// mark.
    fn getstate(&self) -> u8 {
        self.encoder.as_ref().and_then(Encoder::state).unwrap_or(EncoderState::TEXT).into()
    }

    /// Restores a state.
    fn setstate(&mut self, state: u8) -> PyResult<()> {
        let state = EncoderState::try_from(state).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if self.encoder.is_some() {
            self.encoder = Some(self.target.encoder_at(state)?);
        }
        Ok(())
    }
}
