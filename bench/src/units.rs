//! Bytes or code units.

use std::ops::Range;

/// Bytes, or code units of UTF-16.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    Bytes(Vec<u8>),
    Utf16(Vec<u16>),
}

impl Units {
    /// Creates an empty vector of units with `unit` bytes each.
    pub(crate) fn new(unit: usize) -> Self {
        if unit == 1 { Self::Bytes(Vec::new()) } else { Self::Utf16(Vec::new()) }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Utf16(units) => units.len(),
        }
    }

    /// Returns the length in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Utf16(units) => 2 * units.len(),
        }
    }

    pub(crate) fn resize(&mut self, len: usize) {
        match self {
            Self::Bytes(bytes) => bytes.resize(len, 0),
            Self::Utf16(units) => units.resize(len, 0),
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Bytes(bytes), Self::Bytes(more)) => bytes.extend_from_slice(more),
            (Self::Utf16(units), Self::Utf16(more)) => units.extend_from_slice(more),
            _ => unreachable!("all inputs of an operation have the same type"),
        }
    }

    /// Returns a part of the units.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Bytes(bytes) => Self::Bytes(bytes[range].to_vec()),
            Self::Utf16(units) => Self::Utf16(units[range].to_vec()),
        }
    }

    pub(crate) fn as_ptr(&self, at: usize) -> *const std::ffi::c_void {
        match self {
            Self::Bytes(bytes) => bytes[at..].as_ptr().cast(),
            Self::Utf16(units) => units[at..].as_ptr().cast(),
        }
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut std::ffi::c_void {
        match self {
            Self::Bytes(bytes) => bytes.as_mut_ptr().cast(),
            Self::Utf16(units) => units.as_mut_ptr().cast(),
        }
    }

    /// Returns whether the units start with `other`.
    pub(crate) fn starts_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bytes(bytes), Self::Bytes(start)) => bytes.starts_with(start),
            (Self::Utf16(units), Self::Utf16(start)) => units.starts_with(start),
            _ => false,
        }
    }
}
