//! A library with `iconv`, loaded at run time.

use std::{
    ffi::{CString, c_char, c_int, c_void},
    ptr,
};

use libloading::{Library, Symbol};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type Convert = unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

/// A library.
pub(crate) struct Iconv(Library);

impl Iconv {
    /// Loads a library by its path, or the C library by its name.
    pub(crate) fn load(path: &str) -> Self {
        // SAFETY: a library with `iconv` does nothing when it is loaded.
        Self(unsafe { Library::new(path) }.unwrap_or_else(|error| panic!("{path}: {error}")))
    }

    fn function<T>(&self, name: &str) -> Symbol<'_, T> {
        // SAFETY: the types below are those of POSIX.
        unsafe { self.0.get(name.as_bytes()) }.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Opens a descriptor.
    pub(crate) fn open(&self, to: &str, from: &str) -> Option<Descriptor<'_>> {
        let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
        let open: Symbol<'_, Open> = self.function("iconv_open");
        // SAFETY: both names are strings.
        let cd = unsafe { open(to.as_ptr(), from.as_ptr()) };
        let convert: Symbol<'_, Convert> = self.function("iconv");
        (cd.addr() != usize::MAX).then(|| Descriptor { cd, convert: *convert, library: self, room: vec![0; 64] })
    }
}

/// An open descriptor.
pub(crate) struct Descriptor<'l> {
    cd: *mut c_void,
    convert: Convert,
    library: &'l Iconv,
    room: Vec<u8>,
}

/// What a call did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Result<'d> {
    pub(crate) read: usize,
    pub(crate) bytes: &'d [u8],
    /// `errno`, or 0.
    pub(crate) error: i32,
}

impl Descriptor<'_> {
    /// Starts a new text, converts an input of a few bytes, and ends the text.
    pub(crate) fn convert(&mut self, input: &[u8]) -> Result<'_> {
        let (mut src, mut src_len) = (input.as_ptr().cast_mut().cast::<c_char>(), input.len());
        let (mut dst, mut dst_len) = (self.room.as_mut_ptr().cast::<c_char>(), self.room.len());
        // SAFETY: all pointers are null, which resets the descriptor.
        unsafe { (self.convert)(self.cd, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut()) };
        // SAFETY: the pointers are to buffers of these lengths. `iconv` does not write to its input.
        let status = unsafe { (self.convert)(self.cd, &raw mut src, &raw mut src_len, &raw mut dst, &raw mut dst_len) };
        let error = if status == usize::MAX { std::io::Error::last_os_error().raw_os_error().unwrap_or(-1) } else { 0 };
        if error == 0 {
            // SAFETY: as above; without an input, the text is ended.
            unsafe { (self.convert)(self.cd, ptr::null_mut(), ptr::null_mut(), &raw mut dst, &raw mut dst_len) };
        }
        let written = self.room.len() - dst_len;
        Result { read: input.len() - src_len, bytes: &self.room[..written], error }
    }
}

impl Drop for Descriptor<'_> {
    fn drop(&mut self) {
        let close: Symbol<'_, Close> = self.library.function("iconv_close");
        // SAFETY: the descriptor is open.
        unsafe { close(self.cd) };
    }
}
