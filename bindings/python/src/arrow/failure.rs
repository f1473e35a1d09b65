//! Why a column cannot be converted, as exceptions.

use pyo3::{
    exceptions::{PyMemoryError, PyOverflowError, PyUnicodeDecodeError, PyUnicodeEncodeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyString},
};
use textcodec::{DecodeError, EncodeError};

use super::{chunk::Invalid, rows::Broken};
use crate::{encoding::unknown_label, handler::name};

/// Why a row cannot be converted.
pub(super) enum Fault {
    /// The bytes of the row are malformed.
    Malformed(DecodeError),
    /// The text of the row has a character that the encoding lacks.
    Unmappable(EncodeError),
    /// The text of the row is not UTF-8.
    NotUtf8,
    /// There is not enough memory.
    Memory,
}

/// Why a column cannot be converted. Rows are counted from the start of the column.
pub(super) enum Failure {
    Malformed {
        row: usize,
        error: DecodeError,
        bytes: Vec<u8>,
    },
    Unmappable {
        row: usize,
        error: EncodeError,
        text: String,
    },
    UnknownLabel {
        row: usize,
        label: String,
    },
    /// The array breaks the rules of Arrow.
    Broken {
        argument: &'static str,
        row: Option<usize>,
        what: String,
    },
    /// More text than the layout can hold.
    Overflow {
        row: usize,
        /// Whether `row` is the position of a value of a dictionary.
        in_dictionary: bool,
        is_view: bool,
        to_text: bool,
    },
    Memory,
}

impl Failure {
    /// The failure of a row that holds `bytes`.
    pub(super) fn new(fault: Fault, row: usize, bytes: &[u8]) -> Self {
        match fault {
            Fault::Malformed(error) => match copy(bytes) {
                Some(bytes) => Self::Malformed { row, error, bytes },
                None => Self::Memory,
            },
            // The text was checked before it was encoded.
            Fault::Unmappable(error) => match copy(bytes).and_then(|bytes| String::from_utf8(bytes).ok()) {
                Some(text) => Self::Unmappable { row, error, text },
                None => Self::Memory,
            },
            Fault::NotUtf8 => {
                Self::Broken { argument: "array", row: Some(row), what: "the text is not UTF-8".to_owned() }
            }
            Fault::Memory => Self::Memory,
        }
    }

    /// The failure of a broken row of a chunk that starts at row `start`.
    pub(super) fn broken(argument: &'static str, start: usize, broken: &Broken) -> Self {
        Self::Broken { argument, row: Some(start + broken.row), what: broken.what.to_owned() }
    }

    /// The failure of an array as a whole.
    pub(super) fn invalid(argument: &'static str, invalid: impl Into<Invalid>) -> Self {
        match invalid.into() {
            Invalid::Rule(what) => Self::Broken { argument, row: None, what },
            Invalid::Memory => Self::Memory,
        }
    }

    /// The failure of the values of a dictionary. A row is the position of a value.
    pub(super) fn in_dictionary(self) -> Self {
        match self {
            Self::Broken { row: Some(row), what, .. } => {
                Self::invalid("array", format!("value {row} of the dictionary: {what}"))
            }
            Self::Overflow { row, is_view, to_text, .. } => {
                Self::Overflow { row, in_dictionary: true, is_view, to_text }
            }
            other => other,
        }
    }

    pub(super) fn into_err(self, py: Python<'_>) -> PyErr {
        let (row, err) = match self {
            Self::Malformed { row, error, bytes } => {
                let range = error.range();
                let object = PyBytes::new_with(py, bytes.len(), |object| {
                    object.copy_from_slice(&bytes);
                    Ok(())
                });
                let object = match object {
                    Ok(object) => object.unbind(),
                    Err(error) => return error,
                };
                let arguments = (
                    name(error.encoding(), None).to_string(),
                    object,
                    range.start,
                    range.end,
                    error.reason().to_string(),
                );
                (row, PyUnicodeDecodeError::new_err(arguments))
            }
            Self::Unmappable { row, error, text } => {
                let range = error.range();
                let characters = |bytes: u64| {
                    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(text.len());
                    text.char_indices().take_while(|&(at, _)| at < bytes).count()
                };
                let start = characters(range.start);
                // An encoding without an encoder has no range.
                let end = characters(range.end).max(start + 1).min(text.chars().count());
                let reason = error.reason().to_string();
                let object = match PyString::from_bytes(py, text.as_bytes()) {
                    Ok(object) => object.unbind(),
                    Err(error) => return error,
                };
                (
                    row,
                    PyUnicodeEncodeError::new_err((
                        name(error.encoding(), None).to_string(),
                        object,
                        start,
                        end,
                        reason,
                    )),
                )
            }
            Self::UnknownLabel { row, label } => (row, unknown_label(&label)),
            Self::Broken { argument, row: None, what } => {
                return PyValueError::new_err(format!("{argument} is not a valid Arrow array: {what}"));
            }
            Self::Broken { argument, row: Some(row), what } => {
                (row, PyValueError::new_err(format!("{argument} is not a valid Arrow array: row {row}: {what}")))
            }
            Self::Overflow { row, in_dictionary, is_view, to_text } => {
                let name = match (is_view, to_text) {
                    (false, true) => "string holds at most 2 GiB of text in one chunk: cast the column to large_binary",
                    (false, false) => {
                        "binary holds at most 2 GiB of data in one chunk: cast the column to large_string"
                    }
                    (true, true) => "a row of string_view holds at most 2 GiB of text: cast the column to large_binary",
                    (true, false) => {
                        "a row of binary_view holds at most 2 GiB of data: cast the column to large_string"
                    }
                };
                if in_dictionary {
                    return PyOverflowError::new_err(format!("value {row} of the dictionary: {name} first"));
                }
                (row, PyOverflowError::new_err(format!("{name} first")))
            }
            Self::Memory => return PyMemoryError::new_err("not enough memory for the result"),
        };
        // Without the attribute, the exception is still the right one.
        let value = err.value(py);
        let _ = value.setattr("row", row);
        if let Ok(add_note) = value.getattr("add_note") {
            let _ = add_note.call1((format!("in row {row} of the column"),));
        }
        err
    }
}

/// Copies bytes, if there is enough memory.
pub(super) fn copy(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).ok()?;
    copy.extend_from_slice(bytes);
    Some(copy)
}
