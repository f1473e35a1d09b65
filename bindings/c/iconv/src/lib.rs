//! `iconv(3)` with the tables of the Encoding Standard, to be preloaded or linked.
//!
//! Two sets of functions share descriptors, and pass those of other libraries on to the next library:
//!
//! * `iconv_open`, `iconv`, `iconv_close` replace those of the C library. They behave like glibc's, and names that this library does
//!   not know go to the next `iconv_open`.
//! * `libiconv_open`, `libiconv`, `libiconv_close` are what programs call that include `textcodec/iconv.h`. They follow POSIX.1-2024, and
//!   do not depend on the C library. Names that this library does not know go to libiconv, if the program has it.
#![no_std]

mod call;
mod descriptor;
mod environment;
pub mod extensions;
mod next;

use core::ffi::{c_char, c_int, c_void};

use textcodec_c_runtime as _;

use descriptor::Flavour;
use next::{Close, Iconv, Next, OpenInto};

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
/// `cd` is from `iconv_open` of this or another library. Each of the other pointers is null, or points to a value as POSIX
/// describes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv(
    cd: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    // SAFETY: as the caller promises.
    unsafe { convert(cd, inbuf, inbytesleft, outbuf, outbytesleft, &next::ICONV) }
}

/// Closes a descriptor. Returns 0, or -1.
///
/// # Safety
/// `cd` is from `iconv_open` of this or another library, and has not been closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_close(cd: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { close(&next::CLOSE, cd) }
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
    unsafe { convert(cd, inbuf, inbytesleft, outbuf, outbytesleft, &next::LIBICONV) }
}

/// Like [`iconv_close`].
///
/// # Safety
/// The same as for [`iconv_close`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_close(cd: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { close(&next::LIBICONV_CLOSE, cd) }
}

/// Converts text. `next` is the function for descriptors of other libraries.
///
/// # Safety
/// The same as for [`iconv`].
#[inline]
unsafe fn convert(
    cd: *mut c_void,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
    next: &Next<Iconv>,
) -> usize {
    // SAFETY: as the caller promises.
    if let Some(descriptor) = unsafe { descriptor::get(cd) } {
        // SAFETY: as the caller promises.
        return unsafe { call::iconv(descriptor, inbuf, inbytesleft, outbuf, outbytesleft) };
    }
    // SAFETY: as the caller promises.
    unsafe { call::foreign(cd, inbuf, inbytesleft, outbuf, outbytesleft, next) }
}

/// Closes a descriptor. `next` is the function for those of other libraries.
///
/// # Safety
/// The same as for [`iconv_close`].
unsafe fn close(next: &Next<Close>, cd: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    if unsafe { descriptor::get(cd) }.is_some() {
        // SAFETY: it is this library's and open.
        unsafe { descriptor::close(cd) };
        return 0;
    }
    // SAFETY: as the caller promises; the descriptor is of another library.
    unsafe { next.get_for(cd) }.map_or(-1, |close| unsafe { close(cd) })
}

/// Opens a descriptor in the caller's memory. That is `iconv_allocation_t` of libiconv's header, which has fewer bytes than a
/// descriptor of this library, so it becomes libiconv's if the program has that. Otherwise fails with `EINVAL`. Returns 0, or -1.
///
/// # Safety
/// Both names are strings of C, and `memory` points to an `iconv_allocation_t`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn libiconv_open_into(to: *const c_char, from: *const c_char, memory: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { open_into(&next::LIBICONV_OPEN_INTO, to, from, memory) }
}

/// Like [`libiconv_open_into`], under the name that libiconv has on some systems.
///
/// # Safety
/// The same as for [`libiconv_open_into`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn iconv_open_into(to: *const c_char, from: *const c_char, memory: *mut c_void) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { open_into(&next::OPEN_INTO, to, from, memory) }
}

/// Opens a descriptor in the caller's memory with a function of the next library.
///
/// # Safety
/// The same as for [`libiconv_open_into`].
unsafe fn open_into(next: &Next<OpenInto>, to: *const c_char, from: *const c_char, memory: *mut c_void) -> c_int {
    let Some(open_into) = next.get() else {
        set_errno(libc::EINVAL);
        return -1;
    };
    // SAFETY: as the caller promises.
    unsafe { open_into(to, from, memory) }
}

/// Sets `errno`.
fn set_errno(error: c_int) {
    // SAFETY: the C library returns the address of the thread's `errno`.
    unsafe { *libc::__errno_location() = error };
}
