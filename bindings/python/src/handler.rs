//! What happens to malformed bytes and unmappable characters: Python's error handlers.

use arrayvec::ArrayString;
use pyo3::{
    exceptions::{PyIndexError, PyTypeError, PyUnicodeDecodeError, PyUnicodeEncodeError},
    intern,
    prelude::*,
    types::{PyBytes, PyInt, PyString, PyTuple},
};
use textcodec::{DecodeReason, EncodeReason, Encoding, custom::SingleByte};

use crate::{bytes::no_memory, objects};

/// An error handler by its name. Those that have a variant are not called: their effect is built in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// Raises the error.
    Strict,
    /// U+FFFD for malformed bytes, `?` for an unmappable character.
    Replace,
    /// Leaves them out.
    Ignore,
    /// `\xNN` for malformed bytes, `\xNN`, `\uNNNN` or `\UNNNNNNNN` for an unmappable character.
    BackslashReplace,
    /// `&#N;` for an unmappable character.
    XmlCharRefReplace,
    /// U+DC80 to U+DCFF for malformed bytes from 0x80 on, and the other way.
    SurrogateEscape,
    /// A registered handler, which is looked up at the first error.
    Other(String),
}

impl Errors {
    /// Reads the argument `errors`.
    pub(crate) fn new(name: &str) -> PyResult<Self> {
        Ok(match name {
            "strict" => Self::Strict,
            "replace" => Self::Replace,
            "ignore" => Self::Ignore,
            "backslashreplace" => Self::BackslashReplace,
            "xmlcharrefreplace" => Self::XmlCharRefReplace,
            "surrogateescape" => Self::SurrogateEscape,
            other => {
                let mut name = String::new();
                name.try_reserve_exact(other.len()).map_err(no_memory)?;
                name.push_str(other);
                Self::Other(name)
            }
        })
    }

    /// Copies the name.
    pub(crate) fn copy(&self) -> PyResult<Self> {
        Self::new(self.name())
    }

    /// The name of the handler.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Strict => "strict",
            Self::Replace => "replace",
            Self::Ignore => "ignore",
            Self::BackslashReplace => "backslashreplace",
            Self::XmlCharRefReplace => "xmlcharrefreplace",
            Self::SurrogateEscape => "surrogateescape",
            Self::Other(name) => name,
        }
    }
}

/// A handler that is called. Its exception is created at the first error and then changed, so that a long object is not copied
/// for each error.
pub(crate) struct Handler<'py> {
    function: Bound<'py, PyAny>,
    exception: Option<Bound<'py, PyAny>>,
}

/// What a handler returned: a replacement, and where in the object to continue.
pub(crate) struct Answer<'py> {
    pub(crate) replacement: Bound<'py, PyAny>,
    pub(crate) position: usize,
    /// The object of the exception, if the handler has replaced it.
    pub(crate) new_object: Option<Bound<'py, PyBytes>>,
}

impl<'py> Handler<'py> {
    /// Looks up a handler.
    pub(crate) fn new(py: Python<'py>, errors: &Errors) -> PyResult<Self> {
        let name = objects::string(py, errors.name())?;
        let function = py.import("codecs")?.getattr("lookup_error")?.call1((name,))?;
        Ok(Self { function, exception: None })
    }

    /// Calls the handler. `len` is the length of the object, `new` creates the exception for this error, and `is_decoding` is its
    /// direction.
    pub(crate) fn call(
        &mut self,
        object: &Bound<'py, PyAny>,
        len: usize,
        range: (usize, usize),
        reason: &str,
        is_decoding: bool,
        new: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Answer<'py>> {
        let py = object.py();
        let exception = match &self.exception {
            Some(exception) => {
                exception.setattr(intern!(py, "start"), objects::int(py, range.0 as u64)?)?;
                exception.setattr(intern!(py, "end"), objects::int(py, range.1 as u64)?)?;
                exception.setattr(intern!(py, "reason"), objects::string(py, reason)?)?;
                exception
            }
            None => self.exception.insert(new()?),
        };
        let answer = self.function.call1((exception,))?;
        let wrong = || {
            PyTypeError::new_err(if is_decoding {
                "decoding error handler must return (str, int) tuple"
            } else {
                "encoding error handler must return (str/bytes, int) tuple"
            })
        };
        let answer = answer.cast::<PyTuple>().map_err(|_| wrong())?;
        if answer.len() != 2 {
            return Err(wrong());
        }
        let replacement = answer.get_item(0)?;
        let is_right =
            replacement.is_instance_of::<PyString>() || (!is_decoding && replacement.is_instance_of::<PyBytes>());
        if !is_right {
            return Err(wrong());
        }
        let position = answer.get_item(1)?;
        if !position.is_exact_instance_of::<PyInt>() && !position.hasattr(intern!(py, "__index__"))? {
            return Err(wrong());
        }
        let position: isize = position.extract()?;
        // Like CPython's codecs, only decoders read the object again.
        let now = if is_decoding { exception.getattr(intern!(py, "object"))? } else { object.clone() };
        let new_object = if now.is(object) {
            None
        } else {
            Some(now.cast_into().map_err(|_| PyTypeError::new_err("exception attribute object must be bytes"))?)
        };
        let len = new_object.as_ref().map_or(len, |object: &Bound<'py, PyBytes>| object.as_bytes().len());
        let index = if position < 0 { len.checked_add_signed(position) } else { Some(position.unsigned_abs()) };
        let Some(position) = index.filter(|&index| index <= len) else {
            return Err(PyIndexError::new_err(format!("position {position} from error handler out of bounds")));
        };
        Ok(Answer { replacement, position, new_object })
    }
}

/// The length in bytes of the longest name of an encoding.
pub(crate) const MAX_NAME: usize = 64;

/// The name of an encoding in exceptions, from which `surrogatepass` learns the encoding, or of a table.
pub(crate) fn name(encoding: Encoding, table: Option<&SingleByte>) -> ArrayString<MAX_NAME> {
    if let Some(table) = table {
        return objects::short(table.name());
    }
    let mut name = objects::short(encoding);
    name.make_ascii_lowercase();
    name
}

/// Creates a `UnicodeDecodeError`. `object` is not copied.
pub(crate) fn decode_error<'py>(
    name: &str,
    object: &Bound<'py, PyBytes>,
    range: (usize, usize),
    reason: DecodeReason,
) -> PyResult<Bound<'py, PyAny>> {
    let class = object.py().get_type::<PyUnicodeDecodeError>();
    class.call1(arguments(object, name, range, &objects::short(reason))?)
}

/// Creates a `UnicodeEncodeError`.
pub(crate) fn encode_error<'py>(
    name: &str,
    object: &Bound<'py, PyString>,
    at: usize,
    reason: EncodeReason,
) -> PyResult<Bound<'py, PyAny>> {
    let class = object.py().get_type::<PyUnicodeEncodeError>();
    class.call1(arguments(object, name, (at, at + 1), &objects::short(reason))?)
}

/// The arguments of an exception.
pub(crate) fn arguments<'py>(
    object: &Bound<'py, PyAny>,
    encoding: &str,
    range: (usize, usize),
    reason: &str,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = object.py();
    let [start, end] = [objects::int(py, range.0 as u64)?, objects::int(py, range.1 as u64)?];
    let [encoding, reason] = [objects::string(py, encoding)?, objects::string(py, reason)?];
    objects::tuple(py, [encoding.into_any(), object.clone(), start.into_any(), end.into_any(), reason.into_any()])
}
