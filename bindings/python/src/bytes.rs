//! A new `bytes` that grows.
#![expect(unsafe_code, reason = "the memory of bytes")]

use std::{
    collections::TryReserveError,
    mem::{ManuallyDrop, MaybeUninit},
    ptr, slice,
};

use pyo3::{
    exceptions::{PyMemoryError, PyOverflowError},
    ffi,
    prelude::*,
    types::PyBytes,
};

unsafe extern "C" {
    /// Reallocates bytes that nobody else refers to. After an error, `*bytes` is null. Part of the stable ABI, but not of `ffi`.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, size: ffi::Py_ssize_t) -> i32;
}

/// Bytes that are written at their end.
pub(crate) struct BytesWriter<'py> {
    /// Bytes that nobody else refers to, or null after an error. Only the first `len` are initialised.
    object: *mut ffi::PyObject,
    capacity: usize,
    len: usize,
    py: Python<'py>,
}

impl<'py> BytesWriter<'py> {
    /// Allocates memory for `capacity` bytes, at least two.
    pub(crate) fn new(py: Python<'py>, capacity: usize) -> PyResult<Self> {
        // Shorter bytes are shared.
        let capacity = capacity.max(2);
        // SAFETY: without a pointer to copy from, the bytes are not initialised.
        let object = unsafe { ffi::PyBytes_FromStringAndSize(ptr::null(), size(capacity)?) };
        if object.is_null() {
            return Err(PyErr::fetch(py));
        }
        Ok(Self { object, capacity, len: 0, py })
    }

    /// The memory after the bytes.
    pub(crate) fn spare(&mut self) -> &mut [MaybeUninit<u8>] {
        if self.object.is_null() {
            return &mut [];
        }
        // SAFETY: the object has `capacity` bytes, and `len <= capacity`.
        unsafe {
            let start: *mut MaybeUninit<u8> = ffi::PyBytes_AsString(self.object).cast();
            slice::from_raw_parts_mut(start.add(self.len), self.capacity - self.len)
        }
    }

    /// Appends the first `bytes` bytes of [`spare`](Self::spare).
    ///
    /// # Safety
    /// They are initialised, and `bytes <= spare().len()`.
    pub(crate) unsafe fn advance(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.capacity - self.len);
        self.len += bytes;
    }

    /// Appends bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> PyResult<()> {
        while self.spare().len() < bytes.len() {
            self.grow()?;
        }
        for (to, &byte) in self.spare().iter_mut().zip(bytes) {
            to.write(byte);
        }
        // SAFETY: they were just written, and fit.
        unsafe { self.advance(bytes.len()) };
        Ok(())
    }

    /// Doubles the memory.
    pub(crate) fn grow(&mut self) -> PyResult<()> {
        self.resize(self.capacity.checked_mul(2).ok_or_else(too_long)?)
    }

    fn resize(&mut self, capacity: usize) -> PyResult<()> {
        // SAFETY: the object is bytes that nobody else refers to.
        if self.object.is_null() || unsafe { _PyBytes_Resize(&raw mut self.object, size(capacity)?) } != 0 {
            (self.capacity, self.len) = (0, 0);
            return Err(PyErr::fetch(self.py));
        }
        self.capacity = capacity;
        Ok(())
    }

    /// Makes the bytes.
    pub(crate) fn finish(mut self) -> PyResult<Bound<'py, PyBytes>> {
        if self.len < self.capacity {
            self.resize(self.len)?;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the bytes are initialised, since `len == capacity`. This takes over the only reference.
        Ok(unsafe { Bound::from_owned_ptr(this.py, this.object).cast_into_unchecked() })
    }
}

impl Drop for BytesWriter<'_> {
    fn drop(&mut self) {
        // SAFETY: this owns a reference, unless it is null.
        unsafe { ffi::Py_XDECREF(self.object) }
    }
}

/// Joins bytes. Unlike `PyBytes::new`, this does not panic if there is no memory.
pub(crate) fn join<'py>(py: Python<'py>, parts: &[&[u8]]) -> PyResult<Bound<'py, PyBytes>> {
    let len = parts.iter().map(|part| part.len()).try_fold(0_usize, usize::checked_add).ok_or_else(too_long)?;
    PyBytes::new_with(py, len, |mut to| {
        for part in parts {
            let (start, rest) = to.split_at_mut(part.len());
            start.copy_from_slice(part);
            to = rest;
        }
        Ok(())
    })
}

/// Returns the exception for memory that could not be reserved.
pub(crate) fn no_memory(error: TryReserveError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// Fails if there are not `len` bytes of memory now, for code that allocates less than that, and aborts if it cannot.
pub(crate) fn probe(len: usize) -> PyResult<()> {
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(len).map_err(no_memory)?;
    // Used, so that the allocation is not optimised away.
    std::hint::black_box(&mut probe);
    Ok(())
}

/// Copies bytes. Unlike `to_vec`, this does not abort if there is no memory.
pub(crate) fn copy(bytes: &[u8]) -> PyResult<Vec<u8>> {
    let mut copied = Vec::new();
    copied.try_reserve_exact(bytes.len()).map_err(no_memory)?;
    copied.extend_from_slice(bytes);
    Ok(copied)
}

fn size(len: usize) -> PyResult<ffi::Py_ssize_t> {
    len.try_into().map_err(|_| too_long())
}

fn too_long() -> PyErr {
    PyOverflowError::new_err("the result is too long for bytes")
}
