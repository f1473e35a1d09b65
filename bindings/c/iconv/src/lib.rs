//! `iconv(3)` with the tables of the Encoding Standard, to be preloaded or linked.
//!
//! Two sets of functions share descriptors:
//!
//! * `iconv_open`, `iconv`, `iconv_close` replace those of the C library. They behave like glibc's, and names that this library does
//!   not know go to the next `iconv_open`.
//! * `libiconv_open`, `libiconv`, `libiconv_close` are what programs call that include `textcodec/iconv.h`. They follow POSIX.1-2024, and
//!   do not depend on the C library.
#![no_std]

mod call;
mod descriptor;
mod environment;
pub mod extensions;
mod next;

use core::ffi::{c_char, c_int, c_void};

use textcodec_c_runtime as _;

use descriptor::Flavour;

/// Returns a descriptor for conversions from one character set to another, or -1.
///
/// # Safety
/// Both names are strings of C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open(to: *const c_char, from: *const c_char) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { descriptor::open(to, from, Flavour::Glibc) }
}

/// Converts text, or resets the descriptor. Returns the number of irreversible conversions, or -1.
///
/// # Safety
/// `cd` is from `iconv_open`. Each of the other pointers is null, or points to a value as POSIX describes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv(
    cd: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    unsafe { call::iconv(cd, inbuf, inbytesleft, outbuf, outbytesleft) }
}

/// Closes a descriptor. Returns 0, or -1.
///
/// # Safety
/// `cd` is from `iconv_open` and has not been closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_close(cd: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { descriptor::close(cd) }
}

/// Like [`iconv_open`], as POSIX.1-2024 describes it.
///
/// # Safety
/// The same as for [`iconv_open`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open(to: *const c_char, from: *const c_char) -> *mut c_void {
    // SAFETY: as the caller promises.
    unsafe { descriptor::open(to, from, Flavour::Posix) }
}

/// Like [`iconv`].
///
/// # Safety
/// The same as for [`iconv`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv(
    cd: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    unsafe { call::iconv(cd, inbuf, inbytesleft, outbuf, outbytesleft) }
}

/// Like [`iconv_close`].
///
/// # Safety
/// The same as for [`iconv_close`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_close(cd: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { descriptor::close(cd) }
}

/// Sets `errno`.
fn set_errno(error: c_int) {
    // SAFETY: the C library returns the address of the thread's `errno`.
    unsafe { *libc::__errno_location() = error };
}
