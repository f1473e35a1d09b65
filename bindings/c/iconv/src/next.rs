//! The next library in the search order of the program that has the same functions: the C library, or libiconv.

use core::{
    ffi::{CStr, c_char, c_int, c_void},
    marker::PhantomData,
    mem, ptr,
    sync::atomic::{AtomicPtr, Ordering},
};

use crate::{
    descriptor::{self, Flavour, INVALID},
    set_errno,
};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
pub(crate) type OpenInto = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> c_int;
pub(crate) type Iconv =
    unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
pub(crate) type Close = unsafe extern "C" fn(*mut c_void) -> c_int;
pub(crate) type Control = unsafe extern "C" fn(*mut c_void, c_int, *mut c_void) -> c_int;

/// A function of the next library, which is searched at its first use.
pub(crate) struct Next<F> {
    name: &'static CStr,
    /// Null before the search.
    found: AtomicPtr<c_void>,
    function: PhantomData<F>,
}

static OPEN: Next<Open> = Next::new(c"iconv_open");
pub(crate) static ICONV: Next<Iconv> = Next::new(c"iconv");
pub(crate) static CLOSE: Next<Close> = Next::new(c"iconv_close");
pub(crate) static OPEN_INTO: Next<OpenInto> = Next::new(c"iconv_open_into");
static LIBICONV_OPEN: Next<Open> = Next::new(c"libiconv_open");
pub(crate) static LIBICONV: Next<Iconv> = Next::new(c"libiconv");
pub(crate) static LIBICONV_CLOSE: Next<Close> = Next::new(c"libiconv_close");
pub(crate) static LIBICONV_OPEN_INTO: Next<OpenInto> = Next::new(c"libiconv_open_into");
pub(crate) static LIBICONVCTL: Next<Control> = Next::new(c"libiconvctl");

/// What is remembered instead of a function that no library has.
const ABSENT: *mut c_void = ptr::without_provenance_mut(usize::MAX);

impl<F: Copy> Next<F> {
    /// Names a function of the type `F`.
    const fn new(name: &'static CStr) -> Self {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        Self { name, found: AtomicPtr::new(ptr::null_mut()), function: PhantomData }
    }

    /// Returns the function, or `None` if no other library has it, as in programs that are linked statically.
    pub(crate) fn get(&self) -> Option<F> {
        let mut found = self.found.load(Ordering::Relaxed);
        if found.is_null() {
            // SAFETY: the name is a string of C.
            found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
            if found.is_null() {
                found = ABSENT;
            }
            self.found.store(found, Ordering::Relaxed);
        }
        // SAFETY: it is from `dlsym`, and the functions of the names above have these types.
        (found != ABSENT).then(|| unsafe { mem::transmute_copy::<*mut c_void, F>(&found) })
    }

    /// Returns the function for a descriptor that is not open in this library. Returns `None` with `EBADF` if the descriptor is
    /// invalid, or no other library has the function.
    ///
    /// # Safety
    /// The same as for [`descriptor::is_invalid`].
    #[cold]
    pub(crate) unsafe fn get_for(&self, cd: *mut c_void) -> Option<F> {
        // SAFETY: as the caller promises.
        let function = if unsafe { descriptor::is_invalid(cd) } { None } else { self.get() };
        if function.is_none() {
            set_errno(libc::EBADF);
        }
        function
    }
}

/// Opens a descriptor of the next library. If it fails, returns [`INVALID`], and `errno` is set.
pub(crate) fn open(flavour: Flavour, to: &CStr, from: &CStr) -> *mut c_void {
    let next = if flavour == Flavour::Glibc { &OPEN } else { &LIBICONV_OPEN };
    let Some(open) = next.get() else {
        set_errno(libc::EINVAL);
        return INVALID;
    };
    // SAFETY: both are strings of C.
    unsafe { open(to.as_ptr(), from.as_ptr()) }
}

/// Makes the C library read its list of names. glibc's `iconv -l` opens a descriptor for that, and then prints the list, which no
/// function returns.
#[cold]
pub(crate) fn read_names() {
    let descriptor = open(Flavour::Glibc, c"L1", c"L1");
    if let Some(close) = CLOSE.get()
        && descriptor != INVALID
    {
        // SAFETY: the descriptor is from the same library, and is used nowhere else.
        unsafe { close(descriptor) };
    }
}
