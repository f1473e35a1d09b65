//! Takes columns from Python.

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::DataType;
use pyo3::{
    exceptions::{PyMemoryError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use super::chunk::{Chunk, Column, Invalid, Layout, Type};
use crate::bytes::no_memory;

/// Takes the column of an object with `__arrow_c_array__` or `__arrow_c_stream__`. `argument` is its name in messages.
pub(super) fn import(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Column> {
    let py = object.py();
    // The stream first: an object that has both may have several chunks, and no array then.
    if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        return import_stream(&method.call0()?, argument);
    }
    if let Some(method) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let capsules = method.call0()?;
        let capsules = capsules.cast::<PyTuple>()?;
        return import_array(&capsules.get_item(0)?, &capsules.get_item(1)?, argument);
    }
    let name = object.get_type().name()?;
    let message =
        format!("{argument} must be an Arrow array, such as one of pyarrow or a Series of polars, not {name}");
    Err(PyTypeError::new_err(message))
}

fn import_array(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>, argument: &str) -> PyResult<Column> {
    let schema = schema.cast::<PyCapsule>()?;
    // SAFETY: a capsule with this name holds an `ArrowSchema`. It is borrowed as long as its capsule.
    let schema = unsafe { schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>().as_ref() };
    let mut column = empty(schema, argument)?;
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: a capsule with this name holds an `ArrowArray`, which is moved, and its place marked as released.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    push(&mut column, array, argument)?;
    Ok(column)
}

fn import_stream(capsule: &Bound<'_, PyAny>, argument: &str) -> PyResult<Column> {
    let py = capsule.py();
    let stream = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule with this name holds an `ArrowArrayStream`, which is moved, and its place marked as released.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    let (Some(get_schema), Some(get_next), Some(_)) = (stream.get_schema, stream.get_next, stream.release) else {
        return Err(invalid(argument, "the stream was read before"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // A producer may wait for its threads, which may need the GIL.
    // SAFETY: the stream is not released, and the schema can be written.
    if py.detach(|| unsafe { get_schema(&raw mut stream, &raw mut schema) }) != 0 {
        return Err(stream_error(&mut stream, argument));
    }
    let mut column = empty(&schema, argument)?;
    column.is_chunked = true;
    while column.kind.is_some() {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and the array can be written.
        if py.detach(|| unsafe { get_next(&raw mut stream, &raw mut array) }) != 0 {
            return Err(stream_error(&mut stream, argument));
        }
        if array.is_released() {
            break;
        }
        push(&mut column, array, argument)?;
    }
    Ok(column)
}

/// The exception for a stream that failed.
fn stream_error(stream: &mut FFI_ArrowArrayStream, argument: &str) -> PyErr {
    let text = stream.get_last_error.map(|get_last_error| {
        // SAFETY: the stream is not released, and a call before has failed.
        unsafe { get_last_error(&raw mut *stream) }
    });
    let what = match text {
        // SAFETY: the text is null-terminated, and valid until the next call.
        Some(text) if !text.is_null() => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
        _ => "the stream failed".to_owned(),
    };
    invalid(argument, &what)
}

/// A column without chunks.
fn empty(schema: &FFI_ArrowSchema, argument: &str) -> PyResult<Column> {
    let format = format(schema).ok_or_else(|| invalid(argument, "its schema has no format"))?;
    // SAFETY: the name of a schema is null or null-terminated.
    let name = if schema.name.is_null() { None } else { Some(unsafe { CStr::from_ptr(schema.name) }) };
    let name = name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (kind, format) = match schema.dictionary() {
        None => (
            layout(format).map(|(layout, is_text)| Type { layout, is_text, keys: None, is_ordered: false }),
            describe(format),
        ),
        Some(values) => {
            let value_format = self::format(values).ok_or_else(|| invalid(argument, "its dictionary has no format"))?;
            // A dictionary of dictionaries is not a type.
            let layout = layout(value_format).filter(|_| values.dictionary.is_null());
            let kind = layout.zip(keys(format)).map(|((layout, is_text), keys)| {
                let is_ordered = schema.flags & 1 != 0;
                Type { layout, is_text, keys: Some(keys), is_ordered }
            });
            (kind, format!("a dictionary of {}", describe(value_format)))
        }
    };
    Ok(Column { name, format, is_chunked: false, kind, chunks: Vec::new() })
}

fn push(column: &mut Column, array: FFI_ArrowArray, argument: &str) -> PyResult<()> {
    if let Some(kind) = &column.kind {
        let chunk = Chunk::new(array, kind).map_err(|error| match error {
            Invalid::Rule(what) => invalid(argument, &what),
            Invalid::Memory => PyMemoryError::new_err("not enough memory to read the array"),
        })?;
        column.chunks.try_reserve(1).map_err(no_memory)?;
        column.chunks.push(chunk);
    }
    Ok(())
}

fn invalid(argument: &str, what: &str) -> PyErr {
    PyValueError::new_err(format!("{argument} is not a valid Arrow array: {what}"))
}

/// The format of a schema, if it has one that can be read.
fn format(schema: &FFI_ArrowSchema) -> Option<&str> {
    if schema.release.is_none() || schema.format.is_null() {
        return None;
    }
    // SAFETY: the format of a schema that is not released is null-terminated, and lives as long as the schema.
    unsafe { CStr::from_ptr(schema.format) }.to_str().ok()
}

/// The layout of a format, and whether it is text.
fn layout(format: &str) -> Option<(Layout, bool)> {
    match format {
        "n" => Some((Layout::Null, false)),
        "z" => Some((Layout::Small, false)),
        "Z" => Some((Layout::Large, false)),
        "vz" => Some((Layout::View, false)),
        "u" => Some((Layout::Small, true)),
        "U" => Some((Layout::Large, true)),
        "vu" => Some((Layout::View, true)),
        _ => {
            let width = format.strip_prefix("w:")?.parse::<u32>().ok()?;
            Some((Layout::Fixed(usize::try_from(width).ok()?), false))
        }
    }
}

/// The type of the keys of a dictionary.
fn keys(format: &str) -> Option<DataType> {
    match format {
        "c" => Some(DataType::Int8),
        "C" => Some(DataType::UInt8),
        "s" => Some(DataType::Int16),
        "S" => Some(DataType::UInt16),
        "i" => Some(DataType::Int32),
        "I" => Some(DataType::UInt32),
        "l" => Some(DataType::Int64),
        "L" => Some(DataType::UInt64),
        _ => None,
    }
}

/// The name of a type in messages.
fn describe(format: &str) -> String {
    let name = match format {
        "n" => "null",
        "b" => "bool",
        "c" => "int8",
        "C" => "uint8",
        "s" => "int16",
        "S" => "uint16",
        "i" => "int32",
        "I" => "uint32",
        "l" => "int64",
        "L" => "uint64",
        "e" => "float16",
        "f" => "float",
        "g" => "double",
        "z" => "binary",
        "Z" => "large_binary",
        "vz" => "binary_view",
        "u" => "string",
        "U" => "large_string",
        "vu" => "string_view",
        "+s" => "struct",
        "+l" => "list",
        "+r" => "run_end_encoded",
        _ if format.starts_with("w:") => "fixed_size_binary",
        _ if format.starts_with("ts") => "timestamp",
        _ => return format!("a type of the format \"{format}\""),
    };
    name.to_owned()
}

pub(super) const SCHEMA: &CStr = c"arrow_schema";
pub(super) const ARRAY: &CStr = c"arrow_array";
pub(super) const STREAM: &CStr = c"arrow_array_stream";
