//! Gives results to Python: objects with the Arrow `PyCapsule` interface.

use std::{
    collections::VecDeque,
    ffi::{c_char, c_int, c_void},
    ptr,
};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use super::{
    chunk::{Column, Layout},
    convert::{Converted, Form},
    import::{ARRAY, SCHEMA, STREAM},
};

/// Makes the Python object of a result: an array, or chunks if the column had chunks.
pub(super) fn export<'py>(py: Python<'py>, column: &Column, converted: Converted) -> PyResult<Bound<'py, PyAny>> {
    let field = field(column, converted.form);
    let mut chunks = converted.chunks;
    if !column.is_chunked && chunks.len() == 1 {
        return Ok(Bound::new(py, ArrowArray::new(field, chunks.remove(0)))?.into_any());
    }
    Ok(Bound::new(py, ArrowChunkedArray { field, chunks })?.into_any())
}

/// The name and type of a result.
fn field(column: &Column, form: Form) -> Field {
    let Some(kind) = column.kind.as_ref().filter(|_| form != Form::Counts) else {
        return Field::new(&column.name, DataType::UInt32, true);
    };
    let values = match (kind.layout, kind.is_text) {
        (Layout::Small | Layout::Fixed(_) | Layout::Null, false) => DataType::Utf8,
        (Layout::Large, false) => DataType::LargeUtf8,
        (Layout::View, false) => DataType::Utf8View,
        (Layout::Small | Layout::Fixed(_) | Layout::Null, true) => DataType::Binary,
        (Layout::Large, true) => DataType::LargeBinary,
        (Layout::View, true) => DataType::BinaryView,
    };
    match &kind.keys {
        Some(keys) if form == Form::Same => {
            let kind_of = DataType::Dictionary(Box::new(keys.clone()), Box::new(values));
            Field::new(&column.name, kind_of, true).with_dict_is_ordered(kind.is_ordered)
        }
        _ => Field::new(&column.name, values, true),
    }
}

fn schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// An Arrow array. Every library with the Arrow `PyCapsule` interface can take it without a copy.
#[pyclass(frozen, module = "textcodec.arrow", name = "Array")]
pub(crate) struct ArrowArray {
    field: Field,
    /// The data type is binary for text, too. The memory is the same, and `field` has the type of the result.
    data: ArrayData,
}

impl ArrowArray {
    /// `field` must have the type of `data`, or one with the same memory.
    pub(crate) fn new(field: Field, data: ArrayData) -> Self {
        Self { field, data }
    }
}

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.data.len()
    }

    fn __repr__(&self) -> String {
        format!("<textcodec.arrow.Array of {}, {} rows>", self.field.data_type(), self.data.len())
    }

    /// Returns the type as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.field)
    }

    /// Returns the type and the array as capsules. Never casts to `requested_schema`, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&self.data), ARRAY)?;
        PyTuple::new(py, [schema(py, &self.field)?, array])
    }
}

/// An Arrow array in chunks. Every library with the Arrow `PyCapsule` interface can take it without a copy.
#[pyclass(frozen, module = "textcodec.arrow", name = "ChunkedArray")]
pub(crate) struct ArrowChunkedArray {
    field: Field,
    chunks: Vec<ArrayData>,
}

#[pymethods]
impl ArrowChunkedArray {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(ArrayData::len).sum()
    }

    fn __repr__(&self) -> String {
        let (kind, rows) = (self.field.data_type(), self.__len__());
        format!("<textcodec.arrow.ChunkedArray of {kind}, {rows} rows in {} chunks>", self.chunks.len())
    }

    /// Returns the type as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.field)
    }

    /// Returns the chunks as a capsule of a stream. Never casts to `requested_schema`, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let chunks = Chunks { field: self.field.clone(), chunks: self.chunks.iter().cloned().collect() };
        let stream = FFI_ArrowArrayStream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private_data: Box::into_raw(Box::new(chunks)).cast(),
        };
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

/// What a stream has not yielded yet.
struct Chunks {
    field: Field,
    chunks: VecDeque<ArrayData>,
}

/// The invalid argument of C.
const EINVAL: c_int = 22;

/// The chunks of a stream, if it is not released.
///
/// # Safety
/// `stream` must be null or point to a stream that [`ArrowChunkedArray`] has made, and that nothing else uses meanwhile.
unsafe fn chunks<'a>(stream: *mut FFI_ArrowArrayStream) -> Option<&'a mut Chunks> {
    // SAFETY: the caller guarantees it.
    let private_data = unsafe { stream.as_ref()? }.private_data;
    // SAFETY: it is null after `release`, and before it is the box of `__arrow_c_stream__`.
    unsafe { private_data.cast::<Chunks>().as_mut() }
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer passes the stream of which this is the callback.
    let Some(chunks) = (unsafe { chunks(stream) }) else { return EINVAL };
    let Ok(schema) = FFI_ArrowSchema::try_from(&chunks.field) else { return EINVAL };
    // SAFETY: `out` is memory for a schema, which may be uninitialised.
    unsafe { ptr::write(out, schema) };
    0
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: the consumer passes the stream of which this is the callback.
    let Some(chunks) = (unsafe { chunks(stream) }) else { return EINVAL };
    // An array that is released is the end.
    let array = chunks.chunks.pop_front().map_or_else(FFI_ArrowArray::empty, |data| FFI_ArrowArray::new(&data));
    // SAFETY: `out` is memory for an array, which may be uninitialised.
    unsafe { ptr::write(out, array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    c"the stream was released before".as_ptr()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the consumer passes the stream of which this is the callback.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return };
    let private_data = std::mem::replace(&mut stream.private_data, ptr::null_mut::<c_void>());
    stream.release = None;
    if !private_data.is_null() {
        // SAFETY: it is the box of `__arrow_c_stream__`, and nobody else has the pointer now.
        drop(unsafe { Box::from_raw(private_data.cast::<Chunks>()) });
    }
}
