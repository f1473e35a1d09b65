//! The next `iconv` in the search order of the program: that of the C library.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    mem,
    ptr::{self, NonNull},
    sync::atomic::{AtomicPtr, Ordering},
};

use crate::{call::FAILED, descriptor::INVALID, set_errno};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type Iconv = unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

/// Opens a descriptor of the next library. If it fails, `errno` is set.
pub(crate) fn open(to: &CStr, from: &CStr) -> Option<NonNull<c_void>> {
    static OPEN: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    let Some(open) = function(&OPEN, c"iconv_open") else {
        set_errno(libc::EINVAL);
        return None;
    };
    // SAFETY: the function of this name has this type.
    let open = unsafe { mem::transmute::<*mut c_void, Open>(open.as_ptr()) };
    // SAFETY: both are strings of C.
    let descriptor = unsafe { open(to.as_ptr(), from.as_ptr()) };
    NonNull::new(descriptor).filter(|descriptor| descriptor.as_ptr() != INVALID)
}

/// Converts with a descriptor of the next library.
///
/// # Safety
/// `cd` is from [`open`] and not closed. The other pointers are as `iconv` requires them.
pub(crate) unsafe fn iconv(
    cd: NonNull<c_void>,
    inbuf: *mut *mut c_char,
    inbytesleft: *mut usize,
    outbuf: *mut *mut c_char,
    outbytesleft: *mut usize,
) -> usize {
    static ICONV: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    let Some(iconv) = function(&ICONV, c"iconv") else {
        set_errno(libc::EBADF);
        return FAILED;
    };
    // SAFETY: the function of this name has this type.
    let iconv = unsafe { mem::transmute::<*mut c_void, Iconv>(iconv.as_ptr()) };
    // SAFETY: as the caller promises.
    unsafe { iconv(cd.as_ptr(), inbuf, inbytesleft, outbuf, outbytesleft) }
}

/// Closes a descriptor of the next library.
pub(crate) fn close(cd: NonNull<c_void>) -> c_int {
    static CLOSE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
    let Some(close) = function(&CLOSE, c"iconv_close") else { return -1 };
    // SAFETY: the function of this name has this type.
    let close = unsafe { mem::transmute::<*mut c_void, Close>(close.as_ptr()) };
    // SAFETY: each descriptor is closed once.
    unsafe { close(cd.as_ptr()) }
}

/// Returns a function of the next library, and remembers it.
fn function(known: &AtomicPtr<c_void>, name: &CStr) -> Option<NonNull<c_void>> {
    let mut function = known.load(Ordering::Relaxed);
    if function.is_null() {
        // SAFETY: the name is a string of C.
        function = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
        known.store(function, Ordering::Relaxed);
    }
    NonNull::new(function)
}
