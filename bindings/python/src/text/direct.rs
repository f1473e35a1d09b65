//! Strings by their memory. Not for the stable ABI.
#![expect(unsafe_code, reason = "the memory of strings")]

use std::{
    mem::{ManuallyDrop, MaybeUninit},
    ptr::NonNull,
    slice,
};

use pyo3::{exceptions::PyOverflowError, ffi, prelude::*, types::PyString};
use textcodec::utf;

use super::characters;

/// A new string that is written as UTF-16.
pub(crate) struct Writer<'py> {
    /// A string of two-byte characters that nobody else refers to. Only the first `len` are initialised.
    string: NonNull<ffi::PyObject>,
    capacity: usize,
    len: usize,
    py: Python<'py>,
}

impl<'py> Writer<'py> {
    /// Allocates memory for `capacity` code units, at least one.
    pub(crate) fn new(py: Python<'py>, capacity: usize) -> PyResult<Self> {
        // The empty string is shared.
        let capacity = capacity.max(1);
        Ok(Self { string: allocate(py, capacity, 0xFFFF)?, capacity, len: 0, py })
    }

    /// The code units so far.
    pub(crate) fn units(&self) -> &[u16] {
        // SAFETY: the string has two-byte characters, of which the first `len` are initialised: `advance`.
        unsafe { slice::from_raw_parts(data(self.string), self.len) }
    }

    /// The memory after the text.
    pub(crate) fn spare(&mut self) -> &mut [MaybeUninit<u16>] {
        // SAFETY: the string has `capacity` two-byte characters, and `len <= capacity`.
        unsafe {
            slice::from_raw_parts_mut(data::<MaybeUninit<u16>>(self.string).add(self.len), self.capacity - self.len)
        }
    }

    /// Appends the first `units` code units of [`spare`](Self::spare).
    ///
    /// # Safety
    /// They are initialised, and `units <= spare().len()`.
    pub(crate) unsafe fn advance(&mut self, units: usize) {
        debug_assert!(units <= self.capacity - self.len);
        self.len += units;
    }

    /// Doubles the memory.
    pub(crate) fn grow(&mut self) -> PyResult<()> {
        self.resize(self.capacity.checked_mul(2).ok_or_else(too_long)?)
    }

    fn resize(&mut self, capacity: usize) -> PyResult<()> {
        let size = size(capacity)?;
        let mut string = self.string.as_ptr();
        // SAFETY: `string` is a string that nobody else refers to. If this fails, it is unchanged.
        if unsafe { ffi::PyUnicode_Resize(&raw mut string, size) } != 0 {
            return Err(PyErr::fetch(self.py));
        }
        self.string = NonNull::new(string).ok_or_else(|| PyErr::fetch(self.py))?;
        self.capacity = capacity;
        Ok(())
    }

    /// Removes all units of a value from an offset on.
    pub(crate) fn remove(&mut self, from: usize, unit: u16) {
        // SAFETY: the string has two-byte characters, of which the first `len` are initialised, and nobody else refers to it.
        let units = unsafe { slice::from_raw_parts_mut(data::<u16>(self.string), self.len) };
        self.len = from + super::remove(&mut units[from..], unit);
    }

    /// Makes the string. `has_no_pairs` promises that the text has no surrogate pairs.
    pub(crate) fn finish(mut self, has_no_pairs: bool) -> PyResult<Bound<'py, PyString>> {
        let units = self.units();
        if !is_two_byte(units, has_no_pairs) {
            return narrow_or_widen(self.py, units);
        }
        if self.len < self.capacity {
            self.resize(self.len)?;
        }
        let this = ManuallyDrop::new(self);
        // SAFETY: the string is initialised, since `len == capacity`. This takes over the only reference.
        Ok(unsafe { own(this.py, this.string) })
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        // SAFETY: this owns a reference.
        unsafe { ffi::Py_DECREF(self.string.as_ptr()) }
    }
}

/// Makes a string from ASCII.
pub(crate) fn from_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    debug_assert!(bytes.is_ascii());
    from_bytes(py, bytes, 0x7F)
}

/// Makes a string from ISO-8859-1 that is not ASCII.
pub(crate) fn from_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    debug_assert!(!bytes.is_ascii());
    from_bytes(py, bytes, 0xFF)
}

fn from_bytes<'py>(py: Python<'py>, bytes: &[u8], max: u32) -> PyResult<Bound<'py, PyString>> {
    let string = allocate(py, bytes.len(), max)?;
    // SAFETY: the string has `bytes.len()` one-byte characters, and nobody else refers to it, unless it is empty.
    unsafe { data::<u8>(string).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    // SAFETY: the string is initialised, and this takes over the reference.
    Ok(unsafe { own(py, string) })
}

/// Makes a string from UTF-16. `has_no_pairs` promises that no surrogate is part of a pair; without it, all are.
pub(crate) fn from_utf16<'py>(py: Python<'py>, units: &[u16], has_no_pairs: bool) -> PyResult<Bound<'py, PyString>> {
    if !is_two_byte(units, has_no_pairs) {
        return narrow_or_widen(py, units);
    }
    let string = allocate(py, units.len(), 0xFFFF)?;
    // SAFETY: the string has `units.len()` two-byte characters, and nobody else refers to it.
    unsafe { data::<u16>(string).copy_from_nonoverlapping(units.as_ptr(), units.len()) };
    // SAFETY: the string is initialised, and this takes over the reference.
    Ok(unsafe { own(py, string) })
}

/// Makes a string from code points, which may be surrogates.
pub(crate) fn from_code_points<'py>(py: Python<'py>, code_points: &[u32]) -> PyResult<Bound<'py, PyString>> {
    let (kind, size) = (ffi::PyUnicode_4BYTE_KIND.cast_signed(), size(code_points.len())?);
    // SAFETY: the slice has `size` characters of four bytes. The function finds the right kind.
    let string = unsafe { ffi::PyUnicode_FromKindAndData(kind, code_points.as_ptr().cast(), size) };
    let string = NonNull::new(string).ok_or_else(|| PyErr::fetch(py))?;
    // SAFETY: this takes over the reference.
    Ok(unsafe { own(py, string) })
}

/// Whether a string of these units has two-byte characters.
fn is_two_byte(units: &[u16], has_no_pairs: bool) -> bool {
    is_wide(units) && (has_no_pairs || utf::surrogate_free_up_to(units) == units.len())
}

/// Whether a unit is above 0xFF. In most text that is not Latin, one of the first is.
fn is_wide(units: &[u16]) -> bool {
    units.chunks(256).any(|block| utf::max_unit(block) > 0xFF)
}

/// Makes a string of one-byte or four-byte characters from well-formed UTF-16.
fn narrow_or_widen<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    let max = utf::max_unit(units);
    if max < 0x100 {
        let string = allocate(py, units.len(), if max < 0x80 { 0x7F } else { 0xFF })?;
        // SAFETY: the string has `units.len()` one-byte characters, and nobody else refers to it, unless it is empty.
        let characters = unsafe { zeroed::<u8>(string, units.len()) };
        let _all: utf::Converted = utf::utf16_to_latin1(units, characters);
        // SAFETY: the string is initialised, since all units are below 0x100. This takes over the reference.
        return Ok(unsafe { own(py, string) });
    }
    let len = characters(units);
    let string = allocate(py, len, 0x10_FFFF)?;
    // SAFETY: the string has `len` four-byte characters, and nobody else refers to it.
    let code_points = unsafe { zeroed::<u32>(string, len) };
    let progress = utf::utf16_to_utf32(units, code_points);
    // Not reached: the text is well-formed.
    code_points[progress.written..].fill(0xFFFD);
    // SAFETY: the string is initialised, and this takes over the reference.
    Ok(unsafe { own(py, string) })
}

/// Allocates a string whose memory is not initialised.
fn allocate(py: Python<'_>, len: usize, max: u32) -> PyResult<NonNull<ffi::PyObject>> {
    // SAFETY: Python is attached.
    NonNull::new(unsafe { ffi::PyUnicode_New(size(len)?, max) }).ok_or_else(|| PyErr::fetch(py))
}

/// Returns the characters of a string, whose kind must be that of `T`.
///
/// # Safety
/// `string` is a string in its final form.
unsafe fn data<T>(string: NonNull<ffi::PyObject>) -> *mut T {
    // SAFETY: this function's contract.
    unsafe { ffi::PyUnicode_DATA(string.as_ptr()).cast() }
}

/// Fills a string with U+0000 and returns its characters.
///
/// # Safety
/// The string has `len` characters of the kind of `T`, and nobody else refers to it while the result is used.
unsafe fn zeroed<'a, T>(string: NonNull<ffi::PyObject>, len: usize) -> &'a mut [T] {
    // SAFETY: as the caller promises.
    let start = unsafe { data::<T>(string) };
    // SAFETY: as above. `T` is an integer.
    unsafe {
        start.write_bytes(0, len);
        slice::from_raw_parts_mut(start, len)
    }
}

/// Takes over a reference to a string.
///
/// # Safety
/// `string` is an initialised string, and nobody else gives up this reference.
unsafe fn own(py: Python<'_>, string: NonNull<ffi::PyObject>) -> Bound<'_, PyString> {
    // SAFETY: as above.
    unsafe { Bound::from_owned_ptr(py, string.as_ptr()).cast_into_unchecked() }
}

fn size(len: usize) -> PyResult<ffi::Py_ssize_t> {
    len.try_into().map_err(|_| too_long())
}

fn too_long() -> PyErr {
    PyOverflowError::new_err("the text is too long for a str")
}

/// The characters of a string.
pub(crate) enum Source<'a> {
    /// ASCII, or ISO-8859-1.
    OneByte {
        bytes: &'a [u8],
        is_ascii: bool,
    },
    /// Each unit is a character, so every surrogate is unpaired.
    TwoBytes(&'a [u16]),
    FourBytes(&'a [u32]),
}

impl<'a> Source<'a> {
    /// The empty string.
    pub(crate) const EMPTY: Self = Self::TwoBytes(&[]);

    /// Borrows the characters.
    pub(crate) fn new(string: &'a Bound<'_, PyString>) -> PyResult<Self> {
        let pointer = string.as_ptr();
        // SAFETY: `pointer` is a string.
        if unsafe { ffi::PyUnicode_READY(pointer) } != 0 {
            return Err(PyErr::fetch(string.py()));
        }
        // SAFETY: `pointer` is a string in its final form. `string` keeps it alive for 'a, and strings do not change.
        unsafe {
            let len = ffi::PyUnicode_GET_LENGTH(pointer) as usize;
            let data = ffi::PyUnicode_DATA(pointer);
            Ok(match ffi::PyUnicode_KIND(pointer) {
                ffi::PyUnicode_1BYTE_KIND => Self::OneByte {
                    bytes: slice::from_raw_parts(data.cast(), len),
                    is_ascii: ffi::PyUnicode_IS_ASCII(pointer) != 0,
                },
                ffi::PyUnicode_2BYTE_KIND => Self::TwoBytes(slice::from_raw_parts(data.cast(), len)),
                _ => Self::FourBytes(slice::from_raw_parts(data.cast(), len)),
            })
        }
    }

    /// Returns the ASCII of the string, if it is all ASCII.
    pub(crate) fn ascii(&self) -> Option<&'a [u8]> {
        match *self {
            Self::OneByte { bytes, is_ascii: true } => Some(bytes),
            _ => None,
        }
    }

    /// Returns the string as ISO-8859-1, if its kind is that.
    pub(crate) fn latin1(&self) -> Option<&'a [u8]> {
        match *self {
            Self::OneByte { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// The number of characters.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::OneByte { bytes, .. } => bytes.len(),
            Self::TwoBytes(units) => units.len(),
            Self::FourBytes(code_points) => code_points.len(),
        }
    }

    /// The greatest number of bytes of UTF-8 for a character.
    pub(crate) fn max_utf8_len(&self) -> usize {
        match self {
            Self::OneByte { .. } => 2,
            Self::TwoBytes(_) => 3,
            Self::FourBytes(_) => 4,
        }
    }

    /// Returns characters from `at` on as well-formed UTF-16, and their number: up to the end, a surrogate, or the end of
    /// `block`, or of `limit` units. Both are at least two. None means that there is a surrogate, or that the string ends.
    pub(crate) fn units<'b>(&self, at: usize, limit: usize, block: &'b mut [u16]) -> (&'b [u16], usize)
    where
        'a: 'b,
    {
        let part = limit.min(block.len());
        match *self {
            Self::TwoBytes(units) => {
                // Not all at once: the encoder reads the same units again, from the cache.
                let units = &units[at..];
                let len = utf::surrogate_free_up_to(&units[..units.len().min(limit)]);
                (&units[..len], len)
            }
            Self::OneByte { bytes, .. } => {
                let progress = utf::latin1_to_utf16(&bytes[at..], &mut block[..part]);
                (&block[..progress.written], progress.read)
            }
            Self::FourBytes(code_points) => {
                let progress = utf::utf32_to_utf16(&code_points[at..], &mut block[..part]);
                (&block[..progress.written], progress.read)
            }
        }
    }

    /// Whether [`units`](Self::units) needs no block.
    pub(crate) fn is_utf16(&self) -> bool {
        matches!(self, Self::TwoBytes(_))
    }

    /// Returns the character at an offset, or 0 after the end.
    pub(crate) fn code_point(&self, at: usize) -> u32 {
        match self {
            Self::OneByte { bytes, .. } => bytes.get(at).map_or(0, |&byte| byte.into()),
            Self::TwoBytes(units) => units.get(at).map_or(0, |&unit| unit.into()),
            Self::FourBytes(code_points) => code_points.get(at).copied().unwrap_or_default(),
        }
    }

    /// Returns the character at an offset if it is a surrogate.
    pub(crate) fn surrogate_at(&self, at: usize) -> Option<u16> {
        let character = match self {
            Self::OneByte { .. } => None,
            Self::TwoBytes(units) => units.get(at).copied(),
            Self::FourBytes(code_points) => code_points.get(at).and_then(|&character| character.try_into().ok()),
        };
        character.filter(|character| matches!(character, 0xD800..=0xDFFF))
    }
}
