//! Bytes from Python.

use pyo3::{Borrowed, exceptions::PyTypeError, prelude::*, types::PyBytes};

#[cfg(not(feature = "abi3"))]
use crate::bytes::join;

/// Inputs and outputs from this length on are converted while other threads run.
pub(crate) const LONG: usize = 16 << 10;

/// An argument of bytes: `bytes`, or anything that exports contiguous memory.
pub(crate) enum Input<'py> {
    /// It cannot change.
    Bytes(Bound<'py, PyBytes>),
    #[cfg(not(feature = "abi3"))]
    Buffer(exported::Contiguous<'py>),
}

impl<'py> Input<'py> {
    /// The bytes. Those of a buffer may change whenever code of Python runs.
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            #[cfg(not(feature = "abi3"))]
            Self::Buffer(buffer) => buffer.as_slice(),
        }
    }

    /// Whether the bytes cannot change while other threads run.
    pub(crate) fn is_frozen(&self) -> bool {
        match self {
            Self::Bytes(_) => true,
            #[cfg(not(feature = "abi3"))]
            Self::Buffer(_) => false,
        }
    }

    /// Returns the bytes as an object, which is a copy if they could change.
    #[cfg_attr(feature = "abi3", expect(clippy::unnecessary_wraps, reason = "a copy may fail"))]
    pub(crate) fn to_bytes(&self) -> PyResult<Bound<'py, PyBytes>> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.clone()),
            #[cfg(not(feature = "abi3"))]
            Self::Buffer(buffer) => join(buffer.py(), &[buffer.as_slice()]),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Input<'py> {
    type Error = PyErr;

    fn extract(argument: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = argument.cast_exact::<PyBytes>() {
            return Ok(Self::Bytes(bytes.to_owned()));
        }
        from_buffer(&argument)
    }
}

/// Returns the `bytes` object that a memoryview exports, if the view covers all of it.
fn whole_of_view<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    use pyo3::types::PyMemoryView;
    let Ok(view) = argument.cast_exact::<PyMemoryView>() else { return Ok(None) };
    let Ok(bytes) = view.getattr("obj")?.cast_into_exact::<PyBytes>() else { return Ok(None) };
    let is_whole = view.getattr("nbytes")?.extract::<usize>()? == bytes.as_bytes().len()
        && view.getattr("c_contiguous")?.is_truthy()?;
    Ok(is_whole.then_some(bytes))
}

fn not_bytes(argument: &Bound<'_, PyAny>) -> PyErr {
    let name = argument.get_type().name().map_or_else(|_| "this object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("a bytes-like object is required, not '{name}'"))
}

/// The stable ABI of Python 3.10 has no buffers, so this copies.
#[cfg(feature = "abi3")]
fn from_buffer<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
    if let Some(bytes) = whole_of_view(argument)? {
        return Ok(Input::Bytes(bytes));
    }
    let view = argument.py().import("builtins")?.getattr("memoryview")?.call1((argument,));
    let view =
        view.map_err(
            |error| {
                if error.is_instance_of::<PyTypeError>(argument.py()) { not_bytes(argument) } else { error }
            },
        )?;
    if !view.getattr("c_contiguous")?.is_truthy()? {
        return Err(pyo3::exceptions::PyBufferError::new_err("the memory is not contiguous"));
    }
    Ok(Input::Bytes(view.call_method0("tobytes")?.cast_into()?))
}

#[cfg(not(feature = "abi3"))]
use exported::from_buffer;

#[cfg(not(feature = "abi3"))]
mod exported {
    #![expect(unsafe_code, reason = "buffers")]

    use std::{mem::MaybeUninit, slice};

    use pyo3::ffi;

    use super::{Bound, Input, LONG, PyAny, PyErr, PyResult, PyTypeError, Python, not_bytes, whole_of_view};

    /// Memory that an object exports.
    pub(crate) struct Contiguous<'py> {
        /// It can be moved: without shape and strides, which a simple buffer lacks, nothing points into it.
        view: ffi::Py_buffer,
        py: Python<'py>,
    }

    impl<'py> Contiguous<'py> {
        pub(super) fn py(&self) -> Python<'py> {
            self.py
        }

        pub(super) fn as_slice(&self) -> &[u8] {
            if self.view.buf.is_null() {
                return &[];
            }
            // SAFETY: a simple buffer has `len` bytes from `buf` on, until it is released. While a thread holds the GIL, and no code
            // of Python runs, Python does not change them; builds without the GIL do not make a slice. Other processes could, in
            // shared memory: `decode` says that such memory must be copied first.
            unsafe { slice::from_raw_parts(self.view.buf.cast(), self.view.len as usize) }
        }
    }

    impl Drop for Contiguous<'_> {
        fn drop(&mut self) {
            // SAFETY: the view was filled by `PyObject_GetBuffer`, and is released once.
            unsafe { ffi::PyBuffer_Release(&raw mut self.view) }
        }
    }

    pub(super) fn from_buffer<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        let py = argument.py();
        let mut view = MaybeUninit::<ffi::Py_buffer>::zeroed();
        // SAFETY: `view` is memory for a buffer. A simple one is contiguous.
        if unsafe { ffi::PyObject_GetBuffer(argument.as_ptr(), view.as_mut_ptr(), ffi::PyBUF_SIMPLE) } != 0 {
            let error = PyErr::fetch(py);
            return Err(if error.is_instance_of::<PyTypeError>(py) { not_bytes(argument) } else { error });
        }
        // SAFETY: the call succeeded.
        let view = Contiguous { view: unsafe { view.assume_init() }, py };
        let is_worthwhile = view.view.len as usize >= LONG || cfg!(Py_GIL_DISABLED);
        if let Some(bytes) = if is_worthwhile { whole_of_view(argument)? } else { None } {
            return Ok(Input::Bytes(bytes));
        }
        if cfg!(Py_GIL_DISABLED) {
            // Other threads could change the memory at any time, so no slice may refer to it. CPython copies it.
            // SAFETY: `argument` is an object. The result is a new reference to a `bytes`, or null with an exception.
            let bytes = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyBytes_FromObject(argument.as_ptr())) }?;
            return Ok(Input::Bytes(bytes.cast_into()?));
        }
        Ok(Input::Buffer(view))
    }
}
