//! Strings of Python, written from UTF-16 and read as UTF-16.
//!
//! Python stores a string in the narrowest of four kinds (PEP 393): ASCII, one byte, two bytes or four bytes for each
//! character. A string in a wider kind than necessary is broken: `==` and dictionaries compare kinds. So [`Writer`] and the
//! functions here choose the kind from the largest character.
//!
//! `direct` reads and writes the memory of strings. `limited` does the same through functions of the stable ABI, which copy.
#![expect(unsafe_code, reason = "the length of strings")]

#[cfg_attr(feature = "abi3", path = "limited.rs")]
mod direct;

use pyo3::{ffi, prelude::*, types::PyString};
use textcodec::utf;

use crate::bytes::no_memory;
pub(crate) use direct::{Source, Writer, from_ascii, from_code_points, from_latin1, from_utf16};

/// Text of any length that may contain unpaired surrogates, from handlers of errors.
///
/// UTF-16 alone cannot hold it: two unpaired surrogates could look like a pair. So from the first unpaired high surrogate on, text
/// is kept as code points. Low surrogates alone, such as those of `surrogateescape`, cannot look like a pair.
#[derive(Default)]
pub(crate) struct Builder {
    code_points: Vec<u32>,
    /// The text after `code_points`: UTF-16 in which all high surrogates are paired.
    units: Vec<u16>,
}

impl Builder {
    /// The end of the text, for decoders. Only well-formed UTF-16 may be appended.
    pub(crate) fn units(&mut self) -> &mut Vec<u16> {
        &mut self.units
    }

    /// Appends a code point below U+10000, which may be a surrogate.
    pub(crate) fn push_unit(&mut self, unit: u16) -> PyResult<()> {
        if matches!(unit, 0xD800..=0xDBFF) {
            self.expand()?;
            self.code_points.try_reserve(1).map_err(no_memory)?;
            self.code_points.push(unit.into());
            return Ok(());
        }
        self.push_units(&[unit])
    }

    /// Appends well-formed UTF-16.
    pub(crate) fn push_units(&mut self, units: &[u16]) -> PyResult<()> {
        self.units.try_reserve(units.len()).map_err(no_memory)?;
        self.units.extend_from_slice(units);
        Ok(())
    }

    /// Appends a string of Python.
    pub(crate) fn push_str(&mut self, text: &Bound<'_, PyString>) -> PyResult<()> {
        let source = Source::new(text)?;
        let mut block = [0; 256];
        let mut at = 0;
        while at < source.len() {
            let (units, read) = source.units(at, usize::MAX, &mut block);
            at += read;
            self.push_units(units)?;
            if let Some(surrogate) = source.surrogate_at(at) {
                self.push_unit(surrogate)?;
                at += 1;
            }
        }
        Ok(())
    }

    /// Makes the string.
    pub(crate) fn finish(mut self, py: Python<'_>) -> PyResult<Bound<'_, PyString>> {
        let has_pairs = characters(&self.units) < self.units.len();
        if self.code_points.is_empty() && !has_pairs {
            return from_utf16(py, &self.units, true);
        }
        self.expand()?;
        from_code_points(py, &self.code_points)
    }

    /// Moves all text to `code_points`.
    fn expand(&mut self) -> PyResult<()> {
        let mut units = &self.units[..];
        let (mut len, more) = (self.code_points.len(), characters(units));
        self.code_points.try_reserve(more).map_err(no_memory)?;
        self.code_points.resize(len + more, 0);
        while !units.is_empty() {
            let progress = utf::utf16_to_utf32(units, &mut self.code_points[len..]);
            units = &units[progress.read..];
            len += progress.written;
            if let Some((&surrogate, rest)) = units.split_first() {
                self.code_points[len] = surrogate.into();
                len += 1;
                units = rest;
            }
        }
        self.units.clear();
        Ok(())
    }
}

/// Moves all units but those of one value to the front, and returns their number.
fn remove(units: &mut [u16], unit: u16) -> usize {
    let mut kept = 0;
    for at in 0..units.len() {
        units[kept] = units[at];
        kept += usize::from(units[at] != unit);
    }
    kept
}

/// Returns the number of characters of a string, which a subclass cannot override.
pub(crate) fn len(string: &Bound<'_, PyString>) -> usize {
    // SAFETY: `string` is a string, so this does not fail.
    unsafe { ffi::PyUnicode_GetLength(string.as_ptr()) as usize }
}

/// Returns the number of code points of UTF-16 in which all high surrogates are paired.
pub(crate) fn characters(units: &[u16]) -> usize {
    // In blocks whose count fits into 16 bits, so that the compiler counts in vectors of code units.
    let count = |block: &[u16]| block.iter().map(|unit| u16::from(unit & 0xFC00 == 0xD800)).sum::<u16>();
    let pairs: usize = units.chunks(1 << 15).map(|block| usize::from(count(block))).sum();
    units.len() - pairs
}
