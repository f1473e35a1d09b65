//! The functions of the package: conversions in one call, with what was found.

use pyo3::{
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString, PyTuple},
};
use textcodec::{Bom, DecodeOptions};
use textcodec_detect::{DetectOptions, Detector, Hints, Source, html};

use crate::{
    buffer::{Input, LONG},
    bytes::join,
    decode as decoding,
    encode::{self as encoding_to, Target},
    encoding::{EncodingArgument, PyEncoding, object},
    handler::Errors,
    text::from_utf16,
};

/// The argument `bom`.
pub(crate) struct BomArgument(pub(crate) Bom);

impl<'py> FromPyObject<'_, 'py> for BomArgument {
    type Error = PyErr;

    fn extract(argument: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let name = argument.cast::<PyString>()?;
        let name = name.to_string_lossy();
        match &*name {
            "sniff" => Ok(Self(Bom::Sniff)),
            "strip" => Ok(Self(Bom::StripOwn)),
            "keep" => Ok(Self(Bom::Keep)),
            _ => Err(PyValueError::new_err(format!("bom must be 'sniff', 'strip' or 'keep', not '{name}'"))),
        }
    }
}

/// Decodes bytes.
#[pyfunction]
#[pyo3(
    signature = (data, encoding, errors = "strict", *, bom = BomArgument(Bom::Sniff)),
    text_signature = "(data, encoding, errors='strict', *, bom='sniff')"
)]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    data: Input<'py>,
    encoding: EncodingArgument,
    errors: &str,
    bom: BomArgument,
) -> PyResult<Bound<'py, PyString>> {
    let source = decoding::Source { encoding: encoding.0, bom: bom.0 };
    decoding::decode(py, source, &data, &Errors::new(errors))
}

/// Encodes text.
#[pyfunction]
#[pyo3(signature = (text, encoding, errors = "strict", *, bom = false))]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    text: Bound<'py, PyString>,
    encoding: EncodingArgument,
    errors: &str,
    bom: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    encoding_to::encode(py, Target { encoding: encoding.0, bom }, &text, &Errors::new(errors))
}

/// An error of `decode_report`: offset of the first byte, offset after the last byte, bytes, reason.
type Malformed<'py> = (u64, u64, Bound<'py, PyBytes>, String);

/// Decodes bytes with replacement. Returns the text, the encoding in use, whether a byte order mark was removed, the number of
/// errors, and the first `limit` of them.
#[pyfunction]
pub(crate) fn decode_report<'py>(
    py: Python<'py>,
    data: Input<'py>,
    encoding: EncodingArgument,
    bom: BomArgument,
    limit: usize,
) -> PyResult<(Bound<'py, PyString>, Py<PyEncoding>, bool, u64, Vec<Malformed<'py>>)> {
    let bytes = data.as_slice();
    let run = || {
        let (mut units, mut errors) = (Vec::<u16>::new(), Vec::new());
        let mut decoder = encoding.0.decoder_with(DecodeOptions::new().bom(bom.0));
        units.try_reserve_exact(decoder.max_utf16_len(bytes.len()).unwrap_or(usize::MAX)).ok()?;
        let mut keep = |error: &textcodec::DecodeError| {
            if errors.len() < limit {
                errors.try_reserve(1).ok()?;
                errors.push(error.clone());
            }
            Some("\u{FFFD}".into())
        };
        decoder.push_with(bytes, &mut units, &mut keep).ok()?;
        let summary = decoder.finish_with(&mut units, keep).ok()?;
        Some((units, errors, summary))
    };
    let result = if data.is_frozen() && bytes.len() >= LONG { py.detach(run) } else { run() };
    // `keep` only stops if there is no memory.
    let no_memory = || PyMemoryError::new_err("no memory for the text and its errors");
    let (units, errors, summary) = result.ok_or_else(no_memory)?;
    let mut reported = Vec::new();
    reported.try_reserve_exact(errors.len()).map_err(|_| no_memory())?;
    for error in errors {
        let range = error.range();
        reported.push((range.start, range.end, join(py, &[error.bytes()])?, error.reason().to_string()));
    }
    let encoding = object(py, summary.encoding)?;
    Ok((from_utf16(py, &units, false)?, encoding, summary.bom_removed, summary.errors.count(), reported))
}

/// Detects an encoding that decodes the bytes. Returns the encoding, the confidence and the evidence.
#[pyfunction]
#[pyo3(signature = (data, *, tld = None, partial = false))]
pub(crate) fn detect<'py>(
    py: Python<'py>,
    data: Input<'py>,
    tld: Option<&str>,
    partial: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let bytes = data.as_slice();
    let mut hints = Hints::new();
    if let Some(tld) = tld {
        hints = hints.top_level_domain(tld);
    }
    let run = || {
        let mut detector = Detector::with(DetectOptions::new().hints(hints));
        detector.feed(bytes);
        if partial { detector.finish_partial() } else { detector.finish() }
    };
    let detection = if data.is_frozen() && bytes.len() >= LONG { py.detach(run) } else { run() };
    let encoding = object(py, detection.encoding)?;
    (encoding, detection.confidence.name(), detection.evidence.name()).into_pyobject(py)
}

/// Returns the encoding that the start of an HTML document declares: the prescan of the HTML standard.
#[pyfunction]
pub(crate) fn prescan(py: Python<'_>, data: Input<'_>) -> PyResult<Option<Py<PyEncoding>>> {
    let declaration = html::prescan(data.as_slice());
    declaration.and_then(|declaration| declaration.encoding()).map(|encoding| object(py, encoding)).transpose()
}

/// Returns the encoding of a web page: that of the byte order mark, of the header `Content-Type`, or of a declaration.
#[pyfunction]
pub(crate) fn sniff_html(
    py: Python<'_>,
    content_type: Option<&str>,
    data: Input<'_>,
) -> PyResult<Option<Py<PyEncoding>>> {
    let hints = content_type.map_or_else(Hints::new, |header| Hints::new().content_type(header));
    let sniffed = html::sniff(data.as_slice(), &hints);
    let is_known = matches!(sniffed.source, Source::Bom | Source::Transport | Source::Declaration);
    is_known.then(|| object(py, sniffed.encoding)).transpose()
}
