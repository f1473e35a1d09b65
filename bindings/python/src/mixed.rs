//! Text in which several known encodings are mixed: the class `Mixed`. Its summary is a tuple, of which `textcodec._mixed` makes an
//! object.

use std::{
    borrow::Cow,
    fmt::Write as _,
    sync::{Mutex, PoisonError},
};

use pyo3::{
    exceptions::{PyMemoryError, PyUnicodeDecodeError, PyValueError},
    prelude::*,
    sync::MutexExt,
    types::{PyString, PyTuple},
};
use textcodec::DecodeReason;
use textcodec_detect::{Mixed, MixedError, MixedSummary, Parts, Per, Place};

use crate::{
    buffer::{Input, LONG},
    bytes::{join, probe},
    detect::{encodings, optional},
    encoding::object,
    handler::{self, arguments},
    objects::{self, shown},
    text::from_utf16,
};

/// More memory than a decoder keeps, apart from the text: a line of 1 MiB, and its text.
const MIXED: usize = 8 << 20;

/// Decodes text in which several encodings are mixed.
#[pyclass(frozen, subclass, module = "textcodec._native", name = "Mixed")]
pub(crate) struct PyMixed {
    per: Per,
    errors: Errors,
    /// No code of Python runs while this is locked.
    state: Mutex<State>,
}

/// What happens to bytes that fit no encoding.
#[derive(Clone, Copy)]
enum Errors {
    Strict,
    Replace,
    Ignore,
    BackslashReplace,
}

enum State {
    /// With the number of bytes so far.
    Open(Box<Mixed>, u64),
    Finished(MixedSummary),
}

#[pymethods]
impl PyMixed {
    #[new]
    #[pyo3(signature = (encodings, *, per = None, errors = "strict"))]
    fn new(encodings: Bound<'_, PyAny>, per: Option<&str>, errors: &str) -> PyResult<Self> {
        let encodings = self::encodings(&encodings, "encodings")?;
        let per = match per {
            None => Per::default_for(&encodings),
            Some("line") => Per::Line,
            Some("sequence") => Per::Sequence,
            Some(other) => {
                let message = format!("per must be 'line' or 'sequence', not '{}'", shown(other));
                return Err(PyValueError::new_err(message));
            }
        };
        let mixed = Mixed::new(&encodings, per).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { per, errors: Errors::new(errors)?, state: Mutex::new(State::Open(mixed.into(), 0)) })
    }

    /// Decodes a chunk, and the end of the text if it is the last one.
    fn convert<'py>(&self, py: Python<'py>, data: Input<'py>, last: bool) -> PyResult<Bound<'py, PyString>> {
        probe(MIXED)?;
        let mut units = Vec::<u16>::new();
        let mut guard = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let State::Open(_, start) = &*guard else {
            let message = "the text has ended: create another Mixed for another text";
            return Err(PyValueError::new_err(message));
        };
        let (start, bytes) = (*start, data.as_slice());
        let state = &mut *guard;
        let mut run = || state.convert(bytes, last, self.errors, &mut units);
        let result = if data.is_frozen() && bytes.len() >= LONG { py.detach(run) } else { run() };
        drop(guard);
        match result {
            Ok(()) => from_utf16(py, &units, false),
            Err(error) => Err(exception(py, &data, start, &error)?),
        }
    }

    /// The unit: `line` or `sequence`.
    #[getter]
    fn per(&self) -> &'static str {
        match self.per {
            Per::Line => "line",
            Per::Sequence => "sequence",
        }
    }

    /// The fields of the summary of what was decoded so far.
    fn summary_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        probe(MIXED)?;
        let summary = match &*self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner) {
            State::Open(mixed, _) => mixed.summary().clone(),
            State::Finished(summary) => summary.clone(),
        };
        let parts = summary.parts().iter().map(|parts| part_fields(py, parts));
        let error = optional(py, summary.first_error(), |error| error_fields(py, error))?;
        let parts = objects::list(py, parts)?.into_any();
        objects::tuple(py, [parts, objects::int(py, summary.errors())?.into_any(), error])
    }
}

impl Errors {
    fn new(name: &str) -> PyResult<Self> {
        match name {
            "strict" => Ok(Self::Strict),
            "replace" => Ok(Self::Replace),
            "ignore" => Ok(Self::Ignore),
            "backslashreplace" => Ok(Self::BackslashReplace),
            _ => {
                let names = "'strict', 'replace', 'ignore' or 'backslashreplace'";
                Err(PyValueError::new_err(format!("errors must be {names}, not '{}'", shown(name))))
            }
        }
    }

    /// Returns the text for bytes that fit no encoding, or `None` to stop.
    fn text(self, error: &MixedError) -> Option<Cow<'static, str>> {
        match self {
            Self::Strict => None,
            Self::Replace => Some("\u{FFFD}".into()),
            Self::Ignore => Some("".into()),
            Self::BackslashReplace => {
                let mut text = String::new();
                for byte in error.bytes() {
                    let _ = write!(text, "\\x{byte:02x}");
                }
                Some(text.into())
            }
        }
    }
}

impl State {
    fn convert(&mut self, bytes: &[u8], last: bool, errors: Errors, out: &mut Vec<u16>) -> Result<(), MixedError> {
        let Self::Open(mixed, position) = self else { return Ok(()) };
        *position += bytes.len() as u64;
        mixed.push_with(bytes, out, |error| errors.text(error))?;
        if last {
            // An error ends the text, too.
            let before = Self::Finished(mixed.summary().clone());
            if let Self::Open(mixed, _) = std::mem::replace(self, before) {
                *self = Self::Finished(mixed.finish_with(out, |error| errors.text(error))?);
            }
        }
        Ok(())
    }
}

/// Returns the exception for an error. Its object is the chunk, which starts at an offset of the input, or the malformed bytes if a part of
/// them was in an earlier chunk.
fn exception(py: Python<'_>, data: &Input<'_>, start: u64, error: &MixedError) -> PyResult<PyErr> {
    if error.reason() == DecodeReason::OutOfMemory {
        return Ok(PyMemoryError::new_err(error.to_string()));
    }
    let (line, range) = (error.line(), error.range());
    let len = data.as_slice().len() as u64;
    let (object, range_in_object) = match (range.start.checked_sub(start), range.end.checked_sub(start)) {
        (Some(from), Some(to)) if to <= len => (data.to_bytes()?, (from as usize, to as usize)),
        _ => (join(py, &[error.bytes()])?, (0, error.bytes().len())),
    };
    let name = handler::name(error.encoding(), None);
    let (start, reason) = (range.start, error.reason());
    let reason = format!("{reason}, in line {line} at byte {start} of the text; no encoding of the list fits");
    let exception =
        py.get_type::<PyUnicodeDecodeError>().call1(arguments(&object, &name, range_in_object, &reason)?)?;
    exception.setattr("line", objects::int(py, line)?)?;
    exception.setattr("offset", objects::int(py, range.start)?)?;
    Ok(PyErr::from_value(exception))
}

/// Returns the fields of `textcodec.MixedPart`.
fn part_fields<'py>(py: Python<'py>, parts: &Parts) -> PyResult<Bound<'py, PyAny>> {
    let places = parts.first().iter().map(|place| place_fields(py, place));
    let fields = [
        object(py, parts.encoding())?.into_bound(py).into_any(),
        objects::int(py, parts.count())?.into_any(),
        objects::list(py, places)?.into_any(),
    ];
    Ok(objects::tuple(py, fields)?.into_any())
}

/// Returns the fields of `textcodec.Place`.
fn place_fields<'py>(py: Python<'py>, place: &Place) -> PyResult<Bound<'py, PyAny>> {
    let range = place.range();
    let fields = [
        object(py, place.encoding())?.into_bound(py).into_any(),
        objects::int(py, place.line())?.into_any(),
        objects::int(py, range.start)?.into_any(),
        objects::int(py, range.end)?.into_any(),
    ];
    Ok(objects::tuple(py, fields)?.into_any())
}

/// Returns the fields of `textcodec.MixedError`.
fn error_fields<'py>(py: Python<'py>, error: &MixedError) -> PyResult<Bound<'py, PyAny>> {
    let range = error.range();
    let fields = [
        object(py, error.encoding())?.into_bound(py).into_any(),
        objects::int(py, error.line())?.into_any(),
        objects::int(py, range.start)?.into_any(),
        objects::int(py, range.end)?.into_any(),
        join(py, &[error.bytes()])?.into_any(),
        objects::string(py, &objects::short(error.reason()))?.into_any(),
    ];
    Ok(objects::tuple(py, fields)?.into_any())
}
