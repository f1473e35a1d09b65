//! The class `SingleByte`: an encoding by a table of one's own.

use std::{
    hash::{Hash, Hasher},
    ptr,
    sync::{Mutex, PoisonError},
};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyString, PyType},
};
use textcodec::{
    Bom,
    custom::{self, CUSTOM},
};

use crate::{
    buffer::Input,
    decode::{self, Source},
    encode::{self, Target},
    handler::{Errors, MAX_NAME},
    objects::text_of,
};

/// The characters of all bytes.
type Characters = [Option<char>; 256];

/// A table that lives as long as the process. There is one with each name and characters.
struct Leaked {
    name: &'static str,
    characters: &'static Characters,
    table: &'static custom::SingleByte,
}

/// An encoding in which each byte is a character, by a table.
#[pyclass(frozen, eq, hash, module = "textcodec")]
pub(crate) struct SingleByte(&'static Leaked);

impl PartialEq for SingleByte {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Hash for SingleByte {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.0, state);
    }
}

#[pymethods]
impl SingleByte {
    #[new]
    fn new(name: &Bound<'_, PyString>, characters: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = text_of(name)?;
        if name.len() > MAX_NAME {
            return Err(PyValueError::new_err(format!("name must have at most {MAX_NAME} bytes of UTF-8")));
        }
        leaked(&name, &characters_of(characters)?).map(Self)
    }

    /// The name, for exceptions.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// The characters of all bytes, with U+FFFD for a byte without a character.
    #[getter]
    fn characters(&self) -> String {
        self.0.characters.iter().map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    /// Decodes bytes.
    #[pyo3(signature = (data, errors = "strict"))]
    fn decode<'py>(&self, py: Python<'py>, data: Input<'py>, errors: &str) -> PyResult<Bound<'py, PyString>> {
        let source = Source { encoding: CUSTOM, bom: Bom::Keep, table: Some(self.0.table) };
        decode::decode(py, source, &data, &Errors::new(errors)?)
    }

    /// Encodes text.
    #[pyo3(signature = (text, errors = "strict"))]
    fn encode<'py>(&self, py: Python<'py>, text: Bound<'py, PyString>, errors: &str) -> PyResult<Bound<'py, PyBytes>> {
        let target = Target { encoding: CUSTOM, bom: false, table: Some(self.0.table) };
        encode::encode(py, target, &text, &Errors::new(errors)?)
    }

    fn __repr__(&self) -> String {
        format!("<SingleByte {}>", self.0.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str, String)) {
        (py.get_type::<Self>(), (self.0.name, self.characters()))
    }
}

/// Reads the argument `characters`: a string, or a sequence of strings of one character and `None`.
fn characters_of(argument: &Bound<'_, PyAny>) -> PyResult<Characters> {
    let len = argument.len()?;
    if !matches!(len, 128 | 256) {
        return Err(PyValueError::new_err(format!(
            "characters must be those of all 256 bytes, or of the 128 bytes from 80 on if the others are ASCII, not {len}"
        )));
    }
    let mut characters = std::array::from_fn(|byte| u8::try_from(byte).ok().filter(u8::is_ascii).map(char::from));
    // By number: a set has no order, and a mapping may have its own numbers.
    for (number, place) in characters[256 - len..].iter_mut().enumerate() {
        let character: Option<char> = argument.get_item(number)?.extract()?;
        // Python's tables have U+FFFE for a byte without a character.
        *place = character.filter(|character| !matches!(character, '\u{FFFD}' | '\u{FFFE}'));
    }
    Ok(characters)
}

/// Returns the table with a name and characters. It is never freed, because decoders and encoders refer to it. Each is kept once, so
/// that only different ones add to the memory of the process.
fn leaked(name: &str, characters: &Characters) -> PyResult<&'static Leaked> {
    static TABLES: Mutex<Vec<&'static Leaked>> = Mutex::new(Vec::new());

    let new =
        |name| custom::SingleByte::new(name, characters).map_err(|error| PyValueError::new_err(error.to_string()));
    // Nothing is leaked for a table that is not valid.
    new("")?;
    // No code of Python runs while it is locked.
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = tables.iter().find(|table| table.name == name && table.characters == characters) {
        return Ok(table);
    }
    let name: &'static str = Box::leak(name.into());
    let table = Box::leak(Box::new(new(name)?));
    let leaked: &'static Leaked =
        Box::leak(Box::new(Leaked { name, characters: Box::leak(Box::new(*characters)), table }));
    tables.push(leaked);
    Ok(leaked)
}
