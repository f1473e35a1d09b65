//! Strings through functions of the stable ABI, which copy.
#![expect(unsafe_code, reason = "functions of the stable ABI")]

use std::{mem::MaybeUninit, ptr, ptr::NonNull, slice};

use pyo3::{exceptions::PyOverflowError, ffi, prelude::*, types::PyString};
use textcodec::utf;

use crate::bytes::no_memory;

const ORDER: i32 = if cfg!(target_endian = "little") { -1 } else { 1 };

/// A new string that is written as UTF-16.
pub(crate) struct Writer<'py> {
    units: Vec<u16>,
    py: Python<'py>,
}

impl<'py> Writer<'py> {
    /// Allocates memory for `capacity` code units.
    pub(crate) fn new(py: Python<'py>, capacity: usize) -> PyResult<Self> {
        let mut units = Vec::new();
        reserve(&mut units, capacity)?;
        Ok(Self { units, py })
    }

    /// The code units so far.
    pub(crate) fn units(&self) -> &[u16] {
        &self.units
    }

    /// The memory after the text.
    pub(crate) fn spare(&mut self) -> &mut [MaybeUninit<u16>] {
        self.units.spare_capacity_mut()
    }

    /// Appends the first `units` code units of [`spare`](Self::spare).
    ///
    /// # Safety
    /// They are initialised, and `units <= spare().len()`.
    pub(crate) unsafe fn advance(&mut self, units: usize) {
        // SAFETY: as above.
        unsafe { self.units.set_len(self.units.len() + units) };
    }

    /// Doubles the memory.
    pub(crate) fn grow(&mut self) -> PyResult<()> {
        let capacity = self.units.capacity();
        reserve(&mut self.units, capacity.max(16))
    }

    /// Removes all units of a value from an offset on.
    pub(crate) fn remove(&mut self, from: usize, unit: u16) {
        let kept = super::remove(&mut self.units[from..], unit);
        self.units.truncate(from + kept);
    }

    /// Makes the string.
    pub(crate) fn finish(self, _has_no_pairs: bool) -> PyResult<Bound<'py, PyString>> {
        from_utf16(self.py, &self.units, false)
    }
}

/// Makes a string from ASCII.
pub(crate) fn from_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    from_latin1(py, bytes)
}

/// Makes a string from ISO-8859-1.
pub(crate) fn from_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: the pointer and the length are those of a slice.
    let string = unsafe { ffi::PyUnicode_DecodeLatin1(bytes.as_ptr().cast(), size(bytes.len())?, ptr::null()) };
    // SAFETY: `string` is a new reference to a string, or null after an error.
    unsafe { own(py, string) }
}

/// Makes a string from UTF-16 in which all high surrogates are paired.
pub(crate) fn from_utf16<'py>(py: Python<'py>, units: &[u16], _has_no_pairs: bool) -> PyResult<Bound<'py, PyString>> {
    let (mut order, errors) = (ORDER, c"surrogatepass");
    // SAFETY: the slice has `2 * units.len()` bytes.
    let string = unsafe {
        let (start, len) = (units.as_ptr().cast(), size(size_of_val(units))?);
        ffi::PyUnicode_DecodeUTF16(start, len, errors.as_ptr(), &raw mut order)
    };
    // SAFETY: `string` is a new reference to a string, or null after an error.
    unsafe { own(py, string) }
}

/// Makes a string from code points, which may be surrogates.
pub(crate) fn from_code_points<'py>(py: Python<'py>, code_points: &[u32]) -> PyResult<Bound<'py, PyString>> {
    let (mut order, errors) = (ORDER, c"surrogatepass");
    // SAFETY: the slice has `4 * code_points.len()` bytes.
    let string = unsafe {
        let (start, len) = (code_points.as_ptr().cast(), size(size_of_val(code_points))?);
        ffi::PyUnicode_DecodeUTF32(start, len, errors.as_ptr(), &raw mut order)
    };
    // SAFETY: `string` is a new reference to a string, or null after an error.
    unsafe { own(py, string) }
}

/// Takes over a reference to a string.
///
/// # Safety
/// `string` is a reference to a string that nobody else gives up, or null after an error.
unsafe fn own(py: Python<'_>, string: *mut ffi::PyObject) -> PyResult<Bound<'_, PyString>> {
    // SAFETY: as above.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, string)?.cast_into_unchecked()) }
}

fn size(len: usize) -> PyResult<ffi::Py_ssize_t> {
    len.try_into().map_err(|_| PyOverflowError::new_err("the text is too long for a str"))
}

fn reserve(units: &mut Vec<u16>, additional: usize) -> PyResult<()> {
    units.try_reserve(additional).map_err(no_memory)
}

/// The characters of a string.
pub(crate) enum Source<'a> {
    Ascii(&'a [u8]),
    /// A copy.
    Other(Characters),
}

/// Code points in memory of Python's allocator.
pub(crate) struct Characters {
    start: NonNull<u32>,
    len: usize,
}

// SAFETY: this is the only reference to the memory, whose allocator can be called from any thread that is attached to Python. It
// is only dropped by such a thread.
unsafe impl Send for Characters {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for Characters {}

impl Characters {
    fn get(&self) -> &[u32] {
        // SAFETY: `start` has at least `len` initialised code points.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Characters {
    fn drop(&mut self) {
        // SAFETY: the memory is from Python's allocator.
        unsafe { ffi::PyMem_Free(self.start.as_ptr().cast()) }
    }
}

impl<'a> Source<'a> {
    /// The empty string.
    pub(crate) const EMPTY: Self = Self::Ascii(b"");

    /// Borrows or copies the characters.
    pub(crate) fn new(string: &'a Bound<'_, PyString>) -> PyResult<Self> {
        // Of the class `str`, because a subclass may override it. The UTF-8 of other strings would stay in memory as long as
        // the string.
        if string.py().get_type::<PyString>().call_method1("isascii", (string,))?.is_truthy()? {
            return Ok(Self::Ascii(string.to_str()?.as_bytes()));
        }
        // SAFETY: `string` is a string. The result is memory of its length and one more character, or null after an error.
        let start = NonNull::new(unsafe { ffi::PyUnicode_AsUCS4Copy(string.as_ptr()) });
        let start = start.ok_or_else(|| PyErr::fetch(string.py()))?;
        Ok(Self::Other(Characters { start, len: super::len(string) }))
    }

    /// Returns the ASCII of the string, if it is all ASCII.
    pub(crate) fn ascii(&self) -> Option<&'a [u8]> {
        match *self {
            Self::Ascii(bytes) => Some(bytes),
            Self::Other(_) => None,
        }
    }

    /// Returns the string as ISO-8859-1, if that needs no copy.
    pub(crate) fn latin1(&self) -> Option<&'a [u8]> {
        self.ascii()
    }

    /// The number of characters.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Ascii(bytes) => bytes.len(),
            Self::Other(characters) => characters.len,
        }
    }

    /// The greatest number of bytes of UTF-8 for a character.
    pub(crate) fn max_utf8_len(&self) -> usize {
        match self {
            Self::Ascii(_) => 1,
            Self::Other(_) => 4,
        }
    }

    /// Returns characters from `at` on as well-formed UTF-16, and their number: up to the end, a surrogate, or the end of
    /// `block`, or of `limit` units. Both are at least two. None means that there is a surrogate, or that the string ends.
    pub(crate) fn units<'b>(&self, at: usize, limit: usize, block: &'b mut [u16]) -> (&'b [u16], usize) {
        let limit = limit.min(block.len());
        let block = &mut block[..limit];
        let progress = match self {
            Self::Ascii(bytes) => utf::latin1_to_utf16(&bytes[at..], block),
            Self::Other(characters) => utf::utf32_to_utf16(&characters.get()[at..], block),
        };
        (&block[..progress.written], progress.read)
    }

    /// Whether [`units`](Self::units) needs no block.
    #[expect(clippy::unused_self, reason = "the other implementation needs it")]
    pub(crate) fn is_utf16(&self) -> bool {
        false
    }

    /// Returns the character at an offset, or 0 after the end.
    pub(crate) fn code_point(&self, at: usize) -> u32 {
        match self {
            Self::Ascii(bytes) => bytes.get(at).map_or(0, |&byte| byte.into()),
            Self::Other(characters) => characters.get().get(at).copied().unwrap_or_default(),
        }
    }

    /// Returns the character at an offset if it is a surrogate.
    pub(crate) fn surrogate_at(&self, at: usize) -> Option<u16> {
        let Self::Other(characters) = self else { return None };
        let character: u16 = (*characters.get().get(at)?).try_into().ok()?;
        matches!(character, 0xD800..=0xDFFF).then_some(character)
    }
}
