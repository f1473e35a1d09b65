//! Columns: decodes and encodes Arrow arrays of any library that has the Arrow `PyCapsule` interface.
//!
//! A column passes through these modules: `import` takes the capsules and checks what they claim, `rows` yields the rows of a chunk in blocks,
//! `decode` and `encode` convert blocks, `output` collects them in the layout of the result, and `export` gives it to Python.
//! `labels` reads a column that names an encoding for each row. Everything between import and export runs without the GIL.

mod chunk;
mod convert;
mod decode;
mod encode;
mod export;
mod failure;
mod import;
mod joined;
mod labels;
mod output;
mod pages;
mod rows;

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyAny, PyString},
};

pub(crate) use self::export::{ArrowArray, ArrowChunkedArray};
use self::{
    chunk::Column,
    convert::{Encodings, Job},
    decode::Decoding,
    encode::Encoding,
    export::export,
};
use crate::{
    encoding::{EncodingArgument, PyEncoding},
    objects::shown,
};

/// Decodes a column of bytes. `limit` is the maximum length of a text buffer; tests lower it.
#[pyfunction]
#[pyo3(signature = (array, encoding, errors = "strict", limit = None))]
pub(crate) fn arrow_decode<'py>(
    array: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &str,
    limit: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let errors = decode::Errors::from_name(errors).ok_or_else(|| wrong_errors(errors, decode::Errors::NAMES))?;
    let mut column = import::import(array, "array")?;
    column.must_be_bytes("decode")?;
    let encodings = encodings(encoding, &column)?;
    let result = py.detach(|| Job::new(&column, &encodings, limit).convert(&Decoding::new(errors)));
    export(py, &column, result.map_err(|failure| failure.into_err(py))?)
}

/// Encodes a column of text. `limit` is the maximum length of a buffer of bytes; tests lower it.
#[pyfunction]
#[pyo3(signature = (array, encoding, errors = "strict", limit = None))]
pub(crate) fn arrow_encode<'py>(
    array: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &str,
    limit: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let errors = encode::Errors::from_name(errors).ok_or_else(|| wrong_errors(errors, encode::Errors::NAMES))?;
    let mut column = import::import(array, "array")?;
    column.must_be_text("encode")?;
    let encodings = encodings(encoding, &column)?;
    let result = py.detach(|| Job::new(&column, &encodings, limit).convert(&Encoding::new(errors)));
    export(py, &column, result.map_err(|failure| failure.into_err(py))?)
}

/// Counts the malformed sequences of each row.
#[pyfunction]
pub(crate) fn arrow_count_errors<'py>(
    array: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let mut column = import::import(array, "array")?;
    column.must_be_bytes("count_errors")?;
    let encodings = encodings(encoding, &column)?;
    let result = py.detach(|| Job::new(&column, &encodings, None).count());
    export(py, &column, result.map_err(|failure| failure.into_err(py))?)
}

/// One encoding for all rows, or a column of labels that is as long as `column`.
fn encodings(argument: &Bound<'_, PyAny>, column: &Column) -> PyResult<Encodings> {
    let py = argument.py();
    if argument.is_instance_of::<PyString>() || argument.is_instance_of::<PyEncoding>() {
        return Ok(Encodings::One(argument.extract::<EncodingArgument>()?.0));
    }
    let is_column =
        argument.hasattr(intern!(py, "__arrow_c_array__"))? || argument.hasattr(intern!(py, "__arrow_c_stream__"))?;
    if !is_column {
        let name = argument.get_type().name()?;
        let message = format!("encoding must be a label, an Encoding or an Arrow array of labels, not {name}");
        return Err(PyTypeError::new_err(message));
    }
    let mut labels = import::import(argument, "encoding")?;
    labels.must_be_labels()?;
    if labels.len() != column.len() {
        let message = format!("array has {} rows, but encoding has {}", column.len(), labels.len());
        return Err(PyValueError::new_err(message));
    }
    Ok(Encodings::Rows(labels))
}

fn wrong_errors(name: &str, names: &[&str]) -> PyErr {
    let names = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    PyValueError::new_err(format!("errors must be one of {names}, not \"{}\"", shown(name)))
}
