//! The functions of the package: conversions in one call, with what was found.

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBool, PyBytes, PyString, PyTuple},
};
use textcodec::{Bom, DecodeOptions, Decoder, Malformed, Status};
use textcodec_detect::{Hints, Source, html};

use crate::{
    buffer::{Input, LONG},
    bytes::{join, no_memory},
    decode as decoding,
    decode::decoder_with,
    encode::{self as encoding_to, Target},
    encoding::{EncodingArgument, PyEncoding, object},
    handler::Errors,
    objects::{self, shown, text_of},
    text::from_utf16,
};

/// The argument `bom`.
pub(crate) struct BomArgument(pub(crate) Bom);

impl<'py> FromPyObject<'_, 'py> for BomArgument {
    type Error = PyErr;

    fn extract(argument: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let name = argument.cast::<PyString>()?;
        let name = text_of(&name)?;
        match &*name {
            "sniff" => Ok(Self(Bom::Sniff)),
            "strip" => Ok(Self(Bom::StripOwn)),
            "keep" => Ok(Self(Bom::Keep)),
            _ => Err(PyValueError::new_err(format!("bom must be 'sniff', 'strip' or 'keep', not '{}'", shown(&name)))),
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
    let source = decoding::Source::new(encoding.0, bom.0);
    decoding::decode(py, source, &data, &Errors::new(errors)?)
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
    encoding_to::encode(py, Target::new(encoding.0, bom), &text, &Errors::new(errors)?)
}

/// Decodes bytes with replacement. Returns the text, the encoding in use, whether a byte order mark was removed, the number of
/// errors, and the first `limit` of them: offset of the first byte, offset after the last byte, bytes, reason.
#[pyfunction]
pub(crate) fn decode_report<'py>(
    py: Python<'py>,
    data: Input<'py>,
    encoding: EncodingArgument,
    bom: BomArgument,
    limit: usize,
) -> PyResult<Bound<'py, PyTuple>> {
    let bytes = data.as_slice();
    let run = || {
        let mut decoder = decoder_with(encoding.0, DecodeOptions::new().bom(bom.0).malformed(Malformed::Pause));
        let (mut units, mut errors) = (Vec::<u16>::new(), Vec::new());
        let (mut at, mut count) = (0, 0_u64);
        loop {
            let rest = &bytes[at..];
            units.try_reserve(rest.len() + Decoder::MIN_UTF16_BUFFER_LEN)?;
            let progress = decoder.decode_within_capacity(rest, &mut units, true);
            at += progress.read;
            match progress.status {
                Status::InputEmpty => return Ok((units, errors, count, decoder)),
                Status::Error(error) => {
                    units.try_reserve(1)?;
                    units.push(0xFFFD);
                    count += 1;
                    if errors.len() < limit {
                        errors.try_reserve(1)?;
                        errors.push(error);
                    }
                }
                _ => {}
            }
        }
    };
    let result = if data.is_frozen() && bytes.len() >= LONG { py.detach(run) } else { run() };
    let (units, errors, count, decoder) = result.map_err(no_memory)?;
    let reported = errors.iter().map(|error| {
        let range = error.range();
        let [start, end] = [objects::int(py, range.start)?, objects::int(py, range.end)?].map(Bound::into_any);
        let reason = objects::string(py, &objects::short(error.reason()))?;
        let bytes = join(py, &[error.bytes()])?;
        Ok(objects::tuple(py, [start, end, bytes.into_any(), reason.into_any()])?.into_any())
    });
    let reported = objects::list(py, reported)?.into_any();
    drop(errors);
    let text = from_utf16(py, &units, false)?.into_any();
    let encoding = object(py, decoder.encoding())?.into_bound(py).into_any();
    let bom_removed = PyBool::new(py, decoder.bom_removed()).to_owned().into_any();
    objects::tuple(py, [text, encoding, bom_removed, objects::int(py, count)?.into_any(), reported])
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
