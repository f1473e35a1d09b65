//! Parts of files that are split at line ends: the classes `Line` and `LineReader`.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pyo3::{
    exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyUnicodeDecodeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyList, PyString},
};
use textcodec::{Bom, REPLACEMENT, oem::UTF_7_IMAP};

use crate::{
    arrow::ArrowArray,
    bytes::join,
    encoding::EncodingArgument,
    objects::{self, shown},
};

mod frame;
mod part;
mod rows;

use part::{Errors, Failure, Part, Settings};
use rows::{Lines, Rows};

/// A line of a file. Documented in `textcodec.lines`.
#[pyclass(frozen, get_all, module = "textcodec.lines")]
pub(crate) struct Line {
    text: Option<Py<PyString>>,
    offset: u64,
    corrupt: Option<Py<PyBytes>>,
}

type LineFields = (Option<Py<PyString>>, u64, Option<Py<PyBytes>>);

#[pymethods]
impl Line {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("text", "offset", "corrupt")
    }

    #[new]
    #[pyo3(signature = (text, offset, corrupt = None))]
    fn new(text: Option<Py<PyString>>, offset: u64, corrupt: Option<Py<PyBytes>>) -> Self {
        Self { text, offset, corrupt }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match other.cast::<Self>() {
            Ok(other) => {
                let other = other.get().fields(py).into_pyobject(py)?;
                Ok(self.fields(py).into_pyobject(py)?.eq(other)?.into_pyobject(py)?.to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.fields(py).into_pyobject(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let fields = self.fields(py).into_pyobject(py)?;
        let [text, offset, corrupt] =
            [fields.get_item(0)?.repr()?, fields.get_item(1)?.repr()?, fields.get_item(2)?.repr()?];
        Ok(format!("Line(text={text}, offset={offset}, corrupt={corrupt})"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, LineFields) {
        (py.get_type::<Self>().into_any(), self.fields(py))
    }
}

impl Line {
    fn fields(&self, py: Python<'_>) -> LineFields {
        let text = self.text.as_ref().map(|text| text.clone_ref(py));
        (text, self.offset, self.corrupt.as_ref().map(|corrupt| corrupt.clone_ref(py)))
    }
}

/// Reads the lines that begin in a part of a file. The caller reads the file:
///
/// ```python
/// reader = LineReader("shift_jis", "replace", start, end, "sniff", False)
/// position = reader.begin(first_four_bytes_of_file)
/// file.seek(position)
/// while not reader.done:
///     reader.push(file.read(size))  # b"" at the end of the file
///     while batch := reader.batch(limit, 0):
///         ...
/// ```
#[pyclass(frozen, module = "textcodec._native")]
pub(crate) struct LineReader {
    settings: Settings,
    /// Locked only by threads that are detached from Python, so that nobody waits for its owner while it waits for Python.
    part: Mutex<Option<Part>>,
}

#[pymethods]
impl LineReader {
    #[new]
    fn new(
        encoding: EncodingArgument,
        errors: &str,
        start: u64,
        end: Option<u64>,
        bom: &str,
        line_reset: bool,
    ) -> PyResult<Self> {
        let EncodingArgument(encoding) = encoding;
        if encoding == REPLACEMENT {
            return Err(PyValueError::new_err("the encoding \"replacement\" decodes no text, so it has no lines"));
        }
        if encoding == UTF_7_IMAP {
            return Err(PyValueError::new_err(
                "UTF-7-IMAP is for the names of mailboxes: it writes line ends in base64",
            ));
        }
        let errors = match errors {
            "replace" => Errors::Replace,
            "null" => Errors::Null,
            "strict" => Errors::Strict,
            "drop" => Errors::Drop,
            _ => {
                let errors = shown(errors);
                let message = format!("errors must be \"replace\", \"null\", \"drop\" or \"strict\", not {errors:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        let bom = match bom {
            "sniff" => Bom::Sniff,
            "strip" => Bom::StripOwn,
            "keep" => Bom::Keep,
            _ => {
                let message = format!("bom must be \"sniff\", \"strip\" or \"keep\", not {:?}", shown(bom));
                return Err(PyValueError::new_err(message));
            }
        };
        if i64::try_from(start).is_err() {
            return Err(PyOverflowError::new_err(format!("start is greater than any file's length: {start}")));
        }
        let end = end.unwrap_or(u64::MAX);
        Ok(Self { settings: Settings { encoding, errors, start, end, bom, line_reset }, part: Mutex::default() })
    }

    /// Whether each part is read from the start of the file.
    #[getter]
    fn reads_from_start(&self) -> bool {
        self.settings.is_running(self.settings.encoding)
    }

    /// Begins with the first four bytes of the file. Returns the offset of the first byte to push.
    fn begin(&self, py: Python<'_>, head: &[u8]) -> u64 {
        let part = Part::new(self.settings, head);
        py.detach(|| self.lock().insert(part).position())
    }

    /// Adds the next bytes of the file. If there are none, this is its end.
    fn push(&self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
        self.with_part(py, |part| part.push(data))
    }

    /// Whether there are no further lines.
    #[getter]
    fn done(&self, py: Python<'_>) -> bool {
        py.detach(|| self.lock().as_ref().is_some_and(Part::is_done))
    }

    /// Returns the next lines, of about `limit` bytes, or `None` if more bytes are needed or there are no further lines.
    fn lines<'py>(&self, py: Python<'py>, limit: NonZeroUsize) -> PyResult<Option<Bound<'py, PyList>>> {
        let Some(lines) = self.fill(py, limit, 0)? else {
            return Ok(None);
        };
        let line = |(text, offset, corrupt): (Option<&str>, i64, Option<&[u8]>)| {
            let text = text.map(|text| objects::string(py, text)).transpose()?.map(Bound::unbind);
            let corrupt = corrupt.map(|corrupt| join(py, &[corrupt])).transpose()?.map(Bound::unbind);
            Ok(Bound::new(py, Line { text, offset: offset.cast_unsigned(), corrupt })?.into_any())
        };
        objects::list(py, lines.iter().map(line)).map(Some)
    }

    /// Returns the next lines as an Arrow array of structs, of at most `limit` bytes unless a single line is longer, or `None` as
    /// [`lines`](Self::lines) does. `others` is the length in bytes of a row in columns that the caller adds.
    fn batch(&self, py: Python<'_>, limit: NonZeroUsize, others: usize) -> PyResult<Option<ArrowArray>> {
        let Some(lines) = self.fill(py, limit, others)? else {
            return Ok(None);
        };
        let (field, data) = lines.into_structs().map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Some(ArrowArray::new(field, data)))
    }
}

impl LineReader {
    fn lock(&self) -> MutexGuard<'_, Option<Part>> {
        self.part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a function while other threads run.
    fn with_part<R: Send>(
        &self,
        py: Python<'_>,
        run: impl FnOnce(&mut Part) -> Result<R, Failure> + Send,
    ) -> PyResult<R> {
        let result = py.detach(|| self.lock().as_mut().map(run));
        let result = result.ok_or_else(|| PyRuntimeError::new_err("call begin() first"))?;
        result.map_err(|failure| failure.into_exception(py))
    }

    fn fill(&self, py: Python<'_>, limit: NonZeroUsize, others: usize) -> PyResult<Option<Lines>> {
        self.with_part(py, |part| {
            let mut rows = Rows::new(limit.get(), others);
            part.fill(&mut rows)?;
            Ok((!rows.is_empty()).then(|| rows.finish()))
        })
    }
}

impl Failure {
    fn into_exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Memory => PyMemoryError::new_err("not enough memory for the lines"),
            Self::TooLong { offset } => {
                let message =
                    format!("the line at byte {offset} of the file has more than 2 GiB of text and malformed bytes");
                PyOverflowError::new_err(message)
            }
            Self::Malformed { offset, line, range, error } => {
                let reason = format!("{}, in the line at byte {offset} of the file", error.reason());
                let encoding = error.encoding().name().to_ascii_lowercase();
                let line = match join(py, &[&line]) {
                    Ok(line) => line.unbind(),
                    Err(error) => return error,
                };
                PyUnicodeDecodeError::new_err((encoding, line, range.start, range.end, reason))
            }
        }
    }
}
