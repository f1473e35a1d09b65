//! Objects of Python from functions that can fail. `PyO3`'s constructors and conversions of results panic if there is no memory.
#![expect(unsafe_code, reason = "constructors of Python")]

use std::{
    borrow::Cow,
    fmt::{Display, Write as _},
};

use arrayvec::ArrayString;
use pyo3::{
    exceptions::{PyMemoryError, PyOverflowError},
    ffi,
    prelude::*,
    types::{PyFloat, PyInt, PyList, PyString, PyTuple},
};

/// Writes a text of at most 64 bytes to the stack. A call makes one for each error, and an allocation that small would abort without
/// memory.
pub(crate) fn short(text: impl Display) -> ArrayString<64> {
    let mut short = ArrayString::new();
    let written = write!(short, "{text}");
    debug_assert!(written.is_ok(), "{text} does not fit");
    short
}

/// The truth value of an argument of any type. Callers of other coders also pass numbers as `final`.
pub(crate) fn truth(argument: &Bound<'_, PyAny>) -> PyResult<bool> {
    argument.is_truthy()
}

/// Makes a string.
pub(crate) fn string<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let len = size(text.len())?;
    // SAFETY: the pointer and the length are those of a slice. The result is a new reference to a string, or null after an error.
    unsafe {
        let string = ffi::PyUnicode_FromStringAndSize(text.as_ptr().cast(), len);
        Ok(Bound::from_owned_ptr_or_err(py, string)?.cast_into_unchecked())
    }
}

/// Makes an integer.
pub(crate) fn int(py: Python<'_>, value: u64) -> PyResult<Bound<'_, PyInt>> {
    // SAFETY: the result is a new reference to an integer, or null after an error.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, ffi::PyLong_FromUnsignedLongLong(value))?.cast_into_unchecked()) }
}

/// Makes a number from a `f64`.
pub(crate) fn float(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyFloat>> {
    // SAFETY: the result is a new reference to a float, or null after an error.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, ffi::PyFloat_FromDouble(value))?.cast_into_unchecked()) }
}

/// Makes a tuple.
pub(crate) fn tuple<'py, const N: usize>(
    py: Python<'py>,
    items: [Bound<'py, PyAny>; N],
) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: the result is a new reference to a tuple, or null after an error.
    let tuple = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyTuple_New(size(N)?))? };
    for (index, item) in items.into_iter().enumerate() {
        // SAFETY: nobody else refers to the tuple, `index < N`, and the call takes over the reference to the item.
        if unsafe { ffi::PyTuple_SetItem(tuple.as_ptr(), size(index)?, item.into_ptr()) } != 0 {
            return Err(PyErr::fetch(py));
        }
    }
    // SAFETY: it is a tuple, and all of its items are set.
    Ok(unsafe { tuple.cast_into_unchecked() })
}

/// Makes a list.
pub(crate) fn list<'py>(
    py: Python<'py>,
    items: impl IntoIterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyList>> {
    // SAFETY: the result is a new reference to a list, or null after an error.
    let list = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyList_New(0))?.cast_into_unchecked::<PyList>() };
    for item in items {
        list.append(item?)?;
    }
    Ok(list)
}

/// Returns the text of a string in which surrogates are replaced. If there are any, a long string is cut.
pub(crate) fn text_of<'a>(string: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    let py = string.py();
    match string.to_str() {
        Ok(text) => Ok(text.into()),
        Err(error) if error.is_instance_of::<PyMemoryError>(py) => Err(error),
        Err(_) => {
            // SAFETY: `string` is a string. The result is a new reference to one, or null after an error.
            let start = unsafe {
                let start = ffi::PyUnicode_Substring(string.as_ptr(), 0, SHOWN.cast_signed());
                Bound::from_owned_ptr_or_err(py, start)?.cast_into_unchecked::<PyString>()
            };
            Ok(start.to_string_lossy().into_owned().into())
        }
    }
}

/// Returns the start of an argument, for messages.
pub(crate) fn shown(argument: &str) -> &str {
    match argument.char_indices().nth(SHOWN) {
        Some((end, _)) => &argument[..end],
        None => argument,
    }
}

/// The number of characters of an argument that messages show.
pub(crate) const SHOWN: usize = 100;

fn size(len: usize) -> PyResult<ffi::Py_ssize_t> {
    len.try_into().map_err(|_| PyOverflowError::new_err("the result is too long"))
}
